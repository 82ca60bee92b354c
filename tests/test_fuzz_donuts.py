"""The engine against its slow twin, move by move: the same actors, moves, outcomes and scores all along."""

from __future__ import annotations

import random
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import Any

import pytest

import ninefold as nf
from tests.reference.donuts import Donuts

OPTIONS = {
    "double_chocolate_return": ("bottom", "top"),
    "coffee": ("frozen", "final"),
    "red_velvet": ("may", "must"),
    "bear_claw": ("may", "must"),
}


@cache
def made(players: int, *options: str) -> nf.Game:
    """A game kept for all the seeds that play it: making one costs more than playing it."""
    return nf.game("donuts", players, options=dict(zip(OPTIONS, options, strict=True)))


def house_rules(rng: random.Random) -> dict[str, dict[str, Any]]:
    """Other numbers for some cards."""
    possible: dict[str, dict[str, Any]] = {
        "plain": {"most": rng.randint(-2, 6), "tied": rng.randint(-1, 3), "points": [1, 1, 5]},
        "powdered": {"points": rng.randint(-3, 4)},
        "glazed": {"copies": rng.randint(3, 9), "points": [rng.randint(-5, 5) for _ in range(4)]},
        "maple_bar": {"at_least_types": rng.randint(1, 9), "copies": 4},
        "mucho_matcha": {"at_most_types": rng.randint(1, 9)},
        "old_fashioned": {"at_most_cards": rng.randint(1, 12), "players": 2},
        "red_velvet": {"points": rng.randint(-4, 2), "players": 2},
        "coffee": {"points": rng.randint(1, 4), "copies": 4, "players": 2},
        "double_chocolate": {"copies": 6, "players": 2},
        "eclair": {"copies": [1, 2, 3, 4, 5]},
    }
    return {name: possible[name] for name in rng.sample(list(possible), rng.randint(1, 5))}


def play_both(seed: int) -> int:
    """One random game of both; returns the number of steps."""
    rng = random.Random(seed)
    players = 2 + seed % 5
    options: dict[str, Any] = {name: rng.choice(values) for name, values in OPTIONS.items()}
    kinds = house_rules(rng) if seed % 3 == 0 else {}
    twin = Donuts(players, **options, overrides={name: dict(changes) for name, changes in kinds.items()})
    if "coffee" in kinds:  # the twin calls it points, the ruleset by what it counts
        kinds["coffee"]["per_negative"] = kinds["coffee"].pop("points")
    if kinds:
        game = nf.game("donuts", players, options=options, ruleset={"extends": "standard", "kinds": kinds})
    else:
        game = made(players, *options.values())
    position = game.start()
    steps = 0
    while not twin.over():
        assert set(position.actors) == twin.actors(), (seed, steps)
        if twin.actors():
            player = rng.choice(position.actors)
            legal = twin.legal(player)
            assert sorted(map(str, position.legal(player))) == legal, (seed, steps)
            move = rng.choice(legal)
            twin.apply(player, move)
            position.play(player, move)
        else:
            outcomes = twin.outcomes()
            total = sum(outcomes.values())
            expected = {f"deal {kind}": weight / total for kind, weight in outcomes.items()}
            assert {str(outcome): chance for outcome, chance in position.outcomes()} == expected, (seed, steps)
            kind = rng.choices(list(outcomes), list(outcomes.values()))[0]
            twin.settle(kind)
            position.chance(f"deal {kind}")
        steps += 1
        if rng.random() < 0.03:
            assert position.scores() == twin.scores(), (seed, steps)
    assert position.is_over
    assert position.scores() == twin.scores(), seed
    assert position.winners() == twin.winners(), seed
    return steps


def play_many(seeds: range) -> int:
    return sum(map(play_both, seeds))


def test_engine_and_twin_play_the_same_games() -> None:
    assert play_many(range(300)) > 300 * 30


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_engine_and_twin_play_the_same_20000_games() -> None:
    chunks = [range(first, first + 250) for first in range(1000, 21000, 250)]
    with ProcessPoolExecutor(2) as pool:
        assert sum(pool.map(play_many, chunks)) > 20_000 * 30
