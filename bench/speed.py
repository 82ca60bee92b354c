"""Random games, tree search, steps and copies beside the C prototypes, in one run, alternating.

python -m bench.speed --yardstick DIR
"""

from __future__ import annotations

import argparse
import re
import resource
import statistics
import time
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import ninefold as nf
from bench import coney_deck
from bench.yardstick import build, run
from ninefold.bench import rate
from ninefold.core import rules
from ninefold.core.games import territory, territory_grid
from ninefold.core.search.mcts import Search, policy_playouts
from ninefold.games import module


def play(start: nf.Position, n: int) -> None:
    rules.playouts(start, n, 1)


def walk(start: nf.Position, n: int) -> None:
    rules.walks(start, n, 1)


def search(position: nf.Position, algorithm: str, n: int) -> Search:
    tree = Search(position, 0, algorithm=algorithm, memory=1 << 31)
    tree.run(n)
    return tree


def coney_playouts(yardstick: Path, rounds: int) -> None:
    """Solo games of the prototypes' deck; theirs choose a whole turn at random, ours each of its moves."""
    program = build(yardstick / "coney", "coney_fast.cpp")
    deck = yardstick / "coney" / "deck.txt"
    ruleset = tomllib.loads(coney_deck.ruleset(deck))
    start = nf.game("coney", 1, ruleset=ruleset, wild_scores="none").start()
    ours, theirs = [], []
    for _ in range(rounds):
        found = re.search(r"playouts: (\d+) games/s", run(program, str(deck)))
        assert found
        theirs.append(float(found[1]))
        ours.append(rate(partial(play, start), 500_000, 2))
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    print("Coney, random games a second   ours      yardstick   ratio (median of paired ratios)")
    print(f"  solo                        {max(ours):9,.0f}   {max(theirs):9,.0f}   {ratio:.2f}")
    for players in range(1, 5):
        rates = rate(partial(play, nf.game("coney", players).start()), 20_000)
        print(f"  {players} players, own deck         {rates:9,.0f}")


def territory_lands(yardstick: Path, rounds: int) -> None:
    """Random placements, and the best land of nine animals, which the prototype scores with two goals of its own."""
    counting, solving = build(yardstick, "territory_count.cpp"), build(yardstick, "territory_solo.cpp")
    core = nf.game("territory", 1).core
    placing: list[tuple[float, float]] = []
    grids: list[tuple[float, float]] = []
    for _ in range(rounds):
        found = re.search(r"([\d.]+) ns per placement", run(counting))
        assert found
        placing.append((1e9 / 18 / rate(lambda n: territory.placements(core, n, 1), 200_000, 3), float(found[1])))
        found = re.search(r"([\d.]+) us each", run(solving, "0"))
        assert found
        grids.append((1e6 / rate(lambda n: territory_grid.solve_many(core, n, 1), 100_000, 3), float(found[1])))
    print("Territory                     ours     yardstick   ratio (median of paired ratios)")
    for what, unit, pairs in (("a random placement", "ns", placing), ("the best land of nine", "us", grids)):
        ratio = statistics.median(a / b for a, b in pairs)
        best = f"{min(a for a, _ in pairs):6.1f}     {min(b for _, b in pairs):6.1f}"
        print(f"  {what:22} {unit}   {best}      {ratio:.2f}")
    for players in range(1, 5):
        rates = rate(partial(play, nf.game("territory", players).start()), 20_000)
        print(f"  {players} players, random games a second {rates:9,.0f}")


def canopy_playouts(yardstick: Path, rounds: int) -> None:
    """Games by random moves and by guesses, a second of processor time.

    The prototype has fewer decisions: trees, losses and droughts by a fixed rule, no seed draws, no abilities. It tells
    its games a second of the clock: they are scaled by the share of it in which it ran.
    """
    program = build(yardstick, "canopy_lite.cpp")
    start = nf.game("canopy", 2).start()
    work: dict[str, Callable[[int], object]] = {
        "random": partial(play, start),
        "by guesses, 0.05 points": partial(policy_playouts, start, temperature=0.05, seed=1),
        "by guesses, 1 point": partial(policy_playouts, start, temperature=1.0, seed=1),
    }
    rates: dict[str, list[tuple[float, float]]] = {name: [] for name in work}
    for _ in range(rounds):
        clock, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        theirs = [float(found) for found in re.findall(r"playouts: (\d+) games/s", run(program, "speed"))]
        clock, used = time.perf_counter() - clock, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used
        for name, task in work.items():
            scaled = theirs[name != "random"] * clock / used
            rates[name].append((rate(task, 20_000, 3, time.process_time), scaled))
    print("Canopy, games a second            ours      yardstick   ratio (median of paired ratios)")
    for name, pairs in rates.items():
        ratio = statistics.median(a / b for a, b in pairs)
        print(f"  {name:28}  {max(a for a, _ in pairs):9,.0f}   {max(b for _, b in pairs):9,.0f}   {ratio:.2f}")


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
            ours.setdefault(players, []).append(rate(partial(play, starts[players]), 100_000, 2))
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
            ours.setdefault((name, n), []).append(rate(partial(search, position, name), n, 2))
    print("tree search, 2 players, visits a second   ours   yardstick   ratio   bytes a visit")
    for (name, n), rates in ours.items():
        ratio = statistics.median(a / b for a, b in zip(rates, theirs[name, n], strict=True))
        tree = search(position, name, n)
        best = f"{max(rates):9,.0f}   {max(theirs[name, n]):9,.0f}"
        print(f"  {name:4} {n:9,}   {best}   {ratio:.2f}   {tree.bytes / n:.0f}")


def steps() -> None:
    print("nanoseconds                   a step through the table   a copy   bytes a state")
    for name in nf.game_names():
        for players in module(name).players:
            start = nf.game(name, players).start()
            moves = rules.walks(start, 2000, 1) / 2000
            step = 1e9 / (moves * rate(partial(walk, start), 5000))
            copy = 1e9 / rate(partial(rules.clones, start), 2_000_000)
            size = start.core.state_size
            print(f"  {name:9} {players} players         {step:.1f}                       {copy:.1f}      {size}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yardstick", type=Path, required=True, help="folder of the C prototypes")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    coney_playouts(arguments.yardstick, arguments.rounds)
    territory_lands(arguments.yardstick, arguments.rounds)
    canopy_playouts(arguments.yardstick, arguments.rounds)
    playouts(arguments.yardstick, arguments.rounds)
    trees(arguments.yardstick, arguments.rounds)
    steps()


if __name__ == "__main__":
    main()
