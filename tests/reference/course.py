"""What all twins do in the same way: the course of a game as one generator, which pauses where something is asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")

# A piece of the game that pauses now and then and gives a T at its end.
Script = Generator[None, None, T]


class Course(ABC):
    """A game, ``_game``, that waits for something revealed, or for the choices of the players in `options`."""

    def __init__(self) -> None:
        self.possible: dict[str, int] = {}  # what may be revealed, each with its weight
        self.revealed = ""
        self.options: dict[int, list[str]] = {}  # moves by seat
        self.chosen: dict[int, str] = {}  # secret until the last one has chosen
        self.stage: tuple[str | int, ...] = ()  # public: what is going on
        self.ended = False
        self.script = self._game()
        self._go_on()

    # ---- the outside -----------------------------------------------------------------------------------------------

    def actors(self) -> set[int]:
        """The seats that must choose now."""
        return {seat for seat in self.options if seat not in self.chosen}

    def legal(self, player: int) -> list[str]:
        """The moves of a player who must choose now, sorted."""
        return sorted(self.options[player]) if player in self.actors() else []

    def apply(self, player: int, move: str) -> None:
        """A player chooses; the game goes on when the last one has."""
        if move not in self.legal(player):
            raise ValueError(f"player {player} can't choose {move!r}")
        self.chosen[player] = move
        if not self.actors():
            self._go_on()

    def outcomes(self) -> dict[str, int]:
        """At a chance node: what may be revealed, each with its weight."""
        return dict(self.possible)

    def settle(self, outcome: str) -> None:
        """Chance reveals something."""
        if outcome not in self.possible:
            raise ValueError(f"{outcome!r} can't be revealed")
        self.revealed = outcome
        self._go_on()

    def over(self) -> bool:
        """Has the game ended?"""
        return self.ended

    # ---- pausing and going on --------------------------------------------------------------------------------------

    @abstractmethod
    def _game(self) -> Script[None]:
        """The rules, from top to bottom."""

    def _go_on(self) -> None:
        """Let the game run to its next pause, or to its end."""
        try:
            next(self.script)
        except StopIteration:
            self.ended = True
            self.stage = ("end",)

    def _chance(self, possible: dict[str, int]) -> Script[str]:
        """Pause for chance: one of these, by their weights."""
        self.possible = possible
        yield
        self.possible = {}
        return self.revealed

    def _ask(self, options: dict[int, dict[str, T]]) -> Script[dict[int, T]]:
        """Pause for the choices of some players, all at once: for each seat, the moves and what they mean."""
        if not options:
            return {}
        self.options = {seat: list(moves) for seat, moves in options.items()}
        yield
        answers = {seat: options[seat][self.chosen[seat]] for seat in options}
        self.options = {}
        self.chosen = {}
        return answers

    def _ask_one(self, seat: int, moves: dict[str, T]) -> Script[T]:
        """Pause for the choice of one player."""
        answers = yield from self._ask({seat: moves})
        return answers[seat]
