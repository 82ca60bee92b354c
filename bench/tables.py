"""One searcher at a table of the prototype's softmax-greedy players, who choose power moves at random.

python -m bench.tables --yardstick DIR --games 300
"""

from __future__ import annotations

import argparse
import ctypes
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import ninefold as nf
from bench.yardstick import build
from ninefold._match import interval
from ninefold.core.games import donuts
from ninefold.core.search.mcts import draw_move

WRAPPER = """
int bid(int players, const uint8_t *held, int cards, const uint8_t *row, double temperature, uint64_t seed) {
    G g; memset(&g, 0, sizeof g); g.P = players; memcpy(g.cnt[0], held, NT); g.nc[0] = cards;
    memcpy(g.tray, row, players + 1); rng r = {seed * 0x9e3779b97f4a7c15ULL + 1}; nxt(&r);
    return softg(&g, 0, &r, temperature);
}
"""


@cache
def library(path: str) -> ctypes.CDLL:
    loaded = ctypes.CDLL(path)
    loaded.bid.argtypes = [
        ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_double, ctypes.c_uint64
    ]  # fmt: skip
    return loaded


def opponent(path: str, position: nf.Position, seat: int, seed: int) -> int:
    """The prototype's bid; other moves at random, as the prototype plays them."""
    moves = position.legal(seat)
    if not str(moves[0]).startswith("bid"):
        return draw_move(position, seat, 0, seed)
    state = donuts.dump(position)
    held = [*state["held"][seat], *[0] * 23][:23]
    row = bytes(state["row"][: position.players + 1])
    place = int(library(path).bid(position.players, bytes(held), sum(held), row, 1.0, seed))
    return moves[place]


def play(task: tuple[str, int, int, int, str]) -> float:
    path, players, number, playouts, model = task
    position = nf.game("donuts", players).start()
    generator = nf.Generator(number // players, 5)
    me, moves = number % players, 0
    while True:
        position.roll_all(generator)
        if position.is_over:
            return position.utilities(0)[me]
        chosen = {}
        for seat in position.actors:
            moves += 1
            seed = number * 100_003 + moves
            if seat == me:
                limit = nf.Limit(visits=playouts * len(position.legal(seat)))
                chosen[seat] = int(nf.best(position, limit, player=seat, opponent=model, seed=seed).best)
            else:
                chosen[seat] = opponent(path, position, seat, seed)
        position.play_all(chosen)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yardstick", type=Path, required=True, help="folder of the C prototypes")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--playouts", type=int, default=300, help="visits for each legal move")
    parser.add_argument("--players", type=int, nargs="+", default=[4, 6])
    parser.add_argument("--models", nargs="+", default=["softmax:1", "uniform", "self"])
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    path = str(build(arguments.yardstick, "donuts_nplayer.c", wrapper=WRAPPER, shared=True))
    for players in arguments.players:
        for model in arguments.models:
            started = time.perf_counter()
            tasks = [(path, players, number, arguments.playouts, model) for number in range(arguments.games)]
            with ProcessPoolExecutor(arguments.workers) as pool:
                results = list(pool.map(play, tasks, chunksize=4))
            mean, half = interval(results)
            print(
                f"{players} players, opponent={model}: {mean:.1%} ± {half:.1%} of {len(results)} games "
                f"(par {1 / players:.1%}, {time.perf_counter() - started:.0f} s)", flush=True
            )  # fmt: skip


if __name__ == "__main__":
    main()
