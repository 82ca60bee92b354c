"""Exact values of games of one or two players, by backward induction.

A position is worth what its children are: the mean over what chance may reveal, the best move of a single player, the
value of the matrix game where two choose at once. Values of positions met before come from a table, by what is known
and can still matter (the game's `reduce`), not by how they came about. The search knows the Rules table and no game.

Nothing is estimated. But a value is stored in 44 bits, off by at most 2^-33 of its size, and neither averages nor
matrix games magnify errors: after n stored positions in a row a value is off by at most n * 2^-33 times the largest.
Two positions may share a key by chance, with a probability below 2^-58 for any pair that the table compares.
"""
import sys
from ast import literal_eval
from collections.abc import Callable
from time import monotonic

from libc.math cimport INFINITY
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from ninefold.core.rules cimport (
    MARGIN, MAX_LEGAL, MAX_OUTCOMES, MAX_PLAYERS, PERFECT, SCORE, WIN, Hash, Outcome, Reduced, Rules, State, Table,
    bit_first, hash_bytes, hash_start, is_over, utilities)
from ninefold.core.search.matrix cimport matrix_value, matrix_work

from ninefold.core.search import matrix

include "values.pxi"

# --- the stack --------------------------------------------------------------------------------------------------------

cdef enum Kind:
    CHANCE
    CHOICE                      # of one player
    MATRIX                      # of two at once

cdef enum:                      # in Reduced.sign: a child whose value has to be found
    UNSTORED = 2                # and which has no key
    UNMET = 3                   # and which has not been looked at

# A position on the stack. Behind it lie its state, the values of its children, the children as the table knows them
# (sign 0: the value is there), and what leads to them: outcomes, or moves. The children of a MATRIX are row-major,
# player 0 by rows; others are a single row.
ctypedef struct Frame:
    size_t parent               # offset in the stack
    Reduced own
    uint64_t born               # nodes when it was opened
    int kind
    int rows
    int cols
    bint column                 # the children under way: a column or a row,
    int line                    # its number,
    int at                      # and a place in it: of the child that is searched, or that ended the line; -1: all valued
    bint met                    # whether all of them have been looked at
    int lines                   # how many have been under way
    bint filling                # whether the whole matrix is needed, because pure strategies do not settle it
    bint whole                  # whether every child must be valued: the root
    uint32_t actors             # players who choose, a mask
    double lower                # bounds on the value by pure strategies
    double upper

ctypedef struct Search:
    const Table *game
    int objective
    bint reduced                # whether to use the game's `reduce`
    bint bounded                # … and its `bound`: choices of a single player leave out what cannot be the best
    double least                # bounds on what the objective can be worth
    double most
    char *stack
    size_t size                 # of the stack
    size_t top                  # offset of the last frame
    size_t end                  # and of the free space behind it
    uint64_t nodes              # positions opened
    double value
    int turn                    # where the search of a line begins, in 256ths of it: each search of a shared table has
    int step                    # an order of its own; and where it goes, up or down
    Values *table
    Values own                  # the table, if no other search made it

cdef enum Status:
    PAUSED
    FULL_STACK
    DONE

cdef enum:
    FIRST_STACK = 1 << 15
    LEAST = FIRST_STACK + (1 << 14)     # bytes of memory
    LEAST_SHARED = 1 << 20
    SCRATCH = 1024              # bytes kept free behind the last frame, for the head and the state of a child
    MOST_SAVED = 1 << 25        # bytes of a checkpoint
    MOST_PARTNERS = 255
    SLICE = 1000                # nodes of the first call of `run`
    SLICE_MS = 25               # and how long the later ones should take


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
    """Of player 0 and then of player 1; of a single player after one that is no move."""
    return <uint16_t *> (children_of(search, frame) + frame.rows * frame.cols)


cdef inline char *scratch(const Search *search) noexcept nogil:
    """Where a child's state is made: in its place, should it become a frame."""
    return search.stack + search.end + sizeof(Frame)


cdef inline int length(const Frame *frame) noexcept nogil:
    """The number of children under way."""
    return frame.rows if frame.column else frame.cols


cdef inline int child_at(const Frame *frame, int at) noexcept nogil:
    return at * frame.cols + frame.line if frame.column else frame.line * frame.cols + at


cdef inline void set_line(Frame *frame, bint column, int line) noexcept nogil:
    frame.column = column
    frame.line = line
    frame.at = 0
    frame.met = False


cdef bint push(Search *search, const Reduced *own, bint whole) noexcept nogil:
    """Make a frame of the state in scratch. False if the stack is too small."""
    cdef Frame *frame = <Frame *> (search.stack + search.end)
    cdef const Rules *rules = search.game.rules
    cdef const char *state = state_of(frame)
    cdef uint16_t moves[2 * MAX_LEGAL]
    cdef Outcome outcomes[MAX_OUTCOMES]
    cdef uint32_t actors = rules.actors(state)
    cdef int kind = CHANCE, rows = 1, cols, i
    cdef size_t end = search.end + sizeof(Frame) + rules.state_size
    if actors == 0:
        cols = rules.outcomes(search.game.ruleset, state, outcomes)
    elif actors & (actors - 1):
        kind = MATRIX
        rows = rules.legal(search.game.ruleset, state, 0, moves)
        cols = rules.legal(search.game.ruleset, state, 1, moves + rows)
    else:
        kind = CHOICE
        moves[0] = 0
        cols = rules.legal(search.game.ruleset, state, bit_first(actors), moves + rows)
    end += rows * cols * (sizeof(double) + sizeof(Reduced)) + 4 * (rows + cols)
    end = (end + 7) & ~<size_t> 7
    if end + SCRATCH + matrix_work(rows, cols) * sizeof(double) > search.size:
        return False
    frame.parent = search.top
    frame.own = own[0]
    frame.born = search.nodes
    frame.kind = kind
    frame.rows = rows
    frame.cols = cols
    frame.whole = frame.filling = whole
    frame.lines = 0
    frame.actors = actors
    frame.lower = search.least
    frame.upper = search.most
    set_line(frame, False, 0)
    for i in range(rows * cols):
        children_of(search, frame)[i].sign = UNMET
    if kind == CHANCE:
        memcpy(outcomes_of(search, frame), outcomes, cols * sizeof(Outcome))
    else:
        memcpy(moves_of(search, frame), moves, (rows + cols) * sizeof(uint16_t))
    search.top = search.end
    search.end = end
    search.nodes += 1
    return True

# --- children ---------------------------------------------------------------------------------------------------------

cdef inline void make_child(const Search *search, const Frame *frame, int at) noexcept nogil:
    """Into scratch, the state of the line's child."""
    cdef const Rules *rules = search.game.rules
    cdef const void *ruleset = search.game.ruleset
    cdef const uint16_t *moves = moves_of(search, frame)
    cdef char *state = scratch(search)
    memcpy(state, state_of(frame), rules.state_size)
    if frame.kind == CHANCE:
        rules.settle(ruleset, state, outcomes_of(search, frame)[at].id)
    elif frame.kind == CHOICE:
        rules.apply(ruleset, state, bit_first(frame.actors), moves[1 + at])
    else:
        rules.apply(ruleset, state, 0, moves[at if frame.column else frame.line])
        rules.apply(ruleset, state, 1, moves[frame.rows + (frame.line if frame.column else at)])


cdef inline double worth(const Search *search, const void *state) noexcept nogil:
    """What the objective is worth to player 0 at the end of the game."""
    cdef double out[MAX_PLAYERS]
    utilities(search.game, state, search.objective, out)
    return out[0]


cdef inline void reduce(const Search *search, const void *state, Reduced *out) noexcept nogil:
    cdef const Rules *rules = search.game.rules
    if search.reduced and rules.reduce != NULL:
        if not rules.reduce(search.game.ruleset, state, search.objective, out):
            out.sign = UNSTORED
    elif is_over(search.game, state):
        out.sign = UNSTORED
    else:
        out.key = hash_start(search.objective)
        hash_bytes(&out.key, state, rules.state_size)
        out.offset = 0
        out.sign = 1
    out.key.high |= out.key.high == 0       # 0 marks an empty entry


cdef inline void meet(const Search *search, const Frame *frame) noexcept nogil:
    """Look at the line's children: find their keys, and the values of those that need no search."""
    cdef char *state = scratch(search)
    cdef Reduced *child
    cdef int at, number
    for at in range(length(frame)):
        number = child_at(frame, at)
        child = children_of(search, frame) + number
        if child.sign != UNMET:
            continue
        make_child(search, frame, at)
        reduce(search, state, child)
        if child.sign == 0:
            values_of(search, frame)[number] = child.offset
        elif child.sign != UNSTORED:
            fetch_line(search.table, child.key.high)
        elif is_over(search.game, state):
            values_of(search, frame)[number] = worth(search, state)
            child.sign = 0
        if child.sign and search.bounded:
            values_of(search, frame)[number] = search.game.rules.bound(search.game.ruleset, state)


cdef inline bint value_best(Search *search, Frame *frame) noexcept nogil:
    """As `value_line`, for a choice whose children have bounds, the most promising one first.

    Those that cannot be better than another are left unsearched, with their bounds in place of their values.
    """
    cdef double *values = values_of(search, frame)
    cdef Reduced *children = children_of(search, frame)
    cdef double best, value = 0
    cdef int at, next
    while True:
        next = -1
        best = -INFINITY
        for at in range(frame.cols):
            if children[at].sign == 0:
                best = max(best, values[at])
            elif next < 0 or values[at] > values[next]:
                next = at
        if next < 0 or (values[next] <= best and not frame.whole):
            return True
        if children[next].sign == UNSTORED or not find_value(search.table, &children[next].key, &value):
            frame.at = next
            return False
        values[next] = children[next].offset + children[next].sign * value
        children[next].sign = 0


cdef inline bint cuts(const Frame *frame, double value) noexcept nogil:
    """Whether a line with this payoff cannot improve its bound: then this one may stand for the best answer."""
    return not frame.filling and (value >= frame.upper if frame.column else value <= frame.lower)


cdef inline int start_of(const Search *search, int n) noexcept nogil:
    """Where the search of a line of n children begins."""
    cdef int skipped = n * search.turn >> 8
    return skipped if search.step > 0 else n - 1 - skipped


cdef inline bint value_line(Search *search, Frame *frame) noexcept nogil:
    """Value the line's children as far as they are known. False at one that must be searched, number `at`.

    In a matrix all are looked up first: the line may end early, with a payoff at `at` that makes the others irrelevant.
    """
    cdef bint crossing = frame.kind == MATRIX
    cdef double *values = values_of(search, frame)
    cdef Reduced *children = children_of(search, frame)
    cdef const Values *table = search.table
    cdef int n = length(frame), stride = frame.cols if frame.column else 1, origin = child_at(frame, 0)
    # Of a matrix all take the lines in one order: others may end them later, or need others.
    cdef int step = 1 if crossing else search.step, first = 0 if crossing else start_of(search, n)
    cdef int at = first if crossing or not frame.met else frame.at
    cdef int number, gap = -1
    cdef double value = 0
    if not frame.met:
        meet(search, frame)
        frame.met = True
    if search.bounded and frame.kind == CHOICE:
        return value_best(search, frame)
    while True:
        number = origin + at * stride
        if children[number].sign:
            if children[number].sign != UNSTORED and find_value(table, &children[number].key, &value):
                values[number] = children[number].offset + children[number].sign * value
                children[number].sign = 0
            else:
                if not crossing:
                    frame.at = at
                    return False
                if gap < 0:
                    gap = at
        if crossing and children[number].sign == 0 and cuts(frame, values[number]):
            frame.at = at
            return True
        at += step
        if at == n:
            at = 0
        elif at < 0:
            at = n - 1
        if at == first:
            break
    frame.at = gap
    return gap < 0


cdef inline void accept(const Search *search, Frame *frame, double value) noexcept nogil:
    """The child that was searched has this value."""
    cdef int number = child_at(frame, frame.at)
    values_of(search, frame)[number] = value
    children_of(search, frame)[number].sign = 0

# --- values -----------------------------------------------------------------------------------------------------------

cdef inline double mean(const Search *search, const Frame *frame) noexcept nogil:
    cdef const double *values = values_of(search, frame)
    cdef const Outcome *outcomes = outcomes_of(search, frame)
    cdef double total = 0
    cdef int i, weight = 0
    for i in range(frame.cols):
        total += outcomes[i].weight * values[i]
        weight += outcomes[i].weight
    return total / weight


cdef inline int best_of(const double *values, const Frame *frame, bint largest) noexcept nogil:
    """The place of the first largest, or smallest, value of the line."""
    cdef int at, best = 0
    cdef double value, extreme = values[child_at(frame, 0)]
    for at in range(1, length(frame)):
        value = values[child_at(frame, at)]
        if value > extreme if largest else value < extreme:
            extreme = value
            best = at
    return best


cdef inline bint has_gap(const Search *search, const Frame *frame) noexcept nogil:
    cdef int at
    for at in range(length(frame)):
        if children_of(search, frame)[child_at(frame, at)].sign:
            return True
    return False


cdef inline bint next_line(const Search *search, Frame *frame) noexcept nogil:
    """Go on with another line of a matrix. False if all that matters is known.

    After a row comes the column of its smallest payoff, after a column the row of its largest: the best answers to the
    last choice. Where two of them meet, `lower` and `upper` do, and the rest cannot matter: a saddle point.
    """
    cdef const double *values = values_of(search, frame)
    cdef int best = frame.at
    if best < 0:
        best = best_of(values, frame, frame.column)
        if frame.column:
            frame.upper = min(frame.upper, values[child_at(frame, best)])
        else:
            frame.lower = max(frame.lower, values[child_at(frame, best)])
    if frame.lower >= frame.upper and not frame.whole:
        return False
    frame.lines += 1
    set_line(frame, not frame.column, best)
    if not frame.filling and frame.lines < frame.rows + frame.cols and has_gap(search, frame):
        return True
    frame.filling = True
    for best in range(frame.rows):
        set_line(frame, False, best)
        if has_gap(search, frame):
            return True
    return False


cdef inline bint conclude(const Search *search, Frame *frame, double *value) noexcept nogil:
    """The line is valued: find the frame's value. False if another line must be valued first."""
    cdef double *values = values_of(search, frame)
    if frame.kind == CHANCE:
        value[0] = mean(search, frame)
    elif frame.kind == CHOICE:
        value[0] = values[best_of(values, frame, frame.actors & 1)]
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
    cdef double value = 0
    while search.nodes < limit:
        frame = top_of(search)
        if not value_line(search, frame):
            make_child(search, frame, frame.at)
            if not push(search, children_of(search, frame) + child_at(frame, frame.at), False):
                return FULL_STACK
        elif conclude(search, frame, &value):
            if frame.own.sign != UNSTORED:
                put_value(search.table, &frame.own.key, (value - frame.own.offset) * frame.own.sign,
                          work_of(search.nodes - frame.born))
            if search.top == 0:
                search.value = value
                return DONE
            search.end = search.top
            search.top = frame.parent
            accept(search, top_of(search), value)
    return PAUSED

# --- opening and closing ----------------------------------------------------------------------------------------------

cdef bint open_search(Search *search, const Table *game, int objective, bint reduced, Values *table) noexcept nogil:
    """A search without a position, all zero before. False without memory; close it in either case.

    table: of another search, or its own, to be opened.
    """
    search.game = game
    search.objective = objective
    search.reduced = reduced
    search.bounded = reduced and game.players == 1 and game.rules.bound != NULL
    search.least = 0 if objective == WIN else -INFINITY
    search.most = 1 if objective == WIN else INFINITY
    search.size = FIRST_STACK
    search.step = 1
    search.table = table
    search.stack = <char *> malloc(FIRST_STACK)
    return search.stack != NULL


cdef void close_search(Search *search) noexcept nogil:
    free(search.stack)
    close_values(&search.own)


cdef bint grow(Search *search) noexcept nogil:
    """Double the stack, wherever the search stands. False without memory."""
    cdef char *stack = <char *> realloc(search.stack, 2 * search.size)
    if stack == NULL:
        return False
    search.stack = stack
    word_add(&search.table.bytes, search.size)
    search.size *= 2
    return True


cdef bint begin(Search *search, const void *state, const Reduced *own, bint whole) noexcept nogil:
    """Make a position the root. The table stays. False without memory."""
    search.top = search.end = 0
    while True:
        memcpy(scratch(search), state, search.game.rules.state_size)
        if push(search, own, whole):
            return True
        if not grow(search):
            return False

# --- for other searches -----------------------------------------------------------------------------------------------

cdef void *new_prover(const Table *game, int objective, size_t memory) noexcept nogil:
    cdef Search *search = <Search *> calloc(1, sizeof(Search))
    if search != NULL and not (open_search(search, game, objective, True, &search.own)
                               and open_values(&search.own, memory, FIRST_STACK, False)):
        free_prover(search)
        return NULL
    return search


cdef void free_prover(void *prover) noexcept nogil:
    if prover != NULL:
        close_search(<Search *> prover)
        free(prover)


cdef size_t prover_bytes(const void *prover) noexcept nogil:
    return (<const Search *> prover).table.bytes


cdef bint prove(void *prover, const void *state, uint64_t nodes, double *value) noexcept nogil:
    cdef Search *search = <Search *> prover
    cdef Reduced own
    cdef uint64_t limit = search.nodes + nodes
    cdef int status
    search.top = search.end = 0
    reduce(search, state, &own)
    if own.sign == 0:
        value[0] = own.offset
        return True
    if own.sign == UNSTORED and is_over(search.game, state):
        value[0] = worth(search, state)
        return True
    if own.sign != UNSTORED and find_value(search.table, &own.key, value):
        value[0] = own.offset + own.sign * value[0]
        return True
    if not begin(search, state, &own, False):
        return False
    while search.nodes < limit:
        status = run(search, limit - search.nodes)
        if status == DONE:
            value[0] = search.value
            return True
        if status == FULL_STACK and not grow(search):
            return False
    return False


CHECKPOINT = "backward induction 1"

# --- Python -----------------------------------------------------------------------------------------------------------

cdef class Solver:
    """The exact value of a position and all that follows from it, found step by step.

    The value and all payoffs are player 0's: an expected share of the win (objective 0), points more than the other
    player's (1), or points, with a single player (1 or 2). Moves and outcomes are in the order of the position's
    `legal` and `outcomes`. Not for use by several threads at once, but each of its `partner`s may have one.

    memory: bytes, at least 48 KiB, or one MiB for a table that is shared. reduced: as `solve` has it. shared: whether
    there will be partners. first: the solver whose partner this is, made by `partner`.
    """
    cdef readonly State state           # the position
    cdef readonly int objective
    cdef readonly bint done             # whether it is solved
    cdef readonly object value          # its value, None until then
    cdef list payoffs                   # of its children, None until then
    cdef Solver first                   # whose table this one uses, None if it is its own
    cdef list partners                  # that use this one's
    cdef Search search

    def __cinit__(
        self, State state not None, int objective, *, size_t memory=1 << 28, bint reduced=True, bint shared=False,
        Solver first=None,
    ):
        cdef Search *search = &self.search
        cdef bint two = state.core.table.players == 2
        cdef size_t least
        if state.core.table.players > 2:
            raise ValueError("only games of one or two players can be solved exactly")
        if objective not in ((<int> WIN, <int> MARGIN) if two else (<int> MARGIN, <int> SCORE)):
            raise ValueError(f"objective {objective} can't be solved: 0 win, 1 margin of two players, 2 score of one")
        if state.core.table.rules.secrets(state.core.ruleset, state.data) != PERFECT:
            raise ValueError("one player knows, or may come to know, what the other does not: it can't be solved")
        least = LEAST_SHARED if shared else LEAST
        if memory < least:
            raise ValueError(f"memory must be at least {least} bytes")
        self.state = state.copy()
        self.objective = objective
        self.first = first
        self.partners = []
        if not open_search(search, &self.state.core.table, objective, reduced,
                           &search.own if first is None else first.search.table):
            raise MemoryError
        if first is not None:
            word_add(&search.table.bytes, FIRST_STACK)
        elif not open_values(&search.own, memory, FIRST_STACK, shared):
            raise MemoryError
        self.begin(self.state)
        if is_over(search.game, self.state.data):
            self.value, self.payoffs, self.done = worth(search, self.state.data), [[]], True

    def __dealloc__(self):
        close_search(&self.search)

    cdef int begin(self, State state) except -1:
        """Make a position the root, all of whose children are valued."""
        cdef Reduced own
        own.sign = UNSTORED
        if not begin(&self.search, state.data, &own, True):
            raise MemoryError
        return 0

    cdef bint step(self, uint64_t nodes) except -1:
        """Search on for about so many nodes. True when the root is solved."""
        cdef int status
        cdef uint64_t limit = self.search.nodes + nodes
        while True:
            with nogil:
                status = run(&self.search, limit - self.search.nodes)
            if status != FULL_STACK:
                return status == DONE
            if not grow(&self.search):
                raise MemoryError

    cdef list root_payoffs(self):
        cdef const Frame *frame = top_of(&self.search)
        cdef const double *values = values_of(&self.search, frame)
        cdef list rows = [[values[i * frame.cols + j] for j in range(frame.cols)] for i in range(frame.rows)]
        return [[value] for value in rows[0]] if frame.kind == CHOICE and frame.actors & 1 else rows

    def advance(self, uint64_t nodes):
        """Search on for about this many positions (1 or more), about a million a second. Returns whether it is solved.

        Runs without the GIL and does not look up in between: ask for at most about 50 ms of work at a time.
        """
        if nodes < 1:
            raise ValueError("nodes must be at least 1")
        if not self.done and self.step(nodes):
            self.value = self.search.value
            self.payoffs = self.root_payoffs()
            self.done = True
        return self.done

    def partner(self):
        """Another solver of the same question with the same table, for another thread: what one finds the others know.

        Each goes an order of its own through what all of them must value; the first that is done ends it. This one must
        have been made with `shared=True`. Raises ValueError otherwise, and for more than 255.
        """
        cdef Solver other
        cdef int number = len(self.partners) + 1
        if not self.search.table.shared or self.first is not None:
            raise ValueError("only a solver with a shared table, the first of them, has partners")
        if number > MOST_PARTNERS:
            raise ValueError(f"more than {MOST_PARTNERS} partners")
        other = Solver(self.state, self.objective, reduced=self.search.reduced, first=self)
        other.order(number)
        self.partners.append(other)
        return other

    def order(self, int number):
        """Begin anew, with the values found so far, in another order: number 0 (the usual one) .. 255.

        The value stays the same.
        """
        cdef int bit
        if not 0 <= number <= MOST_PARTNERS:
            raise ValueError(f"orders are 0 .. {MOST_PARTNERS}, not {number}")
        self.search.step = -1 if number & 1 else 1
        self.search.turn = 0
        for bit in range(8):            # a half, a quarter, three quarters, …
            self.search.turn |= (number >> 1 >> bit & 1) << (7 - bit)
        if not self.done:
            self.begin(self.state)

    def gather(self):
        """Take over what a partner that is done has found, and free what the threads have done with.

        No partner may be at work meanwhile: call it now and then, or memory runs short. Returns whether it is solved.
        """
        cdef Solver other
        for other in self.partners:
            if other.done and not self.done:
                self.value, self.payoffs, self.done = other.value, other.payoffs, True
        reclaim(self.search.table)
        return self.done

    @property
    def nodes(self):
        """Positions searched so far, those of the partners with them."""
        cdef uint64_t nodes = self.search.nodes
        cdef Solver other
        for other in self.partners:
            nodes += other.search.nodes
        return nodes

    @property
    def entries(self):
        """Values in the table."""
        return count_values(self.search.table)

    @property
    def memory(self):
        """Bytes in use."""
        return self.search.table.bytes

    @property
    def full(self):
        """Whether the table has no room left, so that new values displace others."""
        return word_load(&self.search.table.full) != 0

    def save(self):
        """What another solver of the same position and objective needs to go on: the values that took the most work.

        At most 32 MiB, and an eighth of the memory. Nothing else is lost than the time that the others took.
        """
        cdef Values *table = self.search.table
        cdef size_t room = min(<size_t> MOST_SAVED, table.limit // 8) // sizeof(Entry), n = 0
        cdef uint64_t counts[1 << WORK_BITS]
        cdef uint64_t least = 1 << WORK_BITS
        cdef Entry *kept
        with nogil:
            count_work(table, counts)
        while least and n + counts[least - 1] <= room:
            least -= 1
            n += counts[least]
        kept = <Entry *> malloc((n + 1) * sizeof(Entry))
        if kept == NULL:
            raise MemoryError
        with nogil:
            keep_work(table, least, kept)
        data = (<char *> kept)[:n * sizeof(Entry)]
        free(kept)
        return repr((CHECKPOINT, sys.byteorder, self.nodes)).encode() + b"\n" + data

    def load(self, bytes checkpoint not None):
        """Go on from `save` of a solver of the same position and objective; from several, one after the other, as well.

        No partner may be at work. Raises ValueError if it is none.
        """
        cdef Values *table = self.search.table
        cdef const char *at
        cdef size_t i, n
        try:
            line, data = checkpoint.split(b"\n", 1)
            name, order, nodes = literal_eval(line.decode())
        except (ValueError, SyntaxError, TypeError) as error:
            raise ValueError("this is no checkpoint of backward induction") from error
        if name != CHECKPOINT or order != sys.byteorder or len(data) % sizeof(Entry):
            raise ValueError("this is no checkpoint of backward induction by this version")
        at = data
        n = len(data) // sizeof(Entry)
        with nogil:
            for i in range(n):
                take_value(table, at + i * sizeof(Entry))
        self.search.nodes = max(self.search.nodes, <uint64_t> nodes)

    def payoff(self):
        """The value after each choice: payoff[i][j] after move i of player 0 and move j of player 1.

        A player who has no choice has one row, or column, there. At a chance node the outcomes are one row.
        Raises ValueError before all is solved.
        """
        self.check_done()
        return [list(row) for row in self.payoffs]

    cdef int check_done(self) except -1:
        if not self.done:
            raise ValueError("not solved yet")
        return 0

    def mix(self, player):
        """The player's part of an equilibrium: a probability for each legal move. [] if he has none to make.

        The mix guarantees the value against every play of the other player. Raises ValueError before all is solved.
        """
        cdef int who = self.state.seat(player)
        self.check_done()
        return mixes(self.state, self.payoffs)[who]

    @property
    def exploitability(self):
        """What both players together would gain by best responses to each other's mix: 0 but for rounding."""
        self.check_done()
        if len(self.state.actors) < 2:
            return 0.0
        return matrix.exploitability(self.payoffs, self.mix(0), self.mix(1))

    def line(self, int limit=100):
        """The likeliest course: [(player, move)], or (None, outcome) for chance, until the end or so many steps.

        Of mixes the likeliest moves are taken, and the likeliest outcomes; of equals the first. Takes some more search.
        Raises ValueError before all is solved.
        """
        cdef State state = self.state.copy()
        cdef list steps = [], payoffs = self.payoffs
        self.check_done()
        while not state.is_over and len(steps) < limit:
            if steps:
                self.begin(state)
                while not self.step(SLICE):
                    pass
                payoffs = self.root_payoffs()
            steps += likeliest(state, payoffs)
            for player, step in steps[-max(1, len(state.actors)):]:
                if player is None:
                    state.settle(step)
                else:
                    state.apply(player, step)
        return steps[:limit]


cdef tuple mixes(State state, list payoff):
    """Both players' equilibrium strategies for the payoffs of a position."""
    cdef tuple actors = state.actors
    if len(actors) == 2:
        return matrix.solve(payoff)[1:]
    if not actors:
        return [], []
    values = [row[0] for row in payoff] if actors[0] == 0 else payoff[0]
    best = values.index(max(values) if actors[0] == 0 else min(values))
    mix = [float(i == best) for i in range(len(values))]
    return (mix, []) if actors[0] == 0 else ([], mix)


cdef list likeliest(State state, list payoff):
    """The likeliest next step, or one of each player who must choose now."""
    if state.is_chance:
        outcomes = state.outcomes()
        return [(None, max(outcomes, key=lambda outcome: outcome[1])[0])]
    mix = mixes(state, payoff)
    return [(player, state.legal(player)[mix[player].index(max(mix[player]))]) for player in state.actors]


def solve(
    State state not None,
    int objective,
    *,
    size_t memory=1 << 28,
    nodes: int | None = None,
    time: float | None = None,
    progress: Callable[[Solver], object] | None = None,
    bint reduced=True,
) -> Solver:
    """Find a position's exact value.

    objective: 0 the share of the win, 1 the margin in points, of two players; 1 or 2 the points of a single one.
    memory: bytes; when they are used up, the search goes on and gets slower.
    nodes, time: stop unsolved after so many positions or seconds. progress: called with the solver about every 25 ms.
    reduced: whether to use what the game knows of positions worth the same and of bounds; without, it takes longer.

    Returns the solver: `done`, `value`, `payoff()`, `mix(player)`, `line()`. Raises ValueError for games of more than
    two players, and for positions in which a player knows, or may come to know, what another does not.
    """
    cdef Solver solver = Solver(state, objective, memory=memory, reduced=reduced)
    cdef double start = monotonic(), now = start, then
    cdef uint64_t count = SLICE, least = SLICE
    while not solver.done and (nodes is None or solver.nodes < nodes) and (time is None or now - start < time):
        then = now
        solver.advance(count if nodes is None else max(1, min(count, nodes - solver.nodes)))
        now = monotonic()
        count = max(least, <uint64_t> (count * min(2.0, SLICE_MS / 1000 / max(now - then, 1e-6))))
        if progress is not None:
            progress(solver)
    return solver
