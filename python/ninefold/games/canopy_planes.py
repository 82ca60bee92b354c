"""The planes of an observation of canopy, in the order in which the engine writes them."""

from __future__ import annotations

from ninefold._game import Game
from ninefold.core.games.canopy import KIND_NAMES, LIMITS, PHASES, TASKS
from ninefold.observation import layout

VERSION = 1
PLANES = layout("""
phase | phases | 0, 1 | what is asked or revealed, as `PHASES` of the engine lists it
waiting | | 0, 1 | whether somebody must choose now; else chance reveals, or it is over
mine | | 0, 1 | whether it is your turn or your question
first | | 0, 1 | whether you began the season
season | seasons | 0, 1 | which season it is
shift | shifts | 0, 1 | the season card that holds
shifts | shifts | 0, 1 | season cards that were turned up
task | tasks | 0, 1 | what follows when all cards on their way are in, as `TASKS` of the engine lists it
at | piles | 0, 1 | the pile that is looked at
card | kinds | 0, 1 | the trunk, canopy or drought about which is being decided
more | | cards | still to be drawn from the seed deck, that may be kept, or to be lost
least | | 0 to 1 | no kind below this number can be named any more, as a part of all kinds
points | players | points | scored so far
forest | players x kinds | cards | everybody's forest, trees apart
used | players x animals | 0, 1 | animals used this season
trees | players x trees x tree | number | open trees, then the completed: trunks of value 0, 1, 2; the canopy's 1 +
    value, of 3; whether it was completed this season, earlier, has won the award for the tallest
piles | piles x two x kinds | cards | cards of each pile that you alone, and that both have looked at
piles_unknown | piles x two | cards | and those that nobody, and that only the other player has looked at
hand | two x kinds | cards | on their way into the forest: seen by you alone, by both
hand_unknown | two | cards | by nobody, only by the other player
drawn | two x kinds | cards | a seed draw, without what is kept: seen by you alone, by both
drawn_unknown | two | cards | by nobody, only by the other player
unseen | kinds | cards | cards of the main deck that you have not seen
deck | | cards | left in this season's deck
seeds_unseen | kinds | cards | cards of the seed deck that you have not seen
seeds | | cards | in the seed deck above those put under it
under | under x three | 0 to 1 | the bottom of the seed deck, in order: 1 + the kind, of 28, where 28 is a card you
    have not seen; whether you, whether the other player has seen it
""")


def dimensions(game: Game) -> dict[str, int]:
    """How many there are of what."""
    return {
        "phases": len(PHASES), "players": game.players, "seasons": LIMITS["seasons"], "shifts": LIMITS["shifts"],
        "tasks": len(TASKS), "piles": 3, "kinds": len(KIND_NAMES), "animals": 6, "trees": LIMITS["trees"], "tree": 7,
        "two": 2, "three": 3, "under": LIMITS["seeds"],
    }  # fmt: skip
