"""Good lines of a solo position of Coney whose deck lies in a known order, by nested rollout policy adaptation.

A line is played to the end by softmax of the game's prior and of weights, one for each move of each turn. A level plays
a number of lines of the level below, which begins with its weights, and after each of them moves its weights towards
the best line so far. When the top level is through, all begins anew.
"""
from libc.stdint cimport int32_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from ninefold.core.games.coney cimport ALL, Coney, NO_ACTION, OVER, Ruleset, lane
from ninefold.core.games.coney import MOVES
from ninefold.core.rules cimport (
    MAX_LEGAL, MAX_PLAYERS, STATE_WORDS, State, Table, approx_exp, rng_seed, rng_unit)


cdef enum:
    NO_LINE = -1000000

cdef:                           # ids of the engine's moves
    int MOVE_DECK = MOVES["deck"]
    int MOVE_DRAW = MOVES["draw"]
    int MOVE_SELL = MOVES["sell"]
    int MOVE_FEED = MOVES["feed"]


cdef inline uint16_t code_of(const Coney *s, int move) noexcept nogil:
    """Of a move as an answer to this question in this turn."""
    cdef uint64_t h = move | <uint64_t> s.turn << 16 | <uint64_t> s.phase << 24 | <uint64_t> s.last << 32
    h |= <uint64_t> s.task << 40
    h *= <uint64_t> 0x9e3779b97f4a7c15
    h ^= h >> 29
    h *= <uint64_t> 0xd6e8feb86659fd93
    return <uint16_t> ((h >> 32) & (CODES - 1))


cdef double chances(const Option *option, int n, const float *weight, double *out) noexcept nogil:
    """What each option counts among the others, and the sum."""
    cdef double top = -1e30, total = 0
    cdef int i
    for i in range(n):
        out[i] = option[i].bias + weight[option[i].code]
        top = max(top, out[i])
    for i in range(n):
        out[i] = approx_exp(out[i] - top)
        total += out[i]
    return total


cdef void adapt(float *weight, const Line *line) noexcept nogil:
    """Move the weights so that the line becomes likelier."""
    cdef double part[MAX_LEGAL]
    cdef double total
    cdef const Option *option
    cdef int q, i
    for q in range(line.questions):
        option = &line.option[line.question[q].first]
        total = chances(option, line.question[q].options, weight, part)
        for i in range(line.question[q].options):
            weight[option[i].code] -= <float> (part[i] / total)
        weight[option[line.question[q].chosen].code] += 1


cdef void keep(Line *to, const Line *line) noexcept nogil:
    to.points, to.moves, to.questions, to.options = line.points, line.moves, line.questions, line.options
    memcpy(to.move, line.move, line.moves * sizeof(uint16_t))
    memcpy(to.question, line.question, line.questions * sizeof(Question))
    memcpy(to.option, line.option, line.options * sizeof(Option))


cdef inline void begin(Level *level) noexcept nogil:
    level.count = level.best.questions = 0
    level.best.points = NO_LINE


cdef class LineSearch:
    """Plays lines from a position. sales=False forbids all sales; `action` is the only one allowed in the first turn."""

    def __cinit__(self, State state not None, bint sales, int action, uint64_t seed):
        cdef int i
        self.state = state.copy()
        self.sales = sales
        self.action = action
        self.lines = <Lines *> calloc(1, sizeof(Lines))
        if self.lines == NULL:
            raise MemoryError
        rng_seed(&self.lines.rng, seed, 0)
        self.lines.unit = (<const Ruleset *> state.core.table.ruleset).resources_per_point
        self.lines.best.points = NO_LINE
        for i in range(<int> LEVELS):
            begin(&self.lines.level[i])

    def __dealloc__(self):
        free(self.lines)

    cdef bint play(self, const float *weight) noexcept nogil:
        """A line by these weights. False if it does not come to the end of the game."""
        cdef const Table *game = &self.state.core.table
        cdef Line *line = &self.lines.line
        cdef uint64_t copy[STATE_WORDS]
        cdef uint16_t moves[MAX_LEGAL]
        cdef uint16_t asked[MAX_LEGAL]
        cdef float guess[MAX_LEGAL]
        cdef double part[MAX_LEGAL]
        cdef int32_t points[MAX_PLAYERS]
        cdef int32_t tiebreak[MAX_PLAYERS]
        cdef const Coney *s = <const Coney *> copy
        cdef Option *option
        cdef Question *question
        cdef double x
        cdef int n, i, all_of_them, chosen
        memcpy(copy, self.state.data, game.rules.state_size)
        line.moves = line.questions = line.options = 0
        line.points = NO_LINE
        while s.waiting:
            n = game.rules.legal(game.ruleset, copy, 0, moves)
            if not self.sales:
                all_of_them = n
                n = 0
                for i in range(all_of_them):
                    if not MOVE_SELL <= moves[i] < MOVE_FEED:
                        moves[n] = moves[i]
                        n += 1
            if line.moves == 0 and self.action != NO_ACTION:
                moves[0] = <uint16_t> self.action
                n = 1
            if line.moves == LINE_MOVES or line.options + n > LINE_OPTIONS:
                return False
            chosen = 0
            if n > 1:
                for i in range(n):      # the prior does not know what lies on the deck, but we do
                    asked[i] = moves[i]
                    if moves[i] == MOVE_DECK and s.ordered:
                        asked[i] = <uint16_t> (MOVE_DRAW + s.trail.order[0])
                game.rules.prior(game.ruleset, copy, 0, asked, n, guess)
                option = &line.option[line.options]
                for i in range(n):
                    option[i].code = code_of(s, moves[i])
                    option[i].bias = guess[i]
                x = rng_unit(&self.lines.rng) * chances(option, n, weight, part)
                while chosen < n - 1 and x >= part[chosen]:
                    x -= part[chosen]
                    chosen += 1
                question = &line.question[line.questions]
                question.first, question.options = <uint16_t> line.options, <uint16_t> n
                question.chosen = <uint16_t> chosen
                line.questions += 1
                line.options += n
            line.move[line.moves] = moves[chosen]
            line.moves += 1
            game.rules.apply(game.ruleset, copy, 0, moves[chosen])
        if s.phase != OVER:             # the order has ended
            return False
        game.rules.score(game.ruleset, copy, points, tiebreak)
        # what is short of a point counts, too
        line.points = points[0] * self.lines.unit + lane(s.stock[0], ALL) % self.lines.unit
        return True

    cdef void round(self) noexcept nogil:
        """One line, and what the levels learn from it."""
        cdef Level *level = self.lines.level
        cdef int i = 0, below
        if self.play(level[0].weight) and self.lines.line.points >= level[0].best.points:
            keep(&level[0].best, &self.lines.line)
        while True:
            adapt(level[i].weight, &level[i].best)
            level[i].count += 1
            if level[i].count < ROUNDS:
                break
            if i == LEVELS - 1:
                memset(level[i].weight, 0, sizeof(level[i].weight))
                begin(&level[i])
                break
            if level[i].best.points >= level[i + 1].best.points:
                keep(&level[i + 1].best, &level[i].best)
            i += 1
        for below in range(i):
            memcpy(level[below].weight, level[i].weight, sizeof(level[i].weight))
            begin(&level[below])

    cdef bint run(self, uint64_t games) noexcept nogil:
        """So many lines. Whether there is a new best one."""
        cdef uint64_t _
        cdef bint found = False
        for _ in range(games):
            self.round()
            if self.lines.line.points > self.lines.best.points:
                keep(&self.lines.best, &self.lines.line)
                found = True
        return found

    cdef list moves(self):
        """The best line so far."""
        cdef int i
        return [self.lines.best.move[i] for i in range(self.lines.best.moves)]
