"""The rules page of Territory, paragraph by paragraph: each sentence, option and order of questions, named after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import ninefold as nf
from ninefold.files import to_dict
from ninefold.games.territory import MODULE
from tests.positions import wander

FRONTS = [goal.front.name for goal in MODULE.standard().goals.values()]
ANIMALS = MODULE.standard().animals
ROW = ["ladybird", "trout", "beaver", "manatee"]
CELLS = [column + row for row in "123" for column in "abc"]


def own_rules(**changes: Any) -> dict[str, Any]:
    """The invented set with other entries in place of its own."""
    return {**to_dict(MODULE.standard()), **changes}


def rules_with(**skills: str) -> dict[str, Any]:
    """No goals, and these skills, by their effects; each once a game."""
    return own_rules(
        goals={}, skills={name: {"effect": effect.replace("_", " "), "points": 0} for name, effect in skills.items()}
    )


def table(*players: dict[str, Any], ruleset: Any = None, **more: Any) -> nf.Position:
    """A position: players as in a file, what else the file says, and options of the game."""
    options: dict[str, str] = {
        name: more.pop(name) for name in ("territory_points", "face_down", "bonus") if name in more
    }
    game = nf.game("territory", len(players), ruleset=ruleset, options=options)
    data = {"sides": FRONTS if ruleset is None or ruleset["goals"] else [], "row": ROW, **more}
    return game.position(data, player=list(players))


def rows(**cells: str) -> list[str]:
    """The three rows of a file from cells: rows(a1="ant", b2="(fox)")."""
    return [" ".join(cells.get(column + row, "-") for column in "abc") for row in "321"]


def land(hand: str = "", bonus: str = "", **cells: str) -> dict[str, Any]:
    """A player: cards known to all, bonus cards, cells."""
    player: dict[str, Any] = {"shown": hand.split(), "bonus": bonus.split()}
    player.update((name, cells.pop(name)) for name in ("land_boss", "water_boss") if name in cells)
    return {**player, "cells": rows(**cells)}


def placing(*players: dict[str, Any], played: str, **more: Any) -> nf.Position:
    """Everybody is about to place the card played."""
    return table(*players, pending={"phase": "place", "played": played.split()}, **more)


def go(position: nf.Position, *steps: str) -> nf.Position:
    """Moves of players and outcomes, as a record writes them."""
    for step in steps:
        player, _, move = step.partition(": ")
        if move:
            position.play(int(player), move)
        else:
            position.chance(step)
    return position


def moves(position: nf.Position, player: int = 0) -> list[str]:
    """What a player may do."""
    return [str(move) for move in position.legal(player)]


def cards(position: nf.Position, player: int = 0) -> set[str]:
    """The hand of a player."""
    mine = position.to_dict()["player"][player]
    return {*mine.get("hand", []), *mine.get("shown", [])}


def run(position: nf.Position, until: Callable[[nf.Position], bool], seed: int = 1) -> nf.Position:
    """Play on at random until something is so."""
    return next(found for found in wander(position, seed) if until(found))


def phase(position: nf.Position) -> str:
    """What is asked."""
    return str(position.to_dict().get("pending", {}).get("phase", "play"))


# --- set-up -----------------------------------------------------------------------------------------------------------


def test_5_every_goal_has_a_side_up_at_random_and_the_skills_lie_open() -> None:
    position = nf.game("territory", 2).start()
    for goal in MODULE.standard().goals.values():
        assert position.outcomes() == [
            (position.game.outcome(f"side {side.name}"), 0.5) for side in (goal.front, goal.back)
        ]
        position.chance(f"side {goal.back.name}")
    assert position.to_dict()["sides"] == [goal.back.name for goal in MODULE.standard().goals.values()]
    assert "open leap 3: move" in str(position)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_6_7_five_cards_each_two_go_back_and_four_make_the_row(players: int) -> None:
    position = nf.game("territory", players).deal(1)
    assert phase(position) == "return"
    assert [len(cards(position, player)) for player in range(players)] == [5] * players
    assert position.to_dict()["deck"] == 50 - 5 * players
    run(position, lambda found: phase(found) == "fill")
    assert [len(cards(position, player)) for player in range(players)] == [3] * players
    assert position.to_dict()["deck"] == 50 - 3 * players
    assert len(position.outcomes()) == 50 - 3 * players, "cards given back may come up"
    run(position, lambda found: phase(found) == "play")
    assert len(position.to_dict()["row"]) == 4
    assert position.to_dict()["deck"] == 50 - 3 * players - 4


# --- a round ----------------------------------------------------------------------------------------------------------


def test_8_cards_are_chosen_in_secret_and_shown_together() -> None:
    position = table(land("fox ant"), land("bear bat"))
    assert moves(position) == ["play ant", "play fox"]
    position.play(1, "play bat")
    assert position.actors == (0,)
    assert position.view(0).to_dict()["pending"]["played"] == ["-", "?"]
    position.play(0, "play fox")
    assert position.view(0).to_dict()["pending"]["played"] == ["fox", "bat"]
    assert cards(position) == {"ant"}


def test_8_who_has_no_card_sits_the_round_out_and_without_any_the_game_is_over() -> None:
    position = table(land("fox"), land())
    assert position.actors == (0,)
    go(position, "0: play fox", "0: take trout")
    run(position, lambda found: phase(found) == "place")
    assert position.actors == (0,)
    assert table(land(), land()).is_over


def test_9_the_lower_number_drafts_first_and_takes_one_card() -> None:
    position = table(land("fox mole"), land("bat bear"))
    go(position, "0: play fox", "1: play bear")
    assert position.actors == (0,)
    assert moves(position) == ["take ladybird", "take trout", "take beaver", "take manatee", "take deck"]
    go(position, "0: take trout")
    assert position.actors == (1,)
    assert "take trout" not in moves(position, 1)
    assert cards(position) == {"mole", "trout"}
    go(position, "1: take deck", "deal wolf")
    assert cards(position, 1) == {"bat", "wolf"}
    assert position.view(0).to_dict()["player"][1] == {**position.to_dict()["player"][1], "hand": ["?"]}, (
        "only its taker sees it"
    )


def test_9_equal_numbers_the_lower_seat_first() -> None:
    same = {name: {"number": 7 + i // 20, "terrain": "land", "stars": 1} for i, name in enumerate(ANIMALS)}
    position = table(land("ant"), land("shrimp"), row=[], ruleset=own_rules(animals=same))
    go(position, "1: play shrimp", "0: play ant")
    assert position.actors == (0,)
    animals = {**same, "ant": {"number": 8, "terrain": "land", "stars": 1}}
    position = table(land("ant"), land("shrimp"), row=[], ruleset=own_rules(animals=animals))
    assert go(position, "1: play shrimp", "0: play ant").actors == (1,)


def drafting(skill: str, *, ruleset: Any = None, alone: bool = False, **cells: Any) -> nf.Position:
    """Player 0 has this skill and drafts, before another with a higher number if there is one; no goals taken."""
    mine = land("fox", skill, **cells)
    if alone:
        return go(table(mine, ruleset=ruleset), "0: play fox")
    return go(table(mine, land("bear"), ruleset=ruleset), "0: play fox", "1: play bear")


def test_10_skills_are_used_before_taking_each_once_a_turn_and_as_often_as_the_card_says() -> None:
    position = drafting("scout barter", a1="snail")
    assert moves(position)[-1] == "use scout", "nothing to swap"
    go(position, "0: use scout", "deal ant", "deal bat", "deal seal", "deal wolf")
    assert moves(position) == ["take ant", "take bat", "take wolf", "take seal", "take deck"]
    assert position.to_dict()["spent"] == {"scout": 1}
    go(position, "0: take ant")
    assert position.actors == (1,)
    often = own_rules(goals={}, skills={"peep": {"effect": "redraw row", "points": 0, "uses": 2}})
    used = table(land("fox", "peep"), land("bear"), ruleset=often, spent={"peep": 1})
    assert "use peep" in moves(go(used, "0: play fox", "1: play bear"))
    used = table(land("fox", "peep"), land("bear"), ruleset=often, spent={"peep": 2})
    assert "use peep" not in moves(go(used, "0: play fox", "1: play bear"))


def test_10_uses_0_is_once_every_round() -> None:
    position = drafting(
        "peep", ruleset=own_rules(goals={}, skills={"peep": {"effect": "redraw row", "points": 0, "uses": 0}})
    )
    for _ in range(2):
        position.play(0, "use peep")
        while position.is_chance:
            position.chance(rng=nf.Generator(1))
        assert "use peep" not in moves(position)
        assert "spent" not in position.to_dict()
        run(position, lambda found: phase(found) == "play")
        run(position, lambda found: found.actors == (0,) and phase(found) == "draft")


def test_10_a_skill_just_taken_is_used_from_the_next_round_on() -> None:
    position = table(land("fox bat"), row=ROW)
    go(position, "0: play fox", "0: take trout")
    run(position, lambda found: phase(found) == "place")
    go(position, "0: place a1", "0: land boss", "0: bonus scout", "0: play bat")
    assert "use scout" in moves(position)


def test_10_move_one_own_card_to_an_empty_own_cell() -> None:
    position = drafting("leap", a1="snail", b2="(mole)", c1="elk", land_boss="c1 star")
    go(position, "0: use leap")
    assert phase(position) == "part"
    found = moves(position)
    assert [move for move in found if move.startswith("move a1")] == [
        f"move a1 {cell}" for cell in ("b1", "a2", "a3", "b3")
    ], "not above or beside the elk, where it would not ascend"
    assert [move for move in found if move.startswith("move b2")] == [
        f"move b2 {cell}" for cell in ("b1", "a2", "c2", "a3", "b3", "c3")
    ], "a face-down card goes anywhere"
    assert "move c1 b1" in found
    go(position, "0: move c1 c3")
    mine = position.to_dict()["player"][0]
    assert mine["land_boss"] == "c3 star", "the marker goes with its card"
    assert mine["cells"] == ["-     -      elk", "-     (mole) -", "snail -      -"]
    assert phase(position) == "draft"


def test_10_swap_two_own_cards_not_both_face_down() -> None:
    position = drafting("barter", a1="snail", b1="(mole)", c1="elk", a3="(bat)", land_boss="a1")
    go(position, "0: use barter")
    assert moves(position) == ["swap a1 b1", "swap a1 a3", "swap b1 c1", "swap c1 a3"]
    go(position, "0: swap a1 b1")
    mine = position.to_dict()["player"][0]
    assert mine["cells"] == ["(bat)  -     -", "-      -     -", "(mole) snail elk"]
    assert mine["land_boss"] == "b1"


def test_10_draft_twice_takes_two_cards_in_this_turn() -> None:
    position = drafting("gather")
    go(position, "0: use gather", "0: take trout")
    assert position.actors == (0,)
    assert moves(position) == ["take ladybird", "take beaver", "take manatee", "take deck"]
    go(position, "0: take deck", "deal wolf")
    assert cards(position) == {"trout", "wolf"}
    assert position.actors == (1,)


def test_10_redraw_row_turns_up_as_many_cards_as_were_left() -> None:
    position = table(land("fox"), land("bear", "scout"))
    go(position, "0: play fox", "1: play bear", "0: take trout", "1: use scout")
    assert position.to_dict()["discard"] == ["ladybird", "beaver", "manatee"]
    go(position, "deal ant", "deal bat", "deal seal")
    assert position.to_dict()["row"] == ["ant", "bat", "seal"]
    assert position.actors == (1,)


def test_10_draft_first_goes_before_all_in_the_next_round() -> None:
    both = rules_with(early="draft_first", prompt="draft_first")
    position = table(land("fox elk"), land("bear ant", "early"), land("wolf bat"), ruleset=both)
    go(position, "0: play fox", "1: play bear", "2: play wolf", "0: take trout", "2: take beaver")
    go(position, "1: use early")
    assert position.to_dict()["first"] == [1]
    assert "use early" not in moves(position, 1)
    run(go(position, "1: take manatee"), lambda found: phase(found) == "play")
    go(position, "0: play elk", "1: play manatee", "2: play bat")
    assert position.to_dict()["pending"]["turns"] == [1, 2, 0]
    assert "first" not in position.to_dict()


def test_10_if_several_may_draft_first_the_numbers_decide() -> None:
    both = rules_with(early="draft_first", prompt="draft_first")
    three = (land("fox", "early"), land("bear", "prompt"), land("wolf"))
    position = go(table(*three, ruleset=both, first=[0, 1]), "0: play fox", "1: play bear", "2: play wolf")
    assert position.to_dict()["pending"]["turns"] == [0, 1, 2]
    three = (land("elk"), land("ant"), land("bat"))
    position = go(table(*three, ruleset=both, first=[0, 2]), "0: play elk", "1: play ant", "2: play bat")
    assert position.to_dict()["pending"]["turns"] == [2, 0, 1]


def test_10_a_skill_that_could_do_nothing_cannot_be_used() -> None:
    def usable(position: nf.Position) -> list[str]:
        return [move for move in moves(position) if move.startswith("use")]

    assert usable(drafting("leap barter")) == [], "no cards lie there"
    assert usable(drafting("leap barter", a1="(snail)", b1="(bat)")) == ["use leap"]
    first = rules_with(early="draft_first")
    assert usable(drafting("early", ruleset=first)) == ["use early"]
    assert usable(drafting("early", ruleset=first, alone=True)) == []
    last = go(table(land("fox", "early"), land("bear"), ruleset=first, round=9), "0: play fox", "1: play bear")
    assert usable(last) == []
    assert usable(go(drafting("early", ruleset=first), "0: use early")) == []
    one_card = table(land("fox", "gather scout"), land("bear"), row=["ant"], ruleset=few_animals("fox", "bear", "ant"))
    assert usable(go(one_card, "0: play fox", "1: play bear")) == ["use scout"]
    no_row = table(land("fox", "gather scout"), land("bear"), row=[])
    assert usable(go(no_row, "0: play fox", "1: play bear")) == ["use gather"]
    twice = rules_with(gather="draft_twice", reap="draft_twice")
    assert usable(go(drafting("gather reap", ruleset=twice), "0: use gather")) == []


def test_10_a_skill_that_is_used_is_carried_out() -> None:
    position = go(drafting("leap", a1="snail"), "0: use leap")
    assert all(move.startswith("move") for move in moves(position))


def test_11_the_row_left_over_is_discarded_and_filled_to_four() -> None:
    position = table(land("fox"), land("bear"))
    go(position, "0: play fox", "1: play bear", "0: take trout", "1: take deck", "deal wolf")
    assert position.to_dict()["discard"] == ["ladybird", "beaver", "manatee"]
    go(position, "deal ant", "deal bat", "deal seal", "deal eagle")
    assert position.to_dict()["row"] == ["ant", "bat", "eagle", "seal"]
    assert phase(position) == "place"


def test_11_not_in_the_last_round() -> None:
    position = go(table(land("fox"), round=9), "0: play fox", "0: take trout")
    assert phase(position) == "choose"
    assert position.to_dict()["row"] == []


def few_animals(*names: str) -> dict[str, Any]:
    """The invented set with these animals alone, and cards dealt one by one."""
    all_of_them = to_dict(MODULE.standard())["animals"]
    return own_rules(animals={name: all_of_them[name] for name in names}, hand=1, keep=1)


def test_12_the_discard_pile_becomes_the_deck_when_a_card_is_needed() -> None:
    rules = few_animals("fox", *ROW, "ant", "bat", "seal")
    position = table(land("fox"), row=ROW, discard=["ant", "bat", "seal"], ruleset=rules)
    assert position.to_dict()["deck"] == 0
    go(position, "0: play fox", "0: take deck")
    assert [str(outcome) for outcome, _ in position.outcomes()] == ["deal ant", "deal bat", "deal seal"]
    go(position, "deal bat")
    assert position.to_dict()["deck"] == 2
    go(position, "deal ant", "deal seal")
    assert sorted(map(str, dict(position.outcomes()))) == [f"deal {name}" for name in sorted(ROW)]


def test_12_if_both_are_short_the_row_stays_short_and_a_draft_lapses() -> None:
    rules = few_animals("fox", "bear", "ant")
    position = table(land("fox"), land("bear"), row=["ant"], ruleset=rules)
    go(position, "0: play fox", "1: play bear")
    assert moves(position) == ["take ant"]
    go(position, "0: take ant")
    assert phase(position) == "place", "nothing is left for player 1, nor for the row"
    assert position.to_dict()["row"] == []
    assert position.actors == (0, 1)


def test_13_a_card_may_lie_on_any_empty_cell_where_all_ascend() -> None:
    assert moves(placing(land(), played="fox")) == [f"place {cell}" for cell in CELLS]
    position = placing(land(b2="fox"), played="bear")
    assert moves(position) == [f"place {cell}" for cell in CELLS if cell not in ("b2", "a2", "b1")]
    position = placing(land(b2="fox"), played="ant")
    assert moves(position) == [f"place {cell}" for cell in CELLS if cell not in ("b2", "c2", "b3")]


def test_13_empty_and_face_down_cells_are_skipped() -> None:
    assert "place a1" not in moves(placing(land(c1="ant"), played="fox"))
    assert "place a1" not in moves(placing(land(b1="(elk)", c1="ant"), played="fox"))
    assert "place a1" in moves(placing(land(b1="(ant)", c1="elk"), played="fox"))
    assert "place a1" in moves(placing(land(a3="elk"), played="fox"))
    assert "place a3" not in moves(placing(land(a1="elk"), played="fox"))


def test_13_equal_numbers_do_not_ascend() -> None:
    same = {name: {"number": 7, "terrain": "land", "stars": 1} for name in ANIMALS}
    position = placing(land(b2="ant"), played="bat", row=[], ruleset=own_rules(animals=same))
    assert moves(position) == ["place a1", "place c1", "place a3", "place c3"]


def test_13_placing_is_at_once_and_hidden_until_all_have_placed() -> None:
    position = placing(land(), land(), played="fox bear")
    position.play(0, "place a1")
    assert position.actors == (1,)
    assert position.view(1).to_dict()["pending"]["spots"] == ["?", "-"]
    assert position.view(0).to_dict()["pending"]["spots"] == ["a1", "-"]
    position.play(1, "place c3")
    lands = [[row.split() for row in player["cells"]] for player in position.to_dict()["player"]]
    assert lands[0] == [["-"] * 3, ["-"] * 3, ["fox", "-", "-"]]
    assert lands[1] == [["-", "-", "bear"], ["-"] * 3, ["-"] * 3]


def test_13_if_a_card_can_lie_face_up_nowhere_it_lies_face_down_on_any_empty_cell() -> None:
    cells = {"a1": "snail", "b1": "mouse", "c1": "kingfisher"}
    assert moves(placing(land(**cells), played="ant")) == [f"place {cell} face down" for cell in CELLS[3:]]
    assert moves(placing(land(**cells), played="bear")) == [f"place {cell}" for cell in CELLS[3:]]
    position = go(placing(land(**cells), played="ant"), "0: place b2 face down")
    assert position.to_dict()["player"][0]["cells"][1].split() == ["-", "(ant)", "-"]


@pytest.mark.parametrize("names", [list(ANIMALS)[:9], list(ANIMALS)[41:], list(ANIMALS)[2:47:5]])
def test_13_nine_numbers_fill_a_land_in_42_ways_and_parts_of_it_in_as_many_as_brute_force_counts(
    names: list[str],
) -> None:
    """Each filling is met once where the numbers are placed in ascending order."""
    lands: list[dict[str, str]] = [{}]
    counts = []
    for name in names:
        counts.append(len(lands))
        lands = [
            {**cells, move.removeprefix("place "): name}
            for cells in lands
            for move in moves(placing(land(**cells), played=name, row=[], round=9))
            if not move.endswith("face down")
        ]
    assert [*counts, len(lands)] == [1, 9, 54, 204, 468, 694, 706, 490, 210, 42]


def test_14_a_face_down_card_has_no_terrain_and_no_number_and_is_joined_to_nothing() -> None:
    assert territory("land", a1="mouse", b1="fox", c1="elk", land_boss="a1") == 3
    assert territory("land", a1="mouse", b1="(fox)", c1="elk", land_boss="a1") == 1
    assert holds("sum at least 82", a1="mouse", b1="fox", c1="elk")
    assert holds("sum exactly 56", a1="mouse", b1="(fox)", c1="elk")


def test_14_for_a_goal_a_face_down_card_counts_only_as_face_down() -> None:
    for needs, points in (
        ("at least 1 any", 0),
        ("no face down", 0),
        ("exactly 1 face down", 7),
        ("exactly 8 empty", 7),
    ):
        rules = own_rules(goals={"g": {"front": goal("x", needs), "back": goal("y", needs)}}, skills={})
        assert table(land(bonus="g", b2="(fox)"), ruleset=rules, sides=["x"]).scores() == [points]


def goal(name: str, needs: str, points: int = 7) -> dict[str, Any]:
    """A side of a goal."""
    return {"name": name, "needs": needs, "points": points}


def last_round() -> nf.Position:
    """Both have drafted in the last round: a trout, and a wolf from the deck."""
    position = table(land("fox ant"), land("bear bat"), round=9)
    return go(position, "0: play fox", "1: play bear", "0: take trout", "1: take deck", "deal wolf")


def test_15_in_the_last_round_a_card_just_drafted_may_be_placed_instead() -> None:
    position = last_round()
    assert phase(position) == "choose"
    assert moves(position, 0) == ["choose trout", "choose fox"]
    assert moves(position, 1) == ["choose wolf", "choose bear"]
    position.play(0, "choose trout")
    assert position.view(1).to_dict()["pending"]["chosen"] == ["?", "-"], "everybody at once"
    position.play(1, "choose bear")
    assert position.view(1).to_dict()["pending"]["played"] == ["trout", "bear"], "shown together"
    assert cards(position, 0) == {"fox", "ant"}, "the other card stays in the hand"
    assert cards(position, 1) == {"bat", "wolf"}
    go(position, "0: place a1", "1: place a1", "0: no boss", "1: no boss")
    assert position.is_over


def test_15_whether_it_can_lie_face_up_is_asked_for_the_card_chosen() -> None:
    def at_the_end(choice: str) -> list[str]:
        mine = land("ant", a1="snail", b1="mouse", c1="kingfisher")
        position = go(table(mine, round=9), "0: play ant", "0: take manatee", f"0: choose {choice}")
        return moves(position)

    assert at_the_end("manatee") == [f"place {cell}" for cell in CELLS[3:]]
    assert at_the_end("ant") == [f"place {cell} face down" for cell in CELLS[3:]]


def test_15_after_draft_twice_either_of_the_two() -> None:
    position = table(land("fox", "gather"), round=9)
    go(position, "0: play fox", "0: use gather", "0: take trout", "0: take manatee")
    assert moves(position) == ["choose trout", "choose fox", "choose manatee"]


def declaring(*players: dict[str, Any], played: str, cells: str, **more: Any) -> nf.Position:
    """Everybody has placed and may declare a boss."""
    position = placing(*players, played=played, **more)
    for player, cell in enumerate(cells.split(", ")):
        position.play(player, f"place {cell}")
    return position


ALL = ["no boss", "land boss", "land boss star", "water boss", "water boss star"]


def test_16_everybody_decides_at_once_about_the_card_placed_this_round() -> None:
    position = declaring(land(), land(), land(), played="otter fox herring", cells="c3, b2, a1")
    assert [moves(position, player) for player in range(3)] == [ALL, ALL[:3], [ALL[0], *ALL[3:]]]
    position.play(1, "land boss star")
    assert position.view(0).to_dict()["pending"]["declared"] == ["-", "?", "-"]
    go(position, "0: water boss", "2: no boss")
    players = position.to_dict()["player"]
    assert players[0]["water_boss"] == "c3"
    assert players[1]["land_boss"] == "b2 star"
    assert not {"land_boss", "water_boss"} & set(players[2])


def test_16_each_marker_once_a_game_and_never_on_a_face_down_card() -> None:
    mine = land(a1="badger", land_boss="a1")
    assert moves(declaring(mine, played="otter", cells="c3")) == [ALL[0], *ALL[3:]]
    assert phase(declaring(mine, played="elk", cells="a2")) == "play", "who cannot is not asked"
    position = declaring(mine, land(), played="elk otter", cells="a2, a1")
    assert position.actors == (1,)
    down = declaring(land(a1="snail", b1="mouse", c1="kingfisher"), played="ant", cells="a2 face down")
    assert phase(down) == "play"


def test_17_who_made_a_boss_takes_a_bonus_card_the_lower_number_first() -> None:
    position = declaring(land(), land(), land(), played="otter fox herring", cells="a1, a1, a1")
    go(position, "0: land boss", "1: land boss", "2: no boss")
    assert position.actors == (1,), "26 before 29"
    assert moves(position, 1) == [f"bonus {name}" for name in (*MODULE.standard().goals, *MODULE.standard().skills)]
    go(position, "1: bonus flock")
    assert position.actors == (0,)
    assert "bonus flock" not in moves(position, 0)
    go(position, "0: bonus leap")
    assert [player.get("bonus") for player in position.to_dict()["player"]] == [["leap"], ["flock"], None]
    assert phase(position) == "play"


def test_17_equal_numbers_the_lower_seat_first() -> None:
    same = {name: {"number": 7, "terrain": "land", "stars": 1} for name in ANIMALS}
    position = declaring(land(), land(), played="wolf ant", cells="a1, a1", ruleset=own_rules(animals=same), row=[])
    assert go(position, "1: land boss", "0: land boss").actors == (0,)


def test_17_a_goal_keeps_its_side() -> None:
    for side, points in (("front", 5), ("back", 7)):
        goals = {"g": {"front": goal("front", "any", 5), "back": goal("back", "any", 7)}}
        rules = own_rules(goals=goals, skills={}, largest=[0, 0, 0, 0])
        position = declaring(land(), land(), played="wolf ant", cells="a1, a1", ruleset=rules, sides=[side])
        assert go(position, "0: land boss", "1: no boss", "0: bonus g").scores() == [points, 0]


def test_17_with_none_left_it_lapses() -> None:
    rules = rules_with(leap="move")
    position = declaring(land(), land(), played="otter fox", cells="a1, a1", ruleset=rules)
    go(position, "0: land boss", "1: land boss", "1: bonus leap")
    assert phase(position) == "play"


# --- score ------------------------------------------------------------------------------------------------------------


def holds(needs: str, **cells: str) -> bool:
    """Whether this is true of a land, alone."""
    rules = own_rules(goals={"g": {"front": goal("x", needs, 50), "back": goal("y", "any")}}, skills={})
    return table(land(bonus="g", **cells), ruleset=rules, sides=["x"], row=[]).scores()[0] >= 50


def territory(marker: str, **cells: str) -> int:
    """Cells of a boss's territory."""
    return next(n for n in range(10) if holds(f"exactly {n} any in {marker} territory", **cells))


def test_18_a_territory_is_joined_side_by_side_through_the_bosss_terrain() -> None:
    cells = {"a1": "snail", "b1": "frog", "c1": "hare", "b2": "trout", "b3": "pike", "c3": "elk"}
    assert territory("land", **cells, land_boss="a1") == 3, "snail, frog, hare; the elk lies across a corner"
    assert territory("water", **cells, water_boss="b3") == 3, "pike, trout, frog"
    assert territory("water", **cells) == 0


def test_18_an_animal_of_both_may_belong_to_both_territories() -> None:
    cells = {"a1": "snail", "b1": "frog", "c1": "trout", "land_boss": "a1", "water_boss": "c1"}
    assert territory("land", **cells) == 2
    assert territory("water", **cells) == 2


def test_18_the_cell_of_the_other_boss_never_belongs_to_it_and_joins_nothing() -> None:
    cells = {"a1": "snail", "b1": "frog", "c1": "hare", "land_boss": "a1"}
    assert territory("land", **cells) == 3
    assert territory("land", **cells, water_boss="b1") == 1
    assert territory("water", **cells, water_boss="b1") == 1


def test_19_a_boss_scores_its_stars_if_its_territory_has_as_many_cells() -> None:
    cells = {"a1": "wren", "b1": "kingfisher"}
    assert ANIMALS["wren"].stars == 2
    assert table(land(**cells, land_boss="a1")).scores() == [2]
    assert table(land(**cells, land_boss="a1 star")).scores() == [0], "three wanted, two there"
    assert table(land(**cells, c1="hare", land_boss="a1 star")).scores() == [3]
    assert table(land(**cells, c1="hare", land_boss="c1")).scores() == [0], "six wanted, three there"
    assert table(land(**cells, c1="hare")).scores() == [0], "a boss never made"


def test_20_goals_met_and_skills_score_used_or_not() -> None:
    assert table(land(bonus="parity")).scores() == [0]
    six = {"a1": "minnow", "b1": "wren", "c1": "frog", "a2": "kingfisher", "b2": "crab", "c2": "squirrel"}
    assert holds("at least 6 odd", **six)
    odd = [*FRONTS[:3], "singles", *FRONTS[4:]]
    assert table(land(bonus="parity", **six), sides=odd).scores() == [3]
    assert table(land(**six), sides=odd).scores() == [0], "only goals taken"
    assert table(land(bonus="scout gather")).scores() == [4]
    assert table(land(bonus="scout gather"), spent={"scout": 1}).scores() == [4]


@pytest.mark.parametrize(("tied", "points"), [(1, 3), (2, 2), (3, 1), (4, 0)])
def test_21_the_largest_territory(tied: int, points: int) -> None:
    names = ["wolf", "elk", "bison", "elephant"]
    players = [land(a1=name, land_boss="a1") for name in names[:tied]] + [land()] * (4 - tied)
    assert table(*players).scores() == [points] * tied + [0] * (4 - tied)


def test_21_each_players_larger_one_stars_do_not_matter_and_0_never_scores() -> None:
    one = land(a1="badger", c1="eagle", c2="seal", land_boss="a1", water_boss="c2")
    two = land(a1="mouse", b1="fox", land_boss="a1", c3="shark", water_boss="c3")
    assert table(one, two, row=["ant"]).scores() == [0, 3], "1 and 1 against 2 and 1"
    assert table(land(), land(), land()).scores() == [0, 0, 0]


def test_22_most_points_win_then_the_larger_smaller_boss_number() -> None:
    def winners(*players: dict[str, Any]) -> list[int]:
        position = table(*players, ruleset=own_rules(largest=[0, 0, 0, 0]))
        assert len(set(position.scores())) == 1
        return position.winners()

    high = land(a1="badger", c1="shark", land_boss="a1", water_boss="c1")
    low = land(a1="hare", c1="tuna", land_boss="a1", water_boss="c1")
    one = land(a1="wolf", land_boss="a1")
    assert winners(low, high) == [1], "30 before 25"
    assert winners(one, low) == [1], "a missing boss is 0"
    assert winners(one, land()) == [0, 1], "shared"
    assert table(land(bonus="leap"), high).winners() == [1], "most points"
    four = table(land(bonus="scout gather"), land(a1="mouse", land_boss="a1"), ruleset=own_rules(largest=[4, 2, 1, 0]))
    assert four.scores() == [4, 4]
    assert four.winners() == [0, 1]


def test_23_a_score_during_the_game_is_what_lies_there_now() -> None:
    position = declaring(land(), played="wren", cells="a1")
    assert position.scores() == [0]
    position.play(0, "land boss")
    assert position.scores() == [0], "stars not met"
    position.play(0, "bonus leap")
    assert position.scores() == [3]


def test_24_alone_nine_rounds_without_points_for_the_largest_territory() -> None:
    assert table(land(a1="badger", land_boss="a1")).scores() == [0]
    rounds = Counter(
        position.to_dict()["round"]
        for position in wander(nf.game("territory", 1).start(), 1)
        if position.actors and phase(position) == "play" and not position.is_over
    )
    assert rounds == dict.fromkeys(range(1, 10), 1)


# --- what players know ------------------------------------------------------------------------------------------------


def worlds(position: nf.Position, viewer: int, number: int = 300) -> list[nf.Position]:
    """Ways the unseen could be, for one player."""
    found = []
    generator = nf.Generator(1)
    for _ in range(number):
        found.append(position.copy())
        found[-1].resample(viewer, generator)
    return found


def test_25_a_card_from_the_row_is_known_to_all_one_from_the_deck_to_its_owner() -> None:
    position = table(land("fox"), land("bear"))
    go(position, "0: play fox", "1: play bear", "0: take trout", "1: take deck", "deal wolf")
    assert position.view(1).to_dict()["player"][0]["shown"] == ["trout"]
    assert position.view(0).to_dict()["player"][1]["hand"] == ["?"]
    assert position.view(1).to_dict()["player"][1]["hand"] == ["wolf"]
    held = Counter(str(world.to_dict()["player"][1]["hand"][0]) for world in worlds(position, 0, 3000))
    assert len(held) == position.to_dict()["deck"] + 1, "any card not seen"


def test_25_who_gave_two_cards_back_knows_that_they_are_in_the_deck() -> None:
    position = run(nf.game("territory", 2).deal(3), lambda found: phase(found) == "play")
    given = set(position.to_dict()["player"][0]["returned"])
    assert len(given) == 2
    assert all(not given & cards(world, 1) for world in worlds(position, 0))
    assert any(given & cards(world, 0) for world in worlds(position, 1)), "the other does not know"
    position = run(position, lambda found: found.to_dict().get("pool", 1) > 1 or found.is_over)


def test_26_cards_given_back_stay_hidden() -> None:
    position = nf.game("territory", 2).deal(1)
    views = set()
    for move in moves(position):
        after = position.copy()
        after.play(0, move)
        views.add(after.view(1).to_json())
    assert len(views) == 1
    position = run(position, lambda found: phase(found) == "play")
    assert "returned" not in position.view(1).to_dict()["player"][0]


# --- options ----------------------------------------------------------------------------------------------------------


def test_27_territory_points() -> None:
    mine = land(a1="wren", b1="kingfisher", c1="hare", land_boss="a1")
    assert table(mine).scores() == [2]
    assert table(mine, territory_points="on").scores() == [2 + 3]
    unmet = land(a1="wren", b1="kingfisher", c1="hare", land_boss="c1")
    assert table(unmet, territory_points="on").scores() == [0]


def test_28_face_down() -> None:
    assert moves(placing(land(b2="fox"), played="bear", face_down="free")) == [
        *(f"place {cell}" for cell in CELLS if cell not in ("b2", "a2", "b1")),
        *(f"place {cell} face down" for cell in CELLS if cell != "b2"),
    ]
    assert not any("face down" in move for move in moves(placing(land(b2="fox"), played="bear")))


def test_29_bonus() -> None:
    position = declaring(land(), played="wren", cells="a1", bonus="may")
    position.play(0, "land boss")
    assert moves(position)[-1] == "no bonus"
    position.play(0, "no bonus")
    assert phase(position) == "play"
    position = declaring(land(), played="wren", cells="a1")
    position.play(0, "land boss")
    assert "no bonus" not in moves(position)


# --- order of questions -----------------------------------------------------------------------------------------------


def test_30_set_up() -> None:
    position = nf.game("territory", 2).start()
    for side in FRONTS:
        position.chance(f"side {side}")
    for name in ("ant", "bat", "fox", "elk", "bear", "wren", "seal", "wolf", "hare", "crab"):
        position.chance(f"deal {name}")
    assert cards(position, 0) == {"ant", "bat", "fox", "elk", "bear"}
    assert moves(position, 0) == ["return ant", "return bat", "return fox", "return elk"], "a higher one must be left"
    go(position, "0: return bat")
    assert position.actors == (1,)
    go(position, "1: return crab")
    assert moves(position, 0) == ["return fox", "return elk", "return bear"]
    go(position, "0: return bear", "1: return wolf")
    assert position.is_chance
    for name in ("bat", "crab", "trout", "pike"):
        position.chance(f"deal {name}")
    assert phase(position) == "play"
    assert position.to_dict()["player"][0]["returned"] == ["bear"], "the bat has been seen since"


def test_31_to_36_the_order_of_a_round() -> None:
    position = table(land("fox ant", "leap gather", a1="snail"), land("bear bat", c1="crab"))
    go(position, "1: play bear", "0: play fox")
    go(position, "0: use leap", "0: move a1 b2", "0: use gather", "0: take deck", "deal wolf", "0: take trout")
    go(position, "1: take deck", "deal seal")
    go(position, "deal dolphin", "deal newt", "deal wren", "deal mole")
    go(position, "0: place b3", "1: place c3", "1: no boss", "0: land boss", "0: bonus shore")
    assert position.actors == (0, 1)
    assert position.to_dict()["round"] == 3
    assert moves(position, 1) == ["play bat", "play seal"]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_31_to_36_questions_with_one_answer_are_asked(players: int) -> None:
    alone: Counter[str] = Counter()
    for seed in range(4):
        for position in wander(nf.game("territory", players).start(), seed):
            for player in position.actors:
                if len(position.legal(player)) == 1:
                    alone[phase(position)] += 1
    assert alone["place"] > 0
    assert not {"boss", "choose"} & set(alone)
