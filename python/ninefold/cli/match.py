"""`ninefold match`: who plays better?"""

from __future__ import annotations

import math
import sys
import time as clock
from typing import TYPE_CHECKING

import rich_click as click

from ninefold.cli.common import console, game_options, games_options, json_option, make_game, print_json, work_options

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from rich.console import RenderableType

    from ninefold._match import Result, Sprt

__all__ = ["command", "picture"]

LOOK = 0.2  # seconds between two pictures of the standings


@click.command("match")
@click.argument("names", nargs=-1, required=True, metavar="A B [C…]")
@click.option("--game", "game_name", required=True, help="Which game.")
@game_options
@click.option("--games", type=int, default=100, show_default=True, help="Of each table, rounded up to whole deals.")
@click.option("--sprt", metavar="LOW:HIGH", help="Stop when A's share of the win is known to be one, not the other.")
@games_options
@work_options
@json_option
def command(
    names: tuple[str, ...],
    game_name: str,
    players: int | None,
    preset: str,
    options: tuple[str, ...],
    ruleset: str | None,
    games: int,
    seed: int,
    sprt: str | None,
    results: str | None,
    executor: Executor | None,
    workers: int,
    as_json: bool,
) -> None:
    """Let players meet: every deal is played in all rotations of the seats, with the same luck for everybody.

    \b
    ninefold match mcts:visits=1000 greedy --game donuts --games 200
    ninefold match mcts:visits=400 greedy --game territory --workers 2 --file mine.jsonl    and again: it goes on
    ninefold match mcts:visits=5000 greedy --game coney --on dask://node1:8786   on a cluster, see docs/scale.md
    ninefold match best:time=0.1 softmax:1 --game donuts --players 4       softmax:1 takes three seats
    ninefold match greedy softmax:0.5 random --game donuts --players 2     every pair of them
    ninefold match mcts:visits=2000 mcts:visits=1000 --game donuts --games 5000 --sprt 0.5:0.55

    Players: random, greedy (the game's quick guess), softmax:T, expectimax:depth=N, mcts:visits=N (options as of
    `best`), best:time=S (exact where that is possible), plugin:module:name, those of plug-ins. Ctrl-C prints the
    standings so far.
    """
    from ninefold._match import match, seats_for

    seats = seats_for(game_name, names) if players is None else players
    of = make_game(game_name, seats, preset, options, ruleset)
    test = None if sprt is None else _test(sprt)

    def play(report: Callable[[Result], None] | None) -> Result:
        return match(
            names, of, games, seed=seed, sprt=test, file=results, executor=executor, workers=workers, report=report,
        )  # fmt: skip

    def live() -> Result:
        from rich.live import Live

        with Live("playing …", console=screen, transient=True) as pane:
            shown_at = 0.0

            def show(so_far: Result) -> None:
                nonlocal shown_at
                if clock.monotonic() - shown_at >= LOOK:  # standings of many games take longer than a quick game
                    pane.update(picture(so_far))
                    shown_at = clock.monotonic()

            return play(show)

    if as_json:
        print_json(play(None).to_dict())
        return
    screen = console()
    screen.print(picture(live() if sys.stdout.isatty() else play(None)))


def _test(text: str) -> Sprt:
    from ninefold._match import Sprt
    from ninefold.errors import InputError, shown

    low, _, high = text.partition(":")
    try:
        return Sprt(float(low), float(high))
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"two shares of the win such as 0.5:0.55, not {shown(text)}", path="--sprt") from None


def _said(mean: float, error: float, form: str) -> tuple[str, str]:
    """Both in words; nothing of what too few games do not tell."""
    return f"{mean:{form}}" if math.isfinite(mean) else "", f"± {error:{form}}" if math.isfinite(error) else ""


def picture(found: Result) -> RenderableType:
    """A match for the terminal: one row a player, and what ended it."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    standings = found.standings()
    alone = found.asked["seats"] == 1
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("player")
    for name in ("games", "win", "95 %", "points", "95 %", "s a game"):
        table.add_column(name, justify="right")
    if rated := any(one.rating for one in standings):
        table.add_column("rating", justify="right")
    for one in standings:
        win = ("", "") if alone else _said(*one.win, ".1%")
        row = [one.name, f"{one.games:,}", *win, *_said(*one.points, ".2f")]
        row.append(f"{one.seconds / one.games:.3f}" if one.games else "")
        if rated and one.rating:
            row.append(f"{one.rating[0]:.1f} ± {one.rating[1]:.1f}")
        table.add_row(*row)
    ends = {"all": "all games played", "sprt": "decided", "interrupted": "interrupted", "": "playing"}
    said = f"{found.asked['game']} · {found.asked['seats']} seats · seed {found.asked['seed']} · {ends[found.stopped]}"
    if found.verdict:
        test = found.asked["sprt"]
        other = "low" if found.verdict == "high" else "high"
        said += f": {found.names[0]} wins {test[found.verdict]:.1%}, not {test[other]:.1%}"
    return Group(table, Text(said, style="dim"))
