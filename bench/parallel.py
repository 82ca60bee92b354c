"""What several threads gain in backward induction, by the processor's time: what as many free processors would need.

    python -m bench.parallel [FILE...] [--left 12 14] [--seeds 1 2] [--objective win margin] [--workers 2]

FILE: positions; without any: Donuts of two players with so many cards left in the deck, after random moves. The time of
several is that of the thread that took longest; that of one alone is measured in the same run.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator

import ninefold as nf
from ninefold.analysis import OBJECTIVES
from ninefold.core.search.expectimax import Solver
from ninefold.solvers import Induction, Pace

SLICE = 250  # milliseconds of a step


class Timed(Induction):
    """One whose threads tell how long each of them had a processor."""

    def measure(self) -> float:
        """Solve it. Returns the seconds of the thread that took longest."""
        self.took: dict[Solver, float] = defaultdict(float)
        while not self.solver.done:
            if self.others:
                self.run(SLICE)
            else:
                self._run_one(self.solver, self.pace, SLICE)
        return max(self.took.values())

    def _run_one(self, solver: Solver, pace: Pace, milliseconds: int) -> None:
        began = time.thread_time()
        super()._run_one(solver, pace, milliseconds)
        self.took[solver] += time.thread_time() - began


def late(left: int, seed: int = 1) -> nf.Position:
    """A position of Donuts with two players and so many cards left in the deck."""
    rng = nf.Generator(seed)
    found = nf.game("donuts", 2).deal(seed)
    while found.to_dict()["deck"] > left or not found.actors:
        if found.actors:
            found.play(found.actors[0], rng.choice(found.legal()))
        else:
            found.chance(rng=rng)
    return found


def positions(files: list[str], lefts: list[int], seeds: list[int]) -> Iterator[tuple[str, nf.Position]]:
    """What is solved, and what it is called."""
    for file in files:
        found = nf.read(file)
        if isinstance(found, nf.Puzzle) and found.position is not None:
            found = found.position
        if not isinstance(found, nf.Position):
            raise SystemExit(f"{file}: this is no position")
        if found.actors:
            found = found.game.module.without_secrets(found, found.actors[0])
        yield file, found
    for left in lefts if not files else []:
        for seed in seeds:
            yield f"donuts, {left} left, seed {seed}", late(left, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--left", type=int, nargs="+", default=[12, 14])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--objective", choices=list(OBJECTIVES), nargs="+", default=["win", "margin"])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", type=float, default=1.0, help="GiB for the table")
    arguments = parser.parse_args()
    print(f"{'':44}{'seconds, 1':>10} {arguments.workers:>8} {'ratio':>6} {'nodes, 1':>12} {arguments.workers:>12}")
    for name, position in positions(arguments.files, arguments.left, arguments.seeds):
        for objective in arguments.objective if position.players > 1 else ["score"]:
            number = OBJECTIVES.index(objective)
            alone, many = (Timed(position, number, int(arguments.memory * 2**30)) for _ in range(2))
            one = alone.measure()
            many.divide(arguments.workers)
            several = many.measure()
            if abs(alone.solver.value - many.solver.value) > 1e-6:
                raise SystemExit(f"values differ: {alone.solver.value} and {many.solver.value}")
            print(
                f"{name + ', ' + objective:44}{one:10.2f} {several:8.2f} {one / several:6.2f}"
                f" {alone.solver.nodes:12,} {many.solver.nodes:12,}",
                flush=True,
            )


if __name__ == "__main__":
    main()
