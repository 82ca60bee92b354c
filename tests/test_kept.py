"""Trees that a player keeps from one question of a game to the next."""

from __future__ import annotations

import random

import pytest

import ninefold as nf
from ninefold._match import known_to, play
from ninefold.players import player
from ninefold.search import Question, finished
from ninefold.trees import Kept, Trees

GAMES = [("donuts", 2), ("donuts", 4), ("coney", 1), ("coney", 2), ("territory", 2), ("canopy", 2)]


def later(position: nf.Position, seat: int, seed: int) -> nf.Position:
    """The next position in which a seat has a choice, after everybody's moves at random."""
    after, luck, dice = position.copy(), nf.Generator(seed), random.Random(seed)
    while True:
        after.play_all({actor: dice.choice(after.legal(actor)) for actor in after.actors})
        after.roll_all(luck)
        if seat in after.actors and len(after.legal(seat)) > 1:
            return after


def questions(name: str, players: int, deal: int, seed: int) -> tuple[nf.Position, nf.Position, int]:
    """Two positions of one game in which the same seat, the third of these, has a choice."""
    first = nf.game(name, players).deal(deal)
    seat = first.actors[0]
    return first, later(first, seat, seed), seat


def said(answer: nf.Analysis) -> list[tuple[nf.Move, float, float]]:
    """What it says of the moves."""
    return [(info.move, info.share, info.value) for info in answer.moves]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_visits_come_on_top_and_answers_repeat(name: str, players: int) -> None:
    first, second, seat = questions(name, players, 3, 5)
    answers = []
    for _ in range(2):
        kept = Kept()
        for position in (first, second):
            answer = finished(position, nf.Limit(visits=300), kept=kept, player=seat, seed=1, exact=False)
            assert answer.visits == 300
            assert sum(info.share for info in answer.moves) == pytest.approx(1)
            assert {info.move for info in answer.moves} == set(position.legal(seat))
        trees = kept.go_on(Question(second, nf.Limit(visits=1), player=seat))
        assert (trees.visits, trees.trees[0].visits) == (0, 600)
        answers.append(said(answer))
    assert answers[0] == answers[1]


@pytest.mark.parametrize(("name", "players"), [("coney", 2), ("canopy", 2)])
def test_what_is_kept_tells_nothing_that_is_hidden(name: str, players: int) -> None:
    first, second, seat = questions(name, players, 4, 7)
    told = []
    for world in range(3):
        kept = Kept()
        for position in (first, second):
            other = position.copy()
            if world and other.secrets == "hidden":
                other.resample(seat, nf.Generator(world))
            seen = known_to(other, seat)
            answer = finished(seen, nf.Limit(visits=300), kept=kept, player=seat, seed=1, exact=False)
        told.append(said(answer))
    assert told[0] == told[1] == told[2]


def test_trees_begin_anew_where_they_fit_no_more() -> None:
    first = nf.game("donuts", 2).deal(3)
    kept = Kept()

    def trees(position: nf.Position, seat: int, memory: int = 1 << 24) -> Trees:
        return kept.go_on(Question(position, nf.Limit(visits=1), player=seat, memory=memory))

    seat, other = 0, 1
    mine = trees(later(first, seat, 1), seat)
    assert trees(later(first, seat, 2), seat) is mine
    assert trees(later(first, other, 1), other) is not mine  # another seat
    mine = trees(later(first, seat, 1), seat, 1 << 21)
    mine.run(20_000)
    assert mine.bytes > 1 << 20
    assert trees(later(first, seat, 2), seat, 1 << 21) is not mine  # half of the memory is taken
    mine = trees(later(first, seat, 2), seat)
    elsewhere = nf.game("donuts", 2, options={"coffee": "final"}).deal(3)
    assert trees(later(elsewhere, seat, 1), seat) is not mine  # another game


def test_a_lasting_player_begins_each_game_anew() -> None:
    game = nf.game("coney", 1)
    ends = [play(game, ["mcts:visits=30"], 1, 2, 3)[0].to_bytes() for _ in range(2)]
    assert ends[0] == ends[1]


def test_only_a_lasting_player_remembers() -> None:
    position = nf.game("coney", 1).deal(3)
    legal = [str(move) for move in position.legal(0)]
    forgetful, lasting = (player("mcts:visits=64,threads=2", lasting=lasts) for lasts in (False, True))
    assert len({str(forgetful(position, 0, 9)) for _ in range(3)}) == 1
    assert all(str(lasting(position, 0, 9)) in legal for _ in range(3))
