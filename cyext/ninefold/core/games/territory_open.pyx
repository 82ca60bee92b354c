"""Territory alone with the order of the deck known: the highest score, with proof.

What lies face up at the end is a set of animals, and how it came there hardly matters: each part of an ordered land is
ordered. So the search goes through the drafts, round by round, choosing the animals that will lie face up, under a bound
by terrain and stars; each set is then laid in every order, as in the static puzzle; and what reaches the score asked for
is played through the engine. One score after another is refuted from above, after a short look for a good one.

Face-down cards and skills: cards that are to lie face down may first be any; skills that open other drafts (draft twice,
redraw) or other lands (move, swap) are tried where they are taken, and their points allow it. Whether the game really
comes to such a land only the engine says, in `play_out`, which tries all that could lead there. So that there is a line at
any time, the first one comes from a few games played by guesses.
"""
from ast import literal_eval
from time import monotonic

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from ninefold.core.games.territory cimport (
    ALL_CELLS, AT_LEAST, AT_MOST, BESIDE, BONUS, BOSS, BOTH_OF, CARDS, CELLS, CHOOSE, COUNT, DIAGONALS, DRAFT, DRAFT_TWICE,
    EITHER_OF, GOALS, GROUP, LAND, LINES, MOVE_BOSS, MOVE_CARD, MOVE_CHOOSE, MOVE_GOAL, MOVE_NO_BONUS,
    MOVE_PLACE, MOVE_PLACE_DOWN, MOVE_PLAY, MOVE_RETURN, MOVE_TAKE, MOVE_TAKE_DECK, MOVE_USE, NONE, NOT_OF, OVER,
    PLACE, PLAY, PUSH_CARDS, PUSH_CELLS, PUSH_DOWN, PUSH_EMPTY, PUSH_TERRITORY, PUSH_UP, REDRAW_ROW, RETURN,
    RUN, SETS, SKILLS, STACK, STAR, STARS, SUM, SWAP_CARDS, WATER, Land, Ruleset, Side, Territory, holds)
from ninefold.core.rules cimport (
    MAX_LEGAL, MAX_PLAYERS, STATE_WORDS, Rng, Rules, State, bit_count, bit_first, bit_last, bytes_below, draw_softmax, rng_seed)

include "territory_land.pxi"
include "territory_room.pxi"

cdef enum:
    NOBODY = 254                # no boss of this kind
    FIXED = 253                 # the boss that had been made before
    CHOICES = 1 << 16           # sets seen lately
    MOST_CLASSES = 64
    MOST_SETS = 32              # sets of animals for which it is known how many of them can still be drafted
    MOST_LINE = 192
    PAIRS = 400
    GUIDES = 64                 # games by guesses, of which the best is the first line
    FIRST_LOOK = 4000           # nodes for each score while a better one is looked for
    SLICE = 20000
    PATIENCE = 1 << 15          # positions played out for one set before the search looks up
    ALL_SKILLS = (1 << SKILLS) - 1 << GOALS

cdef enum Came:                 # how a part of the search ended
    AT_END
    FOUND
    OUT_OF_WORK

cdef enum Action:               # what a round's draft consists of
    DO_REDRAW
    DO_TWICE
    DO_TAKE
    DO_TAKE_DECK
    DO_TAKE_ANY                 # a card of the row that is not to lie face up
    DO_NOTHING

ctypedef struct Node:           # before a decision: which cards of the hand will lie face up, then one for each draft
    uint64_t set                # animals chosen to lie face up
    int count
    int next                    # place of the row's first card in the order
    int land                    # of the set: animals that can be in each territory, in both, and the most stars
    int water
    int both
    int land_stars
    int water_stars
    int twice                   # how often skills may still be used
    int redraw
    int option                  # the next one to be tried
    uint32_t may                # bonus cards that can still bring points

ctypedef struct Seen:
    uint64_t set
    uint64_t tag

ctypedef struct Pair:           # of bosses: animals, NOBODY or FIXED
    int land
    int water
    int limit                   # what they can score at most

ctypedef struct Open:
    const Rules *rules_of
    const Ruleset *rules
    Territory root
    uint8_t order[CARDS + 16]   # animals of the row and the deck
    int known                   # of them
    int width                   # of the first row
    int rounds                  # to come
    uint64_t hand
    int hands                   # cards of the hand
    int keep                    # of which so many can be kept
    int sets                    # land, water, both, and sets that goals name
    uint64_t set[MOST_SETS]
    uint8_t set_of[SETS]        # a ruleset's set among these, NONE
    uint8_t later[MOST_SETS][11][CARDS + 24]    # most animals of a set that can still be drafted, by round and place
    uint64_t behind[CARDS + 24]     # the animals from a place on
    int stars[2][CARDS + 24]    # most stars of a land, a water animal from a place on
    int own_stars[2]            # of the bosses made before, else -1
    int own_need[2]             # cells that these need
    uint32_t left               # bonus cards that can be taken
    int slots                   # how many of them at most
    uint64_t up                 # animals lying face up before
    int ups
    int downs                   # cards lying face down before
    bint looks                  # whether a goal asks what lies face down or where nothing lies
    # what is asked
    int target
    int down                    # cards to be placed face down
    int of_class
    int classes
    uint32_t take[MOST_CLASSES]     # skills taken for what they do, a mask
    bint drafts                 # whether skills may change drafts
    bint moves                  # and whether they may change lands
    int twice
    int redraw
    int bonus                   # most points of bonus cards
    bint under_way
    int depth
    Node node[12]
    uint64_t tag
    bint short                  # a plan that was left out needs cards that nobody knows
    uint64_t nodes
    uint64_t end                # stop when nodes are so many
    Seen *seen
    # a set that is being laid
    uint64_t all_up
    uint32_t may                # bonus cards that may bring points
    int laid
    uint8_t card[CELLS]
    uint8_t cell[16]
    uint8_t cell_of[CARDS]
    Land land
    uint32_t down_cells
    Pair pair[PAIRS]
    int pairs
    # and played
    bint played
    uint32_t wanted             # bonus cards
    int boss[2]
    uint64_t effort             # positions played out for this set,
    uint64_t patience           # of at most so many
    bint gave_up                # that were not enough
    uint64_t *failed            # positions that do not lead there
    uint64_t failed_tag
    int length
    uint16_t line[MOST_LINE]

# --- bounds -----------------------------------------------------------------------------------------------------------

cdef inline uint64_t bit(int card) noexcept nogil:
    return (<uint64_t> 1) << card


cdef inline int points_of(const Open *o, uint32_t bonus) noexcept nogil:
    """Of these bonus cards, all goals met."""
    cdef int card, total = 0
    while bonus:
        card = bit_first(bonus)
        bonus &= bonus - 1
        if card >= GOALS:
            total += o.rules.skill[card - GOALS].points
        else:
            total += o.rules.side[card][o.root.sides >> card & 1].points
    return total


cdef uint32_t best_cards(const Open *o, uint32_t cards, int slots) noexcept nogil:
    """So many of these bonus cards as have most points, those of the class among them."""
    cdef uint32_t chosen = o.take[o.of_class] << GOALS, rest, one = 0
    cdef int best
    for _ in range(slots - bit_count(chosen)):
        best = -1
        rest = cards & ~chosen
        while rest:
            if points_of(o, rest & -rest) > best:
                one = rest & -rest
                best = points_of(o, one)
            rest &= rest - 1
        if best < 0:
            break
        chosen |= one
    return chosen


cdef inline int best_bonus(const Open *o, uint32_t cards, int slots) noexcept nogil:
    """The points of the best, and of those taken before that are among these cards."""
    return points_of(o, best_cards(o, cards & o.left, slots) | (cards & o.root.bonus[0]))


cdef inline int boss_points(const Open *o, int boss, int card, int size) noexcept nogil:
    """19, 27: of a boss with so large a territory; of a new one with the better side of the marker up."""
    cdef int demand
    if card == NOBODY:
        return 0
    demand = o.own_need[boss] if card == FIXED else o.rules.stars[card]
    if size < demand:
        return 0
    return demand + (card != FIXED and size > demand) + (size if o.rules.territory_points else 0)


cdef inline int limit_of(const Open *o, const Node *node, int round) noexcept nogil:
    """What can be scored from a node on, at most, with the best bonus cards; `round` is that of the next draft."""
    cdef int more = o.rounds - o.down - node.count, land, water, both, total
    cdef int ready = o.ups + o.rounds - o.down      # cells that will lie face up
    cdef int first = max(node.land_stars, o.stars[0][node.next] if more else -1)
    cdef int second = max(node.water_stars, o.stars[1][node.next] if more else -1)
    if o.own_stars[0] >= 0:
        first = o.own_stars[0]
    if o.own_stars[1] >= 0:
        second = o.own_stars[1]
    if o.drafts:
        land = water = both = more
    else:
        land = min(more, <int> o.later[0][round][node.next])
        water = min(more, <int> o.later[1][round][node.next])
        both = min(more, <int> o.later[2][round][node.next])
    land = min(node.land + land, ready)
    water = min(node.water + water, ready)
    both = min(node.both + both, ready)
    total = min(min(first + 1, land) + min(second + 1, water), ready + both)
    if o.rules.territory_points:
        total += min(land + water, ready + both)
    return total + o.bonus


cdef inline const Side *side_up(const Open *o, int goal) noexcept nogil:
    return &o.rules.side[goal][o.root.sides >> goal & 1]


cdef inline int run_of(const Ruleset *rules, uint64_t cards) noexcept nogil:
    cdef uint64_t[2] numbers = [0, 0]
    while cards:
        mark(numbers, rules.number[bit_first(cards)])
        cards &= cards - 1
    return longest_run(numbers)


cdef inline int best_of(const uint8_t *worth, uint64_t cards, int n, bint least) noexcept nogil:
    """Of n of these cards (all, if there are fewer) the most that they come to, or the least."""
    cdef int count[101]
    cdef int i, value, total = 0
    if n <= 0 or cards == 0:
        return 0
    memset(count, 0, sizeof(count))
    while cards:
        count[worth[bit_first(cards)]] += 1
        cards &= cards - 1
    for i in range(100):
        value = i if least else 99 - i
        total += value * min(n, count[value])
        n -= min(n, count[value])
        if n == 0:
            break
    return total


cdef bint may_hold(const Open *o, const Side *side, uint64_t up, uint64_t pool, int more, int round, int next) noexcept nogil:
    """Whether a goal can hold of a land of the animals `up` and so many more of a pool, wherever they lie.

    Of each value: the least and the most it can be (of a set of cells: their number), animals that are at most in it, and
    whether just these are. round, next: as of `later`; the pool is empty where there are none to come.
    """
    cdef int low[STACK]
    cdef int high[STACK]
    cdef uint64_t cards[STACK]
    cdef bint exact[STACK]
    cdef int top = -1, i, operation, argument, n
    cdef int down = o.down + o.downs
    if side.bosses:
        return True
    for i in range(side.length):
        operation = side.program[i].operation
        argument = side.program[i].argument
        if operation <= PUSH_TERRITORY:
            top += 1
            cards[top] = up | pool
            exact[top] = operation == PUSH_CARDS or operation == PUSH_UP
            n = bit_count(up) + more
            if operation == PUSH_CARDS:
                cards[top] &= o.rules.set[argument]
            elif operation == PUSH_CELLS:
                n = bit_count(argument)
            elif operation == PUSH_DOWN:
                n = down
                cards[top] = 0
            elif operation == PUSH_EMPTY:
                n = CELLS - down - n
                cards[top] = 0
            low[top] = high[top] = n
            if operation == PUSH_CARDS:
                low[top] = bit_count(cards[top] & up)
                high[top] = low[top] + min(more, bit_count(cards[top] & pool))
                if pool and not o.drafts and o.set_of[argument] != NONE:
                    high[top] = min(high[top], low[top] + o.later[o.set_of[argument]][round][next])
        elif operation == BOTH_OF or operation == EITHER_OF:
            top -= 1
            exact[top] = exact[top] and exact[top + 1]
            if operation == BOTH_OF:
                cards[top] &= cards[top + 1]
                high[top] = min(high[top], high[top + 1])
                low[top] = max(0, low[top] + low[top + 1] - CELLS)
            else:
                cards[top] |= cards[top + 1]
                high[top] = min(CELLS, high[top] + high[top + 1])
                low[top] = max(low[top], low[top + 1])
            if exact[top]:
                low[top] = max(low[top], bit_count(cards[top] & up))
                high[top] = min(high[top], bit_count(cards[top] & up) + min(more, bit_count(cards[top] & pool)))
        elif operation == NOT_OF:
            n = low[top]
            low[top] = CELLS - high[top]
            high[top] = CELLS - n
            cards[top] = up | pool
            exact[top] = False
        elif operation == BESIDE:
            low[top] = 0
            high[top] = CELLS
            cards[top] = up | pool
            exact[top] = False
        elif operation == LINES:
            low[top] = 6 if low[top] == CELLS else 0
            n = high[top]
            high[top] = 6 if n == 9 else 4 if n == 8 else 3 if n == 7 else 2 if n >= 5 else 1 if n >= 3 else 0
        elif operation == DIAGONALS:
            low[top] = 2 if low[top] == CELLS else 0
            high[top] = 2 if high[top] >= 5 else 1 if high[top] >= 3 else 0
        elif operation == GROUP:
            low[top] = CELLS if low[top] == CELLS else low[top] > 0
        elif operation == RUN:
            high[top] = min(high[top], run_of(o.rules, cards[top]))
            low[top] = run_of(o.rules, cards[top] & up) if exact[top] else 0
        elif operation == SUM:
            weigh(o.rules.number, cards[top], up, pool, more, exact[top], &low[top], &high[top])
        elif operation == STARS:
            weigh(o.rules.stars, cards[top], up, pool, more, exact[top], &low[top], &high[top])
        elif operation != COUNT:
            n = low[top]
            if operation == AT_LEAST:
                low[top] = low[top] >= argument
                high[top] = high[top] >= argument
            elif operation == AT_MOST:
                low[top] = high[top] <= argument
                high[top] = n <= argument
            else:
                low[top] = n == argument and high[top] == argument
                high[top] = n <= argument and argument <= high[top]
            exact[top] = False
    return high[0] > 0


cdef inline void weigh(const uint8_t *worth, uint64_t cards, uint64_t up, uint64_t pool, int more, bint exact,
                       int *low, int *high) noexcept nogil:
    """The least and the most that the animals of a set come to, of which so many may be in it."""
    cdef int sure = best_of(worth, cards & up, CELLS, False)
    high[0] = sure + best_of(worth, cards & pool, min(more, high[0]), False)
    low[0] = 0
    if exact:       # those to come are all in it where the whole pool is
        low[0] = sure + (best_of(worth, pool, more, True) if pool & ~cards == 0 else 0)


cdef uint32_t may_count(const Open *o, uint32_t cards, uint64_t up, uint64_t pool, int more, int round,
                        int next) noexcept nogil:
    """Of these bonus cards those that can bring points with such animals: skills, and goals that may hold."""
    cdef uint32_t goals = cards & ~ALL_SKILLS
    cdef int goal
    while goals:
        goal = bit_first(goals)
        goals &= goals - 1
        if not may_hold(o, side_up(o, goal), up, pool, more, round, next):
            cards &= ~((<uint32_t> 1) << goal)
    return cards

# --- a set of animals, laid -------------------------------------------------------------------------------------------

cdef int candidates(const Open *o, int boss, uint64_t new, int *out) noexcept nogil:
    cdef int n = 0
    if o.own_stars[boss] >= 0:
        out[0] = FIXED
        return 1
    while new:
        if o.rules.terrain[bit_first(new)] >> boss & 1:
            out[n] = bit_first(new)
            n += 1
        new &= new - 1
    out[n] = NOBODY
    return n + 1


cdef void find_pairs(Open *o, uint64_t new) noexcept nogil:
    """The pairs of bosses that could reach the target with the best bonus cards that this set allows."""
    cdef int first[CELLS + 1]
    cdef int second[CELLS + 1]
    cdef int n, m, i, j, limit, slots
    cdef uint64_t cards = o.all_up
    cdef int bonus[3]
    cdef int size[2]
    cdef int both = 0
    o.pairs = 0
    o.may = may_count(o, o.node[o.depth].may, o.all_up, 0, 0, 0, 0)
    for slots in range(3):
        bonus[slots] = -1 if slots < bit_count(o.take[o.of_class]) else best_bonus(o, o.may, slots)
    size[0] = size[1] = 0
    while cards:
        i = o.rules.terrain[bit_first(cards)]
        cards &= cards - 1
        size[0] += i & 1
        size[1] += i >> 1
        both += i == LAND | WATER
    n = candidates(o, 0, new, first)
    m = candidates(o, 1, new, second)
    for i in range(n):
        for j in range(m):
            if first[i] == second[j] and first[i] < CARDS:
                continue
            slots = (first[i] < CARDS) + (second[j] < CARDS)
            if bonus[slots] < 0:
                continue
            limit = boss_points(o, 0, first[i], size[0]) + boss_points(o, 1, second[j], size[1])
            if not o.rules.territory_points:
                limit = min(limit, bit_count(o.all_up) + both)
            if limit + bonus[slots] >= o.target:
                o.pair[o.pairs].land = first[i]
                o.pair[o.pairs].water = second[j]
                o.pair[o.pairs].limit = bonus[slots]
                o.pairs += 1


cdef int size_of(const Open *o, int boss) noexcept nogil:
    if o.land.boss[boss] == 0:
        return 0
    return bit_count(JOINED[o.land.on[boss] & ~o.land.boss[1 - boss]][bit_first(o.land.boss[boss])])


cdef uint32_t cell_for(const Open *o, int boss, int card) noexcept nogil:
    cdef int lying
    if card == NOBODY:
        return 0
    if card < CARDS:
        return (<uint32_t> 1) << o.cell_of[card]
    lying = o.root.boss[0][boss] & ~STAR        # with moves the boss goes with its card
    return (<uint32_t> 1) << o.cell_of[o.root.cell[0][lying]]


cdef uint32_t met(const Open *o, bint bosses) noexcept nogil:
    """The goals that hold of the land, of those that ask for bosses or of the others."""
    cdef uint32_t found = 0
    cdef int goal
    for goal in range(o.rules.goals):
        if o.may >> goal & 1 and side_up(o, goal).bosses == bosses and holds(o.rules, side_up(o, goal), &o.land):
            found |= (<uint32_t> 1) << goal
    return found


cdef bint try_land(Open *o) noexcept nogil:
    """A land on which all lies: whether it reaches the target, and is reached."""
    cdef const Pair *pair
    cdef int i, slots, points
    cdef uint32_t plain = 0, cards
    for i in range(o.pairs):
        if o.gave_up:
            return False
        pair = &o.pair[i]
        o.land.boss[0] = cell_for(o, 0, pair.land)
        o.land.boss[1] = cell_for(o, 1, pair.water)
        points = boss_points(o, 0, pair.land, size_of(o, 0)) + boss_points(o, 1, pair.water, size_of(o, 1))
        if points + pair.limit < o.target:
            continue
        if plain == 0:
            plain = ALL_SKILLS | met(o, False)
        cards = plain | met(o, True)
        slots = (pair.land < CARDS) + (pair.water < CARDS)
        if points + best_bonus(o, cards, slots) < o.target:
            continue
        o.played = True
        o.wanted = best_cards(o, cards & o.left, slots)
        o.boss[0] = pair.land
        o.boss[1] = pair.water
        o.length = 0
        o.failed_tag += 1
        if play_out(o, &o.root, 0):
            return True
    return False


cdef bint try_downs(Open *o, uint32_t cells, int n) noexcept nogil:
    """The cells of the cards face down, where goals look at them."""
    cdef uint32_t one
    cdef bint found
    if n == 0:
        o.land.taken = o.land.up | o.down_cells
        return try_land(o)
    while bit_count(cells) >= n:
        one = cells & -cells
        cells &= cells - 1
        o.down_cells |= one
        found = try_downs(o, cells, n - 1)
        o.down_cells &= ~one
        if found:
            return True
    return False


cdef bint lay_from(Open *o, int rank) noexcept nogil:
    """All ways to lay the animals from a rank on, those before it lying."""
    cdef uint32_t cells, one
    cdef uint32_t before[2]
    cdef int cell, card, downs
    if rank == o.laid:
        downs = o.down + (o.downs if o.moves else 0)
        cells = ALL_CELLS & ~o.land.up & ~o.down_cells
        if o.looks or downs == bit_count(cells):
            return try_downs(o, cells, downs)
        o.land.taken = ALL_CELLS        # no goal looks at it
        return try_land(o)
    card = o.card[rank]
    cells = room(o.rules, o.cell, card, o.land.up) & ~o.land.up & ~o.down_cells
    before[0] = o.land.on[0]
    before[1] = o.land.on[1]
    while cells:
        one = cells & -cells
        cells &= cells - 1
        cell = bit_first(one)
        o.cell[cell] = card
        o.cell_of[card] = cell
        o.land.up |= one
        o.land.on[0] |= one & -(<uint32_t> o.rules.terrain[card] & 1)
        o.land.on[1] |= one & -(<uint32_t> o.rules.terrain[card] >> 1)
        if lay_from(o, rank + 1):
            return True
        o.cell[cell] = NONE
        o.land.up &= ~one
        o.land.on[0] = before[0]
        o.land.on[1] = before[1]
    return False


cdef bint try_set(Open *o, uint64_t new) noexcept nogil:
    """Whether these animals, face up, reach the target."""
    cdef uint64_t cards = new
    cdef int i
    o.all_up = new | o.up
    o.played = o.gave_up = False
    o.effort = 0
    find_pairs(o, new)
    if o.pairs == 0:
        return False
    memset(o.cell, NONE, sizeof(o.cell))
    o.land.cell = o.cell
    o.land.up = o.land.on[0] = o.land.on[1] = 0
    o.down_cells = 0
    if o.moves:
        cards = o.all_up
    else:
        memcpy(o.cell, o.root.cell[0], CELLS)
        o.land.up = o.root.up[0]
        o.land.on[0] = o.root.land[0]
        o.land.on[1] = o.root.water[0]
        o.down_cells = o.root.taken[0] & ~o.root.up[0]
        for i in range(CELLS):
            if o.cell[i] != NONE:
                o.cell_of[o.cell[i]] = i
    o.laid = 0
    while cards:
        o.card[o.laid] = bit_first(cards)
        cards &= cards - 1
        o.laid += 1
    return lay_from(o, 0)

# --- played through the engine ----------------------------------------------------------------------------------------

cdef int option_of(const Open *o, int round) noexcept nogil:
    return o.node[round].option - 1


cdef int width_of(const Open *o, int round) noexcept nogil:
    return o.width if round == 1 else o.rules.width


cdef int action(const Open *o, int round, int step, int *card) noexcept nogil:
    """The step-th thing of a round's draft, as the walk chose it."""
    cdef int option = option_of(o, round), width = width_of(o, round), redraws = 0, one, other = width + 3, next
    one = option
    if o.drafts:
        redraws = option // ((width + 3) * (width + 4))
        one = option // (width + 4) % (width + 3)
        other = option % (width + 4)
    if step < redraws:
        return DO_REDRAW
    step -= redraws
    if other < width + 3:
        if step == 0:
            return DO_TWICE
        step -= 1
    if step == 1:
        one = other
    if step > (other < width + 3):
        return DO_NOTHING
    next = o.node[round].next + redraws * width
    if one < width:
        card[0] = o.order[next + one]
        return DO_TAKE
    return DO_TAKE_ANY if one == width + 1 else DO_TAKE_DECK


cdef inline bint failed_before(Open *o, uint64_t key) noexcept nogil:
    """Whether a position has been tried in this attempt; it is noted."""
    cdef uint64_t mixed = key ^ o.failed_tag * <uint64_t> 0x9E3779B97F4A7C15
    cdef uint64_t *place = &o.failed[mixed & CHOICES - 1]
    if place[0] == mixed:
        return True
    place[0] = mixed
    return False


cdef inline int bonus_of(int move) noexcept nogil:
    return move - MOVE_GOAL     # goals, then skills


cdef bint play_move(Open *o, const Territory *s, int move, int step) noexcept nogil:
    cdef Territory after
    cdef bint found
    memcpy(&after, s, sizeof(Territory))
    o.rules_of.apply(o.rules, &after, 0, move)
    o.line[o.length] = move
    o.length += 1
    found = play_out(o, &after, step)
    if not found:
        o.length -= 1
    return found


cdef bint play_out(Open *o, const Territory *s, int step) noexcept nogil:
    """Whether some moves lead from here to the land that was found, or with skills that move cards to one as good.

    Drafts are those of the walk. step: how much of this round's draft is done.
    """
    cdef uint16_t moves[MAX_LEGAL]
    cdef int32_t points[1]
    cdef int32_t tiebreak[1]
    cdef int n, i, move, card = NONE, what, pass_of, round = s.round - (o.rules.rounds - o.rounds)
    cdef uint64_t new = o.all_up & ~o.up
    cdef bint up
    o.effort += 1
    if o.effort > o.patience:
        o.gave_up = True
        return False
    if s.phase == OVER:
        o.rules_of.score(o.rules, s, points, tiebreak)
        return points[0] >= o.target
    if not s.waiting:       # an unknown card is needed
        return False
    if (o.moves or o.down or o.drafts) and s.phase == PLAY and failed_before(o, o.rules_of.key(o.rules, s)):
        return False
    n = o.rules_of.legal(o.rules, s, 0, moves)
    if s.phase == RETURN:
        for i in range(n):
            if not new >> (moves[i] - MOVE_RETURN) & 1 and play_move(o, s, moves[i], 0):
                return True
        return False
    if s.phase == PLAY:         # bosses first, as they bring skills; then the others
        for pass_of in range(3):
            for i in range(n):
                card = moves[i] - MOVE_PLAY
                what = 0 if card == o.boss[0] or card == o.boss[1] else 1 if new >> card & 1 else 2
                if what != pass_of or (what == 2 and o.down == 0 and round < o.rounds):
                    continue
                if play_move(o, s, moves[i], 0):
                    return True
                if not (o.moves or o.down or o.drafts):
                    return False
        return False
    if s.phase == DRAFT:
        what = action(o, round, step, &card)
        for i in range(n):
            move = moves[i]
            if move >= MOVE_USE:
                if what == DO_REDRAW and o.rules.skill[move - MOVE_USE].effect == REDRAW_ROW:
                    up = play_move(o, s, move, step + 1)
                elif what == DO_TWICE and o.rules.skill[move - MOVE_USE].effect == DRAFT_TWICE:
                    up = play_move(o, s, move, step + 1)
                elif o.moves and (o.rules.skill[move - MOVE_USE].effect == MOVE_CARD
                                  or o.rules.skill[move - MOVE_USE].effect == SWAP_CARDS):
                    up = play_move(o, s, move, step)
                else:
                    continue
            elif move == MOVE_TAKE_DECK:
                up = what == DO_TAKE_DECK and play_move(o, s, move, step + 1)
            elif what == DO_TAKE:
                up = move - MOVE_TAKE == card and play_move(o, s, move, step + 1)
            else:
                up = what == DO_TAKE_ANY and not new >> (move - MOVE_TAKE) & 1 and play_move(o, s, move, step + 1)
            if up:
                return True
        return False
    if s.phase == PLACE:
        up = new >> s.played[0] & 1
        for i in range(n):
            move = moves[i]
            if move < MOVE_PLACE_DOWN:
                if not up or (not o.moves and move - MOVE_PLACE != o.cell_of[s.played[0]]):
                    continue
            elif up or (not o.moves and o.land.up >> (move - MOVE_PLACE_DOWN) & 1):
                continue
            elif not o.moves and o.looks and not o.land.taken >> (move - MOVE_PLACE_DOWN) & 1:
                continue
            if play_move(o, s, move, step):
                return True
        return False
    if s.phase == BOSS:
        move = MOVE_BOSS
        card = s.cell[0][s.spot[0]]
        if card == o.boss[0] or card == o.boss[1]:
            what = 0 if card == o.boss[0] else 1
            if o.moves:
                move = -1
                for i in range(2):
                    if play_move(o, s, MOVE_BOSS + 1 + 2 * what + i, step):
                        return True
                return False
            o.land.boss[0] = cell_for(o, 0, o.boss[0])
            o.land.boss[1] = cell_for(o, 1, o.boss[1])
            move += 1 + 2 * what + (size_of(o, what) > o.rules.stars[card])
        return play_move(o, s, move, step)
    if s.phase == BONUS:
        for i in range(n):
            if moves[i] != MOVE_NO_BONUS and o.wanted >> bonus_of(moves[i]) & 1 and play_move(o, s, moves[i], step):
                return True
        if (o.wanted & ~s.bonus[0]) == 0:
            return play_move(o, s, moves[0], step)      # any card: none of those left is wanted
        return False
    for i in range(n):          # CHOOSE, PART
        if s.phase == CHOOSE:
            card = moves[i] - MOVE_CHOOSE
            if not new >> card & 1 and o.down == 0:
                continue
        if play_move(o, s, moves[i], step):
            return True
    return False

# --- the walk through the drafts --------------------------------------------------------------------------------------

cdef void add(const Open *o, Node *node, int card) noexcept nogil:
    """An animal that will lie face up."""
    cdef int terrain = o.rules.terrain[card]
    node.set |= bit(card)
    node.count += 1
    node.land += terrain & LAND
    node.water += terrain >> 1
    node.both += terrain == LAND | WATER
    if terrain & LAND:
        node.land_stars = max(node.land_stars, o.rules.stars[card])
    if terrain & WATER:
        node.water_stars = max(node.water_stars, o.rules.stars[card])


cdef bint choose_hand(const Open *o, const Node *node, Node *child, int option) noexcept nogil:
    """Which cards of the hand will lie face up: false where that cannot be."""
    cdef uint64_t rest = o.hand, above = o.hand
    cdef int i = 0
    child[0] = node[0]
    while rest:
        if not option >> i & 1:
            add(o, child, bit_first(rest))
        rest &= rest - 1
        i += 1
    if o.root.phase == RETURN:
        if o.root.returned[0]:
            above &= ~<uint64_t> 1 << bit_last(o.root.returned[0])
        return bit_count(above & ~child.set) >= o.hands - o.keep
    return o.root.phase != DRAFT or o.down or child.set >> o.root.played[0] & 1


cdef bint take_one(Open *o, Node *child, int one, int width, int *drawn, int *from_row) noexcept nogil:
    """One card of a draft; `next` of the child is the row's first place. False where it is not there."""
    if one < width or one == width + 1:
        from_row[0] += 1
        if one < width:
            add(o, child, o.order[child.next + one])
        return from_row[0] <= width
    if child.next + width + drawn[0] >= o.known:
        o.short = True
        return False
    if one == width:
        add(o, child, o.order[child.next + width + drawn[0]])
    drawn[0] += 1
    return True


cdef inline int rank_of(int one, int width) noexcept nogil:
    """Of two things taken in a turn, those of the row come first."""
    return one if one < width else width if one == width + 1 else width + 1


cdef bint choose_draft(Open *o, const Node *node, Node *child, int round, int option) noexcept nogil:
    """A round's draft: false where that cannot be."""
    cdef int width = width_of(o, round), redraws = 0, one = option, other = width + 3, drawn = 0, from_row = 0
    child[0] = node[0]
    if o.drafts:
        redraws = option // ((width + 3) * (width + 4))
        one = option // (width + 4) % (width + 3)
        other = option % (width + 4)
        if redraws > child.redraw or (other < width + 3 and child.twice == 0):
            return False
        if (redraws or other < width + 3) and round == 1 and o.root.bonus[0] >> GOALS == 0:
            return False
        if other < width + 3 and (rank_of(other, width) < rank_of(one, width) or (other == one and one < width)):
            return False
        child.redraw -= redraws
        child.next += redraws * width
        if child.next + width > o.known:
            o.short = True
            return False
    if not take_one(o, child, one, width, &drawn, &from_row):
        return False
    if other < width + 3:
        child.twice -= 1
        if not take_one(o, child, other, width, &drawn, &from_row):
            return False
    child.next += width + drawn
    if round < o.rounds:
        if child.next + o.rules.width > o.known:
            o.short = True
            return False
        return True
    return child.count - node.count <= 1


cdef int options_of(const Open *o, int depth) noexcept nogil:
    cdef int width = width_of(o, depth)
    if depth == 0:
        return 1 << o.hands
    if o.drafts:
        return (o.node[depth].redraw + 1) * (width + 3) * (width + 4)
    return width + 3 - (depth == o.rounds)


cdef inline bint seen_before(Open *o, uint64_t cards, int depth, int next, bint note) noexcept nogil:
    cdef uint64_t tag = o.tag << 16 | depth << 8 | next
    cdef Seen *place = &o.seen[(cards * <uint64_t> 0x9E3779B97F4A7C15 ^ tag * <uint64_t> 0xC2B2AE3D27D4EB4F) >> 48]
    if place.set == cards and place.tag == tag:
        return True
    if note:
        place.set = cards
        place.tag = tag
    return False


cdef int bonus_of_node(const Open *o, Node *node, int more, int round) noexcept nogil:
    """The most points of bonus cards: goals count that the animals chosen and those to come may meet."""
    cdef uint64_t pool = o.behind[node.next] if more else 0
    node.may = may_count(o, node.may, o.up | node.set, pool, more, round, node.next)
    return best_bonus(o, node.may, o.slots)


cdef int walk(Open *o) noexcept nogil:
    """Go on through the drafts of one target, class and number of face-down cards."""
    cdef Node *node
    cdef Node *child
    cdef int depth, option, more, limit
    while o.nodes < o.end:
        depth = o.depth
        node = &o.node[depth]
        if node.option >= options_of(o, depth):
            if depth == 0:
                return AT_END
            o.depth -= 1
            continue
        option = node.option
        node.option += 1
        child = &o.node[depth + 1]
        if not (choose_hand(o, node, child, option) if depth == 0 else choose_draft(o, node, child, depth, option)):
            continue
        o.nodes += 1
        more = o.rounds - o.down - child.count
        if more < 0 or more > o.rounds - depth + (child.twice if o.drafts else 0):
            continue
        if depth < o.rounds and child.count < min(depth + 1, o.rounds - 1) - o.down:
            continue
        limit = limit_of(o, child, depth + 1)
        if limit < o.target:
            continue
        if depth < o.rounds and limit - o.bonus + bonus_of_node(o, child, more, depth + 1) < o.target:
            continue
        if depth == o.rounds:
            if more or seen_before(o, child.set, 15, 0, False):
                continue
            if try_set(o, child.set):
                return FOUND
            if o.gave_up:           # the whole set again, when there has been time to look up
                node.option = option
                o.patience *= 2
                return OUT_OF_WORK
            o.patience = PATIENCE
            if not o.played:
                seen_before(o, child.set, 15, 0, True)
            continue
        if not (o.drafts or o.moves or o.down) and seen_before(o, child.set, depth + 1, child.next, True):
            continue
        child.option = 0
        o.depth += 1
    return OUT_OF_WORK

# --- a position -------------------------------------------------------------------------------------------------------

cdef int can_begin(const Territory *s, int rounds) noexcept nogil:
    """Whether the walk can begin here: else the engine goes on to where it can."""
    return (s.phase == RETURN or s.phase == PLAY or s.phase == OVER
            or (s.phase == DRAFT and s.round < rounds and s.takes == 1 and s.used == 0 and s.row))


cdef int uses_left(const Open *o, int skill) noexcept nogil:
    if o.rules.skill[skill].uses == 0:
        return CELLS
    return o.rules.skill[skill].uses - o.root.spent[skill]


cdef void find_sets(Open *o) noexcept nogil:
    """The sets of animals that bounds ask for."""
    cdef const Side *side
    cdef int card, goal, i, set
    o.sets = 3
    o.set[0] = o.set[1] = 0
    for card in range(CARDS):
        if o.rules.all >> card & 1:
            o.set[0] |= <uint64_t> (o.rules.terrain[card] & 1) << card
            o.set[1] |= <uint64_t> (o.rules.terrain[card] >> 1) << card
    o.set[2] = o.set[0] & o.set[1]
    memset(o.set_of, NONE, sizeof(o.set_of))
    for goal in range(o.rules.goals):
        side = side_up(o, goal)
        for i in range(side.length):
            if side.program[i].operation == PUSH_CARDS and o.sets < MOST_SETS:
                set = side.program[i].argument
                if o.set_of[set] == NONE:
                    o.set_of[set] = o.sets
                    o.set[o.sets] = o.rules.set[set]
                    o.sets += 1


cdef void begin_position(Open *o) noexcept nogil:
    """What is known of the root."""
    cdef const Territory *s = &o.root
    cdef uint64_t cards = s.row
    cdef uint32_t skills = 0, some, rest
    cdef int i, kind, round, next, card, boss, width, from_row, from_deck
    o.known = 0
    while cards:
        o.order[o.known] = bit_first(cards)
        o.known += 1
        cards &= cards - 1
    o.width = o.known if o.known or s.phase != RETURN else o.rules.width
    for i in range(s.ordered):
        o.order[o.known] = s.order[s.ordered - 1 - i]
        o.known += 1
    o.rounds = o.rules.rounds - s.round + (s.phase != RETURN)
    o.hand = s.hand[0]
    if s.phase == DRAFT:
        o.hand |= bit(s.played[0])
    o.hands = bit_count(o.hand)
    o.keep = o.rules.keep if s.phase == RETURN else o.hands
    memset(o.behind, 0, sizeof(o.behind))
    next = o.known
    while next:
        next -= 1
        o.behind[next] = o.behind[next + 1] | bit(o.order[next])
    find_sets(o)
    memset(o.later, 0, sizeof(o.later))
    for kind in range(o.sets):
        round = o.rounds
        while round:
            width = width_of(o, round)
            for next in range(o.known):
                cards = o.behind[next] & o.set[kind]
                from_row = o.later[kind][round + 1][next + width] + ((cards & ~o.behind[next + width]) != 0)
                cards &= o.behind[next + width] & ~o.behind[next + width + 1]
                from_deck = o.later[kind][round + 1][next + width + 1] + (cards != 0)
                o.later[kind][round][next] = max(from_row, from_deck)
            round -= 1
    for boss in range(2):
        o.stars[boss][o.known] = -1
        for i in range(o.known + 1, CARDS + 24):
            o.stars[boss][i] = -1
        next = o.known
        while next:
            next -= 1
            card = o.order[next]
            o.stars[boss][next] = max(
                o.stars[boss][next + 1], o.rules.stars[card] if o.rules.terrain[card] >> boss & 1 else -1)
        o.own_stars[boss] = o.own_need[boss] = -1
        if s.boss[0][boss] != NONE:
            card = s.cell[0][s.boss[0][boss] & ~STAR]
            o.own_stars[boss] = o.rules.stars[card]
            o.own_need[boss] = o.rules.stars[card] + (s.boss[0][boss] & STAR != 0)
    o.left = (((<uint32_t> 1) << o.rules.goals) - 1 | (((<uint32_t> 1) << o.rules.skills) - 1) << GOALS) & ~s.bonus[0]
    o.slots = (s.boss[0][0] == NONE) + (s.boss[0][1] == NONE)
    o.up = 0
    o.ups = bit_count(s.up[0])
    o.downs = bit_count(s.taken[0] & ~s.up[0])
    for i in range(CELLS):
        if s.up[0] >> i & 1:
            o.up |= bit(s.cell[0][i])
    o.looks = False
    for i in range(o.rules.goals):
        for kind in range(o.rules.side[i][s.sides >> i & 1].length):
            card = o.rules.side[i][s.sides >> i & 1].program[kind].operation
            o.looks |= card == PUSH_DOWN or card == PUSH_EMPTY
    # sets of skills that may be taken for what they do
    for i in range(o.rules.skills):
        card = o.rules.skill[i].effect
        if card == MOVE_CARD or card == SWAP_CARDS or card == DRAFT_TWICE or card == REDRAW_ROW:
            skills |= (<uint32_t> 1) << i
    skills &= o.left >> GOALS
    o.classes = 1
    o.take[0] = 0
    for i in range(SKILLS):
        if skills >> i & 1 and o.slots > 0:
            o.take[o.classes] = (<uint32_t> 1) << i
            o.classes += 1
            some = skills & (((<uint32_t> 1) << i) - 1)
            rest = some if o.slots > 1 else 0
            while rest:
                o.take[o.classes] = (<uint32_t> 1) << i | (rest & -rest)
                o.classes += 1
                rest &= rest - 1


cdef bint begin_walk(Open *o) noexcept nogil:
    """Set up one class; false where it holds nothing that another does not."""
    cdef uint32_t skills = o.take[o.of_class] | o.root.bonus[0] >> GOALS, rest
    cdef Node *node = &o.node[0]
    cdef bint moves = False
    cdef int effect, i
    o.drafts = o.moves = False
    o.twice = o.redraw = 0
    rest = skills
    while rest:
        i = bit_first(rest)
        rest &= rest - 1
        if uses_left(o, i) <= 0:
            continue
        effect = o.rules.skill[i].effect
        if effect == DRAFT_TWICE:
            o.twice += uses_left(o, i)
        elif effect == REDRAW_ROW:
            o.redraw += uses_left(o, i)
        elif effect == MOVE_CARD or effect == SWAP_CARDS:
            o.moves = True
            moves |= o.take[o.of_class] >> i & 1
    o.drafts = o.twice or o.redraw
    if o.root.taken[0] == 0 and (o.down == 0 or o.rules.face_down_free):
        o.moves = False
        if moves:       # a move does nothing that could not have been done at once
            return False
    if bit_count(o.take[o.of_class]) and o.rounds < 2:
        return False
    o.bonus = best_bonus(o, ~<uint32_t> 0, o.slots)
    memset(node, 0, sizeof(Node))
    node.may = o.left | o.root.bonus[0]
    node.land = bit_count(o.root.land[0])
    node.water = bit_count(o.root.water[0])
    node.both = bit_count(o.root.land[0] & o.root.water[0])
    node.land_stars = node.water_stars = -1
    node.twice = o.twice
    node.redraw = min(o.redraw, 3 * CELLS)
    o.depth = 0
    o.tag += 1
    return True


cdef int first_limit(Open *o) noexcept nogil:
    """What a class can score at most."""
    cdef Node child
    cdef int option, best = -1
    for option in range(1 << o.hands):
        if choose_hand(o, &o.node[0], &child, option):
            best = max(best, limit_of(o, &child, 1))
    return best


CHECKPOINT = "ninefold territory open 1"


cdef class OpenSolver:
    """The highest score of a solo position whose deck is known in order, with proof.

    Call `run` until it returns True, or stop any time: the score lies between `lower` and `upper`, and `line` plays
    a plan that scores `lower`. With a goal the question is only whether a plan reaches it.
    """
    cdef Open o
    cdef readonly State state
    cdef readonly object goal
    cdef readonly object lower
    cdef readonly int upper
    cdef readonly bint done
    cdef list roots             # positions that the walk can begin in, and the moves to them
    cdef list best_line
    cdef bint looking           # for a good line, a little for each score
    cdef int root
    cdef bint whole             # whether all of the target has been looked at
    cdef uint64_t began         # nodes when the target was begun

    def __dealloc__(self):
        free(self.o.seen)
        free(self.o.failed)

    def __cinit__(self, State state not None, *, size_t memory=1 << 26, goal=None):
        cdef Open *o = &self.o
        cdef const Territory *s = <const Territory *> state.data
        cdef int i
        if (<bytes> state.core.table.rules.name) != b"territory" or s.players != 1:
            raise ValueError("only solo positions of territory have an open puzzle")
        self.state = state.copy()
        self.goal = goal
        o.rules_of = self.state.core.table.rules
        o.rules = <const Ruleset *> self.state.core.table.ruleset
        o.seen = <Seen *> calloc(CHOICES, sizeof(Seen))
        o.failed = <uint64_t *> calloc(CHOICES, sizeof(uint64_t))
        if o.seen == NULL or o.failed == NULL:
            raise MemoryError
        o.patience = PATIENCE
        self.roots = []
        self.root = -1
        self.find_roots()
        self.upper = 0
        self.best_line = []
        for i in range(len(self.roots)):
            self.upper = max(self.upper, self.limit_of_root(i))
        self.looking = goal is None
        if goal is None:
            self.guide()
            self.done = self.lower is not None and self.lower >= self.upper
        else:
            self.done = self.upper < goal
        o.target = self.upper if goal is None else goal
        self.whole = True

    cdef int find_roots(self) except -1:
        """The engine goes on to where a walk can begin."""
        cdef State state
        cdef const Territory *s
        waiting = [(self.state.copy(), [])]
        known = set()
        while waiting:
            state, moves = waiting.pop()
            s = <const Territory *> state.data
            if can_begin(s, self.o.rules.rounds):
                self.roots.append((state, moves))
                continue
            if s.waiting == 0:
                raise ValueError("the order of the deck is too short to be solved" if moves else
                                 "the solver of open puzzles begins where a player decides")
            for move in state.legal(0):
                after = state.copy()
                after.apply(0, move)
                if after.key() not in known:
                    known.add(after.key())
                    waiting.append((after, [*moves, int(move)]))
            if len(known) > 100000:
                raise ValueError("too much is open in this round: the solver of open puzzles begins where a card is played")
        return 0

    cdef int guide(self) except -1:
        """The best of some games by guesses, from nearly the best of them to freely; none where the order is too short."""
        cdef const Rules *rules = self.o.rules_of
        cdef uint64_t after[STATE_WORDS]
        cdef uint16_t moves[MAX_LEGAL]
        cdef float guess[MAX_LEGAL]
        cdef int32_t points[MAX_PLAYERS]
        cdef int32_t tiebreak[MAX_PLAYERS]
        cdef uint16_t line[MOST_LINE]
        cdef Rng rng
        cdef int i, n, length
        rng_seed(&rng, 0, 0)
        for i in range(GUIDES):
            memcpy(after, self.state.data, rules.state_size)
            length = 0
            while rules.actors(after) and length < MOST_LINE:
                n = rules.legal(self.o.rules, after, 0, moves)
                rules.prior(self.o.rules, after, 0, moves, n, guess)
                line[length] = moves[draw_softmax(guess, n, 0.002 + 0.6 * i / GUIDES, &rng)]
                rules.apply(self.o.rules, after, 0, line[length])
                length += 1
            if (<Territory *> after).phase != OVER:
                continue
            rules.score(self.o.rules, after, points, tiebreak)
            if self.lower is None or points[0] > self.lower:
                self.lower = points[0]
                self.best_line = [line[n] for n in range(length)]
        return 0

    cdef int begin_root(self, int i) except -1:
        cdef State state = self.roots[i][0]
        if i != self.root:
            memcpy(&self.o.root, state.data, sizeof(Territory))
            begin_position(&self.o)
        if self.o.root.phase != OVER and self.o.known < self.o.width:
            raise ValueError("the order of the deck is too short to be solved")
        self.root = i
        self.o.of_class = self.o.down = 0
        return 0

    cdef int limit_of_root(self, int i) except -1:
        cdef Open *o = &self.o
        cdef int best = -1
        self.begin_root(i)
        if o.root.phase == OVER:
            return self.roots[i][0].score()[0][0]
        for o.of_class in range(o.classes):
            for o.down in range(o.rounds + 1):
                if begin_walk(o):
                    best = max(best, first_limit(o))
        return best

    cdef bint next_walk(self) except -1:
        """The next class and number of face-down cards, or position; false after the last."""
        cdef Open *o = &self.o
        if o.root.phase != OVER:
            o.of_class += 1
            if o.of_class < o.classes:
                return True
            o.of_class = 0
            o.down += 1
            if o.down <= o.rounds:
                return True
        if self.root + 1 == len(self.roots):
            return False
        self.begin_root(self.root + 1)
        return True

    cdef int found(self) except -1:
        """The line that has just been played reaches the target."""
        cdef State state = self.state.copy()
        line = [*self.roots[self.root][1], *[self.o.line[i] for i in range(self.o.length)]]
        for move in line:
            state.apply(0, move)
        self.lower = state.score()[0][0]
        self.best_line = line
        return 0

    def advance(self, uint64_t work):
        """Do so much work. True when done. The same calls give the same results everywhere."""
        cdef Open *o = &self.o
        cdef uint64_t end = o.nodes + work
        cdef int came
        while not self.done and o.nodes < end:
            if not o.under_way:
                o.short = False
                self.whole = True
                self.began = o.nodes
                self.begin_root(0)
                while o.root.phase != OVER and not begin_walk(o):
                    self.next_walk()
                o.under_way = True
            came = AT_END
            if o.root.phase == OVER:
                o.length = 0
                if self.roots[self.root][0].score()[0][0] >= o.target:
                    came = FOUND
            else:
                o.end = min(end, self.began + FIRST_LOOK) if self.looking else end
                with nogil:
                    came = walk(o)
            if came == FOUND:
                self.found()
                self.looking = o.under_way = False
                self.done = self.goal is not None or self.lower >= self.upper
                o.target = self.upper
            elif came == OUT_OF_WORK and not (self.looking and (o.gave_up or o.nodes >= self.began + FIRST_LOOK)):
                return False
            elif came == OUT_OF_WORK:       # no more time for this target
                self.whole = False
                self.end_target()
            else:
                while True:
                    if not self.next_walk():
                        self.end_target()
                        break
                    if o.root.phase == OVER or begin_walk(o):
                        break
        return self.done

    cdef int end_target(self) except -1:
        """No line of the target's score has been found."""
        cdef Open *o = &self.o
        o.under_way = False
        if o.short and not self.looking:
            raise ValueError("the order of the deck is too short to be solved")
        if self.whole and not o.short and o.target == self.upper or self.goal is not None:
            self.upper = o.target - 1
        if self.upper < 0 and self.goal is None:
            raise RuntimeError("no line was found: this is a mistake of the solver")
        if self.goal is not None:
            self.done = True
        elif self.looking:
            o.target -= 1
            if o.target <= (-1 if self.lower is None else self.lower):
                self.looking = False
                o.target = self.upper
        else:
            o.target = self.upper
            self.done = self.lower is not None and self.lower >= self.upper
        return 0

    def run(self, int milliseconds=50):
        """Work for about so long, without Python's lock in between. True when done."""
        cdef double end = monotonic() + 0.001 * milliseconds
        while not self.done and monotonic() < end:
            self.advance(SLICE)
        return self.done

    @property
    def nodes(self):
        """Drafts looked at."""
        return self.o.nodes

    @property
    def memory(self):
        """Bytes in use."""
        return sizeof(Open) + CHOICES * (sizeof(Seen) + sizeof(uint64_t)) + len(self.roots) * sizeof(Territory)

    def line(self):
        """Moves from the position to the end that score `lower`; [] before there is such a plan."""
        return list(self.best_line)

    def first_moves(self):
        """For each legal move of the position: its id, and a solver that asks whether it still leads to `lower`."""
        if not self.done or self.lower is None:
            raise ValueError("first moves can be counted when the solver is done")
        found = []
        for move in self.state.legal(0):
            after = self.state.copy()
            after.apply(0, move)
            found.append((int(move), OpenSolver(after, goal=self.lower)))
        return found

    # --- a checkpoint: the bounds, the best line, and where the walk stands -------------------------------------------

    def save(self):
        """What another solver of the same position needs to go on."""
        cdef Open *o = &self.o
        return repr((
            CHECKPOINT, self.state.key(), self.goal, self.lower, self.upper, self.done, self.best_line, self.looking,
            self.root, self.whole, self.began, o.target, o.of_class, o.down, o.under_way, o.short, o.nodes,
            [o.node[i].option for i in range(o.depth + 1)] if o.under_way else [])).encode()

    def load(self, bytes checkpoint not None):
        """Go on from a checkpoint of `save`. Raises ValueError if it is not one of this position."""
        cdef Open *o = &self.o
        cdef int i
        try:
            (name, key, goal, lower, upper, done, line, looking, root, whole, began, target, of_class, down, under_way,
             short, nodes, options) = literal_eval(checkpoint.decode())
        except (ValueError, SyntaxError, TypeError) as error:
            raise ValueError("this is no checkpoint of an open puzzle") from error
        if name != CHECKPOINT:
            raise ValueError("this is no checkpoint of an open puzzle by this version")
        if key != self.state.key() or goal != self.goal:
            raise ValueError("the checkpoint is of another puzzle")
        self.lower, self.upper, self.done, self.best_line, self.looking = lower, upper, done, line, looking
        self.whole, self.began = whole, began
        o.target, o.nodes, o.short, o.under_way = target, nodes, short, under_way
        if not under_way:
            return
        self.begin_root(root)
        o.of_class, o.down = of_class, down
        if o.root.phase == OVER:
            return
        begin_walk(o)
        for i, option in enumerate(options):
            if i and not (choose_hand(o, &o.node[0], &o.node[1], options[0] - 1) if i == 1
                          else choose_draft(o, &o.node[i - 1], &o.node[i], i - 1, options[i - 1] - 1)):
                raise ValueError("this is no checkpoint of an open puzzle by this version")
            if i:
                bonus_of_node(o, &o.node[i], o.rounds - o.down - o.node[i].count, i)
            o.node[i].option = option
        o.depth = len(options) - 1
