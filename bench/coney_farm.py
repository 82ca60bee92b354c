"""The best farm of n rabbits of Coney beside a C++ prototype, on the same cards of the prototypes' deck.

    python -m bench.coney_farm --yardstick DIR [--rabbits 10 14 20] [--instances 9]

DIR holds static_layout.cpp, coney.hpp and deck.txt. Values must agree.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
import tomllib
from pathlib import Path

import ninefold as nf
from bench.coney_deck import ruleset
from bench.yardstick import build, run
from ninefold.core.games.coney_farm import FarmSolver

SLICE = 1000  # nodes of one call


def solved(game: nf.Game, cards: list[int]) -> tuple[int | None, float]:
    """The best farm's worth and the seconds it took."""
    start = time.perf_counter()
    solver = FarmSolver(game.core, cards)
    while not solver.advance(SLICE):
        pass
    return solver.lower, time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yardstick", type=Path, required=True, help="folder with static_layout.cpp")
    parser.add_argument("--rabbits", type=int, nargs="+", default=[10, 14, 20])
    parser.add_argument("--instances", type=int, default=9)
    arguments = parser.parse_args()
    deck = arguments.yardstick / "deck.txt"
    program = build(arguments.yardstick, "static_layout.cpp")
    # The prototype: wilds count for no coupon.
    game = nf.game("coney", 1, ruleset=tomllib.loads(ruleset(deck)), wild_scores="none")
    print("rabbits   prototype, seconds     ninefold, seconds      prototype / ninefold")
    print("            median   largest       median   largest      of the medians")
    for n in arguments.rabbits:
        theirs, ours = [], []
        for line in run(program, str(deck), str(n), str(arguments.instances), "print").splitlines():
            found = re.match(r"inst \d+ best (\d+) .* t (\S+) cards ((?:\d+ ?)+)", line)
            if found is None:
                continue
            theirs.append(float(found[2]))
            value, seconds = solved(game, [int(card) for card in found[3].split()])
            ours.append(seconds)
            if value != int(found[1]):
                raise SystemExit(f"values differ: {found[1]} and {value}, cards {found[3]}")
        ratio = statistics.median(theirs) / statistics.median(ours)
        print(
            f"{n:7} {statistics.median(theirs):10.4f} {max(theirs):9.4f}   {statistics.median(ours):10.5f}"
            f" {max(ours):9.5f}   {ratio:10.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
