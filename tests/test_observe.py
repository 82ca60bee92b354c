"""Observations: what a player knows as numbers, all of it and nothing else, from his own seat."""

from __future__ import annotations

import hashlib
import importlib
import itertools
import math
import random
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.core.games import goofspiel
from ninefold.core.rules import State
from ninefold.games import NAMES, module
from ninefold.observation import END, START, Observation, table
from tests.positions import all_options, walk
from tests.shell import EXAMPLES

SEATS = [(name, players) for name in NAMES for players in module(name).players]
every_seat = pytest.mark.parametrize(("name", "players"), SEATS)
NONE = 255


def games(name: str, players: int, n: int) -> Iterator[nf.Game]:
    """So many games, with options at random."""
    options = all_options(name)
    for seed in range(n):
        yield nf.game(name, players, options=random.Random(100 * seed + players).choice(options))


def planes(position: nf.Position, viewer: int) -> dict[str, Any]:
    """The planes of an observation as nested lists, an empty name for a single number."""
    found = position.observe(viewer)
    return {
        plane.name: nested(list(found[plane.slice]), plane.shape) for plane in position.game.observation.planes
    }  # fmt: skip


def nested(numbers: list[float], shape: tuple[int, ...]) -> Any:
    if not shape:
        return numbers[0]
    if len(shape) == 1:
        return numbers
    step = len(numbers) // shape[0] if shape[0] else 0
    return [nested(numbers[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]


def one_of(which: int, size: int) -> list[float]:
    return [float(i == which) for i in range(size)]


def all_of(cards: Any, size: int) -> list[float]:
    return [float(list(cards).count(i)) for i in range(size)]


@every_seat
def test_an_observation_is_a_function_of_the_view(name: str, players: int) -> None:
    for seed, game in enumerate(games(name, players, 2)):
        for position in walk(game, seed):
            for viewer in range(players):
                seen = position.observe(viewer)
                assert isinstance(seen, array)
                assert len(seen) == game.observation.size
                assert math.isfinite(sum(seen))
                assert position.view(viewer).observe(viewer) == seen


@pytest.mark.parametrize("name", NAMES)
def test_what_only_others_know_changes_nothing(name: str) -> None:
    pairs = 0
    for seed in itertools.count():
        players = max(2, module(name).players[seed % len(module(name).players)])
        for position in walk(nf.game(name, players, options=random.Random(seed).choice(all_options(name))), seed):
            for viewer in range(players):
                world = position.copy()
                world.resample(viewer, nf.Generator(seed))
                if world != position and world.view(viewer) == position.view(viewer):
                    assert world.observe(viewer) == position.observe(viewer)
                    pairs += 1
        if pairs > 1000:
            return


@every_seat
def test_views_that_differ_are_observed_differently(name: str, players: int) -> None:
    seen: dict[tuple[int, int, bytes], int] = {}
    for seed, game in enumerate(games(name, players, 6)):
        for position in walk(game, seed):
            for viewer in range(players):
                found = position.observe(viewer).tobytes()
                assert seen.setdefault((id(game), viewer, found), position.key(viewer)) == position.key(viewer)


CORE = {name: f"ninefold.core.games.{name}" for name in NAMES}


def check_donuts(seen: dict[str, Any], data: dict[str, Any], order: list[int]) -> None:
    kinds, places = len(data["bag"]), len(order) + 1
    assert seen["phase"] == one_of(data["phase"], 7)
    assert seen["power"] == one_of(data["power"] - 1, 12)
    assert seen["row"] == [one_of(kind, kinds) for kind in data["row"]]
    assert seen["held"] == [data["held"][player] for player in order]
    assert seen["coffee"] == [data["coffee"][player] for player in order]
    assert seen["cards"] == [sum(data["held"][player]) for player in order]
    assert seen["bids"] == [one_of(data["bid"][player], places) for player in order]
    assert seen["passed"] == one_of(data["passed"][order[0]], 40)
    assert (seen["deck"], seen["unseen"]) == (data["deck"], data["bag"])
    assert seen["discard"] == all_of(data["discard"], kinds)
    assert sum(n > 0 for n in seen["depth"]) == len(data["discard"])
    assert (seen["tops"], seen["bottoms"]) == (len(data["top"]), len(data["bottom"]))
    cards = [*reversed(data["top"]), *data["bottom"]]
    for row, knows, (kind, mask) in zip(seen["returned"], seen["returned_known"], cards, strict=False):
        assert row == one_of(min(kind, kinds), kinds + 1)
        assert knows == [mask >> player & 1 for player in order]
    assert sum(map(sum, seen["returned"])) == len(cards)
    assert sum(map(sum, seen["drawn"])) == len(data["drawn"])


def check_coney(seen: dict[str, Any], data: dict[str, Any], order: list[int]) -> None:
    cards, me = len(seen["market"]), order[0]
    assert seen["phase"] == one_of(data["phase"], 16)
    assert seen["turn_of"] == [player == data["player"] for player in order]
    assert seen["farm"] == [[one_of(card, cards) for card in data["farms"][player]] for player in order]
    assert seen["tokens"] == [data["tokens"][player] for player in order]
    assert seen["stock"] == [data["stocks"][player] for player in order]
    for plane, name in (("reserve", "reserves"), ("hand", "hands")):
        assert seen[plane] == [all_of(data[name][player], cards) for player in order]
    assert seen["market"] == all_of(data["market"], cards)
    assert seen["discard"] == all_of(data["discard"], cards)
    assert seen["deck"] == data["deck"] + len(data["order"])
    assert (seen["group"], seen["draws"], seen["placed"]) == (data["group"], data["draws"], data["placed"])
    if len(order) == 1:
        assert sum(n > 0 for n in seen["order"]) == len(data["order"])
        return
    assert seen["kept"] == one_of(data["chosen"][me], cards)
    assert [sum(row) for row in seen["hidden"]] == [
        sum(owner == player for owner, _ in data["hidden"]) for player in order
    ]
    known = [a + b + c + d for a, b, c, d in zip(
        seen["pack"], seen["shown"], map(bool, seen["drawn"]), map(any, zip(*seen["picked"], strict=True)), strict=True
    )]  # fmt: skip
    assert known == seen["hand"][0]


def check_territory(seen: dict[str, Any], data: dict[str, Any], order: list[int]) -> None:
    animals, players = len(seen["row"]), [data["player"][player] for player in order]
    assert seen["phase"] == one_of(data["phase"], 14)
    for name in ("row", "discard"):
        assert seen[name] == all_of(data[name], animals)
    assert seen["unseen"] == all_of(data["deck"], animals)
    assert seen["deck"] == data["left"]
    assert seen["cell"] == [[one_of(card, animals) for card in one["cells"]] for one in players]
    assert seen["up"] == [[one["up"] >> cell & 1 for cell in range(9)] for one in players]
    assert seen["hand"] == [all_of([card for card, _ in one["hand"]], animals) for one in players]
    assert seen["boss"] == [[one_of(NONE if boss == NONE else boss % 16, 9) for boss in one["boss"]] for one in players]
    assert seen["played"] == [one_of(one["played"], animals) for one in players]
    assert seen["declared"] == [one_of(one["declared"], 5) for one in players]
    assert seen["made"] == [[one[name] == 254 for name in ("played", "chosen", "spot", "declared")] for one in players]
    assert [row.index(1) for row in seen["queue"] if any(row)] == [order.index(player) for player in data["queue"]]
    if len(order) > 1:
        assert [sum(row) for row in seen["hidden"]] == [len(one["hidden"]) for one in players]


def check_canopy(seen: dict[str, Any], data: dict[str, Any], order: list[int]) -> None:
    players, me = [data["player"][player] for player in order], order[0]
    assert seen["phase"] == one_of(data["phase"], 19)
    assert seen["forest"] == [one["forest"] for one in players]
    assert (seen["deck"], seen["seeds"]) == (data["deck"], data["top"])
    assert (seen["unseen"], seen["seeds_unseen"]) == (data["pool"], data["seeds"])
    for trees, one in zip(seen["trees"], players, strict=True):
        assert [tree[:3] for tree in trees if any(tree)] == [
            list(tree[:3]) for tree in [*one["open"], *one["done"]]
        ]  # fmt: skip
        assert sum(tree[3] > 0 for tree in trees) == len(one["done"])
    groups = [*zip(seen["piles"], seen["piles_unknown"], data["piles"], strict=True)]
    groups += [(seen[name], seen[f"{name}_unknown"], data[name]) for name in ("hand", "drawn")]
    for known, unknown, cards in groups:
        assert known == [all_of([kind for kind, mask in cards if mask == seers], 27) for seers in (1 << me, 3)]
        assert unknown == [sum(card == (31, mask) for card in cards) for mask in (0, 2 >> me)]
    assert sum(row[0] > 0 for row in seen["under"]) == len(data["under"])


CHECKS = {"donuts": check_donuts, "coney": check_coney, "territory": check_territory, "canopy": check_canopy}


@every_seat
def test_planes_say_what_the_view_says_from_the_viewers_seat(name: str, players: int) -> None:
    dump = importlib.import_module(CORE[name]).dump
    for seed, game in enumerate(games(name, players, 3)):
        for step, position in enumerate(walk(game, seed)):
            if step % 5 == seed:
                viewer = step // 5 % players
                seen, order = planes(position, viewer), [(viewer + i) % players for i in range(players)]
                assert seen["points"] == [position.scores()[player] for player in order]
                if name == "canopy":
                    assert (seen["waiting"], seen["mine"]) == (bool(position.actors), dump(position)["turn"] == viewer)
                else:
                    assert seen["waiting"] == [player in position.actors for player in order]
                CHECKS[name](seen, dump(position.view(viewer)), order)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_typed_positions_are_observed(file: Path) -> None:
    found = nf.read(file)
    position = found.position if isinstance(found, nf.Puzzle) else found
    if isinstance(position, nf.Position):
        for viewer in range(position.players):
            seen = position.observe(viewer)
            assert math.isfinite(sum(seen))
            assert any(seen)
            assert position.view(viewer).observe(viewer) == seen


# A change of what a number means is a new version: write down here what it gives.
KNOWN = {
    "donuts": (1, "698121c600bb7abb"),
    "coney": (1, "4d552c208829467c"),
    "territory": (1, "ad58047821c16bd9"),
    "canopy": (1, "ad525293f93021b2"),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_version_fixes_all_numbers(name: str) -> None:
    total = hashlib.sha256()
    for players in module(name).players:
        for position in walk(nf.game(name, players), seed=players):
            for viewer in range(players):
                total.update(position.observe(viewer).tobytes())
    assert (nf.game(name).observation.version, total.hexdigest()[:16]) == KNOWN[name]


@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_a_game_lists_its_planes(name: str) -> None:
    page = (Path(__file__).parent.parent / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
    assert page.split(START)[1].split(END)[0] == table(name), "python -m ninefold.observation writes it"


@every_seat
def test_planes_lie_one_after_the_other(name: str, players: int) -> None:
    observation = nf.game(name, players).observation
    assert isinstance(observation, Observation)
    assert [plane.start for plane in observation.planes[1:]] == [plane.stop for plane in observation.planes[:-1]]
    assert observation.planes[-1].stop == observation.size == nf.game(name, players).core.observation_size
    for plane in observation.planes:
        assert observation[plane.name] is plane
        assert plane.text
        assert plane.values


def test_mistakes_are_named() -> None:
    position = nf.game("donuts", 3).deal(1)
    with pytest.raises(ValueError, match="no player 3: players are 0 to 2"):
        position.observe(3)
    with pytest.raises(nf.InputError, match="unknown plane 'rwo': did you mean 'row'"):
        position.game.observation["rwo"]
    assert repr(position.game.observation) == "<Observation: 388 numbers in 24 planes, version 1>"
    assert len(State(goofspiel.compile([7, 7], 7)).observe(0)) == 0, "a game may have none"
