"""Solo games of Coney with the deck unknown, beside the best that somebody could have got who knew its order.

python -m bench.coney_hindsight --yardstick DIR --deals 1-100 --limit 20 --file deals.jsonl
python -m bench.coney_hindsight --deals 0-19 --limit 60

With --yardstick the prototypes' deck and deals (DIR holds deck.txt), as `bench.coney_open` has them, with sales; else
the shipped deck, as `bench.coney_bands --open` deals it. Our search is that of `bench.coney_unknown`, so many seconds
of the processor a turn. The best of a deal is what the solver of open puzzles proves in --limit seconds of the
processor; where it does not, its upper bound counts, so that our share is rather too low. --file keeps games and
bounds, a JSON line each, and a run with it goes on from there: one file for one deck and one player. Intervals are
95 %.
"""

from __future__ import annotations

import argparse
import json
import time
import tomllib
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

import ninefold as nf
from bench import coney_deck, coney_open
from bench.coney_bands import opened, shuffled
from bench.coney_unknown import Player, add_constants, constants_of, end
from ninefold._match import interval
from ninefold.core.search.expectimax import Solver
from ninefold.core.search.mcts import Search

PARTS = {True: 0.6, False: 0.3}  # of what is left of a turn's time: for the choice of the action, for one that follows
EXACT = 0.5  # of it, for the solver in the last turn
VISITS = 32  # between two looks at the clock


class Timed(Player):
    """So many seconds of the processor a turn; what comes before the first one counts to it."""

    def __init__(self, constants: dict[str, float], seed: int, seconds: float) -> None:
        super().__init__(constants, seed)
        self.seconds = seconds
        self.spent: dict[int, float] = {}  # by the turns that are left
        self.until = 0.0

    def choose(self, position: nf.Position) -> nf.Move:
        """A move where there are several."""
        turn, began = position.rest or 0, time.process_time()
        self.until = began + self.seconds - self.spent.get(turn, 0.0)
        self.exact_until = began + EXACT * (self.until - began)
        move = super().choose(position)
        self.spent[turn] = self.spent.get(turn, 0.0) + time.process_time() - began
        return move

    def enough(self, solver: Solver) -> bool:
        """Whether the solver has had its part of the time."""
        return time.process_time() >= self.exact_until

    def think(self, tree: Search, *, action: bool) -> None:
        """Grow for a part of the time that the turn has left."""
        now = time.process_time()
        until = now + PARTS[action] * (self.until - now)
        tree.run(VISITS)
        while time.process_time() < until:
            tree.run(VISITS)


def played(game: nf.Game, number: int, order: list[str], constants: dict[str, float], seconds: float) -> dict[str, Any]:
    """Our game of a deal: its points, and the time of its turns."""
    cards, player = iter(order), Timed(constants, number, seconds)
    points = end(game.start(), player, lambda position: position.chance(f"deal {next(cards)}"))
    return {
        "deal": number,
        "points": points,
        "turns": [round(seconds, 3) for seconds in player.spent.values()],
        "solved": player.solved,
    }


def bounds(game: nf.Game, number: int, order: list[str], limit: float) -> dict[str, Any]:
    """What is proven of the best score of a deal."""
    solver, took = coney_open.solve(opened(game, order), limit, sales=True)
    return {"deal": number, "lower": solver.lower, "upper": solver.upper, "seconds": round(took, 2)}


def report(games: list[dict[str, Any]], best: list[dict[str, Any]]) -> None:
    """Print how our games did beside the best of the same deals."""
    ours, most = [one["points"] for one in games], [one["upper"] for one in best]
    share, found = mean(ours) / mean(most), mean(one["lower"] for one in best)
    _, half = interval(ours)
    _, error = interval([points - share * other for points, other in zip(ours, most, strict=True)])
    turns = [seconds for one in games for seconds in one["turns"]]
    proven = sum(one["lower"] == one["upper"] for one in best)
    print(
        f"{len(games)} deals: {mean(ours):.2f} ± {half:.2f} points of {mean(most):.2f}, so {share:.1%} ± "
        f"{error / mean(most):.1%}; {proven} of them proven, {found:.2f} found; {mean(turns):.2f} s a turn, at most "
        f"{max(turns):.2f}; last turn solved in {sum(one['solved'] for one in games)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yardstick", type=Path, metavar="DIR", help="folder of the prototypes: their deck and deals")
    parser.add_argument("--deals", default="1-100", metavar="FIRST-LAST")
    parser.add_argument("--seconds", type=float, default=1.0, help="of the processor, a turn of ours")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds of the solver for each deal")
    parser.add_argument("--file", type=Path, help="keeps games and bounds")
    add_constants(parser)
    arguments = parser.parse_args()
    first, last = map(int, arguments.deals.split("-"))
    if arguments.yardstick is None:
        game = nf.game("coney", 1)
        orders = {number: shuffled(game, number) for number in range(first, last + 1)}
    else:
        ruleset = tomllib.loads(coney_deck.ruleset(arguments.yardstick / "deck.txt"))
        game = nf.game("coney", 1, ruleset=ruleset, wild_scores="none")
        names = list(game.ruleset.cards)  # type: ignore[attr-defined]
        orders = {n: [names[card] for card in coney_open.order(n)] for n in range(first, last + 1)}
    file: Path | None = arguments.file
    kept = [json.loads(line) for line in file.read_text().splitlines()] if file is not None and file.exists() else []
    games = {one["deal"]: one for one in kept if "points" in one}
    best = {one["deal"]: one for one in kept if "upper" in one}
    for found, what in (
        (games, partial(played, constants=constants_of(arguments), seconds=arguments.seconds)),
        (best, partial(bounds, limit=arguments.limit)),
    ):
        for number, order in orders.items():
            if number not in found:
                found[number] = what(game, number, order)
                print(found[number], flush=True)
                if file is not None:
                    with file.open("a") as text:
                        text.write(json.dumps(found[number]) + "\n")
    report([games[number] for number in orders], [best[number] for number in orders])


if __name__ == "__main__":
    main()
