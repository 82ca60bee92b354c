# A table of proven values by 128-bit key, for expectimax.pyx.
#
# Extendible hashing (Fagin, Nievergelt, Pippenger & Strong 1979): the key's high bits choose a segment through a
# directory, its low bits a line of the segment, and a segment that is nearly full is split in two. So the table grows
# in small steps, without a pause and up to any size. A line is a cache line; one that is full overflows to the next.
# When memory is used up, a new value takes the place of the least laborious one of its line: only time is lost.

cdef extern from "pages.h" nogil:
    void *pages_new(size_t size)            # zeroed; NULL without memory
    void pages_free(void *pages)
    void pages_fetch(const void *address)   # a hint that this will be read soon

cdef enum:
    LINE = 4                    # entries of a cache line
    FIRST_LINES = 1 << 6        # of the first segment
    LINES = 1 << 15             # of a segment at its full size of two MiB, a huge page
    WORK_BITS = 4
    VALUE_BITS = 48             # those of the value and of the work

ctypedef struct Entry:          # empty: all zero
    uint64_t high               # of the key, never 0
    uint64_t rest               # 16 bits of the key's low half, 44 of the value, 4 of the work it took

ctypedef struct Segment:
    Entry *entries
    uint32_t count
    int depth                   # high bits that the keys of its entries share

ctypedef struct Values:
    Entry **entries             # the directory: 2 ** depth segments, some of them several times
    Segment **segments
    int depth
    size_t lines                # of each segment
    size_t bytes                # in use, with the caller's own
    size_t limit
    uint64_t count
    bint full                   # whether a value has had to go


cdef inline size_t slot_of(const Values *table, uint64_t high) noexcept nogil:
    return high >> 1 >> (63 - table.depth)


cdef inline void fetch_line(const Values *table, uint64_t high) noexcept nogil:
    """Ask for the line of a key, which takes a while to come from memory."""
    pages_fetch(line_of(table, high))


cdef inline Entry *line_of(const Values *table, uint64_t high) noexcept nogil:
    return table.entries[slot_of(table, high)] + LINE * (high & (table.lines - 1))


cdef inline bint find_value(const Values *table, const Hash *key, double *value) noexcept nogil:
    cdef const Entry *entries = table.entries[slot_of(table, key.high)]
    cdef const Entry *line
    cdef size_t at = key.high & (table.lines - 1)
    cdef uint64_t bits
    cdef int i
    while True:
        line = entries + LINE * at
        for i in range(LINE):
            if line[i].high == key.high and (line[i].rest ^ key.low) >> VALUE_BITS == 0:
                bits = line[i].rest >> WORK_BITS << (64 - VALUE_BITS + WORK_BITS)
                memcpy(value, &bits, sizeof(double))
                return True
        if line[LINE - 1].high == 0:
            return False
        at = (at + 1) & (table.lines - 1)


cdef inline uint64_t pack(double value, uint64_t low, uint64_t work) noexcept nogil:
    """The value rounded to 44 of its bits, off by at most 2^-33 of its size."""
    cdef uint64_t bits
    memcpy(&bits, &value, sizeof(double))
    bits = (bits + ((<uint64_t> 1) << 19)) >> 20
    return low >> VALUE_BITS << VALUE_BITS | bits << WORK_BITS | work


cdef inline void put(Entry *entries, size_t lines, Entry entry) noexcept nogil:
    """Into the first free place; there is one."""
    cdef size_t at = LINE * (entry.high & (lines - 1))
    while entries[at].high:
        at = (at + 1) & (LINE * lines - 1)
    entries[at] = entry


cdef void replace(Entry *line, Entry entry) noexcept nogil:
    """Put an entry in the place of the least laborious one of its line, if there is any."""
    cdef uint64_t mask = (1 << WORK_BITS) - 1
    cdef int i, least = 0
    for i in range(1, LINE):
        if line[i].high and line[i].rest & mask < line[least].rest & mask:
            least = i
    if line[least].high:
        line[least] = entry


cdef void put_value(Values *table, const Hash *key, double value, uint64_t work) noexcept nogil:
    """A segment is split when three quarters are taken, or else filled up to seven eighths: searches end at a gap."""
    cdef Segment *segment = table.segments[slot_of(table, key.high)]
    cdef Entry entry = Entry(key.high, pack(value, key.low, work))
    cdef size_t size = LINE * table.lines
    if segment.count >= size // 4 * 3:
        if enlarge(table, key.high):
            segment = table.segments[slot_of(table, key.high)]
        elif segment.count >= size // 8 * 7:
            replace(line_of(table, key.high), entry)
            table.full = True
            return
    put(segment.entries, table.lines, entry)
    segment.count += 1
    table.count += 1


cdef inline size_t segment_bytes(const Values *table) noexcept nogil:
    return table.lines * LINE * sizeof(Entry)


cdef bint enlarge(Values *table, uint64_t high) noexcept nogil:
    """Make room for a key. False without memory."""
    cdef size_t size = segment_bytes(table)
    if table.bytes + 2 * size > table.limit:        # the old one is freed when the new ones are filled
        return False
    if table.lines < LINES:
        return lengthen(table)
    if table.segments[slot_of(table, high)].depth == table.depth and not widen(table):
        return False
    return split(table, slot_of(table, high))


cdef bint lengthen(Values *table) noexcept nogil:
    """Double the only segment."""
    cdef Segment *segment = table.segments[0]
    cdef size_t i, lines = table.lines
    cdef Entry *longer = <Entry *> pages_new(2 * segment_bytes(table))
    if longer == NULL:
        return False
    for i in range(LINE * lines):
        if segment.entries[i].high:
            put(longer, 2 * lines, segment.entries[i])
    pages_free(segment.entries)
    segment.entries = table.entries[0] = longer
    table.bytes += segment_bytes(table)
    table.lines = 2 * lines
    return True


cdef bint widen(Values *table) noexcept nogil:
    """Double the directory."""
    cdef Py_ssize_t i, n = (<Py_ssize_t> 1) << table.depth
    cdef Entry **entries = <Entry **> realloc(table.entries, 2 * n * sizeof(void *))
    cdef Segment **segments
    if entries != NULL:
        table.entries = entries
    segments = <Segment **> realloc(table.segments, 2 * n * sizeof(void *))
    if segments != NULL:
        table.segments = segments
    if entries == NULL or segments == NULL:
        return False
    for i in range(2 * n - 1, -1, -1):
        entries[i] = entries[i // 2]
        segments[i] = segments[i // 2]
    table.depth += 1
    table.bytes += 2 * n * sizeof(void *)
    return True


cdef bint split(Values *table, size_t slot) noexcept nogil:
    """Share out a segment by the next bit of the keys."""
    cdef Segment *old = table.segments[slot]
    cdef Segment *half[2]
    cdef size_t i, slots = (<size_t> 1) << (table.depth - old.depth)
    cdef int bit
    half[0] = new_segment(table, old.depth + 1)
    half[1] = new_segment(table, old.depth + 1)
    if half[0] == NULL or half[1] == NULL:
        free_segment(half[0])
        free_segment(half[1])
        return False
    for i in range(LINE * table.lines):
        if old.entries[i].high:
            bit = old.entries[i].high >> (63 - old.depth) & 1
            put(half[bit].entries, table.lines, old.entries[i])
            half[bit].count += 1
    slot &= ~(slots - 1)
    for i in range(slots):
        bit = i >= slots // 2
        table.segments[slot + i] = half[bit]
        table.entries[slot + i] = half[bit].entries
    free_segment(old)
    table.bytes += segment_bytes(table) + sizeof(Segment)
    return True


cdef Segment *new_segment(const Values *table, int depth) noexcept nogil:
    cdef Segment *segment = <Segment *> calloc(1, sizeof(Segment))
    if segment != NULL:
        segment.depth = depth
        segment.entries = <Entry *> pages_new(segment_bytes(table))
        if segment.entries == NULL:
            free(segment)
            segment = NULL
    return segment


cdef void free_segment(Segment *segment) noexcept nogil:
    if segment != NULL:
        pages_free(segment.entries)
        free(segment)


cdef bint open_values(Values *table, size_t limit, size_t bytes) noexcept nogil:
    """An empty table that uses, with the caller's own bytes, no more than a limit. False without memory."""
    memset(table, 0, sizeof(Values))
    table.lines = FIRST_LINES
    table.limit = limit
    table.bytes = bytes + segment_bytes(table) + sizeof(Segment) + 2 * sizeof(void *)
    table.entries = <Entry **> calloc(1, sizeof(void *))
    table.segments = <Segment **> calloc(1, sizeof(void *))
    if table.entries == NULL or table.segments == NULL:
        return False
    table.segments[0] = new_segment(table, 0)
    if table.segments[0] == NULL:
        return False
    table.entries[0] = table.segments[0].entries
    return True


cdef void close_values(Values *table) noexcept nogil:
    cdef size_t i
    if table.entries != NULL and table.segments != NULL:
        for i in range((<size_t> 1) << table.depth):
            if is_first(table, i):
                free_segment(table.segments[i])
    free(table.entries)
    free(table.segments)


cdef inline bint is_first(const Values *table, size_t slot) noexcept nogil:
    """Whether a segment has not been met in the directory before."""
    return slot == 0 or table.segments[slot] != table.segments[slot - 1]


cdef void count_work(const Values *table, uint64_t *counts) noexcept nogil:
    """How many values took how much work."""
    cdef size_t slot, i
    memset(counts, 0, sizeof(uint64_t) << WORK_BITS)
    for slot in range((<size_t> 1) << table.depth):
        if is_first(table, slot):
            for i in range(LINE * table.lines):
                if table.entries[slot][i].high:
                    counts[table.entries[slot][i].rest & ((1 << WORK_BITS) - 1)] += 1


cdef void keep_work(const Values *table, uint64_t least, Entry *kept) noexcept nogil:
    """Copy the values that took so much work or more."""
    cdef size_t slot, i
    for slot in range((<size_t> 1) << table.depth):
        if is_first(table, slot):
            for i in range(LINE * table.lines):
                if table.entries[slot][i].high and table.entries[slot][i].rest & ((1 << WORK_BITS) - 1) >= least:
                    kept[0] = table.entries[slot][i]
                    kept += 1


cdef void take_value(Values *table, const void *kept) noexcept nogil:
    """Put a copied value into a table; it need not be aligned."""
    cdef Entry entry
    cdef Hash key
    cdef double value
    cdef uint64_t bits
    memcpy(&entry, kept, sizeof(Entry))
    key.high = entry.high
    key.low = entry.rest
    bits = entry.rest >> WORK_BITS << (64 - VALUE_BITS + WORK_BITS)
    memcpy(&value, &bits, sizeof(double))
    if entry.high and not find_value(table, &key, &value):
        put_value(table, &key, value, entry.rest & ((1 << WORK_BITS) - 1))
