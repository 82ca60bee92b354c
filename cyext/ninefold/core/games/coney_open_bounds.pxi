# --- what a position can still be worth ---------------------------------------------------------------------------------
#
# In units of a point over the number of resources that make one, so that a resource left over is worth one unit.
# The bound forgets places, kinds of resources and when they come, and how many cards a hand holds: what remains is a
# knapsack over the cards that can be reached at all, for each number of turns of each action.

cdef inline int most_of(int turns, int last, int action) noexcept nogil:
    """How many of so many turns can be this action."""
    return turns // 2 if last == action else (turns + 1) // 2


cdef inline int floor_div(int a, int b) noexcept nogil:
    return a // b if a >= 0 else -((-a + b - 1) // b)


cdef inline int matching(const Open *o, const int *count, int card) noexcept nogil:
    """How many of the counted cards, the card itself aside, its coupon counts."""
    cdef int attribute = o.card[card].counted
    cdef int n = count[attribute] - (o.card[card].attributes >> attribute & 1)
    if attribute >= WHITE and o.rules.wild_scores and o.card[card].worth > 0:
        n += count[<int> WILD] - (o.card[card].attributes >> WILD & 1)
    return n


cdef inline void count_card(const Open *o, int *count, int card) noexcept nogil:
    cdef int a
    cdef uint32_t mask = o.card[card].attributes
    while mask:
        a = bit_first(mask)
        mask &= mask - 1
        count[a] += 1


cdef inline int coupon_most(const Open *o, const int *count, int card, int more, bint *four) noexcept nogil:
    """What an end coupon can be worth with so many more cards to come. One card alone, in the centre, has four
    neighbours: `four` says that this may be the one."""
    cdef const Card *k = o.card + card
    cdef int n
    if k.timing != AT_END or k.counts == TOKENS or k.worth <= 0:
        return 0
    n = matching(o, count, card) + more
    if k.counts == LINES:
        return o.unit * k.worth * min(n, 4)
    if n >= 4:
        four[0] = True
    return o.unit * k.worth * min(n, 3)


cdef int worth_at_end(const Open *o, const Node *n) noexcept nogil:
    """The score of a final position: without cells, at most."""
    cdef int count[8]
    cdef int logos[3]
    cdef int i, j, card, v = 0, best = 0, seen, other
    cdef bint four = False, one
    cdef const Card *k
    memset(count, 0, sizeof(count))
    memset(logos, 0, sizeof(logos))
    for i in range(9):
        if n.farm[i] != NONE:
            count_card(o, count, n.farm[i])
    for i in range(9):
        card = n.farm[i]
        if card == NONE:
            continue
        k = o.card + card
        v += k.points
        if k.logo != NONE:
            logos[k.logo] += 1
        if k.timing != AT_END:
            continue
        if k.counts == TOKENS:
            v += k.worth * n.tokens[i]
        elif not o.cells:
            one = False
            v += coupon_most(o, count, card, 0, &one) // o.unit
            if one and k.worth > best:
                best = k.worth
        else:
            seen = 0
            for j in range(9):
                if (NEXT_TO[i] if k.counts == NEIGHBOURS else IN_LINE[i]) >> j & 1 and n.farm[j] != NONE:
                    other = o.card[n.farm[j]].attributes
                    if other >> k.counted & 1:
                        seen += 1
                    elif other >> WILD & 1 and k.counted >= WHITE and o.rules.wild_scores and k.worth > 0:
                        seen += 1
            v += k.worth * seen
    v += best
    for i in range(3):
        v += o.rules.logo_points[logos[i]]
    v += (n.stock[0] + n.stock[1] + n.stock[2] + n.stock[3]) // o.unit
    return v - o.rules.reserved_penalty * n.parked


cdef inline int best_of(const Open *o, int shops, int breeds, int end, int next, int slots, int budget) noexcept nogil:
    """The knapsack: at most `slots` of the deck's cards from `next` to before `end`, and what is left over."""
    cdef int over = 0
    if budget >= BUDGETS - LEAST:
        over = budget - (BUDGETS - LEAST - 1)
        budget = BUDGETS - LEAST - 1
    elif budget < -LEAST:
        budget = -LEAST
    if next > end * STEP:
        next = end * STEP
    return over + o.knapsack[
        ((((shops * o.most_breeds + breeds) * o.ends + end) * o.starts + next - o.start) * o.most_slots + slots) * BUDGETS
        + budget + LEAST]


cdef int market_best(const Open *o, const Options *options, int shops, int breeds, int end, int next, int slots,
                     int budget, int card) noexcept nogil:
    """The same with the market's cards from number `card` on."""
    cdef int best, v, i
    if card == options.cards or slots == 0:
        return best_of(o, shops, breeds, end, next, slots, budget)
    best = market_best(o, options, shops, breeds, end, next, slots, budget, card + 1)
    for i in range(options.first[card], options.first[card + 1]):
        v = options.value[i] + market_best(o, options, shops, breeds, end, next, slots - 1,
                                           budget - options.cost[i], card + 1)
        if options.logo[i] < 3 and shops >> options.logo[i] & 1:
            v += o.logo_each
        if v > best:
            best = v
    return best


cdef void add_options(const Open *o, Options *options, int card, int breeds) noexcept nogil:
    """What a card that is still to be got may be used for: left lying, fed so often, or sold."""
    cdef const Card *k = o.card + card
    cdef int fed, net = o.cost[card] - o.now[card] - o.breed[card] * breeds
    cdef int n = options.first[options.cards]
    for fed in range(1 + (breeds if k.timing == AT_END and k.counts == TOKENS and k.worth > 0 else 0)):
        options.value[n] = o.value[card] + fed * k.worth * o.unit
        options.cost[n] = net + fed
        options.logo[n] = k.logo
        n += 1
    if o.sales:
        options.value[n] = 0
        options.cost[n] = net - o.sale[card]
        options.logo[n] = NONE
        n += 1
    options.cards += 1
    options.first[options.cards] = n


cdef int bound_with(Open *o, const Node *n, int more, int slots) noexcept nogil:
    """With so many more resources."""
    cdef Node m = n[0]
    m.stock[OPEN_KIND] += more
    return bound(o, &m, slots)


cdef int bound(Open *o, const Node *n, int slots) noexcept nogil:
    """No plan from here scores more. `slots` placements are left in a place turn under way (0: between turns;
    SELLING: two, and sales come first)."""
    cdef int turns = n.left, last = n.last
    cdef int count[8]
    cdef int logos[3]
    cdef int loss_of[18]
    cdef int gain_of[18]
    cdef int loss[GAINS]
    cdef int things = 0, i, j, card, waiting, most, more, base = 0, farm_breed = 0, hand_breed = 0, hand_net = 0
    cdef int farm_draws = 0, hand_draws = 0, hand_breed_draws = 0, sale_draws = 0, tokens_farm = 0, tokens_hand = 0
    cdef int stock, p, r, b, places, new, new_turns, breeds_hand, breeds_new, drawn, window, extra, before, budget
    cdef int shops, v, best = IMPOSSIBLE, add, x, lowest, wait, gains, length, tokens, end
    cdef bint four = False, drawing, opens, selling = slots == SELLING
    cdef const Card *k
    cdef Options options
    if turns == 0:
        return worth_at_end(o, n)
    if o.fixed:
        return bound_fixed(o, n, slots)
    if slots:
        turns -= 1
        last = PLACE
        slots = min(slots, 2)
    waiting = n.held + n.kept
    most = slots + 2 * most_of(turns, last, PLACE)
    if waiting > most + o.coupons_sell:
        return IMPOSSIBLE
    more = most - max(0, waiting - o.coupons_sell)
    if not o.sales:
        more = min(more, 9 - n.farmed - waiting)
        if more < 0:
            return IMPOSSIBLE
    memset(count, 0, sizeof(count))
    memset(logos, 0, sizeof(logos))
    for i in range(9):
        if n.farm[i] != NONE:
            count_card(o, count, n.farm[i])
    for i in range(waiting):
        count_card(o, count, n.hand[i] if i < n.held else n.reserve[i - n.held])
    for i in range(9 + waiting):
        if i < 9:
            card = n.farm[i]
            if card == NONE:
                continue
        else:
            card = n.hand[i - 9] if i - 9 < n.held else n.reserve[i - 9 - n.held]
        k = o.card + card
        v = o.unit * k.points + coupon_most(o, count, card, more, &four)
        if k.logo != NONE:
            logos[k.logo] += 1
        if i < 9:
            farm_breed += o.breed[card]
            farm_draws += o.breed_draws[card]
        else:
            hand_net += o.now[card] - o.cost[card]
            hand_breed += o.breed[card]
            hand_draws += o.now_draws[card]
            hand_breed_draws += o.breed_draws[card]
        if k.timing == AT_END and k.counts == TOKENS and k.worth > 0:
            if i < 9:
                v += o.unit * k.worth * n.tokens[i]
                tokens_farm += max(0, o.unit * k.worth - 1)
            else:
                tokens_hand += max(0, o.unit * k.worth - 1)
        base += v
        if o.sales:
            loss_of[things] = v
            gain_of[things] = o.sale[card]
            if i >= 9 and o.coupons_sell:
                gain_of[things] += o.cost[card]
            sale_draws += o.card[card].sale.draws
            things += 1
    gains = 0
    for i in range(things):
        gains += gain_of[i]
    gains = max(gains, GAINS - 1)
    if o.sales:                         # the least that selling for so many resources loses
        loss[0] = 0
        for x in range(1, GAINS):
            loss[x] = FAR
        for i in range(things):
            for x in range(GAINS - 1, -1, -1):
                if loss[x] < FAR:
                    j = min(x + gain_of[i], GAINS - 1)
                    v = loss[x] + loss_of[i]
                    if v < loss[j]:
                        loss[j] = v
    stock = n.stock[0] + n.stock[1] + n.stock[2] + n.stock[3]
    drawing = n.due > 0 or hand_draws > 0 or sale_draws > 0
    wait = 1 if drawing else 2 if last != REFILL or farm_draws or hand_breed_draws else 3
    for p in range(most_of(turns, last, PLACE) + 1):
        places = slots + 2 * p
        if places + o.coupons_sell < waiting:
            continue
        for r in range(most_of(turns, last, REFILL) + 1):
            b = turns - p - r
            if b < 0 or b > most_of(turns, last, BREED):
                continue
            length = turns - (0 if slots else 2 if last == PLACE else 1)
            breeds_hand = min(b, (length + 1) // 2) if length > 0 else 0
            length = turns - wait + 1   # turns in which a new card can be placed, at best
            new = places - max(0, waiting - o.coupons_sell)
            if not drawing:
                new = min(new, 2 * min(p, (length + 1) // 2)) if length > 0 else 0
            new = min(new, more)
            length = turns - wait if not drawing else turns
            breeds_new = min(b, (length + 1) // 2) if length > 0 else 0
            drawn = n.due + o.rules.hand * r + farm_draws * b + hand_draws + hand_breed_draws * breeds_hand + sale_draws
            drawn += min(o.rules.reserve * r, o.rules.reserve - n.kept - n.parked + places)
            if drawn == 0:
                new = 0
            end = n.next
            options.cards = 0
            options.first[0] = 0
            if new > 0:
                extra = 0
                for i in range(o.rules.market):
                    if n.market[i] < TAKEN:
                        add_options(o, &options, n.market[i], breeds_new)
                        extra += o.draws_of[breeds_new][n.market[i]]
                before = -1
                window = drawn + min(extra, new * o.most_draws[breeds_new])
                while window != before:
                    before = window
                    window = drawn + min(new * o.most_draws[breeds_new], extra + o.draws_before[breeds_new][
                        min(n.next + window, <int> o.ordered)] - o.draws_before[breeds_new][n.next])
                new = min(new, window)
                end = min(n.next + window, <int> o.ordered)
            budget = stock + 2 * r + farm_breed * b + hand_net + hand_breed * breeds_hand
            tokens = tokens_farm * b + tokens_hand * breeds_hand
            add = o.centre if (four or new > 0) and n.farmed + waiting + new >= 5 else 0
            end = min((end + STEP - 1) // STEP, o.ends - 1)
            for shops in range(8):
                v = base + tokens + add
                opens = True
                for i in range(3):
                    if shops >> i & 1:
                        if logos[i] + new < o.logo_first:
                            opens = False
                            break
                        v += o.logo_base + o.logo_each * logos[i]
                if not opens:
                    continue
                if not o.sales or (p == 0 and not selling):
                    v += market_best(o, &options, shops, breeds_new, end, n.next, new, budget, 0)
                    if v > best:
                        best = v
                    continue
                for x in range(GAINS):
                    if loss[x] >= FAR or v - loss[x] + market_best(
                            o, &options, shops, breeds_new, end, n.next, new, budget + gains, 0) <= best:
                        continue
                    lowest = v - loss[x] + market_best(o, &options, shops, breeds_new, end, n.next, new,
                                                       budget + (x if x < GAINS - 1 else gains), 0)
                    if lowest > best:
                        best = lowest
    if best <= IMPOSSIBLE:
        return IMPOSSIBLE
    return floor_div(best, o.unit) - o.rules.reserved_penalty * n.parked


cdef inline bint is_final(const Open *o, int card) noexcept nogil:
    """Whether the card is one of the given final farm."""
    return o.fixed and o.role[card] and o.role[card] <= o.fixed_cards


cdef inline int extra_gain(const Open *o, int count) noexcept nogil:
    """What so many extra cards give at best, if they come from the place in their order that has been reached."""
    return o.extra_sum[min(o.extra_from + count, o.extras)] - o.extra_sum[o.extra_from]


cdef int bound_fixed(Open *o, const Node *n, int slots) noexcept nogil:
    """The same when the final farm is given, and the cards that are placed or reserved only to be sold."""
    cdef int turns = n.left, last = n.last
    cdef int i, card, waiting = 0, waiting_sales = 0, undrawn = 0, far = -1, p, r, b, places, free, budget, drawn
    cdef int stock = n.stock[0] + n.stock[1] + n.stock[2] + n.stock[3]
    cdef int need[3]
    cdef int fixed_breed[3]
    cdef int breed_farm = 0, net = 0, breed_wait = 0, draws = 0, breed_draws = 0, farm_draws = 0, on_farm = 0
    cdef int tokens = 0, tokens_worth = 0, tokens_wait = 0, v, best = IMPOSSIBLE, kind, deficit, open_gain = 0
    cdef int breeds_wait, length, coupons = 0, spared, open_breed = 0, to_sell = 0, net_sales = 0, sale_gain = 0, in_needs = 0
    cdef int nameless, named, sold
    cdef uint32_t there = 0, held = 0
    cdef bint selling = slots == SELLING
    cdef const Card *k
    if slots:
        turns -= 1
        last = PLACE
        slots = min(slots, 2)
    memset(fixed_breed, 0, sizeof(fixed_breed))
    memset(need, 0, sizeof(need))
    for i in range(9):
        card = n.farm[i]
        if card == NONE:
            continue
        k = o.card + card
        breed_farm += o.breed[card]
        farm_draws += o.breed_draws[card]
        if k.timing == IN_BREED:
            for kind in range(3):
                fixed_breed[kind] += lane(k.effect.gain, kind)
            open_breed += o.breed_groups[card]
        if o.role[card]:
            there |= (<uint32_t> 1) << (o.role[card] - 1)
        if is_final(o, card):
            if k.timing == AT_END and k.counts == TOKENS and k.worth > 0:
                tokens += o.unit * k.worth * n.tokens[i]
                tokens_worth += max(0, o.unit * k.worth - 1)
        else:
            on_farm += 1                # has to be sold in a place turn to come
            sale_gain += o.sale[card]
            draws += k.sale.draws
            if not o.role[card]:
                in_needs += o.breed[card] * ((turns + 1) // 2)
    if on_farm and (not o.sales or (most_of(turns, last, PLACE) == 0 and not selling)):
        return IMPOSSIBLE
    in_needs += sale_gain
    for i in range(n.held + n.kept):
        card = n.hand[i] if i < n.held else n.reserve[i - n.held]
        held |= (<uint32_t> 1) << (o.role[card] - 1)
    for i in range(o.roles):
        card = o.role_card[i]
        if not (there | held) >> i & 1 and o.position[card] < n.next and not (
                n.market[0] == card or n.market[1] == card or n.market[2] == card or n.market[3] == card):
            if i < o.fixed_cards:
                return IMPOSSIBLE
            there |= (<uint32_t> 1) << i            # has been sold
    if o.needs_known and not slots and stock + in_needs + tokens < o.needs[
            (turns * 4 + last) * o.needs_row + there]:
        return o.target - 1
    for i in range(o.roles):
        if there >> i & 1:
            continue
        card = o.role_card[i]
        k = o.card + card
        if not held >> i & 1:
            far = max(far, <int> o.position[card])
            undrawn += 1
        draws += o.now_draws[card]
        breed_draws += o.breed_draws[card]
        if k.timing == NOW and k.effect.sells and o.sales:
            coupons += 1
        breed_wait += o.breed[card]
        if i < o.fixed_cards:
            waiting += 1
            net += o.now[card] - o.cost[card]
            for kind in range(3):
                need[kind] += k.cost[kind]
            if k.timing == AT_END and k.counts == TOKENS and k.worth > 0:
                tokens_wait += max(0, o.unit * k.worth - 1)
        else:
            waiting_sales += 1
            draws += k.sale.draws
            net_sales += o.sale[card]
            if not o.role_coupons or o.loose:
                net_sales += o.now[card] - o.cost[card]
                for kind in range(3):
                    need[kind] += k.cost[kind]
            else:
                net_sales += max(0, o.now[card] - o.cost[card])
        if k.timing == NOW:
            for kind in range(3):
                need[kind] -= lane(k.effect.gain, kind)
            open_gain += o.now_groups[card]
        elif k.timing == IN_BREED:
            for kind in range(3):
                fixed_breed[kind] += lane(k.effect.gain, kind)
            open_breed += o.breed_groups[card]
    for i in range(o.roles):            # sales to come: their kinds are not looked at
        if i >= o.fixed_cards and not there >> i & 1:
            open_gain += o.sale[o.role_card[i]]
    open_gain += sale_gain
    p = most_of(turns, last, PLACE)
    nameless = coupons if o.anonymous or o.loose else 0     # coupons that may sell nameless cards
    named = 0 if o.loose else coupons
    if waiting_sales > named + max(0, slots + 2 * p - 2):
        return IMPOSSIBLE
    v = o.fixed_worth + tokens + min(coupons_here(o, n, there) if o.cells else o.coupons, o.coupon_cap)
    for p in range(p + 1):
        places = slots + 2 * p
        if places < waiting or places + named < waiting + waiting_sales:
            continue
        free = max(0, min(places - waiting - max(0, waiting_sales - named), places - 2)) if o.anonymous else 0
        for r in range(most_of(turns, last, REFILL) + 1):
            b = turns - p - r
            if b < 0 or b > most_of(turns, last, BREED):
                continue
            length = turns - (0 if slots else 2 if last == PLACE else 1)
            breeds_wait = min(b, (length + 1) // 2) if length > 0 else 0
            drawn = n.due + o.rules.hand * r + min(o.rules.reserve * r, o.rules.reserve - n.kept - n.parked + places)
            drawn += farm_draws * b + draws + breed_draws * breeds_wait + free * o.most_draws[b]
            sold = min(nameless, n.parked + o.rules.reserve * r) if o.loose else nameless
            drawn += sold * o.most_sale_draws
            if undrawn > drawn or far >= n.next + drawn:
                continue
            kind = 2 * r
            if o.anonymous:
                kind += min(o.sale_top[b][min(free, 10)], extra_gain(o, free))
            kind += sold * o.most_sale
            spared = min(<int> n.parked, free + sold)
            budget = stock + kind + breed_farm * b + net + net_sales + sale_gain + breed_wait * breeds_wait
            if budget < 0:
                continue
            deficit = -n.stock[OPEN_KIND] - kind - open_gain - open_breed * b
            if free == 0:               # kinds: a group or a sale to come may be of any
                for i in range(3):
                    deficit += max(0, need[i] - n.stock[i] - fixed_breed[i] * b)
                if deficit > 0:
                    continue
            i = v + budget + tokens_worth * b + tokens_wait * breeds_wait
            i += o.unit * o.rules.reserved_penalty * (spared - n.parked)
            if i > best:
                best = i
    if best <= IMPOSSIBLE:
        return IMPOSSIBLE
    return floor_div(best, o.unit)


cdef int coupons_here(const Open *o, const Node *n, uint32_t there) noexcept nogil:
    """What the end coupons of a given final farm can be worth with those cards where they lie."""
    cdef int i, j, card, other, seen, gaps, left, v = 0, best = 0, cell
    cdef uint32_t cells
    cdef const Card *k
    for i in range(o.fixed_cards):
        card = o.role_card[i]
        k = o.card + card
        if k.timing != AT_END or k.counts == TOKENS or k.worth <= 0:
            continue
        left = 0
        for j in range(o.fixed_cards):
            if j != i and not there >> j & 1 and counts(o, k, o.role_card[j]):
                left += 1
        if there >> i & 1:
            cell = place_of(n, card)
            cells = NEXT_TO[cell] if k.counts == NEIGHBOURS else IN_LINE[cell]
            seen = gaps = 0
            while cells:
                j = bit_first(cells)
                cells &= cells - 1
                other = n.farm[j]
                if other == NONE or not is_final(o, other):
                    gaps += 1
                elif counts(o, k, other):
                    seen += 1
            v += k.worth * (seen + min(gaps, left))
        else:
            for j in range(o.fixed_cards):
                if j != i and there >> j & 1 and counts(o, k, o.role_card[j]):
                    left += 1
            if k.counts == LINES or left < 4:
                v += k.worth * min(left, 4)
            elif o.cells and n.farm[4] != NONE and is_final(o, n.farm[4]):
                v += k.worth * 3
            else:
                v += k.worth * 3
                best = max(best, <int> k.worth)
    return o.unit * (v + best)


cdef int best_layout(Open *o) noexcept nogil:
    """What the end coupons of the given farm are worth in the best layout, whether it can be reached or not."""
    cdef Layout layout
    cdef int i, j, n = 0
    cdef const Card *k
    layout.most = o.coupons // o.unit
    memset(layout.beside, 0, sizeof(layout.beside))
    memset(layout.in_line, 0, sizeof(layout.in_line))
    for i in range(o.fixed_cards):
        k = o.card + o.role_card[i]
        if k.timing != AT_END or k.counts == TOKENS:
            continue
        for j in range(o.fixed_cards):
            if j != i and counts(o, k, o.role_card[j]):
                if k.counts == NEIGHBOURS:
                    layout.beside[i][j] += k.worth
                    layout.beside[j][i] += k.worth
                else:
                    layout.in_line[i][j] += k.worth
                    layout.in_line[j][i] += k.worth
    layout.cards = 0
    for i in range(o.fixed_cards):      # those that concern no coupon may lie anywhere
        n = 0
        for j in range(o.fixed_cards):
            n += layout.beside[i][j] != 0 or layout.in_line[i][j] != 0
        if n:
            layout.card[layout.cards] = i
            layout.cards += 1
    layout.best = LEAST_SCORE
    layout.visits = 0
    lay_out(&layout, 0, 0, 0)
    return o.unit * (layout.most if layout.visits > LAYOUTS else layout.best)


cdef void lay_out(Layout *layout, int number, uint32_t taken, int value) noexcept nogil:
    cdef int cell, more, i, there
    if layout.best >= layout.most or layout.visits > LAYOUTS:
        return
    layout.visits += 1
    if number == layout.cards:
        layout.best = max(layout.best, value)
        return
    for cell in range(9):
        if taken >> cell & 1 or (number == 0 and cell != 0 and cell != 1 and cell != 4):
            continue
        more = 0
        for i in range(number):
            there = layout.cell[i]
            if NEXT_TO[cell] >> there & 1:
                more += layout.beside[layout.card[number]][layout.card[i]]
            if IN_LINE[cell] >> there & 1:
                more += layout.in_line[layout.card[number]][layout.card[i]]
        layout.cell[number] = cell
        lay_out(layout, number + 1, taken | (<uint32_t> 1) << cell, value + more)


cdef inline bint counts(const Open *o, const Card *k, int card) noexcept nogil:
    """Whether an end coupon counts the card."""
    cdef int other = o.card[card].attributes
    if other >> k.counted & 1:
        return True
    return k.worth > 0 and k.counted >= WHITE and o.rules.wild_scores and other >> WILD & 1


# --- what a given farm needs, turn by turn ------------------------------------------------------------------------------
#
# The least total of resources, kinds aside, from which the cards that are missing can still be placed and the target
# reached: backwards over the turns, for every set of cards already placed. For each schedule, that is each sequence of
# actions, apart: it fixes how many cards can have been drawn by a turn and how often a card breeds after it.

ctypedef struct Needed:         # the cards of the given farm, and those to be sold
    int roles
    int cost[ROLES]
    int gains[ROLES]
    int sale[ROLES]             # what selling it by a coupon gives
    uint32_t coupons            # those whose coupon sells a reserved card
    int drawn                   # cards that can be drawn without a refill or one of them
    int most                    # resources that the end must leave
    int stock                   # at the beginning, with what sales to come of rabbits on the farm give
    int there                   # the cards on the farm at the beginning
    uint32_t can                # in the turn at hand: those that can be placed,
    uint32_t can_sell           # those that a coupon can sell,
    int other_sale              # what it gives to sell another card by a coupon, IMPOSSIBLE: there is none
    int extra[DEAR + 1]         # and what placing and selling another one gives, by its cost


cdef inline void relax(const int16_t *after, int16_t *least, int count, int cost, int net) noexcept nogil:
    """Placing a card: what is needed before, from what is needed after."""
    cdef int i
    cdef int16_t v, low = <int16_t> cost, change = <int16_t> net
    for i in range(count):
        v = <int16_t> (after[i] + change)
        v = v if v > low else low
        least[i] = v if v < least[i] else least[i]


cdef inline void relax_role(const int16_t *after, int16_t *least, int size, int role, int cost, int net) noexcept nogil:
    """The same for every set without the card, from the one with it."""
    cdef int block, i, bit = 1 << role
    cdef int16_t v, low = <int16_t> cost, change = <int16_t> net
    cdef int16_t guard[8]
    if role >= 3 or size < 8:
        for block in range(size >> (role + 1)):
            relax(after + (2 * block + 1) * bit, least + 2 * block * bit, bit, cost, net)
        return
    for i in range(8):                  # eight sets at a time, of which those with the card stay as they are
        guard[i] = 0x7fff if i & bit else low
    for block in range(size >> 3):
        for i in range(8):
            v = <int16_t> (after[8 * block + i + bit] + change)
            v = v if v > guard[i] else guard[i]
            least[8 * block + i] = v if v < least[8 * block + i] else least[8 * block + i]


cdef void place_step(const Needed *d, const int16_t *after, int16_t *sold, int16_t *least) noexcept nogil:
    """Needs before one placement, or none, of a card of the farm or of one that is only to be sold."""
    cdef int size = 1 << d.roles, i
    cdef const int16_t *then
    memcpy(least, after, size * sizeof(int16_t))
    for i in range(DEAR + 1):
        if d.extra[i] > IMPOSSIBLE:
            relax(after, least, size, i, -d.extra[i])
    if d.coupons & d.can:               # what is needed before a coupon sells a card
        memcpy(sold, after, size * sizeof(int16_t))
        if d.other_sale > IMPOSSIBLE:
            relax(after, sold, size, -FAR, -d.other_sale)
        for i in range(d.roles):
            if d.can_sell >> i & 1:
                relax_role(after, sold, size, i, -FAR, -d.sale[i])
    for i in range(d.roles):
        if d.can >> i & 1:
            then = after
            if d.coupons >> i & 1:
                then = sold
            relax_role(then, least, size, i, d.cost[i], d.cost[i] - d.gains[i])


cdef bint needed(Open *o, Needed *d) noexcept nogil:
    """What the needs ask of the cards. False if there are too many of them.

    A feeding counts as the resources that its points are worth, less the one fed. A card that is to be sold counts as
    sold when it is placed.
    """
    cdef int mask, i, card, v, turns = o.given.left
    cdef const Card *k
    d.roles = o.roles
    if 1 << d.roles > MASKS:
        return False
    d.coupons = 0
    o.income[0] = 0
    for i in range(d.roles):
        card = o.role_card[i]
        k = o.card + card
        d.cost[i] = o.cost[card]
        d.gains[i] = o.now[card]
        d.sale[i] = o.sale[card]
        v = o.breed[card]
        if o.sales and k.timing == NOW and k.effect.sells:
            d.coupons |= (<uint32_t> 1) << i
        if i >= o.fixed_cards:
            d.gains[i] += o.sale[card]
        elif k.timing == AT_END and k.counts == TOKENS and k.worth > 0:
            v += max(0, o.unit * k.worth - 1)
        for mask in range(1 << i):
            o.income[mask | 1 << i] = <int16_t> (o.income[mask] + v)
    d.stock = d.there = d.drawn = 0
    for i in range(4):
        d.stock += o.given.stock[i]
    for i in range(9):
        card = o.given.farm[i]
        if card == NONE:
            continue
        k = o.card + card
        if o.role[card]:
            d.there |= 1 << (o.role[card] - 1)
        if not is_final(o, card):       # as in bound_fixed
            d.stock += o.sale[card]
            if not o.role[card]:
                d.stock += o.breed[card] * ((turns + 1) // 2)
        elif k.timing == AT_END and k.counts == TOKENS and k.worth > 0:
            d.stock += o.unit * k.worth * o.given.tokens[i]
        if o.sales:
            d.drawn += k.sale.draws
    d.most = max(0, o.target * o.unit - o.fixed_worth - min(o.coupons, o.coupon_cap))
    return True


cdef void look_at_turn(const Open *o, Needed *d, const Schedule *s, int turn) noexcept nogil:
    """What can be placed and sold in a place turn of a schedule."""
    cdef int i, card, gain, breeds = s.breeds_before[turn], drawn = d.drawn + o.given.next
    drawn += s.refills_before[turn] * (o.rules.hand + o.rules.reserve)
    for i in range(9):
        if o.given.farm[i] != NONE:
            drawn += o.breed_draws[o.given.farm[i]] * breeds
    for i in range(o.roles):
        drawn += o.draws_of[breeds][o.role_card[i]]
    d.other_sale = IMPOSSIBLE
    for i in range(DEAR + 1):
        d.extra[i] = IMPOSSIBLE
    if o.loose:
        drawn += o.role_coupons * o.most_sale_draws
        if s.refills_before[turn] or o.given.reserve[0] != NONE or o.given.reserve[1] != NONE:
            d.other_sale = o.most_sale
    if o.anonymous:                     # those placed before, and one in this turn
        drawn += (2 * s.places_before[turn] + 1) * o.most_draws[breeds] + o.role_coupons * o.most_sale_draws
        for i in range(o.extra_from, o.extras):
            card = o.extra[i]
            if o.role[card] or o.position[card] >= drawn:
                continue
            if not o.loose:
                d.other_sale = max(d.other_sale, o.sale[card])
            if turn < s.last_place:     # it is sold in a later place turn
                gain = extra_worth(o, card, s.breeds_before[s.last_place] - breeds)
                d.extra[min(o.cost[card], <int> DEAR)] = max(d.extra[min(o.cost[card], <int> DEAR)], gain)
    d.can = d.can_sell = 0
    for i in range(d.roles):
        if o.position[o.role_card[i]] < drawn:
            if i < o.fixed_cards or turn < s.last_place:
                d.can |= (<uint32_t> 1) << i
            if i >= o.fixed_cards and not o.loose:
                d.can_sell |= (<uint32_t> 1) << i


cdef bint schedule_suffices(Open *o, Needed *d, const Schedule *s, int16_t *needs) noexcept nogil:
    """Whether the target can be reached with this schedule. The needs along it are added to those given, if any."""
    cdef int size = 1 << d.roles, turn, mask, turns = o.given.left, last
    cdef int16_t *now = o.step
    cdef int16_t *once = o.step + MASKS
    cdef int16_t *sold = o.step + 2 * MASKS
    cdef int16_t *row
    cdef int16_t v
    for mask in range(size):
        now[mask] = FAR
    now[size - 1] = <int16_t> d.most
    for turn in range(turns - 1, -1, -1):
        if needs != NULL:               # after this turn
            row = needs + ((turns - 1 - turn) * 4 + s.action[turn]) * size
            for mask in range(size):
                row[mask] = now[mask] if now[mask] < row[mask] else row[mask]
        if s.action[turn] == PLACE:
            look_at_turn(o, d, s, turn)
            place_step(d, now, sold, once)
            place_step(d, once, sold, now)
        elif s.action[turn] == BREED:
            for mask in range(size):
                now[mask] = <int16_t> (now[mask] - o.income[mask])
        else:
            for mask in range(size):
                now[mask] = <int16_t> (now[mask] - 2)
        for mask in range(size):
            now[mask] = now[mask] if now[mask] > 0 else 0
    if needs != NULL:
        row = needs + (turns * 4 + o.given.last) * size
        for mask in range(size):
            row[mask] = now[mask] if now[mask] < row[mask] else row[mask]
    return now[d.there] <= d.stock


cdef bint schedule_fits(const Open *o, const Needed *d, const Schedule *s) noexcept nogil:
    """A first look at it: places and totals."""
    cdef int i, free = 2 * s.places, total = d.stock + 2 * s.refills, most = 0, breeds, missing = 0
    breeds = s.breeds - s.breeds_before[s.first_place] if s.places else 0
    for i in range(d.roles):
        if d.there >> i & 1:
            total += s.breeds * (o.income[1 << i])
            continue
        missing += i < o.fixed_cards
        total += d.gains[i] - d.cost[i] + breeds * o.income[1 << i]
        if i >= o.fixed_cards and d.coupons and not o.loose:        # or sold by a coupon, without its cost
            total += max(0, d.cost[i] - d.gains[i] + d.sale[i])
    if missing > free:
        return False
    if (o.anonymous or o.loose) and d.coupons:
        total += o.role_coupons * o.most_sale
    if o.anonymous:
        most = o.sale_top[breeds][min(10, max(0, free - missing))]
    return total + most >= d.most


cdef void choose_schedules(Open *o, const uint16_t *of, int count, uint16_t *chosen, int *number) noexcept nogil:
    """Those of some schedules that may do for the given farm and extra cards, and with `anonymous` for others too."""
    cdef Needed d
    cdef int i
    cdef const Schedule *s
    number[0] = count
    if not needed(o, &d):
        memmove(chosen, of, count * sizeof(uint16_t))
        return
    number[0] = 0
    for i in range(count):
        s = o.schedule + of[i]
        if schedule_fits(o, &d, s) and schedule_suffices(o, &d, s, NULL):
            chosen[number[0]] = of[i]
            number[0] += 1


cdef inline int after(int prefix, int action) noexcept nogil:
    """The number of a sequence of actions that goes on with this one."""
    return 3 * prefix + 1 + action


cdef void work_out_needs(Open *o) noexcept nogil:
    """The needs for every turn, last action and set of cards on the farm, by the schedules that are left; and which
    sequences of actions begin one of these."""
    cdef Needed d
    cdef Walk *w = &o.walk
    cdef const Schedule *s
    cdef int i, turn, prefix, size
    if o.schedules == 0 or not needed(o, &d):
        return
    size = 1 << d.roles
    for i in range(4 * (o.given.left + 1) * size):
        o.needs[i] = FAR
    memset(o.begins, 0, sizeof(o.begins))
    for i in range(w.schedules[w.extras]):
        s = o.schedule + w.schedule[w.extras][i]
        if not schedule_fits(o, &d, s) or not schedule_suffices(o, &d, s, o.needs):
            continue
        prefix = 0
        for turn in range(o.given.left):
            prefix = after(prefix, s.action[turn])
            o.begins[prefix] = True
    o.needs_row = size
    o.needs_known = True


cdef void list_schedules(Open *o, Schedule *s, int turn) noexcept nogil:
    """All sequences of actions, from this turn on."""
    cdef int action, turns = o.given.left
    cdef Schedule *copy
    if turn == turns:
        copy = o.schedule + o.schedules
        copy[0] = s[0]
        o.schedules += 1
        return
    for action in range(3):
        if action == (s.action[turn - 1] if turn else o.given.last) or (
                turn == 0 and o.action != NO_ACTION and action != o.action):
            continue
        s.action[turn] = <uint8_t> action
        s.places_before[turn] = <uint8_t> s.places
        s.refills_before[turn] = <uint8_t> s.refills
        s.breeds_before[turn] = <uint8_t> s.breeds
        s.places += action == PLACE
        s.refills += action == REFILL
        s.breeds += action == BREED
        list_schedules(o, s, turn + 1)
        s.places -= action == PLACE
        s.refills -= action == REFILL
        s.breeds -= action == BREED


cdef bint prepare_schedules(Open *o) noexcept nogil:
    """False without memory. None are listed if there would be too many."""
    cdef Schedule s
    cdef int i, turn, turns = o.given.left
    o.schedules = 0
    if turns > MOST_SCHEDULED:
        return True
    o.schedule = <Schedule *> malloc(SCHEDULES * sizeof(Schedule))
    if o.schedule == NULL:
        return False
    memset(&s, 0, sizeof(Schedule))
    list_schedules(o, &s, 0)
    for i in range(o.schedules):
        o.schedule[i].first_place = o.schedule[i].last_place = -1
        for turn in range(turns):
            if o.schedule[i].action[turn] == PLACE:
                o.schedule[i].last_place = turn
                if o.schedule[i].first_place < 0:
                    o.schedule[i].first_place = turn
    return True


cdef inline bint could_stand(const Card *k, const int *count) noexcept nogil:
    """Whether some of so many cards of each attribute, as neighbours, would meet the card's condition."""
    cdef int i, a, n
    cdef bint met = k.clauses == 0
    for i in range(k.clauses):
        met = True
        for a in range(7):
            n = count[a] + (count[<int> WILD] if a >= WHITE else 0)
            met = met and n >= k.clause[i].at_least[a]
        if met:
            break
    return met


cdef bint some_order(const Open *o) noexcept nogil:
    """Whether the given farm's cards could be placed one after the other, with those to be sold, as far as there are
    enough cards before each that its condition asks for."""
    cdef int count[8]
    cdef int i, missing = o.fixed_cards
    cdef uint32_t there = 0
    cdef bint more = True
    memset(count, 0, sizeof(count))
    for i in range(9):
        if o.given.farm[i] != NONE:
            count_card(o, count, o.given.farm[i])
            if o.role[o.given.farm[i]]:
                there |= (<uint32_t> 1) << (o.role[o.given.farm[i]] - 1)
                missing -= is_final(o, o.given.farm[i])
    while more and missing:
        more = False
        for i in range(o.roles):
            if not there >> i & 1 and could_stand(o.card + o.role_card[i], count):
                there |= (<uint32_t> 1) << i
                count_card(o, count, o.role_card[i])
                missing -= i < o.fixed_cards
                more = True
    return missing == 0
