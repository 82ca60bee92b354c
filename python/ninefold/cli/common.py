"""What several commands share: the options that name a game, and how results are printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import rich_click as click

if TYPE_CHECKING:
    from rich.console import Console

    from ninefold._game import Game
    from ninefold.position import Position

__all__ = [
    "console", "game_options", "games_options", "json_option", "make_game", "print_json", "progress", "read_position",
    "work_options",
]  # fmt: skip

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def game_options(function: F) -> F:
    """The options that say which game: players, preset, option, ruleset."""
    for option in (
        click.option("--ruleset", metavar="FILE|NAME", help="Cards and numbers of your own, or a plug-in's."),
        click.option("--option", "options", metavar="NAME=VALUE", multiple=True, help="One rule of several ways."),
        click.option("--preset", default="standard", show_default=True, help="A named set of options, such as bga."),
        click.option("--players", type=int, help="Number of players.  [default: the fewest]"),
    ):
        function = option(function)
    return function


def games_options(function: F) -> F:
    """The options of many games: seed, file (as `results`)."""
    for option in (
        click.option("--file", "results", metavar="FILE", help="Keep the games here, and go on if it is there."),
        click.option("--seed", type=int, default=0, show_default=True, help="The same seed plays the same games."),
    ):
        function = option(function)
    return function


def work_options(function: F) -> F:
    """The options that say where long work is done: workers, on. The command gets `executor` and `workers`."""

    @click.option("--workers", type=int, metavar="N", help="Processes, or tasks at once on a cluster.  [default: 1]")
    @click.option("--on", metavar="WHERE", help="dask: processes here; dask://host:port: a cluster, see docs/scale.md.")
    @wraps(function)
    def with_executor(*arguments: Any, workers: int | None, on: str | None, **others: Any) -> Any:
        from ninefold.errors import InputError
        from ninefold.work import executor_for

        try:
            with executor_for(on, workers) as (executor, number):
                return function(*arguments, executor=executor, workers=number, **others)
        except InputError as error:
            if error.path in ("on", "workers", "executor"):  # as it stands on the command line
                error.path = f"--{error.path.replace('executor', 'on')}"
            raise

    return with_executor  # type: ignore[return-value]


def make_game(name: str, players: int | None, preset: str, options: tuple[str, ...], ruleset: str | None) -> Game:
    """The game that these options name. Raises InputError."""
    from ninefold._game import game
    from ninefold.errors import InputError, shown

    chosen = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise InputError(f"an option is NAME=VALUE, not {shown(option)}", path="--option")
        chosen[key.strip()] = value.strip()
    return game(name, players, preset=preset, options=chosen, ruleset=ruleset)


def read_position(file: str) -> Position:
    """The position in a file, or that of the puzzle in it. Raises InputError, also for anything else."""
    from ninefold.errors import InputError
    from ninefold.files import read
    from ninefold.position import Position
    from ninefold.puzzle import Puzzle

    found = read(file)
    if isinstance(found, Puzzle) and found.position is not None:
        found = found.position
    if not isinstance(found, Position):
        raise InputError("this is no position: it has nothing to choose", file=file)
    return found


def print_json(data: object) -> None:
    """One JSON document on the standard output."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(data), indent=2).decode())


def console(*, stderr: bool = False) -> Console:
    """Where pictures go: in colour and as wide as it is on a terminal, 100 columns of plain text elsewhere."""
    import os
    import sys

    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, width=None if stream.isatty() or "COLUMNS" in os.environ else 100, highlight=False)


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """How far long work is: call it with what is done, how many, of how many. Only a terminal on stderr shows it."""
    import sys

    if not sys.stderr.isatty():
        yield lambda what, done, total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total)
