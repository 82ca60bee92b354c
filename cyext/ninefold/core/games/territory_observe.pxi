# What a player sees, as numbers; the planes in the order of PLANES in python/ninefold/games/territory.py. Text of
# territory.pyx.

cdef enum:
    AGES = 4                        # reshuffles that are told apart: 0, 1, 2, more


cdef inline void set_choice(float *start, float *made, int size, int choice) noexcept nogil:
    """What somebody has chosen, and that he has chosen where the viewer does not know what."""
    set_one(start, size, choice)
    if choice == SECRET:
        made[0] = 1


cdef void see_hands(float **pen, const Ruleset *rules, const Territory *s, int animals, int viewer) noexcept nogil:
    """What is known of hands, and who knows it (docs/games/territory.md, "Knowledge")."""
    cdef int seats = s.players, rounds = rules.rounds, player, seat, i
    cdef float *hidden = plane(pen, seats * AGES)
    cdef float *secret = plane(pen, animals)
    cdef float *older = plane(pen, animals)
    cdef float *events = plane(pen, seats * rounds * 2)
    cdef float *met = plane(pen, seats * rounds)
    i = 0
    while i < SLOTS and s.slots[i]:
        player = s.slots[i] >> 6
        hidden[seat_of(player, viewer, seats) * AGES + min(s.pool - (s.slots[i] & 63), AGES - 1)] += 1
        i += 1
    for i in range(animals):
        if s.origin[i]:
            if s.hand[viewer] >> i & 1 or s.returned[viewer] >> i & 1:
                secret[i] = 1 + s.pool - s.origin[i]
            else:
                older[i] = 1 + s.pool - s.origin[i]
    for player in range(seats):
        seat = seat_of(player, viewer, seats)
        for i in range(rounds):
            events[(seat * rounds + i) * 2] = s.events[player] >> 3 * i & 1
            events[(seat * rounds + i) * 2 + 1] = s.events[player] >> 3 * i + 1 & 3
        set_bits(met + seat * rounds, rounds, s.met[viewer][player])


cdef int observe(const void *ruleset, const void *state, int viewer, float *out) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Territory seen
    cdef Territory *s = &seen
    cdef int32_t points[SEATS]
    cdef int32_t tiebreak[SEATS]
    cdef float *pen = out
    cdef float *some
    cdef float *more
    cdef float *made
    cdef int seats = rules.players, animals = bit_count(rules.all), skills = rules.skills, goals = rules.goals
    cdef int seat, player, i, kind
    memcpy(s, state, sizeof(Territory))
    hide(ruleset, s, viewer)
    score(ruleset, s, points, tiebreak)
    plane_one(&pen, OVER + 1, s.phase)
    plane_seats(&pen, s.waiting, viewer, seats)
    some = plane(&pen, seats * seats)
    for i in range(min(s.queued, seats)):
        some[i * seats + seat_of(s.queue >> 2 * i & 3, viewer, seats)] = 1
    plane_number(&pen, s.round / <float> rules.rounds)
    plane_number(&pen, s.takes)
    plane_number(&pen, s.given)
    plane_number(&pen, s.fill)
    plane_seats(&pen, s.first, viewer, seats)
    plane_one(&pen, skills, s.part if s.phase == PART else NONE)
    plane_bits(&pen, skills, s.used)
    some = plane(&pen, skills)
    for i in range(skills):
        some[i] = s.spent[i]
    some = plane(&pen, 2 * goals)
    for i in range(min(s.decided, goals)):
        some[2 * i + (s.sides >> i & 1)] = 1
    some = plane(&pen, seats)
    for player in range(seats):
        some[seat_of(player, viewer, seats)] = points[player]
    some = plane(&pen, seats * CELLS * animals)
    more = plane(&pen, seats * CELLS)
    made = plane(&pen, seats * 2 * CELLS)
    for player in range(seats):
        seat = seat_of(player, viewer, seats)
        for i in range(CELLS):
            set_one(some + (seat * CELLS + i) * animals, animals, s.cell[player][i])
        set_bits(more + seat * CELLS, CELLS, s.up[player])
        set_bits(made + 2 * seat * CELLS, CELLS, s.land[player])
        set_bits(made + (2 * seat + 1) * CELLS, CELLS, s.water[player])
    some = plane(&pen, seats * 2 * CELLS)
    more = plane(&pen, seats * 2)
    for player in range(seats):
        for kind in range(2):
            i = 2 * seat_of(player, viewer, seats) + kind
            if s.boss[player][kind] != NONE:
                set_one(some + i * CELLS, CELLS, s.boss[player][kind] & STAR - 1)
                more[i] = s.boss[player][kind] >= STAR
    some = plane(&pen, seats * goals)
    more = plane(&pen, seats * skills)
    for player in range(seats):
        seat = seat_of(player, viewer, seats)
        set_bits(some + seat * goals, goals, s.bonus[player])
        set_bits(more + seat * skills, skills, s.bonus[player] >> <int> GOALS)
    plane_bits(&pen, animals, s.row)
    plane_bits(&pen, animals, s.discard)
    plane_bits(&pen, animals, s.deck)
    plane_number(&pen, s.left)
    some = plane(&pen, seats * animals)
    for player in range(seats):
        set_bits(some + seat_of(player, viewer, seats) * animals, animals, s.hand[player])
    plane_bits(&pen, animals, s.returned[viewer])
    some = plane(&pen, seats * animals)
    made = plane(&pen, seats * 4)
    for player in range(seats):
        seat = seat_of(player, viewer, seats)
        set_choice(some + seat * animals, made + 4 * seat, animals, s.played[player])
    some = plane(&pen, seats * animals)
    for player in range(seats):
        seat = seat_of(player, viewer, seats)
        set_choice(some + seat * animals, made + 4 * seat + 1, animals, s.chosen[player])
    some = plane(&pen, seats * 2 * CELLS)
    for player in range(seats):
        seat = seat_of(player, viewer, seats)
        i = s.spot[player]
        set_choice(some + seat * 2 * CELLS, made + 4 * seat + 2, 2 * CELLS,
                   i if i == SECRET or i < DOWN else i - DOWN + CELLS)
    some = plane(&pen, seats * 5)
    for player in range(seats):
        seat = seat_of(player, viewer, seats)
        set_choice(some + seat * 5, made + 4 * seat + 3, 5, s.declared[player])
    some = plane(&pen, seats * 2 * animals)
    more = plane(&pen, seats * 2)
    for player in range(seats):
        for i in range(2):
            seat = 2 * seat_of(player, viewer, seats) + i
            kind = s.drafted[player][i]
            set_one(some + seat * animals, animals, kind)
            if UNKNOWN <= kind < NONE:
                more[seat] = 1 + s.pool - (kind - UNKNOWN)
    if seats == 1:
        some = plane(&pen, animals)
        for i in range(s.ordered):
            some[s.order[s.ordered - 1 - i]] = 1 - i / <float> animals
        return pen - out
    plane_number(&pen, s.pool)
    see_hands(&pen, rules, s, animals, viewer)
    return pen - out
