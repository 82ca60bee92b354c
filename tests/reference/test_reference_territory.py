"""The twin of Territory: details of the rules page that random games seldom reach, each with its paragraph."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Iterable
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest

from tests.reference.territory import CELLS, LINES, Land, Needs, Territory

pytestmark = pytest.mark.unsanitized

FILE = Path(__file__).parents[2] / "python/ninefold/games/territory.toml"
RULESET: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))
ANIMALS: dict[str, dict[str, Any]] = RULESET["animals"]


def land(*rows: str, **bosses: str) -> Land:
    """A land from three rows, the upper one first; "(ant)" lies face down. Bosses: land="a1", water="c3 star"."""
    made = Land(ANIMALS)
    for row, text in zip("321", rows, strict=True):
        for column, word in zip("abc", text.split(), strict=True):
            if word != "-":
                made.card[column + row] = word.strip("()")
                if word.startswith("("):
                    made.face_down.add(column + row)
    for marker, word in bosses.items():
        made.boss[marker] = word.split()[0]
        if word.endswith("star"):
            made.starred.add(marker)
    return made


def run(
    twin: Territory, until: Callable[[Territory], bool], rng: random.Random, prefer: Iterable[str] = ()
) -> Territory:
    """Play at random, but moves that begin like these first, until something is so."""
    starts = tuple(prefer)
    while not twin.over() and not until(twin):
        if twin.actors():
            player = min(twin.actors())
            legal = twin.legal(player)
            liked = [move for start in starts for move in legal if move.startswith(start)]
            twin.apply(player, liked[0] if liked else rng.choice(legal))
        else:
            twin.settle(rng.choice(list(twin.outcomes())))
    return twin


def ruleset(**changes: Any) -> dict[str, Any]:
    """The standard ruleset with other entries."""
    return {**RULESET, **changes}


# --- 13, 14, 18 to 21: lands ------------------------------------------------------------------------------------------


def test_ascending_skips_gaps_and_face_down_cards() -> None:
    assert land("- - -", "- - -", "ant - bear").ascends()
    assert not land("- - -", "- - -", "bear - ant").ascends()
    assert land("- - -", "- - -", "snail (ant) bear").ascends()
    assert land("bear - -", "(elephant) - -", "ant - -").ascends(), "columns ascend from bottom to top"
    assert not land("ant - -", "- - -", "bear - -").ascends()
    assert land("ant - -", "- bear -", "- - -").ascends(), "only lines matter"


def test_equal_numbers_do_not_ascend() -> None:
    same = Land({name: {"number": 7, "terrain": "land", "stars": 1} for name in ("one", "two")})
    same.card = {"a1": "one", "c1": "two"}
    assert not same.ascends()
    same.card = {"a1": "one", "b2": "two"}
    assert same.ascends()


def test_nine_numbers_fill_a_land_in_42_ways_and_fewer_in_as_many_as_counted() -> None:
    lines = [[CELLS.index(cell) for cell in line] for line in LINES]

    def orderings(cells: tuple[int, ...]) -> int:
        inside = [[cell for cell in line if cell in cells] for line in lines]
        pairs = [(line[i], line[i + 1]) for line in inside for i in range(len(line) - 1)]
        return sum(
            all(order[cells.index(low)] < order[cells.index(high)] for low, high in pairs)
            for order in permutations(range(len(cells)))
        )

    counts = [sum(orderings(cells) for cells in combinations(range(9), n)) for n in range(7)]
    assert counts == [1, 9, 54, 204, 468, 694, 706]
    assert orderings(tuple(range(9))) == 42


def test_territories() -> None:
    mine = land("hippo elephant shark", "fox otter salmon", "snail frog shrimp", land="a2", water="c3")
    assert mine.territory("land") == {"a2", "a1", "b1", "b2", "a3", "b3"}
    assert mine.territory("water") == {"c3", "c2", "c1", "b1", "b2"}, "an animal of both belongs to both"
    assert mine.boss_points("land", territory_points=False) == 5
    assert mine.boss_points("water", territory_points=False) == 5
    mine.starred.add("water")
    assert mine.boss_points("water", territory_points=False) == 0, "six cells wanted, five there"
    assert mine.boss_points("land", territory_points=True) == 5 + 6


def test_the_other_boss_joins_nothing() -> None:
    mine = land("- - -", "- - -", "snail otter eagle", land="a1", water="b1")
    assert mine.territory("land") == {"a1"}
    assert mine.territory("water") == {"b1"}
    assert land("- - -", "- - -", "snail otter eagle", land="a1").territory("land") == {"a1", "b1", "c1"}
    assert land("- - -", "- - -", "snail (otter) eagle", land="a1").territory("land") == {"a1"}, "face down"


# --- Ruleset files: needs ---------------------------------------------------------------------------------------------

FULL = land("(hippo) bison shark", "fox otter tuna", "snail frog -", land="a2", water="c3 star")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("at least 5 land", True),  # bison, fox, otter, snail, frog
        ("at least 6 land", False),
        ("exactly 4 water", True),  # shark, otter, tuna, frog
        ("at most 3 water", False),
        ("both", True),
        ("no only water", False),
        ("exactly 3 only land", True),
        ("exactly 1 face down", True),
        ("no empty", False),
        ("exactly 7 any", True),
        ("exactly 7 face up", True),
        ("at least 2 land in corners", False),
        ("1 line of water", False),
        ("line of water", False),  # row 2 has the fox, column c a gap
        ("line of any", True),
        ("2 lines of any", True),
        ("exactly 2 lines of any", True),
        ("no diagonal of any", False),
        ("exactly 1 diagonal of any", True),
        ("group of 5 land", True),
        ("group of 6 land", False),
        ("no group of 6 land", True),
        ("run of 2", True),
        ("run of 3", False),
        ("no run of 3", True),
        ("sum at least 202", True),
        ("sum at least 203", False),
        ("sum of any in row 1 exactly 17", True),
        ("sum of row 1 exactly 17", True),
        ("sum of corners at most 53", False),
        ("stars of any exactly 29", True),
        ("land boss in column a", True),
        ("land boss in row 1 or water boss in row 3 and boss in corners", True),
        ("(land boss in row 1 or water boss in row 3) and boss on edges", True),
        ("beside land boss even", True),
        ("exactly 2 any beside water boss", True),
        ("face down beside land boss", True),
        ("exactly 5 any in land territory", True),
        ("exactly 4 in water territory", True),
        ("number 48", True),
        ("no number 49", True),  # face down
        ("exactly 3 stars 5 to 9", True),
        ("both even", False),
        ("centre odd both", True),
    ],
)
def test_needs(text: str, holds: bool) -> None:
    assert Needs(text).holds(FULL) == holds


# --- the course of the game -------------------------------------------------------------------------------------------


def test_the_same_seed_plays_the_same_game_and_every_game_ends() -> None:
    for players in (1, 2, 3, 4):
        ends = []
        for _ in range(2):
            twin = run(Territory(players, RULESET), lambda twin: False, random.Random(players))
            assert all(len(one.card) == 9 for one in twin.land)
            assert all(len(hand) >= 3 for hand in twin.hand)
            ends.append((twin.scores(), twin.winners()))
        assert ends[0] == ends[1]


def test_cards_are_conserved() -> None:
    twin = Territory(3, RULESET)
    rng = random.Random(1)
    while not twin.over():
        played = [card for seat, card in twin.played.items() if card not in twin.land[seat].card.values()]
        there = [*twin.deck, *twin.discard, *twin.row, *(card for hand in twin.hand for card in hand)]
        there += [card for one in twin.land for card in one.card.values()]
        there += played if twin.stage[0] not in ("play",) else []
        if twin.stage[0] == "return":
            there += [card for cards in twin.given_back for card in cards]
        assert sorted(there) == sorted(ANIMALS), twin.stage
        if twin.actors():
            player = rng.choice(sorted(twin.actors()))
            twin.apply(player, rng.choice(twin.legal(player)))
        else:
            twin.settle(rng.choice(list(twin.outcomes())))


def test_cards_given_back_ascend_and_stay_possible() -> None:
    twin = run(Territory(2, RULESET), lambda twin: twin.stage == ("return", 0), random.Random(1))
    order = sorted(twin.hand[0], key=lambda card: ANIMALS[card]["number"])
    assert twin.legal(0) == sorted(f"return {card}" for card in order[:4])
    twin.apply(0, f"return {order[2]}")
    assert twin.actors() == {1}
    twin.apply(1, twin.legal(1)[0])
    assert twin.legal(0) == sorted(f"return {card}" for card in order[3:])


def test_the_lower_number_drafts_first_and_draft_first_comes_before() -> None:
    skills = {"first": {"effect": "draft first", "points": 0, "uses": 1}}
    twin = Territory(2, ruleset(skills=skills, goals={}))
    rng = random.Random(2)
    run(
        twin,
        lambda twin: any("use first" in twin.legal(seat) for seat in twin.actors()),
        rng,
        ["land boss", "water boss"],
    )
    user = min(twin.actors())
    twin.apply(user, "use first")
    run(twin, lambda twin: twin.stage[:1] == ("play",), rng)
    other = 1 - user
    high = max(twin.hand[user], key=lambda card: ANIMALS[card]["number"])
    low = min(twin.hand[other], key=lambda card: ANIMALS[card]["number"])
    twin.apply(user, f"play {high}")
    twin.apply(other, f"play {low}")
    assert twin.actors() == {user}
    run(twin, lambda twin: twin.stage[:1] == ("play",), rng)
    assert not twin.early


def test_views_do_not_show_hidden_choices_and_cards() -> None:
    rng = random.Random(3)
    twin = run(Territory(2, RULESET), lambda twin: twin.stage == ("play", 2), rng, ["take deck"])
    before = twin.view(1)
    views = set()
    for move in twin.legal(0):
        other = run(Territory(2, RULESET), lambda twin: twin.stage == ("play", 2), random.Random(3), ["take deck"])
        assert other.view(1) == before
        other.apply(0, move)
        views.add(other.view(1))
        assert all(other.known[card] == {0} for card in other.hand[0])
    assert len(views) == 1


def test_options_are_checked() -> None:
    with pytest.raises(ValueError, match="players"):
        Territory(5, RULESET)
    for option in ("territory_points", "face_down", "bonus"):
        with pytest.raises(ValueError, match="unknown option"):
            Territory(2, RULESET, **{option: "sometimes"})


def test_face_down_only_where_nothing_else_goes_or_always() -> None:
    for option, kinds in (("forced", {1}), ("free", {1, 2})):
        seen = set()
        for seed in range(30):
            twin = Territory(1, RULESET, face_down=option)
            rng = random.Random(seed)
            while not twin.over():
                if twin.actors():
                    legal = twin.legal(0)
                    if legal[0].startswith("place"):
                        down = [move for move in legal if move.endswith("face down")]
                        up = [move for move in legal if not move.endswith("face down")]
                        empty = len(twin.land[0].empty())
                        assert len(down) == (empty if option == "free" or not up else 0)
                        seen.add(bool(down) + bool(up))
                    twin.apply(0, rng.choice(legal))
                else:
                    twin.settle(rng.choice(list(twin.outcomes())))
        assert seen == kinds


def test_a_small_deck_runs_short_and_is_shuffled_anew() -> None:
    few = {name: ANIMALS[name] for name in list(ANIMALS)[:14]}
    twin = Territory(1, ruleset(animals=few))
    rng = random.Random(5)
    rows = []
    while not twin.over():
        if twin.actors():
            if twin.stage[:1] == ("play",):
                rows.append(len(twin.row))
            twin.apply(0, rng.choice(twin.legal(0)))
        else:
            twin.settle(rng.choice(list(twin.outcomes())))
    assert rows[0] == 4
    assert min(rows) < 4, "the row stays short"
    assert len(twin.land[0].card) == 9


def test_solo_has_no_points_for_the_largest_territory() -> None:
    for players, points in ((1, 0), (2, 3)):
        twin = Territory(players, ruleset(goals={}, skills={}))
        twin.land[0] = land("- - -", "- - -", "badger - -", land="a1")
        assert twin.scores()[0] == points


def test_ties_for_the_largest_territory() -> None:
    for tied, each in ((1, 3), (2, 2), (3, 1), (4, 0)):
        twin = Territory(4, ruleset(goals={}, skills={}))
        for seat in range(tied):
            twin.land[seat] = land("- - -", "- - -", "badger - -", land="a1")
        assert twin.scores() == [each] * tied + [0] * (4 - tied)
    assert Territory(3, RULESET).scores() == [0, 0, 0], "a size of 0 never scores"


def test_the_smaller_boss_number_breaks_ties() -> None:
    twin = Territory(3, ruleset(goals={}, skills={}, largest=[0, 0, 0, 0]))
    twin.land[0] = land("- - -", "- - -", "badger - shark", land="a1", water="c1")
    twin.land[1] = land("- - -", "- - -", "wolf - shark", land="a1")
    twin.land[2] = land("- - -", "- - -", "wolf - shark", land="a1", water="c1")
    assert twin.scores() == [0, 0, 0]
    assert twin.winners() == [2], "37 is more than 30, and a missing boss is 0"
    twin.land[2] = twin.land[0]
    assert twin.winners() == [0, 2]
