"""The engine against its slow twin, move by move: the same actors, moves, outcomes and scores all along."""

from __future__ import annotations

import random
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from tests.fuzz import play_many, play_on_two, side_by_side
from tests.reference.coney import COLOURS, OPTIONS, RESOURCES, SEXES, Coney

SMALL: dict[str, Any] = tomllib.loads((Path(__file__).parent / "data/coney-small.toml").read_text())
LOGOS = SMALL["logos"]


@cache
def made(players: int, *options: str) -> nf.Game:
    """A game with the small deck, kept for all the seeds that play it."""
    return nf.game("coney", players, options=dict(zip(OPTIONS, options, strict=True)), ruleset=SMALL)


# --- decks nobody would print -----------------------------------------------------------------------------------------


def some_condition(rng: random.Random, atoms: int, attributes: list[str]) -> str:
    """Any condition of so many atoms that can be met, with parentheses where they matter."""
    if atoms == 1:
        attribute = rng.choice(attributes)
        least = rng.randint(1, 2 if attribute in SEXES else 3)
        return rng.choice(["no", f"at most {rng.randint(0, 3)}", f"at least {least}"]) + f" {attribute}"
    left = rng.randint(1, atoms - 1)
    if len(attributes) == 1 or rng.random() < 0.5:
        return " or ".join(some_condition(rng, n, attributes) for n in (left, atoms - left))
    rng.shuffle(attributes)
    cut = rng.randint(1, len(attributes) - 1)
    sides = [some_condition(rng, left, attributes[:cut]), some_condition(rng, atoms - left, attributes[cut:])]
    return " and ".join(f"({side})" if " or " in side else side for side in sides)


def some_gains(rng: random.Random, draws: int) -> str:
    """Any gains and up to so many draws, perhaps none."""
    parts = [f"{rng.randint(1, 3)} {kind}" for kind in rng.sample(RESOURCES, rng.choice([0, 0, 1, 1, 2, 3]))]
    groups = [f"{rng.randint(1, 4)} any", f"{rng.randint(1, 4)} same", f"{rng.randint(2, 4)} same"]
    groups += [f"{rng.randint(1, 3)} different", "any"]
    parts += rng.sample(groups, rng.choice([0, 0, 0, 1, 1, 2, 3]))
    if draws and rng.random() < 0.5:
        parts.append(f"draw {rng.randint(1, draws)}")
    return ", ".join(parts)


def some_card(rng: random.Random, draws: int) -> dict[str, Any]:
    """Any card."""
    sex = rng.choices(["male", "female", "wild"], [2, 4, 1])[0]
    card: dict[str, Any] = {"sex": sex, "points": rng.randint(-2, 5)}
    if sex != "wild":
        card["colours"] = rng.sample(COLOURS, rng.choices([1, 2, 3], [3, 2, 1])[0])
    if rng.random() < 0.6:
        kinds = rng.sample([*RESOURCES, "any"], rng.randint(1, 3))
        card["cost"] = " ".join(f"{rng.choice([1, 1, 2])} {kind}" for kind in kinds)
    if rng.random() < 0.6:
        card["condition"] = some_condition(rng, rng.choices([1, 2, 3, 4, 5], [4, 3, 2, 1, 1])[0], [*SEXES, *COLOURS])
    card["sale"] = some_gains(rng, draws)
    timing = rng.choice(["", "now", "breed", "breed", "end", "end"])
    effect = some_gains(rng, draws)
    if timing == "now" and (rng.random() < 0.3 or not effect):
        effect = ", ".join(filter(None, [effect, "sell reserved"]))
    if timing == "end":
        worth = rng.choice([-2, -1, 1, 1, 2, 3])
        where = f"{rng.choice(['neighbour', 'line'])} {rng.choice([*SEXES, *COLOURS])}"
        card["coupon"] = f"end: {worth} per {rng.choice([where, f'{rng.choice(RESOURCES)} here'])}"
    elif timing and effect:
        card["coupon"] = f"{timing}: {effect}"
    if rng.random() < 0.3:
        card["logo"] = rng.choice(LOGOS)
    return card


def house_deck(rng: random.Random, players: int) -> dict[str, Any]:
    """A ruleset with cards and numbers of its own."""
    hand, market = rng.choice([4, 4, 2, 3, 5]), rng.choice([3, 3, 1, 4])
    dealt = hand + 2 if players == 1 else (hand + 1) * players
    draws = rng.choice([1, 2, 3])
    names = [f"rabbit_{number}" for number in range(rng.randint(dealt + market, max(40, dealt + market)))]
    drawing = rng.sample(names, min(len(names), 20 // draws))  # with more a hand might outgrow the engine's
    return SMALL | {
        "cards": {name: some_card(rng, draws if name in drawing else 0) for name in names},
        "hand": hand,
        "market": market,
        "reserve": rng.choice([2, 2, 1, 0]),
        "turns": rng.randint(3, 12),
        "max_rounds": rng.randint(3, 9),
        "logo_points": [0] + [rng.randint(0, 6) for _ in range(rng.randint(0, 6))],
        "resources_per_point": rng.randint(1, 4),
        "reserved_penalty": rng.randint(0, 3),
    }


# --- both side by side ------------------------------------------------------------------------------------------------


def begun(twin: Coney, game: nf.Game) -> nf.Position:
    """The position of a solo game with a known order after its set-up."""
    return game.position(
        market=twin.market,
        discard=twin.discard,
        order=twin.order,
        player=[
            {"hand": twin.hands[0], "farm": ["- - -"] * 3, "stock": {k: n for k, n in twin.stocks[0].items() if n}}
        ],
    )


def seldom_done(rng: random.Random, legal: list[str]) -> str:
    """Any move, but half of those that end a placement are thought over: else little is ever placed."""
    move = rng.choice(legal)
    return rng.choice(legal) if move == "done" and rng.random() < 0.5 else move


def play_both(seed: int) -> int:
    """One random game of both; returns the number of steps."""
    rng = random.Random(seed)
    players = 1 + seed % 4
    options = {name: rng.choice(values) for name, values in OPTIONS.items()}
    ruleset: dict[str, Any] = SMALL
    if seed % 3:
        ruleset = house_deck(rng, players) if seed % 3 == 1 else SMALL | {"max_rounds": 12}
        ruleset["supply"] = rng.choice([24, "unlimited", rng.randint(4, 8), rng.randint(4, 30)])
        game = nf.game("coney", players, options=options, ruleset=ruleset)
    else:
        game = made(players, *options.values())
    if players == 1 and rng.random() < 0.5:
        order = rng.sample(list(ruleset["cards"]), rng.randint(0, len(ruleset["cards"])))
        twin = Coney(1, ruleset, order, options)
        while "breed" not in twin.legal(0):  # the set-up itself is known then
            if twin.actors():
                twin.apply(0, rng.choice(twin.legal(0)))
            else:
                twin.settle(rng.choice(list(twin.outcomes())))
        position = begun(twin, game)
    else:
        twin = Coney(players, ruleset, options=options)
        position = game.start()
    return side_by_side(position, twin, rng, choose=seldom_done, prefix="deal ")


def test_engine_and_twin_play_the_same_games() -> None:
    assert play_many(play_both, range(300)) > 300 * 60


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_engine_and_twin_play_the_same_2000_games() -> None:
    assert play_on_two(play_both, range(1000, 3000)) > 2_000 * 60
