"""Canopy: one position (rules: docs/games/canopy.md)."""
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef enum:
    KINDS = 27
    WORDS = 4               # of eight kinds each: counts of cards by kind
    PILES = 3
    SEATS = 2
    PILE = 40               # cards of a pile, and of those on their way into a forest
    TREES = 24              # of one player, and trunks of a ruleset
    TRUNKS = 15             # trunks of one value
    UNDER = 40              # cards of the seed deck
    DRAWN = 16              # cards of one seed draw
    SEASONS = 5
    SHIFTS = 15             # season cards
    STAGES = 18             # of a season, for guesses
    GAINS = 24              # numbers of cards held that they tell apart
    ANIMALS = 6
    UNKNOWN = 31            # kind of a card that the owner of this state has not seen
    NONE = 255              # no card

cdef enum:                  # kinds
    TRUNK = 0               # + value
    TREETOP = 3             # canopy, + value
    PHILODENDRON = 6
    BROMELIA
    FERN
    SEED
    RAIN
    SUN
    FIRE
    DROUGHT
    DISEASE
    EMERALD_BOA             # the six active animals
    KINKAJOU
    LEAFCUTTER_ANT
    POISON_FROG
    SLOTH
    TOUCAN
    MATING                  # + animal: their mates

cdef enum Phase:
    SHIFT                   # chance: the season's card
    REVEAL                  # chance: the next unknown card of pile `at`, which is looked at
    PEEK                    # the same by the toucan
    UNCOVER                 # chance, in a view: the next unknown card of `hand`, which is to enter
    DRAW                    # chance: the card drawn into the forest
    SEED_DRAW               # chance: the next card of a seed draw
    START                   # frog and toucan, before looking
    CHOOSE                  # keep or pass pile `at`
    BOA                     # what to take of the pile that is passed
    ENTER                   # which card enters next
    GROW                    # what becomes of `card`, a trunk or a canopy
    DISCARD                 # what `card`, a drought, takes along
    REST                    # passed all: the sloth, or the end of the turn
    END                     # the end of the turn, for the ant's sake
    KEEP                    # which of the seed draw enter
    BURY                    # in which order the others go under the seed deck
    LOSE_PLANTS
    LOSE_ANIMALS
    OVER

cdef enum Source:           # of points
    FROM_TREES
    FROM_TALLEST              # the award for the tallest tree
    FROM_PHILODENDRONS
    FROM_BROMELIAS
    FROM_FERNS
    FROM_WEATHER
    FROM_WILDLIFE
    FROM_FOREST               # the award for the largest forest
    SOURCES

cdef enum Task:             # what follows when all cards on their way are in
    NO_TASK
    KEPT                    # pile `at` was kept: it is fed, the turn ends
    TAKEN                   # by the boa: the pile is fed, the next one is looked at
    PASSED                  # all: the sloth may work, the turn ends
    RESTED                  # the sloth worked: the turn ends
    SOWN                    # seeds were kept: the next player, then threats

cdef enum Stage:            # of a tree
    OPEN_TREE
    NEW_TREE                # completed this season
    OLD_TREE                # completed earlier, has not won
    SPENT_TREE              # has won the award for the tallest

# A card among others is a byte: 4 * kind + a mask of the players who have looked at it; 0 is no card. In a pile, in
# `hand` and in `drawn` they ascend. In a state that knows all, a card of kind UNKNOWN has been seen by nobody and comes from
# `pool`. In a view UNKNOWN ones may have been seen by the other player; they are in `pool` too (or in `seeds`).
# A tree is a word: trunks of value 0, 1, 2 four bits each, the canopy's value from bit 12, its stage from bit 14.
ctypedef struct Canopy:
    uint8_t pool[8 * WORDS]             # main deck, by kind: seen by nobody (in a view: by its owner)
    uint8_t forest[SEATS][8 * WORDS]    # by kind: all but trees
    uint16_t tree[SEATS][TREES]         # open ones first, ascending; then the completed, as they were completed
    uint8_t pile[PILES][PILE]
    uint8_t seeds[8 * WORDS]            # seed deck, by kind: seen by nobody (in a view: by its owner)
    uint8_t hand[PILE]                  # on their way into the forest
    uint8_t drawn[DRAWN]                # a seed draw: what is not kept and not yet back
    uint8_t under[UNDER]                # bottom of the seed deck, below `top`, the first to be drawn first: in order
    int16_t scored[SEATS][SOURCES]      # of `points`, what is known to have come from each source
    int16_t points[SEATS]               # scored so far
    uint16_t shifts                     # season cards that were turned up, a mask
    uint8_t size[PILES]                 # cards of each pile
    uint8_t held                        # cards of `hand`
    uint8_t draws                       # cards of `drawn`
    uint8_t buried                      # cards of `under`
    uint8_t top                         # cards of the seed deck above those
    uint8_t open[SEATS]                 # open trees
    uint8_t done[SEATS]                 # completed ones
    uint8_t used[SEATS]                 # animals used this season, a mask
    uint8_t deck                        # cards left in this season's deck
    uint8_t season                      # from 0
    uint8_t seasons
    uint8_t shift                       # season card that holds, from 1; 0 none
    uint8_t first                       # who began the season
    uint8_t turn                        # whose turn or question it is
    uint8_t waiting                     # the same as a mask, 0 at a chance node and at the end
    uint8_t phase
    uint8_t task
    uint8_t at                          # the pile that is looked at
    uint8_t card                        # GROW, DISCARD: the card that enters, NONE
    uint8_t more                        # SEED_DRAW: cards still to be drawn; KEEP: that may be kept; LOSE_*: to be lost
    uint8_t least                       # KEEP, LOSE_*: no smaller kind can be named any more
    uint8_t spare[7]

ctypedef struct Numbers:
    uint8_t philodendron_set
    uint8_t seed_draw
    uint8_t seed_per_fire
    uint8_t seed_keep                   # cards kept for each seed card
    uint8_t kinkajou                    # and more with the kinkajou
    uint8_t frog                        # cards for each pile
    uint8_t piles[PILES]
    uint8_t two[2]                      # of fire, of disease: from so many the owner loses `losses`
    uint8_t spread[2]                   # from so many, instead, both lose `spread_losses`
    uint8_t losses[2]
    uint8_t spread_losses[2]
    int16_t philodendron_points
    int16_t bromelia[3]                 # 1, 2, more
    int16_t fern_odd                    # each
    int16_t fern_even
    int16_t weather_pair
    int16_t tallest[SEASONS]
    int16_t largest
    int16_t active
    int16_t mating
    int16_t mating_pair

ctypedef struct Guess:          # so many cards before a season's end, what the next card of a kind is worth at it: the prior's
    float gain[9][GAINS]                # from PHILODENDRON on, by number held; of rain and sun: 12 + held - of the other held
    float lost[GAINS]                   # own animals that the next disease costs, by number held; `gain` of fire knows both
    float taken[GAINS]                  # and the other player's

ctypedef struct Ruleset:
    uint8_t copies[8 * WORDS]
    uint8_t seeds[8 * WORDS]
    Numbers numbers[1 + SHIFTS]         # without a season card, with each
    Guess guess[1 + SHIFTS][STAGES]     # as `numbers`, by half the cards left in deck and piles
    uint8_t shifts                      # season cards, 0: no Shifting Seasons
    uint8_t seasons
    uint8_t deck                        # cards of a season
    uint8_t exposed                     # trees completed this season can be discarded
    uint8_t learnt                      # `evaluate` knows these cards and numbers
    uint8_t bury                        # the seed deck can run short: the order of its bottom counts
