"""The engine and its slow twin through the same random games, move by move: what the fuzz tests of all games share."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import ninefold as nf
from tests.reference import Twin

__all__ = ["play_many", "play_on_two", "side_by_side"]

CHUNK = 250


def any_move(rng: random.Random, legal: list[str]) -> str:
    """All moves alike."""
    return rng.choice(legal)


def assert_same(engine: object, twin: object, step: int) -> None:
    """pytest explains the assertions of test modules alone, so say what differs."""
    assert engine == twin, f"step {step}: the engine has {engine}, the twin {twin}"


def side_by_side(
    position: nf.Position,
    twin: Twin,
    rng: random.Random,
    *,
    choose: Callable[[random.Random, list[str]], str] = any_move,
    prefix: str = "",
) -> int:
    """A random game of both: the same actors, moves, outcomes and scores all along. Returns the number of steps.

    Moves are chosen by `choose`; the twin's outcomes want this prefix to be the engine's.
    """
    steps = 0
    while not twin.over():
        assert_same(set(position.actors), twin.actors(), steps)
        if twin.actors():
            player = rng.choice(position.actors)
            legal = twin.legal(player)
            assert_same(sorted(map(str, position.legal(player))), legal, steps)
            move = choose(rng, legal)
            twin.apply(player, move)
            position.play(player, move)
        else:
            outcomes = twin.outcomes()
            total = sum(outcomes.values())
            expected = {prefix + outcome: weight / total for outcome, weight in outcomes.items()}
            assert_same({str(outcome): chance for outcome, chance in position.outcomes()}, expected, steps)
            outcome = rng.choices(list(outcomes), list(outcomes.values()))[0]
            twin.settle(outcome)
            position.chance(prefix + outcome)
        steps += 1
        if rng.random() < 0.05:
            assert_same(position.scores(), twin.scores(), steps)
    assert_same(position.is_over, True, steps)
    assert_same(position.scores(), twin.scores(), steps)
    assert_same(position.winners(), twin.winners(), steps)
    return steps


def play_many(play: Callable[[int], int], seeds: range) -> int:
    """One game for each seed; returns the number of steps. An error says which seed it was."""
    steps = 0
    for seed in seeds:
        try:
            steps += play(seed)
        except Exception as error:
            error.add_note(f"seed {seed}")
            raise
    return steps


def play_on_two(play: Callable[[int], int], seeds: range) -> int:
    """As `play_many`, on two processors."""
    chunks = [seeds[first : first + CHUNK] for first in range(0, len(seeds), CHUNK)]
    with ProcessPoolExecutor(2) as pool:
        return sum(pool.map(partial(play_many, play), chunks))
