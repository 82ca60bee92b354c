"""What several commands share: the options that name a game, and how results are printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import rich_click as click

if TYPE_CHECKING:
    from rich.console import Console

    from ninefold._game import Game
    from ninefold.position import Position

__all__ = ["console", "game_options", "json_option", "make_game", "print_json", "read_position"]

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
