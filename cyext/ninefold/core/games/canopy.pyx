"""Canopy, the rules (docs/games/canopy.md).

Two players take face-down piles into their forests, through three seasons. Each pile card is known to those who have looked
at it; what nobody has seen is drawn when somebody looks, so decks and unseen pile cards are counts. Whose question it is
stands in `turn`; what needs no answer happens at once.
"""
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy, memmove, memset

from ninefold.core.observe cimport plane, plane_bits, plane_number, plane_one, set_bits, set_one
from ninefold.core.rules cimport (
    HIDDEN, MAX_LEGAL, MAX_SOURCES, OPEN, PERFECT, Game, Hash, Outcome, Rng, Rules, State, Urn, bit_count, bit_first, bit_last,
    bytes_below, bytes_set, approx_exp, counts_select, counts_total, hash_bytes, hash_fold, hash_start, rng_below, rng_next,
    urn_take)

# --- move ids ---------------------------------------------------------------------------------------------------------

cdef enum:
    # what a drought or the ant may discard
    THING_TRUNK = KINDS                             # + 3 * slot + value; below it a kind
    THING_TREE = THING_TRUNK + 3 * TREES            # + number of a completed tree
    THINGS = THING_TREE + TREES
    # moves
    MOVE_LOOK = 0
    MOVE_FROG = MOVE_LOOK + 1
    MOVE_TOUCAN = MOVE_FROG + 1                     # + pile
    MOVE_KEEP = MOVE_TOUCAN + PILES
    MOVE_PASS = MOVE_KEEP + 1
    MOVE_BOA = MOVE_PASS + 1                        # + kind
    MOVE_LEAVE = MOVE_BOA + KINDS
    MOVE_ENTER = MOVE_LEAVE + 1                     # + kind
    MOVE_NEW_TREE = MOVE_ENTER + KINDS
    MOVE_TREE = MOVE_NEW_TREE + 1                   # + slot
    MOVE_SLOTH = MOVE_TREE + TREES
    MOVE_END = MOVE_SLOTH + 1
    MOVE_KEEP_SEED = MOVE_END + 1                   # + kind
    MOVE_STOP = MOVE_KEEP_SEED + KINDS
    MOVE_UNDER = MOVE_STOP + 1                      # + kind
    MOVE_LOSE = MOVE_UNDER + KINDS                  # + kind
    MOVE_DISCARD = MOVE_LOSE + KINDS                # + thing
    MOVE_ANT = MOVE_DISCARD + THINGS                # + thing
    MOVES_IN_ALL = MOVE_ANT + THINGS
    # outcomes
    OUTCOME_SEED = KINDS                            # + kind; below it a kind of the main deck
    OUTCOME_SEASON = OUTCOME_SEED + KINDS           # + season card
    OUTCOMES_IN_ALL = OUTCOME_SEASON + SHIFTS
    # kinds as masks
    PLANTS = 1 << PHILODENDRON | 1 << BROMELIA | 1 << FERN
    PARTS = (1 << PHILODENDRON) - 1                 # of trees
    WILDLIFE = (1 << 2 * ANIMALS) - 1 << EMERALD_BOA
    UNSEEN = 4 * UNKNOWN                            # the byte of a card that nobody has looked at
    DRAWS = 1000                                    # of cards that leave the player a choice, before giving up
    SCALARS = 72                                    # bytes of a state from `scored` on

# --- cards ------------------------------------------------------------------------------------------------------------

cdef inline const Numbers *numbers(const Ruleset *rules, const Canopy *s) noexcept nogil:
    """The numbers that hold: a season card may change them."""
    return &rules.numbers[s.shift]


cdef inline int insert(uint8_t *cards, int n, int card) noexcept nogil:
    """Put a card among n ascending ones. Returns n + 1."""
    cdef int i = n
    while i and cards[i - 1] > card:
        cards[i] = cards[i - 1]
        i -= 1
    cards[i] = card
    return n + 1


cdef inline int take_out(uint8_t *cards, int n, int kind) noexcept nogil:
    """Take a card of a kind out of n ascending ones that have it: of equal ones, the one that most have seen."""
    cdef int i = n - 1, card
    while cards[i] >> 2 > kind:
        i -= 1
    card = cards[i]
    while i < n - 1:
        cards[i] = cards[i + 1]
        i += 1
    cards[n - 1] = 0
    return card


cdef inline bint has(const Canopy *s, int player, int animal) noexcept nogil:
    """Whether a player has an active animal that was not used this season."""
    return s.forest[player][EMERALD_BOA + animal] and not s.used[player] >> animal & 1


cdef inline bint ant_works(const Canopy *s) noexcept nogil:
    return has(s, s.turn, LEAFCUTTER_ANT - EMERALD_BOA)


cdef inline uint32_t kinds_in(const Canopy *s, int player) noexcept nogil:
    """The kinds of a player's forest, a mask."""
    return bytes_set(s.forest[player] + PHILODENDRON) << PHILODENDRON


cdef inline int next_pile(const Canopy *s, int pile) noexcept nogil:
    """The first pile that is there from this one on; PILES if there is none."""
    while pile < PILES and s.size[pile] == 0:
        pile += 1
    return pile


cdef inline bint can_pass(const Canopy *s) noexcept nogil:
    """The last pile only with a card to add and one to draw."""
    return s.deck > 1 or next_pile(s, s.at + 1) < PILES


cdef inline void feed(Canopy *s, int pile) noexcept nogil:
    """Put the deck's next card, unseen, on a pile."""
    if s.deck:
        s.deck -= 1
        s.size[pile] = insert(s.pile[pile], s.size[pile], UNSEEN)


cdef inline void lose(Canopy *s, int player, int kind) noexcept nogil:
    """Take a card of a kind away from a player."""
    s.forest[player][kind] -= 1
    if EMERALD_BOA <= kind < MATING:
        s.used[player] &= ~(1 << (kind - EMERALD_BOA))

# --- trees ------------------------------------------------------------------------------------------------------------

cdef inline uint32_t trunk(int value) noexcept nogil:
    return (<uint32_t> 1) << 4 * value


cdef inline int height(uint32_t tree) noexcept nogil:
    return (tree & 15) + (tree >> 4 & 15) + (tree >> 8 & 15)


cdef inline int worth_of(uint32_t tree) noexcept nogil:
    """Points of a completed tree: its trunks' values, and the canopy's for each of them."""
    return (tree >> 4 & 15) + 2 * (tree >> 8 & 15) + (tree >> 12 & 3) * height(tree)


cdef inline void plant(Canopy *s, int player, int value) noexcept nogil:
    """A trunk becomes a new tree."""
    cdef int i = s.open[player] + s.done[player]
    cdef uint16_t *tree = s.tree[player]
    cdef uint32_t new = trunk(value)
    while i > s.open[player]:
        tree[i] = tree[i - 1]
        i -= 1
    while i and tree[i - 1] > new:
        tree[i] = tree[i - 1]
        i -= 1
    tree[i] = new
    s.open[player] += 1


cdef inline void grow(Canopy *s, int player, int slot, int value) noexcept nogil:
    """A trunk goes on an open tree."""
    cdef uint16_t *tree = s.tree[player]
    cdef uint32_t grown = tree[slot] + trunk(value)
    while slot + 1 < s.open[player] and tree[slot + 1] < grown:
        tree[slot] = tree[slot + 1]
        slot += 1
    tree[slot] = grown


cdef inline void fell(Canopy *s, int player, int i) noexcept nogil:
    """A tree is gone."""
    cdef int n = s.open[player] + s.done[player]
    if i < s.open[player]:
        s.open[player] -= 1
    else:
        s.done[player] -= 1
    while i + 1 < n:
        s.tree[player][i] = s.tree[player][i + 1]
        i += 1
    s.tree[player][n - 1] = 0


cdef inline void complete(Canopy *s, int player, int slot, int value) noexcept nogil:
    """A canopy completes an open tree, which becomes the last of the completed ones."""
    cdef uint32_t tree = s.tree[player][slot] | value << 12 | NEW_TREE << 14
    fell(s, player, slot)
    s.tree[player][s.open[player] + s.done[player]] = tree
    s.done[player] += 1


cdef inline void cut(Canopy *s, int player, int slot, int value) noexcept nogil:
    """An open tree loses a trunk; without any it is gone."""
    cdef uint16_t *tree = s.tree[player]
    cdef uint32_t rest = tree[slot] - trunk(value)
    if rest == 0:
        fell(s, player, slot)
        return
    while slot and tree[slot - 1] > rest:
        tree[slot] = tree[slot - 1]
        slot -= 1
    tree[slot] = rest


cdef inline bint trees_alike(const Canopy *s, int player) noexcept nogil:
    """Whether it makes no difference which of the open trees it is; there is one."""
    return s.tree[player][0] == s.tree[player][s.open[player] - 1]

# --- what may be discarded --------------------------------------------------------------------------------------------

cdef int list_things(const Ruleset *rules, const Canopy *s, int base, uint16_t *out) noexcept nogil:
    """What a drought or the ant may discard, each of equal things once."""
    cdef uint32_t kinds = kinds_in(s, s.turn), tree
    cdef int n = 0, i, j, value, trees = s.open[s.turn] + s.done[s.turn]
    while kinds:
        out[n] = base + bit_first(kinds)
        kinds &= kinds - 1
        n += 1
    for i in range(s.open[s.turn]):
        tree = s.tree[s.turn][i]
        if i and tree == s.tree[s.turn][i - 1]:
            continue
        for value in range(3):
            if tree >> 4 * value & 15:
                out[n] = base + THING_TRUNK + 3 * i + value
                n += 1
    if rules.exposed:
        for i in range(s.open[s.turn], trees):
            tree = s.tree[s.turn][i]
            if tree >> 14 == NEW_TREE:
                j = s.open[s.turn]
                while s.tree[s.turn][j] != tree:
                    j += 1
                if j == i:
                    out[n] = base + THING_TREE + i - s.open[s.turn]
                    n += 1
    return n


cdef inline void discard(Canopy *s, int thing) noexcept nogil:
    if thing < THING_TRUNK:
        lose(s, s.turn, thing)
    elif thing < THING_TREE:
        cut(s, s.turn, (thing - THING_TRUNK) // 3, (thing - THING_TRUNK) % 3)
    else:
        fell(s, s.turn, s.open[s.turn] + thing - THING_TREE)

# --- start ------------------------------------------------------------------------------------------------------------

cdef void start(const void *ruleset, void *state) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Canopy *s = <Canopy *> state
    memset(s, 0, sizeof(Canopy))
    memcpy(s.pool, rules.copies, sizeof(s.pool))
    memcpy(s.seeds, rules.seeds, sizeof(s.seeds))
    s.top = counts_total(s.seeds)
    s.seasons = rules.seasons
    s.card = NONE
    begin_season(rules, s)


cdef void begin_season(const Ruleset *rules, Canopy *s) noexcept nogil:
    """The season card comes before the deal."""
    s.turn = s.first
    s.shift = 0
    if rules.shifts:
        wait(s, SHIFT)
    else:
        deal(rules, s)


cdef void deal(const Ruleset *rules, Canopy *s) noexcept nogil:
    cdef int pile
    s.deck = rules.deck
    for pile in range(PILES):
        s.size[pile] = numbers(rules, s).piles[pile]
        s.deck -= s.size[pile]
        memset(s.pile[pile], UNSEEN, s.size[pile])
    begin_turn(rules, s)

# --- the course of a turn ---------------------------------------------------------------------------------------------

cdef inline void ask(Canopy *s, int phase) noexcept nogil:
    s.phase = phase
    s.waiting = 1 << s.turn


cdef inline void wait(Canopy *s, int phase) noexcept nogil:
    s.phase = phase
    s.waiting = 0


cdef inline bint toucan_sees(const Canopy *s, int pile) noexcept nogil:
    """Whether a pile has a card that the player has not seen."""
    cdef int i
    for i in range(s.size[pile]):
        if not s.pile[pile][i] >> s.turn & 1:
            return True
    return False


cdef inline bint toucan_works(const Canopy *s) noexcept nogil:
    return has(s, s.turn, TOUCAN - EMERALD_BOA) and (toucan_sees(s, 0) or toucan_sees(s, 1) or toucan_sees(s, 2))


cdef inline bint frog_works(const Canopy *s) noexcept nogil:
    return s.deck and has(s, s.turn, POISON_FROG - EMERALD_BOA)


cdef void begin_turn(const Ruleset *rules, Canopy *s) noexcept nogil:
    """Frog and toucan come before looking. The season ends when all piles are gone."""
    cdef int pile = next_pile(s, 0)
    s.task = NO_TASK
    s.at = 0
    if pile == PILES:
        end_season(rules, s)
    elif frog_works(s) or toucan_works(s):
        ask(s, START)
    else:
        look(s, pile, REVEAL)


cdef inline void look(Canopy *s, int pile, int phase) noexcept nogil:
    """The player sees all cards of a pile; chance says what nobody has seen."""
    cdef uint8_t *cards = s.pile[pile]
    cdef int i, known = s.size[pile]
    s.at = pile
    while known and cards[known - 1] >= UNSEEN:
        known -= 1
    for i in range(known):          # of equal cards the masks may come out of order
        insert(cards, i, cards[i] | 1 << s.turn)
    go_on_looking(s, phase)


cdef inline void go_on_looking(Canopy *s, int phase) noexcept nogil:
    if s.pile[s.at][s.size[s.at] - 1] >= UNSEEN:
        wait(s, phase)
    elif phase == REVEAL:
        ask(s, CHOOSE)
    else:
        s.at = 0
        s.waiting = 1 << s.turn


cdef inline void end_turn(const Ruleset *rules, Canopy *s) noexcept nogil:
    s.turn ^= 1
    begin_turn(rules, s)


cdef inline void ask_end(const Ruleset *rules, Canopy *s) noexcept nogil:
    s.task = NO_TASK
    s.at = 0
    if ant_works(s):
        ask(s, END)
    else:
        end_turn(rules, s)


cdef inline void ask_rest(const Ruleset *rules, Canopy *s) noexcept nogil:
    s.task = NO_TASK
    if s.deck and has(s, s.turn, SLOTH - EMERALD_BOA):
        ask(s, REST)
    else:
        ask_end(rules, s)


cdef inline void draw(Canopy *s, int task) noexcept nogil:
    """The deck's next card goes into the forest."""
    s.task = task
    s.at = 0
    wait(s, DRAW)


cdef inline void leave(Canopy *s) noexcept nogil:
    """The pile passed is fed; then the next one, or a card drawn."""
    cdef int pile = next_pile(s, s.at + 1)
    s.task = NO_TASK
    feed(s, s.at)
    if pile < PILES:
        look(s, pile, REVEAL)
    else:
        draw(s, PASSED)


cdef void enter_all(const Ruleset *rules, Canopy *s) noexcept nogil:
    """Cards on their way enter, until the player must say which is next or what becomes of one; then the task goes on."""
    cdef int kind
    while s.held:
        if s.hand[s.held - 1] >= UNSEEN:
            wait(s, UNCOVER)
            return
        kind = s.hand[0] >> 2
        if kind != s.hand[s.held - 1] >> 2:
            ask(s, ENTER)
            return
        if not enter(rules, s, kind):
            return
    if s.task == KEPT:
        feed(s, s.at)
        ask_end(rules, s)
    elif s.task == TAKEN:
        leave(s)
    elif s.task == PASSED:
        ask_rest(rules, s)
    elif s.task == RESTED:
        ask_end(rules, s)
    else:
        next_seeds(rules, s)


cdef inline bint enter(const Ruleset *rules, Canopy *s, int kind) noexcept nogil:
    """A card on hand enters the forest. Returns whether that is done: else the player must say something."""
    take_out(s.hand, s.held, kind)
    s.held -= 1
    return settle_card(rules, s, kind)


cdef bint settle_card(const Ruleset *rules, Canopy *s, int kind) noexcept nogil:
    """What becomes of a card that enters, if that is clear."""
    cdef uint16_t things[2 * THINGS]
    cdef int n
    if kind >= PHILODENDRON and kind != DROUGHT:
        s.forest[s.turn][kind] += 1
        return True
    if kind == DROUGHT:
        n = list_things(rules, s, 0, things)
        if n > 1:
            s.card = kind
            ask(s, DISCARD)
            return False
        if n:
            discard(s, things[0])
    elif kind < TREETOP:
        if s.open[s.turn]:
            s.card = kind
            ask(s, GROW)
            return False
        plant(s, s.turn, kind - TRUNK)
    elif s.open[s.turn]:
        if not trees_alike(s, s.turn):
            s.card = kind
            ask(s, GROW)
            return False
        complete(s, s.turn, 0, kind - TREETOP)
    return True

# --- the end of a season ----------------------------------------------------------------------------------------------

cdef void end_season(const Ruleset *rules, Canopy *s) noexcept nogil:
    s.turn = s.first
    draw_seeds(rules, s)


cdef void next_seeds(const Ruleset *rules, Canopy *s) noexcept nogil:
    """The second player comes when the first is through."""
    s.task = NO_TASK
    if s.turn == s.first:
        s.turn ^= 1
        draw_seeds(rules, s)
    else:
        s.turn = s.first
        suffer(rules, s, LOSE_PLANTS)


cdef void draw_seeds(const Ruleset *rules, Canopy *s) noexcept nogil:
    """1: who has seed cards draws."""
    cdef const uint8_t *forest = s.forest[s.turn]
    cdef const Numbers *number = numbers(rules, s)
    if forest[SEED]:
        s.more = min(number.seed_draw + number.seed_per_fire * forest[FIRE], s.top + s.buried)
        go_on_drawing(rules, s)
    else:
        next_seeds(rules, s)


cdef void go_on_drawing(const Ruleset *rules, Canopy *s) noexcept nogil:
    """Above what lies under the seed deck in a known order, chance says what is drawn."""
    cdef int card, may
    while s.more:
        if s.top or s.under[0] >= UNSEEN:
            wait(s, SEED_DRAW)
            return
        card = s.under[0]
        unbury(s)
        s.draws = insert(s.drawn, s.draws, card | 1 << s.turn)
        s.more -= 1
    may = numbers(rules, s).seed_keep * s.forest[s.turn][SEED]
    if s.forest[s.turn][KINKAJOU]:
        may += numbers(rules, s).kinkajou
    s.more = min(may, <int> s.draws)
    ask_keep(rules, s)


cdef inline void unbury(Canopy *s) noexcept nogil:
    s.buried -= 1
    memmove(s.under, s.under + 1, s.buried)
    s.under[s.buried] = 0


cdef inline void ask_keep(const Ruleset *rules, Canopy *s) noexcept nogil:
    if s.more and s.draws and s.drawn[s.draws - 1] >> 2 >= s.least:
        ask(s, KEEP)
    else:
        bury(rules, s)


cdef void bury(const Ruleset *rules, Canopy *s) noexcept nogil:
    """What is not kept goes under the seed deck, in an order that the player chooses where it ever counts."""
    s.more = s.least = 0
    while s.draws:
        if rules.bury and s.drawn[0] >> 2 != s.drawn[s.draws - 1] >> 2:
            ask(s, BURY)
            return
        put_under(s, s.drawn[0] >> 2)
    s.forest[s.turn][SEED] = 0
    s.task = SOWN
    enter_all(rules, s)


cdef inline void put_under(Canopy *s, int kind) noexcept nogil:
    s.under[s.buried] = take_out(s.drawn, s.draws, kind)
    s.buried += 1
    s.draws -= 1


cdef inline int losses(const Ruleset *rules, const Canopy *s, int player, int threat) noexcept nogil:
    """2: how many plants, threat 0, or animals, threat 1, a player loses; the threats themselves stay until the end."""
    cdef const Numbers *number = numbers(rules, s)
    cdef int kind = DISEASE if threat else FIRE, own = s.forest[player][kind], n = 0
    if own >= number.spread[threat]:
        n = number.spread_losses[threat]
    elif own >= number.two[threat]:
        n = number.losses[threat]
    if s.forest[1 - player][kind] >= number.spread[threat]:
        n += number.spread_losses[threat]
    return n


cdef int count_of(const Canopy *s, int player, uint32_t kinds) noexcept nogil:
    """Cards of these kinds that a player has."""
    cdef int n = 0
    kinds &= kinds_in(s, player)
    while kinds:
        n += s.forest[player][bit_first(kinds)]
        kinds &= kinds - 1
    return n


cdef void suffer(const Ruleset *rules, Canopy *s, int phase) noexcept nogil:
    """2: what a player has to lose to fire, then to disease."""
    cdef int n = losses(rules, s, s.turn, phase == LOSE_ANIMALS)
    s.phase = phase
    s.least = 0
    s.more = min(n, count_of(s, s.turn, PLANTS if phase == LOSE_PLANTS else WILDLIFE)) if n else 0
    go_on_losing(rules, s)


cdef inline uint32_t losable(const Canopy *s) noexcept nogil:
    """The kinds that can be named next: in ascending order, with enough cards left."""
    cdef uint32_t kinds = kinds_in(s, s.turn) & (PLANTS if s.phase == LOSE_PLANTS else WILDLIFE)
    cdef uint32_t left, found = 0
    cdef int n = 0
    kinds = left = kinds >> s.least << s.least
    while left and n < s.more:
        found = (<uint32_t> 1) << bit_last(left)
        n += s.forest[s.turn][bit_last(left)]
        left ^= found
    return kinds & (2 * found - 1)


cdef void go_on_losing(const Ruleset *rules, Canopy *s) noexcept nogil:
    cdef uint32_t kinds
    while s.more:
        kinds = losable(s)
        if kinds & (kinds - 1):
            s.waiting = 1 << s.turn
            return
        lose_next(s, bit_first(kinds))
    s.waiting = s.least = 0
    if s.turn == s.first:
        s.turn ^= 1
        suffer(rules, s, s.phase)
    else:
        s.turn = s.first
        if s.phase == LOSE_PLANTS:
            suffer(rules, s, LOSE_ANIMALS)
        else:
            harvest(rules, s)


cdef inline void lose_next(Canopy *s, int kind) noexcept nogil:
    lose(s, s.turn, kind)
    s.more -= 1
    s.least = kind


cdef int tallest(const Canopy *s, int player) noexcept nogil:
    """The tallest completed tree that has not won, the first of equals; -1 if there is none."""
    cdef int i, best = -1, top = 0
    for i in range(s.open[player], s.open[player] + s.done[player]):
        if s.tree[player][i] >> 14 != SPENT_TREE and height(s.tree[player][i]) > top:
            best = i
            top = height(s.tree[player][i])
    return best


cdef inline void earn(Canopy *s, int player, int source, int points) noexcept nogil:
    s.points[player] += points
    s.scored[player][source] += points


cdef inline void score_garden(const Numbers *number, Canopy *s, int player) noexcept nogil:
    """4: points of plants and weather."""
    cdef const uint8_t *forest = s.forest[player]
    cdef int n = forest[FERN]
    earn(s, player, FROM_PHILODENDRONS, forest[PHILODENDRON] // number.philodendron_set * number.philodendron_points)
    if forest[BROMELIA]:
        earn(s, player, FROM_BROMELIAS, number.bromelia[min(<int> forest[BROMELIA], 3) - 1])
    earn(s, player, FROM_FERNS, n * (number.fern_odd if n & 1 else number.fern_even))
    earn(s, player, FROM_WEATHER, number.weather_pair * min(forest[RAIN], forest[SUN]))


cdef inline int wildlife(const Numbers *number, uint32_t kinds) noexcept nogil:
    """Points of a player's animals: a mate counts more with its partner."""
    cdef uint32_t active = kinds >> EMERALD_BOA & (1 << ANIMALS) - 1, mates = kinds >> MATING & (1 << ANIMALS) - 1
    return (number.active * bit_count(active) + number.mating * bit_count(mates & ~active)
            + number.mating_pair * bit_count(mates & active))


cdef void harvest(const Ruleset *rules, Canopy *s) noexcept nogil:
    """3 to 5: trees and the award for the tallest, plants and weather; then all but trees and wildlife goes."""
    cdef const Numbers *number = numbers(rules, s)
    cdef int player, i, tree
    cdef int best[SEATS]
    cdef int top[SEATS]
    for player in range(SEATS):
        for i in range(s.open[player], s.open[player] + s.done[player]):
            if s.tree[player][i] >> 14 == NEW_TREE:
                earn(s, player, FROM_TREES, worth_of(s.tree[player][i]))
        best[player] = tallest(s, player)
        top[player] = height(s.tree[player][best[player]]) if best[player] >= 0 else 0
        score_garden(number, s, player)
        memset(s.forest[player], 0, EMERALD_BOA)
        s.used[player] = 0
    for player in range(SEATS):
        if top[player] and top[player] >= top[1 - player]:
            earn(s, player, FROM_TALLEST, number.tallest[s.season])
            s.tree[player][best[player]] |= SPENT_TREE << 14
        for i in range(s.open[player], s.open[player] + s.done[player]):
            tree = s.tree[player][i]
            if tree >> 14 == NEW_TREE:
                s.tree[player][i] = tree + (1 << 14)
    if top[0] == top[1]:
        s.first ^= 1
    else:
        s.first = top[0] > top[1]
    if s.season + 1 < s.seasons:
        s.season += 1
        begin_season(rules, s)
    else:
        finish_game(rules, s)


cdef void finish_game(const Ruleset *rules, Canopy *s) noexcept nogil:
    """Wildlife, and the largest forest: the most completed trees, then the most trunks of others."""
    cdef int player, i
    cdef int size[SEATS]
    s.turn = s.first = s.shift = 0
    wait(s, OVER)
    for player in range(SEATS):
        earn(s, player, FROM_WILDLIFE, wildlife(&rules.numbers[0], kinds_in(s, player)))
        size[player] = 256 * s.done[player]
        for i in range(s.open[player]):
            size[player] += height(s.tree[player][i])
    for player in range(SEATS):
        if s.done[player] and size[player] >= size[1 - player]:
            earn(s, player, FROM_FOREST, rules.numbers[0].largest)

# --- legal ------------------------------------------------------------------------------------------------------------

cdef inline uint32_t actors(const void *state) noexcept nogil:
    return (<const Canopy *> state).waiting


cdef int list_kinds(const uint8_t *cards, int n, int base, uint16_t *out) noexcept nogil:
    """Each kind among n ascending cards that the owner of this state knows, once."""
    cdef int i, last = NONE, found = 0
    for i in range(n):
        if cards[i] >= UNSEEN:
            break
        if cards[i] >> 2 != last:
            last = cards[i] >> 2
            out[found] = base + last
            found += 1
    return found


cdef int list_mask(uint32_t kinds, int base, uint16_t *out) noexcept nogil:
    cdef int n = 0
    while kinds:
        out[n] = base + bit_first(kinds)
        kinds &= kinds - 1
        n += 1
    return n


cdef int list_trees(const Canopy *s, uint16_t *out) noexcept nogil:
    """Each of the different open trees."""
    cdef int i, n = 0
    for i in range(s.open[s.turn]):
        if i == 0 or s.tree[s.turn][i] != s.tree[s.turn][i - 1]:
            out[n] = MOVE_TREE + i
            n += 1
    return n


cdef int legal(const void *ruleset, const void *state, int player, uint16_t *out) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Canopy *s = <const Canopy *> state
    cdef int n = 0, pile
    if not s.waiting >> player & 1:
        return 0
    if s.phase == CHOOSE:
        out[0] = MOVE_KEEP
        out[1] = MOVE_PASS
        n = 1 + can_pass(s)
    elif s.phase == ENTER:
        n = list_kinds(s.hand, s.held, MOVE_ENTER, out)
    elif s.phase == GROW:
        out[0] = MOVE_NEW_TREE
        n = s.card < TREETOP
        n += list_trees(s, out + n)
    elif s.phase == DISCARD:
        n = list_things(rules, s, MOVE_DISCARD, out)
    elif s.phase == START:
        out[0] = MOVE_LOOK
        n = 1
        if frog_works(s):
            out[n] = MOVE_FROG
            n += 1
        if toucan_works(s):
            for pile in range(PILES):
                if toucan_sees(s, pile):
                    out[n] = MOVE_TOUCAN + pile
                    n += 1
    elif s.phase == BOA:
        n = list_kinds(s.pile[s.at], s.size[s.at], MOVE_BOA, out)
        out[n] = MOVE_LEAVE
        n += 1
    elif s.phase == REST:
        out[0] = MOVE_SLOTH
        out[1] = MOVE_END
        n = 2
    elif s.phase == END:
        out[0] = MOVE_END
        n = 1
    elif s.phase == KEEP:
        pile = 0
        while pile < s.draws and s.drawn[pile] >> 2 < s.least:
            pile += 1
        n = list_kinds(s.drawn + pile, s.draws - pile, MOVE_KEEP_SEED, out)
        out[n] = MOVE_STOP
        return n + 1
    elif s.phase == BURY:
        return list_kinds(s.drawn, s.draws, MOVE_UNDER, out)
    else:
        return list_mask(losable(s), MOVE_LOSE, out)
    if s.task != SOWN and ant_works(s):
        n += list_things(rules, s, MOVE_ANT, out + n)
    return n

# --- apply ------------------------------------------------------------------------------------------------------------

cdef void use_ant(const Ruleset *rules, Canopy *s, int thing) noexcept nogil:
    """Discard, and ask again what is still a question."""
    cdef int card = s.card
    s.used[s.turn] |= 1 << (LEAFCUTTER_ANT - EMERALD_BOA)
    discard(s, thing)
    if s.phase == GROW or s.phase == DISCARD:
        s.card = NONE
        if settle_card(rules, s, card):
            enter_all(rules, s)
    elif s.phase == START:
        begin_turn(rules, s)
    elif s.phase == BOA:
        if not has(s, s.turn, 0):
            leave(s)
    elif s.phase == REST:
        ask_rest(rules, s)
    elif s.phase == END:
        end_turn(rules, s)


cdef void use_frog(const Ruleset *rules, Canopy *s) noexcept nogil:
    cdef int pile
    s.used[s.turn] |= 1 << (POISON_FROG - EMERALD_BOA)
    for pile in range(PILES):
        for _ in range(numbers(rules, s).frog):
            feed(s, pile)


cdef void take_with_boa(const Ruleset *rules, Canopy *s, int kind) noexcept nogil:
    s.used[s.turn] |= 1
    s.hand[0] = take_out(s.pile[s.at], s.size[s.at], kind)
    s.size[s.at] -= 1
    s.held = 1
    s.task = TAKEN
    enter_all(rules, s)


cdef inline void keep(const Ruleset *rules, Canopy *s) noexcept nogil:
    """All cards of the pile are on their way in."""
    memcpy(s.hand, s.pile[s.at], PILE)
    memset(s.pile[s.at], 0, PILE)
    s.held = s.size[s.at]
    s.size[s.at] = 0
    s.task = KEPT
    enter_all(rules, s)


cdef inline void apply(const void *ruleset, void *state, int player, int move) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Canopy *s = <Canopy *> state
    cdef int card
    if move >= MOVE_ANT:
        use_ant(rules, s, move - MOVE_ANT)
    elif s.phase == CHOOSE:
        if move == MOVE_KEEP:
            keep(rules, s)
        elif has(s, player, 0):
            ask(s, BOA)
        else:
            leave(s)
    elif s.phase == ENTER:
        if enter(rules, s, move - MOVE_ENTER):
            enter_all(rules, s)
    elif s.phase == GROW:
        card = s.card
        s.card = NONE
        if move == MOVE_NEW_TREE:
            plant(s, player, card - TRUNK)
        elif card < TREETOP:
            grow(s, player, move - MOVE_TREE, card - TRUNK)
        else:
            complete(s, player, move - MOVE_TREE, card - TREETOP)
        enter_all(rules, s)
    elif s.phase == DISCARD:
        s.card = NONE
        discard(s, move - MOVE_DISCARD)
        enter_all(rules, s)
    elif s.phase == START:
        if move == MOVE_LOOK:
            look(s, next_pile(s, 0), REVEAL)
        elif move == MOVE_FROG:
            use_frog(rules, s)
            begin_turn(rules, s)
        else:
            s.used[player] |= 1 << (TOUCAN - EMERALD_BOA)
            look(s, move - MOVE_TOUCAN, PEEK)
            if s.waiting:
                begin_turn(rules, s)
    elif s.phase == BOA:
        if move == MOVE_LEAVE:
            leave(s)
        else:
            take_with_boa(rules, s, move - MOVE_BOA)
    elif s.phase == REST:
        if move == MOVE_SLOTH:
            s.used[player] |= 1 << (SLOTH - EMERALD_BOA)
            draw(s, RESTED)
        else:
            end_turn(rules, s)
    elif s.phase == END:
        end_turn(rules, s)
    elif s.phase == KEEP:
        if move == MOVE_STOP:
            bury(rules, s)
        else:
            s.least = move - MOVE_KEEP_SEED
            take_out(s.drawn, s.draws, s.least)
            s.draws -= 1
            s.held = insert(s.hand, s.held, 4 * s.least + 3)
            s.more -= 1
            ask_keep(rules, s)
    elif s.phase == BURY:
        put_under(s, move - MOVE_UNDER)
        bury(rules, s)
    else:
        lose_next(s, move - MOVE_LOSE)
        go_on_losing(rules, s)

# --- chance -----------------------------------------------------------------------------------------------------------

cdef inline bint is_chance(const Canopy *s) noexcept nogil:
    return s.waiting == 0 and s.phase != OVER


cdef int outcomes(const void *ruleset, const void *state, Outcome *out) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Canopy *s = <const Canopy *> state
    cdef const uint8_t *counts = &s.pool[0]
    cdef int n = 0, i
    if not is_chance(s):
        return 0
    if s.phase == SHIFT:
        for i in range(rules.shifts):
            if not s.shifts >> i & 1:
                out[n].id = OUTCOME_SEASON + i
                out[n].weight = 1
                n += 1
        return n
    if s.phase == SEED_DRAW:
        counts = &s.seeds[0]
    for i in range(KINDS):
        if counts[i]:
            out[n].id = i + (OUTCOME_SEED if s.phase == SEED_DRAW else 0)
            out[n].weight = counts[i]
            n += 1
    return n


cdef inline void uncover(Canopy *s, uint8_t *cards, int n, int kind) noexcept nogil:
    """The first unknown one of n ascending cards is of this kind."""
    cdef int i = n - 1, seen
    while i and cards[i - 1] >= UNSEEN:
        i -= 1
    seen = cards[i] & 3 | 1 << s.turn
    insert(cards, i, 4 * kind + seen)


cdef inline void settle(const void *ruleset, void *state, int outcome) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Canopy *s = <Canopy *> state
    cdef int seen = 1 << s.turn
    if s.phase == REVEAL:
        s.pool[outcome] -= 1
        uncover(s, s.pile[s.at], s.size[s.at], outcome)
        go_on_looking(s, REVEAL)
    elif s.phase == DRAW:               # open to all
        s.deck -= 1
        s.pool[outcome] -= 1
        if settle_card(rules, s, outcome):
            enter_all(rules, s)
    elif s.phase == PEEK:
        s.pool[outcome] -= 1
        uncover(s, s.pile[s.at], s.size[s.at], outcome)
        go_on_looking(s, PEEK)
        if s.waiting:
            begin_turn(rules, s)
    elif s.phase == UNCOVER:
        s.pool[outcome] -= 1
        uncover(s, s.hand, s.held, outcome)
        enter_all(rules, s)
    elif s.phase == SEED_DRAW:
        s.seeds[outcome - OUTCOME_SEED] -= 1
        if s.top:
            s.top -= 1
        else:
            seen |= s.under[0] & 3
            unbury(s)
        s.draws = insert(s.drawn, s.draws, 4 * (outcome - OUTCOME_SEED) + seen)
        s.more -= 1
        go_on_drawing(rules, s)
    else:
        s.shift = 1 + outcome - OUTCOME_SEASON
        s.shifts |= 1 << (outcome - OUTCOME_SEASON)
        deal(rules, s)


cdef inline int draw_kind(const uint8_t *counts, Rng *rng) noexcept nogil:
    return counts_select(counts, rng_below(rng, counts_total(counts)))


cdef inline bint roll(const void *ruleset, void *state, Rng *rng) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Canopy *s = <Canopy *> state
    cdef int n
    if not is_chance(s):
        return False
    if s.phase == SEED_DRAW:
        settle(ruleset, state, OUTCOME_SEED + draw_kind(s.seeds, rng))
    elif s.phase == SHIFT:
        n = rng_below(rng, rules.shifts - bit_count(s.shifts))
        settle(ruleset, state, OUTCOME_SEASON + nth_clear(s.shifts, n))
    else:
        settle(ruleset, state, draw_kind(s.pool, rng))
    return True


cdef int nth_clear(uint32_t mask, int n) noexcept nogil:
    """The n-th bit that is not set, from 0."""
    cdef int i = 0
    while mask >> i & 1 or n:
        n -= not mask >> i & 1
        i += 1
    return i

# --- knowledge --------------------------------------------------------------------------------------------------------

# What a player may not know: cards of piles, and on their way in, that only the other one has looked at; what the other one
# drew of the seed deck and put under it. All else is open, or unseen by both.

cdef inline bint any_secret(const uint8_t *cards, int n) noexcept nogil:
    """Whether one of n cards, zeros behind them up to a whole word, has been seen by one player only."""
    cdef uint64_t word, found = 0
    cdef int i = 0
    while i < n:
        memcpy(&word, cards + i, 8)
        found |= word ^ word >> 1
        i += 8
    return found & <uint64_t> 0x0101010101010101 != 0


cdef bint may_sow(const Canopy *s) noexcept nogil:
    """Whether seeds are being drawn, or may still be, for a card on the table."""
    cdef int pile, i
    if s.phase == SEED_DRAW or s.draws or s.forest[0][SEED] or s.forest[1][SEED]:
        return True
    for i in range(s.held):
        if s.hand[i] >> 2 == SEED or s.hand[i] >= UNSEEN:
            return True
    for pile in range(PILES):
        for i in range(s.size[pile]):
            if s.pile[pile][i] >> 2 == SEED:
                return True
    return False


cdef int secrets(const void *ruleset, const void *state) noexcept nogil:
    """At the very end secrets cannot matter any more, though they may come up.

    With the last deck empty and two piles left, whoever is to choose looks at the one and decides; the other one is left over
    and its taker can only keep it. Seed draws are secret, but nothing follows from them unless they come back.
    """
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Canopy *s = <const Canopy *> state
    cdef int i, piles = 0
    cdef bint unseen = False
    for i in range(PILES):
        if any_secret(s.pile[i], s.size[i]):
            return HIDDEN
    if any_secret(s.hand, s.held) or any_secret(s.drawn, s.draws) or any_secret(s.under, s.buried):
        return HIDDEN
    if s.season + 1 < s.seasons or s.deck:
        return OPEN
    for i in range(PILES):
        if s.size[i]:
            piles += 1
            unseen = unseen or s.pile[i][s.size[i] - 1] >= UNSEEN
    if rules.bury and (unseen or may_sow(s)):
        return OPEN
    return OPEN if unseen and piles == PILES else PERFECT


cdef void mask_cards(uint8_t *cards, int n, uint8_t *pool, int viewer) noexcept nogil:
    """Of n ascending cards, put back into the pool what the viewer has not seen; unknown ones take their place."""
    cdef int i, known = 0
    for i in range(n):
        if cards[i] >= UNSEEN or cards[i] >> viewer & 1:
            cards[known] = cards[i]
            known += 1
        else:
            pool[cards[i] >> 2] += 1
    while known < n:
        known = insert(cards, known, UNSEEN + (2 >> viewer))


cdef void hide(const void *ruleset, void *state, int viewer) noexcept nogil:
    cdef Canopy *s = <Canopy *> state
    cdef int i
    for i in range(PILES):
        mask_cards(s.pile[i], s.size[i], s.pool, viewer)
    mask_cards(s.hand, s.held, s.pool, viewer)
    mask_cards(s.drawn, s.draws, s.seeds, viewer)
    for i in range(s.buried):
        if s.under[i] < UNSEEN and not s.under[i] >> viewer & 1:
            s.seeds[s.under[i] >> 2] += 1
            s.under[i] = UNSEEN + (2 >> viewer)


cdef inline int draw_out(uint8_t *counts, Rng *rng) noexcept nogil:
    """Take a card that nobody has seen."""
    cdef int kind = draw_kind(counts, rng)
    counts[kind] -= 1
    return kind


cdef inline void guess_cards(uint8_t *cards, int n, uint8_t *pool, Rng *rng) noexcept nogil:
    """Of n ascending cards, those that the other player has seen; what nobody has seen stays undecided."""
    while n and cards[n - 1] > UNSEEN:
        insert(cards, n - 1, 4 * draw_out(pool, rng) + (cards[n - 1] & 3))


cdef inline bint is_choice(const Canopy *s) noexcept nogil:
    """Whether the cards of the player who is asked leave him one: that he is asked tells the other one so much."""
    if s.phase == ENTER:
        return s.hand[0] >> 2 != s.hand[s.held - 1] >> 2
    if s.phase == KEEP:
        return s.drawn[s.draws - 1] >> 2 >= s.least
    return s.phase != BURY or s.drawn[0] >> 2 != s.drawn[s.draws - 1] >> 2


cdef void resample(const void *ruleset, void *state, int viewer, Rng *rng) noexcept nogil:
    """Cards that would leave no choice are all drawn again, so that those that leave one stay equally likely. A view typed
    by hand may allow no others."""
    cdef Canopy *s = <Canopy *> state
    cdef int i
    for _ in range(DRAWS):
        hide(ruleset, state, viewer)
        for i in range(PILES):
            guess_cards(s.pile[i], s.size[i], s.pool, rng)
        guess_cards(s.hand, s.held, s.pool, rng)
        guess_cards(s.drawn, s.draws, s.seeds, rng)
        for i in range(s.buried):
            if s.under[i] > UNSEEN:
                s.under[i] = 4 * draw_out(s.seeds, rng) + (s.under[i] & 3)
        if is_choice(s):
            return


cdef uint64_t key(const void *ruleset, const void *state) noexcept nogil:
    cdef const Canopy *s = <const Canopy *> state
    cdef Hash hash = hash_start(s.phase)
    cdef int i
    hash_bytes(&hash, s.pool, sizeof(s.pool) + sizeof(s.forest))
    hash_bytes(&hash, s.seeds, sizeof(s.seeds))
    hash_bytes(&hash, s.scored, SCALARS)
    for i in range(SEATS):
        hash_bytes(&hash, s.tree[i], 2 * (s.open[i] + s.done[i]))
    for i in range(PILES):
        hash_bytes(&hash, s.pile[i], s.size[i])
    hash_bytes(&hash, s.hand, s.held)
    hash_bytes(&hash, s.drawn, s.draws)
    hash_bytes(&hash, s.under, s.buried)
    return hash_fold(&hash)


cdef uint64_t view_key(const void *ruleset, const void *state, int viewer) noexcept nogil:
    cdef Canopy seen
    memcpy(&seen, state, sizeof(Canopy))
    hide(ruleset, &seen, viewer)
    return key(ruleset, &seen)

# --- score ------------------------------------------------------------------------------------------------------------

cdef void score(const void *ruleset, const void *state, int32_t *points, int32_t *tiebreak) noexcept nogil:
    """What has been scored so far; tie: the most wildlife cards."""
    cdef const Canopy *s = <const Canopy *> state
    cdef int player
    for player in range(SEATS):
        points[player] = s.points[player]
        tiebreak[player] = count_of(s, player, WILDLIFE)


cdef int sources(const void *ruleset, const void *state, int32_t *out) noexcept nogil:
    """What each source has scored so far, and last the points whose source is not known: those a file gave."""
    cdef const Canopy *s = <const Canopy *> state
    cdef int player, source
    cdef int32_t earlier
    for player in range(SEATS):
        earlier = s.points[player]
        for source in range(<int> SOURCES):
            out[source] = s.scored[player][source]
            earlier -= out[source]
        out[<int> SOURCES] = earlier
        out += MAX_SOURCES
    return SOURCES + 1


cdef inline int cards_left(const Canopy *s) noexcept nogil:
    """Of the season, in deck and piles."""
    return s.deck + s.size[0] + s.size[1] + s.size[2]


cdef int rest(const void *state) noexcept nogil:
    """Cards that are still to be taken, and what comes at the end of the seasons."""
    cdef const Canopy *s = <const Canopy *> state
    if s.phase == OVER:
        return 0
    return 1 + s.held + cards_left(s) + PILE * (s.seasons - 1 - s.season)

# --- prior ------------------------------------------------------------------------------------------------------------

include "canopy_prior.pxi"

# --- playout ----------------------------------------------------------------------------------------------------------

include "canopy_value.pxi"
include "../fading.pxi"
include "canopy_playout.pxi"

include "canopy_observe.pxi"

# --- table ------------------------------------------------------------------------------------------------------------

cdef Rules RULES = Rules(
    name=b"canopy", version=2, state_size=sizeof(Canopy), num_moves=MOVES_IN_ALL, num_outcomes=OUTCOMES_IN_ALL,
    start=start, actors=actors, legal=legal, apply=apply, outcomes=outcomes, roll=roll, settle=settle, secrets=secrets,
    hide=hide, resample=resample, key=key, view_key=view_key, score=score, sources=sources, observe=observe,
    playout=playout, prior=prior, reduce=NULL, policy=policy, evaluate=evaluate, bound=NULL, rest=rest)

cdef tuple ANIMAL_NAMES = ("emerald_boa", "kinkajou", "leafcutter_ant", "poison_frog", "sloth", "toucan")
KIND_NAMES = (
    "trunk_0", "trunk_1", "trunk_2", "canopy_0", "canopy_1", "canopy_2", "philodendron", "bromelia", "fern", "seed", "rain",
    "sun", "fire", "drought", "disease", *ANIMAL_NAMES, *(f"{name}_mating" for name in ANIMAL_NAMES))
MOVES = {
    "look": MOVE_LOOK, "frog": MOVE_FROG, "toucan": MOVE_TOUCAN, "keep": MOVE_KEEP, "pass": MOVE_PASS, "boa": MOVE_BOA,
    "leave": MOVE_LEAVE, "enter": MOVE_ENTER, "new tree": MOVE_NEW_TREE, "tree": MOVE_TREE, "sloth": MOVE_SLOTH,
    "end": MOVE_END, "keep seed": MOVE_KEEP_SEED, "stop": MOVE_STOP, "under": MOVE_UNDER, "lose": MOVE_LOSE,
    "discard": MOVE_DISCARD, "discard trunk": MOVE_DISCARD + THING_TRUNK, "discard tree": MOVE_DISCARD + THING_TREE,
    "ant": MOVE_ANT, "ant trunk": MOVE_ANT + THING_TRUNK, "ant tree": MOVE_ANT + THING_TREE}
OUTCOMES = {"deal": 0, "seed": OUTCOME_SEED, "season": OUTCOME_SEASON}
PHASES = ("shift", "reveal", "peek", "uncover", "draw", "seed_draw", "start", "choose", "boa", "enter", "grow", "discard",
          "rest", "end", "keep", "bury", "lose_plants", "lose_animals", "over")
TASKS = ("", "kept", "taken", "passed", "rested", "sown")
LIMITS = {"cards": 127, "seeds": UNDER, "pile": PILE, "trees": TREES, "trunks": TRUNKS, "drawn": DRAWN, "seasons": SEASONS,
          "shifts": SHIFTS, "number": 9, "points": 99, "left": LEFT, "features": FEATURES}


def compile(list copies, list seeds, int removed, int seasons, dict numbers, list shifts, bint exposed, bint learnt=False):
    """The core game of a checked ruleset; the stub says what each argument holds, LIMITS what bounds it.

    Raises ValueError for cards and numbers that don't fit together.
    """
    cdef Game game = Game.wrap(&RULES, sizeof(Ruleset), SEATS)
    cdef Ruleset *rules = <Ruleset *> game.ruleset
    cdef int kind, i, draw = 0, per_fire = 0, cards = sum(copies) - removed
    both = [n + more for n, more in zip(copies, seeds, strict=True)]
    if sum(copies) > LIMITS["cards"] or sum(seeds) > UNDER:
        raise ValueError(f"{sum(copies)} cards, seed deck {sum(seeds)}: at most {LIMITS['cards']} and {UNDER}")
    if not 1 <= seasons <= SEASONS or cards <= 0 or cards % seasons:
        raise ValueError(f"{cards} cards, {sum(copies)} less the {removed} put back, do not split into {seasons} equal seasons")
    for kind in range(KINDS):
        if kind < TREETOP and both[kind] > TRUNKS:
            raise ValueError(f"{both[kind]} copies of {KIND_NAMES[kind]} in both decks: at most {TRUNKS}")
        if kind >= EMERALD_BOA and both[kind] > 1:
            raise ValueError(f"{both[kind]} copies of {KIND_NAMES[kind]} in both decks: an animal and its mate are single")
        rules.copies[kind] = copies[kind]
        rules.seeds[kind] = seeds[kind]
    if sum(both[:TREETOP]) > TREES:
        raise ValueError(f"{sum(both[:TREETOP])} trunks in both decks: at most {TREES}")
    if shifts and not seasons <= len(shifts) <= SHIFTS:
        raise ValueError(f"{len(shifts)} season cards for {seasons} seasons: one a season is needed, at most {SHIFTS}")
    rules.seasons, rules.deck, rules.exposed, rules.shifts = seasons, cards // seasons, exposed, len(shifts)
    rules.learnt = learnt
    for i, changed in enumerate([numbers, *shifts]):
        compile_numbers(&rules.numbers[i], changed, seasons)
        check_piles(rules, &rules.numbers[i])
        look_ahead(rules, &rules.numbers[i], rules.guess[i])
        draw = max(draw, rules.numbers[i].seed_draw)
        per_fire = max(per_fire, rules.numbers[i].seed_per_fire)
    if min(draw + per_fire * both[FIRE], sum(seeds)) > DRAWN:
        raise ValueError(f"a seed draw of {draw} cards and {per_fire} for each of {both[FIRE]} fires: at most {DRAWN} cards")
    rules.bury = min(both[SEED], SEATS * seasons) * draw + both[FIRE] * per_fire > sum(seeds)
    return game


cdef int compile_numbers(Numbers *number, dict data, int seasons) except -1:
    cdef int i
    number.philodendron_set, number.philodendron_points = data["philodendron_set"], data["philodendron_points"]
    number.fern_odd, number.fern_even, number.weather_pair = data["fern_odd"], data["fern_even"], data["weather_pair"]
    number.seed_draw, number.seed_per_fire = data["seed_draw"], data["seed_per_fire"]
    number.seed_keep, number.kinkajou, number.frog = data["seed_keep"], data["kinkajou"], data["frog"]
    number.largest, number.active = data["largest"], data["active"]
    number.mating, number.mating_pair = data["mating"], data["mating_pair"]
    for i in range(3):
        number.bromelia[i] = data["bromelia"][i]
        number.piles[i] = data["piles"][i]
    for i in range(seasons):
        number.tallest[i] = data["tallest"][i]
    for i, threat in enumerate(("fire", "disease")):
        number.two[i], number.spread[i] = data[f"{threat}_two"], data[f"{threat}_spread"]
        number.losses[i], number.spread_losses[i] = data[f"{threat}_losses"], data[f"{threat}_spread_losses"]
    return 0


cdef int check_piles(const Ruleset *rules, const Numbers *number) except -1:
    """Each place has a card when the season begins, and no pile can outgrow its bytes.

    Who passes a pile uses up another card of the deck in the same turn; the one frog works once a season.
    """
    cdef int i, dealt = number.piles[0] + number.piles[1] + number.piles[2], most = 0
    for i in range(PILES):
        if number.piles[i] == 0:
            raise ValueError("a pile begins with at least one card")
        most = max(most, <int> number.piles[i])
    if dealt > rules.deck:
        raise ValueError(f"a season has {rules.deck} cards, fewer than the {dealt} of its piles")
    if not fits(most, rules.deck - dealt, number.frog):
        raise ValueError(f"a season of {rules.deck} cards is too long: a pile could outgrow {PILE} cards")
    return 0


cdef bint fits(int size, int deck, int frog) noexcept:
    """Whether a pile of this size stays within its bytes, whatever is passed."""
    return size + frog + (deck + 1) // 2 + 1 <= PILE

# --- files ------------------------------------------------------------------------------------------------------------


cdef list cards_of(const uint8_t *cards, int n):
    return [(cards[i] >> 2, cards[i] & 3) for i in range(n)]


cdef tuple trunks_of(int tree):
    return tree & 15, tree >> 4 & 15, tree >> 8 & 15


def teach(list weights, list deviations):
    """Give `evaluate` what was learnt: polynomials of the cards left in a season, in units of LIMITS["left"], by power.

    weights[season][power]: points still to come, of each own feature, of each of the other player's. deviations[season][power]:
    standard deviation of the final margin, at least 1.
    """
    cdef int season, left, power, i
    cdef double x, factor
    memset(BASE, 0, sizeof(BASE))
    memset(WEIGHT, 0, sizeof(WEIGHT))
    memset(DEVIATION, 0, sizeof(DEVIATION))
    for season, (powers, spread) in enumerate(zip(weights, deviations, strict=True)):
        for left in range(LEFT + 1):
            x = left / <double> LEFT
            for power, numbers in enumerate(powers):
                factor = x ** power
                BASE[season][left] += factor * numbers[0]
                for i in range(FEATURES):
                    WEIGHT[season][left][0][i] += factor * numbers[1 + i]
                    WEIGHT[season][left][1][i] += factor * numbers[1 + FEATURES + i]
            DEVIATION[season][left] = max(1, sum(number * x ** power for power, number in enumerate(spread)))


def features(State state not None, player):
    """What `evaluate` sees of a player: (index, how many times) of each feature; which they are is said in canopy_value.pxi."""
    cdef Feature feature[MOST_FEATURES]
    cdef int i, n
    n = list_features(<Canopy *> state.data, state.seat(player), feature)
    return [(feature[i].index, feature[i].times) for i in range(n)]


def foreseen(State state not None):
    """([points of each player], standard deviation of their difference) at the end, as learnt; None where that is not known."""
    cdef double points[SEATS]
    cdef double deviation
    if not evaluate(state.core.ruleset, state.data, points, &deviation):
        return None
    return [points[0], points[1]], deviation


def dump(State state not None):
    """What a position says, as plain numbers; `load` reads it back."""
    cdef const Ruleset *rules = <const Ruleset *> state.core.ruleset
    cdef const Canopy *s = <const Canopy *> state.data
    cdef int i, player
    return {
        "phase": s.phase, "season": s.season, "turn": s.turn, "first": s.first, "deck": s.deck,
        "shift": s.shift - 1 if s.shift else NONE, "shifts": [i for i in range(rules.shifts) if s.shifts >> i & 1],
        "pool": [s.pool[i] for i in range(KINDS)], "piles": [cards_of(s.pile[i], s.size[i]) for i in range(PILES)],
        "at": s.at, "hand": cards_of(s.hand, s.held), "card": s.card, "task": s.task,
        "seeds": [s.seeds[i] for i in range(KINDS)], "top": s.top, "under": cards_of(s.under, s.buried),
        "drawn": cards_of(s.drawn, s.draws), "more": s.more, "least": s.least,
        "player": [{
            "forest": [s.forest[player][i] for i in range(KINDS)],
            "open": [trunks_of(s.tree[player][i]) for i in range(s.open[player])],
            "done": [(*trunks_of(s.tree[player][i]), s.tree[player][i] >> 12 & 3, s.tree[player][i] >> 14)
                     for i in range(s.open[player], s.open[player] + s.done[player])],
            "used": [i for i in range(ANIMALS) if s.used[player] >> i & 1], "points": s.points[player],
            "scored": [s.scored[player][i] for i in range(<int> SOURCES)],
        } for player in range(SEATS)],
    }


cdef int load_cards(uint8_t *cards, int limit, list data, str where, bint ordered) except -1:
    """Cards among others, ascending unless their order says something. Returns how many."""
    cdef int n = 0, kind, seen
    if len(data) > limit:
        raise ValueError(f"{where}: {len(data)} cards are more than {limit}")
    for kind, seen in data:
        if not 0 <= kind < KINDS and kind != UNKNOWN:
            raise ValueError(f"{where}: there is no card {kind}")
        if not 0 <= seen <= 3 or (kind != UNKNOWN and seen == 0) or (kind == UNKNOWN and seen == 3):
            raise ValueError(f"{where}: a card {kind} cannot have been seen by {seen}")
        if ordered:
            cards[n] = 4 * kind + seen
            n += 1
        else:
            n = insert(cards, n, 4 * kind + seen)
    return n


cdef int load_player(const Ruleset *rules, Canopy *s, int player, dict data) except -1:
    cdef int kind, value, n, stage = NEW_TREE
    cdef uint32_t tree
    where = f"player {player}"
    if len(data["open"]) + len(data["done"]) > TREES:
        raise ValueError(f"{where}: more than {TREES} trees")
    for kind in range(KINDS):
        s.forest[player][kind] = data["forest"][kind]
        if s.forest[player][kind] and (kind < PHILODENDRON or kind == DROUGHT):
            raise ValueError(f"{where}: {KIND_NAMES[kind]} does not lie in a forest by itself")
    for trunks in [*data["open"], *data["done"]]:
        if sum(trunks[:3]) == 0 or max(trunks[:3]) > TRUNKS:
            raise ValueError(f"{where}: no tree has the trunks {trunks[:3]}")
    for trunks in data["open"]:
        tree = 0
        for value, n in enumerate(trunks):
            tree += n << 4 * value
        value = s.open[player]
        while value and s.tree[player][value - 1] > tree:
            s.tree[player][value] = s.tree[player][value - 1]
            value -= 1
        s.tree[player][value] = tree
        s.open[player] += 1
    for *trunks, value, n in data["done"]:
        if not 0 <= value <= 2 or not NEW_TREE <= n <= SPENT_TREE or (n != NEW_TREE and stage == NEW_TREE and s.done[player]):
            raise ValueError(f"{where}: a completed tree has a canopy 0, 1 or 2, and what is completed this season comes last")
        stage = n
        tree = trunks[0] | trunks[1] << 4 | trunks[2] << 8 | value << 12 | n << 14
        s.tree[player][s.open[player] + s.done[player]] = tree
        s.done[player] += 1
    for n in data["used"]:
        if not 0 <= n < ANIMALS or not s.forest[player][EMERALD_BOA + n] or n == KINKAJOU - EMERALD_BOA:
            raise ValueError(f"{where}: animal {n} is not here, or cannot be used")
        s.used[player] |= 1 << n
    s.points[player] = data["points"]
    if len(data["scored"]) > SOURCES:
        raise ValueError(f"{where}: more than {SOURCES} sources of points")
    for n, value in enumerate(data["scored"]):
        s.scored[player][n] = value
    return 0


def load(State state not None, dict data):
    """Overwrite a position with the numbers of `dump`. Raises ValueError for one that cannot be."""
    cdef const Ruleset *rules = <const Ruleset *> state.core.ruleset
    cdef Canopy loaded
    memset(&loaded, 0, sizeof(Canopy))
    try:
        load_numbers(rules, &loaded, data)
    except OverflowError:
        raise ValueError("a number is out of its range") from None
    check_cards(rules, &loaded)
    check_season(rules, &loaded)
    check_phase(rules, &loaded)
    memcpy(state.data, &loaded, sizeof(Canopy))


cdef int load_numbers(const Ruleset *rules, Canopy *s, dict data) except -1:
    cdef int i
    s.seasons = rules.seasons
    s.phase, s.season, s.turn, s.first, s.deck = data["phase"], data["season"], data["turn"], data["first"], data["deck"]
    s.at, s.card, s.task, s.top, s.more = data["at"], data["card"], data["task"], data["top"], data["more"]
    s.least = data["least"]
    for i in range(KINDS):
        s.pool[i], s.seeds[i] = data["pool"][i], data["seeds"][i]
    for i in range(PILES):
        s.size[i] = load_cards(s.pile[i], PILE, data["piles"][i], f"pile {i + 1}", False)
    s.held = load_cards(s.hand, PILE, data["hand"], "hand", False)
    s.draws = load_cards(s.drawn, DRAWN, data["drawn"], "drawn", False)
    s.buried = load_cards(s.under, UNDER, data["under"], "under", True)
    for i in range(SEATS):
        load_player(rules, s, i, data["player"][i])
    if s.phase > OVER or s.season >= s.seasons or s.turn > 1 or s.first > 1 or s.at >= PILES or s.task > SOWN:
        raise ValueError("phase, season, turn, first, at or task: no such number")
    for i in data["shifts"]:
        if not 0 <= i < rules.shifts:
            raise ValueError(f"there is no season card {i}")
        s.shifts |= 1 << i
    if data["shift"] != NONE:
        if data["shift"] not in data["shifts"]:
            raise ValueError("the season card that holds was turned up")
        s.shift = 1 + <int> data["shift"]
    if START <= s.phase < OVER:
        s.waiting = 1 << s.turn
    return 0


cdef int check_cards(const Ruleset *rules, const Canopy *s) except -1:
    """No kind has more cards than there are, and what nobody has seen is where it can be."""
    cdef int kind, i, player, tree, unseen = s.deck, hidden = 0, seeds = s.top
    cdef int n[UNKNOWN + 1]
    memset(n, 0, sizeof(n))
    for i in range(PILES):
        for kind in range(s.size[i]):
            count_card(s.pile[i][kind], n, &unseen, &hidden)
    for i in range(s.held):
        count_card(s.hand[i], n, &unseen, &hidden)
    unseen += n[UNKNOWN]
    n[UNKNOWN] = 0
    for i in range(s.draws):
        count_card(s.drawn[i], n, &seeds, &hidden)
    for i in range(s.buried):
        count_card(s.under[i], n, &seeds, &hidden)
    seeds += n[UNKNOWN]
    if hidden == 3:
        raise ValueError("each player has seen a card that is unknown here: this is nobody's view")
    for player in range(SEATS):
        for kind in range(KINDS):
            n[kind] += s.forest[player][kind]
        for i in range(s.open[player] + s.done[player]):
            tree = s.tree[player][i]
            for kind in range(3):
                n[kind] += tree >> 4 * kind & 15
            if tree >> 14:
                n[TREETOP + (tree >> 12 & 3)] += 1
    if s.card != NONE:
        if s.card >= KINDS:
            raise ValueError(f"there is no card {s.card}")
        n[s.card] += 1
    for kind in range(KINDS):
        if s.pool[kind] > rules.copies[kind] or s.seeds[kind] > rules.seeds[kind]:
            raise ValueError(f"there are {rules.copies[kind]} copies of {KIND_NAMES[kind]}, {rules.seeds[kind]} as seeds")
        if n[kind] + s.pool[kind] + s.seeds[kind] > rules.copies[kind] + rules.seeds[kind]:
            raise ValueError(f"too many cards: {n[kind] + s.pool[kind] + s.seeds[kind]} copies of {KIND_NAMES[kind]}, "
                             f"not {rules.copies[kind] + rules.seeds[kind]}")
    unseen += rules.deck * (s.seasons - 1 - s.season + (s.phase == SHIFT)) + counts_total(rules.copies)
    unseen -= rules.deck * s.seasons
    if counts_total(s.pool) != unseen:
        raise ValueError(f"{counts_total(s.pool)} cards of the main deck are unseen, but {unseen} lie face down")
    if counts_total(s.seeds) != seeds:
        raise ValueError(f"{counts_total(s.seeds)} seeds are unseen, but {seeds} lie face down")
    return 0


cdef void count_card(int card, int *n, int *unseen, int *hidden) noexcept:
    """Unknown cards that somebody has seen are counted with their kind, those that nobody has with what is unseen."""
    if card == UNSEEN:
        unseen[0] += 1
    else:
        n[card >> 2] += 1
        if card > UNSEEN:
            hidden[0] |= card & 3


cdef int check_season(const Ruleset *rules, const Canopy *s) except -1:
    """Deck, piles and season card fit together."""
    cdef int i, player, taken = s.deck + s.held, empty = 0
    cdef bint ended = s.task == SOWN or s.phase == SHIFT or s.phase == SEED_DRAW or s.phase >= KEEP
    for i in range(PILES):
        taken += s.size[i]
        empty += s.size[i] == 0
        if not fits(s.size[i], s.deck, numbers(rules, s).frog):
            raise ValueError(f"pile {i + 1}: with {s.size[i]} cards it could outgrow {PILE}")
    if taken > rules.deck:
        raise ValueError(f"{taken} cards lie in deck and piles, more than the season's {rules.deck}")
    if ended and (s.deck or empty < PILES):
        raise ValueError("a season ends when deck and piles are gone")
    if not ended and s.deck == 0 and empty == PILES and s.phase != END and s.task != KEPT:
        raise ValueError("deck and piles are gone, but the season goes on")
    if s.deck and empty and not (empty == 1 and s.size[s.at] == 0 and KEPT <= s.task <= TAKEN):
        raise ValueError("there are no empty places while the deck has cards")
    if rules.shifts == 0:
        if s.phase == SHIFT:
            raise ValueError("there are no season cards")
    elif bit_count(s.shifts) != s.season + (s.phase != SHIFT) or (s.shift == 0) != (s.phase == SHIFT or s.phase == OVER):
        raise ValueError("each season has turned up one season card, which holds until its end")
    if s.phase == OVER and s.season + 1 < s.seasons:
        raise ValueError("the game is over only after the last season")
    for player in range(SEATS):
        if s.phase == SHIFT or s.phase == OVER:
            if kinds_in(s, player) & ~<uint32_t> WILDLIFE or s.used[player] or any_new(s, player):
                raise ValueError(f"player {player}: between seasons there are only trees and wildlife, which has not worked")
    return 0


cdef bint any_new(const Canopy *s, int player) noexcept:
    """Whether a tree counts as completed this season."""
    cdef int i
    for i in range(s.open[player], s.open[player] + s.done[player]):
        if s.tree[player][i] >> 14 == NEW_TREE:
            return True
    return False


cdef bint all_seen(const Canopy *s, const uint8_t *cards, int n) noexcept:
    """Whether who is on turn has looked at n cards, those apart that chance is to reveal."""
    cdef int i
    for i in range(n):
        if cards[i] != UNSEEN and not cards[i] >> s.turn & 1:
            return False
    return True


cdef int check_phase(const Ruleset *rules, const Canopy *s) except -1:
    """What the phase does not use is 0, and its question is one: what has no choice has happened already.

    A view may not know the answers: its unknown cards on hand may be different ones.
    """
    cdef uint16_t things[2 * THINGS]
    cdef int phase = s.phase, last = s.pile[s.at][s.size[s.at] - 1] if s.size[s.at] else 0
    cdef int end = s.hand[s.held - 1] if s.held else 0
    cdef bint entering = phase == ENTER or phase == GROW or phase == DISCARD or phase == UNCOVER
    cdef bint sowing = phase == SEED_DRAW or phase == KEEP or phase == BURY
    cdef bint losing = phase == LOSE_PLANTS or phase == LOSE_ANIMALS
    cdef bint looking = phase == REVEAL or phase == PEEK or phase == CHOOSE or phase == BOA
    cdef uint32_t kinds = losable(s) if losing else 0
    name = PHASES[phase]
    if entering != (s.task != NO_TASK) and phase != DRAW or (phase == DRAW and s.task != PASSED and s.task != RESTED):
        raise ValueError(f"{name}: the task is {TASKS[s.task]!r}")
    if s.at and not looking and s.task != KEPT and s.task != TAKEN:
        raise ValueError(f"{name}: nobody looks at pile {s.at + 1}")
    if looking and s.size[s.at] == 0 or (s.task == KEPT and s.size[s.at]):
        raise ValueError(f"{name}: the pile looked at is there until it is kept")
    if s.held and not entering and phase != KEEP and phase != BURY or (s.held and PASSED <= s.task <= RESTED):
        raise ValueError(f"{name}: no card is on hand")
    if s.draws and not sowing or (s.more or s.least) and not sowing and not losing or (s.least and phase in (SEED_DRAW, BURY)):
        raise ValueError(f"{name}: no seeds are drawn, none are kept, nothing is lost")
    if looking and not all_seen(s, s.pile[s.at], s.size[s.at]) or not all_seen(s, s.hand, s.held) \
            or not all_seen(s, s.drawn, s.draws):
        raise ValueError(f"{name}: player {s.turn} has seen these cards")
    if sowing and s.forest[s.turn][SEED] == 0:
        raise ValueError(f"{name}: player {s.turn} has no seed cards")
    if phase == GROW:
        asked = s.card < PHILODENDRON and s.open[s.turn] and (s.card < TREETOP or not trees_alike(s, s.turn))
    elif phase == DISCARD:
        asked = s.card == DROUGHT and list_things(rules, s, 0, things) > 1
    elif s.card != NONE:
        asked = False
    elif phase == REVEAL or phase == PEEK:
        asked = last >= UNSEEN and (phase == REVEAL or s.used[s.turn] >> (TOUCAN - EMERALD_BOA) & 1)
    elif phase == CHOOSE or phase == BOA:
        asked = last != UNSEEN and (phase == CHOOSE or (can_pass(s) and has(s, s.turn, 0)))
    elif phase == START:
        asked = frog_works(s) or toucan_works(s)
    elif phase == ENTER:
        asked = s.held > 1 and (s.hand[0] >> 2 != end >> 2 or end > UNSEEN)
    elif phase == UNCOVER:
        asked = end >= UNSEEN and s.task <= TAKEN
    elif phase == DRAW:
        asked = s.deck > 0
    elif phase == REST:
        asked = s.deck and has(s, s.turn, SLOTH - EMERALD_BOA)
    elif phase == END:
        asked = ant_works(s)
    elif phase == SEED_DRAW:
        asked = s.more and s.more <= s.top + s.buried and s.more + s.draws <= DRAWN and (s.top or s.under[0] >= UNSEEN)
    elif phase == KEEP:
        asked = s.draws and 0 < s.more <= s.draws and s.drawn[s.draws - 1] >> 2 >= s.least
    elif phase == BURY:
        end = s.drawn[s.draws - 1] if s.draws else 0
        asked = rules.bury and s.more == 0 and s.draws > 1 and (s.drawn[0] >> 2 != end >> 2 or end > UNSEEN)
    elif losing:
        asked = 0 < s.more <= losses(rules, s, s.turn, phase == LOSE_ANIMALS) and kinds & (kinds - 1)
    else:
        asked = s.turn == s.first and (phase == SHIFT or s.first == 0)
    if not asked:
        raise ValueError(f"{name}: this is no question here")
    return 0
