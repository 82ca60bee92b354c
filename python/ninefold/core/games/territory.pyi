from typing import Any

from ninefold.core.rules import Game, State

# Ids. Animals: by ascending number, then as in the ruleset; `compile` wants them in that order. Goals, skills: as in
# the ruleset. Cells: 3 * (row - 1) + column, a1 = 0, c3 = 8. Bosses: 0 land, 1 water.
#
# Moves: MOVES[word] is the first id of a word, to which is added
#   return, play, take, choose: animal · take deck: 0 · use: skill · place, place down: cell
#   boss: 0 none, 1 land, 2 land star, 3 water, 4 water star · bonus goal: goal · bonus skill: skill · no bonus: 0
#   move: 9 * from + to · swap: 9 * cell + a higher cell
# Outcomes: 0 .. 63 an animal is dealt; 64 + 2 * goal + side: which side of a goal is up (0 front, 1 back).
# Who is asked when. Everybody at once and in secret, hidden until all have chosen: `return` (one card, then the next
# round of one card, ascending ids, enough higher ones left), `play`, `choose` (last round, who has drafted; then it
# is open), `place`, `boss` (if a marker can lie). One after the other, also with one answer: the draft turn (`use` as
# often as it goes, `move` or `swap` where the skill asks, then `take`), and `bonus` (if a card is left).
MOVES: dict[str, int]
OUTCOME_SIDE: int  # first outcome id of goals' sides

# Effects of skills, used on the own draft turn before taking.
#   move: one own card to an empty own cell, where it lies in order (face down: anywhere); its marker goes along
#   swap: two own cards, not both face down; all must lie in order afterwards
#   draft twice: two cards are taken this turn; not with one card to take · redraw row: the row, if there is one, is
#   discarded and as many cards are turned up · draft first: in the next round one drafts before those who did not use
#   it; not in the last round, not alone
# Each at most once a turn.
EFFECTS: tuple[str, ...]

# A goal's condition: a program in postfix notation, (operation, argument) each, argument 0 where none is named.
# Values on the stack are masks of cells, numbers, or 0 / 1 for no and yes; one is left at the end: whether the goal
# is met.
#   push a mask:    cells m (these nine bits) · cards m (face-up cells with an animal of this 64-bit mask of ids) ·
#                   up · down · empty · boss b (its cell, or nothing) · territory b
#   of masks, yes:  and · or · of one mask: not (the other cells) · beside (cells joined to one of it)
#   mask to number: count · lines (whole rows and columns) · diagonals · group (largest joined part) ·
#                   run (longest run of consecutive numbers, face up) · sum (of face-up numbers) · stars (their sum)
#   number to yes:  at least n · at most n · exactly n
OPERATIONS: tuple[str, ...]

PHASES: tuple[str, ...]
LIMITS: dict[str, int]

def compile(
    players: int,
    rounds: int,
    hand: int,
    keep: int,
    row: int,
    largest: list[int],  # award by number of players who share it, from 1
    animals: list[dict[str, Any]],  # number, terrain ("land", "water", "both"), stars
    goals: list[tuple[dict[str, Any], dict[str, Any]]],  # front, back: points, program
    skills: list[dict[str, Any]],  # effect (of EFFECTS), points, uses (0: once every round)
    territory_points: bool,
    face_down_free: bool,
    bonus_may: bool,
) -> Game: ...

# A position as plain numbers; NONE = 255 no card, cell, choice; SECRET = 254 a choice that the view does not know.
#   phase (index of PHASES), round (from 1, 0 before), decided (goals whose side is known), sides (mask of goals, set:
#   back is up), given (RETURN: cards that each has given back), fill (FILL, REDRAW: cards still to be turned up),
#   left (cards in the deck), deck (animals in it, below `order`; in a view all that may be there), order (alone:
#   known cards on top, the next first; cards given back come below them), discard, row (animals),
#   waiting (mask of players who must choose), queue (players whose draft or bonus turn it is or will be, in order),
#   takes (cards still to be taken this turn), used (mask of skills that cannot be used this turn any more), part (the
#   skill that asks, NONE), first (mask: drafts first in the next round), spent (uses by skill, 0 if unlimited), pool
#   (of the deck now: 1, and more after a reshuffle; 0 alone), older [(animal, pool)] (view: cards that somebody holds
#   since before a reshuffle)
#   player: for each
#     hand [(animal, pool)] pool 0: known to all (or alone), else the deck it came from · hidden [pool] of a view:
#     cards that it does not know · returned [animal] given back and not seen by him since
#     played (what was played; after CHOOSE what is placed), drafted [animal] (last round, two, NONE; a view that does
#     not know it: 128 + pool, and it is not in `hidden`), chosen (CHOOSE), spot (where: cell, + 16 face down; kept
#     until the round ends), declared (0 .. 4 as in MOVES["boss"])
#     cells [animal], up (mask of face-up cells), boss [of land, of water: cell, + 16 star side], goals, skills
#     (masks)
#     events [(played, drawn)] by round: whether he played a card of pool 1 that was not known to all, how many cards
#     of pool 1 he drew from the deck, not counting the last round (where it is inconsistent with `hidden`, as in a
#     file typed by hand that says nothing: hidden cards count as drawn)
#     met [mask of rounds, bit round - 1] by player: when that player played a card that this one had given back
# `load` raises ValueError for a card that is at two places.
def dump(state: State) -> dict[str, Any]: ...
def load(state: State, data: dict[str, Any]) -> None: ...
def placements(game: Game, n: int, seed: int) -> int: ...
