"""Known counts: sequences of steps from fixed positions, counted by the engine and, where few, again by the slow twin.

A line of tests/data/<game>.perft: number of players, position, depth, count. The position is the seed of a deal ("-":
before it), or a seed and a number of random steps after that deal, "3/50".
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import ninefold as nf
from ninefold.core.rules import perft
from ninefold.games import NAMES, module
from tests.reference import Twin
from tests.reference.canopy import Canopy
from tests.reference.coney import Coney
from tests.reference.donuts import Donuts
from tests.reference.territory import Territory

DATA = Path(__file__).parent / "data"
ENGINE_BUDGET = 1_000_000


# The twins, and the sequences that they count again: they have to replay each from the start.
TWINS: dict[str, tuple[Callable[[int], Twin], int]] = {
    "canopy": (lambda players: Canopy(msgspec.to_builtins(module("canopy").standard())), 300),
    "coney": (lambda players: Coney(players, msgspec.to_builtins(module("coney").standard())), 100),
    "donuts": (Donuts, 2500),
    "territory": (lambda players: Territory(players, msgspec.to_builtins(module("territory").standard())), 100),
}


def lines(name: str) -> list[tuple[int, str, int, int]]:
    found = []
    for line in (DATA / f"{name}.perft").read_text().splitlines():
        if line and not line.startswith("#"):
            players, seed, depth, count = line.split()
            found.append((int(players), seed, int(depth), int(count)))
    return found


def reach(name: str, players: int, where: str) -> tuple[nf.Position, list[str]]:
    """A position, and the steps to it in words."""
    position, steps = nf.game(name, players).start(), list[str]()
    if where == "-":
        return position, steps
    seed, _, more = where.partition("/")
    generator = nf.Generator(int(seed))
    left = int(more or 0)
    while position.is_chance or (left > 0 and not position.is_over):
        if position.is_chance:
            rolled = position.copy()
            rolled.roll(generator)
            outcome = next(outcome for outcome, _ in position.outcomes() if _settled(position, outcome) == rolled)
            steps.append(outcome.text)
            position = rolled
        else:
            move = generator.choice(position.legal())
            position.play(position.actors[0], move)
            steps.append(move.text)
            left -= 1
    return position, steps


def _settled(position: nf.Position, outcome: nf.Outcome) -> nf.Position:
    after = position.copy()
    after.chance(outcome)
    return after


def divide(start: nf.Position, depth: int) -> str:
    """Counts by first step, for the message of a failure."""
    found = []
    for move in start.legal():
        after = start.copy()
        after.play(start.actors[0], move)
        found.append(f"{move} {perft(after, depth - 1)}")
    for outcome, _ in start.outcomes():
        after = start.copy()
        after.chance(outcome)
        found.append(f"{outcome} {perft(after, depth - 1)}")
    return "\n".join(found)


@pytest.mark.parametrize("name", NAMES)
def test_engine_counts(name: str) -> None:
    data = lines(name)
    assert len(data) > 20
    for players, where, depth, count in data:
        if count <= ENGINE_BUDGET:
            start, _ = reach(name, players, where)
            assert perft(start, depth) == count, f"{players} {where} {depth}\n{divide(start, depth)}"


def count_by_twin(make: Callable[[int], Twin], players: int, steps: list[str], depth: int) -> int:
    """The twin cannot be copied: it plays each sequence again. A step is a move of the first actor, or an outcome."""
    twin = make(players)
    for step in steps:
        if twin.actors():
            twin.apply(min(twin.actors()), step)
        else:
            twin.settle(step if step in twin.outcomes() else step.removeprefix("deal "))
    following = twin.legal(min(twin.actors())) if twin.actors() else list(twin.outcomes())
    if depth == 1:
        return len(following)
    return sum(count_by_twin(make, players, [*steps, step], depth - 1) for step in following)


@pytest.mark.unsanitized
@pytest.mark.parametrize("name", NAMES)
def test_twin_counts_the_same(name: str) -> None:
    compared = 0
    make, budget = TWINS[name]
    for players, where, depth, count in lines(name):
        if count <= budget:
            _, steps = reach(name, players, where)
            assert count_by_twin(make, players, steps, depth) == count, f"{players} {where} {depth}"
            compared += 1
    assert compared > 20
