"""The puzzles that can be made of Coney: the last turns in a known order, a turn that has begun, and the best farm."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from ninefold._game import game
from ninefold.games.coney import CELLS, ConeyRuleset
from ninefold.position import Position
from ninefold.puzzle import Puzzle
from ninefold.puzzles import NUMBERS, Kind, played, spot

__all__ = ["KINDS", "in_order"]

_TURNS = (2, 5)  # left, of the kind `open`: fewest and most
_RABBITS = (12, 20)  # of the kind `farm`
_WORK = 200_000  # of the proof of these two
_CHOICES = 6  # moves that a turn which has begun leaves at least


def in_order(position: Position, seed: int) -> Position:
    """The same position, alone, with the deck in a known order, shuffled by this seed."""
    data: dict[str, Any] = position.to_dict()
    player = data["player"][0]
    seen = {*data["market"], *data["discard"], *player["hand"], *player.get("reserve", [])}
    seen |= {word.split("+")[0] for row in player["farm"] for word in row.split()}
    deck = [name for name in _ruleset(position).cards if name not in seen]
    random.Random(seed).shuffle(deck)
    fields = {name: value for name, value in data.items() if name not in ("ninefold", "game", "options", "ruleset")}
    return position.game.position({**fields, "order": deck})


def _open(seed: int) -> Puzzle | None:
    """The beginning of a turn near the end."""
    left = random.Random(seed).randint(*_TURNS)
    for position in played(in_order(game("coney", 1).deal(seed), seed), seed):
        if position.rest == left and "pending" not in position.to_dict():
            title = f"{NUMBERS[left].capitalize()} turns left"
            return Puzzle(position.game, "maximum", position, title=f"{title}, the order of the deck known")
    return None


def _turn(seed: int) -> Puzzle | None:
    """A turn of the last two that has begun, with much to choose from."""
    rng = random.Random(seed)
    left = rng.randint(1, 2)
    there = [
        position
        for position in played(in_order(game("coney", 1).deal(seed), seed), seed)
        if position.rest == left and "pending" in position.to_dict() and len(position.legal()) >= _CHOICES
    ]
    if not there:
        return None
    position = rng.choice(there)
    title = "The last turn has begun" if left == 1 else "The last turn but one has begun"
    return Puzzle(position.game, "maximum", position, title=f"{title}, the order of the deck known")


def _farm(seed: int) -> Puzzle:
    """The best farm of more rabbits than lie in one."""
    rng, of = random.Random(seed), game("coney", 1)
    ruleset = of.ruleset
    assert isinstance(ruleset, ConeyRuleset)
    rabbits = rng.sample(list(ruleset.cards), rng.randint(*_RABBITS))
    return Puzzle(of, "farm", title=f"The best farm of {len(rabbits)} rabbits", rabbits=tuple(rabbits))


def _clue(puzzle: Puzzle, line: Sequence[str]) -> str:
    """Where the first rabbit goes, and how many follow."""
    placed = [step.split()[-1] for step in line if len(step.split()) > 2 and step.split()[-3] == "place"]
    if not placed:
        return "No more rabbits are placed."
    where = spot(CELLS.index(placed[0]), "the farm")
    more = len(placed) - 1
    others = f"{more or 'no'} other{' follows' if more == 1 else 's follow'}"
    return f"The first rabbit that is placed lies {where}; {others}."


def _spared(puzzle: Puzzle, line: Sequence[str]) -> str:
    """Some of the rabbits that are not among the best."""
    chosen = {step.split()[1] for step in line}
    left = [name for name in puzzle.rabbits if name not in chosen]
    return f"Not among the best: {', '.join(left[: (len(left) + 1) // 2])}."


def _ruleset(position: Position) -> ConeyRuleset:
    assert isinstance(position.game.ruleset, ConeyRuleset)
    return position.game.ruleset


KINDS = {
    "open": Kind("two to five turns left, the order of the deck known", _open, _clue, _WORK),
    "turn": Kind("a turn of the last two that has begun, the order of the deck known", _turn, _clue),
    "farm": Kind("the best farm of 12 to 20 rabbits", _farm, _spared, _WORK),
}
