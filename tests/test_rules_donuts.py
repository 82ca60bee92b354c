"""The rules page of Go Nuts for Donuts, one test a row of its table, a rule of play, a detail, an option, a ruling."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from tests.positions import bid, cards, moves, pile, row, table

ROW3 = "plain plain plain plain"
ROW4 = "plain plain plain plain plain"
ROW5 = "plain plain plain plain plain plain"


def take(kind: str, *hands: str, **more: object) -> nf.Position:
    """Player 0 is alone on place 1 and takes this kind; the others all bid on the last place, a Plain or a Glazed."""
    n = len(hands)
    position = table(f"{kind} " + "glazed " * (n - 1) + "glazed", *hands, **more)  # type: ignore[arg-type]
    return bid(position, 1, *[n + 1] * (n - 1))


def points(*hands: str, **more: object) -> list[int]:
    """Scores of hands about to bid for whatever row fits: the cheapest one."""
    n = len(hands)
    filler = more.pop("row", "glazed " * (n + 1))
    assert isinstance(filler, str)
    return table(filler, *hands, **more).scores()  # type: ignore[arg-type]


# --- Cards: the decks -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "size", "types"), [(2, 37, 9), (3, 50, 13), (4, 61, 19), (5, 70, 23), (6, 70, 23)])
def test_cards_decks(players: int, size: int, types: int) -> None:
    start = nf.game("donuts", players).start()
    assert start.to_dict()["deck"] == size
    assert len(start.outcomes()) == types
    assert start.to_dict()["row"] == ["-"] * (players + 1)


@pytest.mark.parametrize(("players", "copies"), [(2, 1), (3, 2), (4, 3), (5, 4), (6, 4)])
def test_cards_french_cruller_copies(players: int, copies: int) -> None:
    start = nf.game("donuts", players).start()
    chance = {str(outcome): probability for outcome, probability in start.outcomes()}
    assert chance["deal french_cruller"] * start.to_dict()["deck"] == pytest.approx(copies)


# --- Cards: one row after the other -----------------------------------------------------------------------------------


def test_cards_plain() -> None:
    assert points("3 plain", "2 plain") == [3 + 3, 2]
    assert points("2 plain", "2 plain", "plain") == [2 + 1, 2 + 1, 1]
    assert points("", "", "") == [0, 0, 0]
    assert points("plain", "") == [1 + 3, 0]


def test_cards_glazed() -> None:
    assert points("glazed", "2 glazed", row="plain plain plain") == [2, 4]


def test_cards_powdered() -> None:
    assert points("powdered", "3 powdered") == [3, 9]


def test_cards_chocolate_frosted() -> None:
    position = take("chocolate_frosted", "", "")
    assert position.is_chance
    position.chance("deal powdered")
    assert cards(position, 0) == {"powdered": 1, "chocolate_frosted": 1}
    assert position.scores()[0] == 3
    assert position.is_chance, "then the row is filled"


def test_cards_eclair() -> None:
    position = take("eclair", "", "", discard="plain powdered")
    assert cards(position, 0) == {"powdered": 1, "eclair": 1}
    assert pile(position) == "plain", "the other player is alone on his place"
    assert position.scores()[0] == 3


def test_cards_french_cruller() -> None:
    position = table("french_cruller glazed powdered plain", "", "", "")
    bid(position, 1, 4, 4)
    assert moves(position, 0) == ["discard french_cruller: 2", "discard french_cruller: 3", "stop french_cruller"]
    position.play(0, "discard french_cruller: 3")
    assert moves(position, 0) == []
    assert pile(position) == "powdered plain"
    assert row(position) == "- glazed - -"
    assert position.scores()[0] == 2


def test_cards_maple_bar() -> None:
    six = "maple_bar plain glazed powdered eclair chocolate_frosted"
    assert points(six, "")[0] == 0 + 4 + 2 + 3
    assert points(six + " donut_holes", "")[0] == 3 + 4 + 2 + 3 + 1
    assert points("2" + six.replace("maple_bar", " maple_bar") + " donut_holes", "")[0] == 6 + 4 + 2 + 3 + 1


def test_cards_donut_holes() -> None:
    assert [points(f"{n} donut_holes", "")[0] for n in range(1, 7)] == [1, 3, 6, 10, 15, 15]


def test_cards_jelly_filled() -> None:
    assert [points(f"{n} jelly_filled", "")[0] for n in range(1, 7)] == [0, 5, 5, 10, 10, 15]


def test_cards_boston_cream() -> None:
    assert [points(f"{n} boston_cream", "", "")[0] for n in range(1, 7)] == [0, 6, 0, 15, 0, 25]


def test_cards_sprinkled() -> None:
    position = take("sprinkled", "powdered", "", "")
    assert moves(position, 0) == ["give sprinkled to 1: powdered", "give sprinkled to 2: powdered"]
    position.play(0, "give sprinkled to 2: powdered")
    assert cards(position, 0) == {"sprinkled": 1}
    assert cards(position, 2) == {"powdered": 1}
    assert position.scores()[0] == 2
    alone = take("sprinkled", "", "", "")
    assert moves(alone, 0) == ["give sprinkled to 1: sprinkled", "give sprinkled to 2: sprinkled"]


def test_cards_double_chocolate() -> None:
    position = take("double_chocolate", "", "", "", discard="plain")
    before = position.to_dict()["deck"]
    position.chance("deal powdered")
    position.chance("deal eclair")
    assert moves(position, 0) == ["keep double_chocolate: eclair", "keep double_chocolate: powdered"]
    position.play(0, "keep double_chocolate: powdered")
    assert cards(position, 0) == {"powdered": 1, "double_chocolate": 1}
    assert position.to_dict()["bottom"] == [{"card": "eclair", "seen": [0]}]
    assert position.to_dict()["deck"] == before - 1
    assert position.scores()[0] == 3


def test_cards_red_velvet() -> None:
    position = take("red_velvet", "", "", "", discard="powdered plain")
    assert moves(position, 0) == ["stop red_velvet", "take red_velvet: plain", "take red_velvet: powdered"]
    position.play(0, "take red_velvet: powdered")
    assert cards(position, 0) == {"powdered": 1, "red_velvet": 1}
    assert pile(position) == "plain glazed", "the contested Glazed comes after the power: its place is higher"
    assert position.scores()[0] == 3 - 2


def test_cards_bear_claw() -> None:
    position = take("bear_claw", "", "powdered", "plain", "")
    assert moves(position, 0) == ["stop bear_claw", "take bear_claw from 1: powdered", "take bear_claw from 2: plain"]
    position.play(0, "take bear_claw from 1: powdered")
    assert cards(position, 0) == {"powdered": 1, "bear_claw": 1}
    assert cards(position, 1) == {}
    assert position.scores()[0] == 3 - 2


def test_cards_day_old() -> None:
    position = take("day_old", "", "", "", "", discard="plain powdered plain eclair glazed")
    for kind in ("plain", "powdered", "eclair"):
        assert f"take day_old: {kind}" in moves(position, 0)
        assert "stop day_old" in moves(position, 0)
        position.play(0, f"take day_old: {kind}")
    assert pile(position) == "plain glazed glazed"
    assert cards(position, 0) == {"plain": 1, "powdered": 1, "eclair": 1, "day_old": 1}
    assert position.scores()[0] == 1 + 3 + 3 - 7, "the Eclair's power does not fire"
    stopped = take("day_old", "", "", "", "", discard="plain")
    stopped.play(0, "stop day_old")
    assert cards(stopped, 0) == {"day_old": 1}


def test_cards_cinnamon_twist() -> None:
    position = take("cinnamon_twist", "", "powdered", "eclair 2 plain", "")
    assert position.actors == (0, 1, 2), "player 3 has nothing"
    assert moves(position, 2) == ["pass cinnamon_twist: eclair", "pass cinnamon_twist: plain"]
    position.play_all({0: "pass cinnamon_twist: cinnamon_twist", 1: "pass cinnamon_twist: powdered",
                       2: "pass cinnamon_twist: plain"})  # fmt: skip
    assert [cards(position, player) for player in range(4)] == [
        {}, {"cinnamon_twist": 1}, {"plain": 1, "powdered": 1, "eclair": 1}, {"plain": 1},
    ]  # fmt: skip
    assert position.scores()[1] == 1


def test_cards_old_fashioned() -> None:
    assert points("old_fashioned 4 powdered 4 donut_holes", "", "", "")[0] == 5 + 12 + 10
    assert points("2 old_fashioned 4 powdered 4 donut_holes", "", "", "")[0] == 12 + 10


def test_cards_coffee() -> None:
    position = take("coffee", "2 red_velvet day_old", "", "", "")
    assert cards(position, 0) == {"red_velvet": 2, "day_old": 1, "coffee+3": 1}
    assert position.scores()[0] == -4 - 7 + 3


def test_cards_milk() -> None:
    position = take("milk", "2 plain powdered eclair", "", "", "")
    assert moves(position, 0) == [
        "discard milk: eclair", "discard milk: plain", "discard milk: powdered", "stop milk",
    ]  # fmt: skip
    for kind in ("plain", "eclair", "plain"):
        position.play(0, f"discard milk: {kind}")
        assert "stop milk" not in moves(position, 0)
    assert cards(position, 0) == {"powdered": 1, "milk": 1}
    assert position.scores()[0] == 3 + 5
    assert pile(position) == "plain eclair plain glazed"
    refused = take("milk", "2 plain powdered eclair", "", "", "")
    refused.play(0, "stop milk")
    assert cards(refused, 0) == {"plain": 2, "powdered": 1, "eclair": 1}
    assert pile(refused) == "milk glazed"
    few = take("milk", "2 plain", "", "", "")
    assert cards(few, 0) == {"plain": 2}
    assert pile(few) == "milk glazed"


def test_cards_strawberry_glazed() -> None:
    position = take("strawberry_glazed", "plain", "powdered", "", "", "")
    assert moves(position, 0) == ["discard strawberry_glazed from 1: powdered"]
    position.play(0, "discard strawberry_glazed from 1: powdered")
    assert cards(position, 1) == {}
    assert pile(position) == "powdered glazed"
    assert take("strawberry_glazed", "powdered", "", "", "", "").actors == ()
    assert points("strawberry_glazed", "", "", "", "", row=ROW5)[0] == -2


def test_cards_raspberry_frosted() -> None:
    position = take("raspberry_frosted", "plain powdered", "", "", "", "")
    assert moves(position, 0) == ["discard raspberry_frosted: plain", "discard raspberry_frosted: powdered"]
    position.play(0, "discard raspberry_frosted: plain")
    assert cards(position, 0) == {"powdered": 1, "raspberry_frosted": 1}
    assert position.scores()[0] == 3
    only = take("raspberry_frosted", "", "", "", "", "")
    assert cards(only, 0) == {}
    assert pile(only) == "raspberry_frosted glazed"


def test_cards_maple_frosted() -> None:
    assert points("maple_frosted", "powdered", "2 powdered", "plain", "eclair", row=ROW5)[0] == 5
    assert points("maple_frosted powdered", "powdered", "2 powdered", "plain", "eclair", row=ROW5)[0] == 3
    assert points("2 maple_frosted", "2 powdered", "2 glazed", "2 donut_holes", "2 eclair", row=ROW5)[0] == 10


def test_cards_mucho_matcha() -> None:
    six = "mucho_matcha plain powdered eclair donut_holes milk"
    assert points(six, "", "", "", "", row="glazed glazed glazed glazed glazed plain")[0] == 3 + 4 + 3 + 1 + 5
    assert (
        points(six + " bear_claw", "", "", "", "", row="glazed glazed glazed glazed glazed plain")[0]
        == 4 + 3 + 1 + 5 - 2
    )


def test_cards_powers_fire_only_from_the_row() -> None:
    from_deck = take("chocolate_frosted", "", "", "")
    from_deck.chance("deal red_velvet")
    assert from_deck.is_chance
    from_pile = take("eclair", "", "", "", discard="powdered double_chocolate")
    assert cards(from_pile, 0) == {"eclair": 1, "double_chocolate": 1}
    assert pile(from_pile) == "powdered glazed"
    from_player = take("bear_claw", "", "day_old", "", "", discard="powdered")
    from_player.play(0, "take bear_claw from 1: day_old")
    assert from_player.actors == ()


def test_cards_negative() -> None:
    negative = "2 red_velvet 2 bear_claw day_old strawberry_glazed"
    position = take("coffee", negative, "", "", "", "", discard="plain")
    assert cards(position, 0)["coffee+6"] == 1


# --- Play -------------------------------------------------------------------------------------------------------------


def test_play_set_up() -> None:
    position = nf.game("donuts", 3).start()
    for place in range(4):
        assert position.to_dict()["row"][place:] == ["-"] * (4 - place)
        position.chance("deal plain")
    assert position.actors == (0, 1, 2)
    assert position.to_dict()["deck"] == 46


def test_play_bids_are_secret_and_revealed_together() -> None:
    position = nf.game("donuts", 3).deal(1)
    before = position.view(1)
    position.play(0, "bid 2")
    assert position.actors == (1, 2)
    assert position.view(1).to_dict()["pending"]["bids"] == ["?", "-", "-"]
    other = nf.game("donuts", 3).deal(1)
    other.play(0, "bid 4")
    assert position.view(1) == other.view(1) != before


def test_play_resolve_in_ascending_order() -> None:
    position = table("powdered glazed eclair plain", "", "", "")
    bid(position, 2, 2, 3)
    assert cards(position, 2) == {"eclair": 1, "glazed": 1}, "the contested Glazed of place 2 lies in the pile already"
    assert row(position) == "powdered - - plain"
    position = table("eclair glazed plain plain", "", "", "")
    bid(position, 1, 2, 2)
    assert cards(position, 0) == {"eclair": 1}, "that of place 2 not yet"
    assert pile(position) == "glazed"


def test_play_refill_all_or_nothing() -> None:
    everything = "7 plain 4 glazed 4 powdered 3 chocolate_frosted 3 eclair french_cruller 2 maple_bar 6 donut_holes"
    position = table("glazed jelly_filled jelly_filled", everything, "2 jelly_filled", deck=2)
    bid(position, 2, 3)
    position.chance("deal jelly_filled")
    position.chance("deal jelly_filled")
    assert position.actors == (0, 1), "a deck that is exactly enough is dealt out, and one more round is played"
    assert position.to_dict()["deck"] == 0
    bid(position, 1, 1)
    assert position.is_over
    assert row(position) == "- jelly_filled jelly_filled"
    short = table("glazed jelly_filled jelly_filled", everything, "3 jelly_filled", deck=1)
    bid(short, 2, 3)
    assert short.is_over
    assert row(short) == "glazed - -"
    assert short.to_dict()["deck"] == 1


def test_play_end_ties() -> None:
    game = table("glazed glazed plain", "powdered", "2 plain")
    assert game.scores() == [3, 5]
    assert game.winners() == [1]
    more_cards = table("glazed plain plain", "powdered eclair", "powdered")
    assert more_cards.winners() == [0]
    shared = table("glazed plain plain", "powdered", "powdered")
    assert shared.winners() == [0, 1]


# --- Details ----------------------------------------------------------------------------------------------------------


def test_details_a_card_just_taken_is_in_the_collection() -> None:
    position = take("cinnamon_twist", "", "", "", "")
    assert moves(position, 0) == ["pass cinnamon_twist: cinnamon_twist"]
    chocolate = take("chocolate_frosted", "", "")
    assert cards(chocolate, 0) == {"chocolate_frosted": 1}


ALL_THREE = (
    "7 plain 3 chocolate_frosted 3 eclair 2 french_cruller 2 maple_bar 4 powdered",
    "6 donut_holes 6 jelly_filled 6 boston_cream 2 sprinkled double_chocolate 2 red_velvet",
)


def test_details_empty_deck_does_nothing() -> None:
    hands = (ALL_THREE[0].replace("3 chocolate", "2 chocolate"), ALL_THREE[1].replace("double_", "2 double_"), "glazed")
    position = table("chocolate_frosted glazed glazed glazed", *hands, discard="glazed")
    assert position.to_dict()["deck"] == 0
    bid(position, 1, 4, 4)
    assert position.is_over
    assert cards(position, 0)["chocolate_frosted"] == 3
    double = table("double_chocolate glazed glazed glazed", *ALL_THREE, "2 glazed")
    bid(double, 1, 4, 4)
    assert double.is_over
    assert cards(double, 0)["double_chocolate"] == 1


def test_details_empty_pile_does_nothing() -> None:
    for kind in ("eclair", "red_velvet"):
        position = take(kind, "", "", "")
        assert position.actors == ()
        assert cards(position, 0) == {kind: 1}
    assert take("day_old", "", "", "", "").actors == ()


def test_details_double_chocolate_with_one_card_left() -> None:
    position = table("double_chocolate glazed glazed glazed", *ALL_THREE, "glazed", deck=1)
    bid(position, 1, 4, 4)
    position.chance("deal glazed")
    assert position.is_over
    assert cards(position, 0)["glazed"] == 1


def test_details_only_the_chooser_has_seen_the_card_that_went_back() -> None:
    position = take("double_chocolate", "", "", "", discard="plain")
    position.chance("deal powdered")
    position.chance("deal eclair")
    assert position.view(1).to_dict()["pending"]["drawn"] == ["?", "?"]
    position.play(0, "keep double_chocolate: powdered")
    assert position.view(0).to_dict()["bottom"] == [{"card": "eclair", "seen": [0]}]
    assert position.view(1).to_dict()["bottom"] == ["?"], "everybody knows that it lies there"
    left = {str(outcome): chance for outcome, chance in position.outcomes()}
    assert left["deal eclair"] * 43 == pytest.approx(2)


def test_details_discarding_several_at_once() -> None:
    position = table("french_cruller glazed powdered eclair plain", "", "", "", "")
    bid(position, 1, 5, 5, 5)
    position.play(0, "discard french_cruller: 3")
    assert moves(position, 0) == ["discard french_cruller: 4", "stop french_cruller"], "ascending places"
    position.play(0, "discard french_cruller: 4")
    assert pile(position) == "powdered eclair plain"
    milk = take("milk", "plain powdered eclair", "", "", "")
    for kind in ("eclair", "plain", "powdered"):
        milk.play(0, f"discard milk: {kind}")
    assert pile(milk) == "eclair plain powdered glazed", "in the order the player names them"


def test_details_cinnamon_twist_is_simultaneous_and_secret() -> None:
    position = take("cinnamon_twist", "powdered", "powdered plain", "", "")
    position.play(1, "pass cinnamon_twist: plain")
    assert position.view(0).to_dict()["pending"]["passes"] == ["-", "?", "-", "-"]
    assert cards(position, 2) == {}, "nothing has moved yet"
    position.play(0, "pass cinnamon_twist: cinnamon_twist")
    assert cards(position, 2) == {"plain": 1}
    assert cards(position, 1) == {"powdered": 1, "cinnamon_twist": 1}


def test_details_coffee_is_frozen() -> None:
    position = take("coffee", "red_velvet", "", "", "")
    assert cards(position, 0) == {"red_velvet": 1, "coffee+1": 1}
    later = table(ROW4.replace("plain", "bear_claw", 1), "red_velvet coffee+1", "day_old", "powdered", "")
    bid(later, 1, 5, 5, 5)
    later.play(0, "take bear_claw from 1: day_old")
    assert cards(later, 0)["coffee+1"] == 1, "three negative cards now, but it came with one"
    anew = take("bear_claw", "red_velvet", "coffee+4", "", "")
    anew.play(0, "take bear_claw from 1: coffee+4")
    assert cards(anew, 0) == {"red_velvet": 1, "bear_claw": 1, "coffee+2": 1}, "fixed anew when it changes hands"


def test_details_coffee_by_every_route() -> None:
    deck = take("chocolate_frosted", "red_velvet", "", "", "")
    deck.chance("deal coffee")
    assert cards(deck, 0)["coffee+1"] == 1
    assert cards(take("eclair", "2 red_velvet", "", "", "", discard="coffee"), 0)["coffee+2"] == 1
    given = take("sprinkled", "coffee+0", "red_velvet", "", "")
    given.play(0, "give sprinkled to 1: coffee+0")
    assert cards(given, 1) == {"red_velvet": 1, "coffee+1": 1}


# --- Options ----------------------------------------------------------------------------------------------------------


def test_options_double_chocolate_return() -> None:
    position = take("double_chocolate", "", "", "", discard="plain", double_chocolate_return="top")
    position.chance("deal powdered")
    position.chance("deal eclair")
    position.play(0, "keep double_chocolate: powdered")
    assert row(position) == "eclair glazed glazed -", "it lies on top: the first empty place gets it without chance"


def test_options_coffee_final() -> None:
    position = take("coffee", "red_velvet", "", "", "", coffee="final")
    assert cards(position, 0) == {"red_velvet": 1, "coffee": 1}
    assert position.scores()[0] == -2 + 1
    assert points("coffee 2 red_velvet day_old", "", "", "", coffee="final")[0] == 3 - 4 - 7
    assert points("coffee+1 2 red_velvet day_old", "", "", "")[0] == 1 - 4 - 7


def test_options_red_velvet_must() -> None:
    position = take("red_velvet", "", "", "", discard="powdered", red_velvet="must")
    assert moves(position, 0) == ["take red_velvet: powdered"]
    assert take("red_velvet", "", "", "", red_velvet="must").actors == (), "only when there is a card to take"


def test_options_bear_claw_must() -> None:
    position = take("bear_claw", "", "powdered", "", "", bear_claw="must")
    assert moves(position, 0) == ["take bear_claw from 1: powdered"]
    assert take("bear_claw", "powdered", "", "", "", bear_claw="must").actors == ()


def test_options_points_table() -> None:
    changed = {"extends": "standard", "kinds": {"boston_cream": {"points": [0, 3, 0, 15, 0, 25]}}}
    assert points("2 boston_cream", "", "", ruleset=changed)[0] == 3
    thresholds = {"extends": "standard", "kinds": {"maple_bar": {"at_least_types": 2}, "plain": {"most": 5}}}
    assert points("maple_bar plain", "", ruleset=thresholds)[0] == 3 + 1 + 5


def test_options_presets() -> None:
    assert dict(nf.game("donuts", 3).options) == {
        "double_chocolate_return": "bottom", "coffee": "frozen", "red_velvet": "may", "bear_claw": "may",
    }  # fmt: skip
    assert dict(nf.game("donuts", 3, preset="bga").options) == {
        "double_chocolate_return": "top", "coffee": "frozen", "red_velvet": "must", "bear_claw": "must",
    }  # fmt: skip


# --- Rulings ----------------------------------------------------------------------------------------------------------


def test_rulings_negative_is_a_property_of_the_ruleset() -> None:
    changed = {"extends": "standard", "kinds": {"powdered": {"points": -1}, "red_velvet": {"points": 1}}}
    position = take("coffee", "2 powdered red_velvet", "", "", "", ruleset=changed)
    assert cards(position, 0)["coffee+2"] == 1


def test_rulings_moves_name_the_kind_and_the_value() -> None:
    position = take("bear_claw", "", "coffee+2 2 plain", "coffee+0", "")
    assert moves(position, 0) == [
        "stop bear_claw", "take bear_claw from 1: coffee+2", "take bear_claw from 1: plain",
        "take bear_claw from 2: coffee+0",
    ]  # fmt: skip


def test_rulings_topmost_copy_from_the_pile() -> None:
    position = take("red_velvet", "", "", "", discard="powdered plain powdered eclair")
    position.play(0, "take red_velvet: powdered")
    assert pile(position) == "powdered plain eclair glazed"


def test_rulings_day_old_one_after_the_other() -> None:
    position = take("day_old", "", "", "", "", discard="coffee red_velvet coffee")
    position.play(0, "take day_old: coffee")
    position.play(0, "take day_old: red_velvet")
    position.play(0, "take day_old: coffee")
    assert cards(position, 0) == {"red_velvet": 1, "day_old": 1, "coffee+1": 1, "coffee+2": 1}
    assert position.scores()[0] == -2 - 7 + 1 + 2


def test_rulings_only_one_card_of_any_kind() -> None:
    assert moves(take("sprinkled", "sprinkled", "", ""), 0) == [
        "give sprinkled to 1: sprinkled", "give sprinkled to 2: sprinkled",
    ]  # fmt: skip
    assert moves(take("raspberry_frosted", "raspberry_frosted", "", "", "", ""), 0) == [
        "discard raspberry_frosted: raspberry_frosted"
    ]


def test_rulings_coffee_that_moves_counts_after_all_have_moved() -> None:
    position = take("cinnamon_twist", "", "coffee+2", "red_velvet coffee+1", "")
    position.play_all({0: "pass cinnamon_twist: cinnamon_twist", 1: "pass cinnamon_twist: coffee+2",
                       2: "pass cinnamon_twist: red_velvet"})  # fmt: skip
    assert cards(position, 2) == {"coffee+0": 1, "coffee+1": 1}, "the Red Velvet has left; what stays keeps its value"


def test_rulings_a_forced_choice_is_a_move() -> None:
    position = take("raspberry_frosted", "plain", "", "", "", "")
    assert moves(position, 0) == ["discard raspberry_frosted: plain"]


def test_rulings_a_power_that_can_do_nothing_is_no_decision() -> None:
    position = table("french_cruller french_cruller glazed powdered", "", "", "")
    bid(position, 1, 2, 3)
    position.play(0, "discard french_cruller: 4")
    assert position.is_chance, "nothing is left for the second French Cruller"
    assert cards(position, 2) == {"glazed": 1}
    assert take("bear_claw", "", "", "", "").actors == ()


def test_rulings_a_held_coffee_has_its_value_elsewhere_it_has_none() -> None:
    position = table("coffee plain plain plain plain", "coffee+3", "", "", "")
    assert position.to_dict()["player"][0] == {"cards": {"coffee+3": 1}}
    assert position.to_dict()["row"][0] == "coffee"
    with pytest.raises(nf.InputError, match="a held coffee is coffee"):
        table(ROW4, "coffee", "", "", "")
    with pytest.raises(nf.InputError, match="coffee = final"):
        table(ROW4, "coffee+1", "", "", "", coffee="final")


def test_rulings_a_count_above_a_list_takes_its_last_value() -> None:
    assert points("6 donut_holes", "")[0] == points("5 donut_holes", "")[0] == 15


def test_rulings_choices_of_several_cards_are_made_one_by_one() -> None:
    one = take("milk", "plain powdered eclair", "", "", "")
    assert one.to_dict()["pending"] == {"bids": [1, 5, 5, 5], "place": 1, "power": "milk"}
    one.play(0, "discard milk: plain")
    assert one.to_dict()["pending"]["chosen"] == 1
    assert moves(one, 0) == ["discard milk: eclair", "discard milk: powdered"]


def test_rulings_cards_at_the_bottom_are_drawn_in_order() -> None:
    everything = (
        "6 plain 3 chocolate_frosted 3 eclair 2 french_cruller 2 maple_bar 4 powdered",
        "6 donut_holes 6 jelly_filled 6 boston_cream 2 sprinkled 2 double_chocolate red_velvet",
    )
    bottom = ["red_velvet", "plain", "glazed"]
    position = table("glazed glazed glazed glazed", *everything, "", bottom=bottom, deck=3)
    bid(position, 1, 2, 3)
    assert row(position) == "red_velvet plain glazed glazed"


def test_rulings_the_last_one_returned_lies_uppermost() -> None:
    known: dict[str, Any] = {"top": [{"card": "powdered", "seen": [1]}, {"card": "eclair", "seen": [0]}]}
    position = table(ROW3, "", "", "", double_chocolate_return="top", **known)
    bid(position, 1, 2, 2)
    assert row(position) == "eclair powdered plain plain"


def test_rulings_cinnamon_twist_everyone_receives() -> None:
    position = take("cinnamon_twist", "", "", "", "")
    position.play(0, "pass cinnamon_twist: cinnamon_twist")
    assert cards(position, 1) == {"cinnamon_twist": 1}
    assert position.actors == (), "a card just received can't be passed on"


def test_rulings_the_deck_is_checked_at_refill_only() -> None:
    hands = (
        "7 plain 2 chocolate_frosted 3 eclair 2 french_cruller 2 maple_bar 4 powdered",
        "6 donut_holes 6 jelly_filled 6 boston_cream 2 sprinkled 2 double_chocolate 2 red_velvet",
    )
    position = table("chocolate_frosted glazed glazed glazed", *hands, "glazed", deck=1)
    bid(position, 1, 2, 2)
    position.chance("deal glazed")
    assert position.is_over
    assert cards(position, 0)["glazed"] == 1
    assert pile(position) == "glazed", "place 2 was still resolved"
