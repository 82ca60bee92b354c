"""Two moves tried side by side: in the same worlds, with the same luck, and what comes of it, source of points by source.

What the luck of both has in common does not blur their difference (common random numbers). How much that helps depends on the
game: from the deal on hardly in Territory, as much as twice as many games of each in Coney alone.
"""
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from ninefold.core.rules cimport (
    HIDDEN, MAX_LEGAL, MAX_PLAYERS, MAX_SOURCES, SCORE, STATE_WORDS, WIN, Rng, Rules, State, Table, bit_first, draw_policy,
    rng_seed, rng_unit, split, utilities)

cdef enum:
    LUCK = MAX_PLAYERS              # the generator of chance; before it stands one for each player
    WORLD = MAX_PLAYERS + 1         # of what the viewer has not seen
    RNGS = MAX_PLAYERS + 2

ctypedef struct Reply:
    int player
    int move
    double share

ctypedef struct Sums:               # of one number over all pairs
    double one                      # after the one move, and after the other
    double other
    double difference
    double squared                  # squares of the differences

ctypedef struct Question:
    const Table *game
    const uint64_t *root
    bint hidden
    int player
    int move[2]
    int objective
    double temperature
    const Reply *reply
    int replies
    int sources

ctypedef struct Counts:
    long same                       # pairs of which nobody's points tell the moves apart
    Sums worth
    Sums win[MAX_PLAYERS]
    Sums points[MAX_PLAYERS]
    Sums part[MAX_PLAYERS][MAX_SOURCES]
    Sums others[MAX_SOURCES]        # by source, of all other players together


cdef inline void add(Sums *sums, double one, double other) noexcept nogil:
    sums.one += one
    sums.other += other
    sums.difference += one - other
    sums.squared += (one - other) * (one - other)


cdef inline int drawn(const Question *asked, const void *state, int player, Rng *rng) noexcept nogil:
    """A move of a player: by the policy."""
    cdef uint16_t moves[MAX_LEGAL]
    cdef int n = asked.game.rules.legal(asked.game.ruleset, state, player, moves)
    return moves[draw_policy(asked.game, state, player, moves, n, asked.temperature, rng)]


cdef int expected(const Question *asked, const void *state, int player, Rng *rng) noexcept nogil:
    """A move of another player at the root: as the replies have it, or by the policy where they name none of this world."""
    cdef uint16_t moves[MAX_LEGAL]
    cdef int i, k, n = asked.game.rules.legal(asked.game.ruleset, state, player, moves)
    cdef double x = rng_unit(rng)
    for i in range(asked.replies):
        if asked.reply[i].player == player:
            x -= asked.reply[i].share
            if x < 0:
                for k in range(n):
                    if moves[k] == asked.reply[i].move:
                        return moves[k]
                break
    return moves[draw_policy(asked.game, state, player, moves, n, asked.temperature, rng)]


cdef void play_on(const Question *asked, void *state, Rng *rngs) noexcept nogil:
    """To the end, everybody by the policy.

    Chance and each player draw from generators of their own: what one of them does once more, in one of the two games, does
    not shift the luck of all others.
    """
    cdef const Rules *rules = asked.game.rules
    cdef uint16_t chosen[MAX_PLAYERS]
    cdef uint32_t waiting, left
    cdef int player
    while True:
        waiting = left = rules.actors(state)
        if waiting == 0 and not rules.roll(asked.game.ruleset, state, &rngs[<int> LUCK]):
            return
        while left:             # all choose before anybody's choice is made, as nobody may see another's
            player = bit_first(left)
            left &= left - 1
            chosen[player] = drawn(asked, state, player, &rngs[player])
        while waiting:
            player = bit_first(waiting)
            waiting &= waiting - 1
            rules.apply(asked.game.ruleset, state, player, chosen[player])


cdef void try_pair(const Question *asked, uint64_t seed, uint64_t pair, Counts *counts) noexcept nogil:
    cdef uint64_t world[STATE_WORDS]
    cdef uint64_t end[2][STATE_WORDS]
    cdef int32_t parts[2][MAX_PLAYERS * MAX_SOURCES]
    cdef int32_t points[2]
    cdef double win[2][MAX_PLAYERS]
    cdef double worth[2][MAX_PLAYERS]
    cdef int chosen[MAX_PLAYERS]
    cdef Rng rngs[RNGS]
    cdef Rng same[RNGS]
    cdef const Rules *rules = asked.game.rules
    cdef uint32_t actors, left
    cdef int k, i, player, source
    cdef int32_t others[2]
    cdef bint differs = False
    for i in range(<int> RNGS):
        rng_seed(&rngs[i], seed, pair * <uint64_t> RNGS + <uint64_t> i)
    memcpy(world, asked.root, rules.state_size)
    if asked.hidden:
        rules.resample(asked.game.ruleset, world, asked.player, &rngs[<int> WORLD])
    actors = left = rules.actors(world)
    while left:
        player = bit_first(left)
        left &= left - 1
        if player != asked.player:
            chosen[player] = expected(asked, world, player, &rngs[player])
    for k in range(2):
        memcpy(end[k], world, rules.state_size)
        memcpy(same, rngs, sizeof(rngs))
        left = actors
        while left:
            player = bit_first(left)
            left &= left - 1
            rules.apply(asked.game.ruleset, end[k], player, asked.move[k] if player == asked.player else chosen[player])
        play_on(asked, end[k], same)
        split(asked.game, end[k], parts[k])
        utilities(asked.game, end[k], WIN, win[k])
        utilities(asked.game, end[k], asked.objective, worth[k])
    add(&counts.worth, worth[0][asked.player], worth[1][asked.player])
    for player in range(asked.game.players):
        points[0] = points[1] = 0
        for source in range(asked.sources):
            i = player * MAX_SOURCES + source
            points[0] += parts[0][i]
            points[1] += parts[1][i]
            add(&counts.part[player][source], parts[0][i], parts[1][i])
            differs = differs or parts[0][i] != parts[1][i]
        add(&counts.points[player], points[0], points[1])
        add(&counts.win[player], win[0][player], win[1][player])
    for source in range(asked.sources):
        others[0] = others[1] = 0
        for player in range(asked.game.players):
            if player != asked.player:
                others[0] += parts[0][player * MAX_SOURCES + source]
                others[1] += parts[1][player * MAX_SOURCES + source]
        add(&counts.others[source], others[0], others[1])
    counts.same += not differs


def compare(State state not None, player, int one, int other, long n, *, double temperature, int objective=WIN, replies=(),
            uint64_t seed=0, long first=0):
    """Make each of two moves of a player in n worlds that he may be in, and play on, all by softmax of the game's guesses.

    n: pairs, number `first` and on of the seed's. temperature: in points; 0 plays uniformly. objective: 0 win, 1 margin,
    2 score. replies: [(player, move, share)] of the others who choose at the same time; the policy chooses for the rest.
    What the player has not seen is drawn anew in every world, others' hidden choices too. Runs without the GIL and does not
    look up in between: ask for at most about 50 ms of pairs at a time.

    Returns (pairs without any difference in points, sums of the worth, [of each player's wins], [of each player's points],
    [[of each player's points by source]], [of all others' points together by source]); sums are (after the one move, after
    the other, of the differences, of their squares). Raises ValueError if the player cannot make these moves here, and for
    another number out of its range.
    """
    cdef Question asked
    cdef Counts counts
    cdef int32_t parts[MAX_PLAYERS * MAX_SOURCES]
    cdef State world = state.copy()
    cdef Reply *reply = NULL
    cdef Rng rng
    cdef long i
    memset(&counts, 0, sizeof(counts))
    asked.game = &state.core.table
    asked.root = state.data
    asked.player = state.seat(player)
    asked.move[0] = one
    asked.move[1] = other
    asked.temperature = temperature
    asked.objective = objective
    asked.hidden = asked.game.rules.secrets(asked.game.ruleset, state.data) == HIDDEN
    if asked.hidden:
        rng_seed(&rng, seed, 0)
        asked.game.rules.resample(asked.game.ruleset, world.data, asked.player, &rng)
    if not world.is_legal(asked.player, one) or not world.is_legal(asked.player, other):
        raise ValueError(f"moves {one} and {other} are not both legal for player {player} here")
    if not 0 <= objective <= SCORE or not temperature >= 0 or n < 0 or first < 0:
        raise ValueError("objective must be 0, 1 or 2, and neither temperature, n nor first below 0")
    asked.sources = split(asked.game, world.data, parts)
    asked.replies = len(replies)
    reply = <Reply *> malloc(max(1, asked.replies) * sizeof(Reply))
    if reply == NULL:
        raise MemoryError
    try:
        for i, (who, move, share) in enumerate(replies):
            reply[i].player = who
            reply[i].move = move
            reply[i].share = share
        asked.reply = reply
        with nogil:
            for i in range(first, first + n):
                try_pair(&asked, seed, <uint64_t> i, &counts)
    finally:
        free(reply)
    players = range(asked.game.players)
    return (counts.same, listed(&counts.worth), [listed(&counts.win[who]) for who in players],
            [listed(&counts.points[who]) for who in players],
            [[listed(&counts.part[who][i]) for i in range(asked.sources)] for who in players],
            [listed(&counts.others[i]) for i in range(asked.sources)])


cdef tuple listed(const Sums *sums):
    return sums.one, sums.other, sums.difference, sums.squared
