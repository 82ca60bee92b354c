"""Canopy's face: complaints, notation, files of what only some know, pictures, what lies unseen, proven ends."""

from __future__ import annotations

import itertools
import json
import random
import re
import tomllib
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import pytest

import ninefold as nf
from ninefold.core.games import canopy as core
from ninefold.core.search import expectimax
from ninefold.files import from_dict
from ninefold.games import canopy_picture
from ninefold.games.canopy import MODULE, CanopyRuleset
from ninefold.games.canopy_files import Phase, Task
from ninefold.games.canopy_ruleset import FAMILIES, KINDS
from tests.complaints import altered, mutated, said
from tests.positions import wander
from tests.shell import ROOT, run
from tests.slow import slow

EXAMPLES = sorted((ROOT / "examples/canopy").glob("*.toml"))
TEMPLATE = ROOT / "docs/games/canopy-template.toml"
PAGE = (ROOT / "docs/games/canopy.md").read_text(encoding="utf-8")


# --- rulesets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"copies": {"ferm": 3}}, "copies: unknown card 'ferm': did you mean 'fern'?"),
        ({"copies": {"fern": -1}}, "copies.fern: must be 0 to 127, not -1"),
        ({"copies": {"fern": "13"}}, "copies.fern: must be a whole number, not '13'"),
        ({"copies": {"fern": 14}}, "copies: 113 cards less 10 removed do not split into 3 equal seasons"),
        ({"copies": {"fern": 60}}, "copies: at most 127 cards, not 159"),
        ({"copies": {"sloth": 2, "fern": 12}}, "copies.sloth: at most one in both decks"),
        ({"copies": {"trunk_0": 16, "fern": 4}}, "16 copies of trunk_0 in both decks: at most 15"),
        ({"seeds": {"sun": 40}}, "seeds: at most 40 cards, not 58"),
        ({"removed": 11}, "copies: 112 cards less 11 removed do not split into 3 equal seasons"),
        ({"removed": 112}, "removed: must be 0 to 111, not 112"),
        ({"seasons": 6}, "seasons: must be 1 to 5, not 6"),
        ({"seasons": 4}, "copies: 112 cards less 10 removed do not split into 4 equal seasons"),
        ({"seasons": 1}, "a season of 102 cards is too long"),
        ({"numbers": {"fern_od": 3}}, "numbers: unknown field 'fern_od': did you mean 'fern_odd'?"),
        ({"numbers": {"fern_odd": 100}}, "numbers.fern_odd: must be -99 to 99, not 100"),
        ({"numbers": {"bromelia": [2, 7]}}, "numbers.bromelia: 3 numbers, not 2"),
        ({"numbers": {"bromelia": [2, 700, -3]}}, "numbers.bromelia[1]: must be -99 to 99, not 700"),
        ({"numbers": {"tallest": [3, 4]}}, "numbers.tallest: 3 numbers, not 2"),
        ({"numbers": {"piles": [0, 2, 3]}}, "numbers.piles[0]: must be 1 to 9, not 0"),
        ({"numbers": {"fire_spread": 2}}, "numbers.fire_spread: must be more than fire_two, 2, not 2"),
        ({"numbers": {"seed_draw": 10}}, "numbers.seed_draw: must be 0 to 9, not 10"),
        ({"shift": {"giants": {"numbers": {"talest": [1]}}}},
         "shift.giants.numbers: unknown field 'talest': did you mean 'tallest'?"),
        ({"shift": {"giants": {"numbers": {"tallest": 3}}}}, "shift.giants.numbers.tallest: must be a list, not 3"),
        ({"shift": {"giants": {"numbers": {"active": 3}}}},
         "shift.giants.numbers.active: counts after the last season, when no season card holds"),
        ({"shift": {"giant": {"numbers": {}}}}, "shift: unknown entry 'giant': did you mean 'giants'?"),
        ({"shift": {"Tall": {"title": "", "numbers": {}}}}, "shift: a season's name is lower-case letters, digits"),
        ({"removed": 52, "numbers": {"piles": [9, 9, 9]}}, "numbers.piles: 27 cards, but a season has 20"),
        ({"removed": 52, "shift": {"giants": {"numbers": {"piles": [9, 9, 9]}}}}, "shift.giants.piles: 27 cards, but"),
        ({"invented": ["numbers.activ"]}, "invented[0]: there is no 'numbers.activ' here: did you mean "),
        ({"options": {"shifting": {"default": "no"}}}, "options.shifting.default: the default 'no' is none of its"),
    ],
)  # fmt: skip
def test_complaints_about_rulesets(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(nf.InputError) as error:
        altered("canopy", **changes)
    assert said(error).startswith(message), said(error)


def test_shifting_needs_a_card_for_each_season() -> None:
    few = {"shift": {"only": {"title": "", "numbers": {}}}}
    data = {**tomllib.loads((ROOT / "python/ninefold/games/canopy.toml").read_text()), **few, "invented": []}
    assert nf.game("canopy", ruleset=data)
    with pytest.raises(nf.InputError, match=r"ruleset\.shift: 1 cards are too few for 3 seasons"):
        nf.game("canopy", ruleset=data, shifting="on")


def test_warnings_say_where_a_ruleset_departs_from_the_box() -> None:
    assert MODULE.standard().warnings() == []
    changed = altered(
        "canopy",
        copies={"fern": 12, "trunk_0": 8}, numbers={"weather_pair": 6, "active": 3}, seeds={"sun": 4}, removed=10,
        invented=["numbers.active"],
    )  # fmt: skip
    assert [str(remark) for remark in changed.warnings()] == [
        "copies.fern: the rules say 13, not 12",
        "numbers.weather_pair: the rules say 5, not 6",
        "numbers.active: 3 is listed as invented: is it printed on your cards?",
        "copies: 20 cards of the kind trunk: the box has 19",
        "seeds: 22 cards: the box has 21",
    ]


def test_invented_numbers_are_marked_where_they_stand_and_where_they_are_shown() -> None:
    standard = MODULE.standard()
    lines = (ROOT / "python/ninefold/games/canopy.toml").read_text().splitlines()
    table, marked = "", set()
    for line in lines:
        if found := re.match(r"\[(\w+)\]", line):
            table = found[1]
        if (found := re.match(r"(\w+) += ", line)) and "invented" in line.partition("#")[2]:
            marked.add(f"{table}.{found[1]}")
    assert marked == {path for path in standard.invented if not path.startswith("shift")}
    assert {f"shift.{name}" for name in standard.shift} == set(standard.invented) - marked
    assert str(nf.game("canopy").deal(1)).startswith("canopy · invented numbers† · ")
    position = nf.read(ROOT / "examples/canopy/boa.toml")
    assert isinstance(position, nf.Position)
    assert MODULE.gloss(position, position.game.move("emerald boa sloth")) == "2†"
    own = altered("canopy", numbers={"active": 3}, invented=[])
    assert canopy_picture.worth(own, "", "sloth") == "3"
    assert canopy_picture.worth(standard, "", "sloth_mating") == "3† or 6†"
    assert canopy_picture.worth(standard, "long_rains", "sun") == "8† a pair"
    assert canopy_picture.worth(standard, "", "sun") == "5 a pair"


def test_the_page_lists_cards_and_season_cards() -> None:
    standard = MODULE.standard()
    for family in ("trunk", "canopy"):
        kinds = FAMILIES[family]
        row = f"| {family} | {' · '.join(f'`{kind}`' for kind in kinds)} | "
        assert row + " · ".join(f"{standard.copies[kind]}†" for kind in kinds) in PAGE
    for kind in ("philodendron", "bromelia", "fern", "seed"):
        assert f"| {kind} | `{kind}` | {standard.copies[kind]} |" in PAGE
    for name, shift in standard.shift.items():
        assert f"| `{name}` | {shift.title} |" in PAGE
    assert set(get_args(Phase)) == set(core.PHASES)
    assert get_args(Task) == core.TASKS


def test_the_template_is_the_standard_ruleset_without_its_season_cards() -> None:
    template = nf.read(TEMPLATE)
    assert isinstance(template, CanopyRuleset)
    standard = MODULE.standard()
    assert (template.copies, template.seeds, template.numbers) == (standard.copies, standard.seeds, standard.numbers)
    assert nf.game("canopy", ruleset=template).deal(1)


# --- notation ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"drought_completed_trees": "exposed", "shifting": "on"}])
def test_words_parse_back(options: dict[str, str]) -> None:
    game = nf.game("canopy", options=options)
    words = Counter(move.text for move in game.moves if not move.text.startswith("#"))
    words.update(outcome.text for outcome in game.outcomes if not outcome.text.startswith("#"))
    assert set(words.values()) == {1}
    for text in (
        "look", "poison frog", "toucan 3", "keep", "pass", "emerald boa fern", "leave it", "enter trunk_2", "new tree",
        "tree 24", "sloth", "end turn", "keep trunk_1", "stop", "under sun", "lose fern", "lose toucan_mating",
        "discard seed", "discard trunk 2 of tree 24", "leafcutter ant: disease", "leafcutter ant: trunk 0 of tree 1",
    ):  # fmt: skip
        assert game.move(text.upper()).text == text
    for text in ("deal fern", "seed canopy_1"):
        assert game.outcome(text).text == text
    exposed = "discard completed tree 2" in words and "leafcutter ant: completed tree 24" in words
    assert exposed == bool(options)
    assert ("season giants" in words) == bool(options)
    for text in ("discard drought", "lose seed", "tree 0", "tree 25", "toucan 4", "discard canopy_0"):
        assert text not in words


def test_only_moves_with_a_notation_are_legal() -> None:
    for seed in range(12):
        options = [{}, {"drought_completed_trees": "exposed", "shifting": "on"}][seed % 2]
        for position in wander(nf.game("canopy", options=options).start(), seed):
            for move in position.legal():
                assert position.game.move(str(move)) is move
            for outcome, _ in position.outcomes():
                assert position.game.outcome(str(outcome)) is outcome


# --- position files ---------------------------------------------------------------------------------------------------

GOOD = """
ninefold = 1
game = "canopy"
view = 0
season = 2
first = 1
turn = 0
deck = 16
piles = [["fern"], ["disease", "sun both", "? opponent", "?"], ["? opponent", "? opponent", "? opponent", "?"]]
discard = { fern = 7, philodendron = 6, bromelia = 4, rain = 2, sun = 2, seed = 1, fire = 1, disease = 1 }
sown = { fern = 1 }
under = ["rain", "sun"]
[[player]]
forest = { fern = 1, rain = 2, sloth = 1 }
trees = ["0+2", "1", "0+1+1 x1 spent"]
points = 21
[[player]]
forest = { emerald_boa = 1, philodendron = 3, disease = 1 }
trees = ["2+2", "1 x2 scored"]
used = ["emerald_boa"]
points = 14
"""


def test_a_position_typed_from_one_side() -> None:
    position = from_dict(tomllib.loads(GOOD))
    assert isinstance(position, nf.View)
    assert position.actors == (0,)
    assert [str(move) for move in position.legal(0)] == ["keep", "pass"]
    data = position.to_dict()
    assert {key: data[key] for key in ("view", "deck", "piles", "under")} == {
        "view": 0, "deck": 16, "under": ["rain", "sun"],
        "piles": [["fern"], ["sun both", "disease", "?", "? opponent"], ["?", *["? opponent"] * 3]],
    }  # fmt: skip
    without = tomllib.loads(GOOD.replace("deck = 16\n", ""))
    assert from_dict(without) == position
    assert (
        str(position)
        == """\
canopy · invented numbers† · 2 players · season 2 of 3 · to keep or pass pile 1: 0 · deck 16
pile 1  fern
pile 2  sun (both), disease, ?, ? (opponent)
pile 3  ?, ? (opponent), ? (opponent), ? (opponent)
0   21 points  fern, 2 rain, sloth
   open trees  1 · 0+2
   completed trees  0+1+1 x1 spent
1   14 points  3 philodendron, disease, emerald_boa used
   open trees  2+2
   completed trees  1 x2 scored"""
    )


def test_files_of_the_page_are_right() -> None:
    texts = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert len(texts) == 3
    assert from_dict(tomllib.loads(texts[1])) == from_dict(tomllib.loads(GOOD))
    for text in texts:
        from_dict(tomllib.loads(text))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("deck = 16", "deck = 15", "deck: 15 cards, but 16 are seen nowhere else: are 1 missing in `discard`?"),
        ("deck = 16", "deck = 17", "deck: 17 cards, but 16 are seen nowhere else: are too many discarded?"),
        ("deck = 16", "deck = 35", "deck: must be 0 to 34, not 35"),
        ("view = 0", "view = 2", "view: must be 0 to 1, not 2"),
        ("view = 0\n", "", "piles[0][0]: who has looked at it, fern 0, fern 1 or fern both? or say whose view"),
        ("season = 2", "season = 4", "season: must be 1 to 3, not 4"),
        ("turn = 0", "turn = 2", "turn: must be 0 to 1, not 2"),
        ("first = 1", "first = -1", "first: must be 0 to 1, not -1"),
        ('[["fern"]', '[["ferm"]', "piles[0][0]: unknown card 'ferm': did you mean 'fern'?"),
        ('[["fern"]', '[["fern boht"]', "piles[0][0]: who has looked at it is both, opponent or a player's number"),
        ('[["fern"]', '[["fern opponent"]', "piles[0][0]: the player whose view this is has not looked at it"),
        ('[["fern"]', '[["? both"]', "piles[0][0]: the player whose view this is has looked at it"),
        ('[["fern"], ', "[", "piles: there are 3 piles, empty or not, not 2"),
        ("sun both", 'sun both", "?', "deck: 16 cards, but 15 are seen nowhere else"),
        ("{ fern = 7", "{ ferm = 7", "discard: unknown card 'ferm': did you mean 'fern'?"),
        ("{ fern = 7", "{ fern = -7", "discard.fern: must be 0 to 133, not -7"),
        ("{ fern = 7", "{ fern = 13", "discard.fern: too many fern: 15 lie there, 14 are in the game"),
        ("sown = { fern = 1 }", "sown = { fern = 4 }", "sown.fern: 4 cards, but 3 are in the seed deck"),
        ('under = ["rain", "sun"]', 'under = ["fire"]', "under: so many fire are not in the seed deck"),
        ("forest = { fern = 1", "forest = { trunk_0 = 1", "player[0].forest.trunk_0: trees are listed in `trees`"),
        ("forest = { fern = 1", "forest = { drought = 1", "player[0].forest.drought: drought is discarded at once"),
        ('"0+2"', '"0+3"', "player[0].trees[0]: a tree is its trunks, '0+2', and a canopy where it is completed"),
        ('"0+2"', '"0+2 x3"', "player[0].trees[0]: a tree is its trunks"),
        ('"0+2"', f'"{"+".join("2" * 7)}"', "player[1].trees[1]: too many trunk_2: 9 lie there, 6 are in the game"),
        ('used = ["emerald_boa"]', 'used = ["boa"]', "player[1].used[0]: unknown animal 'boa'"),
        ('used = ["emerald_boa"]', 'used = ["sloth"]', "player[1].used[0]: sloth is not in the forest"),
        ("points = 21", "points = 21.5", "player[0].points: must be a whole number, not 21.5"),
        ("points = 21", "points = 99999", "player[0].points: must be -9999 to 9999, not 99999"),
        ("sown =", "soun =", "unknown field 'soun': did you mean 'sown'?"),
        ("[[player]]\nforest = { emerald_boa", "[player.x]\nforest = { emerald_boa", "player[0]: unknown field 'x'"),
        ("sown =", 'shift = "giants"\nsown =', "shift: only with the option shifting"),
    ],
)  # fmt: skip
def test_complaints_about_positions(tmp_path: Any, old: str, new: str, message: str) -> None:
    assert old in GOOD
    file = tmp_path / "mine.toml"
    file.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(nf.InputError) as error:
        nf.read(file)
    assert said(error).removeprefix("mine.toml: ").startswith(message), said(error)


@pytest.mark.parametrize(
    ("pending", "message"),
    [
        ({"phase": "chose"}, "pending.phase: unknown value 'chose': did you mean 'choose'?"),
        ({"phase": "choose", "pile": 4}, "pending.pile: must be 1 to 3, not 4"),
        ({"phase": "choose", "pyle": 1}, "pending: unknown field 'pyle': did you mean 'pile'?"),
        ({"phase": "grow", "card": "trunk"}, "pending.card: unknown card 'trunk': did you mean 'trunk_2'?"),
        ({"phase": "keep", "least": "ferm"}, "pending.least: unknown card 'ferm': did you mean 'fern'?"),
        (
            {"phase": "enter", "hand": ["sun", "fire opponent"]},
            "pending.hand[1]: the player whose view this is has not",
        ),
        ({"phase": "enter", "task": "takn"}, "pending.task: unknown value 'takn': did you mean 'taken'?"),
        ({"phase": "over"}, "a season ends when deck and piles are gone"),
    ],
)
def test_complaints_about_what_is_pending(pending: dict[str, Any], message: str) -> None:
    with pytest.raises(nf.InputError) as error:
        from_dict({**tomllib.loads(GOOD), "pending": pending})
    assert said(error).startswith(message), said(error)


def test_files_of_views_come_back_as_views() -> None:
    for seed in range(2):
        options = [{}, {"drought_completed_trees": "exposed", "shifting": "on"}][seed % 2]
        for position in wander(nf.game("canopy", options=options).start(), seed):
            for one in (position.view(0), position.view(1)):
                again = from_dict(tomllib.loads(one.to_toml()))
                assert again == one
                assert isinstance(again, nf.View) == ("view" in one.to_dict())


def test_spoilt_files_are_refused_in_one_line_or_playable() -> None:
    words = ("?", "fern", "fern both", "? opponent", "drought", "0+2", "1 x2 spent", "sloth", *get_args(Phase))
    rng, played, refused = random.Random(1), 0, list[str]()
    for seed in range(10):
        for position in wander(nf.game("canopy", shifting=["off", "on"][seed % 2]).start(), seed):
            shown = position.view(seed // 2 % 2) if rng.random() < 0.5 else position
            data = mutated(shown.to_dict(), rng, words)
            if rng.random() < 0.5:
                data.pop("deck", None)
            try:
                found = from_dict(data)
            except nf.InputError as error:
                refused.append(str(error))
                continue
            assert isinstance(found, nf.Position)
            assert from_dict(found.to_dict()) == found
            found.resample(0, nf.Generator(seed))
            world = nf.Position(found.game)
            world._set_bytes(found.to_bytes())
            assert list(wander(world, seed))[-1].is_over
            played += 1
    assert played > 100
    assert all(len(text.splitlines()) == 1 for text in refused)


def test_a_view_is_played_on_as_far_as_nothing_unknown_is_needed() -> None:
    view = from_dict({**tomllib.loads(GOOD), "turn": 1, "view": 0, "pending": {"phase": "choose", "pile": 3}})
    assert isinstance(view, nf.View)
    view.play(1, "keep")
    assert core.PHASES[core.dump(view)["phase"]] == "uncover"
    view.chance("deal toucan")
    assert "toucan 1" in view.to_dict()["pending"]["hand"]
    assert from_dict(view.to_dict()) == view
    seeds = nf.read(ROOT / "examples/canopy/seeds.toml")
    assert isinstance(seeds, nf.Position)
    with pytest.raises(nf.IllegalMoveError, match="this view does not know the seeds drawn by player 0"):
        seeds.view(1).play(0, "stop")


# --- pictures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda path: path.stem)
def test_examples_read_and_have_pictures(file: Any) -> None:
    found = nf.read(file)
    position = found.position if isinstance(found, nf.Puzzle) else found
    assert isinstance(position, nf.Position)
    assert from_dict(position.to_dict()) == position
    drawing = position.to_svg()
    ElementTree.fromstring(drawing)
    for player in position.to_dict()["player"]:
        for name in (*player.get("forest", {}), *player.get("trees", [])):
            assert name in drawing
    assert all(isinstance(MODULE.gloss(position, move), str) for move in position.legal())


def test_situations_in_words() -> None:
    seen = set()
    for seed in range(40):
        for position in wander(nf.game("canopy", shifting=["off", "on"][seed % 2]).start(), seed):
            seen.add(re.sub(r"(: | for | to | )[01]( and 1)?$", "", canopy_picture.situation(position)))
    for words in (
        "chance turns up a season card", "chance shows pile 1", "chance draws", "chance draws seeds", "to look",
        "to keep or pass pile 3", "to take a card of pile 2", "to choose what enters", "to choose a tree for trunk_1",
        "to discard for a drought", "to draw by the sloth or not", "to end the turn", "to keep seeds",
        "to lose 2 plants", "to lose an animal", "over, won by",
    ):  # fmt: skip
        assert words in seen, words


# --- what lies unseen -------------------------------------------------------------------------------------------------


def test_chances_of_what_lies_unseen_are_exact() -> None:
    """Against all ways to draw so many cards of those that the view does not know."""
    position = from_dict(tomllib.loads(GOOD))
    assert isinstance(position, nf.Position)
    pool = core.dump(position)["pool"]
    cards = [KINDS[kind] for kind, n in enumerate(pool) for _ in range(n)]
    found = MODULE.unseen(position, 0)
    assert [(place.where, place.cards) for place in found] == [("pile 2", 2), ("pile 3", 4), ("deck", 1)]
    for place, take in ((found[0], 2), (found[2], 1)):
        draws = list(itertools.combinations(cards, take))
        for family, kinds in FAMILIES.items():
            hits = sum(any(card in kinds for card in draw) for draw in draws)
            assert place.some.get(family, 0) == pytest.approx(hits / len(draws), abs=1e-12)
        assert place.each == {kind: n / len(cards) for kind, n in Counter(cards).items()}


def test_chances_do_not_depend_on_what_the_viewer_has_not_seen() -> None:
    for seed in range(6):
        for position in wander(nf.game("canopy").start(), seed):
            for viewer in (0, 1):
                assert MODULE.unseen(position, viewer) == MODULE.unseen(position.view(viewer), viewer)


def test_a_seed_draw_is_foretold() -> None:
    data = tomllib.loads(GOOD.replace("fern = 1, rain = 2, sloth", "fern = 1, rain = 1, seed = 1, sloth"))
    position = from_dict(data)
    assert isinstance(position, nf.Position)
    draw = MODULE.unseen(position, 0)[-1]
    assert (draw.where, draw.cards) == ("seed draw", 3)
    assert draw.each == {
        kind: n / 18 for kind, n in (
            ("trunk_1", 3), ("canopy_1", 3), ("philodendron", 3), ("bromelia", 3), ("fern", 2), ("rain", 2), ("sun", 2)
        )
    }  # fmt: skip


def test_best_prints_and_writes_what_lies_unseen() -> None:
    text = run("best", "-", "--visits", "300", text=GOOD).stdout
    assert re.search(r"at least one of those unseen +pile 2: 2 +pile 3: 4 +deck: 1", text)
    answer = json.loads(run("best", "-", "--visits", "300", "--json", text=GOOD).stdout)
    assert [place["where"] for place in answer["unseen"]] == ["pile 2", "pile 3", "deck"]
    assert answer["unseen"][2]["some"]["canopy"] == pytest.approx(sum(
        chance for kind, chance in answer["unseen"][2]["each"].items() if kind.startswith("canopy")
    ))  # fmt: skip
    assert "unseen" not in json.loads(run("best", "examples/donuts-3p.toml", "--visits", "50", "--json").stdout)


# --- proven ends ------------------------------------------------------------------------------------------------------


SMALL = {
    "trunk_1": 3, "canopy_2": 2, "philodendron": 4, "bromelia": 2, "fern": 3, "rain": 2, "sun": 2, "fire": 2,
    "drought": 1, "disease": 3, "emerald_boa": 1, "leafcutter_ant": 1, "sloth_mating": 1, "seed": 1,
}  # fmt: skip


def small_game(cards: dict[str, int], removed: int) -> nf.Game:
    """A game of one season with few cards."""
    copies = {**dict.fromkeys(MODULE.standard().copies, 0), **cards}
    changes = {"copies": copies, "seeds": dict.fromkeys(MODULE.standard().seeds, 1), "removed": removed, "seasons": 1}
    return nf.game("canopy", ruleset={"extends": "standard", **changes})


def ends(seed: int) -> Iterator[nf.Position]:
    """Beginnings of turns at the end of a small game in which both have seen all cards that are left."""
    game = small_game(SMALL, 5)
    for position in wander(game.start(), seed):
        state = core.dump(position)
        if state["deck"] or core.PHASES[state["phase"]] not in ("reveal", "choose") or not any(state["piles"]):
            continue
        if state["at"] != min(i for i in range(3) if state["piles"][i]):
            continue
        data = position.to_dict()
        unseen = iter(sorted(MODULE.unseen(position, 0)[0].each if "?" in str(data["piles"]) else []))
        data.pop("pending", None)
        data["piles"] = [
            [f"{(next(unseen) if word == '?' else word.split()[0])} both" for word in pile] for pile in data["piles"]
        ]
        try:
            yield game.position(data)
        except nf.InputError:
            continue  # not so many of a card that was put in


def tried_out(position: nf.Position, objective: int) -> list[float]:
    """What each move is worth to player 0, by trying everything."""
    known: dict[bytes, float] = {}
    found = []
    for move in position.legal():
        after = position.copy()
        after.play(position.actors[0], move)
        found.append(slow(after, objective, known))
    return found


def solved(solver: expectimax.Solver) -> list[float]:
    """What each move is worth to player 0."""
    payoff = solver.payoff()
    return [row[0] for row in payoff] if len(payoff) > 1 else payoff[0]


@pytest.mark.parametrize("objective", [0, 1])
def test_last_picks_are_worth_what_trying_everything_says(objective: int) -> None:
    tried = 0
    for seed in range(60):
        for position in ends(seed):
            assert position.secrets == "perfect"
            solver = expectimax.Solver(position, objective)
            if not solver.advance(1000):
                continue  # too large for a plain search
            assert solved(solver) == pytest.approx(tried_out(position, objective))
            tried += 1
    assert tried > 40


def test_what_cannot_matter_may_be_secret() -> None:
    """The position that the solver is given is worth what the view is, played on with all its chances."""
    tried: Counter[int] = Counter()
    for seed in range(60):
        for position in wander(small_game(SMALL, 5).start(), seed):
            if not position.actors or core.dump(position)["deck"] or len(position.legal()) < 2:
                continue
            player = position.actors[0]
            plain = MODULE.without_secrets(position, player)
            if plain.secrets != "perfect" or position.secrets != "hidden":
                continue
            piles = sum(map(bool, core.dump(position)["piles"]))
            solver = expectimax.Solver(plain, 1)
            if tried[piles] == 40 or not solver.advance(3000):
                continue
            assert plain.legal() == position.legal()
            view = nf.Position(position.game)
            view._set_bytes(position.view(player).to_bytes())
            assert solved(solver) == pytest.approx(tried_out(view, 1))
            tried[piles] += 1
    assert min(tried[0], tried[1], tried[2]) > 10, tried


def test_the_last_choice_of_a_pile_is_the_mean_over_all_worlds() -> None:
    """With plants and weather alone nobody chooses after it: the mean over what the unseen cards may be."""
    cards = {"philodendron": 4, "bromelia": 4, "fern": 4, "rain": 3, "sun": 3}
    tried = 0
    for seed in range(60):
        for position in wander(small_game(cards, 2).start(), seed):
            state = core.dump(position)
            if state["deck"] or core.PHASES[state["phase"]] != "choose" or sum(map(bool, state["piles"])) != 2:
                continue
            player = position.actors[0]
            plain = MODULE.without_secrets(position, player)
            if len(position.legal()) < 2 or plain.secrets != "perfect":
                continue
            data = position.view(player).to_dict()
            hidden = [place for pile in data["piles"] for place in pile if place.startswith("?")]
            if not 0 < len(hidden) < 4:
                continue
            wins, total = [0.0, 0.0], 0
            for kinds, weight in worlds(core.dump(position.view(player))["pool"], len(hidden)):
                left = iter(kinds)
                known = [[next(left) if w.startswith("?") else w.split()[0] for w in pile] for pile in data["piles"]]
                piles = [[f"{name} both" for name in pile] for pile in known]
                world = position.game.position({**{k: v for k, v in data.items() if k != "view"}, "piles": piles})
                total += weight
                here = tried_out(world, 0)
                wins = [win + weight * more for win, more in zip(wins, here, strict=True)]
            solver = expectimax.Solver(plain, 0)
            while not solver.advance(10_000):
                pass
            assert solved(solver) == pytest.approx([win / total for win in wins])
            tried += 1
    assert tried > 10, tried


def worlds(pool: list[int], cards: int) -> Iterator[tuple[list[str], int]]:
    """All that so many unseen cards may be, one after the other, and in how many ways."""
    if cards == 0:
        yield [], 1
        return
    for kind, n in enumerate(pool):
        if n:
            left = [*pool[:kind], n - 1, *pool[kind + 1 :]]
            for kinds, weight in worlds(left, cards - 1):
                yield [KINDS[kind], *kinds], n * weight


def test_best_proves_last_picks() -> None:
    position = nf.read(ROOT / "examples/canopy/last-picks.toml")
    assert isinstance(position, nf.Position)
    answer = nf.best(position)
    assert answer.proven
    assert (str(answer.best), answer.value) == ("pass", 1.0)
    assert answer.moves[1].bounds == (0.0, 0.0)
    assert answer.unseen == []
    assert "proven" in run("best", "examples/canopy/last-picks.toml").stdout
    assert not nf.best(position, nf.Limit(visits=100), exact=False).proven
    secret = nf.read(ROOT / "examples/canopy/two-piles.toml")
    assert isinstance(secret, nf.View)
    answer = nf.best(secret, objective="margin")
    assert answer.proven
    assert str(answer.best) == "pass"
    assert answer.value == pytest.approx(-30 / 11)
    assert [place.where for place in answer.unseen] == ["pile 3"]


def test_a_game_of_one_season_is_a_puzzle() -> None:
    puzzle = nf.read(ROOT / "examples/canopy/one-season.toml")
    assert isinstance(puzzle, nf.Puzzle)
    found = nf.solve(puzzle)
    assert found.proven
    assert found.value == 22
    assert nf.Record(puzzle.game, tuple(found.line), puzzle.position).end().is_over


def test_what_only_one_has_seen_is_not_proven() -> None:
    with pytest.raises(nf.InputError, match=r"hidden|known"):
        nf.solve(nf.read(ROOT / "examples/canopy/empty-deck.toml"))  # type: ignore[arg-type]


# --- the command line -------------------------------------------------------------------------------------------------


def test_commands(tmp_path: Any) -> None:
    dealt = run("deal", "canopy", "--seed", "3", "--option", "shifting=on").stdout
    assert "(" in run("show", "-", text=dealt).stdout
    assert "player 0 may: keep, pass" in run("show", "-", "--view", "0", text=dealt).stdout
    assert run("check", "-", text=dealt).stdout.startswith("-: a position: canopy · invented numbers† · 2 players")
    assert run("perft", "canopy", "--depth", "3").stdout == "1 27\n2 54\n3 1410\n"
    assert run("check", str(TEMPLATE)).stderr == ""
    out = tmp_path / "forest.svg"
    run("show", "examples/canopy/pass.toml", "--svg", str(out))
    assert out.read_text().startswith("<svg ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["deal", "canpy"], "game: unknown game 'canpy': did you mean 'canopy'?"),
        (["deal", "canopy", "--players", "3"], "players: canopy is for 2 players, not 3"),
        (["deal", "canopy", "--option", "shifting=yes"], "options.shifting: must be off or on, not 'yes'"),
        (["deal", "canopy", "--option", "droughts=off"], "unknown option 'droughts'"),
        (["best", "examples/canopy/one-season.toml", "--player", "1"], "player: player 1 has nothing to choose here"),
        (["solve", "examples/canopy/pass.toml"], ""),
        (["show", "examples/canopy/pas.toml"], "pas.toml: no such file: did you mean 'pass.toml'?"),
        (["best", "docs/games/canopy-template.toml"], "this is no position"),
    ],
)
def test_wrong_input_is_one_line(arguments: list[str], message: str) -> None:
    done = run(*arguments, code=2)
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("ninefold: ")
    assert message in done.stderr
