"""`ninefold serve`: a web page for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rich_click as click

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["command"]


@click.command("serve")
@click.argument("names", nargs=-1, metavar="[FILE…]")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at; 0.0.0.0: all of them.")
@click.option("--port", type=click.IntRange(0, 65535), default=8009, show_default=True, help="0: any that is free.")
@click.option("--open", "show", is_flag=True, help="Open it in a browser.")
def command(names: tuple[str, ...], host: str, port: int, show: bool) -> None:
    """A web page on this machine: play, look at answers while they grow, set up positions, solve puzzles.

    \b
    ninefold serve                                    then open http://127.0.0.1:8009
    ninefold serve --open
    ninefold serve examples/coney mine.toml           with these files on its first page

    FILE is a position, puzzle, record or ruleset, or a folder of such. Only this machine can see the page, unless
    --host says otherwise: then whoever reaches the address can. Ctrl-C ends it. Needs the extra `web`.
    """
    import socket

    from ninefold.errors import InputError
    from ninefold.memory import give_back

    try:
        import uvicorn

        from ninefold.web.app import LOOPBACK, create
    except ModuleNotFoundError as error:
        raise InputError(f"{error.name} is missing: pip install 'ninefold[web]'") from None

    shelf = list(_files(names))
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        raise InputError(f"cannot listen there: {error.strerror}", path="--host", value=host) from None
    allowed = set(LOOPBACK)
    if host not in LOOPBACK:
        allowed |= {host, f"[{host}]", socket.gethostname(), *_addresses()}
        click.echo("everybody who reaches this address can use the page, and this machine's time", err=True)
    name = f"[{host}]" if ":" in host else "127.0.0.1" if host == "0.0.0.0" else host
    url = f"http://{name}:{listening.getsockname()[1]}"
    click.echo(f"{url}    (Ctrl-C ends it)")
    if show:
        import webbrowser

        webbrowser.open(url)
    give_back()
    config = uvicorn.Config(
        create(sorted(allowed), shelf), log_level="warning", access_log=False, server_header=False,
        timeout_graceful_shutdown=3, limit_concurrency=200,
    )  # fmt: skip
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()


def _files(names: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """The files to show on the first page, read once. Raises InputError for the first one that is wrong.

    Of a folder those that say that they are ninefold's.
    """
    import re
    from pathlib import Path

    from ninefold.files import read

    for name in names:
        path = Path(name)
        found = sorted(path.glob("**/*.toml")) if path.is_dir() else [path]
        for file in found:
            if file == path or re.search(rb"^ninefold *=", file.read_bytes(), re.MULTILINE):
                yield str(file), read(file)


def _addresses() -> Iterator[str]:
    """The addresses of this machine, as its name leads to them."""
    import socket

    try:
        found = socket.getaddrinfo(socket.gethostname(), None)
    except OSError:
        return
    for *_, address in found:
        yield str(address[0])
        yield f"[{address[0]}]"
