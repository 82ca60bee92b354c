# What a player sees, as numbers; the planes in the order of PLANES in python/ninefold/games/donuts.py. Text of donuts.pyx.

cdef inline void see_card(float *cards, float *knows, const Ruleset *rules, int viewer, int kind, uint8_t seen) noexcept nogil:
    """One card that not everybody has seen: its kind, the number behind the kinds for an unknown one, and who knows it."""
    set_one(cards, rules.kinds + 1, rules.kinds if kind == SECRET else kind)
    set_seats(knows, seen, viewer, rules.players)


cdef int observe(const void *ruleset, const void *state, int viewer, float *out) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Donuts seen
    cdef Donuts *s = &seen
    cdef int32_t points[MAX_PLAYERS]
    cdef int32_t tiebreak[MAX_PLAYERS]
    cdef float *pen = out
    cdef float *held
    cdef float *knows
    cdef int seats = rules.players, kinds = rules.kinds, seat, player, i, kind, drawn
    cdef uint8_t depth[KINDS]
    memcpy(s, state, sizeof(Donuts))
    hide(ruleset, s, viewer)
    score(ruleset, s, points, tiebreak)
    drawn = known_drawn(s)
    plane_one(&pen, OVER + 1, s.phase)
    plane_seats(&pen, s.waiting, viewer, seats)
    plane_one(&pen, POWERS - 1, <int> s.power - 1)
    plane_seats(&pen, <uint64_t> (s.power != NO_POWER) << s.actor, viewer, seats)
    plane_one(&pen, kinds, s.drawn[0] if s.phase == CHOOSE and drawn == 0 else NONE)
    plane_number(&pen, s.chosen)
    plane_one(&pen, seats + 2, s.place)
    held = plane(&pen, seats)
    for player in range(seats):
        held[seat_of(player, viewer, seats)] = points[player]
    held = plane(&pen, seats)
    for player in range(seats):
        held[seat_of(player, viewer, seats)] = s.cards[player]
    held = plane(&pen, seats * kinds)
    for player in range(seats):
        seat = seat_of(player, viewer, seats)
        for i in range(kinds):
            held[seat * kinds + i] = s.held[player][i]
    held = plane(&pen, seats * WORTHS)
    if rules.coffee != NONE and not rules.coffee_final:
        for player in range(seats):
            seat = seat_of(player, viewer, seats)
            for i in range(WORTHS):
                held[seat * WORTHS + i] = s.coffee[player] >> 4 * i & 15
    held = plane(&pen, (seats + 1) * kinds)
    for i in range(seats + 1):
        set_one(held + i * kinds, kinds, s.row[i])
    held = plane(&pen, seats * (seats + 1))
    for player in range(seats):
        set_one(held + seat_of(player, viewer, seats) * (seats + 1), seats + 1, s.bid[player])
    plane_one(&pen, ITEMS, s.passed[viewer])
    plane_number(&pen, s.deck)
    held = plane(&pen, kinds)
    for i in range(kinds):
        held[i] = bit_count(bag_block(&s.bag, rules.first[i], rules.copies[i]))
    held = plane(&pen, kinds)
    for i in range(kinds):
        held[i] = s.pile[i]
    held = plane(&pen, rules.cards)
    memset(depth, 0, sizeof(depth))
    for i in range(s.discards):
        kind = s.discard[s.discards - 1 - i]
        held[rules.first[kind] + depth[kind]] = 1 - i / <float> rules.cards
        depth[kind] += 1
    held = plane(&pen, 2 * (kinds + 1))
    knows = plane(&pen, 2 * seats)
    for i in range(drawn):
        see_card(held + i * (kinds + 1), knows + i * seats, rules, viewer, s.drawn[i], s.drawn_seen[i])
    plane_number(&pen, s.tops)
    plane_number(&pen, s.bottoms)
    held = plane(&pen, rules.returns * (kinds + 1))
    knows = plane(&pen, rules.returns * seats)
    for i in range(min(s.tops, rules.returns)):
        see_card(held + i * (kinds + 1), knows + i * seats, rules, viewer, s.top[s.tops - 1 - i], s.top_seen[s.tops - 1 - i])
    for i in range(min(s.bottoms, rules.returns - s.tops)):
        see_card(held + (s.tops + i) * (kinds + 1), knows + (s.tops + i) * seats, rules, viewer, s.bottom[i],
                 s.bottom_seen[i])
    return pen - out
