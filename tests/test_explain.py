"""Why this move: what decides is known by construction, noise is called noise, and nothing hidden comes into it."""

from __future__ import annotations

import io
import json
import math
import random
from collections.abc import Callable
from functools import cache
from itertools import chain

import msgspec
import pytest
from rich.console import Console

import ninefold as nf
from ninefold.core.search.pairs import compare
from ninefold.explain import Explanation, _difference, explain
from ninefold.games import NAMES
from tests.canopy import EngineTable
from tests.positions import last_round, wander
from tests.shell import run
from tests.test_rules_coney import do
from tests.test_rules_coney import table as coney
from tests.test_rules_territory import declaring, land, own_rules

QUICK = nf.Limit(visits=300)
FEW = 200


def donuts_own() -> nf.Position:
    """A second Jelly Filled is worth 5; the other player has nothing there."""
    return last_round("jelly_filled glazed plain", "1 jelly_filled 1 powdered", "2 powdered")


def donuts_denied() -> nf.Position:
    """The second Jelly Filled would be worth 5 to the other player and nothing to oneself."""
    return last_round("jelly_filled powdered powdered", "2 powdered", "1 jelly_filled 1 powdered")


def coney_logos() -> nf.Position:
    """The last turn: the third card of a shop."""
    position = coney(
        {"farm": "a1 quince b1 radish", "hand": "sage", "stock": "3 carrot 3 hay 3 pellet"}, turn=9, last="refill",
        market="oat daisy iris",
    )  # fmt: skip
    return do(position, "place")


def coney_either_order() -> nf.Position:
    """The last turn: both cards of the hand will be placed."""
    position = coney({"hand": "alfalfa sage"}, turn=9, last="refill", market="oat daisy iris")
    return do(position, "place")


def territory_boss() -> nf.Position:
    """The last question of the game: a boss whose two stars are met."""
    rules = own_rules(goals={}, skills={})
    return declaring(land(b1="snail", c1="mouse"), played="ant", cells="a1", ruleset=rules, row=[], round=9)


def canopy_weather() -> nf.Position:
    """The last two piles: sun for the rain in the forest, or a second rain."""
    return EngineTable("sun:0 | rain:0 |", season=3, deck=0, cards=("rain", "")).position


@pytest.mark.parametrize(
    ("made", "move", "against", "own", "denied"),
    [
        (donuts_own, "bid 1", "bid 2", {"jelly_filled": 5, "glazed": -2}, {}),
        (coney_logos, "place sage c1", "done", {"logos": 2, "printed points": 1}, {}),
        (territory_boss, "land boss", "no boss", {"land boss": 2}, {}),
        (canopy_weather, "keep", "pass", {"weather": 5}, {}),
    ],
)
def test_what_decides_is_known(
    made: Callable[[], nf.Position], move: str, against: str, own: dict[str, float], denied: dict[str, float]
) -> None:
    found = explain(made(), move, against=against, limit=QUICK, samples=FEW)
    assert {one.what: one.mean for one in found.own} == own
    assert {one.what: one.mean for one in found.denial} == denied
    assert all(one.clear for one in found.sources)
    assert found.deciding[0].what == next(iter(own))
    assert found.points[0].mean == sum(own.values())
    said = found.lines()
    assert f"its own points: {own[next(iter(own))]:+.2f} ± 0.0" in " ".join(said)
    assert said[0].startswith("proven: ")


def test_denial_is_what_the_others_do_not_get() -> None:
    position = donuts_denied()
    answer = nf.best(position, QUICK, player=0)
    assert answer.proven
    # The other one takes his Jelly Filled for sure.
    sure = msgspec.structs.replace(answer, replies=[type(answer.replies[0])(1, position.game.move("bid 1"), 1.0)])
    found = explain(position, "bid 1", against="bid 2", answer=sure, samples=FEW)
    assert {one.what: one.mean for one in found.own} == {"powdered": -3}
    assert {one.what: one.mean for one in found.denial} == {"jelly_filled": 5}
    assert found.deciding[0] == found.denial[0]
    assert found.denial[0].player is None
    assert found.worth is not None
    assert "the opponent's points: -5.00 ± 0.0" in " ".join(found.lines())


def test_moves_that_come_to_the_same_are_called_equal() -> None:
    found = explain(coney_either_order(), "place sage c1", against="place alfalfa c1", limit=QUICK, samples=FEW)
    assert found.same == found.samples == FEW
    assert not found.sources
    assert found.lines()[:2] == [
        "proven: place sage c1 (1 points ♀ black grey breed: 1 pellet 2 any bakery) and place alfalfa c1 "
        "(1 points ♀ white) are both worth +2.00 (points)",
        "in 200 pairs of games with the same luck nobody's points differ between place sage c1 and place alfalfa c1",
    ]


def test_noise_is_called_noise() -> None:
    """Of twenty numbers that differ by luck alone, one explanation in twenty finds one that does not seem to."""
    rng = random.Random(1)
    wrong = 0
    for _ in range(100):
        for _ in range(20):
            luck = [rng.gauss(0, 3) for _ in range(100)]
            total, squared = sum(luck), sum(x * x for x in luck)
            wrong += _difference(0, "luck", (0.0, 0.0, total, squared), 100, tests=20).clear
    assert wrong <= 15, "five are expected"


def test_a_small_difference_needs_many_pairs() -> None:
    position = nf.game("territory", 1).deal(3)
    answer = nf.best(position, QUICK)
    few, many = (explain(position, answer=answer, samples=n, seed=1) for n in (100, 1600))
    assert few.worth is not None
    assert many.worth is not None
    assert 2.5 < few.worth.error / many.worth.error < 6, "four times as exact"
    assert abs(few.worth.mean - many.worth.mean) < 2 * few.worth.error
    assert few.points[0].mean == pytest.approx(sum(one.mean for one in few.sources))


def test_the_only_move() -> None:
    position = next(
        found for found in wander(nf.game("territory", 1).deal(1), 1) if found.actors and len(found.legal(0)) == 1
    )
    found = explain(position, limit=QUICK)
    assert found.against is None
    assert found.samples == 0
    assert found.lines() == [f"{found.move} is the only move that player 0 has"]


@cache
def sample(name: str) -> nf.Position:
    """A choice somewhere in a game, with at least three moves."""
    game = nf.game(name, 2)
    return next(
        found.copy()
        for step, found in enumerate(wander(game.start(), 5))
        if step > 40 and found.actors and len(found.legal()) > 2
    )


@pytest.mark.parametrize("name", NAMES)
def test_which_moves_are_compared(name: str) -> None:
    position = sample(name)
    player = position.actors[0]
    answer = nf.best(position, QUICK, seed=2)
    first, second, third = (info.move for info in answer.moves[:3])

    def pair(found: Explanation) -> tuple[nf.Move, nf.Move | None]:
        return found.move.move, found.against.move if found.against else None

    def asked(move: nf.Move | str | None = None, against: nf.Move | str | None = None) -> Explanation:
        return explain(position, move, against=against, answer=answer, samples=30)

    assert pair(asked()) == (first, second)
    assert pair(asked(third)) == (first, third)
    assert pair(asked(str(first))) == (first, second)
    assert pair(asked(against=third)) == (first, third)
    assert pair(asked(against=first)) == (second, first)
    assert pair(asked(third, second)) == (third, second)
    both = asked(third, second), asked(second, third)
    assert both[0].points[0].mean == -both[1].points[0].mean, "the same games, the other way round"
    assert both[0].player == player


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_explanation(name: str) -> None:
    position = sample(name)
    found = [explain(position, limit=QUICK, samples=50, seed=seed) for seed in (1, 1, 2)]
    assert found[0] == found[1]
    assert found[0] != found[2]


@pytest.mark.parametrize("name", NAMES)
def test_what_the_player_has_not_seen_does_not_come_into_it(name: str) -> None:
    """In worlds that he cannot tell apart: the same answer, the same explanation."""
    differed = 0
    players, seeds, stride = (6, 40, 5) if name == "donuts" else (2, 1, 25)
    game = nf.game(name, players)
    for step, position in chain.from_iterable(enumerate(wander(game.start(), seed)) for seed in range(seeds)):
        if step % stride or not position.actors or position.secrets != "hidden":
            continue
        player = position.actors[-1]
        worlds = [position.copy(), position.copy()]
        for number, world in enumerate(worlds):
            world.resample(player, nf.Generator(number))
        if worlds[0] == worlds[1]:
            continue
        differed += 1
        answer = nf.best(worlds[0], nf.Limit(visits=50), player=player)
        said = [explain(one, answer=answer, samples=30, seed=4) for one in (*worlds, position.view(player))]
        assert said[0].to_dict() == said[1].to_dict() == said[2].to_dict()
        if differed == 3:
            return
    assert differed


def test_the_search_may_know_better_than_the_games_played_on() -> None:
    """Then it is said that they do not show it: here the answer is a made-up one."""
    position = donuts_own()

    def said(objective: str, value: float) -> str:
        answer = nf.best(position, QUICK, objective=objective)
        first = position.game.move("bid 1")
        moves = [
            msgspec.structs.replace(info, value=value if info.move == first else 0.0, bounds=None, visits=1)
            for info in answer.moves
        ]
        moves = [msgspec.structs.replace(info, lcb=info.value) for info in moves]
        made_up = msgspec.structs.replace(answer, moves=moves, proven=False)
        return " ".join(explain(position, "bid 1", against="bid 2", answer=made_up, samples=FEW).lines())

    assert "these games prefer the other one: bid 2 is better only in play that looks further" in said("margin", -1)
    assert "these games" not in said("margin", 1)
    assert "that bid 1 is better shows only in play that looks further ahead" in said("win", 0.2)
    assert "that bid 2 is better shows only in play that looks further ahead" in said("win", -0.2)


def test_it_can_be_printed_and_written() -> None:
    found = explain(donuts_own(), limit=QUICK, samples=FEW)
    data = json.loads(msgspec.json.encode(found.to_dict()))
    assert data["move"]["move"] == str(found.move.move)
    assert data["points"][0]["mean"] == found.points[0].mean
    screen = Console(width=100, record=True, file=io.StringIO())
    screen.print(found)
    said = screen.export_text()
    assert f"{found.move.move} less " in said
    assert all(one.what in said for one in found.deciding)


def test_the_core_checks_what_it_is_asked() -> None:
    position = donuts_own()
    for player, one, other in ((0, 0, 9), (1, 9, 0), (2, 0, 1)):
        with pytest.raises(ValueError, match=r"legal for player|no player"):
            compare(position, player, one, other, 1, temperature=1)
    for wrong in ({"objective": 3}, {"temperature": -1}, {"n": -1}, {"first": -1}, {"temperature": math.nan}):
        with pytest.raises(ValueError, match="below 0"):
            compare(position, 0, 0, 1, **{"n": 1, "temperature": 1, **wrong})  # type: ignore[arg-type]
    whole = compare(position, 0, 0, 1, 60, temperature=1, seed=5)
    parts = [compare(position, 0, 0, 1, 20, temperature=1, seed=5, first=first) for first in (0, 20, 40)]
    assert whole[0] == sum(part[0] for part in parts)
    assert whole[3][1] == tuple(map(sum, zip(*(part[3][1] for part in parts), strict=True)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"move": "bid 9"}, "move: unknown move 'bid 9': did you mean 'bid"),
        ({"move": "stop bear_claw"}, "move: player 0 can't do that here"),
        ({"move": "bid 1", "against": "bid 1"}, "against: a move cannot be compared with itself"),
        ({"samples": 29}, "samples: must be a whole number from 30 to 1000000, not 29"),
        ({"seed": -1}, "seed: must be"),
        ({"player": 7}, "player: no player 7"),
        ({"player": 1, "answer": "mine"}, "player: the answer is for player 0"),
        ({"answer": "other"}, "answer: the answer is about another position"),
    ],
)
def test_bad_input(arguments: dict[str, object], message: str) -> None:
    position = donuts_own()
    answers = {"mine": nf.best(position, QUICK), "other": nf.best(canopy_weather(), QUICK)}
    given = {name: answers.get(str(value), value) for name, value in arguments.items()}
    with pytest.raises(nf.InputError) as caught:
        explain(position, **{"limit": QUICK, **given})  # type: ignore[arg-type]
    assert message in str(caught.value)
    with pytest.raises(nf.InputError, match="the game is over"):
        explain(list(wander(position, 1))[-1])


def test_command() -> None:
    example = "examples/donuts-3p.toml"
    said = run("explain", example, "--move", "bid 1", "--visits", "300", "--samples", "100").stdout
    assert said.startswith("by the search bid ")
    assert "bid 1 (boston_cream)" in said
    data = json.loads(run("explain", example, "--player", "1", "--visits", "300", "--samples", "50", "--json").stdout)
    assert (data["player"], data["samples"]) == (1, 50)
