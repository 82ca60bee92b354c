"""Long work in parts: any executor of the `concurrent.futures` kind, processes of one's own, a cluster, or none."""

from __future__ import annotations

import itertools
import os
import signal
import threading
import time as clock
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TYPE_CHECKING, Generic, TypeVar

from ninefold import __version__
from ninefold.errors import InputError, NinefoldError, near, shown, whole
from ninefold.memory import share

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

__all__ = ["collect", "executor_for", "in_order", "spread"]

T = TypeVar("T")
R = TypeVar("R")

_WAITING = 3  # calls given out for each worker: enough that none is idle, few enough that a stop is quick
_SHORTEST = 0.2  # seconds that a call should take: what it costs to send it is then little
_LONGEST = 1.0  # seconds after which a call of several tasks comes back with those that it has done
_MOST = 10_000  # tasks of a call
_LOOK = 5.0  # seconds without a result after which it is looked whether all processes live
_LIVES = 5  # times that a task may be lost together with its worker
_CLUSTER = 30.0  # seconds to wait for a cluster
_DASK = ("tcp", "tls", "ucx", "ws", "wss")  # what its addresses can begin with


def spread(
    function: Callable[[T], R], tasks: Iterable[T], *, executor: Executor | None = None, workers: int = 1
) -> Generator[tuple[int, R], None, None]:
    """Call a function for every task and yield (number of the task, result) as the calls end, in any order.

    executor: any of `concurrent.futures`; then workers says how many tasks it works on at once. workers: processes, if
    there is no executor; one: no process at all, the calls are made here, in their order. Function, tasks and results
    must be such as can be pickled, and a task that is done twice must come to the same. Quick tasks go out several at a
    time, as many as take 0.2 s by the time that the ones before them took. Tasks are taken when they are needed, a few
    at a time. Closing the iterator cancels what has not begun, and ends the processes.

    What is lost with a worker is given out again: a process that is killed is replaced; an executor of dask's does so
    by itself. An exception of the function is raised here, after the results that came with it. Raises InputError for
    a wrong number of workers, and NinefoldError where a task has been lost five times.
    """
    whole("workers", workers, 1, 10_000)
    if executor is None and workers == 1:
        yield from ((number, function(task)) for number, task in enumerate(tasks))
        return
    work = _Work(function, tasks, executor, workers)
    try:
        while work.give():
            yield from work.results()
    finally:
        work.close()


def in_order(results: Iterable[tuple[int, R]]) -> Iterator[R]:
    """What `spread` yields, in the order of the tasks: results that come early wait."""
    early: dict[int, R] = {}
    following = 0
    for number, result in results:
        early[number] = result
        while following in early:
            yield early.pop(following)
            following += 1


def collect(
    function: Callable[[T], R],
    tasks: Iterable[T],
    take: Callable[[int, R], None],
    *,
    executor: Executor | None = None,
    workers: int = 1,
) -> str:
    """As `spread`, with a function that takes number and result. Returns "all", or "interrupted" after Ctrl-C."""
    work = spread(function, tasks, executor=executor, workers=workers)
    try:
        for number, result in work:
            take(number, result)
    except KeyboardInterrupt:
        return "interrupted"
    finally:
        work.close()
    return "all"


@contextmanager
def executor_for(on: str | None = None, workers: int | None = None) -> Iterator[tuple[Executor | None, int]]:
    """Where long work is to be done: what `spread` and all that builds on it take as (executor, workers).

    on: None: on this machine, in so many processes (default: one, the caller's own). "dask": a cluster of so many
    processes on this machine (default: as many as there are processors). "dask://host:port": the cluster whose
    scheduler is there; workers: how many tasks it works on at once (default: its threads). The cluster is let go at the
    end. Needs the extra `dask`. Raises InputError for an address or a number that is wrong, a cluster that does not
    answer or has no worker, and a missing extra.
    """
    if workers is not None:
        whole("workers", workers, 1, 10_000)
    if on is None:
        yield None, workers or 1
        return
    kind, _, address = on.partition("://")
    if kind not in ("dask", *_DASK) or (address == "" and on != "dask"):
        raise InputError(
            f"dask for processes here, dask://host:port for a cluster, not {shown(on)}", path="on", value=on,
            match="dask" if near(kind, ["dask"]) and not address and on != "dask://" else "",
        )  # fmt: skip
    with _dask(address and (f"tcp://{address}" if kind == "dask" else on), workers) as found:
        yield found


# --- giving out -------------------------------------------------------------------------------------------------------


class _Work(Generic[T, R]):
    """Tasks on their way: those that wait to be given out again, and those under way."""

    def __init__(self, function: Callable[[T], R], tasks: Iterable[T], executor: Executor | None, workers: int) -> None:
        self.function, self.tasks, self.workers = function, enumerate(tasks), workers
        self.again: deque[tuple[int, T]] = deque()
        self.lost: dict[int, int] = {}  # how often, by number, of the tasks that were
        self.running: dict[Future[tuple[list[R], float]], list[tuple[int, T]]] = {}
        self.size, self.known = 1, 0.0  # tasks of the next call, and seconds that one takes
        self.processes = None if executor else _Processes(workers)
        self.given = executor

    def give(self) -> bool:
        """Give out calls, so that every worker has some. Returns whether any are under way."""
        while len(self.running) < _WAITING * self.workers:
            some = list(itertools.islice(self._next(), self.size))
            if not some:
                break
            pool: Executor | None = self.processes.pool if self.processes else self.given
            assert pool is not None
            try:
                future = pool.submit(_call, __version__, self.function, [task for _, task in some])
            except BrokenExecutor:
                if self.processes is None:
                    raise
                self.again.extend(some)
                break  # those under way are lost, too: `results` begins anew
            self.running[future] = some
        return bool(self.running)

    def _next(self) -> Iterator[tuple[int, T]]:
        while self.again:
            yield self.again.popleft()
        yield from self.tasks

    def results(self) -> Iterator[tuple[int, R]]:
        """Wait for the first call to end, and give the results of those that have."""
        failed: BaseException | None = None
        broken = False
        done = wait(self.running, timeout=_LOOK, return_when=FIRST_COMPLETED).done
        if not done and self.processes is not None:
            broken = self.processes.stuck()
        for future in done:
            some = self.running.pop(future)
            try:
                found, seconds = future.result()
            except (BrokenExecutor, CancelledError) as error:
                if self.processes is None and isinstance(error, BrokenExecutor):
                    raise
                broken = True
                self._lose(some)
                continue
            except BaseException as error:
                failed = error
                continue
            self._measure(len(found), seconds)
            self.again.extend(some[len(found) :])
            for (number, _), result in zip(some, found, strict=False):
                self.lost.pop(number, None)
                yield number, result
        if failed is not None:
            raise failed
        if broken and self.processes is not None:
            for some in self.running.values():
                self._lose(some)
            self.running.clear()
            self.processes.close()
            self.processes = _Processes(self.workers)

    def _lose(self, some: Sequence[tuple[int, T]]) -> None:
        for number, _ in some:
            self.lost[number] = self.lost.get(number, 0) + 1
            if self.lost[number] >= _LIVES:
                raise NinefoldError(
                    f"a task has been lost {_LIVES} times with the process that worked on it; a script that starts "
                    'processes must do so under `if __name__ == "__main__":`'
                )
        self.again.extend(some)
        self.size = 1  # one of them may be what ends its worker

    def _measure(self, done: int, seconds: float) -> None:
        """How many tasks a call should have: from their mean time, the last calls counting most."""
        each = seconds / done
        self.known = (self.known + each) / 2 if self.known else each
        wanted = int(_SHORTEST / max(self.known, 1e-9)) + 1
        self.size = max(1, min(2 * self.size, wanted, _MOST))

    def close(self) -> None:
        """Cancel what has not begun, and end the processes."""
        for future in self.running:
            future.cancel()
        if self.processes is not None:
            self.processes.close()


def _call(version: str, function: Callable[[T], R], tasks: Sequence[T]) -> tuple[list[R], float]:
    """The results of the tasks, or of as many as one second allows, at least one, and the seconds that they took.

    One that fails ends the call before it, and fails when it comes first.
    """
    if version != __version__:
        raise NinefoldError(
            f"a worker has version {__version__} of ninefold, not {version}: install the same everywhere"
        )
    began = clock.perf_counter()
    done: list[R] = []
    for task in tasks:
        try:
            done.append(function(task))
        except Exception:
            if not done:
                raise
            break
        if clock.perf_counter() - began > _LONGEST:
            break
    return done, clock.perf_counter() - began


# --- processes here ---------------------------------------------------------------------------------------------------


class _Processes:
    """Worker processes that never outlive who made them: they end when the other end of a pipe is closed."""

    def __init__(self, workers: int) -> None:
        from concurrent.futures import ProcessPoolExecutor

        context = get_context("spawn")
        reader, self.writer = context.Pipe(duplex=False)
        self.pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_obey, initargs=(reader, workers))
        self.reader = reader

    def stuck(self) -> bool:
        """Whether one has ended and the pool has not noticed: it was killed while it sent a result, of which the rest
        is waited for."""
        return any(not process.is_alive() for process in list((self.pool._processes or {}).values()))

    def close(self) -> None:
        """End them now, whatever they do."""
        self.writer.close()
        if (results := getattr(self.pool, "_result_queue", None)) is not None:
            results._writer.close()  # the last one that is open here: so the rest of a result is not waited for
        self.pool.shutdown(cancel_futures=True)
        self.reader.close()


def _obey(reader: Connection, workers: int) -> None:
    """Ctrl-C is for the process that gives out the work; this one ends when that one is gone, or says so."""
    share(workers)
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        reader.poll(None)  # nothing is ever sent: it ends when the last writer is closed
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


# --- dask -------------------------------------------------------------------------------------------------------------


@contextmanager
def _dask(address: str, workers: int | None) -> Iterator[tuple[Executor, int]]:
    """The cluster at an address, or one made here if it is ""."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise InputError("dask is not installed: pip install 'ninefold[dask]'", path="on") from None
    from contextlib import ExitStack

    here = not address
    with ExitStack() as stack:
        if here:
            workers = workers or os.cpu_count() or 1
            cluster = LocalCluster(  # type: ignore[no-untyped-call]
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
            )
            address = stack.enter_context(cluster).scheduler_address
        try:
            made = Client(address, timeout=_CLUSTER, set_as_default=False)  # type: ignore[no-untyped-call]
            client = stack.enter_context(made)
        except (OSError, ValueError) as error:
            said = str(error).splitlines() or [type(error).__name__]
            raise InputError(f"no scheduler of dask answers at {address}: {said[0]}", path="on") from None
        try:
            client.wait_for_workers(1, timeout=_CLUSTER)
        except OSError:
            raise InputError(f"the cluster at {address} has no worker", path="on") from None
        workers = workers or sum(client.nthreads().values())
        if here:  # elsewhere it is not known who shares a machine
            client.run(share, workers)
        executor = client.get_executor(pure=False)
        try:
            yield executor, workers
        finally:
            executor.shutdown(wait=False)
