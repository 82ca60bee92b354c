"""`ninefold check`: is a file right?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import rich_click as click
from click.exceptions import Exit

from ninefold.cli.common import json_option, print_json

if TYPE_CHECKING:
    from ninefold.position import Position
    from ninefold.puzzle import Puzzle
    from ninefold.record import Record
    from ninefold.ruleset import Ruleset

__all__ = ["command"]


@click.command("check")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@json_option
def command(files: tuple[str, ...], as_json: bool) -> None:
    """Check that each FILE holds a possible position, a record or puzzle that can be replayed, or a playable ruleset.

    \b
    ninefold check examples/*.toml
    ninefold deal donuts --json | ninefold check -

    Each wrong file gets one line on stderr, and the exit code is 2. A ruleset that can be played, but departs from the
    printed game, gets a warning for each departure, also on stderr; the exit code stays 0.
    """
    from ninefold.errors import InputError
    from ninefold.files import read
    from ninefold.ruleset import Ruleset

    found: list[dict[str, object]] = []
    wrong = False
    for file in files:
        try:
            thing = read(file)
        except InputError as error:
            wrong = True
            found.append({"file": file, "error": str(error), "path": error.path, "match": error.match})
            if not as_json:
                click.echo(f"ninefold: {error}", err=True)
        else:
            said = _described(thing)
            remarks = thing.warnings() if isinstance(thing, Ruleset) else []
            found.append({"file": file, "ok": said, "warnings": [remark._asdict() for remark in remarks]})
            if not as_json:
                click.echo(f"{file}: {said}")
                for remark in remarks:
                    click.echo(f"ninefold: {file}: warning: {remark}", err=True)
    if as_json:
        print_json(found)
    if wrong:
        raise Exit(2)


def _described(thing: Position | Puzzle | Record | Ruleset) -> str:
    from ninefold.position import Position
    from ninefold.puzzle import Puzzle
    from ninefold.record import Record

    if isinstance(thing, Position):
        return f"a position: {str(thing).splitlines()[0]}"
    if isinstance(thing, Puzzle):
        level = "" if thing.grade is None else f", level {thing.grade.level}"
        return f"a puzzle{f': {thing.title}' if thing.title else ''}: {thing.question}{level}{_answered(thing)}"
    if isinstance(thing, Record):
        return f"a record of {thing.game!r}: {len(thing.steps)} steps"
    return f"a ruleset of {thing.game}" + (f": {thing.title}" if thing.title else "")


def _answered(puzzle: Puzzle) -> str:
    """What the file says about the answer; reading it has replayed the line."""
    answer = puzzle.answer
    if answer is None:
        return ""
    lower, upper = answer.bounds
    said = f" {lower:g}, said to be proven" if answer.value is not None else f", said to be from {lower} to {upper}"
    certain = bool(answer.line) and puzzle.replay(answer.line) is not None
    return said + ("; its line reaches it" if certain else "; its line is legal" if answer.line else "")
