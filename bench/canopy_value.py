"""Canopy: learn what the points at the end will be, from games by softmax of the guesses.

python -m bench.canopy_value [--games 20000] [--temperature 0.3] [--seed 1] [--workers 1] [--on dask] [--write]

Least squares, for each season, of each player's points still to come on what lies in both forests (`canopy_value.pxi`
says what), with weights that are polynomials of the cards left. A fifth of the games is kept for the test that is
printed: the deviation of what came of a position from what was expected of it, and from what a constant would expect.
--write puts the weights into the package. The result is the same for any number of workers (docs/scale.md).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

import ninefold as nf
from ninefold.core.games import canopy
from ninefold.core.search.mcts import draw_move
from ninefold.games import canopy_ruleset
from ninefold.ruleset import standard
from ninefold.work import executor_for, in_order, spread

POWERS = 3  # 1, x and x * x, where x counts the cards left in the season
RIDGE = 30.0  # positions that say nothing, for each weight
LEFT, FEATURES = canopy.LIMITS["left"], canopy.LIMITS["features"]
BLOCK = 200  # games of a task: some seconds
BEGINS = [canopy.PHASES.index(word) for word in ("start", "choose")]


Features = list[tuple[int, int]]  # index and how many times


class Seen(NamedTuple):
    """A position of a game: what lies there, and what it came to."""

    season: int
    left: int  # cards
    features: tuple[Features, Features]
    to_come: tuple[int, int]  # points

    def row(self, player: int) -> np.ndarray:
        """What the weights of the season are multiplied with."""
        plain = np.zeros(1 + 2 * FEATURES)
        plain[0] = 1
        for first, features in ((1, self.features[player]), (1 + FEATURES, self.features[1 - player])):
            for index, times in features:
                plain[first + index] = times
        return np.concatenate([plain * (min(self.left, LEFT) / LEFT) ** power for power in range(POWERS)])


class Season:
    """The positions of one season: sums for least squares, and those kept for the test."""

    def __init__(self) -> None:
        size = POWERS * (1 + 2 * FEATURES)
        self.squares, self.product = np.zeros((size, size)), np.zeros(size)
        self.kept: list[Seen] = []

    def learn(self, seen: Sequence[Seen]) -> None:
        """Both players of all these positions."""
        if seen:
            rows = np.array([one.row(player) for one in seen for player in range(2)])
            self.squares += rows.T @ rows
            self.product += rows.T @ np.array([points for one in seen for points in one.to_come], float)

    def add(self, other: Season) -> None:
        """What another one has."""
        self.squares += other.squares
        self.product += other.product
        self.kept += other.kept

    def solve(self) -> np.ndarray:
        """The weights."""
        return np.linalg.solve(self.squares + RIDGE * np.eye(len(self.product)), self.product)


def positions(seed: int, number: int, temperature: float) -> Iterator[Seen]:
    """Those of one game where turns begin."""
    position, chance, dice = nf.game("canopy").start(), nf.Generator(seed, number), random.Random(f"{seed} {number}")
    found: list[tuple[int, int, tuple[Features, Features], list[int]]] = []
    last = -1, -1
    while True:
        position.roll_all(chance)
        if position.is_over:
            break
        seat = position.actors[0]
        state = canopy.dump(position)
        if state["phase"] in BEGINS and (state["season"], seat) != last:
            last = state["season"], seat
            left = state["deck"] + sum(map(len, state["piles"]))
            features = canopy.features(position, 0), canopy.features(position, 1)
            found.append((state["season"], left, features, [one["points"] for one in state["player"]]))
        position.apply(seat, draw_move(position, seat, temperature, dice.getrandbits(60)))
    end = position.score()[0]
    for season, left, features, points in found:
        yield Seen(season, left, features, (end[0] - points[0], end[1] - points[1]))


def learnt(task: tuple[int, float, range]) -> list[Season]:
    """What a block of games says of each season."""
    seed, temperature, numbers = task
    seasons = [Season() for _ in range(standard("canopy", canopy_ruleset.CanopyRuleset).seasons)]
    taught: list[list[Seen]] = [[] for _ in seasons]
    for number in numbers:
        for seen in positions(seed, number, temperature):
            (taught[seen.season] if number % 5 else seasons[seen.season].kept).append(seen)
    for season, some in zip(seasons, taught, strict=True):
        season.learn(some)
    return seasons


def learn(games: int, temperature: float, seed: int, executor: Executor | None, workers: int) -> list[Season]:
    """What all games say; block by block in their order, as sums of floats depend on it."""
    tasks = ((seed, temperature, range(first, min(first + BLOCK, games))) for first in range(0, games, BLOCK))
    blocks = in_order(spread(learnt, tasks, executor=executor, workers=workers))
    seasons = next(blocks)
    for found in blocks:
        for season, more in zip(seasons, found, strict=True):
            season.add(more)
    return seasons


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--temperature", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--on")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    ruleset = standard("canopy", canopy_ruleset.CanopyRuleset)
    with executor_for(arguments.on, arguments.workers) as (executor, workers):
        seasons = learn(arguments.games, arguments.temperature, arguments.seed, executor, workers)
    weights, deviations = [], []
    for number, season in enumerate(seasons, 1):
        solved = season.solve()
        margins = np.array([one.to_come[0] - one.to_come[1] for one in season.kept])
        error = np.array([(one.row(0) - one.row(1)) @ solved for one in season.kept]) - margins
        lefts = np.array([one.left for one in season.kept])
        # A normal error is, regardless of its sign, 0.8 deviations on the average.
        spread = np.polynomial.polynomial.polyfit(
            np.minimum(lefts, LEFT) / LEFT, np.abs(error) * np.sqrt(np.pi / 2), POWERS - 1
        )
        deviations.append(np.round(spread, 3).tolist())
        weights.append(np.round(solved.reshape(POWERS, -1), 3).tolist())
        print(f"season {number}: {len(error):,} positions, deviation {error.std():.2f} instead of {margins.std():.2f}")
        for low in range(0, 40, 8):
            here = np.flatnonzero((lefts >= low) & (lefts < low + 8))
            if len(here):
                print(
                    f"  {low:2} to {low + 7:2} cards left: {error[here].std():.2f} instead of {margins[here].std():.2f}"
                )
    if arguments.write:
        options = f"--games {arguments.games} --temperature {arguments.temperature} --seed {arguments.seed}"
        written = canopy_ruleset.Learnt(
            made_by=f"python -m bench.canopy_value {options} --write", ruleset=canopy_ruleset.numbers_of(ruleset),
            weights=weights, deviations=deviations,
        )  # fmt: skip
        Path(canopy_ruleset.__file__).with_name("canopy_value.json").write_bytes(msgspec.json.encode(written) + b"\n")


if __name__ == "__main__":
    main()
