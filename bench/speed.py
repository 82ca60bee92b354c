"""Random games, tree search, steps and copies beside the C prototypes, in one run, alternating.

    python -m bench.speed --yardstick DIR
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import ninefold as nf
from bench.yardstick import build, run
from ninefold.core import rules
from ninefold.core.search.mcts import Search


def rate(work: Callable[[int], object], n: int, repeats: int = 5) -> float:
    """Units of work a second, the best of a few repeats."""
    best = 0.0
    for _ in range(repeats):
        started = time.perf_counter()
        work(n)
        best = max(best, n / (time.perf_counter() - started))
    return best


def playouts(yardstick: Path, rounds: int) -> None:
    program = build(yardstick, "donuts_playout.c")
    ours: dict[int, list[float]] = {}
    theirs: dict[int, list[float]] = {}
    starts = {players: nf.game("donuts", players).start() for players in range(2, 7)}
    for _ in range(rounds):
        for line in run(program, "0.4").splitlines():
            found = re.match(r"P=(\d).*games/s=(\d+)", line)
            assert found
            players = int(found[1])
            theirs.setdefault(players, []).append(float(found[2]))
            ours.setdefault(players, []).append(
                rate(lambda n, at=starts[players]: rules.playouts(at, n, 1), 100_000, 2)  # type: ignore[misc]
            )
    print("random games a second   ours      yardstick   ratio (median of paired ratios)")
    for players, rates in ours.items():
        ratio = statistics.median(a / b for a, b in zip(rates, theirs[players], strict=True))
        print(f"  {players} players          {max(rates):9,.0f}   {max(theirs[players]):9,.0f}   {ratio:.2f}")


def trees(yardstick: Path, rounds: int) -> None:
    program = build(yardstick, "donuts_mcts.cpp")
    position = nf.game("donuts", 2).deal(7)
    ours: dict[tuple[str, int], list[float]] = {}
    theirs: dict[tuple[str, int], list[float]] = {}
    for _ in range(rounds):
        for line in run(program, "speed").splitlines():
            found = re.match(r"(DUCT|RM) N=(\d+).*: (\d+) sims/s", line)
            assert found
            name, n = found[1].lower(), int(found[2])
            theirs.setdefault((name, n), []).append(float(found[3]))
            ours.setdefault((name, n), []).append(
                rate(lambda n, name=name: Search(position, 0, algorithm=name, memory=1 << 31).run(n), n, 2)  # type: ignore[misc]
            )
    print("tree search, 2 players, visits a second   ours   yardstick   ratio   bytes a visit")
    for (name, n), rates in ours.items():
        ratio = statistics.median(a / b for a, b in zip(rates, theirs[name, n], strict=True))
        search = Search(position, 0, algorithm=name, memory=1 << 31)
        search.run(n)
        print(f"  {name:4} {n:9,}   {max(rates):9,.0f}   {max(theirs[name, n]):9,.0f}   {ratio:.2f}   {search.bytes / n:.0f}")


def steps() -> None:
    print("nanoseconds           a step through the table   a copy   bytes a state")
    for players in range(2, 7):
        start = nf.game("donuts", players).start()
        moves = rules.walks(start, 2000, 1) / 2000
        step = 1e9 / (moves * rate(lambda n, at=start: rules.walks(at, n, 1), 5000))  # type: ignore[misc]
        copy = 1e9 / rate(lambda n, at=start: rules.clones(at, n), 2_000_000)  # type: ignore[misc]
        print(f"  {players} players           {step:.1f}                       {copy:.1f}      {start.core.state_size}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yardstick", type=Path, required=True, help="folder of the C prototypes")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    playouts(arguments.yardstick, arguments.rounds)
    trees(arguments.yardstick, arguments.rounds)
    steps()


if __name__ == "__main__":
    main()
