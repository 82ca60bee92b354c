"""A game at one table: luck that can be repeated, choices that can be taken back, and nothing told that is hidden."""

from __future__ import annotations

import pytest

import ninefold as nf
from ninefold.games import NAMES, module
from ninefold.table import PERSON, Table


def played(name: str, players: int, seed: int) -> Table:
    table = Table(nf.game(name, players), ["random"] * players, seed=seed)
    table.run()
    return table


@pytest.mark.parametrize("name", NAMES)
def test_games_by_players_are_whole_and_come_back_from_their_records(name: str) -> None:
    for players in module(name).players:
        table = played(name, players, 3)
        assert table.position.is_over
        assert table.waiting == ()
        assert played(name, players, 3).steps == table.steps
        record = nf.Record.from_dict(table.record().to_dict())
        assert record.seats == ("random",) * players
        again = Table.resume(record)
        assert (again.position, again.steps, again.seed) == (table.position, table.steps, 3)


@pytest.mark.parametrize("name", NAMES)
def test_a_choice_taken_back_meets_the_same_luck(name: str) -> None:
    of = nf.game(name, 2)
    table = Table(of, [PERSON, "greedy"], seed=8)
    for _ in range(3):
        table.run()
        assert 0 in table.waiting
        table.choose(0, table.position.legal(0)[-1])
    table.run()
    steps, position = list(table.steps), table.position.copy()
    gone = table.undo()
    assert table.steps == steps[:-gone]
    assert 0 in table.waiting
    table.choose(0, steps[-gone].removeprefix("0: "))
    table.run()
    assert (table.steps, table.position) == (steps, position)
    while table.steps and any(step.startswith("0: ") for step in table.steps):
        table.undo(0)
    with pytest.raises(nf.InputError, match="no choice"):
        table.undo()


@pytest.mark.parametrize("name", NAMES)
def test_what_is_told_is_what_happened_or_less(name: str) -> None:
    for players in module(name).players:
        table = played(name, players, 11)
        for seat in range(players):
            heard = table.heard(seat)
            assert len(heard) == len(table.steps)
            for step, said in zip(table.steps, heard, strict=True):
                if step.startswith(f"{seat}:"):
                    assert said == step
                assert said == step or said.endswith("…")


def test_choices_made_at_once_are_hidden_until_the_last_one() -> None:
    table = Table(nf.game("donuts", 2), [PERSON, PERSON], seed=1)
    table.run()
    assert table.waiting == (0, 1)
    table.choose(0, "bid 2")
    assert list(table.waiting) == [1]
    assert table.heard(0)[-1] == "0: bid 2"
    assert table.heard(1)[-1] == "0: …"
    assert "bid 2" not in str(table.view(1))
    table.choose(1, "bid 3")
    assert table.heard(1)[-2:] == ["0: bid 2", "1: bid 3"]


def test_what_is_new_to_a_seat_begins_with_its_last_choice() -> None:
    donuts = Table(nf.game("donuts", 2), [PERSON, "greedy"], seed=1)
    donuts.run()
    assert donuts.since(0) == ["1: …"], "what was dealt before is no news"
    donuts.choose(0, "bid 2")
    donuts.run()
    first, second, *dealt, hidden = donuts.since(0)
    assert first.startswith("1: bid ")
    assert (second, hidden) == ("0: bid 2", "1: …")
    assert all(step.startswith("deal ") for step in dealt)
    canopy = Table(nf.game("canopy"), [PERSON, PERSON], seed=2)
    assert canopy.since(0) == []
    canopy.run()
    canopy.choose(0, "keep")
    canopy.run()
    other = canopy.since(1)
    assert other[0] == "0: keep"
    canopy.choose(1, "pass")
    assert canopy.since(0)[0] == "0: keep"
    assert canopy.since(1) == ["1: pass"]
    canopy.undo()
    assert canopy.since(1) == other
    for name in NAMES:
        table = played(name, 2, 5)
        for seat in (0, 1):
            news = table.since(seat)
            assert news == table.heard(seat)[-len(news) :]
            assert [step for step in news if step.startswith(f"{seat}:")] == [
                [step for step in table.steps if step.startswith(f"{seat}:")][-1]
            ]


def test_whose_player_is_next() -> None:
    table = Table(nf.game("donuts", 3), ["greedy", PERSON, "greedy"], seed=1)
    assert table.thinking is None, "chance deals"
    while table.position.is_chance:
        table.step()
    assert table.thinking == 0
    assert table.step() == table.steps[-1]
    assert table.thinking == 2
    table.step()
    assert table.thinking is None
    assert table.waiting == (1,)


def test_hands_and_looked_at_cards_are_not_told() -> None:
    coney = Table(nf.game("coney", 2), [PERSON, PERSON], seed=2)
    coney.run()
    for seat in (0, 1):
        coney.choose(seat, coney.position.legal(seat)[0])
    assert coney.heard(0)[-1] == "1: keep …"
    canopy = Table(nf.game("canopy"), [PERSON, PERSON], seed=2)
    canopy.run()
    assert canopy.heard(0)[-1] == canopy.steps[-1]
    assert canopy.heard(1)[-1] == "deal …"


@pytest.mark.parametrize("name", NAMES)
def test_who_knows_less_is_told_the_same(name: str) -> None:
    """Two games that look alike to a seat, move for move, sound alike to it."""
    of = nf.game(name, 2)
    for seed in range(30):
        table = played(name, 2, seed)
        cut = len(table.steps) // 2
        before = table._before[cut]
        world = before.copy()
        world.resample(0, nf.Generator(seed))
        if not before.is_chance or world == before:
            continue
        told = []
        for start in (before, world):
            other = Table(of, ["random", "random"], seed=seed, start=start)
            other.step()
            told.append((other.heard(0), other.position.key(0)))
        assert told[0] == told[1] or told[0][1] != told[1][1]


def test_a_view_becomes_a_world_that_agrees_with_it() -> None:
    dealt = nf.game("coney", 2).deal(seed=4)
    table = Table(dealt.game, ["greedy", PERSON], seed=1, start=dealt.view(1))
    assert table.view(1) == dealt.view(1)
    table.run()
    assert list(table.waiting) == [1]
    assert Table.resume(nf.Record.from_dict(table.record().to_dict())).position == table.position
    unknown = nf.Record(dealt.game, (), dealt.view(1), 1, None, ("greedy", PERSON))
    again = Table.resume(unknown)
    assert not isinstance(again.position, nf.View), "a record that begins with what one knows is played in a world, too"
    again.run()
    assert again.steps == table.steps


def test_wrong_tables() -> None:
    of = nf.game("donuts", 3)
    with pytest.raises(nf.InputError, match="3 sit at this table, not 2"):
        Table(of, [PERSON, PERSON])
    with pytest.raises(nf.InputError, match=r"seats\[1\].*'greddy'.*did you mean 'greedy'"):
        Table(of, [PERSON, "greddy", PERSON])
    with pytest.raises(nf.InputError, match=r"seed: must be a whole number from 0 to \d+, not -1"):
        Table(of, [PERSON] * 3, seed=-1)
    with pytest.raises(
        nf.InputError, match=r"start: this is a position of game\('donuts', 2\), not of game\('donuts', 3\)"
    ):
        Table(of, [PERSON] * 3, start=nf.game("donuts", 2).deal(1))
    with pytest.raises(nf.InputError, match="does not say who sits where"):
        Table.resume(nf.Record.random(of, 1))
    table = Table(of, [PERSON] * 3, seed=5)
    table.run()
    with pytest.raises(nf.IllegalMoveError):
        table.choose(0, "bid 9")
    assert table.waiting == (0, 1, 2)
    data = table.record().to_dict()
    with pytest.raises(nf.InputError, match="3 play, not 1"):
        nf.Record.from_dict({**data, "seats": [""]})
