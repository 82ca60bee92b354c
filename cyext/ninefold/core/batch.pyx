"""Many positions of one game at once: arrays in, arrays out, each row played with its own generators.

Everything works on the rows first .. last-1 without the GIL, so that the face can hand out ranges to threads: what becomes
of a row does not depend on the ranges. Arrays come as buffers of the right types and sizes; sizes are checked.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ninefold.core.rules cimport (
    MAX_LEGAL, MAX_PLAYERS, STATE_WORDS, Game, Rng, State, Table, bit_first, finish, finish_by_policy, is_legal, is_over,
    rng_below, rng_seed, utilities)

cdef enum Use:                      # what each of a row's generators is for
    CHANCE
    SAMPLES
    PLAYOUTS
    USES


cdef class Rows:
    """The rows: states as bytes [n, state_size], and three generators each [n, 3] (for chance, samples, playouts)."""
    cdef Table table
    cdef readonly Game core
    cdef uint8_t[:, ::1] states
    cdef uint64_t[:, ::1] generators

    def __init__(self, Game game not None, uint8_t[:, ::1] states not None, uint64_t[:, ::1] generators not None):
        self.core = game
        self.table = game.table
        if <size_t> states.shape[1] != game.table.rules.state_size or <size_t> &states[0, 0] % 8:
            raise ValueError(f"a row has {game.table.rules.state_size} bytes, the first at a multiple of 8")
        self.states, self.generators = states, generators
        self.expect(0, states.shape[0], generators.shape[0], generators.shape[1] == <int> USES)

    cdef int expect(self, Py_ssize_t first, Py_ssize_t last, Py_ssize_t rows, bint fits) except -1:
        """Refuse what would lead out of an array."""
        if not (fits and 0 <= first <= last <= self.states.shape[0] == rows):
            raise ValueError("an array or a range does not fit these rows")
        return 0

    cdef inline void *state(self, Py_ssize_t row) noexcept nogil:
        return &self.states[row, 0]

    cdef inline Rng *generator(self, Py_ssize_t row, int use) noexcept nogil:
        return <Rng *> &self.generators[row, use]

    cdef inline void begin(self, Py_ssize_t row) noexcept nogil:
        self.table.rules.start(self.table.ruleset, self.state(row))
        self.reveal(row)

    cdef inline void reveal(self, Py_ssize_t row) noexcept nogil:
        while self.table.rules.roll(self.table.ruleset, self.state(row), self.generator(row, CHANCE)):
            pass

    def seed(self, uint64_t seed):
        """Begin all generators anew. The seed's streams 3 * row, + 1, + 2 are those of a row."""
        cdef Py_ssize_t row
        cdef int use
        for row in range(self.states.shape[0]):
            for use in range(<int> USES):
                rng_seed(self.generator(row, use), seed, <int> USES * row + use)

    def start(self, Py_ssize_t first, Py_ssize_t last):
        """The start of a game with what chance reveals before anybody chooses."""
        cdef Py_ssize_t row
        self.expect(first, last, self.states.shape[0], True)
        with nogil:
            for row in range(first, last):
                self.begin(row)

    def read(self, Py_ssize_t row, State state not None):
        """Make a state of the same game the row's."""
        self.expect(row, row + 1, self.states.shape[0], state.core is self.core)
        memcpy(state.data, self.state(row), self.table.rules.state_size)

    def write(self, Py_ssize_t row, State state not None):
        """Make the row a state of the same game; what chance has to reveal then is revealed."""
        self.expect(row, row + 1, self.states.shape[0], state.core is self.core)
        memcpy(self.state(row), state.data, self.table.rules.state_size)
        self.reveal(row)

    def actors(self, uint8_t[::1] out not None, Py_ssize_t first, Py_ssize_t last):
        """Who must choose, as masks."""
        cdef Py_ssize_t row
        self.expect(first, last, out.shape[0], True)
        with nogil:
            for row in range(first, last):
                out[row] = self.table.rules.actors(self.state(row))

    def over(self, uint8_t[::1] out not None, Py_ssize_t first, Py_ssize_t last):
        """Whether the game has ended."""
        cdef Py_ssize_t row
        self.expect(first, last, out.shape[0], True)
        with nogil:
            for row in range(first, last):
                out[row] = is_over(&self.table, self.state(row))

    def legal(self, uint8_t[:, :, ::1] out not None, Py_ssize_t first, Py_ssize_t last):
        """A 1 for each legal move of each player."""
        cdef uint16_t moves[MAX_LEGAL]
        cdef Py_ssize_t row
        cdef uint32_t waiting
        cdef int player, i, width = self.table.rules.num_moves
        self.expect(first, last, out.shape[0], out.shape[1] == self.table.players and out.shape[2] == width)
        with nogil:
            for row in range(first, last):
                memset(&out[row, 0, 0], 0, width * self.table.players)
                waiting = self.table.rules.actors(self.state(row))
                while waiting:
                    player = bit_first(waiting)
                    waiting &= waiting - 1
                    for i in range(self.table.rules.legal(self.table.ruleset, self.state(row), player, moves)):
                        out[row, player, moves[i]] = 1

    def sample(self, int32_t[:, ::1] out not None, Py_ssize_t first, Py_ssize_t last):
        """A uniformly random legal move of each player who must choose, -1 for the others."""
        cdef uint16_t moves[MAX_LEGAL]
        cdef Py_ssize_t row
        cdef uint32_t waiting
        cdef int player, n
        self.expect(first, last, out.shape[0], out.shape[1] == self.table.players)
        with nogil:
            for row in range(first, last):
                waiting = self.table.rules.actors(self.state(row))
                for player in range(self.table.players):
                    out[row, player] = -1
                    if waiting >> player & 1:
                        n = self.table.rules.legal(self.table.ruleset, self.state(row), player, moves)
                        out[row, player] = moves[rng_below(self.generator(row, SAMPLES), n)]

    def check(self, const int32_t[:, ::1] moves not None, Py_ssize_t first, Py_ssize_t last):
        """The first (row, player) whose move is not legal, or None. -1 is no move."""
        cdef Py_ssize_t row, wrong = -1
        cdef uint32_t waiting
        cdef int player = 0
        self.expect(first, last, moves.shape[0], moves.shape[1] == self.table.players)
        with nogil:
            for row in range(first, last):
                waiting = self.table.rules.actors(self.state(row))
                for player in range(self.table.players):
                    if moves[row, player] != -1 and not (
                            waiting >> player & 1 and is_legal(&self.table, self.state(row), player, moves[row, player])):
                        wrong = row
                        break
                if wrong >= 0:
                    break
        return None if wrong < 0 else (wrong, player)

    def step(self, const int32_t[:, ::1] moves not None, uint8_t[::1] ended not None, double[:, ::1] rewards not None,
             int objective, bint again, Py_ssize_t first, Py_ssize_t last):
        """Make moves that are legal, and let chance reveal what follows; which games ended by that, and their utilities.

        again: games that ended begin anew.
        """
        cdef double worth[MAX_PLAYERS]
        cdef Py_ssize_t row
        cdef int player
        cdef bint moved
        self.expect(first, last, moves.shape[0], moves.shape[1] == self.table.players)
        self.expect(first, last, ended.shape[0], True)
        self.expect(first, last, rewards.shape[0], rewards.shape[1] == self.table.players)
        with nogil:
            for row in range(first, last):
                moved = False
                for player in range(self.table.players):
                    rewards[row, player] = 0
                    if moves[row, player] != -1:
                        moved = True
                        self.table.rules.apply(self.table.ruleset, self.state(row), player, moves[row, player])
                if moved:
                    self.reveal(row)
                    moved = self.table.rules.actors(self.state(row)) == 0
                ended[row] = moved
                if moved:
                    utilities(&self.table, self.state(row), objective, worth)
                    for player in range(self.table.players):
                        rewards[row, player] = worth[player]
                    if again:
                        self.begin(row)

    def scores(self, int32_t[:, ::1] out not None, Py_ssize_t first, Py_ssize_t last):
        """Points of each player for what lies there now."""
        cdef int32_t points[MAX_PLAYERS]
        cdef int32_t tiebreak[MAX_PLAYERS]
        cdef Py_ssize_t row
        self.expect(first, last, out.shape[0], out.shape[1] == self.table.players)
        with nogil:
            for row in range(first, last):
                self.table.rules.score(self.table.ruleset, self.state(row), points, tiebreak)
                memcpy(&out[row, 0], points, self.table.players * sizeof(int32_t))

    def utilities(self, double[:, ::1] out not None, int objective, Py_ssize_t first, Py_ssize_t last):
        """What the objective is worth to each player if the game ended now."""
        cdef double worth[MAX_PLAYERS]
        cdef Py_ssize_t row
        self.expect(first, last, out.shape[0], out.shape[1] == self.table.players)
        with nogil:
            for row in range(first, last):
                utilities(&self.table, self.state(row), objective, worth)
                memcpy(&out[row, 0], worth, self.table.players * sizeof(double))

    def observe(self, float[:, :, ::1] out not None, int player, Py_ssize_t first, Py_ssize_t last):
        """What so many players know, from this one on."""
        cdef Py_ssize_t row
        cdef int i
        self.expect(first, last, out.shape[0], out.shape[2] == self.core.observation_size > 0
                    and 0 <= player <= player + out.shape[1] <= self.table.players)
        with nogil:
            for row in range(first, last):
                for i in range(out.shape[1]):
                    self.table.rules.observe(self.table.ruleset, self.state(row), player + i, &out[row, i, 0])

    def playouts(self, double[:, ::1] out not None, long n, double temperature, int objective, Py_ssize_t first,
                 Py_ssize_t last):
        """Add up the utilities of n games played to the end from each row.

        temperature: of a softmax over the game's guesses of moves, in points; 0: all moves are equally likely.
        """
        cdef uint64_t data[STATE_WORDS]
        cdef double worth[MAX_PLAYERS]
        cdef Py_ssize_t row
        cdef int player
        self.expect(first, last, out.shape[0], out.shape[1] == self.table.players)
        with nogil:
            for row in range(first, last):
                for _ in range(n):
                    memcpy(data, self.state(row), self.table.rules.state_size)
                    if temperature > 0:
                        finish_by_policy(&self.table, data, temperature, 0, self.generator(row, PLAYOUTS))
                    else:
                        finish(&self.table, data, self.generator(row, PLAYOUTS))
                    utilities(&self.table, data, objective, worth)
                    for player in range(self.table.players):
                        out[row, player] += worth[player]
