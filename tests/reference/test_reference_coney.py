"""Self-test of the plain reference of Coney: random games, single rules by hand, and what players know."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from .coney import (
    COLOURS,
    OPTIONS,
    RESOURCES,
    UNLIMITED,
    Card,
    Coney,
    Rabbit,
    World,
    amount_text,
    cell_text,
    gain_ways,
    holds,
    read_card,
    read_condition,
    read_effect,
)

pytestmark = pytest.mark.unsanitized

SMALL: dict[str, Any] = tomllib.loads((Path(__file__).parents[1] / "data/coney-small.toml").read_text())
CARDS = list(SMALL["cards"])
CELLS = {cell_text((row, column)): (row, column) for row in range(-2, 3) for column in range(-2, 3)}


def rig(
    *players: dict[str, str],
    market: str = "",
    discard: str = "",
    deck: str | None = None,
    order: str = "",
    supply: int | str = 24,
    first: int = 0,
    rounds: int = 0,
    last_action: str = "",
    cards: dict[str, dict[str, Any]] | None = None,
    **options: str,
) -> Coney:
    """A game in which the first player is to begin a turn, with these things on the table.

    Of a player: hand, reserve, stock ("2 carrot"), farm ("a1 barley b2 yarrow+2", the number are resources on it).
    The deck is what lies nowhere else, or only these cards.
    """
    ruleset = SMALL | {"cards": SMALL["cards"] | (cards or {}), "supply": supply}
    game = Coney(len(players), ruleset, options=options)
    game.options = {}
    game.possible = {}
    game.market = market.split()
    game.discard = discard.split()
    game.order = order.split()
    game.rounds = rounds
    game.last_action = last_action
    game.supply = dict.fromkeys(RESOURCES, UNLIMITED if isinstance(supply, str) else supply)
    seen = {*game.market, *game.discard, *game.order}
    for seat, player in enumerate(players):
        game.hands[seat] = player.get("hand", "").split()
        game.reserves[seat] = player.get("reserve", "").split()
        words = player.get("farm", "").split()
        for cell, word in zip(words[::2], words[1::2], strict=True):
            name, _, tokens = word.partition("+")
            game.farms[seat][CELLS[cell]] = Rabbit(game.cards[name], int(tokens or 0))
            if tokens:
                game.supply[game.food(game.cards[name])] -= int(tokens)
            seen.add(name)
        game.stocks[seat] = dict.fromkeys(RESOURCES, 0)
        words = player.get("stock", "").split()
        for number, kind in zip(words[::2], words[1::2], strict=True):
            game.stocks[seat][kind] += int(number)
            game.supply[kind] -= int(number)
        seen |= {*game.hands[seat], *game.reserves[seat]}
    game.unseen = set(game.cards) - seen if deck is None else set(deck.split())
    game.script = game._rounds(first)
    game._go_on()
    return game


def do(game: Coney, *moves: str) -> Coney:
    """Moves of whoever is to move; "deal x" is chance."""
    for move in moves:
        if move.startswith("deal "):
            game.settle(move.removeprefix("deal "))
        else:
            (player,) = game.actors()
            game.apply(player, move)
    return game


def legal(game: Coney) -> list[str]:
    (player,) = game.actors()
    return game.legal(player)


def placements(game: Coney, card: str) -> str:
    """The cells where the player to move may put the card."""
    return " ".join(move.split()[-1] for move in legal(game) if move.startswith(f"place {card} "))


def stock(game: Coney, seat: int = 0) -> str:
    carrots, pellets, hay = game.stocks[seat].values()
    return amount_text((carrots, pellets, hay))


def farm(game: Coney, seat: int = 0) -> str:
    return " ".join(f"{cell_text(cell)} {game.farms[seat][cell].card.name}" for cell in sorted(game.farms[seat]))


def score(*places: str, **more: Any) -> int:
    """What a farm is worth alone."""
    return rig({"farm": " ".join(places), **more.pop("player", {})}, **more).scores()[0]


# --- random games -----------------------------------------------------------------------------------------------------


def random_game(seed: int, **more: Any) -> Coney:
    rng = random.Random(seed)
    ruleset = SMALL | {"max_rounds": 8, "supply": rng.choice([24, 24, 3, 5, "unlimited"])} | more
    return Coney(1 + seed % 4, ruleset, options={name: rng.choice(values) for name, values in OPTIONS.items()})


def step(game: Coney, rng: random.Random) -> None:
    if game.actors():
        player = rng.choice(sorted(game.actors()))
        game.apply(player, rng.choice(game.legal(player)))
    else:
        game.settle(rng.choice(list(game.outcomes())))


def check(game: Coney, supply: int) -> None:
    """Every card is in one place, resources are conserved, and no area is too full."""
    places = [game.order, game.unseen, game.discard, game.market, game.moving]
    places += [*game.packs, *game.hands, *game.reserves]
    places += [[rabbit.card.name for rabbit in farm.values()] for farm in game.farms]
    assert Counter(card for place in places for card in place) == Counter(list(game.cards))
    for kind in RESOURCES:
        lying = sum(rabbit.tokens for farm in game.farms for rabbit in farm.values() if game.food(rabbit.card) == kind)
        assert supply == game.supply[kind] + sum(stock[kind] for stock in game.stocks) + lying
        assert game.supply[kind] >= 0
    for seat in game.seats:
        assert len(game.reserves[seat]) <= 2
        assert all(0 <= row < 3 and 0 <= column < 3 for row, column in game.farms[seat])
        assert all(rabbit.tokens == 0 or game.food(rabbit.card) for rabbit in game.farms[seat].values())
        assert min(game.stocks[seat].values()) >= 0
    assert len(game.market) <= 3
    assert game.deck_size or not game.discard
    assert bool(game.actors()) + bool(game.outcomes()) + game.over() == 1
    if game.over():
        assert all(len(hand) <= 4 for hand in game.hands)
        assert game.winners()


@pytest.mark.parametrize("seed", range(80))
def test_random_games(seed: int) -> None:
    game = random_game(seed)
    supply = game.supply["hay"] + sum(stock["hay"] for stock in game.stocks)
    rng = random.Random(seed)
    while not game.over():
        check(game, supply)
        step(game, rng)
    check(game, supply)


def test_illegal_moves_and_options() -> None:
    game = rig({})
    with pytest.raises(ValueError, match="can't choose"):
        game.apply(0, "fly")
    with pytest.raises(ValueError, match="can't be revealed"):
        game.settle("barley")
    with pytest.raises(ValueError, match="1 to 4 players"):
        Coney(5, SMALL)
    with pytest.raises(ValueError, match="touch can't be maybe"):
        Coney(1, SMALL, options={"touch": "maybe"})


# --- reading cards ----------------------------------------------------------------------------------------------------


def of(name: str) -> Card:
    return read_card(name, SMALL["cards"][name])


def test_reading_cards() -> None:
    clover = of("clover")
    assert clover.colours == {"grey", "brown"} == of("clover").colours
    assert clover.cost == {"pellet": 1, "hay": 1}
    assert of("daisy").cost == {"any": 2}
    assert clover.sale.groups == (("any", 2),)
    oat = of("oat").now
    assert oat is not None
    assert (oat.fixed, oat.groups, oat.draws, oat.sells_reserved) == ((("carrot", 1),), (("different", 2),), 2, True)
    assert read_effect("draw, draw 2, hay").draws == 3
    assert read_effect("1 same, any, 2 different, 2 any").groups == (("same", 1), ("any", 3), ("different", 2))
    zinnia, yarrow = of("zinnia").end, of("yarrow").end
    assert zinnia is not None
    assert (zinnia.points, zinnia.counts, zinnia.what) == (-1, "line", "orange")
    assert yarrow is not None
    assert (yarrow.points, yarrow.counts, yarrow.what) == (2, "here", "carrot")
    wild = of("chicory")
    assert (wild.points, wild.cost, wild.sale.fixed, wild.now, wild.breed, wild.end, wild.logo) == (
        0, {}, (), None, None, None, "",
    )  # fmt: skip


@pytest.mark.parametrize(
    "text", ["nothing", "at most male", "no blue", "(no male", "no male no female", "at best 1 male"]
)
def test_bad_conditions(text: str) -> None:
    with pytest.raises((ValueError, IndexError)):
        read_condition(text)


def test_the_small_deck_uses_the_whole_grammar() -> None:
    text = " ".join(str(value) for card in SMALL["cards"].values() for value in card.values())
    words = """carrot pellet hay any same different draw sell now: breed: end: neighbour line here male female wild no
        and or ( at least most -1 bakery florist library white black grey brown orange"""
    for word in words.split():
        assert word in text
    assert len(CARDS) == 30


# --- conditions and wilds ---------------------------------------------------------------------------------------------


def met(condition: str, *neighbours: str) -> bool:
    return holds(read_condition(condition), [of(name) for name in neighbours])


def test_conditions() -> None:
    assert met("")
    assert met("no male and no black")
    assert met("no male and no black", "alfalfa")
    assert not met("no male and no black", "alfalfa", "barley")
    assert met("at most 1 male and at least 1 orange", "barley", "daisy")
    assert not met("at most 1 male and at least 1 orange", "barley", "elder", "daisy")
    assert not met("at least 1 white or at least 1 black")
    assert met("at least 1 white or at least 1 black", "barley")
    assert met("no male or at least 1 white and at least 1 black")
    assert not met("(no male or at least 1 white) and at least 1 black")
    assert met("at least 2 white and at least 1 orange and at least 2 black", "daisy", "alfalfa", "barley")


def test_wilds() -> None:
    assert met("no male and no female and no white", "chicory")
    assert not met("at least 1 female", "chicory")
    assert not met("at least 1 male", "chicory")
    assert met("at least 1 white", "chicory")
    assert not met("at least 1 white and at least 1 black", "chicory")
    assert met("at least 1 white and at least 1 black", "chicory", "dill")
    assert met("at least 2 white and no black", "chicory", "dill")
    assert met("at most 0 white or at least 1 white", "chicory")
    assert not met("at least 3 white", "chicory", "dill")


@pytest.mark.parametrize("seed", range(40))
def test_wilds_cover_what_colours_lack(seed: int) -> None:
    """For a list of atoms the wilds suffice if they are as many as the colours that are missing, and never hurt."""
    rng = random.Random(seed)
    least = {colour: rng.choice([0, 0, 0, 1, 2]) for colour in COLOURS}
    most = {colour: rng.choice([4, 4, least[colour]]) for colour in COLOURS}
    text = " and ".join(
        [f"at least {n} {colour}" for colour, n in least.items()] + [f"at most {n} {c}" for c, n in most.items()]
    )
    plain = rng.sample([name for name in CARDS if SMALL["cards"][name]["sex"] != "wild"], rng.randint(0, 3))
    wilds = rng.sample(["chicory", "dill", "endive"], rng.randint(0, 4 - len(plain) if plain else 3))
    counts = Counter(colour for name in plain for colour in of(name).colours)
    lacking = sum(max(0, least[colour] - counts[colour]) for colour in COLOURS)
    possible = lacking <= len(wilds) and all(counts[colour] <= most[colour] for colour in COLOURS)
    assert met(text, *plain, *wilds) == possible


# --- set-up -----------------------------------------------------------------------------------------------------------


def test_set_up_alone() -> None:
    game = Coney(1, SMALL)
    assert stock(game) == "1 carrot 1 pellet 1 hay"
    assert game.supply == dict.fromkeys(RESOURCES, 23)
    dealt = ["iris", "barley", "clover", "daisy", "elder", "alfalfa"]
    for card in dealt:
        assert game.legal(0) == []
        game.settle(card)
    assert legal(game) == sorted(f"discard {card}" for card in dealt if card != "iris")
    do(game, "discard daisy")
    assert legal(game) == ["discard elder", "discard iris"]
    do(game, "discard iris")
    assert game.discard == ["daisy", "iris"]
    do(game, "deal oat", "deal sage", "deal thyme")
    assert legal(game) == ["breed", "place", "refill"]
    assert game.market == ["oat", "sage", "thyme"]


def test_set_up_with_a_known_order() -> None:
    game = Coney(1, SMALL, order=CARDS)
    assert game.hands == [CARDS[:6]]
    do(game, "discard alfalfa", "discard barley")
    assert game.market == CARDS[6:9]
    partly = Coney(1, SMALL, order=CARDS[:7])
    do(partly, "discard alfalfa", "discard barley")
    assert partly.market == [CARDS[6]]
    assert len(partly.outcomes()) == 23


def test_draft() -> None:
    game = Coney(3, SMALL)
    for card in CARDS[:15]:
        game.settle(card)
    assert game.actors() == {0, 1, 2}
    assert game.legal(1) == sorted(f"keep {card}" for card in CARDS[5:10])
    game.apply(1, f"keep {CARDS[5]}")
    assert game.legal(1) == []
    game.apply(0, f"keep {CARDS[0]}")
    game.apply(2, f"keep {CARDS[10]}")
    assert game.legal(1) == sorted(f"keep {card}" for card in CARDS[1:5]), "player 0 passes to player 1"
    for keep in ((11, 1, 6), (7, 12, 2), (3, 8, 13)):
        for seat, card in enumerate(keep):
            game.apply(seat, f"keep {CARDS[card]}")
    assert game.hands[0] == [CARDS[0], CARDS[11], CARDS[7], CARDS[3]]
    assert sorted(game.discard) == sorted([CARDS[4], CARDS[9], CARDS[14]])
    assert len(game.outcomes()) == 15


# --- place ------------------------------------------------------------------------------------------------------------


def test_place_pays_and_checks_the_condition() -> None:
    game = rig({"hand": "fennel garlic", "stock": "1 carrot", "farm": "b2 barley"})
    do(game, "place")
    assert placements(game, "fennel") == "a1 a3 c1 c3"
    assert placements(game, "garlic") == "", "no pellet"
    do(game, "place fennel a1")
    assert stock(game) == ""
    assert game.supply["carrot"] == 24
    assert legal(game) == ["done"]
    do(game, "done")
    assert farm(game) == "a1 fennel b2 barley"


def test_pay_any_is_asked_only_where_there_is_a_choice() -> None:
    game = rig({"hand": "daisy mallow", "stock": "2 carrot 1 hay"})
    do(game, "place", "place daisy a1")
    assert legal(game) == ["pay 1 carrot 1 hay", "pay 2 carrot"]
    do(game, "pay 1 carrot 1 hay", "place mallow b1")
    assert stock(game) == ""
    assert game.outcomes(), "the draw of the second has one answer, as nothing lies in the market"


def test_two_cards_from_hand_and_reserve_and_what_the_first_breaks_stays() -> None:
    game = rig({"hand": "fennel barley", "reserve": "alfalfa", "stock": "2 carrot"})
    do(game, "place", "place fennel b2")
    assert placements(game, "barley") == "a1 a2 a3 b1 b3 c1 c2 c3"
    do(game, "place barley b1")
    assert farm(game) == "b1 barley b2 fennel"
    assert game.reserves[0] == ["alfalfa"]
    assert game.outcomes(), "the turn is over"


def test_sell_first_then_place() -> None:
    game = rig({"hand": "alfalfa", "farm": "a1 clover a2 yarrow+3", "stock": "1 hay"})
    do(game, "place")
    assert "sell clover" in legal(game)
    assert "done" in legal(game)
    do(game, "sell yarrow")
    assert stock(game) == "1 carrot 1 hay"
    assert game.supply["carrot"] == 23, "the three on it went back"
    do(game, "sell clover")
    assert game.discard == ["yarrow"]
    do(game, "take 2 pellet")
    assert game.discard == ["yarrow", "clover"]
    do(game, "place alfalfa a1")
    assert "sell alfalfa" not in legal(game)


def test_a_sold_card_is_not_yet_in_the_discard_pile_when_it_draws() -> None:
    game = rig({"farm": "a1 garlic"}, deck="oat", discard="", market="")
    do(game, "place", "sell garlic", "deal oat")
    assert game.hands == [["oat"]]
    assert game.unseen == {"garlic"}, "then it becomes the deck at once"
    assert legal(game) == [
        "done",
        *sorted(f"place oat {cell}" for cell in CELLS if cell[0] in "abc" and cell[1:] in "123"),
    ]


def test_now_coupons() -> None:
    game = rig({"hand": "oat", "reserve": "fennel nettle", "stock": ""}, market="sage", supply=3)
    do(game, "place", "place oat b2")
    assert legal(game) == ["take 1 carrot 1 hay", "take 1 carrot 1 pellet", "take 1 pellet 1 hay"]
    do(game, "take 1 pellet 1 hay")
    assert legal(game) == ["draw deck", "draw sage"]
    do(game, "draw sage", "deal alfalfa")
    assert legal(game) == ["done", "sell fennel", "sell nettle"]
    do(game, "sell fennel")
    assert len(legal(game)) == 7, "three of two carrots, two pellets and two hay"
    do(game, legal(game)[0])
    assert game.moving == ["fennel"], "its draw is due"
    do(game, "deal iris")
    assert game.discard == ["fennel"]


def test_nothing_reserved_nothing_to_sell() -> None:
    game = do(rig({"hand": "nettle"}), "place", "place nettle a1")
    assert legal(game) == ["done"], "the second placement"
    assert game.reserves == [[]]
    game = do(rig({"hand": "nettle", "reserve": "alfalfa"}), "place", "place nettle a1")
    assert legal(game) == ["done", "sell alfalfa"]
    do(game, "done")
    assert "place alfalfa a2" in legal(game)


# --- breed ------------------------------------------------------------------------------------------------------------


def test_breed() -> None:
    game = rig({"farm": "a1 thyme b1 quince c1 sage a2 yarrow b2 anise c2 umbel", "hand": "oat iris elder"})
    do(game, "breed")
    assert stock(game) == "1 carrot 1 pellet 1 hay", "fixed gains come first"
    do(game, "deal barley", "deal clover")
    assert legal(game) == ["take 1 carrot 1 hay", "take 1 carrot 1 pellet", "take 1 pellet 1 hay"]
    do(game, "take 1 pellet 1 hay")
    assert "take 2 hay" in legal(game)
    do(game, "take 1 carrot 1 pellet")
    assert legal(game) == ["take 2 carrot", "take 2 hay", "take 2 pellet"]
    do(game, "take 2 pellet")
    assert legal(game) == ["done", "feed anise", "feed yarrow"]
    do(game, "feed yarrow")
    assert legal(game) == ["done", "feed anise"]
    do(game, "feed anise")
    assert stock(game) == "1 carrot 5 pellet 1 hay"
    assert game.scores() == [1 + 1 + 1 + 1 - 2 + 0 + 2 + 1 + 7 // 3]
    assert legal(game) == sorted(f"discard {card}" for card in ("barley", "clover", "elder", "iris", "oat"))


def test_feeding_needs_the_resource_and_goes_by_cell() -> None:
    game = do(rig({"farm": "a1 anise b1 yarrow", "stock": "1 hay"}), "breed")
    assert legal(game) == ["done", "feed anise"]
    assert do(game, "feed anise").outcomes()
    game = do(rig({"farm": "b1 anise a1 yarrow", "stock": "1 hay 1 carrot"}), "breed", "feed anise")
    assert game.outcomes()
    assert do(rig({"farm": "a1 anise b1 yarrow", "stock": "1 pellet"}), "breed").outcomes(), "not asked"


# --- refill -----------------------------------------------------------------------------------------------------------


def test_refill() -> None:
    game = rig({"hand": "alfalfa barley clover"}, market="oat sage thyme")
    do(game, "refill", "discard barley")
    assert legal(game) == ["discard clover", "done"]
    do(game, "done", "draw oat")
    assert legal(game) == ["draw deck", "draw sage", "draw thyme"]
    do(game, "draw deck", "deal iris")
    assert legal(game) == ["done", *(f"reserve {card}" for card in ("alfalfa", "clover", "iris", "oat"))]
    do(game, "reserve iris")
    assert legal(game) == ["done", "reserve oat"]
    do(game, "reserve oat", "draw sage", "draw thyme")
    assert len(legal(game)) == 6
    do(game, "take 1 carrot 1 hay")
    assert game.outcomes()
    assert game.market == []
    assert set(game.hands[0]) == {"alfalfa", "clover", "sage", "thyme"}
    assert game.reserves == [["iris", "oat"]]


def test_refill_with_a_full_reserve_and_second_draw_may() -> None:
    player = {"hand": "alfalfa barley clover daisy", "reserve": "elder"}
    game = do(rig(player, market="oat sage thyme", second_draw="may"), "refill", "done", "reserve alfalfa")
    assert legal(game) == ["done", "draw deck", "draw oat", "draw sage", "draw thyme"]
    do(game, "done")
    assert legal(game)[0].startswith("take")
    game = do(rig(player | {"reserve": "elder iris"}), "refill", "done")
    assert legal(game)[0].startswith("take"), "nothing to reserve, nothing to draw"


def test_draws_without_a_choice_and_without_cards() -> None:
    game = do(rig({"hand": ""}, deck="", market="oat sage"), "refill")
    do(game, *["done"] * (legal(game) == ["done"]), "draw oat", "done")
    assert game.hands == [["oat", "sage"]], "the second one was the only one left"
    assert legal(game)[0].startswith("take"), "further draws lapse"


def test_the_discards_become_the_deck_at_once() -> None:
    game = do(rig({"hand": "alfalfa"}, deck="oat", discard="sage thyme", market="iris"), "refill", "done", "draw deck")
    do(game, "deal oat")
    assert game.unseen == {"sage", "thyme"}
    assert game.discard == []


def test_hand_limit() -> None:
    game = rig({"hand": "alfalfa barley clover daisy elder fennel garlic"})
    do(game, "breed")
    assert len(legal(game)) == 5
    do(game, "discard barley")
    assert legal(game) == [f"discard {card}" for card in ("clover", "daisy", "elder", "fennel")]
    do(game, "discard fennel")
    assert legal(game) == ["discard garlic"]


# --- supply -----------------------------------------------------------------------------------------------------------


def test_gain_ways() -> None:
    def ways(mode: str, number: int, *left: int) -> list[str]:
        return sorted(map(amount_text, gain_ways(mode, number, dict(zip(RESOURCES, left, strict=True)))))

    assert ways("any", 2, 24, 24, 24) == sorted(
        ["2 carrot", "2 pellet", "2 hay", "1 carrot 1 pellet", "1 carrot 1 hay", "1 pellet 1 hay"]
    )
    assert ways("any", 3, 1, 0, 1) == ["1 carrot 1 hay"]
    assert ways("same", 2, 1, 0, 5) == ["1 carrot", "2 hay"]
    assert ways("different", 2, 3, 0, 5) == ["1 carrot 1 hay"]
    assert ways("different", 3, 3, 0, 0) == ["1 carrot"]
    assert ways("different", 1, 3, 1, 1) == ["1 carrot", "1 hay", "1 pellet"]
    assert ways("same", 2, 0, 0, 0) == ways("any", 2, 0, 0, 0) == []


def test_gains_from_a_short_supply() -> None:
    game = do(rig({"farm": "a1 knapweed b1 heather", "stock": "2 carrot 2 pellet"}, supply=2), "place", "sell knapweed")
    assert stock(game) == "2 carrot 2 pellet 1 hay"
    do(game, "sell heather")
    assert stock(game) == "2 carrot 2 pellet 2 hay", "no kind is left for the two of a kind"
    unlimited = do(rig({"farm": "a1 juniper"}, supply="unlimited"), "place", "sell juniper", "take 4 hay")
    assert stock(unlimited) == "4 hay"


# --- options ----------------------------------------------------------------------------------------------------------


def test_adjacency_mutual() -> None:
    player = {"farm": "b2 fennel", "hand": "barley", "stock": "1 carrot"}
    assert placements(do(rig(player), "place"), "barley") == "a1 a2 a3 b1 b3 c1 c2 c3"
    assert placements(do(rig(player, adjacency="mutual"), "place"), "barley") == "a1 a3 c1 c3"
    broken = player | {"farm": "b2 fennel b1 radish"}
    assert placements(do(rig(broken, adjacency="mutual"), "place"), "barley") == "a1 a2 a3 b3 c1 c2 c3"
    wild = {"farm": "b2 fennel", "hand": "chicory"}
    assert "b1" in placements(do(rig(wild, adjacency="mutual"), "place"), "chicory")


def test_touch() -> None:
    player = {"farm": "a1 alfalfa", "hand": "nettle"}
    assert placements(do(rig(player, touch="on"), "place"), "nettle") == "a2 b1"
    assert len(placements(do(rig({"hand": "nettle"}, touch="on"), "place"), "nettle").split()) == 9


def test_sliding_frame() -> None:
    player = {"farm": "a1 alfalfa b1 yarrow", "hand": "nettle radish chicory"}
    game = do(rig(player, frame="sliding"), "place")
    assert placements(game, "nettle") == " ".join(sorted(
        cell for cell in CELLS if cell[0] in "zabc" and cell not in ("a1", "b1")
    ))  # fmt: skip
    do(game, "place nettle z0")
    assert farm(game) == "a1 nettle b2 alfalfa c2 yarrow"
    do(game, "place radish a3")
    assert farm(game) == "a1 nettle b2 alfalfa c2 yarrow a3 radish"
    empty = do(rig({"hand": "nettle"}, frame="sliding"), "place")
    assert placements(empty, "nettle") == "a1"
    sold = do(rig({"farm": "a1 alfalfa c3 radish", "hand": "nettle"}, frame="sliding"), "place", "sell alfalfa")
    assert farm(sold) == "a1 radish"
    touching = do(rig(player, frame="sliding", touch="on"), "place")
    assert placements(touching, "nettle") == "a0 a2 b0 b2 c1 z1"


def test_wild_scores() -> None:
    assert score("a1 vetch b1 chicory") == 1, "a wild is no female"
    assert score("a1 borage b1 chicory") == 3
    assert score("a1 borage b1 chicory", wild_scores="none") == 0
    assert score("a1 zinnia b1 chicory") == 3, "never against its owner"


def test_place_nothing_off() -> None:
    nothing = rig({"hand": "barley"}, place_nothing="off")
    assert legal(nothing) == ["breed", "refill"]
    game = do(rig({"hand": "alfalfa", "farm": "a1 barley"}, place_nothing="off"), "place")
    assert "done" not in legal(game)
    do(game, "sell barley")
    assert "done" not in legal(game)
    do(game, "place alfalfa a1")
    assert legal(game) == ["done"]
    game = do(rig({"farm": "a1 barley"}, place_nothing="off"), "place")
    assert legal(game) == ["sell barley"]
    assert legal(do(game, "sell barley")) == ["done"]


# --- the end ----------------------------------------------------------------------------------------------------------

NINE = "a1 alfalfa b1 barley c1 clover a2 daisy b2 elder c2 fennel a3 garlic b3 heather c3 iris"


def test_the_end_of_a_game_of_several() -> None:
    game = rig({"hand": "oat"}, {"farm": NINE}, {"hand": "mallow"}, first=1)
    assert game.actors() == {1}
    do(game, "breed", "deal sage", "deal thyme", "deal vetch")
    assert game.actors() == {2}, "the round is played to its end"
    do(game, "breed")
    assert game.over()
    assert game.winners() == [1]
    late = do(rig({}, {}, rounds=39, first=1, market="oat sage thyme"), "breed")
    assert late.over()
    assert late.winners() == [0, 1]


def test_the_end_of_a_game_alone() -> None:
    game = rig({"farm": NINE}, market="oat sage thyme", rounds=7, last_action="breed")
    assert legal(game) == ["place", "refill"], "nine rabbits do not end it; never the same action twice"
    do(game, "place", "done", "breed")
    assert game.over()


def test_scores() -> None:
    assert score("a1 daisy") == 3
    assert score("a1 anise+3") == 1
    assert score("a1 vetch b1 alfalfa b2 clover") == 1 + 1 + 1 + 1
    assert score("b2 woodruff b1 alfalfa a1 fennel b3 daisy a2 radish") == 0 + 1 + 3 + 3 + 2 + 3 * 2
    assert score("a1 zinnia b1 oat a2 daisy") == 3 + 1 + 3 - 2
    logos = "a1 quince b1 radish c1 sage"
    assert score(logos) == 4 + 2
    assert score(f"{logos} a2 thyme") == 5 + 2
    more = {f"x{n}": {"sex": "male", "logo": "bakery"} for n in range(6)}
    for number, points in ((2, 0), (3, 2), (4, 4), (5, 6), (6, 6)):
        places = [f"{cell} x{n}" for n, cell in enumerate(["a1", "a2", "a3", "b1", "b2", "b3"][:number])]
        assert score(*places, cards=more) == points
    assert score("a1 alfalfa", player={"stock": "2 carrot 3 hay"}) == 1 + 1
    assert score("a1 yarrow+4", player={"stock": "2 carrot", "reserve": "oat sage"}) == 1 + 8 - 4
    assert score("", player={"reserve": "oat sage"}) == -4


# --- knowledge --------------------------------------------------------------------------------------------------------


def support(game: Coney, viewer: int) -> set[World]:
    """The worlds, which are all equally likely where each may have come about in as many ways as any other."""
    worlds = game.worlds(viewer)
    assert len(set(worlds.values())) == 1
    return set(worlds)


Life = tuple[str, int]  # a card and how often the deck had been renewed when the card was last shuffled into it


def unnoticed(game: Coney, viewer: int) -> set[World]:
    """Rename the cards of each deck in all ways: what looks the same to the viewer is a world.

    A card that has been discarded and shuffled lives again: what it is called then is another matter.
    """
    born = dict.fromkeys(game.cards, 0)
    decks = [list(game.cards)]
    seen: list[tuple[frozenset[Life], frozenset[str]]] = []  # what the viewer saw, and how it is called in truth
    for lines in zip(*game.logs, strict=True):
        full = next((line[-1] for line in lines if line[-1] is not None), None)
        assert full is not None
        names = full if isinstance(full, frozenset) else frozenset([full])
        if lines[viewer][-1] is not None:
            seen.append((frozenset((name, born[name]) for name in names), names))
        if lines[viewer][0] == "shuffle":
            born |= dict.fromkeys(names, len(decks))
            decks.append(sorted(names))
    hands, packs, deck = game.world()
    namings: list[list[dict[Life, str]]] = [[] for _ in decks]  # those that fit, for each deck
    for age, cards in enumerate(decks):
        sights = [(lives, names) for lives, names in seen if all(when == age for _, when in lives)]
        for other in permutations(cards):
            to = dict(zip([(card, age) for card in cards], other, strict=True))
            if all(frozenset(to[life] for life in lives) == names for lives, names in sights):
                namings[age].append(to)
    worlds = set()
    for chosen in product(*namings):
        to = {life: name for naming in chosen for life, name in naming.items()}

        def called(cards: frozenset[str], to: dict[Life, str] = to) -> frozenset[str]:
            return frozenset(to[card, born[card]] for card in cards)

        worlds.add((tuple(map(called, hands)), tuple(map(called, packs)), called(deck)))
    return worlds


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (2, 2), (2, 3), (3, 5)])
def test_worlds_are_the_renamings_that_a_viewer_does_not_notice(players: int, seed: int) -> None:
    """In tiny games, where all may be tried."""
    rng = random.Random(seed)
    cards = {name: SMALL["cards"][name] for name in CARDS[15:22]}
    game = Coney(players, SMALL | {"cards": cards, "hand": 2 if players == 2 else 1, "market": 1})
    compared = 0
    for number in range(60):
        if number % 4 == 3:
            for viewer in range(players):
                found = unnoticed(game, viewer)
                assert support(game, viewer) == found
                compared += len(found) > 1
        step(game, rng)
    assert compared >= 3


@pytest.mark.parametrize("seed", [*range(8), 9, 10, 12])
def test_the_real_world_is_among_those_a_player_holds_possible(seed: int) -> None:
    players = 2 + seed % 3
    rng = random.Random(seed)
    names = rng.sample(CARDS, 5 * players + (3 + seed % 2 if players < 4 else 1))
    game = Coney(players, SMALL | {"cards": {name: SMALL["cards"][name] for name in names}})
    while game.outcomes() or not game.hands[0]:
        step(game, rng)  # the deal is too much to try all of
    for _ in range(40):
        step(game, rng)
        if rng.random() < 0.2 and len(game.hands[-1]) >= players and not (players == 4 and game.packs[0]):
            viewer = rng.randrange(players)
            worlds = support(game, viewer)
            assert game.world() in worlds
            assert {world[0][viewer] for world in worlds} == {frozenset(game.hands[viewer])}


def test_what_the_draft_tells() -> None:
    """Player 0 opens a pack of three, sees two of the cards passed on go, and knows which as a set."""
    names = CARDS[:15]
    game = Coney(3, SMALL | {"cards": {name: SMALL["cards"][name] for name in CARDS[:20]}})
    for card in names:
        game.settle(card)
    for keep in ((0, 5, 10), (11, 1, 6), (7, 12, 2)):
        for seat, number in enumerate(keep):
            game.apply(seat, f"keep {CARDS[number]}")
    worlds = support(game, 0)
    both = {(CARDS[1] in world[0][1], CARDS[2] in world[0][2]) for world in worlds}
    assert both == {(True, True), (False, False)}
    assert all((CARDS[1] in world[0][1]) != (CARDS[2] in world[0][1]) for world in worlds)
    assert {world[1][0] for world in worlds} == {frozenset(CARDS[3:5])}, "the pack that came back"
