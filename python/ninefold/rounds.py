"""Exact searches on any executor: rounds of tasks that begin with what is known and bring back what they found."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, NamedTuple

from ninefold.errors import InputError
from ninefold.work import spread

if TYPE_CHECKING:
    from ninefold.puzzle import Puzzle
    from ninefold.solvers import Solving

__all__ = ["Rounds"]

_FIRST = 250  # milliseconds of the first round;
_LONGEST = 8000  # each is twice as long as the one before, up to this
_LEAST = 1 << 21  # bytes of memory for each task


class _Task(NamedTuple):
    """All that a worker needs to go on: it keeps nothing from one task to the next."""

    puzzle: Puzzle
    options: dict[str, Any]
    memory: int
    number: int  # which of the searches of the round,
    parts: int  # and of how many
    known: bytes  # what all of them begin with
    milliseconds: int


class _Found(NamedTuple):
    """What a task brings back."""

    number: int
    state: bytes
    nodes: int  # of this task alone
    done: bool
    obstacle: str


def _go_on(task: _Task) -> _Found:
    """A search of the question from what is known, for so long."""
    search = task.puzzle.game.module.solver(task.puzzle, task.puzzle.objective, task.memory, **task.options)
    search.part(task.number, task.parts)
    search.load(task.known)
    before = search.nodes
    done = search.run(task.milliseconds)
    return _Found(task.number, search.save(), search.nodes - before, done, search.obstacle)


class Rounds:
    """The work of a search done by the workers of an executor, one task for each of them in every round.

    What is known is merged between two rounds, so a task that is lost, or done twice, changes nothing. When a task has
    come to the end, the search itself goes on with what it found, and ends soon.
    """

    def __init__(self, puzzle: Puzzle, options: dict[str, Any], memory: int, executor: Executor, workers: int) -> None:
        """memory: bytes of all tasks and of this process together. Raises InputError where it is too little, and for a
        question that is not divided into tasks."""
        room = memory // (workers + 1)
        if room < _LEAST:
            raise InputError(
                f"{_LEAST >> 20} MiB for each of {workers} workers and for this process", path="memory", value=memory
            )
        self.search: Solving = puzzle.game.module.solver(puzzle, puzzle.objective, room, **options)
        self.search.lead(workers)
        self.puzzle, self.options, self.room = puzzle, options, room
        self.executor, self.workers = executor, workers
        self.slice, self.obstacle = _FIRST, ""
        self.finished = False  # whether a task has come to the end
        self.spent = 0  # nodes of all tasks

    def run(self, milliseconds: int) -> bool:
        """A round of about so long; of which the rest is not waited for when a task is done."""
        if self.finished:
            done = self.search.run(milliseconds)
            self.obstacle = self.search.obstacle
            return done
        self.slice = min(2 * self.slice, _LONGEST)
        known = self.search.save()
        tasks = [
            _Task(self.puzzle, self.options, self.room, number, self.workers, known, milliseconds)
            for number in range(self.workers)
        ]
        results = spread(_go_on, tasks, executor=self.executor, workers=self.workers)
        obstacles = []
        try:
            for _, found in results:
                self.search.merge(found.state, found.number)
                self.spent += found.nodes
                obstacles.append(found.obstacle)
                if found.done:
                    self.finished = True
                    self.slice = self.search.slice
                    break
        finally:
            results.close()
        if all(obstacles):
            self.obstacle = obstacles[0]
        return False

    @property
    def nodes(self) -> int:
        """Of this search, and of the tasks whose results have come."""
        return self.search.nodes + self.spent
