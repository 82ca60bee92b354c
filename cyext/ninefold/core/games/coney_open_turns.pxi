# --- whole turns -------------------------------------------------------------------------------------------------------
#
# What a turn may lead to is made stage by stage, each a list of half-finished positions behind the one before. A card
# that is drawn gets its fate at once: it is either going to be placed or sold (then it has a name), or it never will,
# and then it is one of a number of nameless cards. Which resource "any" is stays open until it is paid.

cdef inline bint keeps(const Open *o, const Node *n, int card) noexcept nogil:
    """Whether there is any point in keeping the card."""
    if card >= TAKEN or n.held + n.kept >= n.cap or n.held >= 8:
        return False
    return not o.fixed or o.role[card]


cdef inline bint reaches(Open *o, int bound) noexcept nogil:
    """Whether the bound of a position that is on its way reaches the target; if not, it is kept."""
    if bound < o.target and bound > o.seen_bound:
        o.seen_bound = bound
    return bound >= o.target


cdef inline bint must_keep(const Open *o, int card) noexcept nogil:
    return o.fixed and card < TAKEN and o.role[card]


cdef inline void sort_in(uint8_t *cards, int count, int card) noexcept nogil:
    while count > 0 and cards[count - 1] > card:
        cards[count] = cards[count - 1]
        count -= 1
    cards[count] = <uint8_t> card


cdef inline void take_out(uint8_t *cards, int count, int place) noexcept nogil:
    cdef int i
    for i in range(place, count - 1):
        cards[i] = cards[i + 1]
    cards[count - 1] = NONE


cdef inline bint room(Open *o, int64_t more) noexcept nogil:
    """Make room for so many positions."""
    cdef Node *pool = NULL
    cdef int64_t size
    if o.top + more > o.size:
        size = min(2 * o.size + more, o.most)
        if o.top + more <= size:
            pool = <Node *> realloc(o.pool, size * sizeof(Node))
        if pool == NULL:
            o.stop = STOP_MEMORY
            return False
        o.pool = pool
        o.size = size
    return True


cdef inline void push(Open *o, const Node *n) noexcept nogil:
    cdef Node copy = n[0]
    if room(o, 1):
        o.pool[o.top] = copy
        o.top += 1


cdef void draw(Open *o, const Node *n) noexcept nogil:
    """All ways of the draws that are due: market cards by ascending place, then the deck."""
    cdef Node m
    cdef int i, card
    if n.due == 0:
        m = n[0]
        m.cursor = 0
        push(o, &m)
        return
    for i in range(n.cursor, o.rules.market):
        card = n.market[i]
        if card == TAKEN or card == NONE or (card == JUNK and i > n.cursor and n.market[i - 1] == JUNK):
            continue
        m = n[0]
        m.market[i] = TAKEN
        m.cursor = <uint8_t> (i + 1)
        m.due -= 1
        if keeps(o, n, card):
            sort_in(m.hand, m.held, card)
            m.held += 1
            draw(o, &m)
            sort_out(&m, card)
            m.held -= 1
        if not must_keep(o, card):
            m.junk += 1
            draw(o, &m)
    m = n[0]
    if n.next < o.ordered:              # else the deck has been forgotten: nothing of it is wanted
        card = o.order[n.next]
        m.next += 1
    else:
        card = JUNK
    m.cursor = o.rules.market
    m.due -= 1
    if keeps(o, n, card):
        sort_in(m.hand, m.held, card)
        m.held += 1
        draw(o, &m)
        sort_out(&m, card)
        m.held -= 1
    if not must_keep(o, card):
        m.junk += 1
        draw(o, &m)


cdef inline void sort_out(Node *n, int card) noexcept nogil:
    cdef int i = 0
    while n.hand[i] != card:
        i += 1
    take_out(n.hand, n.held, i)


cdef void draw_all(Open *o, int64_t first) noexcept nogil:
    """The draws of every position from `first` on; the outcomes take their places."""
    cdef int64_t i, last = o.top
    cdef Node n
    for i in range(first, last):
        n = o.pool[i]
        draw(o, &n)
    unique(o, first, last)


cdef void unique(Open *o, int64_t first, int64_t start) noexcept nogil:
    """Move the positions from `start` on to `first`, each once."""
    cdef int64_t count = o.top - start, i, kept = 0
    cdef uint64_t h, at
    cdef const char *node
    cdef uint64_t word
    cdef int w
    if count > 0 and first != start:
        memmove(o.pool + first, o.pool + start, count * sizeof(Node))
    o.top = first + count
    if count < 2:
        return
    while o.seen_mask + 1 < <uint64_t> (2 * count):
        free(o.seen)
        o.seen_mask = 2 * o.seen_mask + 1
        o.seen = <int64_t *> calloc(o.seen_mask + 1, sizeof(int64_t))
        o.seen_age = 0
        if o.seen == NULL:
            o.stop = STOP_MEMORY
            o.top = first
            o.seen_mask = 0
            return
    # an entry is the age of the call, above 2^32, and the place of a position
    o.seen_age += 1
    for i in range(count):
        node = <const char *> (o.pool + first + i)
        h = 0
        for w in range(<int> (sizeof(Node) // 8)):
            memcpy(&word, node + 8 * w, 8)         # positions lie at any multiple of two
            h = (h ^ word) * <uint64_t> 0xd6e8feb86659fd93
            h ^= h >> 32
        at = h & o.seen_mask
        while True:
            if <uint64_t> o.seen[at] >> 32 != o.seen_age:
                o.seen[at] = <int64_t> (o.seen_age << 32) | kept
                if kept != i:
                    o.pool[first + kept] = o.pool[first + i]
                kept += 1
                break
            if memcmp(&o.pool[first + (o.seen[at] & <int64_t> 0xffffffff)], &o.pool[first + i], sizeof(Node)) == 0:
                break
            at = (at + 1) & o.seen_mask
    o.top = first + kept


cdef void gain_group(Open *o, const Node *n, const Effect *effect, int group) noexcept nogil:
    """All ways of the groups from this one on."""
    cdef Node m
    cdef int size, kind
    if group >= GROUPS or group >= effect.groups:
        push(o, n)
        return
    size = effect.size[group]
    m = n[0]
    if effect.mode[group] == ANY or size == 1:
        m.stock[OPEN_KIND] += size
        gain_group(o, &m, effect, group + 1)
    elif effect.mode[group] == SAME:
        for kind in range(3):
            m = n[0]
            m.stock[kind] += size
            gain_group(o, &m, effect, group + 1)
    elif size >= 3:
        for kind in range(3):
            m.stock[kind] += 1
        gain_group(o, &m, effect, group + 1)
    else:
        for kind in range(3):           # all but one
            m = n[0]
            m.stock[0] += kind != 0
            m.stock[1] += kind != 1
            m.stock[2] += kind != 2
            gain_group(o, &m, effect, group + 1)


cdef inline void gain_fixed(Node *n, const Effect *effect) noexcept nogil:
    cdef int kind
    for kind in range(3):
        n.stock[kind] += lane(effect.gain, kind)
    n.due += effect.draws


cdef void lift(const Open *o, Node *n, int place) noexcept nogil:
    """Take the rabbit in this place off the farm."""
    cdef int i
    if o.cells:
        n.farm[place] = NONE
        n.tokens[place] = 0
    else:
        for i in range(place, n.farmed - 1):
            n.farm[i] = n.farm[i + 1]
            n.tokens[i] = n.tokens[i + 1]
        n.farm[n.farmed - 1] = NONE
        n.tokens[n.farmed - 1] = 0
    n.farmed -= 1


cdef inline int place_of(const Node *n, int card) noexcept nogil:
    cdef int i
    for i in range(9):
        if n.farm[i] == card:
            return i
    return -1


cdef void sell_some(Open *o, int64_t first) noexcept nogil:
    """Every set of rabbits sold, for the one position at `first`."""
    cdef Node start = o.pool[first], m
    cdef int i, card
    cdef int64_t j, count, mark
    for i in range(9):
        card = start.farm[i]
        if card == NONE or is_final(o, card):
            continue
        count = o.top
        mark = o.top
        for j in range(first, count):
            m = o.pool[j]
            lift(o, &m, place_of(&m, card))
            gain_fixed(&m, &o.card[card].sale)
            if reaches(o, bound_with(o, &m, o.sale_groups[card], SELLING)):
                gain_group(o, &m, &o.card[card].sale, 0)
        if o.card[card].sale.draws:
            draw_all(o, mark)


cdef void pay(Open *o, const Node *n, int any, int kind) noexcept nogil:
    """All ways to pay so many of any: open ones only when the others have run out."""
    cdef Node m
    cdef int i, left
    if any == 0:
        push(o, n)
        return
    left = 0
    for i in range(kind, 3):
        left += n.stock[i]
    if left <= any:                     # all of them, and open ones
        if n.stock[OPEN_KIND] < any - left:
            return
        if kind > 0 and left < any:
            # an open one is paid while one of a kind is left: the way that pays that one instead is as good
            for i in range(kind):
                if n.stock[i]:
                    return
        m = n[0]
        for i in range(kind, 3):
            m.stock[i] = 0
        m.stock[OPEN_KIND] -= any - left
        push(o, &m)
        return
    for i in range(min(any, <int> n.stock[kind]) + 1):
        m = n[0]
        m.stock[kind] -= i
        if kind < 2:
            pay(o, &m, any - i, kind + 1)
        elif i == any:
            push(o, &m)


cdef void place_one(Open *o, int64_t from_, int64_t to) noexcept nogil:
    """For the positions from `from_` to before `to`: every way to place one more card, behind them."""
    cdef int64_t i, j, mark = o.top, paid, paid_end
    cdef Node n, m
    cdef int c, card, kind, short, cell, place, cells
    cdef uint32_t legal
    cdef uint64_t lanes[2]
    cdef Facts facts
    cdef const Card *k
    cdef bint draws = False, sells = False
    lanes[0] = lanes[1] = 0
    for i in range(from_, to):
        n = o.pool[i]
        if n.farmed == 9:
            continue
        if o.cells:
            lanes_of(o, &n, lanes)
            look(o.rules, lanes, &facts)
        for c in range(n.held + n.kept):
            card = n.hand[c] if c < n.held else n.reserve[c - n.held]
            k = o.card + card
            m = n
            short = 0
            for kind in range(3):
                if m.stock[kind] >= k.cost[kind]:
                    m.stock[kind] -= k.cost[kind]
                else:
                    short += k.cost[kind] - m.stock[kind]
                    m.stock[kind] = 0
            if short > m.stock[OPEN_KIND]:
                continue
            m.stock[OPEN_KIND] -= short
            legal = 1
            if o.cells:
                legal = fits(o.rules, k, lanes, n.farm, &facts)
                if n.farmed == 0:
                    legal &= 0b000010011    # the others are these, turned
                if legal == 0:
                    continue
            if c < n.held:
                take_out(m.hand, m.held, c)
                m.held -= 1
            else:
                take_out(m.reserve, m.kept, c - n.held)
                m.kept -= 1
            m.cap = <uint8_t> (n.cap - 1)
            m.selling = 0
            if k.timing == NOW:
                draws |= k.effect.draws > 0
                if k.effect.sells and o.sales and (m.parked if o.loose else m.kept):
                    m.selling = 1
                    sells = True
            m.farmed += 1
            paid = o.top
            pay(o, &m, k.cost_any, 0)
            if k.timing == NOW:
                for j in range(paid, o.top):
                    gain_fixed(o.pool + j, &k.effect)
            if k.timing == NOW and k.effect.groups:
                paid_end = o.top
                for j in range(paid, paid_end):
                    m = o.pool[j]
                    gain_group(o, &m, &k.effect, 0)
                unique(o, paid, paid_end)
            if not o.cells:
                for j in range(paid, o.top):
                    place = n.farmed
                    while place > 0 and o.pool[j].farm[place - 1] > card:
                        o.pool[j].farm[place] = o.pool[j].farm[place - 1]
                        o.pool[j].tokens[place] = o.pool[j].tokens[place - 1]
                        place -= 1
                    o.pool[j].farm[place] = <uint8_t> card
                    o.pool[j].tokens[place] = 0
            else:
                paid_end = o.top
                cells = bit_count(legal)
                for j in range(paid, paid_end):
                    m = o.pool[j]
                    for cell in range(9):
                        if legal >> cell & 1:
                            m.farm[cell] = <uint8_t> card
                            push(o, &m)
                            m.farm[cell] = NONE
                unique(o, paid, paid_end)
            if not reaches(o, bound_of_first(o, paid)):
                o.top = paid
    if draws:
        draw_all(o, mark)
    if sells:
        sell_reserved(o, mark)


cdef inline int bound_of_first(Open *o, int64_t first) noexcept nogil:
    """A bound of the first of several positions that differ by their resources' kinds and cells only."""
    cdef Node m
    cdef int kind, value
    cdef bint cells = o.cells
    if first == o.top:
        return IMPOSSIBLE
    if o.top - first < 4:
        return FAR
    m = o.pool[first]
    if m.due or m.selling:
        return FAR
    for kind in range(3):
        m.stock[OPEN_KIND] += m.stock[kind]
        m.stock[kind] = 0
    o.cells = False
    value = bound(o, &m, 1)
    o.cells = cells
    return value


cdef void sell_reserved(Open *o, int64_t first) noexcept nogil:
    """A coupon lets sell one reserved card: the positions from `first` on without and with it."""
    cdef int64_t i, last = o.top
    cdef Node n, m
    cdef int r, card
    cdef bint draws = False
    for i in range(first, last):
        n = o.pool[i]
        if not n.selling:
            push(o, &n)
            continue
        n.selling = 0
        push(o, &n)
        if o.loose:
            if n.parked:
                n.parked -= 1
                n.stock[OPEN_KIND] += o.most_sale
                n.due += o.most_sale_draws
                draws |= o.most_sale_draws > 0
                push(o, &n)
            continue
        for r in range(n.kept):
            card = n.reserve[r]
            if is_final(o, card):
                continue
            m = n
            take_out(m.reserve, m.kept, r)
            m.kept -= 1
            gain_fixed(&m, &o.card[card].sale)
            draws |= o.card[card].sale.draws > 0
            gain_group(o, &m, &o.card[card].sale, 0)
    unique(o, first, last)
    if draws:
        draw_all(o, first)


cdef inline void end_turn(Open *o, const Node *from_, int action, int64_t *out) noexcept nogil:
    """Hand limit, market, next turn; the outcome goes to place `out` of the pool, which is not behind this one."""
    cdef Node n = from_[0]
    cdef int i, card, kept = 0
    cdef uint8_t market[4]
    if n.held > o.rules.hand or (n.left == 1 and n.held + n.kept):
        return
    n.left -= 1
    n.last = <uint8_t> action
    n.cap = n.due = n.cursor = n.selling = 0
    if n.junk + n.held > o.rules.hand:
        n.junk = <uint8_t> (o.rules.hand - n.held)
    if n.left == 0:
        n.junk = 0
        n.next = 0
        memset(n.market, NONE, 4)
    else:
        for i in range(o.rules.market):
            if n.market[i] != TAKEN and n.market[i] != NONE:
                sort_in(market, kept, n.market[i])
                kept += 1
        while kept < o.rules.market:
            if n.next < o.ordered:
                card = o.order[n.next]
                n.next += 1
            else:
                card = JUNK
            sort_in(market, kept, JUNK if card == JUNK or is_junk(o, card) else card)
            kept += 1
        memset(n.market, NONE, 4)
        memcpy(n.market, market, kept)
        if o.fixed and n.next >= o.last_wanted:
            # whatever comes is discarded: how much of it and how far the deck is gone no longer matters
            n.junk = 0
            n.next = o.ordered
            for i in range(kept):
                if n.market[i] != JUNK and not o.role[n.market[i]]:
                    n.market[i] = JUNK
            for i in range(1, kept):
                card = n.market[i]
                sort_in(n.market, i, card)
    i = bound(o, &n, 0)
    if not reaches(o, i):
        return
    n.bound = <int16_t> i
    o.pool[out[0]] = n
    out[0] += 1


cdef inline bint is_junk(const Open *o, int card) noexcept nogil:
    """Whether no plan that is looked for uses the card."""
    return o.fixed and not o.role[card]


cdef void end_all(Open *o, int64_t first, int64_t to, int action) noexcept nogil:
    """End the turn of the positions from `to` on: the outcomes come to `first`."""
    cdef int64_t i, out = first, last = o.top
    cdef Node n
    for i in range(to, last):
        n = o.pool[i]
        end_turn(o, &n, action, &out)
    o.top = out


cdef void place_turn(Open *o, const Node *start) noexcept nogil:
    cdef int64_t first = o.top, sold, once
    cdef Node n = start[0]
    n.cap = <uint8_t> (2 + 2 * ((start.left - 1) // 2) + (20 if o.fixed else o.coupons_sell))
    push(o, &n)
    if o.sales:
        sell_some(o, first)
    sold = o.top
    place_one(o, first, sold)
    once = o.top
    place_one(o, sold, once)
    unique(o, first, first)
    end_all(o, first, first, PLACE)


cdef void refill_turn(Open *o, const Node *start) noexcept nogil:
    cdef int64_t first = o.top, mark, i
    cdef int keep, free, mask, park, moved, c, less
    cdef Node n, m
    for keep in range(start.junk + 1):
        n = start[0]
        n.cap = <uint8_t> (2 * (start.left // 2) + (20 if o.fixed else o.coupons_sell))
        n.junk = <uint8_t> keep
        n.due = <uint8_t> (o.rules.hand - n.held - keep)
        push(o, &n)
    draw_all(o, first)
    mark = o.top
    for i in range(first, mark):
        n = o.pool[i]
        free = o.rules.reserve - n.kept - n.parked
        for mask in range(1 << n.held):
            moved = bit_count(mask)
            if moved > free:
                continue
            for park in range(min(free - moved, <int> n.junk) + 1):
                m = n
                for c in range(n.held - 1, -1, -1):
                    if mask >> c & 1:
                        sort_in(m.reserve, m.kept, n.hand[c])
                        m.kept += 1
                        take_out(m.hand, m.held, c)
                        m.held -= 1
                m.junk -= park
                m.parked += park
                for less in range(moved + park + 1 if o.rules.second_draw_may else 1):
                    m.due = <uint8_t> (moved + park - less)
                    push(o, &m)
    unique(o, first, mark)
    draw_all(o, first)
    for i in range(first, o.top):
        o.pool[i].stock[OPEN_KIND] += 2
    end_all(o, first, first, REFILL)


cdef void breed_turn(Open *o, const Node *start) noexcept nogil:
    cdef int64_t first = o.top, mark, i
    cdef int place, card, kind
    cdef Node n = start[0], m
    cdef Effect groups
    n.cap = <uint8_t> (2 * (start.left // 2) + (20 if o.fixed else o.coupons_sell))
    for place in range(9):
        card = n.farm[place]
        if card != NONE and o.card[card].timing == IN_BREED:
            gain_fixed(&n, &o.card[card].effect)
    push(o, &n)
    draw_all(o, first)
    for place in range(9):
        card = start.farm[place]
        if card != NONE and o.card[card].timing == IN_BREED and o.card[card].effect.groups:
            groups = o.card[card].effect
            mark = o.top
            for i in range(first, mark):
                m = o.pool[i]
                gain_group(o, &m, &groups, 0)
            unique(o, first, mark)
    for place in range(9):
        card = start.farm[place]
        if card != NONE and o.card[card].timing == AT_END and o.card[card].counts == TOKENS:
            kind = o.card[card].counted
            mark = o.top
            for i in range(first, mark):
                m = o.pool[i]
                if m.stock[kind]:
                    m.stock[kind] -= 1
                elif m.stock[OPEN_KIND]:
                    m.stock[OPEN_KIND] -= 1
                else:
                    continue
                m.tokens[place] += 1
                push(o, &m)
    end_all(o, first, first, BREED)
