"""Coney solo with the order of the deck known: the highest score, with proof.

Whether a score can be reached is searched for turn by turn; see coney_open_turns.pxi for what is merged within a turn
and coney_open_bounds.pxi for why most of it need not be looked at. For more than a few turns the search first forgets
where rabbits lie. A final farm that it reaches is then searched for alone, with places; where that fails, the farm is
struck off and the search goes on.
"""
from ast import literal_eval
from hashlib import blake2b
from time import monotonic

from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memmove, memset

from ninefold.core.games.coney cimport (
    ACTION, ANY, AT_END, BREED, CARDS, CELLS, GROUPS, IN_BREED, IN_LINE, LIMIT, LINES, NEXT_TO, PLACES, NEIGHBOURS, NO_ACTION,
    NONE, NOW, OVER, PLACE, REFILL, SAME, SET_UP, TOKENS, WHITE, WILD, Card, Coney, Effect, Facts, Ruleset, fits, lane,
    look)
from ninefold.core.games.coney import MOVES
from ninefold.core.games.coney_lines cimport Lines, LineSearch

from ninefold.core.rules cimport MAX_LEGAL, Bag, State, bag_count, bit_count, bit_first

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
    LEAST_SCORE = -1000
    SELLING = 3
    LAYOUTS = 100000            # tried at most
    SMALL_TABLE = 1 << 13
    SMALL_SEARCH = 30000
    QUICK_SEARCH = 50
    ROLES = 24                  # cards of a final farm, and those that are only to be sold
    MASKS = 1 << 13
    DEAR = 4                    # costs from here on are not told apart
    MOST_SCHEDULED = 9          # turns for which all sequences of actions are looked at apart,
    SCHEDULES = 768             # so many,
    BEGINNINGS = 29524          # with so many beginnings
    EXTRAS = 15
    LOW_EXTRAS = 1              # of a plan that is sought to begin with
    RUNS = 7                    # stocks in an entry of the table

cdef enum Stop:
    STOP_NOT
    STOP_NODES                  # of a short search
    STOP_WORK
    STOP_MEMORY
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

ctypedef struct Layout:         # the search for the best places of some cards
    int cards
    int card[9]
    int cell[9]
    int beside[9][9]            # what two cards are worth to each other as neighbours
    int in_line[9][9]           # and in one row or column
    int best
    int most                    # good enough
    int visits

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

ctypedef struct Schedule:       # a sequence of actions
    uint8_t action[MOST_SCHEDULED]
    uint8_t places_before[MOST_SCHEDULED]
    uint8_t refills_before[MOST_SCHEDULED]
    uint8_t breeds_before[MOST_SCHEDULED]
    int places
    int refills
    int breeds
    int first_place
    int last_place

ctypedef struct Walk:           # where the enumeration of final farms stands
    bint under_way
    int turns[3]                # place, refill, breed turns
    int items
    Item item[CARDS]
    int depth
    Step step[11]
    int16_t *best               # of the items from one on: by shops, item, slots, budget
    uint64_t visits
    bint waiting                # whether the last farm has not been searched to the end,
    bint fresh                  # or not begun
    bint dear                   # whether schedules have been looked at for it
    uint64_t nodes              # before it
    int farm_most               # the bound of the last farm so far
    int coupon_cap              # what its coupons are worth in the best layout, FAR: not worked out
    int extras                  # cards only to be sold, chosen
    int most_extras             # that may be
    bint skipped                # whether plans with more of them have been left out
    bint loose                  # whether coupons sell nameless cards for now
    int extra[EXTRAS]
    int schedules[EXTRAS + 1]   # those that may do, with so many of the extra cards
    uint16_t schedule[EXTRAS + 1][SCHEDULES]
    int stage                   # of the search for it with these
    int most                    # the bound when all are done
    int target

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
    int most_sale
    int most_sale_draws
    int by_coupon[CARDS]        # what a reserved card sold by its coupon gives at best
    int sale_top[MOST_TURNS][11]    # by breed turns: what placing and selling so many cards gives at best
    int centre
    int logo_first
    int logo_base
    int logo_each
    # the knapsack
    int16_t *knapsack
    size_t knapsack_size
    int most_breeds
    int ends
    int starts
    int most_slots
    # the given final farm
    uint8_t role[256]           # 1 + its number, 0: none
    uint8_t role_card[ROLES]    # those of the farm first, then those that are only to be sold
    int fixed_cards             # of the farm
    int farm_coupons            # of the farm alone: as role_coupons
    int farm_wanted             # and last_wanted
    int roles                   # in all
    int role_coupons            # among them: those that let sell a reserved card
    bint anonymous              # whether there may be more that are only to be sold
    bint loose                  # whether coupons sell nameless cards, for as much as any card gives
    int fixed_worth
    int coupon_cap              # what its end coupons can be worth in any layout
    int coupons                 # and without cells at most
    uint64_t fixed_key
    int last_wanted             # the deck may be forgotten from here on
    bint needs_known
    int needs_row
    int16_t needs[MOST_TURNS * 4 * MASKS]   # resources that a plan takes: by turns left, last action, cards of the farm there
    int16_t step[3 * MASKS + 8]     # and what is read beyond the last set
    int16_t income[MASKS]
    uint8_t begins[BEGINNINGS]  # the sequences of actions that begin a schedule which may do, by number in base three
    Schedule *schedule
    int schedules
    # search
    int target
    int seen_bound              # the highest among those that were dropped
    Node *pool
    int64_t top
    int64_t size
    int64_t most                # that it may be
    int64_t *seen
    uint64_t seen_mask
    uint64_t seen_age
    int stop
    uint64_t nodes
    uint64_t limit              # of nodes, of a short search
    uint64_t work               # done: nodes count more, farms and plans a little
    uint64_t work_limit
    int action                  # the only one allowed in the first turn, or NO_ACTION
    int discards                # of the set-up, still to be made, with numbers from `low` on
    int low
    Entry *table
    uint64_t table_mask
    uint64_t part_mask          # of the part of the table in use
    uint64_t farm_key[2]
    uint64_t plans
    uint64_t plans_placed
    int extras                  # cards that may be placed only to be sold
    uint8_t extra[CARDS]        # by falling gain
    int extra_sum[CARDS + 1]    # the gains of those before
    int extra_from              # only those from here on are still to be chosen
    Walk walk
    Farm *farms
    uint64_t farms_mask
    uint64_t farms_count
    size_t farms_room           # bytes that they may take
    Node given
    uint8_t given_hand[8]
    int given_hand_cards
    Node path[MOST_TURNS + 1]
    int path_turns
    uint64_t farms_tried

cdef uint8_t[8][9] TURNED = [[0, 1, 2, 3, 4, 5, 6, 7, 8], [6, 3, 0, 7, 4, 1, 8, 5, 2], [8, 7, 6, 5, 4, 3, 2, 1, 0],
                             [2, 5, 8, 1, 4, 7, 0, 3, 6], [2, 1, 0, 5, 4, 3, 8, 7, 6], [0, 3, 6, 1, 4, 7, 2, 5, 8],
                             [6, 7, 8, 3, 4, 5, 0, 1, 2], [8, 5, 2, 7, 4, 1, 6, 3, 0]]

# --- where a card may be placed ------------------------------------------------------------------------------------------

cdef inline void lanes_of(const Open *o, const Node *n, uint64_t *lanes) noexcept nogil:
    cdef int i
    lanes[0] = lanes[1] = 0
    for i in range(9):
        if n.farm[i] != NONE:
            lanes[0] |= o.card[n.farm[i]].lanes[0] << i
            lanes[1] |= o.card[n.farm[i]].lanes[1] << i


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
    key = mix(o.fixed_key ^ (<uint64_t> o.cells << 1) ^ (<uint64_t> o.fixed << 2) ^ (<uint64_t> o.loose << 3))
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

cdef Farm *farm_at(const Open *o, const uint64_t *key) noexcept nogil:
    """The entry of a final farm, or the empty one where it belongs."""
    cdef uint64_t at = mix(key[0] ^ mix(key[1])) & o.farms_mask
    while o.farms[at].used and (o.farms[at].key[0] != key[0] or o.farms[at].key[1] != key[1]):
        at = (at + 1) & o.farms_mask
    return o.farms + at


cdef void keep_farm(Open *o, const uint64_t *key, int bound) noexcept nogil:
    """A final farm scores no more than this. When there is no more room for farms all others are forgotten."""
    cdef Farm *old = o.farms
    cdef Farm *farm
    cdef uint64_t i, mask = o.farms_mask
    if 2 * o.farms_count > mask:
        o.farms = NULL
        if 3 * (mask + 1) * sizeof(Farm) <= o.farms_room:       # for both while they are copied
            o.farms = <Farm *> calloc(2 * (mask + 1), sizeof(Farm))
        if o.farms == NULL:
            o.farms = old
            memset(old, 0, (mask + 1) * sizeof(Farm))
            o.farms_count = 0
        else:
            o.farms_mask = 2 * mask + 1
            for i in range(mask + 1):
                if old[i].used:
                    farm_at(o, old[i].key)[0] = old[i]
            free(old)
    farm = farm_at(o, key)
    if not farm.used:
        farm.used = True
        farm.bound = bound
        farm.key[0] = key[0]
        farm.key[1] = key[1]
        o.farms_count += 1
    farm.bound = min(farm.bound, bound)


cdef void fix(Open *o) noexcept nogil:
    """Look for the walk's farm alone."""
    cdef int i, card
    cdef int logos[3]
    memset(logos, 0, sizeof(logos))
    memset(o.role, 0, sizeof(o.role))
    o.fixed = True
    o.fixed_cards = o.roles = o.walk.depth
    o.coupon_cap = FAR
    o.fixed_worth = o.role_coupons = o.last_wanted = 0
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
    o.coupons = coupons_here(o, &o.given, 0)
    o.farm_coupons = o.role_coupons
    o.farm_wanted = o.last_wanted


cdef inline void take_role(Open *o, int number, int card) noexcept nogil:
    o.role_card[number] = <uint8_t> card
    o.role[card] = <uint8_t> (number + 1)
    o.last_wanted = max(o.last_wanted, o.position[card] + 1)
    if o.card[card].timing == NOW and o.card[card].effect.sells and o.sales:
        o.role_coupons += 1


cdef void fix_extras(Open *o) noexcept nogil:
    """And sell the extra cards that have been chosen."""
    cdef int i, card
    for i in range(o.fixed_cards, o.roles):
        o.role[o.role_card[i]] = 0
    o.role_coupons = o.farm_coupons
    o.last_wanted = o.farm_wanted
    o.fixed_key = mix(o.farm_key[0] ^ mix(o.farm_key[1]))
    o.loose = o.walk.loose
    for i in range(o.walk.extras):
        card = o.extra[o.walk.extra[i]]
        take_role(o, o.fixed_cards + i, card)
        o.fixed_key = mix(o.fixed_key + card + 1)
    o.roles = o.fixed_cards + o.walk.extras
    o.coupon_cap = o.walk.coupon_cap
    o.needs_known = False


cdef int short_search(Open *o, int nodes) noexcept nogil:
    """Without cells, in a small part of the table. Sets the stage that comes next: 0 if there is none."""
    cdef int best
    o.part_mask = min(o.table_mask, <uint64_t> (SMALL_TABLE - 1))
    o.limit = o.nodes + nodes
    best = search_all(o)
    o.limit = ~<uint64_t> 0
    o.part_mask = o.table_mask
    if o.stop == STOP_NODES:
        o.stop = STOP_NOT
        o.walk.stage += 1
    elif o.stop == STOP_WORK:           # where it can be taken up again
        o.walk.stage = 2
    elif not o.stop and best >= o.target:
        o.walk.stage = 3
    else:
        o.walk.stage = 0
    return best


cdef int try_plan(Open *o) noexcept nogil:
    """The score that a plan for the given farm and extra cards reaches, or a bound below the target.

    Without cells: a short search by itself, then one that knows the needs, both in a small table that stays in the
    cache, then one in the whole table, where it can be interrupted. With cells at last.
    """
    cdef int best = 0
    while o.walk.stage < 3:
        if o.walk.stage == 0:
            o.plans += 1
            o.work += 2
            if not some_order(o):
                return IMPOSSIBLE
            best = short_search(o, QUICK_SEARCH)
        if o.walk.stage > 0 and not o.needs_known:
            work_out_needs(o)
        if o.walk.stage == 1:
            best = short_search(o, SMALL_SEARCH)
        if o.walk.stage == 2 and not o.stop:
            best = search_all(o)
            o.walk.stage = 3 if best >= o.target and not o.stop else 2
        if o.stop:
            return 0
        if best < o.target:
            o.walk.stage = 0
            return best
        # it would do without cells: before they are looked at, see whether the coupons can give what is hoped for
        if o.walk.stage == 3 and o.walk.coupon_cap == FAR:
            o.walk.coupon_cap = o.coupon_cap = best_layout(o)
            o.needs_known = False
            o.walk.stage = 0
    o.plans_placed += 1
    if not o.needs_known:
        work_out_needs(o)
    if o.walk.stage == 3:
        o.cells = True
        best = search_all(o)
        o.cells = False
        if not o.stop:
            o.walk.stage = 0
    return best


cdef int try_farm(Open *o) noexcept nogil:
    """The same over all choices of extra cards. Goes on where it stopped.

    Cards that a coupon sells from the reserve have no names at first: whichever they are, they give no more than the
    card that gives most. Only where a plan is found so are these, too, chosen by name.
    """
    cdef Farm *farm
    cdef Walk *w = &o.walk
    cdef int best, i
    fix(o)
    if not w.waiting:
        farm = farm_at(o, o.farm_key)
        if farm.used and farm.bound < o.target:
            return farm.bound
        o.farms_tried += 1
        w.waiting = True
        w.dear = False
        w.nodes = o.nodes
        w.loose = o.coupons_sell > 0
        w.stage = w.extras = 0
        w.schedules[0] = o.schedules
        for i in range(o.schedules):
            w.schedule[0][i] = <uint16_t> i
        w.farm_most = IMPOSSIBLE
        w.coupon_cap = FAR
    while True:
        fix_extras(o)
        best = try_plan(o)
        if o.stop:
            return best
        if best >= o.target:
            if not w.loose:
                return best
            w.loose = False             # cannot be ruled out so: with names
            w.stage = w.extras = 0
            continue
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
            best = IMPOSSIBLE
            if i < o.extras:            # from here on their gains only fall: do they suffice?
                w.extras -= 1
                fix_extras(o)
                w.extras += 1
                best = bound_from(o, i, False)
            if best < o.target:
                w.extras -= 1
            else:                       # does this one, with others behind it?
                fix_extras(o)
                best = bound_from(o, i + 1, True)
                if best >= o.target:
                    break
            w.farm_most = max(w.farm_most, best)
        if w.extras == 0:
            break
    w.waiting = False
    if not w.skipped and (w.dear or o.nodes != w.nodes):    # others are ruled out as soon as they would be found
        keep_farm(o, o.farm_key, w.farm_most)
    return w.farm_most


cdef int bound_from(Open *o, int place, bint closely) noexcept nogil:
    """A bound of the given farm and extra cards with others from a place on."""
    cdef Walk *w = &o.walk
    cdef int best, i
    o.anonymous = True
    o.needs_known = False
    o.extra_from = place
    best = root_bound(o)
    if closely and best >= o.target and o.schedules:
        i = max(0, w.extras - 1)
        w.dear = True
        choose_schedules(o, w.schedule[i], w.schedules[i], w.schedule[w.extras], &w.schedules[w.extras])
        if w.schedules[w.extras] == 0:
            best = o.target - 1
    o.extra_from = 0
    o.anonymous = False
    return best


cdef bint more_extras(Open *o) noexcept nogil:
    """Whether still more extra cards may help to reach the target. Keeps the bound if not."""
    cdef int best
    if o.walk.extras == EXTRAS:
        o.stop = STOP_EXTRAS
        return False
    if o.walk.extras == 0:              # later that has been asked before the last one was chosen
        best = bound_from(o, 0, True)
        if best < o.target:
            o.walk.farm_most = max(o.walk.farm_most, best)
            return False
    if o.walk.extras == o.walk.most_extras:
        o.walk.skipped = True
        return False
    return True


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
    cdef int64_t i, end
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


cdef inline bint may_come(Open *o, int depth, int prefix, int action) noexcept nogil:
    """Whether a turn may be this action, after those of the prefix."""
    if depth == 0 and o.action != NO_ACTION and o.action != action:
        return False
    if not o.fixed or not o.needs_known or o.begins[after(prefix, action)]:
        return True
    o.seen_bound = max(o.seen_bound, o.target - 1)      # all that is known of it
    return False


cdef int search(Open *o, const Node *from_, int depth, int prefix) noexcept nogil:
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
    o.work += 8
    if o.nodes >= o.limit or o.work >= o.work_limit:
        o.stop = STOP_NODES if o.nodes >= o.limit else STOP_WORK
        return 0
    dropped = o.seen_bound
    o.seen_bound = IMPOSSIBLE
    if n.last != PLACE and may_come(o, depth, prefix, PLACE):
        place_turn(o, &n)
    if n.last != REFILL and may_come(o, depth, prefix, REFILL):
        refill_turn(o, &n)
    if n.last != BREED and may_come(o, depth, prefix, BREED):
        breed_turn(o, &n)
    best = o.seen_bound
    o.seen_bound = dropped
    count = o.top - base
    if o.stop:
        o.top = base
        return 0
    order(o.pool + base, count)
    for i in range(count):
        value = search(o, o.pool + base + i, depth + 1, after(prefix, o.pool[base + i].last))
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
    cdef int i, card, cards = o.given_hand_cards, waste
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
    if o.discards:                      # of the set-up: enough cards that may be thrown away
        waste = 0
        for i in range(cards):
            waste += o.given_hand[i] >= o.low and not mask >> i & 1
        if waste < o.discards:
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
        return search(o, &n, 0, 0) if value >= o.target else value
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
        value = search(o, o.pool + base + mask, 0, 0)
        if o.stop:
            break
        if value > best:
            best = value
        if value >= o.target:
            break
    o.top = base
    return best


cdef int first_bound(Open *o) noexcept nogil:
    """The bound that all final farms have in common."""
    cdef Walk *w = &o.walk
    cdef int best = IMPOSSIBLE
    while next_turns(o):
        best = max(best, step_bound(o, w.step, 0, w.step[0].budget))
    free(w.best)
    w.best = NULL
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
        while w.waiting or w.fresh or next_farm(o):
            w.fresh = False
            o.work += 1
            if o.work >= o.work_limit:
                w.fresh = not w.waiting
                o.stop = STOP_WORK
                return 0
            best = try_farm(o)
            o.fixed = o.cells = o.loose = False
            if o.stop:
                return 0
            if best >= o.target:
                w.under_way = w.waiting = False
                return best
        if not next_turns(o):
            return w.most


# --- the solver ----------------------------------------------------------------------------------------------------------

cdef inline int extra_worth(const Open *o, int card, int breeds) noexcept nogil:
    """What placing and selling a card gives at best, with so many breed turns."""
    return o.sale[card] - o.cost[card] + o.now[card] + breeds * o.breed[card] + o.by_coupon[card]


cdef int most_drawn(const Open *o) noexcept nogil:
    """No plan draws more cards: refills, and the coupons and sales that give most draws."""
    cdef int turns = o.given.left, last = o.given.last, p, r, b, i, j, n, drawn, farm, most = 0
    cdef int best[11]
    for p in range(most_of(turns, last, PLACE) + 1):
        for r in range(most_of(turns, last, REFILL) + 1):
            b = turns - p - r
            if b < 0 or b > most_of(turns, last, BREED):
                continue
            memset(best, 0, sizeof(best))
            farm = 0
            for i in range(9):
                if o.given.farm[i] != NONE:
                    farm += o.draws_of[b][o.given.farm[i]]
            for i in range(o.extras):   # cards that may still be placed
                n = o.draws_of[b][o.extra[i]]
                for j in range(min(2 * p, 10)):
                    if n > best[j]:
                        drawn = best[j]
                        best[j] = n
                        n = drawn
            drawn = farm + (o.rules.hand + o.rules.reserve) * r
            for j in range(min(2 * p, 10)):
                drawn += best[j]
            if 2 * p > 10:
                drawn += (2 * p - 10) * best[9]
            most = max(most, drawn)
    return most


cdef bint prepare(Open *o) noexcept nogil:
    """Work out what the bounds need of the given position. False without memory."""
    cdef int i, j, b, g, card, shops, end, next, slots, budget, v, w, best, x
    cdef int most_deck = o.ordered, turns = o.given.left
    cdef const Card *k
    cdef Options options
    cdef int16_t *row
    cdef const int16_t *after
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
    o.centre = o.coupons_sell = o.most_sale = o.most_sale_draws = 0
    memset(o.most_draws, 0, sizeof(o.most_draws))
    for i in range(many):
        card = cards[i]
        k = o.card + card
        o.cost[card] = k.cost[0] + k.cost[1] + k.cost[2] + k.cost_any
        o.now_groups[card] = o.breed_groups[card] = 0
        o.sale_groups[card] = o.now[card] = o.breed[card] = o.now_draws[card] = o.breed_draws[card] = 0
        for g in range(k.sale.groups):
            o.sale_groups[card] += k.sale.size[g]
        o.sale[card] = o.sale_groups[card] + lane(k.sale.gain, 0) + lane(k.sale.gain, 1) + lane(k.sale.gain, 2)
        v = lane(k.effect.gain, 0) + lane(k.effect.gain, 1) + lane(k.effect.gain, 2)
        for g in range(k.effect.groups):
            v += k.effect.size[g]
        if k.timing == NOW:
            o.now_groups[card] = v - lane(k.effect.gain, 0) - lane(k.effect.gain, 1) - lane(k.effect.gain, 2)
            o.now[card] = v
            o.now_draws[card] = k.effect.draws
            if o.sales and k.effect.sells:
                o.coupons_sell += 1
        elif k.timing == IN_BREED:
            o.breed_groups[card] = v - lane(k.effect.gain, 0) - lane(k.effect.gain, 1) - lane(k.effect.gain, 2)
            o.breed[card] = v
            o.breed_draws[card] = k.effect.draws
        four = False
        o.value[card] = o.unit * k.points + coupon_most(o, count, card, 0, &four)
        if four:
            o.centre = max(o.centre, o.unit * k.worth)
        o.most_sale = max(o.most_sale, o.sale[card])
        o.most_sale_draws = max(o.most_sale_draws, <int> k.sale.draws)
    for i in range(many):
        card = cards[i]
        k = o.card + card
        v = o.sales and k.timing == NOW and k.effect.sells
        o.by_coupon[card] = v * o.most_sale
        for b in range(MOST_TURNS):
            o.draws_of[b][card] = o.now_draws[card] + b * o.breed_draws[card] + v * o.most_sale_draws
            o.draws_of[b][card] += k.sale.draws if o.sales else 0
            o.most_draws[b] = max(o.most_draws[b], o.draws_of[b][card])
            w = extra_worth(o, card, b)
            for j in range(1, 11):      # the best sales, by falling gain
                if w > o.sale_top[b][j]:
                    x = o.sale_top[b][j]
                    o.sale_top[b][j] = w
                    w = x
    for b in range(MOST_TURNS):
        for j in range(1, 11):
            o.sale_top[b][j] += o.sale_top[b][j - 1]
    b = (turns + 1) // 2
    for i in range(o.extras):
        card = o.extra[i]
        j = i
        while j > 0 and extra_worth(o, o.extra[j - 1], b) < extra_worth(o, card, b):
            o.extra[j] = o.extra[j - 1]
            j -= 1
        o.extra[j] = <uint8_t> card
    o.extra_sum[0] = 0
    for i in range(o.extras):
        o.extra_sum[i + 1] = o.extra_sum[i] + max(0, extra_worth(o, o.extra[i], b))
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
    if not prepare_schedules(o):
        return False
    # the knapsack, of searches that know no final farm
    o.start = o.given.next
    if not o.cells:
        return True
    o.most_breeds = (turns + 1) // 2 + 1
    o.starts = most_deck - o.start + 1
    o.ends = (most_deck + STEP - 1) // STEP + 1
    o.most_slots = 2 * ((turns + 1) // 2) + 1
    o.knapsack_size = <size_t> 8 * o.most_breeds * o.ends * o.starts * o.most_slots * BUDGETS * sizeof(int16_t)
    o.knapsack = <int16_t *> malloc(o.knapsack_size)
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


cdef enum:
    BOTH = -1
    LOW                         # a plan that scores more than the best so far
    HIGH                        # or one that reaches the upper bound
    QUANTUM = 1 << 20           # work on one of them at a time
    LINE_WORK = 8               # of a line played
    LINES_AT_ONCE = 128
    MANY_LINES = 1 << 20        # half of the work is for lines until they have had so much,
    LINES_SHARE = 8             # then for one part of theirs the others have so many
    SLICE = 1 << 16             # work of the first call of `run`
    SLICE_MS = 25               # and how long the later ones should take
    LEAST_MEMORY = 1 << 20
    FIRST_MOVE = 1 << 22        # the least bytes for the question about one of the first moves
    NODE_ROOM = 88              # bytes of a position in the pool, with its place in the list of those seen


cdef:                           # ids of the engine's moves
    int MOVE_DONE = MOVES["done"]
    int MOVE_KEEP = MOVES["keep"]
    int MOVE_DRAW = MOVES["draw"]
    int MOVE_RESERVE = MOVES["reserve"]
    int MOVE_SELL = MOVES["sell"]
    int MOVE_FEED = MOVES["feed"]
    int MOVE_LAY = MOVES["lay"]

CHECKPOINT = "ninefold coney open 4"


cdef class OpenSolver:
    """The highest score of a solo position whose deck is known in order, with proof.

    Call `run` until it returns True, or stop any time: the score lies between `lower` and `upper`, and `line` plays
    a plan that scores `lower`. sales=False forbids all sales. With a goal the question is only whether a plan
    reaches it. `action` is the only one allowed in the first turn. `side` names the only one to be searched: "low", good
    plans, or "high", the proof that there are none; then another solver must tell of the other one, see `hear`.
    """
    cdef Open o
    cdef readonly State state
    cdef readonly bint sales
    cdef readonly bint plain
    cdef readonly object goal
    cdef readonly object lower
    cdef readonly int upper
    cdef readonly bint done
    cdef Walk side[2]
    cdef int turn_of            # the side at work
    cdef int only               # the only one, or BOTH
    cdef uint64_t spent[2]
    cdef int low_top            # no plan with few extra cards scores more
    cdef uint64_t slice
    cdef list best_line
    cdef LineSearch lines       # plays good lines: None where it does not
    cdef uint64_t lines_work    # done there,
    cdef uint64_t lines_took    # the length of its turn,
    cdef uint64_t lines_turn    # and what is left of it;
    cdef uint64_t lines_due     # its next turn comes at this work
    cdef OpenSolver simple      # the same without sales, for a first line: None when it has told all
    cdef size_t table_size
    cdef readonly int halved    # how often the table of positions was, for want of memory
    cdef void *table_pages

    def __dealloc__(self):
        free(self.o.knapsack)
        free(self.o.schedule)
        free(self.side[0].best)
        free(self.side[1].best)
        free(self.o.pool)
        free(self.o.seen)
        free(self.o.farms)
        free(self.table_pages)

    def __cinit__(self, State state not None, *, bint sales=True, bint plain=False, size_t memory=1 << 26, goal=None,
                  action=None, str side=None):
        cdef Open *o = &self.o
        cdef const Coney *s = <const Coney *> state.data
        cdef const Ruleset *rules = <const Ruleset *> state.core.table.ruleset
        cdef Bag hand = s.hand[0]
        cdef int i, card
        cdef size_t left
        if (<bytes> state.core.table.rules.name) != b"coney" or s.players != 1:
            raise ValueError("only solo positions of coney have an open puzzle")
        if rules.sliding:
            raise ValueError("the solver of open puzzles knows no sliding frame")
        if not rules.place_nothing:
            raise ValueError("the solver of open puzzles needs place_nothing = on")
        if rules.hand > 6:
            raise ValueError("the solver of open puzzles knows hands of up to 6 cards")
        if rules.turns - s.turn > MOST_TURNS - 1:
            raise ValueError(f"the solver of open puzzles knows up to {MOST_TURNS - 1} turns to come")
        if side is not None and side != "low" and side != "high":
            raise ValueError(f"side must be 'low' or 'high', not {side!r}")
        self.only = BOTH if side is None else LOW if side == "low" else HIGH
        self.state = state.copy()
        self.sales = sales
        self.plain = plain
        self.best_line = []
        self.goal = goal
        o.rules = <const Ruleset *> self.state.core.table.ruleset
        o.card = &o.rules.card[0]
        o.sales = sales
        o.cells = plain
        o.action = NO_ACTION
        memset(&o.given, 0, sizeof(Node))
        memset(o.given.farm, NONE, 9)
        memset(o.given.hand, NONE, 8)
        memset(o.given.reserve, NONE, 2)
        memset(o.given.market, NONE, 4)
        o.ordered = s.ordered
        memcpy(o.order, s.trail.order, s.ordered)
        o.given.left = rules.turns - s.turn
        o.given.last = s.last
        if s.phase == LIMIT and s.task == SET_UP:
            o.discards = bag_count(&hand) - rules.hand
            o.low = s.low
            if s.ordered < rules.market:
                raise ValueError("the order of the deck is too short to be solved")
            for i in range(rules.market):
                sort_in(o.given.market, i, o.order[i])
            o.given.next = rules.market
        elif s.phase == ACTION:
            memcpy(o.given.market, s.market, 4)
        elif s.phase != OVER:
            raise ValueError("the solver of open puzzles starts at the beginning of a turn or with the first discards")
        if action is not None:
            if s.phase != ACTION or action == s.last or action not in (PLACE, BREED, REFILL):
                raise ValueError(f"no turn can begin with action {action} here")
            o.action = action
        memcpy(o.given.farm, s.farm[0], CELLS)
        memcpy(o.given.tokens, s.tokens[0], CELLS)
        for i in range(9):
            o.given.farmed += s.farm[0][i] != NONE
        for i in range(2):
            o.given.reserve[i] = s.reserve[0][i]
        for i in range(3):
            if lane(s.stock[0], i) > 100:
                raise ValueError("the solver of open puzzles knows up to 100 of a resource")
            o.given.stock[i] = lane(s.stock[0], i)
        for card in range(rules.cards):
            if hand.word[card >> 6] >> (card & 63) & 1:
                o.given_hand[o.given_hand_cards] = card
                o.given_hand_cards += 1
        o.size = 1 << 12
        o.pool = <Node *> malloc(o.size * sizeof(Node))
        o.seen_mask = 1023
        o.seen = <int64_t *> calloc(1024, sizeof(int64_t))
        o.farms_mask = 63
        o.farms = <Farm *> calloc(64, sizeof(Farm))
        if o.pool == NULL or o.seen == NULL or o.farms == NULL or not prepare(o):
            raise MemoryError
        i = o.given.next + most_drawn(o) - o.ordered
        if i > 0 and o.given.left:
            raise ValueError(f"the order of the deck is too short to be solved: {i} more cards may be drawn")
        o.limit = ~<uint64_t> 0
        self.slice = SLICE
        self.turn_of = HIGH
        self.low_top = FAR
        if o.given.left == 0:
            self.lower = self.upper = self.state.score()[0][0]
            self.done = True
            return
        if sales and not plain and goal is None and self.only != HIGH:
            self.simple = OpenSolver(state, sales=False, memory=memory // 8, action=action)
            self.simple.lines = None
        if not plain and goal is None and self.only != HIGH:
            self.lines = LineSearch(state, sales, o.action, 0)
        # what is left beside the tables of the bounds: half for positions met, a quarter for those of a turn in the
        # making, an eighth for final farms
        left = memory - min(memory, self.needed_anyway())
        o.most = max(o.size, <int64_t> (left // 4 // NODE_ROOM))
        o.farms_room = left // 8
        self.table_size = LEAST_MEMORY
        while 2 * self.table_size <= left // 2:
            self.table_size *= 2
        self.lay_table()
        o.target = FAR
        self.upper = search_all(o) if plain else first_bound(o)
        if o.stop:
            raise MemoryError
        if goal is not None and self.upper < goal:
            self.done = True

    cdef int lay_table(self) except -1:
        """An empty table of positions."""
        cdef Open *o = &self.o
        free(self.table_pages)
        # zeroed when they are touched; an entry shall be one cache line
        self.table_pages = calloc(self.table_size + sizeof(Entry), 1)
        if self.table_pages == NULL:
            raise MemoryError
        o.table = <Entry *> ((<uintptr_t> self.table_pages + sizeof(Entry) - 1) & ~<uintptr_t> (sizeof(Entry) - 1))
        o.table_mask = o.part_mask = self.table_size // sizeof(Entry) - 1
        return 0

    cdef int make_room(self) except -1:
        """For the positions of a turn in the making, which take more than they may: half of the table."""
        if self.table_size == LEAST_MEMORY:
            raise ValueError("the solver of open puzzles needs more memory to go on")
        self.table_size //= 2
        self.halved += 1
        self.o.most += self.table_size // NODE_ROOM
        self.lay_table()
        return 0

    cdef size_t needed_anyway(self):
        """Bytes of the tables of the bounds, and of the search without sales."""
        cdef Open *o = &self.o
        cdef size_t items = 9 + o.given_hand_cards + 2 + 4 + o.ordered
        cdef size_t walk = 8 * items * (2 * most_of(o.given.left, o.given.last, PLACE) + 1) * BUDGETS * sizeof(int16_t)
        return (sizeof(Open) + o.knapsack_size + SCHEDULES * sizeof(Schedule) + 2 * walk
                + (self.simple.memory if self.simple is not None else 0)
                + (sizeof(Lines) if self.lines is not None else 0))

    cdef int finish(self, int value) except -1:
        """A side has come to the end: a plan of that score, or a bound below its target."""
        cdef Open *o = &self.o
        if value >= o.target:
            if self.lower is None or value > self.lower:
                self.best_line = Replay(self, value).moves()
                self.lower = value
        elif o.walk.skipped:
            self.low_top = min(self.low_top, o.target - 1)
        else:
            self.upper = min(self.upper, value)
        if self.goal is not None:
            self.done = (self.lower is not None and self.lower >= self.goal) or self.upper < self.goal
        elif self.lower is not None:
            self.done = self.lower >= self.upper
        return 0

    cdef int go_without_sales(self, uint64_t work) except -1:
        """So much work on the question without sales: its plans are plans here, too."""
        cdef OpenSolver simple = self.simple
        cdef uint64_t before = simple.o.work, nodes = simple.o.nodes
        if self.lower is not None and (simple.lower is None or simple.lower < self.lower):
            simple.lower = self.lower   # only a plan that scores more is of use
            simple.best_line = []
            simple.done = simple.lower >= simple.upper
        try:
            simple.advance(work)
        except ValueError:              # it does without it
            self.simple = None
            return 0
        self.o.work += max(<uint64_t> 1, simple.o.work - before)
        self.o.nodes += simple.o.nodes - nodes
        self.spent[LOW] += max(<uint64_t> 1, simple.o.work - before)
        if simple.lower is not None and (self.lower is None or simple.lower > self.lower):
            self.lower = simple.lower
            self.best_line = simple.line()
            self.done = self.lower >= self.upper
        if simple.done:
            self.simple = None
        return 0

    cdef inline uint64_t pause(self, uint64_t end):
        """The proof goes on up to this work at most."""
        return end if self.lines is None else min(end, self.lines_due)

    cdef int play_lines(self, uint64_t work) except -1:
        """About so much of the work of this turn on lines played by guesses."""
        cdef Open *o = &self.o
        cdef uint64_t games = min(work, self.lines_turn) // LINE_WORK + 1
        cdef bint found
        cdef State after
        with nogil:
            found = self.lines.run(games)
        o.work += games * LINE_WORK
        self.lines_work += games * LINE_WORK
        self.lines_turn -= min(self.lines_turn, games * LINE_WORK)
        if self.lines_turn == 0:        # as much for the others, later more
            self.lines_due = o.work + self.lines_took * (1 if self.lines_work < <uint64_t> MANY_LINES else LINES_SHARE)
        if found:
            line = self.lines.moves()
            after = self.state.copy()
            for move in line:
                after.apply(0, move)
            points = after.score()[0][0]
            if self.lower is None or points > self.lower:
                self.lower, self.best_line = points, line
                self.done = self.lower >= self.upper
        return 0

    def advance(self, uint64_t work):
        """Do so much work. True when done. The same calls give the same results everywhere."""
        cdef Open *o = &self.o
        cdef uint64_t end = o.work + work, start
        cdef int value
        while not self.done and o.work < end:
            if self.lines is not None:
                if self.lines_turn == 0 and o.work >= self.lines_due:
                    self.lines_took = self.lines_turn = min(
                        max(o.work // 4, <uint64_t> (LINES_AT_ONCE * LINE_WORK)), <uint64_t> (QUANTUM // 4))
                if self.lines_turn:
                    self.play_lines(end - o.work)
                    continue
            if self.goal is not None or self.plain:
                self.turn_of = HIGH
            elif self.spent[self.turn_of] >= QUANTUM:
                self.spent[self.turn_of] = 0
                self.turn_of = 1 - self.turn_of
            if self.only != BOTH:
                self.turn_of = self.only
            if self.turn_of == LOW and self.simple is not None:
                self.go_without_sales(min(self.pause(end) - o.work, QUANTUM - self.spent[LOW]))
                continue
            if self.turn_of == LOW and not self.side[LOW].under_way and self.low_top <= (
                    LEAST_SCORE if self.lower is None else self.lower):
                if self.only == LOW:        # nothing is left but lines
                    if self.lines is None:
                        break
                    self.lines_took = self.lines_turn = end - o.work
                    continue
                self.turn_of = HIGH
            o.walk = self.side[self.turn_of]
            if not o.walk.under_way:
                if self.goal is not None:
                    o.walk.target = self.goal
                elif self.turn_of == LOW:
                    value = min(self.low_top, self.upper)
                    if self.lower is None:
                        o.walk.target = value // 2 if value > 0 else value
                    else:
                        o.walk.target = (self.lower + value + 1) // 2
                else:
                    o.walk.target = self.upper
                o.walk.most_extras = LOW_EXTRAS if self.turn_of == LOW else EXTRAS
                o.walk.skipped = False
            o.target = o.walk.target
            start = o.work
            o.stop = STOP_NOT
            o.work_limit = end if self.plain or self.goal is not None else min(
                self.pause(end), o.work + QUANTUM - self.spent[self.turn_of])
            with nogil:
                value = search_all(o) if self.plain else walk_farms(o)
            self.side[self.turn_of] = o.walk
            self.spent[self.turn_of] += o.work - start
            if o.stop == STOP_MEMORY:
                if o.walk.best == NULL and not self.plain:
                    raise MemoryError
                self.make_room()
            if o.stop == STOP_EXTRAS:
                raise ValueError(f"the solver of open puzzles cannot rule out plans that sell more than {EXTRAS} cards")
            if o.stop == STOP_NOT:
                self.finish(value)
        return self.done

    def run(self, int milliseconds=50):
        """Work for about so long, without Python's lock in between. True when done."""
        cdef double end = monotonic() + 0.001 * milliseconds, start, took
        cdef uint64_t before
        while not self.done:
            start = monotonic()
            if start >= end:
                break
            before = self.o.work
            self.advance(self.slice)
            if self.o.work == before:       # one side alone, at its end
                break
            took = 1000 * (monotonic() - start)
            if took > 2 * SLICE_MS:
                self.slice = max(self.slice // 2, <uint64_t> 1000)
            elif took < SLICE_MS // 2:
                self.slice *= 2
        return self.done

    def hear(self, OpenSolver other not None):
        """Take over what another solver of the same position has found: the better line, the lower bound from above.

        So the two sides can be searched at once: one solver made with side="low", the other with side="high".
        """
        if other.lower is not None and (self.lower is None or other.lower > self.lower):
            self.lower, self.best_line = other.lower, list(other.best_line)
        self.upper = min(self.upper, other.upper)
        if self.only == HIGH and self.side[HIGH].target > self.upper:
            self.side[HIGH].under_way = False       # that is refuted: on to the next
        self.done = self.done or (self.lower is not None and self.lower >= self.upper)

    @property
    def nodes(self):
        """Positions looked at."""
        return self.o.nodes

    @property
    def farms(self):
        """Final farms looked at, plans for them, and those of these that the cards and resources allow."""
        return self.o.farms_tried, self.o.plans, self.o.plans_placed

    @property
    def memory(self):
        """Bytes in use."""
        return (self.table_size + <size_t> self.o.size * sizeof(Node) + (self.o.farms_mask + 1) * sizeof(Farm)
                + (self.o.seen_mask + 1) * 8 + self.needed_anyway())

    def line(self):
        """Moves from the position to the end that score `lower`; [] before there is such a plan."""
        return list(self.best_line)

    def first_moves(self):
        """For each legal move of the position: its id, and a solver that asks whether it still leads to `lower`."""
        if not self.done or self.lower is None:
            raise ValueError("first moves can be counted when the solver is done")
        found = []
        legal = self.state.legal(0)
        for move in legal:
            if self.o.discards:
                after = self.state.copy()
                after.apply(0, move)
                action = None
            else:
                after, action = self.state, int(move)
            # all of them together as much as one of this
            memory = max(<size_t> FIRST_MOVE, self.table_size // len(legal))
            found.append((int(move), OpenSolver(after, sales=self.sales, memory=memory, goal=self.lower, action=action)))
        return found

    # --- a checkpoint: what is known of final farms, the best plan, and where the walks stand -------------------------

    cdef bytes known_farms(self):
        """Those with bounds, one after the other."""
        cdef Open *o = &self.o
        cdef uint64_t i, n = 0
        cdef Farm *farms = <Farm *> malloc((o.farms_count + 1) * sizeof(Farm))
        if farms == NULL:
            raise MemoryError
        for i in range(o.farms_mask + 1):
            if o.farms[i].used:
                farms[n] = o.farms[i]
                n += 1
        data = (<char *> farms)[:n * sizeof(Farm)]
        free(farms)
        return data

    def save(self, OpenSolver high=None):
        """What another solver of the same position needs to go on.

        high: the solver of the other side, if this one is of side "low" and has heard of it. One file holds both.
        """
        cdef Open *o = &self.o
        cdef OpenSolver above = self if high is None else high
        cdef uint64_t nodes = o.nodes, work = o.work
        farms = self.known_farms()
        if above is not self:
            farms += above.known_farms()
            nodes += above.o.nodes
            work += above.o.work
        n = len(farms) // sizeof(Farm)
        data = (<char *> &self.side[LOW])[:sizeof(Walk)] + (<char *> &above.side[HIGH])[:sizeof(Walk)] + farms
        head = (CHECKPOINT, blake2b(data).hexdigest(), sizeof(Walk), self.state.key(), self.sales, self.lower, self.upper,
                self.done, self.simple is None, self.turn_of, self.spent[0], self.spent[1], self.low_top, nodes, work,
                self.lines_work, self.lines_due, self.best_line, n)
        return repr(head).encode() + b"\n" + data

    def load(self, bytes checkpoint not None, uint64_t seed=0):
        """Go on from a checkpoint of `save`. Raises ValueError if it is not one of this position.

        seed: with another one other lines are played.
        """
        cdef Open *o = &self.o
        cdef Walk walk
        cdef Farm farm
        cdef uint64_t i
        cdef int k
        cdef const char *at
        try:
            line, rest = checkpoint.split(b"\n", 1)
            head = literal_eval(line.decode())
            (name, digest, size, key, sales, lower, upper, done, told, turn_of, low_spent, high_spent, low_top, nodes, work,
             lines_work, lines_due, moves, n) = head
        except (ValueError, SyntaxError) as error:
            raise ValueError("this is no checkpoint of an open puzzle") from error
        if name != CHECKPOINT or size != sizeof(Walk) or digest != blake2b(rest).hexdigest():
            raise ValueError("this is no checkpoint of an open puzzle by this version")
        if key != self.state.key() or sales != self.sales:
            raise ValueError("the checkpoint is of another puzzle")
        at = rest
        for k in range(2):
            memcpy(&walk, at + k * sizeof(Walk), sizeof(Walk))
            free(self.side[k].best)
            walk.best = NULL
            self.side[k] = walk
            if walk.under_way:
                o.walk = walk
                o.target = walk.target
                if not open_walk(o):
                    raise MemoryError
                walk.best = o.walk.best
                self.side[k] = walk
        at += sizeof(self.side)
        for i in range(<uint64_t> n):
            memcpy(&farm, at + i * sizeof(Farm), sizeof(Farm))
            keep_farm(o, farm.key, farm.bound)
        self.lower, self.upper, self.done, self.turn_of, self.best_line = lower, upper, done, turn_of, moves
        self.spent[0], self.spent[1], self.low_top = low_spent, high_spent, low_top
        if self.only != HIGH:           # what both sides have done counts once
            o.nodes, o.work = nodes, work
        if told:
            self.simple = None          # otherwise that part begins anew
        if self.lines is not None:      # and so do the lines, with others
            self.lines_work, self.lines_due, self.lines_turn = lines_work, lines_due, 0
            self.lines = LineSearch(self.state, self.sales, o.action, lines_work + seed)


include "coney_open_replay.pxi"
