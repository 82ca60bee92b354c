"""`ninefold solve`: what can be had, proven."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import rich_click as click

from ninefold.cli.common import console, json_option, print_json, work_options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

    from rich.console import RenderableType

    from ninefold.puzzle import Puzzle
    from ninefold.solution import Solution

__all__ = ["command", "picture"]

# What ended a search, in words.
_ENDS = {"time": "time is up", "nodes": "all nodes made", "interrupted": "interrupted"}


@click.command("solve")
@click.argument("file")
@click.option("--time", type=float, metavar="SECONDS", help="Stop after so long.  [default: when it is solved]")
@click.option("--nodes", type=int, metavar="N", help="Stop after so many nodes.")
@click.option("--objective", metavar="WHAT", help="win or margin, of two players.  [default: win]")
@click.option("--count", is_flag=True, help="Find all first moves that keep the value, too.")
@click.option("--no-sales", is_flag=True, help="Coney: rabbits are never sold; not the game, but easier.")
@click.option("--memory", type=int, metavar="MIB", help="Bound for tables.  [default: a quarter of what is free]")
@click.option("--checkpoint", metavar="FILE", help="Keep the search here, and go on from it if it is there.")
@click.option("--write", metavar="FILE", help="Write the puzzle with its answer: `check` replays it.")
@work_options
@json_option
def command(
    file: str,
    time: float | None,
    nodes: int | None,
    objective: str | None,
    count: bool,
    no_sales: bool,
    memory: int | None,
    checkpoint: str | None,
    write: str | None,
    executor: Executor | None,
    workers: int,
    as_json: bool,
) -> None:
    """The exact answer to the puzzle or position in FILE, with proven bounds that close while it works.

    \b
    ninefold solve examples/donuts-2p-endgame.toml --objective margin
    ninefold solve puzzle.toml --time 60 --checkpoint mine.checkpoint    and again: it goes on
    ninefold solve examples/coney/open-08.toml --workers 2                threads; docs/scale.md: who uses them
    ninefold solve puzzle.toml --on dask://node1:8786                    on a cluster
    ninefold solve puzzle.toml --count --write answer.toml
    ninefold check answer.toml                                           plays the line again

    Ctrl-C stops, prints what is proven so far, and leaves the checkpoint.
    """
    from ninefold._solve import asked_of, solve
    from ninefold.analysis import Limit
    from ninefold.errors import InputError
    from ninefold.files import from_dict, read
    from ninefold.files import write as write_file
    from ninefold.position import Position
    from ninefold.puzzle import Puzzle

    what = read(file)
    if not isinstance(what, (Position, Puzzle)):
        raise InputError("this is no puzzle and no position: there is nothing to solve", file=file)
    puzzle = asked_of(what, objective)
    options: dict[str, Any] = {"sales": False} if no_sales else {}

    def search(report: Callable[[Solution], None] | None) -> Solution:
        return solve(
            puzzle, Limit(time=time, nodes=nodes), count=count, checkpoint=checkpoint, executor=executor,
            workers=workers, memory=None if memory is None else memory << 20, report=report, **options,
        )  # fmt: skip

    if as_json:
        found = search(None)
        print_json(found.to_dict())
    else:
        screen = console()
        if sys.stdout.isatty():
            from rich.live import Live

            with Live("solving …", console=screen, transient=True) as live:
                found = search(lambda so_far: live.update(picture(puzzle, so_far)))
        else:
            found = search(None)
        screen.print(picture(puzzle, found))
    if write is not None:
        assert found.certificate is not None
        write_file(from_dict(found.certificate), write)


def picture(puzzle: Puzzle, found: Solution) -> RenderableType:
    """A solution for the terminal: the question, what is proven, and the line."""
    from rich.console import Group
    from rich.text import Text

    parts: list[RenderableType] = [Text(puzzle.title, style="bold")] if puzzle.title else []
    if found.farm is not None:
        parts.append(_farm(found))
    elif puzzle.position is not None:
        parts.append(puzzle.position)
    parts += [Text(line, style="bold" if i == 0 else "") for i, line in enumerate(_proven(found))]
    if found.line and found.farm is None:
        alone = puzzle.position is not None and puzzle.position.players == 1
        steps = [step.removeprefix("0: ") if alone else step for step in found.line]
        parts += [Text(" · ".join(turn)) for turn in puzzle.game.module.turns(steps)]
    parts += [Text(remark, style="yellow") for remark in found.remarks]
    parts.append(Text(_effort(found), style="dim"))
    return Group(*parts)


def _proven(found: Solution) -> Iterator[str]:
    """The answer, or how far its proof has come."""
    what = {"score": "points", "margin": "points ahead, of player 0", "win": "of the win, of player 0"}[found.objective]
    if found.proven and found.value is None:
        yield "there is none: no order of placing is legal"
    elif found.proven:
        yield f"{_worth(found, found.value)} {what}: proven"
    else:
        yield f"from {_worth(found, found.lower)} to {_worth(found, found.upper)} {what}"
    if found.optimal is not None:
        moves = ", ".join(found.optimal)
        yield f"{len(found.optimal)} first move{'s keep' if len(found.optimal) != 1 else ' keeps'} this: {moves}"
    for seat, mix in enumerate(found.mixes or []):
        yield f"player {seat}: " + ", ".join(f"{move} {share:.1%}" for move, share in mix.items())
    if found.points is not None:
        yield ", ".join(f"{points} {what}" for what, points in found.points.items() if points)


def _worth(found: Solution, value: float | None) -> str:
    """A value in the unit of the objective."""
    if value is None:
        return "?"
    if found.objective == "win":
        return f"{value:.2%}"
    return f"{value:{'+' if found.objective == 'margin' else ''}.{0 if value == int(value) else 4}f}"


def _effort(found: Solution) -> str:
    end = "" if found.proven else _ENDS.get(found.stopped, found.stopped)
    memory = f", {found.memory / 2**20:.1f} MiB" if found.memory else ""
    return f"{found.time:.2f} s, {found.nodes:,} nodes{memory}" + (f"; {end}" if end else "")


def _farm(found: Solution) -> RenderableType:
    """The farm, each rabbit with its number in the order of placing."""
    from rich import box
    from rich.table import Table

    assert found.farm is not None
    order = {step.split()[1]: f"{number}. " for number, step in enumerate(found.line, 1)}
    table = Table(box=box.SQUARE, show_header=False, show_lines=True)
    for row in range(0, len(found.farm), 3):
        table.add_row(*(f"{order[card]}{card}" if card in order else "" for card in found.farm[row : row + 3]))
    return table
