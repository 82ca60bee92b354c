"""`ninefold best`: what should I do here?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import rich_click as click

from ninefold.cli.common import console, json_option, print_json, read_position, work_options

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from rich.console import Console, RenderableType

    from ninefold.analysis import Analysis, Unseen
    from ninefold.position import Position
    from ninefold.search import Options

__all__ = ["answer_picture", "command", "picture", "watched"]


@click.command("best")
@click.argument("file")
@click.option("--player", type=int, metavar="SEAT", help="For whom.  [default: the first who must choose]")
@click.option("--time", type=float, metavar="SECONDS", help="How long to think.  [default: 2 if nothing else limits]")
@click.option("--visits", type=int, metavar="N", help="Stop after so many visits of the tree; repeatable by seed.")
@click.option("--nodes", type=int, metavar="N", help="Stop at a tree of so many nodes.")
@click.option(
    "--separated", type=float, metavar="P", help="Stop when one move is best at this confidence, such as 0.95."
)
@click.option("--objective", metavar="WHAT", help="win, margin or score.  [default: win, alone: score]")
@click.option("--opponent", metavar="MODEL", help="self, uniform, softmax:T, or a mixture: 0.7*softmax:1+0.3*uniform.")
@click.option("--algorithm", metavar="NAME", help="duct or rm.")
@click.option("--rollout", type=float, metavar="T", help="Playouts follow a quick guess at T points; 0: uniform.")
@click.option("--threads", type=int, help="Trees searched at once.  [default: 1, or as many as --workers]")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random numbers.")
@click.option(
    "--memory",
    "mebibytes",
    type=int,
    metavar="MIB",
    help="Bound for trees and tables.  [default: a quarter of what is free]",
)
@click.option("--no-exact", is_flag=True, help="Never solve to the end, even where that is possible.")
@click.option("--svg", metavar="FILE", help="Draw the answer into this file, - is the standard output.")
@work_options
@json_option
def command(
    file: str,
    time: float | None,
    visits: int | None,
    nodes: int | None,
    separated: float | None,
    mebibytes: int | None,
    no_exact: bool,
    svg: str | None,
    executor: Executor | None,
    workers: int,
    as_json: bool,
    **options: Unpack[Options],
) -> None:
    """The best move in the position in FILE, for one player: a mix where bluffing pays, with win chances and intervals.

    \b
    ninefold best examples/donuts-3p.toml
    ninefold best examples/donuts-2p-endgame.toml            solved: proven to the end
    ninefold best mine.toml --player 1 --time 10 --threads 2
    ninefold best mine.toml --time 60 --on dask://node1:8786 --threads 64      64 trees on a cluster
    ninefold best mine.toml --opponent softmax:0.5           against people who like what looks good
    ninefold best mine.toml --svg answer.svg

    Ctrl-C stops thinking and prints the answer so far.
    """
    from ninefold.analysis import Limit
    from ninefold.search import best

    position = read_position(file)
    limit = Limit(time=time, visits=visits, nodes=nodes, separated=separated)
    options["memory"] = None if mebibytes is None else mebibytes << 20
    options["exact"] = not no_exact

    def think(report: Callable[[Analysis], None] | None) -> Analysis:
        return best(position, limit, report=report, executor=executor, workers=workers, **options)

    if svg is not None:
        drawing = think(None).to_svg()
        with click.open_file(svg, "w", encoding="utf-8") as out:
            out.write(drawing)
        return
    if as_json:
        print_json(think(None).to_dict())
        return
    screen = console()
    screen.print(picture(position, watched(screen, think, lambda so_far: picture(position, so_far))))


def watched(
    screen: Console,
    think: Callable[[Callable[[Analysis], None] | None], Analysis],
    draw: Callable[[Analysis], RenderableType],
) -> Analysis:
    """The answer; on a terminal the answers so far are drawn while it is thought about."""
    if not screen.is_terminal:
        return think(None)
    from rich.live import Live

    with Live("thinking …", console=screen, transient=True) as live:
        return think(lambda so_far: live.update(draw(so_far)))


def picture(position: Position, answer: Analysis) -> RenderableType:
    """An answer for the terminal, under its position."""
    from rich.console import Group

    return Group(position, answer_picture(position, answer))


def answer_picture(position: Position, answer: Analysis) -> RenderableType:
    """An answer for the terminal: one row a move, and what the answer assumes."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    others = [seat for seat in range(position.players) if seat != answer.player]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("move", no_wrap=True)
    headings = ["share", "", "win" if answer.objective == "win" else answer.objective, "95 %"]
    if answer.objective == "win":
        headings.append("win of " + " ".join(map(str, others)))
    for heading in [*headings, "points", "visits"]:
        table.add_column(heading, justify="left" if heading == "" else "right", no_wrap=True)
    for info in answer.moves:
        note = position.game.module.gloss(position, info.move)
        row: list[RenderableType] = [
            Text(f"{info.move}") + Text(f" {note}" if note else "", style="bold" if info.order == 0 else ""),
            f"{info.share:.0%}",
            Text("█" * round(info.share * 6), style="green"),
            answer.worth(info.value) if info.visits or info.bounds else "–",
            answer.error(info),
        ]
        if answer.objective == "win":
            row.append(" ".join(f"{100 * info.win[seat]:.0f}" for seat in others) + " %" if info.win else "–")
        points = info.score_mean, info.score_stdev
        row.append(
            f"{points[0][answer.player]:.1f} ± {points[1][answer.player]:.1f}" if points[0] and points[1] else "–"
        )
        row.append(f"{info.visits:,}" if info.visits else "–")
        table.add_row(*row, style="" if info.share > 0.005 else "dim")
    remarks = [Text(answer.headline()), *(Text(line, style="dim") for line in answer.remarks())]
    return Group(table, *([_unseen(answer.unseen)] if answer.unseen else []), *remarks)


def _unseen(places: list[Unseen]) -> RenderableType:
    """How likely each kind of card is among those unseen at each place."""
    from rich import box
    from rich.table import Table

    table = Table("at least one of those unseen", box=box.SIMPLE_HEAD, pad_edge=False)
    for place in places:
        table.add_column(f"{place.where}: {place.cards}", justify="right")
    for name in dict.fromkeys(name for place in places for name in place.some):
        table.add_row(name, *(f"{place.some[name]:.0%}" if name in place.some else "–" for place in places))
    return table
