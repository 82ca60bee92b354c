# The loop that plays uniformly random moves to the end of the game. Each game includes this text after its rules, so
# that they are inlined into it; it wants of the game `actors`, `apply`, `pick` (one random legal move), `bag` (where the
# state keeps it) and `roll_urn` (like roll, drawing from an urn). The bag itself is left as it was at the start.

cdef void playout(const void *ruleset, void *state, Rng *rng) noexcept nogil:
    cdef Urn urn
    cdef uint32_t waiting
    cdef int player
    urn_open(&urn, bag(state))
    while True:
        waiting = actors(state)
        if waiting == 0:
            if not roll_urn(ruleset, state, &urn, rng):
                return
        while waiting:
            player = bit_first(waiting)
            waiting &= waiting - 1
            apply(ruleset, state, player, pick(ruleset, state, player, rng))
