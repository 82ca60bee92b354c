"""Checkpoints: a search written to a file, which another run goes on from."""

from __future__ import annotations

import hashlib
import os
import tempfile
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import msgspec

from ninefold.errors import InputError, located

__all__ = ["load", "save", "write_whole"]

_MAGIC = b"ninefold checkpoint 1\n"
_LONGEST_HEAD = 1 << 16


def save(path: str | PathLike[str], asked: dict[str, Any], state: bytes) -> None:
    """Write the state of a search beside what was asked. The old file stays whole until the new one is.

    Raises InputError where it cannot be written.
    """
    name = fspath(path)
    head = msgspec.json.encode({"asked": asked, "bytes": len(state), "sha256": hashlib.sha256(state).hexdigest()})
    write_whole(name, _MAGIC + head + b"\n" + state)


def write_whole(name: str, data: bytes) -> None:
    """Write a file anew. The old one stays whole until the new one is. Raises InputError where it cannot be written."""
    handle, draft = -1, ""
    try:
        handle, draft = tempfile.mkstemp(prefix=Path(name).name + ".", dir=Path(name).parent)
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, name)
    except BaseException as error:
        if draft and os.path.exists(draft):
            os.unlink(draft)
        if isinstance(error, OSError):
            raise InputError(f"cannot be written: {error.strerror}", file=name) from None
        raise


def load(path: str | PathLike[str], asked: dict[str, Any]) -> bytes | None:
    """The state that was saved when the same was asked; None if there is no such file. Raises InputError."""
    name = fspath(path)
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
