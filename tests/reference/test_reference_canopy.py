"""The twin of Canopy: what holds all along a game, and what a player knows. Its rules: tests/test_rules_canopy.py."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.canopy import TwinTable, standard
from tests.reference.canopy import ANIMALS, CANOPIES, KINDS, MATES, TRUNKS, Canopy, Tree, World

pytestmark = pytest.mark.unsanitized

OPTIONS: list[dict[str, str]] = [{}, {"shifting": "on"}, {"drought_completed_trees": "exposed"}]


def walk(twin: Canopy, rng: random.Random) -> Iterator[Canopy]:
    """All points of a random game."""
    yield twin
    while not twin.over():
        if twin.actors():
            player = min(twin.actors())
            twin.apply(player, rng.choice(twin.legal(player)))
        else:
            outcomes = twin.outcomes()
            twin.settle(rng.choices(list(outcomes), list(outcomes.values()))[0])
        yield twin


def all_cards(twin: Canopy) -> Counter[str]:
    """Every card whose kind is decided, and those that nobody has seen."""
    found = twin.unseen + twin.unseen_seeds + twin.discard
    for forest in twin.forests:
        found.update(forest.cards)
        for tree in (*forest.trees, *forest.completed):
            found.update(dict(zip(TRUNKS, tree.trunks, strict=True)))
        found.update(CANOPIES[tree.canopy] for tree in forest.completed)
    for cards in (*twin.piles, twin.hand, twin.drawn, twin.under_seeds):
        found.update(card.kind for card in cards if card.kind)
    return found


def lying_unseen(twin: Canopy) -> int:
    """Cards of the main deck that lie somewhere face down, and nobody has looked at."""
    later = twin.season_deck * (twin.seasons - twin.season + (twin.stage[0] == "shift"))
    return twin.deck + later + sum(not card.kind for pile in twin.piles for card in pile)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_cards_are_neither_made_nor_lost(options: dict[str, str]) -> None:
    ruleset = standard()
    everything = Counter(ruleset["copies"]) + Counter(ruleset["seeds"])
    for seed in range(15):
        for twin in walk(Canopy(ruleset, **options), random.Random(seed)):
            entering = str(twin.stage[1]) if twin.stage[0] == "entering" else ""
            assert all_cards(twin) + Counter([entering] if entering else []) == everything
            if twin.stage[0] not in ("draw", "toucan"):  # the card drawn lies nowhere while it is looked at
                assert twin.unseen.total() == lying_unseen(twin) + ruleset["removed"]


def test_forests_hold_neither_trees_nor_droughts_by_themselves() -> None:
    for seed in range(20):
        for twin in walk(Canopy(standard()), random.Random(seed)):
            for forest in twin.forests:
                assert not forest.count((*TRUNKS, *CANOPIES, "drought"))
                assert all(tree.height() for tree in (*forest.trees, *forest.completed))
                assert forest.used <= set(ANIMALS) - {"kinkajou"}


def test_points_change_at_the_end_of_a_season_alone() -> None:
    for seed in range(20):
        season, points = 1, [0, 0]
        for twin in walk(Canopy(standard()), random.Random(seed)):
            if twin.season == season and not twin.over():
                assert twin.scores() == points
            season, points = twin.season, twin.scores()
        assert twin.season == 3


def test_every_turn_begins_with_piles_that_are_there_and_ends_the_season_without() -> None:
    for seed in range(20):
        for twin in walk(Canopy(standard()), random.Random(seed)):
            if twin.in_turn and twin.deck and twin.stage[0] == "before looking":
                assert all(twin.piles), "places are empty only where the deck is"
            if twin.stage[0] in ("keep", "under", "lose"):
                assert not any(twin.piles)
                assert twin.deck == 0


def test_moves_and_outcomes_that_are_not_possible_are_refused() -> None:
    twin = Canopy(standard())
    with pytest.raises(ValueError, match="can't choose"):
        twin.apply(0, "keep")
    with pytest.raises(ValueError, match="can't be revealed"):
        twin.settle("deal nothing")
    twin.settle("deal fern")
    with pytest.raises(ValueError, match="can't choose"):
        twin.apply(1, "keep")
    with pytest.raises(ValueError, match="unknown option"):
        Canopy(standard(), shifting="perhaps")


def test_what_a_tree_is_worth() -> None:
    tree = Tree()
    tree.trunks, tree.canopy = [0, 1, 1], 2
    assert tree.points() == 7, "18"
    tree.trunks, tree.canopy = [3, 0, 2], 1
    assert (tree.height(), tree.points()) == (5, 4 + 5)


# --- what a player knows ----------------------------------------------------------------------------------------------


def table(piles: str, **scene: Any) -> Canopy:
    return TwinTable(piles, **scene).twin


def test_a_view_hides_what_the_other_one_alone_has_seen() -> None:
    """Two positions that differ in such a card look the same to a player, and not to the other."""
    one, other = (table(f"rain | {kind}:1 | sun") for kind in ("fern", "disease"))
    assert one.view(0) == other.view(0)
    assert one.view(1) != other.view(1)
    for twin in (one, other):
        twin.apply(0, "pass")
    assert one.view(0) != other.view(0), "now he has looked"


def test_a_view_says_who_has_looked() -> None:
    assert table("rain | ? | sun").view(0) != table("rain | fern:1 | sun").view(0)
    assert table("rain | fern:0 | sun").view(0) != table("rain | fern | sun").view(0)


def test_a_seed_draw_is_seen_by_the_drawer_alone_and_what_is_kept_is_shown() -> None:
    views = []
    for kinds in ("fern rain sun", "fern rain bromelia"):
        twin = table("rain||", deck=0, cards=("seed", "seed"))
        twin.apply(0, "keep")
        for kind in kinds.split():
            twin.settle(f"seed {kind}")
        views.append((twin.view(0), twin.view(1)))
        twin.apply(0, "keep fern")
        views.append((twin.view(0), twin.view(1)))
    assert views[0][1] == views[2][1]
    assert views[0][0] != views[2][0]
    assert views[1][1] == views[3][1]
    assert views[1][0] != views[3][0], "what went under is known to who put it there"


def kinds_of(world: World) -> list[str]:
    return [kind for place in world for kind, seen in place if len(seen) == 1]


def test_the_worlds_of_a_view_are_as_likely_as_there_are_cards_for_them() -> None:
    twin = table("rain | fern:1 | sun", deck=28, cards=("fern fern fern", ""))
    worlds = {kinds_of(world)[0]: ways for world, ways in twin.worlds(0).items()}
    assert worlds == {
        kind: n - 3 * (kind == "fern") - (kind in ("rain", "sun")) for kind, n in standard()["copies"].items()
    }
    assert twin.worlds(1) == {twin.world(): 1}
    twin = table("rain | fern:1 fern:1 | sun", deck=27, cards=("fern fern fern", ""))
    worlds = {" ".join(kinds_of(world)): ways for world, ways in twin.worlds(0).items()}
    assert worlds["fern fern"] == 10 * 9
    assert worlds["fern sloth"] == 2 * 10 * 1
    assert worlds["rain rain"] == 7 * 6
    assert sum(worlds.values()) == 107 * 106
    assert twin.world() in twin.worlds(0)


def test_worlds_of_who_waits_allow_what_is_asked() -> None:
    twin = table("rain | fern:1 sun:1 | sun", deck=5, turn=1)
    twin.apply(1, "pass")
    twin.apply(1, "keep")
    assert twin.legal(1) == ["enter fern", "enter sun"]
    assert all(len(set(kinds_of(world))) == 2 for world in twin.worlds(0))


def test_the_order_of_what_goes_under_is_asked_only_where_it_can_count() -> None:
    assert not Canopy(standard()).orders_seeds
    assert Canopy(standard(seed_draw=4)).orders_seeds
    copies = standard()["copies"] | {"seed": 3}
    assert not Canopy(standard(seed_draw=4, copies=copies, removed=8)).orders_seeds, "three draws at the most"
    assert not Canopy(standard(shift={"rich": {"title": "", "numbers": {"seed_draw": 4}}})).orders_seeds
    shifts = {name: {"title": "", "numbers": {"seed_draw": 4}} for name in ("one", "two", "three")}
    assert Canopy(standard(shift=shifts), shifting="on").orders_seeds


def test_all_kinds_come_up() -> None:
    seen: set[str] = set()
    for seed in range(5):
        for twin in walk(Canopy(standard()), random.Random(seed)):
            seen.update(twin.discard)
    assert {*seen, *ANIMALS, *MATES} == set(KINDS)
