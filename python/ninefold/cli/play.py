"""`ninefold play`: a game against the engine, or with friends at one keyboard."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import rich_click as click

from ninefold.cli.common import console, game_options, make_game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ninefold.position import Position
    from ninefold.puzzle import Puzzle
    from ninefold.record import Record

__all__ = ["command"]


@click.command("play")
@click.argument("what", metavar="[GAME|FILE]", required=False)
@game_options
@click.option("--solo", is_flag=True, help="Alone: as --players 1.")
@click.option("--seat", "persons", type=int, metavar="N", multiple=True, help="A person sits here.  [default: at 0]")
@click.option(
    "--against", "others", metavar="PLAYER", multiple=True, help="Who takes the other seats; the last one all."
)
@click.option("--level", type=click.IntRange(1, 5), help="How strong the others are, instead of names.  [default: 3]")
@click.option("--seed", type=int, help="The same seed brings the same luck.  [default: a fresh one]")
@click.option("--resume", metavar="FILE", help="Go on with this game; as FILE alone.")
@click.option("--position", metavar="FILE", help="Begin at this position or puzzle; as FILE alone.")
@click.option("--save", metavar="FILE", help="Where the game is kept.  [default: ninefold-GAME-SEED.toml]")
def command(
    what: str | None,
    players: int | None,
    preset: str,
    options: tuple[str, ...],
    ruleset: str | None,
    solo: bool,
    persons: tuple[int, ...],
    others: tuple[str, ...],
    level: int | None,
    seed: int | None,
    resume: str | None,
    position: str | None,
    save: str | None,
) -> None:
    """Play GAME, or go on from the position, puzzle or saved game in FILE: type a move, its number, or ? for help.

    \b
    ninefold play donuts                                     against an engine of level 3
    ninefold play coney --solo
    ninefold play canopy --seat 1 --level 5                  the other one begins
    ninefold play territory --seat 0 --seat 1 --seat 2       three persons, one keyboard, hands hidden
    ninefold play donuts --against greedy --against best:time=1
    ninefold play examples/donuts-3p.toml
    ninefold play ninefold-donuts-7.toml                     a saved game
    printf '1\\n2\\n' | ninefold play donuts --seed 7          from a script

    Players are those of `ninefold match`; the levels 1 to 5 are softmax:2, greedy, mcts:visits=300, best:time=0.5 and
    best:time=3. Ctrl-C leaves, and the game is saved; while the engine thinks it makes it choose at once.
    """
    from pathlib import Path

    from ninefold.cli.keyboard import keyboard
    from ninefold.cli.sitting import Sitting
    from ninefold.errors import InputError
    from ninefold.games import NAMES, module
    from ninefold.record import Record
    from ninefold.table import Table

    files = [name for name in (resume, position) if name is not None]
    if what is not None and what not in NAMES:
        if not (Path(what).suffix or Path(what).exists()):
            module(what)  # raises, with a near match
        files.append(what)
        what = None
    if len(files) > 1:
        raise InputError(f"a game begins at one file, not at {' and '.join(files)}")
    if solo and players not in (None, 1):
        raise InputError(f"alone means one player, not {players}", path="--solo")
    file, own, puzzle = None, False, None
    if files:
        if solo or players is not None or preset != "standard" or options or ruleset is not None:
            raise InputError("the file says which game that is, with its players and options", file=files[0])
        start, puzzle = _begin(files[0], what, record=resume is not None)
        seats = _seats(start.game.players, persons, others, level)
        if isinstance(start, Record):
            if start.seats is not None:
                file, own = files[0], True
                seats = seats if persons or others or level else start.seats
            table = Table.resume(replace(start, seats=seats, seed=start.seed if seed is None else seed))
        else:
            table = Table(start.game, seats, seed=seed, start=start)
    elif what is None:
        raise click.UsageError("say which game, or a file")
    else:
        if solo:
            players = 1
        elif players is None and (persons or others or level):  # as few as that needs
            least = max([len(persons or (0,)) + (len(others) or level is not None), *(seat + 1 for seat in persons)])
            players = max(least, module(what).players[0])
        game = make_game(what, players, preset, options, ruleset)
        table = Table(game, _seats(game.players, persons, others, level), seed=seed)
    if not table.persons:
        raise InputError("no person sits at this table: say where, such as --seat 0")
    if save is not None:
        own = own and file is not None and Path(save).exists() and Path(save).samefile(file)
        if Path(save).exists() and not own:
            raise InputError("is there already: --resume it, or name another file", file=save)
        file = save
    name = file or f"ninefold-{table.game.name}-{table.seed}.toml"
    Sitting(table, keyboard(), console(), name, own=own, puzzle=puzzle).run()


def _begin(file: str, game: str | None, *, record: bool) -> tuple[Position | Record, Puzzle | None]:
    """Where a game begins that is in a file, and the puzzle that asks about it. Raises InputError."""
    from ninefold.errors import InputError, located
    from ninefold.files import read
    from ninefold.position import Position
    from ninefold.puzzle import Puzzle
    from ninefold.record import Record

    if file == "-":
        raise InputError("the standard input is where moves come from: name a file")
    thing = read(file)
    puzzle = thing if isinstance(thing, Puzzle) else None
    start = puzzle.position if puzzle is not None else thing
    with located(file=file):
        if not isinstance(start, (Position, Record)):
            raise InputError("a ruleset, or a puzzle about cards alone, is nothing to play")
        if record and not isinstance(start, Record):
            raise InputError("this is no saved game: begin there by --position")
        if game is not None and start.game.name != game:
            raise InputError(f"this is a game of {start.game.name}, not of {game}")
    return start, puzzle


def _seats(players: int, persons: Sequence[int], others: Sequence[str], level: int | None) -> tuple[str, ...]:
    """Who sits where: persons, and the others where it is free, the last of them on all that is left."""
    from ninefold.errors import InputError
    from ninefold.players import LEVELS
    from ninefold.table import PERSON

    persons = persons or (0,)
    for seat in persons:
        if not 0 <= seat < players:
            raise InputError(f"seats are 0 to {players - 1}, not {seat}", path="--seat", value=seat)
    free = [seat for seat in range(players) if seat not in persons]
    if others and level is not None:
        raise InputError("those of --against are as strong as they are", path="--level")
    if len(others) > len(free):
        raise InputError(f"{len(free)} seats are free, not {len(others)}", path="--against", value=list(others))
    names = others or (LEVELS[(level or 3) - 1],)
    seats = [PERSON] * players
    for number, seat in enumerate(free):
        seats[seat] = names[min(number, len(names) - 1)]
    return tuple(seats)
