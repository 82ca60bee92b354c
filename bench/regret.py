"""Root regret: what the returned mix gives away against exact values, by number of visits, on solved endgames.

    python -m bench.regret --positions 100 --left 8
    python -m bench.regret --game territory --positions 100

The regret of a mix is the exact value of the position less what the mix guarantees against every reply, in points,
with exact play afterwards; so 0 is perfect, and "uniform" is a move at random. Donuts: positions of uniform play with
so many cards left. The other games (`--game`): one decision of each game that is played by the guess, drawn among
those that the exact solver reaches within its budget; Coney and Territory alone, in points, Canopy for two, by the
margin.
"""

from __future__ import annotations

import argparse
import itertools
import random
import time
from collections.abc import Iterator

import ninefold as nf
from ninefold._match import interval
from ninefold.core.search.expectimax import Solver
from ninefold.core.search.mcts import draw_move
from ninefold.games import module

MARGIN, SCORE = 1, 2  # numbers of objectives


def endgames(left: int, count: int, seed: int = 1) -> Iterator[nf.Position]:
    """Two-player positions with so many cards left in the deck, everybody about to bid, from uniformly random play."""
    start = nf.game("donuts", 2).start()
    generator = nf.Generator(seed, left)
    while count:
        position = start.copy()
        position.roll_all(generator)
        while not position.is_over and (position.rest or 0) > left:
            for player in position.actors:
                position.apply(player, generator.choice(position.legal(player)))
            position.roll_all(generator)
        if position.rest == left and len(position.actors) == 2:
            count -= 1
            yield position


def endings(name: str, count: int, nodes: int = 200_000) -> Iterator[tuple[nf.Position, Solver]]:
    """Solved decisions near the end of games that are played by the guess, one of each game."""
    found = module(name)
    of, dice = nf.game(name, 1 if 1 in found.players else 2), random.Random(1)
    for seed in itertools.count():
        position, luck, solvable = of.start(), nf.Generator(seed), []
        while True:
            position.roll_all(luck)
            if position.is_over:
                break
            for player in position.actors:
                plain = found.without_secrets(position, player)
                small = plain.secrets == "perfect" and plain.rest is not None and plain.rest <= found.tuning.exact_rest
                if small and len(plain.actors) == 1 and len(plain.legal(player)) > 1:
                    solvable.append(plain.copy())
            position.play_all({seat: draw_move(position, seat, 0.3, dice.getrandbits(63)) for seat in position.actors})
        dice.shuffle(solvable)
        for one in solvable:
            solver = Solver(one, MARGIN if of.players > 1 else SCORE, memory=1 << 28)
            if solver.advance(nodes):
                yield one, solver
                count -= 1
                break
        if not count:
            return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="donuts")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--left", type=int, default=8, help="cards left in the deck")
    parser.add_argument("--visits", type=int, nargs="+", default=[100, 1_000, 10_000, 100_000])
    parser.add_argument("--algorithms", nargs="+", default=["duct", "rm"])
    parser.add_argument("--exploration", type=float)
    parser.add_argument("--rollout", type=float)
    parser.add_argument("--leaves", type=int, help="rest of the game whose exact value stands for a playout")
    arguments = parser.parse_args()
    solved: list[tuple[nf.Position, float, list[list[float]]]] = []
    started = time.perf_counter()
    if arguments.game == "donuts":
        for position in endgames(arguments.left, arguments.positions):
            solver = Solver(position, MARGIN, memory=1 << 30)
            while not solver.advance(50_000):
                pass
            solved.append((position, solver.value, solver.payoff()))
        what = f"{arguments.left} cards left"
    else:
        for position, solver in endings(arguments.game, arguments.positions):
            worth = solver.payoff()  # the solver speaks for player 0
            if position.actors[0] == 1:
                worth = [[-cell] for cell in worth[0]]
            solved.append((position, max(row[0] for row in worth), worth))
        what = f"{sum(len(payoff) for _, _, payoff in solved) / len(solved):.1f} moves on the average"
    print(f"{len(solved)} positions of {arguments.game}, {what}, solved in {time.perf_counter() - started:.1f} s")
    uniform = [value - guaranteed([1 / len(payoff)] * len(payoff), payoff) for _, value, payoff in solved]
    print(f"uniform {sum(uniform) / len(uniform):.3f} points")
    print("algorithm " + "".join(f"{visits:>26,}" for visits in arguments.visits) + "   visits")
    for algorithm in arguments.algorithms:
        row = []
        for visits in arguments.visits:
            began = time.process_time()
            given = [
                value - guaranteed(mix(position, visits, algorithm, arguments), payoff)
                for position, value, payoff in solved
            ]
            mean, half = interval(given)
            each = (time.process_time() - began) / len(solved)
            row.append(f"{mean:.4f} ± {half:.4f}, {each:.3f} s")
        print(f"{algorithm:10}" + "".join(f"{one:>26}" for one in row), flush=True)


def mix(position: nf.Position, visits: int, algorithm: str, arguments: argparse.Namespace) -> list[float]:
    player = position.actors[0]
    answer = nf.best(
        position, nf.Limit(visits=visits), player=player, objective="margin" if position.players > 1 else "score",
        exact=False, algorithm=algorithm, exploration=arguments.exploration, rollout=arguments.rollout,
        leaves=arguments.leaves, seed=1,
    )  # fmt: skip
    shares = {info.move: info.share for info in answer.moves}
    return [shares[move] for move in position.legal(player)]


def guaranteed(mix: list[float], payoff: list[list[float]]) -> float:
    return min(sum(share * row[j] for share, row in zip(mix, payoff, strict=True)) for j in range(len(payoff[0])))


if __name__ == "__main__":
    main()
