"""The small grammars inside ruleset files: a text read word by word, with complaints that say where and what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NoReturn

from ninefold.errors import InputError, near, shown

__all__ = ["Words", "either"]

_LONGEST = 400  # characters of one text
_MANY = 8  # alternatives that a complaint names


class Words:
    """One text, read word by word from the left; every complaint names the column."""

    def __init__(self, text: str, known: Iterable[str]) -> None:
        """Cut up the text. known: all words of the grammar, for near matches."""
        if len(text) > _LONGEST:
            raise InputError(f"at most {_LONGEST} characters, not {len(text)}", value=text)
        self.text, self.known = text, tuple(known)
        self.words = [(m[0].lower(), m.start() + 1) for m in re.finditer(r"[^\W\d]+|\d+|\S", text)]
        self.at = 0

    def __iter__(self) -> Iterator[str]:
        """The words that are left, each to be taken by whoever asks."""
        while self.next:
            yield self.next

    @property
    def next(self) -> str:
        """The next word, "" at the end."""
        return self.words[self.at][0] if self.at < len(self.words) else ""

    def accept(self, *wanted: str) -> str:
        """Take the next word if it is one of these, else ""."""
        word = self.next
        if word not in wanted:
            return ""
        self.at += 1
        return word

    def phrase(self, *wanted: str) -> bool:
        """Take the next words if they are these, all of them."""
        if [word for word, _ in self.words[self.at : self.at + len(wanted)]] != list(wanted):
            return False
        self.at += len(wanted)
        return True

    def expect(self, *wanted: str) -> str:
        """Take the next word, which must be one of these."""
        return self.accept(*wanted) or self.fail(*wanted)

    def number(self, low: int, high: int, missing: int | None = None) -> int:
        """Take a number; what is missing counts as one if there is such a default."""
        word = self.next
        if not word.isdecimal():
            return self.fail("a number") if missing is None else missing
        if not low <= int(word[:9]) <= high:
            self.fail(message=f"must be {low} to {high}, not {shown(int(word[:9]))}")
        self.at += 1
        return int(word)

    def end(self, *wanted: str) -> None:
        """Complain if there is more; these words would have done."""
        if self.next:
            self.fail(*wanted)

    def fail(self, *wanted: str, message: str = "", back: int = 0) -> NoReturn:
        """Complain about the next word, or one before it, where one of these should be."""
        at = self.at - back
        if at >= len(self.words):
            message = message or f"ends too early: {either(wanted)} is missing"
            raise InputError(message, value=self.text)
        word, column = self.words[at]
        match = ""
        if not message and (word in self.known or word.isdecimal()):
            message = f"{either(wanted)} is expected, not {shown(word)}" if wanted else f"{shown(word)} is too much"
        elif not message:
            likely = [known for known in wanted if known in self.known]
            message = f"unknown word {shown(word)}"
            match = near(word, likely) or (near(word, self.known) if likely or not wanted else "")
            if wanted and not match:
                message += f", {either(wanted)} is expected"
        raise InputError(f"column {column}: {message}", value=self.text, match=match)


def either(words: tuple[str, ...]) -> str:
    """Alternatives as a complaint names them: "a, b or c"; the first of them where there are many."""
    if len(words) > _MANY:
        return ", ".join(words[:_MANY]) + " …"
    said = [word if word[0].isalpha() else shown(word) for word in words]
    return " or ".join(filter(None, (", ".join(said[:-1]), *said[-1:])))
