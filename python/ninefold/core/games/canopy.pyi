from typing import Any

from ninefold.core.rules import Game, State

# Kinds, 0 .. 26: trunk_0 trunk_1 trunk_2 · canopy_0 canopy_1 canopy_2 · philodendron bromelia fern · seed · rain sun ·
# fire drought disease · six active animals (emerald_boa kinkajou leafcutter_ant poison_frog sloth toucan) · their six
# mates in the same order. UNKNOWN = 31: a card that the owner of the state has not seen. NONE = 255: no card.
KIND_NAMES: tuple[str, ...]

# Moves: MOVES[word] is the first id of a word, to which is added
#   look, frog, keep, pass, leave, new tree, sloth, end, stop: 0 · toucan: pile (0 .. 2) · boa, enter, keep seed, under,
#   lose, discard, ant: kind · tree: slot of an open tree (0 ..) · discard trunk, ant trunk: 3 * slot + value ·
#   discard tree, ant tree: number of a completed tree (0 .., in order of completion)
# Outcomes: a kind is dealt: OUTCOMES["deal"] + kind · "seed" + kind · "season" + season card.
# Open trees stand in ascending order of (trunks of value 0) + 16 * (of value 1) + 256 * (of value 2). Of equal trees
# only the first is offered.
#
# Who is asked what, beyond docs/games/canopy.md:
#   START (look, frog, toucan) only if frog or toucan can be used, and again after each. CHOOSE always, also if only
#   `keep` is legal. BOA after a legal pass. ENTER while different kinds are on hand. GROW: a trunk if there is an
#   open tree; a canopy if there are two different ones. DISCARD if two different things can be discarded. REST
#   (sloth, end) if the sloth can be used, END (end) if the ant can. KEEP while a card may be kept; BURY, while
#   different kinds are left, only if the seed deck can ever run short (else they go under in order of kinds): if
#   min(seed cards in both decks, 2 * seasons) * largest seed_draw + fires in both decks * largest seed_per_fire is
#   more than the seed deck has. LOSE_* while there is a choice. `ant` is added to each of START, CHOOSE, BOA, ENTER,
#   GROW, DISCARD, REST, END; it may discard itself. Afterwards the same question is asked again if it still is one,
#   else what has no choice happens.
#   A kept pile is fed when all its cards have entered, before END. A kept seed is open from its `keep seed` on; the
#   seed cards are discarded before kept ones enter. Of equal cards in a pile or on hand, one that both have seen goes
#   first.
MOVES: dict[str, int]
OUTCOMES: dict[str, int]
PHASES: tuple[str, ...]
TASKS: tuple[str, ...]
LIMITS: dict[str, int]

# numbers: philodendron_set, philodendron_points, bromelia [1, 2, more], fern_odd, fern_even (each), weather_pair,
#   seed_draw, seed_per_fire, seed_keep (for each seed card), kinkajou (more with it), fire_two, fire_spread,
#   fire_losses, fire_spread_losses (two <= fires < spread: the owner loses `losses`; from spread on both lose
#   `spread_losses`), the same four of disease, tallest (by season), largest, active, mating, mating_pair, piles [three]
#   and frog (cards a pile)
# `compile` raises ValueError, in words for the ruleset's owner, for cards and numbers that don't fit together.
def compile(
    copies: list[int],  # main deck, by kind
    seeds: list[int],  # seed deck, by kind
    removed: int,  # cards of the main deck that are put back unseen
    seasons: int,
    numbers: dict[str, Any],
    shifts: list[dict[str, Any]],  # the numbers under each season card, all of them; []: no Shifting Seasons
    exposed: bool,  # drought_completed_trees
    learnt: bool = False,  # these are the cards and numbers for which `teach` was given weights
) -> Game: ...

# A position as plain numbers. A card among others is (kind, mask of the players who have looked at it).
#   phase (index of PHASES), season (from 0), turn (whose turn or question it is), first (who began the season), deck
#   (cards left in this season's), shift (season card that holds, NONE), shifts (those turned up so far, this one too)
#   pool: main deck by kind, cards seen by nobody; in a view by its owner · piles [[card]] · at (the pile looked at; 0
#   where none is) · hand [card]: on their way into the forest · card: the kind that enters (GROW, DISCARD), NONE · task
#   (index of TASKS: what follows when all are in)
#   seeds: as `pool`, of the seed deck · top: its cards above `under` [card], the bottom in order, the first to be drawn
#   first · drawn [card]: a seed draw, what is neither kept nor back
#   more (SEED_DRAW: cards still to be drawn, KEEP: that may be kept, of those drawn, LOSE_*: that must be lost; else
#   0), least (KEEP, LOSE_*: the smallest kind that may be named; else 0)
#   player: for each forest (by kind, no trees),
#   open [(trunks of value 0, 1, 2)], done [(trunks of value 0, 1, 2, canopy, stage)] (stage 1 completed this season,
#   2 earlier, 3 has won an award), used (animals, 0 .. 5), points
# `load` raises ValueError for a position that cannot be; what follows from the rest it works out itself.
def dump(state: State) -> dict[str, Any]: ...
def load(state: State, data: dict[str, Any]) -> None: ...

# LIMITS["features"] features of a player and LIMITS["left"] cards left: canopy_value.pxi says which they are.
def teach(weights: list[list[list[float]]], deviations: list[list[float]]) -> None: ...
def features(state: State, player: int) -> list[tuple[int, int]]: ...
def foreseen(state: State) -> tuple[list[float], float] | None: ...
