"""`ninefold puzzle`: puzzles made, graded and proven; one for every day; a folder of them as a list."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from ninefold.cli.common import console, json_option, print_json, work_options

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager

    from ninefold.puzzle import Puzzle

__all__ = ["command"]


@click.group("puzzle", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Puzzles with a single best first move, proven, graded from 1 (easy) to 5, with hints.

    \b
    ninefold puzzle make coney --level 3 --out mine     with hints and the answer
    ninefold puzzle daily                               today's, without them
    ninefold puzzle kinds                               what can be asked
    ninefold puzzle list examples/book                  the puzzles of a folder

    `ninefold show FILE` shows a puzzle without its answer, `ninefold check FILE` plays the answer again, and
    `ninefold solve FILE` proves it again.
    """


@command.command("make")
@click.argument("game")
@click.option("--kind", metavar="KIND", help="What is asked: one of `puzzle kinds`.  [default: any]")
@click.option("--level", type=int, metavar="1…5", help="How hard it shall be.  [default: any]")
@click.option("--count", type=int, default=1, show_default=True, help="How many: with this seed and those after it.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same puzzle everywhere.")
@click.option("--out", metavar="DIR", help="Write files here. Those that are there already are kept.")
@work_options
@json_option
def make_command(
    game: str,
    kind: str | None,
    level: int | None,
    count: int,
    seed: int,
    out: str | None,
    executor: Executor | None,
    workers: int,
    as_json: bool,
) -> None:
    """Make puzzles of GAME: positions from play that have a single best first move, or cards with a single best set.

    \b
    ninefold puzzle make donuts > mine.toml
    ninefold puzzle make coney --kind farm --seed 7
    ninefold puzzle make territory --level 4 --count 10 --out mine --workers 2

    Without --out the file is printed, with hints and answer. Hard ones may take a minute. Ctrl-C keeps what has been
    written; the same command again makes the rest.
    """
    from ninefold.errors import InputError, whole
    from ninefold.files import to_text
    from ninefold.puzzles import check_wish

    check_wish(game, seed, kind, level)
    whole("count", count, 1, 100_000)
    seeds = range(seed, seed + count)
    if out is None:
        if count > 1 and not as_json:
            raise InputError("more than one puzzle needs a folder: --out DIR", path="--count", value=count)
        found = dict(_made(game, kind, level, list(seeds), executor, workers))
        if as_json:
            print_json([found[one].to_dict() for one in seeds])
        else:
            click.echo(to_text(found[seed], "toml"), nl=False)
        return
    folder = Path(out)
    named = {one: folder / f"{'-'.join(str(word) for word in (game, kind, level, one) if word)}.toml" for one in seeds}
    _prepare(folder)
    waiting = [one for one, file in named.items() if not file.exists()]
    for one, file in named.items():
        if one not in waiting:
            click.echo(f"{file}: is there already, kept", err=True)
    written: list[dict[str, object]] = []
    for one, puzzle in _made(game, kind, level, waiting, executor, workers):
        _write(puzzle, named[one])
        written.append(_row(named[one], puzzle))
        if not as_json:
            # At once, for whoever waits at the end of a pipe; click would write around what moves on the terminal.
            print(f"{named[one]}: level {written[-1]['level']}, {puzzle.title}", flush=True)
    if as_json:
        print_json(written)


@command.command("daily")
@click.option("--date", "day", metavar="YYYY-MM-DD", help="Of this day.  [default: today]")
@click.option("--game", metavar="GAME", help="Of this game.  [default: all of them in turn]")
@click.option("--out", metavar="FILE", help="Write it here, with hints and answer.")
@json_option
def daily_command(day: str | None, game: str | None, out: str | None, as_json: bool) -> None:
    """The puzzle of a day: made anew from the date, without any network, and the same on every machine.

    \b
    ninefold puzzle daily
    ninefold puzzle daily --date 2026-12-24 --game coney --out today.toml

    It is shown without its answer; the file has that, and the hints, too.
    """
    import datetime

    from ninefold.cli.show import show_puzzle
    from ninefold.errors import InputError
    from ninefold.puzzles import daily

    try:
        date = datetime.date.today() if day is None else datetime.date.fromisoformat(day)
    except ValueError:
        raise InputError("a date is YYYY-MM-DD", path="--date", value=day) from None
    if out is not None and Path(out).exists():
        raise InputError("is there already", file=out)
    with _busy("making the puzzle of the day …"):
        puzzle = daily(date, game)
    if out is not None:
        _write(puzzle, Path(out))
    if as_json:
        print_json(puzzle.to_dict())
    else:
        show_puzzle(puzzle)


@command.command("kinds")
@click.argument("game", required=False)
@json_option
def kinds_command(game: str | None, as_json: bool) -> None:
    """What can be asked, of GAME or of all games.

    \b
    ninefold puzzle kinds coney
    """
    from ninefold.games import NAMES, module

    found = {
        name: {kind: what.about for kind, what in module(name).puzzle_kinds().items()}
        for name in (NAMES if game is None else (game,))
    }
    if as_json:
        print_json(found)
        return
    for name, kinds in found.items():
        for kind, about in kinds.items():
            click.echo(f"{name:10} {kind:8} {about}")


@command.command("list")
@click.argument("folder", default=".", metavar="[DIR]")
@json_option
def list_command(folder: str, as_json: bool) -> None:
    """The puzzles among the files of DIR, with their levels, the easy ones first. Default: this folder.

    \b
    ninefold puzzle list examples/book
    """
    from ninefold.errors import InputError
    from ninefold.files import read
    from ninefold.puzzle import Puzzle

    where = Path(folder)
    if not where.is_dir():
        raise InputError("no such folder", file=folder)
    found = []
    for file in sorted([*where.glob("*.toml"), *where.glob("*.json")]):
        try:
            thing = read(file)
        except InputError as error:
            click.echo(f"ninefold: {error}", err=True)
            continue
        if isinstance(thing, Puzzle):
            found.append(_row(file, thing))
    found.sort(key=lambda row: (row["game"], row["level"] or 0, row["file"]))
    if as_json:
        print_json(found)
        return
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("level", "game", "title", "file"):
        table.add_column(name)
    for row in found:
        table.add_row(str(row["level"] or "?"), str(row["game"]), str(row["title"]), Path(str(row["file"])).name)
    console().print(table)
    click.echo(f"{len(found)} puzzle{'' if len(found) == 1 else 's'}")


def _made(
    game: str, kind: str | None, level: int | None, seeds: list[int], executor: Executor | None, workers: int
) -> Iterator[tuple[int, Puzzle]]:
    """The puzzles of these seeds, as they are ready."""
    from ninefold.puzzles import task
    from ninefold.work import spread

    with _busy(f"making {len(seeds)} of {game} …"):
        tasks = [(game, seed, kind, level) for seed in seeds]
        for number, puzzle in spread(task, tasks, executor=executor, workers=workers):
            yield seeds[number], puzzle


def _busy(what: str) -> AbstractContextManager[object]:
    """Something moves on the terminal while it works."""
    from contextlib import nullcontext

    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.live import Live
    from rich.spinner import Spinner

    # What is printed meanwhile stands above it, but goes where it should if that is no terminal.
    return Live(
        Spinner("dots", what), console=Console(stderr=True), transient=True, redirect_stdout=sys.stdout.isatty(),
    )  # fmt: skip


def _prepare(folder: Path) -> None:
    from ninefold.errors import InputError

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", file=str(folder)) from None


def _write(puzzle: Puzzle, file: Path) -> None:
    """Only where there is nothing yet."""
    from ninefold.errors import InputError
    from ninefold.files import text_format, to_text

    try:
        with open(file, "x", encoding="utf-8") as out:
            out.write(to_text(puzzle, text_format(str(file))))
    except FileExistsError:
        raise InputError("is there already", file=str(file)) from None
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=str(file)) from None


def _row(file: Path, puzzle: Puzzle) -> dict[str, object]:
    """What a list says of a puzzle."""
    level = None if puzzle.grade is None else puzzle.grade.level
    return {
        "file": str(file), "game": puzzle.game.name, "question": puzzle.question, "level": level, "title": puzzle.title,
    }  # fmt: skip
