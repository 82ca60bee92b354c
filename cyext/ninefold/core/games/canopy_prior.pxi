# What a move is guessed to be worth, in points: drives playouts by policy, and where a search looks first. No more than a
# guess, and cheap. What plants, weather and threats will be worth at the season's end is looked up in tables, which follow
# from the numbers of the ruleset (`look_ahead`); what trees and wildlife will, from a few weights. A pile is worth what it
# makes of a forest; passing it, what the next ones seem to hold, less what it then leaves to the other player. The weights
# were tuned a little by games of the greedy player against himself: of none does a third more or less seem to win more.

cdef enum:              # weights
    WANTED              # share of the cards to come that a player gets where he wants them,
    UNWANTED            # and where he doesn't
    CARD                # a card that is not seen
    DENY                # of what a pile passed is worth to the other player
    PER_TRUNK           # of a tree that is not completed: what a canopy will multiply by,
    COMPLETED           # how likely it is to be completed in time, the first of the open ones,
    COMPLETED_NEXT      # the next one in comparison with it,
    COMPLETED_LATE      # and in the last season: half as likely with so many cards left
    TREE                # a completed tree, for the largest forest
    TALL                # its trunks, for the tallest tree
    PLANT               # lost to fire
    ANIMAL              # lost to disease
    PARTNER             # how likely an animal is to find its partner
    ABILITY             # an active animal's, over the game
    FIRST_SEED
    NEXT_SEED
    HOLD                # an animal's once-a-season help, kept for later
    FEED_ALL            # the frog
    PEEP                # the toucan
    WEIGHTS

cdef extern from *:     # so that the C compiler knows them
    """
    static const float W[] = {
        0.6f, 0.3f, 1.8f, 0.3f, 0.9f, 0.75f, 0.78f, 8.0f, 2.08f, 0.35f, 2.0f, 2.5f, 0.3f, 1.0f, 3.2f, 2.4f, 1.5f, 0.3f, 0.2f,
    };
    """
    const float W[WEIGHTS]

cdef enum:
    EARLIER = 128           # than the last season, which has fewer cards

cdef float[EARLIER + 1][TREES + 1] CHANCE       # of each open tree to be completed in time, by cards left of the last season

# --- tables -----------------------------------------------------------------------------------------------------------

cdef void fill_chances() noexcept:
    cdef int left, tree
    for left in range(EARLIER + 1):
        CHANCE[left][0] = W[COMPLETED]
        if left < EARLIER:
            CHANCE[left][0] *= left / (left + W[COMPLETED_LATE])
        for tree in range(TREES):
            CHANCE[left][tree + 1] = CHANCE[left][tree] * W[COMPLETED_NEXT]

fill_chances()


cdef inline int folded(int n) noexcept nogil:
    """Of a number of cards: its place in a table, where it goes on by twos."""
    return n if n < GAINS else GAINS - 2 + (n & 1)


cdef void look_ahead(const Ruleset *rules, const Numbers *number, Guess *guess) noexcept:
    """Fill the tables of a season: card by card backwards from its end.

    Of the cards to come, each is of a kind as often as the deck has it, and comes to a player more often if he wants it.
    """
    cdef float value[6][GAINS + 1]      # philodendron, bromelia, fern; pairs apart, weather; own losses, the other's
    cdef float threat[2][2][GAINS + 1]  # fire, disease
    cdef int n, left, i, k
    cdef Guess *now
    for n in range(GAINS + 1):
        value[0][n] = n // number.philodendron_set * number.philodendron_points
        value[1][n] = number.bromelia[min(n, 3) - 1] if n else 0
        value[2][n] = n * (number.fern_odd if n & 1 else number.fern_even)
        value[3][n] = 0
        for i in range(2):
            threat[i][1][n] = number.spread_losses[i] if n >= number.spread[i] else 0
            threat[i][0][n] = threat[i][1][n] if n >= number.spread[i] else number.losses[i] if n >= number.two[i] else 0
    for left in range(2 * STAGES):
        if left & 1 == 0:
            now = &guess[left // 2]
            for n in range(GAINS):
                for k in range(3):
                    now.gain[k][n] = value[k][n + 1] - value[k][n]
                now.gain[SEED - PHILODENDRON][n] = W[NEXT_SEED] if n else W[FIRST_SEED]
                i = n - GAINS // 2
                now.gain[RAIN - PHILODENDRON][n] = (value[3][i + 1] - value[3][i] if i >= 0 else
                                                    number.weather_pair + value[3][-i - 1] - value[3][-i])
                now.gain[SUN - PHILODENDRON][n] = now.gain[RAIN - PHILODENDRON][n]
                now.gain[FIRE - PHILODENDRON][n] = W[PLANT] * (
                    threat[0][1][n + 1] - threat[0][1][n] - threat[0][0][n + 1] + threat[0][0][n])
                now.lost[n] = threat[1][0][n + 1] - threat[1][0][n]
                now.taken[n] = threat[1][1][n + 1] - threat[1][1][n]
        for k in range(3):
            come(value[k], rules.copies[PHILODENDRON + k], counts_total(rules.copies))
        come_sunny(value[3], rules.copies[RAIN], rules.copies[SUN], number.weather_pair, counts_total(rules.copies))
        for i in range(2):
            for k in range(2):
                come_unwanted(threat[i][k], rules.copies[DISEASE if i else FIRE], counts_total(rules.copies))


cdef inline float expected(float difference) noexcept:
    """What a card to come is worth that makes such a difference."""
    return difference * (W[WANTED] if difference > 0 else W[UNWANTED])


cdef void come(float *value, int copies, int cards) noexcept:
    """One card more is to come, which is of this kind or not; a number goes on by twos."""
    cdef float before[GAINS + 1]
    cdef int n
    memcpy(before, value, sizeof(before))
    for n in range(GAINS + 1):
        value[n] += expected(before[n + 1 if n < GAINS else n - 1] - before[n]) * copies / cards


cdef void come_sunny(float *value, int rain, int sun, int pair, int cards) noexcept:
    """The same of weather, by how many there are without a partner."""
    cdef float before[GAINS + 1]
    cdef int n
    memcpy(before, value, sizeof(before))
    for n in range(GAINS):
        value[n] += expected(before[n + 1] - before[n]) * rain / cards
        value[n] += expected(pair + before[n - 1] - before[n] if n else before[1] - before[0]) * sun / cards


cdef void come_unwanted(float *value, int copies, int cards) noexcept:
    """The same of a threat."""
    cdef int n
    for n in range(GAINS):
        value[n] += W[UNWANTED] * (value[n + 1] - value[n]) * copies / cards

# --- a forest ---------------------------------------------------------------------------------------------------------

ctypedef struct Prospect:       # a player's forest, as its guesses need it
    const Canopy *state
    const Numbers *number
    const Guess *guess
    int player
    uint32_t own                # his animals, and the other player's, as masks of kinds
    uint32_t rival
    float active                # what an animal is worth to him whose partner nobody has,
    float mating
    float alone                 # and more where somebody has it
    float paired
    float disease               # what losing an animal costs him, and brings by the other player's loss
    float plague
    float completed             # how likely the first open tree is to be completed,
    float fresh                 # and a new one


cdef inline void prepare(const Ruleset *rules, const Canopy *s, int player, Prospect *to) noexcept nogil:
    to.state = s
    to.player = player
    to.own = animals_in(s, player)
    to.rival = animals_in(s, 1 - player)
    prepare_season(rules, s, to)
    prepare_turn(rules, s, player, to)


cdef inline void prepare_season(const Ruleset *rules, const Canopy *s, Prospect *to) noexcept nogil:
    """What follows from the season's numbers alone."""
    to.number = numbers(rules, s)
    to.paired = to.number.mating_pair - to.number.mating
    to.alone = -W[PARTNER] * to.paired
    to.paired += to.alone
    to.mating = to.number.mating - to.alone
    to.active = to.number.active + W[ABILITY] - to.alone


cdef inline uint32_t animals_in(const Canopy *s, int player) noexcept nogil:
    """The animals of a player's forest, a mask of kinds. Reads no other kinds, which a turn may just have stored."""
    return ~bytes_below(s.forest[player] + EMERALD_BOA, 1) << EMERALD_BOA & WILDLIFE


cdef inline void prepare_turn(const Ruleset *rules, const Canopy *s, int player, Prospect *to) noexcept nogil:
    """What changes from turn to turn, after the animals."""
    cdef int left = cards_left(s)
    cdef const float *chance = CHANCE[left if s.season + 1 == s.seasons else EARLIER]
    to.guess = &rules.guess[s.shift][min(left >> 1, STAGES - 1)]
    to.disease = W[ANIMAL] * <float> 0.5 * min(bit_count(to.own), 2)
    to.plague = W[ANIMAL] * min(bit_count(to.rival), 1)
    to.completed = chance[0]
    to.fresh = chance[s.open[player]]


cdef inline float card_worth(const Prospect *to, const uint8_t *forest, int kind, int n) noexcept nogil:
    """What one card more of a kind brings to a forest that has n of it; a drought is not asked for."""
    if kind == RAIN or kind == SUN:
        return to.guess.gain[kind - PHILODENDRON][sunny(n, forest[RAIN + SUN - kind])]
    if kind < DISEASE:
        return to.guess.gain[kind - PHILODENDRON][folded(n)]
    if kind == DISEASE:
        return disease_worth(to, n)
    return animal_worth(to, kind, forest[partner(kind)] > 0)


cdef inline int sunny(int held, int other) noexcept nogil:
    """The place in the table for a card more of rain where so much sun is, or the other way round."""
    return min(max(GAINS // 2 + held - other, 0), GAINS - 1)


cdef inline float disease_worth(const Prospect *to, int n) noexcept nogil:
    n = min(n, GAINS - 1)
    return to.plague * to.guess.taken[n] - to.disease * to.guess.lost[n]


cdef inline float animal_worth(const Prospect *to, int kind, bint paired) noexcept nogil:
    """An animal with its partner in the same forest, or without."""
    cdef float value = to.active if kind < MATING else to.mating
    if paired:
        return value + to.paired
    return value + to.alone if to.rival >> partner(kind) & 1 else value


cdef inline int partner(int kind) noexcept nogil:
    """The mate of an active animal, and the other way round."""
    return kind + ANIMALS if kind < MATING else kind - ANIMALS


cdef inline float loss_of(const Prospect *to, const uint8_t *forest, int kind) noexcept nogil:
    """What a forest loses with a card."""
    return card_worth(to, forest, kind, forest[kind] - 1)


cdef inline float trunk_worth(const Prospect *to, int value, bint new) noexcept nogil:
    """A trunk on the first open tree, or as a new one."""
    if new:
        return to.fresh * (value + W[PER_TRUNK] + W[TREE])
    return to.completed * (value + W[PER_TRUNK])


cdef inline float canopy_worth(const Prospect *to, int trunks, int values, int canopy) noexcept nogil:
    """Completing a tree: what it is worth then, less what it was."""
    cdef float value = values + canopy * trunks + W[TREE] + W[TALL] * trunks
    return value - to.completed * (values + W[PER_TRUNK] * trunks + W[TREE])


cdef inline int values_of(uint32_t tree) noexcept nogil:
    return (tree >> 4 & 15) + 2 * (tree >> 8 & 15)


cdef float best_canopy(const Prospect *to, int trunks, int values, int canopy) noexcept nogil:
    """A canopy on the best of the open trees, when so many trunks with so many points come before it."""
    cdef const uint16_t *tree = to.state.tree[to.player]
    cdef float best = 0
    cdef int i
    if to.state.open[to.player] == 0:
        return canopy_worth(to, trunks, values, canopy) if trunks else 0
    for i in range(to.state.open[to.player]):
        best = max(best, canopy_worth(to, height(tree[i]) + trunks, values_of(tree[i]) + values, canopy))
    return best


cdef float pile_worth(const Prospect *to, const uint8_t *cards, int n, int viewer) noexcept nogil:
    """What n cards bring to a forest when all of them enter; those that the viewer has not seen count as any card."""
    cdef uint8_t forest[32]
    cdef int i, kind, trunks = 0, values = 0, open_trees = to.state.open[to.player], droughts = 0, unseen = 0
    cdef float value = 0, part = 1
    if cards[0] >= UNSEEN or n == 0:
        return W[CARD] * n
    memcpy(forest, to.state.forest[to.player], 32)
    for i in range(n):
        kind = cards[i] >> 2
        if kind == UNKNOWN or not cards[i] >> viewer & 1:
            unseen += 1                 # counted first: a view has them in another order
        elif kind < TREETOP:
            value += max(trunk_worth(to, kind, True), trunk_worth(to, kind, False) if open_trees + trunks else <float> 0)
            trunks += 1
            values += kind
        elif kind < PHILODENDRON:
            value += part * best_canopy(to, trunks, values, kind - TREETOP)
            part *= <float> 0.5
        elif kind == DROUGHT:
            droughts += 1
        else:
            value += card_worth(to, forest, kind, forest[kind])
            forest[kind] += 1
    value += W[CARD] * unseen
    return value - least_loss(to, forest) if droughts else value


cdef float least_loss(const Prospect *to, const uint8_t *forest) noexcept nogil:
    """What a drought costs a forest, or brings it; at most a trunk where there is one, nothing where nothing is."""
    cdef uint32_t kinds = bytes_set(forest + PHILODENDRON) << PHILODENDRON
    cdef float least = 1000
    if to.state.open[to.player]:
        least = to.completed * W[PER_TRUNK]
    elif kinds == 0:
        return 0
    while kinds:
        least = min(least, loss_of(to, forest, bit_first(kinds)))
        kinds &= kinds - 1
    return least


cdef float thing_worth(const Prospect *to, int thing) noexcept nogil:
    """What the forest loses with a thing that is discarded."""
    cdef const Canopy *s = to.state
    cdef int tree
    if thing < THING_TRUNK:
        return loss_of(to, s.forest[to.player], thing)
    if thing < THING_TREE:
        tree = s.tree[to.player][(thing - THING_TRUNK) // 3]
        return to.completed * ((thing - THING_TRUNK) % 3 + W[PER_TRUNK] + (W[TREE] if height(tree) == 1 else 0))
    tree = s.tree[to.player][s.open[to.player] + thing - THING_TREE]
    return worth_of(tree) + W[TREE] + W[TALL] * height(tree)

# --- moves ------------------------------------------------------------------------------------------------------------

cdef float passing(const Prospect *to, const Prospect *other) noexcept nogil:
    """Passing the pile: the best of the next ones, less what this one is worth to the other player."""
    cdef const Canopy *s = to.state
    cdef float best = -1000, left = pile_worth(other, s.pile[s.at], s.size[s.at], to.player)
    cdef int pile = next_pile(s, s.at + 1)
    if pile == PILES:
        best = W[CARD]
    else:
        while pile < PILES:
            best = max(best, pile_worth(to, s.pile[pile], s.size[pile], to.player))
            pile = next_pile(s, pile + 1)
    return best - W[DENY] * max(left, <float> 0)


cdef float entering(const Prospect *to, int kind) noexcept nogil:
    """Trunks before canopies, the best canopy first; a drought when it has something to take, or nothing."""
    if kind == DROUGHT:
        return 1 if least_loss(to, to.state.forest[to.player]) <= 0 else -1
    if kind < TREETOP:
        return <float> 0.5 + <float> 0.1 * kind
    if kind < PHILODENDRON:
        return <float> 0.1 * (kind - TREETOP)
    return <float> -0.01 * kind


cdef float growing(const Prospect *to, int card, int move) noexcept nogil:
    """A trunk as a new tree or on an old one, the tallest rather; a canopy where it brings most."""
    cdef const Canopy *s = to.state
    cdef int tree
    if move == MOVE_NEW_TREE:
        return trunk_worth(to, card, True)
    tree = s.tree[to.player][move - MOVE_TREE]
    if card < TREETOP:
        return trunk_worth(to, card, False) + W[TALL] * height(tree)
    return canopy_worth(to, height(tree), values_of(tree), card - TREETOP)


cdef float entering_alone(const Prospect *to, int kind) noexcept nogil:
    """A single card that may enter."""
    if kind == DROUGHT:
        return -least_loss(to, to.state.forest[to.player])
    if kind < TREETOP:
        return max(trunk_worth(to, kind, True), trunk_worth(to, kind, False) if to.state.open[to.player] else <float> 0)
    if kind < PHILODENDRON:
        return best_canopy(to, 0, 0, kind - TREETOP)
    return card_worth(to, to.state.forest[to.player], kind, to.state.forest[to.player][kind])


cdef inline float discarding(const Prospect *to, int thing) noexcept nogil:
    """What the ant may discard."""
    return -thing_worth(to, thing) - W[HOLD]


cdef inline float taking(const Prospect *to, int kind) noexcept nogil:
    """A card that the boa may take."""
    return entering_alone(to, kind) - W[HOLD]


cdef void prior(const void *ruleset, const void *state, int player, const uint16_t *moves, int n,
                float *out) noexcept nogil:
    """Guessed worth of each move to the player, in points."""
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Canopy *s = <const Canopy *> state
    cdef Prospect to, other
    cdef int i, move
    if n and moves[n - 1] >= MOVE_KEEP:     # of looking, frog and toucan the forest says nothing
        prepare(rules, s, player, &to)
    for i in range(n):
        move = moves[i]
        if move >= MOVE_ANT:
            out[i] = discarding(&to, move - MOVE_ANT)
        elif move >= MOVE_DISCARD:
            out[i] = -thing_worth(&to, move - MOVE_DISCARD)
        elif move >= MOVE_LOSE:
            out[i] = -loss_of(&to, s.forest[player], move - MOVE_LOSE)
        elif move >= MOVE_UNDER:
            out[i] = 0
        elif move >= MOVE_KEEP_SEED:
            out[i] = 0 if move == MOVE_STOP else entering_alone(&to, move - MOVE_KEEP_SEED)
        elif move == MOVE_KEEP:
            out[i] = pile_worth(&to, s.pile[s.at], s.size[s.at], player)
        elif move == MOVE_PASS:
            prepare(rules, s, 1 - player, &other)
            out[i] = passing(&to, &other)
        elif move >= MOVE_END:
            out[i] = 0
        elif move == MOVE_SLOTH:
            out[i] = W[CARD]
        elif move >= MOVE_NEW_TREE:
            out[i] = growing(&to, s.card, move)
        elif move >= MOVE_ENTER:
            out[i] = entering(&to, move - MOVE_ENTER)
        elif move >= MOVE_BOA:
            out[i] = 0 if move == MOVE_LEAVE else taking(&to, move - MOVE_BOA)
        elif move >= MOVE_TOUCAN:
            out[i] = W[PEEP]
        else:
            out[i] = W[FEED_ALL] if move == MOVE_FROG else 0
