# What a player sees, as numbers; the planes in the order of PLANES in python/ninefold/games/canopy.py. Text of canopy.pyx.

cdef void see_cards(float *known, float *unknown, const uint8_t *cards, int n, int viewer) noexcept nogil:
    """Of some cards those that the viewer alone and both have seen, by kind; how many nobody and the other alone have."""
    cdef int i, kind, mask
    for i in range(n):
        kind = cards[i] >> 2
        mask = cards[i] & 3
        if kind == UNKNOWN:
            unknown[mask != 0] += 1
        else:
            known[(mask == 3) * KINDS + kind] += 1


cdef int observe(const void *ruleset, const void *state, int viewer, float *out) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Canopy seen
    cdef Canopy *s = &seen
    cdef float *pen = out
    cdef float *some
    cdef float *more
    cdef int seat, player, i, j
    cdef uint32_t tree
    memcpy(s, state, sizeof(Canopy))
    hide(ruleset, s, viewer)
    plane_one(&pen, OVER + 1, s.phase)
    plane_number(&pen, s.waiting != 0)
    plane_number(&pen, s.turn == viewer)
    plane_number(&pen, s.first == viewer)
    plane_one(&pen, SEASONS, s.season)
    plane_one(&pen, SHIFTS, s.shift - 1)
    plane_bits(&pen, SHIFTS, s.shifts)
    plane_one(&pen, SOWN + 1, s.task)
    plane_one(&pen, PILES, s.at)
    plane_one(&pen, KINDS, s.card)
    plane_number(&pen, s.more)
    plane_number(&pen, s.least / <float> KINDS)
    some = plane(&pen, SEATS)
    for player in range(SEATS):
        some[player != viewer] = s.points[player]
    some = plane(&pen, SEATS * KINDS)
    for player in range(SEATS):
        for i in range(KINDS):
            some[(player != viewer) * KINDS + i] = s.forest[player][i]
    some = plane(&pen, SEATS * ANIMALS)
    for player in range(SEATS):
        set_bits(some + (player != viewer) * ANIMALS, ANIMALS, s.used[player])
    some = plane(&pen, SEATS * TREES * 7)
    for player in range(SEATS):
        for i in range(s.open[player] + s.done[player]):
            tree = s.tree[player][i]
            more = some + ((player != viewer) * TREES + i) * 7
            for j in range(3):
                more[j] = tree >> 4 * j & 15
            if tree >> 14:
                more[3] = (1 + (tree >> 12 & 3)) / <float> 3
                set_one(more + 4, 3, <int> (tree >> 14) - 1)
    some = plane(&pen, PILES * 2 * KINDS)
    more = plane(&pen, PILES * 2)
    for i in range(PILES):
        see_cards(some + 2 * i * KINDS, more + 2 * i, s.pile[i], s.size[i], viewer)
    some = plane(&pen, 2 * KINDS)
    see_cards(some, plane(&pen, 2), s.hand, s.held, viewer)
    some = plane(&pen, 2 * KINDS)
    see_cards(some, plane(&pen, 2), s.drawn, s.draws, viewer)
    some = plane(&pen, KINDS)
    for i in range(KINDS):
        some[i] = s.pool[i]
    plane_number(&pen, s.deck)
    some = plane(&pen, KINDS)
    for i in range(KINDS):
        some[i] = s.seeds[i]
    plane_number(&pen, s.top)
    some = plane(&pen, UNDER * 3)
    for i in range(s.buried):
        some[3 * i] = (1 + min(s.under[i] >> 2, KINDS)) / <float> (KINDS + 1)
        some[3 * i + 1] = s.under[i] >> viewer & 1
        some[3 * i + 2] = s.under[i] >> (1 - viewer) & 1
    return pen - out
