# The last turns of a solo game, as an exact solver asks: what of a position still matters (`reduce`), where its worth can
# be said at once, and what it cannot exceed (`bound`). In the last turn no card matters that is drawn too late to be
# placed, no kind of resource that is neither paid nor fed, and nothing at all of the refill but its two resources.

cdef inline bint plenty(const Coney *s, int n) noexcept nogil:
    """Whether the supply has so many of each kind."""
    return covers(s.supply, n * <uint64_t> 0x0001000100010001)


cdef inline int units(const Effect *effect) noexcept nogil:
    """Resources of an effect, whatever their kinds."""
    cdef int n = lane(effect.gain, ALL), i
    for i in range(effect.groups):
        n += effect.size[i]
    return n


cdef inline int with_resources(const Ruleset *rules, const Coney *s, int resources) noexcept nogil:
    """Points of the farm as it is and of so many unspent resources."""
    return (farm_points(rules, s.lanes[0], s.farm[0], s.tokens[0]) + resources // rules.resources_per_point
            - rules.reserved_penalty * reserved_cards(s, 0))


cdef inline int refilled(const Ruleset *rules, const Coney *s) noexcept nogil:
    """Points after a refill in the last turn."""
    return with_resources(rules, s, lane(s.stock[0], ALL) + min(2, lane(s.supply, ALL)))


cdef bint breeding_known(const Ruleset *rules, const Coney *s, uint64_t gains, int first, int group,
                         int *points) noexcept nogil:
    """Points at best after the rest of a breed action in the last turn: gains of fixed kinds, the groups of coupons from
    cell `first` on, without `group` groups of the first of them, and feeding: from s.cell on, or everybody if that has
    not begun. False where kinds of gains decide which rabbits can be fed, or the supply is short.
    """
    cdef uint32_t rabbits = occupied(s.lanes[0])
    cdef int count[3][CELLS]
    cdef int left[3]
    cdef int eaters = 0, gained = 0, cell, i, best, total, fed, kind, worth
    cdef uint64_t stock = s.stock[0] + gains
    cdef int8_t gives[CELLS]
    cdef uint8_t eats_what[CELLS]
    cdef const Card *card
    cdef const Effect *effect
    while rabbits:
        cell = bit_first(rabbits)
        rabbits &= rabbits - 1
        card = &rules.card[s.farm[0][cell]]
        if card.timing == IN_BREED and cell >= first:
            effect = &card.effect
            for i in range(group if cell == first else 0, effect.groups):
                gained += effect.size[i]
        elif card.timing == AT_END and card.counts == TOKENS and card.worth > 0 and (s.phase != FEED or cell >= s.cell):
            gives[eaters] = card.worth
            eats_what[eaters] = card.counted
            eaters += 1
    if (gained and eaters) or not covers(s.supply, gains + gained * <uint64_t> 0x0001000100010001):
        return False
    total = lane(stock, ALL) + gained
    for i in range(3):
        left[i] = lane(stock, i)
    points[0] = with_resources(rules, s, total)
    worth = with_resources(rules, s, 0)
    for fed in range(eaters):               # the most fed for each number of resources: the dearest that can be, in turn
        best = -1
        for i in range(eaters):
            if gives[i] > 0 and left[eats_what[i]] and (best < 0 or gives[i] > gives[best]):
                best = i
        if best < 0:
            break
        kind = eats_what[best]
        left[kind] -= 1
        total -= 1
        worth += gives[best]
        gives[best] = 0
        points[0] = max(points[0], worth + total // rules.resources_per_point)
    return True


cdef bint second_known(const Ruleset *rules, const Coney *s, int *points) noexcept nogil:
    """Points at best where one more card may be placed, and nothing comes after that. False where the supply is short."""
    cdef uint16_t moves[MAX_LEGAL]
    cdef uint64_t lanes[2]
    cdef uint8_t farm[CELLS]
    cdef uint8_t tokens[CELLS]
    cdef const Card *card
    cdef int n = placements(rules, s, 0, moves), i, j, which, last = NONE, cell, place, row, column, more, held, sum
    cdef int base = 0
    points[0] = points_of(rules, s, 0)
    for i in range(n):
        which = (moves[i] - MOVE_LAY) // PLACES
        place = (moves[i] - MOVE_LAY) % PLACES
        card = &rules.card[which]
        if which != last:
            last = which
            held = s.reserve[0][0] == which or s.reserve[0][1] == which
            sum = lane(s.stock[0], ALL) - lane(card.price, ALL)
            held = reserved_cards(s, 0) - held
            if card.timing == NOW:
                if not plenty(s, units(&card.effect)):
                    return False
                sum += units(&card.effect)
            base = sum // rules.resources_per_point - rules.reserved_penalty * held
            if card.timing == NOW and card.effect.sells:
                for j in range(2):
                    if s.reserve[0][j] != NONE and s.reserve[0][j] != which:
                        more = units(&rules.card[s.reserve[0][j]].sale)
                        if not plenty(s, units(&card.effect) + more):
                            return False
                        base = max(base, (sum + more) // rules.resources_per_point
                                   - rules.reserved_penalty * (held - 1))
        row = place // 5 - 2
        column = place % 5 - 2
        memcpy(lanes, s.lanes[0], sizeof(lanes))
        memcpy(farm, s.farm[0], CELLS)
        memcpy(tokens, s.tokens[0], CELLS)
        if row < 0 or column < 0:
            shift_farm(lanes, farm, tokens, 3 * max(0, -row) + max(0, -column))
        cell = 3 * max(0, row) + max(0, column)
        farm[cell] = which
        tokens[cell] = 0
        lanes[0] |= card.lanes[0] << cell
        lanes[1] |= card.lanes[1] << cell
        points[0] = max(points[0], base + farm_points(rules, lanes, farm, tokens))
    return True


cdef inline int spoils(const Ruleset *rules, const Coney *s) noexcept nogil:
    """The most resources for which a reserved card could be sold."""
    cdef int n = 0, i
    for i in range(2):
        if s.reserve[0][i] != NONE:
            n = max(n, units(&rules.card[s.reserve[0][i]].sale))
    return n


cdef inline int turns_after(const Coney *s) noexcept nogil:
    return s.turns - s.turn - 1


cdef bint worth_known(const Ruleset *rules, const Coney *s, int *points) noexcept nogil:
    """The points at best, where they can be said at once: at the end of the last turns."""
    cdef int later = turns_after(s)
    if s.phase == OVER:
        points[0] = points_of(rules, s, 0)
        return True
    if s.task == SET_UP or later > 1:
        return False
    if s.last == PLACE and (s.phase == ACTION if later == 0 else s.phase == LIMIT or s.phase == MARKET):
        return breed_or_refill(rules, s, points)
    if later == 1 or s.phase == ACTION:
        return False
    if s.phase == LIMIT or s.phase == MARKET:
        points[0] = points_of(rules, s, 0)
        return True
    if s.last == REFILL:
        points[0] = refilled(rules, s)
        return True
    if s.last == BREED:
        if s.phase == FEED:
            return breeding_known(rules, s, 0, CELLS, 0, points)
        return breeding_known(rules, s, 0, s.cell, s.group, points)
    return s.phase == PLACE_SECOND and second_known(rules, s, points)


cdef bint breed_or_refill(const Ruleset *rules, const Coney *s, int *points) noexcept nogil:
    """Points at best where the last turn is still to come and nothing may be placed in it."""
    cdef uint32_t rabbits = occupied(s.lanes[0])
    cdef uint64_t gains = 0
    cdef const Card *card
    while rabbits:
        card = &rules.card[s.farm[0][bit_first(rabbits)]]
        rabbits &= rabbits - 1
        if card.timing == IN_BREED:
            gains += card.effect.gain
    if not breeding_known(rules, s, gains, 0, 0, points):
        return False
    points[0] = max(points[0], refilled(rules, s))
    return True


cdef inline bint is_placing(const Coney *s) noexcept nogil:
    """In the middle of a place action."""
    return s.last == PLACE and s.phase != ACTION and s.phase != LIMIT and s.phase != MARKET and s.phase != OVER


cdef inline bint leads_to_draws(const Ruleset *rules, const Coney *s, const Card *card) noexcept nogil:
    """Whether the coupon of a card, used now, can draw."""
    cdef int i
    if card.timing == NOW and card.effect.sells:
        for i in range(2):
            if s.reserve[0][i] != NONE and rules.card[s.reserve[0][i]].sale.draws:
                return True
    return card.timing == NOW and card.effect.draws > 0


cdef bint may_draw(const Ruleset *rules, const Coney *s) noexcept nogil:
    """Whether the place action may yet bring cards to the hand that can still be placed in it."""
    cdef Bag cards = placeable(s, 0)
    cdef uint32_t rabbits = occupied(s.lanes[0])
    if s.placed == 2 or (s.phase == PAY and s.placed):
        return False
    if s.draws:
        return True
    if s.phase == PAY or s.task == COUPON:
        return leads_to_draws(rules, s, &rules.card[s.source])
    if s.placed:
        return s.phase == SELL_RESERVED
    while any_of(&cards):
        if leads_to_draws(rules, s, &rules.card[pop(&cards)]):
            return True
    while rabbits:
        if rules.card[s.farm[0][bit_first(rabbits)]].sale.draws:
            return True
        rabbits &= rabbits - 1
    return False


cdef bint reduce(const void *ruleset, const void *state, int objective, Reduced *out) noexcept nogil:
    """What still matters: of the cards, while they can be placed, and of the pile of discards if it may be drawn from."""
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Coney *s = <const Coney *> state
    cdef int later = turns_after(s), points = 0
    cdef bint placing = is_placing(s), cards = True, draws = True
    cdef Coney rest
    out.offset = 0
    out.sign = 1
    out.key = hash_start(objective)
    if s.players > 1:
        hash_bytes(&out.key, state, sizeof(Coney))
        return True
    if worth_known(rules, s, &points):
        out.offset = points
        out.sign = 0
        return True
    if later == 0 or later == 1 and s.last == PLACE and s.phase != ACTION:      # nothing is placed after this turn
        cards = placing or (later == 0 and s.phase == ACTION and s.last != PLACE)
        draws = cards and (not placing or may_draw(rules, s))
    hash_add(&out.key, s.stock[0])
    hash_bytes(&out.key, s.farm[0], CELLS)
    hash_bytes(&out.key, s.tokens[0], CELLS)
    hash_bytes(&out.key, s.reserve[0], 2)
    memcpy(&rest, s, sizeof(Coney))
    if rules.place_nothing:
        rest.sold = 0
    if not draws:
        rest.deck = rest.ordered = 0
    hash_bytes(&out.key, &rest.phase, <size_t> (&rest.low - &rest.phase))
    if cards:
        hash_bytes(&out.key, &s.hand[0], sizeof(Bag))
        hash_add(&out.key, s.low)
    if draws:
        hash_bytes(&out.key, &s.bag, sizeof(Bag))
        hash_bytes(&out.key, s.market, sizeof(s.market))
        if s.ordered:
            hash_bytes(&out.key, s.trail.order, s.ordered)
        if s.deck + s.ordered <= (later + 1) * (MOST_IN_HAND + rules.market):
            hash_bytes(&out.key, &s.discard, sizeof(Bag))
    return True

# --- bound ------------------------------------------------------------------------------------------------------------

ctypedef struct Prospect:           # what the rest of a place action, and what comes after it, may bring at most
    double resource                 # in points
    int later
    int rabbits[WILD + 1]           # of the farm with each attribute
    int wanted[WILD + 1]            # points that rabbits of the farm count for one more with it
    int logos[3]
    double rate                     # points lost for each resource that must be got by sales
    uint64_t stock                  # resources at hand;
    int due                         # those of any kind that are to come,
    int owed                        # and to go


cdef inline int brought(const Ruleset *rules, const Coney *s, const Card *card) noexcept nogil:
    """Resources at most that a card's coupon brings at once."""
    if card.timing != NOW:
        return 0
    return units(&card.effect) + (spoils(rules, s) if card.effect.sells else 0)


cdef inline int missing(const Prospect *to, uint64_t fixed, uint64_t price) noexcept nogil:
    """How many resources must be got beside those at hand to pay a price."""
    cdef int i, kinds = 0
    for i in range(3):
        kinds += max(0, lane(fixed, i) - lane(to.stock, i))
    return max(kinds, lane(price, ALL) + to.owed - lane(to.stock, ALL)) - to.due


cdef double gain_of(const Ruleset *rules, const Coney *s, int which, const Prospect *to) noexcept nogil:
    """Points that a card can bring at most if it is placed."""
    cdef const Card *card = &rules.card[which]
    cdef double worth = card.points - lane(card.price, ALL) * to.resource
    cdef uint32_t attributes = card.attributes
    cdef int n
    if card.timing == NOW:
        worth += units(&card.effect) * to.resource
        if card.effect.sells:
            worth += spoils(rules, s) * to.resource + rules.reserved_penalty
    elif card.timing == IN_BREED and to.later:
        worth += units(&card.effect) * to.resource
    elif card.timing == AT_END and card.worth > 0:
        if card.counts == TOKENS:
            worth += card.worth if to.later else 0
        else:
            n = to.rabbits[card.counted] + 1            # the other card placed may count, too
            if card.counted >= WHITE and rules.wild_scores:
                n += to.rabbits[<int> WILD]
            worth += card.worth * min(n, 4)
    if card.logo != NONE:
        n = to.logos[card.logo]
        worth += max(0, max(rules.logo_points[min(n + 1, CELLS)] - rules.logo_points[n],
                            rules.logo_points[min(n + 2, CELLS)] - rules.logo_points[min(n + 1, CELLS)]))
    n = 0
    while attributes:
        n += to.wanted[bit_first(attributes)]
        attributes &= attributes - 1
    if s.reserve[0][0] == which or s.reserve[0][1] == which:
        n += rules.reserved_penalty
    return worth + n


cdef inline int neighbours_counted(const Ruleset *rules, const Coney *s, const Card *card, int cell) noexcept nogil:
    """How many rabbits a coupon of the end counts for the one on a cell."""
    cdef uint32_t some = board(s.lanes[0], card.counted)
    if card.counted >= WHITE and rules.wild_scores and card.worth > 0:
        some |= board(s.lanes[0], WILD)
    return bit_count(some & (NEXT_TO[cell] if card.counts == NEIGHBOURS else IN_LINE[cell]))


cdef double best_of_draws(const double *gains, int count, int draws, int slots, double alone,
                          double pair) noexcept nogil:
    """What somebody can place who sees all draws at once, on average: of cards whose gains fall, beside a known best one
    and a known best pair (with one place left, card), which may be no card at all.
    """
    cdef double chance, total = 0, rest = 1
    cdef double last[CARDS]             # the chance that a card is the last of the best one or two drawn, if it can be
    cdef int i, j, first = slots - 1
    draws = min(draws, count)
    if draws < slots:
        for i in range(count if draws else 0):
            total += max(pair, gains[i] + alone)
        return total / count if draws else pair
    chance = <double> draws / count
    if slots == 2:
        chance *= <double> (draws - 1) / (count - 1)
    for i in range(first, count):
        last[i] = chance
        if i < count - 1:
            chance *= <double> (count - draws - i + first) / (count - 1 - i)
    if slots == 1:
        for i in range(count):
            total += last[i] * max(pair, gains[i])
        return total
    for i in range(count - 1):
        if gains[i] + max(alone, gains[i + 1]) <= pair:
            break
        for j in range(i + 1, count):
            if last[j] <= 0:
                break
            total += last[j] * max(pair, gains[i] + max(alone, gains[j]))
            rest -= last[j]
    return total + rest * pair


ctypedef struct Hopes:              # what may be placed
    double alone                    # the best card at hand, and the best two
    double pair
    double open[2]                  # the best two cards of the market
    double unseen[CARDS]            # of the deck, falling
    int count
    int slots


cdef double hoped(const Hopes *hopes, int draws) noexcept nogil:
    """Points from placements at most, on average, with so many draws."""
    cdef double alone = hopes.alone, pair = max(hopes.pair, hopes.alone)
    if draws == 0 or hopes.slots == 0:
        return pair
    alone = max(alone, hopes.open[0])
    if hopes.slots == 2:
        pair = max(pair, hopes.alone + hopes.open[0])
        if draws > 1:
            pair = max(pair, hopes.open[0] + hopes.open[1])
    pair = max(pair, alone)
    return best_of_draws(hopes.unseen, hopes.count, draws, hopes.slots, alone, pair)


cdef inline void sort_in(double *falling, int count, double value) noexcept nogil:
    """Put a value into its place among so many that fall."""
    while count > 0 and falling[count - 1] < value:
        falling[count] = falling[count - 1]
        count -= 1
    falling[count] = value


cdef inline int drawn_by(const Ruleset *rules, const Coney *s, const Card *card) noexcept nogil:
    """Draws at most that the coupon of a card brings at once."""
    cdef int n = 0, i
    if card.timing != NOW:
        return 0
    if card.effect.sells:
        for i in range(2):
            if s.reserve[0][i] != NONE:
                n = max(n, rules.card[s.reserve[0][i]].sale.draws)
    return n + card.effect.draws


cdef void hope_for_deck(const Ruleset *rules, const Coney *s, const Prospect *to, int now, Hopes *hopes) noexcept nogil:
    """What the cards of the deck may bring; a card at hand may bring so many resources for them at once. One whose
    coupon draws brings the better of what it draws, too.
    """
    cdef Bag cards = s.bag
    cdef double gains[CARDS]
    cdef double known = max(hopes.alone, hopes.open[0])
    cdef const Card *card
    cdef int most = now
    cdef int drawers[CARDS]
    cdef int n = 0, i, which, count = bag_count(&cards)
    while any_of(&cards) and hopes.slots == 2:
        most = max(most, brought(rules, s, &rules.card[pop(&cards)]))
    cards = s.bag
    for i in range(count):
        which = pop(&cards)
        card = &rules.card[which]
        gains[i] = gain_of(rules, s, which, to) - to.rate * max(0, missing(to, card.fixed, card.price) - most)
        drawers[i] = drawn_by(rules, s, &rules.card[which]) if hopes.slots == 2 else 0
        sort_in(hopes.unseen, i, gains[i])
    for i in range(count):
        if drawers[i]:
            gains[i] += best_of_draws(hopes.unseen, count, drawers[i], 1, known, known) - known
            n += 1
    for i in range(count if n else 0):
        sort_in(hopes.unseen, i, gains[i])
    hopes.count = count


cdef double bound(const void *ruleset, const void *state) noexcept nogil:
    """Solo: no more points than this can be got. Infinite but in a place action after which nothing is placed.

    Each rabbit is sold if that alone pays; the best cards are placed where they count most, and cost what they cost,
    in points; resources that are lacking for them come from the sales that lose least. Of draws the mean counts that
    somebody would get who sees them all before he chooses.
    """
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Coney *s = <const Coney *> state
    cdef Prospect to
    cdef Bag cards
    cdef uint32_t rabbits = occupied(s.lanes[0])
    cdef const Card *card
    cdef const Effect *effect
    cdef double total, best, worth, forced = 0, lost, least = 1e9, drawer = 1e9
    cdef double gains[MOST_IN_HAND + 4]
    cdef uint64_t price[MOST_IN_HAND + 4]
    cdef uint64_t fixed[MOST_IN_HAND + 4]
    cdef int now[MOST_IN_HAND + 4]
    cdef int cell, i, j, n, own, slots = 2 - s.placed, stock = lane(s.stock[0], ALL), after = 2, fed = 0
    cdef bint sales = s.phase == PLACE_FIRST or s.task == SALE
    cdef int draws = s.draws, more = 0, by_sale = 0, most = 0
    cdef Hopes hopes
    to.later = turns_after(s)
    to.owed = 0
    if s.players > 1 or to.later > 1 or not is_placing(s):
        return 1e300
    to.resource = 1.0 / rules.resources_per_point
    memset(to.rabbits, 0, sizeof(to.rabbits))
    memset(to.wanted, 0, sizeof(to.wanted))
    memset(to.logos, 0, sizeof(to.logos))
    if s.phase == TAKE or s.phase == DRAW or s.phase == DRAWN:      # groups that are due
        effect = &rules.card[s.source].sale
        if s.task == COUPON:
            effect = &rules.card[s.source].effect
        for i in range(s.group, effect.groups):
            stock += effect.size[i]
    total = farm_points(rules, s.lanes[0], s.farm[0], s.tokens[0]) - rules.reserved_penalty * reserved_cards(s, 0)
    if s.phase == SELL_RESERVED or (s.task == COUPON and rules.card[s.source].effect.sells):
        stock += spoils(rules, s)
        total += rules.reserved_penalty
        for i in range(2):
            if s.reserve[0][i] != NONE:
                more = max(more, rules.card[s.reserve[0][i]].sale.draws)
        draws += more
        more = 0
    for i in range(<int> WILD + 1):
        to.rabbits[i] = bit_count(board(s.lanes[0], i))
    to.rate = 1e9
    n = 0
    while rabbits:
        cell = bit_first(rabbits)
        rabbits &= rabbits - 1
        card = &rules.card[s.farm[0][cell]]
        own = card.points
        if card.logo != NONE:
            to.logos[card.logo] += 1
        if card.timing == AT_END:
            if card.counts == TOKENS:
                own += card.worth * s.tokens[0][cell]
                fed += max(<int> card.worth, 0)
            elif card.worth < 0:
                total -= card.worth * 4                             # sales may make up for all that counts against it
            else:
                own += card.worth * neighbours_counted(rules, s, card, cell)
                to.wanted[card.counted] += card.worth
                if card.counted >= WHITE and rules.wild_scores:
                    to.wanted[<int> WILD] += card.worth
        elif card.timing == IN_BREED and to.later:
            n += units(&card.effect)
        if sales:
            lost = own - units(&card.sale) * to.resource
            total += max(-lost, 0.0)
            least = min(least, max(lost, 0.0))
            if card.sale.draws:
                by_sale += card.sale.draws
                drawer = min(drawer, max(lost, 0.0))
            if units(&card.sale):
                to.rate = min(to.rate, max(lost, 0.0) / units(&card.sale))
    if sales:
        for i in range(3):                                          # fewer cards of a shop may be worth more
            own = rules.logo_points[to.logos[i]]
            for j in range(to.logos[i]):
                total += max(0, rules.logo_points[j] - own)
    if to.later:
        total += max(2 * to.resource, n * to.resource + fed)
    total += stock * to.resource
    if s.phase == PAY:                                              # the card has been taken, and paid in part
        forced = gain_of(rules, s, s.source, &to) + lane(rules.card[s.source].fixed, ALL) * to.resource
        stock += brought(rules, s, &rules.card[s.source])
        to.owed = rules.card[s.source].cost_any
        slots -= 1
        draws += drawn_by(rules, s, &rules.card[s.source])
        to.rate = 1e9
    to.stock = s.stock[0]
    to.due = stock - lane(s.stock[0], ALL)
    hopes.slots = slots
    hopes.alone = hopes.pair = hopes.open[0] = hopes.open[1] = 0
    hopes.count = 0
    cards = placeable(s, 0)
    n = 0
    while any_of(&cards):
        i = pop(&cards)
        card = &rules.card[i]
        gains[n] = gain_of(rules, s, i, &to)
        price[n] = card.price
        fixed[n] = card.fixed
        now[n] = brought(rules, s, card)
        most = max(most, now[n])
        if card.timing == NOW and slots == 2:
            more = max(more, drawn_by(rules, s, card))
        n += 1
    for i in range(n if slots else 0):
        hopes.alone = max(hopes.alone, gains[i] - to.rate * max(0, missing(&to, fixed[i], price[i])))
        for j in range(n if slots == 2 else 0):
            if i != j:
                worth = gains[i] + gains[j] - to.rate * max(
                    0, missing(&to, fixed[i] + fixed[j], price[i] + price[j]) - now[i])
                hopes.pair = max(hopes.pair, worth)
    draws += more
    if (draws or by_sale) and slots:
        if s.ordered or s.deck <= draws + by_sale:                  # no chance, or old cards come again
            return 1e300
        for i in range(market_cards(s)):
            worth = gain_of(rules, s, s.market[i], &to)
            hopes.open[1] = max(hopes.open[1], min(worth, hopes.open[0]))
            hopes.open[0] = max(hopes.open[0], worth)
        hope_for_deck(rules, s, &to, most, &hopes)
    best = hoped(&hopes, draws)
    if by_sale:
        best = max(best, hoped(&hopes, draws + by_sale) - drawer)
    if sales and occupied(s.lanes[0]) == 511 and s.phase == PLACE_FIRST:
        best = max(0.0, best - least)
    total += forced + best + 1e-9
    return total if draws or by_sale else floor(total)
