"""Checkpoints: a search written to a file, which another run goes on from."""

from __future__ import annotations

import glob
import hashlib
import os
import time as clock
from contextlib import suppress
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import msgspec

from ninefold.errors import InputError, located

__all__ = ["load", "save", "sync_folder", "write_whole"]

_MAGIC = b"ninefold checkpoint 1\n"
_LONGEST_HEAD = 1 << 16
_DRAFT = ".draft"
_STALE = 3600.0  # seconds after which a draft is that of a run that was killed


def save(path: str | PathLike[str], asked: dict[str, Any], state: bytes) -> None:
    """Write the state of a search beside what was asked, as `write_whole` does. Raises InputError where it cannot."""
    head = msgspec.json.encode({"asked": asked, "bytes": len(state), "sha256": hashlib.sha256(state).hexdigest()})
    write_whole(fspath(path), _MAGIC + head + b"\n" + state)


def write_whole(name: str, data: bytes) -> None:
    """Write a file anew.

    The old one stays whole until the new one is on the disk, and then the new one takes its place at once: whenever
    the process is killed, one of the two is there. A link stays one; what is no file, such as a pipe, is written to.
    Raises InputError where it cannot be written; the old one stays.
    """
    target = Path(name).resolve()
    draft = None
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        draft = target.with_name(f"{target.name}.{os.urandom(4).hex()}{_DRAFT}")
        with open(draft, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            draft.chmod(target.stat().st_mode & 0o7777)
        draft.replace(target)
        sync_folder(target.parent)
    except BaseException as error:
        if draft is not None:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(f"cannot be written: {error.strerror}", file=name) from None
        raise


def sync_folder(folder: Path) -> None:
    """Let the names in a folder reach the disk, where the system can be asked to."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _clear(path: Path) -> None:
    """Remove the drafts of runs that were killed while they wrote; a young one may be that of a run under way."""
    with suppress(OSError):
        for draft in path.parent.glob(f"{glob.escape(path.name)}.*{_DRAFT}"):
            if clock.time() - draft.stat().st_mtime > _STALE:
                draft.unlink()


def load(path: str | PathLike[str], asked: dict[str, Any]) -> bytes | None:
    """The state that was saved when the same was asked; None if there is no such file. Raises InputError.

    Removes the drafts that runs left which were killed long ago.
    """
    name = fspath(path)
    _clear(Path(name))
    with located(file=Path(name).name):
        try:
            data = Path(name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}") from None
        if not data.startswith(_MAGIC):
            other = data.startswith(_MAGIC.rstrip(b"1\n"))
            raise InputError(
                "this is a checkpoint of another version of ninefold" if other else "this is no checkpoint"
            )
        line, _, state = data[len(_MAGIC) :].partition(b"\n")
        try:
            head = msgspec.json.decode(line[:_LONGEST_HEAD])
            before, size, digest = head["asked"], head["bytes"], head["sha256"]
        except (msgspec.DecodeError, KeyError, TypeError):
            raise InputError("this checkpoint is damaged") from None
        if len(state) != size or hashlib.sha256(state).hexdigest() != digest:
            raise InputError("this checkpoint is damaged")
        _compare(before, asked)
        return state


def _compare(before: object, asked: dict[str, Any]) -> None:
    """Raise InputError that says what is different from then."""
    if not isinstance(before, dict):
        raise InputError("this checkpoint is damaged")
    for name, value in asked.items():
        if before.get(name) != value:
            raise InputError(f"this is a checkpoint of another {name}")
