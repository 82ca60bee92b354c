"""The best land of nine animals, asked of OR-Tools CP-SAT as well: for comparisons, and to check `territory_grid`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ortools.sat.python import cp_model  # type: ignore[import-untyped,import-not-found,unused-ignore]

from ninefold._game import game
from ninefold.core.games import territory_grid
from ninefold.games import SameQuestion
from ninefold.games.territory_ruleset import Animal, TerritoryRuleset

__all__ = ["best_land", "lands"]

_SIDE = 3
_CELLS = range(_SIDE * _SIDE)
_LINES = [[_SIDE * i + j for j in range(_SIDE)] for i in range(_SIDE)] + [
    [_SIDE * j + i for j in range(_SIDE)] for i in range(_SIDE)
]
_BESIDE = [
    [other for other in _CELLS if abs(cell // _SIDE - other // _SIDE) + abs(cell % _SIDE - other % _SIDE) == 1]
    for cell in _CELLS
]


def lands(count: int, seed: int) -> SameQuestion:
    """So many sets of nine animals, all face up, both bosses, no goals."""
    alone = game("territory", 1)
    ruleset = alone.ruleset
    assert isinstance(ruleset, TerritoryRuleset)
    rng, order = random.Random(seed), ruleset.order()
    nines = [rng.sample(range(len(order)), len(_CELLS)) for _ in range(count)]

    def ours(number: int) -> int:
        found = territory_grid.best(alone.core, nines[number])
        assert found is not None
        return int(found["points"])

    def theirs(number: int) -> int:
        return best_land([ruleset.animals[order[card]] for card in nines[number]])

    return SameQuestion("the best land of nine animals", ours, theirs)


def best_land(animals: Sequence[Animal]) -> int:
    """The points of the best land by CP-SAT with one worker: rules 13, 16, 18 and 19 of docs/games/territory.md.

    The animals have different numbers and all lie face up. Raises RuntimeError if CP-SAT proves nothing.
    """
    model = cp_model.CpModel()
    lies = [[model.new_bool_var("") for _ in _CELLS] for _ in animals]  # animal by cell
    for row in lies:
        model.add_exactly_one(row)
    for cell in _CELLS:
        model.add_exactly_one(row[cell] for row in lies)
    numbers = [sum(one.number * row[cell] for one, row in zip(animals, lies, strict=True)) for cell in _CELLS]
    for line in _LINES:
        for before, behind in pairwise(line):
            model.add(numbers[before] < numbers[behind])
    bosses = [[[model.new_bool_var("") for _ in _CELLS] for _ in animals] for _ in ("land", "water")]
    at: list[list[Any]] = [[sum(row[cell] for row in boss) for cell in _CELLS] for boss in bosses]
    for cell in _CELLS:
        model.add(at[0][cell] + at[1][cell] <= 1)
    points = []
    for boss, terrain in enumerate(("land", "water")):
        star = model.new_bool_var("")
        made = sum(at[boss])
        model.add(made <= 1)
        model.add(star <= made)
        fitting = [i for i, one in enumerate(animals) if one.terrain in (terrain, "both")]
        for i in range(len(animals)):
            for cell in _CELLS:
                model.add(bosses[boss][i][cell] <= (lies[i][cell] if i in fitting else 0))
        # Cells reached from the boss in so many steps; the longest way through the land is one less than its cells.
        reached = at[boss]
        for _ in range(len(_CELLS) - 1):
            more: list[Any] = [model.new_bool_var("") for _ in _CELLS]
            for cell in _CELLS:
                model.add(more[cell] <= reached[cell] + sum(reached[other] for other in _BESIDE[cell]))
                model.add(more[cell] <= sum(lies[i][cell] for i in fitting))
                model.add(more[cell] + at[1 - boss][cell] <= 1)
            reached = more
        stars = sum(one.stars * sum(row) for one, row in zip(animals, bosses[boss], strict=True))
        model.add(sum(reached) >= stars + star)  # a boss that would score nothing need not be made
        points.append(stars + star)
    model.maximize(sum(points))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) != cp_model.OPTIMAL:
        raise RuntimeError("CP-SAT has not proven the best land")
    return round(solver.objective_value)
