"""Analysis as a service: JSON lines in and out, in the manner of KataGo's analysis engine (docs/protocol.md)."""

from __future__ import annotations

import itertools
import time as clock
from collections.abc import Callable
from queue import PriorityQueue
from threading import Event, Lock, Thread
from typing import Any, BinaryIO, Literal

import msgspec

from ninefold.analysis import Analysis, Limit
from ninefold.errors import InputError, NinefoldError, located, shown
from ninefold.files import from_elsewhere
from ninefold.position import Position
from ninefold.record import Record
from ninefold.schema import convert
from ninefold.search import Options, Question, analyses

__all__ = ["Failure", "Query", "Service", "serve"]

LONGEST = 1 << 22  # bytes of a line
_MOST = 10_000  # positions that may wait at once
_SLICE = 0.1  # seconds between two looks at whether a search is to be ended
_LIMITS = Limit.__struct_fields__
_OPTIONS = tuple(Options.__annotations__)


class Query(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line of input.

    id: comes back with every answer. action: what is wanted. position: the data of a position file, or record: of a
    record file, with turns: after how many of its steps (default: after all). time, visits, nodes, separated: as of
    `ninefold.Limit`. report_every: seconds between answers so far. priority: the largest goes first. terminate_id:
    whose search is to be ended. The rest is that of `ninefold.best`.
    """

    id: str
    action: Literal["analyze", "terminate", "terminate_all", "version"] = "analyze"
    position: dict[str, Any] | None = None
    record: dict[str, Any] | None = None
    turns: list[int] | None = None
    terminate_id: str | None = None
    report_every: float | None = None
    priority: int = 0
    time: float | None = None
    visits: int | None = None
    nodes: int | None = None
    separated: float | None = None
    player: int | None = None
    objective: str | None = None
    opponent: str | None = None
    algorithm: str | None = None
    exploration: float | None = None
    rollout: float | None = None
    guesses: float | None = None
    horizon: int | None = None
    leaves: int | None = None
    halving: int | None = None
    observer: str | None = None
    threads: int = 1
    seed: int = 0
    memory: int | None = None
    exact: bool = True
    closely: str | None = None


class Failure(msgspec.Struct, kw_only=True):
    """What comes back for a line that is wrong. id: null where the line has none that can be read; field: the place."""

    id: str | None
    error: str
    field: str = ""


class _Job:
    """One position that is to be searched."""

    def __init__(self, query: Query, turn: int, position: Position, limit: Limit, options: dict[str, Any]) -> None:
        self.id, self.turn, self.position = query.id, turn, position
        self.limit, self.options, self.every = limit, options, query.report_every
        self.ended = Event()


class Service:
    """Searches what it is asked, several positions at once, and writes answers as they come."""

    def __init__(self, write: Callable[[bytes], object], workers: int = 1) -> None:
        """write: is called with one line at a time, never by two threads at once. workers: positions at once."""
        self._write, self._lock = write, Lock()
        self.gone = False  # nobody reads the answers any more
        self._queue: PriorityQueue[tuple[float, int, _Job | None]] = PriorityQueue()
        self._order = itertools.count()
        self._jobs: dict[tuple[str, int], _Job] = {}  # that wait or are searched
        self._threads = [Thread(target=self._work, daemon=True) for _ in range(workers)]
        for thread in self._threads:
            thread.start()

    def line(self, line: bytes) -> None:
        """Do what one line of input says. Whatever it holds, the answer is a line of output, and nothing breaks."""
        who = None
        try:
            if len(line) > LONGEST:
                raise InputError(f"a line has at most {LONGEST} bytes")
            try:
                data = msgspec.json.decode(line)
            except (msgspec.DecodeError, ValueError, RecursionError) as error:
                raise InputError(f"this is no JSON: {' '.join(str(error).split())}") from None
            if not isinstance(data, dict):
                raise InputError(f"a line holds an object, not {shown(data)}")
            who = data["id"] if isinstance(data.get("id"), str) else None
            self._do(convert(data, Query))
        except NinefoldError as error:
            self._fail(who, error)
        except (MemoryError, RecursionError) as error:
            self._fail(who, InputError(f"this is too much: {type(error).__name__}"))

    def close(self, *, drain: bool = True) -> None:
        """Finish what waits, or, without `drain`, end it; then stop. Returns when everything is said."""
        if not drain:
            self._end(lambda _: True)
        for _ in self._threads:
            self._queue.put((float("inf"), next(self._order), None))
        for thread in self._threads:
            thread.join()

    def _do(self, query: Query) -> None:
        if query.action == "analyze":
            self._analyze(query)
            return
        for name in ("position", "record", "turns"):
            if getattr(query, name) is not None:
                raise InputError(f"belongs to the action 'analyze', not to {query.action!r}", path=name)
        if query.action == "version":
            from ninefold import __version__, game_names

            self._say({"id": query.id, "action": "version", "version": __version__, "games": list(game_names())})
            return
        target = query.terminate_id
        if (target is None) == (query.action == "terminate"):
            what = "is missing" if target is None else "belongs to the action 'terminate'"
            raise InputError(what, path="terminate_id")
        said = {"id": query.id, "action": query.action}
        self._say(said if target is None else {**said, "terminate_id": target})
        self._end(lambda job: target is None or job.id == target)

    def _analyze(self, query: Query) -> None:
        """Check everything, then let it wait for its turn."""
        if query.terminate_id is not None:
            raise InputError("belongs to the action 'terminate'", path="terminate_id")
        if query.report_every is not None and not 0.01 <= query.report_every <= 1e6:
            raise InputError(
                f"must be from 0.01 to 1000000 seconds, not {shown(query.report_every)}", path="report_every"
            )
        limit = Limit(**{name: getattr(query, name) for name in _LIMITS})
        options = {name: getattr(query, name) for name in _OPTIONS}
        jobs = []
        for turn, position in _positions(query):
            Question(position, limit, **options)  # raises for what cannot be searched
            jobs.append(_Job(query, turn, position, limit, options))
        with self._lock:
            if any(who == query.id for who, _ in self._jobs):
                raise InputError("a query of this id is still being answered", path="id", value=query.id)
            if len(self._jobs) + len(jobs) > _MOST:
                raise InputError(f"more than {_MOST} positions wait: ask again later")
            self._jobs.update({(job.id, job.turn): job for job in jobs})
        for job in jobs:
            self._queue.put((-query.priority, next(self._order), job))

    def _end(self, which: Callable[[_Job], bool]) -> None:
        with self._lock:
            jobs = list(self._jobs.values())
        for job in jobs:
            if which(job):
                job.ended.set()

    def _work(self) -> None:
        """What each thread does: one position after the other, until there is no more."""
        while (job := self._queue.get()[2]) is not None:
            last: dict[str, Any] | Failure
            try:
                last = self._search(job)
            except NinefoldError as error:
                last = _failure(job.id, error)
            except MemoryError:
                last = Failure(id=job.id, error="out of memory", field="memory")
            with self._lock:
                del self._jobs[job.id, job.turn]  # before its last word: then its id is free again
            self._say(last)

    def _search(self, job: _Job) -> dict[str, Any]:
        """The last answer about a position; earlier ones are written."""
        if job.ended.is_set():
            return {
                "id": job.id,
                "turn": job.turn,
                "during_search": False,
                "stopped": "interrupted",
                "no_results": True,
            }
        due = clock.monotonic() + (job.every or 0)
        interval = min(job.every or _SLICE, _SLICE)
        for answer in analyses(job.position, job.limit, interval=interval, **job.options):
            if answer.stopped:
                return _answer(job, answer)
            if job.ended.is_set():
                return _answer(job, msgspec.structs.replace(answer, stopped="interrupted"))
            if job.every and clock.monotonic() >= due:
                due += job.every
                self._say(_answer(job, answer))
        raise AssertionError("a search ends with an answer")

    def _fail(self, who: str | None, error: NinefoldError) -> None:
        self._say(_failure(who, error))

    def _say(self, what: object) -> None:
        line = msgspec.json.encode(what, enc_hook=str) + b"\n"
        with self._lock:
            if self.gone:
                return
            try:
                self._write(line)
            except OSError:
                self.gone = True
                for job in self._jobs.values():
                    job.ended.set()


def _positions(query: Query) -> list[tuple[int, Position]]:
    """The positions that a query is about, by the steps before them."""
    if (query.position is None) == (query.record is None):
        raise InputError("either a position or a record", path="position")
    name = "record" if query.position is None else "position"
    data = query.record if query.position is None else query.position
    assert data is not None
    with located(path=name):
        found = from_elsewhere({"ninefold": 1, **data})
    if name == "position":
        if not isinstance(found, Position):
            raise InputError("this is no position", path=name)
        if query.turns is not None:
            raise InputError("belongs to a record", path="turns")
        return [(0, found)]
    if not isinstance(found, Record):
        raise InputError("this is no record", path=name)
    positions = list(found.positions())
    turns = [len(positions) - 1] if query.turns is None else query.turns
    for i, turn in enumerate(turns):
        if not 0 <= turn < len(positions):
            raise InputError(f"must be from 0 to {len(positions) - 1}, not {turn}", path=f"turns[{i}]", value=turn)
        if turn in turns[:i]:
            raise InputError(f"{turn} is there twice", path=f"turns[{i}]", value=turn)
    return [(turn, positions[turn]) for turn in turns]


def _answer(job: _Job, answer: Analysis) -> dict[str, Any]:
    return {"id": job.id, "turn": job.turn, "during_search": not answer.stopped, **answer.to_dict()}


def _failure(who: str | None, error: NinefoldError) -> Failure:
    if isinstance(error, InputError):
        return Failure(id=who, error=error.told, field=error.path)
    return Failure(id=who, error=str(error))


def serve(source: BinaryIO, write: Callable[[bytes], object], workers: int = 1) -> None:
    """Answer the lines of a stream until it ends, then finish what was asked. KeyboardInterrupt ends the searches."""
    service = Service(write, workers)
    drain = False
    try:
        while not service.gone and (line := source.readline(LONGEST + 1)):
            whole = line
            while not line.endswith(b"\n") and (line := source.readline(LONGEST)):
                pass  # the rest of a line that is too long
            if whole.strip():
                service.line(whole)
        drain = True
    finally:
        service.close(drain=drain)
