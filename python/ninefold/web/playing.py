"""A game between persons at this screen and the engine: nobody sees what he may not know."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.responses import Response

from ninefold import files
from ninefold.analysis import Limit
from ninefold.draw import bare
from ninefold.errors import InputError, shown
from ninefold.table import PERSON, Table
from ninefold.web.analysing import MEMORY, TIMES, think, wonder
from ninefold.web.app import at
from ninefold.web.store import Reading, Sitting

if TYPE_CHECKING:
    from ninefold.move import Move
    from ninefold.position import Position
    from ninefold.web.app import Ask, Handler

__all__ = ["HARD", "LEVELS", "ROUTES", "USUAL", "Choice", "advance", "choices", "hinted", "seated"]

STEP = 0.25  # seconds of quick steps, such as those of chance, in one go
HINT = Limit(time=0.5)

# The only players that a page may seat: names of others could run what they like.
LEVELS: Mapping[str, str] = {
    PERSON: "a person here",
    "random": "random moves",
    "softmax:1": "engine, easy",
    "greedy": "engine, quick guess",
    (USUAL := f"best:visits=1000,time=2,memory={MEMORY}"): "engine, thinks a little",
    (HARD := f"best:visits=30000,time=5,memory={MEMORY}"): "engine, thinks hard",
}


@dataclass(frozen=True)
class Choice:
    """A legal move for the page. number: from 1, in the order of the list."""

    number: int
    move: Move
    gloss: str

    @property
    def id(self) -> int:
        """Of the move."""
        return int(self.move)


def choices(position: Position, seat: int) -> list[tuple[str, list[Choice]]]:
    """Somebody's legal moves, by their first words."""
    found: dict[str, list[Choice]] = {}
    for number, move in enumerate(position.legal(seat), 1):
        gloss = position.game.module.gloss(position, move)
        found.setdefault(str(move).partition(" ")[0], []).append(Choice(number, move, gloss))
    return list(found.items())


def seated(form: Mapping[str, str], players: int) -> list[str]:
    """Who shall sit where. Raises InputError for names that are not offered."""
    seats = []
    for seat in range(players):
        name = form.get(f"seat{seat}", PERSON)
        if name not in LEVELS:
            raise InputError(f"nobody here is called {shown(name)}", path=f"seats[{seat}]", value=name)
        seats.append(name)
    return seats


def advance(table: Table) -> None:
    """What happens before a person must choose, as much of it as is quick, but one step at least."""
    began = clock.monotonic()
    while table.step() is not None and clock.monotonic() - began < STEP:
        pass


def hinted(position: Position, seat: int) -> Move:
    """A quick idea what to do."""
    from ninefold.search import best

    return best(position, HINT, player=seat, memory=MEMORY).best


def _tells_apart(table: Table) -> bool:
    """Whether the persons at the table know different things."""
    first, *others = (table.heard(seat) for seat in table.persons)
    return table.position.secrets == "hidden" or any(heard != first for heard in others)


def _look(item: Sitting) -> int | None:
    """Whose view to show: a seat, None for nobody's. While nobody must choose the last one's stays."""
    table = item.table
    persons, waiting = table.persons, table.waiting
    if len(persons) == 1:
        item.seat = persons[0]
    elif waiting and item.seat not in waiting:
        item.seat = None if _tells_apart(table) else waiting[0]
    return item.seat


def show(ask: Ask, item: Sitting) -> Response:
    """The table as one of the persons knows it; all of it when the game is over, or nobody plays."""
    table = item.table
    seat = _look(item)
    open_to_all = table.position.is_over or not table.persons
    notice, item.notice = item.notice, ""
    if seat is None and not open_to_all:
        return ask.page("pass.html", item=item, table=table, notice=notice, next=next(iter(table.waiting), None))
    position = table.position if open_to_all or seat is None else table.view(seat)
    steps = table.steps if open_to_all or seat is None else table.heard(seat)
    mine = seat is not None and seat in table.waiting
    return ask.page(
        "table.html", item=item, table=table, position=position, picture=bare(position.to_svg()), seat=seat,
        groups=choices(position, seat) if mine and seat is not None else [], steps=steps, notice=notice, times=TIMES,
        levels=LEVELS, running=not table.waiting and not table.position.is_over,
    )  # fmt: skip


def run(ask: Ask, item: Sitting) -> Response:
    """Chance and the engine do what is theirs."""
    if not item.table.waiting:
        item.drop_job()
        advance(item.table)
    return ask.go(f"/table/{item.id}")


def _mine(ask: Ask, item: Sitting) -> int:
    """The seat whose view is shown, if it is his turn. Raises InputError."""
    if ask.form.get("steps", str(len(item.table.steps))) != str(len(item.table.steps)):
        raise InputError("the game has gone on since this page was made")
    seat = _look(item)
    if seat is None or seat not in item.table.waiting:
        raise InputError("nobody here has to choose now")
    return seat


def move(ask: Ask, item: Sitting) -> Response:
    """The person before the screen makes a move."""
    seat = _mine(ask, item)
    item.table.choose(seat, ask.number("move", -1, -1, 1 << 30))
    item.hinted = 0
    item.drop_job()
    return ask.go(f"/table/{item.id}")


def undo(ask: Ask, item: Sitting) -> Response:
    """Take back the last move of the person before the screen."""
    seat = _look(item)
    if seat is None:
        raise InputError("first say who is there")
    item.table.undo(seat)
    item.hinted = 0
    item.drop_job()
    return ask.go(f"/table/{item.id}")


def unveil(ask: Ask, item: Sitting) -> Response:
    """Somebody says that the screen is his."""
    seat = ask.number("seat", -1, -1, 99)
    if seat not in item.table.waiting:
        raise InputError("it is not this player's turn")
    item.seat = seat
    item.drop_job()
    return ask.go(f"/table/{item.id}")


def hint(ask: Ask, item: Sitting) -> Response:
    """What to do: at first the kind of move, then the move."""
    seat = _mine(ask, item)
    idea = str(hinted(item.table.view(seat), seat))
    item.notice = f"Hint: {idea if item.hinted else idea.partition(' ')[0] + ' …'}"
    item.hinted += 1
    return ask.go(f"/table/{item.id}")


def analyse(ask: Ask, item: Sitting) -> Response:
    """Think about what the person before the screen knows."""
    seat = _mine(ask, item)
    think(ask, item, item.table.view(seat), seat)
    return ask.go(f"/table/{item.id}")


def explain(ask: Ask, item: Sitting) -> Response:
    """Why the best move, and not another one?"""
    seat = _mine(ask, item)
    wonder(ask, item, item.table.view(seat), seat)
    return ask.go(f"/table/{item.id}")


def save(ask: Ask, item: Sitting) -> Response:
    """The game so far, as a file that can be opened again."""
    return ask.file(f"{item.table.game.name}-game.toml", files.to_text(item.table.record(), "toml"))


def replay(ask: Ask, item: Sitting) -> Response:
    """The record of a game that is over."""
    if not item.table.position.is_over:
        raise InputError("the game is not over: its record would show what is hidden")
    record = item.table.record()
    reading = Reading(record=record, positions=tuple(record.positions()))
    return ask.go(f"/record/{ask.web.store.add(reading).id}")


ROUTES: Sequence[tuple[str, str, Handler]] = (
    ("GET", "/table/{id}", at(Sitting, show)),
    ("GET", "/table/{id}/save", at(Sitting, save)),
    ("POST", "/table/{id}/run", at(Sitting, run)),
    ("POST", "/table/{id}/move", at(Sitting, move)),
    ("POST", "/table/{id}/undo", at(Sitting, undo)),
    ("POST", "/table/{id}/show", at(Sitting, unveil)),
    ("POST", "/table/{id}/hint", at(Sitting, hint)),
    ("POST", "/table/{id}/think", at(Sitting, analyse)),
    ("POST", "/table/{id}/why", at(Sitting, explain)),
    ("POST", "/table/{id}/replay", at(Sitting, replay)),
)
