"""Rulesets: a game's cards, numbers and options as data.

The standard ruleset of each game is `games/<game>.toml` in this package. A user's own is complete, or says
`extends = "standard"` and only what is different.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from ninefold.errors import InputError, near, shown
from ninefold.schema import convert

__all__ = ["Option", "Remark", "Ruleset", "changes", "choose", "merge", "resolve", "standard"]


class Remark(NamedTuple):
    """Something in a file that can be played and is hardly meant so, and where it stands ("": all of it)."""

    path: str
    message: str

    def __str__(self) -> str:
        return ": ".join(filter(None, self))


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule that can be played in several ways: its values, the default, and what it decides."""

    values: list[str]
    default: str
    about: str = ""


class Ruleset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the rulesets of all games share; each game adds its cards."""

    ninefold: Literal[1]
    game: str
    title: str = ""
    options: dict[str, Option] = {}
    presets: dict[str, dict[str, str]] = {}

    @property
    def made_up(self) -> bool:
        """Whether it says of itself that some of its data is not that of a printed game."""
        return "invented" in self.title.lower()

    def check(self) -> None:
        """Raise InputError for anything that the engine cannot play, with its path and what would do."""
        for name, option in self.options.items():
            if option.default not in option.values:
                raise InputError(
                    f"the default {shown(option.default)} is none of its values", path=f"options.{name}.default"
                )
        for name, preset in self.presets.items():
            choose(self, preset, path=f"presets.{name}")

    def warnings(self) -> list[Remark]:
        """What can be played and yet is probably a slip: where these cards and numbers depart from the printed game."""
        return []


R = TypeVar("R", bound=Ruleset)
_standard: dict[str, Ruleset] = {}


@cache
def _standard_data(game: str) -> dict[str, Any]:
    text = Path(__file__).with_name("games").joinpath(f"{game}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def standard(game: str, kind: type[R]) -> R:
    """The game's own ruleset, made once."""
    if game not in _standard:
        ruleset = convert(_standard_data(game), kind)
        ruleset.check()
        _standard[game] = ruleset
    found = _standard[game]
    assert isinstance(found, kind)
    return found


def resolve(data: Mapping[str, Any], kind: type[R]) -> R:
    """The ruleset that this data describes, complete and checked.

    data: the whole of it, or `extends = "standard"` with what changes. Raises InputError.
    """
    data = dict(data)
    name = data.setdefault("game", "")
    base = data.pop("extends", None)
    if base is None:
        for table in ("options", "presets"):
            data.setdefault(table, _standard_data(name)[table])
    else:
        if base != "standard":
            raise InputError(
                f"a ruleset extends 'standard', not {shown(base)}",
                path="extends",
                value=base,
                match=near(base, ["standard"]),
            )
        known = _standard_data(name)
        _check_words(known, data, kind)
        data = merge(known, data)
    ruleset = convert(data, kind)
    ruleset.check()
    return ruleset


def _check_words(known: Mapping[str, Any], data: Mapping[str, Any], kind: type[Ruleset]) -> None:
    """What extends a ruleset may change a card or bring a whole new one, but not half of an unknown one."""
    for table, cards in known.items():
        changed = data.get(table)
        if not isinstance(cards, dict) or not isinstance(changed, dict):
            continue
        needed = _needed(kind, table)
        for word, card in changed.items():
            if word not in cards and isinstance(card, dict) and not needed <= set(card):
                raise InputError(f"unknown entry {shown(word)}", path=table, value=word, match=near(word, cards))


def _needed(kind: type[Ruleset], table: str) -> set[str]:
    """What an entry of a table must say."""
    field = next(field for field in msgspec.structs.fields(kind) if field.name == table)
    entry = getattr(field.type, "__args__", (None, None))[1]  # what a table with names of one's own holds
    fields = msgspec.structs.fields(entry) if isinstance(entry, type) and issubclass(entry, msgspec.Struct) else ()
    return {field.encode_name for field in fields if field.required}


def merge(base: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """The base with the change's entries in place of its own; tables are merged, everything else is replaced."""
    merged = dict(base)
    for key, value in change.items():
        old = merged.get(key)
        merged[key] = merge(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return merged


def changes(ruleset: Ruleset) -> dict[str, Any]:
    """What a ruleset file must say, its head apart, to describe this ruleset: {} for the standard one.

    What is different, with `extends`; or everything, where cards of the standard one are missing or in another order.
    """
    base, other = msgspec.to_builtins(standard(ruleset.game, type(ruleset))), msgspec.to_builtins(ruleset)
    different = _difference(base, other)
    if msgspec.json.encode(merge(base, different)) == msgspec.json.encode(other):
        return {"extends": "standard", **different} if different else {}
    return {key: value for key, value in other.items() if key not in ("ninefold", "game")}


def _difference(base: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in other.items():
        old = base.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            if inner := _difference(old, value):
                found[key] = inner
        elif value != old or key not in base:
            found[key] = value
    return found


def choose(ruleset: Ruleset, values: Mapping[str, Any], *, path: str = "options") -> dict[str, str]:
    """All options of a ruleset: these values, the defaults elsewhere. Raises InputError for unknown ones."""
    for name, value in values.items():
        if name not in ruleset.options:
            raise InputError(f"unknown option {shown(name)}", path=path, value=name, match=near(name, ruleset.options))
        allowed = ruleset.options[name].values
        if value not in allowed:
            raise InputError(
                f"must be {' or '.join(allowed)}, not {shown(value)}", path=f"{path}.{name}", value=value,
                match=near(value, allowed),
            )  # fmt: skip
    return {name: values.get(name, option.default) for name, option in ruleset.options.items()}
