"""The puzzles that can be made of Go Nuts for Donuts: the right bid of two players in an endgame."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

from ninefold._game import game
from ninefold.puzzle import Puzzle
from ninefold.puzzles import Kind, played

__all__ = ["KINDS"]

_LEFT = (3, 8)  # cards in the deck: at most so many, from the one to the other
_AIMS = {"win": "to win", "margin": "for most points ahead"}


def _endgame(objective: str, seed: int) -> Puzzle | None:
    """A bid of both."""
    left = random.Random(seed).randint(*_LEFT)
    for position in played(game("donuts", 2).start(), seed):
        deck = position.to_dict()["deck"]
        if deck <= left and len(position.actors) == 2:
            cards = f"{deck} card{'s' if deck != 1 else ''}"
            title = f"{cards} left in the deck: what does player 0 bid {_AIMS[objective]}?"
            return Puzzle(position.game, "value", position, title, objective)
    return None


def _clue(puzzle: Puzzle, line: Sequence[str]) -> str:
    """What the other one does."""
    reply = next((step.removeprefix("1: ") for step in line if step.startswith("1: ")), "")
    assert puzzle.position is not None
    card = puzzle.game.module.gloss(puzzle.position, puzzle.game.move(reply))
    return f"Player 1 may well {reply}" + (f" ({card})." if card else ".")


KINDS = {
    "margin": Kind("the best bid for most points ahead, at most 8 cards left", partial(_endgame, "margin"), _clue),
    "win": Kind("the best bid to win, at most 8 cards left", partial(_endgame, "win"), _clue),
}
