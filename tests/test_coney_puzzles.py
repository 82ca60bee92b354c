"""The puzzles of examples/coney: the twin plays their lines, and their answers are proven again.

`pytest -m long` proves those again that take up to a minute; what takes longer says by which command it was found.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import ninefold as nf
from tests.replay import twin_points

FOLDER = Path(__file__).parent.parent / "examples" / "coney"
FILES = [file for file in sorted(FOLDER.glob("*.toml")) if "\nquestion = " in file.read_text()]
QUICK, MINUTE = 1.5, 60.0  # seconds


def read(file: Path) -> nf.Puzzle:
    found = nf.read(file)
    assert isinstance(found, nf.Puzzle)
    assert found.answer is not None, "a puzzle that is shipped has its answer"
    return found


def seconds(file: Path) -> float:
    answer = read(file).answer
    assert answer is not None
    return answer.time if answer.value is not None and answer.time is not None else float("inf")


def test_there_are_enough() -> None:
    names = [file.stem for file in FILES]
    assert sum(name.startswith("open-") for name in names) >= 12
    assert sum(name.startswith("farm-") for name in names) >= 3
    turns = {puzzle.position.rest for puzzle in map(read, FILES) if puzzle.position is not None}
    assert {3, 4, 5, 6, 7, 8, 9} <= turns


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_twin_plays_the_line_to_the_same_points(file: Path) -> None:
    puzzle = read(file)
    answer = puzzle.answer
    assert answer is not None
    assert answer.line
    assert twin_points(puzzle, answer.line) == answer.bounds[0]


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, id=file.stem, marks=[pytest.mark.long] if seconds(file) > QUICK else [])
        for file in FILES
        if seconds(file) <= MINUTE
    ],
)
def test_the_answer_is_proven_again(file: Path) -> None:
    puzzle = read(file)
    found = nf.solve(puzzle, nf.Limit(time=250))
    assert found.proven
    assert puzzle.answer is not None
    assert found.value == puzzle.answer.value
