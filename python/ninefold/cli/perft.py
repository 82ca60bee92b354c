"""`ninefold perft`: count sequences of steps, the oldest test of a rules engine."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import rich_click as click

from ninefold.cli.common import console, game_options, json_option, make_game, print_json

if TYPE_CHECKING:
    from ninefold.position import Position

__all__ = ["command"]

_IN_ONE_GO = 3  # depth that the core counts without looking up for Ctrl-C: milliseconds


@click.command("perft")
@click.argument("game", metavar="GAME|FILE")
@game_options
@click.option("--depth", type=click.IntRange(0, 20), default=5, show_default=True, help="Steps.")
@click.option("--seed", type=int, help="Count from this deal, not from before it.")
@click.option("--divide", is_flag=True, help="The count after each first step, at the full depth.")
@json_option
def command(
    game: str,
    players: int | None,
    preset: str,
    options: tuple[str, ...],
    ruleset: str | None,
    depth: int,
    seed: int | None,
    divide: bool,
    as_json: bool,
) -> None:
    """Count the sequences of 1, 2, … DEPTH steps from the start of GAME, or from the position in a file.

    A step is one player's choice or one thing that chance reveals; who choose at once are counted one after the other.

    \b
    ninefold perft donuts --players 3 --depth 5
    ninefold perft donuts --seed 7 --depth 4 --divide
    ninefold perft examples/donuts-3p.toml
    """
    from ninefold.games import NAMES

    position = _position(game) if game not in NAMES and _is_file(game) else None
    if position is None:
        made = make_game(game, players, preset, options, ruleset)
        position = made.start() if seed is None else made.deal(seed)
    counts: dict[str, int] = {}
    started = time.perf_counter()
    screen = console(stderr=True)
    try:
        with screen.status("counting") as status:

            def progress(done: int) -> None:
                status.update(f"{done:,} sequences")

            if divide:
                for name, after in _children(position):
                    _report(counts, name, _count(after, depth - 1, progress), as_json)
            else:
                for level in range(1, depth + 1):
                    _report(counts, str(level), _count(position, level, progress), as_json)
    finally:  # Ctrl-C leaves what has been counted
        if as_json:
            print_json({"divide" if divide else "depth": counts, "seconds": round(time.perf_counter() - started, 3)})
        elif divide:
            click.echo(f"{sum(counts.values())} in all")


def _is_file(name: str) -> bool:
    return name == "-" or "." in name or "/" in name


def _position(file: str) -> Position:
    from ninefold.errors import InputError
    from ninefold.files import read
    from ninefold.position import Position, View

    found = read(file)
    if not isinstance(found, Position) or isinstance(found, View):
        raise InputError(
            f"this is {'a view: something in it is unknown' if isinstance(found, View) else 'no position'}", file=file
        )
    return found


def _report(counts: dict[str, int], name: str, count: int, as_json: bool) -> None:
    counts[name] = count
    if not as_json:
        click.echo(f"{name} {count}")


def _children(position: Position) -> list[tuple[str, Position]]:
    """The positions after one step and how the step is written."""
    found = []
    for move in position.legal():
        after = position.copy()
        after.play(position.actors[0], move)
        found.append((f"{position.actors[0]}: {move}", after))
    for outcome, _ in position.outcomes():
        after = position.copy()
        after.chance(outcome)
        found.append((str(outcome), after))
    return found


def _count(position: Position, depth: int, progress: Callable[[int], None]) -> int:
    from ninefold.core.rules import perft

    total = 0

    def walk(position: Position, depth: int) -> None:
        nonlocal total
        if depth <= _IN_ONE_GO:
            total += perft(position, depth)
        else:
            for _, after in _children(position):
                walk(after, depth - 1)
            progress(total)

    walk(position, max(depth, 0))
    return total
