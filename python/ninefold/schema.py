"""From plain data to typed structs, with msgspec's complaints turned into `InputError`, and the schemas as JSON.

`python -m ninefold.schema [FOLDER]` writes the JSON schemas of everything a file can hold (to docs/schema).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ninefold.errors import InputError, near, shown

__all__ = ["convert", "main", "schemas", "written"]

T = TypeVar("T")

_WORDS = {
    "int": "a whole number", "str": "a text in quotes", "array": "a list", "object": "a table", "bool": "true or false",
    "float": "a number with a point", "null": "nothing",
}  # fmt: skip


def convert(data: object, kind: type[T]) -> T:
    """The data as this type, strictly: no unknown fields, no text for numbers.

    Raises InputError with the path to the first offending value, the value, and a near match for a misspelt field.
    """
    try:
        return msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `")
        raise _explain(data, kind, message, place.removesuffix("`")) from None
    except RecursionError:
        raise InputError("nested too deeply") from None


def _explain(data: object, kind: type[Any], message: str, place: str) -> InputError:
    """The complaint again, for people: msgspec writes `$.player[1].cards[...]`, a number for `...` in lists alone."""
    path: list[str | int] = []
    value = data
    for name, index in re.findall(r"\.(\w+)|\[(\d+|\.\.\.)\]", place):
        unnamed = index == "..."
        key = _culprit(data, kind, path, value, message) if unnamed else name or int(index)
        try:
            value = value[key]  # type: ignore[index]
        except (LookupError, TypeError):
            break
        path.append(key)
    match = ""
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", message):
        match = near(found[1], _fields(kind, path))
        message = f"unknown field {shown(found[1])}"
    elif found := re.fullmatch(r"Object missing required field `(.*)`", message):
        message = f"{found[1]} is missing"
    elif found := re.fullmatch(r"Expected `(.*)`, got `(.*)`", message):
        expected = " or ".join(_WORDS.get(word, word) for word in found[1].split(" | ") if word != "null")
        message = f"must be {expected}, not {shown(value)}"
    elif found := re.fullmatch(r"Expected `(.*)` (of length )?([<>]?=?) ?(-?\d+)", message):
        amount = {">=": "at least ", "<=": "at most "}.get(found[3], "") + found[4]
        message = f"must have {amount} entries" if found[2] else f"must be {amount}, not {shown(value)}"
    elif message.startswith(("Invalid enum value", "Expected `str` matching")):
        message, match = f"unknown value {shown(value)}", near(value, _words(kind, path))
    elif message.startswith("Integer value out of range"):
        message = f"{shown(value)} is far too large"
    return InputError(message, path=written(path), value=value, match=match)


def _culprit(data: object, kind: type[Any], path: list[str | int], table: Any, message: str) -> str | int:
    """Which entry of a table msgspec means, for it does not tell: the one that alone earns the same complaint."""
    entries: Iterator[str | int] = iter(table if isinstance(table, Mapping) else range(len(table)))
    for key in entries:
        alone = {key: table[key]} if isinstance(table, Mapping) else [table[key]]
        try:
            msgspec.convert(_replaced(data, path, alone), kind, strict=True)
        except msgspec.ValidationError as error:
            if str(error).startswith(message):
                return key
    return 0


def _replaced(data: Any, path: list[str | int], value: object) -> Any:
    """A copy of the data with another value at this path."""
    if not path:
        return value
    copy = data.copy()
    copy[path[0]] = _replaced(data[path[0]], path[1:], value)
    return copy


def written(path: Sequence[str | int]) -> str:
    """A path inside a file, as messages write it: `player[1].cards`."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")


def _fields(kind: Any, path: list[str | int]) -> list[str]:
    """Names of the fields of the struct that this path leads to."""
    return list(_node(kind, path).get("properties", {}))


def _words(kind: Any, path: list[str | int]) -> list[str]:
    """The words that may stand where this path leads to."""
    node = _node(kind, path)
    return [word for choice in node.get("anyOf", [node]) for word in choice.get("enum", []) if word]


def _node(kind: Any, path: list[str | int]) -> dict[str, Any]:
    """The schema of what this path leads to."""
    schema = msgspec.json.schema(kind)
    node = schema
    for key in [*path, None]:
        choices = node.get("anyOf", [node])
        node = next((choice for choice in choices if "$ref" in choice or "type" in choice), node)
        if "$ref" in node:
            node = schema["$defs"][node["$ref"].rsplit("/", 1)[-1]]
        if key is None:
            break
        inner = node.get("items") if isinstance(key, int) else node.get("properties", {}).get(key)
        node = inner or node.get("additionalProperties") or {}
    found: dict[str, Any] = node
    return found


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON schema of each thing a file or a line can hold: {"donuts-position": {…}, …, "record": {…}}."""
    from ninefold.analysis import Analysis
    from ninefold.explain import Explanation
    from ninefold.games import NAMES, module
    from ninefold.protocol import Failure, Query
    from ninefold.puzzle import PuzzleFile
    from ninefold.record import RecordFile

    found: dict[str, type] = {
        "analysis": Analysis, "explanation": Explanation, "failure": Failure, "puzzle": PuzzleFile, "query": Query,
        "record": RecordFile,
    }  # fmt: skip
    for name in NAMES:
        found[f"{name}-position"] = module(name).position_type
        found[f"{name}-ruleset"] = module(name).ruleset_type
    # Moves and outcomes are written by their notation.
    return {name: msgspec.json.schema(kind, schema_hook=lambda _: {"type": "string"}) for name, kind in found.items()}


def main(folder: str = "docs/schema") -> None:
    """Write the schemas as FOLDER/<name>.json."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, schema in schemas().items():
        text = msgspec.json.format(msgspec.json.encode(schema, order="sorted"), indent=2).decode() + "\n"
        Path(folder, f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{folder}/{name}.json")


if __name__ == "__main__":
    main(*sys.argv[1:2])
