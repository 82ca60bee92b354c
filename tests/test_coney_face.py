"""Coney's face: the grammar of cards, decks and warnings, position files, notation, pictures."""

from __future__ import annotations

import itertools
import json
import random
import re
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ninefold as nf
from ninefold.files import from_dict
from ninefold.games import coney_cards
from ninefold.games.coney import MODULE, PLACES, SIGNS, Ask, ConeyRuleset, Task
from ninefold.games.coney_cards import ATTRIBUTES, RESOURCES, Clause, Effect, condition, cost, coupon, sale
from tests.complaints import altered
from tests.positions import walk
from tests.shell import ROOT, run

TEMPLATE = ROOT / "docs/games/coney-deck-template.toml"
EXAMPLES = [file for file in sorted((ROOT / "examples/coney").glob("*.toml")) if "question" not in file.read_text()]

# --- the grammar of cards ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("read", "text", "canonical"),
    [
        (cost, "", ""),
        (cost, "2 carrot 1 any", "2 carrot 1 any"),
        (cost, " Carrot carrots, HAY ", "2 carrot 1 hay"),
        (cost, "any any 3 pellets", "3 pellet 2 any"),
        (sale, "", ""),
        (sale, "draw", "draw 1"),
        (sale, "draw 2 hay", "1 hay, draw 2"),
        (sale, "2 same 1 any 3 different", "2 same 1 any 3 different"),
        (sale, "1 any, 2 same, any", "2 any 2 same"),
        (sale, "1 carrot, draw, draw", "1 carrot, draw 2"),
        (coupon, "", ""),
        (coupon, "now: sell reserved, draw", "now: draw 1, sell reserved"),
        (coupon, "NOW:2 same", "now: 2 same"),
        (coupon, "breed: hay, carrot", "breed: 1 carrot 1 hay"),
        (coupon, "end: per line white", "end: 1 per line white"),
        (coupon, "end: -2 per neighbour male", "end: -2 per neighbour male"),
        (coupon, "end: 1 per carrots here", "end: 1 per carrot here"),
        (condition, "", ""),
        (condition, "at most 0 male", "no male"),
        (condition, "((no male))", "no male"),
        (condition, "no male and (no black and no white)", "no male and no black and no white"),
        (condition, "no male and (no black or no white)", "no male and (no black or no white)"),
        (condition, "no male and no black or no white", "no male and no black or no white"),
    ],
)
def test_texts_have_a_canonical_form(read: Any, text: str, canonical: str) -> None:
    found = read(text)
    assert str(found) == canonical
    assert read(canonical) == found


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (cost, "2 carots", "column 3: unknown word 'carots': did you mean 'carrot'?"),
        (cost, "2", "ends too early: carrot, pellet, hay or any is missing"),
        (cost, "carrot,", "ends too early: carrot, pellet, hay or any is missing"),
        (cost, "10 hay", "column 1: must be 1 to 9, not 10"),
        (cost, "0 hay", "column 1: must be 1 to 9, not 0"),
        (cost, "5 hay 5 hay", "column 9: at most 9 hay, not 10"),
        (cost, "9" * 399, "column 1: must be 1 to 9, not 999999999"),
        (cost, "h" * 401, "at most 400 characters, not 401"),
        (sale, "4 different", "column 3: at most 3 different, not 4"),
        (sale, "2 same 2 same 2 same 2 same", "column 24: at most 3 groups of any, same or different"),
        (sale, "2 draw", "column 3: carrot, pellet, hay, any, same or different is expected, not 'draw'"),
        (sale, "draw 6", "column 6: must be 1 to 5, not 6"),
        (sale, "draw 3 draw 3", "column 13: at most 5 draws, not 6"),
        (sale, "sell reserved", "column 1: unknown word 'sell'"),
        (coupon, "brede: 1 hay", "column 1: unknown word 'brede': did you mean 'breed'?"),
        (coupon, "breed 1 hay", "column 7: ':' is expected, not '1'"),
        (coupon, "breed:", "ends too early: carrot, pellet, hay, any, same, different or draw is missing"),
        (coupon, "now: sell", "ends too early: reserved is missing"),
        (coupon, "now: sell reserved sell reserved", "column 20: only one reserved card can be sold"),
        (coupon, "end: 2 per neighbor male", "column 12: unknown word 'neighbor': did you mean 'neighbour'?"),
        (coupon, "end: 2 per line hay", "column 17: male, female, white, black, grey, brown or orange is expected"),
        (coupon, "end: 2 per hay", "ends too early: here is missing"),
        (coupon, "end: 10 per hay here", "column 6: must be 1 to 9, not 10"),
        (coupon, "end: 1 per hay here now", "column 21: 'now' is too much"),
        (condition, "no blak", "column 4: unknown word 'blak': did you mean 'black'?"),
        (condition, "at most 4 grey", "column 9: must be 0 to 3, not 4"),
        (condition, "at least 0 grey", "column 10: must be 1 to 4, not 0"),
        (condition, "at least grey", "column 10: a number is expected, not 'grey'"),
        (condition, "no male no black", "column 9: and or or is expected, not 'no'"),
        (condition, "no male and", "ends too early: no, at or '(' is missing"),
        (condition, "(no male", "ends too early: ')' is missing"),
        (condition, "no male)", "column 8: and or or is expected, not ')'"),
        (condition, "(" * 50, "column 21: too many parentheses in one another"),
        (condition, "no male and at least 1 male", "no neighbours can ever satisfy this"),
        (condition, "at least 3 male and at least 2 female", "no neighbours can ever satisfy this"),
        (
            condition,
            " or ".join(f"at least 1 {a} and at least 1 {b}" for a, b in itertools.pairwise(ATTRIBUTES))
            + " or at least 2 male or at least 3 orange or at least 4 grey",
            "9 alternatives, at most 8",
        ),
    ],
)
def test_slips_are_named_with_their_column(read: Any, text: str, message: str) -> None:
    with pytest.raises(nf.InputError) as error:
        read(text)
    assert str(error.value).startswith(message)


def test_conditions_are_multiplied_out() -> None:
    def clause(**bounds: tuple[int, int]) -> Clause:
        pairs = [bounds.get(name, (0, 4)) for name in ATTRIBUTES]
        return Clause(tuple(least for least, _ in pairs), tuple(most for _, most in pairs))

    assert condition("no male and (at most 1 black or at least 2 white)").clauses == (
        clause(male=(0, 0), black=(0, 1)), clause(male=(0, 0), white=(2, 4)),
    )  # fmt: skip
    assert condition("at least 1 white and at least 2 white").clauses == (clause(white=(2, 4)),)
    assert condition("no male or no male and no black").clauses == (clause(male=(0, 0)),), "the second says nothing"
    assert condition("no male or at least 1 black and no black").clauses == (clause(male=(0, 0)),)


atoms = st.builds(
    lambda word, n, name: f"no {name}" if word == "no" else f"at {word} {n} {name}",
    st.sampled_from(["no", "most", "least"]), st.integers(1, 3), st.sampled_from(ATTRIBUTES),
)  # fmt: skip
conditions = st.recursive(
    atoms,
    lambda inner: st.builds(
        lambda joint, parts: f" {joint} ".join(f"({part})" for part in parts),
        st.sampled_from(["and", "or"]), st.lists(inner, min_size=2, max_size=3),
    ),
    max_leaves=5,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(conditions, st.lists(st.sets(st.sampled_from(ATTRIBUTES)), max_size=4))
def test_alternatives_mean_what_the_text_says(text: str, around: list[set[str]]) -> None:
    """Against Python's own evaluation of the same text."""
    counts = {name: sum(name in one for one in around) for name in ATTRIBUTES}
    code = re.sub(r"at least (\d) (\w+)", r"(counts['\2'] >= \1)", text)
    code = re.sub(r"at most (\d) (\w+)", r"(counts['\2'] <= \1)", re.sub(r"no (\w+)", r"(counts['\1'] == 0)", code))
    if any({"male", "female"} <= one for one in around):
        return  # there is no such rabbit, and the alternatives rely on it
    wanted = eval(code, {"counts": counts})
    try:
        found = condition(text)
    except nf.InputError as error:
        said = str(error)
    else:
        said = ""
    if said:
        assert not wanted or "alternatives" in said
        return
    holds = [
        all(least <= counts[name] <= most for name, least, most in zip(ATTRIBUTES, *clause, strict=True))
        for clause in found.clauses
    ]
    assert any(holds) == wanted
    assert condition(str(found)).clauses == found.clauses


@settings(max_examples=300, deadline=None)
@given(st.text("nowed: 12,()", max_size=12) | st.text(max_size=20))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    for read in (cost, sale, coupon, condition):
        said = ""
        try:
            found = read(text)
        except nf.InputError as error:
            said = str(error)
        else:
            assert read(str(found)) == found
        assert len(said.splitlines()) <= 1


# --- decks ------------------------------------------------------------------------------------------------------------


def deck(**cards: dict[str, Any]) -> ConeyRuleset:
    found = altered("coney", cards=cards)
    assert isinstance(found, ConeyRuleset)
    return found


def test_the_invented_deck_keeps_to_what_is_known_of_the_box() -> None:
    assert MODULE.standard().warnings() == []
    assert "invented" in MODULE.standard().title
    assert "INVENTED" in (ROOT / "python/ninefold/games/coney.toml").read_text()
    assert "(invented deck)" in str(nf.game("coney").deal(1))


def test_the_invented_deck_uses_all_of_the_grammar() -> None:
    cards = MODULE.standard().cards.values()
    rabbits = [card for card in cards if card.sex != "wild"]
    texts = [text for card in cards for text in (card.cost, card.sale, card.coupon, card.condition)]
    for word in (
        *ATTRIBUTES, *RESOURCES, "any", "same", "different", "draw", "sell reserved", "now:", "breed:", "end:",
        "neighbour", "line", "here", "and", "or", "(", "no", "at most", "at least",
    ):  # fmt: skip
        assert any(word in text for text in texts), word
    assert {card.power.counted for card in cards if card.power.counts == "here"} == set(RESOURCES)
    counted = {card.power.counted for card in cards if card.power.counts in ("neighbour", "line")}
    assert counted == set(ATTRIBUTES)
    assert any(card.value.draws for card in cards)
    assert {len(card.hues) for card in rabbits} == {1, 2, 3}
    assert {card.points for card in rabbits} == {1, 2, 3}
    assert {card.logo for card in cards} == {"", *MODULE.standard().logos}
    wilds = [card for card in cards if card.sex == "wild"]
    assert {bool(card.coupon) for card in wilds} == {True, False}


def test_the_page_lists_the_invented_deck() -> None:
    page = (ROOT / "docs/games/coney.md").read_text()
    for name, card in MODULE.standard().cards.items():
        head = [f"`{name}`", f"{card.points} {SIGNS[card.sex]}", " ".join(card.hues)]
        cells = [*head, card.cost, card.condition, card.sale, card.coupon, card.logo]
        assert f"| {' | '.join(cells)} |" in page


def test_texts_of_the_invented_deck_are_canonical() -> None:
    for card in MODULE.standard().cards.values():
        read = (card.price, card.demand, card.value, card.power)
        assert [str(one) for one in read] == [card.cost, card.condition, card.sale, card.coupon]


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ({"condition": "no blak"}, "cards.clover.condition: column 4: unknown word 'blak': did you mean 'black'?"),
        ({"cost": "2 carots"}, "cards.clover.cost: column 3: unknown word 'carots'"),
        ({"sale": "2 sane"}, "cards.clover.sale: column 3: unknown word 'sane': did you mean 'same'?"),
        ({"coupon": "breed: 1 carott"}, "cards.clover.coupon: column 10: unknown word 'carott': did you mean 'carrot'"),
        ({"colours": "wite"}, "cards.clover.colours: unknown colour 'wite': did you mean 'white'?"),
        ({"colours": "white white"}, "cards.clover.colours: the same colour twice"),
        ({"colours": ""}, "cards.clover.colours: a rabbit has 1 to 3 colours, not 0"),
        ({"colours": "white, black, grey, brown"}, "cards.clover.colours: a rabbit has 1 to 3 colours, not 4"),
        ({"sex": "femal"}, "cards.clover.sex: unknown value 'femal': did you mean 'female'?"),
        ({"sex": "wild"}, "cards.clover.colours: a wild has no colours of its own"),
        ({"points": 101}, "cards.clover.points: must be -100 to 100, not 101"),
        ({"points": "2"}, "cards.clover.points: must be a whole number, not '2'"),
        ({"logo": "bakry"}, "cards.clover.logo: unknown logo 'bakry': did you mean 'bakery'?"),
        ({"cots": "1 hay"}, "cards.clover: unknown field 'cots': did you mean 'cost'?"),
    ],
)
def test_slips_in_a_card(card: dict[str, Any], message: str) -> None:
    with pytest.raises(nf.InputError) as error:
        deck(clover=card)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"hand": 9}, "hand: must be 1 to 8, not 9"),
        ({"market": 0}, "market: must be 1 to 4, not 0"),
        ({"reserve": 3}, "reserve: must be 0 to 2, not 3"),
        ({"turns": 0}, "turns: must be 1 to 60, not 0"),
        ({"supply": 3}, "supply: must be 4 to 9999 or 'unlimited', not 3"),
        ({"supply": "endless"}, "supply: "),
        ({"logos": ["a", "b", "c", "d"]}, "logos: at most 3 different logos"),
        ({"logos": ["a", "a"]}, "logos: at most 3 different logos"),
        ({"logo_points": []}, "logo_points: points for 0, 1, 2"),
        ({"logo_points": [1, 2]}, "logo_points[0]: a shop without cards gives no points"),
        ({"bands": [19, 10]}, "bands: bands begin at rising points"),
        ({"cards": {"deck": {"points": 1, "sex": "wild"}}}, "cards: a card's name is lower-case letters"),
        ({"cards": {"Clover": {"points": 1, "sex": "wild"}}}, "cards: a card's name is lower-case letters"),
        ({"cards": {f"c{i}": {"points": 1, "sex": "wild"} for i in range(9)}}, "cards: 1 to 80 cards, not 81"),
        ({"cards": {"clovr": {"points": 3}}}, "cards: unknown entry 'clovr': did you mean 'clover'?"),
        ({"options": {"touch": {"default": "of"}}}, "options.touch.default: the default 'of' is none of its values"),
    ],
)
def test_slips_in_a_deck(data: dict[str, Any], message: str) -> None:
    with pytest.raises(nf.InputError) as error:
        altered("coney", **data)
    assert str(error.value).startswith(message)


def test_too_few_cards_to_deal() -> None:
    cards = {f"c{i}": {"points": 1, "colours": "white", "sex": "male"} for i in range(9)}
    assert nf.game("coney", 1, ruleset={"cards": cards})
    with pytest.raises(nf.InputError, match="9 cards are too few: 13 are dealt to 2 players and the market"):
        nf.game("coney", 2, ruleset={"cards": cards})


def test_warnings_say_where_a_deck_departs_from_the_box() -> None:
    changed = deck(
        clover={"points": 4, "cost": ""},
        acorn={"logo": "bakery", "coupon": "now: draw 1"},
        newcomer={"points": 1, "colours": "grey", "sex": "male", "cost": "1 hay", "sale": "1 hay"},
        shadow={"points": 1, "colours": ["grey"], "sex": "male", "cost": "hay", "sale": "hay"},
    )
    found = [str(remark) for remark in changed.warnings()]
    assert found == [
        "cards: 74 cards: the box has 72",
        "cards: 20 male: the box has 18",
        "cards.acorn.logo: in the box only cards with a coupon of the time breed have a logo",
        "cards.clover.points: the rabbits of the box have 1 to 3 points, not 4",
        "cards.clover.cost: no cost: has it been forgotten?",
        "cards.shadow: the same as newcomer: all cards of the box are different",
    ]
    found = [remark.path for remark in altered("coney", hand=5, supply=30, logo_points=[0]).warnings()]
    assert found == ["hand", "supply", "logo_points"]


def test_check_prints_warnings(tmp_path: Path) -> None:
    done = run("check", str(TEMPLATE))
    assert done.stdout == f"{TEMPLATE}: a ruleset of coney: Coney, typed from the box by …\n"
    assert done.stderr.startswith(f"ninefold: {TEMPLATE}: warning: cards: 4 cards: the box has 72\n")
    (found,) = json.loads(run("check", "--json", str(TEMPLATE)).stdout)
    assert found["warnings"][0] == {"path": "cards", "message": "4 cards: the box has 72"}
    bad = tmp_path / "bad.toml"
    bad.write_text(TEMPLATE.read_text().replace("at most 1 black", "at most 1 blak"))
    done = run("check", str(bad), code=2)
    wanted = "cards.first_example.condition: column 23: unknown word 'blak': did you mean 'black'?"
    assert done.stderr == f"ninefold: bad.toml: {wanted}\n"


def test_positions_of_another_deck_come_back() -> None:
    """Also where cards of the invented deck are missing from it, or stand in another order."""
    cards = {name: {"points": 1, "colours": "white", "sex": "male"} for name in "abcdefghijkl"}
    standard = tomllib.loads((ROOT / "python/ninefold/games/coney.toml").read_text())["cards"]
    for ruleset in ({"cards": cards}, {"cards": dict(reversed(standard.items()))}, {"extends": "standard", "hand": 3}):
        position = nf.game("coney", 1, ruleset=ruleset).deal(1)
        again = from_dict(json.loads(position.to_json()))
        assert isinstance(again, nf.Position)
        assert again.game is position.game
        assert again == position


# --- notation ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"frame": "sliding"}])
def test_every_move_parses_back(options: dict[str, str]) -> None:
    game = nf.game("coney", 3, options=options)
    texts = [move.text for move in game.moves if not move.text.startswith("#")]
    assert len(set(texts)) == len(texts)
    for text in texts:
        assert game.move(text.upper().replace(" ", "  ")).text == text
    for outcome in game.outcomes:
        assert outcome.text.startswith("#") or game.outcome(outcome.text) is outcome
    for seed in range(3):
        for position in walk(game, seed):
            assert not any(str(move).startswith("#") for player in position.actors for move in position.legal(player))


def test_words_of_the_notation() -> None:
    texts = {move.text for move in nf.game("coney").moves}
    assert texts >= {
        "place", "breed", "refill", "done", "draw deck", "draw clover", "keep clover", "discard clover",
        "reserve clover", "sell clover", "feed clover", "place clover b2", "pay 2 carrot 1 hay",
        "take 1 pellet 1 hay", "take 9 hay",
    }  # fmt: skip
    assert "place clover z2" not in texts
    assert {"place clover z2", "place clover c-1"} <= {move.text for move in nf.game("coney", frame="sliding").moves}
    assert nf.game("coney").outcome("deal clover")


# --- positions --------------------------------------------------------------------------------------------------------


def table(**fields: Any) -> dict[str, Any]:
    """A typed solo position, with other fields."""
    base: dict[str, Any] = {
        "ninefold": 1, "game": "coney", "turn": 5, "last": "refill", "market": ["clover", "fern", "ash"],
        "player": [{"farm": ["acorn+2 - -", "- comet -", "- - -"], "hand": ["hazel"], "stock": {"hay": 2}}],
    }  # fmt: skip
    return {**base, **fields}


def player(**fields: Any) -> list[dict[str, Any]]:
    return [{**table()["player"][0], **fields}]


def test_what_is_left_out_follows() -> None:
    position = from_dict(table())
    assert isinstance(position, nf.Position)
    data = position.to_dict()
    assert data["deck"] == 72 - 3 - 2 - 1
    assert [str(move) for move in position.legal()] == ["place", "breed"], "never the same action twice running"
    assert from_dict(data) == position


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (table(market=["clovr"]), "market[0]: unknown card 'clovr': did you mean 'clover'?"),
        (table(market=["acorn"]), "player[0].farm.a1: acorn lies also at market[0]"),
        (table(market=["clover", "fern", "ash", "ivy"]), "market: must be 0 to 3, not 4"),
        (table(turn=0), "turn: must be 1 to 10, not 0"),
        (table(last=""), "last: which action was that of the turn before"),
        (table(last="reful"), "last: unknown value 'reful': did you mean 'refill'?"),
        (table(to_move=1), "to_move: must be 0 to 0, not 1"),
        (table(deck=50), "deck: 50 cards, but 66 are seen nowhere else"),
        (table(reshuffles=1), "reshuffles: only with several players"),
        (table(order=["acorn"]), "player[0].farm.a1: acorn lies also at order[0]"),
        (table(player=player(farm=["- -"])), "player[0].farm: 3 rows of 3 words"),
        (table(player=player(farm=["comet+1 - -", "- - -", "- - -"])), "player[0].farm.a1: no resources lie on comet"),
        (
            table(player=player(farm=["acorn+x - -", "- - -", "- - -"])),
            "player[0].farm.a1: 'acorn+2' is acorn",
        ),
        (table(player=player(hand=["?"])), "player[0].hand[0]: alone one knows one's hand"),
        (table(player=player(hand=["hazel", "hazel"])), "player[0].hand[1]: hazel lies also at player[0].hand[0]"),
        (table(player=player(reserve=["ivy", "iris", "anise"])), "player[0].reserve: must be 0 to 2, not 3"),
        (table(player=player(stock={"hay": 25})), "player: 25 hay in stocks and on cards, there are 24"),
        (table(player=player(stock={"pellet": 23})), "player: 25 pellet in stocks and on cards, there are 24"),
        (table(player=player(stock={"hey": 1})), "player[0].stock: unknown field 'hey': did you mean 'hay'?"),
        (table(player=player(stock={"hay": -1})), "player[0].stock.hay: must be 0 to 9999, not -1"),
        (table(player=player(pack=["ivy"])), "player[0].pack: only in the draft"),
        (table(player=player(keeps="ivy")), "player[0].keeps: ivy is not in the pack"),
        (table(pending={"ask": "tke"}), "pending.ask: unknown value 'tke': did you mean 'take'?"),
        (table(pending={"ask": "take"}), "pending.task: take is part of sale or sale_reserved or coupon"),
        (
            table(pending={"ask": "take", "task": "gather"}, last="breed"),
            "pending.ask: last must be the action of this",
        ),
        (
            table(pending={"ask": "take", "task": "breeding", "cell": "b2"}, last="breed"),
            "pending.cell: no rabbit with",
        ),
        (table(pending={"ask": "feed", "cell": "d4"}, last="breed"), "pending.cell: a cell a1 to c3, not 'd4'"),
        (table(pending={"ask": "feed", "cell": "a1"}, last="breed"), "pending.ask: there is nothing to choose"),
        (table(pending={"ask": "limit"}), "pending.ask: the hand has no more than 4 cards"),
        (table(pending={"ask": "reserve", "card": "ivy"}), "pending.card: only for pay, a sale or a coupon"),
        (table(pending={"ask": "draft"}), "pending.task: the set-up is before the first"),
        (
            table(pending={"ask": "pay", "card": "ivy", "cell": "b2"}, last="place"),
            "pending.cell: nothing can be placed",
        ),
        (table(pending={"ask": "market"}, market=["clover", "fern", "ash"]), "pending.ask: the market is full"),
        (table(pending={"ask": "drawn", "task": "fill_up"}, order=["ivy"]), "pending.ask: chance reveals a card"),
        (table(pending={"ask": "draw", "task": "sale", "card": "ivy"}, last="place"), "pending.draws: must be 1 to 0"),
    ],
)
def test_slips_in_a_position(data: dict[str, Any], message: str) -> None:
    with pytest.raises(nf.InputError) as error:
        from_dict(data)
    assert str(error.value).startswith(message)
    assert len(str(error.value).splitlines()) == 1


def test_slips_in_a_position_of_several_players() -> None:
    base = nf.game("coney", 2).deal(1).view(0).to_dict()
    draft = nf.read(ROOT / "examples/coney/draft.toml").to_dict()  # type: ignore[union-attr]
    secret = {"farm": [], "hand": 2, "stock": {}}
    one = {"ninefold": 1, "game": "coney", "player": [{"farm": []}, secret]}
    assert isinstance(from_dict(one), nf.View)
    for data, message in [
        ({**one, "player": [secret, secret]}, "player: every hand has unknown cards: whose view is this?"),
        ({**one, "last": "breed"}, "last: only with one player"),
        ({**one, "player": [{}, {"hand": 9}]}, "player[1].hand: must be 0 to 4, not 9"),
        ({**one, "hidden": [{"cards": ["ivy"]}]}, "hidden[0]: needs an age, or a pack and a pick"),
        ({**one, "hidden": [{"cards": ["ivy"], "pick": 0, "pack": 1}]}, "hidden: 1 cards for 0 '?' of the same age"),
        ({**one, "hidden": [{"cards": ["ivy"], "age": 1}]}, "hidden[0].age: must be 0 to 0, not 1"),
        ({**base, "deck": 63, "player": [base["player"][0], {"hand": 4}]}, "pending.ask: player 1 has 4 cards"),
        (
            {**base, "pending": {"ask": "draft", "pick": 1}},
            "pending.pick: player 0 has not kept one card at each of 1 ",
        ),
        ({**draft, "pending": {"ask": "draft", "pick": 1}}, "pending.pick: player 0 has not kept one card at each of "),
    ]:
        with pytest.raises(nf.InputError) as error:
            from_dict(data)
        assert str(error.value).startswith(message)


def test_a_view_is_played_on_as_far_as_nothing_unknown_is_needed() -> None:
    position = from_dict({"ninefold": 1, "game": "coney", "player": [{"hand": ["clover"]}, {"hand": 2}]})
    assert isinstance(position, nf.View)
    position.play(0, "breed")
    position.chance("deal ivy")
    position.chance("deal fern")
    position.chance("deal ash")
    with pytest.raises(nf.IllegalMoveError, match="this view does not know the hand of player 1"):
        position.play(1, "breed")
    draft = nf.game("coney", 2).deal(1)
    draft.play(1, draft.legal(1)[0])
    with pytest.raises(nf.IllegalMoveError, match="this view does not know what is kept by player 1"):
        draft.view(0).play(0, draft.legal(0)[0])


@pytest.mark.parametrize("seed", range(6))
def test_spoilt_files_are_refused_in_one_line_or_playable(seed: int) -> None:
    """Random changes of files of positions in all phases: an InputError, or a position that plays to its end."""
    rng, refusals = random.Random(seed), list[str]()
    words = [
        *PLACES,
        "?",
        "-",
        "clover",
        "ivy",
        "fern+1",
        "",
        0,
        1,
        3,
        99,
        -1,
        True,
        [],
        {},
        *get_args(Ask),
        *get_args(Task),
    ]
    for position in walk(nf.game("coney", 1 + seed % 4, frame=["fixed", "sliding"][seed % 2]), seed):
        data = json.loads(json.dumps(position.view(0).to_dict() if rng.random() < 0.3 else position.to_dict()))
        for _ in range(rng.randrange(1, 3)):
            node: Any = data
            while True:
                key = rng.choice(list(node) if isinstance(node, dict) else range(len(node))) if node else None
                if key is None or not isinstance(node[key], (dict, list)) or rng.random() < 0.2:
                    break
                node = node[key]
            if key is not None:
                node[key] = rng.choice(words)
        try:
            thing = from_dict(data)
        except nf.InputError as error:
            refusals.append(str(error))
            continue
        if type(thing) is nf.Position:
            thing.playout(nf.Generator(seed))
            assert thing.is_over
    assert all(len(said.splitlines()) == 1 for said in refusals)


# --- pictures, examples -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda path: path.stem)
def test_examples_read_and_have_pictures(file: Path) -> None:
    position = nf.read(file)
    assert isinstance(position, nf.Position)
    assert from_dict(tomllib.loads(position.to_toml())) == position
    names = [name for name in position.game.ruleset.cards if re.search(rf"\b{name}\b", str(position))]  # type: ignore[attr-defined]
    drawing = position.to_svg()
    ElementTree.fromstring(drawing)
    assert "prefers-color-scheme: dark" in drawing
    assert all(name in drawing for name in names)


def test_drawings_escape_what_a_file_says() -> None:
    ruleset = {"extends": "standard", "title": "<b>&\nmine"}
    drawing = nf.game("coney", 1, ruleset=ruleset).deal(1).to_svg()
    assert "&lt;b&gt;&amp; mine" in drawing
    ElementTree.fromstring(drawing)
    ElementTree.fromstring(nf.game("donuts", 3).deal(1).to_svg())


def test_show_draws_into_a_file(tmp_path: Path) -> None:
    out = tmp_path / "farm.svg"
    run("show", str(EXAMPLES[0]), "--svg", str(out))
    assert out.read_text().startswith("<svg ")
    assert run("show", str(EXAMPLES[0]), "--svg", "-").stdout == out.read_text()


def test_gloss_tells_the_card() -> None:
    position = from_dict(table())
    assert isinstance(position, nf.Position)
    card = MODULE.standard().cards["clover"]
    assert MODULE.gloss(position, position.game.move("draw clover")) == card.summary
    assert MODULE.gloss(position, position.game.move("done")) == ""


def test_questions_of_files_are_those_of_the_engine() -> None:
    from ninefold.core.games import coney as core

    assert (*get_args(Ask), "over") == core.PHASES
    assert get_args(Task) == core.TASKS
    assert (*ATTRIBUTES, "wild") == core.ATTRIBUTES
    assert core.RESOURCES == RESOURCES
    assert core.MODES == coney_cards.MODES
    assert Effect().groups == ()


def test_a_hand_that_no_play_leads_to_is_an_input_error() -> None:
    data = nf.game("coney", 1).deal(1).to_dict()
    data.pop("pending")
    with pytest.raises(nf.InputError, match="has 6 cards in hand, more than 4"):
        from_dict(data)
