"""`ninefold bench`: how fast is it here, and is it the same program?"""

from __future__ import annotations

import rich_click as click

from ninefold.cli.common import console, json_option, print_json

__all__ = ["command"]


@click.command("bench")
@click.option("--signature", "only_signature", is_flag=True, help="Only the signature.")
@json_option
def command(only_signature: bool, as_json: bool) -> None:
    """Time random games, steps, copies and tree search, and print the signature of fixed searches.

    The signature is the same on every machine: if it differs, the program decides differently.

    \b
    ninefold bench
    ninefold bench --signature
    """
    from ninefold.bench import measure, signature

    screen = console(stderr=True)
    found = []
    with screen.status("signature") as status:
        sign = signature()
        if not only_signature:
            found = list(measure(status.update))
    if as_json:
        print_json({"signature": sign, "measurements": found})
        return
    if found:
        from rich import box
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD)
        for heading in ("game", "players", "what", "rate"):
            table.add_column(heading, justify="right" if heading in ("players", "rate") else "left")
        for m in found:
            table.add_row(m.game, str(m.players), m.what, f"{m.rate:,.0f} {m.unit}")
        console().print(table)
    click.echo(f"signature {sign}")
