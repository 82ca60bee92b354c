"""What ninefold raises: one base, one line a message, and the place in the input where the trouble is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

__all__ = ["IllegalMoveError", "InputError", "NinefoldError", "choice", "located", "near", "shown", "whole"]

_LONGEST = 60  # characters of a bad value that a message repeats


class NinefoldError(ValueError):
    """Base of everything ninefold raises on purpose. `str()` is one line for people."""


class InputError(NinefoldError):
    """A bad file or value.

    Attributes: `message` (what is wrong and what would be right), `path` (where inside the input, as in
    ``player[1].cards.glased``; "" for all of it), `file` (its name; "" outside files), `value` (what stood there),
    `match` (the nearest word that would do, or "").
    """

    def __init__(self, message: str, *, path: str = "", file: str = "", value: object = None, match: str = "") -> None:
        """See the class."""
        self.message, self.path, self.file, self.value, self.match = message, path, file, value, match
        super().__init__(message)

    @property
    def told(self) -> str:
        """What is wrong, and the near match, without the place."""
        return f"{self.message}: did you mean {self.match!r}?" if self.match else self.message

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.path, self.told) if part)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.message,), self.__dict__)


class IllegalMoveError(NinefoldError):
    """A move that this player cannot make here, or an outcome that cannot come.

    Attributes: `player` (seat from 0, None for chance), `move` (as it was given), `legal` (what may be done).
    """

    def __init__(self, message: str, *, player: int | None, move: object, legal: Iterable[str] = ()) -> None:
        """See the class."""
        self.message, self.player, self.move, self.legal = message, player, move, tuple(legal)
        super().__init__(message)

    def __reduce__(self) -> tuple[object, ...]:
        return (_illegal, (self.message, self.player, self.move, self.legal))


def _illegal(message: str, player: int | None, move: object, legal: tuple[str, ...]) -> IllegalMoveError:
    return IllegalMoveError(message, player=player, move=move, legal=legal)


def near(word: object, words: Iterable[str]) -> str:
    """The one of the words that looks most like this one, or "" if none does."""
    import difflib  # 10 ms that only a mistake should cost

    found = difflib.get_close_matches(str(word)[:_LONGEST].lower(), list(words), 1, 0.6)
    return found[0] if found else ""


def shown(value: object) -> str:
    """A value as an error message repeats it: one line, not too long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an int of more than 4300 digits, a tower of lists
        return f"this {type(value).__name__}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def choice(name: str, value: str, choices: tuple[str, ...]) -> str:
    """The value, if it is one of these words. Raises InputError."""
    if value not in choices:
        raise InputError(
            f"unknown {name} {shown(value)}: {' or '.join(choices)}", path=name, value=value, match=near(value, choices)
        )
    return value


def whole(name: str, value: int, low: int, high: int) -> int:
    """The value, if it is a whole number of that range. Raises InputError."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(f"must be a whole number from {low} to {high}, not {shown(value)}", path=name, value=value)
    return value


@contextmanager
def located(*, path: str = "", file: str = "") -> Iterator[None]:
    """Tell an `InputError` that passes through where it happened: `path` goes in front of its own."""
    try:
        yield
    except InputError as error:
        if path:
            joint = "." if error.path and not error.path.startswith("[") else ""
            error.path = path + joint + error.path
        error.file = error.file or file
        raise
