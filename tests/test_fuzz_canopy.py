"""The engine against its slow twin, move by move: the same actors, moves, outcomes and scores all along.

Two games of three are played with cards and numbers made up at random: short seasons, down to one card a pile, seed
decks so small that what was put under them comes back, threats in plenty.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import ninefold as nf
from ninefold.games.canopy_ruleset import LAST
from tests.canopy import standard
from tests.fuzz import play_many, play_on_two, side_by_side
from tests.reference.canopy import ANIMALS, KINDS, MATES, TRUNKS, Canopy

OPTIONS = {"drought_completed_trees": ("immune", "exposed"), "shifting": ("off", "on")}
WORKS = ("poison", "toucan", "emerald", "leafcutter", "sloth")  # beginnings of the moves of animals


@cache
def made(*options: str) -> nf.Game:
    """A game kept for all the seeds that play it: making one costs more than playing it."""
    return nf.game("canopy", 2, options=dict(zip(OPTIONS, options, strict=True)))


def house_decks(rng: random.Random) -> dict[str, Any]:
    """Cards made up at random, and how they make seasons; there is room for one card on each pile at least."""
    copies = {kind: rng.randint(0, rng.choice([0, 2, 5, 9])) for kind in KINDS[len(TRUNKS) :]}
    copies.update({kind: rng.randint(0, 5) for kind in TRUNKS})
    seeds = {kind: rng.choice([0, 0, 0, 1, 2]) for kind in KINDS}
    for kind in (*ANIMALS, *MATES):  # at most one in both decks
        where = rng.choice([copies, copies, copies, seeds, {}])
        copies[kind] = seeds[kind] = 0
        where[kind] = 1
    if rng.random() < 0.2:
        seeds = dict.fromkeys(KINDS, 0)
    while sum(copies.values()) > 110:
        copies[rng.choice([kind for kind, n in copies.items() if n > 1])] -= 1
    copies["rain"] += max(0, 9 - sum(copies.values()))
    seasons = rng.randint(1, min(5, sum(copies.values()) // 3))
    season_deck = rng.randint(3, min(sum(copies.values()) // seasons, rng.choice([3, 6, 12, 36])))
    return {
        "copies": copies, "seeds": seeds, "seasons": seasons,
        "removed": sum(copies.values()) - seasons * season_deck,
    }  # fmt: skip


def house_numbers(rng: random.Random, seasons: int, season_deck: int) -> dict[str, Any]:
    """Numbers made up at random."""

    def points() -> int:
        return rng.randint(-9, 30)

    numbers: dict[str, Any] = {
        "philodendron_set": rng.randint(1, 4), "bromelia": [points() for _ in range(3)],
        "tallest": [points() for _ in range(seasons)], "seed_draw": rng.randint(0, 5),
        "seed_per_fire": rng.randint(0, 1), "seed_keep": rng.randint(0, 2), "kinkajou": rng.randint(0, 2),
        "frog": rng.randint(0, 2), "piles": [1, 1, 1],
    }  # fmt: skip
    for name in ("philodendron_points", "fern_odd", "fern_even", "weather_pair", "largest", "active", "mating"):
        numbers[name] = points()
    numbers["mating_pair"] = points()
    for threat in ("fire", "disease"):
        numbers[f"{threat}_two"] = rng.randint(1, 3)
        numbers[f"{threat}_spread"] = numbers[f"{threat}_two"] + rng.randint(1, 2)
        numbers[f"{threat}_losses"] = rng.randint(0, 4)
        numbers[f"{threat}_spread_losses"] = rng.randint(0, 3)
    for _ in range(rng.randint(0, min(7, season_deck - 3))):
        numbers["piles"][rng.randrange(3)] += 1
    return numbers


def house_rules(rng: random.Random) -> dict[str, Any]:
    """A ruleset with cards and numbers of its own, season cards too."""
    decks = house_decks(rng)
    seasons = decks["seasons"]
    size = (sum(decks["copies"].values()) - decks["removed"]) // seasons
    shift = {}
    for number in range(rng.randint(seasons, seasons + 3)):
        changed = house_numbers(rng, seasons, size)
        some = rng.sample(sorted(changed.keys() - set(LAST)), rng.randint(0, 5))
        shift[f"s{number}"] = {"title": "Made up", "numbers": {name: changed[name] for name in some}}
        for threat in ("fire", "disease"):  # these belong together
            if {f"{threat}_two", f"{threat}_spread"} & set(some):
                both = {f"{threat}_{name}": changed[f"{threat}_{name}"] for name in ("two", "spread")}
                shift[f"s{number}"]["numbers"] |= both  # type: ignore[operator]
    return standard(**decks, numbers=house_numbers(rng, seasons, size), shift=shift)


def play_both(seed: int) -> int:
    """One random game of both; returns the number of steps."""
    rng = random.Random(seed)
    options = {name: rng.choice(values) for name, values in OPTIONS.items()}
    if seed % 3:
        ruleset = house_rules(rng)
        game = nf.game("canopy", 2, options=options, ruleset=ruleset)
    else:
        ruleset = standard()
        game = made(*options.values())
    eager = rng.random()  # how much rather an animal works than not
    patient = rng.random()  # how much rather a pile is passed than kept

    def choose(rng: random.Random, legal: list[str]) -> str:
        liked = [move for move in legal if move.startswith(WORKS)]
        if liked and rng.random() < eager:
            return rng.choice(liked)
        return "pass" if "pass" in legal and rng.random() < patient else rng.choice(legal)

    return side_by_side(game.start(), Canopy(ruleset, **options), rng, choose=choose)


def test_engine_and_twin_play_the_same_games() -> None:
    assert play_many(play_both, range(300)) > 300 * 100


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_engine_and_twin_play_the_same_4000_games() -> None:
    assert play_on_two(play_both, range(1000, 5000)) > 4_000 * 100
