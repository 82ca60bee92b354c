"""Coney with the order of the deck known: time to proof, beside the prototype that knows no sales.

python -m bench.coney_open --yardstick DIR [--deals 2-12] [--turns 9] [--sales] [--limit 900]

DIR holds coney_exact2.cpp, its coney.hpp and deck.txt. Without --sales both solve each deal in turn, one after the
other; times are the processor's, so that only what else slows it down is left to chance.
"""

from __future__ import annotations

import argparse
import re
import resource
import statistics
import subprocess
import time
import tomllib
from pathlib import Path

import ninefold as nf
from bench import coney_deck, yardstick
from ninefold.core.games import coney
from ninefold.core.games.coney_open import OpenSolver
from ninefold.core.rules import State

WORD = (1 << 64) - 1


def order(seed: int) -> list[int]:
    """The prototypes' deal of this number."""
    state = seed * 7919 + 1
    cards = list(range(72))
    for i in range(71):
        state = (state + 0xA0761D6478BD642F) & WORD
        product = state * (state ^ 0xE7037ED1A0B428DB)
        number = (product >> 64 ^ product) & WORD
        j = i + ((number >> 32) * (72 - i) >> 32)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def deal(deck: Path, seed: int, turns: int) -> State:
    """The same deal for the engine; a wild counts for nothing at the end, as with the prototypes."""
    ruleset = tomllib.loads(coney_deck.ruleset(deck)) | {"turns": turns}
    state = State(nf.game("coney", 1, ruleset=ruleset, wild_scores="none").core)
    data = coney.dump(state)
    data["order"] = order(seed)
    coney.load(state, data)
    return state


def solve(state: State, limit: float, *, sales: bool) -> tuple[OpenSolver, float]:
    """The solver when it is done or out of time, and the seconds it took. Its line is played."""
    solver = OpenSolver(state, sales=sales, memory=1 << 30)
    start = time.process_time()
    while not solver.run(50) and time.process_time() - start < limit:
        pass
    took = time.process_time() - start
    if solver.lower is not None:
        after = state.copy()
        for move in solver.line():
            after.apply(0, move)
        if after.score()[0][0] != solver.lower:
            raise SystemExit("a line does not score what the solver says: please report this")
    return solver, took


def prototype(program: Path, deck: Path, seed: int, limit: float) -> tuple[str, float]:
    """The prototype's optimum, "?" if it is not done in time, and its seconds."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = ["prlimit", f"--cpu={round(limit)}", str(program), str(deck), str(seed), "45"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"OPTIMUM (-?\d+)", done.stdout)
    return found[1] if found else "?", resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yardstick", type=Path, required=True, metavar="DIR", help="folder of the prototypes")
    parser.add_argument("--deals", default="2-12", metavar="FIRST-LAST")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--sales", action="store_true", help="the real rules; the prototype has no sales")
    parser.add_argument("--limit", type=float, default=900, help="seconds for a deal, also of the prototype")
    arguments = parser.parse_args()
    first, last = map(int, arguments.deals.split("-"))
    deck = arguments.yardstick / "deck.txt"
    beside = not arguments.sales and arguments.turns == 9
    program = yardstick.build(arguments.yardstick, "coney_exact2.cpp") if beside else None
    ours, theirs = [], []
    for seed in range(first, last + 1):
        solver, took = solve(deal(deck, seed, arguments.turns), arguments.limit, sales=arguments.sales)
        ours.append(took)
        text = f"deal {seed:2}: {solver.lower} .. {solver.upper}  {took:8.2f} s  {solver.nodes:10,} nodes"
        if program is not None:
            optimum, seconds = prototype(program, deck, seed, arguments.limit)
            theirs.append(seconds)
            text += f"   prototype {optimum}  {seconds:8.2f} s"
        print(text, flush=True)
    print(f"median {statistics.median(ours):.2f} s", end="")
    print(f", prototype {statistics.median(theirs):.2f} s" if theirs else "")


if __name__ == "__main__":
    main()
