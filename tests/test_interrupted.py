"""What is written survives: kills at random moments, full disks, folders that cannot be written."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold import _solve
from ninefold import checkpoint as checkpoints
from tests.kills import games, kill_matches, kill_solves
from tests.test_solve import Countdown, countdown, position

pytestmark = pytest.mark.unsanitized

__all__ = ["countdown"]  # the fixture

NAMES = ["greedy", "random"]


def test_a_few_kills(tmp_path: Path) -> None:
    assert kill_solves(2, tmp_path, puzzles=["coney/open-02.toml"]).ends
    assert kill_matches(2, tmp_path, number=40).ends


@pytest.mark.long
def test_more_kills(tmp_path: Path) -> None:
    kill_solves(12, tmp_path, seed=1, puzzles=["coney/open-04.toml", "coney/open-05.toml"])
    kill_matches(12, tmp_path, seed=1, number=100)
    kill_matches(2, tmp_path, seed=1, workers=2, number=100)


# --- checkpoints ------------------------------------------------------------------------------------------------------


def fail(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("step", ["fsync", "replace", "write", "open"])
def test_a_checkpoint_stays_when_the_disk_is_full(step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine"
    checkpoints.save(file, {"game": "x"}, b"old")
    if step == "write":
        with largest_file(100), pytest.raises(nf.InputError, match="mine: cannot be written: File too large"):
            checkpoints.save(file, {"game": "x"}, b"new" * 100)
    else:
        monkeypatch.setattr(checkpoints if step == "open" else os, step, fail, raising=False)
        with pytest.raises(nf.InputError, match="mine: cannot be written: No space left on device"):
            checkpoints.save(file, {"game": "x"}, b"new")
    assert checkpoints.load(file, {"game": "x"}) == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["mine"], "no drafts are left"


def test_a_search_goes_on_without_its_disk(
    countdown: type[Countdown], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file keeps the state of before, the answer says so; and it is written when there is room again."""
    file = tmp_path / "mine"
    save = checkpoints.save
    calls = 0

    def full(*arguments: Any) -> None:
        nonlocal calls
        calls += 1
        if calls > 3:
            fail_as_input()
        save(*arguments)

    def fail_as_input() -> None:
        raise nf.InputError("cannot be written: No space left on device", file="mine")

    monkeypatch.setattr(_solve, "SAVE", 0.0)
    monkeypatch.setattr(checkpoints, "save", full)
    found = nf.solve(position(), checkpoint=file)
    assert (found.stopped, found.nodes) == ("proven", 10)
    assert found.remarks == [
        "the checkpoint holds an earlier state of the search: mine: cannot be written: No space left on device"
    ]
    monkeypatch.setattr(checkpoints, "save", save)
    found = nf.solve(position(), nf.Limit(nodes=3), checkpoint=file)
    assert (found.nodes, found.remarks) == (3, []), "from the state of then"
    assert "remarks" not in found.to_dict()


def test_drafts_of_old_runs_are_removed(tmp_path: Path) -> None:
    old, young, other = (tmp_path / name for name in ("mine.x1.draft", "mine.x2.draft", "yours.x1.draft"))
    for file in (old, young, other):
        file.touch()
    for file in (old, other):
        os.utime(file, (time.time() - 7200,) * 2)
    assert checkpoints.load(tmp_path / "mine", {}) is None
    assert sorted(tmp_path.iterdir()) == [young, other]


def test_a_checkpoint_of_another_game_or_engine_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine"
    coney, territory = (nf.read(f"examples/{name}/open-06.toml") for name in ("coney", "territory"))
    assert isinstance(coney, nf.Puzzle)
    assert isinstance(territory, nf.Puzzle)
    nf.solve(territory, checkpoint=file)
    before = file.read_bytes()
    with pytest.raises(nf.InputError, match="mine: this is a checkpoint of another game"):
        nf.solve(coney, nf.Limit(nodes=1), checkpoint=file)
    asked = _solve._asked(territory, territory.game.module.solver(territory, "score", 1 << 21), {})
    checkpoints.save(file, asked, b"nonsense")
    with pytest.raises(nf.InputError, match="mine: this is no checkpoint of an open puzzle"):
        nf.solve(territory, checkpoint=file)
    file.write_bytes(before)
    assert nf.solve(territory, checkpoint=file).proven


# --- files of matches -------------------------------------------------------------------------------------------------


def test_a_match_on_a_full_disk_can_go_on(tmp_path: Path) -> None:
    """Wherever the disk is full, also in the middle of a line: the file ends with a whole one."""
    file = tmp_path / "games.jsonl"
    whole = nf.match(NAMES, "donuts", 6, seed=1, file=file)
    size, head = file.stat().st_size, len(file.read_bytes().splitlines(keepends=True)[0])
    for limit in range(0, size, 97):
        file.unlink(missing_ok=True)
        with largest_file(limit), pytest.raises(nf.InputError) as error:
            nf.match(NAMES, "donuts", 6, seed=1, file=file)
        text = file.read_bytes()
        there = max(0, text.count(b"\n") - 1)
        if limit < head:
            assert str(error.value) == "games.jsonl: cannot be used: File too large"
            assert text == b""
        else:
            said = f"cannot be written: File too large; {there} games are in it, and it can go on from there"
            assert str(error.value) == f"games.jsonl: {said}"
            assert text.endswith(b"\n")
        assert len(text) <= limit
        assert games(nf.match(NAMES, "donuts", 6, seed=1, file=file)) == games(whole)


def test_two_matches_do_not_write_one_file(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"

    def again(so_far: nf.Result) -> None:
        if so_far.games:
            with pytest.raises(nf.InputError, match=r"games\.jsonl: another match is writing here"):
                nf.match(NAMES, "donuts", 4, file=file)

    nf.match(NAMES, "donuts", 4, file=file, report=again)
    assert len(nf.match(NAMES, "donuts", 4, file=file).games) == 4


@pytest.mark.parametrize(
    "text", ["a letter", '{"ninefold"', '{"a": 1}\n', '{"ninefold":1,"game":"coney","version":1}\n']
)
def test_a_file_of_something_else_is_left_alone(text: str, tmp_path: Path) -> None:
    file = tmp_path / "letter"
    file.write_text(text)
    if text == '{"ninefold"':  # how a head begins that was not written to its end
        assert nf.match(NAMES, "donuts", 2, file=file).games
        return
    with pytest.raises(nf.InputError, match=r"letter: th(is|ese) (is|are) (no file|games of another match)"):
        nf.match(NAMES, "donuts", 2, file=file)
    assert file.read_text() == text


def test_games_of_another_engine_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    nf.match(NAMES, "donuts", 2, file=file)
    file.write_text(file.read_text().replace('"version":1', '"version":0', 1))
    with pytest.raises(nf.InputError, match="another match: version is different"):
        nf.match(NAMES, "donuts", 2, file=file)


# --- folders that cannot be written -----------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "seteuid"), reason="needs users")
def test_a_folder_that_cannot_be_written(countdown: type[Countdown]) -> None:
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(0o555)
    start, was = position(), os.geteuid()
    nf.solve(start)  # what must be read is read: the other user may not even see the package
    nf.match(NAMES, "donuts", 2)
    try:
        if was == 0:
            os.seteuid(65534)
        with pytest.raises(nf.InputError, match="mine: cannot be written: Permission denied"):
            nf.solve(start, checkpoint=folder / "mine")
        with pytest.raises(nf.InputError, match="mine: cannot be used: Permission denied"):
            nf.match(NAMES, "donuts", 2, file=folder / "mine")
    finally:
        os.seteuid(was)
        shutil.rmtree(folder)


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """No file may grow beyond this."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
