# What is told of numbers: where a card may lie face up, and runs. Included after territory_land.pxi.

cdef inline uint32_t room(const Ruleset *rules, const uint8_t *cell, int card, uint32_t up) noexcept nogil:
    """13: where among these face-up cards a card lies in order: behind none that is not less, before none that is not more."""
    cdef uint32_t less = bytes_below(cell, rules.below[card]) & up
    cdef uint32_t no_more = bytes_below(cell, rules.upto[card]) & up
    return ROOM_ABOVE[up & ~less] & ROOM_BELOW[no_more]


cdef inline void mark(uint64_t *numbers, int number) noexcept nogil:
    numbers[number >> 6] |= (<uint64_t> 1) << (number & 63)


cdef inline int longest_run(const uint64_t *numbers) noexcept nogil:
    """Of consecutive numbers: each step leaves of every run one number less."""
    cdef uint64_t low = numbers[0], high = numbers[1]
    cdef int length = 0
    while low | high:
        length += 1
        low &= low >> 1 | high << 63
        high &= high >> 1
    return length
