"""Games and positions as the compiled core knows them: dense integers over the Rules table, each call checked."""
from cpython.object cimport Py_EQ, Py_NE
from cpython.array cimport array, clone
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy

cdef array FLOATS = array("f")


cdef class Game:
    """A game with its compiled ruleset: what a search is given."""

    @staticmethod
    cdef Game wrap(const Rules *rules, size_t ruleset_size, int players):
        cdef Game game = Game.__new__(Game)
        game.moves = game.outcome_names = ()
        game.ruleset = calloc(1, ruleset_size)
        if game.ruleset == NULL:
            raise MemoryError
        game.table.rules = rules
        game.table.ruleset = game.ruleset
        game.table.players = players
        game.observed = -1
        return game

    def __dealloc__(self):
        free(self.ruleset)

    def __init__(self):
        raise TypeError("a core game is made by its game module's `compile`")

    def name_all(self, owner, tuple moves, tuple outcomes):
        """Give every move and outcome id its Python object, which is what positions hand out from now on.

        Raises ValueError unless there is one for each id.
        """
        if len(moves) != self.num_moves or len(outcomes) != self.num_outcomes:
            raise ValueError(f"{self.num_moves} moves and {self.num_outcomes} outcomes must be named")
        self.owner, self.moves, self.outcome_names = owner, moves, outcomes

    @property
    def players(self):
        """Number of players."""
        return self.table.players

    @property
    def name(self):
        """The game's short name."""
        return self.table.rules.name.decode()

    @property
    def version(self):
        """Version of the engine's rules: numbers of moves and outcomes keep their meaning within one version."""
        return self.table.rules.version

    @property
    def num_moves(self):
        """Number of move ids."""
        return self.table.rules.num_moves

    @property
    def num_outcomes(self):
        """Number of outcome ids."""
        return self.table.rules.num_outcomes

    @property
    def state_size(self):
        """Bytes of one state."""
        return self.table.rules.state_size

    @property
    def observation_size(self):
        """Numbers of one observation; 0 where a game has none."""
        cdef float *scratch
        if self.observed < 0:
            self.observed = 0
            if self.table.rules.observe != NULL:
                scratch = <float *> malloc(MAX_OBSERVED * sizeof(float))
                if scratch == NULL:
                    raise MemoryError
                self.observed = self.table.rules.observe(self.ruleset, State(self).data, 0, scratch)
                free(scratch)
        return self.observed


cdef class Generator:
    """A random number generator, named by a seed and a stream (each 0 .. 2**64-1).

    The same name gives the same numbers on every machine. Streams of one seed are independent of one another.
    """
    def __init__(self, uint64_t seed, uint64_t stream=0):
        rng_seed(&self.rng, seed, stream)

    def below(self, uint32_t n):
        """A whole number, uniform over 0 .. n-1. Raises ValueError for n = 0."""
        if n == 0:
            raise ValueError("n must be at least 1")
        return rng_below(&self.rng, n)

    def unit(self):
        """A number, uniform over [0, 1)."""
        return rng_unit(&self.rng)

    def choice(self, items):
        """One of the items, each equally likely."""
        return items[self.below(len(items))]


cdef class State:
    """The bytes of one position and its game."""

    def __init__(self, Game game not None):
        self.core = game
        game.table.rules.start(game.ruleset, self.data)

    @property
    def game(self):
        """The game this is a position of: the face's, or the core's own where none was named."""
        return self.core if self.core.owner is None else self.core.owner

    def copy(self):
        """An independent copy."""
        cdef type kind = type(self)
        cdef State other = kind.__new__(kind)
        other.core = self.core
        memcpy(other.data, self.data, self.core.table.rules.state_size)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def to_bytes(self):
        """The state's bytes: a snapshot for this version of the game alone. Files use the face's schemas instead."""
        return (<char *> self.data)[:self.core.table.rules.state_size]

    def _set_bytes(self, const uint8_t[::1] data):
        """Overwrite the state with trusted bytes of the right size (ValueError)."""
        if <size_t> data.shape[0] != self.core.table.rules.state_size:
            raise ValueError(f"a state of {self.core.name} has {self.core.table.rules.state_size} bytes, not {data.shape[0]}")
        memcpy(self.data, &data[0], self.core.table.rules.state_size)

    def __richcmp__(self, other, int op):
        if op not in (Py_EQ, Py_NE) or not isinstance(other, State):
            return NotImplemented
        cdef State that = other
        equal = self.core is that.core and memcmp(self.data, that.data, self.core.table.rules.state_size) == 0
        return equal == (op == Py_EQ)

    def __hash__(self):
        return hash(self.core.table.rules.key(self.core.ruleset, self.data))

    def key(self, viewer=None):
        """64-bit hash of the state, or of what one player (0 .. players-1) knows of it."""
        if viewer is None:
            return self.core.table.rules.key(self.core.ruleset, self.data)
        return self.core.table.rules.view_key(self.core.ruleset, self.data, self.seat(viewer))

    cdef int seat(self, player) except -1:
        if not isinstance(player, int) or not 0 <= player < self.core.table.players:
            raise ValueError(f"no player {player!r}: players are 0 to {self.core.table.players - 1}")
        return player

    @property
    def actors(self):
        """The players who must choose now, ascending; () at a chance node and at the end."""
        cdef uint32_t mask = self.core.table.rules.actors(self.data)
        return tuple([player for player in range(self.core.table.players) if mask >> player & 1])

    @property
    def is_over(self):
        """Whether the game has ended."""
        return is_over(&self.core.table, self.data)

    @property
    def is_chance(self):
        """Whether chance must reveal something before anybody chooses."""
        cdef Outcome out[MAX_OUTCOMES]
        return self.core.table.rules.outcomes(self.core.ruleset, self.data, out) > 0

    @property
    def secrets(self):
        """Whether one player knows what another does not: "perfect" (never), "open" (not now) or "hidden"."""
        return ("perfect", "open", "hidden")[self.core.table.rules.secrets(self.core.ruleset, self.data)]

    @property
    def rest(self):
        """How much of the game is left, in a unit of the game's own (cards in the deck, turns); None where unknown."""
        return None if self.core.table.rules.rest == NULL else self.core.table.rules.rest(self.data)

    def legal(self, player=None):
        """Legal moves of a player, ascending by id; without a player, of the first who must choose. [] for nobody."""
        cdef uint16_t out[MAX_LEGAL]
        cdef uint32_t mask = self.core.table.rules.actors(self.data)
        cdef int i, n, who
        cdef tuple moves = self.core.moves
        if player is not None:
            who = self.seat(player)
        elif mask:
            who = bit_first(mask)
        else:
            return []
        if not mask >> who & 1:
            return []
        n = self.core.table.rules.legal(self.core.ruleset, self.data, who, out)
        if moves:
            return [moves[out[i]] for i in range(n)]
        return [out[i] for i in range(n)]

    cdef bint is_legal(self, int player, int move) noexcept:
        return self.core.table.rules.actors(self.data) >> player & 1 and is_legal(&self.core.table, self.data, player, move)

    def apply(self, player, int move):
        """Make a move by its id. Raises ValueError if it is not legal for that player now."""
        cdef int who = self.seat(player)
        if not self.is_legal(who, move):
            raise ValueError(f"move {move} is not legal for player {player} here")
        self.core.table.rules.apply(self.core.ruleset, self.data, who, move)

    def outcomes(self):
        """What chance may reveal now and how likely each is: [(outcome, probability)], ascending by id; else []."""
        cdef Outcome out[MAX_OUTCOMES]
        cdef int i, n = self.core.table.rules.outcomes(self.core.ruleset, self.data, out)
        cdef int total = 0
        for i in range(n):
            total += out[i].weight
        names = self.core.outcome_names or range(self.core.table.rules.num_outcomes)
        return [(names[out[i].id], out[i].weight / <double> total) for i in range(n)]

    def settle(self, int outcome):
        """Let chance reveal the outcome with this id. Raises ValueError if it is impossible here."""
        cdef Outcome out[MAX_OUTCOMES]
        cdef int i
        for i in range(self.core.table.rules.outcomes(self.core.ruleset, self.data, out)):
            if out[i].id == outcome:
                self.core.table.rules.settle(self.core.ruleset, self.data, outcome)
                return
        raise ValueError(f"outcome {outcome} is impossible here")

    def roll(self, Generator generator not None):
        """Let chance reveal one thing at random. Returns whether this was a chance node."""
        return self.core.table.rules.roll(self.core.ruleset, self.data, &generator.rng)

    def roll_all(self, Generator generator not None):
        """Let chance reveal things at random until somebody must choose or the game is over."""
        while self.core.table.rules.roll(self.core.ruleset, self.data, &generator.rng):
            pass

    def hide(self, viewer):
        """Forget, in place, what the viewer does not know."""
        self.core.table.rules.hide(self.core.ruleset, self.data, self.seat(viewer))

    def resample(self, viewer, Generator generator not None):
        """Draw anew, in place, all that the viewer has not seen: one world, uniform over those the view allows.

        Hidden choices of others are taken back: they have to choose again.
        """
        self.core.table.rules.resample(self.core.ruleset, self.data, self.seat(viewer), &generator.rng)

    def score(self):
        """(points, tie-breaks) of each player for what lies there now."""
        cdef int32_t points[MAX_PLAYERS]
        cdef int32_t tiebreak[MAX_PLAYERS]
        self.core.table.rules.score(self.core.ruleset, self.data, points, tiebreak)
        return ([points[i] for i in range(self.core.table.players)], [tiebreak[i] for i in range(self.core.table.players)])

    def split(self):
        """Points of each player by source: [[points]]; all are of one source where a game does not tell them apart."""
        cdef int32_t out[MAX_PLAYERS * MAX_SOURCES]
        cdef int n = split(&self.core.table, self.data, out)
        return [[out[player * MAX_SOURCES + i] for i in range(n)] for player in range(self.core.table.players)]

    def utilities(self, int objective):
        """What the objective (0 win, 1 margin, 2 score) is worth to each player if the game ended now."""
        cdef double out[MAX_PLAYERS]
        utilities(&self.core.table, self.data, objective, out)
        return [out[i] for i in range(self.core.table.players)]

    def observe(self, viewer):
        """What a player knows as an array of 32-bit floats, himself first: `game.observation` says what each one is."""
        cdef array found = clone(FLOATS, self.core.observation_size, False)
        cdef int who = self.seat(viewer)
        if len(found):
            self.core.table.rules.observe(self.core.ruleset, self.data, who, found.data.as_floats)
        return found

    def prior(self, player):
        """The game's cheap guess of each legal move's worth to the player, in points; zeros where a game has none."""
        cdef uint16_t moves[MAX_LEGAL]
        cdef float out[MAX_LEGAL]
        cdef int n = 0, who = self.seat(player)
        if self.core.table.rules.actors(self.data) >> who & 1:
            n = self.core.table.rules.legal(self.core.ruleset, self.data, who, moves)
        if n == 0 or self.core.table.rules.prior == NULL:
            return [0.0] * n
        self.core.table.rules.prior(self.core.ruleset, self.data, who, moves, n, out)
        return [out[i] for i in range(n)]

    def playout(self, Generator generator not None):
        """Play uniformly random moves to the end, in place."""
        with nogil:     # step by step: a game's own loop leaves nothing behind that is right but the score
            walk(&self.core.table, self.data, &generator.rng)


def playouts(State state not None, long n, uint64_t seed, uint64_t first=0):
    """Play n uniformly random games from a state, number `first` and on of the seed's. Returns [sum of points].

    Runs without the GIL and does not look up in between: ask for at most about 50 ms of games at a time.
    """
    cdef uint64_t data[STATE_WORDS]
    cdef int32_t points[MAX_PLAYERS]
    cdef int32_t tiebreak[MAX_PLAYERS]
    cdef long total[MAX_PLAYERS]
    cdef Game game = state.core
    cdef Rng rng
    cdef long i
    cdef int player
    for player in range(MAX_PLAYERS):
        total[player] = 0
    with nogil:
        for i in range(n):
            rng_seed(&rng, seed, first + i)
            memcpy(data, state.data, game.table.rules.state_size)
            finish(&game.table, data, &rng)
            game.table.rules.score(game.ruleset, data, points, tiebreak)
            for player in range(game.table.players):
                total[player] += points[player]
    return [total[player] for player in range(game.table.players)]


def walks(State state not None, long n, uint64_t seed):
    """Play n uniformly random games from a state, every step through the table. Returns the number of steps."""
    cdef uint64_t data[STATE_WORDS]
    cdef Game game = state.core
    cdef Rng rng
    cdef long i, steps = 0
    with nogil:
        for i in range(n):
            rng_seed(&rng, seed, i)
            memcpy(data, state.data, game.table.rules.state_size)
            steps += walk(&game.table, data, &rng)
    return steps


def clones(State state not None, long n):
    """Copy a state's bytes n times, for benchmarks. Returns a number that depends on every copy."""
    cdef uint64_t data[2][STATE_WORDS]
    cdef size_t size = state.core.table.rules.state_size
    cdef uint64_t total = 0
    cdef long i
    memcpy(data[0], state.data, size)
    with nogil:
        for i in range(n):
            memcpy(data[(i + 1) & 1], data[i & 1], size)
            data[(i + 1) & 1][0] += 1
            total ^= data[(i + 1) & 1][0]
    return total


cdef unsigned long long count_leaves(const Table *game, const void *state, int depth) noexcept nogil:
    cdef uint64_t data[STATE_WORDS]
    cdef uint16_t moves[MAX_LEGAL]
    cdef Outcome out[MAX_OUTCOMES]
    cdef uint32_t waiting = game.rules.actors(state)
    cdef unsigned long long total = 0
    cdef int i, n
    if depth == 0:
        return 1
    if waiting:
        n = game.rules.legal(game.ruleset, state, bit_first(waiting), moves)
        for i in range(n):
            memcpy(data, state, game.rules.state_size)
            game.rules.apply(game.ruleset, data, bit_first(waiting), moves[i])
            total += count_leaves(game, data, depth - 1)
    else:
        n = game.rules.outcomes(game.ruleset, state, out)
        for i in range(n):
            memcpy(data, state, game.rules.state_size)
            game.rules.settle(game.ruleset, data, out[i].id)
            total += count_leaves(game, data, depth - 1)
    return total


def perft(State state not None, int depth):
    """Number of different sequences of `depth` steps from here; a step is one player's choice or one chance outcome.

    Players who choose at once are counted one after the other, lowest first.
    """
    cdef unsigned long long total
    with nogil:
        total = count_leaves(&state.core.table, state.data, depth)
    return total
