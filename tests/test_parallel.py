"""Solving with several processors: the same values from threads with one table and from tasks on any executor."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from bench.parallel import late

import ninefold as nf
from ninefold import rounds
from ninefold.core import rules
from ninefold.core.games import goofspiel
from ninefold.core.search.expectimax import Solver, solve
from ninefold.files import from_dict
from tests.shell import ROOT

CLOSE = 1e-8


def read(name: str) -> Any:
    return nf.read(ROOT / "examples" / name)


def together(solver: Solver, threads: int, *, rest: int = 3000, step: int = 500) -> None:
    """Solve it with partners, so many nodes of each between two rests of all."""
    solvers = [solver, *(solver.partner() for _ in range(threads - 1))]

    def work(one: Solver) -> None:
        for _ in range(rest // step):
            if any(other.done for other in solvers) or one.advance(step):
                break

    with ThreadPoolExecutor(threads) as pool:
        while not solver.gather():
            list(pool.map(work, solvers))


# --- threads with one table -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [2, 3, 5])
@pytest.mark.parametrize("objective", [0, 1])
def test_threads_with_one_table_find_what_one_finds(threads: int, objective: int) -> None:
    for seed in range(5):
        position = late(6, seed)
        alone, many = solve(position, objective), Solver(position, objective, memory=1 << 22, shared=True)
        together(many, threads)
        assert many.value == pytest.approx(alone.value, abs=CLOSE)
        assert [pytest.approx(row, abs=CLOSE) for row in alone.payoff()] == many.payoff()
        assert many.exploitability == pytest.approx(0, abs=1e-9)


def test_threads_find_what_is_found_without_reducing() -> None:
    for seed in range(4):
        position = late(3, seed)
        plain, many = solve(position, 1, reduced=False), Solver(position, 1, memory=1 << 22, shared=True)
        together(many, 2, rest=200, step=50)
        assert many.value == pytest.approx(plain.value, abs=1e-7)
    hand = (1 << 5) - 1
    state = rules.State(goofspiel.compile([hand, hand], hand))
    unreduced = Solver(state, 1, memory=1 << 22, reduced=False, shared=True)
    together(unreduced, 3)
    assert unreduced.value == pytest.approx(0, abs=CLOSE)


def test_threads_split_segments_and_displace_values_of_a_full_table() -> None:
    """The bound holds, and what is forgotten costs only time."""
    position, memory = late(9), 1 << 20
    alone, many = solve(position, 1), Solver(position, 1, memory=memory, shared=True)
    together(many, 3)
    assert many.full
    assert many.entries < alone.entries
    assert many.memory <= memory + 3 * (1 << 16)  # the stacks may double
    assert many.value == pytest.approx(alone.value, abs=CLOSE)


def test_every_order_comes_to_the_same_value() -> None:
    position = late(6, 2)
    value = solve(position, 0).value
    nodes = set()
    for number in (0, 1, 2, 3, 6, 255):
        solver = Solver(position, 0)
        solver.order(number)
        while not solver.advance(10_000):
            pass
        assert solver.value == pytest.approx(value, abs=CLOSE)
        nodes.add(solver.nodes)
    assert len(nodes) > 1


def test_what_partners_refuse() -> None:
    position = late(4)
    with pytest.raises(ValueError, match="a shared table, the first of them"):
        Solver(position, 0).partner()
    shared = Solver(position, 0, shared=True)
    with pytest.raises(ValueError, match="a shared table, the first of them"):
        shared.partner().partner()
    with pytest.raises(ValueError, match="memory must be at least 1048576 bytes"):
        Solver(position, 0, memory=1 << 18, shared=True)
    with pytest.raises(ValueError, match=r"orders are 0 \.\. 255, not 256"):
        shared.order(256)
    for _ in range(254):
        shared.partner()
    with pytest.raises(ValueError, match="more than 255 partners"):
        shared.partner()


@pytest.mark.parametrize("workers", [2, 3])
def test_solve_uses_threads(workers: int) -> None:
    position = late(8)
    alone, many = nf.solve(position), nf.solve(position, workers=workers)
    assert many.proven
    assert many.value == pytest.approx(alone.value, abs=CLOSE)
    assert nf.Record(position.game, tuple(many.line), position).end().is_over


def test_a_checkpoint_goes_from_one_worker_to_several_and_back(tmp_path: Path) -> None:
    position, file = late(9), tmp_path / "mine"
    alone = nf.solve(position, objective="margin")
    for part, workers in enumerate((1, 2, 3), 1):
        limit = nf.Limit(nodes=int(part * alone.nodes / 5))
        found = nf.solve(position, limit, objective="margin", checkpoint=file, workers=workers)
    last = nf.solve(position, objective="margin", checkpoint=file)
    assert last.value == pytest.approx(alone.value, abs=CLOSE)
    assert last.nodes >= found.nodes
    assert last.nodes < 1.5 * alone.nodes


# --- tasks on any executor --------------------------------------------------------------------------------------------


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds of a length, so that there are several."""
    monkeypatch.setattr(rounds, "_FIRST", 40)
    monkeypatch.setattr(rounds, "_LONGEST", 200)


def agree(what: Any, found: nf.Solution, alone: nf.Solution) -> None:
    """The same answer, and a certificate that `check` plays."""
    assert found.proven
    assert found.value == pytest.approx(alone.value, abs=CLOSE)
    assert found.certificate is not None
    again = from_dict(found.certificate)
    assert isinstance(again, nf.Puzzle)
    assert again.answer is not None
    if found.objective == "score":
        assert again.replay(found.line) == found.value
    else:
        assert nf.Record(what.game, tuple(found.line), what).end().is_over


def test_processes_come_to_the_same_answer() -> None:
    position, puzzle = late(9), read("coney/open-02.toml")
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        agree(position, nf.solve(position, executor=pool, workers=2), nf.solve(position))
        agree(puzzle, nf.solve(puzzle, executor=pool, workers=2), nf.solve(puzzle))


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_rounds_in_threads_of_this_process(short: None, workers: int, tmp_path: Path) -> None:
    position, puzzle = late(9), read("coney/open-02.toml")
    with ThreadPoolExecutor(workers) as pool:
        for what in (position, puzzle):
            file = tmp_path / type(what).__name__
            half = nf.solve(what, nf.Limit(nodes=1), executor=pool, workers=workers, checkpoint=file)
            assert not half.proven
            agree(what, nf.solve(what, executor=pool, workers=workers, checkpoint=file), nf.solve(what))
            assert nf.solve(what, checkpoint=file).proven, "it goes on here, too"


class Careless(ThreadPoolExecutor):
    """Does every task twice, and loses every third one."""

    calls = 0

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        self.calls += 1
        if self.calls % 3 == 0:
            lost: Future[Any] = Future()
            lost.set_exception(CancelledError())
            return lost
        return super().submit(lambda: (function(*arguments), function(*arguments))[1])


def test_tasks_that_are_lost_or_done_twice_change_nothing(short: None) -> None:
    with Careless(2) as pool:
        for what in (late(9), read("coney/open-02.toml")):
            agree(what, nf.solve(what, executor=pool, workers=2), nf.solve(what))
    assert pool.calls > 3


class Impatient(ThreadPoolExecutor):
    """Somebody presses Ctrl-C in the middle of it."""

    calls = 0

    def submit(self, *arguments: Any, **named: Any) -> Future[Any]:
        self.calls += 1
        if self.calls == 4:
            raise KeyboardInterrupt
        return super().submit(*arguments, **named)


def test_ctrl_c_gives_the_solution_so_far(short: None, tmp_path: Path) -> None:
    puzzle, file = read("coney/open-04.toml"), tmp_path / "mine"
    with Impatient(2) as pool:
        found = nf.solve(puzzle, executor=pool, workers=2, checkpoint=file)
    assert found.stopped == "interrupted"
    assert found.upper is not None
    agree(puzzle, nf.solve(puzzle, checkpoint=file), nf.solve(puzzle))


@pytest.mark.parametrize(
    ("what", "arguments", "message"),
    [
        (
            "coney/farm-01.toml",
            {},
            "executor: this question is not divided into tasks: workers, or none, solve",
        ),
        ("territory/land-04.toml", {}, "executor: this question is not divided into tasks"),
        ("donuts-2p-endgame.toml", {"memory": 1 << 22}, "memory: 2 MiB for each of 2 workers and for this process"),
        ("donuts-2p-endgame.toml", {"workers": 0}, "workers: must be a whole number"),
    ],
)
def test_what_executors_cannot_do(what: str, arguments: dict[str, Any], message: str) -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(nf.InputError) as error:
        nf.solve(read(what), **{"executor": pool, "workers": 2, **arguments})
    assert str(error.value).startswith(message)
