"""The first page, the page on which a game is made, and files brought along."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from ninefold import files
from ninefold._game import Game, game
from ninefold.errors import InputError, located
from ninefold.games import NAMES, GameModule, module
from ninefold.position import Position
from ninefold.puzzle import Puzzle
from ninefold.record import Record
from ninefold.ruleset import Ruleset
from ninefold.table import Table
from ninefold.web.analysing import picture
from ninefold.web.editor import Draft
from ninefold.web.playing import LEVELS, USUAL, seated
from ninefold.web.store import Reading, Riddle, Sitting, Study

if TYPE_CHECKING:
    from ninefold.web.app import Ask, Handler
    from ninefold.web.jobs import Job

__all__ = ["ROUTES"]


def start(ask: Ask) -> Response:
    """Everything that can be begun."""
    return ask.page("start.html", games=[module(name) for name in NAMES], shelf=ask.web.shelf)


def new(ask: Ask) -> Response:
    """A game to be made: players, options, seats."""
    found = _module(ask.part("game"))
    base = _start(ask)
    ruleset = _ruleset(ask, found)
    rules = found.standard() if ruleset is None else ruleset
    low, high = found.players[0], found.players[-1]
    players = base.players if base is not None else ask.number("players", max(2, low) if high > 1 else low, low, high)
    return ask.page(
        "new.html", module=found, rules=rules, players=players, levels=LEVELS, usual=USUAL, start=ask.query("start"),
        deck=ask.query("deck"), title=rules.title,
    )  # fmt: skip


def make(ask: Ask) -> Response:
    """Make it, and go where the button says."""
    found = _module(ask.part("game"))
    base = _start(ask)
    of = base.game if base is not None else _game(ask, found)
    text = ask.form.get("seed", "").strip()
    if text and not (text.isdecimal() and len(text) < 20):
        raise InputError("the seed is a whole number", path="seed", value=text)
    seed = int(text) if text else secrets.randbits(32)
    todo = ask.form.get("do")
    if todo == "study":
        study = Study(position=of.deal(seed))
        return ask.go(f"/study/{ask.web.store.add(study).id}")
    if todo == "edit":
        return ask.go(f"/edit/{ask.web.store.add(Draft.of(of.deal(seed))).id}")
    table = Table(of, seated(ask.form, of.players), seed=seed, start=base)
    return ask.go(f"/table/{ask.web.store.add(Sitting(table=table)).id}")


def deck(ask: Ask) -> Response:
    """The cards of a game, to be changed."""
    found = _module(ask.part("game"))
    data = files.to_dict(found.standard())
    return ask.go(f"/edit/{ask.web.store.add(Draft(game=found.name, kind='ruleset', data=data)).id}")


def bring(ask: Ask) -> Response:
    """What somebody brought as text or as a file."""
    name = ask.form.get("name", "")
    text = ask.form.get("file") or ask.form.get("text", "")
    if not text.strip():
        raise InputError("choose a file, or paste its text")
    with located(file=name[:60]):
        return lay_out(ask, files.from_elsewhere(files.data_in(text, name)))


def shelved(ask: Ask) -> Response:
    """A file that the server was started with."""
    number = ask.part("number")
    if not number.isdecimal() or int(number) >= len(ask.web.shelf):
        raise HTTPException(404, "there is no such file")
    return lay_out(ask, ask.web.shelf[int(number)].thing)


def lay_out(ask: Ask, thing: Position | Puzzle | Record | Ruleset) -> Response:
    """The page for this thing."""
    store = ask.web.store
    if isinstance(thing, Puzzle):
        return ask.go(f"/puzzle/{store.add(Riddle(puzzle=thing, answer=thing.answer)).id}")
    if isinstance(thing, Record):
        reading = store.add(Reading(record=thing, positions=tuple(thing.positions())))
        # What was saved in the middle of a game is not shown: its cards may be hidden from who plays on.
        unfinished = thing.seats is not None and not reading.positions[-1].is_over
        return ask.go(f"/record/{reading.id}" + ("/resume" if unfinished else ""))
    if isinstance(thing, Ruleset):
        data = files.to_dict(thing)
        return ask.go(f"/edit/{store.add(Draft(game=thing.game, kind='ruleset', data=data)).id}")
    position = thing.copy()
    return ask.go(f"/study/{store.add(Study(position=position, seat=next(iter(position.actors), 0))).id}")


def job(ask: Ask) -> Response:
    """What a job has found so far."""
    return _told(ask, _job(ask))


def stop(ask: Ask) -> Response:
    """End a job and show what it has found."""
    found = _job(ask)
    found.stop()
    return _told(ask, found)


def _job(ask: Ask) -> Job:
    found = ask.web.jobs.find(ask.part("id"))
    if found is None:
        raise HTTPException(404, "this analysis is gone")
    found.ask()
    return found


def _told(ask: Ask, found: Job) -> Response:
    latest = found.latest
    shown: Any = picture(found.about, latest) if found.kind == "analysis" and latest is not None else latest
    return ask.page("job.html", job=found, shown=shown)


def _module(name: str) -> GameModule[Any, Any]:
    try:
        return module(name)
    except InputError as error:
        raise HTTPException(404, str(error)) from None


def _start(ask: Ask) -> Position | None:
    """The position from which a game is to begin, if somebody laid one out."""
    name = ask.form.get("start") or ask.query("start")
    return ask.find(Study, name).position if name else None


def _ruleset(ask: Ask, found: GameModule[Any, Any]) -> Ruleset | None:
    """The ruleset that somebody wrote for it, if he did. Raises InputError."""
    name = ask.form.get("deck") or ask.query("deck")
    if not name:
        return None
    verdict = ask.find(Draft, name).verdict()
    if verdict.error is not None:
        raise verdict.error
    if not isinstance(verdict.thing, Ruleset) or verdict.thing.game != found.name:
        raise InputError(f"this is no ruleset of {found.name}")
    return verdict.thing


def _game(ask: Ask, found: GameModule[Any, Any]) -> Game:
    players = ask.number("players", found.players[0], 0, 99)
    options = {
        key.removeprefix("option."): value
        for key, value in ask.form.items()
        if key.startswith("option.") and value
    }  # fmt: skip
    preset = ask.form.get("preset", "standard")
    return game(found.name, players, preset=preset, options=options, ruleset=_ruleset(ask, found))


ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/", start),
    ("GET", "/new/{game}", new),
    ("POST", "/new/{game}", make),
    ("POST", "/deck/{game}", deck),
    ("POST", "/open", bring),
    ("POST", "/shelf/{number}", shelved),
    ("GET", "/job/{id}", job),
    ("POST", "/job/{id}/stop", stop),
)
