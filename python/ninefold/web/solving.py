"""Puzzles: play the line yourself, with hints, and see whether it is the best there is."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response

from ninefold import files
from ninefold.draw import bare
from ninefold.errors import InputError
from ninefold.puzzle import Answer
from ninefold.table import PERSON, Table
from ninefold.web.analysing import MEMORY, TIMES, limit_of, think, wonder
from ninefold.web.app import at
from ninefold.web.editor import summary
from ninefold.web.playing import HARD, advance, choices
from ninefold.web.store import Riddle

if TYPE_CHECKING:
    from ninefold.position import Position
    from ninefold.solution import Solution
    from ninefold.web.app import Ask, Handler

__all__ = ["ROUTES"]

_CLOSE = 1e-9


def _table(item: Riddle) -> Table | None:
    """The table at which the puzzle is played: who chooses first is the reader, another one the engine."""
    start = item.puzzle.position
    if item.table is None and start is not None:
        seats = [HARD] * start.players
        seats[next(iter(start.actors), 0)] = PERSON
        item.table = Table(item.puzzle.game, seats, start=start)
    return item.table


def show(ask: Ask, item: Riddle) -> Response:
    """The puzzle as far as it has been played."""
    _learn(item)
    table, puzzle = _table(item), item.puzzle
    notice, item.notice = item.notice, ""
    seat = table.persons[0] if table else 0
    seen = table.view(seat) if table else None
    lines = puzzle.game.module.turns(item.answer.line) if item.answer and item.answer.line else []
    return ask.page(
        "puzzle.html", item=item, puzzle=puzzle, table=table, seat=seat, notice=notice, times=TIMES, lines=lines,
        text=str(seen), picture=bare(seen.to_svg()) if seen else "",
        groups=choices(seen, seat) if table and seen and seat in table.waiting else [], verdict=_verdict(item),
        running=table is not None and not table.waiting and not table.position.is_over, cards=_cards(item),
        worth=_worth(item),
    )  # fmt: skip


def _worth(item: Riddle) -> str:
    """What is known of the answer, in words."""
    if item.answer is None or item.answer.bounds[0] is None:
        return "nothing is known"
    value, puzzle = float(item.answer.bounds[0]), item.puzzle
    said = f"{value:.1%} of the win" if puzzle.objective == "win" else f"{value:g} points"
    if puzzle.question == "value":
        said += " ahead, for player 0" if puzzle.objective == "margin" else ", for player 0"
    return f"{said}, proven" if item.answer.value is not None else f"at least {said}"


def _cards(item: Riddle) -> list[tuple[str, str]]:
    """The cards that a puzzle without a position is about, and what the ruleset says of each."""
    puzzle = item.puzzle
    known = msgspec.to_builtins(getattr(puzzle.game.ruleset, puzzle.game.module.cards))
    words = dict.fromkeys((*puzzle.rabbits, *puzzle.animals, *puzzle.drafts))
    return [(word, summary(known.get(word, ""))) for word in words]


def _learn(item: Riddle) -> None:
    """Take over what a solver has proven."""
    job = item.job
    if job is None or job.kind != "solution" or not job.over or job.latest is None or item.answer is not None:
        return
    found: Solution = job.latest
    if found.certificate and found.lower is not None:
        item.answer = Answer(value=found.value, lower=None if found.proven else found.lower, line=found.line)


def _verdict(item: Riddle) -> str:
    """What was reached beside what can be had, once it is over."""
    worth, unit = item.worth, "points"
    if item.table is not None:
        position, seat = item.table.position, item.table.persons[0]
        if not position.is_over:
            return ""
        scores, winners = position.scores(), position.winners()
        worth = scores[seat]
        if item.puzzle.question == "value":
            margin = item.puzzle.objective == "margin"
            worth = scores[seat] - scores[1 - seat] if margin else 0
            unit = "points ahead" if margin else "of the win"
            if not margin:
                share = (seat in winners) / len(winners)
                return f"You have {share:.0%} of the win.{_proven(item, seat, share)}"
    if worth is None:
        return ""
    seat = item.table.persons[0] if item.table else 0
    return f"You have {worth} {unit}.{_proven(item, seat, worth)}"


def _proven(item: Riddle, seat: int, worth: float) -> str:
    """What is proven of this puzzle, beside what was reached: values are those of player 0."""
    if item.answer is None or item.answer.bounds[0] is None:
        return " Nothing is proven of this puzzle yet: let the solver have a look."
    lower = float(item.answer.bounds[0])
    win = item.puzzle.question == "value" and item.puzzle.objective == "win"
    goal = lower if seat == 0 or item.puzzle.question != "value" else (1 - lower if win else -lower)
    said = f"{goal:.1%} of the win" if win else f"{goal:g}"
    if item.answer.value is None:
        less = worth < goal - _CLOSE
        return f" {said} is known to be possible." if less else " It is not known whether more is possible."
    if worth > goal + _CLOSE:
        return f" {said} was to be expected: luck, or the other one, helped."
    if worth >= goal - _CLOSE:
        return " That is the best there is, proven."
    return f" {said} is possible, proven: take moves back and try again."


def move(ask: Ask, item: Riddle) -> Response:
    """The reader makes a move."""
    table = _table(item)
    if table is None:
        raise InputError("this puzzle is solved by writing a line")
    if ask.form.get("steps", str(len(table.steps))) != str(len(table.steps)):
        raise InputError("the game has gone on since this page was made")
    table.choose(table.persons[0], ask.number("move", -1, -1, 1 << 30))
    return _again(ask, item)


def run(ask: Ask, item: Riddle) -> Response:
    """Chance and the other one do what is theirs."""
    if (table := _table(item)) and not table.waiting:
        advance(table)
    return _again(ask, item)


def undo(ask: Ask, item: Riddle) -> Response:
    """Take back a move."""
    if (table := _table(item)) is not None:
        table.undo()
    return _again(ask, item)


def _again(ask: Ask, item: Riddle) -> Response:
    item.hinted = 0
    if item.job is not None and item.job.kind != "solution":
        item.drop_job()
    return ask.go(f"/puzzle/{item.id}")


def check(ask: Ask, item: Riddle) -> Response:
    """What a written line is worth."""
    item.line, item.worth = ask.form.get("line", "")[:10_000], None
    steps = [word.strip() for word in item.line.replace(",", "\n").splitlines() if word.strip()]
    if not steps:
        raise InputError("write a line: one step on each")
    item.worth = item.puzzle.replay(steps)
    return ask.go(f"/puzzle/{item.id}")


def hint(ask: Ask, item: Riddle) -> Response:
    """The puzzle's own hints, as long as nothing was done; then the next step of the proven line, at first its kind."""
    answer, table = item.answer, _table(item)
    own = item.puzzle.hints if not (table.steps if table else item.line) else ()
    if item.hinted < len(own):
        item.notice = f"Hint: {own[item.hinted]}"
        item.hinted += 1
        return ask.go(f"/puzzle/{item.id}")
    if answer is None or not answer.line:
        raise InputError("no line is known: let the solver have a look")
    done = len(table.steps) if table else len(item.line.splitlines())
    if table and table.steps != answer.line[:done]:
        raise InputError("you have left the line that is known: take moves back, or look at an analysis")
    if done >= len(answer.line):
        raise InputError("the line is at its end")
    step = answer.line[done].partition(": ")[2] or answer.line[done]
    item.notice = f"Hint: {step if own or item.hinted else step.partition(' ')[0] + ' …'}"
    item.hinted += 1
    return ask.go(f"/puzzle/{item.id}")


def reveal(ask: Ask, item: Riddle) -> Response:
    """Show the answer."""
    item.revealed = not item.revealed
    return ask.go(f"/puzzle/{item.id}")


def _seen(item: Riddle) -> tuple[Position, int]:
    """What the reader sees, and his seat. Raises InputError where there is no position."""
    table = _table(item)
    if table is None:
        raise InputError("there is no position to think about: let the solver have a look")
    seat = table.persons[0]
    return table.view(seat), seat


def ponder(ask: Ask, item: Riddle) -> Response:
    """Think about the position on the table."""
    think(ask, item, *_seen(item))
    return ask.go(f"/puzzle/{item.id}")


def explain(ask: Ask, item: Riddle) -> Response:
    """Why the best move, and not another one?"""
    wonder(ask, item, *_seen(item))
    return ask.go(f"/puzzle/{item.id}")


def solve(ask: Ask, item: Riddle) -> Response:
    """Let the solver prove what it is worth."""
    from ninefold._solve import solve as prove

    puzzle, limit = dataclasses.replace(item.puzzle, answer=None), limit_of(ask)

    def work(tell: Callable[[Any], None]) -> Solution:
        return prove(puzzle, limit, memory=MEMORY, report=tell)

    item.drop_job()
    item.job = ask.web.jobs.start("solution", puzzle, work)
    return ask.go(f"/puzzle/{item.id}")


def save(ask: Ask, item: Riddle) -> Response:
    """The puzzle's file, with what is known of its answer."""
    puzzle = dataclasses.replace(item.puzzle, answer=item.answer)
    return ask.file(f"{puzzle.game.name}-puzzle.toml", files.to_text(puzzle, "toml"))


ROUTES: Sequence[tuple[str, str, Handler]] = (
    ("GET", "/puzzle/{id}", at(Riddle, show)),
    ("GET", "/puzzle/{id}/save", at(Riddle, save)),
    ("POST", "/puzzle/{id}/move", at(Riddle, move)),
    ("POST", "/puzzle/{id}/run", at(Riddle, run)),
    ("POST", "/puzzle/{id}/undo", at(Riddle, undo)),
    ("POST", "/puzzle/{id}/check", at(Riddle, check)),
    ("POST", "/puzzle/{id}/hint", at(Riddle, hint)),
    ("POST", "/puzzle/{id}/reveal", at(Riddle, reveal)),
    ("POST", "/puzzle/{id}/think", at(Riddle, ponder)),
    ("POST", "/puzzle/{id}/why", at(Riddle, explain)),
    ("POST", "/puzzle/{id}/solve", at(Riddle, solve)),
)
