"""The server: its pages, what a request is to them, and how errors are told."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates

from ninefold import files
from ninefold.draw import STYLE
from ninefold.errors import InputError, NinefoldError
from ninefold.web.guard import LARGEST, Guard
from ninefold.web.jobs import Jobs
from ninefold.web.store import I, Item, Store

if TYPE_CHECKING:
    from ninefold.position import Position
    from ninefold.puzzle import Puzzle
    from ninefold.record import Record
    from ninefold.ruleset import Ruleset

__all__ = ["LOOPBACK", "Ask", "Handler", "Shelf", "Web", "at", "create"]

LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "::1")
FIELDS = 3000  # of a form

_HOME = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Shelf:
    """A file that the server was started with, for the start page."""

    name: str
    thing: Position | Puzzle | Record | Ruleset

    @property
    def kind(self) -> str:
        """What it is, in a word."""
        return type(self.thing).__name__.lower().removeprefix(self.game)

    @property
    def game(self) -> str:
        """The name of its game."""
        of = self.thing.game
        return of if isinstance(of, str) else of.name


@dataclass
class Web:
    """What a server keeps."""

    shelf: tuple[Shelf, ...]
    store: Store = field(default_factory=Store)
    jobs: Jobs = field(default_factory=Jobs)
    templates: Jinja2Templates = field(default_factory=lambda: _templates())


def _templates() -> Jinja2Templates:
    found = Jinja2Templates(directory=_HOME / "templates")
    found.env.trim_blocks = found.env.lstrip_blocks = True
    return found


@dataclass(frozen=True)
class Ask:
    """One request: what was asked for, and with what."""

    request: Request
    form: Mapping[str, str]
    web: Web

    def part(self, name: str) -> str:
        """A part of the path."""
        return str(self.request.path_params[name])

    def query(self, name: str, default: str = "") -> str:
        """A word behind the question mark."""
        return self.request.query_params.get(name, default)

    def number(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number behind the question mark, or of the form, brought into its range."""
        text = self.form.get(name) or self.query(name)
        if not re.fullmatch(r"-?\d{1,9}", text):
            return default
        return max(low, min(high, int(text)))

    def find(self, kind: type[I], name: str | None = None) -> I:
        """The item that the path, or this name, stands for."""
        item = self.web.store.find(self.part("id") if name is None else name, kind)
        if item is None:
            raise HTTPException(404, "this page is gone: it was left for long, or the server was started anew")
        return item

    def page(self, template: str, status: int = 200, **values: Any) -> Response:
        """The answer, made of a template."""
        return self.web.templates.TemplateResponse(self.request, template, values, status_code=status)

    def go(self, place: str) -> Response:
        """Show this page of the server next."""
        return RedirectResponse(place, 303)

    def file(self, name: str, text: str) -> Response:
        """A file to keep."""
        safe = re.sub(r"[^\w.-]+", "-", name, flags=re.ASCII)
        head = {"Content-Disposition": f'attachment; filename="{safe}"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=head)


Handler = Callable[[Ask], Response]


def at(kind: type[I], function: Callable[[Ask, I], Response]) -> Handler:
    """A page about an item of this kind: one request at a time works at it; what goes wrong is told on its page."""

    def handler(ask: Ask) -> Response:
        item = ask.find(kind)
        with item.lock:
            if ask.request.method == "GET":
                return function(ask, item)
            try:
                return function(ask, item)
            except NinefoldError as error:
                item.notice = str(error)
                return ask.go(_home(ask, item))

    return handler


def _home(ask: Ask, item: Item) -> str:
    """The page of an item, from the path of one of its buttons."""
    return ask.request.url.path.partition(item.id)[0] + item.id


def create(hosts: Iterable[str] = LOOPBACK, shelf: Iterable[tuple[str, Any]] = ()) -> Starlette:
    """The server's application.

    hosts: names under which a browser may ask for it. shelf: names and contents of files for the start page.
    """
    from ninefold.web import making, playing, reading, solving, starting

    web = Web(tuple(Shelf(name, thing) for name, thing in shelf))

    def endpoint(handler: Handler) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            form = await _fields(request) if request.method == "POST" else {}
            return await run_in_threadpool(handler, Ask(request, form, web))

        return answer

    def told(request: Request, status: int, message: str) -> Response:
        return Ask(request, {}, web).page("error.html", status, message=message)

    def failed(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            return told(request, error.status_code, error.detail)
        if isinstance(error, NinefoldError):
            return told(request, 400, str(error))
        return told(request, 500, "this went wrong and should not have: the terminal of the server says more")

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        yield
        web.jobs.close()

    routes = [
        Route(path, endpoint(handler), methods=[method], name=f"{method} {path}")
        for module in (starting, playing, reading, making, solving)
        for method, path, handler in module.ROUTES
    ]
    routes += [Route("/draw.css", _draw), Route("/favicon.ico", _icon)]
    app = Starlette(
        routes=[*routes, Mount("/static", StaticFiles(directory=_HOME / "static"))],
        middleware=[
            Middleware(Guard),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False),
        ],
        exception_handlers={HTTPException: failed, NinefoldError: failed, Exception: failed},
        lifespan=life,
    )
    app.state.web = web
    return app


def _draw(request: Request) -> Response:
    """The style of all pictures, which a page may not carry inside."""
    return Response(STYLE, media_type="text/css", headers={"Cache-Control": "max-age=3600"})


def _icon(request: Request) -> Response:
    """Browsers ask for it in a hurry, before they have read where it is."""
    return RedirectResponse("/static/icon.svg", 301)


async def _fields(request: Request) -> dict[str, str]:
    """The fields of a form; of a file its text, and its name under "name"."""
    found: dict[str, str] = {}
    async with request.form(max_files=1, max_fields=FIELDS, max_part_size=LARGEST) as form:
        for key, value in form.multi_items():
            if isinstance(value, UploadFile):
                if value.filename:
                    found[key], found["name"] = files.decoded(await value.read()), value.filename
            elif "\0" in value:
                raise InputError("is not text: a NUL character in it", path=key[:40])
            else:
                found.setdefault(key, value)
    return found
