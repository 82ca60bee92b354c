"""Files: positions, puzzles, records and rulesets as TOML for people and JSON for programs (docs/files.md)."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from ninefold import plugins, toml
from ninefold._game import Game, game
from ninefold.errors import InputError, located, near, shown
from ninefold.games import PositionFile, module
from ninefold.position import Position
from ninefold.ruleset import Ruleset, changes, resolve
from ninefold.schema import convert

if TYPE_CHECKING:
    from ninefold.puzzle import Puzzle
    from ninefold.record import Record

__all__ = [
    "Format", "data_in", "decoded", "from_dict", "from_elsewhere", "parse", "position_in", "read", "read_ruleset",
    "text_format", "to_dict", "to_text", "write",
]  # fmt: skip

Format = Literal["toml", "json"]
_LARGEST = 1 << 24  # bytes of a file: a record of a long game has 20 kB


def read(path: str | PathLike[str]) -> Position | Puzzle | Record | Ruleset:
    """What a file holds: a position, puzzle, record or ruleset, told apart by content. "-" is the standard input.

    TOML or JSON by the name's ending, else by content. Raises InputError, one line that names the file, for anything
    wrong with it.
    """
    name = fspath(path)
    with located(file=Path(name).name if name != "-" else "standard input"):
        return parse(_text(name), name, Path(name).parent if name != "-" else Path())


def parse(text: str, name: str, folder: Path = Path()) -> Position | Puzzle | Record | Ruleset:
    """What a file of this name and text holds; the folder is as for `from_dict`. Raises InputError."""
    return from_dict(data_in(text, name), folder)


def data_in(text: str, name: str) -> dict[str, Any]:
    """The data that the text of a file of this name holds, unchecked. Raises InputError."""
    return _parse(text, text_format(name, text))


def read_ruleset(name: str | PathLike[str], of: str, folder: Path = Path()) -> Ruleset:
    """The ruleset of this name for a game: a plug-in's where one has the name, else that of a file in the folder."""
    found: object = None
    if isinstance(name, str) and plugins.is_name(name):
        found = plugins.ruleset(name)
        match = near(name, plugins.names("ruleset"))
        if found is None and match and not (folder / name).exists():
            raise InputError(f"no file and no plug-in {shown(name)}", path="ruleset", value=name, match=match)
    found = found or read(folder / name)
    if not isinstance(found, Ruleset) or found.game != of:
        raise InputError(f"this is no ruleset of {of}", path="ruleset", value=name)
    return found


def text_format(name: str, text: str = "") -> Format:
    """ "toml" or "json", by the ending of the name, else by the first character of the text."""
    ending = Path(name).suffix.lower()
    if ending in (".toml", ".json"):
        return "json" if ending == ".json" else "toml"
    return "json" if text.lstrip()[:1] == "{" else "toml"


def _text(name: str) -> str:
    try:
        if name == "-":
            data = sys.stdin.buffer.read(_LARGEST + 1)
        else:
            with open(name, "rb") as file:
                data = file.read(_LARGEST + 1)
    except IsADirectoryError:
        raise InputError("this is a directory, not a file") from None
    except FileNotFoundError:
        folder = Path(name).parent
        names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
        raise InputError("no such file", match=near(Path(name).name, names)) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > _LARGEST:
        raise InputError(f"more than {_LARGEST >> 20} MiB: this is no file of ninefold's")
    return decoded(data)


def decoded(data: bytes) -> str:
    """The text that a file of these bytes holds. Raises InputError."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 text: byte {data[error.start]:#04x} at {error.start}") from None
    if "\0" in text:
        raise InputError(f"is not text: a NUL character at {text.index(chr(0))}")
    if not text.strip():
        raise InputError("is empty")
    return text


def _parse(text: str, kind: Format) -> dict[str, Any]:
    try:
        data = msgspec.json.decode(text) if kind == "json" else tomllib.loads(text)
    except (tomllib.TOMLDecodeError, msgspec.DecodeError) as error:
        raise InputError(f"is no {kind.upper()}: {' '.join(str(error).split())}") from None
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, thousands of brackets
        what = "nested too deeply" if isinstance(error, RecursionError) else "a number is far too long"
        raise InputError(f"is no {kind.upper()}: {what}") from None
    if not isinstance(data, dict):
        raise InputError(f"a file holds a table, not {shown(data)}")
    return data


def from_elsewhere(data: Mapping[str, Any]) -> Position | Puzzle | Record | Ruleset:
    """As `from_dict`, for data that somebody else sent: it may name a plug-in's ruleset, but no file here."""
    ruleset = data.get("ruleset")
    if isinstance(ruleset, str) and ruleset not in plugins.names("ruleset"):
        raise InputError("names a file: give the ruleset itself", path="ruleset", value=ruleset)
    return from_dict(data)


def from_dict(data: Mapping[str, Any], folder: Path = Path()) -> Position | Puzzle | Record | Ruleset:
    """What this data describes, a position if nothing else.

    A puzzle has a `question`, a record `steps`, a ruleset its cards or `extends`.

    folder: what a ruleset's file name is relative to. Raises InputError.
    """
    if "ninefold" not in data:
        raise InputError("'ninefold = 1' is missing: this is no file of ninefold's, or its first lines are lost")
    if data["ninefold"] != 1 or isinstance(data["ninefold"], bool):
        raise InputError(
            f"the format's version is 1, not {shown(data['ninefold'])}", path="ninefold", value=data["ninefold"]
        )
    if "game" not in data:
        raise InputError("game is missing")
    found = module(data["game"])
    if "question" in data:
        from ninefold.puzzle import Puzzle

        return Puzzle.from_dict(data, folder)
    if "steps" in data:
        from ninefold.record import Record

        return Record.from_dict(data, folder)
    if found.cards in data or "extends" in data:
        ruleset = resolve(data, found.ruleset_type)
        assert isinstance(ruleset, Ruleset)
        return ruleset
    form = convert(dict(data), found.position_type)
    players = found.count_players(form)
    if players not in found.players:
        raise InputError(
            f"{found.name} is for {found.counts} players, not {players}",
            path="player",
            value=players,
        )
    return found.load(game_of(form.game, players, form.preset, form.options, form.ruleset, folder), form)


def game_of(
    name: str,
    players: int,
    preset: str,
    options: Mapping[str, str],
    ruleset: str | dict[str, Any] | None,
    folder: Path,
) -> Game:
    """The game that a file says it is about; the name of a ruleset's file is relative to the folder."""
    if isinstance(ruleset, str):
        found = read_ruleset(ruleset, name, folder)
        return game(name, players, preset=preset, options=options, ruleset=found)
    return game(name, players, preset=preset, options=options, ruleset=ruleset)


def position_in(of: Game, data: Mapping[str, Any]) -> Position:
    """The position of this game that the data describes, as in a file. Raises InputError."""
    form = convert({"ninefold": 1, "game": of.name, **data}, of.module.position_type)
    assert isinstance(form, PositionFile)
    if form.game != of.name:
        raise InputError(f"this is a game of {of.name}, not {shown(form.game)}", path="game", value=form.game)
    players = of.module.count_players(form)
    if players != of.players:
        raise InputError(f"this game has {of.players} players, not {players}", path="player", value=players)
    return of.module.load(of, form)


def game_fields(of: Game) -> dict[str, Any]:
    """The head of a file about this game: as little as makes it the same game."""
    fields: dict[str, Any] = {"ninefold": 1, "game": of.name}
    ruleset, options = of.ruleset, dict(of.options)
    defaults = {name: option.default for name, option in ruleset.options.items()}
    for name, preset in ruleset.presets.items():
        if {**defaults, **preset} == options:
            if name != "standard":
                fields["preset"] = name
            break
    else:
        base = {**defaults, **ruleset.presets.get("standard", {})}
        fields["options"] = {name: value for name, value in options.items() if value != base[name]}
    if changed := changes(ruleset):
        fields["ruleset"] = changed
    return fields


def to_dict(thing: Position | Puzzle | Record | Ruleset) -> dict[str, Any]:
    """The data of a file that holds this; `from_dict` reads it back."""
    if isinstance(thing, Position):
        return {**game_fields(thing.game), **thing.game.module.dump(thing)}
    if isinstance(thing, Ruleset):
        data = msgspec.to_builtins(thing)
        assert isinstance(data, dict)
        return data
    return thing.to_dict()


def to_text(thing: Position | Puzzle | Record | Ruleset, kind: Format) -> str:
    """The text of a file that holds this."""
    data = to_dict(thing)
    if kind == "toml":
        return toml.encode(data)
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n"


def write(thing: Position | Puzzle | Record | Ruleset, path: str | PathLike[str]) -> None:
    """Write a position, puzzle, record or ruleset; JSON if the name ends so, else TOML. "-" is the standard output."""
    name = fspath(path)
    text = to_text(thing, text_format(name))
    if name == "-":
        sys.stdout.write(text)
    else:
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
