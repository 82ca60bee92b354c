# The nine cells as masks, bit 3 * (row - 1) + column, and what can be told of a mask by a table. Included where it is used,
# so that each of these few kilobytes is a constant address.

cdef uint16_t ROOM_ABOVE[512]           # cells that have none of these cells before them in their row or column
cdef uint16_t ROOM_BELOW[512]           # cells that have none of these cells behind them
cdef uint16_t BEHIND[9]                 # cells behind a cell in its row or column
cdef uint16_t JOINED[512][16]           # the part of a mask that is joined to a cell, 0 where that is not in it
cdef uint8_t LARGEST[512]               # cells of the largest part that is joined
cdef uint64_t NTH[512]                  # the set bits of a mask, four bits each, the lowest first


cdef inline uint32_t beside(uint32_t cells) noexcept nogil:
    """The cells joined to one of these, side by side."""
    return (cells << 1 & ~0b001001001 | cells >> 1 & ~0b100100100 | cells << 3 | cells >> 3) & 511


cdef inline int nth_cell(uint32_t cells, int n) noexcept nogil:
    """The n-th of these cells, from 0, which must be there."""
    return NTH[cells] >> 4 * n & 15


cdef void prepare_land() noexcept nogil:
    cdef uint32_t mask, cell, other, reached, more
    cdef int n
    for cell in range(9):
        for other in range(cell + 1, 9):
            BEHIND[cell] |= <uint16_t> (other // 3 == cell // 3 or other % 3 == cell % 3) << other
    for mask in range(512):
        ROOM_ABOVE[mask] = ROOM_BELOW[mask] = 511
        n = 0
        for cell in range(9):
            if BEHIND[cell] & mask:
                ROOM_BELOW[mask] &= ~(1 << cell)
            if mask >> cell & 1:
                ROOM_ABOVE[mask] &= ~BEHIND[cell]
                NTH[mask] |= <uint64_t> cell << 4 * n
                n += 1
            reached = 0
            more = 1 << cell & mask
            while more != reached:
                reached = more
                more |= beside(reached) & mask
            JOINED[mask][cell] = reached
            LARGEST[mask] = max(<int> LARGEST[mask], bit_count(reached))


prepare_land()
