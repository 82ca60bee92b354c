# The loop that plays uniformly random moves to the end of the game. Each game includes this text after its rules, so
# that they are inlined into it; it wants of the game `actors`, `bag` (where the state keeps it), `roll_urn` (like roll,
# drawing from an urn) and `play_random` (a random legal move of everybody who must choose). The bag stays as it was.

cdef void playout(const void *ruleset, void *state, Rng *rng) noexcept nogil:
    cdef Urn urn
    urn_open(&urn, bag(state))
    while True:
        if actors(state):
            play_random(ruleset, state, rng)
        elif not roll_urn(ruleset, state, &urn, rng):
            return
