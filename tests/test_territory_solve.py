"""The open solo puzzle of Territory: beside backward induction on small games, and its shipped answers by the twin."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from bench.territory_open import opened

import ninefold as nf
from ninefold.core.games.territory_open import OpenSolver
from ninefold.core.search.expectimax import Solver
from ninefold.files import from_dict
from ninefold.games.territory_puzzles import in_order
from tests.positions import all_options
from tests.reference.territory import Territory as Twin

FOLDER = Path(__file__).parent.parent / "examples" / "territory"
FILES = sorted(FOLDER.glob("*.toml"))
OPTIONS = all_options("territory")
NEEDS = (
    "at least 2 water in corners", "line of land", "run of 2", "run of 3", "sum of any at least 40", "sum at most 20",
    "no face down", "at least 1 face down", "exactly 1 face down in corners", "at least 6 empty", "group of 3 land",
    "land boss in corners", "land boss beside water boss", "at least 3 any in land territory", "diagonal of any",
    "at least 2 both and no empty in corners", "stars of any at most 4", "at least 2 even in row 2",
    "face down beside land boss",
)  # fmt: skip
EFFECTS = ("move", "swap", "draft twice", "redraw row", "draft first")
MOST = 100_000  # positions of backward induction


def small(rng: random.Random, rounds: int) -> dict[str, Any]:
    """A ruleset with few animals, small goals, and skills that matter."""
    n = rng.choice([14, 18, 24, 30])
    if rng.random() < 0.6:
        numbers = sorted(rng.sample(range(1, 60), n))
    else:
        numbers = sorted(rng.choice(range(1, 12)) for _ in range(n))
    hand = rng.choice([2, 3, 4])
    animals = {
        f"a{i}": {
            "number": number, "terrain": rng.choice(["land", "water", "both"]), "stars": rng.choice([1, 1, 2, 2, 3, 4])
        }
        for i, number in enumerate(numbers)
    }  # fmt: skip
    goals = {
        f"g{i}": {
            side: {"name": f"{side}{i}", "needs": rng.choice(NEEDS), "points": rng.randint(0, 4)}
            for side in ("front", "back")
        }
        for i in range(rng.choice([0, 0, 1, 2, 3]))
    }
    skills = {
        f"s{i}": {"effect": rng.choice(EFFECTS), "points": rng.randint(0, 3), "uses": rng.choice([0, 1, 1, 2])}
        for i in range(rng.choice([0, 0, 1, 2, 2]))
    }
    return {
        "ninefold": 1, "game": "territory", "title": "small", "rounds": rounds, "hand": hand,
        "keep": rng.randint(1, min(3, hand)), "row": rng.choice([1, 2, 3]), "largest": [3, 2, 1, 0], "animals": animals,
        "goals": goals, "skills": skills,
    }  # fmt: skip


def late(seed: int) -> nf.Position | None:
    """A question of a random small game, few rounds before its end, the deck's order known.

    None where the game was over before, as the animals ran out.
    """
    rng = random.Random(seed)
    rounds = rng.choice([1, 2, 2, 3, 3, 9])
    game = nf.game("territory", 1, options=OPTIONS[seed % len(OPTIONS)], ruleset=small(rng, rounds))
    left = rng.choice([1, 2, 2]) if rounds > 3 else rounds
    where = rng.choice(["return", "play", "play", "any"])
    position, generator, fallback = game.start(), nf.Generator(seed), None
    while not position.is_over:
        if position.is_chance:
            position.chance(rng=generator)
            continue
        phase = position.to_dict().get("pending", {}).get("phase", "play")
        near = (position.rest or 0) <= 4 * left
        asked = phase == where or (where == "any" and phase != "return" and rng.random() < 0.3)
        if asked and near and "first" not in position.to_dict():
            return in_order(position, seed)
        if phase == "play" and near:
            fallback = position.copy()
        position.play(0, generator.choice(position.legal()))
    return fallback and in_order(fallback, seed)


SEEDS = [*range(250), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(250, 750))]


@pytest.mark.parametrize("seed", SEEDS)
def test_it_agrees_with_backward_induction(seed: int) -> None:
    position = late(seed)
    if position is None:
        pytest.skip("the game was over before")
    try:
        solver = OpenSolver(position)
        while not solver.run(100):
            pass
    except ValueError as error:
        if "too short" not in str(error):
            raise
        pytest.skip("an unknown card could matter")
    assert solver.lower == solver.upper
    played = position.copy()
    for move in solver.line():
        assert move in map(int, played.legal(0))
        played.apply(0, move)
    assert played.is_over
    assert played.scores()[0] == solver.lower
    slow = Solver(position, 2)
    while not slow.advance(20_000):
        if slow.nodes > MOST:
            pytest.skip("too long without")
    assert slow.value == pytest.approx(solver.lower)


@pytest.mark.parametrize("seed", range(12))
def test_first_moves_are_those_that_keep_the_value(seed: int) -> None:
    position = opened(2 + seed % 2, seed)
    found = nf.solve(position, count=True)
    assert found.proven
    assert found.optimal
    for move in position.legal():
        after = position.copy()
        after.play(0, move)
        if after.is_over or after.is_chance:
            continue
        value = nf.solve(after).value
        assert (value == found.value) == (str(move) in found.optimal), str(move)


def expected(position: nf.Position, known: dict[int, float]) -> float:
    """The best mean score: everything is tried."""
    if position.is_over:
        return position.scores()[0]
    if position.key() in known:
        return known[position.key()]
    values = []
    steps = [(move, 1) for move in position.legal(0)] if position.actors else position.outcomes()
    for step, _ in steps:
        after = position.copy()
        if position.actors:
            after.play(0, step)
        else:
            after.chance(step)
        values.append(expected(after, known))
    mean = sum(value * weight for value, (_, weight) in zip(values, steps, strict=True)) / sum(n for _, n in steps)
    known[position.key()] = max(values) if position.actors else mean
    return known[position.key()]


@pytest.mark.parametrize("seed", range(4))
def test_the_deck_unknown_the_end_is_proven(seed: int) -> None:
    position, rng = nf.game("territory", 1).deal(seed), nf.Generator(seed)
    while not position.actors or (position.rest or 0) > 6:
        if position.actors:
            position.play(0, rng.choice(position.legal()))
        else:
            position.chance(rng=rng)
    earlier = nf.best(position, nf.Limit(visits=100))
    assert earlier.proven, "from the placing of the round before the last on"
    while not position.actors or (position.rest or 0) > 4:
        if position.actors:
            position.play(0, nf.best(position).best)
        else:
            position.chance(rng=rng)
    found = nf.best(position)
    assert found.proven
    assert found.value == pytest.approx(expected(position, {}))


def test_a_search_is_resumed_where_it_was() -> None:
    for seed in range(6):
        whole, before = OpenSolver(opened(9, seed)), OpenSolver(opened(9, seed))
        whole.advance(10**9)
        while not before.done:
            before.advance(500)
            after = OpenSolver(before.state)
            after.load(before.save())
            assert (after.lower, after.upper, after.nodes) == (before.lower, before.upper, before.nodes)
            before = after
        assert (before.lower, before.upper) == (whole.lower, whole.upper)
    with pytest.raises(ValueError, match="another puzzle"):
        OpenSolver(opened(9, 7)).load(before.save())
    with pytest.raises(ValueError, match="no checkpoint"):
        OpenSolver(opened(9, 7)).load(b"nothing")


@pytest.mark.parametrize("options", [{}, {"territory_points": "on"}, {"face_down": "free", "bonus": "may"}])
@pytest.mark.parametrize("rounds", [10, 9, 5])
def test_there_is_a_line_at_once(rounds: int, options: dict[str, str]) -> None:
    position = opened(rounds, 10, options)
    solver = OpenSolver(position)
    assert solver.nodes == 0
    assert solver.lower is not None
    assert solver.lower <= solver.upper
    for move in solver.line():
        position.play(0, move)
    assert position.is_over
    assert position.scores() == [solver.lower]


def test_a_plan_that_rests_on_moving_cards_is_not_waited_for() -> None:
    text = {
        "sides": [
            "heartland", "deep_corners", "shoal", "singles", "neighbours", "featherweight", "near_thrones",
            "amphibians",
        ],
        "row": ["mouse", "kingfisher", "eagle", "shark"],
        "discard": [
            "shrimp", "dragonfly", "minnow", "wren", "seahorse", "mole", "pigeon", "hare", "penguin", "boar", "elk",
            "manatee", "bison",
        ],
        "order": [
            "fox", "herring", "badger", "rabbit", "newt", "bear", "water_strider", "crab", "pike", "frog", "deer",
            "seal", "trout", "turtle", "hippo", "bat", "hedgehog", "wolf", "tuna", "squirrel", "ant", "elephant",
            "goat", "beaver", "snail", "crocodile",
        ],
        "player": [{
            "cells": ["- (octopus) -", "- swordfish dolphin", "ladybird - -"], "bonus": ["weight", "leap"],
            "hand": ["salmon", "otter", "lynx"], "land_boss": "a1", "water_boss": "c2",
        }],
    }  # fmt: skip
    found = nf.solve(nf.game("territory", 1, face_down="free").position(text), nf.Limit(time=60))
    assert found.proven


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="only solo positions"):
        OpenSolver(nf.game("territory", 2).deal(1))
    with pytest.raises(ValueError, match="where a player decides"):
        OpenSolver(nf.game("territory", 1).start())
    with pytest.raises(nf.InputError, match="no such option"):
        nf.solve(opened(3, 1), sales=False)


def twin_of(position: nf.Position) -> Twin:
    """The twin, at the first discards, or where the first round begins."""
    data: dict[str, Any] = position.to_dict()
    player, ruleset = data["player"][0], msgspec.to_builtins(position.game.ruleset)
    twin = Twin(1, ruleset, **position.game.options)
    for side in data["sides"]:
        twin.settle(f"side {side}")
    back = data.get("pending", {}).get("phase") == "return"
    held = [*player["hand"]] if back else [*player["hand"], *data["order"][-2:]]
    for card in held:
        twin.settle(f"deal {card}")
    if not back:
        for card in sorted(data["order"][-2:], key=list(ruleset["animals"]).index):
            twin.apply(0, f"return {card}")
        for card in data["row"]:
            twin.settle(f"deal {card}")
    return twin


def points(position: nf.Position, line: list[str]) -> int:
    """What the twin says a line comes to; the cards come in the known order."""
    twin, order = twin_of(position), list(position.to_dict()["order"])
    for step in line:
        while not twin.actors():
            twin.settle(f"deal {order.pop(0)}")
        twin.apply(0, step.removeprefix("0: "))
    assert twin.over()
    return twin.scores()[0]


def land_points(puzzle: nf.Puzzle, line: list[str]) -> int:
    """What the twin says a land is worth: its territories, its bosses and the goals that are met."""
    twin = Twin(1, msgspec.to_builtins(puzzle.game.ruleset), **puzzle.game.options)
    land = twin.land[0]
    for step in line:
        words = step.split()
        if words[0] == "place":
            land.card[words[2]] = words[1]
            if "down" in words:
                land.face_down.add(words[2])
        else:
            land.boss[words[0]] = words[2]
            land.starred |= {words[0]} if "star" in words else set()
    assert land.ascends()
    goals = {side["name"]: side["points"] for goal in twin.goals.values() for side in goal}
    points = [land.boss_points(marker, territory_points=twin.territory_points) for marker in land.boss]
    return sum(points) + sum(int(goals[name]) for name in puzzle.goals if twin.needs[name].holds(land))


def land_puzzle(**more: Any) -> nf.Puzzle:
    """A question about nine animals."""
    animals = ["ant", "newt", "seahorse", "squirrel", "frog", "otter", "wolf", "shark", "bat"]
    puzzle = from_dict({"ninefold": 1, "game": "territory", "question": "land", "animals": animals, **more})
    assert isinstance(puzzle, nf.Puzzle)
    return puzzle


@pytest.mark.parametrize("seed", range(20))
def test_the_best_land_is_legal_and_worth_what_it_says(seed: int) -> None:
    rng, options = random.Random(seed), OPTIONS[seed % len(OPTIONS)]
    ruleset = nf.game("territory", 1).ruleset
    animals = rng.sample(sorted(ruleset.animals), 9)  # type: ignore[attr-defined]
    goals = [rng.choice([goal.front.name, goal.back.name]) for goal in rng.sample(list(ruleset.goals.values()), 2)]  # type: ignore[attr-defined]
    puzzle = land_puzzle(animals=animals, goals=goals, face_down=seed % 2 == 1, options=options)
    found = nf.solve(puzzle)
    assert found.proven
    assert puzzle.replay(found.line) == found.value == land_points(puzzle, found.line)
    assert found.certificate is not None
    assert from_dict(found.certificate)


def laid(hand: list[str], drafts: list[str]) -> set[frozenset[str]]:
    """The sets that can be laid with these drafts, round by round as the rules say it."""
    found: set[frozenset[str]] = set()
    tried: set[tuple[frozenset[str], frozenset[str]]] = set()

    def go(hand: frozenset[str], lying: frozenset[str]) -> None:
        if (hand, lying) in tried:
            return
        tried.add((hand, lying))
        for card in hand:
            rest = hand - {card} | {drafts[len(lying)]}
            if len(lying) == 8:
                found.update(lying | {last} for last in (card, drafts[8]))
            else:
                go(rest, lying | {card})

    go(frozenset(hand), frozenset())
    return found


@pytest.mark.parametrize("seed", range(4))
def test_the_best_land_of_a_hand_and_its_drafts_is_that_of_all_ways_to_play(seed: int) -> None:
    rng = random.Random(seed)
    cards = rng.sample(sorted(nf.game("territory", 1).ruleset.animals), 11 + seed % 2)  # type: ignore[attr-defined]
    hand, drafts, goals = cards[:-9], cards[-9:], ["herd", "far_thrones"]
    puzzle = land_puzzle(animals=hand, drafts=drafts, goals=goals, options=OPTIONS[seed % len(OPTIONS)])
    found = nf.solve(puzzle)
    assert found.proven
    assert puzzle.replay(found.line) == found.value == land_points(puzzle, found.line)
    sets = laid(hand, drafts)
    assert found.nodes == len(sets)
    each = [land_puzzle(animals=sorted(one), goals=goals, options=puzzle.game.options) for one in sets]
    assert found.value == max(nf.solve(one).value or 0 for one in each)
    with pytest.raises(nf.InputError, match="unknown animal in the hand"):
        puzzle.replay([f"place {drafts[0]} a1"])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"animals": ["ant"]}, "animals: 9 animals, not 1"),
        ({"animals": ["ant"] * 9}, r"animals\[1\]: ant is there twice"),
        ({"animals": ["aunt"] * 9}, r"animals\[0\]: unknown animal 'aunt'"),
        ({"drafts": ["wren"]}, "drafts: 9 animals, not 1"),
        ({"drafts": ["ant"] * 9}, r"drafts\[0\]: ant is there twice"),
        ({"goals": ["hurd"]}, r"goals\[0\]: unknown side of a goal 'hurd'"),
        ({"goals": ["herd", "shoal"]}, r"goals\[1\]: shoal: this goal is there twice"),
    ],
)
def test_what_a_land_cannot_be_asked_of(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(nf.InputError, match=message):
        nf.solve(land_puzzle(**fields))


def test_there_are_enough() -> None:
    assert len(FILES) >= 10


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_shipped_answers_are_proven_again(file: Path) -> None:
    puzzle = nf.read(file)
    assert isinstance(puzzle, nf.Puzzle)
    assert puzzle.answer is not None
    found = nf.solve(puzzle)
    assert found.proven
    assert found.value == puzzle.answer.value
    if puzzle.position is None:
        assert land_points(puzzle, puzzle.answer.line) == puzzle.answer.value
        return
    if re.search("cells = ", file.read_text()) is None:
        assert points(puzzle.position, puzzle.answer.line) == puzzle.answer.value
