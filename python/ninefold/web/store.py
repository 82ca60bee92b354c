"""What the readers have before them: kept in memory, so many and so long, found by names nobody can guess."""

from __future__ import annotations

import secrets
import threading
import time as clock
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from ninefold.position import Position
    from ninefold.puzzle import Answer, Puzzle
    from ninefold.record import Record
    from ninefold.table import Table
    from ninefold.web.jobs import Job

__all__ = ["Item", "Reading", "Riddle", "Sitting", "Store", "Study"]

MOST = 200  # things at once; the one longest unused goes
AGE = 24 * 3600.0  # seconds after which an unused one goes


@dataclass(kw_only=True)
class Item:
    """Something a reader works at. notice: what the next page says once. job: what is being thought about it."""

    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    lock: threading.RLock = field(default_factory=threading.RLock)
    used: float = field(default_factory=clock.monotonic)
    notice: str = ""
    job: Job | None = None

    def drop_job(self) -> None:
        """What was thought belongs to what lay there before."""
        if self.job is not None:
            self.job.stop(0)
            self.job = None


@dataclass(kw_only=True)
class Sitting(Item):
    """A game being played. seat: whose view is on the screen, None: nobody's until somebody says that it is his."""

    table: Table
    seat: int | None = None
    hinted: int = 0


@dataclass(kw_only=True)
class Study(Item):
    """A position to look at, to think about and to play on by hand; `past` are those before it."""

    position: Position
    past: list[Position] = field(default_factory=list)
    seat: int = 0


@dataclass(kw_only=True)
class Reading(Item):
    """A record to step through; `course` is what the game was worth to each, by the number of steps made."""

    record: Record
    positions: Sequence[Position]
    course: dict[int, list[float]] = field(default_factory=dict)


@dataclass(kw_only=True)
class Riddle(Item):
    """A puzzle being solved: a position at a table, or cards that `line` lays out."""

    puzzle: Puzzle
    answer: Answer | None
    table: Table | None = None
    line: str = ""
    worth: int | None = None
    hinted: int = 0
    revealed: bool = False


I = TypeVar("I", bound=Item)  # noqa: E741


class Store:
    """All items of a server."""

    def __init__(self) -> None:
        """None yet."""
        self._items: dict[str, Item] = {}
        self._lock = threading.Lock()

    def add(self, item: I) -> I:
        """Keep it; those that nobody used for long make room."""
        with self._lock:
            now = clock.monotonic()
            self._items[item.id] = item
            by_age = sorted(self._items.values(), key=lambda kept: kept.used)
            for number, kept in enumerate(by_age):
                if number < len(by_age) - MOST or now - kept.used > AGE:
                    kept.drop_job()
                    del self._items[kept.id]
        return item

    def find(self, name: str, kind: type[I]) -> I | None:
        """The item of this id and kind."""
        with self._lock:
            item = self._items.get(name)
            if not isinstance(item, kind):
                return None
            item.used = clock.monotonic()
            return item
