"""Exact values of games of one or two players, by backward induction.

A position is worth what its children are: the mean over what chance may reveal, the best move of a single player, the
value of the matrix game where two choose at once. Values of positions met before come from a table, by what is known
and can still matter (the game's `reduce`), not by how they came about. The search knows the Rules table and no game.

Nothing is estimated. But a value is stored in 44 bits, off by at most 2^-33 of its size, and neither averages nor
matrix games magnify errors: after n stored positions in a row a value is off by at most n * 2^-33 times the largest.
"""
from libc.math cimport INFINITY
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from ninefold.core.rules cimport (
    MARGIN, MAX_LEGAL, MAX_OUTCOMES, MAX_PLAYERS, PERFECT, SCORE, STATE_WORDS, WIN, Hash, Outcome, Reduced, Rules, State,
    Table, bit_count, bit_first, hash_bytes, hash_start, utilities)
from ninefold.core.search.matrix cimport matrix_value, matrix_work, solve_matrix

include "values.pxi"

# --- the stack --------------------------------------------------------------------------------------------------------

cdef enum Kind:
    CHANCE
    CHOICE                      # of one player
    MATRIX                      # of two at once

cdef enum:
    UNSTORED = 2                # in Reduced.sign: the position has no key
    UNMET = 3                   # and the child has not been looked at

# A position on the stack. Behind it lie its state, the values of its children (INFINITY until known), the children as
# the table knows them, and what leads to them: outcomes, or moves of both players. Children of a MATRIX are row-major.
ctypedef struct Frame:
    size_t parent               # offset in the stack
    Reduced own
    uint64_t born               # nodes when it was opened
    int kind
    int rows
    int cols
    int line                    # the children under way: the first,
    int stride                  # the distance to the next,
    int count                   # their number,
    int at                      # and the one to be valued next
    bint met                    # whether all of them have been looked at
    bint whole                  # whether every child must be valued: the root
    uint32_t actors             # players who choose, a mask
    double lower                # bounds on the value by pure strategies
    double upper

ctypedef struct Search:
    const Table *game
    int objective
    bint reduced                # whether to use the game's `reduce`
    double least                # bounds on what the objective can be worth
    double most
    char *stack
    size_t size                 # of the stack
    size_t top                  # offset of the last frame
    size_t end                  # and of the free space behind it
    uint64_t nodes              # positions opened
    double value
    Values table

cdef enum Status:
    PAUSED
    FULL_STACK
    DONE

cdef enum:
    SCRATCH = 1024              # bytes kept free behind the last frame, for the head and state of a child
    FIRST_STACK = 1 << 15


cdef inline Frame *top_of(const Search *search) noexcept nogil:
    return <Frame *> (search.stack + search.top)


cdef inline char *state_of(const Frame *frame) noexcept nogil:
    return <char *> frame + sizeof(Frame)


cdef inline double *values_of(const Search *search, const Frame *frame) noexcept nogil:
    return <double *> (state_of(frame) + search.game.rules.state_size)


cdef inline Reduced *children_of(const Search *search, const Frame *frame) noexcept nogil:
    return <Reduced *> (values_of(search, frame) + frame.rows * frame.cols)


cdef inline Outcome *outcomes_of(const Search *search, const Frame *frame) noexcept nogil:
    return <Outcome *> (children_of(search, frame) + frame.rows * frame.cols)


cdef inline uint16_t *moves_of(const Search *search, const Frame *frame) noexcept nogil:
    return <uint16_t *> (children_of(search, frame) + frame.rows * frame.cols)


cdef inline char *scratch(const Search *search) noexcept nogil:
    """Where a child's state is made: in its place, should it become a frame."""
    return search.stack + search.end + sizeof(Frame)


cdef void make_child(const Search *search, const Frame *frame, int child) noexcept nogil:
    cdef const Rules *rules = search.game.rules
    cdef const void *ruleset = search.game.ruleset
    cdef char *state = scratch(search)
    memcpy(state, state_of(frame), rules.state_size)
    if frame.kind == CHANCE:
        rules.settle(ruleset, state, outcomes_of(search, frame)[child].id)
    elif frame.kind == CHOICE:
        rules.apply(ruleset, state, bit_first(frame.actors), moves_of(search, frame)[child])
    else:
        rules.apply(ruleset, state, 0, moves_of(search, frame)[child // frame.cols])
        rules.apply(ruleset, state, 1, moves_of(search, frame)[frame.rows + child % frame.cols])


cdef bint push(Search *search, const Reduced *own, bint whole) noexcept nogil:
    """Make a frame of the state in scratch. False if the stack is too small."""
    cdef Frame *frame = <Frame *> (search.stack + search.end)
    cdef const Rules *rules = search.game.rules
    cdef const char *state = state_of(frame)
    cdef uint16_t moves[2 * MAX_LEGAL]
    cdef Outcome outcomes[MAX_OUTCOMES]
    cdef uint32_t actors = rules.actors(state)
    cdef int kind = CHANCE, rows, cols = 1, i
    cdef size_t end = search.end + sizeof(Frame) + rules.state_size
    if actors == 0:
        rows = rules.outcomes(search.game.ruleset, state, outcomes)
    else:
        kind = CHOICE
        rows = rules.legal(search.game.ruleset, state, bit_first(actors), moves)
        if actors & (actors - 1):
            kind = MATRIX
            cols = rules.legal(search.game.ruleset, state, 1, moves + rows)
    end += rows * cols * (sizeof(double) + sizeof(Reduced)) + 4 * (rows + cols)
    end = (end + 7) & ~<size_t> 7
    if end + SCRATCH + 8 * matrix_work(rows, cols) > search.size:
        return False
    frame.parent = search.top
    frame.own = own[0]
    frame.born = search.nodes
    frame.kind = kind
    frame.rows = rows
    frame.cols = cols
    frame.line = frame.at = 0
    frame.stride = 1
    frame.count = cols if kind == MATRIX else rows
    frame.met = False
    frame.whole = whole
    frame.actors = actors
    frame.lower = search.least
    frame.upper = search.most
    for i in range(rows * cols):
        values_of(search, frame)[i] = INFINITY
        children_of(search, frame)[i].sign = UNMET
    if kind == CHANCE:
        memcpy(outcomes_of(search, frame), outcomes, rows * sizeof(Outcome))
    else:
        memcpy(moves_of(search, frame), moves, (rows + cols) * sizeof(uint16_t))
    search.top = search.end
    search.end = end
    search.nodes += 1
    return True

# --- children ---------------------------------------------------------------------------------------------------------

cdef inline bint is_over(const Search *search, const char *state) noexcept nogil:
    cdef Outcome outcomes[MAX_OUTCOMES]
    return (search.game.rules.actors(state) == 0
            and search.game.rules.outcomes(search.game.ruleset, state, outcomes) == 0)


cdef double worth(const Search *search, const char *state) noexcept nogil:
    """What the objective is worth to player 0 at the end of the game."""
    cdef double out[MAX_PLAYERS]
    utilities(search.game, state, search.objective, out)
    return out[0]


cdef inline void reduce(const Search *search, const char *state, Reduced *out) noexcept nogil:
    cdef const Rules *rules = search.game.rules
    if search.reduced and rules.reduce != NULL:
        if not rules.reduce(search.game.ruleset, state, search.objective, out):
            out.sign = UNSTORED
    else:
        out.key = hash_start(search.objective)
        hash_bytes(&out.key, state, rules.state_size)
        out.offset = 0
        out.sign = 1
    out.key.high |= out.key.high == 0       # 0 marks an empty entry


cdef void meet(const Search *search, const Frame *frame) noexcept nogil:
    """Look at the line's children: find their keys, and the values of those that need no search."""
    cdef double *values = values_of(search, frame)
    cdef Reduced *children = children_of(search, frame)
    cdef char *state = scratch(search)
    cdef int i, child = frame.line
    for i in range(frame.count):
        if children[child].sign == UNMET:
            make_child(search, frame, child)
            reduce(search, state, &children[child])
            if children[child].sign == UNSTORED:
                if is_over(search, state):
                    values[child] = worth(search, state)
            elif children[child].sign == 0:
                values[child] = children[child].offset
            else:
                pages_fetch(line_of(&search.table, children[child].key.high))
        child += frame.stride


cdef bint value_line(Search *search, Frame *frame) noexcept nogil:
    """Value the line's children as far as they are known. False at one that must be searched, number `at`."""
    cdef double *values = values_of(search, frame)
    cdef const Reduced *child
    cdef int number
    cdef double value = 0
    if not frame.met:
        meet(search, frame)
        frame.met = True
    while frame.at < frame.count:
        number = frame.line + frame.at * frame.stride
        if values[number] == INFINITY:
            child = children_of(search, frame) + number
            if child.sign == UNSTORED or not find_value(&search.table, &child.key, &value):
                return False
            values[number] = child.offset + child.sign * value
        frame.at += 1
    return True

# --- values -----------------------------------------------------------------------------------------------------------

cdef double mean(const Search *search, const Frame *frame) noexcept nogil:
    cdef const double *values = values_of(search, frame)
    cdef const Outcome *outcomes = outcomes_of(search, frame)
    cdef double total = 0
    cdef int i, weight = 0
    for i in range(frame.rows):
        total += outcomes[i].weight * values[i]
        weight += outcomes[i].weight
    return total / weight


cdef inline int best_of(const double *values, int first, int stride, int count, bint largest) noexcept nogil:
    """The first largest, or smallest, of a line."""
    cdef int i, child = first, best = first
    for i in range(1, count):
        child += stride
        if values[child] > values[best] if largest else values[child] < values[best]:
            best = child
    return best


cdef bint next_line(const Search *search, Frame *frame) noexcept nogil:
    """Go on with another line of a matrix. False if all that matters is known, between `lower` and `upper`.

    After a row, its smallest payoff's column; after a column, its largest payoff's row: each the best answer to the
    last. Where these meet, both bounds agree, and the rest of the matrix cannot matter: a saddle point.
    """
    cdef const double *values = values_of(search, frame)
    cdef int i, best, cells = frame.rows * frame.cols
    if frame.stride == 1:
        best = best_of(values, frame.line, 1, frame.cols, False)
        frame.lower = max(frame.lower, values[best])
        set_line(frame, best % frame.cols, frame.cols, frame.rows)
    else:
        best = best_of(values, frame.line, frame.cols, frame.rows, True)
        frame.upper = min(frame.upper, values[best])
        set_line(frame, best - best % frame.cols, 1, frame.cols)
    if frame.lower >= frame.upper and not frame.whole:
        return False
    if has_gap(values, frame):
        return True
    for i in range(cells):
        if values[i] == INFINITY:
            set_line(frame, i - i % frame.cols, 1, frame.cols)
            return True
    return False


cdef inline void set_line(Frame *frame, int line, int stride, int count) noexcept nogil:
    frame.line = line
    frame.stride = stride
    frame.count = count
    frame.at = 0
    frame.met = False


cdef inline bint has_gap(const double *values, const Frame *frame) noexcept nogil:
    cdef int i
    for i in range(frame.count):
        if values[frame.line + i * frame.stride] == INFINITY:
            return True
    return False


cdef bint conclude(const Search *search, Frame *frame, double *value) noexcept nogil:
    """The line is valued: find the frame's value. False if another line must be valued first."""
    cdef double *values = values_of(search, frame)
    if frame.kind == CHANCE:
        value[0] = mean(search, frame)
    elif frame.kind == CHOICE:
        value[0] = values[best_of(values, 0, 1, frame.rows, frame.actors & 1)]
    elif next_line(search, frame):
        return False
    elif frame.lower >= frame.upper:
        value[0] = frame.lower
    else:
        value[0] = matrix_value(values, frame.rows, frame.cols, <double *> (search.stack + search.end))
    return True


cdef inline uint64_t work_of(uint64_t nodes) noexcept nogil:
    """The order of magnitude of a number of nodes, 0 .. 15."""
    cdef uint64_t work = 0
    while nodes > 1 and work < 15:
        nodes >>= 2
        work += 1
    return work


cdef int run(Search *search, uint64_t nodes) noexcept nogil:
    """Search on until so many nodes more are opened. Nothing is lost by a pause."""
    cdef Frame *frame
    cdef uint64_t limit = search.nodes + nodes
    cdef int child
    cdef double value = 0
    while search.nodes < limit:
        frame = top_of(search)
        if not value_line(search, frame):
            child = frame.line + frame.at * frame.stride
            make_child(search, frame, child)
            if not push(search, children_of(search, frame) + child, False):
                return FULL_STACK
        elif conclude(search, frame, &value):
            if frame.whole:
                search.value = value
                return DONE
            if frame.own.sign != UNSTORED:
                put_value(&search.table, &frame.own.key, (value - frame.own.offset) * frame.own.sign,
                          work_of(search.nodes - frame.born))
            search.end = search.top
            search.top = frame.parent
            frame = top_of(search)
            values_of(search, frame)[frame.line + frame.at * frame.stride] = value
            frame.at += 1
    return PAUSED

# --- Python -----------------------------------------------------------------------------------------------------------

cdef class Solver:
    cdef readonly State state
    cdef Search search
    cdef readonly bint done

    def __cinit__(self, State state not None, int objective, *, size_t memory=1 << 28, bint reduced=True):
        cdef Reduced own
        self.state = state.copy()
        self.search.game = &self.state.core.table
        self.search.objective = objective
        self.search.reduced = reduced
        self.search.least = 0 if objective == WIN else -INFINITY
        self.search.most = 1 if objective == WIN else INFINITY
        self.search.size = FIRST_STACK
        self.search.stack = <char *> malloc(FIRST_STACK)
        open_values(&self.search.table, memory, FIRST_STACK)
        memcpy(scratch(&self.search), self.state.data, self.state.core.table.rules.state_size)
        own.sign = UNSTORED
        push(&self.search, &own, True)

    def __dealloc__(self):
        free(self.search.stack)
        close_values(&self.search.table)

    def advance(self, uint64_t nodes):
        cdef int status = DONE
        if not self.done:
            with nogil:
                status = run(&self.search, nodes)
            if status == FULL_STACK:
                self.search.stack = <char *> realloc(self.search.stack, 2 * self.search.size)
                self.search.size *= 2
            self.done = status == DONE
        return self.done

    @property
    def value(self):
        return self.search.value

    @property
    def stats(self):
        return dict(nodes=self.search.nodes, entries=self.search.table.count, bytes=self.search.table.bytes)


def time_reduce(list states, int objective, long n):
    cdef long i
    cdef Reduced out
    cdef uint64_t total = 0
    cdef State s
    cdef char *data = <char *> malloc(len(states) * 512)
    cdef long m = len(states)
    cdef const Rules *rules = NULL
    cdef const void *ruleset = NULL
    for i in range(m):
        s = states[i]
        rules = s.core.table.rules
        ruleset = s.core.ruleset
        memcpy(data + 512 * i, s.data, 512)
    for i in range(n):
        rules.reduce(ruleset, data + 512 * (i % m), objective, &out)
        total += out.key.high
    free(data)
    return total


def time_make(list states, long n):
    cdef long i
    cdef uint64_t total = 0
    cdef State s
    cdef char *data = <char *> malloc(len(states) * 512)
    cdef long m = len(states)
    cdef const Rules *rules = NULL
    cdef const void *ruleset = NULL
    cdef char child[512]
    for i in range(m):
        s = states[i]
        rules = s.core.table.rules
        ruleset = s.core.ruleset
        memcpy(data + 512 * i, s.data, 512)
    for i in range(n):
        memcpy(child, data + 512 * (i % m), 464)
        rules.apply(ruleset, child, 0, i % 3)
        rules.apply(ruleset, child, 1, (i // 3) % 3)
        total += child[150]
    free(data)
    return total
