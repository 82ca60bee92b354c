"""What a player has not seen makes no difference to the view of him: exchange hidden cards and choices and compare."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ninefold as nf
from ninefold.core.games import donuts as core
from tests.noleak import assert_same_view
from tests.positions import random_game, walk

SECRET, KINDS = 254, 24


def permuted(position: nf.Position, viewer: int, rng: random.Random) -> nf.Position:
    """Another world that looks the same to the viewer: cards only others know are drawn anew, their choices changed."""
    state = core.dump(position.view(viewer))
    real = core.dump(position)
    bag = [kind for kind, n in enumerate(state["bag"]) for _ in range(n)]
    for pile in ("top", "bottom", "drawn"):
        for i, (kind, _) in enumerate(state[pile]):
            if kind == SECRET:
                state[pile][i] = (bag.pop(rng.randrange(len(bag))), real[pile][i][1])
    for player, bid in enumerate(state["bid"]):
        if bid == SECRET:
            state["bid"][player] = rng.randrange(position.players + 1)
    for player, item in enumerate(state["passed"]):
        if item == SECRET:
            coffees = [KINDS + worth for worth, n in enumerate(state["coffee"][player]) if n]
            plain = [kind for kind, n in enumerate(state["held"][player]) if n]
            if coffees:  # the kind's own number stands for none of them
                coffee = list(position.game.ruleset.used(position.players)).index("coffee")  # type: ignore[attr-defined]
                plain.remove(coffee)
            state["passed"][player] = rng.choice(plain + coffees)
    world = nf.Position(position.game)
    core.load(world, state)
    return world


def hides_something(state: dict[str, Any], view: dict[str, Any]) -> bool:
    return any(state[key] != view[key] for key in ("top", "bottom", "drawn", "bid", "passed"))


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_views_and_legal_moves_do_not_depend_on_what_is_hidden(players: int) -> None:
    rng = random.Random(players)
    compared = 0
    for seed in range(25):
        for position in walk(random_game(seed, players), seed):
            viewer = rng.randrange(players)
            if not hides_something(core.dump(position), core.dump(position.view(viewer))):
                continue
            compared += 1
            assert_same_view(position, permuted(position, viewer, rng), viewer, seed)
    assert compared > 100


def test_who_else_knows_a_returned_card_does_not_tell_which_one_was_kept() -> None:
    """Player 1 knows one of two cards drawn by player 0. Kept or put back, player 2 sees the same."""
    game = nf.game("donuts", 3, double_chocolate_return="top")
    views = []
    for known, other in (("plain", "glazed"), ("glazed", "plain")):
        position = game.position(
            row=["-", "eclair", "eclair", "eclair"],
            top=[],
            player=[{"cards": {"double_chocolate": 1}}, {"cards": {}}, {"cards": {}}],
            pending={
                "bids": [1, 2, 3], "place": 1, "power": "double_chocolate",
                "drawn": [{"card": known, "seen": [0, 1]}, other],
            },
        )  # fmt: skip
        position.play(0, "keep double_chocolate: plain")
        assert position.to_dict()["row"][0] == "glazed", "here it goes to the row at once"
        bottom = nf.game("donuts", 3).position(
            row=["-", "eclair", "eclair", "powdered"],
            player=[{"cards": {"double_chocolate": 1}}, {"cards": {}}, {"cards": {}}],
            pending={
                "bids": [1, 2, 2], "place": 1, "power": "double_chocolate",
                "drawn": [{"card": known, "seen": [0, 1]}, other],
            },
        )  # fmt: skip
        bottom.play(0, "keep double_chocolate: plain")
        views.append(bottom.view(2))
    assert views[0] == views[1]


def test_resampling_is_uniform_over_the_worlds_of_a_view() -> None:
    """Two cards are left, a Plain and a Glazed; the one at the bottom has been seen by player 0 alone."""
    position = nf.game("donuts", 3).position(
        row=["eclair", "eclair", "eclair", "plain"],
        bottom=[{"card": "glazed", "seen": [0]}],
        player=[{"cards": {}}, {"cards": {}}, {"cards": {}}],
    )
    found = {"plain": 0, "glazed": 0}
    rng = nf.Generator(1)
    for _ in range(4000):
        world = position.copy()
        world.resample(1, rng)
        kind = world.to_dict()["bottom"][0]["card"]
        if kind in found:
            found[kind] += 1
    assert found["plain"] / found["glazed"] == pytest.approx(6 / 5, rel=0.2)
    mine = position.copy()
    mine.resample(0, rng)
    assert mine == position.view(0) == position
