"""The planes of an observation of territory, in the order in which the engine writes them."""

from __future__ import annotations

from ninefold._game import Game
from ninefold.core.games.territory import PHASES
from ninefold.games.territory import TerritoryRuleset
from ninefold.observation import layout

VERSION = 1
PLANES = layout("""
phase | phases | 0, 1 | what is asked or revealed, as `PHASES` of the engine lists it
waiting | players | 0, 1 | who must choose now
queue | players x players | 0, 1 | who is to draft or to take a bonus card, in this order
round | | 0 to 1 | the round, of all
takes | | cards | still to be taken in this draft turn
given | | cards | that each has given back so far, at the start
fill | | cards | still to be turned up for the row
first | players | 0, 1 | who will draft first in the next round
part | skills | 0, 1 | the skill about which is being decided
used | skills | 0, 1 | skills that cannot be used in this draft turn any more
spent | skills | number | how often each skill has been used
sides | goals x two | 0, 1 | the side that is up, front or back; neither while it is open
points | players | points | what everybody would score now
cell | players x cells x animals | 0, 1 | what lies in each land, face up or down
up | players x cells | 0, 1 | what lies face up
terrain | players x two x cells | 0, 1 | face-up cells of land or both, of water or both
boss | players x two x cells | 0, 1 | where the bosses of land and water are
star | players x two | 0, 1 | and whether their star side is up
goals | players x goals | 0, 1 | bonus cards for goals taken
skills | players x skills | 0, 1 | and for skills
row | animals | 0, 1 | the row
discard | animals | 0, 1 | the discard pile
unseen | animals | 0, 1 | what may be in the deck, below the known cards on top of it
deck | | cards | how many are in the deck
hand | players x animals | 0, 1 | your hand and what you know of the others'
returned | animals | 0, 1 | what you gave back at the start and have not seen since
played | players x animals | 0, 1 | what everybody plays, as far as you know
made | players x four | 0, 1 | whether somebody has decided what you do not know: what is played, chosen, placed
    where, declared
chosen | players x animals | 0, 1 | last round: which card will be placed
spot | players x spots | 0, 1 | where the card of this round is placed: nine cells face up, nine face down
declared | players x five | 0, 1 | no boss, land, land with star, water, water with star
drafted | players x two x animals | 0, 1 | last round: what came from the draft
drafted_unknown | players x two | number | the same that you do not know: 1 + reshuffles since it was drawn
order* | animals | 0 to 1 | the known cards on top of the deck: 1 for the next one, less by 1 / animals for each
    deeper one
decks+ | | number | 1 + how often the deck was shuffled anew
hidden+ | players x ages | cards | hand cards you do not know, drawn 0, 1, 2, 3 or more reshuffles ago
secret+ | animals | number | of your hand what not all know: 1 + reshuffles since it was drawn
older+ | animals | number | unseen cards that are not in the deck: 1 + reshuffles since they were
events+ | players x rounds x two | number | by round, whether somebody played a card of the first deck that not all
    knew; how many he drew
met+ | players x rounds | 0, 1 | rounds in which somebody played what you had given back
""")


def dimensions(game: Game) -> dict[str, int]:
    """How many there are of what."""
    ruleset = game.ruleset
    assert isinstance(ruleset, TerritoryRuleset)
    return {
        "phases": len(PHASES), "players": game.players, "rounds": ruleset.rounds, "skills": len(ruleset.skills),
        "goals": len(ruleset.goals), "cells": 9, "animals": len(ruleset.animals), "two": 2, "four": 4, "five": 5,
        "spots": 18, "ages": 4,
    }  # fmt: skip
