"""Long work beside the page: one thread each, few at once, ended when nobody asks for it any more."""

from __future__ import annotations

import secrets
import threading
import time as clock
from collections.abc import Callable
from typing import Any

from ninefold.errors import InputError, NinefoldError

__all__ = ["Job", "Jobs"]

RUNNING = 4  # jobs at once
KEPT = 50  # of those that are over
PATIENCE = 10.0  # seconds without a question until a job ends


class Job:
    """Work that tells what it has found so far.

    latest: what it told last. over: whether it has ended. error: why it could not be done, or "".
    """

    def __init__(self, kind: str, about: Any, work: Callable[[Callable[[Any], None]], Any]) -> None:
        """A job that runs `work(tell)`; `tell` raises KeyboardInterrupt where it must end, and the last answer stays.

        kind, about: what it finds, and of what, for those who show it.
        """
        self.id = secrets.token_urlsafe(16)
        self.kind, self.about = kind, about
        self.latest: Any = None
        self.over = False
        self.error = ""
        self._asked = clock.monotonic()
        self._stop = threading.Event()
        self._work = work
        self._thread = threading.Thread(target=self._run, daemon=True, name=f"{kind} {self.id[:6]}")
        self._thread.start()

    def _run(self) -> None:
        try:
            found = self._work(self._tell)
            if found is not None:
                self.latest = found
        except KeyboardInterrupt:
            pass
        except NinefoldError as error:
            self.error = str(error)
        except MemoryError:
            self.error = "this needs more memory than there is"
        except Exception as error:
            self.error = f"this went wrong and should not have: {type(error).__name__}"
            raise
        finally:
            self.over = True

    def _tell(self, found: Any) -> None:
        self.latest = found
        if self._stop.is_set() or clock.monotonic() - self._asked > PATIENCE:
            raise KeyboardInterrupt

    def ask(self) -> None:
        """Somebody looks at it: it may go on."""
        self._asked = clock.monotonic()

    def stop(self, wait: float = 2.0) -> None:
        """End it, and wait a little until it has."""
        self._stop.set()
        self._thread.join(wait)


class Jobs:
    """All jobs of a server."""

    def __init__(self) -> None:
        """None yet."""
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def start(self, kind: str, about: Any, work: Callable[[Callable[[Any], None]], Any]) -> Job:
        """Begin a job. Raises InputError if too many are running."""
        with self._lock:
            running = sum(not job.over for job in self._jobs.values())
            if running >= RUNNING:
                raise InputError(f"{running} analyses are running already: stop one, or leave its page for a while")
            for name in [job.id for job in self._jobs.values() if job.over][: -KEPT or None]:
                del self._jobs[name]
            job = Job(kind, about, work)
            self._jobs[job.id] = job
            return job

    def find(self, name: str) -> Job | None:
        """The job of this id."""
        return self._jobs.get(name)

    def close(self) -> None:
        """End them all."""
        for job in list(self._jobs.values()):
            job.stop(0)
