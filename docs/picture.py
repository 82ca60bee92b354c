"""Make docs/best.svg, the picture of the README: `python docs/picture.py`."""

from pathlib import Path

from rich.console import Console

import ninefold as nf
from ninefold.cli.best import picture

HERE = Path(__file__).parent


def main() -> None:
    """Search the README's example with fixed visits, so that the picture is the same everywhere but for the time."""
    position = nf.read(HERE.parent / "examples" / "donuts-3p.toml")
    assert isinstance(position, nf.Position)
    answer = nf.best(position, nf.Limit(visits=50_000))
    with open("/dev/null", "w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=100, file=nowhere, force_terminal=True)
        console.print("[bold green]$[/] ninefold best examples/donuts-3p.toml --visits 50000")
        console.print(picture(position, answer))
    console.save_svg(str(HERE / "best.svg"), title="ninefold")


if __name__ == "__main__":
    main()
