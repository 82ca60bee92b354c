"""Where points come from: each source holds what its name says, in positions made by hand."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from ninefold.games import NAMES, module
from tests.canopy import EngineTable
from tests.positions import table
from tests.test_rules_coney import table as coney
from tests.test_rules_territory import land, own_rules
from tests.test_rules_territory import table as territory


@pytest.mark.parametrize("name", NAMES)
def test_names_are_all_different(name: str) -> None:
    for players in module(name).players:
        sources = nf.game(name, players).sources
        assert len(set(sources)) == len(sources) > 1


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("2 jelly_filled 3 donut_holes", {"jelly_filled": 5, "donut_holes": 6}),
        ("2 plain 1 powdered", {"plain": 2, "powdered": 3, "most plain": 3}),
        ("1 maple_bar 1 glazed", {"glazed": 2}),  # fewer than seven types
        ("1 day_old 1 red_velvet 1 coffee+2", {"day_old": -7, "red_velvet": -2, "coffee": 2}),
        ("1 milk 2 old_fashioned", {"milk": 5, "old_fashioned": 10}),
        ("", {}),
    ],
)
def test_donuts_by_kind_of_card(hand: str, points: dict[str, int]) -> None:
    position = table("glazed eclair powdered plain glazed", hand, "1 sprinkled", "", "")
    assert position.sources() == [points, {"sprinkled": 2}, {}, {}]


def test_donuts_a_bonus_for_most_is_a_source_of_its_own() -> None:
    tied = table("glazed eclair powdered", "2 plain", "2 plain 1 glazed")
    assert tied.sources() == [{"plain": 2, "most plain": 1}, {"plain": 2, "glazed": 2, "most plain": 1}]
    rules = {"extends": "standard", "kinds": {"glazed": {"most": 4}}}
    two = table("powdered eclair powdered", "1 plain", "2 glazed", ruleset=rules)
    assert two.sources() == [{"plain": 1, "most of a kind": 3}, {"glazed": 4, "most of a kind": 4}]


@pytest.mark.parametrize(
    ("farm", "more", "points"),
    [
        ("a1 daisy b1 anise", {}, {"printed points": 1}),  # 3 - 2
        ("b2 vetch b1 alfalfa a2 clover c3 oat", {}, {"printed points": 4, "coupons for neighbours": 2}),
        ("b2 woodruff b1 alfalfa c3 fennel a2 radish", {}, {"printed points": 6, "coupons for row and column": 4}),
        ("a1 yarrow+3", {}, {"printed points": 1, "coupons for resources": 6}),
        ("a1 quince b1 radish c1 sage", {}, {"printed points": 4, "logos": 2}),
        ("", {"stock": "4 carrot 3 hay"}, {"unspent resources": 2}),
        ("", {"reserve": "oat iris"}, {"reserved cards": -4}),
    ],
)
def test_coney_by_end_and_score(farm: str, more: dict[str, str], points: dict[str, int]) -> None:
    position = coney({"farm": farm, **more}, {"farm": "a1 heather"})
    assert position.sources() == [points, {"printed points": 3}]


def test_territory_by_boss_goal_and_skill() -> None:
    cells = {"a1": "ant", "b1": "snail"}
    assert territory(land(**cells, land_boss="a1")).sources() == [{"land boss": 2}]
    assert territory(land(**cells, land_boss="a1"), territory_points="on").sources() == [
        {"land boss": 2, "land territory": 2}
    ]
    assert territory(land(a1="crab", water_boss="a1"), row=[]).sources() == [{"water boss": 1}]
    assert territory(land(**cells, land_boss="a1"), land(), row=[]).sources() == [
        {"land boss": 2, "largest territory": 3}, {},
    ]  # fmt: skip
    assert territory(land(bonus="scout gather")).sources() == [{"skill scout": 2, "skill gather": 2}]
    goals = {"fed": {side: {"name": side, "needs": "at least 2 land", "points": n} for side, n in SIDES}}
    for side, points in SIDES:
        rules = own_rules(goals=goals)
        position = territory(land(**cells, bonus="fed"), land(bonus="leap"), ruleset=rules, sides=[side], row=[])
        assert position.sources() == [{"goal fed": points}, {"skill leap": 3}]


SIDES = (("front", 4), ("back", 7))


@pytest.mark.parametrize(
    ("scene", "points"),
    [
        ({"cards": ("philodendron " * 3, "")}, {"philodendrons": 8}),
        ({"cards": ("bromelia " * 3, "")}, {"bromelias": -3}),
        ({"cards": ("fern", "")}, {"ferns": 2}),
        ({"cards": ("sun", "")}, {"weather": 5}),
        ({"done": ("1+2x2", "")}, {"trees": 7, "tallest tree": 3}),
        ({"cards": ("sloth toucan_mating", ""), "season": 3}, {"wildlife": 5}),
        (
            {"done": ("1+2x2", "0x1"), "trees": ("1", ""), "season": 3},
            {"trees": 7, "tallest tree": 5, "largest forest": 10},
        ),
        ({"points": (9, 0)}, {"earlier": 9}),
    ],
)
def test_canopy_by_the_end_of_a_season(scene: dict[str, Any], points: dict[str, int]) -> None:
    table = EngineTable("rain||", deck=0, **scene)
    assert table.position.sources() == [{"earlier": 9} if "points" in scene else {}, {}]
    table.go("keep")
    assert table.position.sources()[0] == points


def test_canopy_a_file_says_where_points_came_from() -> None:
    position = nf.game("canopy").deal(1)
    data = position.to_dict()
    data["player"][0] |= {"points": 12, "scored": {"trees": 4, "tallest tree": 3}}
    found = position.game.position(data)
    assert found.sources() == [{"trees": 4, "tallest tree": 3, "earlier": 5}, {}]
    assert found.game.position(found.to_dict()) == found
    data["player"][0]["scored"] = {"tree": 4}
    with pytest.raises(nf.InputError, match=r"scored\.tree: unknown source of points 'tree': did you mean 'trees'"):
        position.game.position(data)
