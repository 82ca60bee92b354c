"""Known counts: sequences of steps from fixed positions, counted by the engine and, where few, again by the slow twin.

A line of tests/data/<game>.perft: number of players, seed of the deal ("-": before it), depth, count.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import ninefold as nf
from ninefold.core.rules import perft
from ninefold.games import NAMES
from tests.reference.donuts import Donuts

DATA = Path(__file__).parent / "data"
TWIN_BUDGET = 2500  # sequences that the twin counts again; it has to replay each from the start
ENGINE_BUDGET = 1_000_000


def lines(name: str) -> list[tuple[int, str, int, int]]:
    found = []
    for line in (DATA / f"{name}.perft").read_text().splitlines():
        if line and not line.startswith("#"):
            players, seed, depth, count = line.split()
            found.append((int(players), seed, int(depth), int(count)))
    return found


def position(name: str, players: int, seed: str) -> nf.Position:
    game = nf.game(name, players)
    return game.start() if seed == "-" else game.deal(int(seed))


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
    for players, seed, depth, count in data:
        if count <= ENGINE_BUDGET:
            start = position(name, players, seed)
            assert perft(start, depth) == count, f"{players} {seed} {depth}\n{divide(start, depth)}"


def count_by_twin(players: int, steps: list[str], depth: int) -> int:
    """The twin cannot be copied: it plays each sequence again. A step is a move of the first actor, or a kind."""
    twin = Donuts(players)
    for step in steps:
        if twin.actors():
            twin.apply(min(twin.actors()), step)
        else:
            twin.settle(step)
    if depth == 0:
        return 1
    following = twin.legal(min(twin.actors())) if twin.actors() else list(twin.outcomes())
    return sum(count_by_twin(players, [*steps, step], depth - 1) for step in following)


def test_twin_counts_the_same_donuts() -> None:
    compared = 0
    for players, seed, depth, count in lines("donuts"):
        if count <= TWIN_BUDGET:
            row = [] if seed == "-" else position("donuts", players, seed).to_dict()["row"]
            assert count_by_twin(players, row, depth) == count, f"{players} {seed} {depth}"
            compared += 1
    assert compared > 20
