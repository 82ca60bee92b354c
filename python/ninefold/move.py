"""Moves and outcomes: dense integers that know how they are written."""

from __future__ import annotations

__all__ = ["Move", "Outcome"]


class _Named(int):
    """An integer within its game, 0 .. num_moves-1 or num_outcomes-1, with a notation."""

    text: str

    def __new__(cls, number: int, text: str) -> _Named:
        """The id with this number, written like this."""
        self = super().__new__(cls, number)
        self.text = text
        return self

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"

    def __format__(self, spec: str) -> str:
        return format(self.text, spec)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (int(self), self.text))


class Move(_Named):
    """One decision of one player: an int, the move's id within its game, whose `text` and `str()` are its notation.

    Made by its game, once: `Game.moves`, `Game.move("bid 3")`, `Position.legal()`.
    """


class Outcome(_Named):
    """What chance may reveal: an int, the outcome's id within its game, whose `text` and `str()` are its notation."""
