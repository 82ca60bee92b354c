"""Coney, the rules (docs/games/coney.md, whose sections the comments name).

1 to 4 players lay rabbits on a farm of nine cells: one action a turn, each split into small moves. Chance reveals one
card at a time, when somebody first sees it; a solo deck may have known cards on top.
"""
from libc.math cimport floor
from libc.stdint cimport int8_t, int32_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy, memmove, memset

from ninefold.core.observe cimport plane, plane_number, plane_one, plane_seats, seat_of, set_bits, set_one
from ninefold.core.rules cimport (
    HIDDEN, MAX_LEGAL, MAX_SOURCES, OPEN, PERFECT, Bag, Game, Hash, Outcome, Reduced, Rng, Rules, State, Urn, bag_count,
    bag_flip, bag_select, bit_count, bit_first, bit_select, hash_add, hash_bytes, hash_fold, hash_start, rng_below, rng_next,
    urn_open, urn_take)

# --- move ids ---------------------------------------------------------------------------------------------------------

cdef enum:
    MOVE_ACTION = 0                         # + action
    MOVE_DONE = MOVE_ACTION + NO_ACTION
    MOVE_DECK = MOVE_DONE + 1               # draw from the deck
    MOVE_PAY = MOVE_DECK + 1                # + way
    MOVE_TAKE = MOVE_PAY + WAYS             # + way
    MOVE_KEEP = MOVE_TAKE + WAYS            # + card, as all that follow
    MOVE_DISCARD = MOVE_KEEP + CARDS
    MOVE_DRAW = MOVE_DISCARD + CARDS
    MOVE_RESERVE = MOVE_DRAW + CARDS
    MOVE_SELL = MOVE_RESERVE + CARDS
    MOVE_FEED = MOVE_SELL + CARDS
    MOVE_LAY = MOVE_FEED + CARDS            # + card * PLACES + place
    MOVE_END = MOVE_LAY + CARDS * PLACES

# --- cards ------------------------------------------------------------------------------------------------------------

# Who has seen a card in a hand: its origin. A number below PICKED: its owner alone, who drew it so many reshuffles ago.
cdef enum:
    PICKED = 128                            # + HAND * pack + pick: kept in the draft
    IN_PACK = PICKED + HAND * SEATS         # + pack: still in the pack before its owner, or just dealt
    PUBLIC = 255                            # everybody: it was taken from the market


cdef inline bint has(const Bag *cards, int card) noexcept nogil:
    return cards.word[card >> 6] >> (card & 63) & 1


cdef inline Bag both(const Bag *one, const Bag *other) noexcept nogil:
    cdef Bag cards
    cards.word[0] = one.word[0] | other.word[0]
    cards.word[1] = one.word[1] | other.word[1]
    return cards


cdef inline int pop(Bag *cards) noexcept nogil:
    """Take out the first card of a bag that is not empty."""
    cdef int half = cards.word[0] == 0, card = 64 * half + bit_first(cards.word[half])
    cards.word[half] &= cards.word[half] - 1
    return card


cdef inline bint any_of(const Bag *cards) noexcept nogil:
    return (cards.word[0] | cards.word[1]) != 0


cdef inline void cut(Bag *cards, int low) noexcept nogil:
    """Leave only the cards from `low` on."""
    if low >= 64:
        cards.word[0] = 0
        cards.word[1] &= ~(<uint64_t> 0) << (low - 64)
    else:
        cards.word[0] &= ~(<uint64_t> 0) << low


cdef inline int listed(int base, Bag cards, uint16_t *out) noexcept nogil:
    """Write base + card for each card, ascending."""
    cdef int n = 0
    while any_of(&cards):
        out[n] = base + pop(&cards)
        n += 1
    return n


cdef inline Bag reserved(const Coney *s, int player) noexcept nogil:
    cdef Bag cards
    cards.word[0] = cards.word[1] = 0
    if s.reserve[player][0] != NONE:
        bag_flip(&cards, s.reserve[player][0])
        if s.reserve[player][1] != NONE:
            bag_flip(&cards, s.reserve[player][1])
    return cards


cdef inline int reserved_cards(const Coney *s, int player) noexcept nogil:
    return (s.reserve[player][0] != NONE) + (s.reserve[player][1] != NONE)


cdef inline int market_cards(const Coney *s) noexcept nogil:
    return ((s.market[0] != NONE) + (s.market[1] != NONE)) + ((s.market[2] != NONE) + (s.market[3] != NONE))


cdef inline void put_in_order(uint8_t *row, int size, int card) noexcept nogil:
    """Put a card into an ascending row with room, NONE behind."""
    cdef int i = size - 1
    while i > 0 and row[i - 1] > card:
        row[i] = row[i - 1]
        i -= 1
    row[i] = card


cdef inline void take_out(uint8_t *row, int size, int card) noexcept nogil:
    """Take a card out of such a row."""
    cdef int i = 0
    while row[i] != card:
        i += 1
    while i < size - 1:
        row[i] = row[i + 1]
        i += 1
    row[i] = NONE


cdef inline void show(Coney *s, int player, int card) noexcept nogil:
    """A card leaves a hand for everybody to see."""
    bag_flip(&s.hand[player], card)
    if s.players > 1 and s.origin[card] != PUBLIC:
        s.fresh &= ~(1 << player)
    s.origin[card] = 0


cdef void reshuffle(Coney *s) noexcept nogil:
    """Areas: the discard pile becomes the new deck; hidden cards drawn before are told from those of the new one."""
    cdef Bag cards = s.bag
    cdef int player, card, i
    for player in range(s.players):
        cards = both(&cards, &s.hand[player])
    if s.players > 1:
        while any_of(&cards):
            card = pop(&cards)
            s.origin[card] += s.origin[card] < PICKED - 1
        i = 0
        while i < 2 * SLOTS and s.trail.slots[i]:
            s.trail.slots[i + 1] += s.trail.slots[i + 1] < PICKED - 1
            i += 2
        s.first += s.first < PICKED - 1
    s.deck = bag_count(&s.discard)
    s.bag = both(&s.bag, &s.discard)
    memset(&s.discard, 0, sizeof(Bag))


cdef inline void watch_deck(Coney *s) noexcept nogil:
    """After everything that can empty the deck or add to the discards."""
    if (s.deck | s.ordered) == 0 and any_of(&s.discard):
        reshuffle(s)


cdef inline void throw_away(Coney *s, int card) noexcept nogil:
    bag_flip(&s.discard, card)
    watch_deck(s)


cdef inline int next_known(Coney *s) noexcept nogil:
    """Draw the first of the known cards on top of the deck; there is one."""
    cdef int card = s.trail.order[0]
    s.ordered -= 1
    memmove(s.trail.order, s.trail.order + 1, s.ordered)
    s.trail.order[s.ordered] = 0
    return card

# --- start ------------------------------------------------------------------------------------------------------------

cdef void start(const void *ruleset, void *state) noexcept nogil:
    """Set-up: one of each resource, nothing dealt yet."""
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Coney *s = <Coney *> state
    cdef int player, i
    memset(s, 0, sizeof(Coney))
    s.players = rules.players
    s.deck = rules.cards
    s.bag.word[0] = ~(<uint64_t> 0) >> (64 - rules.cards) if rules.cards < 64 else ~(<uint64_t> 0)
    s.bag.word[1] = ~(<uint64_t> 0) >> (128 - rules.cards) if rules.cards > 64 else 0
    memset(s.farm, NONE, sizeof(s.farm))
    memset(s.reserve, NONE, sizeof(s.reserve))
    memset(s.market, NONE, sizeof(s.market))
    memset(s.chosen, NONE, sizeof(s.chosen))
    for i in range(3):
        s.supply += rules.supply * ((<uint64_t> 1) << 16 * i)
    s.supply += (rules.supply if rules.supply == UNLIMITED else 3 * rules.supply) * ((<uint64_t> 1) << 48)
    for player in range(s.players):
        for i in range(3):
            if lane(s.supply, i):
                s.stock[player] += unit(i)
                s.supply -= unit(i) & rules.limited
    s.turns = rules.turns if rules.players == 1 else rules.max_rounds
    s.last = NO_ACTION
    s.source = NONE
    s.task = SET_UP
    s.phase = DEAL

# --- legal ------------------------------------------------------------------------------------------------------------

cdef inline uint32_t actors(const void *state) noexcept nogil:
    return (<const Coney *> state).waiting


# The places of the nine cells of a fixed frame among the twenty-five.
cdef int *PLACE_OF = [12, 13, 14, 17, 18, 19, 22, 23, 24]


cdef inline uint32_t extent(uint32_t rabbits) noexcept nogil:
    """Rows and columns of the farm's bounding box, which starts at cell 0: rows + 4 * columns."""
    cdef uint32_t rows = 3 if rabbits & 0x1c0 else 2 if rabbits & 0x038 else 1 if rabbits else 0
    return rows + 4 * (3 if rabbits & 0x124 else 2 if rabbits & 0x092 else 1 if rabbits else 0)


cdef uint32_t slides(const Ruleset *rules, const uint64_t *lanes, const uint8_t *farm, const Card *card) noexcept nogil:
    """Option frame = sliding: the places, a mask of twenty-five, where a card may be placed.

    The farm is moved down and to the right as far as its bounding box allows; of each position of it, the cells that no
    smaller move reaches. An empty farm has one cell.
    """
    cdef uint32_t rabbits = occupied(lanes), size = extent(rabbits), cells, places = 0
    cdef uint64_t moved[2]
    cdef uint8_t there[CELLS]
    cdef Facts facts
    cdef int down, right, cell, shift
    if rabbits == 0:
        look(rules, lanes, &facts)
        return (fits(rules, card, lanes, farm, &facts) & 1) << PLACE_OF[0]
    for down in range(4 - (size & 3)):
        for right in range(4 - (size >> 2)):
            shift = 3 * down + right
            moved[0] = lanes[0] << shift
            moved[1] = lanes[1] << shift
            memcpy(there + shift, farm, CELLS - shift)      # what is below is read for rabbits alone
            look(rules, moved, &facts)
            cells = fits(rules, card, moved, there, &facts)
            cells &= (0x007 if down else 0x1ff) & (0x049 if right else 0x1ff)
            while cells:
                cell = bit_first(cells)
                cells &= cells - 1
                places |= (<uint32_t> 1) << (PLACE_OF[cell] - 5 * down - right)
    return places


cdef inline void shift_farm(uint64_t *lanes, uint8_t *farm, uint8_t *tokens, int shift) noexcept nogil:
    """Move all rabbits by so many cells, which leaves none behind."""
    if shift > 0:
        lanes[0] <<= shift
        lanes[1] <<= shift
        memmove(farm + shift, farm, CELLS - shift)
        memset(farm, NONE, shift)
        memmove(tokens + shift, tokens, CELLS - shift)
        memset(tokens, 0, shift)
    elif shift < 0:
        lanes[0] >>= -shift
        lanes[1] >>= -shift
        memmove(farm, farm - shift, CELLS + shift)
        memset(farm + CELLS + shift, NONE, -shift)
        memmove(tokens, tokens - shift, CELLS + shift)
        memset(tokens + CELLS + shift, 0, -shift)


cdef inline int make_room(Coney *s, int player, int place) noexcept nogil:
    """The cell that a place is, after a sliding farm has moved so that it is one."""
    cdef int row = place // 5 - 2, column = place % 5 - 2, down = max(0, -row), right = max(0, -column)
    if down + right:
        shift_farm(s.lanes[player], s.farm[player], s.tokens[player], 3 * down + right)
    return 3 * (row + down) + column + right


cdef inline void lay_at(const Ruleset *rules, Coney *s, int player, int card, int cell) noexcept nogil:
    s.farm[player][cell] = card
    s.lanes[player][0] |= rules.card[card].lanes[0] << cell
    s.lanes[player][1] |= rules.card[card].lanes[1] << cell


cdef inline void lift(const Ruleset *rules, Coney *s, int player, int cell) noexcept nogil:
    """Take a card from the farm; what lies on it goes back to the supply."""
    cdef int card = s.farm[player][cell], shift = 0
    cdef uint32_t rabbits
    s.farm[player][cell] = NONE
    s.lanes[player][0] ^= rules.card[card].lanes[0] << cell
    s.lanes[player][1] ^= rules.card[card].lanes[1] << cell
    if s.tokens[player][cell]:
        s.supply += s.tokens[player][cell] * unit(rules.card[card].counted) & rules.limited
        s.tokens[player][cell] = 0
    rabbits = occupied(s.lanes[player])
    if rules.sliding and rabbits:       # the farm begins with the first row and the first column
        while not rabbits >> shift & 0x007:
            shift += 3
        while not rabbits >> shift & 0x049:
            shift += 1
        shift_farm(s.lanes[player], s.farm[player], s.tokens[player], -shift)


cdef inline uint32_t fits_in(const Ruleset *rules, const Coney *s, int player, int card,
                             const Facts *facts) noexcept nogil:
    """Where a card may be placed: cells of a fixed frame, or places of a sliding one. `facts` are those of the farm."""
    if not covers(s.stock[player], rules.card[card].price):
        return 0
    if rules.sliding:
        return slides(rules, s.lanes[player], s.farm[player], &rules.card[card])
    return fits(rules, &rules.card[card], s.lanes[player], s.farm[player], facts)


cdef inline Bag placeable(const Coney *s, int player) noexcept nogil:
    """The cards of hand and reserve."""
    cdef Bag cards = reserved(s, player)
    return both(&cards, &s.hand[player])


cdef int placements(const Ruleset *rules, const Coney *s, int player, uint16_t *out) noexcept nogil:
    """List the legal placements, by card and then by place."""
    cdef Bag cards = placeable(s, player)
    cdef Facts facts
    cdef uint32_t cells
    cdef int n = 0, card, cell
    look(rules, s.lanes[player], &facts)
    while any_of(&cards):
        card = pop(&cards)
        cells = fits_in(rules, s, player, card, &facts)
        while cells:
            cell = bit_first(cells)
            cells &= cells - 1
            out[n] = MOVE_LAY + PLACES * card + (cell if rules.sliding else PLACE_OF[cell])
            n += 1
    return n


cdef bint can_place(const Ruleset *rules, const Coney *s, int player) noexcept nogil:
    cdef Bag cards = placeable(s, player)
    cdef Facts facts
    look(rules, s.lanes[player], &facts)
    while any_of(&cards):
        if fits_in(rules, s, player, pop(&cards), &facts):
            return True
    return False


cdef inline Bag cards_on(const Coney *s, int player, uint32_t cells) noexcept nogil:
    """The cards on some cells of the farm."""
    cdef Bag cards
    cards.word[0] = cards.word[1] = 0
    while cells:
        bag_flip(&cards, s.farm[player][bit_first(cells)])
        cells &= cells - 1
    return cards


cdef inline bint eats(const Ruleset *rules, const Coney *s, int player, int cell) noexcept nogil:
    """Whether the rabbit there counts resources on its card, and the stock has one for it."""
    cdef const Card *card = &rules.card[s.farm[player][cell]]
    return card.timing == AT_END and card.counts == TOKENS and lane(s.stock[player], card.counted) > 0


cdef inline uint32_t hungry(const Ruleset *rules, const Coney *s, int player) noexcept nogil:
    """Breed: the cells, a mask, from `cell` on with a rabbit that can be fed."""
    cdef uint32_t rabbits = occupied(s.lanes[player]) >> s.cell << s.cell, found = 0
    cdef int cell
    while rabbits:
        cell = bit_first(rabbits)
        rabbits &= rabbits - 1
        found |= <uint32_t> eats(rules, s, player, cell) << cell
    return found


cdef inline int payments(const Ruleset *rules, uint64_t some, int n, int base, uint16_t *out) noexcept nogil:
    """The multisets of n resources that there are, as move ids from `base`."""
    cdef int way = n * (n + 1) * (n + 2) // 6, end = way + (n + 1) * (n + 2) // 2, found = 0
    while way < end:
        if covers(some, rules.way[way]):
            out[found] = base + way
            found += 1
        way += 1
    return found


cdef inline int gains(const Ruleset *rules, uint64_t supply, int mode, int n, int base, uint16_t *out) noexcept nogil:
    """What a group of n may bring (Gains), ascending: no more than there is."""
    cdef int kinds, i, j, found = 0, way
    cdef int left[3]
    if mode == ANY:
        n = min(n, lane(supply, ALL))
        return payments(rules, supply, n, base, out) if n else 0
    for i in range(3):
        left[i] = lane(supply, i)
    if mode == DIFFERENT:
        n = min(n, (left[0] > 0) + (left[1] > 0) + (left[2] > 0))
        for kinds in range(1, 8):
            if ((kinds & 1) + (kinds >> 1 & 1) + (kinds >> 2) == n and left[0] >= (kinds & 1)
                    and left[1] >= (kinds >> 1 & 1) and left[2] >= kinds >> 2):
                out[found] = base + way_of(kinds & 1, kinds >> 1 & 1, kinds >> 2)
                found += 1
    else:
        for i in range(3):
            if left[i]:
                j = min(n, left[i])
                out[found] = base + way_of(j if i == 0 else 0, j if i == 1 else 0, j if i == 2 else 0)
                found += 1
    for i in range(1, found):               # at most three: in the order of ids
        way = out[i]
        j = i
        while j > 0 and out[j - 1] > way:
            out[j] = out[j - 1]
            j -= 1
        out[j] = way
    return found


cdef inline int group_mode(const Ruleset *rules, const Coney *s) noexcept nogil:
    """The group of resources that is due: 16 * mode + size."""
    cdef const Effect *effect
    if s.task == GATHER:
        return 16 * ANY + 2
    if s.task == BREEDING:
        effect = &rules.card[s.farm[s.player][s.cell]].effect
    elif s.task == COUPON:
        effect = &rules.card[s.source].effect
    else:
        effect = &rules.card[s.source].sale
    return 16 * effect.mode[s.group] + effect.size[s.group]


cdef inline Bag may_go(const Ruleset *rules, const Coney *s, int player) noexcept nogil:
    """Hand limit, and the set-up for one: the cards that may be discarded next, so that enough higher ones are left.

    A hand as another player imagines it may have none: then any may go.
    """
    cdef Bag cards = s.hand[player]
    cdef int more = bag_count(&cards) - rules.hand - 1, half
    while more > 0:
        half = cards.word[1] != 0
        cards.word[half] ^= (<uint64_t> 1) << (63 - leading(cards.word[half]))
        more -= 1
    cut(&cards, s.low)
    return cards if any_of(&cards) else s.hand[player]


cdef extern from *:
    int leading "__builtin_clzll"(uint64_t word) noexcept nogil     # zero bits above the highest one; there is one
    int leading_of "__builtin_clz"(uint32_t word) noexcept nogil


cdef int legal(const void *ruleset, const void *state, int player, uint16_t *out) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Coney *s = <const Coney *> state
    cdef int n = 0, i, mode
    cdef Bag cards
    if not s.waiting >> player & 1:
        return 0
    if s.phase == ACTION:
        for i in range(<int> NO_ACTION):
            if i != s.last and (i != PLACE or rules.place_nothing or occupied(s.lanes[player])
                                or can_place(rules, s, player)):
                out[n] = MOVE_ACTION + i
                n += 1
    elif s.phase == PLACE_FIRST:
        # Without a rabbit place was chosen for a placement, but a hand as another player imagines it may have none.
        if rules.place_nothing or ((s.sold or not occupied(s.lanes[player])) and not can_place(rules, s, player)):
            out[0] = MOVE_DONE
            n = 1
        n += listed(MOVE_SELL, cards_on(s, player, occupied(s.lanes[player])), out + n)
        n += placements(rules, s, player, out + n)
    elif s.phase == PLACE_SECOND:
        out[0] = MOVE_DONE
        n = 1 + placements(rules, s, player, out + 1)
    elif s.phase == PAY:
        n = payments(rules, s.stock[player], rules.card[s.source].cost_any, MOVE_PAY, out)
    elif s.phase == TAKE:
        mode = group_mode(rules, s)
        n = gains(rules, s.supply, mode >> 4, mode & 15, MOVE_TAKE, out)
    elif s.phase == DRAW:
        if s.task == FILL_AGAIN and rules.second_draw_may:
            out[0] = MOVE_DONE
            n = 1
        if s.deck | s.ordered:
            out[n] = MOVE_DECK
            n += 1
        for i in range(market_cards(s)):
            out[n] = MOVE_DRAW + s.market[i]
            n += 1
    elif s.phase == SELL_RESERVED:
        out[0] = MOVE_DONE
        n = 1 + listed(MOVE_SELL, reserved(s, player), out + 1)
    elif s.phase == FEED:
        out[0] = MOVE_DONE
        n = 1 + listed(MOVE_FEED, cards_on(s, player, hungry(rules, s, player)), out + 1)
    elif s.phase == DISCARD or s.phase == RESERVE:
        cards = s.hand[player]
        cut(&cards, s.low)
        out[0] = MOVE_DONE
        n = 1 + listed(MOVE_DISCARD if s.phase == DISCARD else MOVE_RESERVE, cards, out + 1)
    elif s.phase == LIMIT:
        n = listed(MOVE_DISCARD, may_go(rules, s, player), out)
    else:
        n = listed(MOVE_KEEP, pack(s, player), out)
    return n


cdef inline Bag pack(const Coney *s, int player) noexcept nogil:
    """Draft: the cards before a player."""
    cdef Bag cards = s.hand[player], found
    cdef int card
    found.word[0] = found.word[1] = 0
    while any_of(&cards):
        card = pop(&cards)
        if s.origin[card] >= IN_PACK:
            bag_flip(&found, card)
    return found

# --- apply: what is asked next ----------------------------------------------------------------------------------------

cdef inline void ask(Coney *s, int phase) noexcept nogil:
    s.phase = phase
    s.waiting = 1 << s.player


cdef inline void ask_chance(Coney *s, int phase) noexcept nogil:
    s.phase = phase
    s.waiting = 0


cdef inline void gain(const Ruleset *rules, Coney *s, uint64_t some) noexcept nogil:
    """Gains of fixed kinds; from a short supply what is left."""
    cdef uint64_t left = some
    cdef int i
    if not covers(s.supply, some):
        left = 0
        for i in range(3):
            left += min(lane(some, i), lane(s.supply, i)) * unit(i)
    s.stock[s.player] += left
    s.supply -= left & rules.limited


cdef inline void pay(const Ruleset *rules, Coney *s, uint64_t some) noexcept nogil:
    s.stock[s.player] -= some
    s.supply += some & rules.limited


cdef inline bint ask_take(const Ruleset *rules, Coney *s, int mode, int n) noexcept nogil:
    """A group of resources is due. False where there is no choice: then what there is has been taken."""
    cdef uint16_t out[WAYS]
    cdef int found
    if lane(s.supply, ALL) == 0:
        return False
    if not covers(s.supply, n * <uint64_t> 0x0001000100010001) or mode == DIFFERENT and n > 2:
        found = gains(rules, s.supply, mode, n, 0, out)
        if found == 1:
            gain(rules, s, rules.way[out[0]])
        if found < 2:
            return False
    ask(s, TAKE)
    return True


cdef inline void take_from_market(Coney *s, int card) noexcept nogil:
    take_out(s.market, 4, card)
    bag_flip(&s.hand[s.player], card)
    if s.players > 1:
        s.origin[card] = PUBLIC
    s.draws -= 1


cdef inline bint ask_draw(const Ruleset *rules, Coney *s) noexcept nogil:
    """A draw is due. False where there is no choice and no chance: then it has been made, or it lapses."""
    cdef int open = market_cards(s), deck = s.deck | s.ordered
    if (open and deck) or open > 1 or (open + deck and s.task == FILL_AGAIN and rules.second_draw_may):
        ask(s, DRAW)
        return True
    if open:
        take_from_market(s, s.market[0])
    elif deck == 0:
        s.draws = 0
    else:
        return draw_deck(s)
    return False


cdef inline bint draw_deck(Coney *s) noexcept nogil:
    """Draw the deck's next card. True if chance must decide."""
    if s.ordered == 0:
        ask_chance(s, DRAWN)
        return True
    bag_flip(&s.hand[s.player], next_known(s))
    s.draws -= 1
    watch_deck(s)
    return False


cdef inline int short_of(const Ruleset *rules, const Coney *s) noexcept nogil:
    """How many cards the hand lacks."""
    return max(0, rules.hand - bag_count(&s.hand[s.player]))


cdef void proceed(const Ruleset *rules, Coney *s) noexcept nogil:
    """Go on with the task until somebody or chance must decide."""
    cdef const Effect *effect
    cdef uint32_t rabbits
    while s.task == BREEDING:               # all draws, then all groups, then feeding
        if s.draws:
            if ask_draw(rules, s):
                return
            continue
        rabbits = occupied(s.lanes[s.player]) >> s.cell << s.cell
        while rabbits:
            s.cell = bit_first(rabbits)
            effect = &rules.card[s.farm[s.player][s.cell]].effect
            if rules.card[s.farm[s.player][s.cell]].timing == IN_BREED:
                while s.group < effect.groups:
                    if ask_take(rules, s, effect.mode[s.group], effect.size[s.group]):
                        return
                    s.group += 1
            s.group = 0
            rabbits &= rabbits - 1
        s.cell = 0
        s.task = NO_TASK
        feed_next(rules, s)
        return
    while s.task == FILL_UP or s.task == FILL_AGAIN:
        if s.draws:
            if ask_draw(rules, s):
                return
        elif s.task == FILL_UP:
            s.task = NO_TASK
            s.low = 0
            ask_reserve(rules, s)
            return
        else:
            s.task = GATHER
            if ask_take(rules, s, ANY, 2):
                return
            end_turn(rules, s)
            return
    if s.task == GATHER:
        end_turn(rules, s)
        return
    effect = &rules.card[s.source].sale
    if s.task == COUPON:
        effect = &rules.card[s.source].effect
    while s.group < effect.groups:
        if ask_take(rules, s, effect.mode[s.group], effect.size[s.group]):
            return
        s.group += 1
    while s.draws:
        if ask_draw(rules, s):
            return
    s.group = 0
    if s.task == COUPON:
        s.task = NO_TASK
        s.source = NONE
        if effect.sells and s.reserve[s.player][0] != NONE:
            ask(s, SELL_RESERVED)
        else:
            end_placement(rules, s)
        return
    throw_away(s, s.source)
    s.source = NONE
    if s.task == SALE:
        ask(s, PLACE_FIRST)
    else:
        end_placement(rules, s)
    s.task = NO_TASK


cdef inline void begin(const Ruleset *rules, Coney *s, int task, int card, const Effect *effect) noexcept nogil:
    """A sale or a coupon: gains of fixed kinds at once, then the rest."""
    s.task = task
    s.source = card
    s.draws = effect.draws
    gain(rules, s, effect.gain)
    proceed(rules, s)


cdef inline void end_placement(const Ruleset *rules, Coney *s) noexcept nogil:
    s.task = NO_TASK
    if s.placed == 2:
        end_turn(rules, s)
    else:
        ask(s, PLACE_SECOND)


cdef inline void feed_next(const Ruleset *rules, Coney *s) noexcept nogil:
    if hungry(rules, s, s.player):
        ask(s, FEED)
    else:
        end_turn(rules, s)


cdef inline void fill(const Ruleset *rules, Coney *s, int task) noexcept nogil:
    """Refill: draw up to the hand limit."""
    s.task = task
    s.draws = short_of(rules, s)
    s.low = 0
    proceed(rules, s)


cdef inline void ask_reserve(const Ruleset *rules, Coney *s) noexcept nogil:
    cdef int full = rules.reserve == 0 or s.reserve[s.player][rules.reserve - 1] != NONE
    if full or not any_of(&s.hand[s.player]):
        fill(rules, s, FILL_AGAIN)
    else:
        ask(s, RESERVE)


cdef void end_turn(const Ruleset *rules, Coney *s) noexcept nogil:
    """End of a turn: the hand limit, the market, the next player."""
    s.task = NO_TASK
    s.group = s.placed = s.sold = s.cell = 0
    if bag_count(&s.hand[s.player]) > rules.hand:
        ask(s, LIMIT)
    else:
        fill_market(rules, s)


cdef inline void fill_market(const Ruleset *rules, Coney *s) noexcept nogil:
    s.low = 0
    while s.market[rules.market - 1] == NONE:
        if s.ordered:
            put_in_order(s.market, rules.market, next_known(s))
            watch_deck(s)
        elif s.deck:
            ask_chance(s, MARKET)
            return
        else:
            break
    next_turn(rules, s)


cdef inline void next_turn(const Ruleset *rules, Coney *s) noexcept nogil:
    """End and score: solo after a number of turns, else before the first player's turn."""
    cdef int player
    cdef bint over = False
    if s.task == SET_UP:
        s.task = NO_TASK
    elif s.players == 1:
        s.turn += 1
        over = s.turn == rules.turns
    else:
        s.player += 1
        if s.player == s.players:
            s.player = 0
            s.turn += 1
            over = s.turn == rules.max_rounds
            for player in range(s.players):
                over |= occupied(s.lanes[player]) == 511
    if over:
        ask_chance(s, OVER)
    else:
        ask(s, ACTION)

# --- apply: what is done ----------------------------------------------------------------------------------------------

cdef inline void act(const Ruleset *rules, Coney *s, int action) noexcept nogil:
    cdef uint32_t rabbits
    cdef const Card *card
    cdef uint64_t some = 0
    if s.players == 1:
        s.last = action
    if action == PLACE:
        ask(s, PLACE_FIRST)
    elif action == REFILL:
        ask_discard(rules, s)
    else:
        s.task = BREEDING
        rabbits = occupied(s.lanes[s.player])
        while rabbits:
            card = &rules.card[s.farm[s.player][bit_first(rabbits)]]
            rabbits &= rabbits - 1
            if card.timing == IN_BREED:
                some += card.effect.gain
                s.draws += card.effect.draws
        gain(rules, s, some)
        proceed(rules, s)


cdef inline void ask_discard(const Ruleset *rules, Coney *s) noexcept nogil:
    if any_of(&s.hand[s.player]):
        ask(s, DISCARD)
    else:
        fill(rules, s, FILL_UP)


cdef inline void lay(const Ruleset *rules, Coney *s, int card, int place) noexcept nogil:
    """A card that was paid for is put on the farm; its immediate coupon fires."""
    lay_at(rules, s, s.player, card, make_room(s, s.player, place))
    s.placed += 1
    s.source = NONE
    s.cell = 0
    if rules.card[card].timing == NOW:
        begin(rules, s, COUPON, card, &rules.card[card].effect)
    else:
        end_placement(rules, s)


cdef inline void place(const Ruleset *rules, Coney *s, int card, int where) noexcept nogil:
    """Take a card from hand or reserve, pay for it, and lay it."""
    cdef uint64_t rest
    cdef int any = rules.card[card].cost_any
    if has(&s.hand[s.player], card):
        show(s, s.player, card)
    else:
        take_out(s.reserve[s.player], 2, card)
    pay(rules, s, rules.card[card].fixed)
    if any:
        rest = s.stock[s.player]
        if lane(rest, ALL) > any and lane(rest, ALL) != max(max(lane(rest, CARROT), lane(rest, PELLET)), lane(rest, HAY)):
            s.source = card
            s.cell = where
            ask(s, PAY)
            return
        pay(rules, s, rest if lane(rest, ALL) == any else all_of_one(rest, any))
    lay(rules, s, card, where)


cdef inline uint64_t all_of_one(uint64_t some, int n) noexcept nogil:
    """n of the only kind that there is."""
    return n * unit(CARROT if lane(some, CARROT) else PELLET if lane(some, PELLET) else HAY)


cdef inline void sell(const Ruleset *rules, Coney *s, int card) noexcept nogil:
    """Place: sell a rabbit of the farm."""
    cdef int cell = 0
    while s.farm[s.player][cell] != card:
        cell += 1
    lift(rules, s, s.player, cell)
    s.sold = True
    begin(rules, s, SALE, card, &rules.card[card].sale)


cdef inline void feed(const Ruleset *rules, Coney *s, int card) noexcept nogil:
    cdef int player = s.player, cell = 0
    while s.farm[player][cell] != card:
        cell += 1
    s.tokens[player][cell] += 1
    s.stock[player] -= unit(rules.card[card].counted)
    s.cell = cell + 1
    feed_next(rules, s)


cdef void pass_on(const Ruleset *rules, Coney *s) noexcept nogil:
    """Draft: everybody keeps what he chose and passes the rest to the left; the last cards are discarded."""
    cdef Bag packs[SEATS]
    cdef Bag cards
    cdef int player, card, left, opener
    for player in range(s.players):
        card = s.chosen[player]
        opener = s.origin[card] - IN_PACK
        s.origin[card] = PICKED + HAND * opener + s.pick
        s.chosen[player] = NONE
        packs[player] = pack(s, player)
        s.hand[player].word[0] ^= packs[player].word[0]
        s.hand[player].word[1] ^= packs[player].word[1]
    s.pick += 1
    for player in range(s.players):
        left = player + 1 if player + 1 < s.players else 0
        if s.pick < rules.hand:
            s.hand[left] = both(&s.hand[left], &packs[player])
            s.waiting |= 1 << player
        else:
            cards = packs[player]
            s.origin[pop(&cards)] = 0
            s.discard = both(&s.discard, &packs[player])
    if s.pick == rules.hand:
        s.pick = 0
        s.fresh = (1 << s.players) - 1
        watch_deck(s)
        fill_market(rules, s)


cdef inline void apply(const void *ruleset, void *state, int player, int move) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Coney *s = <Coney *> state
    cdef int card
    if move >= MOVE_LAY:
        place(rules, s, (move - MOVE_LAY) // PLACES, (move - MOVE_LAY) % PLACES)
    elif move >= MOVE_FEED:
        feed(rules, s, move - MOVE_FEED)
    elif move >= MOVE_SELL:
        card = move - MOVE_SELL
        if s.phase == SELL_RESERVED:
            take_out(s.reserve[player], 2, card)
            begin(rules, s, SALE_RESERVED, card, &rules.card[card].sale)
        else:
            sell(rules, s, card)
    elif move >= MOVE_RESERVE:
        card = move - MOVE_RESERVE
        show(s, player, card)
        put_in_order(s.reserve[player], 2, card)
        s.low = card + 1
        ask_reserve(rules, s)
    elif move >= MOVE_DRAW:
        take_from_market(s, move - MOVE_DRAW)
        proceed(rules, s)
    elif move >= MOVE_DISCARD:
        card = move - MOVE_DISCARD
        show(s, player, card)
        throw_away(s, card)
        s.low = card + 1
        if s.phase == DISCARD:
            ask_discard(rules, s)
        elif bag_count(&s.hand[player]) == rules.hand:
            fill_market(rules, s)
    elif move >= MOVE_KEEP:
        s.chosen[player] = move - MOVE_KEEP
        s.waiting ^= 1 << player
        if s.waiting == 0:
            pass_on(rules, s)
    elif move >= MOVE_TAKE:
        gain(rules, s, rules.way[move - MOVE_TAKE])
        s.group += 1
        proceed(rules, s)
    elif move >= MOVE_PAY:
        pay(rules, s, rules.way[move - MOVE_PAY])
        lay(rules, s, s.source, s.cell)
    elif move == MOVE_DECK:
        if not draw_deck(s):
            proceed(rules, s)
    elif move == MOVE_DONE:
        finish_question(rules, s)
    else:
        act(rules, s, move - MOVE_ACTION)


cdef inline void finish_question(const Ruleset *rules, Coney *s) noexcept nogil:
    """A player is done with what may be done several times, or not at all."""
    if s.phase == DISCARD:
        fill(rules, s, FILL_UP)
    elif s.phase == RESERVE:
        fill(rules, s, FILL_AGAIN)
    elif s.phase == SELL_RESERVED:
        end_placement(rules, s)
    elif s.phase == DRAW:
        s.draws = 0
        proceed(rules, s)
    else:
        end_turn(rules, s)

# --- chance -----------------------------------------------------------------------------------------------------------

cdef inline bint is_chance(const Coney *s) noexcept nogil:
    return s.phase == DEAL or s.phase == MARKET or s.phase == DRAWN


cdef inline Bag may_come(const Coney *s) noexcept nogil:
    """What the deck's next card may be: all cards not seen since it was shuffled, wherever they lie."""
    cdef Bag cards = s.bag, rest = s.bag
    cdef int card
    if s.trail.slots[0] and s.players > 1:          # a view: other cards of unknown place lie in hands
        while any_of(&rest):
            card = pop(&rest)
            if s.origin[card]:
                bag_flip(&cards, card)
    return cards


cdef int outcomes(const void *ruleset, const void *state, Outcome *out) noexcept nogil:
    cdef const Coney *s = <const Coney *> state
    cdef Bag cards
    cdef int n = 0
    if is_chance(s):
        cards = may_come(s)
        while any_of(&cards):
            out[n].id = pop(&cards)
            out[n].weight = 1
            n += 1
    return n


cdef void settle(const void *ruleset, void *state, int outcome) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Coney *s = <Coney *> state
    bag_flip(&s.bag, outcome)
    s.deck -= 1
    if s.phase == MARKET:
        put_in_order(s.market, rules.market, outcome)
        watch_deck(s)
        fill_market(rules, s)
        return
    bag_flip(&s.hand[s.player], outcome)
    if s.phase == DRAWN:
        watch_deck(s)
        s.draws -= 1
        proceed(rules, s)
    else:
        deal_next(rules, s, outcome)


cdef inline void deal_next(const Ruleset *rules, Coney *s, int card) noexcept nogil:
    """Set-up: so many cards for a solo hand, a pack for each of several players."""
    cdef int n = bag_count(&s.hand[s.player])
    if s.players == 1:
        if n == rules.hand + 2:
            ask(s, LIMIT)
        return
    s.origin[card] = IN_PACK + s.player
    if n == rules.hand + 1:
        s.player += 1
        if s.player == s.players:
            s.player = 0
            s.phase = DRAFT
            s.waiting = (1 << s.players) - 1


cdef inline bint roll(const void *ruleset, void *state, Rng *rng) noexcept nogil:
    cdef Coney *s = <Coney *> state
    cdef Bag cards
    if not is_chance(s):
        return False
    cards = may_come(s)
    settle(ruleset, state, bag_select(&cards, rng_below(rng, bag_count(&cards))))
    return True

# --- knowledge --------------------------------------------------------------------------------------------------------

# What a viewer does not know is which card of a class lies in which of the class's places. A class is a number like an
# origin: below PICKED, all cards in the deck or drawn from it so many reshuffles ago; else PICKED + HAND * pack + the
# pick at which he last looked at that pack: what has left it since, or lies in it, and he has not seen again.

cdef inline int last_look(const Coney *s, int viewer, int opener, int pick) noexcept nogil:
    """The last pick before this one at which the viewer had a pack before him; -1 for none. Packs go to the left."""
    cdef int first = viewer - opener + (s.players if viewer < opener else 0)
    return first + (pick - 1 - first) // s.players * s.players if first < pick else -1


cdef inline int class_of(const Coney *s, int viewer, int origin) noexcept nogil:
    """The class of a card in somebody else's hand."""
    cdef int opener, pick = s.pick
    if origin < PICKED or origin == PUBLIC:
        return origin
    if origin >= IN_PACK:
        opener = origin - IN_PACK
    else:
        opener = (origin - PICKED) // HAND
        pick = (origin - PICKED) % HAND
    pick = last_look(s, viewer, opener, pick)
    return s.first if pick < 0 else PICKED + HAND * opener + pick


cdef inline int hand_at(const Coney *s, int opener, int pick) noexcept nogil:
    """Who has a pack before him at a pick."""
    return (opener + pick) % s.players


cdef inline int opener_of(const Coney *s, int player, int pick) noexcept nogil:
    """Whose pack a player has before him at a pick."""
    return (player + s.players * HAND - pick) % s.players


cdef int secrets(const void *ruleset, const void *state) noexcept nogil:
    """Solo there is chance alone; else hand cards are secret that did not come from the market."""
    cdef const Coney *s = <const Coney *> state
    cdef Bag cards
    cdef int player
    if s.players == 1:
        return PERFECT
    for player in range(s.players):
        cards = s.hand[player]
        while any_of(&cards):
            if s.origin[pop(&cards)] != PUBLIC:
                return HIDDEN
    return HIDDEN if s.trail.slots[0] else OPEN


cdef void hide(const void *ruleset, void *state, int viewer) noexcept nogil:
    cdef Coney *s = <Coney *> state
    cdef Bag cards
    cdef uint16_t slots[SLOTS]
    cdef int player, card, kind, n = 0, i, j, slot
    if s.players == 1:
        return
    while n < SLOTS and s.trail.slots[2 * n]:
        slots[n] = s.trail.slots[2 * n] << 8 | s.trail.slots[2 * n + 1]
        n += 1
    for player in range(s.players):
        if player == viewer:
            continue
        if s.chosen[player] != NONE:
            s.chosen[player] = SECRET
        cards = s.hand[player]
        while any_of(&cards):
            card = pop(&cards)
            kind = class_of(s, viewer, s.origin[card])
            if kind != PUBLIC:
                s.origin[card] = kind
                bag_flip(&s.hand[player], card)
                bag_flip(&s.bag, card)
                slots[n] = (player + 1) << 8 | kind
                n += 1
    for i in range(1, n):
        slot = slots[i]
        j = i
        while j > 0 and slots[j - 1] > slot:
            slots[j] = slots[j - 1]
            j -= 1
        slots[j] = slot
    for i in range(n):
        s.trail.slots[2 * i] = slots[i] >> 8
        s.trail.slots[2 * i + 1] = slots[i] & 255


cdef int unseen_picks(const Ruleset *rules, const Coney *s, int viewer, int player, uint8_t *out) noexcept nogil:
    """The origins of what a player kept in the draft from packs that the viewer had not looked at before."""
    cdef int pick, opener, n = 0, picks = s.pick if s.phase == DRAFT else rules.hand
    for pick in range(picks):
        opener = opener_of(s, player, pick)
        if last_look(s, viewer, opener, pick) < 0 and opener != viewer:
            out[n] = PICKED + HAND * opener + pick
            n += 1
    return n


cdef int origin_in(const Coney *s, int player, int kind) noexcept nogil:
    """What the only card of a pack's class in a player's hand is: still in the pack, or the pick it was kept at."""
    cdef int opener = (kind - PICKED) // HAND, pick = (kind - PICKED) % HAND + 1
    while hand_at(s, opener, pick) != player:
        pick += 1
    if s.phase == DRAFT and pick == s.pick:
        return IN_PACK + opener
    return PICKED + HAND * opener + pick


cdef void resample(const void *ruleset, void *state, int viewer, Rng *rng) noexcept nogil:
    """Lay the cards of each class at random into its places.

    Who else has seen a card follows for those of a pack that the viewer looked at. Of those he never saw, it is what the
    draft says as long as their owner has shown no card; after that, as if they had been drawn.
    """
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Coney *s = <Coney *> state
    cdef Bag rest, cards
    cdef Bag of[256]
    cdef uint8_t picks[HAND]
    cdef int i = 0, card, player, kind, owner = -1, unseen = 0, used = 0
    hide(ruleset, state, viewer)
    if s.players == 1 or not s.trail.slots[0]:
        return
    while i < SLOTS and s.trail.slots[2 * i]:
        of[s.trail.slots[2 * i + 1]].word[0] = of[s.trail.slots[2 * i + 1]].word[1] = 0
        i += 1
    of[0].word[0] = of[0].word[1] = 0
    rest = s.bag
    while any_of(&rest):
        card = pop(&rest)
        bag_flip(&of[s.origin[card]], card)
    for i in range(SLOTS):
        if s.trail.slots[2 * i] == 0:
            break
        player = s.trail.slots[2 * i] - 1
        kind = s.trail.slots[2 * i + 1]
        cards = of[kind]
        card = bag_select(&cards, rng_below(rng, bag_count(&cards)))
        bag_flip(&of[kind], card)
        bag_flip(&s.bag, card)
        bag_flip(&s.hand[player], card)
        if kind >= PICKED:
            s.origin[card] = origin_in(s, player, kind)
            continue
        if player != owner:
            owner = player
            used = 0
            unseen = unseen_picks(rules, s, viewer, player, picks) if s.phase == DRAFT or s.fresh >> player & 1 else 0
        s.origin[card] = kind
        if s.phase == DEAL:
            s.origin[card] = IN_PACK + player
        elif kind == s.first:
            if used < unseen:
                s.origin[card] = picks[used]
                used += 1
            elif s.phase == DRAFT:
                s.origin[card] = IN_PACK + opener_of(s, player, s.pick)
    memset(&s.trail, 0, sizeof(Trail))
    for player in range(s.players):
        if s.chosen[player] == SECRET:
            s.chosen[player] = NONE
            s.waiting |= 1 << player


cdef uint64_t key(const void *ruleset, const void *state) noexcept nogil:
    """Of all that is not implied by the rest: the bag, the supply and the bitboards are."""
    cdef const Coney *s = <const Coney *> state
    cdef Hash hash = hash_start(s.players)
    cdef int player
    hash_bytes(&hash, &s.discard, sizeof(Bag))
    for player in range(s.players):
        hash_bytes(&hash, &s.hand[player], sizeof(Bag))
        hash_add(&hash, s.stock[player])
    hash_bytes(&hash, s.farm, <size_t> (<const char *> s.origin - <const char *> s.farm))
    if s.players > 1:
        hash_bytes(&hash, s.origin, sizeof(s.origin))
    if s.ordered or s.trail.slots[0]:
        hash_bytes(&hash, &s.trail, sizeof(Trail))
    return hash_fold(&hash)


cdef uint64_t view_key(const void *ruleset, const void *state, int viewer) noexcept nogil:
    cdef Coney seen
    memcpy(&seen, state, sizeof(Coney))
    hide(ruleset, &seen, viewer)
    return key(ruleset, &seen)

# --- score ------------------------------------------------------------------------------------------------------------

cdef inline int tally(const Ruleset *rules, const Coney *s, int player, int32_t *parts) noexcept nogil:
    """A player's points; `parts`: by source, to be added to, or NULL."""
    cdef int farm = tally_farm(rules, s.lanes[player], s.farm[player], s.tokens[player], parts)
    cdef int unspent = lane(s.stock[player], ALL) // rules.resources_per_point
    cdef int penalty = rules.reserved_penalty * reserved_cards(s, player)
    if parts != NULL:
        parts[<int> UNSPENT] += unspent
        parts[<int> RESERVED] -= penalty
    return farm + unspent - penalty


cdef inline int points_of(const Ruleset *rules, const Coney *s, int player) noexcept nogil:
    return tally(rules, s, player, NULL)


cdef void score(const void *ruleset, const void *state, int32_t *points, int32_t *tiebreak) noexcept nogil:
    """End and score: the farm, unspent resources, and what is left in the reserve; ties share."""
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Coney *s = <const Coney *> state
    cdef int player
    for player in range(s.players):
        points[player] = points_of(rules, s, player)
        tiebreak[player] = 0


cdef int sources(const void *ruleset, const void *state, int32_t *out) noexcept nogil:
    """Printed points, the three kinds of coupons, logos, unspent resources, reserved cards."""
    cdef const Coney *s = <const Coney *> state
    cdef int player
    memset(out, 0, s.players * MAX_SOURCES * sizeof(int32_t))
    for player in range(s.players):
        tally(<const Ruleset *> ruleset, s, player, out + player * MAX_SOURCES)
    return SOURCES


# --- playout ----------------------------------------------------------------------------------------------------------

# Whole turns at once, with the distribution of uniform moves one by one. Who has seen what does not matter here: hands,
# deck and discards are plain rows of cards, the hands ascending; farms, stocks and the supply stay in the state, and
# `Coney.player` is whose turn it is.

cdef extern from "farm.h" nogil:
    void row_clear(uint8_t *row)
    void row_put(uint8_t *row, int count, int card)
    int row_take(uint8_t *row, int count, int i)

ctypedef struct Play:
    Coney *s
    Urn deck                        # without the ordered cards
    int next                        # the first ordered card not drawn yet
    int held[SEATS]
    int open
    int discards
    uint8_t market[8]
    uint8_t discard[CARDS]
    uint8_t hand[SEATS][32]


cdef inline void unpack(const Coney *s, Play *play) noexcept nogil:
    cdef Bag cards
    cdef int player
    play.next = play.discards = 0
    urn_open(&play.deck, &s.bag)
    for player in range(s.players):
        cards = s.hand[player]
        play.held[player] = 0
        row_clear(play.hand[player])
        while any_of(&cards):
            play.hand[player][play.held[player]] = pop(&cards)
            play.held[player] += 1
    cards = s.discard
    while any_of(&cards):
        play.discard[play.discards] = pop(&cards)
        play.discards += 1
    play.open = market_cards(s)
    memcpy(play.market, s.market, 4)


cdef inline bint has_deck(const Play *play) noexcept nogil:
    return play.deck.count > 0 or play.next < play.s.ordered


cdef inline void renew(Play *play) noexcept nogil:
    """The discard pile becomes the new deck if that is empty."""
    if not has_deck(play):
        memcpy(play.deck.card, play.discard, play.discards)
        play.deck.count = play.discards
        play.discards = 0


cdef inline int deal_card(Play *play, Rng *rng) noexcept nogil:
    """The next card of a deck that is not empty."""
    cdef int card
    if play.next < play.s.ordered:
        card = play.s.trail.order[play.next]
        play.next += 1
    else:
        card = urn_take(&play.deck, rng_below(rng, play.deck.count))
    renew(play)
    return card


cdef inline void put_away(Play *play, int card) noexcept nogil:
    play.discard[play.discards] = card
    play.discards += 1
    renew(play)


cdef inline void hold(Play *play, int player, int card) noexcept nogil:
    """Take a card into the hand."""
    row_put(play.hand[player], play.held[player], card)
    play.held[player] += 1


cdef inline int let_go(Play *play, int player, int i) noexcept nogil:
    """Take the i-th card out of the hand."""
    cdef int card = row_take(play.hand[player], play.held[player], i)
    play.held[player] -= 1
    return card


cdef inline void draw_cards(Play *play, int n, bint may_stop, Rng *rng) noexcept nogil:
    """Draw from market and deck at random; with `may_stop`, done is one more answer each time."""
    cdef int choice, answers, card
    while n:
        n -= 1
        answers = play.open + has_deck(play)
        if answers == 0:
            return
        choice = rng_below(rng, answers + may_stop)
        if choice < play.open:
            card = play.market[choice]
            play.open -= 1
            play.market[choice] = play.market[play.open]
        elif choice == answers:
            return
        else:
            card = deal_card(play, rng)
        hold(play, play.s.player, card)


cdef inline void take_some(const Ruleset *rules, Coney *s, int mode, int n, Rng *rng) noexcept nogil:
    """A group of resources at random."""
    cdef uint16_t ways[WAYS]
    cdef uint64_t some
    cdef int found
    if covers(s.supply, n * <uint64_t> 0x0001000100010001):
        if mode == ANY:
            some = rules.way[n * (n + 1) * (n + 2) // 6 + <int> rng_below(rng, (n + 1) * (n + 2) // 2)]
        elif mode == SAME:
            some = n * unit(rng_below(rng, 3))
        elif n == 1:
            some = unit(rng_below(rng, 3))
        else:
            some = unit(CARROT) + unit(PELLET) + unit(HAY)
            if n == 2:
                some -= unit(rng_below(rng, 3))
    else:
        found = gains(rules, s.supply, mode, n, 0, ways)
        if found == 0:
            return
        some = rules.way[ways[rng_below(rng, found)]]
    s.stock[s.player] += some
    s.supply -= some & rules.limited


cdef inline void receive(const Ruleset *rules, Play *play, const Effect *effect, Rng *rng) noexcept nogil:
    cdef int i
    gain(rules, play.s, effect.gain)
    for i in range(effect.groups):
        take_some(rules, play.s, effect.mode[i], effect.size[i], rng)
    if effect.draws:
        draw_cards(play, effect.draws, False, rng)


cdef inline uint32_t some_of(const Ruleset *rules, int room, int n, Rng *rng) noexcept nogil:
    """Which of n cards, a mask, are named one by one, ascending, until `done` or no room is left; see `fill_subsets`."""
    cdef uint64_t word = rng_next(rng)
    cdef const Subset *subset = &rules.subset[room][(1 << n) + <int> (word >> (64 - n))]
    return subset.mask if <uint32_t> word < subset.chance else subset.other


cdef inline void play_refill(const Ruleset *rules, Play *play, Rng *rng) noexcept nogil:
    cdef Coney *s = play.s
    cdef int player = s.player, n = play.held[player], i, kept = 0, gone = play.discards, room
    cdef uint8_t *hand = play.hand[player]
    cdef uint32_t some
    if n:
        some = ~some_of(rules, 0, n, rng)
        for i in range(n):              # both rows get the card, and one keeps it
            hand[kept] = play.discard[gone] = hand[i]
            kept += some & 1
            gone += not some & 1
            some >>= 1
        memset(hand + kept, NONE, HAND)
        play.held[player] = kept
        play.discards = gone
        renew(play)
    draw_cards(play, rules.hand - kept, False, rng)
    n = play.held[player]
    room = rules.reserve - reserved_cards(s, player)
    if room > 0 and n:
        some = some_of(rules, room, n, rng)
        while some:
            i = 31 - leading_of(some)
            some ^= (<uint32_t> 1) << i
            put_in_order(s.reserve[player], 2, let_go(play, player, i))
        draw_cards(play, rules.hand - play.held[player], rules.second_draw_may, rng)
    take_some(rules, s, ANY, 2, rng)


cdef inline void play_breed(const Ruleset *rules, Play *play, Rng *rng) noexcept nogil:
    cdef Coney *s = play.s
    cdef int player = s.player, cell, i, draws = 0, choice
    cdef uint32_t rabbits = occupied(s.lanes[player]), choosers = 0, eaters = 0, some
    cdef uint64_t gains = 0
    cdef const Card *card
    while rabbits:
        cell = bit_first(rabbits)
        rabbits &= rabbits - 1
        card = &rules.card[s.farm[player][cell]]
        if card.timing == IN_BREED:
            gains += card.effect.gain
            draws += card.effect.draws
            choosers |= <uint32_t> (card.effect.groups > 0) << cell
        elif card.timing == AT_END and card.counts == TOKENS:
            eaters |= (<uint32_t> 1) << cell
    if gains:
        gain(rules, s, gains)
    draw_cards(play, draws, False, rng)
    while choosers:
        cell = bit_first(choosers)
        choosers &= choosers - 1
        card = &rules.card[s.farm[player][cell]]
        for i in range(card.effect.groups):
            take_some(rules, s, card.effect.mode[i], card.effect.size[i], rng)
    while eaters:
        some = eaters
        while some:
            cell = bit_first(some)
            some &= some - 1
            if lane(s.stock[player], rules.card[s.farm[player][cell]].counted) == 0:
                eaters ^= (<uint32_t> 1) << cell
        choice = rng_below(rng, bit_count(eaters) + 1)
        if choice == 0:
            return
        cell = bit_select(eaters, choice - 1)
        s.tokens[player][cell] += 1
        s.stock[player] -= unit(rules.card[s.farm[player][cell]].counted)
        eaters = eaters >> (cell + 1) << (cell + 1)


cdef inline void pay_for(const Ruleset *rules, Coney *s, int card, Rng *rng) noexcept nogil:
    """Pay for a card, what is free to choose at random."""
    cdef uint16_t ways[WAYS]
    cdef int n
    pay(rules, s, rules.card[card].fixed)
    if rules.card[card].cost_any:
        n = payments(rules, s.stock[s.player], rules.card[card].cost_any, 0, ways)
        pay(rules, s, rules.way[ways[rng_below(rng, n)]])


cdef enum:
    WORDS = (MOST_IN_HAND + 3) // 2

ctypedef struct Choices:                # what may be placed now
    int cards                           # in `card`, the hand and then the reserve
    int total                           # placements
    int words
    uint8_t card[32 + 2]
    uint64_t places[WORDS]              # by card, nine bits each, or twenty-five with a sliding frame, none across words


cdef inline void find_choices(const Ruleset *rules, const Play *play, Choices *out) noexcept nogil:
    cdef const Coney *s = play.s
    cdef int player = s.player, held = play.held[player], n = held + reserved_cards(s, player), i, at = 0
    cdef int width = PLACES if rules.sliding else CELLS
    cdef uint64_t stock = s.stock[player], places, word = 0
    cdef const Card *card
    cdef Facts facts
    memcpy(out.card, play.hand[player], 16)
    if held > 16:
        memcpy(out.card, play.hand[player], 32)
    memcpy(out.card + held, s.reserve[player], 2)
    out.cards = n
    out.words = out.total = 0
    look(rules, s.lanes[player], &facts)
    for i in range(n):
        card = &rules.card[out.card[i]]
        places = 0
        if covers(stock, card.price):
            if rules.sliding:
                places = slides(rules, s.lanes[player], s.farm[player], card)
            else:
                places = fits(rules, card, s.lanes[player], s.farm[player], &facts)
        if at + width > 64:
            out.places[out.words] = word
            out.total += bit_count(word)
            out.words += 1
            at = 0
            word = 0
        word |= places << at
        at += width
    out.places[out.words] = word
    out.total += bit_count(word)


cdef inline void put_down(const Ruleset *rules, Play *play, const Choices *choices, int choice, Rng *rng) noexcept nogil:
    """Make the placement with this number."""
    cdef Coney *s = play.s
    cdef int player = s.player, word = 0, card, i, at
    while choice >= bit_count(choices.places[word]):
        choice -= bit_count(choices.places[word])
        word += 1
    at = bit_select(choices.places[word], choice)
    if rules.sliding:
        i = 2 * word + at // PLACES
        at = make_room(s, player, at % PLACES)
    else:
        i = 7 * word + at // CELLS
        at %= CELLS
    card = choices.card[i]
    if i < play.held[player]:
        let_go(play, player, i)
    else:
        take_out(s.reserve[player], 2, card)
    pay_for(rules, s, card, rng)
    lay_at(rules, s, player, card, at)
    if rules.card[card].timing == NOW:
        use_coupon(rules, play, &rules.card[card].effect, rng)


cdef void use_coupon(const Ruleset *rules, Play *play, const Effect *effect, Rng *rng) noexcept nogil:
    """The immediate coupon of the card just placed."""
    cdef Coney *s = play.s
    cdef int player = s.player, choice, card
    receive(rules, play, effect, rng)
    if effect.sells and s.reserve[player][0] != NONE:
        choice = rng_below(rng, 1 + reserved_cards(s, player))
        if choice:
            card = s.reserve[player][choice - 1]
            take_out(s.reserve[player], 2, card)
            receive(rules, play, &rules.card[card].sale, rng)
            put_away(play, card)


cdef inline void play_place(const Ruleset *rules, Play *play, Rng *rng) noexcept nogil:
    cdef Coney *s = play.s
    cdef int player = s.player, choice, card, cell, sold = 0, placed = 0, rabbits, done
    cdef Choices choices
    while placed < 2:
        find_choices(rules, play, &choices)
        rabbits = 0 if placed else bit_count(occupied(s.lanes[player]))
        done = placed | rules.place_nothing | (sold & (choices.total == 0))
        choice = rng_below(rng, choices.total + rabbits + done)
        if choice < choices.total:
            put_down(rules, play, &choices, choice, rng)
            placed += 1
            continue
        choice -= choices.total
        if choice == rabbits:
            return
        cell = bit_select(occupied(s.lanes[player]), choice)
        card = s.farm[player][cell]
        lift(rules, s, player, cell)
        receive(rules, play, &rules.card[card].sale, rng)
        put_away(play, card)
        sold = 1


cdef inline int choose_action(const Ruleset *rules, const Play *play, Rng *rng) noexcept nogil:
    cdef const Coney *s = play.s
    cdef Choices choices
    cdef int action
    if not rules.place_nothing and s.last != PLACE and occupied(s.lanes[s.player]) == 0:
        find_choices(rules, play, &choices)
        if choices.total == 0:
            return (BREED + rng_below(rng, 2)) if s.last == NO_ACTION else BREED + REFILL - s.last
    action = rng_below(rng, 3 - (s.last != NO_ACTION))
    return action + (s.last <= action)


cdef inline void play_limit(const Ruleset *rules, Play *play, Rng *rng) noexcept nogil:
    """Discard down to the hand limit, ascending."""
    cdef int player = play.s.player, low = 0
    while play.held[player] > rules.hand:
        low += rng_below(rng, rules.hand - low + 1)
        put_away(play, let_go(play, player, low))


cdef inline void play_market(const Ruleset *rules, Play *play, Rng *rng) noexcept nogil:
    while play.open < rules.market and has_deck(play):
        play.market[play.open] = deal_card(play, rng)
        play.open += 1


cdef inline void to_next_turn(const Ruleset *rules, Coney *s, Rng *rng) noexcept nogil:
    """Finish the turn, or the draft, with uniform moves one by one."""
    cdef uint16_t moves[MAX_LEGAL]
    cdef uint32_t waiting
    cdef int player
    while s.phase != ACTION and s.phase != OVER and (s.phase != DEAL or s.players > 1):
        waiting = s.waiting
        if waiting == 0:
            roll(rules, s, rng)
        while waiting:
            player = bit_first(waiting)
            waiting &= waiting - 1
            apply(rules, s, player, moves[rng_below(rng, legal(rules, s, player, moves))])


cdef void playout(const void *ruleset, void *state, Rng *rng) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Coney *s = <Coney *> state
    cdef Play play
    cdef Rng own
    cdef int action
    to_next_turn(rules, s, rng)
    if s.phase == OVER:
        return
    own = rng[0]
    play.s = s
    unpack(s, &play)
    if s.phase == DEAL:
        while play.held[0] < rules.hand + 2:
            hold(&play, 0, deal_card(&play, &own))
        play_limit(rules, &play, &own)
        play_market(rules, &play, &own)
        s.task = NO_TASK
    while s.phase != OVER:
        action = choose_action(rules, &play, &own)
        if s.players == 1:
            s.last = action
        if action == PLACE:
            play_place(rules, &play, &own)
        elif action == BREED:
            play_breed(rules, &play, &own)
        else:
            play_refill(rules, &play, &own)
        play_limit(rules, &play, &own)
        play_market(rules, &play, &own)
        next_turn(rules, s)
    rng[0] = own


cdef int rest(const void *state) noexcept nogil:
    """Turns or rounds left, at most."""
    return (<const Coney *> state).turns - (<const Coney *> state).turn

# --- prior ------------------------------------------------------------------------------------------------------------

include "coney_prior.pxi"

# --- exact values -----------------------------------------------------------------------------------------------------

include "coney_last.pxi"

include "coney_observe.pxi"

# --- table ------------------------------------------------------------------------------------------------------------

cdef Rules RULES = Rules(
    name=b"coney", version=1, state_size=sizeof(Coney), num_moves=MOVE_END, num_outcomes=CARDS,
    start=start, actors=actors, legal=legal, apply=apply, outcomes=outcomes, roll=roll, settle=settle, secrets=secrets,
    hide=hide, resample=resample, key=key, view_key=view_key, score=score, sources=sources, observe=observe,
    playout=playout, prior=prior, reduce=reduce, policy=NULL, evaluate=NULL, bound=bound, rest=rest)

ATTRIBUTES = ("male", "female", "white", "black", "grey", "brown", "orange", "wild")
RESOURCES = ("carrot", "pellet", "hay")
PHASES = ("deal", "draft", "market", "action", "place_first", "place_second", "pay", "take", "draw", "drawn",
          "sell_reserved", "feed", "discard", "reserve", "limit", "over")
TASKS = ("", "set_up", "sale", "sale_reserved", "coupon", "breeding", "fill_up", "fill_again", "gather")
MODES = ("any", "same", "different")
# What each multiset of resources is, by its number.
WAYS_TO_TAKE = tuple([(n - rest, rest - hay, hay) for n in range(MOST + 1) for rest in range(n + 1)
                      for hay in range(rest + 1)])
# The first move id of each kind; those of payments go on by multiset, of "lay" by card and place, of the others by card.
MOVES = {"place": MOVE_ACTION + PLACE, "breed": MOVE_ACTION + BREED, "refill": MOVE_ACTION + REFILL, "done": MOVE_DONE,
         "deck": MOVE_DECK, "pay": MOVE_PAY, "take": MOVE_TAKE, "keep": MOVE_KEEP, "discard": MOVE_DISCARD,
         "draw": MOVE_DRAW, "reserve": MOVE_RESERVE, "sell": MOVE_SELL, "feed": MOVE_FEED, "lay": MOVE_LAY}
# Origins of hand cards (see knowledge).
ORIGINS = {"picked": PICKED, "in_pack": IN_PACK, "public": PUBLIC, "picks": HAND}
LIMITS = {"cards": CARDS, "clauses": CLAUSES, "groups": GROUPS, "resources": MOST, "hand": HAND,
          "in_hand": MOST_IN_HAND, "reserve": 2, "market": 4, "supply": 9999, "turns": 60, "players": SEATS,
          "places": PLACES, "points": 100, "draws": 5}


cdef void add_chances(double *found, int n, int low, int mask, int room, double chance) noexcept:
    """Share a chance among the ways to go on: one of the cards from `low` on is named, or none, all alike likely."""
    cdef int card
    if room == 0 or low == n:
        found[mask] += chance
        return
    chance /= n - low + 1
    found[mask] += chance
    for card in range(low, n):
        add_chances(found, n, card + 1, mask | 1 << card, room - 1, chance)


cdef void fill_subsets(Subset *out, int n, int room):
    """Draw the chances of all subsets with one random number (Walker's alias method, in Vose's order)."""
    cdef double found[1 << HAND]
    cdef int mask
    memset(found, 0, sizeof(found))
    add_chances(found, n, 0, 0, room, 1)
    scaled = [found[mask] * (1 << n) for mask in range(1 << n)]
    small = [mask for mask in range(1 << n) if scaled[mask] < 1]
    large = [mask for mask in range(1 << n) if scaled[mask] >= 1]
    for mask in range(1 << n):
        out[mask].mask = out[mask].other = mask
        out[mask].chance = ~(<uint32_t> 0)
    while small and large:
        mask, other = small.pop(), large.pop()
        out[mask].chance = min(int(scaled[mask] * (1 << 32)), (1 << 32) - 1)
        out[mask].other = other
        scaled[other] -= 1 - scaled[mask]
        (small if scaled[other] < 1 else large).append(other)


cdef uint64_t lanes_of(amounts) except? 0:
    """Numbers of carrots, pellets and hay in lanes."""
    return sum([n * unit(i) for i, n in enumerate(amounts)])


cdef int read_effect(Effect *effect, dict data) except -1:
    effect.gain = lanes_of(data["fixed"])
    for mode, size in data["groups"]:
        effect.mode[effect.groups] = MODES.index(mode)
        effect.size[effect.groups] = size
        effect.groups += 1
    effect.draws = data["draws"]
    effect.sells = data["sells"]
    return 0


cdef void count_units(const Effect *effect, float *out):
    """Resources and draws of an effect."""
    out[0] = lane(effect.gain, ALL)
    for i in range(effect.groups):
        out[0] += effect.size[i]
    out[1] = effect.draws


cdef int read_coupon(Card *card, coupon) except -1:
    if coupon is None:
        return 0
    card.timing = ("", "now", "breed", "end").index(coupon[0])
    if card.timing != AT_END:
        return read_effect(&card.effect, coupon[1])
    card.counts = ("neighbour", "line", "here").index(coupon[1])
    card.counted = (RESOURCES if card.counts == TOKENS else ATTRIBUTES).index(coupon[2])
    card.worth = coupon[3]
    return 0


cdef int read_condition(Card *card, list clauses) except -1:
    """The clauses, and the short form of those that fit into it: at most two of two tests."""
    cdef int colours, n
    cdef Clause *clause
    for i in range(TESTS):          # a test that holds everywhere, or, for the second clause, nowhere
        card.word[i] = NOTHING
        card.flip[i] = 511 if i < 2 else 0
    card.clauses = len(clauses)
    card.longer = len(clauses) > 2
    for i, data in enumerate(clauses):
        clause = &card.clause[i]
        memset(clause.at_most, 4, sizeof(clause.at_most))
        tests = []
        colours = 0
        if any(least > most for least, most in data.values()):      # no wild neighbour helps that
            data = {"male": (1, 0)}
        for name, (least, most) in data.items():
            attribute = ATTRIBUTES.index(name)
            clause.at_least[attribute] = max(least, 0)
            clause.at_most[attribute] = min(most, 4)
            if least > 0:
                colours += attribute >= WHITE
                tests.append((attribute + (OR_WILD if attribute >= WHITE else 0), 16 * (least - 1), 0))
            if most < 4:
                tests.append((attribute, 16 * most, 511))
        card.shares |= colours > 1
        if len(tests) > 2 or len(clauses) > 2:
            card.longer = True
            continue
        tests += [(NOTHING, 0, 511)] * (2 - len(tests))
        for n in range(2):
            card.word[2 * i + n], card.shift[2 * i + n], card.flip[2 * i + n] = tests[n]
    return 0


cdef void fill_tables(Ruleset *rules):
    cdef int cells, cell, n
    for cells in range(512):
        for cell in range(CELLS):
            n = bit_count(cells & NEXT_TO[cell])
            while n:
                n -= 1
                rules.around[cells] |= (<uint64_t> 1) << (16 * n + cell)
    for n, amounts in enumerate(WAYS_TO_TAKE):
        rules.way[n] = lanes_of(amounts)


cdef int check_hand(int hand, list cards) except -1:
    """Refuse a deck that can bring too many cards into a hand: all rabbits sold and two placed, or all of them bred."""
    cdef dict draws = {"sale": [card["sale"]["draws"] for card in cards]}
    for timing in ("now", "breed"):
        draws[timing] = [card["coupon"][1]["draws"] for card in cards if card["coupon"] and card["coupon"][0] == timing]
    for numbers in draws.values():
        numbers.sort(reverse=True)
    hand += max(sum(draws["sale"][:CELLS + 2]) + sum(draws["now"][:2]), sum(draws["breed"][:CELLS]))
    if hand > MOST_IN_HAND:
        raise ValueError(f"draws may bring {hand} cards into one hand, more than {MOST_IN_HAND}")
    return 0


def compile(dict data, int players, options, guesses=GUESSES):
    """The core game of a checked ruleset.

    data: the numbers hand, reserve, supply (None: unlimited), turns, max_rounds, market, resources_per_point,
    reserved_penalty, the list logo_points (of 0, 1, 2, … cards, the last one going on), and `cards`, a list of dicts
    in the order of ids:

        points      a number
        attributes  names of ATTRIBUTES: a sex and colours, or "wild" alone
        cost        (carrot, pellet, hay, any)
        condition   clauses, one of which must hold, each a dict of attribute: (at least, at most), 0 .. 4; []: none
        sale        an effect: a dict of fixed (carrot, pellet, hay), groups [(mode, n), …] with mode "any", "same" or
                    "different" in the order printed, draws, sells (a bool)
        coupon      None, ("now", effect), ("breed", effect), or ("end", what, name, points) with what "neighbour" or
                    "line" and an attribute, or "here" and a resource
        logo        0, 1, 2 or None

    options: adjacency, touch, frame, wild_scores, second_draw, place_nothing, as on the rules' page. guesses: the
    weights of the prior, as GUESSES, the standard ones. LIMITS bounds the
    numbers; the face checks them. Raises ValueError for a deck whose draws may bring too many cards into one hand.
    """
    cdef Game game = Game.wrap(&RULES, sizeof(Ruleset), players)
    cdef Ruleset *rules = <Ruleset *> game.ruleset
    cdef Card *card
    cdef int i
    check_hand(data["hand"], data["cards"])
    rules.players = players
    rules.cards = len(data["cards"])
    rules.hand, rules.reserve, rules.market = data["hand"], data["reserve"], data["market"]
    rules.turns, rules.max_rounds = data["turns"], data["max_rounds"]
    rules.resources_per_point, rules.reserved_penalty = data["resources_per_point"], data["reserved_penalty"]
    rules.supply = UNLIMITED if data["supply"] is None else data["supply"]
    rules.limited = 0 if data["supply"] is None else ~(<uint64_t> 0)
    for i in range(CELLS + 1):
        rules.logo_points[i] = data["logo_points"][min(i, <int> len(data["logo_points"]) - 1)]
    rules.mutual = options["adjacency"] == "mutual"
    rules.touch = options["touch"] == "on"
    rules.sliding = options["frame"] == "sliding"
    rules.wild_scores = options["wild_scores"] != "none"
    rules.second_draw_may = options["second_draw"] == "may"
    rules.place_nothing = options["place_nothing"] == "on"
    read_guesses(&rules.guess, guesses)
    fill_tables(rules)
    for i in range(1, rules.hand + 1):
        for room in range(rules.reserve + 1):
            fill_subsets(&rules.subset[<int> room][1 << i], i, room or i)
    for i, entry in enumerate(data["cards"]):
        card = &rules.card[i]
        card.points = entry["points"]
        for name in entry["attributes"]:
            attribute = ATTRIBUTES.index(name)
            card.attributes |= 1 << attribute
            card.lanes[attribute >> 2] |= (<uint64_t> 1) << 16 * (attribute & 3)
        *cost, card.cost_any = entry["cost"]
        card.cost[0], card.cost[1], card.cost[2] = cost
        card.fixed = lanes_of(cost)
        card.price = card.fixed + ((<uint64_t> card.cost_any) << 48)
        card.logo = NONE if entry["logo"] is None else entry["logo"]
        read_condition(card, entry["condition"])
        read_effect(&card.sale, entry["sale"])
        read_coupon(card, entry["coupon"])
        count_units(&card.sale, card.sold)
        count_units(&card.effect, card.used)
    return game

# --- files ------------------------------------------------------------------------------------------------------------


cdef list numbers(Bag cards):
    """The numbers of the cards of a bag."""
    found = []
    while any_of(&cards):
        found.append(pop(&cards))
    return found


def dump(State state not None):
    """What a position says and its other fields do not imply, as plain numbers; `load` reads it back."""
    cdef const Coney *s = <const Coney *> state.data
    cdef int i, n = s.players, player
    hands = [numbers(s.hand[player]) for player in range(n)]
    return {
        "phase": s.phase, "player": s.player, "turn": s.turn, "last": s.last, "pick": s.pick, "task": s.task,
        "source": s.source, "cell": s.cell, "group": s.group, "draws": s.draws, "placed": s.placed, "sold": s.sold,
        "low": s.low, "first": s.first, "fresh": s.fresh, "deck": s.deck,
        "order": [s.trail.order[i] for i in range(s.ordered)],
        "discard": numbers(s.discard),
        "market": [s.market[i] for i in range(market_cards(s))],
        "hands": hands,
        "origins": [[s.origin[card] for card in hand] for hand in hands],
        "farms": [[s.farm[player][i] for i in range(CELLS)] for player in range(n)],
        "tokens": [[s.tokens[player][i] for i in range(CELLS)] for player in range(n)],
        "reserves": [[s.reserve[player][i] for i in range(2) if s.reserve[player][i] != NONE] for player in range(n)],
        "stocks": [[lane(s.stock[player], i) for i in range(3)] for player in range(n)],
        "chosen": [s.chosen[player] for player in range(n)],
        "hidden": [(s.trail.slots[i] - 1, s.trail.slots[i + 1]) for i in range(0, 2 * SLOTS, 2)
                   if n > 1 and s.trail.slots[i]],
        "classes": [(card, s.origin[card]) for card in numbers(s.bag) if s.origin[card]],
    }


cdef int see(Coney *s, int card) except -1:
    """Take a card out of the bag that lies somewhere to be seen."""
    if not has(&s.bag, card):
        raise ValueError(f"card {card} is in two places")
    bag_flip(&s.bag, card)
    return card


cdef int check_size(const Ruleset *rules, const Coney *s, int player, int n) except -1:
    """Refuse a hand that no play leads to and that moves and playouts have no room for."""
    cdef int most = rules.hand
    if s.phase == DEAL or s.phase == DRAFT or s.task == SET_UP:
        most += 2 if s.players == 1 else 1
    elif player == s.player and s.phase != ACTION and s.phase != DISCARD and s.phase != RESERVE:
        most = MOST_IN_HAND
    if n > most:
        raise ValueError(f"player {player} has {n} cards in hand, more than {most}")
    return 0


def load(State state not None, dict data):
    """Overwrite a position with the numbers of `dump`, which the face has checked. Raises ValueError for a card twice.

    A deal whose cards are all known goes on until somebody or chance must decide.
    """
    cdef const Ruleset *rules = <const Ruleset *> state.core.ruleset
    cdef Coney *s = <Coney *> state.data
    cdef int player, i
    start(rules, s)
    s.phase, s.player, s.turn, s.last, s.pick = data["phase"], data["player"], data["turn"], data["last"], data["pick"]
    s.task, s.source, s.cell, s.group = data["task"], data["source"], data["cell"], data["group"]
    s.draws, s.placed, s.sold, s.low = data["draws"], data["placed"], data["sold"], data["low"]
    s.first, s.fresh = data["first"], data["fresh"]
    if s.source != NONE and (s.task == SALE or s.task == SALE_RESERVED or s.phase == PAY):
        see(s, s.source)
    for i, card in enumerate(data["order"]):
        s.trail.order[i] = see(s, card)
    s.ordered = len(data["order"])
    for card in data["discard"]:
        bag_flip(&s.discard, see(s, card))
    for card in data["market"]:
        put_in_order(s.market, 4, see(s, card))
    for player in range(s.players):
        for card, origin in zip(data["hands"][player], data["origins"][player], strict=True):
            bag_flip(&s.hand[player], see(s, card))
            s.origin[card] = origin
        for i, card in enumerate(data["farms"][player]):
            if card != NONE:
                s.farm[player][i] = see(s, card)
                s.lanes[player][0] |= rules.card[<int> card].lanes[0] << i
                s.lanes[player][1] |= rules.card[<int> card].lanes[1] << i
            s.tokens[player][i] = data["tokens"][player][i]
            if s.tokens[player][i]:
                s.supply -= s.tokens[player][i] * unit(rules.card[<int> card].counted) & rules.limited
        for card in data["reserves"][player]:
            put_in_order(s.reserve[player], 2, see(s, card))
        s.supply += s.stock[player] & rules.limited
        s.stock[player] = lanes_of(data["stocks"][player])
        s.supply -= s.stock[player] & rules.limited
        s.chosen[player] = data["chosen"][player]
    for i, (player, kind) in enumerate(data["hidden"]):
        s.trail.slots[2 * i], s.trail.slots[2 * i + 1] = player + 1, kind
    for card, kind in data["classes"]:
        s.origin[card] = kind
    s.deck = bag_count(&s.bag) - <int> len(data["hidden"])
    for player in range(s.players):
        check_size(rules, s, player, bag_count(&s.hand[player]) + [owner for owner, _ in data["hidden"]].count(player))
    if s.phase == DRAFT:
        for player in range(s.players):
            s.waiting |= (s.chosen[player] == NONE) << player
    elif not (is_chance(s) or s.phase == OVER):
        s.waiting = 1 << s.player
    while s.phase == DEAL and s.ordered:
        player = next_known(s)
        bag_flip(&s.hand[s.player], player)
        deal_next(rules, s, player)
