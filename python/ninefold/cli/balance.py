"""`ninefold balance`: what are the seats and the cards of a game worth?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import rich_click as click

from ninefold.cli.common import (
    console,
    game_options,
    games_options,
    json_option,
    make_game,
    print_json,
    progress,
    work_options,
)  # fmt: skip

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ninefold._balance import Balance

__all__ = ["command"]


@click.command("balance")
@click.argument("game_name", metavar="GAME")
@game_options
@click.option("--games", type=int, default=400, show_default=True, help="How many are played.")
@click.option("--by", default="mcts:visits=100", show_default=True, help="Who sits on all seats, as for `match`.")
@games_options
@click.option("--html", metavar="FILE", help="Write the report with plots here, - is the standard output.")
@work_options
@json_option
def command(
    game_name: str,
    players: int | None,
    preset: str,
    options: tuple[str, ...],
    ruleset: str | None,
    games: int,
    by: str,
    seed: int,
    results: str | None,
    html: str | None,
    executor: Executor | None,
    workers: int,
    as_json: bool,
) -> None:
    """Let equal players play GAME, and say what its seats and cards are worth, how it scores and how long it takes.

    \b
    ninefold balance donuts --players 3 --games 2000 --workers 2
    ninefold balance territory --ruleset mine.toml --html balance.html
    ninefold balance coney --players 2 --by softmax:0.5 --games 5000 --file games.jsonl    and again: it goes on

    A card that wins too much or too little, or is never taken, is marked if that is beyond chance. Ctrl-C prints the
    report of the games so far.
    """
    from ninefold._balance import balance

    of = make_game(game_name, players, preset, options, ruleset)
    with progress() as show:

        def report(so_far: Balance) -> None:
            show("playing", len(so_far.games), games)

        found = balance(
            of, games, player=by, seed=seed, file=results, executor=executor, workers=workers, report=report
        )
    if html is not None:
        from ninefold.report import write_page

        write_page(html, found.to_html())
    if as_json:
        print_json(found.to_dict())
    elif html is None:
        console().print(found)
