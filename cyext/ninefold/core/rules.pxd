"""The contract between games and everything that plays, searches or solves them."""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "rng.h" nogil:
    ctypedef struct Rng:
        pass
    uint64_t rng_next(Rng *rng)
    void rng_seed(Rng *rng, uint64_t seed, uint64_t stream)
    uint32_t rng_below(Rng *rng, uint32_t n)                # uniform over 0 .. n-1
    void rng_pair(Rng *rng, uint32_t n, uint8_t *one, uint8_t *two)     # two such numbers of one draw
    double rng_unit(Rng *rng)                               # uniform over [0, 1)

cdef extern from "approx.h" nogil:
    double approx_log(double x)
    double approx_exp(double x)

cdef extern from "bits.h" nogil:
    int bit_count(uint64_t word)
    int bit_first(uint64_t word)                            # lowest set bit; the word is not 0
    int bit_last(uint64_t word)                             # highest set bit; the word is not 0
    int bit_select(uint64_t word, int n)                    # the n-th set bit, from 0
    uint32_t bytes_set(const uint8_t *bytes)                # which of 24 bytes are not zero, a mask
    uint32_t bytes_below(const uint8_t *bytes, uint8_t limit)   # which of 16 bytes are less than a limit, a mask
    uint32_t least_sum(const uint16_t *one, const uint16_t *other, uint32_t members)    # of nine
    int counts_total(const uint8_t *counts)                 # of 32 counts by kind, which sum up to less than 128
    int counts_select(const uint8_t *counts, int n)         # the kind of the n-th card so counted, from 0
    ctypedef struct Bag:                                    # cards nobody has seen, one bit each
        uint64_t word[2]
    int bag_count(const Bag *bag)
    int bag_select(const Bag *bag, int n)                   # the n-th card of the bag, from 0
    void bag_flip(Bag *bag, int bit)                        # put a card in or take it out
    uint64_t bag_block(const Bag *bag, int first, int count)
    ctypedef struct Urn:                                    # the cards of a bag laid out for drawing
        uint8_t card[128]
        int count
    void urn_open(Urn *urn, const Bag *bag)
    int urn_take(Urn *urn, int n)                           # take out the n-th card

cdef extern from "hash.h" nogil:
    ctypedef struct Hash:
        uint64_t high
        uint64_t low
    Hash hash_start(uint64_t salt)
    void hash_add(Hash *hash, uint64_t word)
    void hash_bytes(Hash *hash, const void *data, size_t size)
    uint64_t hash_fold(const Hash *hash)


cdef enum:
    MAX_PLAYERS = 6
    MAX_LEGAL = 832             # legal moves of one player at one decision
    MAX_OUTCOMES = 128          # outcomes of one chance node
    STATE_WORDS = 64            # the largest state, in words of eight bytes
    MAX_OBSERVED = 1 << 13      # numbers of the largest observation
    MAX_SOURCES = 32            # sources of points that a game tells apart

cdef enum Secrets:              # what one player may know and another not, simultaneous choices apart
    PERFECT = 0                 # nothing, now and to the end of the game
    OPEN = 1                    # nothing now
    HIDDEN = 2                  # something

cdef enum Objective:
    WIN = 0                     # the share of a win: 1, split among those who tie; 0
    MARGIN = 1                  # own points less the best other player's; solo: the points
    SCORE = 2                   # own points

ctypedef struct Outcome:        # one thing that chance may reveal
    uint16_t id
    uint16_t weight             # its probability is weight / sum of weights

ctypedef struct Reduced:        # a state as an exact solver stores it: value = offset + sign * stored value
    Hash key
    double offset
    int sign

# A state is plain data without pointers: a copy is memcpy, equal knowledge is equal bytes. `ruleset` is the game's
# cards, numbers and options, compiled once and never written afterwards. `apply`, `settle` and `roll` never check.
ctypedef struct Rules:
    const char *name
    int version
    size_t state_size                                                           # bytes; a multiple of 8
    int num_moves                                                               # move ids are 0 .. num_moves-1
    int num_outcomes                                                            # outcome ids are 0 .. num_outcomes-1
    void (*start)(const void *ruleset, void *state) noexcept nogil
    uint32_t (*actors)(const void *state) noexcept nogil                        # players who must choose; 0: chance, over
    int (*legal)(const void *ruleset, const void *state, int player, uint16_t *out) noexcept nogil
    void (*apply)(const void *ruleset, void *state, int player, int move) noexcept nogil
    int (*outcomes)(const void *ruleset, const void *state, Outcome *out) noexcept nogil    # 0: not a chance node
    bint (*roll)(const void *ruleset, void *state, Rng *rng) noexcept nogil     # false: no chance node, nothing done
    void (*settle)(const void *ruleset, void *state, int outcome) noexcept nogil
    int (*secrets)(const void *ruleset, const void *state) noexcept nogil       # a member of Secrets
    void (*hide)(const void *ruleset, void *state, int viewer) noexcept nogil   # leave only what the viewer knows
    void (*resample)(const void *ruleset, void *state, int viewer, Rng *rng) noexcept nogil
    uint64_t (*key)(const void *ruleset, const void *state) noexcept nogil
    uint64_t (*view_key)(const void *ruleset, const void *state, int viewer) noexcept nogil
    void (*score)(const void *ruleset, const void *state, int32_t *points, int32_t *tiebreak) noexcept nogil
    # Optional: NULL where a game has none.
    # What `score` is made of: the points of each player by source, those of the next player MAX_SOURCES further on. Returns the
    # number of sources, the same for all states of a game; all of them are written, and sum up to the points.
    int (*sources)(const void *ruleset, const void *state, int32_t *out) noexcept nogil
    # What the viewer knows, a function of his view alone, as numbers: returns how many, the same for all states of a game.
    # He counts the players from himself on. The face's `planes` say what each number is.
    int (*observe)(const void *ruleset, const void *state, int viewer, float *out) noexcept nogil
    void (*playout)(const void *ruleset, void *state, Rng *rng) noexcept nogil  # uniform moves to the end
    void (*prior)(const void *ruleset, const void *state, int player, const uint16_t *moves, int n,
                  float *out) noexcept nogil                                    # cheap worth of each of n >= 1 moves, in points
    # By moves about as likely as softmax of `prior` has them, but faster; the temperature is above 0. To the end, or, where
    # `evaluate` answers, for about so many turns.
    void (*policy)(const void *ruleset, void *state, double temperature, int turns, Rng *rng) noexcept nogil
    # What each player will have at the end, expected, and the standard deviation of a margin; false: not known here.
    bint (*evaluate)(const void *ruleset, const void *state, double *points, double *deviation) noexcept nogil
    bint (*reduce)(const void *ruleset, const void *state, int objective, Reduced *out) noexcept nogil
    double (*bound)(const void *ruleset, const void *state) noexcept nogil      # solo: no more points can be got
    int (*rest)(const void *state) noexcept nogil                               # how much of the game is left to play

ctypedef struct Table:          # a game without its Python object: what nogil code is given
    const Rules *rules
    const void *ruleset
    int players

cdef class Game:
    """A game with its compiled ruleset: what a search is given."""
    cdef Table table
    cdef void *ruleset                      # owned; the table's
    cdef int observed                       # numbers of an observation, -1 until they have been counted
    cdef readonly tuple moves               # a Move for each id, or () until the face has named them
    cdef readonly tuple outcome_names
    cdef readonly object owner              # the face's game, None until then

    @staticmethod
    cdef Game wrap(const Rules *rules, size_t ruleset_size, int players)

cdef class State:
    """The bytes of one position and its game."""
    cdef readonly Game core
    cdef uint64_t data[STATE_WORDS]

    cdef int seat(self, player) except -1
    cdef bint is_legal(self, int player, int move) noexcept

cdef class Generator:
    """A random number generator for Python."""
    cdef Rng rng


cdef inline bint is_over(const Table *game, const void *state) noexcept nogil:
    """Whether neither a player nor chance has anything to decide."""
    cdef Outcome out[MAX_OUTCOMES]
    return game.rules.actors(state) == 0 and game.rules.outcomes(game.ruleset, state, out) == 0


cdef inline bint is_legal(const Table *game, const void *state, int player, int move) noexcept nogil:
    """Whether a move is legal for a player who must choose."""
    cdef uint16_t moves[MAX_LEGAL]
    cdef int i
    for i in range(game.rules.legal(game.ruleset, state, player, moves)):
        if moves[i] == move:
            return True
    return False


cdef inline int draw_softmax(const float *guess, int n, double temperature, Rng *rng) noexcept nogil:
    """Index of one of n guesses, drawn by softmax over the temperature, which is above 0."""
    cdef double weight[MAX_LEGAL]
    cdef double total = 0, x
    cdef float top = -1e30
    cdef int i
    for i in range(n):
        top = max(top, guess[i])
    for i in range(n):
        weight[i] = approx_exp((guess[i] - top) / temperature)
        total += weight[i]
    x = rng_unit(rng) * total
    for i in range(n):
        x -= weight[i]
        if x < 0:
            return i
    return n - 1


cdef inline void utilities(const Table *game, const void *state, int objective, double *out) noexcept nogil:
    """What the objective is worth to each player if the game ended here."""
    cdef int32_t points[MAX_PLAYERS]
    cdef int32_t tiebreak[MAX_PLAYERS]
    cdef int player, other, leaders = 0, best = 0
    cdef int32_t rival
    game.rules.score(game.ruleset, state, points, tiebreak)
    if objective == SCORE or game.players == 1:
        for player in range(game.players):
            out[player] = points[player]
    elif objective == MARGIN:
        for player in range(game.players):
            rival = points[player == 0]
            for other in range(game.players):
                if other != player and points[other] > rival:
                    rival = points[other]
            out[player] = points[player] - rival
    else:
        for player in range(1, game.players):
            if points[player] > points[best] or (points[player] == points[best] and tiebreak[player] > tiebreak[best]):
                best = player
        for player in range(game.players):
            out[player] = points[player] == points[best] and tiebreak[player] == tiebreak[best]
            leaders += <int> out[player]
        for player in range(game.players):
            out[player] /= leaders


cdef inline int split(const Table *game, const void *state, int32_t *out) noexcept nogil:
    """Points by source, as `Rules.sources` has them; where a game does not tell, all points are of one source."""
    cdef int32_t points[MAX_PLAYERS]
    cdef int32_t tiebreak[MAX_PLAYERS]
    cdef int player
    if game.rules.sources != NULL:
        return game.rules.sources(game.ruleset, state, out)
    game.rules.score(game.ruleset, state, points, tiebreak)
    for player in range(game.players):
        out[player * MAX_SOURCES] = points[player]
    return 1


cdef inline long walk(const Table *game, void *state, Rng *rng) noexcept nogil:
    """Uniformly random moves to the end, step by step through the table. Returns the number of steps."""
    cdef uint16_t moves[MAX_LEGAL]
    cdef const Rules *rules = game.rules
    cdef uint32_t waiting
    cdef int player, n
    cdef long steps = 0
    while True:
        waiting = rules.actors(state)
        if waiting == 0:
            if not rules.roll(game.ruleset, state, rng):
                return steps
            steps += 1
        while waiting:
            player = bit_first(waiting)
            waiting &= waiting - 1
            n = rules.legal(game.ruleset, state, player, moves)
            rules.apply(game.ruleset, state, player, moves[rng_below(rng, n)])
            steps += 1


cdef inline void finish(const Table *game, void *state, Rng *rng) noexcept nogil:
    """Uniformly random moves to the end, by the game's own inlined loop where it has one."""
    if game.rules.playout != NULL:
        game.rules.playout(game.ruleset, state, rng)
    else:
        walk(game, state, rng)


cdef inline int draw_policy(const Table *game, const void *state, int player, const uint16_t *moves, int n, double temperature,
                            Rng *rng) noexcept nogil:
    """Index of a move drawn by softmax of the game's prior over the temperature (points), uniform for 0."""
    cdef float prior[MAX_LEGAL]
    if temperature == 0 or n == 1 or game.rules.prior == NULL:
        return rng_below(rng, n)
    game.rules.prior(game.ruleset, state, player, moves, n, prior)
    return draw_softmax(prior, n, temperature, rng)


cdef inline void finish_by_policy(const Table *game, void *state, double temperature, int horizon,
                                  Rng *rng) noexcept nogil:
    """Play on, everybody by softmax of the game's prior: to the end, or, where the game can estimate the rest, for so many
    turns, if not 0."""
    cdef uint16_t moves[MAX_PLAYERS][MAX_LEGAL]
    cdef uint16_t chosen[MAX_PLAYERS]
    cdef const Rules *rules = game.rules
    cdef uint32_t waiting, left
    cdef int player, n
    if rules.policy != NULL and temperature > 0:
        rules.policy(game.ruleset, state, temperature, horizon, rng)
        return
    while True:
        waiting = left = rules.actors(state)
        if waiting == 0 and not rules.roll(game.ruleset, state, rng):
            return
        while left:             # all choose before anybody's choice is made, as nobody may see another's
            player = bit_first(left)
            left &= left - 1
            n = rules.legal(game.ruleset, state, player, moves[player])
            chosen[player] = moves[player][draw_policy(game, state, player, moves[player], n, temperature, rng)]
        while waiting:
            player = bit_first(waiting)
            waiting &= waiting - 1
            rules.apply(game.ruleset, state, player, chosen[player])
