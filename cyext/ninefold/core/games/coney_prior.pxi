# What a move is guessed to be worth, in points: drives playouts by policy, and where a search looks first. No more than
# a guess, and cheap: points now, and what coupons, logos and resources tend to bring in the turns that are left. The
# weights were tuned by `python -m bench.coney_prior` so that a solo player who follows the guesses scores well.

ctypedef struct Outlook:            # what a player's guesses have in common
    int later                       # turns of his after this one
    float resource                  # worth of one
    float breeds                    # breed actions still to come
    int logos[3]                    # cards of each shop on his farm
    uint32_t rabbits
    uint32_t counting               # rabbits with a coupon that counts others, a mask
    const Guess *guess


cdef void look_ahead(const Ruleset *rules, const Coney *s, int player, Outlook *to) noexcept nogil:
    cdef uint32_t left = occupied(s.lanes[player])
    cdef const Card *card
    cdef int cell, other, most = 0
    to.guess = &rules.guess
    to.rabbits = left
    to.later = s.turns - s.turn - 1
    if s.players > 1:               # a full farm ends the game, and farms grow by about one card a turn
        for other in range(s.players):
            most = max(most, bit_count(occupied(s.lanes[other])))
        to.later = min(to.later, CELLS - most)
    to.resource = to.guess.resource[min(to.later, LATER - 1)]
    to.breeds = to.guess.breeds[min(to.later, LATER - 1)]
    to.counting = to.logos[0] = to.logos[1] = to.logos[2] = 0
    while left:
        cell = bit_first(left)
        left &= left - 1
        card = &rules.card[s.farm[player][cell]]
        if card.logo != NONE:
            to.logos[card.logo] += 1
        if card.timing == AT_END and card.counts != TOKENS:
            to.counting |= (<uint32_t> 1) << cell


cdef inline float in_points(const Outlook *to, const float *units) noexcept nogil:
    """Of resources and draws."""
    return units[0] * to.resource + (units[1] * to.guess.draw if to.later else 0)


cdef inline float lasting_worth(const Ruleset *rules, const Card *card, const Outlook *to) noexcept nogil:
    """Of a rabbit, apart from what it has to do with others: printed points, logo, coupon."""
    cdef float worth = card.points
    cdef int n
    if card.timing == IN_BREED:
        worth += to.breeds * in_points(to, card.used)
    elif card.timing == NOW:
        worth += in_points(to, card.used)
    elif card.timing == AT_END and card.counts == TOKENS:
        worth += min(to.breeds, <float> 3) * to.guess.fed * card.worth
    if card.logo != NONE:
        n = to.logos[card.logo]
        if n >= 2:
            worth += rules.logo_points[n + 1] - rules.logo_points[n]
        elif to.later > n:
            worth += to.guess.logo * (n + 1)
    return worth


cdef inline float bare_worth(const Ruleset *rules, int card, const Outlook *to) noexcept nogil:
    """Of a card before it is paid for, wherever it will lie."""
    return lasting_worth(rules, &rules.card[card], to) - lane(rules.card[card].price, ALL) * to.resource


cdef float held_worth(const Ruleset *rules, const Coney *s, int player, int which, const Outlook *to,
                      const Facts *facts) noexcept nogil:
    """Of a card at hand."""
    cdef const Card *card = &rules.card[which]
    cdef float worth
    if to.later == 0 or to.rabbits == 511:
        return 0
    worth = bare_worth(rules, which, to)
    if card.timing == AT_END and card.counts != TOKENS:
        worth += card.worth * (to.guess.near if card.counts == NEIGHBOURS else to.guess.line)
    if covers(s.stock[player], card.price) and holds(rules, card, s.lanes[player], facts) & ~to.rabbits:
        worth += to.guess.fits
    return worth


cdef inline uint32_t counted_by(const Ruleset *rules, const Card *card) noexcept nogil:
    """The attributes, a mask, that a coupon of the end counts."""
    cdef bint wild = card.counted >= WHITE and rules.wild_scores and card.worth > 0
    return (<uint32_t> 1) << card.counted | <uint32_t> wild << <int> WILD


cdef float placed_worth(const Ruleset *rules, const Coney *s, int player, int which, int cell, float worth,
                        const Outlook *to) noexcept nogil:
    """Of a card laid on a cell: its bare worth, what its coupon counts there, and what it adds to the others'."""
    cdef const Card *card = &rules.card[which]
    cdef const Card *other
    cdef uint32_t reach, some
    cdef int at
    if card.timing == AT_END and card.counts != TOKENS:
        reach = NEXT_TO[cell] if card.counts == NEIGHBOURS else IN_LINE[cell]
        some = board(s.lanes[player], card.counted)
        if counted_by(rules, card) >> <int> WILD:
            some |= board(s.lanes[player], WILD)
        worth += card.worth * bit_count(some & reach)
        if to.later:
            worth += card.worth * to.guess.room * bit_count(reach & ~to.rabbits)
    some = to.counting & IN_LINE[cell]
    while some:
        at = bit_first(some)
        some &= some - 1
        other = &rules.card[s.farm[player][at]]
        if (other.counts == LINES or NEXT_TO[cell] >> at & 1) and card.attributes & counted_by(rules, other):
            worth += other.worth
    return worth


cdef inline int cell_of(int place) noexcept nogil:
    """The cell of a place; of one beside a sliding farm, the cell nearest to it."""
    return 3 * min(max(place // 5 - 2, 0), 2) + min(max(place % 5 - 2, 0), 2)


cdef float placing_worth(const Ruleset *rules, const Coney *s, int player, const Outlook *to) noexcept nogil:
    """Of a place action: the best card, and a share of the second best."""
    cdef uint16_t moves[MAX_LEGAL]
    cdef float best = 0, second = 0, top = 0, worth = 0
    cdef int n = placements(rules, s, player, moves), i, card, last = NONE
    for i in range(n):
        card = (moves[i] - MOVE_LAY) // PLACES
        if card != last:
            second = max(second, min(best, top))
            best = max(best, top)
            top = 0
            last = card
            worth = bare_worth(rules, card, to)
        top = max(top, placed_worth(rules, s, player, card, cell_of((moves[i] - MOVE_LAY) % PLACES), worth, to))
    second = max(second, min(best, top))
    return max(best, top) + to.guess.second * second + to.guess.place[min(to.later, LATER - 1)]


cdef float breeding_worth(const Ruleset *rules, const Coney *s, int player, const Outlook *to) noexcept nogil:
    cdef uint32_t rabbits = to.rabbits
    cdef float worth = to.guess.breed[min(to.later, LATER - 1)]
    cdef const Card *card
    cdef int cell
    while rabbits:
        cell = bit_first(rabbits)
        rabbits &= rabbits - 1
        card = &rules.card[s.farm[player][cell]]
        if card.timing == IN_BREED:
            worth += in_points(to, card.used)
        elif eats(rules, s, player, cell):
            worth += max(card.worth - to.resource, <float> 0)
    return worth


cdef float stock_worth(const Ruleset *rules, const Coney *s, int player, uint64_t stock) noexcept nogil:
    """How well a stock pays for the cards at hand, each by itself."""
    cdef Bag cards = placeable(s, player)
    cdef float worth = 0
    cdef const Card *card
    cdef int i
    while any_of(&cards):
        card = &rules.card[pop(&cards)]
        if covers(stock, card.price):
            worth += 1 + <float> 0.3 * card.points
        else:
            for i in range(3):
                worth -= <float> 0.15 * max(0, card.cost[i] - lane(stock, i))
    return worth


cdef float lost_worth(const Ruleset *rules, const Coney *s, int player, int which, const Outlook *to) noexcept nogil:
    """Of a rabbit of the farm: points now, and what its coupon will bring."""
    cdef const Card *card = &rules.card[which]
    cdef uint64_t lanes[2]
    cdef float worth = farm_points(rules, s.lanes[player], s.farm[player], s.tokens[player])
    cdef int cell = 0
    while s.farm[player][cell] != which:
        cell += 1
    lanes[0] = s.lanes[player][0] ^ card.lanes[0] << cell
    lanes[1] = s.lanes[player][1] ^ card.lanes[1] << cell
    worth -= farm_points(rules, lanes, s.farm[player], s.tokens[player])
    return worth + (to.breeds * in_points(to, card.used) if card.timing == IN_BREED else 0)


cdef float card_move_worth(const Ruleset *rules, const Coney *s, int player, int move, const Outlook *to,
                           const Facts *facts) noexcept nogil:
    """Of a move that names a card and no place."""
    cdef int which = (move - MOVE_KEEP) % CARDS
    cdef const Card *card = &rules.card[which]
    cdef float worth
    if move >= MOVE_FEED:
        return card.worth - to.resource
    if move >= MOVE_SELL and s.phase != SELL_RESERVED:
        return in_points(to, card.sold) - lost_worth(rules, s, player, which, to) - to.guess.sale
    worth = held_worth(rules, s, player, which, to, facts)
    if move >= MOVE_SELL:
        return in_points(to, card.sold) - worth + to.guess.reserve * rules.reserved_penalty
    if move >= MOVE_RESERVE:
        return worth - 2 * to.guess.reserve * rules.reserved_penalty
    return to.guess.draw - worth if MOVE_DISCARD <= move < MOVE_DRAW else worth


cdef void prior(const void *ruleset, const void *state, int player, const uint16_t *moves, int n,
                float *out) noexcept nogil:
    """Guessed worth of each move to the player, in points."""
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Coney *s = <const Coney *> state
    cdef Outlook to
    cdef Facts facts
    cdef int i, move, card, last = NONE
    cdef float worth = 0
    look_ahead(rules, s, player, &to)
    if MOVE_KEEP <= moves[n - 1] < MOVE_LAY:
        look(rules, s.lanes[player], &facts)
    for i in range(n):
        move = moves[i]
        if move >= MOVE_LAY:
            card = (move - MOVE_LAY) // PLACES
            if card != last:
                last = card
                worth = bare_worth(rules, card, &to)
            out[i] = placed_worth(rules, s, player, card, cell_of((move - MOVE_LAY) % PLACES), worth, &to)
        elif move >= MOVE_KEEP:
            out[i] = card_move_worth(rules, s, player, move, &to, &facts)
        elif move >= MOVE_TAKE:
            out[i] = stock_worth(rules, s, player, s.stock[player] + rules.way[move - MOVE_TAKE])
        elif move >= MOVE_PAY:
            out[i] = stock_worth(rules, s, player, s.stock[player] - rules.way[move - MOVE_PAY])
        elif move == MOVE_DECK:
            out[i] = to.guess.unseen
        elif move == MOVE_DONE:
            out[i] = to.guess.done
        elif move == MOVE_ACTION + PLACE:
            out[i] = placing_worth(rules, s, player, &to)
        elif move == MOVE_ACTION + BREED:
            out[i] = breeding_worth(rules, s, player, &to)
        else:
            out[i] = 2 * to.resource + to.guess.refill
            if to.later:
                out[i] += to.guess.card * short_of(rules, s) + to.guess.exchange


# By turns left after this one (the last number goes on), or one number.
GUESSES = {
    "resource": [0.13, 1.42, 1.12, 0.83, 1.35, 1.12, 1.22, 1.29, 1.31],
    "breeds": [0.03, -0.49, 0.06, 0.25, 0.58, 0.79, 0.69, 0.35, 0.33],
    "place": [-0.24, -0.31, -0.15, 0.33, 0.09, -0.03, 0.78, 0.91, -0.39],
    "breed": [-0.19, 0.53, 0.15, -0.31, -0.24, -0.09, 0.55, 0.03, 0.81],
    "near": 1.39, "line": 4.9, "room": 0.53, "fed": 0.41, "logo": 0.45,
    "fits": 1.75, "draw": 0.62, "unseen": 1.75, "card": 1.0, "exchange": 1.18,
    "refill": 1.07, "second": 0.94, "done": -1.31, "sale": -0.62, "reserve": 1.3,
}


cdef int read_guesses(Guess *guess, data) except -1:
    for i in range(LATER):
        guess.resource[<int> i] = data["resource"][i]
        guess.breeds[<int> i] = data["breeds"][i]
        guess.place[<int> i] = data["place"][i]
        guess.breed[<int> i] = data["breed"][i]
    guess.near, guess.line, guess.room = data["near"], data["line"], data["room"]
    guess.fed, guess.logo, guess.fits = data["fed"], data["logo"], data["fits"]
    guess.draw, guess.unseen, guess.card = data["draw"], data["unseen"], data["card"]
    guess.exchange, guess.refill, guess.second = data["exchange"], data["refill"], data["second"]
    guess.done, guess.sale, guess.reserve = data["done"], data["sale"], data["reserve"]
    return 0
