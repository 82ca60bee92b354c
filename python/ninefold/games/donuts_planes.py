"""The planes of an observation of donuts, in the order in which the engine writes them."""

from __future__ import annotations

from ninefold._game import Game
from ninefold.core.games.donuts import LIMITS, POWER_NAMES
from ninefold.games.donuts import DonutsRuleset
from ninefold.observation import layout

VERSION = 1
PLANES = layout("""
phase | phases | 0, 1 | what is asked or revealed: a place is refilled, bids, Chocolate Frosted draws, Double
    Chocolate draws, a power's choice, Cinnamon Twist, over
waiting | players | 0, 1 | who must choose now
power | powers | 0, 1 | the power being resolved, as `POWER_NAMES` of the engine lists them from the second on
actor | players | 0, 1 | whose power it is
taken | kinds | 0, 1 | the card whose power asks for a choice, Double Chocolate apart
chosen | | number | cards already named for this power; French Cruller: places already offered
place | stops | 0, 1 | the first place not yet resolved or, while refilling, not yet filled; the last one: all are
    done
points | players | points | what everybody's cards are worth now
cards | players | cards | how many everybody holds
held | players x kinds | cards | what everybody holds
coffee | players x worths | cards | frozen Coffees held, by the number of negative cards they count
row | places x kinds | 0, 1 | what lies on each place
bids | players x places | 0, 1 | where each has bid this round: while bids are made only your own
passed | items | 0, 1 | what you pass on by Cinnamon Twist: a kind, or behind the kinds a Coffee by its worth
deck | | cards | how many are in the deck
unseen | kinds | cards | cards that you have not seen
discard | kinds | cards | the discard pile
depth | cards | 0 to 1 | the order of the pile: for each copy of each kind there, from the top, 1 for the pile's
    uppermost card, less by 1 / cards for each deeper one; the copies of a kind stand together, 0 where there are no
    more
drawn | two x kinds+1 | 0, 1 | the cards drawn by Double Chocolate; the last number: one you have not seen
drawn_known | two x players | 0, 1 | who has seen them, as far as you know
tops | | cards | how many cards put back lie on top of the deck
bottoms | | cards | and how many at its bottom
returned | returns x kinds+1 | 0, 1 | those cards, the next to be drawn first, top before bottom; the last number: one
    you have not seen
returned_known | returns x players | 0, 1 | who has seen them, as far as you know
""")


def dimensions(game: Game) -> dict[str, int]:
    """How many there are of what."""
    ruleset = game.ruleset
    assert isinstance(ruleset, DonutsRuleset)
    used = ruleset.used(game.players).values()
    doubles = [kind.copies_for(game.players) for kind in used if kind.power == "double_chocolate"]
    return {
        "phases": 7, "players": game.players, "powers": len(POWER_NAMES) - 1, "kinds": len(used),
        "kinds+1": len(used) + 1, "places": game.players + 1, "stops": game.players + 2, "worths": LIMITS["worths"] + 1,
        "items": LIMITS["kinds"] + LIMITS["worths"] + 1, "two": 2, "returns": sum(doubles),
        "cards": sum(kind.copies_for(game.players) for kind in used),
    }  # fmt: skip
