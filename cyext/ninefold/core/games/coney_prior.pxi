# What each move is guessed to be worth, in points: for playouts by policy and for the order of moves. Cheap, and no more
# than a guess: points now, and what coupons, logos and resources are likely to bring in the turns that are left.

cdef float W[64]

cdef enum:
    W_RES, W_LAST, W_BREEDS, W_NEAR, W_LINE, W_FED, W_DRAW, W_LOGO, W_SECOND, W_REFILL, W_SELL, W_HOLD, W_FIT, W_DONE, W_HELP, W_FULL, W_SALE, W_EXTRA

W[<int> W_RES] = 0.55          # of a resource while there are turns to spend it
W[<int> W_LAST] = 0.333
W[<int> W_BREEDS] = 0.35       # breed actions in each turn that is left
W[<int> W_NEAR] = 1.3           # neighbours that a coupon will count
W[<int> W_LINE] = 1.5
W[<int> W_FED] = 0.3
W[<int> W_DRAW] = 0.4
W[<int> W_LOGO] = 0.6
W[<int> W_SECOND] = 0.7
W[<int> W_REFILL] = 0.5
W[<int> W_SELL] = 0.5
W[<int> W_HOLD] = 0.3
W[<int> W_FIT] = 0.7
W[<int> W_DONE] = 0.0
W[<int> W_HELP] = 0.3
W[<int> W_FULL] = 0.5
W[<int> W_SALE] = 0.5
W[<int> W_EXTRA] = 0.0


def tune(values):
    for i, x in enumerate(values):
        W[i] = x


def tuned():
    return [W[i] for i in range(64)]


ctypedef struct Outlook:        # what guesses need of a position
    float resource              # what one is worth
    float breeds                # breed actions still to come
    int turns                   # turns of this player after this one
    int empty
    uint8_t logos[4]
    uint32_t rabbits
    uint32_t coupons            # rabbits whose coupons count other rabbits, a mask


cdef void see_ahead(const Ruleset *rules, const Coney *s, int player, Outlook *to) noexcept nogil:
    cdef uint32_t left = occupied(s.lanes[player])
    cdef int logo, cell
    cdef const Card *card
    to.coupons = 0
    to.turns = s.turns - s.turn - 1
    if s.players > 1:
        to.turns = min(to.turns, 8)
    to.resource = W[38 + min(to.turns, 8)]
    to.breeds = W[47 + min(to.turns, 8)]
    to.rabbits = left
    to.empty = CELLS - bit_count(left)
    memset(to.logos, 0, sizeof(to.logos))
    while left:
        cell = bit_first(left)
        card = &rules.card[s.farm[player][cell]]
        left &= left - 1
        logo = card.logo
        if card.timing == AT_END and card.counts != TOKENS:
            to.coupons |= (<uint32_t> 1) << cell
        if logo < 3:
            to.logos[logo] += 1


cdef inline float yield_worth(const Effect *effect, const Outlook *to) noexcept nogil:
    cdef int n = lane(effect.gain, ALL), i
    for i in range(effect.groups):
        n += effect.size[i]
    return n * to.resource + W[<int> W_DRAW] * effect.draws * (to.turns > 0)


cdef inline float future_worth(const Ruleset *rules, const Card *card, const Outlook *to) noexcept nogil:
    """Of a card once it lies: points, logo, coupons, without what its neighbours do."""
    cdef float total = card.points
    cdef int n
    if card.timing == IN_BREED:
        total += to.breeds * yield_worth(&card.effect, to)
    elif card.timing == NOW:
        total += yield_worth(&card.effect, to)
    elif card.timing == AT_END and card.counts == TOKENS:
        total += min(to.breeds, <float> 3) * W[<int> W_FED] * card.worth
    if card.logo < 3:
        n = to.logos[card.logo]
        total += (rules.logo_points[n + 1] - rules.logo_points[n]) if n >= 2 else W[<int> W_LOGO] * (n + 1) * (to.turns > n)
    return total


cdef float card_worth(const Ruleset *rules, const Coney *s, int player, int which, const Outlook *to,
                      const Facts *facts) noexcept nogil:
    """Of a card in the hand."""
    cdef const Card *card = &rules.card[which]
    cdef float total
    if to.turns == 0 or to.empty == 0:
        return 0
    total = future_worth(rules, card, to) - lane(card.price, ALL) * to.resource
    if card.timing == AT_END and card.counts != TOKENS:
        total += card.worth * (W[<int> W_NEAR] if card.counts == NEIGHBOURS else W[<int> W_LINE])
    if covers(s.stock[player], card.price) and holds(rules, card, s.lanes[player], facts) & ~to.rabbits:
        total += W[<int> W_FIT]
    return total


cdef inline float base_worth(const Ruleset *rules, int which, const Outlook *to) noexcept nogil:
    return future_worth(rules, &rules.card[which], to) - lane(rules.card[which].price, ALL) * to.resource


cdef float place_worth(const Ruleset *rules, const Coney *s, int player, int which, int cell, float base, const Outlook *to) noexcept nogil:
    """Of a card laid on a cell: what its coupon counts there, and what it adds to the coupons around it."""
    cdef const Card *card = &rules.card[which]
    cdef const Card *other
    cdef float total = base
    cdef uint32_t cells, some
    cdef int at
    if card.timing == AT_END and card.counts != TOKENS:
        cells = NEXT_TO[cell] if card.counts == NEIGHBOURS else IN_LINE[cell]
        some = board(s.lanes[player], card.counted)
        if card.counted >= WHITE and rules.wild_scores:
            some |= board(s.lanes[player], WILD)
        total += card.worth * (bit_count(some & cells) + W[<int> W_HELP] * bit_count(cells & ~to.rabbits) * (to.turns > 0))
    some = to.coupons & IN_LINE[cell]
    while some:
        at = bit_first(some)
        some &= some - 1
        other = &rules.card[s.farm[player][at]]
        if (other.counts == LINES or NEXT_TO[cell] >> at & 1) and card.attributes >> other.counted & 1:
            total += other.worth
    return total


cdef float action_worth(const Ruleset *rules, const Coney *s, int player, int action, const Outlook *to) noexcept nogil:
    cdef Facts facts
    cdef Bag cards
    cdef float one = 0, two = 0, x, best, base
    cdef uint32_t cells
    cdef int card, cell
    cdef uint64_t left
    cdef const Card *data
    if action == PLACE:
        look(rules, s.lanes[player], &facts)
        cards = placeable(s, player)
        while any_of(&cards):
            card = pop(&cards)
            if rules.sliding:
                cells = 16 if fits_in(rules, s, player, card, &facts) else 0
            else:
                cells = fits_in(rules, s, player, card, &facts)
            best = 0
            base = base_worth(rules, card, to) if cells else 0
            while cells:
                cell = bit_first(cells)
                cells &= cells - 1
                x = place_worth(rules, s, player, card, cell, base, to)
                best = max(best, x)
            if best > one:
                two = one
                one = best
            elif best > two:
                two = best
        return one + W[<int> W_SECOND] * two + W[20 + min(to.turns, 8)]
    if action == BREED:
        cells = to.rabbits
        while cells:
            cell = bit_first(cells)
            cells &= cells - 1
            data = &rules.card[s.farm[player][cell]]
            if data.timing == IN_BREED:
                one += yield_worth(&data.effect, to)
            elif eats(rules, s, player, cell):
                one += max(data.worth - to.resource, <float> 0)
        return one + W[29 + min(to.turns, 8)]
    card = short_of(rules, s)
    return 2 * to.resource + (W[<int> W_REFILL] * card + W[<int> W_FULL]) * (to.turns > 0) + W[<int> W_EXTRA]


cdef void prior(const void *ruleset, const void *state, int player, const uint16_t *moves, int n,
                float *out) noexcept nogil:
    """Guessed worth of each move to the player, in points."""
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Coney *s = <const Coney *> state
    cdef Outlook to
    cdef Facts facts
    cdef int i, move, cell, where, card = NONE
    cdef float base = 0
    see_ahead(rules, s, player, &to)
    if moves[n - 1] < MOVE_LAY and moves[n - 1] >= MOVE_KEEP:
        look(rules, s.lanes[player], &facts)
    for i in range(n):
        move = moves[i]
        out[i] = 0
        if move >= MOVE_LAY:
            where = (move - MOVE_LAY) % PLACES
            if rules.sliding:
                cell = 3 * min(max(where // 5 - 2, 0), 2) + min(max(where % 5 - 2, 0), 2)
            else:
                cell = 3 * (where // 5 - 2) + where % 5 - 2
            if (move - MOVE_LAY) // PLACES != card:
                card = (move - MOVE_LAY) // PLACES
                base = base_worth(rules, card, &to)
            out[i] = place_worth(rules, s, player, card, cell, base, &to)
        elif move >= MOVE_FEED:
            out[i] = rules.card[move - MOVE_FEED].worth - to.resource
        elif move >= MOVE_SELL:
            where = move - MOVE_SELL
            if s.phase == SELL_RESERVED:
                out[i] = yield_worth(&rules.card[where].sale, &to) - card_worth(rules, s, player, where, &to, &facts)
                out[i] += rules.reserved_penalty * W[<int> W_HOLD]
            else:
                out[i] = (yield_worth(&rules.card[where].sale, &to) - future_worth(rules, &rules.card[where], &to)
                          - W[<int> W_SALE])
        elif move >= MOVE_RESERVE:
            out[i] = card_worth(rules, s, player, move - MOVE_RESERVE, &to, &facts) - W[<int> W_HOLD] * rules.reserved_penalty * 2
        elif move >= MOVE_DRAW:
            out[i] = card_worth(rules, s, player, move - MOVE_DRAW, &to, &facts)
        elif move >= MOVE_DISCARD:
            out[i] = W[<int> W_DRAW] - card_worth(rules, s, player, move - MOVE_DISCARD, &to, &facts)
        elif move >= MOVE_KEEP:
            out[i] = card_worth(rules, s, player, move - MOVE_KEEP, &to, &facts)
        elif move == MOVE_DECK:
            out[i] = W[<int> W_REFILL] + W[<int> W_DRAW]
        elif move == MOVE_DONE:
            out[i] = W[<int> W_DONE]
        elif move < MOVE_DONE:
            out[i] = action_worth(rules, s, player, move - MOVE_ACTION, &to)
        elif s.phase == PAY:
            out[i] = kind_need(rules, s, player, s.stock[player] - rules.way[move - MOVE_PAY])
        else:
            out[i] = kind_need(rules, s, player, s.stock[player] + rules.way[move - MOVE_TAKE])


cdef float kind_need(const Ruleset *rules, const Coney *s, int player, uint64_t stock) noexcept nogil:
    """How well a stock pays for the cards at hand: a little for each that it affords."""
    cdef Bag cards = placeable(s, player)
    cdef float total = 0
    cdef const Card *card
    cdef int i
    while any_of(&cards):
        card = &rules.card[pop(&cards)]
        if covers(stock, card.price):
            total += 1 + <float> 0.3 * card.points
        else:
            for i in range(3):
                total -= <float> 0.15 * max(0, lane(card.fixed, i) - lane(stock, i))
    return total
