"""Coney solo with the order of the deck known: the highest score, with proof.

Whether a score can be reached is searched for turn by turn; see coney_open_turns.pxi for what is merged within a turn
and coney_open_bounds.pxi for why most of it need not be looked at. For more than a few turns the search first forgets
where rabbits lie. A final farm that it reaches is then searched for alone, with places; where that fails, the farm is
struck off and the search goes on.
"""
from libc.stdint cimport INT64_MAX, int8_t, int16_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memmove, memset

from ninefold.core.games.coney cimport (
    ANY, AT_END, BREED, CARDS, GROUPS, IN_BREED, LINES, NEIGHBOURS, NO_ACTION, NONE, NOW, PLACE, REFILL, SAME, TOKENS, WHITE,
    WILD, Card, Clause, Coney, Effect, Ruleset)
from ninefold.core.rules cimport bit_count, bit_first

cdef extern from "pages.h" nogil:
    void *pages_new(size_t size)
    void pages_free(void *pages)
    void pages_fetch(const void *address)

cdef enum:
    TAKEN = 253                 # a place of the market that has been emptied in this turn
    JUNK = 254                  # a market card that nobody wants
    OPEN_KIND = 3               # resources whose kind has not been chosen yet
    MOST_TURNS = 16
    STEP = 3                    # of the ends of the deck for which the knapsack is worked out
    BUDGETS = 56                # of the knapsack, from -LEAST
    LEAST = 16
    GAINS = 24
    FAR = 10000
    IMPOSSIBLE = -10000
    SMALL_TABLE = 1 << 13
    SMALL_SEARCH = 30000
    QUICK_SEARCH = 50
    ROLES = 20                  # cards of a final farm, and those that are only to be sold
    MASKS = 1 << 13
    EXTRAS = 8
    RUNS = 7                    # stocks in an entry of the table

cdef enum Stop:
    STOP_NOT
    STOP_NODES
    STOP_MEMORY
    STOP_SHORT                  # the order that was given ended
    STOP_EXTRAS                 # a plan may sell more cards than can be kept track of

ctypedef struct Node:           # a position between turns, or within one
    uint8_t farm[9]             # with cells: card by cell; without: ascending. NONE
    uint8_t tokens[9]
    uint8_t hand[8]             # cards that will be placed or sold, ascending, NONE
    uint8_t reserve[2]
    uint8_t market[4]           # ascending, NONE; TAKEN, JUNK
    uint8_t stock[4]            # of each resource, and open
    uint8_t held                # named cards in the hand
    uint8_t kept                # and in the reserve
    uint8_t junk                # nameless ones in the hand
    uint8_t parked              # and in the reserve
    uint8_t farmed
    uint8_t next                # cards gone from the deck
    uint8_t left                # turns
    uint8_t last
    uint8_t due                 # within a turn: draws to be made,
    uint8_t cursor              # the next of them from this place of the market on,
    uint8_t cap                 # named cards out of the farm that there can be,
    uint8_t selling             # whether a reserved card may be sold
    int16_t bound
    uint8_t spare[2]

ctypedef struct Options:        # uses of the market's cards
    int cards
    int first[5]
    int value[40]
    int cost[40]
    uint8_t logo[40]

ctypedef struct Run:            # with this stock no more than that
    uint8_t stock[4]
    int16_t bound
    uint16_t left

ctypedef struct Entry:          # of the table: a position but for its stock
    uint64_t key
    Run run[RUNS]

ctypedef struct Farm:           # a final farm and the most that it can score
    uint64_t key[2]             # a set of cards
    int bound
    bint used

ctypedef struct Item:           # a card that a final farm may hold
    int value
    int cost
    uint8_t card
    uint8_t logo
    uint8_t slot                # 1: still to be placed, 0: on the farm
    int sale                    # of a rabbit on the farm

ctypedef struct Step:           # of the enumeration: so many cards chosen
    int at                      # the next item to choose
    int chosen                  # the item chosen last
    int left                    # placements
    int budget
    int value
    int logos[3]
    bint unseen                 # whether the farm of this step alone has not been looked at yet

ctypedef struct Walk:           # where the enumeration of final farms stands
    bint under_way
    int turns[3]                # place, refill, breed turns
    int items
    Item item[CARDS]
    int depth
    Step step[11]
    int16_t *best               # of the items from one on: by shops, item, slots, budget
    uint64_t visits
    bint waiting                # whether the last farm has not been searched to the end
    int farm_most               # the bound of the last farm so far
    int extras                  # cards only to be sold, chosen
    int extra[EXTRAS]
    int stage                   # of the search for it with these
    int most                    # the bound when all are done

ctypedef struct Open:
    const Ruleset *rules
    const Card *card
    bint sales
    bint cells                  # whether cells matter
    bint fixed                  # whether only one final farm is looked for
    int unit                    # resources that make a point
    int coupons_sell            # cards in play that let sell a reserved one
    uint8_t ordered
    uint8_t order[CARDS]
    uint8_t start               # of the order
    int16_t position[256]       # of a card in the order, -1
    # cards
    int cost[CARDS]
    int now[CARDS]
    int now_draws[CARDS]
    int breed[CARDS]
    int breed_draws[CARDS]
    int sale[CARDS]
    int sale_groups[CARDS]
    int now_groups[CARDS]
    int breed_groups[CARDS]
    int value[CARDS]            # in units, with what its end coupon may give
    int draws_of[MOST_TURNS][CARDS]     # by breed turns: draws that it may give in all
    int draws_before[MOST_TURNS][CARDS + 1]
    int most_draws[MOST_TURNS]
    int best_sale[MOST_TURNS]   # by breed turns: what placing and selling a card gives at best
    int most_sale
    int sale_top[MOST_TURNS][11]    # by breed turns: what placing and selling so many cards gives at best
    int centre
    int logo_first
    int logo_base
    int logo_each
    # the knapsack
    int16_t *knapsack
    int most_breeds
    int ends
    int starts
    int most_slots
    # the given final farm
    uint8_t role[256]           # 1 + its number, 0: none
    uint8_t role_card[ROLES]    # those of the farm first, then those that are only to be sold
    int fixed_cards             # of the farm
    int roles                   # in all
    int role_coupons            # among them: those that let sell a reserved card
    bint anonymous              # whether there may be more that are only to be sold
    int fixed_worth
    uint64_t fixed_key
    int last_wanted             # the deck may be forgotten from here on
    bint needs_known
    int16_t needs[MOST_TURNS][4][MASKS]   # resources that a plan takes: by turns left, last action, cards of the farm there
    # search
    int target
    int seen_bound              # the highest among those that were dropped
    Node *pool
    int64_t top
    int64_t size
    int64_t *seen
    uint64_t seen_mask
    uint64_t seen_age
    int stop
    uint64_t nodes
    uint64_t limit
    Entry *table
    uint64_t table_mask
    uint64_t part_mask          # of the part of the table in use
    uint64_t farm_key[2]
    uint64_t plans
    uint64_t plans_placed
    int extras                  # cards that may be placed only to be sold
    uint8_t extra[CARDS]
    Walk walk
    Farm *farms
    uint64_t farms_mask
    uint64_t farms_count
    Node given
    uint8_t given_hand[8]
    int given_hand_cards
    Node path[MOST_TURNS + 1]
    int path_turns
    uint64_t farms_tried

cdef uint32_t[9] NEXT_TO = [0b000001010, 0b000010101, 0b000100010, 0b001010001, 0b010101010, 0b100010100,
                            0b010001000, 0b101010000, 0b010100000]
cdef uint32_t[9] IN_LINE = [0b001001110, 0b010010101, 0b100100011, 0b001110001, 0b010101010, 0b100011100,
                            0b110001001, 0b101010010, 0b011100100]
cdef uint8_t[8][9] TURNED = [[0, 1, 2, 3, 4, 5, 6, 7, 8], [6, 3, 0, 7, 4, 1, 8, 5, 2], [8, 7, 6, 5, 4, 3, 2, 1, 0],
                             [2, 5, 8, 1, 4, 7, 0, 3, 6], [2, 1, 0, 5, 4, 3, 8, 7, 6], [0, 3, 6, 1, 4, 7, 2, 5, 8],
                             [6, 7, 8, 3, 4, 5, 0, 1, 2], [8, 5, 2, 7, 4, 1, 6, 3, 0]]

# --- where a card may be placed ------------------------------------------------------------------------------------------

cdef bint holds(const Open *o, const uint8_t *farm, int card, int cell) noexcept nogil:
    """Whether the card's condition holds in the cell."""
    cdef const Card *k = o.card + card
    cdef int count[8]
    cdef uint32_t cells = NEXT_TO[cell]
    cdef int i, a, lacking
    cdef const Clause *clause
    if k.clauses == 0:
        return True
    memset(count, 0, sizeof(count))
    while cells:
        i = bit_first(cells)
        cells &= cells - 1
        if farm[i] != NONE:
            count_card(o, count, farm[i])
    for i in range(k.clauses):
        clause = k.clause + i
        lacking = 0
        for a in range(7):
            if count[a] > clause.at_most[a]:
                lacking = 10
                break
            if count[a] < clause.at_least[a]:
                if a < WHITE:
                    lacking = 10
                    break
                lacking += clause.at_least[a] - count[a]
        if lacking <= count[<int> WILD]:
            return True
    return False


cdef uint32_t legal_cells(const Open *o, const Node *n, int card) noexcept nogil:
    cdef int cell, i
    cdef uint32_t legal = 0, cells
    cdef uint8_t farm[9]
    cdef bint fine
    for cell in range(9):
        if n.farm[cell] != NONE or not holds(o, n.farm, card, cell):
            continue
        if n.farmed == 0 and cell != 0 and cell != 1 and cell != 4:
            continue                    # the others are these, turned
        fine = True
        if o.rules.touch and n.farmed:
            fine = False
            for i in range(9):
                if NEXT_TO[cell] >> i & 1 and n.farm[i] != NONE:
                    fine = True
        if o.rules.mutual and fine:
            memcpy(farm, n.farm, 9)
            farm[cell] = <uint8_t> card
            cells = NEXT_TO[cell]
            while cells and fine:
                i = bit_first(cells)
                cells &= cells - 1
                if farm[i] != NONE and holds(o, n.farm, farm[i], i) and not holds(o, farm, farm[i], i):
                    fine = False
        if fine:
            legal |= (<uint32_t> 1) << cell
    return legal


include "coney_open_bounds.pxi"
include "coney_open_turns.pxi"
include "coney_open_farms.pxi"

# --- the table -----------------------------------------------------------------------------------------------------------

cdef inline uint64_t mix(uint64_t a) noexcept nogil:
    a ^= a >> 32
    a *= <uint64_t> 0xd6e8feb86659fd93
    a ^= a >> 32
    a *= <uint64_t> 0xd6e8feb86659fd93
    return a ^ (a >> 32)


cdef uint64_t key_of(const Open *o, const Node *n) noexcept nogil:
    """A position but for its stock, all turned and mirrored farms the same."""
    cdef uint64_t key, least, h, word
    cdef int i, turn, cell
    key = mix(o.fixed_key ^ (<uint64_t> o.cells << 1) ^ (<uint64_t> o.fixed << 2))
    memcpy(&word, n.hand, 8)
    key = mix(key + word)
    word = n.reserve[0] | <uint64_t> n.reserve[1] << 8 | <uint64_t> n.next << 16 | <uint64_t> n.left << 24
    word |= <uint64_t> n.last << 32 | <uint64_t> n.junk << 40 | <uint64_t> n.parked << 48
    key = mix(key + word)
    word = n.market[0] | <uint64_t> n.market[1] << 8 | <uint64_t> n.market[2] << 16 | <uint64_t> n.market[3] << 24
    key = mix(key ^ (word << 20))
    least = ~<uint64_t> 0
    for turn in range(8 if o.cells else 1):
        h = 0
        for i in range(9):
            if n.farm[i] != NONE:
                cell = TURNED[turn][i] if o.cells else 0
                h += mix(<uint64_t> 0x9e3779b97f4a7c15 * (1 + n.farm[i] + (n.tokens[i] << 8) + (cell << 16)))
        if h < least:
            least = h
    key = mix(key + least)
    return key | 1


cdef inline bint covers(const uint8_t *more, const uint8_t *less) noexcept nogil:
    """Whether the first stock can do all that the second can."""
    cdef int lack = 0, kind
    for kind in range(3):
        if less[kind] > more[kind]:
            lack += less[kind] - more[kind]
    return more[OPEN_KIND] - less[OPEN_KIND] >= lack


cdef int known(const Open *o, uint64_t key, const Node *n) noexcept nogil:
    """The least bound that the table has."""
    cdef const Entry *e = o.table + (key >> 8 & o.part_mask & ~<uint64_t> 1)
    cdef int i, best = FAR
    if e.key != key:
        e += 1
        if e.key != key:
            return best
    for i in range(RUNS):
        if e.run[i].left and e.run[i].bound < best and covers(e.run[i].stock, n.stock):
            best = e.run[i].bound
    return best


cdef void learn(Open *o, uint64_t key, const Node *n, int bound) noexcept nogil:
    cdef Entry *e = o.table + (key >> 8 & o.part_mask & ~<uint64_t> 1)
    cdef int i, place = -1
    if e.key != key:
        if e[1].key == key or (e.key != 0 and e[1].run[0].left <= e.run[0].left):
            e += 1
        if e.key != key:
            memset(e, 0, sizeof(Entry))
            e.key = key
    for i in range(RUNS):
        if e.run[i].left == 0 or (e.run[i].bound >= bound and covers(n.stock, e.run[i].stock)):
            place = i
            break
    if place < 0:
        place = <int> (o.nodes % RUNS)
    memcpy(e.run[place].stock, n.stock, 4)
    e.run[place].bound = <int16_t> bound
    e.run[place].left = n.left

# --- final farms ---------------------------------------------------------------------------------------------------------

cdef Farm *farm_at(Open *o, const uint64_t *key) noexcept nogil:
    """The entry of a final farm, or the empty one where it belongs; NULL without memory."""
    cdef uint64_t at = mix(key[0] ^ mix(key[1])), i, j, mask
    cdef Farm *farms
    if 2 * o.farms_count > o.farms_mask:
        mask = 2 * o.farms_mask + 1
        farms = <Farm *> calloc(mask + 1, sizeof(Farm))
        if farms == NULL:
            o.stop = STOP_MEMORY
            return NULL
        for i in range(o.farms_mask + 1 if o.farms != NULL else 0):
            if o.farms[i].used:
                j = mix(o.farms[i].key[0] ^ mix(o.farms[i].key[1])) & mask
                while farms[j].used:
                    j = (j + 1) & mask
                farms[j] = o.farms[i]
        free(o.farms)
        o.farms = farms
        o.farms_mask = mask
    at &= o.farms_mask
    while o.farms[at].used and (o.farms[at].key[0] != key[0] or o.farms[at].key[1] != key[1]):
        at = (at + 1) & o.farms_mask
    return o.farms + at


cdef void fix(Open *o) noexcept nogil:
    """Look for the walk's farm alone."""
    cdef int i, card
    cdef int logos[3]
    memset(logos, 0, sizeof(logos))
    memset(o.role, 0, sizeof(o.role))
    o.fixed = True
    o.fixed_cards = o.roles = o.walk.depth
    o.fixed_worth = o.role_coupons = 0
    o.last_wanted = 0
    o.farm_key[0] = o.farm_key[1] = 0
    for i in range(o.walk.depth):
        card = o.walk.item[o.walk.step[i + 1].chosen].card
        take_role(o, i, card)
        o.farm_key[card >> 6] |= (<uint64_t> 1) << (card & 63)
        o.fixed_worth += o.card[card].points
        if o.card[card].logo != NONE:
            logos[o.card[card].logo] += 1
    for i in range(3):
        o.fixed_worth += o.rules.logo_points[logos[i]]
    o.fixed_worth *= o.unit
    o.fixed_key = mix(o.farm_key[0] ^ mix(o.farm_key[1]))


cdef inline void take_role(Open *o, int number, int card) noexcept nogil:
    o.role_card[number] = <uint8_t> card
    o.role[card] = <uint8_t> (number + 1)
    o.last_wanted = max(o.last_wanted, o.position[card] + 1)
    if o.card[card].timing == NOW and o.card[card].effect.sells and o.sales:
        o.role_coupons += 1


cdef void fix_extras(Open *o) noexcept nogil:
    """And sell the extra cards that have been chosen."""
    cdef int i, card
    fix(o)
    for i in range(o.walk.extras):
        card = o.extra[o.walk.extra[i]]
        take_role(o, o.fixed_cards + i, card)
        o.fixed_key = mix(o.fixed_key + card + 1)
    o.roles = o.fixed_cards + o.walk.extras
    o.needs_known = False


cdef int short_search(Open *o, int nodes) noexcept nogil:
    """Without cells, in a small part of the table. Sets the stage that comes next: 0 if there is none."""
    cdef uint64_t limit = o.limit
    cdef int best
    o.part_mask = SMALL_TABLE - 1
    o.limit = o.nodes + nodes
    best = search_all(o)
    o.limit = limit
    o.part_mask = o.table_mask
    if o.stop == STOP_NODES:
        o.stop = STOP_NOT
        o.walk.stage += 1
    elif not o.stop and best >= o.target:
        o.walk.stage = 3
        o.plans_placed += 1
    else:
        o.walk.stage = 0
    return best


cdef int try_plan(Open *o) noexcept nogil:
    """The score that a plan for the given farm and extra cards reaches, or a bound below the target.

    Without cells: a short search by itself, then one that knows the needs, both in a small table that stays in the
    cache, then one in the whole table, where it can be interrupted. With cells at last.
    """
    cdef int best = 0
    if o.walk.stage == 0:
        o.plans += 1
        best = short_search(o, QUICK_SEARCH)
    if o.walk.stage > 0 and not o.needs_known:
        work_out_needs(o)
    if o.walk.stage == 1:
        best = short_search(o, SMALL_SEARCH)
    if o.walk.stage == 2:
        best = search_all(o)
        if o.stop:
            return 0
        o.walk.stage = 3 if best >= o.target else 0
        o.plans_placed += best >= o.target
    if o.walk.stage == 3:
        o.cells = True
        best = search_all(o)
        o.cells = False
        if not o.stop:
            o.walk.stage = 0
    return best


cdef int try_farm(Open *o) noexcept nogil:
    """The same over all choices of extra cards. Goes on where it stopped."""
    cdef Farm *farm
    cdef Walk *w = &o.walk
    cdef int best, i
    if not w.waiting:
        fix(o)
        farm = farm_at(o, o.farm_key)
        if farm == NULL:
            return 0
        if farm.used and farm.bound < o.target:
            return farm.bound
        if not farm.used:
            farm.used = True
            farm.bound = FAR
            farm.key[0] = o.farm_key[0]
            farm.key[1] = o.farm_key[1]
            o.farms_count += 1
        o.farms_tried += 1
        w.waiting = True
        w.stage = w.extras = 0
        w.farm_most = IMPOSSIBLE
    while True:
        fix_extras(o)
        best = try_plan(o)
        if o.stop or best >= o.target:
            return best
        w.farm_most = max(w.farm_most, best)
        # the next choice: one more, if that may help, or else the last one changed
        if o.sales and more_extras(o):
            w.extra[w.extras] = w.extra[w.extras - 1] if w.extras else -1
            w.extras += 1
        while w.extras:
            i = w.extra[w.extras - 1] + 1
            while i < o.extras and o.role[o.extra[i]] and o.role[o.extra[i]] <= o.fixed_cards:
                i += 1
            w.extra[w.extras - 1] = i
            if i < o.extras:
                break
            w.extras -= 1
        if w.extras == 0:
            break
    w.waiting = False
    fix(o)
    farm = farm_at(o, o.farm_key)
    if farm != NULL:
        farm.bound = min(farm.bound, w.farm_most)
    return w.farm_most


cdef bint more_extras(Open *o) noexcept nogil:
    """Whether still more extra cards may help to reach the target. Keeps the bound if not."""
    cdef int best
    if o.walk.extras == EXTRAS or o.roles == ROLES:
        o.stop = STOP_EXTRAS
        return False
    o.anonymous = True
    o.needs_known = False
    best = root_bound(o)
    o.anonymous = False
    if best >= o.target:
        return True
    o.walk.farm_most = max(o.walk.farm_most, best)
    return False


cdef int leaf(Open *o, const Node *n) noexcept nogil:
    """The score of a final position; without cells, at most what its farm can score with them."""
    cdef int i
    if o.fixed:
        if n.farmed != o.fixed_cards:
            return IMPOSSIBLE
        for i in range(9):
            if n.farm[i] != NONE and not is_final(o, n.farm[i]):
                return IMPOSSIBLE
    return worth_at_end(o, n)

# --- search --------------------------------------------------------------------------------------------------------------

cdef void order(Node *nodes, int64_t count) noexcept nogil:
    """The highest bounds first; a heap sort."""
    cdef int64_t i, j, end
    cdef Node swap
    for i in range(count // 2 - 1, -1, -1):
        sift(nodes, i, count)
    for end in range(count - 1, 0, -1):
        swap = nodes[0]
        nodes[0] = nodes[end]
        nodes[end] = swap
        sift(nodes, 0, end)


cdef inline void sift(Node *nodes, int64_t i, int64_t count) noexcept nogil:
    cdef Node swap = nodes[i]
    cdef int64_t j
    while True:
        j = 2 * i + 1
        if j >= count:
            break
        if j + 1 < count and nodes[j + 1].bound < nodes[j].bound:
            j += 1
        if nodes[j].bound >= swap.bound:
            break
        nodes[i] = nodes[j]
        i = j
    nodes[i] = swap


cdef int search(Open *o, const Node *from_, int depth) noexcept nogil:
    """The score of a plan that reaches the target, or a bound below it. Without a meaning if `stop` is set."""
    cdef Node n = from_[0]
    cdef int64_t base = o.top, i, count
    cdef int best, value, dropped
    cdef uint64_t key
    if n.left == 0:
        value = leaf(o, &n)
        if value >= o.target and not o.stop:
            o.path[depth] = n
            o.path_turns = depth
        return value
    key = key_of(o, &n)
    value = known(o, key, &n)
    if value < o.target:
        return value
    o.nodes += 1
    if o.nodes >= o.limit:
        o.stop = STOP_NODES
        return 0
    dropped = o.seen_bound
    o.seen_bound = IMPOSSIBLE
    if n.last != PLACE:
        place_turn(o, &n)
    if n.last != REFILL:
        refill_turn(o, &n)
    if n.last != BREED:
        breed_turn(o, &n)
    best = o.seen_bound
    o.seen_bound = dropped
    count = o.top - base
    if o.stop:
        o.top = base
        return 0
    order(o.pool + base, count)
    for i in range(count):
        value = search(o, o.pool + base + i, depth + 1)
        if o.stop:
            o.top = base
            return 0
        if value >= o.target:
            o.path[depth] = n
            o.top = base
            return value
        best = max(best, value)
    o.top = base
    learn(o, key, &n, best)
    return best


cdef bint root(const Open *o, int mask, Node *n) noexcept nogil:
    """The given position when these of its hand and reserve are going to be used. False if they cannot be."""
    cdef int i, card, cards = o.given_hand_cards
    n[0] = o.given
    memset(n.reserve, NONE, 2)
    n.held = n.kept = n.junk = n.parked = 0
    for i in range(cards + 2):
        card = o.given_hand[i] if i < cards else o.given.reserve[i - cards]
        if card == NONE:
            continue
        if mask >> i & 1:
            if i < cards:
                n.hand[n.held] = <uint8_t> card
                n.held += 1
            else:
                n.reserve[n.kept] = <uint8_t> card
                n.kept += 1
        elif i < cards:
            n.junk += 1
        else:
            n.parked += 1
    if n.held > o.rules.hand:
        return False
    n.junk = min(n.junk, <uint8_t> (o.rules.hand - n.held))
    for i in range(o.rules.market):
        if n.market[i] < TAKEN and is_junk(o, n.market[i]):
            n.market[i] = JUNK
    for i in range(1, o.rules.market):
        card = n.market[i]
        sort_in(n.market, i, card)
    if not o.cells:                     # ascending
        memset(n.farm, NONE, 9)
        memset(n.tokens, 0, 9)
        n.farmed = 0
        for card in range(o.rules.cards):
            i = place_of(&o.given, card)
            if i >= 0:
                n.farm[n.farmed] = <uint8_t> card
                n.tokens[n.farmed] = o.given.tokens[i]
                n.farmed += 1
    return True


cdef inline int used_mask(const Open *o) noexcept nogil:
    """The cards of the hand and reserve that have a role."""
    cdef int i, mask = 0, cards = o.given_hand_cards
    for i in range(cards):
        if o.role[o.given_hand[i]]:
            mask |= 1 << i
    for i in range(2):
        if o.given.reserve[i] != NONE and o.role[o.given.reserve[i]]:
            mask |= 1 << (cards + i)
    return mask


cdef int root_bound(Open *o) noexcept nogil:
    """A bound of the given farm and extra cards."""
    cdef Node n
    if not root(o, used_mask(o), &n):
        return IMPOSSIBLE
    return bound(o, &n, 0)


cdef int search_all(Open *o) noexcept nogil:
    """The score of a plan from the given position, or a bound below the target."""
    cdef int mask, best = IMPOSSIBLE, value
    cdef int64_t base = o.top
    cdef Node n
    if o.fixed:
        if not root(o, used_mask(o), &n):
            return IMPOSSIBLE
        value = bound(o, &n, 0)
        return search(o, &n, 0) if value >= o.target else value
    for mask in range(1 << (o.given_hand_cards + 2)):
        if (mask >> o.given_hand_cards & 1 and o.given.reserve[0] == NONE) or (
                mask >> (o.given_hand_cards + 1) & 1 and o.given.reserve[1] == NONE) or not root(o, mask, &n):
            continue
        value = bound(o, &n, 0)
        if value >= o.target:
            push(o, &n)
            o.pool[o.top - 1].bound = <int16_t> value
        elif value > best:
            best = value
    order(o.pool + base, o.top - base)
    for mask in range(<int> (o.top - base)):
        value = search(o, o.pool + base + mask, 0)
        if o.stop:
            break
        if value > best:
            best = value
        if value >= o.target:
            break
    o.top = base
    return best


cdef int walk_farms(Open *o) noexcept nogil:
    """The score of a plan that reaches the target, or a bound below it, by the final farms. Goes on where it stopped."""
    cdef Walk *w = &o.walk
    cdef int best
    while True:
        if not w.under_way:
            w.most = o.target - 1
            if not next_turns(o):
                return IMPOSSIBLE
        while w.waiting or next_farm(o):
            best = try_farm(o)
            o.fixed = o.cells = False
            if o.stop:
                return 0
            if best >= o.target:
                w.under_way = w.waiting = False
                return best
        if not next_turns(o):
            return w.most


# --- the solver ----------------------------------------------------------------------------------------------------------

cdef bint prepare(Open *o) noexcept nogil:
    """Work out what the bounds need of the given position. False without memory."""
    cdef int i, j, b, g, card, shops, end, next, slots, budget, v, w, best, fed, value, cost, most, x, first
    cdef int most_deck = o.ordered, turns = o.given.left
    cdef const Card *k
    cdef Options options
    cdef int16_t *row
    cdef const int16_t *after
    cdef uint8_t *play
    cdef int many = 0
    cdef int count[8]
    cdef bint four
    cdef uint8_t cards[CARDS]
    o.unit = o.rules.resources_per_point
    # every card that may come into play
    memset(o.position, 0xff, sizeof(o.position))
    for i in range(o.ordered):
        o.position[o.order[i]] = <int16_t> i
        cards[many] = o.order[i]
        many += 1
    for i in range(9):
        if o.given.farm[i] != NONE:
            cards[many] = o.given.farm[i]
            many += 1
    for i in range(o.given_hand_cards):
        cards[many] = o.given_hand[i]
        many += 1
    for i in range(2):
        if o.given.reserve[i] != NONE:
            cards[many] = o.given.reserve[i]
            many += 1
    for i in range(4):
        if o.given.market[i] != NONE:
            cards[many] = o.given.market[i]
            many += 1
    memset(count, 0, sizeof(count))
    o.extras = 0
    for i in range(many):
        count_card(o, count, cards[i])
        if place_of(&o.given, cards[i]) < 0:
            o.extra[o.extras] = cards[i]
            o.extras += 1
    o.centre = o.coupons_sell = o.most_sale = 0
    memset(o.most_draws, 0, sizeof(o.most_draws))
    memset(o.best_sale, 0, sizeof(o.best_sale))
    for i in range(many):
        card = cards[i]
        k = o.card + card
        o.cost[card] = k.cost[0] + k.cost[1] + k.cost[2] + k.cost_any
        o.now_groups[card] = o.breed_groups[card] = 0
        o.sale_groups[card] = o.now[card] = o.breed[card] = o.now_draws[card] = o.breed_draws[card] = 0
        for g in range(k.sale.groups):
            o.sale_groups[card] += k.sale.size[g]
        o.sale[card] = o.sale_groups[card] + k.sale.fixed[0] + k.sale.fixed[1] + k.sale.fixed[2]
        v = k.effect.fixed[0] + k.effect.fixed[1] + k.effect.fixed[2]
        for g in range(k.effect.groups):
            v += k.effect.size[g]
        if k.timing == NOW:
            o.now_groups[card] = v - k.effect.fixed[0] - k.effect.fixed[1] - k.effect.fixed[2]
            o.now[card] = v
            o.now_draws[card] = k.effect.draws
            if o.sales and k.effect.sells:
                o.coupons_sell += 1
        elif k.timing == IN_BREED:
            o.breed_groups[card] = v - k.effect.fixed[0] - k.effect.fixed[1] - k.effect.fixed[2]
            o.breed[card] = v
            o.breed_draws[card] = k.effect.draws
        four = False
        o.value[card] = o.unit * k.points + coupon_most(o, count, card, 0, &four)
        if four:
            o.centre = max(o.centre, o.unit * k.worth)
        o.most_sale = max(o.most_sale, o.sale[card])
        for b in range(MOST_TURNS):
            o.draws_of[b][card] = o.now_draws[card] + b * o.breed_draws[card] + (k.sale.draws if o.sales else 0)
            o.most_draws[b] = max(o.most_draws[b], o.draws_of[b][card])
            o.best_sale[b] = max(o.best_sale[b], o.sale[card] - o.cost[card] + o.now[card] + b * o.breed[card])
        for b in range(MOST_TURNS):     # the best sales, by falling gain
            v = o.sale[card] - o.cost[card] + o.now[card] + b * o.breed[card]
            for j in range(1, 11):
                if v > o.sale_top[b][j]:
                    w = o.sale_top[b][j]
                    o.sale_top[b][j] = v
                    v = w
    for b in range(MOST_TURNS):
        for j in range(1, 11):
            o.sale_top[b][j] += o.sale_top[b][j - 1]
    for b in range(MOST_TURNS):
        o.draws_before[b][0] = 0
        for i in range(o.ordered):
            o.draws_before[b][i + 1] = o.draws_before[b][i] + o.draws_of[b][o.order[i]]
    # the points of a shop: none, or under a line
    o.logo_first = 10
    o.logo_each = o.logo_base = 0
    for i in range(9, -1, -1):
        if o.rules.logo_points[i] > 0:
            o.logo_first = i
    if o.logo_first < 10:
        for i in range(o.logo_first, 10):
            j = i - o.logo_first + 1
            o.logo_each = max(o.logo_each, (o.unit * o.rules.logo_points[i] + j - 1) // j)
        o.logo_base = IMPOSSIBLE
        for i in range(o.logo_first, 10):
            o.logo_base = max(o.logo_base, o.unit * o.rules.logo_points[i] - o.logo_each * i)
    # the knapsack
    o.start = o.given.next
    o.most_breeds = (turns + 1) // 2 + 1
    o.starts = most_deck - o.start + 1
    o.ends = (most_deck + STEP - 1) // STEP + 1
    o.most_slots = 2 * ((turns + 1) // 2) + 1
    o.knapsack = <int16_t *> malloc(<size_t> 8 * o.most_breeds * o.ends * o.starts * o.most_slots * BUDGETS * 2)
    if o.knapsack == NULL:
        return False
    for shops in range(8):
        for b in range(o.most_breeds):
            for end in range(o.ends):
                for next in range(min(end * STEP, most_deck), o.start - 1, -1):
                    options.cards = options.first[0] = 0
                    if next < min(end * STEP, most_deck):
                        add_options(o, &options, o.order[next], b)
                    row = o.knapsack + (((shops * o.most_breeds + b) * o.ends + end) * o.starts + next - o.start
                                        ) * o.most_slots * BUDGETS
                    after = row + o.most_slots * BUDGETS
                    for slots in range(o.most_slots):
                        for budget in range(BUDGETS):
                            if options.cards == 0:
                                best = budget - LEAST if budget >= LEAST else IMPOSSIBLE
                            else:
                                best = after[slots * BUDGETS + budget]
                                if slots:
                                    for i in range(options.first[1]):
                                        v = options.value[i]
                                        if options.logo[i] < 3 and shops >> options.logo[i] & 1:
                                            v += o.logo_each
                                        w = budget - options.cost[i]
                                        if w < 0:
                                            w = 0
                                        elif w >= BUDGETS:
                                            v += w - BUDGETS + 1
                                            w = BUDGETS - 1
                                        v += after[(slots - 1) * BUDGETS + w]
                                        if v > best:
                                            best = v
                            row[slots * BUDGETS + budget] = <int16_t> max(best, IMPOSSIBLE)
    return True


cdef class OpenSolver:
    """The highest score of a solo position whose deck is known in order."""
    cdef Open o
    cdef Ruleset trial
    cdef public int lower
    cdef public int upper
    cdef public bint done
    cdef bint plain

    def __dealloc__(self):
        free(self.o.knapsack)
        free(self.o.walk.best)
        free(self.o.pool)
        free(self.o.seen)
        free(self.o.farms)
        pages_free(self.o.table)

    def __cinit__(self, cards, hand, market, order, stock, int turns, *, sales=True, plain=False, size_t memory=1 << 26,
                  farm=(), last=NO_ACTION):
        cdef Open *o = &self.o
        cdef Card *k
        memset(o, 0, sizeof(Open))
        memset(&self.trial, 0, sizeof(Ruleset))
        self.trial.hand = 4
        self.trial.reserve = 2
        self.trial.market = 3
        self.trial.resources_per_point = 3
        self.trial.reserved_penalty = 2
        self.trial.wild_scores = 1
        self.trial.place_nothing = 1
        for i, v in enumerate([0, 0, 0, 2, 4, 6, 6, 6, 6, 6]):
            self.trial.logo_points[i] = v
        self.trial.cards = len(cards)
        for i, c in enumerate(cards):
            k = &self.trial.card[<int> i]
            k.points = c["vp"]
            k.attributes = 128 if c["wild"] else (1 << c["sex"]) | c["col"] << 2
            for j in range(3):
                k.cost[j] = c["cost"][j]
            k.cost_any = c["cost"][3]
            k.logo = c["logo"] if c["logo"] < 3 else NONE
            clauses = c["clauses"]
            k.clauses = len(clauses)
            for j in range(len(clauses)):
                memset(k.clause[j].at_most, 4, 7)
                for a, rel, n in clauses[j]:
                    if rel == 2:
                        k.clause[j].at_least[a] = max(n, k.clause[j].at_least[a])
                    else:
                        k.clause[j].at_most[a] = n if rel else 0
            for j in range(3):
                k.sale.fixed[j] = c["sell"][j]
            if c["sell"][3]:
                k.sale.groups = 1
                k.sale.mode[0] = c["sell"][4]
                k.sale.size[0] = c["sell"][3]
            kind, arg = c["cp"]
            if kind == 1:
                k.timing = NOW
                k.effect.draws = 1
            elif kind == 2:
                k.timing = NOW
                k.effect.sells = 1
            elif kind == 3:
                k.timing = IN_BREED
                if arg < 3:
                    k.effect.fixed[arg] = 1
                else:
                    k.effect.groups = 1
                    k.effect.size[0] = 1
            elif kind == 4:
                k.timing = IN_BREED
                k.effect.draws = 1
            elif kind == 5:
                k.timing = AT_END
                k.counts = NEIGHBOURS
                k.counted = arg
                k.worth = 1
            elif kind == 6:
                k.timing = AT_END
                k.counts = TOKENS
                k.counted = arg
                k.worth = 1
        o.rules = &self.trial
        o.card = self.trial.card
        o.sales = sales
        o.cells = plain
        self.plain = plain
        o.ordered = len(order)
        for i, card in enumerate(order):
            o.order[i] = card
        memset(&o.given, 0, sizeof(Node))
        memset(o.given.farm, NONE, 9)
        memset(o.given.hand, NONE, 8)
        memset(o.given.reserve, NONE, 2)
        memset(o.given.market, NONE, 4)
        for i, card in enumerate(farm):
            o.given.farm[i] = card if card is not None else NONE
            o.given.farmed += card is not None
        for i, card in enumerate(sorted(market)):
            o.given.market[i] = card
        for i, n in enumerate(stock):
            o.given.stock[i] = n
        o.given.left = turns
        o.given.last = last
        for i, card in enumerate(hand):
            o.given_hand[i] = card
        o.given_hand_cards = len(hand)
        o.size = 1 << 12
        o.pool = <Node *> malloc(o.size * sizeof(Node))
        o.seen_mask = 1023
        o.seen = <int64_t *> calloc(1024, sizeof(int64_t))
        o.farms_mask = 63
        o.farms = <Farm *> calloc(64, sizeof(Farm))
        o.table = <Entry *> pages_new(memory)
        o.table_mask = o.part_mask = memory // sizeof(Entry) - 1
        prepare(o)
        self.lower = -100
        o.target = -100
        self.upper = self.root_bound()

    def root_bound(self):
        cdef Open *o = &self.o
        cdef int best
        o.target = 1000
        best = search_all(o)
        return best

    def run(self, uint64_t nodes):
        """Refute targets downwards."""
        cdef Open *o = &self.o
        cdef int value
        o.limit = o.nodes + nodes
        while not self.done:
            o.target = self.upper
            o.stop = STOP_NOT
            with nogil:
                value = search_all(o) if self.plain else walk_farms(o)
            if o.stop == STOP_NODES:
                return False
            if o.stop:
                raise RuntimeError(o.stop)
            if value >= o.target:
                self.lower = self.upper = value
                self.done = True
            else:
                self.upper = value
                if value <= self.lower:
                    self.done = True
        return True

    @property
    def nodes(self):
        return self.o.nodes

    @property
    def farms(self):
        return self.o.farms_tried, self.o.plans, self.o.plans_placed, self.o.walk.visits

    def trace(self):
        cdef Open *o = &self.o
        out = []
        fix(o)
        for i in range(o.fixed_cards):
            k = o.card + o.role_card[i]
            out.append((o.role_card[i], o.position[o.role_card[i]], [k.cost[0], k.cost[1], k.cost[2], k.cost_any], k.points, k.timing, k.counts, k.counted))
        return out, o.cells, o.needs_known, self.o.walk.turns, o.needs[o.given.left][<int> NO_ACTION][0]
