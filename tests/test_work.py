"""Long work in parts: the same results in any order of execution, and nothing left running."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from ninefold import InputError
from ninefold.work import spread


def test_every_task_is_done_once_and_keeps_its_number() -> None:
    squares = [(number, number**2) for number in range(20)]
    assert list(spread(lambda n: n * n, range(20))) == squares
    with ThreadPoolExecutor(3) as pool:
        assert sorted(spread(lambda n: n * n, range(20), executor=pool, workers=3)) == squares
    assert sorted(spread(abs, range(4), workers=2)) == [(n, n) for n in range(4)]


def test_tasks_are_taken_when_they_are_needed() -> None:
    taken = 0

    def endless() -> Iterator[int]:
        nonlocal taken
        while True:
            taken += 1
            yield taken

    with ThreadPoolExecutor(2) as pool:
        results = spread(abs, endless(), executor=pool, workers=2)
        for _ in range(5):
            next(results)
        results.close()
    assert 5 <= taken <= 12


def test_exceptions_come_back() -> None:
    with ThreadPoolExecutor(2) as pool, pytest.raises(ZeroDivisionError):
        list(spread(lambda n: 1 // n, [1, 0, 1], executor=pool, workers=2))


@pytest.mark.parametrize("workers", [0, -1, True, 1.5])
def test_wrong_numbers_of_workers(workers: int) -> None:
    with pytest.raises(InputError, match="workers"):
        list(spread(abs, [1], workers=workers))
