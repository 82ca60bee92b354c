"""`ninefold deal`: a fresh position."""

from __future__ import annotations

import rich_click as click

from ninefold.cli.common import game_options, json_option, make_game, print_json

__all__ = ["command"]


@click.command("deal")
@click.argument("game")
@game_options
@click.option("--seed", type=int, help="The same seed deals the same cards.  [default: a fresh one]")
@json_option
def command(
    game: str,
    players: int | None,
    preset: str,
    options: tuple[str, ...],
    ruleset: str | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Deal GAME and print the position as a file.

    \b
    ninefold deal donuts --players 3 --seed 7 > mine.toml
    ninefold deal donuts --players 4 --preset bga --option coffee=final
    ninefold deal donuts | ninefold show -
    """
    import secrets

    seed = secrets.randbits(32) if seed is None else seed
    position = make_game(game, players, preset, options, ruleset).deal(seed)
    if as_json:
        print_json(position.to_dict())
    else:
        click.echo(f"# dealt from seed {seed}")
        click.echo(position.to_toml(), nl=False)
