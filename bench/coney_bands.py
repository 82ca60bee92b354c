"""Solo games of Coney by players of rising skill: mean points, and how many of their games lie in which band.

python -m bench.coney_bands
python -m bench.coney_bands --ruleset deck.toml --only greedy --games 1000
python -m bench.coney_bands --open --only mcts:visits=10000 --games 20
python -m bench.coney_bands --open --limit 120 --games 20

With --open the whole order of the deck is known from the start: what a search finds there is a lower bound of the best
that could have been got. With --limit the solver of open puzzles gives both bounds of it, deal by deal, after so many
seconds of the processor. --first is the number of the first deal.
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import mean, pstdev

import ninefold as nf
from bench.coney_open import solve
from ninefold.players import player

PLAYERS = {
    "random": 4000,
    "plugin:bench.players:step": 400,
    "greedy": 1000,
    "mcts:visits=1000": 100,
    "mcts:visits=10000": 40,
}  # and games of each


def shuffled(game: nf.Game, number: int) -> list[str]:
    """The cards in the order of the deal of this number."""
    order = list(game.ruleset.cards)  # type: ignore[attr-defined]
    random.Random(number).shuffle(order)
    return order


def opened(game: nf.Game, order: list[str]) -> nf.Position:
    """The start of a game whose deck lies in a known order."""
    return game.position({**game.start().to_dict(), "order": order})


def points(game: nf.Game, name: str, number: int, *, is_open: bool = False) -> int:
    """The points of one game: the same number deals the same cards to every player as long as he draws the same."""
    choose = player(name)
    position, generator = opened(game, shuffled(game, number)) if is_open else game.start(), nf.Generator(number, 5)
    moves = 0
    while True:
        position.roll_all(generator)
        if position.is_over:
            return position.scores()[0]
        legal = position.legal()
        position.play(0, legal[0] if len(legal) == 1 else choose(position, 0, number * 100_003 + moves))
        moves += 1


def hindsight(game: nf.Game, deals: range, limit: float, band: int) -> None:
    """Prints what is known of the best score of these deals after so many seconds for each."""
    lowers = []
    for number in deals:
        position = opened(game, shuffled(game, number))
        position.roll_all(nf.Generator(number, 5))
        solver, took = solve(position, limit, sales=True)
        lowers.append(solver.lower or 0)
        print(f"deal {number:2}: {solver.lower} to {solver.upper}, {took:.1f} s", flush=True)
    reached = sum(lower >= band for lower in lowers)
    print(f"at least {band} points: {reached} of {len(deals)}; lower bounds {mean(lowers):.1f} on average")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", help="another deck")
    parser.add_argument("--games", type=int, help="of each player")
    parser.add_argument("--open", action="store_true", help="the order of the deck is known")
    parser.add_argument("--limit", type=float, help="with --open: seconds of the exact search for each deal")
    parser.add_argument("--first", type=int, default=0, help="with --limit: the first deal")
    parser.add_argument("--only", help="one player, as ninefold.players names them")
    arguments = parser.parse_args()
    game = nf.game("coney", 1, ruleset=arguments.ruleset)
    bands: list[int] = game.ruleset.bands  # type: ignore[attr-defined]
    if arguments.limit is not None:
        if not arguments.open:
            parser.error("--limit is for the deck in a known order, --open")
        first, games = arguments.first, arguments.games or 20
        hindsight(game, range(first, first + games), arguments.limit, bands[-1])
        return
    print("player             games  points        bands " + "  ".join(f"{low:>5}+" for low in (0, *bands)))
    for name, games in {arguments.only: 100}.items() if arguments.only else PLAYERS.items():
        started = time.perf_counter()
        found = [points(game, name, number, is_open=arguments.open) for number in range(arguments.games or games)]
        spread = 1.96 * pstdev(found) / len(found) ** 0.5
        reached = [sum(n >= low for low in bands) for n in found]
        shares = [reached.count(band) / len(found) for band in range(len(bands) + 1)]
        print(
            f"{name.removeprefix('plugin:bench.players:'):18} {len(found):5}  {mean(found):5.2f} ± {spread:4.2f}"
            + 8 * " "
            + "  ".join(f"{share:6.1%}" for share in shares)
            + f"   best {max(found)}, {(time.perf_counter() - started) / len(found):.3f} s a game",
            flush=True,
        )


if __name__ == "__main__":
    main()
