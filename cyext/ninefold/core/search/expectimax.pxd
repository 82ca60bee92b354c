from libc.stdint cimport uint64_t

from ninefold.core.rules cimport Table

# Exact values for other searches, one position after the other, with one table for all of them. The position is one of a
# game of one or two players in which nobody knows what another does not; an objective is as `Solver` has it.

# NULL without memory. `game` must stay.
cdef void *new_prover(const Table *game, int objective, size_t memory) noexcept nogil
cdef void free_prover(void *prover) noexcept nogil
cdef size_t prover_bytes(const void *prover) noexcept nogil

# The value for player 0. False if it is not known after so many nodes more; what was found on the way is kept.
cdef bint prove(void *prover, const void *state, uint64_t nodes, double *value) noexcept nogil
