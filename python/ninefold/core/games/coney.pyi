from collections.abc import Mapping
from typing import Any

from ninefold.core.rules import Game, State

ATTRIBUTES: tuple[str, ...]
RESOURCES: tuple[str, ...]
PHASES: tuple[str, ...]
TASKS: tuple[str, ...]
MODES: tuple[str, ...]
ORIGINS: dict[str, int]
WAYS_TO_TAKE: tuple[tuple[int, int, int], ...]
MOVES: dict[str, int]
LIMITS: dict[str, int]

def compile(data: dict[str, Any], players: int, options: Mapping[str, str]) -> Game:
    """The core game of a checked ruleset.

    data: the numbers hand, reserve, supply (None: unlimited), turns, max_rounds, market, resources_per_point,
    reserved_penalty, the list logo_points (of 0, 1, 2, … cards, the last one going on), and `cards`, a list of dicts
    in the order of ids:

        points      a number
        attributes  names of ATTRIBUTES: a sex and colours, or "wild" alone
        cost        (carrot, pellet, hay, any)
        condition   clauses, one of which must hold, each a dict of attribute: (at least, at most), 0 .. 4; []: none
        sale        an effect: a dict of fixed (carrot, pellet, hay), groups [(mode, n), …] with mode "any", "same" or
                    "different" in the order printed, draws, sells (a bool)
        coupon      None, ("now", effect), ("breed", effect), or ("end", what, name, points) with what "neighbour" or
                    "line" and an attribute, or "here" and a resource
        logo        0, 1, 2 or None

    options: adjacency, touch, frame, wild_scores, second_draw, place_nothing, as on the rules' page (wild_scores is
    "none" or anything else). LIMITS bounds the numbers; the face checks them.
    """

def dump(state: State) -> dict[str, Any]:
    """What a position says and its other fields do not imply, as plain numbers; `load` reads it back."""

def load(state: State, data: dict[str, Any]) -> None:
    """Overwrite a position with the numbers of `dump`, which the face has checked. Raises ValueError."""
