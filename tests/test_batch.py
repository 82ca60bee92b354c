"""Batches: the same games as positions play, whatever the number of threads, and one clear line for each mistake."""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np
import pytest

import ninefold as nf
from ninefold.batch import Batch
from ninefold.core import rules
from ninefold.core.batch import Rows
from ninefold.games import NAMES, module
from tests.positions import all_options

SEATS = [(name, players) for name in NAMES for players in module(name).players]
every_seat = pytest.mark.parametrize(("name", "players"), SEATS)
ROWS = 5
STEPS = 60


def some_game(name: str, players: int, seed: int = 0) -> nf.Game:
    return nf.game(name, players, options=random.Random(seed + players).choice(all_options(name)))


def mask_of(position: nf.Position) -> list[list[bool]]:
    mask = [[False] * len(position.game.moves) for _ in range(position.players)]
    for player in range(position.players):
        for move in position.legal(player):
            mask[player][move] = True
    return mask


def assert_rows_are(batch: Batch, positions: list[nf.Position]) -> None:
    """Everything that a batch says is what its positions say one by one."""
    assert list(batch.positions) == positions
    assert batch.actors.tolist() == [sum(1 << player for player in one.actors) for one in positions]
    assert batch.is_over.tolist() == [one.is_over for one in positions]
    assert batch.scores().tolist() == [one.scores() for one in positions]
    goal = ("win", "margin", "score").index(batch.objective)
    assert batch.utilities().tolist() == [one.utilities(goal) for one in positions]
    assert batch.legal_mask().tolist() == [mask_of(one) for one in positions]
    seats = range(batch.game.players)
    seen = np.array([[one.observe(player) for player in seats] for one in positions])
    assert np.array_equal(batch.observe(), seen)
    assert np.array_equal(batch.observe(batch.game.players - 1), seen[:, -1])


@every_seat
def test_a_batch_plays_what_positions_play(name: str, players: int) -> None:
    game = some_game(name, players)
    batch = game.batch(ROWS, seed=11, objective="margin")
    chance = [nf.Generator(11, 3 * row) for row in range(ROWS)]
    positions = [game.start() for _ in range(ROWS)]
    for position, generator in zip(positions, chance, strict=True):
        position.roll_all(generator)
    assert batch.positions[0] == game.deal(11)
    rng = random.Random(players)
    steps = 0
    while not batch.is_over.all():
        if steps % 10 == 0:
            assert_rows_are(batch, positions)
        moves = batch.sample()
        if rng.random() < 0.3:  # some choose later, and some games wait
            moves[rng.randrange(ROWS), rng.randrange(players)] = -1
        before = [position.copy() for position in positions]
        for row, position in enumerate(positions):
            position.play_all({player: int(move) for player, move in enumerate(moves[row]) if move >= 0})
            position.roll_all(chance[row])
        ended = batch.step(moves)
        assert ended.tolist() == [
            after.is_over and not old.is_over for old, after in zip(before, positions, strict=True)
        ]
        for row, position in enumerate(positions):
            assert batch.rewards[row].tolist() == (position.utilities(1) if ended[row] else [0] * players)
        steps += 1
    assert_rows_are(batch, positions)
    assert (batch.sample() == -1).all()
    assert not batch.step(batch.sample()).any()
    assert list(batch.positions) == positions


def played(game: nf.Game, threads: int, n: int = 7) -> list[Any]:
    """All that comes of a batch."""
    batch = game.batch(n, seed=5, threads=threads, auto_reset=True)
    found: list[Any] = []
    for step in range(STEPS):
        moves = batch.sample()
        found += [moves, batch.step(moves), batch.rewards.copy()]
        if step % 20 == 0:
            found += [batch.playouts(3), batch.playouts(2, temperature=1.5), batch.legal_mask(), batch.observe()]
    return [*found, batch.states, batch.generators, batch.actors, batch.is_over, batch.scores(), batch.utilities()]


@every_seat
def test_threads_change_nothing(name: str, players: int) -> None:
    game = some_game(name, players, 1)
    alone = played(game, 1)
    for threads in (2, 3, 16):
        assert all(map(np.array_equal, alone, played(game, threads)))
    fewer = played(game, 2, 3)
    assert np.array_equal(fewer[-5], alone[-5][:3]), "a row does not depend on the others"


@every_seat
def test_games_that_end_begin_anew(name: str, players: int) -> None:
    game = some_game(name, players, 2)
    batch = game.batch(3, seed=2, auto_reset=True)
    twin = game.batch(3, seed=2)
    finished = 0
    while finished < 9:
        moves = batch.sample()
        assert np.array_equal(twin.sample(), moves)
        ended = batch.step(moves)
        assert np.array_equal(twin.step(moves), ended)
        assert np.array_equal(batch.rewards, twin.rewards)
        assert np.array_equal(batch.rewards[ended], twin.utilities()[ended])
        assert not batch.rewards[~ended].any()
        assert not batch.is_over.any()
        assert np.array_equal(ended, twin.is_over)
        for row in np.flatnonzero(ended):
            twin.positions[row] = game.start()  # its chance goes on with the row's generator
            assert twin.positions[row] == batch.positions[row]
        finished += int(ended.sum())
    assert np.array_equal(batch.states, twin.states)
    assert np.array_equal(batch.generators, twin.generators)


@pytest.mark.parametrize("name", NAMES)
def test_playouts_are_means_of_games_to_the_end(name: str) -> None:
    game = nf.game(name)
    batch = game.batch(2, seed=3, objective="score")
    before = batch.states.copy()
    for temperature in (0.0, 1.0):
        expected = [np.zeros(game.players), np.zeros(game.players)]
        twin = game.batch(2, seed=3, objective="score")
        for _ in range(10):
            for row, total in enumerate(twin.playouts(1, temperature)):
                expected[row] += total
        fresh = game.batch(2, seed=3, objective="score")
        assert np.allclose(fresh.playouts(10, temperature), np.array(expected) / 10, rtol=1e-12)
    assert np.array_equal(batch.states, before)
    many = batch.playouts(2500)
    total = rules.playouts(batch.positions[1], 2500, 1)
    assert many[1] == pytest.approx([points / 2500 for points in total], abs=1.5)


def test_rows_come_out_and_go_back() -> None:
    game = nf.game("donuts", 3)
    batch = game.batch(4, seed=1)
    assert len(batch) == len(batch.positions) == 4
    assert repr(batch) == "<Batch: 4 × game('donuts', 3)>"
    position = batch.positions[1]
    position.play(0, "bid 2")
    assert batch.positions[1] != position
    batch.positions[-1] = position
    assert batch.positions[3] == batch.positions[-1] == position
    assert batch.positions[1:3] == [batch.positions[1], batch.positions[2]]
    batch.states[0] = batch.states[3]
    assert batch.positions[0] == position
    other = game.batch(4, seed=9)
    other.states[:], other.generators[:] = batch.states, batch.generators
    for _ in range(20):
        moves = batch.sample()
        assert np.array_equal(other.sample(), moves)
        batch.step(moves)
        other.step(moves)
    assert np.array_equal(other.states, batch.states)
    batch.positions[0] = game.start()
    assert batch.positions[0].actors == (0, 1, 2), "chance is settled"


def test_arrays_given_are_filled() -> None:
    game = nf.game("territory", 2)
    batch = game.batch(3, seed=1)
    mask = np.ones((3, 2, len(game.moves)), np.bool_)
    assert batch.legal_mask(mask) is mask
    assert np.array_equal(mask, batch.legal_mask())
    moves = np.zeros((3, 2), np.int32)
    assert batch.sample(moves) is moves
    seen = np.ones((3, 2, game.observation.size), np.float32)
    assert batch.observe(out=seen) is seen
    one = np.ones((3, game.observation.size), np.float32)
    assert batch.observe(1, one) is one
    assert np.array_equal(one, seen[:, 1])
    for kind in (np.int16, np.int64, np.uint64):
        twin = game.batch(3, seed=1)
        twin.step(moves.astype(kind) if kind != np.uint64 else np.maximum(moves, 0).astype(kind))
    assert np.array_equal(twin.step(np.asfortranarray(twin.sample())), np.zeros(3, np.bool_))


def refused(message: str, work: Any, *arguments: Any, **options: Any) -> None:
    with pytest.raises(nf.InputError) as error:
        work(*arguments, **options)
    assert str(error.value) == message
    assert error.value.path


def test_bad_arrays_are_refused() -> None:
    game = nf.game("donuts", 2)
    batch = game.batch(3, seed=1)
    before = batch.states.copy(), batch.generators.copy()
    wanted = "must be an array [3, 2] of int32"
    refused(f"moves: {wanted}, not [3, 3] of int32", batch.step, np.zeros((3, 3), np.int32))
    refused(f"moves: {wanted}, not [6] of int32", batch.step, np.zeros(6, np.int64))
    refused(f"moves: {wanted}, not [3, 2] of float64", batch.step, np.zeros((3, 2)))
    refused(f"moves: {wanted}, not [3, 2] of bool", batch.step, np.zeros((3, 2), np.bool_))
    refused(f"moves: {wanted}, not [[0, 0], [0, 0], [0, 0]]", batch.step, [[0, 0]] * 3)
    refused(f"out: {wanted}, not [3, 2] of int64", batch.sample, np.zeros((3, 2), np.int64))
    locked = np.zeros((3, 2), np.int32)
    locked.flags.writeable = False
    refused("out: is read-only", batch.sample, locked)
    refused(
        "out: must lie in one piece, row after row (C order)", batch.sample, np.zeros((2, 3), np.int32).T
    )  # fmt: skip
    wide = f"[3, 2, {len(game.moves)}]"
    refused(f"out: must be an array {wide} of bool, not {wide} of uint8", batch.legal_mask,
            np.zeros((3, 2, len(game.moves)), np.uint8))  # fmt: skip
    size = game.observation.size
    refused(
        f"out: must be an array [3, {size}] of float32, not [3, 2, {size}] of float32", batch.observe, 0,
        np.zeros((3, 2, size), np.float32),
    )  # fmt: skip
    refused("player: must be a whole number from 0 to 1, not 2", batch.observe, 2)
    refused("n: must be a whole number from 1 to 1099511627776, not 0", batch.playouts, 0)
    refused("temperature: must be 0 or more, not -1", batch.playouts, 1, -1)
    refused("temperature: must be 0 or more, not 'hot'", batch.playouts, 1, "hot")
    assert np.array_equal(batch.states, before[0])
    assert np.array_equal(batch.generators, before[1])


def test_illegal_moves_are_named_and_nothing_happens() -> None:
    game = nf.game("donuts", 2)
    batch = game.batch(3, seed=1, threads=3)
    moves = batch.sample()
    moves[1, 1] = 700
    moves[2, 0] = 800
    before = batch.states.copy()
    with pytest.raises(
        nf.InputError, match=r"^moves\[1, 1\]: .*: player 1 can't do that: may bid 1, bid 2, bid 3$"
    ) as error:
        batch.step(moves)
    assert error.value.path == "moves[1, 1]"
    assert error.value.value == 700
    moves = batch.sample().astype(np.int64)
    moves[0, 0] = 1 << 40
    with pytest.raises(nf.InputError, match=rf"^moves\[0, 0\]: {1 << 40}: player 0 can't do that"):
        batch.step(moves)
    moves[0, 0] = -2
    with pytest.raises(nf.InputError, match=r"^moves\[0, 0\]: -2: player 0 can't do that"):
        batch.step(moves)
    assert np.array_equal(batch.states, before)
    batch.step(np.array([[0, -1]] * 3))
    with pytest.raises(nf.InputError, match=r"^moves\[0, 0\]: 'bid 2': player 0 does not choose now, but 1"):
        batch.step(np.array([[1, 1]] * 3))
    while not batch.is_over.all():
        batch.step(batch.sample())
    with pytest.raises(nf.InputError, match=r"^moves\[2, 1\]: 'bid 1': the game is over"):
        batch.step(np.array([[-1, -1], [-1, -1], [-1, 0]]))


def test_bad_batches_are_refused() -> None:
    game = nf.game("donuts", 2)
    refused(f"n: must be a whole number from 1 to {1 << 31}, not 0", game.batch, 0)
    refused("threads: must be a whole number from 1 to 1024, not 0", game.batch, 1, threads=0)
    refused(f"seed: must be a whole number from 0 to {2**64 - 1}, not -1", game.batch, 1, seed=-1)
    refused(
        "objective: unknown objective 'wins': win or margin or score: did you mean 'win'?", game.batch, 1,
        objective="wins",
    )  # fmt: skip
    batch = game.batch(2)
    other = nf.game("donuts", 3).deal(1)
    with pytest.raises(nf.InputError, match=r"^positions\[1\]: must be a position of game\('donuts', 2\), not <Posit"):
        batch.positions[1] = other
    with pytest.raises(nf.InputError, match=r"^positions\[0\]: a view is no world to play in"):
        batch.positions[0] = game.deal(1).view(0)
    with pytest.raises(IndexError, match="no row 2: rows are 0 to 1"):
        batch.positions[2]


def test_the_core_refuses_what_leads_out_of_an_array() -> None:
    core = nf.game("donuts", 2).core
    states, generators = np.zeros((4, core.state_size), np.uint8), np.zeros((4, 3), np.uint64)
    rows = Rows(core, states, generators)
    rows.seed(1)
    rows.start(0, 4)
    for first, last in ((-1, 2), (3, 2), (0, 5)):
        with pytest.raises(ValueError, match="does not fit"):
            rows.start(first, last)
    with pytest.raises(ValueError, match="does not fit"):
        rows.sample(np.zeros((3, 2), np.int32), 0, 3)
    with pytest.raises(ValueError, match="does not fit"):
        rows.observe(np.zeros((4, 2, 3), np.float32), 0, 0, 4)
    with pytest.raises(ValueError, match="does not fit"):
        rows.observe(np.zeros((4, 2, core.observation_size), np.float32), 1, 0, 4)
    with pytest.raises(ValueError, match="does not fit"):
        rows.read(4, nf.game("donuts", 2).start())
    with pytest.raises(ValueError, match="does not fit"):
        rows.write(0, nf.game("donuts", 3).start())
    with pytest.raises(ValueError, match="does not fit"):
        Rows(core, states, np.zeros((4, 2), np.uint64))
    with pytest.raises(ValueError, match="a row has 488 bytes"):
        Rows(core, np.zeros((4, core.state_size + 8), np.uint8), generators)
    memory = np.zeros(4 * core.state_size + 8, np.uint8)
    with pytest.raises(ValueError, match="the first at a multiple of 8"):
        Rows(core, memory[1 : 4 * core.state_size + 1].reshape(4, -1), generators)


def test_without_numpy_one_line_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ninefold.batch")
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(nf.NinefoldError, match=r"batches need NumPy: pip install 'ninefold\[batch\]'"):
        nf.game("donuts").batch(1)
