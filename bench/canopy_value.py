"""Canopy: learn what the points at the end will be, from games by softmax of the guesses.

python -m bench.canopy_value [--games 20000] [--temperature 0.3] [--seed 1] [--write]

Least squares, for each season, of each player's points still to come on what lies in both forests (`canopy_value.pxi`
says what), with weights that are polynomials of the cards left. A fifth of the games is kept for the test that is
printed: the deviation of what came of a position from what was expected of it, and from what a constant would expect.
--write puts the weights into the package.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import msgspec
import numpy as np

import ninefold as nf
from ninefold.core.games import canopy
from ninefold.core.search.mcts import draw_move
from ninefold.games import canopy_ruleset
from ninefold.ruleset import standard

POWERS = 3  # 1, x and x * x, where x counts the cards left in the season
RIDGE = 30.0  # positions that say nothing, for each weight
LEFT, FEATURES = canopy.LIMITS["left"], canopy.LIMITS["features"]
BEGINS = [canopy.PHASES.index(word) for word in ("start", "choose")]


class Season:
    """The positions of one season: sums for least squares, and the rows kept for the test."""

    def __init__(self) -> None:
        size = POWERS * (1 + 2 * FEATURES)
        self.squares, self.product = np.zeros((size, size)), np.zeros(size)
        self.rows: list[tuple[np.ndarray, float]] = []
        self.kept: list[tuple[np.ndarray, np.ndarray, float, int]] = []

    def add(self, row: np.ndarray, points: float) -> None:
        """One player of one position."""
        self.rows.append((row, points))
        if len(self.rows) == 4096:
            self.sum_up()

    def sum_up(self) -> None:
        """Add the rows to the sums."""
        if self.rows:
            rows = np.array([row for row, _ in self.rows])
            self.squares += rows.T @ rows
            self.product += rows.T @ np.array([points for _, points in self.rows])
            self.rows = []

    def solve(self) -> np.ndarray:
        """The weights."""
        self.sum_up()
        return np.linalg.solve(self.squares + RIDGE * np.eye(len(self.product)), self.product)


def row_of(own: list[tuple[int, int]], others: list[tuple[int, int]], left: float) -> np.ndarray:
    """What the weights of a season are multiplied with."""
    plain = np.zeros(1 + 2 * FEATURES)
    plain[0] = 1
    for index, times in own:
        plain[1 + index] = times
    for index, times in others:
        plain[1 + FEATURES + index] = times
    return np.concatenate([plain * left**power for power in range(POWERS)])


def positions(seed: int, number: int, temperature: float) -> list[tuple[int, int, list[np.ndarray], list[int]]]:
    """Of one game, where turns begin: season, cards left, each player's row, and his points until then; the end."""
    position, chance, dice = nf.game("canopy").start(), nf.Generator(seed, number), random.Random(f"{seed} {number}")
    found: list[tuple[int, int, list[np.ndarray], list[int]]] = []
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
            features = [canopy.features(position, player) for player in range(2)]
            rows = [row_of(features[player], features[1 - player], min(left, LEFT) / LEFT) for player in range(2)]
            found.append((state["season"], left, rows, [one["points"] for one in state["player"]]))
        position.apply(seat, draw_move(position, seat, temperature, dice.getrandbits(60)))
    return [*found, (-1, 0, [], list(position.score()[0]))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--temperature", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    ruleset = standard("canopy", canopy_ruleset.CanopyRuleset)
    seasons = [Season() for _ in range(ruleset.seasons)]
    for number in range(arguments.games):
        *found, (_, _, _, end) = positions(arguments.seed, number, arguments.temperature)
        for at, left, rows, points in found:
            to_come = [end[player] - points[player] for player in range(2)]
            if number % 5 == 0:
                seasons[at].kept.append((rows[0], rows[1], to_come[0] - to_come[1], left))
            else:
                for player in range(2):
                    seasons[at].add(rows[player], to_come[player])
    weights, deviations = [], []
    for number, season in enumerate(seasons, 1):
        solved = season.solve()
        error = np.array([(one - other) @ solved - margin for one, other, margin, _ in season.kept])
        margins = np.array([margin for _, _, margin, _ in season.kept])
        lefts = np.array([left for *_, left in season.kept])
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
        learnt = canopy_ruleset.Learnt(
            made_by=f"python -m bench.canopy_value {options} --write", ruleset=canopy_ruleset.numbers_of(ruleset),
            weights=weights, deviations=deviations,
        )  # fmt: skip
        Path(canopy_ruleset.__file__).with_name("canopy_value.json").write_bytes(msgspec.json.encode(learnt) + b"\n")


if __name__ == "__main__":
    main()
