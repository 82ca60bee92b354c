"""What every request must pass, and the headers of every answer: no other site's page is trusted."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["LARGEST", "Guard"]

LARGEST = 1 << 20  # bytes of a request: a record of a long game has 20 kB

# Nothing from elsewhere, no script and no style inside a page: what a hostile file says can only be read.
_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " + (
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class _TooLarge(Exception):
    pass


class Guard:
    """Turns away what is too large and what another site's page sends; says what a browser may do with an answer."""

    def __init__(self, app: ASGIApp) -> None:
        """See the class."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        started = False

        async def told(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                answer = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    answer[name] = value
                answer.setdefault("Cache-Control", "no-store")
            await send(message)

        if scope["method"] not in ("GET", "HEAD") and not _is_own(headers):
            await PlainTextResponse("this was sent by another site's page", 403)(scope, receive, told)
            return
        length = headers.get("content-length", "0")
        left = LARGEST

        async def heard() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise _TooLarge
            return message

        try:
            if not length.isdecimal() or int(length[:20]) > LARGEST:
                raise _TooLarge
            await self.app(scope, heard, told)
        except _TooLarge:
            if started:
                raise
            await PlainTextResponse(f"more than {LARGEST >> 20} MiB", 413)(scope, receive, told)


def _is_own(headers: Headers) -> bool:
    """Whether a page of this very server sends this: browsers say so in one of two headers, or in both."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is None and origin is None:
        return False
    own = origin is None or origin.partition("://")[2] == headers.get("host")
    return own and site in (None, "same-origin")
