"""The rules page of Coney, one test a sentence, an option or a ruling, with a small deck that uses all the grammar."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from tests.positions import moves

SMALL: dict[str, Any] = tomllib.loads((Path(__file__).parent / "data/coney-small.toml").read_text())
CARDS = list(SMALL["cards"])
CELLS = [f"{column}{row}" for column in "abc" for row in (1, 2, 3)]
OPTIONS = tuple(SMALL["options"])
RESOURCES = ("carrot", "pellet", "hay")


def table(
    *players: dict[str, str],
    cards: dict[str, dict[str, Any]] | None = None,
    rules: dict[str, Any] | None = None,
    **more: Any,
) -> nf.Position:
    """A position in words; the deck is what lies nowhere else.

    Of a player: hand, reserve, stock ("2 carrot"), farm ("a1 barley b2 yarrow+2", the number are resources on it).
    cards: more cards of the deck, or others of the same names. rules: other numbers. Option names among the keywords
    go to the game, everything else into the position's data, lists of cards as words.
    """
    options = {name: more.pop(name) for name in list(more) if name in OPTIONS}
    ruleset = SMALL | {"cards": SMALL["cards"] | (cards or {})} | (rules or {})
    game = nf.game("coney", len(players), options=options, ruleset=ruleset)
    told = []
    for player in players:
        words = player.get("farm", "").split()
        places = dict(zip(words[::2], words[1::2], strict=True))
        words = player.get("stock", "").split()
        told.append({
            "farm": [" ".join(places.get(f"{column}{row}", "-") for column in "abc") for row in (1, 2, 3)],
            "hand": player.get("hand", "").split(),
            "reserve": player.get("reserve", "").split(),
            "stock": dict(zip(words[1::2], map(int, words[::2]), strict=True)),
        })  # fmt: skip
    data = {"market": "", "discard": "", **more, "player": told}
    return game.position({key: value.split() if key in ("market", "discard", "order") else value
                          for key, value in data.items()})  # fmt: skip


def do(position: nf.Position, *what: str) -> nf.Position:
    """Moves of whoever is to move; "deal x" is chance."""
    for text in what:
        if text.startswith("deal "):
            position.chance(text)
        else:
            position.play(position.actors[0], text)
    return position


def placements(position: nf.Position, card: str) -> str:
    """The cells where the player to move may put the card."""
    return " ".join(move.split()[-1] for move in moves(position) if move.startswith(f"place {card} "))


def has(position: nf.Position, player: int = 0) -> str:
    """A stock."""
    stock = position.to_dict()["player"][player].get("stock", {})
    return " ".join(f"{stock[kind]} {kind}" for kind in RESOURCES if stock.get(kind))


def farm(position: nf.Position, player: int = 0) -> str:
    """A farm, row by row."""
    rows = position.to_dict()["player"][player]["farm"]
    found = [(f"{'abc'[column]}{row + 1}", word) for row in range(3) for column, word in enumerate(rows[row].split())]
    return " ".join(f"{cell} {word}" for cell, word in found if word != "-")


def hand(position: nf.Position, player: int = 0) -> set[str]:
    return set(position.to_dict()["player"][player]["hand"])


def area(position: nf.Position, name: str) -> set[str]:
    """Market or discard pile."""
    return set(position.to_dict()[name])


def score(places: str, **more: Any) -> int:
    """What a farm is worth."""
    return table({"farm": places, **more.pop("player", {})}, **more).scores()[0]


def where(condition: str, neighbours: str, **more: Any) -> bool:
    """Whether a card with this condition may be put into the centre."""
    cards = {"barley": {"sex": "male", "colours": "black", "condition": condition}, **more.pop("cards", {})}
    position = table({"hand": "barley", "farm": neighbours}, cards=cards, **more)
    return "b2" in placements(do(position, "place"), "barley")


# --- Cards ------------------------------------------------------------------------------------------------------------


def test_cards_resources_a_cost_names_kinds_and_any() -> None:
    position = do(table({"hand": "elder", "stock": "1 carrot 1 pellet 2 hay"}), "place", "place elder a1")
    assert moves(position) == ["pay 1 carrot", "pay 1 hay", "pay 1 pellet"]
    do(position, "pay 1 pellet")
    assert has(position) == "1 carrot 1 hay"
    assert placements(do(table({"hand": "elder", "stock": "1 hay"}), "place"), "elder") == ""
    assert placements(do(table({"hand": "elder", "stock": "2 carrot"}), "place"), "elder") == ""


@pytest.mark.parametrize(
    ("card", "gains"),
    [
        ("clover", ["2 carrot", "2 pellet", "2 hay", "1 carrot 1 pellet", "1 carrot 1 hay", "1 pellet 1 hay"]),
        ("daisy", ["2 carrot", "2 pellet", "2 hay"]),
        ("elder", ["1 carrot 1 pellet", "1 carrot 1 hay", "1 pellet 1 hay"]),
    ],
    ids=["any", "same", "different"],
)
def test_cards_resources_a_gain_of_several_circles(card: str, gains: list[str]) -> None:
    position = do(table({"farm": f"a1 {card}"}), "place", f"sell {card}")
    assert moves(position) == sorted(f"take {gain}" for gain in gains)


def test_cards_condition_examples() -> None:
    assert where("no male and no black", "")
    assert not where("no male and no black", "b1 elder")
    assert not where("no male and no black", "b1 heather")
    assert not where("at most 1 male and at least 1 orange", "b1 elder a2 iris c2 radish")
    assert where("at most 1 male and at least 1 orange", "b1 elder a2 oat")
    assert where("at least 1 white or at least 1 black", "b1 heather")
    assert where("at least 1 white or at least 1 black", "b1 alfalfa")
    assert not where("at least 1 white or at least 1 black", "b1 elder")


def test_cards_condition_counts_orthogonal_neighbours() -> None:
    assert not where("at least 1 female", "a1 clover a3 oat c1 sage c3 thyme")
    assert where("at least 3 female", "b1 clover a2 oat c2 sage")
    assert where("at least 4 female", "b1 clover a2 oat c2 sage b3 thyme")
    assert not where("at most 3 female", "b1 clover a2 oat c2 sage b3 thyme")


def test_cards_condition_and_binds_tighter_than_or() -> None:
    assert where("no grey or at least 1 white and at least 1 black", "")
    assert not where("(no grey or at least 1 white) and at least 1 black", "")
    assert where("(no grey or at least 1 white) and at least 1 black", "b1 heather")


def test_cards_sale() -> None:
    position = do(table({"farm": "a1 garlic b1 alfalfa"}, market="oat"), "place", "sell garlic")
    assert moves(position) == ["draw deck", "draw oat"]
    do(position, "draw oat", "deal iris", "sell alfalfa")
    assert hand(position) == {"oat", "iris"}
    assert area(position, "discard") == {"garlic", "alfalfa"}
    assert has(position) == "", "a card without a sale value yields nothing"


def test_cards_coupon_now_draw() -> None:
    position = do(table({"hand": "mallow", "stock": "1 hay"}), "place", "place mallow a1")
    assert position.is_chance
    do(position, "deal oat")
    assert hand(position) == {"oat"}


def test_cards_coupon_now_sell_reserved() -> None:
    position = do(table({"hand": "nettle", "reserve": "barley sage"}), "place", "place nettle a1")
    assert moves(position) == ["done", "sell barley", "sell sage"]
    do(position, "sell barley")
    assert has(position) == "1 carrot"
    assert area(position, "discard") == {"barley"}
    assert position.to_dict()["player"][0]["reserve"] == ["sage"]
    assert "sell sage" not in moves(position), "only one"
    kept = do(table({"hand": "nettle", "reserve": "barley sage"}), "place", "place nettle a1", "done")
    assert "done" in moves(kept)
    none = do(table({"hand": "nettle"}), "place", "place nettle a1")
    assert moves(none) == ["done"], "nothing to sell: the second placement"


def test_cards_coupon_now_gain() -> None:
    position = do(table({"hand": "parsley", "stock": "3 hay"}), "place", "place parsley a1")
    assert moves(position) == ["take 3 carrot", "take 3 hay", "take 3 pellet"]
    gains = do(table({"hand": "oat", "reserve": "barley"}, market="sage"), "place", "place oat a1")
    assert has(gains) == "1 carrot"
    do(gains, "take 1 pellet 1 hay", "draw sage", "deal iris", "sell barley")
    assert has(gains) == "2 carrot 1 pellet 1 hay"


def test_cards_coupon_breed() -> None:
    position = do(table({"farm": "a1 quince b1 radish c1 umbel"}), "breed", "deal oat")
    assert has(position) == "1 carrot 1 hay"
    assert moves(position) == ["take 2 carrot", "take 2 hay", "take 2 pellet"]


def test_cards_coupon_end_neighbours() -> None:
    assert score("b2 vetch") == 1
    assert score("b2 vetch b1 alfalfa a2 clover c3 oat") == 1 + 1 + 1 + 1 + 2
    assert score("a1 borage b1 oat a2 daisy") == 0 + 1 + 3 + 6


def test_cards_coupon_end_same_row_and_column() -> None:
    assert score("b2 woodruff b1 alfalfa c3 fennel a2 radish") == 0 + 1 + 3 + 2 + 2 * 2
    assert score("a1 woodruff c1 alfalfa a3 lavender") == 0 + 1 + 1 + 2 * 2


def test_cards_coupon_end_resources_here() -> None:
    assert score("a1 yarrow+3") == 1 + 2 * 3
    assert score("a1 anise+2") == -2 + 2


def test_cards_logo() -> None:
    assert score("a1 quince b1 radish") == 3
    assert score("a1 quince b1 radish c1 sage") == 4 + 2
    assert score("a1 quince b1 thyme c1 umbel") == 2


# --- Areas ------------------------------------------------------------------------------------------------------------


def test_areas_market_of_three_and_reserve_of_two() -> None:
    with pytest.raises(nf.InputError):
        table({}, market="oat sage thyme iris")
    with pytest.raises(nf.InputError):
        table({"reserve": "oat sage thyme"})


def test_areas_supply_of_24() -> None:
    position = table({"farm": "a1 quince", "stock": "24 carrot"})
    assert has(do(position, "breed")) == "24 carrot", "a gain takes what is left"
    with pytest.raises(nf.InputError):
        table({"stock": "25 carrot"})


def test_areas_the_discards_become_the_deck_at_once() -> None:
    cards = {name: SMALL["cards"][name] for name in CARDS[:12]}
    position = table(
        {"hand": "fennel garlic", "reserve": "iris", "farm": "a1 alfalfa"},
        market="heather juniper knapweed", discard="barley clover daisy", rules={"cards": cards},
    )  # fmt: skip
    do(position, "refill", "done", "draw deck")
    assert {str(outcome) for outcome, _ in position.outcomes()} == {"deal elder", "deal lavender"}
    do(position, "deal elder", "draw deck", "deal lavender")
    assert area(position, "discard") == set()
    assert position.to_dict()["deck"] == 3
    do(position, "reserve lavender", "draw deck")
    assert {str(outcome) for outcome, _ in position.outcomes()} == {"deal barley", "deal clover", "deal daisy"}


def test_areas_a_draw_is_from_the_market_or_the_deck() -> None:
    position = do(table({"hand": "oat"}, market="iris sage thyme"), "refill", "done")
    assert moves(position) == ["draw deck", "draw iris", "draw sage", "draw thyme"]
    do(position, "draw sage")
    assert moves(position) == ["draw deck", "draw iris", "draw thyme"], "it is refilled only at the end of a turn"
    do(position, "draw iris", "draw deck", "deal elder", "done", "take 2 hay")
    for card in ("clover", "daisy"):
        do(position, f"deal {card}")
    assert area(position, "market") == {"thyme", "clover", "daisy"}


# --- Set-up -----------------------------------------------------------------------------------------------------------


def test_set_up_resources_draft_and_market() -> None:
    position = nf.game("coney", 3, ruleset=SMALL).start()
    assert [has(position, player) for player in range(3)] == ["1 carrot 1 pellet 1 hay"] * 3
    for card in CARDS[:15]:
        do(position, f"deal {card}")
    assert position.actors == (0, 1, 2)
    assert moves(position, 1) == sorted(f"keep {card}" for card in CARDS[5:10])
    position.play(0, f"keep {CARDS[0]}")
    assert position.view(1) == played_draft(1).view(1), "hidden until all have chosen"
    for seat in (1, 2):
        position.play(seat, f"keep {CARDS[5 * seat]}")
    assert moves(position, 1) == sorted(f"keep {card}" for card in CARDS[1:5]), "passed to the left"
    for keep in ((11, 1, 6), (7, 12, 2), (3, 8, 13)):
        position.play_all({seat: f"keep {CARDS[card]}" for seat, card in enumerate(keep)})
    assert area(position, "discard") == {CARDS[4], CARDS[9], CARDS[14]}, "the last card"
    for card in CARDS[15:18]:
        do(position, f"deal {card}")
    assert moves(position, 0) == ["breed", "place", "refill"]


def played_draft(number: int) -> nf.Position:
    """A draft in which player 0 has kept another of his cards."""
    position = nf.game("coney", 3, ruleset=SMALL).start()
    for card in CARDS[:15]:
        do(position, f"deal {card}")
    position.play(0, f"keep {CARDS[number]}")
    return position


# --- A turn -----------------------------------------------------------------------------------------------------------


def test_turn_place_sells_any_number_first() -> None:
    player = {"hand": "alfalfa", "farm": "a1 barley b1 yarrow+3 c1 nettle"}
    position = do(table(player), "place", "sell yarrow", "sell barley")
    assert has(position) == "2 carrot"
    assert farm(position) == "c1 nettle"
    assert area(position, "discard") == {"barley", "yarrow"}
    do(position, "place alfalfa a1")
    assert moves(position) == ["done"], "nobody is sold after the first placement"
    none = do(table(player), "place", "place alfalfa a2")
    assert farm(none) == "a1 barley b1 yarrow+3 c1 nettle a2 alfalfa"


def test_turn_place_up_to_two_from_hand_or_reserve() -> None:
    position = do(table({"hand": "alfalfa nettle", "reserve": "radish"}), "place", "place radish b2")
    assert position.to_dict()["player"][0].get("reserve", []) == []
    assert placements(position, "alfalfa") == "a1 a2 a3 b1 b3 c1 c2 c3"
    do(position, "place alfalfa b1")
    assert position.is_chance, "the turn is over"
    assert farm(position) == "b1 alfalfa b2 radish"


def test_turn_place_the_second_is_decided_after_the_first_is_resolved() -> None:
    position = do(table({"hand": "mallow", "stock": "1 hay"}), "place", "place mallow a1", "deal alfalfa")
    assert placements(position, "alfalfa") == "a2 a3 b1 b2 b3 c1 c2 c3"
    do(position, "done")
    assert farm(position) == "a1 mallow"


def test_turn_place_pays_the_cost() -> None:
    position = do(table({"hand": "clover barley", "stock": "1 pellet 1 hay"}), "place")
    assert placements(position, "barley") == ""
    do(position, "place clover a1")
    assert has(position) == ""


def test_turn_breed_feeds_each_rabbit_once() -> None:
    position = do(table({"farm": "a1 anise b1 yarrow c1 alfalfa", "stock": "2 hay 2 carrot"}), "breed")
    assert moves(position) == ["done", "feed anise", "feed yarrow"]
    do(position, "feed anise", "feed yarrow")
    assert farm(position) == "a1 anise+1 b1 yarrow+1 c1 alfalfa"
    assert has(position) == "1 carrot 1 hay"
    refused = do(table({"farm": "a1 anise", "stock": "2 hay"}), "breed", "done")
    assert farm(refused) == "a1 anise"
    assert do(table({"farm": "a1 anise", "stock": "2 carrot"}), "breed").is_chance, "no such resource in the stock"


def test_turn_breed_gains_can_be_fed() -> None:
    position = do(table({"farm": "a1 quince b1 yarrow"}), "breed", "feed yarrow")
    assert farm(position) == "a1 quince b1 yarrow+1"


def test_turn_refill() -> None:
    position = table({"hand": "alfalfa barley clover", "reserve": "daisy"}, market="oat sage thyme")
    do(
        position,
        "refill",
        "discard alfalfa",
        "discard clover",
        "done",
        "draw oat",
        "draw sage",
        "draw deck",
        "deal iris",
    )
    assert hand(position) == {"barley", "oat", "sage", "iris"}
    assert moves(position) == ["done", *sorted(f"reserve {card}" for card in hand(position))]
    do(position, "reserve iris")
    assert moves(position) == ["draw deck", "draw thyme"], "at most two in all"
    do(position, "draw thyme")
    assert moves(position) == sorted(
        f"take {gain}"
        for gain in ("2 carrot", "2 pellet", "2 hay", "1 carrot 1 pellet", "1 carrot 1 hay", "1 pellet 1 hay")
    )
    do(position, "take 1 carrot 1 hay")
    assert has(position) == "1 carrot 1 hay"
    assert area(position, "discard") == {"alfalfa", "clover"}
    assert set(position.to_dict()["player"][0]["reserve"]) == {"daisy", "iris"}


def test_turn_end_a_hand_over_four_is_discarded_down() -> None:
    position = do(table({"hand": "alfalfa barley clover daisy", "farm": "a1 thyme"}, market="oat sage"), "breed")
    do(position, "draw oat", "draw sage")
    assert len(hand(position)) == 6, "fine during the turn"
    do(position, "take 1 carrot 1 hay", "discard barley", "discard sage")
    assert hand(position) == {"alfalfa", "clover", "daisy", "oat"}
    assert area(position, "discard") == {"barley", "sage"}
    for card in ("iris", "elder", "fennel"):
        do(position, f"deal {card}")
    assert area(position, "market") == {"iris", "elder", "fennel"}
    few = do(table({"hand": "alfalfa barley"}, market="oat sage thyme"), "breed")
    assert hand(few) == {"alfalfa", "barley"}, "three and fewer stay as they are"


# --- Conditions and wilds ---------------------------------------------------------------------------------------------


def test_conditions_only_the_card_being_placed_is_checked() -> None:
    position = do(table({"hand": "barley", "farm": "b2 fennel", "stock": "1 carrot"}), "place", "place barley b1")
    assert farm(position) == "b1 barley b2 fennel", "Fennel would have no male and no black beside it"


def test_conditions_hold_at_the_moment_of_placing() -> None:
    position = do(table({"hand": "heather alfalfa"}), "place")
    assert placements(position, "heather") == ""
    do(position, "place alfalfa b2")
    assert placements(position, "heather") == "a2 b1 b3 c2"


def test_conditions_empty_cells_count_as_nothing() -> None:
    assert where("no male", "")
    assert where("at most 1 male", "")
    assert not where("at least 1 male", "")


def test_conditions_a_wild_is_neither_male_nor_female() -> None:
    assert where("no male and no female", "b1 chicory")
    assert not where("at least 1 male", "b1 chicory")
    assert not where("at least 1 female", "b1 chicory")


def test_conditions_a_wild_counts_as_no_colour_or_one() -> None:
    assert where("no white and no black and no grey and no brown and no orange", "b1 chicory a2 dill")
    assert where("at least 1 white", "b1 chicory")
    assert not where("at least 1 white and at least 1 black", "b1 chicory")
    assert where("at least 1 white and at least 1 black", "b1 chicory a2 dill")
    assert where("at least 1 white and at least 1 black", "b1 chicory a2 heather")
    assert where("at least 2 white and no black", "b1 chicory a2 dill")
    assert not where("at least 3 white", "b1 chicory a2 dill")


def test_conditions_a_rabbit_counts_for_each_of_its_colours() -> None:
    assert where("at least 1 orange and at least 1 white and at least 1 black", "b1 daisy")
    assert not where("no white", "b1 daisy")


# --- End and score ----------------------------------------------------------------------------------------------------

NINE = "a1 alfalfa b1 barley c1 clover a2 daisy b2 elder c2 fennel a3 garlic b3 heather c3 iris"
FULL_MARKET = "oat sage thyme"


def test_end_before_the_start_players_turn() -> None:
    position = table({}, {"farm": NINE}, {}, to_move=1, market=FULL_MARKET)
    do(position, "breed")
    assert position.actors == (2,), "the round is played to its end"
    do(position, "breed")
    assert position.is_over
    eight = table({}, {"farm": NINE.replace(" c3 iris", "")}, to_move=1, market=FULL_MARKET)
    assert do(eight, "breed").actors == (0,)


def test_end_only_what_lies_there_then_counts() -> None:
    position = table({"farm": NINE}, {}, to_move=1, market=FULL_MARKET)
    sold = table({}, {"farm": NINE}, to_move=1, market=FULL_MARKET)
    assert do(position, "breed").is_over
    assert do(sold, "place", "sell alfalfa", "done").actors == (0,)


def test_score() -> None:
    logos = "a1 quince b1 radish c1 sage"
    assert score("") == 0
    assert score("a1 daisy b1 anise") == 3 - 2
    assert score(logos, player={"stock": "2 carrot 2 hay", "reserve": "oat"}) == 4 + 2 + 1 - 2
    assert score("a1 yarrow+3", player={"stock": "2 hay"}) == 7, "resources on cards are not counted again"
    assert score("", player={"reserve": "oat iris"}) == -4, "it can be negative"


@pytest.mark.parametrize(("number", "points"), [(1, 0), (2, 0), (3, 2), (4, 4), (5, 6), (6, 6)])
def test_score_logos(number: int, points: int) -> None:
    cards = {
        f"shop{n}": {"sex": "female", "colours": "white", "coupon": "breed: 1 hay", "logo": "florist"} for n in range(6)
    }
    assert score(" ".join(f"{cell} shop{n}" for n, cell in enumerate(CELLS[:number])), cards=cards) == points


def test_score_highest_wins_ties_share() -> None:
    assert table({"farm": "a1 daisy"}, {"farm": "a1 alfalfa"}, {"farm": "a1 heather"}).winners() == [0, 2]
    assert table({"farm": "a1 daisy"}, {"farm": "a1 alfalfa"}).winners() == [0]


# --- Solo -------------------------------------------------------------------------------------------------------------


def test_solo_set_up() -> None:
    position = nf.game("coney", 1, ruleset=SMALL).start()
    assert has(position) == "1 carrot 1 pellet 1 hay"
    for card in ("iris", "barley", "clover", "daisy", "elder", "alfalfa"):
        do(position, f"deal {card}")
    do(position, "discard barley", "discard daisy")
    assert hand(position) == {"iris", "clover", "elder", "alfalfa"}
    assert area(position, "discard") == {"barley", "daisy"}
    do(position, "deal oat", "deal sage", "deal thyme")
    assert area(position, "market") == {"oat", "sage", "thyme"}
    assert moves(position) == ["breed", "place", "refill"]


def test_solo_never_the_same_action_in_two_turns_running() -> None:
    position = do(table({}, market=FULL_MARKET), "breed")
    assert moves(position) == ["place", "refill"]
    do(position, "place", "done")
    assert moves(position) == ["breed", "refill"]


def test_solo_nine_turns_always() -> None:
    position = table({"farm": NINE}, market=FULL_MARKET, turn=1)
    for turn in range(9):
        assert not position.is_over, "nine rabbits do not end it"
        do(position, *(["breed"] if turn % 2 else ["place", "done"]))
    assert position.is_over


def test_solo_bands() -> None:
    bands = nf.game("coney", 1).ruleset.bands  # type: ignore[attr-defined]
    assert [sum(points >= band for band in bands) for points in (0, 9, 10, 18, 19, 27, 28)] == [0, 0, 1, 1, 2, 2, 3]


# --- Options ----------------------------------------------------------------------------------------------------------


def test_options_defaults() -> None:
    assert dict(nf.game("coney", 2).options) == {
        "adjacency": "self", "touch": "off", "frame": "fixed", "wild_scores": "one", "second_draw": "must",
        "place_nothing": "on",
    }  # fmt: skip


def test_options_adjacency_mutual() -> None:
    player = {"farm": "b2 fennel", "hand": "barley", "stock": "1 carrot"}
    assert placements(do(table(player, adjacency="mutual"), "place"), "barley") == "a1 a3 c1 c3"
    broken = player | {"farm": "b2 fennel b1 radish"}
    assert placements(do(table(broken, adjacency="mutual"), "place"), "barley") == "a1 a2 a3 b3 c1 c2 c3"
    helped = {"farm": "b2 heather", "hand": "alfalfa"}
    assert "b1" in placements(do(table(helped, adjacency="mutual"), "place"), "alfalfa"), "broken before, whole now"


def test_options_touch_on() -> None:
    player = {"farm": "a1 alfalfa", "hand": "nettle"}
    assert placements(do(table(player, touch="on"), "place"), "nettle") == "a2 b1"
    assert placements(do(table(player), "place"), "nettle") == "a2 a3 b1 b2 b3 c1 c2 c3"


def test_options_frame_sliding() -> None:
    position = do(table({"farm": "a1 alfalfa b1 yarrow", "hand": "nettle radish"}, frame="sliding"), "place")
    assert placements(position, "nettle") == " ".join(sorted(
        f"{column}{row}" for column in "zabc" for row in range(-1, 4) if f"{column}{row}" not in ("a1", "b1")
    ))  # fmt: skip
    do(position, "place nettle z0")
    assert farm(position) == "a1 nettle b2 alfalfa c2 yarrow"
    assert placements(position, "radish") == "a0 a2 a3 b0 b1 b3 c0 c1 c3", "three columns and two rows are in use"


def test_options_wild_scores_none() -> None:
    assert score("a1 borage b1 chicory") == 3
    assert score("a1 borage b1 chicory", wild_scores="none") == 0


def test_options_second_draw_may() -> None:
    player = {"hand": "alfalfa barley clover daisy"}
    position = do(table(player, market=FULL_MARKET, second_draw="may"), "refill", "done", "reserve alfalfa", "done")
    assert moves(position) == ["done", "draw deck", "draw oat", "draw sage", "draw thyme"]
    assert moves(do(position, "done"))[0].startswith("take")
    must = do(table(player, market=FULL_MARKET), "refill", "done", "reserve alfalfa", "done")
    assert "done" not in moves(must)
    first = do(table({}, market=FULL_MARKET, second_draw="may"), "refill")
    assert "done" not in moves(first), "the first draws are made"


def test_options_place_nothing_off() -> None:
    assert moves(table({"hand": "barley"}, place_nothing="off")) == ["breed", "refill"]
    assert moves(table({"hand": "barley"})) == ["breed", "place", "refill"]
    assert "done" in moves(do(table({"hand": "alfalfa"}), "place"))


@pytest.mark.parametrize(("supply", "hay"), [(4, 4), ("unlimited", 104)])
def test_options_supply(supply: int | str, hay: int) -> None:
    stock = f"{hay - 4} hay" if supply == "unlimited" else "1 hay"
    position = table({"farm": "a1 juniper", "stock": stock}, rules={"supply": supply})
    do(position, "place", "sell juniper", "take 4 hay" if supply == "unlimited" else "take 3 hay")
    assert has(position) == f"{hay} hay"


# --- Rulings ----------------------------------------------------------------------------------------------------------


def test_rulings_a_card_from_the_market_is_known_one_from_the_deck_to_its_owner() -> None:
    position = do(table({"hand": ""}, {}, market="oat sage thyme"), "refill", "draw oat", "draw deck", "deal iris")
    view = position.view(1).to_dict()["player"][0]["hand"]
    names = [card if isinstance(card, str) else card["card"] for card in view]
    assert sorted(names) == ["?", "oat"]
    assert position.view(0) == position


def test_rulings_in_the_draft_one_knows_what_one_passed_on() -> None:
    """With two players each sees what the other took of the pack that he passed on."""
    position = nf.game("coney", 2, ruleset=SMALL).start()
    for card in CARDS[:10]:
        do(position, f"deal {card}")
    position.play_all({0: f"keep {CARDS[0]}", 1: f"keep {CARDS[5]}"})
    position.play_all({0: f"keep {CARDS[6]}", 1: f"keep {CARDS[1]}"})
    for seed in range(20):
        world = position.copy()
        world.resample(0, nf.Generator(seed))
        kept = {card if isinstance(card, str) else card["card"] for card in world.to_dict()["player"][1]["hand"]}
        assert CARDS[1] in kept
        assert kept.isdisjoint({CARDS[0], *CARDS[2:5], *CARDS[6:10]})


def test_rulings_discards_are_open() -> None:
    position = do(table({"hand": "oat iris"}, {}), "refill", "discard oat")
    assert position.view(1).to_dict()["discard"] == ["oat"]


def test_rulings_payments_and_tokens_go_back_to_the_supply() -> None:
    position = table({"farm": "a1 yarrow+4 b1 quince", "hand": "barley"}, rules={"supply": 4})
    assert has(do(position.copy(), "breed")) == ""
    do(position, "place", "sell yarrow")
    assert has(position) == "1 carrot"
    do(position, "place barley a1", "done")
    assert has(position) == ""
    start = nf.game("coney", 4, ruleset=SMALL | {"supply": 4}).start()
    assert [has(start, player) for player in range(4)] == ["1 carrot 1 pellet 1 hay"] * 4


def test_rulings_a_wild_chooses_once_for_a_whole_condition_and_anew_for_each() -> None:
    assert not where("at least 1 white and at least 1 black", "b1 chicory")
    assert where("at least 1 white or at least 1 black", "b1 chicory")
    cards = {
        "alfalfa": {"sex": "female", "colours": "grey", "condition": "at least 1 white"},
        "clover": {"sex": "female", "colours": "grey", "condition": "at least 1 black"},
    }
    player = {"hand": "alfalfa clover", "farm": "b2 chicory"}
    for adjacency in ("self", "mutual"):
        position = do(table(player, cards=cards, adjacency=adjacency), "place", "place alfalfa b1", "place clover a2")
        assert farm(position) == "b1 alfalfa a2 clover b2 chicory"


def test_rulings_missing_fields_of_a_wild() -> None:
    position = do(table({"hand": "chicory"}), "place")
    assert placements(position, "chicory") == " ".join(sorted(CELLS))
    assert score("a1 chicory") == 0
    sold = do(table({"farm": "a1 chicory"}), "place", "sell chicory")
    assert has(sold) == ""


def test_rulings_same_row_and_column_each_rabbit_once_and_not_itself() -> None:
    cards = {"alfalfa": {"sex": "female", "colours": "white", "coupon": "end: 1 per line female"}}
    assert score("b2 alfalfa", cards=cards) == 0
    assert score("b2 alfalfa a2 umbel b3 umbel".replace("b3 umbel", "b3 borage"), cards=cards) == 2


def test_rulings_negative_points_never_count_a_wild() -> None:
    assert score("a1 zinnia b1 chicory") == 3
    assert score("a1 zinnia b1 oat") == 3 + 1 - 1


def test_rulings_a_sale_gives_resources_first_and_the_card_is_discarded_last() -> None:
    position = do(table({"farm": "a1 fennel"}), "place", "sell fennel")
    assert moves(position)[0].startswith("take")
    assert area(position, "discard") == set()
    do(position, "take 3 hay")
    assert position.is_chance
    assert "deal fennel" not in map(str, (outcome for outcome, _ in position.outcomes()))
    do(position, "deal oat")
    assert area(position, "discard") == {"fennel"}


def test_rulings_gains_from_a_short_supply() -> None:
    def gains(card: str, stock: str) -> list[str]:
        return moves(do(table({"farm": f"a1 {card}", "stock": stock}, rules={"supply": 4}), "place", f"sell {card}"))

    assert gains("clover", "3 carrot 4 pellet 3 hay") == ["done"], "the only way is taken at once"
    assert gains("clover", "2 carrot 4 pellet 3 hay") == ["take 1 carrot 1 hay", "take 2 carrot"]
    assert gains("daisy", "3 carrot 4 pellet 2 hay") == ["take 1 carrot", "take 2 hay"]
    assert gains("iris", "4 carrot 4 pellet 2 hay") == ["done"]
    assert gains("elder", "3 carrot 4 pellet 2 hay") == ["done"]
    assert gains("elder", "4 carrot 4 pellet 4 hay") == ["done"]


def test_rulings_a_draw_with_no_deck_and_no_discards() -> None:
    cards = {name: SMALL["cards"][name] for name in CARDS[:9]}
    player = {"hand": "alfalfa barley", "reserve": "clover daisy", "farm": "a1 elder b1 fennel c1 garlic"}
    position = do(table(player, market="heather iris", rules={"cards": cards}), "refill", "done")
    assert moves(position) == ["draw heather", "draw iris"]
    do(position, "draw iris")
    assert hand(position) == {"alfalfa", "barley", "heather", "iris"}, "the last one without being asked"
    lapsed = do(
        table(player | {"farm": "a1 elder b1 fennel c1 garlic a2 heather b2 iris"}, rules={"cards": cards}), "refill"
    )
    assert moves(do(lapsed, "done"))[0].startswith("take")


def test_rulings_touch_the_first_card_is_any_card_on_an_empty_farm() -> None:
    assert placements(do(table({"hand": "nettle"}, touch="on"), "place"), "nettle") == " ".join(sorted(CELLS))
    sold = do(table({"hand": "nettle", "farm": "a1 alfalfa"}, touch="on"), "place", "sell alfalfa")
    assert placements(sold, "nettle") == " ".join(sorted(CELLS))


def test_rulings_sliding_the_box_is_that_of_the_rabbits_lying_there_now() -> None:
    position = do(table({"hand": "nettle", "farm": "a1 alfalfa c3 radish"}, frame="sliding"), "place")
    assert placements(position, "nettle") == "a2 a3 b1 b2 b3 c1 c2"
    do(position, "sell alfalfa")
    assert farm(position) == "a1 radish"
    assert len(placements(position, "nettle").split()) == 24


def test_rulings_place_nothing_off() -> None:
    position = do(table({"hand": "alfalfa", "farm": "a1 barley"}, place_nothing="off"), "place")
    assert "done" not in moves(position), "the first placement must be made if there is one"
    assert "done" not in moves(do(position, "sell barley"))
    do(position, "place alfalfa a1")
    assert moves(position) == ["done"]
    only = do(table({"farm": "a1 barley"}, place_nothing="off"), "place")
    assert moves(only) == ["sell barley"]
    assert moves(do(only, "sell barley")) == ["done"]


def test_rulings_second_draw_may_stop_before_any_card() -> None:
    player = {"hand": "alfalfa barley clover daisy"}
    position = table(player, market=FULL_MARKET, second_draw="may")
    do(position, "refill", "done", "reserve alfalfa", "reserve barley", "draw oat")
    assert moves(position) == ["done", "draw deck", "draw sage", "draw thyme"]
    assert moves(do(position, "done"))[0].startswith("take")


def test_rulings_breed_may_be_chosen_with_no_coupons() -> None:
    position = do(table({"farm": "a1 alfalfa"}, market=FULL_MARKET), "breed")
    assert moves(position) == ["place", "refill"]


def test_rulings_a_game_is_ended_by_max_rounds() -> None:
    position = table({}, {"farm": "a1 alfalfa"}, to_move=1, market=FULL_MARKET, turn=40)
    assert do(position, "breed").is_over
    assert position.winners() == [1]
    assert nf.game("coney", 2).ruleset.max_rounds == 40  # type: ignore[attr-defined]
    sooner = table({}, {}, to_move=1, market=FULL_MARKET, turn=2, rules={"max_rounds": 2})
    assert do(sooner, "breed").is_over
