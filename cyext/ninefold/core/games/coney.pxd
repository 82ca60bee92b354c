"""Coney: one position (rules: docs/games/coney.md)."""
from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from ninefold.core.rules cimport Bag


cdef enum:
    SEATS = 4
    CELLS = 9
    CARDS = 80              # cards of a deck
    CLAUSES = 8             # of a condition in disjunctive form
    GROUPS = 3              # groups of resources with a choice in one effect
    WAYS = 220              # multisets of at most nine resources: what one move pays or takes
    SLOTS = 48              # hidden hand cards that a view can hold
    MOST_IN_HAND = 25       # cards in one hand in the middle of a turn
    HAND = 8                # cards in one hand at the end of a turn
    PLACES = 25             # places around a sliding farm: rows and columns -2 .. 2 from its upper left corner
    UNLIMITED = 32767       # a supply that never runs out
    NONE = 255              # no card, no choice
    SECRET = 254            # a choice that the owner of this view does not know

cdef enum Attribute:        # what conditions and coupons count; also the lanes of the farm's bitboards
    MALE, FEMALE, WHITE, BLACK, GREY, BROWN, ORANGE, WILD

cdef enum Resource:
    CARROT, PELLET, HAY, ALL    # ALL: the lane with the sum

cdef enum Action:
    PLACE, BREED, REFILL, NO_ACTION

cdef enum Mode:             # of a group of resources
    ANY, SAME, DIFFERENT

cdef enum Timing:
    NO_COUPON, NOW, IN_BREED, AT_END

cdef enum Counts:           # what a coupon at the end of the game counts
    NEIGHBOURS, LINES, TOKENS

cdef enum Phase:            # the question asked, of a player or of chance
    DEAL                    # chance: a card for `player`
    TWO_LESS                # solo: the second and first discard of the set-up
    DRAFT                   # everybody keeps a card of the pack before him
    MARKET                  # chance: the market's next card
    ACTION
    PLACE_FIRST             # sell, place or done
    PLACE_SECOND            # place or done
    PAY
    TAKE
    DRAW                    # from the market or from the deck
    DRAWN                   # chance: the deck's next card
    SELL_RESERVED
    FEED
    DISCARD
    RESERVE
    LIMIT                   # discard down to the hand limit
    OVER

cdef enum Task:             # whose gains, payments and draws are being made
    NO_TASK
    SALE                    # a card of the farm, `source`
    SALE_RESERVED           # a reserved card, `source`
    COUPON                  # of the card just placed, `source`
    BREEDING                # groups of the rabbit in `cell`
    FILL_UP                 # refill: the first draws
    FILL_AGAIN              # the second draws
    GATHER                  # the two resources

ctypedef struct Effect:     # what a sale or a coupon yields
    uint8_t fixed[3]        # of each resource
    uint8_t groups
    uint8_t mode[GROUPS]
    uint8_t size[GROUPS]
    uint8_t draws
    uint8_t sells           # one reserved card may be sold

ctypedef struct Clause:     # all of it must hold among the neighbours; at_least of colours may be met by wilds
    uint8_t at_least[7]     # by attribute; 0 says nothing
    uint8_t at_most[7]      # by attribute; 4 says nothing

ctypedef struct Card:
    uint64_t price          # the cost in the lanes of a stock: of each resource, and in all
    uint64_t lanes[2]       # the attributes as a farm's bitboards have them, lying on cell 0
    int8_t points
    uint8_t attributes      # a mask of Attribute; a wild has WILD alone
    uint8_t cost[3]
    uint8_t cost_any
    uint8_t clauses         # 0: no condition
    Clause clause[CLAUSES]
    Effect sale
    uint8_t timing
    Effect effect           # of a coupon used now or in a breed action
    uint8_t counts          # of a coupon at the end: what it counts, which attribute or resource, points for each
    uint8_t counted
    int8_t worth
    uint8_t logo            # 0 .. 2, NONE

cdef union Trail:
    uint8_t order[CARDS]        # solo: the known cards on top of the deck, the next one first; 0 above `ordered`
    uint8_t slots[2 * SLOTS]    # a view of 2+ players: owner + 1 and class of each hidden hand card, ascending; 0 beyond

ctypedef struct Coney:
    Bag bag                     # cards nobody has seen, all in the deck; in a view: all whose place it does not know
    Bag discard
    Bag hand[SEATS]             # in the draft the pack before a player, too; in a view: the cards it knows to be there
    uint64_t lanes[SEATS][2]    # the farm as bitboards, sixteen bits for each Attribute: bit `cell` of lane `attribute`
    uint16_t stock[SEATS][4]    # of each resource, and in all
    uint16_t supply[4]
    uint8_t farm[SEATS][CELLS]  # card by cell, NONE
    uint8_t tokens[SEATS][CELLS]    # resources lying on it
    uint8_t reserve[SEATS][2]   # ascending, NONE
    uint8_t market[4]           # ascending, NONE
    uint8_t chosen[SEATS]       # draft: the card kept, NONE, SECRET
    uint8_t origin[CARDS]       # 2+ players, of hand cards: who has seen it (see `knowledge` in coney.pyx); else 0
    Trail trail
    uint8_t players
    uint8_t phase
    uint8_t player              # whose turn it is; while dealing, whose cards
    uint8_t turn                # turns played (solo) or rounds
    uint8_t last                # solo: action of the turn before, NO_ACTION
    uint8_t waiting             # who must choose now, a mask
    uint8_t deck                # cards in the deck beside the ordered ones
    uint8_t ordered             # solo: known cards on top of the deck
    uint8_t pick                # draft: cards kept so far
    uint8_t task
    uint8_t source              # card being sold, placed or used, NONE
    uint8_t cell                # where it is to be placed; the rabbit whose groups are due; the next to be fed
    uint8_t group               # groups of the task already taken
    uint8_t draws               # draws still due
    uint8_t placed              # cards placed in this turn
    uint8_t sold                # whether one was sold
    uint8_t low                 # only cards from this one on may be named (discards and reserve moves ascend)
    uint8_t first               # 2+ players: reshuffles of the deck so far
    uint8_t fresh               # 2+ players: who has not shown a hand card since the draft, a mask
    uint8_t spare[5]

ctypedef struct Ruleset:
    Card card[CARDS]
    uint64_t around[512]        # of a mask of cells: those with 1, 2, 3, 4 orthogonal neighbours in it, sixteen bits each
    uint8_t cards
    uint8_t players
    uint8_t hand
    uint8_t reserve
    uint8_t market
    uint8_t turns
    uint8_t max_rounds
    uint8_t resources_per_point
    int16_t reserved_penalty
    int16_t logo_points[10]     # by number of cards
    uint16_t supply
    uint8_t mutual              # options
    uint8_t touch
    uint8_t sliding
    uint8_t wild_scores
    uint8_t second_draw_may
    uint8_t place_nothing
