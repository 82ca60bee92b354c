"""`ninefold analyze`: a service for other programs."""

from __future__ import annotations

import rich_click as click

__all__ = ["command"]


@click.command("analyze")
@click.option("--workers", type=int, default=1, show_default=True, help="Positions that are searched at once.")
def command(workers: int) -> None:
    """Answer queries: a line of JSON in, lines of JSON out (docs/protocol.md), until the input ends.

    \b
    echo '{"id": "a", "action": "version"}' | ninefold analyze
    ninefold deal donuts --json | jq -c '{id: "b", visits: 1000, position: .}' | ninefold analyze

    Ctrl-C ends the searches; each gives its answer so far.
    """
    import sys

    from ninefold.errors import InputError
    from ninefold.memory import give_back
    from ninefold.protocol import serve

    if not 1 <= workers <= 256:
        raise InputError(f"must be from 1 to 256, not {workers}", path="--workers", value=workers)
    give_back()
    out = sys.stdout.buffer

    def write(line: bytes) -> None:
        out.write(line)
        out.flush()

    serve(sys.stdin.buffer, write, workers)
