"""Small grammars inside ruleset files: a text read word by word, and complaints that say where and what would do."""

from __future__ import annotations

import re
from collections.abc import Collection

from ninefold.errors import InputError, near, shown

__all__ = ["Reader"]


class Reader:
    """Reads the words, numbers and marks of one text from left to right.

    words: all words of the grammar, for near matches. Capitals do not matter; spaces only part what would be one word.
    """

    def __init__(self, text: str, words: Collection[str], marks: str = "()") -> None:
        """Cut the text up. Raises InputError for a character that no word, number or mark has."""
        self.text, self.words = text, words
        self._tokens: list[tuple[str, int]] = []
        for found in re.finditer(r"\s*(?:([a-z_]+|\d+|[" + re.escape(marks) + r"])|(\S))", text.lower()):
            if found[2]:
                raise InputError(f"column {found.start(2) + 1}: unexpected {shown(found[2])}", value=text)
            self._tokens.append((found[1], found.start(1)))
        self._next = 0

    def peek(self, ahead: int = 0) -> str:
        """The next word, or one further on; "" at the end."""
        i = self._next + ahead
        return self._tokens[i][0] if i < len(self._tokens) else ""

    def take(self, *words: str) -> bool:
        """Whether these words come next; they are read then."""
        if any(self.peek(i) != word for i, word in enumerate(words)):
            return False
        self._next += len(words)
        return True

    def one_of(self, words: Collection[str], what: str) -> str:
        """The next word, which must be one of these. what: how a complaint calls them."""
        word = self.peek()
        if word not in words:
            raise self.error(what, words)
        self._next += 1
        return word

    def number(self, low: int, high: int, what: str = "a number") -> int:
        """The next word, a number in this range."""
        word = self.peek()
        if not word.isdecimal():
            raise self.error(what)
        if len(word) > 9 or not low <= int(word) <= high:
            raise self.error(f"{what} from {low} to {high}")
        self._next += 1
        return int(word)

    def end(self, what: str) -> None:
        """Nothing may be left. what: what could have come instead of the next word."""
        if self.peek():
            raise self.error(what)

    def error(self, expected: str, words: Collection[str] | None = None) -> InputError:
        """The complaint that something else was expected where the next word stands."""
        word = self.peek()
        if not word:
            return InputError(f"{expected} is missing at the end of {shown(self.text)}", value=self.text)
        column = self._tokens[self._next][1] + 1
        match = "" if word in self.words else near(word, words or self.words)
        return InputError(f"column {column}: expected {expected}, not {shown(word)}", value=self.text, match=match)
