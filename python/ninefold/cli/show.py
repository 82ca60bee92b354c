"""`ninefold show`: look at a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rich_click as click

from ninefold.cli.common import console, json_option, print_json

if TYPE_CHECKING:
    from ninefold.position import Position
    from ninefold.puzzle import Puzzle
    from ninefold.record import Record

__all__ = ["command", "headline", "show_puzzle"]


@click.command("show")
@click.argument("file")
@click.option("--view", type=int, metavar="PLAYER", help="Only what this player knows.")
@click.option("--svg", metavar="FILE", help="Draw the picture into this file, - is the standard output.")
@click.option("--step", type=int, metavar="N", help="Of a record: the position after N steps.  [default: the last]")
@json_option
def command(file: str, view: int | None, svg: str | None, step: int | None, as_json: bool) -> None:
    """Show the position, puzzle, record or ruleset in FILE, with what can be done.

    \b
    ninefold show examples/donuts-3p.toml
    ninefold show examples/donuts-record.toml --step 20
    ninefold show mine.toml --view 1 --json
    ninefold show mine.toml --svg mine.svg
    ninefold show examples/donuts-record.toml --svg points.svg     the points of a whole record
    """
    from ninefold.errors import InputError
    from ninefold.files import read, to_text
    from ninefold.puzzle import Puzzle
    from ninefold.record import Record
    from ninefold.ruleset import Ruleset

    thing = read(file)
    if isinstance(thing, Puzzle):
        thing = thing.unanswered()
        if not as_json and thing.position is not None:
            click.echo(headline(thing), err=svg == "-")
        thing = thing.position or thing
    if isinstance(thing, (Puzzle, Ruleset)):
        if view is not None or step is not None or svg is not None:
            raise InputError("a ruleset, or a puzzle about cards alone, has no players, steps and pictures")
        click.echo(to_text(thing, "json" if as_json else "toml"), nl=False)
        return
    position = _after(thing, step) if isinstance(thing, Record) else thing
    if step is not None and not isinstance(thing, Record):
        raise InputError("this is no record: it has no steps", path="--step")
    if view is not None:
        if not 0 <= view < position.players:
            raise InputError(f"players are 0 to {position.players - 1}, not {view}", path="--view", value=view)
        position = position.view(view)
    if svg is not None:
        course = isinstance(thing, Record) and step is None and view is None
        with click.open_file(svg, "w", encoding="utf-8") as out:
            out.write(thing.to_svg() if course else position.to_svg())
        return
    if as_json:
        print_json(_facts(position))
        return
    _show(position)


def show_puzzle(puzzle: Puzzle) -> None:
    """A puzzle on the terminal: its title, level and question, and what it is asked of, but no hint and no answer."""
    from ninefold.files import to_text

    if puzzle.position is None:
        click.echo(to_text(puzzle.unanswered(), "toml"), nl=False)
    else:
        click.echo(headline(puzzle))
        _show(puzzle.position)


def headline(puzzle: Puzzle) -> str:
    """Title, question and level in a line."""
    level = "" if puzzle.grade is None else f", level {puzzle.grade.level} of 5"
    return f"{puzzle.title or 'a puzzle'}: {puzzle.question}{level}"


def _show(position: Position) -> None:
    screen = console()
    screen.print(position)
    for player in position.actors:
        moves = [str(move) for move in position.legal(player)]
        screen.print(f"player {player} may: {', '.join(moves)}", soft_wrap=True, markup=False)


def _after(record: Record, step: int | None) -> Position:
    from ninefold.errors import InputError

    positions = list(record.positions())
    if step is not None and not 0 <= step < len(positions):
        raise InputError(f"0 to {len(positions) - 1} steps, not {step}", path="--step", value=step)
    return positions[-1 if step is None else step]


def _facts(position: Position) -> dict[str, object]:
    """The position and what follows from it."""
    return {
        "position": position.to_dict(),
        "scores": position.scores(),
        "is_over": position.is_over,
        "winners": position.winners() if position.is_over else None,
        "actors": list(position.actors),
        "legal": {str(player): [str(move) for move in position.legal(player)] for player in position.actors},
        "outcomes": {str(outcome): chance for outcome, chance in position.outcomes()},
    }
