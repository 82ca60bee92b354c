"""Exact answers: what a position, or a puzzle, is worth, with proven bounds while the search goes on."""

from __future__ import annotations

import dataclasses
import hashlib
import time as clock
from collections.abc import Callable
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ninefold import checkpoint as checkpoints
from ninefold.analysis import OBJECTIVES, Limit
from ninefold.errors import InputError, NinefoldError, near, shown, whole
from ninefold.memory import default_memory
from ninefold.position import Position
from ninefold.puzzle import Answer, Puzzle
from ninefold.rounds import Rounds
from ninefold.solution import Solution

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ninefold.solvers import Solving

__all__ = ["solve"]

SAVE = 30.0  # seconds between two checkpoints
INTERVAL = 0.25  # seconds between two reports


def solve(
    what: Puzzle | Position,
    limit: Limit | None = None,
    *,
    objective: str | None = None,
    count: bool = False,
    checkpoint: str | PathLike[str] | None = None,
    executor: Executor | None = None,
    workers: int = 1,
    memory: int | None = None,
    report: Callable[[Solution], None] | None = None,
    **options: Any,
) -> Solution:
    """The proven value of a puzzle or a position, or bounds on it when the limit is reached.

    limit: time or nodes; none: until it is solved. objective: of two players "win" (default) or "margin"; alone it is
    "score". count: find all first moves that keep the value, too. workers: threads for these, and for the
    search itself where it can use them: backward induction, and two for open puzzles of Coney. executor: any of
    `concurrent.futures`; then the same searches are made by so many workers of it, in rounds of tasks. checkpoint: a
    file that the search is written to now and then and at the end; if it is there, the search goes on from it, with any
    number of workers. memory: bytes for tables, of all workers together (default: a quarter of what is free, at most 1
    GiB). report: called a few times a second with the solution so
    far. options: of the game's own searches; Coney has `sales=False`: rabbits are never sold.

    KeyboardInterrupt stops the search and gives the solution so far, without what tasks of an executor are at. Where
    the checkpoint cannot be written any more, the file stays as it was, the search goes on and tries again, and the
    solution's remarks say so. Raises InputError for what cannot be solved, or not by an executor, for a checkpoint of
    something else, and for one that cannot be written at the beginning.
    """
    limit = limit or Limit()
    for name in ("visits", "separated"):
        if getattr(limit, name) is not None:
            raise InputError("limits a search by samples, not an exact one: time or nodes", path=f"limit.{name}")
    whole("workers", workers, 1, 256)
    memory = whole("memory", default_memory() if memory is None else memory, 1 << 21, 1 << 50)
    puzzle = asked_of(what, objective)
    drive: Solving | Rounds
    if executor is None:
        search = drive = puzzle.game.module.solver(puzzle, puzzle.objective, memory, **options)
        search.divide(workers)
    else:
        drive = Rounds(puzzle, options, memory, executor, workers)
        search = drive.search
    run = _Run(puzzle, search, drive, limit, memory, report)
    asked = _asked(puzzle, search, options)
    if checkpoint is not None:
        saved = checkpoints.load(checkpoint, asked)
        if saved is not None:
            _resume(search, saved, checkpoint)
        checkpoints.save(checkpoint, asked, search.save())  # a file that cannot be written is better known at once
        run.saved_at = clock.perf_counter()

    def save() -> None:
        if checkpoint is not None:
            run.keep(lambda: checkpoints.save(checkpoint, asked, search.save()))

    stopped, optimal = "", None
    try:
        while not stopped:
            stopped = run.step()
            if clock.perf_counter() - run.saved_at > SAVE:
                save()
        if count and stopped == "proven" and search.lower is not None:
            optimal = search.optimal(workers if executor is None else 1, run.is_out)
    except KeyboardInterrupt:
        stopped = stopped or "interrupted"
    finally:
        save()
    return run.solution(stopped, optimal)


def _resume(search: Solving, saved: bytes, checkpoint: str | PathLike[str]) -> None:
    """Go on from a checkpoint. Raises InputError where the search does not know what is in it."""
    try:
        search.load(saved)
    except ValueError as error:
        raise InputError(str(error), file=Path(fspath(checkpoint)).name) from None


class _Run:
    """One search under way."""

    def __init__(
        self,
        puzzle: Puzzle,
        search: Solving,
        drive: Solving | Rounds,
        limit: Limit,
        memory: int,
        report: Callable[[Solution], None] | None,
    ) -> None:
        self.puzzle, self.search, self.limit, self.bound, self.report = puzzle, search, limit, memory, report
        self.drive = drive  # what searches: `search` itself, or tasks for it
        self.began = self.reported = self.saved_at = clock.perf_counter()
        self.unsaved = ""  # why the last checkpoint could not be written
        self.exhausted = False  # whether memory ended in the middle of a step: that is no state to be kept

    def keep(self, save: Callable[[], None]) -> None:
        """Write a checkpoint; what has been found is worth more than a full disk."""
        if self.exhausted:
            return
        try:
            save()
            self.unsaved = ""
        except InputError as error:
            self.unsaved = f"the checkpoint holds an earlier state of the search: {error}"
        self.saved_at = clock.perf_counter()

    def step(self) -> str:
        """Search on for a slice. Returns why to stop, "" to go on."""
        left = self.drive.slice
        if self.limit.time is not None:
            left = max(1, min(left, int(1000 * (self.limit.time - self.elapsed))))
        try:
            if self.drive.run(left):
                return "proven"
        except MemoryError:
            self.exhausted = True
            return "the system has no more memory"
        if self.drive.obstacle:
            return self.drive.obstacle
        if self.is_out():
            return "time"
        if self.limit.nodes is not None and self.drive.nodes >= self.limit.nodes:
            return "nodes"
        if self.report is not None and clock.perf_counter() - self.reported >= INTERVAL:
            self.reported = clock.perf_counter()
            self.report(self.solution(""))
        return ""

    def is_out(self) -> bool:
        """Whether the time is up."""
        return self.limit.time is not None and self.elapsed >= self.limit.time

    @property
    def elapsed(self) -> float:
        return clock.perf_counter() - self.began

    def remarks(self) -> list[str]:
        """Where memory or disk were not enough."""
        found = self.search.remarks()
        if self.search.memory > self.bound:
            found.append(f"the bound of {self.bound / 2**20:.0f} MiB is too small for this question: it takes more")
        if self.unsaved:
            found.append(self.unsaved)
        return found

    def solution(self, stopped: str, optimal: list[str] | None = None) -> Solution:
        """What is known now; with the certificate when the search is over."""
        search, puzzle = self.search, self.puzzle
        elapsed = self.elapsed
        lower, upper, line = search.lower, search.upper, search.steps()
        found = Solution(
            question=puzzle.question, objective=puzzle.objective, lower=lower, upper=upper, line=line, stopped=stopped,
            nodes=self.drive.nodes, memory=search.memory, time=elapsed, optimal=optimal,
            remarks=self.remarks(), **search.details(),
        )  # fmt: skip
        if lower is not None and upper is not None and (lower > upper or (found.proven and lower < upper)):
            raise NinefoldError(f"{search.name} contradicts itself, {lower} and {upper}: please report this position")
        if not stopped:
            return found
        solved = found.proven and lower is not None
        answer = Answer(
            value=lower if solved else None, lower=None if solved else lower, upper=None if solved else upper,
            line=line, optimal=None if optimal is None else len(optimal), time=round(elapsed, 3),
        )  # fmt: skip
        return msgspec.structs.replace(found, certificate=dataclasses.replace(puzzle, answer=answer).to_dict())


def asked_of(what: Puzzle | Position, objective: str | None) -> Puzzle:
    """The question about what was given. Raises InputError."""
    if isinstance(what, Position):
        if what.players > 2:
            raise InputError(f"only games of one or two players can be solved exactly, not of {what.players}")
        what = Puzzle(what.game, "maximum" if what.players == 1 else "value", what)
    elif not isinstance(what, Puzzle):
        raise InputError(f"a puzzle or a position can be solved, not {shown(type(what).__name__)}")
    if objective is None:
        return what
    if objective not in OBJECTIVES:
        raise InputError(
            f"unknown objective {shown(objective)}: {' or '.join(OBJECTIVES)}", path="objective", value=objective,
            match=near(objective, OBJECTIVES),
        )  # fmt: skip
    return dataclasses.replace(what, objective=objective)


def _asked(puzzle: Puzzle, search: Solving, options: dict[str, Any]) -> dict[str, Any]:
    """What makes a checkpoint fit, by the words of the message if it does not."""
    question = dataclasses.replace(puzzle, title="", answer=None, grade=None, hints=()).to_dict()
    position = question.pop("position", None)
    core = puzzle.game.core
    return {
        "game": f"{core.name} {core.version}",
        "search": search.name,
        "ruleset or question": _digest([question, options]),
        "position": _digest(position),
    }


def _digest(data: object) -> str:
    return hashlib.sha256(msgspec.json.encode(data, order="sorted")).hexdigest()
