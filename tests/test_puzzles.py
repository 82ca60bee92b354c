"""The puzzle maker: what it makes is unique, proven and the same everywhere; the book in examples/book."""

from __future__ import annotations

import datetime
import itertools
import json
import signal
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import ninefold as nf
from ninefold import puzzles
from ninefold.analysis import OBJECTIVES
from ninefold.cli import main
from ninefold.core.search import matrix
from ninefold.files import to_text
from ninefold.games import NAMES, module
from ninefold.puzzle import MARKED
from ninefold.solvers import Solving, finish
from tests.replay import twin_points
from tests.shell import ROOT, run
from tests.slow import slow

pytestmark = pytest.mark.unsanitized

BOOK = sorted((ROOT / "examples" / "book").glob("*.toml"))
QUICK = 3  # of each game, the fewest nodes first, are solved again by default
MEMORY = 1 << 26


def read(file: Path) -> nf.Puzzle:
    found = nf.read(file)
    assert isinstance(found, nf.Puzzle)
    assert found.answer is not None
    assert found.grade is not None
    return found


def quick() -> list[Path]:
    """Without reading more than has to be known before the tests begin."""
    nodes = {file: tomllib.loads(file.read_text())["grade"]["nodes"] for file in BOOK}
    games = [[file for file in BOOK if file.name.startswith(f"{name}-")] for name in NAMES]
    return [file for game in games for file in sorted(game, key=lambda file: int(nodes[file]))[:QUICK]]


def solved(puzzle: nf.Puzzle) -> Solving:
    search: Solving = puzzle.game.module.solver(puzzle, puzzle.objective, MEMORY)
    assert finish(search, 1_000_000)
    return search


# --- the book ---------------------------------------------------------------------------------------------------------


def test_the_book_has_three_puzzles_of_each_level_of_each_game() -> None:
    found = [(puzzle.game.name, puzzle.grade.level) for puzzle in map(read, BOOK) if puzzle.grade is not None]
    assert len(BOOK) == 60
    levels = {name: [found.count((name, level)) for level in puzzles.LEVELS] for name in NAMES}
    assert levels == {name: [3, 3, 3, 3, 3] for name in NAMES}
    asked = [to_text(replace(read(file).unanswered(), title=""), "json") for file in BOOK]
    assert len({*asked}) == 60, "no puzzle is there twice"


@pytest.mark.parametrize("file", BOOK, ids=lambda file: file.stem)
def test_a_puzzle_of_the_book_is_whole(file: Path) -> None:
    puzzle = read(file)
    answer, grade = puzzle.answer, puzzle.grade
    assert answer is not None
    assert grade is not None
    assert answer.value is not None
    assert answer.line, "it has a line, which reading has replayed"
    assert (answer.optimal, grade.optimal, file.stem) == (
        1,
        1,
        answer.command.split()[3] + file.stem[file.stem.index("-") :],
    )
    assert f"--level {grade.level} " in answer.command
    assert puzzle.title
    assert len(puzzle.hints) == 4
    told = answer.line[0] if puzzle.position is not None else answer.line[0].split()[1]
    assert told.removeprefix("0: ") not in puzzle.hints[0], "the first hint gives nothing away"
    if puzzle.position is not None:
        seat = puzzle.position.actors[0]
        assert f"Player {seat} begins with: {answer.line[0].removeprefix(f'{seat}: ')}" in puzzle.hints[-1]


@pytest.mark.parametrize("file", [file for file in BOOK if file.name.startswith("coney")], ids=lambda file: file.stem)
def test_the_twin_plays_the_line_to_the_same_points(file: Path) -> None:
    puzzle = read(file)
    if puzzle.position is not None and "pending" in puzzle.position.to_dict():
        pytest.skip("the twin begins where a turn does")
    assert puzzle.answer is not None
    assert twin_points(puzzle, puzzle.answer.line) == puzzle.answer.value


def check_again(file: Path) -> None:
    puzzle = read(file)
    assert puzzle.answer is not None
    search = solved(puzzle)
    choice = search.choice(1_000_000)
    assert choice is not None
    assert search.lower == pytest.approx(puzzle.answer.value, abs=1e-6)
    assert len(choice.best) == 1
    assert choice.gap >= MARKED[puzzle.objective]
    if puzzle.position is not None:
        assert f"{puzzle.position.actors[0]}: {choice.best[0]}" == puzzle.answer.line[0]


@pytest.mark.parametrize("file", quick(), ids=lambda file: file.stem)
def test_a_quick_puzzle_is_proven_again(file: Path) -> None:
    check_again(file)


@pytest.mark.long
@pytest.mark.parametrize("file", BOOK, ids=lambda file: file.stem)
def test_every_puzzle_is_proven_again(file: Path) -> None:
    check_again(file)


# --- the maker --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_game_says_its_kinds_and_the_page_has_them(name: str) -> None:
    page = (ROOT / "docs" / "puzzles.md").read_text()
    kinds = module(name).puzzle_kinds()
    assert kinds
    for kind, what in kinds.items():
        assert f"`{kind}`" in page
        assert what.about
        some = [what.sample(seed) for seed in range(12)]
        assert some == [what.sample(seed) for seed in range(12)], "a seed has one candidate"
        assert any(some)


@pytest.mark.parametrize(("name", "kind"), [("canopy", "picks"), ("donuts", "margin"), ("territory", "open")])
def test_the_same_seed_makes_the_same_puzzle(name: str, kind: str) -> None:
    one = puzzles.make(name, seed=5, kind=kind)
    assert to_text(one, "toml") == to_text(puzzles.make(name, seed=5, kind=kind), "toml")
    assert one.answer is not None
    assert one.answer.command == f"ninefold puzzle make {name} --kind {kind} --seed 5"
    assert one != puzzles.make(name, seed=6, kind=kind)


@pytest.mark.parametrize("file", [ROOT / "examples/book/canopy-1-1.toml", ROOT / "examples/book/donuts-1-1.toml"])
def test_the_command_in_a_file_makes_it_again(file: Path) -> None:
    answer = read(file).answer
    assert answer is not None
    assert run(*answer.command.split()[1:]).stdout == file.read_text()


@pytest.mark.long
@pytest.mark.parametrize("file", [file for file in BOOK if "-1-" in file.name], ids=lambda file: file.stem)
def test_all_easy_ones_are_made_again(file: Path) -> None:
    answer = read(file).answer
    assert answer is not None
    again = puzzles.make(file.stem.partition("-")[0], seed=int(file.stem.rpartition("-")[2]), level=1)
    assert to_text(again, "toml") == file.read_text(), "the book is made anew after a change: examples/book/README.md"


@pytest.mark.long
def test_any_number_of_workers_makes_the_same_files(tmp_path: Path) -> None:
    for workers in (1, 2):
        run(
            "puzzle", "make", "canopy", "--count", "4", "--out", str(tmp_path / str(workers)), "--workers", str(workers)
        )  # fmt: skip
    one, two = (sorted((tmp_path / workers).iterdir()) for workers in ("1", "2"))
    assert len(one) == 4
    assert [file.read_text() for file in one] == [file.read_text() for file in two]


def small(name: str, kind: str, most: int) -> list[nf.Puzzle]:
    """Candidates of a kind, whether they are good puzzles or not, of which everything can be tried."""
    found = []
    for seed in itertools.count():
        puzzle = module(name).puzzle_kinds()[kind].sample(seed)
        if puzzle is not None and puzzle.position is not None:
            counted = puzzles.best_lines(puzzle.position, puzzle.objective, 300)
            if counted is not None or (name == "donuts" and puzzle.position.to_dict()["deck"] <= 3):
                found.append(puzzle)
        if len(found) == most:
            break
    return found


def worth(position: nf.Position, moves: dict[int, nf.Move], puzzle: nf.Puzzle) -> float:
    after = position.copy()
    after.play_all(moves)
    return slow(after, OBJECTIVES.index(puzzle.objective), {})


@pytest.mark.parametrize(
    ("name", "kind"), [("canopy", "picks"), ("canopy", "forest"), ("territory", "open"), ("coney", "turn")]
)
def test_a_best_first_move_is_the_only_one_by_trying_everything(name: str, kind: str) -> None:
    for puzzle in small(name, kind, 3):
        position = puzzle.position
        assert position is not None
        seat, search = position.actors[0], solved(puzzle)
        values = {str(move): worth(position, {seat: move}, puzzle) for move in position.legal(seat)}
        top = max(values.values()) if seat == 0 else min(values.values())
        best = {move for move, value in values.items() if abs(value - top) < 1e-6}
        choice = search.choice(1_000_000)
        assert choice is not None
        assert search.lower == pytest.approx(top)
        assert {*choice.best} <= best
        assert (len(choice.best) == 1) == (len(best) == 1)
        if choice.gap:
            others = [abs(value - top) for move, value in values.items() if move not in best]
            assert choice.gap <= min(others) + 1e-6
        counted = puzzles.best_lines(position, puzzle.objective)
        assert counted is not None
        assert counted[0] == pytest.approx(top)
        assert counted[1] >= len(best)


def test_lines_are_counted_as_by_walking_all_of_them() -> None:
    (puzzle,) = small("territory", "open", 1)

    def ends(position: nf.Position) -> list[int]:
        if position.is_over:
            return position.scores()
        found = []
        for move in position.legal(0):
            after = position.copy()
            after.play(0, move)
            found += ends(after)
        return found

    assert puzzle.position is not None
    points = ends(puzzle.position)
    assert puzzles.best_lines(puzzle.position, "score") == (max(points), points.count(max(points)))


def test_a_pure_best_bid_is_the_only_optimal_strategy() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    single = 0
    for puzzle in small("donuts", "margin", 12):
        position = puzzle.position
        assert position is not None
        table = [
            [worth(position, {0: mine, 1: other}, puzzle) for other in position.legal(1)] for mine in position.legal(0)
        ]
        choice = solved(puzzle).choice(0)
        assert choice is not None
        value = matrix.value(table)
        if len(choice.best) == 1 and choice.gap > 1e-6:
            single += 1
            bid = [str(move) for move in position.legal(0)].index(choice.best[0])
            # The most that other bids can have of a mix that is optimal: nothing.
            found = optimize.linprog(
                [-float(i != bid) for i in range(len(table))],
                A_ub=[[-cell for cell in column] for column in zip(*table, strict=True)],
                b_ub=[1e-7 - value] * len(table[0]),
                A_eq=[[1] * len(table)],
                b_eq=[1],
            )
            assert -found.fun < 1e-4
            rest = [row for i, row in enumerate(table) if i != bid]
            assert value - matrix.value(rest) >= choice.gap - 1e-6
    assert single >= 2


def test_a_single_best_set_of_rabbits_is_the_only_one() -> None:
    single = 0
    for seed in range(12):
        one = module("coney").puzzle_kinds()["farm"].sample(seed)
        assert one is not None
        few = replace(one, rabbits=one.rabbits[:10])
        search = solved(few)
        choice = search.choice(1_000_000)
        assert choice is not None
        points = {}
        for nine in itertools.combinations(few.rabbits, 9):
            points[" ".join(sorted(nine))] = solved(replace(few, rabbits=nine)).lower or 0
        ranked = sorted(points.values())
        assert ranked[-1] == search.lower
        if choice.gap:
            single += 1
            assert points[choice.best[0]] == ranked[-1]
            assert choice.gap == ranked[-1] - ranked[-2]
        else:
            assert ranked[-1] == ranked[-2] or len(choice.best[0].split()) < 9
    assert single


def test_a_level_that_is_asked_for_is_the_one_that_comes() -> None:
    found = puzzles.make("donuts", seed=1, level=1)
    assert found.grade is not None
    assert found.grade.level == 1
    with pytest.raises(nf.NinefoldError, match="none of 1 candidates makes such a puzzle of canopy"):
        puzzles.make("canopy", seed=1, level=5, tries=1)


@pytest.mark.parametrize(
    ("facts", "level"),
    [
        ({"greedy": 0}, 1),
        ({"greedy": 0.9, "small": 3, "large": 3, "nodes": 10**6}, 1),
        ({"greedy": 1}, 2),
        ({"greedy": 1, "small": 1}, 3),
        ({"greedy": 1, "nodes": 1000}, 3),
        ({"greedy": 1, "nodes": 1000, "lines": 2}, 2),
        ({"greedy": 1, "small": 1, "large": 1}, 4),
        ({"greedy": 1, "small": 1, "large": 1, "nodes": 1000}, 5),
        ({"greedy": 1, "small": 1, "large": 1, "nodes": 1000, "guessed": True}, 3),
    ],
)
def test_levels_follow_the_formula_of_the_page(facts: dict[str, float], level: int) -> None:
    grade = nf.Grade(**{"level": 1, "options": 3, "optimal": 1, "nodes": 1, **facts})  # type: ignore[arg-type]
    assert grade.measured("score") == level


# --- the commands -----------------------------------------------------------------------------------------------------


def test_files_that_are_there_are_kept(tmp_path: Path) -> None:
    command = ("puzzle", "make", "donuts", "--kind", "margin", "--count", "2", "--seed", "3", "--out", str(tmp_path))
    (tmp_path / "donuts-margin-3.toml").write_text("mine")
    done = run(*command)
    assert (tmp_path / "donuts-margin-3.toml").read_text() == "mine"
    assert "donuts-margin-3.toml: is there already, kept" in done.stderr
    made = tmp_path / "donuts-margin-4.toml"
    assert f"{made}: level " in done.stdout
    assert "its line" in run("check", str(made)).stdout
    listed = json.loads(run("puzzle", "list", str(tmp_path), "--json").stdout)
    assert [row["file"] for row in listed] == [str(made)]
    shown = run("show", str(made)).stdout
    puzzle = read(made)
    assert puzzle.grade is not None
    assert puzzle.title in shown
    assert f"level {puzzle.grade.level} of 5" in shown
    assert not any(hint in shown for hint in puzzle.hints)


def test_ctrl_c_keeps_what_has_been_written(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ninefold", "puzzle", "make", "donuts", "--count", "1000", "--out", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline()
        running.send_signal(signal.SIGINT)
        _, error = running.communicate(timeout=60)
    assert (running.returncode, error.strip()) == (130, "ninefold: stopped")
    assert 0 < len(list(tmp_path.iterdir())) < 1000
    for file in tmp_path.iterdir():
        read(file)


def test_show_tells_no_answer_of_a_question_about_cards() -> None:
    for arguments in ((), ("--json",)):
        shown = run("show", "examples/coney/farm-01.toml", *arguments).stdout
        assert "rabbits" in shown
        assert "answer" not in shown


def test_kinds_are_listed() -> None:
    said = json.loads(run("puzzle", "kinds", "--json").stdout)
    assert {*said} == {*NAMES}
    assert said["coney"]["farm"] == "the best farm of 12 to 20 rabbits"
    assert run("puzzle", "kinds", "coney").stdout.count("\n") == len(said["coney"])


def test_the_book_is_listed() -> None:
    shown = run("puzzle", "list", "examples/book").stdout
    assert "60 puzzles" in shown


def test_the_puzzle_of_a_day_depends_on_the_date_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # far from any checkout
    one = puzzles.daily(datetime.date(2026, 12, 26), "canopy")
    assert one.title.startswith("2026-12-26: ")
    assert one != puzzles.daily(datetime.date(2026, 12, 27), "canopy")
    out = tmp_path / "today.toml"
    shown = run("puzzle", "daily", "--date", "2026-12-26", "--game", "canopy", "--out", str(out)).stdout
    assert one.title in shown
    assert read(out) == one
    assert "is there already" in run("puzzle", "daily", "--out", str(out), code=2).stderr


def test_the_games_take_turns_and_the_levels_rise_through_the_week(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    sample = read(BOOK[0])

    levels: list[int | None] = []

    def first(name: str, seed: int, kind: str | None, level: int | None, tries: int) -> nf.Puzzle:
        asked.append(name)
        levels.append(level)
        return sample

    monkeypatch.setattr(puzzles, "_first", first)
    for day in range(7, 15):  # a Monday
        puzzles.daily(datetime.date(2026, 12, day))
    assert sorted(asked[:4]) == sorted(NAMES)
    assert asked[:4] == asked[4:]
    assert levels == [1, 2, 3, 4, 5, None, None, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("make", "conney"), "game: unknown game 'conney': did you mean 'coney'?"),
        (
            ("make", "coney", "--kind", "farms"),
            "kind: coney has no puzzles of the kind 'farms': open, turn, farm: did you mean 'farm'?",
        ),
        (("make", "coney", "--level", "6"), "level: must be a whole number from 1 to 5, not 6"),
        (("make", "coney", "--seed", "-1"), "seed: must be a whole number from 0 to"),
        (("make", "coney", "--count", "0"), "count: must be a whole number from 1 to"),
        (("make", "coney", "--count", "2"), "--count: more than one puzzle needs a folder: --out DIR"),
        (("make", "coney", "--workers", "0", "--out", "."), "--workers: must be a whole number from 1 to"),
        (("make", "coney", "--out", "README.md/x"), "README.md/x: cannot be made"),
        (("daily", "--date", "yesterday"), "--date: a date is YYYY-MM-DD"),
        (("daily", "--game", "chess"), "game: unknown game 'chess'"),
        (("kinds", "chess"), "game: unknown game 'chess'"),
        (("list", "nowhere"), "nowhere: no such folder"),
    ],
)
def test_bad_wishes_get_one_line(
    arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as done:
        main(["puzzle", *arguments])
    assert done.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith(f"ninefold: {message}")
    assert error.count("\n") == 1
