"""The puzzles that can be made of Territory: the last rounds in a known order, and the best land."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from ninefold._game import game
from ninefold.games.territory_files import CELL_NAMES
from ninefold.games.territory_ruleset import TerritoryRuleset
from ninefold.position import Position
from ninefold.puzzle import Puzzle
from ninefold.puzzles import NUMBERS, Kind, played, spot

__all__ = ["KINDS", "in_order"]

_ROUNDS = (2, 7)  # left, of the kind `open`: fewest and most
_REST = 4  # what the rest of a game counts for each round
_HAND, _DRAFTS, _GOALS = 3, 9, 2  # of the kind `land`


def in_order(position: Position, seed: int) -> Position:
    """The same position, alone, with the deck in a known order, shuffled by this seed."""
    data: dict[str, Any] = position.to_dict()
    player = data["player"][0]
    seen = {*data.get("row", []), *data.get("discard", []), *player.get("hand", []), *player.get("shown", [])}
    seen |= {*player.get("returned", []), *data.get("pending", {}).get("played", [])}
    seen |= set(re.findall(r"\w+", " ".join(player.get("cells", []))))
    ruleset = position.game.ruleset
    assert isinstance(ruleset, TerritoryRuleset)
    deck = [name for name in ruleset.animals if name not in seen]
    random.Random(seed).shuffle(deck)
    fields = {name: value for name, value in data.items() if name not in ("ninefold", "game", "options", "ruleset")}
    return position.game.position({**fields, "order": deck})


def _open(seed: int) -> Puzzle | None:
    """A choice somewhere in the last rounds."""
    rng = random.Random(seed)
    left = rng.randint(*_ROUNDS)
    begun = next(
        position
        for position in played(game("territory", 1).start(), seed)
        if position.to_dict().get("pending", {}).get("phase") != "return"
    )
    there = [
        position
        for position in played(in_order(begun, seed), seed)
        if -(-(position.rest or 0) // _REST) == left and len(position.legal()) > 1
    ]
    if not there:
        return None
    position = rng.choice(there)
    title = f"{NUMBERS[left].capitalize()} rounds left"
    return Puzzle(position.game, "maximum", position, title=f"{title}, the order of the deck known")


def _land(seed: int) -> Puzzle:
    """The best land of a hand and its drafts."""
    rng, of = random.Random(seed), game("territory", 1)
    ruleset = of.ruleset
    assert isinstance(ruleset, TerritoryRuleset)
    cards = tuple(rng.sample(list(ruleset.animals), _HAND + _DRAFTS))
    goals = rng.sample(list(ruleset.goals.values()), _GOALS)
    names = tuple(rng.choice((goal.front, goal.back)).name for goal in goals)
    return Puzzle(
        of, "land", title="The best land of a hand and its drafts", animals=cards[:_HAND], drafts=cards[_HAND:],
        goals=names,
    )  # fmt: skip


def _clue(puzzle: Puzzle, line: Sequence[str]) -> str:
    """Where the first animal goes."""
    placed = [step.split()[2] for step in line if re.fullmatch(r"0: place \w\d.*", step)]
    if not placed:
        return "No more animals are placed."
    where = spot(CELL_NAMES.index(placed[0]), "the land")
    return f"The next animal lies {where}."


def _spared(puzzle: Puzzle, line: Sequence[str]) -> str:
    """One of the animals that are not among the best."""
    chosen = {step.split()[1] for step in line}
    left = [name for name in (*puzzle.animals, *puzzle.drafts) if name not in chosen]
    return f"Not among the best: {left[0]}."


KINDS = {
    "open": Kind("two to seven rounds left, the order of the deck known", _open, _clue),
    "land": Kind("the best land of a hand of three and nine drafts, with two goals", _land, _spared),
}
