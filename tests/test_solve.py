"""Exact answers from the face: values, bounds, limits, checkpoints, the command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bench.coney_puzzles import opened
from bench.parallel import late

import ninefold as nf
from ninefold import checkpoint as checkpoints
from ninefold.core.search import expectimax
from ninefold.errors import InputError
from ninefold.games import module
from ninefold.solvers import Solving
from tests.positions import walk
from tests.shell import ROOT, run

pytestmark = pytest.mark.unsanitized

ENDGAME = str(ROOT / "examples" / "donuts-2p-endgame.toml")
FARM = """ninefold = 1
game = "coney"
title = "Twelve rabbits"
question = "farm"
rabbits = ["ivy", "pippin", "rowan", "olive", "bramble", "misty", "nettle", "iris", "rusty", "mint", "alder", "fable"]
"""


def position() -> nf.Position:
    found = nf.read(ENDGAME)
    assert isinstance(found, nf.Position)
    return found


def farm() -> nf.Puzzle:
    found = nf.read(ROOT / "examples" / "coney" / "farm-01.toml")
    assert isinstance(found, nf.Puzzle)
    return found


# --- values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("objective", "number"), [("win", 0), ("margin", 1)])
def test_the_value_is_that_of_backward_induction(objective: str, number: int) -> None:
    found = nf.solve(position(), objective=objective)
    assert found.proven
    assert found.stopped == "proven"
    assert found.value == found.lower == found.upper == expectimax.solve(position(), number).value
    assert (found.question, found.objective) == ("value", objective)
    assert found.mixes is not None
    assert all(abs(sum(mix.values()) - 1) < 1e-9 for mix in found.mixes)


def test_the_line_is_a_record() -> None:
    found = nf.solve(position())
    assert nf.Record(position().game, tuple(found.line), position()).end().is_over


def test_a_puzzle_says_its_objective_and_an_argument_wins() -> None:
    one = nf.Puzzle(position().game, "value", position(), objective="margin")
    assert nf.solve(one).objective == "margin"
    assert nf.solve(one, objective="win").value == nf.solve(position()).value


def test_counting_first_moves() -> None:
    start = next(
        found.copy()
        for seed in range(1000)
        for found in walk(nf.game("donuts", 2), seed)
        if len(found.actors) == 1
        and found.secrets == "perfect"
        and found.to_dict()["deck"] <= 6
        and len(found.legal()) > 1
    )
    found = nf.solve(start, objective="margin", count=True)
    assert found.optimal
    values = {}
    for move in start.legal():
        after = start.copy()
        after.play(start.actors[0], move)
        values[str(move)] = expectimax.solve(after, 1).value if not after.is_over else after.utilities(1)[0]
    best = (max if start.actors[0] == 0 else min)(values.values())
    assert found.optimal == [move for move, value in values.items() if abs(value - best) < 1e-9]
    assert found.certificate is not None
    assert found.certificate["answer"]["optimal"] == len(found.optimal)


# --- limits -----------------------------------------------------------------------------------------------------------


def test_limits_and_reports() -> None:
    start = late(14)
    found = nf.solve(start, nf.Limit(nodes=5000))
    assert (found.stopped, found.proven, found.value) == ("nodes", False, None)
    assert (found.lower, found.upper) == (0, 1), "of a win; nothing else is proven yet"
    assert found.certificate is not None
    assert found.certificate["answer"] == {"lower": 0.0, "upper": 1.0, "time": pytest.approx(found.time, abs=0.01)}
    seen: list[nf.Solution] = []
    began = time.perf_counter()
    found = nf.solve(start, nf.Limit(time=1.0), report=seen.append)
    assert found.stopped == "time"
    assert time.perf_counter() - began < 3
    assert seen
    assert all(not one.stopped and one.certificate is None for one in seen)


@pytest.mark.parametrize(
    ("what", "arguments", "message"),
    [
        (lambda: nf.game("donuts", 3).deal(1), {}, "only games of one or two players can be solved exactly, not of 3"),
        (lambda: nf.game("donuts", 2).deal(1).view(0), {}, "position: this is what one player knows"),
        (lambda: 5, {}, "a puzzle or a position can be solved, not 'int'"),
        (position, {"objective": "wins"}, "objective: unknown objective 'wins': win or margin or score: did you mean"),
        (position, {"objective": "score"}, "objective: the objective of value is win or margin, not 'score'"),
        (position, {"limit": nf.Limit(visits=9)}, "limit.visits: limits a search by samples, not an exact one"),
        (position, {"workers": 0}, "workers: must be a whole number from 1 to 256, not 0"),
        (position, {"memory": 1}, "memory: must be a whole number from"),
        (position, {"sales": False}, "sales: donuts has no such option"),
        (farm, {"checkpoint": "x"}, "checkpoint: this question cannot be saved and resumed"),
        (position, {"count": True}, "count: nobody chooses alone here"),
    ],
)
def test_what_it_refuses(what: Callable[[], Any], arguments: dict[str, Any], message: str, tmp_path: Path) -> None:
    if "checkpoint" in arguments:
        arguments = {"checkpoint": tmp_path / "x"}
    with pytest.raises(nf.InputError) as error:
        nf.solve(what(), **arguments)
    assert str(error.value).startswith(message)


# --- checkpoints ------------------------------------------------------------------------------------------------------


class Countdown(Solving):
    """A search of ten steps."""

    name = "countdown 1"
    interrupt_at = -1

    def __init__(self) -> None:
        self.left = 10

    def run(self, milliseconds: int) -> bool:
        if self.left == self.interrupt_at:
            raise KeyboardInterrupt
        return self.advance(1)

    def advance(self, work: int) -> bool:
        self.left = max(0, self.left - work)
        return self.left == 0

    @property
    def lower(self) -> float:
        return 0.1 * (10 - self.left)

    @property
    def upper(self) -> float:
        return 1.0

    @property
    def nodes(self) -> int:
        return 10 - self.left

    def steps(self) -> list[str]:
        return []

    def save(self) -> bytes:
        return str(self.left).encode()

    def load(self, data: bytes) -> None:
        self.left = int(data)


@pytest.fixture
def countdown(monkeypatch: pytest.MonkeyPatch) -> type[Countdown]:
    class Fresh(Countdown):
        pass

    monkeypatch.setattr(module("donuts"), "solver", lambda *_, **__: Fresh(), raising=False)
    return Fresh


def test_a_search_goes_on_from_its_checkpoint(countdown: type[Countdown], tmp_path: Path) -> None:
    file = tmp_path / "mine.checkpoint"
    assert nf.solve(position(), nf.Limit(nodes=4), checkpoint=file).stopped == "nodes"
    countdown.interrupt_at = 3
    found = nf.solve(position(), checkpoint=file)
    assert (found.stopped, found.nodes) == ("interrupted", 7)
    countdown.interrupt_at = 9
    found = nf.solve(position(), checkpoint=str(file))
    assert (found.stopped, found.nodes) == ("proven", 10)
    assert nf.solve(position(), checkpoint=file).proven, "a finished search is kept, too"
    assert [entry.name for entry in tmp_path.iterdir()] == [file.name], "no drafts are left"


def test_backward_induction_keeps_what_took_the_most_work(tmp_path: Path) -> None:
    """What is left to do after a checkpoint is little, also where its memory is too small for all values."""
    file, whole = tmp_path / "mine", nf.solve(position())
    for memory in (1 << 21, 1 << 26):
        file.unlink(missing_ok=True)
        nf.solve(position(), nf.Limit(nodes=int(0.8 * whole.nodes)), checkpoint=file, memory=memory)
        assert file.stat().st_size < memory // 8 + 2000
        found = nf.solve(position(), checkpoint=file, memory=1 << 26)
        assert found.value == pytest.approx(whole.value, abs=1e-9)
        assert found.nodes < (1.02 if memory == 1 << 26 else 2.5) * whole.nodes
        again = nf.solve(position(), checkpoint=file)
        assert again.value == pytest.approx(whole.value, abs=1e-9)
        assert again.nodes < 1.02 * found.nodes


def test_a_land_goes_on_where_it_was(tmp_path: Path) -> None:
    puzzle = nf.read(ROOT / "examples" / "territory" / "land-04.toml")
    assert isinstance(puzzle, nf.Puzzle)
    file = tmp_path / "mine"
    whole, nodes = nf.solve(puzzle), []
    for limit in (1, 2, 30, 60):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Solving, "slice", 0)
            nodes.append(nf.solve(puzzle, nf.Limit(nodes=limit), checkpoint=file).nodes)
    assert sorted(set(nodes)) == nodes
    assert nodes[-1] < whole.nodes
    found = nf.solve(puzzle, checkpoint=file)
    assert (found.nodes, found.value, found.line) == (whole.nodes, whole.value, whole.line)
    assert nf.solve(puzzle, checkpoint=file).line == whole.line


def test_a_checkpoint_of_something_else_is_refused(
    countdown: type[Countdown], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.checkpoint"
    nf.solve(position(), nf.Limit(nodes=4), checkpoint=file)
    good = file.read_bytes()

    def refused(what: nf.Position, data: bytes = good, **arguments: Any) -> str:
        file.write_bytes(data)
        with pytest.raises(nf.InputError) as error:
            nf.solve(what, checkpoint=file, **arguments)
        assert file.read_bytes() == data, "it is left alone"
        said = str(error.value)
        assert len(said.splitlines()) == 1
        return said

    head = "mine.checkpoint: this is a checkpoint of another "
    assert refused(late(8)) == head + "position"
    assert refused(position(), objective="margin") == head + "ruleset or question"
    other = nf.game("donuts", 2, preset="bga").position(
        {name: value for name, value in position().to_dict().items() if name not in ("ninefold", "game")}
    )
    assert refused(other) == head + "ruleset or question"
    assert refused(position(), good.replace(b"checkpoint 1\n", b"checkpoint 2\n", 1)) == head + "version of ninefold"
    assert refused(position(), b"hello") == "mine.checkpoint: this is no checkpoint"
    assert refused(position(), b"") == "mine.checkpoint: this is no checkpoint"
    for damaged in (good[:-1], good + b"x", good[:40], good.replace(b'"asked"', b'"aksed"'), good[:-1] + b"\xff"):
        assert refused(position(), damaged) == "mine.checkpoint: this checkpoint is damaged"
    monkeypatch.setattr(countdown, "name", "countdown 2")
    assert refused(position()) == head + "search"


def test_a_checkpoint_that_cannot_be_written_is_said_at_once(countdown: type[Countdown], tmp_path: Path) -> None:
    with pytest.raises(nf.InputError, match="No such file or directory"):
        nf.solve(position(), checkpoint=tmp_path / "none" / "mine")
    with pytest.raises(nf.InputError, match="cannot be read: Is a directory"):
        nf.solve(position(), checkpoint=tmp_path)


def test_a_checkpoint_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine"
    checkpoints.save(file, {"game": "x"}, b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(InputError, match="No space left on device"):
        checkpoints.save(file, {"game": "x"}, b"new")
    assert checkpoints.load(file, {"game": "x"}) == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["mine"]


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_solves_and_check_replays(tmp_path: Path) -> None:
    answer = tmp_path / "answer.toml"
    said = run("solve", "-", "--write", str(answer), text=FARM).stdout
    for word in ("Twelve rabbits", "points: proven", "1. ", "printed"):
        assert word in said
    assert "its line reaches it" in run("check", str(answer)).stdout
    found = json.loads(run("solve", str(answer), "--json").stdout)
    assert found["value"] == found["lower"] == found["upper"]
    assert found["points"]["printed"] + found["points"]["logos"] + found["points"]["coupons"] == found["value"]
    text = answer.read_text()
    answer.write_text(text.replace(f"value = {found['value']}", "value = 99"))
    assert "answer.value: the line leads to" in run("check", str(answer), code=2).stderr
    assert "rabbits = [" in run("show", "-", text=FARM).stdout


def test_the_command_of_two_players() -> None:
    said = run("solve", ENDGAME, "--objective", "margin").stdout
    assert "points ahead, of player 0: proven" in said
    assert "player 1: bid" in said
    assert "time is up" in run("solve", "-", "--time", "0.3", text=late(16).to_toml()).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.toml"], "none.toml: no such file"),
        (["examples/donuts-record.toml"], "donuts-record.toml: this is no puzzle and no position"),
        (["examples/donuts-3p.toml"], "only games of one or two players"),
        ([ENDGAME, "--objective", "wins"], "objective: unknown objective 'wins'"),
        ([ENDGAME, "--time", "0"], "limit.time: must be from"),
        ([ENDGAME, "--no-sales"], "sales: donuts has no such option"),
        (["examples/coney/farm-01.toml", "--checkpoint", "x"], "checkpoint: this question cannot be saved"),
        ([ENDGAME, "--count"], "count: nobody chooses alone here"),
        ([ENDGAME, "--workers", "0"], "--workers: must be"),
        ([ENDGAME, "--on", "dusk"], "--on: dask for processes here, dask://host:port for a cluster, not 'dusk'"),
    ],
)
def test_bad_input(arguments: list[str], message: str) -> None:
    done = run("solve", *arguments, code=2)
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def interrupted(*arguments: str, text: str = "", file: Path | None = None) -> str:
    """What `ninefold solve …` prints when Ctrl-C comes two seconds after the start, or after it has made a file."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ninefold", "solve", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(text)
    process.stdin.close()
    process.stdin = None
    while file is not None and not file.exists() and process.poll() is None:
        time.sleep(0.05)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "interrupted" in out
    return out


def test_ctrl_c_gives_what_is_proven_so_far() -> None:
    assert "from 0.00% to 100.00% of the win" in interrupted("-", text=late(20).to_toml())


def test_ctrl_c_leaves_a_checkpoint_that_goes_on(tmp_path: Path) -> None:
    file, checkpoint = tmp_path / "nine.json", str(tmp_path / "checkpoint")
    nf.write(opened(9, 1), file)
    assert "points" in interrupted(str(file), "--checkpoint", checkpoint, file=Path(checkpoint))
    before = json.loads(run("solve", str(file), "--checkpoint", checkpoint, "--nodes", "1", "--json").stdout)
    after = json.loads(run("solve", str(file), "--checkpoint", checkpoint, "--time", "1", "--json").stdout)
    assert after["nodes"] >= before["nodes"] > 0
    assert after["upper"] <= before["upper"]
    nf.write(opened(9, 2), file)
    said = run("solve", str(file), "--checkpoint", checkpoint, code=2).stderr
    assert said == "ninefold: checkpoint: this is a checkpoint of another position\n"
