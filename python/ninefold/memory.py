"""How much memory a search may take if nobody says: what is free, by every limit that holds for this process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["default_memory", "free_memory", "give_back", "share"]

_UNKNOWN = 1 << 31  # bytes taken to be free where nothing tells
_LEAST, _MOST = 1 << 21, 1 << 30  # bytes that a search gets by default

_BLOCK = 1 << 18  # bytes from which a block goes back to the system at once
_M_MMAP_THRESHOLD = -3  # of mallopt(3)

_sharers = 1  # processes that search at the same time as this one, with it


def default_memory(least: int = _LEAST) -> int:
    """Bytes: a quarter of what is free, less where many processes share it, up to 1 GiB; 2 MiB, or `least`, anyway."""
    return max(_LEAST, least, min(_MOST, free_memory() // max(4, 2 * _sharers)))


def share(processes: int) -> None:
    """From now on so many processes share what is free: each gets its part of one half."""
    global _sharers
    _sharers = processes


def give_back() -> None:
    """From now on trees that are done with go back to the system at once: for processes that go on for long.

    Else glibc keeps them for more of their kind, up to 64 MiB for each of many threads. Other libraries are left alone.
    """
    import ctypes

    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _BLOCK)


def free_memory(root: str = "/") -> int:
    """Bytes that this process can still take: by the machine, by its control groups, and by `ulimit -v`.

    root: where /proc and /sys are.
    """
    top = Path(root)
    found = [*_machine(top), *_groups(top), *_address_space(top)]
    return max(0, min(found, default=_UNKNOWN))


def _machine(top: Path) -> Iterator[int]:
    """What the system could give without swapping."""
    try:
        for line in (top / "proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                yield 1024 * int(line.split()[1])
                return
        yield os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        pass


def _groups(top: Path) -> Iterator[int]:
    """What is left of the control groups' limits, of each group from this process's up to the root."""
    try:
        lines = (top / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, name = line.split(":", 2)
        if controllers == "":
            folder, limit, used, cache = "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"
        elif "memory" in controllers.split(","):
            folder, cache = "sys/fs/cgroup/memory", "total_inactive_file"
            limit, used = "memory.limit_in_bytes", "memory.usage_in_bytes"
        else:
            continue
        group = Path(name.lstrip("/"))
        for part in (group, *group.parents):  # in a container the group may be the mount's root itself
            at = top / folder / part
            left, taken = _number(at / limit), _number(at / used)
            if left is not None and taken is not None:
                yield left - taken + _cache(at / "memory.stat", cache)


def _number(file: Path) -> int | None:
    try:
        return int(file.read_text())
    except (OSError, ValueError):  # no such group, or "max"
        return None


def _cache(file: Path, name: str) -> int:
    """Bytes of files that the system lets go when it needs room."""
    try:
        for line in file.read_text().splitlines():
            key, _, value = line.partition(" ")
            if key == name:
                return int(value)
    except (OSError, ValueError):
        pass
    return 0


def _address_space(top: Path) -> Iterator[int]:
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            pages = int((top / "proc/self/statm").read_text().split()[0])
            yield limit - pages * os.sysconf("SC_PAGE_SIZE")
    except (ImportError, OSError, ValueError):
        pass
