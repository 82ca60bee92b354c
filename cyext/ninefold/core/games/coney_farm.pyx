"""The best farm of given rabbits of Coney, exactly: which of them, where, and an order of placing that is legal.

Sets of rabbits come in the order of a bound on their worth (points, logos, and what coupons could count at most), from
the top down: the first bound that is not above the best farm so far ends the search. A set is split in all ways into one
rabbit for the centre, four for the edges and four for the corners, as far as coupons could still count enough; a split
is laid out in the 72 ways that are no turns or mirror images of each other; and a layout that is worth enough is a farm
if there is an order of placing, found by a walk over the sets of cells that can lie there.
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from ninefold.core.games.coney cimport (
    AT_END, CELLS, LINES, NONE, TOKENS, WHITE, WILD, Card, Clause, Facts, Ruleset, holds, look)
from ninefold.core.rules cimport Game, bit_count, bit_first

cdef enum:
    RABBITS = 63                # at most; the row behind the last is no rabbit but what lies in an empty cell
    LEVELS = 10                 # numbers of cards of one shop
    NO_LOGO = 3
    SPLITS = 630                # ways to say which of nine are in the centre, at the edges and in the corners
    RING = 4                    # edges, corners
    WAYS = 24                   # to put four into four corners
    CENTRE = 4
    LARGEST = 30000             # worth of a farm

# Cells by their number on the ring: corner k lies between edge k - 1 and edge k.
cdef uint8_t CORNER[RING]
cdef uint8_t EDGE[RING]
cdef uint8_t BETWEEN[CELLS][RING]   # the neighbours of a cell; of a corner two, of an edge the centre comes first
cdef int AROUND[CELLS]              # how many
cdef uint8_t WAY[WAYS][RING]

ctypedef struct Split:              # of nine, by number and as masks
    uint8_t centre
    uint8_t edge[RING]
    uint8_t corner[RING]
    uint16_t edges
    uint16_t corners

cdef Split SPLIT[SPLITS]

ctypedef struct Rabbit:
    uint64_t counted                # by its coupon: a mask of the rabbits
    int points                      # printed, and those for resources lying on it
    int worth                       # of its coupon, for each that counts; 0 without one that counts rabbits
    bint lines                      # whether it counts row and column, not neighbours
    int logo
    int cost[4]                     # of each resource, and in all
    int most                        # that it can be worth elsewhere than in the centre, logos apart
    int more                        # and in the centre besides
    int id                          # of the card

ctypedef struct Plan:               # a set and how far its splits have been tried
    uint8_t rabbit[CELLS]           # the last ones are empty cells
    uint16_t empty                  # these, as a mask of the nine
    uint8_t holder[CELLS]           # rabbits with a coupon that counts rabbits,
    int holders
    uint16_t counted[CELLS]         # by holder: those that count, a mask of the nine
    int worth[CELLS]
    bint lines[CELLS]
    bint any_lines
    int near[CELLS][CELLS]          # what two of the nine bring each other as neighbours,
    int far[CELLS][CELLS]           # and in one row or column but apart
    int plain                       # worth without coupons
    int bound
    int split                       # the next one to try

ctypedef struct Search:
    const Ruleset *rules
    int n
    bint whole                      # whether all must lie in the farm
    bint bounded                    # whether costs count
    int stock[4]
    int levels                      # more cards of one shop than this make no difference
    int tallies                     # levels + 1, to the third power
    Rabbit rabbit[RABBITS + 1]      # by falling `most`
    uint64_t having[WILD + 1]       # an attribute, masks
    uint64_t alone                  # which can be placed without neighbours,
    uint64_t *one                   # [rabbit]: beside which single neighbours,
    uint64_t *two                   # [rabbit][a]: beside which together with a,
    uint64_t *three                 # [rabbit][a][b]: beside which together with a and b
    int16_t *rest                   # [next][how many][whether one may be in the centre][tally]: most that can come
    # the sets
    int target                      # the bound of those looked at now
    int size
    int next                        # the first rabbit that may be added
    bint planned                    # whether a plan is under way
    int pick[CELLS]
    uint64_t chosen[CELLS + 1]      # by size, and so on
    int points[CELLS + 1]
    int most[CELLS + 1]
    int more[CELLS + 1]
    int logos[CELLS + 1][NO_LOGO + 1]
    int spent[CELLS + 1][4]
    Plan plan
    # the answer so far
    bint found
    int best
    uint8_t farm[CELLS]             # rabbit by cell, n where empty
    uint8_t order[CELLS]            # cells,
    int placed                      # so many
    uint64_t sets
    uint64_t splits
    uint64_t layouts


cdef void prepare_cells() noexcept:
    cdef int k, a, b, c, d, centre, n = 0
    cdef Split *split
    for k in range(RING):
        CORNER[k] = [0, 2, 8, 6][k]
        EDGE[k] = [1, 5, 7, 3][k]
    for k in range(RING):
        AROUND[CORNER[k]] = 2
        BETWEEN[CORNER[k]][0] = EDGE[(k + 3) % RING]
        BETWEEN[CORNER[k]][1] = EDGE[k]
        AROUND[EDGE[k]] = 3
        BETWEEN[EDGE[k]][0] = CENTRE
        BETWEEN[EDGE[k]][1] = CORNER[k]
        BETWEEN[EDGE[k]][2] = CORNER[(k + 1) % RING]
        BETWEEN[CENTRE][k] = EDGE[k]
    AROUND[CENTRE] = 4
    for a in range(RING):
        for b in range(RING):
            for c in range(RING):
                d = 6 - a - b - c
                if a != b and a != c and b != c:
                    WAY[n][0], WAY[n][1], WAY[n][2], WAY[n][3] = a, b, c, d
                    n += 1
    n = 0
    for centre in range(CELLS):
        for k in range(1 << CELLS):
            if bit_count(k) == RING and not k >> centre & 1:
                split = &SPLIT[n]
                split.centre = centre
                split.edges = k
                split.corners = 511 & ~k & ~(1 << centre)
                a = b = 0
                for c in range(CELLS):
                    if split.edges >> c & 1:
                        split.edge[a] = c
                        a += 1
                    elif split.corners >> c & 1:
                        split.corner[b] = c
                        b += 1
                n += 1


prepare_cells()

# --- conditions -------------------------------------------------------------------------------------------------------

cdef inline const Card *card_of(const Search *search, int rabbit) noexcept nogil:
    return &search.rules.card[search.rabbit[rabbit].id]


cdef bint fits(const Search *search, int rabbit, const int *other, int others) noexcept nogil:
    """Whether a rabbit's condition holds with these neighbours, by number; n is an empty cell."""
    cdef uint64_t lanes[2]
    cdef const Card *card
    cdef Facts facts
    cdef int i
    if rabbit == search.n or card_of(search, rabbit).clauses == 0:
        return True
    lanes[0] = lanes[1] = 0
    for i in range(others):
        if other[i] < search.n:
            card = card_of(search, other[i])
            lanes[0] |= card.lanes[0] << EDGE[i]
            lanes[1] |= card.lanes[1] << EDGE[i]
    look(search.rules, lanes, &facts)
    return holds(search.rules, card_of(search, rabbit), lanes, &facts) >> CENTRE & 1


cdef inline uint64_t *beside(const Search *search, uint64_t *table, int rabbit, int a, int b) noexcept nogil:
    return table + ((rabbit * (search.n + 1) + a) * (search.n + 1) + b)


cdef void prepare_conditions(Search *search) noexcept nogil:
    """Fill the tables of who can be placed beside whom."""
    cdef int n = search.n, rabbit, a, b, c
    cdef int other[3]
    cdef uint64_t bit = 1
    for rabbit in range(n + 1):
        if fits(search, rabbit, other, 0):
            search.alone |= bit << rabbit
        for a in range(n + 1):
            other[0] = a
            if fits(search, rabbit, other, 1):
                search.one[rabbit] |= bit << a
            for b in range(a + 1):
                other[1] = b
                if fits(search, rabbit, other, 2):
                    search.two[rabbit * (n + 1) + a] |= bit << b
                    search.two[rabbit * (n + 1) + b] |= bit << a
                for c in range(b + 1):
                    other[2] = c
                    if fits(search, rabbit, other, 3):
                        beside(search, search.three, rabbit, a, b)[0] |= bit << c
                        beside(search, search.three, rabbit, b, a)[0] |= bit << c
                        beside(search, search.three, rabbit, a, c)[0] |= bit << b
                        beside(search, search.three, rabbit, c, a)[0] |= bit << b
                        beside(search, search.three, rabbit, b, c)[0] |= bit << a
                        beside(search, search.three, rabbit, c, b)[0] |= bit << a


cdef uint16_t fitting(const Search *search, const uint8_t *farm, int cell) noexcept nogil:
    """With which of a cell's neighbours the condition of the rabbit there holds: a bit for each subset, as a number."""
    cdef int n = search.n, rabbit = farm[cell], a, b, c
    cdef int other[RING]
    cdef const uint64_t *two = search.two + rabbit * (n + 1)
    cdef uint64_t one = search.one[rabbit]
    cdef uint16_t fit = search.alone >> rabbit & 1
    if rabbit == n or card_of(search, rabbit).clauses == 0:
        return 0xffff
    a = farm[BETWEEN[cell][0]]
    b = farm[BETWEEN[cell][1]]
    fit |= (one >> a & 1) << 1 | (one >> b & 1) << 2 | (two[a] >> b & 1) << 3
    if AROUND[cell] == 2:
        return fit
    c = farm[BETWEEN[cell][2]]
    fit |= ((one >> c & 1) << 4 | (two[a] >> c & 1) << 5 | (two[b] >> c & 1) << 6
            | (beside(search, search.three, rabbit, a, b)[0] >> c & 1) << 7)
    if AROUND[cell] == 3:
        return fit
    other[0], other[1], other[2], other[3] = a, b, c, farm[BETWEEN[cell][3]]
    a, b, c = other[3], 0, 0
    fit |= ((one >> a & 1) << 8 | (two[other[0]] >> a & 1) << 9 | (two[other[1]] >> a & 1) << 10
            | (beside(search, search.three, rabbit, other[0], other[1])[0] >> a & 1) << 11
            | (two[other[2]] >> a & 1) << 12
            | (beside(search, search.three, rabbit, other[0], other[2])[0] >> a & 1) << 13
            | (beside(search, search.three, rabbit, other[1], other[2])[0] >> a & 1) << 14
            | (<uint16_t> fits(search, rabbit, other, RING)) << 15)
    return fit

# --- orders -----------------------------------------------------------------------------------------------------------

cdef inline int lying(int cell, int cells) noexcept nogil:
    """Which of a cell's neighbours are among these cells, as `fitting` numbers subsets."""
    cdef int i, found = 0
    for i in range(AROUND[cell]):
        found |= (cells >> BETWEEN[cell][i] & 1) << i
    return found


cdef bint can_follow(const Search *search, const uint16_t *fit, int cells, int cell) noexcept nogil:
    """Whether the rabbit of this cell can be placed when those of the cells lie there."""
    cdef int around = lying(cell, cells), i, other
    if not fit[cell] >> around & 1:
        return False
    if search.rules.touch and cells and not around:
        return False
    if search.rules.mutual:
        for i in range(AROUND[cell]):
            other = BETWEEN[cell][i]
            if (cells >> other & 1 and fit[other] >> lying(other, cells) & 1
                    and not fit[other] >> lying(other, cells | 1 << cell) & 1):
                return False
    return True


cdef int arrange(const Search *search, const uint8_t *farm, uint8_t *order) noexcept nogil:
    """Find an order in which these rabbits can be placed: the number of cells, -1 if there is none."""
    cdef uint16_t fit[CELLS]
    cdef uint16_t stack[1 << CELLS]
    cdef uint8_t last[1 << CELLS]       # the cell placed last on the way to a set; CELLS: not met
    cdef int cell, cells, more, whole = 0, waiting = 1, placed
    for cell in range(CELLS):
        fit[cell] = fitting(search, farm, cell)
        if fit[cell] == 0:
            return -1
        whole |= (farm[cell] < search.n) << cell
    if search.rules.mutual:     # what held once holds to the end
        for cell in range(CELLS):
            if not fit[cell] >> lying(cell, whole) & 1:
                return -1
    memset(last, CELLS, sizeof(last))
    stack[0] = 0
    last[0] = 0
    while waiting:
        waiting -= 1
        cells = stack[waiting]
        if cells == whole:
            placed = bit_count(whole)
            for cell in range(placed - 1, -1, -1):
                order[cell] = last[cells]
                cells &= ~(1 << last[cells])
            return placed
        more = whole & ~cells
        while more:
            cell = bit_first(more)
            more &= more - 1
            if last[cells | 1 << cell] == CELLS and can_follow(search, fit, cells, cell):
                last[cells | 1 << cell] = cell
                stack[waiting] = cells | 1 << cell
                waiting += 1
    return -1

# --- layouts ----------------------------------------------------------------------------------------------------------

cdef inline bint is_twin(const Plan *plan, const Split *split) noexcept nogil:
    """Whether another split is the same but for which empty cell is which."""
    cdef uint16_t centre = (<uint16_t> 1) << split.centre, edges = plan.empty & split.edges
    cdef uint16_t corners = plan.empty & split.corners
    if plan.empty & centre:
        return (plan.empty & (centre - 1)) != 0
    return corners != 0 and edges > (corners & -corners)


cdef inline int split_bound(const Plan *plan, const Split *split) noexcept nogil:
    """What coupons count at most in a split: all edges at the centre, else two of the corners, two of the edges."""
    cdef int i, holder, many, bound = 0
    cdef uint16_t counted
    for i in range(plan.holders):
        holder = plan.holder[i]
        counted = plan.counted[holder]
        if holder == split.centre:
            many = bit_count(counted & split.edges)
        elif plan.worth[holder] < 0:
            many = 0
        elif split.edges >> holder & 1:
            many = (counted >> split.centre & 1) + min(2, bit_count(counted & split.corners))
            if plan.lines[holder]:
                many += min(1, bit_count(counted & split.edges))
        else:
            many = min(2, bit_count(counted & split.edges))
            if plan.lines[holder]:
                many += min(2, bit_count(counted & split.corners))
        bound += plan.worth[holder] * many
    return bound


cdef void lay_out(Search *search, const Split *split) noexcept nogil:
    """Try the layouts of a split that would be worth more than the best farm so far."""
    cdef const Plan *plan = &search.plan
    cdef const uint8_t *corner
    cdef int gain[RING][RING]       # what a corner's rabbit and the edges beside it bring each other, by rabbit and corner
    cdef uint8_t edge[RING]
    cdef uint8_t nine[CELLS]
    cdef uint8_t farm[CELLS]
    cdef uint8_t order[CELLS]
    cdef int opposite, i, k, way, base, worth, placed
    for opposite in range(1, RING):     # of the first edge: what turns and mirrors leave to choose
        edge[0] = split.edge[0]
        edge[1] = split.edge[1 + (opposite == 1)]
        edge[2] = split.edge[opposite]
        edge[3] = split.edge[3 - (opposite == 3)]
        base = plan.plain + plan.far[edge[0]][edge[2]] + plan.far[edge[1]][edge[3]]
        for k in range(RING):
            base += plan.near[split.centre][edge[k]]
            for i in range(RING):
                gain[i][k] = (plan.near[split.corner[i]][edge[k]] + plan.near[split.corner[i]][edge[(k + 3) % RING]])
        for way in range(WAYS):
            corner = WAY[way]
            worth = base + gain[corner[0]][0] + gain[corner[1]][1] + gain[corner[2]][2] + gain[corner[3]][3]
            if plan.any_lines:
                for k in range(RING):
                    worth += plan.far[split.corner[corner[k]]][split.corner[corner[(k + 1) % RING]]]
            if search.found and worth <= search.best:
                continue
            nine[CENTRE] = split.centre
            for k in range(RING):
                nine[EDGE[k]] = edge[k]
                nine[CORNER[k]] = split.corner[corner[k]]
            for k in range(CELLS):
                farm[k] = plan.rabbit[nine[k]]
            search.layouts += 1
            placed = arrange(search, farm, order)
            if placed >= 0:
                memcpy(search.farm, farm, sizeof(farm))
                memcpy(search.order, order, sizeof(order))
                search.placed = placed
                search.best = worth
                search.found = True


cdef bint go_on(Search *search) noexcept nogil:
    """Lay out the plan's next split that could be worth more than the best farm so far. False if there is none left."""
    cdef Plan *plan = &search.plan
    cdef const Split *split
    while plan.split < SPLITS and not (search.found and plan.bound <= search.best):
        split = &SPLIT[plan.split]
        plan.split += 1
        if search.found and plan.plain + split_bound(plan, split) <= search.best:
            continue
        if not is_twin(plan, split):
            search.splits += 1
            lay_out(search, split)
            return True
    return False

# --- sets -------------------------------------------------------------------------------------------------------------

cdef inline int tally(const Search *search, const int *logos) noexcept nogil:
    cdef int i, number = 0
    for i in range(NO_LOGO):
        number = number * (search.levels + 1) + min(logos[i], search.levels)
    return number


cdef inline int shops(const Search *search, const int *logos) noexcept nogil:
    """Points for logos."""
    cdef int i, points = 0
    for i in range(NO_LOGO):
        points += search.rules.logo_points[min(logos[i], search.levels)]
    return points


cdef inline int16_t *rest_of(const Search *search, int first, int many, bint centre) noexcept nogil:
    return search.rest + ((first * (CELLS + 1) + many) * 2 + centre) * search.tallies


cdef void prepare_rest(Search *search) noexcept nogil:
    """What up to so many of the rabbits from a first one on can still add, logos included, for each tally of logos."""
    cdef const Rabbit *rabbit
    cdef int first, many, number, after, step, worth
    cdef bint centre
    cdef int logos[NO_LOGO + 1]
    cdef int16_t *here
    for number in range(search.tallies):
        logos[2] = number % (search.levels + 1)
        logos[1] = number // (search.levels + 1) % (search.levels + 1)
        logos[0] = number // (search.levels + 1) // (search.levels + 1)
        for many in range(2 * (CELLS + 1)):
            (rest_of(search, search.n, 0, False) + many * search.tallies)[number] = shops(search, logos)
    for first in range(search.n - 1, -1, -1):
        rabbit = &search.rabbit[first]
        step = 0 if rabbit.logo == NO_LOGO else 1 if rabbit.logo == 2 else search.levels + 1
        if rabbit.logo == 0:
            step *= search.levels + 1
        for many in range(CELLS + 1):
            for centre in range(2):
                here = rest_of(search, first, many, centre)
                memcpy(here, rest_of(search, first + 1, many, centre), search.tallies * sizeof(int16_t))
                if many == 0:
                    continue
                for number in range(search.tallies):
                    after = number
                    if step and number // step % (search.levels + 1) < search.levels:
                        after += step
                    worth = rabbit.most + rest_of(search, first + 1, many - 1, centre)[after]
                    if centre:
                        worth = max(worth, rabbit.most + rabbit.more + rest_of(search, first + 1, many - 1, False)[after])
                    here[number] = max(here[number], worth)


cdef inline int most_with(const Search *search, int next, const int *logos, int most, int more, int many) noexcept nogil:
    """What a set is worth at most if up to so many rabbits from `next` on may be added."""
    cdef int number = tally(search, logos)
    return most + max(rest_of(search, next, many, True)[number], more + rest_of(search, next, many, False)[number])


cdef inline bint add(Search *search, int next) noexcept nogil:
    """Add a rabbit to the set, unless that can no longer lead to the target or costs too much."""
    cdef const Rabbit *rabbit = &search.rabbit[next]
    cdef int size = search.size, i
    cdef int most = search.most[size] + rabbit.most, more = max(search.more[size], rabbit.more)
    cdef int *logos = search.logos[size + 1]
    memcpy(logos, search.logos[size], sizeof(search.logos[size]))
    logos[rabbit.logo] += 1
    if not search.whole and most_with(search, next + 1, logos, most, more, CELLS - size - 1) < search.target:
        return False
    for i in range(4):
        search.spent[size + 1][i] = search.spent[size][i] + rabbit.cost[i]
        if search.bounded and search.spent[size + 1][i] > search.stock[i]:
            return False
    search.pick[size] = next
    search.chosen[size + 1] = search.chosen[size] | (<uint64_t> 1) << next
    search.points[size + 1] = search.points[size] + rabbit.points
    search.most[size + 1] = most
    search.more[size + 1] = more
    search.size = size + 1
    search.next = next + 1
    return True


cdef bint next_set(Search *search) noexcept nogil:
    """Go on to the next set whose rabbits could lead to the target, in the order of a dictionary. False at the end."""
    while True:
        if search.size < CELLS:
            while search.next < search.n:
                if add(search, search.next):
                    return True
                search.next += 1
        if search.size == 0:
            return False
        search.size -= 1
        search.next = search.pick[search.size] + 1


cdef int set_bound(const Search *search) noexcept nogil:
    """What the set is worth at most: coupons count its own rabbits, and only the centre has four neighbours."""
    cdef const Rabbit *rabbit
    cdef int i, counted, extra = 0
    cdef int bound = search.points[search.size] + shops(search, search.logos[search.size])
    for i in range(search.size):
        rabbit = &search.rabbit[search.pick[i]]
        if rabbit.worth > 0:
            counted = bit_count(rabbit.counted & search.chosen[search.size])
            if rabbit.lines:
                bound += rabbit.worth * min(4, counted)
            else:
                bound += rabbit.worth * min(3, counted)
                if counted > 3:
                    extra = max(extra, rabbit.worth)
    return bound + extra


cdef inline bint is_wanting(const Clause *clause, const uint8_t *count) noexcept nogil:
    """Whether rabbits with so many of each attribute are too few for a clause, wherever they lie."""
    cdef int attribute, lacking, all_lacking = 0
    for attribute in range(<int> WILD):
        lacking = clause.at_least[attribute] - count[attribute]
        if lacking > 0:
            if attribute < WHITE:
                return True
            all_lacking += lacking
    return all_lacking > count[<int> WILD]


cdef bint is_grounded(const Search *search) noexcept nogil:
    """Whether some order of placing satisfies what the conditions want at least, wherever the rabbits lie."""
    cdef const Card *card
    cdef uint64_t chosen = search.chosen[search.size], lying = chosen & search.alone, waiting, before
    cdef uint8_t count[WILD + 1]
    cdef int attribute, rabbit, i
    while lying != chosen:
        before = lying
        for attribute in range(WILD + 1):
            count[attribute] = bit_count(lying & search.having[attribute])
        waiting = chosen & ~lying
        while waiting:
            rabbit = bit_first(waiting)
            waiting &= waiting - 1
            card = card_of(search, rabbit)
            for i in range(card.clauses):
                if not is_wanting(&card.clause[i], count):
                    lying |= (<uint64_t> 1) << rabbit
                    break
        if lying == before:
            return False
    return True


cdef void make_plan(Search *search, int bound) noexcept nogil:
    """Make the set the one that is laid out."""
    cdef Plan *plan = &search.plan
    cdef const Rabbit *one
    cdef int i, k
    memset(plan, 0, sizeof(Plan))
    plan.bound = bound
    plan.plain = search.points[search.size] + shops(search, search.logos[search.size])
    for i in range(CELLS):
        plan.rabbit[i] = search.pick[i] if i < search.size else search.n
    plan.empty = 511 & ~((1 << search.size) - 1)
    for i in range(search.size):
        one = &search.rabbit[search.pick[i]]
        if one.worth == 0 or not one.counted & search.chosen[search.size]:
            continue
        plan.holder[plan.holders] = i
        plan.holders += 1
        plan.worth[i] = one.worth
        plan.lines[i] = one.lines
        plan.any_lines |= one.lines
        for k in range(search.size):
            if one.counted >> search.pick[k] & 1:
                plan.counted[i] |= 1 << k
                plan.near[i][k] += one.worth
                plan.near[k][i] += one.worth
                if one.lines:
                    plan.far[i][k] += one.worth
                    plan.far[k][i] += one.worth
    search.planned = True


cdef bint run(Search *search, uint64_t nodes) noexcept nogil:
    """Search on for about so many sets, splits and layouts. True when the best farm is found."""
    cdef uint64_t limit = search.sets + search.splits + search.layouts + nodes
    cdef int bound
    while search.sets + search.splits + search.layouts < limit:
        if search.planned:
            search.planned = go_on(search)
            if not search.planned and search.whole:
                return True
        elif search.found and search.target <= search.best:
            return True
        elif next_set(search):
            search.sets += 1
            if search.whole and search.size < search.n:
                continue
            bound = set_bound(search)
            if (search.whole or bound == search.target) and is_grounded(search):
                make_plan(search, bound)
        elif search.whole:
            return True
        else:
            search.target -= 1
            search.next = 0
    return False

cdef bint counts(const Ruleset *rules, int card, int other) noexcept nogil:
    """Whether the coupon of one card counts another where it lies beside it."""
    cdef const Card *counting = &rules.card[card]
    cdef int attributes = rules.card[other].attributes
    if card == other or counting.timing != AT_END or counting.counts == TOKENS:
        return False
    if attributes >> WILD & 1:
        return rules.wild_scores and counting.counted >= WHITE and counting.worth > 0
    return attributes >> counting.counted & 1

# --- Python -----------------------------------------------------------------------------------------------------------

cdef class FarmSolver:
    """The best farm of some rabbits, found step by step; costs and gains play no part but for `stock`.

    game: a core game of Coney, whose ruleset says what its cards are and which options hold. cards: ids, 1 to 63, each
    once. whole: all of them must lie in the farm (then at most nine), else the best of them. tokens: resources lying on
    each card. stock: so many carrots, pellets and hay must pay for all that lie there.

    Under the option `sliding` cells are those of the farm as it ends. Not for use by several threads at once.
    """
    cdef readonly Game game
    cdef readonly tuple cards
    cdef readonly bint done             # whether the best farm is found, or that there is none
    cdef Search search

    def __cinit__(self, Game game not None, cards, *, bint whole=False, tokens=None, stock=None):
        cdef Search *search = &self.search
        cdef int n
        self.game = game
        self.cards = tuple(cards)
        n = len(self.cards)
        search.rules = <const Ruleset *> game.ruleset
        if game.name != "coney":
            raise ValueError(f"not a game of coney but of {game.name}")
        if not 1 <= n <= (<int> CELLS if whole else <int> RABBITS):
            raise ValueError(f"1 to {<int> CELLS if whole else <int> RABBITS} cards, not {n}")
        if len(set(self.cards)) < n or not all(0 <= card < search.rules.cards for card in self.cards):
            raise ValueError(f"cards are different numbers below {search.rules.cards}")
        if tokens is not None and len(tokens) != n:
            raise ValueError(f"tokens of {n} cards, not {len(tokens)}")
        search.n = n
        search.whole = whole
        if stock is not None:
            search.bounded = True
            for i in range(3):
                search.stock[i] = stock[i]
            search.stock[3] = sum(stock)
        while search.levels < LEVELS - 1 and any(search.rules.logo_points[i] != search.rules.logo_points[search.levels]
                                                 for i in range(search.levels, <int> LEVELS)):
            search.levels += 1
        search.tallies = (search.levels + 1) ** NO_LOGO
        self.read(tokens or [0] * n)
        search.one = <uint64_t *> calloc(n + 1, sizeof(uint64_t))
        search.two = <uint64_t *> calloc((n + 1) * (n + 1), sizeof(uint64_t))
        search.three = <uint64_t *> calloc((n + 1) * (n + 1) * (n + 1), sizeof(uint64_t))
        search.rest = <int16_t *> calloc((n + 1) * (CELLS + 1) * 2 * search.tallies, sizeof(int16_t))
        if search.one == NULL or search.two == NULL or search.three == NULL or search.rest == NULL:
            raise MemoryError
        with nogil:
            prepare_conditions(search)
            prepare_rest(search)
        if not whole:
            search.found = True
            search.best = shops(search, search.logos[0])
            memset(search.farm, n, sizeof(search.farm))
        search.target = most_with(search, 0, search.logos[0], 0, 0, CELLS)

    def __dealloc__(self):
        free(self.search.one)
        free(self.search.two)
        free(self.search.three)
        free(self.search.rest)

    cdef int read(self, tokens) except -1:
        """The rabbits as the search wants them, by falling worth."""
        cdef Search *search = &self.search
        cdef Rabbit rabbit
        cdef const Card *card
        cdef int i, k, counted, total = 0
        for i in range(search.n):
            card = &search.rules.card[<int> self.cards[i]]
            memset(&rabbit, 0, sizeof(rabbit))
            rabbit.id = self.cards[i]
            rabbit.points = card.points
            rabbit.logo = NO_LOGO if card.logo == NONE else card.logo
            for k in range(3):
                rabbit.cost[k] = card.cost[k]
            rabbit.cost[3] = card.cost[0] + card.cost[1] + card.cost[2] + card.cost_any
            if card.timing == AT_END and card.counts == TOKENS:
                rabbit.points += card.worth * <int> tokens[i]
            elif card.timing == AT_END:
                rabbit.worth = card.worth
                rabbit.lines = card.counts == LINES
            rabbit.most = rabbit.points
            if rabbit.worth > 0:
                counted = sum([counts(search.rules, rabbit.id, other) for other in self.cards])
                rabbit.most += rabbit.worth * min(3 + rabbit.lines, counted)
                if counted > 3 and not rabbit.lines:
                    rabbit.more = rabbit.worth
            total += abs(rabbit.most) + rabbit.more
            k = i
            while k and search.rabbit[k - 1].most < rabbit.most:
                search.rabbit[k] = search.rabbit[k - 1]
                k -= 1
            search.rabbit[k] = rabbit
        if total > LARGEST:
            raise ValueError(f"these cards are worth more than {<int> LARGEST} points")
        for i in range(search.n):
            for k in range(WILD + 1):
                search.having[k] |= (<uint64_t> (card_of(search, i).attributes >> k & 1)) << i
            for k in range(search.n):
                if counts(search.rules, search.rabbit[i].id, search.rabbit[k].id):
                    search.rabbit[i].counted |= (<uint64_t> 1) << k
        return 0

    def advance(self, uint64_t nodes):
        """Search on for about so many nodes (1 or more), about a million a second. Returns whether all is done.

        Runs without the GIL and does not look up in between: ask for at most about 50 ms of work at a time.
        """
        if nodes < 1:
            raise ValueError("nodes must be at least 1")
        if not self.done:
            with nogil:
                self.done = run(&self.search, nodes)
        return self.done

    @property
    def nodes(self):
        """Sets of rabbits, splits and layouts looked at so far."""
        return self.search.sets + self.search.splits + self.search.layouts

    @property
    def lower(self):
        """Worth of the best farm so far, None without one."""
        return self.search.best if self.search.found else None

    @property
    def upper(self):
        """No farm is worth more; None if there is none."""
        if self.done:
            return self.lower
        return max(self.search.target, self.search.best) if self.search.found else self.search.target

    @property
    def farm(self):
        """The best farm so far: the card's id by cell, None where empty. None without one."""
        cdef const Search *search = &self.search
        if not search.found:
            return None
        return [search.rabbit[i].id if i < search.n else None for i in search.farm[:CELLS]]

    @property
    def order(self):
        """The cells of the best farm so far in an order in which its rabbits can be placed. None without one."""
        return list(self.search.order[:self.search.placed]) if self.search.found else None
