"""Plug-ins: rulesets and players of other packages, found by their entry points (docs/plugins.md)."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ninefold.errors import InputError, shown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from ninefold.players import Player
    from ninefold.ruleset import Ruleset

__all__ = ["Kind", "Listed", "is_name", "listed", "names", "player", "ruleset"]

Kind = Literal["ruleset", "player"]


class Listed(NamedTuple):
    """A plug-in in a list. about: what it is. error: why it cannot be used, one line, or ""."""

    kind: Kind
    name: str
    package: str
    about: str
    error: str


def is_name(text: str) -> bool:
    """Whether this can be the name of a plug-in, and not that of a file with an ending or in a folder."""
    return re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_-]*", text) is not None


def names(kind: Kind) -> list[str]:
    """The names that installed packages have given to their plug-ins, by alphabet."""
    return sorted({entry.name for entry in _entries(kind)})


def ruleset(name: str) -> Ruleset | None:
    """The ruleset of the plug-in of this name, None if there is none. Raises InputError for a broken plug-in."""
    from importlib.resources.abc import Traversable

    from ninefold.files import parse
    from ninefold.ruleset import Ruleset

    entry = _find("ruleset", name)
    if entry is None:
        return None
    found = _called("ruleset", entry, entry.load)
    if not isinstance(found, Traversable):
        raise _broken("ruleset", entry, f"this is no file: {shown(found)}")
    text = _called("ruleset", entry, lambda: found.read_text(encoding="utf-8"))
    try:
        made = parse(text, found.name)
    except InputError as error:
        error.file = error.file or f"{found.name} of {_package(entry)}"
        raise
    if not isinstance(made, Ruleset):
        raise _broken("ruleset", entry, f"{found.name} holds no ruleset")
    return made


def player(name: str, said: str) -> Player | None:
    """A player of the plug-in of this name, None if there is none. said: what stands behind the name.

    Raises InputError for a broken plug-in, and where the plug-in refuses what is said (a ValueError of its own).
    """
    entry = _find("player", name)
    if entry is None:
        return None
    make = _called("player", entry, entry.load)
    if not callable(make):
        raise _broken("player", entry, f"{shown(make)} cannot be called")
    try:
        made = _called("player", entry, lambda: make(said), passing=ValueError)
    except ValueError as error:
        spec = f"{name}:{said}" if said else name
        raise InputError(f"{_line(error)} in {shown(spec)}", path="player", value=spec) from None
    if not callable(made):
        raise _broken("player", entry, f"it gives {shown(made)}, which is no player")
    chosen: Player = made
    return chosen


def listed() -> Iterator[Listed]:
    """All plug-ins, each of them tried: rulesets are read, players looked up."""
    for name in names("ruleset"):
        yield from _tried("ruleset", name, partial(_about_ruleset, name))
    for name in names("player"):
        yield from _tried("player", name, partial(_about_player, name))


def _tried(kind: Kind, name: str, about: Callable[[], str]) -> Iterator[Listed]:
    packages = ", ".join(sorted(_package(entry) for entry in _entries(kind) if entry.name == name))
    try:
        if not is_name(name):
            raise InputError(
                f"a plug-in's name has letters, digits, - and _ alone, not {shown(name)}: {packages}", path=kind
            )
        yield Listed(kind, name, packages, about(), "")
    except InputError as error:
        yield Listed(kind, name, packages, "", str(error))


def _about_ruleset(name: str) -> str:
    made = ruleset(name)
    assert made is not None
    return f"{made.game}: {made.title}" if made.title else made.game


def _about_player(name: str) -> str:
    from ninefold.players import KINDS

    entry = _find("player", name)
    assert entry is not None
    if name in KINDS:
        raise _broken("player", entry, "ninefold has a player of this name")
    make = _called("player", entry, entry.load)
    if not callable(make):
        raise _broken("player", entry, f"{shown(make)} cannot be called")
    return (getattr(make, "__doc__", None) or "").strip().partition("\n")[0]


def _entries(kind: Kind) -> tuple[EntryPoint, ...]:
    return _scan(f"ninefold.{kind}s", tuple(sys.path))


@lru_cache(maxsize=8)
def _scan(group: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """The entry points of a group. It costs milliseconds: once for each state of `sys.path`."""
    from importlib.metadata import entry_points  # 10 ms that only a name which is not ninefold's own should cost

    return tuple(entry_points(group=group))


def _find(kind: Kind, name: str) -> EntryPoint | None:
    found = [entry for entry in _entries(kind) if entry.name == name]
    if len(found) > 1:
        packages = " and ".join(sorted(_package(entry) for entry in found))
        raise InputError(f"two plug-ins have the name {shown(name)}: {packages}", path=kind, value=name)
    return found[0] if found else None


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown package"


def _called(kind: Kind, entry: EntryPoint, function: Callable[[], Any], passing: type[Exception] | None = None) -> Any:
    """What the plug-in's code gives. Whatever it raises is its package's fault, and says so."""
    try:
        return function()
    except Exception as error:
        if passing is not None and isinstance(error, passing):
            raise
        raise _broken(kind, entry, f"{type(error).__name__}: {_line(error)}") from error


def _broken(kind: Kind, entry: EntryPoint, why: str) -> InputError:
    return InputError(f"plug-in {shown(entry.name)} of {_package(entry)}: {why}", path=kind, value=entry.name)


def _line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 200 else text[:199] + "…"
