"""Long work in parts: the same results in any order of execution, lost workers or not, and nothing left running."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import multiprocessing.queues
import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from bench import canopy_value, coney_prior

import ninefold as nf
from ninefold import InputError, NinefoldError, work
from ninefold.core.games import coney
from ninefold.work import collect, executor_for, in_order, spread
from tests.shell import ROOT

pytestmark = pytest.mark.unsanitized

dask = pytest.mark.skipif(find_spec("distributed") is None, reason="needs dask")


def test_every_task_is_done_once_and_keeps_its_number() -> None:
    squares = [(number, number**2) for number in range(20)]
    assert list(spread(lambda n: n * n, range(20))) == squares
    with ThreadPoolExecutor(3) as pool:
        assert sorted(spread(lambda n: n * n, range(20), executor=pool, workers=3)) == squares
    assert sorted(spread(abs, range(4), workers=2)) == [(n, n) for n in range(4)]


def test_tasks_are_taken_when_they_are_needed() -> None:
    taken = 0

    def endless() -> Iterator[float]:
        nonlocal taken
        while True:
            taken += 1
            yield 0.2

    with ThreadPoolExecutor(2) as pool:
        results = spread(time.sleep, endless(), executor=pool, workers=2)
        for _ in range(5):
            next(results)
        results.close()
    assert 5 <= taken <= 12


class Counting(ThreadPoolExecutor):
    """How many calls were submitted."""

    calls = 0

    def submit(self, *arguments: Any, **named: Any) -> Future[Any]:
        self.calls += 1
        return super().submit(*arguments, **named)


def test_quick_tasks_go_out_together_and_long_ones_alone() -> None:
    with Counting(2) as pool:
        assert sorted(spread(abs, range(20_000), executor=pool, workers=2)) == [(n, n) for n in range(20_000)]
        assert pool.calls < 100
    with Counting(2) as pool:
        list(spread(time.sleep, [0.21] * 6, executor=pool, workers=2))
        assert pool.calls == 6


def test_exceptions_come_back() -> None:
    with ThreadPoolExecutor(2) as pool, pytest.raises(ZeroDivisionError):
        list(spread(lambda n: 1 // n, [1, 0, 1], executor=pool, workers=2))
    with ThreadPoolExecutor(1) as pool:
        seen, error = until_error(spread(lambda n: 1 // (n - 2000), range(5000), executor=pool))
    assert isinstance(error, ZeroDivisionError)
    assert set(range(2000)) <= seen, "what had been done is not lost"


def until_error(results: Iterator[tuple[int, Any]]) -> tuple[set[int], Exception | None]:
    """The numbers of the tasks that are done before an exception comes, and it."""
    seen = set()
    try:
        for number, _ in results:
            seen.add(number)
    except Exception as error:
        return seen, error
    return seen, None


@pytest.mark.parametrize("workers", [0, -1, True, 1.5])
def test_wrong_numbers_of_workers(workers: int) -> None:
    with pytest.raises(InputError, match="workers"):
        list(spread(abs, [1], workers=workers))
    with pytest.raises(InputError, match="workers"), executor_for(None, workers):
        pass


def test_a_worker_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "__version__", "0.0.1")
    with own_process() as pool, pytest.raises(NinefoldError, match=r"a worker has version .* not 0\.0\.1"):
        list(spread(abs, [1], executor=pool))


def own_process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))


def test_results_in_order_wait_for_those_before_them() -> None:
    taken = []

    def results() -> Iterator[tuple[int, str]]:
        for number in (1, 0, 3, 2):
            taken.append(number)
            yield number, str(number)

    ordered = in_order(results())
    assert [next(ordered), taken] == ["0", [1, 0]]
    assert list(ordered) == ["1", "2", "3"]


def test_what_is_collected_before_an_interrupt_stays() -> None:
    found: dict[int, int] = {}

    def take(number: int, result: int) -> None:
        found[number] = result
        if stop and len(found) == 3:
            raise KeyboardInterrupt

    stop = False
    assert collect(abs, range(5), take) == "all"
    assert found == {n: n for n in range(5)}
    stop = True
    found.clear()
    assert collect(abs, range(5), take) == "interrupted"
    assert found == {0: 0, 1: 1, 2: 2}


# --- training ---------------------------------------------------------------------------------------------------------


def test_canopy_learns_the_same_on_any_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canopy_value, "BLOCK", 2)
    alone = canopy_value.learn(5, 0.3, 1, None, 1)
    with ThreadPoolExecutor(2) as pool:
        together = canopy_value.learn(5, 0.3, 1, pool, 2)
    for one, other in zip(alone, together, strict=True):
        assert one.squares.any()
        assert (one.squares == other.squares).all()
        assert (one.product == other.product).all()
        assert one.kept == other.kept
    rows = [seen.row(1) for number in range(1, 5) for seen in canopy_value.positions(1, number, 0.3)]
    assert sum(one.squares[0, 0] for one in alone) == 2 * len(rows)


def test_coney_is_tuned_the_same_on_any_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coney_prior, "FIRST", 30)
    monkeypatch.setattr(coney_prior, "SECOND", 60)
    found = []
    for workers in (1, 2):
        with ThreadPoolExecutor(workers) as pool:
            found.append(coney_prior.tuned([nf.game("coney", 1)], 0.3, 1, lambda tries: tries >= 24, pool, workers))
    assert found[0] == found[1]
    assert found[0][1] == 24
    assert found[0][0] != coney.GUESSES, "something seems better in so short matches"


# --- processes that are lost ------------------------------------------------------------------------------------------


def once(path: str) -> int:
    """Ends its process the first time, as if it were killed; later it gives the number in the file's name."""
    with contextlib.suppress(FileExistsError), open(path, "x"):
        os.kill(os.getpid(), signal.SIGKILL)
    return int(Path(path).name)


def always(task: int) -> int:
    if task == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def cut_off(path: str) -> int:
    """As `once`, but killed while it sends a long result."""
    with contextlib.suppress(FileExistsError), open(path, "x"):
        queue = next(found for found in gc.get_objects() if isinstance(found, multiprocessing.queues.SimpleQueue))
        pipe = queue._writer.fileno()  # type: ignore[attr-defined]
        os.write(pipe, struct.pack("!i", 10**6) + b"the beginning of it")
        os.kill(os.getpid(), signal.SIGKILL)
    return int(Path(path).name)


def asleep(file: str) -> None:
    Path(f"{file}.{os.getpid()}").touch()
    time.sleep(600)


def test_tasks_of_a_killed_process_are_done_by_another(tmp_path: Path) -> None:
    """Some of them twice; every result is there once."""
    tasks = [str(tmp_path / str(number)) for number in range(8)]
    for task in tasks[2:7]:
        Path(task).touch()
    assert sorted(spread(once, tasks, workers=2)) == [(number, number) for number in range(8)]
    assert not multiprocessing.active_children()


def test_a_process_killed_while_it_sends_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "_LOOK", 0.5)
    tasks = [str(tmp_path / str(number)) for number in range(4)]
    for task in tasks[1:]:
        Path(task).touch()
    assert sorted(spread(cut_off, tasks, workers=2)) == [(number, number) for number in range(4)]
    assert not multiprocessing.active_children()


def test_a_task_that_ends_every_process_is_given_up() -> None:
    seen, error = until_error(spread(always, range(5), workers=2))
    assert isinstance(error, NinefoldError)
    assert "lost 5 times" in str(error)
    assert 3 not in seen
    assert not multiprocessing.active_children()


def test_an_executor_of_ones_own_that_breaks_says_so() -> None:
    with own_process() as pool, pytest.raises(BrokenProcessPool):
        list(spread(always, [3], executor=pool))


PARENT = """
import sys
from ninefold.work import spread
from tests.test_work import asleep
if __name__ == "__main__":
    try:
        list(spread(asleep, [sys.argv[1]] * 2, workers=2))
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_who_made_it(how: signal.Signals, tmp_path: Path) -> None:
    """Neither after Ctrl-C, which comes to all of them, nor when that one is killed."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    parent = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "pid")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    until(lambda: len(list(tmp_path.glob("pid.*"))) == 2)
    workers = [int(file.suffix[1:]) for file in tmp_path.glob("pid.*")]
    if how == signal.SIGINT:
        os.killpg(parent.pid, how)
    else:
        parent.kill()
    out, err = parent.communicate(timeout=60)
    until(lambda: not any(map(alive, workers)))
    if how == signal.SIGINT:
        assert (out, err) == ("interrupted\n", "")


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(what: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


# --- where work is done -----------------------------------------------------------------------------------------------


def test_without_a_cluster_there_is_no_executor() -> None:
    with executor_for() as found:
        assert found == (None, 1)
    with executor_for(None, 3) as found:
        assert found == (None, 3)


@pytest.mark.parametrize(
    ("on", "said"),
    [
        ("dusk", "on: dask for processes here, dask://host:port for a cluster, not 'dusk': did you mean 'dask'?"),
        ("dask://", "on: dask for processes here"),
        ("", "on: dask for processes here"),
        ("http://x:1", "on: dask for processes here"),
    ],
)
def test_wrong_places(on: str, said: str) -> None:
    with pytest.raises(InputError) as error, executor_for(on):
        pass
    assert str(error.value).startswith(said)


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(InputError, match=r"dask is not installed: pip install 'ninefold\[dask\]'"),
        executor_for("dask"),
    ):
        pass


CLUSTER = """
import os, signal, subprocess, sys
import msgspec, ninefold as nf
from ninefold.work import executor_for, spread

def games(result):
    return [msgspec.structs.replace(one, seconds=()) for one in result.games]

def pid(_):
    return os.getpid()

def main():
    names = ["mcts:visits=50", "softmax:1"]
    alone = games(nf.match(names, "donuts", 40, seed=3))
    with executor_for("dask", 2) as (executor, workers):
        pids = {found for _, found in spread(pid, range(100), executor=executor, workers=workers)}
        assert workers == 2 and os.getpid() not in pids
        assert games(nf.match(names, "donuts", 40, seed=3, executor=executor, workers=workers)) == alone
        endgame, puzzle = (nf.read(file) for file in sys.argv[2:])
        for what in (endgame, puzzle):
            objective = "margin" if what is endgame else None
            here = nf.solve(what, objective=objective)
            there = nf.solve(what, objective=objective, executor=executor, workers=workers)
            assert there.proven and abs(there.value - here.value) < 1e-8
        assert puzzle.replay(there.line) == there.value
        killed = []

        def kill(so_far):
            if len(so_far.games) >= 4 and not killed:
                killed.append(pids.pop())
                os.kill(killed[0], signal.SIGKILL)

        start = nf.game("coney", 2).deal(3)
        trees = [nf.best(start, nf.Limit(visits=900), threads=3, executor=executor, workers=n).value for n in (2, 1)]
        assert trees == [nf.best(start, nf.Limit(visits=900), threads=3).value] * 2
        file = sys.argv[1]
        nf.match(names, "donuts", 40, seed=3, executor=executor, workers=workers, report=kill, file=file)
        assert killed
        assert games(nf.match(names, "donuts", 40, seed=3, file=file)) == alone
        address = executor._client.scheduler.address.removeprefix("tcp://")
        command = ["match", *names, "--game", "donuts", "--games", "40", "--seed", "3", "--json"]
        run = [sys.executable, "-m", "ninefold", *command, "--on", f"dask://{address}"]
        found = msgspec.json.decode(subprocess.run(run, check=True, capture_output=True).stdout)
        assert found["games"] == 40
        run = [sys.executable, "-m", "ninefold", "solve", sys.argv[3], "--json", "--on", f"dask://{address}"]
        found = msgspec.json.decode(subprocess.run(run, check=True, capture_output=True).stdout)
        assert (found["stopped"], found["value"]) == ("proven", here.value)
        print("the same")

if __name__ == "__main__":
    main()
"""


@dask
def test_a_cluster_gives_the_same_and_a_killed_worker_of_it_too(tmp_path: Path) -> None:
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    solved = [str(ROOT / "examples" / name) for name in ("donuts-2p-endgame.toml", "coney/open-02.toml")]
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "games.jsonl"), *solved], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}, cwd=tmp_path, timeout=250,
    )  # fmt: skip
    assert done.stdout == "the same\n", done.stderr


@dask
def test_a_cluster_that_is_not_there_or_has_no_workers() -> None:
    for setup, said in (
        ("address = '127.0.0.1:9'", "no scheduler of dask answers at tcp://127.0.0.1:9: "),
        (EMPTY, "the cluster at tcp://127.0.0.1:"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", setup + GONE], capture_output=True, text=True, timeout=100,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        )  # fmt: skip
        assert done.stderr.splitlines()[-1].startswith(f"ninefold: --on: {said}")
        assert done.returncode == 2


EMPTY = """
from distributed import LocalCluster
cluster = LocalCluster(n_workers=0, processes=False, host="127.0.0.1", protocol="tcp", dashboard_address=None)
address = cluster.scheduler_address.removeprefix("tcp://")
"""
GONE = """
from ninefold import cli, work
work._CLUSTER = 0.5
cli.main(["match", "greedy", "random", "--game", "donuts", "--on", f"dask://{address}"])
"""
