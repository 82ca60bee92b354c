# What a player sees, as numbers; the planes in the order of PLANES in python/ninefold/games/coney.py. Text of coney.pyx.

cdef enum:
    AGES = 4                        # reshuffles that are told apart: 0, 1, 2, more


cdef inline void set_bag(float *start, int cards, const Bag *bag) noexcept nogil:
    """A 1 for each card of a bag."""
    cdef Bag some = bag[0]
    while any_of(&some):
        set_one(start, cards, pop(&some))


cdef inline int kept_from(const Coney *s, int origin, int viewer) noexcept nogil:
    """The pack of an origin or class from PICKED on, by the seat that opened it."""
    return seat_of((origin - PICKED) // HAND, viewer, s.players)


cdef void see_hands(float **pen, const Ruleset *rules, const Coney *s, int viewer) noexcept nogil:
    """Who knows which card in a hand, as far as the viewer knows it (see knowledge)."""
    cdef int seats = s.players, cards = rules.cards, i, card, origin, owner
    cdef int width = AGES + seats * HAND
    cdef float *pack = plane(pen, cards)
    cdef float *shown = plane(pen, cards)
    cdef float *drawn = plane(pen, cards)
    cdef float *kept = plane(pen, seats * cards)
    cdef float *hidden = plane(pen, seats * width)
    cdef float *older = plane(pen, cards)
    cdef float *passed = plane(pen, seats * cards)
    cdef Bag some = s.hand[viewer]
    while any_of(&some):
        card = pop(&some)
        origin = s.origin[card]
        if origin == PUBLIC:
            shown[card] = 1
        elif origin >= IN_PACK:
            pack[card] = 1
        elif origin >= PICKED:
            kept[kept_from(s, origin, viewer) * cards + card] = (1 + (origin - PICKED) % HAND) / <float> HAND
        else:
            drawn[card] = 1 + origin
    i = 0
    while i < 2 * SLOTS and s.trail.slots[i]:
        owner = seat_of(s.trail.slots[i] - 1, viewer, seats)
        origin = s.trail.slots[i + 1]
        if origin >= PICKED:
            origin = AGES + kept_from(s, origin, viewer) * HAND + (origin - PICKED) % HAND
        else:
            origin = min(origin, AGES - 1)
        hidden[owner * width + origin] += 1
        i += 2
    some = s.bag
    while any_of(&some):
        card = pop(&some)
        origin = s.origin[card]
        if origin >= PICKED:
            passed[kept_from(s, origin, viewer) * cards + card] = (1 + (origin - PICKED) % HAND) / <float> HAND
        else:
            older[card] = origin


cdef int observe(const void *ruleset, const void *state, int viewer, float *out) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Coney seen
    cdef Coney *s = &seen
    cdef float *pen = out
    cdef float *some
    cdef int seats = rules.players, cards = rules.cards, seat, player, i, rest
    memcpy(s, state, sizeof(Coney))
    hide(ruleset, s, viewer)
    plane_one(&pen, OVER + 1, s.phase)
    plane_seats(&pen, s.waiting, viewer, seats)
    plane_seats(&pen, (<uint64_t> 1) << s.player, viewer, seats)
    plane_number(&pen, s.turn / <float> s.turns)
    plane_one(&pen, NO_ACTION, s.last)
    plane_one(&pen, GATHER + 1, s.task)
    plane_one(&pen, cards, s.source)
    plane_one(&pen, PLACES, s.cell)
    plane_number(&pen, s.group)
    plane_number(&pen, s.draws)
    plane_number(&pen, s.placed)
    plane_number(&pen, s.sold)
    plane_number(&pen, s.low / <float> cards)
    some = plane(&pen, seats)
    for player in range(seats):
        some[seat_of(player, viewer, seats)] = points_of(rules, s, player)
    some = plane(&pen, 3 * seats)
    for player in range(seats):
        for i in range(3):
            some[3 * seat_of(player, viewer, seats) + i] = lane(s.stock[player], i)
    some = plane(&pen, 3)
    for i in range(3):
        some[i] = lane(s.supply, i) / <float> rules.supply
    some = plane(&pen, seats * CELLS * cards)
    for player in range(seats):
        seat = seat_of(player, viewer, seats)
        for i in range(CELLS):
            set_one(some + (seat * CELLS + i) * cards, cards, s.farm[player][i])
    some = plane(&pen, seats * (WILD + 1) * CELLS)
    for player in range(seats):
        seat = seat_of(player, viewer, seats)
        for i in range(WILD + 1):
            set_bits(some + (seat * (WILD + 1) + i) * CELLS, CELLS, board(s.lanes[player], i))
    some = plane(&pen, seats * CELLS)
    for player in range(seats):
        for i in range(CELLS):
            some[seat_of(player, viewer, seats) * CELLS + i] = s.tokens[player][i]
    some = plane(&pen, seats * cards)
    for player in range(seats):
        for i in range(2):
            set_one(some + seat_of(player, viewer, seats) * cards, cards, s.reserve[player][i])
    some = plane(&pen, seats * cards)
    for player in range(seats):
        set_bag(some + seat_of(player, viewer, seats) * cards, cards, &s.hand[player])
    some = plane(&pen, cards)
    for i in range(4):
        set_one(some, cards, s.market[i])
    set_bag(plane(&pen, cards), cards, &s.discard)
    set_bag(plane(&pen, cards), cards, &s.bag)
    plane_number(&pen, s.deck + s.ordered)
    if seats == 1:
        some = plane(&pen, cards)
        for i in range(s.ordered):
            some[s.trail.order[i]] = 1 - i / <float> cards
        return pen - out
    plane_number(&pen, s.first)
    plane_number(&pen, s.pick / <float> HAND)
    plane_seats(&pen, s.fresh, viewer, seats)
    plane_one(&pen, cards, s.chosen[viewer])
    see_hands(&pen, rules, s, viewer)
    return pen - out
