"""Coney: one position (rules: docs/games/coney.md), and what solvers of Coney share with its engine."""
from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from ninefold.core.rules cimport Bag, bit_count, bit_first


cdef enum:
    SEATS = 4
    CELLS = 9
    CARDS = 80              # cards of a deck
    CLAUSES = 8             # of a condition in disjunctive form
    GROUPS = 3              # groups of resources with a choice in one effect
    MOST = 9                # resources that one move pays or takes
    WAYS = 220              # multisets of at most so many resources
    SLOTS = 56              # hidden hand cards that a view can hold
    HAND = 8                # cards in one hand at the end of a turn
    MOST_IN_HAND = 31       # and in the middle of one
    PLACES = 25             # around a sliding farm: rows and columns -2 .. 2 from its upper left corner
    LATER = 9               # turns left that the prior tells apart
    TESTS = 4               # of a condition in its short form
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

cdef enum Source:           # of points
    PRINTED
    COUPONS                 # + what they count
    LOGOS = COUPONS + TOKENS + 1
    UNSPENT
    RESERVED
    SOURCES

cdef enum Phase:            # the question asked, of a player or of chance
    DEAL                    # chance: a card for `player`
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

cdef enum Task:             # whose gains and draws are being made
    NO_TASK
    SET_UP
    SALE                    # a card of the farm, `source`
    SALE_RESERVED           # a reserved card, `source`
    COUPON                  # of the card just placed, `source`
    BREEDING                # of the rabbits from `cell` on
    FILL_UP                 # refill: the first draws
    FILL_AGAIN              # the second draws
    GATHER                  # the two resources

# Numbers of resources stand in the lanes of one word: sixteen bits each for carrots, pellets, hay, and their sum.

ctypedef struct Effect:     # what a sale or a coupon yields
    uint64_t gain           # of fixed kinds, in lanes
    uint8_t groups
    uint8_t mode[GROUPS]
    uint8_t size[GROUPS]
    uint8_t draws
    uint8_t sells           # one reserved card may be sold

ctypedef struct Clause:     # all of it must hold among the neighbours; at_least of colours may be met by wilds
    uint8_t at_least[7]     # by attribute; 0 says nothing
    uint8_t at_most[7]      # by attribute; 4 says nothing

ctypedef struct Card:
    uint64_t price          # the cost in lanes, *any* in the sum alone
    uint64_t fixed          # the cost without *any*, in lanes
    uint64_t lanes[2]       # the attributes as a farm's bitboards have them, lying on cell 0
    Effect sale
    Effect effect           # of a coupon used now or in a breed action
    int8_t points
    uint8_t attributes      # a mask of Attribute; a wild has WILD alone
    uint8_t cost[3]
    uint8_t cost_any
    uint8_t timing
    uint8_t counts          # of a coupon at the end: what it counts, which attribute or resource, points for each
    uint8_t counted
    int8_t worth
    uint8_t logo            # 0 .. 2, NONE
    uint8_t clauses         # 0: no condition
    Clause clause[CLAUSES]
    # The condition in its short form, (0 and 1) or (2 and 3): see `Facts`.
    uint8_t word[TESTS]     # which fact a test reads,
    uint8_t shift[TESTS]    # which lane of it,
    uint16_t flip[TESTS]    # and 511 where it must not hold
    uint8_t longer          # it has no short form
    uint8_t shares          # a clause wants several colours, so wild neighbours must be shared among them
    # Guesses for `prior`, in units of a resource and of a draw:
    float sold[2]           # what its sale brings,
    float used[2]           # its coupon each time it is used

ctypedef union Trail:
    uint8_t order[CARDS]        # solo: the known cards on top of the deck, the next one first; 0 above `ordered`
    uint8_t slots[2 * SLOTS]    # a view of 2+ players: owner + 1 and class of each hidden hand card, ascending; 0 beyond

ctypedef struct Coney:
    Bag bag                     # cards nobody has seen, all in the deck; in a view: all whose place it does not know
    Bag discard
    Bag hand[SEATS]             # in the draft the pack before a player, too; in a view: the cards it knows to be there
    uint64_t lanes[SEATS][2]    # the farm as bitboards, sixteen bits for each Attribute: bit `cell` of lane `attribute`
    uint64_t stock[SEATS]       # resources, in lanes
    uint64_t supply             # UNLIMITED in every lane, or what is left
    uint8_t farm[SEATS][CELLS]  # card by cell, NONE
    uint8_t tokens[SEATS][CELLS]    # resources lying on it
    uint8_t reserve[SEATS][2]   # ascending, NONE
    uint8_t market[4]           # ascending, NONE
    uint8_t chosen[SEATS]       # draft: the card kept, NONE, SECRET
    uint8_t players
    uint8_t phase
    uint8_t player              # whose turn it is; while dealing, whose cards
    uint8_t turn                # turns played (solo) or rounds
    uint8_t last                # solo: action of this turn, or while it is asked for of the one before; NO_ACTION
    uint8_t waiting             # who must choose now, a mask
    uint8_t deck                # cards in the deck beside the ordered ones
    uint8_t ordered             # solo: known cards on top of the deck
    uint8_t pick                # draft: cards kept so far
    uint8_t task
    uint8_t source              # card being sold, placed or used, NONE
    uint8_t cell                # PAY: the place; BREEDING: the rabbit whose groups are due, or the next to be fed
    uint8_t group               # groups of the effect already taken
    uint8_t draws               # draws still due
    uint8_t placed              # cards placed in this turn
    uint8_t sold                # whether one was sold
    uint8_t low                 # only cards from this one on may be named: discards and reserve moves ascend
    uint8_t first               # 2+ players: reshuffles of the deck so far
    uint8_t fresh               # 2+ players: who has shown no hand card since the draft, a mask
    uint8_t turns               # of the whole game at most
    uint8_t spare[4]
    uint8_t origin[CARDS]       # 2+ players, of hidden hand cards: who has seen them (see knowledge in coney.pyx); else 0
    Trail trail

ctypedef struct Subset:     # one column of an alias table: which of two subsets, masks, it stands for
    uint32_t chance         # of the first, in units of 2^-32
    uint8_t mask
    uint8_t other

ctypedef struct Guess:      # weights of the prior, in points; lists by turns left after this one
    float resource[LATER]   # what a resource is worth
    float breeds[LATER]     # how many breed actions are still to come
    float place[LATER]      # added to the worth of a place action, and of a breed action
    float breed[LATER]
    float near              # neighbours, and rabbits in line, that the coupon of a card at hand will count
    float line
    float room              # … and of an empty cell in reach of one that is placed
    float fed               # part of a coupon's points for each resource that each breed action will bring
    float logo              # of the first card of a shop
    float fits              # of a card that could be placed now
    float draw              # of a draw; of drawing from the deck instead of the market
    float unseen
    float card              # refill: of each card that the hand lacks, of exchanging some, of the action
    float exchange
    float refill
    float second            # place: how much of a second placement's worth counts
    float done
    float sale              # what keeps from selling a rabbit
    float reserve           # part of the penalty that keeps from reserving

ctypedef struct Ruleset:
    Card card[CARDS]
    uint64_t around[512]        # of a mask of cells: those with 1, 2, 3, 4 orthogonal neighbours in it, sixteen bits each
    uint64_t way[WAYS]          # what one move pays or takes, in lanes; by number of resources, so 1, 3, 6, 10 … of them
    Subset subset[3][2 << HAND]  # by room (0: for all): how n cards are named at random, from 1 << n on
    Guess guess
    uint64_t limited            # all bits, or none with an unlimited supply
    int16_t logo_points[CELLS + 1]  # by number of cards
    int16_t reserved_penalty
    uint16_t supply
    uint8_t cards
    uint8_t players
    uint8_t hand
    uint8_t reserve
    uint8_t market
    uint8_t turns
    uint8_t max_rounds
    uint8_t resources_per_point
    uint8_t mutual              # options
    uint8_t touch
    uint8_t sliding
    uint8_t wild_scores
    uint8_t second_draw_may
    uint8_t place_nothing

# --- resources --------------------------------------------------------------------------------------------------------

cdef inline int lane(uint64_t word, int which) noexcept nogil:
    return word >> 16 * which & 0xffff


cdef inline bint covers(uint64_t some, uint64_t others) noexcept nogil:
    """Whether every lane of some is at least that of others: a stock affords a price."""
    cdef uint64_t tops = <uint64_t> 0x8000800080008000
    return ((some | tops) - others & tops) == tops


cdef inline uint64_t unit(int resource) noexcept nogil:
    """One of a resource."""
    return ((<uint64_t> 1) << 16 * resource) + ((<uint64_t> 1) << 48)


cdef inline int way_of(int carrots, int pellets, int hay) noexcept nogil:
    """The number of a multiset in `Ruleset.way`."""
    cdef int rest = pellets + hay, n = carrots + rest
    return n * (n + 1) * (n + 2) // 6 + rest * (rest + 1) // 2 + hay

# --- the farm ---------------------------------------------------------------------------------------------------------

# Neighbours by cell, and the other cells of its row and column.
cdef extern from "farm.h" nogil:
    const uint16_t NEXT_TO[CELLS]
    const uint16_t IN_LINE[CELLS]

cdef enum:                  # facts beyond those of the seven attributes
    OR_WILD = 5             # + colour: of rabbits with it or wild
    NOTHING = 12
    FACTS = 13

ctypedef struct Facts:      # what conditions ask of a farm: `around` of the rabbits with each attribute
    uint64_t word[FACTS]


cdef inline uint32_t board(const uint64_t *lanes, int attribute) noexcept nogil:
    """The cells with an attribute, a mask."""
    return lanes[attribute >> 2] >> 16 * (attribute & 3) & 511


cdef inline uint32_t occupied(const uint64_t *lanes) noexcept nogil:
    """Every rabbit is male, female or wild."""
    return (lanes[0] | lanes[0] >> 16 | lanes[1] >> 48) & 511


cdef inline void look(const Ruleset *rules, const uint64_t *lanes, Facts *facts) noexcept nogil:
    cdef uint32_t wild = board(lanes, WILD), cells
    cdef int attribute
    facts.word[<int> MALE] = rules.around[board(lanes, MALE)]
    facts.word[<int> FEMALE] = rules.around[board(lanes, FEMALE)]
    for attribute in range(<int> WHITE, <int> WILD):
        cells = board(lanes, attribute)
        facts.word[attribute] = rules.around[cells]
        facts.word[OR_WILD + attribute] = rules.around[cells | wild]
    facts.word[NOTHING] = 0


cdef inline uint32_t test(const Card *card, const Facts *facts, int i) noexcept nogil:
    return (<uint32_t> (facts.word[card.word[i]] >> card.shift[i]) & 511) ^ card.flip[i]


cdef inline int count_at(uint64_t around, int cell) noexcept nogil:
    """How many neighbours of a cell are in the mask that `around` was looked up for."""
    return bit_count(around >> cell & <uint64_t> 0x0001000100010001)


cdef inline uint32_t holds_longer(const Ruleset *rules, const Card *card, const uint64_t *lanes,
                                  const Facts *facts) noexcept nogil:
    """Where the condition of a card holds, clause by clause; wild neighbours are shared among the colours wanted.

    A clause holds where the deficits of its colours are no more than the wild neighbours.
    """
    cdef uint32_t found = 0, cells, some
    cdef uint64_t wild = rules.around[board(lanes, WILD)]
    cdef int i, attribute, least, cell, missing, lacking, colours
    cdef const Clause *clause
    for i in range(card.clauses):
        clause = &card.clause[i]
        cells = 511
        colours = 0
        for attribute in range(<int> WILD):
            least = clause.at_least[attribute]
            if least:
                colours += attribute >= WHITE
                cells &= facts.word[attribute if attribute < WHITE else OR_WILD + attribute] >> 16 * (least - 1)
            if clause.at_most[attribute] < 4:
                cells &= ~(facts.word[attribute] >> 16 * clause.at_most[attribute])
        some = cells & wild if colours > 1 else 0
        while some:
            cell = bit_first(some)
            some &= some - 1
            missing = 0
            for attribute in range(<int> WHITE, <int> WILD):
                lacking = clause.at_least[attribute] - count_at(facts.word[attribute], cell)
                missing += lacking if lacking > 0 else 0
            if missing > count_at(wild, cell):
                cells ^= (<uint32_t> 1) << cell
        found |= cells & 511
    return found


cdef inline uint32_t holds(const Ruleset *rules, const Card *card, const uint64_t *lanes,
                           const Facts *facts) noexcept nogil:
    """The cells, a mask, on which the condition of a card holds. `facts` are those of the lanes."""
    if card.longer or (card.shares and lanes[1] >> 48):
        return holds_longer(rules, card, lanes, facts)
    return test(card, facts, 0) & test(card, facts, 1) | test(card, facts, 2) & test(card, facts, 3)


cdef inline uint32_t keeps_neighbours(const Ruleset *rules, const Card *card, const uint64_t *lanes,
                                      const uint8_t *farm, const Facts *facts, uint32_t cells) noexcept nogil:
    """Option adjacency = mutual: the cells of a mask where the card breaks no condition of a neighbour that held."""
    cdef uint32_t left = cells, some, before = 0
    cdef uint64_t after[2]
    cdef Facts then
    cdef int cell, other
    some = occupied(lanes)
    while some:
        other = bit_first(some)
        some &= some - 1
        before |= holds(rules, &rules.card[farm[other]], lanes, facts) & (<uint32_t> 1) << other
    while left:
        cell = bit_first(left)
        left &= left - 1
        after[0] = lanes[0] | card.lanes[0] << cell
        after[1] = lanes[1] | card.lanes[1] << cell
        look(rules, after, &then)
        some = before & NEXT_TO[cell]
        while some:
            other = bit_first(some)
            some &= some - 1
            if not holds(rules, &rules.card[farm[other]], after, &then) >> other & 1:
                cells ^= (<uint32_t> 1) << cell
                break
    return cells


cdef inline uint32_t fits(const Ruleset *rules, const Card *card, const uint64_t *lanes, const uint8_t *farm,
                          const Facts *facts) noexcept nogil:
    """The empty cells of a fixed frame where a card may be placed, costs apart."""
    cdef uint32_t rabbits = occupied(lanes), cells = holds(rules, card, lanes, facts) & ~rabbits
    if rules.touch and rabbits:
        cells &= rules.around[rabbits]
    if rules.mutual and cells and rabbits:
        cells = keeps_neighbours(rules, card, lanes, farm, facts, cells)
    return cells


cdef inline int tally_farm(const Ruleset *rules, const uint64_t *lanes, const uint8_t *farm, const uint8_t *tokens,
                           int32_t *parts) noexcept nogil:
    """Printed points, coupons of the end of the game, and logos. `tokens`: by cell, or NULL for none. `parts`: by source, to
    be added to, or NULL."""
    cdef uint32_t rabbits = occupied(lanes), counted
    cdef uint32_t logos = 0
    cdef const Card *card
    cdef int cell, worth, total = 0
    while rabbits:
        cell = bit_first(rabbits)
        rabbits &= rabbits - 1
        card = &rules.card[farm[cell]]
        total += card.points
        if parts != NULL:
            parts[<int> PRINTED] += card.points
        if card.logo != NONE:
            logos += (<uint32_t> 1) << 4 * card.logo
        if card.timing == AT_END:
            if card.counts == TOKENS:
                worth = card.worth * tokens[cell] if tokens != NULL else 0
            else:
                counted = board(lanes, card.counted)
                if card.counted >= WHITE and rules.wild_scores and card.worth > 0:
                    counted |= board(lanes, WILD)
                counted &= NEXT_TO[cell] if card.counts == NEIGHBOURS else IN_LINE[cell]
                worth = card.worth * bit_count(counted)
            total += worth
            if parts != NULL:
                parts[COUPONS + card.counts] += worth
    worth = rules.logo_points[logos & 15] + rules.logo_points[logos >> 4 & 15] + rules.logo_points[logos >> 8]
    if parts != NULL:
        parts[<int> LOGOS] += worth
    return total + worth


cdef inline int farm_points(const Ruleset *rules, const uint64_t *lanes, const uint8_t *farm,
                            const uint8_t *tokens) noexcept nogil:
    """What `tally_farm` counts."""
    return tally_farm(rules, lanes, farm, tokens, NULL)
