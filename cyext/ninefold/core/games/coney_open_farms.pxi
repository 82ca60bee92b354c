# --- final farms, by a bound ---------------------------------------------------------------------------------------------
#
# For each number of turns of each action, every set of cards whose bound reaches the target: depth first over the cards
# by falling value, what the rest can add at most read off a knapsack. The walk can be left after any set.

cdef inline int16_t *rest_of(const Walk *w, int slots, int shops, int item, int left) noexcept nogil:
    return w.best + (((shops * (w.items + 1)) + item) * (slots + 1) + left) * BUDGETS


cdef bint open_walk(Open *o) noexcept nogil:
    """Begin with the farms of `turns`. False if there are none."""
    cdef Walk *w = &o.walk
    cdef int p = w.turns[0], r = w.turns[1], b = w.turns[2], slots = 2 * p, i, j, left, budget, shops, v, c, best, card
    cdef int drawn, window, before, end, most, x
    cdef Item item
    cdef const Card *k
    cdef int16_t *row
    cdef int16_t *after
    cdef Step *step = w.step
    w.items = 0
    w.depth = 0
    memset(step, 0, sizeof(Step))
    step.left = slots
    step.budget = 2 * r
    for i in range(4):
        step.budget += o.given.stock[i]
    step.unseen = True
    # which cards can be reached
    drawn = o.rules.hand * r + min(o.rules.reserve * r, o.rules.reserve + slots)
    for i in range(9):
        if o.given.farm[i] != NONE:
            drawn += o.breed_draws[o.given.farm[i]] * b + (o.card[o.given.farm[i]].sale.draws if o.sales else 0)
    x = 0
    for i in range(o.given_hand_cards):
        x += o.draws_of[b][o.given_hand[i]]
    for i in range(o.rules.market):
        if o.given.market[i] < TAKEN:
            x += o.draws_of[b][o.given.market[i]]
    for i in range(2):
        if o.given.reserve[i] != NONE:
            x += o.draws_of[b][o.given.reserve[i]]
    most = slots * o.most_draws[b]
    window = drawn + min(x, most)
    before = -1
    while before != window:
        before = window
        end = min(o.given.next + window, <int> o.ordered)
        window = drawn + min(most, x + o.draws_before[b][end] - o.draws_before[b][o.given.next])
    if p == 0:
        window = 0
    for i in range(9 + o.given_hand_cards + 2 + o.rules.market + window):
        item.slot = 1
        item.sale = 0
        if i < 9:
            card = o.given.farm[i]
            item.slot = 0
        elif i < 9 + o.given_hand_cards:
            card = o.given_hand[i - 9]
        elif i < 11 + o.given_hand_cards:
            card = o.given.reserve[i - 9 - o.given_hand_cards]
        elif i < 11 + o.given_hand_cards + o.rules.market:
            card = o.given.market[i - 11 - o.given_hand_cards] if window > 0 else NONE
        else:
            j = o.given.next + i - 11 - o.given_hand_cards - o.rules.market
            if j >= o.ordered:
                break
            card = o.order[j]
        if card == NONE or (p == 0 and i >= 9):
            continue
        k = o.card + card
        item.card = <uint8_t> card
        item.logo = k.logo
        item.value = o.value[card]
        item.cost = -o.breed[card] * b
        if i >= 9:
            item.cost += o.cost[card] - o.now[card] - o.by_coupon[card]
        if k.timing == AT_END and k.counts == TOKENS and k.worth > 0:
            item.value += max(0, o.unit * k.worth - 1) * b
            if i < 9:
                item.value += o.unit * k.worth * o.given.tokens[i]
        if i < 9 and o.sales and p > 0:
            item.sale = o.sale[card]
        # by falling value, those on the farm first: without sales they stay
        j = w.items
        while j > 0 and (w.item[j - 1].slot > item.slot or (w.item[j - 1].slot == item.slot
                                                             and w.item[j - 1].value < item.value)):
            w.item[j] = w.item[j - 1]
            j -= 1
        w.item[j] = item
        w.items += 1
    free(w.best)
    w.best = <int16_t *> malloc(<size_t> 8 * (w.items + 1) * (slots + 1) * BUDGETS * sizeof(int16_t))
    if w.best == NULL:
        o.stop = STOP_MEMORY
        return False
    for shops in range(8):
        for i in range(w.items, -1, -1):
            for left in range(slots + 1):
                row = rest_of(w, slots, shops, i, left)
                for budget in range(BUDGETS):
                    if i == w.items:
                        v = budget - LEAST
                        if o.sales:
                            v += o.sale_top[b][max(0, min(left, slots - 2))]
                        row[budget] = <int16_t> (v if v >= 0 else IMPOSSIBLE)
                        continue
                    after = rest_of(w, slots, shops, i + 1, left)
                    best = IMPOSSIBLE
                    if w.item[i].slot or o.sales:
                        c = budget + w.item[i].sale
                        v = 0
                        if c >= BUDGETS:
                            v = c - BUDGETS + 1
                            c = BUDGETS - 1
                        best = v + after[c]
                    if left >= w.item[i].slot:
                        after = rest_of(w, slots, shops, i + 1, left - w.item[i].slot)
                        v = w.item[i].value
                        if w.item[i].logo < 3 and shops >> w.item[i].logo & 1:
                            v += o.logo_each
                        c = budget - w.item[i].cost
                        if c < 0:
                            c = 0
                        elif c >= BUDGETS:
                            v += c - BUDGETS + 1
                            c = BUDGETS - 1
                        best = max(best, v + after[c])
                    row[budget] = <int16_t> max(best, IMPOSSIBLE)
    return True


cdef int step_bound(const Open *o, const Step *step, int item, int budget) noexcept nogil:
    """In points: the most that the step's cards can be worth with others from `item` on."""
    cdef const Walk *w = &o.walk
    cdef int shops, v, i, best = IMPOSSIBLE, over = 0
    budget += LEAST
    if budget < 0:
        budget = 0
    elif budget >= BUDGETS:
        over = budget - BUDGETS + 1
        budget = BUDGETS - 1
    for shops in range(8):
        v = step.value + over + rest_of(w, 2 * w.turns[0], shops, item, step.left)[budget]
        for i in range(3):
            if shops >> i & 1:
                v += o.logo_base + o.logo_each * step.logos[i]
        if v > best:
            best = v
    return floor_div(best + o.centre, o.unit)


cdef bint next_farm(Open *o) noexcept nogil:
    """The walk's next farm: the items chosen up to the last step. False when those of its turns are done."""
    cdef Walk *w = &o.walk
    cdef Step *step
    cdef Step *child
    cdef int i, budget
    cdef const Item *item
    while w.depth >= 0:
        step = w.step + w.depth
        if step.unseen:
            step.unseen = False
            budget = step.budget
            for i in range(step.at, w.items):
                if w.item[i].slot:
                    break
                if not o.sales:
                    budget = IMPOSSIBLE
                    break
                budget += w.item[i].sale
            if budget > IMPOSSIBLE and step_bound(o, step, w.items, budget) >= o.target:
                return True
            continue
        if step.at == w.items or step_bound(o, step, step.at, step.budget) < o.target:
            w.depth -= 1
            continue
        item = w.item + step.at
        step.at += 1
        w.visits += 1
        if w.depth < 9 and step.left >= item.slot:
            w.depth += 1
            child = w.step + w.depth
            child[0] = step[0]
            child.chosen = step.at - 1
            child.left -= item.slot
            child.budget -= item.cost
            child.value += item.value
            if item.logo < 3:
                child.logos[item.logo] += 1
            child.unseen = True
        if item.slot == 0:              # otherwise it has been sold
            if o.sales:
                step.budget += item.sale
            else:
                step.at = w.items
    return False


cdef bint next_turns(Open *o) noexcept nogil:
    """Go on to the next numbers of turns. False after the last."""
    cdef Walk *w = &o.walk
    cdef int turns = o.given.left, last = o.given.last
    while True:
        if not w.under_way:
            w.under_way = True
            w.turns[0] = most_of(turns, last, PLACE)
            w.turns[1] = 0
        else:
            w.turns[1] += 1
            if w.turns[1] > most_of(turns, last, REFILL):
                w.turns[1] = 0
                w.turns[0] -= 1
                if w.turns[0] < 0:
                    w.under_way = False
                    return False
        w.turns[2] = turns - w.turns[0] - w.turns[1]
        if 0 <= w.turns[2] <= most_of(turns, last, BREED):
            return open_walk(o)
