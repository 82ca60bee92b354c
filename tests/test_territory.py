"""Territory's face: complaints about cards and positions, notation, pictures, files of what only some know."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.core.games import territory as core
from ninefold.core.search.mcts import Search, draw_move, policy_playouts
from ninefold.files import from_dict, to_dict, to_text
from ninefold.games import territory_cards
from ninefold.games.territory import MODULE
from tests.complaints import altered, said
from tests.positions import wander

HERE = Path(__file__).parent
EXAMPLES = sorted((HERE.parent / "examples").glob("territory*.toml"))
SIDES = ["shoreline", "deep_corners", "herd", "pairs", "twins", "heavyweight", "near_thrones", "full_house"]


# --- the grammar of goals and skills ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("at least 4 water", ""), ("no face down", ""), ("exactly 2 both in corners", ""), ("line of water", ""),
        ("2 lines of land", ""), ("no line of any", ""), ("at most 3 lines of land", ""), ("diagonal of both", ""),
        ("exactly 1 diagonals of only water", ""), ("group of 5 land", ""), ("no group of 3 water", ""),
        ("run of 3", ""), ("run of 2 water", ""), ("no run of 2 only land", ""), ("sum of any at least 230", ""),
        ("sum of land at most 40", ""), ("stars of any exactly 30", ""), ("boss beside boss", ""),
        ("even number 3 to 17 stars 4", ""), ("empty or odd", ""), ("(land or water) and both", ""),
        ("land or water and both", ""), ("at least 6 any in land territory", ""), ("any in column b in row 2", ""),
        ("  AT LEAST  4   Water ", "at least 4 water"), ("sum at least 9", "sum of any at least 9"),
        ("centre", "any in centre"), ("land edges row 1", "land on edges in row 1"),
        ("number 5 to 5", "number 5"), ("((land))", "land"), ("(land and water) or both", "land and water or both"),
        ("land and (water or (both))", "land and (water or both)"), ("at least 1 lines of land", ""),
    ],
)  # fmt: skip
def test_what_is_needed_is_read_and_written(text: str, written: str) -> None:
    need = territory_cards.needs(text)
    assert need.text == (written or text)
    again = territory_cards.needs(need.text)
    assert (again.text, again.program([])) == (need.text, need.program([]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "ends too early: any, land, water, both, only, face, empty, even … is missing"),
        ("at leest 4 water", "column 4: unknown word 'leest': did you mean 'least'?"),
        ("at least 4 watr", "column 12: unknown word 'watr': did you mean 'water'?"),
        ("at least 4 wolves",
         "column 12: unknown word 'wolves', any, land, water, both, only, face, empty, even … is expected"),
        ("at least four water", "column 10: unknown word 'four', a number is expected"),
        ("at least 12 water", "column 10: must be 1 to 9, not 12"),
        ("at least 0 water", "column 10: must be 1 to 9, not 0"),
        (f"at least {'9' * 5000} water", "at most 400 characters, not 5015"),
        ("at least 99999999999 water", "column 10: must be 1 to 9, not 999999999"),
        ("at least 5 land in corners", "column 20: there are only 4 such cells"),
        ("4 water", "column 3: lines or diagonals is expected, not 'water'"),
        ("line land", "column 6: of is expected, not 'land'"),
        ("7 lines of land", "column 3: at most 6 lines, not 7"),
        ("at least 3 diagonals of land", "column 12: at most 2 diagonals, not 3"),
        ("group of land", "column 10: a number is expected, not 'land'"),
        ("group of 1 land", "column 10: must be 2 to 9, not 1"),
        ("run of 3 face down", "column 15: only cards that lie face up have numbers and stars"),
        ("sum of empty at least 3", "column 8: only cards that lie face up have numbers and stars"),
        ("sum of land", "ends too early: at or exactly is missing"),
        ("sum of land 30", "column 13: at or exactly is expected, not '30'"),
        ("land and", "ends too early: any, land"),
        ("land water and or both",
         "column 16: any, land, water, both, only, face, empty, even … is expected, not 'or'"),
        ("(land", "ends too early: ')' is missing"),
        ("land)", "column 5: and or or is expected, not ')'"),
        ("(" * 21 + "land" + ")" * 21, "column 21: more than 20 parentheses in one another"),
        ("land at least 3", "column 6: and or or is expected, not 'at'"),
        ("even odd", "column 6: no number is even and odd"),
        ("only land only water", "column 16: no animal is all of this"),
        ("face down even", "column 11: a face-down card or an empty cell is nothing else"),
        ("even face down", "column 11: a face-down card or an empty cell is nothing else"),
        ("face down empty", "column 11: a face-down card or an empty cell is nothing else"),
        ("land land", "column 6: 'land' is said twice"),
        ("in corners in centre", "column 15: there is no such cell"),
        ("number 9 to 3", "column 13: must be 9 to 99, not 3"),
        ("stars 10", "column 7: must be 1 to 9, not 10"),
        ("in row 4", "column 8: must be 1 to 3, not 4"),
        ("in column d", "column 11: unknown word 'd', a, b or c is expected"),
        ("beside land", "ends too early: boss is missing"),
        ("in land", "ends too early: territory is missing"),
        ("only both", "column 6: land or water is expected, not 'both'"),
        ("land @ water", "column 6: unknown word '@'"),
        ("länd", "column 1: unknown word 'länd': did you mean 'land'?"),
    ],
)  # fmt: skip
def test_complaints_about_what_is_needed(text: str, message: str) -> None:
    with pytest.raises(nf.InputError) as error:
        altered("territory", goals={"shore": {"front": {"needs": text}}})
    path = "goals.shore.front.needs: "
    assert said(error).startswith(path + message), said(error)
    assert error.value.path == "goals.shore.front.needs"
    assert error.value.value == text


def test_needs_that_the_engine_cannot_hold() -> None:
    with pytest.raises(nf.InputError, match=r"needs: too long: 2\d\d operations, at most 240"):
        altered("territory", goals={"shore": {"front": {"needs": " or ".join(["boss"] * 45)}}})
    deep = "land and (" * 13 + "land" + ")" * 13
    with pytest.raises(nf.InputError, match="needs: too many parentheses in one another"):
        altered("territory", goals={"shore": {"front": {"needs": deep}}})
    altered("territory", goals={"shore": {"front": {"needs": "(" * 20 + "land" + ")" * 20}}})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fly", "column 1: unknown word 'fly', move, swap, draft or redraw is expected"),
        ("swop", "column 1: unknown word 'swop': did you mean 'swap'?"),
        ("draft", "ends too early: twice or first is missing"),
        ("draft thrice", "column 7: unknown word 'thrice': did you mean 'twice'?"),
        ("move twice", "column 6: 'twice' is too much"),
        ("redraw row now", "column 12: unknown word 'now': did you mean 'row'?"),
        ("", "ends too early: move, swap, draft or redraw is missing"),
    ],
)
def test_complaints_about_effects(text: str, message: str) -> None:
    with pytest.raises(nf.InputError) as error:
        altered("territory", skills={"leap": {"effect": text}})
    assert said(error) == f"skills.leap.effect: {message}"


def test_all_effects_are_known_to_the_engine() -> None:
    assert territory_cards.EFFECTS == core.EFFECTS
    assert territory_cards.effect("  Draft  TWICE ") == "draft twice"


# --- rulesets ---------------------------------------------------------------------------------------------------------


def test_the_invented_set() -> None:
    standard = MODULE.standard()
    assert "invented" in standard.title
    assert [animal.number for animal in standard.animals.values()] == list(range(1, 51))
    assert Counter(animal.terrain for animal in standard.animals.values()) == {"land": 24, "water": 13, "both": 13}
    assert len(standard.goals) == 8
    assert len({skill.effect for skill in standard.skills.values()}) == len(standard.skills) == 4
    assert standard.warnings() == []
    assert "invented set" in str(nf.game("territory", 2).deal(1)).splitlines()[0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rounds": 10}, "rounds: must be 1 to 9, not 10"),
        ({"hand": 9}, "hand: must be 1 to 8, not 9"),
        ({"keep": 6}, "keep: must be 1 to 5, not 6"),
        ({"row": 0}, "row: must be 1 to 16, not 0"),
        ({"largest": [3, 2, 1]}, "largest: four numbers, for one to four players, not 3"),
        ({"largest": [3, 2, 1, -1]}, "largest[3]: must be 0 to 99, not -1"),
        ({"animals": {"ant": {"number": 100}}}, "animals.ant.number: must be 1 to 99, not 100"),
        ({"animals": {"ant": {"stars": 10}}}, "animals.ant.stars: must be 1 to 9, not 10"),
        ({"animals": {"ant": {"terrain": "air"}}}, "animals.ant.terrain: unknown value 'air'"),
        ({"animals": {"ant": {"star": 1}}}, "animals.ant: unknown field 'star': did you mean 'stars'?"),
        ({"animals": {"aunt": {"stars": 1}}}, "animals: unknown entry 'aunt': did you mean 'ant'?"),
        ({"animals": {"Ant": {"number": 1, "terrain": "land", "stars": 1}}}, "animals: an animal's name is lower-case"),
        ({"animals": {"deck": {"number": 1, "terrain": "land", "stars": 1}}},
         "animals: an animal's name is lower-case"),
        ({"animals": {f"x{i}": {"number": 1, "terrain": "land", "stars": 1} for i in range(15)}},
         "animals: at most 64"),
        ({"goals": {"shore": {"front": {"points": 100}}}}, "goals.shore.front.points: must be 0 to 99, not 100"),
        ({"goals": {"shore": {"front": {"name": "herd"}}}},
         "goals.flock.front.name: 'herd' is also the name of goals.shore.front"),
        ({"goals": {"shore": {"front": {"name": "A"}}}}, "goals.shore.front.name: a side's name is lower-case"),
        ({"goals": {"leap": {side: {"name": side, "needs": "both", "points": 1} for side in ("front", "back")}}},
         "goals: 'leap' is also the name of a skill"),
        ({"skills": {"leap": {"uses": 10}}}, "skills.leap.uses: must be 0 to 9, not 10"),
        ({"skills": {"leap": {"points": -1}}}, "skills.leap.points: must be 0 to 99, not -1"),
        ({"skills": {"leep": {"points": 1}}}, "skills: unknown entry 'leep': did you mean 'leap'?"),
        ({"options": {"bonus": {"values": ["must"]}}}, "options: the options are territory_points, face_down, bonus"),
    ],
)  # fmt: skip
def test_complaints_about_rulesets(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(nf.InputError) as error:
        altered("territory", **changes)
    assert said(error).startswith(message), said(error)


def test_a_set_too_small_for_the_players() -> None:
    few = {f"x{i}": {"number": i + 1, "terrain": "land", "stars": 1} for i in range(12)}
    own = {**to_dict(MODULE.standard()), "animals": few}
    assert nf.game("territory", 2, ruleset=own).deal(1).legal(0)
    with pytest.raises(nf.InputError, match=r"ruleset.animals: 12 animals cannot be dealt to 3 players, 5 each"):
        nf.game("territory", 3, ruleset=own)


def test_remarks_on_what_is_hardly_meant_so() -> None:
    own = altered(
        "territory",
        animals={"eel": {"number": 51, "terrain": "water", "stars": 2}},
        goals={"shore": {"front": {"needs": "at least 2 both number 70 to 80 or no face down"}}},
    )
    assert [str(remark) for remark in own.warnings()] == [
        "animals: 51, the box has 50",
        "animals: 14 of the terrain water, the box has 13",
        "goals.shore.front.needs: no animal is 'both number 70 to 80'",
    ]


def test_the_template_is_like_the_box_and_every_word_of_it_is_known() -> None:
    file = HERE.parent / "docs/games/territory-template.toml"
    template = nf.read(file)
    assert isinstance(template, nf.Ruleset)
    assert template.warnings() == []
    for text in re.findall(r"[^·#\n]+", re.search(r"in words:\n((?:#.*\n)+?)# A goal", file.read_text())[1]):  # type: ignore[index]
        territory_cards.needs(text)
    assert nf.game("territory", 4, ruleset=file).deal(1).actors == (0, 1, 2, 3)


def test_the_tables_of_the_page_are_those_of_the_set() -> None:
    page = (HERE.parent / "docs/games/territory.md").read_text(encoding="utf-8")
    standard = MODULE.standard()
    for name, animal in standard.animals.items():
        assert f"| `{name}` | {animal.number} {animal.short[-2]} {'★' * animal.stars} |" in page
    for name, goal in standard.goals.items():
        sides = (f"`{side.name}`: {side.needs}: {side.points}" for side in (goal.front, goal.back))
        assert f"| `{name}` | {' | '.join(sides)} |" in page
    for name, skill in standard.skills.items():
        assert f"| `{name}` | {skill.effect} | {skill.points} | {skill.uses} |" in page
    for text in re.findall(r"`([^`]+)`", page[page.index("Examples:") : page.index("A test is about")]):
        territory_cards.needs(text)


# --- notation ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_legal_move_and_outcome_parses_back(players: int) -> None:
    game = nf.game("territory", players, bonus="may" if players % 2 else "must")
    for move in game.moves:
        if not move.text.startswith("#"):
            assert game.move(f" {move.text.upper().replace(' ', '   ')} ") is move
    words: set[str] = set()
    for seed in range(6):
        for position in wander(game.start(), seed):
            for player in position.actors:
                assert all(game.move(str(move)) is move for move in position.legal(player))
                words.update(str(move).split()[0] for move in position.legal(player))
            assert all(game.outcome(str(outcome)) is outcome for outcome, _ in position.outcomes())
    assert {"return", "play", "take", "choose", "place", "no", "land", "water", "bonus"} <= words


def test_words_of_the_notation() -> None:
    texts = {move.text for move in nf.game("territory", 2).moves}
    for text in (
        "return ant", "play elephant", "take otter", "take deck", "use leap", "move a1 c3", "move c3 a1", "swap a1 b1",
        "swap b1 a2", "choose otter", "place b2", "place b2 face down", "no boss", "land boss", "land boss star",
        "water boss", "water boss star", "bonus shore", "bonus leap",
    ):  # fmt: skip
        assert text in texts
    for text in ("use shore", "move a1 a1", "swap b1 a1", "swap a1 a1", "bonus shoreline", "no bonus", "place b4"):
        assert text not in texts
    assert "no bonus" in {move.text for move in nf.game("territory", 2, bonus="may").moves}
    outcomes = {outcome.text for outcome in nf.game("territory", 1).outcomes}
    assert {"deal ant", "deal elephant", "side shoreline", "side heartland"} <= outcomes


def test_gloss() -> None:
    position = nf.game("territory", 1).position(
        sides=SIDES, row=["frog"], player=[{"cells": ["- - -", "- ant -", "- - -"], "hand": ["bear"]}]
    )
    gloss = {move: MODULE.gloss(position, nf.game("territory", 1).move(move)) for move in (
        "play bear", "take deck", "use leap", "bonus shore", "bonus corners", "bonus scout", "place a1", "take frog",
    )}  # fmt: skip
    assert gloss == {
        "play bear": "46L5", "take deck": "", "use leap": "move", "bonus shore": "at least 1 line of water: 2",
        "bonus corners": "at least 2 water in corners: 2", "bonus scout": "redraw row", "place a1": "",
        "take frog": "11B2",
    }  # fmt: skip


# --- position files ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda path: path.stem)
def test_examples(file: Path) -> None:
    assert "invented" in file.read_text(encoding="utf-8").lower()
    thing = nf.read(file)
    assert from_dict(to_dict(thing)) == thing
    assert from_dict(tomllib.loads(to_text(thing, "toml"))) == thing


def test_there_are_examples() -> None:
    things = [nf.read(file) for file in EXAMPLES]
    positions = [thing for thing in things if isinstance(thing, nf.Position)]
    assert {position.players for position in positions} == {1, 2, 4}
    assert any(isinstance(position, nf.View) for position in positions)


def test_the_files_in_the_documentation() -> None:
    page = (HERE.parent / "docs/games/territory.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        thing = from_dict(tomllib.loads(block))
        assert from_dict(to_dict(thing)) == thing


GOOD = """ninefold = 1
game = "territory"
sides = ["shoreline", "deep_corners", "herd", "pairs", "twins", "heavyweight", "near_thrones", "full_house"]
row = ["frog", "hare", "pike", "goat"]
discard = ["ant"]
[[player]]
cells = ["- - elk", "- fox -", "snail - (wren)"]
land_boss = "b2 star"
bonus = ["flock"]
hand = ["mole", "otter"]
shown = ["shark"]
[[player]]
cells = ["- - hippo", "minnow turtle -", "- newt -"]
hand = ["?", "?"]
shown = ["penguin"]
"""
DRAFT = '[pending]\nphase = "draft"\nplayed = ["bat", "trout"]\nturns = [0, 1]\n'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"frog"', '"forg"', "row[0]: unknown animal 'forg': did you mean 'frog'?"),
        ('"frog"', '"ant"', "discard[0]: ant is also in row[0]"),
        ('"frog"', '"fox"', "row[0]: fox is also in player[0].cells[1]"),
        ('"frog"', '"frog", "bat"', "row: a row has 4 cards, not 5"),
        ('"shoreline"', '"shorline"',
         "sides[0]: the sides of shore are shoreline and heartland, not 'shorline': did you mean 'shoreline'?"),
        ('"shoreline"', '"herd"', "sides[0]: the sides of shore are shoreline and heartland, not 'herd'"),
        (', "full_house"', ', "full_house", "x"', "sides: there are 8 goals, not 9"),
        ("sides = [", "side = [", "unknown field 'side': did you mean 'sides'?"),
        (GOOD.splitlines()[2], "", "sides is missing"),
        ('"- - elk", ', "", "player[0].cells: three rows, the upper one first, not 2"),
        ('"- - elk"', '"- - - elk"', "player[0].cells[0]: three cells in a row, not 4"),
        ('"- - elk"', '"- (ant) elk"', "discard[0]: ant is also in player[0].cells[0]"),
        ('"- fox -"', '"- ofx -"', "player[0].cells[1]: unknown animal 'ofx': did you mean 'fox'?"),
        ('"- fox -"', '"- fox seal"', ""),
        ('"- fox -"', '"- fox bat"', "player[0].cells: fox 26 on b2 and bat 14 on c2 do not ascend"),
        ('"- - elk"', '"snail - elk"', "player[0].cells[2]: snail is also in player[0].cells[0]"),
        ('"- - elk"', '"shrimp - elk"', "player[0].cells: snail 6 on a1 and shrimp 4 on a3 do not ascend"),
        ('"b2 star"', '"b4"', "player[0].land_boss: a cell is a1 to c3, not 'b4'"),
        ('"b2 star"', '"b2 plain"', "player[0].land_boss: a cell, or a cell and star, not 'b2 plain'"),
        ('"b2 star"', '"c1"', "player[0].land_boss: no card lies face up on c1"),
        ('"b2 star"', '"b1"', "player[0].land_boss: no card lies face up on b1"),
        ("land_boss", "water_boss", "player[0].water_boss: fox is no animal of water"),
        ('shown = ["penguin"]', 'shown = ["penguin"]\nland_boss = "b2"\nwater_boss = "b2 star"',
         "player[1].water_boss: one marker a card"),
        ('["flock"]', '["herd"]', "player[0].bonus[0]: unknown goal or skill 'herd'"),
        ('["flock"]', '["leep"]', "player[0].bonus[0]: unknown goal or skill 'leep': did you mean 'leap'?"),
        ('["flock"]', '["flock", "flock"]', "player[0].bonus[1]: flock is also in player[0].bonus[0]"),
        ('hand = ["mole", "otter"]', 'hand = ["mole", "ottar"]',
         "player[0].hand[1]: unknown animal 'ottar': did you mean 'otter'?"),
        ('hand = ["mole", "otter"]', 'hand = ["mole", { card = "otter", pool = 2 }]',
         "player[0].hand[1].pool: must be 1 to 1, not 2"),
        ('hand = ["mole", "otter"]', f"hand = {['?'] * 40}",
         "player: 42 cards are hidden, but only 35 animals are left"),
        ('shown = ["shark"]', 'shown = ["shark"]\nreturned = ["ant"]',
         "player[0].returned: ant is in discard[0]: it has been seen since"),
        ('shown = ["shark"]', 'shown = ["shark"]\nreturned = ["bat", "bear", "seal"]',
         "player[0].returned: at most 2 different cards are given back"),
        ('shown = ["shark"]', 'shown = ["shark"]\nmet = [[1]]', "player[0].met: one for each of the 2 players, not 1"),
        ('shown = ["shark"]', 'shown = ["shark"]\ndraws = [10]', "player[0].draws[0]: must be 1 to 9, not 10"),
        ('shown = ["shark"]', 'shown = ["shark"]\ndraws = [2, 2, 2, 2]',
         "player[0].draws: at most 3 cards in round 2, not 4"),
        ('shown = ["shark"]', 'shown = ["shark"]\ndrafted = ["ant"]', "player[0].drafted[0]: ant is not in the hand"),
        ('["ant"]', '["ant"]\ndeck = 3', "deck: 3 cards, but 31 are seen nowhere else"),
        ('["ant"]', '["ant"]\nround = 0', "round: must be 1 to 9, not 0"),
        ('["ant"]', '["ant"]\norder = ["bat"]', "order: the order of the deck can be known only alone"),
        ('["ant"]', '["ant"]\nspent = { leap = 2 }', "spent.leap: must be 0 to 1, not 2"),
        ('["ant"]', '["ant"]\nspent = { lap = 1 }', "spent: unknown skill 'lap': did you mean 'leap'?"),
        ('["ant"]', '["ant"]\nfirst = [2]', "first[0]: players are 0 to 1, not 2"),
        ('["ant"]', '["ant"]\nolder = [{ card = "bat", pool = 1 }]', ""),
        ("shown", "show", "player[0]: unknown field 'show': did you mean 'shown'?"),
    ],
)  # fmt: skip
def test_complaints_about_positions(old: str, new: str, message: str) -> None:
    assert old in GOOD
    data = tomllib.loads(GOOD.replace(old, new, 1))
    if not message:
        from_dict(data)
        return
    with pytest.raises(nf.InputError) as error:
        from_dict(data)
    assert said(error).startswith(message), said(error)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("", "", ""),
        ('"draft"', '"drafting"', "pending.phase: unknown value 'drafting'"),
        ("[0, 1]", "[]", "pending.turns: whose turn is it?"),
        ("[0, 1]", "[0, 0]", "pending.turns: each player has one turn"),
        ("[0, 1]", "[2]", "pending.turns[0]: players are 0 to 1, not 2"),
        ('["bat", ', "[", "pending.played: one for each of the 2 players, not 1"),
        ('"bat"', '"bt"', "pending.played[0]: unknown animal 'bt': did you mean 'bat'?"),
        ('"bat"', '"?"', "pending.played[0]: this has been shown"),
        ('"bat"', '"mole"', "pending.played[0]: mole is also in player[0].hand[0]"),
        ('"draft"', '"play"', "pending.played[0]: bat is not in the hand"),
        ("turns", "takes = 3\nturns", "pending.takes: must be 1 to 2, not 3"),
        ("turns", 'used = ["fly"]\nturns', "pending.used[0]: unknown skill 'fly'"),
        ('"draft"', '"part"\nskill = "scout"', "pending.skill: scout asks nothing"),
        ('"draft"', '"part"', "pending.skill: unknown skill ''"),
        ('"draft"', '"place"\nspots = ["a1", "b4"]', "pending.spots[1]: a cell is a1 to c3, not 'b4'"),
        ('"draft"', '"place"\nspots = ["a1", "b1"]', "pending.phase: nobody is left to place"),
        ('"draft"', '"boss"\nspots = ["a1", "b1"]', "pending.spots[0]: this is where the card played lies"),
        ('"draft"', '"boss"\ndeclared = ["land bos", "-"]',
         "pending.declared[0]: unknown declaration 'land bos': did you mean 'land boss'?"),
        ("turns", "fill = 5\nturns", "pending.fill: must be 0 to 4, not 5"),
    ],
)  # fmt: skip
def test_complaints_about_what_is_pending(old: str, new: str, message: str) -> None:
    data = tomllib.loads(GOOD + DRAFT.replace(old, new, 1))
    if not message:
        assert from_dict(data).actors == (0,)  # type: ignore[union-attr]
        return
    with pytest.raises(nf.InputError) as error:
        from_dict(data)
    assert said(error).startswith(message), said(error)


def test_a_position_typed_in_a_minute() -> None:
    position = from_dict(tomllib.loads(GOOD))
    assert isinstance(position, nf.View)
    assert position.actors == (0, 1)
    assert position.to_dict()["round"] == 5
    assert position.to_dict()["deck"] == 50 - 4 - 1 - 4 - 3 - 4 - 3
    assert [str(move) for move in position.legal(0)] == ["play mole", "play otter", "play shark"]


def test_a_view_says_what_it_does_not_know() -> None:
    position = nf.game("territory", 2).deal(1)
    view = position.view(0)
    assert isinstance(from_dict(view.to_dict()), nf.View)
    assert view.to_dict()["player"][1]["hand"] == ["?"] * 5
    assert type(from_dict(position.to_dict())) is nf.Position
    while not (position.actors == (0,) and position.to_dict().get("pending", {}).get("phase") == "play"):
        if position.is_chance:
            position.chance(rng=nf.Generator(1))
        else:
            player = position.actors[-1]
            position.play(player, position.legal(player)[0])
    view = position.view(0)
    assert view.to_dict()["pending"]["played"] == ["-", "?"]
    with pytest.raises(nf.IllegalMoveError, match="this view does not know the card played by player 1"):
        view.play(0, view.legal(0)[0])


def test_a_known_order_leaves_nothing_to_chance() -> None:
    standard = MODULE.standard()
    data = to_dict(nf.read(HERE.parent / "examples/territory-solo.toml"))
    seen = {*data["row"], *data["discard"], *data["player"][0]["hand"]}
    seen |= {word.strip("()") for row in data["player"][0]["cells"] for word in row.split()}
    data["order"] = [name for name in standard.animals if name not in seen]
    position = from_dict(data)
    assert isinstance(position, nf.Position)
    assert from_dict(position.to_dict()) == position
    first = data["order"][0]
    position.play(0, "play lynx")
    position.play(0, "take deck")
    assert first in position.to_dict()["player"][0]["hand"]
    assert position.to_dict()["row"] == sorted(data["order"][1:5], key=lambda name: standard.animals[name].number)
    while not position.is_over:
        assert not position.is_chance
        position.play(0, position.legal(0)[-1])


# --- pictures ---------------------------------------------------------------------------------------------------------


def test_the_picture_in_plain_text() -> None:
    assert (
        str(from_dict(tomllib.loads(GOOD + DRAFT)))
        == """\
territory · invented set · 2 players · round 5 · to draft: 0 · deck 29 · discard 1
row  frog 11B2, hare 25L6, pike 28W5, goat 36L3
open shore 2: at least 1 line of water
open corners 2: at least 2 water in corners
open parity 3: at least 5 even
open chain 3: run of 2 water or run of 2 only land
open weight 3: sum of any at least 225
open thrones 3: land boss beside water boss
open order 2: at most 1 face down and no empty
open leap 3: move
open barter 2: swap
open gather 2: draft twice
open scout 2: redraw row
0    3 points  hand mole 18L2, otter 29B4, shark 48W5  land boss b2 star  plays bat 14L3
   3 -              -              elk 44L3
   2 -              [fox 26L5 +1]  -
   1 snail 6L4      -              (wren)
   has flock 3: group of 8 land
1    0 points  hand ?, ?, penguin 31B3  plays trout 19W4
   3 -            -            hippo 49B3
   2 minnow 7W2   turtle 20B3  -
   1 -            newt 8B3     -"""
    )


def test_situations_in_words() -> None:
    seen = set()
    for players in (1, 3):
        for seed in range(4):
            for position in wander(nf.game("territory", players).start(), seed):
                seen.add(re.sub(r"[\d ]+$", "", MODULE.situation(position)))
    assert seen >= {
        "chance turns up a goal", "chance deals", "to give back a card:", "chance fills the row", "to play:",
        "to draft:", "chance draws", "to place:", "to choose what to place:", "to declare a boss:",
        "to take a bonus card:", "over",
        "over, won by",
    }  # fmt: skip


def test_the_picture_as_svg() -> None:
    position = from_dict(tomllib.loads(GOOD + DRAFT))
    assert isinstance(position, nf.Position)
    svg = position.to_svg()
    assert svg.startswith("<svg")
    for words in ("invented set", "fox", "(wren)", "boss ★", "flock 3: group of 8 land", "hand ?, ?, penguin 31B3"):
        assert words in svg
    assert svg.count('class="card"') == 4 + 3 + 4, "the row, and the cards that lie face up"
    assert svg.count('class="empty"') == 6 + 5


# --- search -----------------------------------------------------------------------------------------------------------


def test_a_rival_whose_moves_depend_on_a_hidden_hand_has_no_columns() -> None:
    """How many cards may be given back second depends on what the first was, which the searcher does not know."""
    for seed in range(12):
        position = nf.game("territory", 2).deal(seed)
        position.play(0, position.legal(0)[seed % 4])
        position.play(1, position.legal(1)[-1 - seed % 3])
        search = Search(position, 0, seed=seed)
        search.run(300)
        assert search.rival is None
        cells = search.cells()
        assert len(cells) == len(position.legal(0))
        assert 0 < sum(visits for visits, *_ in cells) <= 300
    both = from_dict(tomllib.loads(GOOD.replace('["?", "?"]', "[]")))
    assert isinstance(both, nf.Position)
    assert Search(both, 0).rival == 1, "everybody knows the only card of that hand"


@pytest.mark.parametrize("players", [1, 2, 4])
def test_playouts_by_guesses_play_as_the_guesses_do(players: int) -> None:
    games, points = 300, 0
    for seed in range(games):
        position, generator = nf.game("territory", players).start(), nf.Generator(seed)
        position.roll_all(generator)
        while not position.is_over:
            for actor in position.actors:
                position.apply(actor, draw_move(position, actor, 0.3, seed, generator.below(1 << 30)))
            position.roll_all(generator)
        points += sum(position.scores())
    quick = sum(policy_playouts(nf.game("territory", players).start(), 5000, 0.3, 1))
    assert quick / 5000 == pytest.approx(points / games, abs=0.5 + 0.4 * players)
