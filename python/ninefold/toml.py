"""TOML as people write it: short lists on one line, one table for each thing (the standard library only reads it)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from json import dumps
from textwrap import fill
from typing import Any

__all__ = ["encode"]

_WIDTH = 100


def encode(data: Mapping[str, Any]) -> str:
    """The data (tables, lists, texts, whole numbers, truth values) as a TOML document."""
    return "\n".join(_table(data, "")).lstrip("\n") + "\n"


def _table(data: Mapping[str, Any], path: str) -> Iterator[str]:
    """The plain entries first, as TOML demands, then what has a heading of its own."""
    headed = {
        key: value for key, value in data.items() if isinstance(value, Mapping) or _is_list_of_things(value, path)
    }
    if path and (len(headed) < len(data) or not data):
        yield f"\n[{path}]"
    yield from (f"{_key(key)} = {_value(value)}" for key, value in data.items() if key not in headed)
    for key, value in headed.items():
        name = f"{path}.{_key(key)}".removeprefix(".")
        if isinstance(value, Mapping):
            yield from _table(value, name)
        else:
            for entry in value:
                yield f"\n[[{name}]]"
                yield from (f"{_key(inner)} = {_value(found)}" for inner, found in entry.items())


def _is_list_of_things(value: object, path: str) -> bool:
    """At the top, tables that hold tables, as the players' do, get a heading each; others fit a line."""
    return path == "" and isinstance(value, list) and bool(value) and all(map(_holds_table, value))


def _holds_table(value: object) -> bool:
    return isinstance(value, Mapping) and any(isinstance(inner, Mapping) for inner in value.values())


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _text(key)


def _text(text: str) -> str:
    return dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: object) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_value(entry)}" for key, entry in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, (list, tuple)):
        line = "[" + ", ".join(_value(entry) for entry in value) + "]"
        return line if len(line) <= _WIDTH else _long_list([_value(entry) for entry in value])
    return str(value)


def _long_list(entries: list[str]) -> str:
    """As many entries a line as fit, none broken."""
    glued = ", ".join(entry.replace(" ", "\0") for entry in entries)
    indent = "  "
    lines = fill(
        glued, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return "[\n" + lines.replace("\0", " ") + ",\n]"
