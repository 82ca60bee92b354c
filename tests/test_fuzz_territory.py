"""The engine against its slow twin, move by move: the same actors, moves, outcomes and scores all along.

Every second game is played with cards made up at random: other numbers, equal numbers, decks that run short, goals from
the whole grammar, all effects of skills.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import ninefold as nf
from ninefold.files import to_dict
from ninefold.games.territory_cards import needs
from tests.fuzz import play_many, play_on_two, side_by_side
from tests.reference.territory import Territory

OPTIONS = {"territory_points": ("off", "on"), "face_down": ("forced", "free"), "bonus": ("must", "may")}
TERRAINS = ("land", "water", "both")
EFFECTS = ("move", "swap", "draft twice", "redraw row", "draft first")
ANIMAL_WORDS = ("any", "face up", "land", "water", "both", "only land", "only water", "even", "odd")
PLACES = (
    "in corners",
    "on edges",
    "in centre",
    "row 1",
    "in row 2",
    "in row 3",
    "column a",
    "in column b",
    "in column c",
)
BOSSES = (
    "land boss", "water boss", "boss", "beside land boss", "beside water boss", "beside boss", "in land territory",
    "in water territory",
)  # fmt: skip


@cache
def made(players: int, *options: str) -> nf.Game:
    """A game kept for all the seeds that play it: making one costs more than playing it."""
    return nf.game("territory", players, options=dict(zip(OPTIONS, options, strict=True)))


@cache
def standard() -> dict[str, Any]:
    """The standard ruleset as the twin wants it."""
    return to_dict(made(1, "off", "forced", "must").ruleset)


def random_cells(rng: random.Random, *, numbers: bool = False) -> str:
    """Words that some cells may fit."""
    words = [rng.choice(PLACES)] if rng.random() < 0.3 else []
    words += [rng.choice(BOSSES)] if rng.random() < 0.25 else []
    if not numbers and rng.random() < 0.15:
        return " ".join([rng.choice(("face down", "empty")), *words])
    words += rng.sample([rng.choice(ANIMAL_WORDS), rng.choice(["", rng.choice(("even", "odd"))])], 2)
    if rng.random() < 0.2:
        low = rng.randint(1, 60)
        words.append(f"number {low} to {rng.randint(low, 99)}")
    if rng.random() < 0.2:
        low = rng.randint(1, 6)
        words.append(f"stars {low} to {rng.randint(low, 9)}")
    words = list(dict.fromkeys(filter(None, words)))
    rng.shuffle(words)
    if not words or {"even", "odd"} <= set(words) or {"only land", "only water"} <= set(words):
        return "any"
    return " ".join(words)


def random_amount(rng: random.Random, most: int) -> str:
    n = rng.randint(1, most)
    return rng.choice([f"at least {n} ", f"at most {n} ", f"exactly {n} ", "no ", ""])


def random_test(rng: random.Random) -> str:
    kind = rng.randrange(8)
    if kind == 0:
        return f"{random_amount(rng, 4)}lines of {random_cells(rng)}"
    if kind == 1:
        return f"{random_amount(rng, 2)}diagonal of {random_cells(rng)}"
    if kind == 2:
        return f"{rng.choice(['', 'no '])}group of {rng.randint(2, 5)} {random_cells(rng)}"
    if kind == 3:
        return (
            f"{rng.choice(['', 'no '])}run of {rng.randint(2, 3)} {rng.choice(['', random_cells(rng, numbers=True)])}"
        )
    if kind == 4:
        n = rng.randint(1, 250)
        return f"sum of {random_cells(rng, numbers=True)} {rng.choice([f'at least {n}', f'at most {n}'])}"
    if kind == 5:
        n = rng.randint(1, 30)
        return f"stars of {random_cells(rng, numbers=True)} {rng.choice([f'at least {n}', f'at most {n}'])}"
    return f"{random_amount(rng, 1 if rng.random() < 0.3 else 5)}{random_cells(rng)}"


def random_needs(rng: random.Random, depth: int = 0) -> str:
    """What a goal needs, from the whole grammar."""
    while True:
        if depth < 2 and rng.random() < 0.4:
            inside = [random_needs(rng, depth + 1) for _ in range(rng.randint(2, 3))]
            text = rng.choice((" and ", " or ")).join(f"({part})" if rng.random() < 0.6 else part for part in inside)
        else:
            text = random_test(rng)
        try:
            needs(text)  # some are too long, or say what cannot be, such as five corners
        except nf.InputError:
            continue
        return text


def random_ruleset(rng: random.Random, players: int) -> dict[str, Any]:
    """Cards and numbers made up at random; the fewer animals, the sooner the deck runs short."""
    hand = rng.randint(1, 6)
    animals = {}
    for i in range(rng.randint(players * hand, 64)):
        number = rng.randint(1, 99) if rng.random() < 0.7 else rng.randint(1, 12)
        animals[f"a{i}"] = {"number": number, "terrain": rng.choice(TERRAINS), "stars": rng.randint(1, 4)}
    goals = {
        f"g{i}": {
            side: {"name": f"g{i}{side}", "needs": random_needs(rng), "points": 1 << i} for side in ("front", "back")
        }
        for i in range(rng.randint(0, 6))
    }
    skills = {
        f"s{i}": {"effect": effect, "points": rng.randint(0, 3), "uses": rng.randint(0, 2)}
        for i, effect in enumerate(rng.choices(EFFECTS, k=rng.randint(0, 8)))
    }
    largest = sorted((rng.randint(0, 5) for _ in range(4)), reverse=True)
    return {
        "title": "made up", "rounds": rng.randint(1, 9), "hand": hand, "keep": rng.randint(1, hand),
        "row": rng.randint(1, 6), "largest": largest, "animals": animals, "goals": goals, "skills": skills,
    }  # fmt: skip


def play_both(seed: int) -> int:
    """One random game of both; returns the number of steps."""
    rng = random.Random(seed)
    players = 1 + seed % 4
    options: dict[str, Any] = {name: rng.choice(values) for name, values in OPTIONS.items()}
    if seed // 4 % 2:
        ruleset = random_ruleset(rng, players)
        game = nf.game("territory", players, options=options, ruleset=ruleset)
    else:
        ruleset = standard()
        game = made(players, *options.values())
    eager = rng.random()  # how much rather a boss is made and a skill used than not

    def choose(rng: random.Random, legal: list[str]) -> str:
        liked = [move for move in legal if (" boss" in move and move != "no boss") or move.startswith("use")]
        return rng.choice(liked if liked and rng.random() < eager else legal)

    return side_by_side(game.start(), Territory(players, ruleset, **options), rng, choose=choose)


def test_engine_and_twin_play_the_same_games() -> None:
    assert play_many(play_both, range(300)) > 300 * 30


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_engine_and_twin_play_the_same_4000_games() -> None:
    assert play_on_two(play_both, range(1000, 5000)) > 4_000 * 30
