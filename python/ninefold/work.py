"""Long work in parts: any executor of the `concurrent.futures` kind, processes of one's own, or none."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import TypeVar

from ninefold.errors import whole

__all__ = ["spread"]

T = TypeVar("T")
R = TypeVar("R")

_WAITING = 3  # tasks given out for each worker: enough that none is idle, few enough that a stop is quick


def spread(
    function: Callable[[T], R], tasks: Iterable[T], *, executor: Executor | None = None, workers: int = 1
) -> Generator[tuple[int, R], None, None]:
    """Call a function for every task and yield (number of the task, result) as the calls end, in any order.

    executor: any of `concurrent.futures`; then workers says how many tasks it works on at once. workers: processes, if
    there is no executor; one: no process at all, the calls are made here, in their order. Function, tasks and results
    must be such as can be pickled. Tasks are taken when they are needed, a few at a time. Closing the iterator cancels
    what has not begun. An exception of the function is raised here. Raises InputError for a wrong number of workers.
    """
    whole("workers", workers, 1, 10_000)
    numbered = enumerate(tasks)
    if executor is None and workers == 1:
        for number, task in numbered:
            yield number, function(task)
        return
    made = executor or ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    running: dict[Future[R], int] = {}
    try:
        while True:
            for number, task in itertools.islice(numbered, max(0, _WAITING * workers - len(running))):
                running[made.submit(function, task)] = number
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        for future in running:
            future.cancel()
        if executor is None:
            made.shutdown(cancel_futures=True)
