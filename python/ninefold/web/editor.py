"""Positions and rulesets as forms: made from the types that files are read into, for every game alike."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec import inspect

from ninefold import files
from ninefold._game import Game, game
from ninefold.core.rules import Generator
from ninefold.errors import InputError, near, shown
from ninefold.games import module
from ninefold.position import Position
from ninefold.ruleset import Ruleset
from ninefold.schema import written
from ninefold.web.store import Item

__all__ = ["Draft", "Group", "Node", "Verdict", "palette", "summary"]

Path = tuple[str | int, ...]

_HIDDEN = {  # of the head: what makes it a file of this game, and what its rules may be
    "position": ("ninefold", "game", "ruleset"), "ruleset": ("ninefold", "game", "options", "presets")
}  # fmt: skip
_PAST = 30  # steps that can be undone
_LARGEST = 20_000  # values in a draft
_SPECIAL = ("-", "?")  # no card, and one that is not known
_GAMES = 3  # random ones, in which the words of positions are looked up
_FORMS = {"list": "a list", "struct": "a table", "table": "a table", "whole": "a number", "text": "a word"}


@dataclass(frozen=True)
class Group:
    """Words that can be chosen from a list: the cards of one table of the ruleset, or what a position writes beside."""

    name: str
    words: tuple[str, ...]


@dataclass
class Node:
    """One value in the form.

    kind: struct, table, list, text, whole, number, choice, flag or nothing. label: its name in what it lies in. place:
    where it is, as messages write it; name: the same for programs. words: those that stand in a text side by side, such
    as the cells of a row. choices: what may stand there. missing: fields that may be added. others: forms it may take,
    by number. folded: its inside is not shown. item: the kind of what can be added to a list or table.
    """

    kind: str
    label: str
    place: str
    name: str
    value: Any
    children: list[Node] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    others: list[tuple[int, str]] = field(default_factory=list)
    removable: bool = False
    foldable: bool = False
    folded: bool = False
    item: str = ""


@dataclass(frozen=True)
class Verdict:
    """What a draft is worth: the thing it describes or why it is none, and what is probably a slip."""

    thing: Position | Ruleset | None
    error: InputError | None
    remarks: tuple[str, ...] = ()


@dataclass(kw_only=True)
class Draft(Item):
    """A position or ruleset being written. `data` is what its file would hold; it may be wrong in the meantime."""

    game: str
    kind: Literal["position", "ruleset"]
    data: dict[str, Any]
    past: list[dict[str, Any]] = field(default_factory=list)
    card: str = ""
    unfolded: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, position: Position) -> Draft:
        """A draft of this position, without what only counts the rest: every change would have to count again."""
        data, kind = files.to_dict(position), _type(position.game.name, "position")
        assert isinstance(kind, inspect.StructType)
        for name in [found.encode_name for found in kind.fields if found.default is None]:
            shorter = {key: value for key, value in data.items() if key != name}
            try:
                alike = files.from_dict(shorter)
            except InputError:
                continue
            if isinstance(alike, Position) and alike.game is position.game and alike == position:
                data = shorter
        return cls(game=position.game.name, kind="position", data=data)

    @property
    def type(self) -> inspect.Type:
        """What the file is read into."""
        return _type(self.game, self.kind)

    def verdict(self) -> Verdict:
        """Read it as a file."""
        try:
            thing = files.from_elsewhere(self.data)
        except InputError as error:
            return Verdict(None, error)
        if self.kind == "position":
            if not isinstance(thing, Position):
                return Verdict(None, InputError("this is no position"))
            return Verdict(thing, None)
        if not isinstance(thing, Ruleset):
            return Verdict(None, InputError("this is no ruleset"))
        remarks = [str(remark) for remark in thing.warnings()]
        for players in module(self.game).players:
            try:
                game(self.game, players, ruleset=thing)
            except InputError as error:
                remarks.append(f"{players} cannot play it: {error}")
        return Verdict(thing, None, tuple(remarks))

    def tree(self) -> Node:
        """The form."""
        return _node(self.type, self.data, (), self, removable=False)

    def change(self, values: Mapping[str, str], action: str, card: str, names: Mapping[str, str]) -> None:
        """Write what was typed into fields, and do what a button says. Raises InputError; nothing has happened then.

        values: by the name of a node. action: "" or JSON, such as `["remove", ["row", 0], ""]`. card: the one chosen.
        names: for new entries, by the name of the node they go into.
        """
        before = copy.deepcopy(self.data)
        self.card = card[:60]
        try:
            for name, text in values.items():
                self._set(_path(name), text)
            if action:
                self._act(action, names)
            if _size(self.data) > _LARGEST:
                raise InputError("this grows too large")
        except InputError:
            self.data = before
            raise
        if self.data != before:
            self.past = [*self.past[1 - _PAST :], before]

    def undo(self) -> None:
        """As it was before the last change. Raises InputError."""
        if not self.past:
            raise InputError("there is nothing to take back")
        self.data = self.past.pop()

    def replace(self, data: dict[str, Any]) -> None:
        """Other data of the same game and kind in its place. Raises InputError."""
        if data.get("game") != self.game:
            raise InputError(f"this is a {self.kind} of {self.game}, not of {shown(data.get('game'))}", path="game")
        self.past = [*self.past[1 - _PAST :], self.data]
        self.data = data

    def _set(self, path: Path, text: str) -> None:
        kind, value = self._at(path)
        if _text(value) != text:
            self._put(path, _typed(kind, text))

    def _put(self, path: Path, value: Any) -> None:
        if not path:
            raise InputError("the whole of it cannot be replaced")
        self._at(path[:-1])[1][path[-1]] = value

    def _at(self, path: Path) -> tuple[inspect.Type, Any]:
        """Type and value of what lies there."""
        kind, value = self.type, self.data
        for depth, key in enumerate(path):
            kind = _inner(_pick(kind, value), key)
            try:
                value = value[key]  # type: ignore[index]
            except (LookupError, TypeError):
                raise InputError("is no more: the page was out of date", path=written(path[: depth + 1])) from None
        return kind, value

    def _act(self, action: str, names: Mapping[str, str]) -> None:
        try:
            verb, path, more = msgspec.json.decode(action, type=tuple[str, tuple[str | int, ...], str])
        except msgspec.DecodeError:
            raise InputError(f"unknown action {shown(action)}") from None
        if verb == "fold":
            self.unfolded ^= {written(path)}
            return
        kind, value = self._at(path)
        picked = _pick(kind, value)
        if verb == "remove" and path:
            del self._at(path[:-1])[1][path[-1]]
        elif verb == "add" and isinstance(value, (list, dict)):
            self._add(picked, value, names.get(_name(path)) or self.card, path)
        elif verb == "field" and isinstance(picked, inspect.StructType):
            value[more] = _empty(_inner(picked, more))
        elif verb == "become":
            options = _alternatives(kind)
            if not more.isdecimal() or int(more) >= len(options):
                raise InputError(f"unknown action {shown(action)}")
            self._put(path, _empty(options[int(more)], self.card))
        elif verb == "card":
            self._put(path, self._chosen())
        elif verb == "word" and isinstance(value, str) and more.isdecimal() and int(more) < len(value.split()):
            words = value.split()
            words[int(more)] = self._chosen()
            self._put(path, " ".join(words))
        elif verb in ("more", "less") and not isinstance(value, (list, dict)):
            self._put(path, (value if isinstance(value, int) else 0) + (1 if verb == "more" else -1))
        else:
            raise InputError(f"unknown action {shown(action)}")

    def _chosen(self) -> str:
        if not self.card:
            raise InputError("choose a card from the list first")
        return self.card

    def _add(self, kind: inspect.Type, value: Any, word: str, path: Path) -> None:
        if isinstance(value, list):
            inner = _inner(kind, 0)
            if any(isinstance(option, (inspect.StrType, inspect.IntType)) for option in _alternatives(inner)):
                value.append(_typed(inner, word) if word else _empty(inner))
            else:
                value.append(_empty(inner))
            return
        key = word.strip()
        if not key:
            raise InputError("choose a card from the list first, or type a name", path=written(path))
        if key in value:
            if isinstance(value[key], int):
                value[key] += 1
                return
            raise InputError(f"there is a {shown(key)} already", path=written(path))
        inner = _inner(kind, key)
        value[key] = 1 if isinstance(_alternatives(inner)[0], inspect.IntType) else _empty(inner)
        self.unfolded.add(written((*path, key)))


@lru_cache(maxsize=32)
def _type(name: str, kind: str) -> inspect.Type:
    """What a position or ruleset of this game is read into."""
    found = module(name)
    return inspect.type_info(found.position_type if kind == "position" else found.ruleset_type)


def _alternatives(kind: inspect.Type) -> list[inspect.Type]:
    """What may stand there, nothing apart."""
    options = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return [option for option in options if not isinstance(option, inspect.NoneType)] or [kind]


def _pick(kind: inspect.Type, value: Any) -> inspect.Type:
    """The alternative that this value is of; the first one if it is of none."""
    options = _alternatives(kind)
    return next((option for option in options if _holds(option, value)), options[0])


def _holds(kind: inspect.Type, value: Any) -> bool:
    match kind:
        case inspect.StructType() | inspect.DictType():
            return isinstance(value, dict)
        case inspect.ListType():
            return isinstance(value, list)
        case inspect.LiteralType():
            return value in kind.values
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return isinstance(value, int) and not isinstance(value, bool)
        case inspect.FloatType():
            return isinstance(value, float)
        case inspect.StrType():
            return isinstance(value, str)
    return False


def _inner(kind: inspect.Type, key: str | int) -> inspect.Type:
    """The type of what lies in it under this key."""
    match kind:
        case inspect.StructType():
            names = {found.encode_name: found.type for found in kind.fields}
            if key not in names:
                raise InputError(f"unknown field {shown(key)}", match=near(key, names))
            return names[str(key)]
        case inspect.DictType():
            return kind.value_type
        case inspect.ListType():
            return kind.item_type
    raise InputError(f"there is nothing in it called {shown(key)}")


def _empty(kind: inspect.Type, card: str = "") -> Any:
    """The least that may stand there, for people to go on from."""
    picked = _alternatives(kind)[0]
    match picked:
        case inspect.StructType():
            return {found.encode_name: _empty(found.type, card) for found in picked.fields if found.required}
        case inspect.DictType():
            return {}
        case inspect.ListType():
            return []
        case inspect.LiteralType():
            return next((value for value in picked.values if value), picked.values[0])
        case inspect.BoolType():
            return True
        case inspect.IntType():
            return 0
        case inspect.FloatType():
            return 0.0
    return card


def _typed(kind: inspect.Type, text: str) -> Any:
    """What somebody means who writes this there; the text itself if it cannot stand there: reading it says why."""
    word = text.strip()
    for option in _alternatives(kind):
        if isinstance(option, inspect.LiteralType):
            for value in option.values:
                if _text(value) == word:
                    return value
        if isinstance(option, inspect.BoolType) and word in ("true", "false"):
            return word == "true"
        try:
            if isinstance(option, inspect.IntType):
                return int(word)
            if isinstance(option, inspect.FloatType):
                return float(word)
        except ValueError:
            continue
    return word


def _text(value: Any) -> str:
    """A value as its field shows it."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _path(name: str) -> Path:
    try:
        return msgspec.json.decode(name, type=tuple[str | int, ...])
    except msgspec.DecodeError:
        raise InputError(f"unknown field {shown(name)}") from None


def _name(path: Path) -> str:
    return msgspec.json.encode(path).decode()


def _size(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(map(_size, value.values()))
    return 1 + sum(map(_size, value)) if isinstance(value, list) else 1


_KINDS = {
    inspect.StructType: "struct", inspect.DictType: "table", inspect.ListType: "list", inspect.LiteralType: "choice",
    inspect.BoolType: "flag", inspect.IntType: "whole", inspect.FloatType: "number",
}  # fmt: skip


def _kind(kind: inspect.Type) -> str:
    return _KINDS.get(type(kind), "text")


def _node(kind: inspect.Type, value: Any, path: Path, draft: Draft, *, removable: bool) -> Node:
    picked = _pick(kind, value)
    if not _holds(picked, value):  # it is of no kind that may stand there: its field takes what does
        picked = next((one for one in _alternatives(kind) if _kind(one) in ("text", "whole")), picked)
    form = _kind(picked)
    if form in ("struct", "table", "list") and not _holds(picked, value):
        form = "text"
    node = Node(
        form, str(path[-1]) if path else "", written(path), _name(path), value,
        removable=removable,
    )  # fmt: skip
    options = _alternatives(kind)
    node.others = [
        (number, _FORMS[_kind(option)])
        for number, option in enumerate(options)
        if _kind(option) in _FORMS and _kind(option) != form and {form, _kind(option)} != {"text", "whole"}
    ]
    if isinstance(value, dict) and form in ("struct", "table"):
        _table(node, picked, value, path, draft)
    elif form == "list":
        inner = _inner(picked, 0)
        node.item = _kind(_alternatives(inner)[0])
        node.children = [_node(inner, one, (*path, i), draft, removable=True) for i, one in enumerate(value)]
        for number, child in enumerate(node.children):
            child.label = str(number if child.kind in ("struct", "table") else number + 1)
    elif isinstance(picked, inspect.LiteralType):
        node.choices = [_text(option) for option in picked.values]
        if _text(value) not in node.choices:
            node.choices.append(_text(value))
    elif form == "text" and len(words := str(value).split()) > 1:
        known = {*_SPECIAL, *(word for group in palette(draft) for word in group.words)}
        if all(word in known or word.strip("()").partition("+")[0] in known for word in words):
            node.words = words
    return node


def _table(node: Node, kind: inspect.Type, value: Mapping[str, Any], path: Path, draft: Draft) -> None:
    if isinstance(kind, inspect.StructType):
        for found in kind.fields:
            name = found.encode_name
            if path == () and name in _HIDDEN[draft.kind]:
                continue
            if name in value:
                child = _node(found.type, value[name], (*path, name), draft, removable=not found.required)
                node.children.append(child)
            else:
                node.missing.append(name)
        return
    inner = _inner(kind, "")
    node.item = _kind(_alternatives(inner)[0])
    for key, one in value.items():
        place = written((*path, key))
        foldable = node.item in ("struct", "table")
        if foldable and place not in draft.unfolded:
            child = Node(node.item, key, place, _name((*path, key)), summary(one), folded=True)
        else:
            child = _node(inner, one, (*path, key), draft, removable=True)
            child.label = key
        child.foldable, child.removable = foldable, True
        node.children.append(child)


def summary(value: Any) -> str:
    """What a folded entry says, on one line."""
    if not isinstance(value, dict):
        return _text(value)
    said = " · ".join(f"{key} {_text(one) if not isinstance(one, dict) else '…'}" for key, one in value.items())
    return said if len(said) <= 80 else said[:79] + "…"


# --- the cards to choose from -----------------------------------------------------------------------------------------


def palette(draft: Draft) -> tuple[Group, ...]:
    """The words to choose from where a position is written: the cards of its game, as its files name them."""
    if draft.kind == "ruleset":
        return ()
    ruleset, players = draft.data.get("ruleset"), module(draft.game).players[-1]
    try:
        return _words(game(draft.game, players, ruleset=ruleset if isinstance(ruleset, dict) else None))
    except InputError:
        return _words(game(draft.game, players))


@lru_cache(maxsize=8)
def _words(of: Game) -> tuple[Group, ...]:
    """The words of the ruleset's tables that positions mention, and the other words in their lists."""
    listed: set[str] = set()
    counted: set[str] = set()
    for seed in range(_GAMES):
        for position in _played(of, seed):
            _collect(of.module.dump(position), listed, counted)
    groups, told = [], set(_SPECIAL)
    for name, table in msgspec.to_builtins(of.ruleset).items():
        is_cards = isinstance(table, dict) and name not in _HIDDEN["ruleset"]
        words = [word for word in table if word not in told] if is_cards else []
        if not (listed | counted).isdisjoint(words):
            groups.append(Group(name, tuple(words)))
            told.update(words)
    rest = sorted(word for word in listed - told if word.isidentifier())
    if rest:
        groups.append(Group("other words", tuple(rest)))
    return (*groups, Group("no card, or unknown", _SPECIAL))


def _played(of: Game, seed: int) -> Iterator[Position]:
    rng, position = Generator(seed), of.start()
    while not position.is_over:
        yield position
        if position.actors:
            player = position.actors[0]
            position.play(player, rng.choice(position.legal(player)))
        else:
            position.chance(rng=rng)


def _collect(value: Any, listed: set[str], counted: set[str]) -> None:
    """The words in the lists of a position, and the names of its counts."""
    if isinstance(value, dict):
        counted.update(key for key, one in value.items() if isinstance(one, int))
        for one in value.values():
            _collect(one, listed, counted)
    elif isinstance(value, list):
        listed.update(one for one in value if isinstance(one, str))
        for one in value:
            _collect(one, listed, counted)
