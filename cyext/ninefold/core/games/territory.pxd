"""Territory: one position (rules: docs/games/territory.md)."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef enum:
    SEATS = 4
    CELLS = 9
    CARDS = 64              # animals of a ruleset
    ROW = 16                # cards of the row at most
    GOALS = 16
    SKILLS = 8
    HANDS = 8               # cards dealt to a player at most
    SETS = 768              # different sets of animals that the goals of a ruleset name
    LENGTH = 240            # operations of one condition
    STACK = 12              # values that it may hold at once
    SLOTS = 48              # hidden hand cards that a view can hold
    PROBES = 6
    ALL_CELLS = 511
    NONE = 255              # no card, cell, choice
    SECRET = 254            # a choice that the owner of this view does not know
    UNKNOWN = 128           # + pool: a drafted card that the owner of this view does not know
    DOWN = 16               # + cell: placed face down
    STAR = 16               # + cell: marker with the star side up

cdef enum:                  # move ids
    MOVE_RETURN = 0                             # + animal
    MOVE_PLAY = MOVE_RETURN + CARDS             # + animal
    MOVE_TAKE = MOVE_PLAY + CARDS               # + animal
    MOVE_TAKE_DECK = MOVE_TAKE + CARDS
    MOVE_USE = MOVE_TAKE_DECK + 1               # + skill
    MOVE_MOVE = MOVE_USE + SKILLS               # + 9 * from + to
    MOVE_SWAP = MOVE_MOVE + CELLS * CELLS       # + 9 * cell + higher cell
    MOVE_CHOOSE = MOVE_SWAP + CELLS * CELLS     # + animal
    MOVE_PLACE = MOVE_CHOOSE + CARDS            # + cell
    MOVE_PLACE_DOWN = MOVE_PLACE + CELLS        # + cell
    MOVE_BOSS = MOVE_PLACE_DOWN + CELLS         # + declaration
    MOVE_GOAL = MOVE_BOSS + 5                   # + goal
    MOVE_SKILL = MOVE_GOAL + GOALS              # + skill
    MOVE_NO_BONUS = MOVE_SKILL + SKILLS
    MOVES_IN_ALL = MOVE_NO_BONUS + 1
    OUTCOME_OF_SIDE = CARDS                     # + 2 * goal + side
    OUTCOMES = OUTCOME_OF_SIDE + 2 * GOALS

cdef enum Phase:
    SIDES                   # chance: the side of the next goal
    DEAL                    # chance: the next card of the first hand that is not full
    RETURN                  # everybody gives cards back
    FILL                    # chance: the row, at the end of the draft or before the first round
    PLAY                    # everybody plays a card
    DRAFT                   # the first of `queue` uses a skill or takes a card
    REDRAW                  # chance: the row, during the draft
    DRAW                    # chance: the card that the first of `queue` takes from the deck
    PART                    # the first of `queue` decides about his skill
    CHOOSE                  # last round: everybody who has drafted says which card is to be placed
    PLACE                   # everybody places a card
    BOSS                    # everybody who can declares
    BONUS                   # the first of `queue` takes a bonus card
    OVER

cdef enum Terrain:          # masks: both is LAND | WATER
    LAND = 1
    WATER = 2

cdef enum Effect:
    MOVE_CARD
    SWAP_CARDS
    DRAFT_TWICE
    REDRAW_ROW
    DRAFT_FIRST

cdef enum Operation:        # of a goal's condition
    PUSH_CELLS
    PUSH_CARDS
    PUSH_UP
    PUSH_DOWN
    PUSH_EMPTY
    PUSH_BOSS
    PUSH_TERRITORY
    BOTH_OF
    EITHER_OF
    NOT_OF
    BESIDE
    COUNT
    LINES
    DIAGONALS
    GROUP
    RUN
    SUM
    STARS
    AT_LEAST
    AT_MOST
    EXACTLY

# Sets of animals are words with a bit for each id; ids ascend with the numbers.
ctypedef struct Territory:
    uint64_t deck               # in the deck, below `order`; in a view all that may be there
    uint64_t discard
    uint64_t row
    uint64_t hand[SEATS]        # in a view those that it knows
    uint64_t returned[SEATS]    # given back at the start and not seen by that player since
    uint8_t cell[SEATS][16]     # animal by cell, face up or down, NONE; above the nine always NONE
    uint16_t up[SEATS]          # face-up cells, a mask
    uint16_t taken[SEATS]       # cells with a card
    uint16_t land[SEATS]        # face-up cells of land or both
    uint16_t water[SEATS]
    uint32_t bonus[SEATS]       # bonus cards taken: bit g goal, bit GOALS + s skill
    uint8_t boss[SEATS][2]      # land, water: cell, + STAR, NONE
    uint8_t played[SEATS]       # animal, NONE, SECRET; when all have chosen, what is placed
    uint8_t drafted[SEATS][2]   # last round: what came from the draft, NONE, UNKNOWN + pool
    uint8_t chosen[SEATS]       # CHOOSE: the animal that will be placed, NONE, SECRET
    uint8_t spot[SEATS]         # where the card of this round is placed: cell, + DOWN, NONE, SECRET
    uint8_t declared[SEATS]     # 0 no boss, 1 land, 2 land star, 3 water, 4 water star, NONE, SECRET
    uint8_t spent[SKILLS]       # how often each skill has been used
    uint16_t sides              # goals with the back up, a mask
    uint8_t decided             # goals whose side is known
    uint8_t players
    uint8_t phase
    uint8_t round               # from 1; 0 before the first
    uint8_t waiting             # who must choose now, a mask
    uint8_t queue               # who is to draft or to take a bonus card, two bits each, the next one lowest
    uint8_t queued
    uint8_t takes               # cards still to be taken in this draft turn
    uint8_t used                # skills that cannot be used in it any more, a mask
    uint8_t part                # PART: the skill
    uint8_t first               # who will draft first in the next round, a mask
    uint8_t given               # RETURN: cards that each has given back
    uint8_t fill                # FILL, REDRAW: cards still to be turned up
    uint8_t ordered             # known cards on top of the deck
    uint8_t left                # cards in the deck, those of `order` included
    uint8_t pool                # of the deck: 1, after reshuffles more; 0 alone
    uint8_t rounds
    uint8_t spare[5]
    uint8_t order[CARDS]        # alone: the known cards on top of the deck, the last one first
    # What others know, 2 to 4 players: docs/games/territory.md, "Knowledge".
    uint8_t origin[CARDS]       # hand cards not known to all: the pool they came from; else 0
    uint8_t slots[SLOTS]        # of a view: hidden hand cards, 64 * owner + pool, ascending, 0 above
    uint32_t events[SEATS]      # by round three bits: a card of pool 1 not known to all was played; how many were drawn
    uint16_t met[SEATS][SEATS]  # [viewer][owner]: rounds in which the owner played a card the viewer had returned

ctypedef struct Instruction:
    uint8_t operation
    uint8_t spare
    int16_t argument            # a set's number for PUSH_CARDS

ctypedef struct Side:           # of a goal
    int16_t points
    uint8_t length
    uint8_t bosses              # whether it asks for bosses or territories
    Instruction program[LENGTH]

ctypedef struct Skill:
    uint8_t effect
    uint8_t uses                # 0: once every round
    int16_t points

ctypedef struct Ruleset:
    uint64_t all                # all animals, a mask
    uint64_t set[SETS]          # sets of animals that goals name
    int16_t terrain_set[4]      # which of them are all animals of a terrain, of `Terrain` both; -1 for none
    uint8_t number[CARDS]
    uint8_t terrain[CARDS]
    uint8_t stars[CARDS]
    uint8_t below[CARDS]        # animals with smaller numbers: ids under this one
    uint8_t upto[CARDS]         # and with numbers no greater
    # What the guesses look up of animals, in units of which a point has UNIT.
    uint16_t stray[CARDS][CELLS]    # what is lost on a cell far from where such numbers lie
    uint16_t starry[CARDS]          # what its stars are worth while it could be a boss
    uint8_t probe[PROBES]           # animals spread over all numbers, to see how much room is left
    float place[CARDS]              # where its number stands among all, as a share
    Side side[GOALS][2]
    Skill skill[SKILLS]
    int16_t largest[SEATS]      # award for the largest territory by number of players who share it, from 1
    uint8_t players
    uint8_t rounds
    uint8_t hand
    uint8_t keep
    uint8_t width               # cards in the row
    uint8_t goals
    uint8_t skills
    uint8_t territory_points
    uint8_t face_down_free
    uint8_t bonus_may

ctypedef struct Land:           # what a goal looks at
    const uint8_t *cell
    uint32_t up
    uint32_t taken
    uint32_t on[2]              # face-up cells of land or both, and of water or both
    uint32_t boss[2]            # the cell of each boss, a mask


cdef bint holds(const Ruleset *rules, const Side *side, const Land *land) noexcept nogil
