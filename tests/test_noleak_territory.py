"""What a player has not seen makes no difference to the view of him: exchange hidden cards and choices and compare."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ninefold as nf
from ninefold.core.games import territory as core
from ninefold.files import to_dict
from tests.noleak import assert_same_answer, assert_same_view
from tests.positions import wander

NONE, SECRET, HIDDEN = 255, 254, 128
PHASES = core.PHASES
CHOICES = ("played", "chosen", "spot", "declared")


def permuted(position: nf.Position, viewer: int, rng: random.Random) -> nf.Position:
    """Another world that looks the same to the viewer: hidden cards are drawn anew, hidden choices made anew.

    Cards that the viewer gave back stay in the deck, where they may be, while it has others.
    """
    state = core.dump(position.view(viewer))
    players, pool = state["player"], state["pool"]
    bag = rng.sample(state["deck"], len(state["deck"]))
    bag.sort(key=lambda card: card not in players[viewer]["returned"])
    piles = {pool: bag}
    for card, other in state["older"]:
        piles.setdefault(other, []).append(card)
        rng.shuffle(piles[other])
    state["older"] = []
    for seat, player in enumerate(players):
        player["hand"] = sorted([*player["hand"], *((piles[other].pop(), other) for other in player["hidden"])])
        player["hidden"] = []
        for i, card in enumerate(player["drafted"]):
            if HIDDEN <= card < SECRET:
                player["drafted"][i] = piles[card - HIDDEN].pop()
                player["hand"] = sorted([*player["hand"], (player["drafted"][i], card - HIDDEN)])
        if seat != viewer and PHASES[state["phase"]] == "return":
            given = sorted(player["hand"])[: state["given"]]
            player["hand"] = sorted(player["hand"])[state["given"] :]
            player["returned"] = [card for card, _ in given]
    gone = {card for player in players for card, _ in player["hand"]}
    gone |= {card for player in players if PHASES[state["phase"]] == "return" for card in player["returned"]}
    state["deck"] = [card for card in state["deck"] if card not in gone]
    state["left"] = len(state["deck"]) + len(state["order"])
    again = [seat for seat in range(len(players)) if seat != viewer and chose(position, seat)]
    for seat in again:
        state["waiting"] |= 1 << seat
        for choice in CHOICES:
            if players[seat][choice] == SECRET:
                players[seat][choice] = NONE
    world = nf.Position(position.game)
    core.load(world, state)
    for seat in again:
        world.play(seat, rng.choice(world.legal(seat)))
    return world


def chose(position: nf.Position, seat: int) -> bool:
    """Whether this player has made a choice that is still hidden."""
    state = core.dump(position)
    if PHASES[state["phase"]] == "return":
        return seat not in position.actors
    hidden = {"play": "played", "choose": "chosen", "place": "spot", "boss": "declared"}.get(PHASES[state["phase"]])
    return hidden is not None and state["player"][seat][hidden] != NONE


def hides_something(position: nf.Position, viewer: int) -> bool:
    def visible(state: dict[str, Any]) -> object:
        return [[player[key] for key in ("hand", "drafted", *CHOICES)] for player in state["player"]]

    return visible(core.dump(position)) != visible(core.dump(position.view(viewer)))


def small(players: int) -> dict[str, Any]:
    """So few animals that the deck is shuffled anew while hands are hidden."""
    animals = {
        f"a{i}": {"number": i + 1, "terrain": ("land", "water", "both")[i % 3], "stars": 1 + i % 4}
        for i in range(12 * players + 3)
    }
    return {**to_dict(nf.game("territory").ruleset), "animals": animals}


@pytest.mark.parametrize("few", [False, True], ids=["standard", "few"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_views_and_legal_moves_do_not_depend_on_what_is_hidden(players: int, few: bool) -> None:
    rng = random.Random(players)
    game = nf.game("territory", players, ruleset=small(players) if few else None)
    compared = later = 0
    for seed in range(12):
        for position in wander(game.start(), seed):
            viewer = rng.randrange(players)
            if not hides_something(position, viewer):
                continue
            compared += 1
            later += core.dump(position)["pool"] > 1
            assert_same_view(position, permuted(position, viewer, rng), viewer, seed)
    assert compared > 300
    assert not few or later > 50


def test_a_search_decides_the_same_whatever_is_hidden() -> None:
    rng = random.Random(1)
    compared = 0
    for position in wander(nf.game("territory", 2).start(), 5):
        if not position.actors or not hides_something(position, position.actors[0]) or rng.random() < 0.7:
            continue
        viewer = position.actors[0]
        assert_same_answer(position, permuted(position, viewer, rng), viewer, visits=60)
        compared += 1
    assert compared > 5
