"""The rules page of Canopy: a test for each row, sentence and ruling, named after it, of the engine and of its twin."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from tests.canopy import EngineTable, Maker, Table, TwinTable, standard
from tests.reference.canopy import ANIMALS, KINDS, MATES

FED = "deal fern"  # what a look at an unseen card shows where it does not matter


@pytest.fixture(params=[EngineTable, TwinTable], ids=["engine", "twin"])
def table(request: pytest.FixtureRequest) -> Maker:
    """Tables of the engine, and of the twin."""
    maker: Maker = request.param
    return maker


def season_end(table: Maker, *steps: str, kept: str = "rain", **scene: Any) -> Table:
    """The last pile of a season has been kept, and so many steps more."""
    position = table(f"{kept}||", deck=0, **scene)
    position.go("keep", *steps)
    return position


def more_of(kind: str, copies: int) -> dict[str, Any]:
    """A ruleset with so many copies of a kind; as many cards more are removed."""
    ruleset = standard()
    removed = ruleset["removed"] + copies - ruleset["copies"][kind]
    return {"copies": ruleset["copies"] | {kind: copies}, "removed": removed}


def gained(table: Maker, *, season: int = 1, **scene: Any) -> list[int]:
    """The points of a season's end."""
    return season_end(table, season=season, **scene).points()


def rest(position: Table) -> list[str]:
    """What may be done now, but for what everybody may always do."""
    return [move for move in position.moves() if move not in ("keep", "pass", "look", "end turn")]


# --- the cards --------------------------------------------------------------------------------------------------------


def test_the_deck_has_112_cards_and_the_seed_deck_21() -> None:
    ruleset = standard()
    assert list(ruleset["copies"]) == list(KINDS)
    assert sum(ruleset["copies"].values()) == 112
    assert sum(ruleset["copies"][f"trunk_{value}"] for value in range(3)) == 19
    assert sum(ruleset["copies"][f"canopy_{value}"] for value in range(3)) == 10
    assert [ruleset["copies"][kind] for kind in KINDS[6:15]] == [12, 11, 13, 5, 8, 8, 3, 3, 8]
    assert {ruleset["copies"][animal] for animal in (*ANIMALS, *MATES)} == {1}
    assert set(ruleset["seeds"]) == {"trunk_1", "canopy_1", "philodendron", "bromelia", "fern", "rain", "sun"}
    assert set(ruleset["seeds"].values()) == {3}


@pytest.mark.parametrize(
    ("tree", "points"),
    [("0x0", 0), ("0x1", 1), ("0x2", 2), ("1+2x2", 7), ("0+1+1+2x1", 8), ("2+2x0", 4), ("0+0+0x1", 3)],
)
def test_a_tree_is_worth_its_trunks_and_its_canopy_times_their_number(table: Maker, tree: str, points: int) -> None:
    assert gained(table, done=(tree, ""), trees=("1", "")) == [points + 3, 0], "and 3 for the tallest"


@pytest.mark.parametrize(("n", "points"), [(1, 0), (2, 0), (3, 8), (5, 8), (6, 16), (8, 16), (9, 24)])
def test_philodendron_8_for_each_full_set_of_three(table: Maker, n: int, points: int) -> None:
    assert gained(table, cards=("philodendron " * n, "philodendron")) == [points, 0]


@pytest.mark.parametrize(("n", "points"), [(1, 2), (2, 7), (3, -3), (4, -3), (6, -3)])
def test_bromelia_one_2_two_7_more_minus_3_in_all(table: Maker, n: int, points: int) -> None:
    assert gained(table, cards=("", "bromelia " * n)) == [0, points]


@pytest.mark.parametrize(("n", "points"), [(1, 2), (2, 0), (3, 6), (4, 0), (5, 10), (7, 14)])
def test_fern_odd_2_each_even_nothing(table: Maker, n: int, points: int) -> None:
    assert gained(table, cards=("fern " * n, "")) == [points, 0]


@pytest.mark.parametrize(("rain", "sun", "points"), [(1, 0, 0), (1, 1, 5), (3, 1, 5), (2, 4, 10), (5, 5, 25)])
def test_rain_and_sun_5_per_pair(table: Maker, rain: int, sun: int, points: int) -> None:
    assert gained(table, cards=("", "rain " * rain + "sun " * sun)) == [0, points]


@pytest.mark.parametrize("animal", ANIMALS)
def test_wildlife_2_active_3_mating_alone_and_8_the_pair_after_the_last_season(table: Maker, animal: str) -> None:
    other = next(one for one in ANIMALS if one != animal)
    end = "end turn"
    steps = [end] if animal == "leafcutter_ant" else []
    for cards, points in ((animal, 2), (f"{animal} {animal}_mating", 8), (f"{animal} {other}_mating", 5)):
        assert season_end(table, *steps, cards=(cards, ""), season=3).points() == [points, 0]
        assert season_end(table, *steps, cards=(cards, ""), season=1).points() == [0, 0], "it stays"
    assert season_end(table, cards=(f"{animal}_mating", other), season=3).points() == [3, 2], (
        "whose partner is elsewhere"
    )


# --- set-up -----------------------------------------------------------------------------------------------------------


def test_a_season_has_34_cards_of_which_1_2_and_3_make_the_piles(table: Maker) -> None:
    position = season_end(table)
    assert (position.deck(), position.piles()) == (28, "? | ? ? | ? ? ?")


def test_the_ten_removed_cards_and_the_deck_are_unseen_by_all(table: Maker) -> None:
    position = table("?|? ?|? ? ?", deck=28)
    assert position.actor() is None
    assert position.chances() == pytest.approx({f"deal {kind}": n / 112 for kind, n in standard()["copies"].items()})


def test_seat_0_begins_season_1(table: Maker) -> None:
    position = table("fern | fern | fern", deck=28)
    assert position.actor() == 0


# --- a turn -----------------------------------------------------------------------------------------------------------


def test_keep_all_cards_enter_and_the_decks_top_card_takes_their_place(table: Maker) -> None:
    position = table("fern fern | rain | sun", deck=5, cards=("rain", ""))
    assert position.moves() == ["keep", "pass"]
    position.go("keep")
    assert position.cards() == "fern fern rain"
    assert position.piles() == "? | rain | sun"
    assert position.deck() == 4
    assert position.actor() is None, "the other one looks at it"
    position.go("deal sun")
    assert position.actor() == 1
    assert position.piles() == "sun:1 | rain | sun"


def test_pass_the_pile_is_fed_unseen_and_the_next_is_looked_at(table: Maker) -> None:
    position = table("fern | rain ? | sun", deck=5)
    position.go("pass")
    assert position.piles() == "? fern | ? rain | sun"
    assert position.deck() == 4
    position.go("deal disease")
    assert position.piles() == "? fern | disease:0 rain | sun"
    assert position.actor() == 0


def test_a_passed_pile_cannot_be_chosen_in_that_turn(table: Maker) -> None:
    position = table("fern | rain | sun", deck=5)
    position.go("pass", "keep")
    assert position.cards() == "rain"
    assert position.piles() == "? fern | ? | sun"
    assert position.actor() is None, "the turn is over"


def test_passing_pile_3_too_draws_the_decks_top_card_into_the_forest(table: Maker) -> None:
    position = table("fern | rain | sun", deck=6)
    position.go("pass", "pass", "pass")
    assert position.piles() == "? fern | ? rain | ? sun"
    assert position.actor() is None
    position.go("deal bromelia")
    assert (position.cards(), position.deck()) == ("bromelia", 2)
    assert position.piles() == "? fern | ? rain | ? sun"
    assert position.chances(), "the other one looks"
    position.go("deal sun")
    assert position.actor() == 1


def test_each_card_of_a_pile_is_known_to_exactly_those_who_have_looked(table: Maker) -> None:
    position = table("? | fern:1 rain:0 ? | sun", deck=6)
    position.go("deal disease", "pass", "deal fire")
    assert position.piles() == "? disease:0 | fern fire:0 rain:0 | sun"
    position.go("keep")
    while position.moves() and position.moves()[0].startswith("enter"):
        position.go(position.moves()[0])
    position.go("deal seed")
    assert position.piles() == "disease seed:1 | ? | sun"


def test_a_look_reveals_one_of_the_unseen_cards_with_its_share(table: Maker) -> None:
    position = table("? ? | rain | rain", deck=25, cards=("fern fern", "fire"), trees=("0+2", ""))
    chances = position.chances()
    assert chances["deal fern"] == pytest.approx(11 / 105)
    assert chances["deal fire"] == pytest.approx(2 / 105)
    assert chances["deal trunk_0"] == pytest.approx(6 / 105)
    position.go("deal fern")
    assert position.chances()["deal fern"] == pytest.approx(10 / 104)


# --- entering ---------------------------------------------------------------------------------------------------------


def test_entering_a_trunk_starts_a_tree_or_adds_to_an_incomplete_one(table: Maker) -> None:
    for move, trees in (("new tree", "0 1 2"), ("tree 1", "0+1 2"), ("tree 2", "0 1+2")):
        position = table("trunk_1 | fern | rain", trees=("2 0", ""))
        position.go("keep")
        assert position.moves() == ["new tree", "tree 1", "tree 2"]
        position.go(move)
        assert position.trees() == trees
    position = table("trunk_1 | fern | rain")
    position.go("keep")
    assert position.trees() == "1", "without an open tree it starts one by itself"


def test_entering_a_canopy_completes_an_open_tree_or_is_discarded(table: Maker) -> None:
    position = table("canopy_2 | fern | rain", trees=("0+2 1+1+1", ""), done=("0x1", ""))
    position.go("keep")
    assert position.moves() == ["tree 1", "tree 2"]
    position.go("tree 2")
    assert (position.trees(), position.done()) == ("1+1+1", "0x1 0+2x2")
    position = table("canopy_2 canopy_0 | fern | rain", trees=("1", ""))
    position.go("keep", "enter canopy_0")
    assert (position.trees(), position.done(), position.discard()) == ("", "1x0", "canopy_2")


def test_open_trees_are_numbered_by_their_trunks_and_equal_ones_are_no_choice(table: Maker) -> None:
    position = table("trunk_0 canopy_0 | fern | rain", trees=("1 0+0 1 2 0+0", ""))
    position.go("keep", "enter trunk_0")
    assert position.trees() == "0+0 0+0 1 1 2"
    assert position.moves() == ["new tree", "tree 1", "tree 3", "tree 5"]
    position = table("canopy_0 | fern | rain", trees=("1 1 1", ""))
    position.go("keep")
    assert (position.trees(), position.done()) == ("1 1", "1x0")


def test_drought_discards_one_other_own_card_at_once_then_itself(table: Maker) -> None:
    position = table("drought | fern | rain", cards=("fern rain", "sun"), trees=("0+2", "1"), done=("1x1", ""))
    position.go("keep")
    assert position.moves() == [
        "discard fern", "discard rain", "discard trunk 0 of tree 1", "discard trunk 2 of tree 1",
    ]  # fmt: skip
    position.go("discard rain")
    assert (position.cards(), position.discard()) == ("fern", "drought rain")
    position = table("drought | fern | rain", cards=("fern fern", ""))
    position.go("keep")
    assert (position.cards(), position.discard()) == ("fern", "drought fern"), "equal cards are no choice"


def test_drought_with_nothing_to_discard_does_nothing(table: Maker) -> None:
    position = table("drought | fern | rain", done=("1x1", ""))
    position.go("keep")
    assert (position.cards(), position.done(), position.discard()) == ("", "1x1", "drought")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind[:5] not in ("trunk", "canop", "droug")])
def test_all_other_cards_just_lie_there(table: Maker, kind: str) -> None:
    position = table(f"{kind} | fern | sun", cards=("rain", ""))
    position.go("keep")
    assert position.cards() == " ".join(sorted((kind, "rain")))


# --- the deck is empty ------------------------------------------------------------------------------------------------


def test_deck_empty_piles_are_no_longer_fed_and_an_emptied_place_stays_empty(table: Maker) -> None:
    position = table("fern | rain | sun", deck=0)
    position.go("pass")
    assert position.piles() == "fern | rain | sun"
    position.go("keep")
    assert position.piles() == "fern |  | sun"


def test_deck_empty_the_last_pile_one_looks_at_cannot_be_passed(table: Maker) -> None:
    position = table("fern | rain | sun", deck=0)
    position.go("pass", "pass")
    assert position.moves() == ["keep"]
    position = table("fern | rain |", deck=0)
    position.go("pass")
    assert position.moves() == ["keep"]


def test_the_season_ends_when_all_piles_are_gone(table: Maker) -> None:
    position = table("fern | rain | sun", deck=0)
    position.go("keep", "keep")
    assert position.season() == 1
    position.go("keep")
    assert position.season() == 2
    assert position.points() == [2, 0]
    assert position.discard() == "fern rain sun"


def test_passing_the_last_pile_needs_a_card_to_add_and_one_to_draw(table: Maker) -> None:
    for deck, moves in ((2, ["keep"]), (3, ["keep"]), (4, ["keep", "pass"])):
        position = table("fern | rain | fern", deck=deck)
        position.go("pass", "pass")
        assert position.deck() == deck - 2
        assert position.moves() == moves
    position.go("pass", "deal sun")
    assert (position.piles(), position.deck()) == ("? fern | ? rain | ? fern", 0)
    assert position.cards() == "sun"


# --- animals ----------------------------------------------------------------------------------------------------------


def test_emerald_boa_takes_one_card_of_a_pile_you_pass_before_the_new_card_is_added(table: Maker) -> None:
    position = table("fern sun | rain | sun", cards=("emerald_boa", ""), deck=5)
    assert position.moves() == ["keep", "pass"]
    position.go("pass")
    assert position.moves() == ["emerald boa fern", "emerald boa sun", "leave it"]
    assert position.deck() == 5
    position.go("emerald boa sun")
    assert position.cards() == "emerald_boa sun"
    assert position.piles() == "? fern | rain | sun"
    position.go("pass")
    assert position.piles() == "? fern | ? rain | sun", "once a season"


def test_emerald_boa_may_leave_a_pile_and_is_asked_at_the_next(table: Maker) -> None:
    position = table("fern sun | rain | sun", cards=("emerald_boa", ""), deck=5)
    position.go("pass", "leave it", "pass", "emerald boa rain")
    assert position.cards() == "emerald_boa rain"
    assert position.piles() == "? fern sun | ? | sun"


def test_kinkajou_keeps_one_more_card_of_the_seed_draw_always(table: Maker) -> None:
    for season in (1, 2):
        position = season_end(
            table,
            "seed fern",
            "seed sun",
            "seed fern",
            "keep fern",
            "keep sun",
            "enter sun",
            season=season,
            cards=("seed kinkajou", ""),
        )
        assert position.points() == [2 + 5, 0]


def test_kinkajou_keeps_nothing_without_a_seed_card(table: Maker) -> None:
    assert season_end(table, cards=("kinkajou", "")).season() == 2


def test_leafcutter_ant_discards_one_own_card(table: Maker) -> None:
    position = table("rain | fern | sun", cards=("leafcutter_ant disease", "seed"), trees=("1", ""), done=("0x0", ""))
    assert rest(position) == [
        "leafcutter ant: disease", "leafcutter ant: leafcutter_ant", "leafcutter ant: trunk 1 of tree 1",
    ]  # fmt: skip
    position.go("leafcutter ant: disease")
    assert position.cards() == "leafcutter_ant"
    assert position.discard() == "disease"
    assert position.moves() == ["keep", "pass"], "once a season"
    position.go("keep")
    assert position.actor() is None


def test_poison_frog_adds_one_card_to_each_pile_before_the_turn(table: Maker) -> None:
    position = table("? | fern | sun", cards=("poison_frog", ""), deck=5)
    assert position.moves() == ["look", "poison frog"]
    position.go("poison frog")
    assert (position.piles(), position.deck()) == ("? ? | ? fern | ? sun", 2)
    assert position.chances(), "once a season: now one looks"


@pytest.mark.parametrize(("deck", "piles"), [(1, "? fern | rain | sun"), (2, "? fern | ? rain | sun")])
def test_poison_frog_1_2_3_while_cards_last(table: Maker, deck: int, piles: str) -> None:
    position = table("fern | rain | sun", cards=("poison_frog", ""), deck=deck)
    position.go("poison frog")
    assert (position.piles(), position.deck()) == (piles, 0)


def test_sloth_draws_one_more_card_when_all_piles_were_passed(table: Maker) -> None:
    position = table("fern | rain | sun", cards=("sloth", ""), deck=6)
    position.go("pass", "pass", "pass", "deal disease")
    assert position.moves() == ["end turn", "sloth"]
    position.go("sloth", "deal fire")
    assert (position.cards(), position.deck()) == ("disease fire sloth", 1)
    assert position.chances(), "once a season: the turn is over"
    position = table("fern | rain | sun", cards=("sloth", ""), deck=6)
    position.go("pass", "keep")
    assert position.chances(), "not where a pile was kept"


def test_toucan_looks_at_one_pile_before_the_turn(table: Maker) -> None:
    position = table("? | ? rain | sun", cards=("toucan", ""), deck=6)
    assert position.moves() == ["look", "toucan 1", "toucan 2"]
    position.go("toucan 2", "deal fire")
    assert position.piles() == "? | fire:0 rain | sun"
    position.go("deal seed")
    assert position.piles() == "seed:0 | fire:0 rain | sun"
    assert position.moves() == ["keep", "pass"], "once a season"


def test_animals_can_be_used_again_in_the_next_season(table: Maker) -> None:
    position = season_end(table, cards=("", "toucan poison_frog"), used=("", "toucan poison_frog"))
    assert position.season() == 2
    assert position.actor() == 1
    assert position.moves() == ["look", "poison frog", "toucan 1", "toucan 2", "toucan 3"]


def test_animals_that_were_used_cannot_be_used_in_that_season(table: Maker) -> None:
    everything = " ".join(animal for animal in ANIMALS if animal != "kinkajou")
    position = table("fern | rain | sun", cards=(everything, ""), used=(everything, ""), deck=6)
    assert position.moves() == ["keep", "pass"]
    position.go("pass", "pass", "pass", "deal sun")
    assert position.chances()


# --- the end of a season ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fires", [0, 1, 2, 3])
def test_seeds_draw_3_and_1_per_fire(table: Maker, fires: int) -> None:
    position = season_end(table, cards=("seed " + "fire " * fires, ""))
    for _ in range(3 + fires):
        assert position.actor() is None
        position.go(next(iter(position.chances())))
    assert position.actor() == 0
    assert position.moves()[-1] == "stop"


def test_seeds_are_drawn_from_the_seed_deck(table: Maker) -> None:
    position = season_end(table, cards=("seed", ""))
    assert position.chances() == pytest.approx({f"seed {kind}": 3 / 21 for kind in standard()["seeds"]})
    position.go("seed fern")
    assert position.chances()["seed fern"] == pytest.approx(2 / 20)


def test_seeds_keep_up_to_one_per_seed_card_and_the_rest_goes_under(table: Maker) -> None:
    draw = ("seed fern", "seed rain", "seed sun")
    position = season_end(table, *draw, cards=("seed", ""))
    assert position.moves() == ["keep fern", "keep rain", "keep sun", "stop"]
    position.go("keep sun")
    assert position.points() == [5, 0]
    position = season_end(table, *draw, cards=("seed seed", ""))
    position.go("keep fern")
    assert position.moves() == ["keep rain", "keep sun", "stop"]
    position.go("keep sun", "enter sun")
    assert position.points() == [7, 0]
    again = season_end(table, *draw, "keep fern", cards=("seed", "seed"))
    assert again.chances()["seed rain"] == pytest.approx(2 / 18), "what went under is not drawn again"


def test_seeds_may_all_be_refused(table: Maker) -> None:
    position = season_end(table, "seed fern", "seed rain", "seed sun", "stop", cards=("seed seed", ""))
    assert position.points() == [0, 0]
    assert position.season() == 2


def test_seed_cards_are_discarded(table: Maker) -> None:
    position = season_end(table, "seed fern", "seed rain", "seed sun", "stop", cards=("seed seed", ""))
    assert position.discard() == "rain seed seed"


def test_seeds_the_player_who_began_the_season_first(table: Maker) -> None:
    for first in (0, 1):
        position = season_end(table, "seed fern", "seed fern", "seed fern", cards=("seed", "seed"), first=first)
        assert position.actor() == first
        position.go("stop", "seed rain", "seed rain", "seed rain")
        assert position.actor() == 1 - first


def test_two_fires_lose_two_plants_of_their_owner(table: Maker) -> None:
    plants = "bromelia philodendron philodendron fern"
    position = season_end(table, cards=(f"fire fire {plants}", plants), done=("2x0", "1x1"))
    assert position.actor() == 0
    assert position.moves() == ["lose bromelia", "lose philodendron"]
    position.go("lose philodendron")
    assert position.moves() == ["lose bromelia", "lose fern", "lose philodendron"]
    position.go("lose fern")
    assert position.season() == 2


def test_three_fires_spread_instead_both_lose_one_plant(table: Maker) -> None:
    plants = "bromelia fern fern"
    for fires in (3, 4):
        position = season_end(table, cards=(f"{'fire ' * fires}{plants}", plants), changes=more_of("fire", 4))
        position.go("lose bromelia")
        assert position.actor() == 1
        position.go("lose fern")
        assert position.points() == [0, 2 + 2]


@pytest.mark.parametrize(
    ("own", "other", "left"), [(2, 0, "0 2"), (3, 0, "1 1"), (2, 2, "0 0"), (2, 3, "0 1"), (3, 3, "0 0")]
)
def test_disease_does_likewise_with_wildlife(table: Maker, own: int, other: int, left: str) -> None:
    position = season_end(
        table,
        cards=("disease " * own + "sloth sloth_mating", "disease " * other + "toucan toucan_mating"),
    )
    while position.season() == 1:
        position.go(position.moves()[0])
    assert [len(position.cards(seat).split()) for seat in (0, 1)] == list(map(int, left.split()))


def test_losses_are_counted_for_both_before_any_loss(table: Maker) -> None:
    """Fires are no plants, but a plant lost to one's own fire is still there when both fires are counted."""
    position = season_end(table, cards=("fire fire fern", "fire fire fern"), changes=more_of("fire", 4))
    assert position.points() == [0, 0], "both lose what there is"


def test_losses_add_up(table: Maker) -> None:
    changes = more_of("fire", 6)
    plants = "bromelia fern philodendron philodendron"
    position = season_end(table, cards=("fire fire " + plants, "fire fire fire fern"), changes=changes)
    assert position.moves() == ["lose bromelia", "lose philodendron"], "two of three: a first one went without a choice"
    position.go("lose bromelia")
    assert position.season() == 2
    assert position.points() == [0, 0]
    position = season_end(table, cards=("fire fire fire fern fern fern", "fire fire fire"), changes=changes)
    assert position.points() == [2, 0], "two of three ferns"


def test_less_than_needed_what_there_is(table: Maker) -> None:
    position = season_end(table, cards=("fire fire fern disease disease sloth", ""))
    assert position.season() == 2
    assert position.points() == [0, 0]
    assert position.cards() == ""


def test_trees_completed_this_season_score_and_earlier_ones_not_again(table: Maker) -> None:
    assert gained(table, done=("old:1x2 spent:2+2+2x2 1+2x2", "")) == [7 + 3, 0]
    assert gained(table, done=("", "spent:2+2+2x2"), trees=("2+2", "")) == [0, 0]


@pytest.mark.parametrize(("season", "award"), [(1, 3), (2, 4), (3, 5)])
def test_tallest_tree_3_4_5_points_in_season_1_2_3(table: Maker, season: int, award: int) -> None:
    assert gained(table, season=season, done=("0+0x0", "0x0 0x0")) == [award, 10 if season == 3 else 0]


def test_tallest_tree_earlier_seasons_trees_included(table: Maker) -> None:
    position = season_end(table, season=2, done=("0+0x0", "old:0+0+0x0"))
    assert position.points() == [0, 4]
    assert position.done(1) == "spent:0+0+0x0"


def test_tallest_tree_that_has_not_won_before(table: Maker) -> None:
    position = season_end(table, season=2, done=("0x0", "spent:0+0+0x0"))
    assert position.points() == [4, 0]
    assert (position.done(0), position.done(1)) == ("spent:0x0", "spent:0+0+0x0")


def test_tallest_tree_tied_both_score_in_full_and_both_trees_are_spent(table: Maker) -> None:
    position = season_end(table, done=("0+0x0", "0+0x0"))
    assert position.points() == [3, 3]
    assert (position.done(0), position.done(1)) == ("spent:0+0x0", "spent:0+0x0")


def test_everything_but_trees_and_wildlife_is_discarded(table: Maker) -> None:
    position = season_end(
        table, cards=("fern fire disease sun sloth", "bromelia toucan_mating"), trees=("0 1+2", "0"), done=("1x1", "")
    )
    assert (position.cards(0), position.cards(1)) == ("sloth", "toucan_mating")
    assert (position.trees(0), position.trees(1), position.done()) == ("0 1+2", "0", "spent:1x1")
    assert position.discard() == "bromelia disease fern fire rain sun"


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    ("done", "begins"), [(("0x0", ""), 1), (("", "0x0"), 0), (("0x0", "0x0"), None), (("", ""), None)]
)
def test_who_did_not_win_the_tallest_tree_begins(
    table: Maker, first: int, done: tuple[str, str], begins: int | None
) -> None:
    position = season_end(table, done=done, first=first)
    position.go(next(iter(position.chances())))
    assert position.actor() == (begins if begins is not None else 1 - first), "tie or none: who did not begin"


def test_next_season_next_deck_1_2_3(table: Maker) -> None:
    position = season_end(table)
    assert (position.season(), position.deck(), position.piles()) == (2, 28, "? | ? ? | ? ? ?")


# --- the end of the game ----------------------------------------------------------------------------------------------


def test_largest_forest_10_to_most_completed_trees(table: Maker) -> None:
    assert gained(table, season=3, done=("spent:0x1 old:0x1 0x0", "spent:0+0x2 spent:0+0x2")) == [5 + 10, 0]
    assert gained(table, season=2, done=("spent:0x0 old:0x0", "")) == [4, 0], "only at the end"


def test_largest_forest_tied_more_cards_in_incomplete_trees(table: Maker) -> None:
    done = ("spent:0x0", "spent:0x0")
    assert gained(table, season=3, done=done, trees=("0+0 1", "1+2")) == [10, 0]
    assert gained(table, season=3, done=done, trees=("0", "1 2")) == [0, 10]


def test_largest_forest_still_tied_both(table: Maker) -> None:
    assert gained(table, season=3, done=("spent:0x0", "spent:0x0"), trees=("0+0", "1 2")) == [10, 10]


def test_most_points_wins(table: Maker) -> None:
    position = season_end(table, season=3, points=(40, 41))
    assert position.is_over()
    assert position.winners() == [1]


def test_tie_most_wildlife_still_tied_shared(table: Maker) -> None:
    assert season_end(table, season=3, points=(42, 43), cards=("sloth_mating", "sloth")).winners() == [0, 1]
    assert season_end(table, season=3, points=(41, 44), cards=("sloth toucan", "toucan_mating")).winners() == [1]
    assert season_end(table, season=3, points=(43, 44), cards=("sloth toucan", "toucan_mating")).winners() == [0]


# --- what is known to whom: tests/test_noleak_canopy.py ---------------------------------------------------------------


# --- Shifting Seasons and options -------------------------------------------------------------------------------------


def test_shifting_seasons_a_card_is_turned_up_at_each_seasons_start_without_replacement(table: Maker) -> None:
    left = [f"season {name}" for name in standard()["shift"] if name != "orchid_bloom"]
    position = season_end(table, shifts=("orchid_bloom",), options={"shifting": "on"})
    assert position.chances() == pytest.approx(dict.fromkeys(left, 1 / 5))
    position.go("season long_rains")
    next_card(position)
    left.remove("season long_rains")
    assert position.chances() == pytest.approx(dict.fromkeys(left, 1 / 4))


def next_card(position: Table) -> None:
    """Keep whatever comes until a season card is turned up."""
    while not any(outcome.startswith("season") for outcome in position.chances()):
        position.go([*position.chances(), *position.moves()][0])


def test_shifting_seasons_a_card_changes_the_deal_of_its_season_alone(table: Maker) -> None:
    position = season_end(table, shifts=("orchid_bloom",), options={"shifting": "on"})
    position.go("season thick_growth")
    assert position.piles() == "? ? | ? ? ? | ? ? ? ?"
    assert position.deck() == 34 - 9
    next_card(position)
    position.go("season giants")
    assert position.piles() == "? | ? ? | ? ? ?"


def test_shifting_seasons_a_card_holds_to_the_end_of_step_5(table: Maker) -> None:
    shifts = standard()["shift"]
    del shifts["thick_growth"]  # a season has six cards here
    shifts["giants"]["numbers"] |= {"weather_pair": 7}
    position = season_end(
        table, season=2, shifts=("orchid_bloom", "rich_soil"), cards=("sloth", ""), done=("0+0x0 0x0", ""),
        options={"shifting": "on"}, changes={"shift": shifts, "removed": 112 - 3 * 6},
    )  # fmt: skip
    assert position.points() == [4, 0]
    position.go("season giants", "deal rain", "keep", "deal sun", "deal rain", "keep", "enter sun")
    position.go("deal sun", "deal rain", "deal rain", "keep", "enter sun")
    assert position.is_over()
    assert position.points() == [4 + 10 + 7 + 10 + 2, 7]


@pytest.mark.parametrize("number", ["largest", "active", "mating", "mating_pair"])
def test_shifting_seasons_a_card_does_not_hold_for_the_scoring_after_season_3(number: str) -> None:
    """So a ruleset can't have one that says so."""
    shifts = standard()["shift"]
    shifts["giants"]["numbers"][number] = 50
    with pytest.raises(nf.InputError, match=number):
        nf.game("canopy", 2, shifting="on", ruleset=standard(shift=shifts))


@pytest.mark.parametrize("which", ["drought", "leafcutter ant"])
def test_option_exposed_only_trees_completed_in_the_current_season_and_the_whole_tree_goes(
    table: Maker, which: str
) -> None:
    done = ("old:0x0 spent:1x1 1+2x2 2x0", "")
    cards = ("leafcutter_ant", "") if which != "drought" else ("fern", "")
    for option in ("immune", "exposed"):
        position = table("drought | fern | rain", cards=cards, done=done, options={"drought_completed_trees": option})
        if which == "drought":
            position.go("keep")
        start = "discard" if which == "drought" else "leafcutter ant:"
        felled = [move for move in position.moves() if "completed" in move]
        if option == "immune":
            assert not felled
        else:
            assert felled == [f"{start} completed tree 3", f"{start} completed tree 4"]
            position.go(felled[0])
            assert position.done() == "old:0x0 spent:1x1 2x0"
            assert position.discard() == " ".join(
                sorted(["canopy_2", "trunk_1", "trunk_2"] + ["drought"] * (which == "drought"))
            )


# --- rulings ----------------------------------------------------------------------------------------------------------


def test_only_active_animals_have_abilities(table: Maker) -> None:
    position = table("fern | rain | sun", cards=(" ".join(MATES), "emerald_boa sloth"), deck=6)
    assert position.moves() == ["keep", "pass"]
    position.go("pass", "pass", "pass", "deal sun")
    assert position.chances()


def test_of_ones_own_equally_tall_trees_the_one_completed_first_wins(table: Maker) -> None:
    position = season_end(table, done=("0x0 1+1x0 0+0x2", ""))
    assert position.done() == "old:0x0 spent:1+1x0 old:0+0x2"


def test_one_award_a_player_a_season(table: Maker) -> None:
    assert gained(table, done=("0+0x0 0+0x0", "0x0")) == [3, 0]


def test_nobody_has_an_eligible_tree_no_award(table: Maker) -> None:
    assert gained(table, season=2, done=("spent:0x0", "spent:0+0x0"), trees=("1", "")) == [0, 0]


def test_nobody_has_a_completed_tree_at_the_end_no_largest_forest(table: Maker) -> None:
    assert gained(table, season=3, trees=("1", "")) == [0, 0]


def test_where_a_pile_is_gone_one_looks_at_the_next_one_that_is_there(table: Maker) -> None:
    position = table("fern || sun", deck=0)
    position.go("pass", "keep")
    assert position.cards() == "sun"
    assert position.actor() == 1
    position.go("keep")
    assert position.season() == 2


def test_passing_pile_3_means_passing_the_last_one_that_is_there(table: Maker) -> None:
    """There are gone piles only where the deck is empty, so it never comes to that."""
    position = table("fern | rain |", deck=0)
    position.go("pass")
    assert position.moves() == ["keep"]


def test_a_canopy_must_go_on_an_open_tree_if_there_is_one(table: Maker) -> None:
    position = table("canopy_0 | fern | rain", trees=("2", ""))
    position.go("keep")
    assert position.done() == "2x0"
    position = table("canopy_0 | fern | rain", trees=("2 1", ""))
    position.go("keep")
    assert position.moves() == ["tree 1", "tree 2"], "the owner chooses which"


def test_the_ant_may_be_used_at_any_decision_of_ones_own_turn(table: Maker) -> None:
    def ant(position: Table) -> bool:
        return "leafcutter ant: disease" in position.moves()

    cards = ("leafcutter_ant disease emerald_boa toucan sloth", "")
    position = table("fern trunk_0 drought | canopy_1 | ?", cards=cards, trees=("0 1", ""), deck=9)
    assert ant(position), "before looking"
    position.go("look")
    assert ant(position), "keep or pass"
    position.go("pass")
    assert ant(position), "boa"
    position.go("leave it", "pass", "emerald boa canopy_1")
    assert ant(position), "canopy"
    position.go("tree 1", "deal fire", "pass", "deal sun")
    assert ant(position), "sloth"
    position.go("sloth", "deal rain")
    assert position.moves()[0] == "end turn"
    assert ant(position), "before handing over"
    position = table("fern trunk_0 drought | fern | rain", cards=("leafcutter_ant disease", ""), trees=("0 1", ""))
    position.go("keep")
    assert ant(position), "which card enters"
    position.go("enter trunk_0")
    assert ant(position), "trunk"
    position.go("new tree", "enter drought")
    assert ant(position), "drought"
    position.go("discard trunk 0 of tree 1")
    assert ant(position), "before handing over"
    position.go("end turn")
    assert position.chances(), "the other one looks"


def test_the_ant_may_be_used_after_all_cards_have_entered_before_handing_over(table: Maker) -> None:
    position = table("leafcutter_ant | fern | rain", cards=("disease", ""))
    position.go("keep")
    assert position.moves() == ["end turn", "leafcutter ant: disease", "leafcutter ant: leafcutter_ant"]
    position.go("leafcutter ant: disease")
    assert position.chances(), "the other one looks"


def test_the_ant_is_not_used_in_the_others_turn(table: Maker) -> None:
    position = table("fern | rain | sun", cards=("", "leafcutter_ant"))
    assert position.moves() == ["keep", "pass"]
    position.go("keep")
    assert position.cards() == "fern"


def test_frog_and_toucan_before_looking_in_the_order_one_likes(table: Maker) -> None:
    for steps in (("poison frog", "toucan 2", "deal sun"), ("toucan 1", "deal sun", "poison frog")):
        position = table("? | fern | sun", cards=("poison_frog toucan", ""))
        assert position.moves() == ["look", "poison frog", "toucan 1"]
        position.go(*steps)
        assert position.chances(), "nothing is left to be used"
    position = table("? | fern | sun", cards=("poison_frog toucan", ""))
    position.go("poison frog")
    assert position.moves() == ["look", "toucan 1", "toucan 2", "toucan 3"]
    position.go("look", "deal fern", "deal fern")
    assert position.moves() == ["keep", "pass"]


def test_an_ability_without_effect_cannot_be_used(table: Maker) -> None:
    position = table("fern | rain:0 | sun", cards=("poison_frog toucan", ""), deck=0)
    assert position.moves() == ["keep", "pass"]
    position = table("fern | rain:1 | sun", cards=("poison_frog toucan", ""), deck=0)
    assert position.moves() == ["look", "toucan 2"]


def test_the_sloth_decides_after_having_seen_the_first_drawn_card(table: Maker) -> None:
    position = table("fern | sun | rain", cards=("sloth", ""), deck=5, trees=("0", ""))
    position.go("pass", "pass", "pass", "deal trunk_2")
    assert position.moves() == ["new tree", "tree 1"], "entered and resolved first"
    position.go("tree 1")
    assert position.moves() == ["end turn", "sloth"]


def test_a_sloth_just_drawn_counts(table: Maker) -> None:
    position = table("fern | sun | rain", deck=5)
    position.go("pass", "pass", "pass", "deal sloth")
    assert position.moves() == ["end turn", "sloth"]


def test_a_sloth_with_no_card_left_cannot_be_used(table: Maker) -> None:
    position = table("fern | sun | rain", cards=("sloth", ""), deck=4)
    position.go("pass", "pass", "pass", "deal sun")
    assert position.chances(), "the other one looks"


def test_cards_of_a_pile_enter_one_by_one_in_the_order_the_player_names(table: Maker) -> None:
    position = table("canopy_1 trunk_2 trunk_0 fern fern | sun | rain")
    position.go("keep")
    assert position.moves() == ["enter canopy_1", "enter fern", "enter trunk_0", "enter trunk_2"]
    position.go("enter trunk_2", "enter fern")
    assert position.moves() == ["enter canopy_1", "enter fern", "enter trunk_0"]
    position.go("enter canopy_1")
    assert position.done() == "2x1"
    position.go("enter trunk_0")
    assert (position.trees(), position.cards()) == ("0", "fern fern"), "the last kind by itself"


def test_each_choice_is_made_when_its_card_enters(table: Maker) -> None:
    position = table("trunk_0 trunk_0 canopy_2 | sun | rain")
    position.go("keep", "enter trunk_0", "enter trunk_0")
    assert position.moves() == ["new tree", "tree 1"]
    position.go("tree 1")
    assert position.done() == "0+0x2"


def test_losses_the_player_who_began_the_season_chooses_first(table: Maker) -> None:
    plants = "bromelia fern"
    for first in (0, 1):
        position = season_end(table, cards=(f"fire fire fire {plants}", plants), first=first)
        assert position.actor() == first
        position.go("lose fern")
        assert position.actor() == 1 - first
        position.go("lose fern")
        assert position.season() == 2


def test_losses_fire_first_the_seasons_first_player_then_the_other_then_disease_likewise(table: Maker) -> None:
    some = "bromelia fern sloth toucan"
    position = season_end(
        table, cards=(f"fire fire fire disease disease disease {some}", "bromelia fern kinkajou toucan_mating"), first=1
    )
    found = []
    while position.season() == 1:
        found.append((position.actor(), position.moves()[0].split()[1]))
        position.go(position.moves()[0])
    assert found == [(1, "bromelia"), (0, "bromelia"), (1, "kinkajou"), (0, "sloth")]


def test_losses_each_names_all_the_cards_at_once_and_equal_cards_are_no_choice(table: Maker) -> None:
    position = season_end(table, cards=("fire fire philodendron philodendron fern fern", ""))
    assert position.moves() == ["lose fern", "lose philodendron"]
    position.go("lose fern")
    assert position.season() == 2, "in the order of the kinds: two ferns"
    position = season_end(table, cards=("fire fire philodendron philodendron philodendron", ""))
    assert position.season() == 2


def test_seed_cards_are_gone_by_then_and_are_no_plants(table: Maker) -> None:
    draw = ("seed rain", "seed rain", "seed rain", "seed sun", "seed sun")
    position = season_end(table, *draw, "stop", cards=("seed fire fire fern fern fern", ""))
    assert position.points() == [2, 0], "two ferns are lost, no seed card in their place"


def test_cards_under_the_seed_deck_never_come_back_within_a_game_with_these_numbers() -> None:
    ruleset = standard()
    numbers = ruleset["numbers"]
    most = 2 * ruleset["seasons"] * numbers["seed_draw"] + ruleset["copies"]["fire"] * numbers["seed_per_fire"]
    assert most == sum(ruleset["seeds"].values())


def test_the_frog_may_empty_the_deck_and_the_empty_deck_rules_hold_in_the_same_turn(table: Maker) -> None:
    position = table("fern | rain | sun", cards=("poison_frog", ""), deck=3)
    position.go("poison frog")
    for _ in range(2):
        position.go(FED, "pass")
    position.go(FED)
    assert position.moves() == ["keep"]
    assert position.piles() == "fern fern:0 | fern:0 rain | fern:0 sun"


def test_a_toucan_needs_a_pile_with_a_card_its_owner_has_not_seen(table: Maker) -> None:
    position = table("rain:0 | rain:1 | rain:0 ?", cards=("toucan", ""))
    assert position.moves() == ["look", "toucan 2", "toucan 3"]


def test_what_a_toucan_saw_the_other_has_not(table: Maker) -> None:
    position = table("sun | rain:1 | rain:0 ?", cards=("toucan", ""))
    position.go("toucan 3", "deal fire", "keep", "deal sun")
    assert position.piles() == "sun:1 | rain:1 | fire:0 rain:0"


def test_the_ant_may_also_be_used_before_a_droughts_discard(table: Maker) -> None:
    position = table("drought | fern | rain", cards=("leafcutter_ant fern", ""))
    position.go("keep")
    assert position.moves() == [
        "discard fern", "discard leafcutter_ant", "leafcutter ant: fern", "leafcutter ant: leafcutter_ant",
    ]  # fmt: skip
    position.go("leafcutter ant: fern")
    assert position.cards() == "", "one card is left, which the drought takes"


def test_with_nothing_left_the_drought_then_does_nothing(table: Maker) -> None:
    position = table("drought | fern | rain", cards=("leafcutter_ant", ""))
    position.go("leafcutter ant: leafcutter_ant", "keep")
    assert (position.cards(), position.discard()) == ("", "drought leafcutter_ant")


def test_the_ant_opens_no_extra_moment_before_looking(table: Maker) -> None:
    position = table("? | fern | rain", cards=("leafcutter_ant", ""))
    assert position.chances()


def test_cards_of_the_kept_pile_that_have_not_yet_entered_cannot_be_discarded(table: Maker) -> None:
    position = table("drought fern rain | fern | rain")
    position.go("keep", "enter drought")
    assert (position.cards(), position.discard()) == ("", "drought"), "so a drought first costs nothing"
    position.go("enter fern")
    assert position.cards() == "fern rain"


def test_the_drought_itself_goes_in_any_case(table: Maker) -> None:
    position = table("drought drought | fern | rain", cards=("fern", ""))
    position.go("keep")
    assert (position.cards(), position.discard()) == ("", "drought drought fern")


@pytest.mark.parametrize("which", ["drought", "leafcutter ant"])
def test_drought_or_ant_on_an_incomplete_tree_any_one_of_its_trunks(table: Maker, which: str) -> None:
    for printed, left in ((0, "1+1 2+2"), (1, "0+1 2+2"), (2, "2 0+1+1")):
        position = table("drought | fern | rain", cards=("leafcutter_ant", ""), trees=("0+1+1 2+2", ""))
        if which == "drought":
            position.go("keep")
        number = position.trees().split().index("2+2" if printed == 2 else "0+1+1") + 1
        position.go(f"{'discard' if which == 'drought' else 'leafcutter ant:'} trunk {printed} of tree {number}")
        assert sorted(position.trees().split()) == sorted(left.split())


@pytest.mark.parametrize("which", ["drought", "leafcutter ant"])
def test_a_tree_that_loses_its_only_trunk_is_gone(table: Maker, which: str) -> None:
    position = table("drought | fern | rain", cards=("leafcutter_ant", ""), trees=("1 2", ""))
    if which == "drought":
        position.go("keep")
    position.go(f"{'discard' if which == 'drought' else 'leafcutter ant:'} trunk 2 of tree 2")
    assert position.trees() == "1"


def test_the_ant_can_take_away_the_tree_that_a_card_was_to_go_on(table: Maker) -> None:
    position = table("canopy_2 | fern | rain", cards=("leafcutter_ant", ""), trees=("0 1", ""))
    position.go("keep", "leafcutter ant: trunk 0 of tree 1")
    assert (position.trees(), position.done()) == ("", "1x2"), "one is left"
    position = table("trunk_2 | fern | rain", cards=("leafcutter_ant", ""), trees=("1", ""))
    position.go("keep", "leafcutter ant: trunk 1 of tree 1")
    assert position.trees() == "2"


def test_the_ant_can_take_away_the_animal_that_is_asked_for(table: Maker) -> None:
    position = table("fern rain | rain | sun", cards=("leafcutter_ant emerald_boa", ""), deck=5)
    position.go("pass", "leafcutter ant: emerald_boa")
    assert position.piles() == "? fern rain | rain | sun"
    assert position.moves() == ["keep", "pass"]
    position = table("fern | sun | rain", cards=("leafcutter_ant sloth", ""), deck=7)
    position.go("pass", "pass", "pass", "deal sun", "leafcutter ant: sloth")
    assert position.chances(), "the turn is over"
    position = table("? | fern | rain", cards=("leafcutter_ant toucan", ""), deck=5)
    position.go("leafcutter ant: toucan")
    assert position.chances(), "one looks"


def test_the_boa_takes_its_card_on_a_legal_pass_only(table: Maker) -> None:
    position = table("||rain", cards=("emerald_boa", ""), deck=0)
    assert position.moves() == ["keep"]
    position = table("fern || rain", cards=("emerald_boa", ""), deck=0)
    position.go("pass")
    assert position.moves() == ["emerald boa fern", "leave it"]


def test_the_boas_card_enters_and_is_resolved_before_the_pile_is_fed(table: Maker) -> None:
    position = table("drought rain | ? | fern", cards=("emerald_boa disease", ""), deck=5)
    position.go("pass", "emerald boa drought")
    assert position.moves() == ["discard disease", "discard emerald_boa"]
    assert (position.deck(), position.piles()) == (5, "rain | ? | fern")
    position.go("discard disease")
    assert (position.deck(), position.piles()) == (4, "? rain | ? | fern")
    assert position.chances(), "then the next one is looked at"


def test_the_boa_may_empty_the_pile(table: Maker) -> None:
    position = table("rain | fern | fern", cards=("emerald_boa", ""), deck=5)
    position.go("pass", "emerald boa rain")
    assert position.piles() == "? | fern | fern"
    position = table("rain | fern | fern", cards=("emerald_boa", ""), deck=0)
    position.go("pass", "emerald boa rain", "keep")
    assert position.piles() == " |  | fern", "with an empty deck that place is gone"
    assert position.actor() == 1


def test_one_card_left_passing_pile_1_feeds_it_pile_2_may_still_be_passed_the_last_must_be_kept(table: Maker) -> None:
    position = table("fern | rain | sun", deck=1)
    position.go("pass")
    assert (position.piles(), position.deck()) == ("? fern | rain | sun", 0)
    assert position.moves() == ["keep", "pass"]
    position.go("pass")
    assert position.piles() == "? fern | rain | sun"
    assert position.moves() == ["keep"]


def test_seeds_the_first_player_finishes_before_the_second_draws(table: Maker) -> None:
    position = season_end(table, "seed fern", "seed fern", "seed trunk_1", cards=("seed", "seed"), trees=("1", ""))
    position.go("keep trunk_1")
    assert position.moves() == ["new tree", "tree 1"]
    position.go("new tree")
    assert position.chances()["seed fern"] == pytest.approx(1 / 18)


def test_seeds_kept_cards_can_complete_trees_scored_in_step_3(table: Maker) -> None:
    position = season_end(table, "seed fern", "seed fern", "seed canopy_1", cards=("seed", ""), trees=("1+2 0", ""))
    position.go("keep canopy_1", "tree 2")
    assert position.points() == [3 + 2 + 3, 0]


def test_seeds_kept_cards_can_burn_in_step_2(table: Maker) -> None:
    draw = ("seed fern", "seed fern", "seed sun", "seed sun", "seed rain")
    position = season_end(table, *draw, "keep fern", cards=("seed fire fire", ""))
    assert position.points() == [0, 0]


def test_seeds_kept_cards_enter_one_by_one(table: Maker) -> None:
    draw = ("seed trunk_1", "seed canopy_1", "seed fern")
    for order, trees, done in (("canopy_1", "0 1", "2x1"), ("trunk_1", "0+1", "2x1")):
        position = season_end(table, *draw, "keep trunk_1", "keep canopy_1", cards=("seed seed", ""), trees=("0 2", ""))
        assert position.moves() == ["enter canopy_1", "enter trunk_1"]
        if order == "canopy_1":
            position.go("enter canopy_1", "tree 2", "new tree")
        else:
            position.go("enter trunk_1", "tree 1", "tree 2")
        assert (position.trees(), position.done().split(":")[-1]) == (trees, done)


def test_seeds_no_animal_but_the_kinkajou_works_then(table: Maker) -> None:
    draw = ("seed trunk_1", "seed canopy_1", "seed fern")
    position = table("rain||", deck=0, cards=("seed leafcutter_ant toucan", ""), trees=("0", ""))
    position.go("keep", "end turn", *draw)
    assert position.moves() == ["keep canopy_1", "keep fern", "keep trunk_1", "stop"]
    position.go("keep trunk_1")
    assert position.moves() == ["new tree", "tree 1"]


def test_a_short_seed_deck_gives_what_is_there_and_the_drawer_orders_what_goes_back(table: Maker) -> None:
    changes = {"seeds": {"fern": 1, "sun": 1, "rain": 1, "bromelia": 1}, "seed_draw": 3}
    position = season_end(table, cards=("seed", "seed"), changes=changes)
    position.go("seed fern", "seed sun", "seed rain", "keep sun")
    assert position.moves() == ["under fern", "under rain"]
    position.go("under rain")
    assert position.chances() == {"seed bromelia": 1.0}
    position.go("seed bromelia")
    assert position.actor() == 1, "rain and fern follow in the order in which they were put back"
    assert position.moves() == ["keep bromelia", "keep fern", "keep rain", "stop"]
    position.go("keep rain", "under fern")
    assert position.season() == 2


def test_most_wildlife_counts_cards_after_losses(table: Maker) -> None:
    position = season_end(
        table, season=3, points=(40, 34), cards=("disease disease sloth toucan", "toucan_mating kinkajou_mating")
    )
    assert position.points() == [40, 40]
    assert position.winners() == [1]


def test_cards_in_incomplete_trees_counts_trunks(table: Maker) -> None:
    done = ("spent:0x0", "spent:0x0")
    assert gained(table, season=3, done=done, trees=("0 0 0", "1+2+2+2")) == [0, 10]


@pytest.mark.parametrize(
    ("n", "two", "spread", "lost"),
    [
        (1, 1, 3, [2, 0]),
        (2, 3, 4, [0, 0]),
        (3, 2, 4, [2, 0]),
        (4, 2, 4, [1, 1]),
        (5, 2, 4, [1, 1]),
    ],
)
def test_changed_threats_work_as_two_below_spread_and_spread(
    table: Maker, n: int, two: int, spread: int, lost: list[int]
) -> None:
    changes = {"disease_two": two, "disease_spread": spread}
    position = season_end(
        table,
        cards=("disease " * n + "sloth kinkajou toucan", "sloth_mating kinkajou_mating toucan_mating"),
        changes=changes,
    )
    while position.season() == 1:
        position.go(position.moves()[0])
    assert [3 - len(position.cards(seat).split()) for seat in (0, 1)] == lost


def test_a_deck_that_does_not_split_in_equal_seasons_is_an_error(table: Maker) -> None:
    with pytest.raises(ValueError, match="seasons"):
        table("fern||", deck=0, changes={"removed": 9})
