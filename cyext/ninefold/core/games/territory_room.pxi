# Where a card may lie face up. Included after territory_land.pxi.

cdef inline uint32_t room(const Ruleset *rules, const uint8_t *cell, int card, uint32_t up) noexcept nogil:
    """13: where among these face-up cards a card lies in order: behind none that is not less, before none that is not more."""
    cdef uint32_t less = bytes_below(cell, rules.below[card]) & up
    cdef uint32_t no_more = bytes_below(cell, rules.upto[card]) & up
    return ROOM_ABOVE[up & ~less] & ROOM_BELOW[no_more]
