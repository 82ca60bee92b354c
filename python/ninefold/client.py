"""A client of `ninefold analyze`: the service in a process of its own, answers as futures."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Lock, Thread
from types import TracebackType
from typing import Any, Self

import msgspec

from ninefold.errors import InputError
from ninefold.position import Position
from ninefold.record import Record

__all__ = ["Client"]

Report = Callable[[dict[str, Any]], object]


class Client:
    """A running service. Use it in a `with` statement: at its end everything that was asked is answered.

    Answers are plain data, as docs/protocol.md has them; a future raises the service's errors as `InputError`.
    """

    def __init__(self, command: Sequence[str] | None = None, *, workers: int = 1) -> None:
        """command: what to start (default: this Python's `ninefold analyze`). workers: positions at once."""
        command = command or [sys.executable, "-m", "ninefold", "analyze", "--workers", str(workers)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._names = itertools.count(1)
        self._lock = Lock()
        self._waiting: dict[tuple[str, int], tuple[Future[dict[str, Any]], Report | None]] = {}
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.terminate_all()
        self.close()

    def analyze(
        self, position: Position | dict[str, Any], *, report: Report | None = None, **options: Any
    ) -> Future[dict[str, Any]]:
        """Ask about a position. options: `time`, `visits`, … of a query; report: is called with answers so far."""
        data = position.to_dict() if isinstance(position, Position) else position
        return self._ask({"position": data, **options}, [0], report)[0]

    def analyze_record(
        self, record: Record | dict[str, Any], turns: Sequence[int], *, report: Report | None = None, **options: Any
    ) -> list[Future[dict[str, Any]]]:
        """Ask about positions of a record, by the number of steps before them."""
        data = record.to_dict() if isinstance(record, Record) else record
        return self._ask({"record": data, "turns": list(turns), **options}, list(turns), report)

    def version(self) -> dict[str, Any]:
        """What the service is."""
        return self._ask({"action": "version"}, [0], None)[0].result()

    def terminate(self, future: Future[dict[str, Any]]) -> None:
        """End a search: its future gets the answer so far. All positions of one record end together."""
        with self._lock:
            names = {name for (name, _), (other, _) in self._waiting.items() if other is future}
        for name in names:
            self._send({"id": f"end {name}", "action": "terminate", "terminate_id": name})

    def terminate_all(self) -> None:
        """End all searches."""
        self._send({"id": "end all", "action": "terminate_all"})

    def close(self) -> None:
        """Wait until everything is answered, and end the service."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._reader.join()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process.wait()

    def _ask(self, query: dict[str, Any], turns: Sequence[int], report: Report | None) -> list[Future[dict[str, Any]]]:
        name = str(next(self._names))
        futures: list[Future[dict[str, Any]]] = [Future() for _ in turns]
        with self._lock:
            for turn, future in zip(turns, futures, strict=True):
                future.set_running_or_notify_cancel()
                self._waiting[name, turn] = (future, report)
        self._send({"id": name, **query})
        return futures

    def _send(self, query: dict[str, Any]) -> None:
        stream = self._process.stdin
        assert stream is not None
        with self._lock:
            stream.write(msgspec.json.encode(query) + b"\n")
            stream.flush()

    def _read(self) -> None:
        """Hand out the answers until the service ends; who still waits then learns that it did."""
        stream = self._process.stdout
        assert stream is not None
        for line in stream:
            said: dict[str, Any] = msgspec.json.decode(line)
            if "error" in said:
                self._refuse(said)
            elif said.get("during_search"):
                report = self._waiting[said["id"], said["turn"]][1]
                if report is not None:
                    report(said)
            else:
                with self._lock:
                    waiting = self._waiting.pop((said["id"], said.get("turn", 0)), None)
                if waiting is not None:  # else the word on a search that was ended
                    waiting[0].set_result(said)
        with self._lock:
            left, self._waiting = list(self._waiting.values()), {}
        for future, _ in left:
            future.set_exception(InputError("the service has ended"))

    def _refuse(self, said: dict[str, Any]) -> None:
        """A query was wrong: all that it asked for fails."""
        with self._lock:
            refused = [key for key in self._waiting if key[0] == said["id"]]
            futures = [self._waiting.pop(key)[0] for key in refused]
        for future in futures:
            future.set_exception(InputError(said["error"], path=said.get("field", "")))
