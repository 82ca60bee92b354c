"""Self-test of the plain reference of Go Nuts for Donuts: random games, and single rules by hand."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from .donuts import CARDS, Donuts, kind_of

pytestmark = pytest.mark.unsanitized

OPTIONS = [
    {"double_chocolate_return": back, "coffee": coffee, "red_velvet": velvet, "bear_claw": claw}
    for back, coffee, velvet, claw in itertools.product(
        ("bottom", "top"), ("frozen", "final"), ("may", "must"), ("may", "must")
    )
]


def all_cards(game: Donuts) -> Counter[str]:
    """Every card of the game, wherever it is."""
    cards: Counter[str] = Counter(kind for kind in game.row if kind is not None)
    for held in game.held:
        for item, count in held.items():
            assert count > 0
            cards[kind_of(item)] += count
    cards.update(game.discard)
    cards.update(game.unseen)
    cards.update(card.kind for card in game.on_top + game.at_bottom + game.drawn)
    return cards


def deck(players: int) -> Counter[str]:
    """The whole deck for a player count."""
    return Counter({kind: card.number_of_copies(players) for kind, card in CARDS.items() if players >= card.players})


def rig(
    row: str,
    held: list[dict[str, int]],
    *,
    discard: str = "",
    unseen: dict[str, int] | None = None,
    double_chocolate_return: str = "bottom",
    coffee: str = "frozen",
    red_velvet: str = "may",
    bear_claw: str = "may",
    overrides: dict[str, dict[str, object]] | None = None,
) -> Donuts:
    """A game about to be bid, with these things on the table."""
    game = Donuts(
        len(held),
        double_chocolate_return=double_chocolate_return,
        coffee=coffee,
        red_velvet=red_velvet,
        bear_claw=bear_claw,
        overrides=overrides,
    )
    while game.outcomes():
        game.settle(min(game.outcomes()))
    assert len(row.split()) == len(held) + 1
    game.row[:] = row.split()
    game.held[:] = held
    game.discard[:] = discard.split()
    game.unseen = dict(unseen if unseen is not None else {"plain": 20})
    return game


def bid(game: Donuts, *places: int) -> None:
    """All bids of a round."""
    for seat, place in enumerate(places):
        game.apply(seat, f"bid {place}")


# ---- random games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options.values()))
def test_random_games(players: int, options: dict[str, str]) -> None:
    for seed in range(5):
        rng = random.Random(f"{players} {seed} {options}")
        game = Donuts(
            players,
            double_chocolate_return=options["double_chocolate_return"],
            coffee=options["coffee"],
            red_velvet=options["red_velvet"],
            bear_claw=options["bear_claw"],
        )
        for _ in range(2000):
            if game.over():
                break
            assert all_cards(game) == deck(players)
            for seat in range(players):
                hash(game.view(seat))
            outcomes = game.outcomes()
            actors = game.actors()
            assert bool(outcomes) != bool(actors)
            if outcomes:
                assert min(outcomes.values()) > 0
                assert sum(outcomes.values()) <= game.deck_size
                with pytest.raises(ValueError, match="be revealed"):
                    game.settle("no such card")
                with pytest.raises(ValueError, match="can't choose"):
                    game.apply(0, "bid 1")
                game.settle(rng.choice(sorted(outcomes)))
                continue
            with pytest.raises(ValueError, match="be revealed"):
                game.settle("plain")
            for seat in range(players):
                assert bool(game.legal(seat)) == (seat in actors)
                assert game.legal(seat) == sorted(set(game.legal(seat)))
            seat = rng.choice(sorted(actors))
            for nonsense in ("", "bid 0", f"bid {players + 2}", "stop", f"give sprinkled to {seat}: plain"):
                with pytest.raises(ValueError, match="can't choose"):
                    game.apply(seat, nonsense)
            for outsider in set(range(players)) - actors:
                with pytest.raises(ValueError, match="can't choose"):
                    game.apply(outsider, "bid 1")
            game.apply(seat, rng.choice(game.legal(seat)))
        assert game.over()
        assert not game.actors()
        assert not game.outcomes()
        assert all_cards(game) == deck(players)
        assert game.deck_size < players + 1
        assert len(game.scores()) == players
        assert game.winners()


# ---- single rules --------------------------------------------------------------------------------------------------


def test_decks() -> None:
    assert [sum(deck(players).values()) for players in (2, 3, 4, 5, 6)] == [37, 50, 61, 70, 70]
    assert [len(deck(players)) for players in (2, 3, 4, 5, 6)] == [9, 13, 19, 23, 23]


def test_set_up_and_bids_are_secret() -> None:
    game = Donuts(3)
    assert game.row == [None] * 4
    assert game.deck_size == 50
    assert not game.actors()
    for place in range(4):
        assert game.row[place:] == [None] * (4 - place)
        game.settle("plain")
    assert game.actors() == {0, 1, 2}
    assert game.outcomes() == {}
    assert game.legal(1) == ["bid 1", "bid 2", "bid 3", "bid 4"]
    before = game.view(1)
    game.apply(0, "bid 2")
    assert game.view(1) == before
    assert game.actors() == {1, 2}


def test_contested_cards_and_refill() -> None:
    game = rig("glazed powdered plain eclair", [{}, {}, {}])
    bid(game, 2, 2, 3)
    assert game.discard == ["powdered"]
    assert game.held == [{}, {}, {"plain": 1}]
    assert game.row == ["glazed", None, None, "eclair"]
    game.settle("plain")
    assert game.row == ["glazed", "plain", None, "eclair"]


def test_power_sees_contested_cards_of_lower_places_only() -> None:
    game = rig("glazed glazed eclair plain plain", [{}, {}, {}, {}])
    bid(game, 1, 1, 3, 4)
    assert game.held[2] == {"eclair": 1, "glazed": 1}
    assert game.discard == []
    game = rig("eclair glazed plain plain", [{}, {}, {}])
    bid(game, 1, 2, 2)
    assert game.held[0] == {"eclair": 1}
    assert game.discard == ["glazed"]


def test_end_without_partial_refill() -> None:
    game = rig("glazed powdered plain", [{}, {}], unseen={"plain": 1})
    bid(game, 1, 2)
    assert game.over()
    assert game.row == [None, None, "plain"]
    assert game.deck_size == 1
    game = rig("glazed powdered plain", [{}, {}], unseen={"plain": 2})
    bid(game, 1, 2)
    game.settle("plain")
    game.settle("plain")
    assert not game.over()
    assert game.actors() == {0, 1}
    bid(game, 1, 1)
    assert game.over()
    assert game.discard == ["plain"]


def test_french_cruller() -> None:
    game = rig("french_cruller glazed powdered plain plain", [{}, {}, {}, {}])
    bid(game, 1, 3, 3, 3)
    assert game.legal(0) == [*(f"discard french_cruller: {place}" for place in (2, 4, 5)), "stop french_cruller"]
    game.apply(0, "discard french_cruller: 4")
    assert game.legal(0) == ["discard french_cruller: 5", "stop french_cruller"]
    game.apply(0, "discard french_cruller: 5")
    assert game.discard == ["plain", "plain", "powdered"]
    assert game.row == [None, "glazed", None, None, None]


def test_sprinkled() -> None:
    game = rig("sprinkled plain plain plain", [{}, {}, {}])
    bid(game, 1, 2, 2)
    assert game.legal(0) == ["give sprinkled to 1: sprinkled", "give sprinkled to 2: sprinkled"]
    game = rig("sprinkled plain plain plain", [{"sprinkled": 1, "glazed": 2}, {}, {}])
    bid(game, 1, 2, 2)
    assert game.legal(0) == [f"give sprinkled to {seat}: {item}" for seat in (1, 2) for item in ("glazed", "sprinkled")]
    game.apply(0, "give sprinkled to 2: glazed")
    assert game.held == [{"sprinkled": 2, "glazed": 1}, {}, {"glazed": 1}]
    game = rig("sprinkled plain plain plain", [{"glazed": 1}, {}, {}])
    bid(game, 1, 2, 2)
    assert game.legal(0) == ["give sprinkled to 1: glazed", "give sprinkled to 2: glazed"]


@pytest.mark.parametrize("back", ["bottom", "top"])
def test_double_chocolate(back: str) -> None:
    views: list[list[object]] = []
    for other in ("glazed", "powdered"):
        game = rig(
            "double_chocolate plain plain plain",
            [{}, {}, {}],
            unseen={"plain": 3, "glazed": 1, "powdered": 1},
            double_chocolate_return=back,
        )
        bid(game, 1, 2, 2)
        game.settle("plain")
        assert game.outcomes() == {"plain": 2, "glazed": 1, "powdered": 1}
        game.settle(other)
        assert game.legal(0) == [f"keep double_chocolate: {kind}" for kind in sorted([other, "plain"])]
        game.apply(0, "keep double_chocolate: plain")
        assert game.held[0] == {"double_chocolate": 1, "plain": 1}
        assert game.deck_size == (3 if back == "top" else 4)
        # refill of two places: from the top the returned card comes without chance
        assert (game.row[0] == other) == (back == "top")
        if back == "bottom":
            assert other not in game.outcomes()
            assert sum(game.outcomes().values()) == 3
            views.append([game.view(seat) for seat in range(3)])
    if views:
        assert views[0][1:] == views[1][1:]
        assert views[0][0] != views[1][0]


def test_double_chocolate_with_few_cards() -> None:
    game = rig("double_chocolate plain plain plain", [{}, {}, {}], unseen={"plain": 2})
    bid(game, 1, 2, 2)
    game.settle("plain")
    game.settle("plain")
    assert game.legal(0) == ["keep double_chocolate: plain"]
    game = rig("double_chocolate plain plain plain", [{}, {}, {}], unseen={"glazed": 1})
    bid(game, 1, 2, 2)
    game.settle("glazed")
    assert game.over()
    assert game.held[0] == {"double_chocolate": 1, "glazed": 1}
    game = rig("double_chocolate plain plain plain", [{}, {}, {}], unseen={})
    bid(game, 1, 2, 2)
    assert game.over()
    assert game.held[0] == {"double_chocolate": 1}


def test_second_double_chocolate_draws_the_returned_card() -> None:
    game = rig(
        "double_chocolate double_chocolate plain plain",
        [{}, {}, {}],
        unseen={"plain": 1, "glazed": 1, "powdered": 1},
    )
    bid(game, 1, 2, 3)
    game.settle("plain")
    game.settle("glazed")
    game.apply(0, "keep double_chocolate: plain")
    game.settle("powdered")  # then the Glazed, which needs no chance
    assert game.legal(1) == ["keep double_chocolate: glazed", "keep double_chocolate: powdered"]
    game.apply(1, "keep double_chocolate: powdered")
    assert game.at_bottom[0].kind == "glazed"
    assert game.at_bottom[0].known_to == {0, 1}


@pytest.mark.parametrize("option", ["may", "must"])
def test_red_velvet_and_bear_claw(option: str) -> None:
    game = rig("red_velvet plain plain plain", [{}, {}, {}], discard="glazed plain glazed eclair", red_velvet=option)
    bid(game, 1, 2, 2)
    stop = ["stop red_velvet"] if option == "may" else []
    assert game.legal(0) == stop + [f"take red_velvet: {kind}" for kind in ("eclair", "glazed", "plain")]
    game.apply(0, "take red_velvet: glazed")
    assert game.discard == ["glazed", "plain", "eclair", "plain"]
    game = rig("bear_claw plain plain plain", [{"plain": 1}, {}, {"coffee+0": 1}], bear_claw=option)
    bid(game, 1, 2, 2)
    stop = ["stop bear_claw"] if option == "may" else []
    assert game.legal(0) == [*stop, "take bear_claw from 2: coffee+0"]
    game.apply(0, "take bear_claw from 2: coffee+0")
    assert game.held == [{"plain": 1, "bear_claw": 1, "coffee+1": 1}, {}, {}]
    game = rig("bear_claw red_velvet plain plain", [{"plain": 1}, {}, {}], bear_claw=option, red_velvet=option)
    bid(game, 1, 3, 3)
    assert game.outcomes()  # nobody else had a card: no decision


def test_day_old() -> None:
    game = rig("day_old plain plain", [{}, {}], discard="coffee red_velvet coffee glazed")
    bid(game, 1, 2)
    game.apply(0, "take day_old: coffee")
    assert game.discard == ["coffee", "red_velvet", "glazed"]
    game.apply(0, "take day_old: red_velvet")
    assert "stop day_old" in game.legal(0)
    game.apply(0, "take day_old: coffee")
    assert game.held[0] == {"day_old": 1, "red_velvet": 1, "coffee+1": 1, "coffee+2": 1}
    assert game.held[1] == {"plain": 1}
    assert game.discard == ["glazed"]
    assert game.scores()[0] == -7 - 2 + 1 + 2
    game = rig("day_old plain plain", [{}, {}], discard="glazed")
    bid(game, 1, 2)
    game.apply(0, "take day_old: glazed")
    assert game.outcomes()
    assert game.discard == []


def test_cinnamon_twist() -> None:
    game = rig("cinnamon_twist plain plain plain", [{}, {"coffee+2": 1}, {"red_velvet": 1, "coffee+1": 1}])
    bid(game, 1, 2, 2)
    assert game.actors() == {0, 1, 2}
    assert game.legal(0) == ["pass cinnamon_twist: cinnamon_twist"]
    game.apply(2, "pass cinnamon_twist: red_velvet")
    with pytest.raises(ValueError, match="can't choose"):
        game.apply(2, "pass cinnamon_twist: coffee+1")
    game.apply(1, "pass cinnamon_twist: coffee+2")
    game.apply(0, "pass cinnamon_twist: cinnamon_twist")
    # the Coffee that moved finds no negative card any more, the one that stayed keeps its value
    assert game.held == [{"red_velvet": 1}, {"cinnamon_twist": 1}, {"coffee+1": 1, "coffee+0": 1}]
    game = rig("cinnamon_twist plain plain plain", [{}, {}, {"glazed": 1}])
    bid(game, 1, 2, 2)
    assert game.actors() == {0, 2}


def test_milk() -> None:
    game = rig("milk plain plain", [{"plain": 2}, {}])
    bid(game, 1, 2)
    assert game.outcomes()
    assert game.discard == ["milk"]
    assert game.held[0] == {"plain": 2}
    game = rig("milk plain plain", [{"coffee+1": 1, "glazed": 1, "milk": 1, "plain": 1}, {}])
    bid(game, 1, 2)
    assert game.legal(0) == [
        *(f"discard milk: {item}" for item in ("coffee+1", "glazed", "milk", "plain")),
        "stop milk",
    ]
    game.apply(0, "discard milk: milk")
    assert game.legal(0) == [f"discard milk: {item}" for item in ("coffee+1", "glazed", "plain")]
    game.apply(0, "discard milk: coffee+1")
    game.apply(0, "discard milk: plain")
    assert game.discard == ["milk", "coffee", "plain"]
    assert game.held[0] == {"glazed": 1, "milk": 1}
    game = rig("milk plain plain", [{"plain": 3}, {}])
    bid(game, 1, 2)
    game.apply(0, "stop milk")
    assert game.discard == ["milk"]
    assert game.held[0] == {"plain": 3}


def test_strawberry_and_raspberry() -> None:
    game = rig("strawberry_glazed raspberry_frosted plain", [{}, {"coffee+2": 1}], coffee="frozen")
    bid(game, 1, 2)
    assert game.legal(0) == ["discard strawberry_glazed from 1: coffee+2"]
    game.apply(0, "discard strawberry_glazed from 1: coffee+2")
    assert game.discard == ["coffee", "raspberry_frosted"]
    assert game.held == [{"strawberry_glazed": 1}, {}]
    game = rig("strawberry_glazed raspberry_frosted plain", [{}, {"raspberry_frosted": 1}])
    bid(game, 3, 2)
    assert game.legal(1) == ["discard raspberry_frosted: raspberry_frosted"]


def test_no_power_unless_taken_from_the_row() -> None:
    game = rig(
        "eclair chocolate_frosted plain", [{"plain": 3}, {"plain": 3}], discard="day_old milk", unseen={"milk": 9}
    )
    bid(game, 1, 2)
    assert game.held[0] == {"plain": 3, "eclair": 1, "milk": 1}
    game.settle("milk")
    assert game.held[1] == {"plain": 3, "chocolate_frosted": 1, "milk": 1}
    assert not game.actors()


def test_coffee_final() -> None:
    game = rig("coffee red_velvet plain", [{}, {}], coffee="final")
    bid(game, 1, 2)
    assert game.held == [{"coffee": 1}, {"red_velvet": 1}]
    assert game.scores() == [0, -2]
    game.held[0]["bear_claw"] = 2
    assert game.scores()[0] == -4 + 2


def test_scores() -> None:
    def scores(*held: dict[str, int]) -> list[int]:
        return rig(" ".join(["plain"] * (len(held) + 1)), list(held)).scores()

    assert scores({"plain": 2}, {"plain": 1}) == [5, 1]
    assert scores({"plain": 2}, {"plain": 2}) == [3, 3]
    assert scores({"glazed": 2}, {"powdered": 2}) == [4, 6]
    assert scores({"donut_holes": 6}, {"donut_holes": 2}) == [15, 3]
    assert [scores({"jelly_filled": n}, {})[0] for n in range(7)] == [0, 0, 5, 5, 10, 10, 15]
    assert [scores({"boston_cream": n}, {})[0] for n in range(7)] == [0, 0, 6, 0, 15, 0, 25]
    types = {"eclair": 1, "chocolate_frosted": 1, "double_chocolate": 1, "raspberry_frosted": 1, "jelly_filled": 1}
    assert scores({**types, "maple_bar": 2, "coffee+0": 1, "coffee+2": 1}, {}) == [2 + 6, 0]
    assert scores({**types, "maple_bar": 2}, {"mucho_matcha": 2}) == [0, 6]
    assert scores({**types, "mucho_matcha": 1}, {**types, "mucho_matcha": 1, "boston_cream": 1}) == [3, 0]
    assert scores({"old_fashioned": 2, "eclair": 7}, {"old_fashioned": 2, "eclair": 8}) == [10, 0]
    assert scores({"maple_frosted": 1}, {"maple_frosted": 1}, {"eclair": 2}) == [5, 5, 0]
    assert scores({"maple_frosted": 1}, {}) == [0, 0]


def test_winners() -> None:
    assert rig("plain plain plain", [{"glazed": 1}, {"glazed": 1, "eclair": 1}]).winners() == [1]
    assert rig("plain plain plain", [{"glazed": 1}, {"glazed": 1}]).winners() == [0, 1]
    assert rig("plain plain plain", [{"glazed": 1}, {"eclair": 9}]).winners() == [0]


def test_overrides() -> None:
    game = rig(
        "coffee plain plain",
        [{"red_velvet": 1, "glazed": 1, "bear_claw": 1}, {"boston_cream": 2}],
        overrides={
            "boston_cream": {"points": [0, 3, 0, 15, 0, 25]},
            "glazed": {"points": -1},
            "red_velvet": {"points": 2},
            "plain": {"most": 4},
        },
    )
    bid(game, 1, 2)
    assert game.held[0] == {"red_velvet": 1, "glazed": 1, "bear_claw": 1, "coffee+2": 1}
    assert game.scores() == [2 - 1 - 2 + 2, 3 + 1 + 4]
    milk: dict[str, object] = {"copies": [9, 8, 7, 6, 5], "players": 3}
    counts = [Donuts(players, overrides={"milk": milk}).deck_size for players in range(2, 7)]
    assert counts == [37, 50 + 8, 60 + 7, 69 + 6, 69 + 5]
    with pytest.raises(ValueError, match="has no number"):
        Donuts(2, overrides={"plain": {"at_most_cards": 3}})
    with pytest.raises(ValueError, match="no such kind"):
        Donuts(2, overrides={"nonsense": {"points": 3}})
    with pytest.raises(ValueError, match="2 to 6 players"):
        Donuts(7)
