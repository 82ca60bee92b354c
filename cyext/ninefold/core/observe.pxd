"""Writing observations: a game's `observe` writes one plane after the other, each zero but for what it sets."""
from libc.stdint cimport uint64_t
from libc.string cimport memset


cdef inline float *plane(float **pen, int size) noexcept nogil:
    """Room for the next plane, of so many values."""
    cdef float *start = pen[0]
    memset(start, 0, size * sizeof(float))
    pen[0] = start + size
    return start


cdef inline void set_one(float *start, int size, int which) noexcept nogil:
    """A 1 for one of so many things; for none of them where there is no such thing."""
    if 0 <= which < size:
        start[which] = 1


cdef inline void set_bits(float *start, int size, uint64_t mask) noexcept nogil:
    """A 1 for each bit of a mask."""
    cdef int i
    for i in range(size):
        start[i] = mask >> i & 1


cdef inline void plane_number(float **pen, float value) noexcept nogil:
    plane(pen, 1)[0] = value


cdef inline void plane_one(float **pen, int size, int which) noexcept nogil:
    set_one(plane(pen, size), size, which)


cdef inline void plane_bits(float **pen, int size, uint64_t mask) noexcept nogil:
    set_bits(plane(pen, size), size, mask)


cdef inline int seat_of(int player, int viewer, int players) noexcept nogil:
    """A player as the viewer counts: himself 0, then on to the left."""
    return player - viewer + (players if player < viewer else 0)


cdef inline void set_seats(float *start, uint64_t mask, int viewer, int players) noexcept nogil:
    """A 1 for each player of a mask, the viewer first."""
    set_bits(start, players, mask >> viewer | mask << (players - viewer))


cdef inline void plane_seats(float **pen, uint64_t mask, int viewer, int players) noexcept nogil:
    """A plane of a mask of players, the viewer first."""
    set_seats(plane(pen, players), mask, viewer, players)
