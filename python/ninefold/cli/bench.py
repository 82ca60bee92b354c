"""`ninefold bench`: how fast is it here, and is it the same program?"""

from __future__ import annotations

import rich_click as click

from ninefold.cli.common import console, json_option, print_json

__all__ = ["command"]


@click.command("bench")
@click.option("--signature", "only_signature", is_flag=True, help="Only the signature.")
@click.option("--compare", "beside", is_flag=True, help="Beside OpenSpiel, PettingZoo and OR-Tools, where installed.")
@click.option("--rounds", type=int, metavar="N", help="Of a comparison; the median counts.  [default: 3]")
@click.option("--svg", metavar="FILE", help="Draw the comparison into this file, - is the standard output.")
@json_option
def command(only_signature: bool, beside: bool, rounds: int | None, svg: str | None, as_json: bool) -> None:
    """Time random games, steps, copies and tree search, and print the signature of fixed searches.

    The signature is the same on every machine: if it differs, the program decides differently.

    \b
    ninefold bench
    ninefold bench --signature
    ninefold bench --compare                     beside what others have made, some ten seconds
    ninefold bench --compare --svg report.svg
    """
    if beside:
        if only_signature:
            raise click.UsageError("--signature compares nothing: leave out --compare")
        _compare(3 if rounds is None else rounds, svg, as_json)
        return
    if rounds is not None or svg is not None:
        raise click.UsageError(f"{'--svg' if rounds is None else '--rounds'} belongs to --compare")
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


def _compare(rounds: int, svg: str | None, as_json: bool) -> None:
    from ninefold.compare import compare

    with console(stderr=True).status("a comparison") as status:
        report = compare(rounds, status.update)
    if svg is not None:
        with click.open_file(svg, "w", encoding="utf-8") as out:
            out.write(report.to_svg())
    if as_json:
        print_json(report.to_dict())
    elif svg != "-":
        console().print(report)
