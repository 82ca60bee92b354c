"""The puzzles that can be made of Canopy: the end of the last season, when both have seen all that is left."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from functools import partial

from ninefold._game import game
from ninefold.core.games import canopy as core
from ninefold.games.canopy_files import BOTH, UNKNOWN, ruleset_of
from ninefold.games.canopy_ruleset import KINDS as CARDS
from ninefold.position import Position
from ninefold.puzzle import Puzzle
from ninefold.puzzles import Kind, played

__all__ = ["KINDS", "opened"]

_DEALT = 6  # cards of the deck, at most, that are laid on the piles
_PHASES = {"picks": ("choose",), "forest": ("boa", "enter", "grow", "discard", "lose_plants", "lose_animals")}
_TITLES = {"picks": "The last piles", "forest": "What happens in the forest"}


def opened(position: Position, seed: int) -> Position:
    """The same position, the rest of the deck on the piles, one by one, and everything seen by both players.

    What nobody has seen so far is drawn by this seed from what it may be.
    """
    rng, state = random.Random(seed), core.dump(position)
    pool = [kind for kind, n in enumerate(state["pool"]) for _ in range(n)]
    rng.shuffle(pool)
    piles = [pile for pile in state["piles"] if pile]
    for number in range(state["deck"]):
        piles[number % len(piles)].append((UNKNOWN, 0))
    state["deck"] = 0
    for pile in state["piles"]:
        pile[:] = [(pool.pop() if kind >= len(CARDS) else kind, BOTH) for kind, _ in pile]
    state["pool"] = [pool.count(kind) for kind in range(len(CARDS))]
    for some in (state["hand"], state["drawn"], state["under"]):
        some[:] = [(kind, BOTH) for kind, _ in some]
    made = Position(position.game)
    core.load(made, state)
    return made


def _end(phases: Collection[str], title: str, seed: int) -> Puzzle | None:
    """A choice near the end of the last season."""
    rng, of = random.Random(seed), game("canopy", 2)
    deck, there = rng.randint(0, _DEALT), []
    for position in played(of.start(), seed):
        state = core.dump(position)
        if (
            state["season"] + 1 == ruleset_of(of).seasons
            and state["deck"] <= deck
            and core.PHASES[state["phase"]] in phases
            and sum(map(bool, state["piles"])) > 1
            and len(position.legal()) > 1
        ):
            there.append(position)
    if not there:
        return None
    try:
        position = opened(rng.choice(there), seed)
    except ValueError:  # what is asked there asks for a deck
        return None
    if position.is_over or position.is_chance or len(position.legal()) < 2:
        return None
    title = f"{title}: player {position.actors[0]} is to choose"
    return Puzzle(of, "value", position, title, "margin")


def _clue(puzzle: Puzzle, line: Sequence[str]) -> str:
    """What the best line comes to next."""
    assert puzzle.position is not None
    seat = puzzle.position.actors[0]
    later = [step.removeprefix(f"{seat}: ") for step in line[1:] if step.startswith(f"{seat}: ")]
    told = [step for step in later if step not in ("keep", "pass", "end turn", "look")]
    if told:
        return f"Later on player {seat} does this: {told[0]}."
    kept = sum(step.endswith(": keep") for step in line)
    return f"In the best line piles are kept {kept} time{'' if kept == 1 else 's'}."


KINDS = {
    name: Kind(about, partial(_end, _PHASES[name], _TITLES[name]), _clue)
    for name, about in (
        ("picks", "which of the last piles to keep, by points ahead"),
        ("forest", "what to do with cards on their way into the forest, or out of it, by points ahead"),
    )
}
