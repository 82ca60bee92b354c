# What both players will have at the end when play goes on about as the guesses have it: a sum of weights of what lies in the
# two forests, by season and by cards left in it. The weights are learnt from games (`python -m bench.canopy_value`) and hold
# for the numbers they were learnt with; other rulesets have none, and are played to the end.

cdef enum:
    LEFT = 48                           # cards left in a season, with the piles', that weights tell apart; more are no more
    SOON = 8                            # with fewer left, who takes which pile tells more than the forests do: it is played

cdef enum:                              # a player's features: the first of each block, mostly one for each number of cards
    OF_PHILODENDRON = 0                 # 0 .. 7
    OF_BROMELIA = 8                     # 0 .. 4
    OF_FERN = 13                        # 0 .. 8
    OF_SEED = 22                        # 0 .. 3
    OF_FIRE = 26                        # 0 .. 3
    OF_DISEASE = 30                     # 0 .. 5
    OF_PAIRS = 36                       # 0 .. 6 of rain and sun
    OF_WEATHER = 43                     # 0 .. 6: 3 + rain - sun
    OF_BURNING = 50                     # plants under two fires or more, 0 .. 4
    OF_SICK = 55                        # animals under two diseases or more, 0 .. 4
    OF_ANIMAL = 60                      # active, mate, both, for each of the six
    OF_WILDLIFE = 78                    # 0 .. 6
    OF_USED = 85                        # each of the six whose ability is used up
    OF_OPEN = 91                        # open trees, 0 .. 4
    OF_HEIGHT = 96                      # heights of the three tallest of them, 0 .. 6 each,
    OF_VALUE = 117                      # printed points of each of these three (times their number),
    OF_REST = 120                       # and trunks of all others (times)
    OF_NEW = 121                        # points of the trees completed this season (times)
    OF_DONE = 122                       # completed trees, 0 .. 6
    OF_TALLEST = 129                    # height of the tallest that may still win, 0 .. 7
    OF_TALLER = 137                     # 4 + by how much it is taller than the other player's, 0 .. 8
    OF_MORE = 146                       # 4 + by how many completed trees are more than the other player's, 0 .. 8
    OF_TURN = 155                       # on turn
    OF_PILE = 156                       # who is on turn: cards of each pile, 0 .. 6
    FEATURES = 177
    MOST_FEATURES = 64                  # that one player can have

ctypedef struct Feature:
    uint8_t index
    uint8_t times

cdef float[SEASONS][LEFT + 1][SEATS][FEATURES] WEIGHT       # of one's own features, of the other player's
cdef float[SEASONS][LEFT + 1] BASE                          # points still to come
cdef float[SEASONS][LEFT + 1] DEVIATION                     # of the final margin


cdef inline int height_to_win(const Canopy *s, int player) noexcept nogil:
    """Of the tallest completed tree that has not won, 0 if there is none."""
    cdef int tree = tallest(s, player)
    return height(s.tree[player][tree]) if tree >= 0 else 0


cdef inline void add(Feature *out, int *n, int index, int times) noexcept nogil:
    out[n[0]].index = index
    out[n[0]].times = times
    n[0] += 1


cdef int list_features(const Canopy *s, int player, Feature *out) noexcept nogil:
    """The features of a player in a position between turns; returns their number."""
    cdef const uint8_t *forest = s.forest[player]
    cdef const uint16_t *tree = s.tree[player]
    cdef uint32_t animals = kinds_in(s, player) & WILDLIFE
    cdef int n = 0, i, j, k, wildlife = bit_count(animals), rest = 0, value = 0
    cdef int[4] top = [0, 0, 0, 0]
    add(out, &n, OF_PHILODENDRON + min(<int> forest[PHILODENDRON], 7), 1)
    add(out, &n, OF_BROMELIA + min(<int> forest[BROMELIA], 4), 1)
    add(out, &n, OF_FERN + min(<int> forest[FERN], 8), 1)
    add(out, &n, OF_SEED + min(<int> forest[SEED], 3), 1)
    add(out, &n, OF_FIRE + min(<int> forest[FIRE], 3), 1)
    add(out, &n, OF_DISEASE + min(<int> forest[DISEASE], 5), 1)
    add(out, &n, OF_PAIRS + min(<int> min(forest[RAIN], forest[SUN]), 6), 1)
    add(out, &n, OF_WEATHER + max(0, min(3 + <int> forest[RAIN] - <int> forest[SUN], 6)), 1)
    if forest[FIRE] > 1:
        add(out, &n, OF_BURNING + min(<int> forest[PHILODENDRON] + forest[BROMELIA] + forest[FERN], 4), 1)
    if forest[DISEASE] > 1:
        add(out, &n, OF_SICK + min(wildlife, 4), 1)
    for i in range(ANIMALS):
        j = (animals >> (EMERALD_BOA + i) & 1) + 2 * (animals >> (MATING + i) & 1)
        if j:
            add(out, &n, OF_ANIMAL + 3 * i + j - 1, 1)
        if s.used[player] >> i & 1:
            add(out, &n, OF_USED + i, 1)
    add(out, &n, OF_WILDLIFE + min(wildlife, 6), 1)
    add(out, &n, OF_OPEN + min(<int> s.open[player], 4), 1)
    for i in range(s.open[player]):             # the three tallest, first ones first
        top[3] = 256 * height(tree[i]) + values_of(tree[i])
        for j in range(3):
            if top[j] < top[3]:
                k = top[j]
                top[j] = top[3]
                top[3] = k
        rest += top[3] >> 8
        top[3] = 0
    for i in range(min(<int> s.open[player], 3)):
        add(out, &n, OF_HEIGHT + 7 * i + min(top[i] >> 8, 6), 1)
        if top[i] & 255:
            add(out, &n, OF_VALUE + i, top[i] & 255)
    if rest:
        add(out, &n, OF_REST, rest)
    for i in range(s.open[player], s.open[player] + s.done[player]):
        if tree[i] >> 14 == NEW_TREE:
            value += worth_of(tree[i])
    if value:
        add(out, &n, OF_NEW, min(value, 255))
    i = height_to_win(s, player)
    j = height_to_win(s, 1 - player)
    add(out, &n, OF_DONE + min(<int> s.done[player], 6), 1)
    add(out, &n, OF_TALLEST + min(i, 7), 1)
    add(out, &n, OF_TALLER + max(0, min(4 + i - j, 8)), 1)
    add(out, &n, OF_MORE + max(0, min(4 + <int> s.done[player] - <int> s.done[1 - player], 8)), 1)
    if s.turn == player:
        add(out, &n, OF_TURN, 1)
        for i in range(PILES):
            add(out, &n, OF_PILE + 7 * i + min(<int> s.size[i], 6), 1)
    return n


cdef bint evaluate(const void *ruleset, const void *state, double *points, double *deviation) noexcept nogil:
    """Expected final points of each player and the standard deviation of their difference; False where it is not known."""
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Canopy *s = <const Canopy *> state
    cdef Feature feature[MOST_FEATURES]
    cdef int left = min(cards_left(s), <int> LEFT), player, n, i
    cdef const float *own = WEIGHT[s.season][left][0]
    cdef const float *others = WEIGHT[s.season][left][1]
    if not rules.learnt or (s.phase != START and s.phase != REVEAL and s.phase != CHOOSE):
        return False
    points[0] = points[1] = BASE[s.season][left]
    for player in range(SEATS):
        points[player] += s.points[player]
        n = list_features(s, player, feature)
        for i in range(n):
            points[player] += own[feature[i].index] * feature[i].times
            points[1 - player] += others[feature[i].index] * feature[i].times
    deviation[0] = DEVIATION[s.season][left]
    return True
