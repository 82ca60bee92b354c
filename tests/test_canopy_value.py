"""Canopy's learnt estimate: its features by the obvious way, what it answers and when, and searches that lean on it."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest

import ninefold as nf
from ninefold.core.games import canopy as core
from ninefold.core.rules import Generator
from ninefold.core.search.mcts import Search, draw_move
from ninefold.games.canopy_ruleset import KINDS, CanopyRuleset
from ninefold.ruleset import standard
from ninefold.search import Question
from ninefold.trees import Cell, Trees
from tests.positions import wander

PHASES = [core.PHASES.index(word) for word in ("start", "reveal", "choose")]
BLOCKS = {  # features in their order, by name: how many numbers each tells apart
    "philodendron": 8, "bromelia": 5, "fern": 9, "seed": 4, "fire": 4, "disease": 6, "pairs": 7, "weather": 7,
    "burning": 5, "sick": 5, "animal": 18, "wildlife": 7, "used": 6, "open": 5, "height": 21, "value": 3, "rest": 1,
    "new": 1, "done": 7, "tallest": 8, "taller": 9, "more": 9, "turn": 1, "pile": 21,
}  # fmt: skip


def by_hand(state: dict[str, Any], player: int) -> dict[tuple[str, int], int]:
    """The features of a player, by name and number."""
    mine, other = state["player"][player], state["player"][1 - player]
    n = dict(zip(KINDS, mine["forest"], strict=True))
    found: dict[tuple[str, int], int] = {}

    def count(name: str, number: int, times: int = 1) -> None:
        if times:
            found[name, number] = times

    def tallest(one: dict[str, Any]) -> int:
        return max((sum(tree[:3]) for tree in one["done"] if tree[4] < 3), default=0)

    for name in ("philodendron", "bromelia", "fern", "seed", "fire", "disease"):
        count(name, min(n[name], BLOCKS[name] - 1))
    count("pairs", min(n["rain"], n["sun"], 6))
    count("weather", max(0, min(6, 3 + n["rain"] - n["sun"])))
    animals = KINDS[15:21]
    wildlife = sum(mine["forest"][15:27])
    if n["fire"] >= 2:
        count("burning", min(4, n["philodendron"] + n["bromelia"] + n["fern"]))
    if n["disease"] >= 2:
        count("sick", min(4, wildlife))
    for i, animal in enumerate(animals):
        if n[animal] or n[f"{animal}_mating"]:
            count("animal", 3 * i + n[animal] + 2 * n[f"{animal}_mating"] - 1)
        if i in mine["used"]:
            count("used", i)
    count("wildlife", min(6, wildlife))
    trees = sorted(((sum(tree), tree[1] + 2 * tree[2]) for tree in mine["open"]), reverse=True)
    count("open", min(4, len(trees)))
    for i, (height, value) in enumerate(trees[:3]):
        count("height", 7 * i + min(6, height))
        count("value", i, value)
    count("rest", 0, sum(height for height, _ in trees[3:]))
    new = [tree for tree in mine["done"] if tree[4] == 1]
    count("new", 0, sum(tree[1] + 2 * tree[2] + tree[3] * sum(tree[:3]) for tree in new))
    count("done", min(6, len(mine["done"])))
    count("tallest", min(7, tallest(mine)))
    count("taller", max(0, min(8, 4 + tallest(mine) - tallest(other))))
    count("more", max(0, min(8, 4 + len(mine["done"]) - len(other["done"]))))
    if state["turn"] == player:
        count("turn", 0)
        for i, pile in enumerate(state["piles"]):
            count("pile", 7 * i + min(6, len(pile)))
    return found


def test_features_are_what_they_are_called() -> None:
    first = dict(zip(BLOCKS, [sum(list(BLOCKS.values())[:i]) for i in range(len(BLOCKS))], strict=True))
    assert sum(BLOCKS.values()) == core.LIMITS["features"]
    seen = set()
    for seed in range(60):
        for state in wander(nf.game("canopy").start(), seed):
            if core.dump(state)["phase"] in PHASES:
                for player in range(2):
                    said = {(name, n): times for (name, n), times in by_hand(core.dump(state), player).items()}
                    assert dict(core.features(state, player)) == {first[name] + n: t for (name, n), t in said.items()}
                    seen |= {name for name, _ in said}
    assert seen == set(BLOCKS), "random games know all of them"


def test_the_estimate_is_right_on_the_average_and_better_than_a_constant() -> None:
    errors, margins = [], []
    for seed in range(150):
        state, chance, dice, found = nf.game("canopy").start(), Generator(seed), Generator(seed, 1), []
        while not state.is_over:
            if not state.actors:
                state.roll(chance)
                continue
            data = core.dump(state)
            if data["phase"] in PHASES and data["season"] == 2 and (guess := core.foreseen(state)):
                found.append(guess)
            state.apply(state.actors[0], draw_move(state, state.actors[0], 0.3, seed, dice.below(1 << 30)))
        points = state.score()[0]
        for expected, deviation in found:
            errors.append((points[0] - points[1] - expected[0] + expected[1]) / deviation)
            margins.append((points[0] - points[1]) / deviation)
    assert abs(sum(errors)) / len(errors) < 0.2
    assert 0.75 < math.sqrt(sum(x * x for x in errors) / len(errors)) < 1.25
    assert sum(x * x for x in errors) < 0.6 * sum(x * x for x in margins)


@pytest.mark.parametrize(
    ("options", "ruleset"),
    [({"shifting": "on"}, {}), ({"drought_completed_trees": "exposed"}, {}), ({}, {"numbers": {"fern_odd": 3}})],
)
def test_what_was_not_learnt_is_not_estimated(options: dict[str, str], ruleset: dict[str, Any]) -> None:
    """Other numbers than those of the weights: playouts go to the end."""
    state = nf.game("canopy", options=options, ruleset=changed(ruleset)).start()
    state.roll_all(Generator(1))
    assert core.foreseen(state) is None
    one, other = (Search(state, state.actors[0], rollout=0.3, horizon=horizon, seed=1) for horizon in (0, 3))
    for search in (one, other):
        search.run(300)
    assert [cell[4] for cell in one.cells()] == [cell[4] for cell in other.cells()]


def changed(numbers: dict[str, Any]) -> dict[str, Any] | None:
    """The standard ruleset with some numbers changed."""

    if not numbers:
        return None
    data: dict[str, Any] = msgspec.to_builtins(standard("canopy", CanopyRuleset))
    data["numbers"].update(numbers["numbers"])
    return data


def test_a_search_with_estimates_speaks_of_the_same_game() -> None:
    """Expected points and win chances stay near those of playouts to the end; a won game is a won game."""
    state = nf.game("canopy").start()
    state.roll_all(Generator(3))
    player = state.actors[0]
    sums = {}
    for horizon in (0, 2):
        search = Search(state, player, rollout=0.3, horizon=horizon, seed=1)
        search.run(4000)
        cells = search.cells()
        visits = sum(cell[0] for cell in cells)
        sums[horizon] = [sum(cell[4][seat] for cell in cells) / visits for seat in range(2)]
        wins = sum(cell[3][player] for cell in cells) / visits
        assert 0.3 < wins < 0.7
        assert 12 < math.sqrt(sum(cell[5][0] for cell in cells) / visits - sums[horizon][0] ** 2) < 25
    assert sums[2] == pytest.approx(sums[0], abs=4)
    data = core.dump(state)
    data["player"][player]["points"] = 300
    core.load(state, data)
    answer = nf.best(state, nf.Limit(visits=300))
    assert answer.moves[0].win is not None
    assert answer.moves[0].win[player] > 0.999


def test_every_move_of_the_root_is_looked_at() -> None:
    """Also one that the guess has far down: there is a worth to show, and no interval is lost in another's."""
    position = nf.read("examples/canopy/pass.toml")
    assert isinstance(position, nf.Position)
    few, many = (nf.best(position, nf.Limit(visits=visits), seed=1) for visits in (20, 3200))
    assert min(info.visits for info in many.moves) >= 3200 // (32 * len(many.moves)) - 1
    for answer in (few, many):
        assert all(math.isfinite(end) for end in answer.interval)
        assert answer.error(answer.moves[0]).startswith("± ")
    unseen = [info for info in few.moves if info.visits == 0]
    assert [few.error(info) for info in unseen] == ["not tried"] * len(unseen)


def test_few_visits_of_a_move_do_not_outweigh_many_of_another() -> None:
    """Two visits, both of them won, of a move that the guess has down, against hundreds of the other one."""
    state = nf.game("canopy").start()
    state.roll_all(Generator(3))
    trees = Trees(Question(state, nf.Limit(visits=300), guesses=20))
    prior = state.prior(state.actors[0])
    likely = prior.index(max(prior))
    cells: list[Cell] = [(2.0, 2.0, 2.0, [], [], [])] * len(prior)
    cells[likely] = (300.0, 160.0, 90.0, [], [], [])
    trees.cells = cells
    assert trees.likeliest() == likely
    trees.cells = [(200.0, 190.0, 185.0, [], [], [])] * len(prior)
    trees.cells[likely] = cells[likely]
    assert trees.likeliest() != likely
    with pytest.raises(nf.InputError, match="0 to 1000"):
        nf.best(state, nf.Limit(visits=10), horizon=-1)
