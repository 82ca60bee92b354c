"""Positions to think about, and records to step through."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from ninefold import files
from ninefold.analysis import Limit
from ninefold.charts import course_svg
from ninefold.draw import bare
from ninefold.errors import IllegalMoveError, InputError
from ninefold.table import Table
from ninefold.web.analysing import MEMORY, TIMES, think, wonder
from ninefold.web.app import at
from ninefold.web.editor import Draft
from ninefold.web.playing import LEVELS, choices, seated
from ninefold.web.store import Reading, Riddle, Sitting, Study

if TYPE_CHECKING:
    from ninefold.position import Position
    from ninefold.web.app import Ask, Handler

__all__ = ["ROUTES", "course"]

GLANCE = Limit(time=0.3, visits=3000)  # for each decision of a record


def study(ask: Ask, item: Study) -> Response:
    """A position, everything in it, or what one player knows of it."""
    position = item.position
    eyes = ask.number("eyes", -1, -1, position.players - 1)
    seen = position if eyes < 0 else position.view(eyes)
    notice, item.notice = item.notice, ""
    actors = position.actors
    if item.seat not in actors:
        item.seat = next(iter(actors), 0)
    outcomes = sorted(position.outcomes(), key=lambda pair: -pair[1]) if position.is_chance else []
    return ask.page(
        "study.html", item=item, position=position, picture=bare(seen.to_svg()), text=str(seen), eyes=eyes,
        groups=choices(position, item.seat) if actors else [], outcomes=outcomes, notice=notice, times=TIMES,
    )  # fmt: skip


def play_on(ask: Ask, item: Study) -> Response:
    """Somebody moves, or chance reveals something."""
    after = item.position.copy()
    if item.position.is_chance:
        number = ask.number("outcome", -1, -1, 1 << 30)
        if number >= 0:
            after.chance(number)
        else:
            after.chance()
    else:
        try:
            after.play(item.seat, ask.number("move", -1, -1, 1 << 30))
        except IllegalMoveError as error:
            raise InputError(str(error)) from None
    item.past = [*item.past[-199:], item.position]
    item.position = after
    item.drop_job()
    return ask.go(f"/study/{item.id}")


def back(ask: Ask, item: Study) -> Response:
    """As it was before."""
    if not item.past:
        raise InputError("there is nothing to take back")
    item.position = item.past.pop()
    item.drop_job()
    return ask.go(f"/study/{item.id}")


def sit(ask: Ask, item: Study) -> Response:
    """Whose choice is to be thought about."""
    item.seat = ask.number("seat", item.seat, 0, item.position.players - 1)
    item.drop_job()
    return ask.go(f"/study/{item.id}")


def ponder(ask: Ask, item: Study) -> Response:
    """Think about it."""
    think(ask, item, item.position, item.seat)
    return ask.go(f"/study/{item.id}")


def explain(ask: Ask, item: Study) -> Response:
    """Why the best move, and not another one?"""
    wonder(ask, item, item.position, item.seat)
    return ask.go(f"/study/{item.id}")


def edit(ask: Ask, item: Study) -> Response:
    """Change it by hand."""
    return ask.go(f"/edit/{ask.web.store.add(Draft.of(item.position)).id}")


def puzzle(ask: Ask, item: Study) -> Response:
    """What is it worth, proven?"""
    from ninefold._solve import asked_of

    riddle = Riddle(puzzle=asked_of(item.position.copy(), None), answer=None)
    return ask.go(f"/puzzle/{ask.web.store.add(riddle).id}")


def save(ask: Ask, item: Study) -> Response:
    """The position as a file."""
    return ask.file(f"{item.position.game.name}-position.toml", item.position.to_toml())


# --- records ----------------------------------------------------------------------------------------------------------


def read(ask: Ask, item: Reading) -> Response:
    """A record at one of its steps."""
    steps = item.record.steps
    step = ask.number("step", 0, 0, len(steps))
    position = item.positions[step]
    eyes = ask.number("eyes", -1, -1, position.players - 1)
    seen = position if eyes < 0 else position.view(eyes)
    notice, item.notice = item.notice, ""
    return ask.page(
        "record.html", item=item, record=item.record, position=position, picture=bare(seen.to_svg()), text=str(seen),
        eyes=eyes, step=step, notice=notice, **_drawn(item, step),
    )  # fmt: skip


def _drawn(item: Reading, step: int) -> dict[str, Any]:
    wins = item.record.game.players > 1
    title = "share of the win, by what who chooses knows" if wins else "points expected at the end"
    curve = course_svg(title, dict(item.course), len(item.record.steps), wins=wins, now=step) if item.course else ""
    asked = sum(bool(position.actors) for position in item.positions)
    return {"curve": bare(curve), "asked": asked, "done": min(len(item.course), asked)}


def curve(ask: Ask, item: Reading) -> Response:
    """The value curve so far."""
    if item.job is not None:
        item.job.ask()
    step = ask.number("step", 0, 0, len(item.record.steps))
    return ask.page("curve.html", item=item, step=step, eyes=ask.number("eyes", -1, -1, 99), **_drawn(item, step))


def value(ask: Ask, item: Reading) -> Response:
    """Begin to work out the value curve."""
    positions, found = item.positions, item.course

    def work(tell: Callable[[Any], None]) -> None:
        for number, worth in course(positions, found):
            found[number] = worth
            tell(None)

    item.drop_job()
    item.job = ask.web.jobs.start("course", None, work)
    return _back(ask, item)


def _back(ask: Ask, item: Reading) -> Response:
    """The page from which a button was pressed."""
    step, eyes = ask.number("step", 0, 0, len(item.record.steps)), ask.number("eyes", -1, -1, 99)
    return ask.go(f"/record/{item.id}?step={step}&eyes={eyes}")


def halt(ask: Ask, item: Reading) -> Response:
    """Stop that."""
    item.drop_job()
    return _back(ask, item)


def course(positions: Sequence[Position], known: dict[int, list[float]]) -> Iterator[tuple[int, list[float]]]:
    """What a game was worth to each player at each decision not known yet, from coarse to fine.

    A position is judged by what the one who chooses there knows: by shares of the win, alone by points.
    """
    last = positions[-1]
    if last.is_over:
        points = list(map(float, last.scores()))
        winners = last.winners()
        yield (
            len(positions) - 1,
            [points[seat] if last.players == 1 else (seat in winners) / len(winners) for seat in range(last.players)],
        )
    asked = [number for number, position in enumerate(positions) if position.actors]
    stride = 1 << max(0, len(asked).bit_length() - 1)
    todo = dict.fromkeys(asked[i] for s in _halved(stride) for i in range(0, len(asked), s))
    for number in todo:
        if number not in known:
            yield number, _worth(positions[number])


def _halved(stride: int) -> Iterator[int]:
    while stride:
        yield stride
        stride //= 2


def _worth(position: Position) -> list[float]:
    from ninefold.search import best

    seat = position.actors[0]
    return best(position.view(seat), GLANCE, player=seat, memory=MEMORY).outlook


def resume(ask: Ask, item: Reading) -> Response:
    """An unfinished game: who sits where from here on?"""
    if item.positions[-1].is_over:
        return ask.go(f"/record/{item.id}")
    notice, item.notice = item.notice, ""
    return ask.page("resume.html", item=item, record=item.record, levels=LEVELS, notice=notice)


def go_on(ask: Ask, item: Reading) -> Response:
    """Play an unfinished game on."""
    seats = tuple(seated(ask.form, item.record.game.players))
    table = Table.resume(dataclasses.replace(item.record, seats=seats))
    return ask.go(f"/table/{ask.web.store.add(Sitting(table=table)).id}")


def take_out(ask: Ask, item: Reading) -> Response:
    """The position at a step, to think about."""
    position = item.positions[ask.number("step", 0, 0, len(item.record.steps))]
    kept = Study(position=position.copy(), seat=next(iter(position.actors), 0))
    return ask.go(f"/study/{ask.web.store.add(kept).id}")


def keep(ask: Ask, item: Reading) -> Response:
    """The record as a file."""
    return ask.file(f"{item.record.game.name}-record.toml", files.to_text(item.record, "toml"))


ROUTES: Sequence[tuple[str, str, Handler]] = (
    ("GET", "/study/{id}", at(Study, study)),
    ("GET", "/study/{id}/save", at(Study, save)),
    ("POST", "/study/{id}/move", at(Study, play_on)),
    ("POST", "/study/{id}/undo", at(Study, back)),
    ("POST", "/study/{id}/seat", at(Study, sit)),
    ("POST", "/study/{id}/think", at(Study, ponder)),
    ("POST", "/study/{id}/why", at(Study, explain)),
    ("POST", "/study/{id}/edit", at(Study, edit)),
    ("POST", "/study/{id}/puzzle", at(Study, puzzle)),
    ("GET", "/record/{id}", at(Reading, read)),
    ("GET", "/record/{id}/curve", at(Reading, curve)),
    ("GET", "/record/{id}/save", at(Reading, keep)),
    ("GET", "/record/{id}/resume", at(Reading, resume)),
    ("POST", "/record/{id}/resume", at(Reading, go_on)),
    ("POST", "/record/{id}/value", at(Reading, value)),
    ("POST", "/record/{id}/stop", at(Reading, halt)),
    ("POST", "/record/{id}/study", at(Reading, take_out)),
)
