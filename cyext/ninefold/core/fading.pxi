# A draw by softmax of guesses in few steps, for playouts: weights come from a table, and a move far below the best guess is
# not drawn. Included where it is used, so that the table is a constant address.

cdef enum:
    FINE = 16                           # steps of a temperature that guesses are rounded to
    MUCH = 5                            # temperatures below the best guess, from which on a move is not drawn
    SURE = 1 << 20                      # weight of the best guess

cdef uint32_t[FINE * MUCH] FADES        # weight of a guess so many steps below the best; 0 for the last one


cdef void fill_fades() noexcept:
    cdef int i
    for i in range(FINE * MUCH - 1):
        FADES[i] = <uint32_t> (SURE * approx_exp(-i / <double> FINE))

fill_fades()


cdef inline uint32_t faded(float below, float fine) noexcept nogil:
    """Weight of a guess that is so many points below the best; fine: steps a point."""
    return FADES[min(<int> (below * fine + <float> 0.5), <int> (FINE * MUCH) - 1)]


cdef inline int draw_fading(const float *guess, int n, float fine, Rng *rng) noexcept nogil:
    """As `draw_softmax`, roughly, and without branches that nobody can predict; fine: steps a point."""
    cdef uint32_t until[MAX_LEGAL]      # sums of the weights
    cdef uint32_t total = 0, x
    cdef float top = guess[0]
    cdef int i, chosen = 0
    for i in range(1, n):
        top = max(top, guess[i])
    for i in range(n):
        total += faded(top - guess[i], fine)
        until[i] = total
    x = rng_below(rng, total)
    for i in range(n - 1):
        chosen += until[i] <= x
    return chosen
