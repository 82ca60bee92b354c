"""Where persons type: with completion and a history of their own on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

__all__ = ["Keyboard", "Lines", "Typewriter", "completions", "keyboard"]


class Keyboard(ABC):
    """Asks persons for a line. `ask` raises EOFError where nothing more comes, and KeyboardInterrupt after Ctrl-C.

    `live`: somebody sits there, who can look away, press Enter, and be shown one screen after the other.
    """

    live: bool

    @abstractmethod
    def ask(self, seat: int, prompt: str, words: Callable[[], Sequence[str]]) -> str:
        """What this person types; `words` gives the lines that make sense, for the completion."""


class Lines(Keyboard):
    """Lines from the standard input, such as a file or another program's output, or of a terminal without comfort."""

    def __init__(self) -> None:
        """Whether somebody is there is seen by its being a terminal."""
        self.live = sys.stdin.isatty() and sys.stdout.isatty()

    def ask(self, seat: int, prompt: str, words: Callable[[], Sequence[str]]) -> str:
        """A line; where no terminal shows what is typed, it is written behind the prompt."""
        line = input(prompt)
        if not sys.stdin.isatty():
            print(line)
        return line


class Typewriter(Keyboard):
    """A terminal with prompt_toolkit: Tab completes word by word, the arrows bring back what this person typed."""

    live = True

    def __init__(self) -> None:
        """Needs the extra `play`."""
        self._sessions: dict[int, PromptSession[str]] = {}  # one each: another's history would tell his bids

    def ask(self, seat: int, prompt: str, words: Callable[[], Sequence[str]]) -> str:
        """A line, with completion."""
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer, Completion
        from prompt_toolkit.document import Document
        from prompt_toolkit.shortcuts import CompleteStyle

        class Words(Completer):
            def get_completions(self, document: Document, complete_event: object) -> Iterable[Completion]:
                typed = document.text_before_cursor
                for line in completions(typed, words()):
                    yield Completion(line, -len(typed), display=line.rstrip().rpartition(" ")[2])

        if seat not in self._sessions:
            self._sessions[seat] = PromptSession(
                complete_style=CompleteStyle.READLINE_LIKE, complete_while_typing=False, reserve_space_for_menu=0
            )
        return self._sessions[seat].prompt(prompt, completer=Words())


def keyboard() -> Keyboard:
    """The most comfortable one that there is."""
    lines = Lines()
    if lines.live and find_spec("prompt_toolkit"):
        return Typewriter()
    return lines


def completions(typed: str, lines: Iterable[str]) -> list[str]:
    """How what was typed may go on, up to the end of the next word, with a space behind it if more words follow.

    Capitals and the number of spaces do not matter. In the order of the lines, each once.
    """
    start = " ".join(typed.lower().split())
    if start and typed[-1].isspace():
        start += " "
    found: dict[str, None] = {}
    for line in lines:
        if line.startswith(start):
            word, space, _ = line[len(start) :].partition(" ")
            found[start + word + space] = None
    return list(found)
