"""`ninefold review`: which moves of a game gave something away?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import rich_click as click

from ninefold.cli.common import console, json_option, print_json, progress, work_options

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ninefold._review import Review

__all__ = ["command"]


@click.command("review")
@click.argument("file", metavar="RECORD")
@click.option("--time", type=float, metavar="SECONDS", help="For each choice.")
@click.option("--visits", type=int, metavar="N", help="Of the search tree, for each choice.  [default: 1000]")
@click.option("--player", "players", type=int, multiple=True, metavar="N", help="Only this player's choices.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed and visits say the same.")
@click.option("--html", metavar="FILE", help="Write the report as a page here, - is the standard output.")
@work_options
@json_option
def command(
    file: str,
    time: float | None,
    visits: int | None,
    players: tuple[int, ...],
    seed: int,
    html: str | None,
    executor: Executor | None,
    workers: int,
    as_json: bool,
) -> None:
    """Review the game in RECORD: what each choice gave away by what its player knew, turning points, accuracy.

    \b
    ninefold review examples/donuts-record.toml
    ninefold review mine.toml --visits 5000 --workers 2 --html review.html
    ninefold review mine.toml --player 0 --time 1 --json

    A regret counts only beyond the doubt of the search: more visits find more. Ctrl-C prints what has been reviewed.
    """
    from ninefold._review import review
    from ninefold.analysis import Limit
    from ninefold.errors import InputError
    from ninefold.files import read
    from ninefold.record import Record

    record = read(file)
    if not isinstance(record, Record):
        raise InputError("this is no record of a game", file=file)
    with progress() as show:

        def report(so_far: Review) -> None:
            show("reviewing", len(so_far.choices), so_far.total)

        found = review(
            record,
            Limit(time=time, visits=visits),
            players=players or None,
            seed=seed,
            report=report,
            executor=executor,
            workers=workers,
        )
    if html is not None:
        from ninefold.report import write_page

        write_page(html, found.to_html(f"Review of {file}"))
    if as_json:
        print_json(found.to_dict())
    elif html is None:
        console().print(found)
