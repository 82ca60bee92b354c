"""The planes of an observation of coney, in the order in which the engine writes them."""

from __future__ import annotations

from ninefold._game import Game
from ninefold.core.games.coney import ATTRIBUTES, LIMITS, PHASES, RESOURCES, TASKS
from ninefold.games.coney import ConeyRuleset
from ninefold.observation import layout

VERSION = 1
PLANES = layout("""
phase | phases | 0, 1 | what is asked or revealed, as `PHASES` of the engine lists it
waiting | players | 0, 1 | who must choose now
turn_of | players | 0, 1 | whose turn it is; while dealing, whose cards
turn | | 0 to 1 | turns or rounds played, of the most there can be
last | actions | 0, 1 | alone: place, breed, refill: this turn's action or, while it is asked for, the last one's
task | tasks | 0, 1 | whose gains and draws are being made, as `TASKS` of the engine lists them
source | cards | 0, 1 | the card being sold, placed or used
cell | places | 0, 1 | where the card being paid for will lie; breeding: the cell of the rabbit whose turn it is
group | | number | groups of resources of the effect already taken
draws | | number | draws still due
placed | | cards | placed in this turn
sold | | 0, 1 | whether a card was sold in it
low | | 0 to 1 | only cards from this number on may be named, as a part of all cards
points | players | points | what everybody would score now
stock | players x resources | number | everybody's carrots, pellets, hay
supply | resources | 0 to 1 | what is left of the supply; 1 where it is unlimited
farm | players x cells x cards | 0, 1 | what lies in each farm
rabbits | players x attributes x cells | 0, 1 | the cells whose rabbit is male, female, white, black, grey, brown,
    orange, wild
tokens | players x cells | number | resources lying on a card
reserve | players x cards | 0, 1 | everybody's reserve
hand | players x cards | 0, 1 | your hand, the pack before you included, and what you know of the others'
market | cards | 0, 1 | the market
discard | cards | 0, 1 | the discard pile
unseen | cards | 0, 1 | cards of which you do not know where they are
deck | | cards | how many are in the deck
order* | cards | 0 to 1 | the known cards on top of the deck: 1 for the next one, less by 1 / cards for each deeper
    one
reshuffles+ | | number | how often the deck was shuffled anew
pick+ | | 0 to 1 | draft: cards kept so far, of 8
fresh+ | players | 0, 1 | who has shown no card from his hand since the draft
kept+ | cards | 0, 1 | draft: the card that you have just kept
pack+ | cards | 0, 1 | draft: the pack before you
shown+ | cards | 0, 1 | of your hand what all have seen: it came from the market
drawn+ | cards | number | of your hand what you drew unseen by others: 1 + reshuffles since
picked+ | players x cards | 0 to 1 | of your hand what you kept in the draft, by whose pack it was: 1 + the pick, of 8
hidden+ | players x classes | cards | hand cards you do not know: drawn 0, 1, 2, 3 or more reshuffles ago, then for
    each player's pack and each pick at which you last saw it
older+ | cards | number | unseen cards that were in the deck so many reshuffles ago and not after that
passed+ | players x cards | 0 to 1 | unseen cards that you saw in a pack, by whose pack it was: 1 + the pick, of 8
""")


def dimensions(game: Game) -> dict[str, int]:
    """How many there are of what."""
    ruleset = game.ruleset
    assert isinstance(ruleset, ConeyRuleset)
    return {
        "phases": len(PHASES), "players": game.players, "actions": 3, "tasks": len(TASKS), "cards": len(ruleset.cards),
        "places": LIMITS["places"], "resources": len(RESOURCES), "cells": 9, "attributes": len(ATTRIBUTES),
        "classes": 4 + game.players * LIMITS["hand"],
    }  # fmt: skip
