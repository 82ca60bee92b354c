"""`ninefold explain`: why this move?"""

from __future__ import annotations

import rich_click as click

from ninefold.cli.common import console, json_option, print_json, read_position

__all__ = ["command"]


@click.command("explain")
@click.argument("file")
@click.option("--move", metavar="MOVE", help="The move to be explained, as it is written.  [default: the best one]")
@click.option("--against", metavar="MOVE", help="What it is compared with.  [default: the best one, or the next best]")
@click.option("--player", type=int, metavar="SEAT", help="For whom.  [default: the first who must choose]")
@click.option("--time", type=float, metavar="SECONDS", help="How long to search.  [default: 2 if not by visits]")
@click.option("--visits", type=int, metavar="N", help="Stop searching after so many visits; repeatable by seed.")
@click.option("--samples", type=int, default=2000, show_default=True, help="Pairs of games played on after the moves.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random numbers.")
@json_option
def command(
    file: str,
    move: str | None,
    against: str | None,
    player: int | None,
    time: float | None,
    visits: int | None,
    samples: int,
    seed: int,
    as_json: bool,
) -> None:
    """Why a move and not another one in the position in FILE: what differs in points, by where they come from.

    \b
    ninefold explain examples/donuts-3p.toml                          the best move against the next best
    ninefold explain examples/donuts-3p.toml --move "bid 1"           what was wrong with it?
    ninefold explain mine.toml --move "bid 1" --against "bid 4" --time 10

    Both moves are tried in the same worlds with the same luck, and the games played on to the end by the quick guess of
    each game. What the player has not seen is drawn anew each time.
    """
    from ninefold.analysis import Limit
    from ninefold.explain import explain

    position = read_position(file)
    limit = None if time is None and visits is None else Limit(time=time, visits=visits)
    found = explain(position, move, player=player, against=against, limit=limit, samples=samples, seed=seed)
    if as_json:
        print_json(found.to_dict())
    else:
        console().print(found)
