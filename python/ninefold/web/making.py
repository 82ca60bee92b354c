"""Positions and rulesets written by clicking, checked at every step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from starlette.responses import Response

from ninefold import files, toml
from ninefold.draw import bare
from ninefold.errors import InputError
from ninefold.games import module
from ninefold.position import Position
from ninefold.ruleset import Ruleset, changes
from ninefold.web.app import at
from ninefold.web.editor import Draft, palette
from ninefold.web.store import Study

if TYPE_CHECKING:
    from ninefold.web.app import Ask, Handler

__all__ = ["ROUTES"]

FIELD, NEW = "v:", "new:"  # in front of the names of a draft's fields, and of those for new names


def show(ask: Ask, item: Draft) -> Response:
    """The form, and what the draft is worth."""
    notice, item.notice = item.notice, ""
    verdict = item.verdict()
    thing = verdict.thing
    return ask.page(
        "edit.html", item=item, tree=item.tree(), verdict=verdict, groups=palette(item), notice=notice, field=FIELD,
        picture=bare(thing.to_svg()) if isinstance(thing, Position) else "", text=toml.encode(item.data),
        changed=toml.encode(changes(thing)) if isinstance(thing, Ruleset) else "", module=module(item.game),
        wrong=_marked(item, verdict.error),
    )  # fmt: skip


def _marked(item: Draft, error: InputError | None) -> str:
    """The place of the innermost field in which the error lies."""
    if error is None:
        return ""
    places, todo = [""], [item.tree()]
    while todo:
        node = todo.pop()
        todo += node.children
        if node.place and (error.path == node.place or error.path.startswith((f"{node.place}.", f"{node.place}["))):
            places.append(node.place)
    return max(places, key=len)


def change(ask: Ask, item: Draft) -> Response:
    """What was typed, and what a button says."""

    def named(mark: str) -> dict[str, str]:
        return {key.removeprefix(mark): text for key, text in ask.form.items() if key.startswith(mark)}

    item.change(named(FIELD), ask.form.get("do", ""), ask.form.get("card", item.card), named(NEW))
    return ask.go(f"/edit/{item.id}")


def undo(ask: Ask, item: Draft) -> Response:
    """As it was before."""
    item.undo()
    return ask.go(f"/edit/{item.id}")


def write(ask: Ask, item: Draft) -> Response:
    """All of it as text."""
    item.replace(files.data_in(ask.form.get("text", ""), ".toml"))
    return ask.go(f"/edit/{item.id}")


def study(ask: Ask, item: Draft) -> Response:
    """Think about the position."""
    verdict = item.verdict()
    if verdict.error is not None:
        raise verdict.error
    position = verdict.thing
    if not isinstance(position, Position):
        raise InputError("this is no position")
    return ask.go(f"/study/{ask.web.store.add(Study(position=position, seat=next(iter(position.actors), 0))).id}")


def save(ask: Ask, item: Draft) -> Response:
    """The file."""
    return ask.file(f"{item.game}-{item.kind}.toml", toml.encode(item.data))


ROUTES: Sequence[tuple[str, str, Handler]] = (
    ("GET", "/edit/{id}", at(Draft, show)),
    ("GET", "/edit/{id}/save", at(Draft, save)),
    ("POST", "/edit/{id}/change", at(Draft, change)),
    ("POST", "/edit/{id}/undo", at(Draft, undo)),
    ("POST", "/edit/{id}/text", at(Draft, write)),
    ("POST", "/edit/{id}/study", at(Draft, study)),
)
