"""`ninefold plugins`: what other packages add."""

from __future__ import annotations

import rich_click as click
from click.exceptions import Exit

from ninefold.cli.common import console, json_option, print_json

__all__ = ["command"]


@click.command("plugins")
@json_option
def command(as_json: bool) -> None:
    """List the rulesets and players that installed packages add.

    \b
    ninefold plugins
    ninefold deal donuts --ruleset NAME          a ruleset by its name
    ninefold match NAME greedy --game donuts     a player; NAME:TEXT gives it options

    Each plug-in that cannot be used gets one line on stderr, and the exit code is 2.
    """
    from rich import box
    from rich.table import Table

    from ninefold.plugins import listed

    found = list(listed())
    if as_json:
        print_json([one._asdict() for one in found])
    else:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for head in ("", "name", "package", ""):
            table.add_column(head)
        for one in found:
            if not one.error:
                table.add_row(one.kind, one.name, one.package, one.about)
            else:
                click.echo(f"ninefold: {one.error}", err=True)
        if table.row_count:
            console().print(table)
        elif not found:
            click.echo("no package adds rulesets or players")
    if any(one.error for one in found):
        raise Exit(2)
