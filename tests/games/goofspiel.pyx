"""Goofspiel, the smallest game with chance, simultaneous choices and textbook values, to prove that search knows no game.

Each round one prize is turned up at random; everybody bids one card of his hand at once and in secret; the highest bid,
if it is the only one of its height, takes the prize, else nobody does. Most points win.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from ninefold.core.rules cimport (
    PERFECT, Game, Hash, Outcome, Rng, Rules, bit_count, bit_first, hash_bytes, hash_fold, hash_start, rng_below)

cdef enum:
    CARDS = 16
    SEATS = 4
    NONE = 255

ctypedef struct Goofspiel:
    uint16_t hand[SEATS]        # cards not yet played, a mask
    uint16_t prizes             # prizes not yet turned up, a mask: the bag
    uint8_t prize               # the prize bid for, NONE: chance turns one up
    uint8_t players
    uint8_t bid[SEATS]
    uint8_t points[SEATS]
    uint8_t spare[4]

ctypedef struct Ruleset:
    uint16_t hand[SEATS]
    uint16_t prizes
    uint16_t players


cdef void start(const void *ruleset, void *state) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Goofspiel *s = <Goofspiel *> state
    cdef int player
    memset(s, 0, sizeof(Goofspiel))
    s.players = rules.players
    s.prizes = rules.prizes
    s.prize = NONE
    memset(s.bid, NONE, SEATS)
    for player in range(s.players):
        s.hand[player] = rules.hand[player]


cdef inline uint32_t actors(const void *state) noexcept nogil:
    cdef const Goofspiel *s = <const Goofspiel *> state
    cdef uint32_t mask = 0
    cdef int player
    if s.prize != NONE:
        for player in range(s.players):
            mask |= <uint32_t> (s.bid[player] == NONE) << player
    return mask


cdef int legal(const void *ruleset, const void *state, int player, uint16_t *out) noexcept nogil:
    cdef uint32_t hand = (<const Goofspiel *> state).hand[player]
    cdef int n = 0
    if not actors(state) >> player & 1:
        return 0
    while hand:
        out[n] = bit_first(hand)
        hand &= hand - 1
        n += 1
    return n


cdef inline void apply(const void *ruleset, void *state, int player, int move) noexcept nogil:
    cdef Goofspiel *s = <Goofspiel *> state
    cdef int best = 0, count = 0
    s.bid[player] = move
    if actors(s):
        return
    for player in range(s.players):
        s.hand[player] ^= 1 << s.bid[player]
        if s.bid[player] > s.bid[best]:
            best = player
    for player in range(s.players):
        count += s.bid[player] == s.bid[best]
    if count == 1:
        s.points[best] += s.prize + 1
    s.prize = NONE
    memset(s.bid, NONE, SEATS)


cdef int outcomes(const void *ruleset, const void *state, Outcome *out) noexcept nogil:
    cdef const Goofspiel *s = <const Goofspiel *> state
    cdef uint32_t prizes = s.prizes
    cdef int n = 0
    if s.prize == NONE:
        while prizes:
            out[n].id = bit_first(prizes)
            out[n].weight = 1
            prizes &= prizes - 1
            n += 1
    return n


cdef void settle(const void *ruleset, void *state, int outcome) noexcept nogil:
    (<Goofspiel *> state).prize = outcome
    (<Goofspiel *> state).prizes ^= 1 << outcome


cdef inline bint roll(const void *ruleset, void *state, Rng *rng) noexcept nogil:
    cdef Outcome out[CARDS]
    cdef int n = outcomes(ruleset, state, out)
    if n:
        settle(ruleset, state, out[rng_below(rng, n)].id)
    return n > 0


cdef int secrets(const void *ruleset, const void *state) noexcept nogil:
    return PERFECT


cdef void hide(const void *ruleset, void *state, int viewer) noexcept nogil:
    pass        # only bids are ever hidden, and searches start where none is made


cdef void resample(const void *ruleset, void *state, int viewer, Rng *rng) noexcept nogil:
    pass


cdef uint64_t key(const void *ruleset, const void *state) noexcept nogil:
    cdef Hash hash = hash_start(0)
    hash_bytes(&hash, state, sizeof(Goofspiel))
    return hash_fold(&hash)


cdef uint64_t view_key(const void *ruleset, const void *state, int viewer) noexcept nogil:
    return key(ruleset, state)


cdef void score(const void *ruleset, const void *state, int32_t *points, int32_t *tiebreak) noexcept nogil:
    cdef const Goofspiel *s = <const Goofspiel *> state
    cdef int player
    for player in range(s.players):
        points[player] = s.points[player]
        tiebreak[player] = 0


cdef int rest(const void *state) noexcept nogil:
    return bit_count((<const Goofspiel *> state).hand[0])


cdef Rules RULES = Rules(
    name=b"goofspiel", version=1, state_size=sizeof(Goofspiel), num_moves=CARDS, num_outcomes=CARDS,
    start=start, actors=actors, legal=legal, apply=apply, outcomes=outcomes, roll=roll, settle=settle, secrets=secrets,
    hide=hide, resample=resample, key=key, view_key=view_key, score=score, sources=NULL, observe=NULL, playout=NULL,
    prior=NULL, reduce=NULL, policy=NULL, evaluate=NULL, bound=NULL, rest=rest)


def compile(list hands, int prizes):
    """A core game from each player's hand and the prizes, as masks of 0 .. 15: card i is worth i + 1."""
    cdef Game game = Game.wrap(&RULES, sizeof(Ruleset), len(hands))
    cdef Ruleset *rules = <Ruleset *> game.ruleset
    cdef int player
    rules.players = len(hands)
    rules.prizes = prizes
    for player in range(len(hands)):
        rules.hand[player] = hands[player]
    return game
