"""The engine against its slow twin, move by move: the same actors, moves, outcomes and scores all along."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import ninefold as nf
from tests.fuzz import play_many, play_on_two, side_by_side
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
    return side_by_side(game.start(), twin, rng, prefix="deal ")


def test_engine_and_twin_play_the_same_games() -> None:
    assert play_many(play_both, range(300)) > 300 * 30


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_engine_and_twin_play_the_same_20000_games() -> None:
    assert play_on_two(play_both, range(1000, 21_000)) > 20_000 * 30
