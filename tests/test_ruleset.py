"""Rulesets: the standard one, the user's own, and the limits of the engine, each with its own complaint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ninefold as nf
from ninefold.games.donuts import MODULE
from ninefold.ruleset import changes, resolve
from tests.complaints import altered
from tests.reference.donuts import CARDS


def test_the_standard_ruleset_agrees_with_the_twin() -> None:
    standard = MODULE.standard()
    assert list(standard.kinds) == list(CARDS)
    for name, card in CARDS.items():
        kind = standard.kinds[name]
        assert [kind.copies_for(players) for players in range(2, 7)] == list(map(card.number_of_copies, range(2, 7)))
        if name == "coffee":
            assert kind.per_negative == card.points
        else:
            assert kind.points == card.points
        assert kind.is_negative == card.is_negative()
        assert (kind.at_least_types or None) == card.at_least_types
        assert (kind.at_most_types or None, kind.at_most_cards or None) == (card.at_most_types, card.at_most_cards)
        assert (kind.most or None, kind.tied or None) == (card.most, card.tied)
        assert kind.fewest_cards == (name == "maple_frosted")


def test_a_ruleset_knows_what_it_changed() -> None:
    assert changes(MODULE.standard()) == {}
    assert changes(altered("donuts", kinds={"plain": {"points": [1, 3]}})) == {
        "extends": "standard", "kinds": {"plain": {"points": [1, 3]}},
    }  # fmt: skip


def test_a_new_kind_and_a_new_preset() -> None:
    new = {"players": 2, "copies": 3, "points": 4}
    start = nf.game("donuts", 2, ruleset={"extends": "standard", "kinds": {"bagel": new}}).start()
    assert start.to_dict()["deck"] == 40
    assert start.game.outcome("deal bagel")
    own = {"extends": "standard", "presets": {"mine": {"coffee": "final"}}}
    assert nf.game("donuts", 2, ruleset=own, preset="mine").options["coffee"] == "final"
    gone = nf.game("donuts", 2, ruleset={"extends": "standard", "kinds": {"plain": {"copies": 0}}})
    assert "deal plain" not in map(str, gone.outcomes)


def test_a_complete_ruleset_plays() -> None:
    kinds = {
        "apple": {"players": 2, "copies": 20, "points": 1},
        "pear": {"players": 2, "copies": 10, "points": -1, "power": "eclair"},
    }
    game = nf.game("donuts", 3, ruleset={"kinds": kinds})
    position = game.start()
    rng = nf.Generator(1)
    while not position.is_over:
        if position.actors:
            position.play(position.actors[0], rng.choice(position.legal()))
        else:
            position.chance(rng=rng)
    assert list(game.options) == ["double_chocolate_return", "coffee", "red_velvet", "bear_claw"]


def test_a_worthless_coffee_is_a_card_like_others() -> None:
    game = nf.game("donuts", 4, ruleset={"extends": "standard", "kinds": {"coffee": {"per_negative": 0}}})
    assert game.move("discard milk: coffee")


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ({"plain": {"copies": 32}}, "kinds.plain.copies: must be 0 to 31, not 32"),
        ({"plain": {"copies": -1}}, "kinds.plain.copies: must be 0 to 31, not -1"),
        ({"plain": {"copies": [7, 7, 7]}}, "kinds.plain.copies: five numbers, for 2 to 6 players, not 3"),
        ({"plain": {"points": 1001}}, "kinds.plain.points: must be -1000 to 1000, not 1001"),
        ({"plain": {"points": []}}, "kinds.plain.points: a list has 1 to 31 numbers, not 0"),
        ({"plain": {"points": [1] * 32}}, "kinds.plain.points: a list has 1 to 31 numbers, not 32"),
        ({"plain": {"points": 1.5}}, "kinds.plain.points: must be a whole number or a list, not 1.5"),
        ({"plain": {"points": True}}, "kinds.plain.points: must be a whole number or a list, not True"),
        ({"plain": {"copies": "7"}}, "kinds.plain.copies: must be a whole number or a list, not '7'"),
        ({"plain": {"copies": 10**30}}, "kinds.plain.copies: "),
        ({"plain": {"players": 7}}, "kinds.plain.players: must be 2 to 6, not 7"),
        ({"plain": {"power": "milkk"}}, "kinds.plain.power: unknown value 'milkk'"),
        ({"plain": {"color": "red"}}, "kinds.plain: unknown field 'color'"),
        ({"plain": {"poits": 1}}, "kinds.plain: unknown field 'poits': did you mean 'points'?"),
        ({"plian": {"points": 1}}, "kinds: unknown entry 'plian': did you mean 'plain'?"),
        ({"Bagel": {"players": 2, "copies": 1, "points": 1}}, "kinds: a card's name is lower-case"),
        ({"coffee": {"points": 1}}, "kinds.coffee.points: must be 0 beside per_negative"),
        ({"coffee": {"per_negative": -1}}, "kinds.coffee.per_negative: must be 0 to 1000, not -1"),
        ({"glazed": {"points": 0, "per_negative": 1}}, "kinds.coffee.per_negative: only one kind can count"),
        ({"coffee": {"copies": 16}}, "kinds.coffee.copies: 16 copies of what counts negative cards"),
        ({"red_velvet": {"copies": 14}}, "kinds: 17 negative cards with 4 players, at most 15"),
        ({"double_chocolate": {"copies": 17}}, "kinds.double_chocolate.copies: 17 cards with the power double_chocolate"),
        ({"plain": {"copies": 31}, "glazed": {"copies": 31}, "powdered": {"copies": 31}, "milk": {"copies": 31}}, "kinds: 168 cards with 4 players, at most 128"),
        ({f"k{i}": {"players": 2, "copies": 1, "points": 1} for i in range(2)}, "kinds: 1 to 24 kinds of cards, not 25"),
        ({"plain": 3}, "kinds.plain: must be a table, not 3"),
    ],
)  # fmt: skip
def test_limits(kinds: dict[str, Any], message: str) -> None:
    with pytest.raises(nf.InputError) as error:
        altered("donuts", kinds=kinds)
    assert str(error.value).startswith(message)
    assert len(str(error.value).splitlines()) == 1


def test_options_and_extends() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"extends": "standart"}, "extends: a ruleset extends 'standard', not 'standart': did you mean 'standard'?"),
        (
            {"extends": "standard", "presets": {"x": {"cofee": "final"}}},
            "presets.x: unknown option 'cofee': did you mean",
        ),
        ({"extends": "standard", "presets": {"x": {"coffee": "cold"}}}, "presets.x.coffee: must be frozen or final"),
        (
            {"extends": "standard", "options": {"coffee": {"default": "hot"}}},
            "options.coffee.default: the default 'hot'",
        ),
        ({"extends": "standard", "options": {"coffee": {"values": ["frozen"]}}}, "options: the options are"),
        ({"kinds": {}}, "kinds: 1 to 24 kinds of cards, not 0"),
        ({"title": "nothing"}, "kinds is missing"),
    ]
    for data, message in cases:
        with pytest.raises(nf.InputError) as error:
            resolve({"ninefold": 1, "game": "donuts", **data}, MODULE.ruleset_type)
        assert str(error.value).startswith(message)


def test_a_deck_too_small_for_the_row() -> None:
    small = {"kinds": {"plain": {"players": 2, "copies": 4, "points": 1}}}
    assert nf.game("donuts", 3, ruleset=small)
    with pytest.raises(nf.InputError, match="a deck of 4 cards cannot fill the row of 4 players"):
        nf.game("donuts", 4, ruleset=small)


def test_arguments_of_game() -> None:
    cases: list[tuple[Callable[[], nf.Game], str]] = [
        (lambda: nf.game("donut"), "game: unknown game 'donut': did you mean 'donuts'?"),
        (lambda: nf.game(3), "game: unknown game 3"),  # type: ignore[arg-type]
        (lambda: nf.game("donuts", 7), "players: donuts is for 2 to 6 players, not 7"),
        (lambda: nf.game("donuts", True), "players: donuts is for 2 to 6 players, not True"),
        (lambda: nf.game("donuts", preset="bag"), "preset: unknown preset 'bag': did you mean 'bga'?"),
        (lambda: nf.game("donuts", cofee="final"), "options: unknown option 'cofee': did you mean 'coffee'?"),
        (lambda: nf.game("donuts", coffee="finl"), "options.coffee: must be frozen or final, not 'finl': did you mean"),
        (lambda: nf.game("donuts", ruleset=3), "ruleset: this is no ruleset of donuts"),  # type: ignore[arg-type]
        (lambda: nf.game("donuts", ruleset={"extends": "x"}), "ruleset.extends: a ruleset extends 'standard'"),
    ]
    for call, message in cases:
        with pytest.raises(nf.InputError) as error:
            call()
        assert str(error.value).startswith(message)
