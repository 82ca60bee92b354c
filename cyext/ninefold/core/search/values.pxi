# A table of proven values by 128-bit key, for expectimax.pyx.
#
# Extendible hashing (Fagin, Nievergelt, Pippenger & Strong 1979): the key's high bits choose a segment through a
# directory, its low bits a line of the segment, and a segment that is nearly full is split in two. So the table grows
# in small steps, without a pause and up to any size. A line is a cache line; one that is full overflows to the next.
# When memory is used up, a new value takes the place of the least laborious one of its line: only time is lost.
#
# A shared table is one for several threads at once, without locks but for splitting. Its directory has its full length
# from the beginning and its segments their size. A place is taken by the high word, then the rest is written: while it
# is 0 there is nothing to read. Who reads looks at the high word once more, for another entry may have taken the place
# meanwhile. What is written into a segment while it is split may be lost. The segment itself stays until `reclaim`, when
# no thread is at work.

cdef extern from "pages.h" nogil:
    void *pages_new(size_t size)            # zeroed; NULL without memory
    void pages_free(void *pages)
    void pages_fetch(const void *address)   # a hint that this will be read soon

cdef extern from "shared.h" nogil:
    uint64_t word_load(const uint64_t *at)
    void word_store(uint64_t *at, uint64_t word)
    uint64_t word_add(uint64_t *at, uint64_t n)     # returns the sum
    bint word_change(uint64_t *at, uint64_t before, uint64_t after)     # false if another thread was first
    void *pointer_load(void **at)
    void pointer_store(void **at, void *pointer)

cdef enum:
    LINE = 4                    # entries of a cache line
    FIRST_LINES = 1 << 6        # of the first segment
    LINES = 1 << 15             # of a segment at its full size of two MiB, a huge page
    FEWEST_LINES = 1 << 10      # of a segment of a shared table: room for a value of each thread when it is full
    SEGMENTS = 16               # that a shared table has room for at least
    DEEPEST = 20                # directory of a shared table
    WORK_BITS = 4
    VALUE_BITS = 48             # those of the value and of the work

ctypedef struct Entry:          # empty: all zero
    uint64_t high               # of the key, never 0
    uint64_t rest               # 16 bits of the key's low half, 44 of the value, 4 of the work it took; never 0, either

ctypedef struct Segment:
    Entry *entries
    uint64_t count
    int depth                   # high bits that the keys of its entries share
    Segment *retired            # the next one that waits to be freed

ctypedef struct Values:
    Entry **entries             # the directory: 2 ** depth segments, some of them several times
    Segment **segments
    int depth
    size_t lines                # of each segment
    uint64_t bytes              # in use, with the caller's own
    uint64_t limit
    uint64_t full               # whether a value has had to go
    bint shared                 # whether several threads are at work; then
    bint (*find)(const void *table, const Hash *key, double *value) noexcept nogil  # `find_shared`, called so as not to
    # be inlined where it would slow the other kind of table
    uint64_t splitting          # whether one of them splits a segment
    Segment *retired            # segments that others may still look at


cdef inline size_t slot_of(const Values *table, uint64_t high) noexcept nogil:
    return high >> 1 >> (63 - table.depth)


cdef inline void fetch_line(const Values *table, uint64_t high) noexcept nogil:
    """Ask for the line of a key, which takes a while to come from memory."""
    pages_fetch(line_of(table, high))


cdef inline Entry *line_of(const Values *table, uint64_t high) noexcept nogil:
    return entries_of(table, high, table.shared) + LINE * (high & (table.lines - 1))


cdef inline Entry *entries_of(const Values *table, uint64_t high, bint shared) noexcept nogil:
    cdef Entry **entries = table.entries + slot_of(table, high)
    return <Entry *> pointer_load(<void **> entries) if shared else entries[0]


cdef inline uint64_t read(const uint64_t *word, bint shared) noexcept nogil:
    return word_load(word) if shared else word[0]


cdef inline bint look_up(const Values *table, const Hash *key, double *value, bint shared) noexcept nogil:
    """As `find_value`. shared: a constant where it is called, as a plain load is part of other instructions."""
    cdef const Entry *entries = entries_of(table, key.high, shared)
    cdef const Entry *line
    cdef size_t at = key.high & (table.lines - 1)
    cdef uint64_t rest
    cdef int i
    while True:
        line = entries + LINE * at
        for i in range(LINE):
            if read(&line[i].high, shared) == key.high:
                rest = read(&line[i].rest, shared)
                if ((rest ^ key.low) >> VALUE_BITS == 0
                        and not (shared and (rest == 0 or word_load(&line[i].high) != key.high))):
                    value[0] = unpack(rest)
                    return True
        if read(&line[LINE - 1].high, shared) == 0:
            return False
        at = (at + 1) & (table.lines - 1)


cdef bint find_shared(const void *table, const Hash *key, double *value) noexcept nogil:
    return look_up(<const Values *> table, key, value, True)


cdef inline bint find_value(const Values *table, const Hash *key, double *value) noexcept nogil:
    return table.find(table, key, value) if table.shared else look_up(table, key, value, False)


cdef inline uint64_t pack(double value, uint64_t low, uint64_t work) noexcept nogil:
    """The value rounded to 44 of its bits, off by at most 2^-33 of its size."""
    cdef uint64_t bits
    memcpy(&bits, &value, sizeof(double))
    bits = (bits + ((<uint64_t> 1) << 19)) >> 20
    bits = low >> VALUE_BITS << VALUE_BITS | bits << WORK_BITS | work
    return bits | (bits == 0)               # then a little more work


cdef inline double unpack(uint64_t rest) noexcept nogil:
    cdef uint64_t bits = rest >> WORK_BITS << (64 - VALUE_BITS + WORK_BITS)
    cdef double value
    memcpy(&value, &bits, sizeof(double))
    return value


cdef inline void put(Entry *entries, size_t lines, Entry entry) noexcept nogil:
    """Into the first free place; there is one."""
    cdef size_t at = LINE * (entry.high & (lines - 1))
    while entries[at].high:
        at = (at + 1) & (LINE * lines - 1)
    entries[at] = entry


cdef inline void put_shared(Entry *entries, size_t lines, Entry entry) noexcept nogil:
    """As `put`, while others do so, too."""
    cdef size_t at = LINE * (entry.high & (lines - 1))
    while not word_change(&entries[at].high, 0, entry.high):
        at = (at + 1) & (LINE * lines - 1)
    word_store(&entries[at].rest, entry.rest)


cdef void replace(Entry *line, Entry entry) noexcept nogil:
    """Put an entry in the place of the least laborious one of its line, if there is any."""
    cdef uint64_t mask = (1 << WORK_BITS) - 1
    cdef uint64_t rest, least = 0
    cdef Entry *place = NULL
    for _ in range(LINE):
        rest = word_load(&line.rest)
        if rest and (place == NULL or rest & mask < least & mask):
            least = rest
            place = line
        line += 1
    if place != NULL and word_change(&place.rest, least, 0):
        word_store(&place.high, entry.high)
        word_store(&place.rest, entry.rest)


cdef void put_value(Values *table, const Hash *key, double value, uint64_t work) noexcept nogil:
    """A segment is split when three quarters are taken, or else filled up to seven eighths: searches end at a gap."""
    cdef Segment *segment = segment_of(table, key.high)
    cdef Entry entry = Entry(key.high, pack(value, key.low, work))
    cdef size_t size = LINE * table.lines
    cdef uint64_t count = word_load(&segment.count)
    if count >= size // 4 * 3:
        if enlarge(table, key.high):
            segment = segment_of(table, key.high)
        elif count >= size // 8 * 7:
            replace(line_of(table, key.high), entry)
            word_store(&table.full, True)
            return
    if table.shared:
        put_shared(segment.entries, table.lines, entry)
        word_add(&segment.count, 1)
    else:
        put(segment.entries, table.lines, entry)
        segment.count += 1


cdef inline Segment *segment_of(const Values *table, uint64_t high) noexcept nogil:
    return <Segment *> pointer_load(<void **> &table.segments[slot_of(table, high)])


cdef inline size_t segment_bytes(const Values *table) noexcept nogil:
    return table.lines * LINE * sizeof(Entry)


cdef bint enlarge(Values *table, uint64_t high) noexcept nogil:
    """Make room for a key. False without memory, and while another thread does so."""
    cdef size_t size = segment_bytes(table)
    cdef bint done
    if word_load(&table.bytes) + 2 * size > table.limit:    # the old one is freed when the new ones are filled
        return False
    if table.shared:
        if not word_change(&table.splitting, False, True):
            return False
        done = (word_load(&segment_of(table, high).count) < LINE * table.lines // 4 * 3     # another one was first
                or (segment_of(table, high).depth < table.depth and split(table, slot_of(table, high))))
        word_store(&table.splitting, False)
        return done
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
    cdef Entry entry
    cdef int bit
    half[0] = new_segment(table, old.depth + 1)
    half[1] = new_segment(table, old.depth + 1)
    if half[0] == NULL or half[1] == NULL:
        free_segment(half[0])
        free_segment(half[1])
        return False
    for i in range(LINE * table.lines):
        if read_entry(&old.entries[i], &entry):
            bit = entry.high >> (63 - old.depth) & 1
            put(half[bit].entries, table.lines, entry)
            half[bit].count += 1
    slot &= ~(slots - 1)
    for i in range(slots):
        bit = i >= slots // 2
        pointer_store(<void **> &table.segments[slot + i], half[bit])
        pointer_store(<void **> &table.entries[slot + i], half[bit].entries)
    old.retired = table.retired
    table.retired = old
    word_add(&table.bytes, 2 * (segment_bytes(table) + sizeof(Segment)))
    if not table.shared:
        reclaim(table)
    return True


cdef inline bint read_entry(const Entry *at, Entry *out) noexcept nogil:
    """A copy of an entry, which another thread may be writing. False if there is none, or not all of it."""
    out.high = word_load(&at.high)
    out.rest = word_load(&at.rest)
    return out.high and out.rest and word_load(&at.high) == out.high


cdef void reclaim(Values *table) noexcept nogil:
    """Free the segments that have been split. No thread may be at work."""
    cdef Segment *old
    while table.retired != NULL:
        old = table.retired
        table.retired = old.retired
        free_segment(old)
        table.bytes -= segment_bytes(table) + sizeof(Segment)


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


cdef bint open_values(Values *table, size_t limit, size_t bytes, bint shared) noexcept nogil:
    """An empty table that uses, with the caller's own bytes, no more than a limit. False without memory.

    shared: for several threads; the limit is then one MiB or more.
    """
    cdef size_t slot, slots
    memset(table, 0, sizeof(Values))
    table.lines = FIRST_LINES
    table.limit = limit
    table.shared = shared
    table.find = find_shared
    if shared:
        table.lines = LINES
        while table.lines > FEWEST_LINES and SEGMENTS * segment_bytes(table) > limit:
            table.lines //= 2
        while table.depth < DEEPEST and segment_bytes(table) << table.depth < limit:
            table.depth += 1
    slots = (<size_t> 1) << table.depth
    table.bytes = bytes + segment_bytes(table) + sizeof(Segment) + 2 * slots * sizeof(void *)
    table.entries = <Entry **> calloc(slots, sizeof(void *))
    table.segments = <Segment **> calloc(slots, sizeof(void *))
    if table.entries == NULL or table.segments == NULL:
        return False
    table.segments[0] = new_segment(table, 0)
    if table.segments[0] == NULL:
        return False
    for slot in range(slots):
        table.segments[slot] = table.segments[0]
        table.entries[slot] = table.segments[0].entries
    return True


cdef void close_values(Values *table) noexcept nogil:
    cdef size_t i
    reclaim(table)
    if table.entries != NULL and table.segments != NULL:
        for i in range((<size_t> 1) << table.depth):
            if is_first(table, i):
                free_segment(table.segments[i])
    free(table.entries)
    free(table.segments)


cdef inline bint is_first(const Values *table, size_t slot) noexcept nogil:
    """Whether a segment has not been met in the directory before."""
    return slot == 0 or table.segments[slot] != table.segments[slot - 1]


cdef uint64_t count_values(const Values *table) noexcept nogil:
    """How many values there are."""
    cdef uint64_t count = 0
    cdef size_t slot
    for slot in range((<size_t> 1) << table.depth):
        if is_first(table, slot):
            count += table.segments[slot].count
    return count


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
    memcpy(&entry, kept, sizeof(Entry))
    key.high = entry.high
    key.low = entry.rest
    if entry.high and not find_value(table, &key, &value):
        put_value(table, &key, unpack(entry.rest), entry.rest & ((1 << WORK_BITS) - 1))
