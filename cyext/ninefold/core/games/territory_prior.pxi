# What a move is guessed to be worth, in points: drives playouts by policy, and where a search looks first. The numbers come
# from a random search for what a player scores alone who follows the guesses. Playouts spend most of their time here, so
# what is alike for all moves of a decision is looked up once.

# Where the cards of a full land lie on the average of its 42 orders, as a share of all numbers.
cdef float *MIDDLE = [0.1, 0.262, 0.5, 0.262, 0.5, 0.738, 0.5, 0.738, 0.9]
cdef float *GROWTH = [0.79, 0.5]        # cells by which a territory of land, of water grows with each card to come
cdef float[CELLS + 3] MISSING           # the chance that none of so many cards becomes a boss
cdef float[CELLS + 3] SLOPE             # how fast the chance of a boss grows with his margin, so many cards before the end
cdef enum:
    UNIT = 2048                         # of a point, where points are whole numbers
    OFFSET = 16 * UNIT                  # more than joins are ever worth
    JOINS_LAND = 1434                   # what each animal is worth that a card joins, before there is a boss
    JOINS_WATER = 1843
    JOINS_BOSS = 1126                   # and each that it brings to a boss
    FIRST_LAND = 881                    # what a card is worth that can still be the boss
    FIRST_WATER = 778
    NOWHERE = -1782                     # and one that can lie nowhere

ctypedef struct Ground:                 # what a land says of any card: filled where it is needed
    bint probed
    uint16_t room[PROBES]               # where each probe may lie face up
    bint surveyed                       # what an animal is worth by where it lies, its number apart:
    uint16_t lack[4][CELLS]             # by terrain and empty cell, what it joins: points that are missing to OFFSET
    int markers[4]                      # by terrain: the markers still to be laid that it could bear
    int first[4]                        # and what that is worth, the stars apart


cdef void prepare_chances() noexcept nogil:
    cdef int i
    for i in range(CELLS + 3):
        MISSING[i] = MISSING[i - 1] * <float> 0.67 if i else 1
        SLOPE[i] = <float> 0.5 / (1 + <float> 0.27 * i)


prepare_chances()


cdef inline float away(float place, int cell) noexcept nogil:
    """How far a cell is from where such numbers lie."""
    return max(place - MIDDLE[cell], MIDDLE[cell] - place)


cdef void prepare_guesses(Ruleset *rules, int animals) noexcept nogil:
    cdef int card, i
    for i in range(PROBES):
        rules.probe[i] = (2 * i + 1) * animals // (2 * PROBES)
    for card in range(animals):
        rules.starry[card] = <int> (UNIT * 0.2 * min(<int> rules.stars[card], 5))
        rules.place[card] = (rules.below[card] + rules.upto[card]) / (2 * <float> animals)
        for i in range(CELLS):
            rules.stray[card][i] = <int> (UNIT * 8.1 * away(rules.place[card], i))


cdef inline float chance_of(float margin, int left) noexcept nogil:
    """That a boss will have what it demands, who is to have so much more of territory on average, `left` cards later."""
    if left == 0:
        return margin >= 0
    return max(<float> 0, min(<float> 1, <float> 0.5 + SLOPE[left] * (margin + <float> 0.68)))


cdef inline float goal_worth(const Ruleset *rules, const Side *side, const Land *land, int left) noexcept nogil:
    """Early, a goal that holds now is worth more than another one: it is hard to get there."""
    return side.points * (1 + <float> 0.5 * left) if holds(rules, side, land) else 0


cdef float bosses_worth(const Ruleset *rules, const Land *land, const uint8_t *boss, int left, int chances) noexcept nogil:
    """What bosses will bring.

    boss: the markers, land and water. left: cards to be placed; chances: cards of which one can still be made a boss.
    """
    cdef uint32_t own, empty = ALL_CELLS & ~land.taken
    cdef float value = 0, mean
    cdef int i, size, demand, room_to_grow
    for i in range(2):
        own = land.on[i] & ~land.boss[1 - i]
        if land.boss[i]:
            size = bit_count(JOINED[own][bit_first(land.boss[i])])
            room_to_grow = bit_count(JOINED[own | empty][bit_first(land.boss[i])]) - size
            mean = size + min(left * GROWTH[i], <float> room_to_grow)
            demand = rules.stars[land.cell[bit_first(land.boss[i])]] + (boss[i] >= STAR)
            value += (demand + (mean if rules.territory_points else 0)) * chance_of(mean - demand, left)
        elif chances:
            mean = min(<float> 6, LARGEST[own] + left * GROWTH[i])
            value += (<float> 1.13 * mean + <float> 0.17) * (1 - MISSING[chances])
    return value


cdef inline uint32_t goals_of(const Territory *s, int player) noexcept nogil:
    return s.bonus[player] & ((<uint32_t> 1 << GOALS) - 1)


cdef inline float goals_worth(const Ruleset *rules, const Territory *s, uint32_t goals, const Land *land,
                              int left) noexcept nogil:
    """What goals taken will bring."""
    cdef float value = 0
    cdef int i
    while goals:
        i = bit_first(goals)
        goals &= goals - 1
        value += goal_worth(rules, &rules.side[i][s.sides >> i & 1], land, left)
    return value


cdef inline float room_worth(int fits, int left) noexcept nogil:
    """What it is worth that so many of the probes can still lie face up."""
    return <float> 0.39 * min(left, 4) * fits / PROBES if left else 0


cdef inline void probe(const Ruleset *rules, const Territory *s, int player, Ground *ground) noexcept nogil:
    cdef int i
    if ground.probed:
        return
    ground.probed = True
    for i in range(PROBES):
        ground.room[i] = room(rules, s.cell[player], rules.probe[i], s.up[player]) & ALL_CELLS & ~s.taken[player]


cdef inline int probes_fitting(const Ruleset *rules, const Territory *s, int player, Ground *ground) noexcept nogil:
    cdef int i, fits = 0
    probe(rules, s, player, ground)
    for i in range(PROBES):
        fits += ground.room[i] != 0
    return fits


cdef inline int lacking(uint32_t own, uint32_t boss, uint32_t before, int cell, int join) noexcept nogil:
    """What an animal on a cell joins, as a part of OFFSET that is missing; before: what the boss has."""
    cdef uint32_t joined = JOINED[own | (<uint32_t> 1) << cell][cell]
    if boss == 0:
        return OFFSET - join * bit_count(joined)
    return OFFSET - JOINS_BOSS * bit_count(joined & ~before) if joined & boss else OFFSET


cdef void survey(const Territory *s, int player, Ground *ground) noexcept nogil:
    """What each terrain joins on each empty cell, and could bear."""
    cdef uint32_t boss[2]
    cdef uint32_t own[2]
    cdef uint32_t before[2]
    cdef uint32_t cells = ALL_CELLS & ~s.taken[player]
    cdef int cell, i
    if ground.surveyed:
        return
    ground.surveyed = True
    memset(ground.lack, 0, sizeof(ground.lack))
    for i in range(2):
        boss[i] = boss_cell(s.boss[player][i])
        ground.markers[1 + i] = boss[i] == 0
    ground.markers[3] = ground.markers[1] + ground.markers[2]
    ground.first[1] = FIRST_LAND * ground.markers[1]
    ground.first[2] = FIRST_WATER * ground.markers[2]
    ground.first[3] = ground.first[1] + ground.first[2]
    own[0] = s.land[player] & ~boss[1]
    own[1] = s.water[player] & ~boss[0]
    for i in range(2):
        before[i] = JOINED[own[i]][bit_first(boss[i])] if boss[i] else 0
    while cells:
        cell = bit_first(cells)
        cells &= cells - 1
        ground.lack[1][cell] = lacking(own[0], boss[0], before[0], cell, JOINS_LAND)
        ground.lack[2][cell] = lacking(own[1], boss[1], before[1], cell, JOINS_WATER)
        ground.lack[3][cell] = ground.lack[1][cell] + ground.lack[2][cell] - OFFSET


cdef inline int best_place(const Ruleset *rules, int card, uint32_t cells, const Ground *ground) noexcept nogil:
    """What a card is good for where it lies best of these cells: what it joins, where such numbers belong, its stars."""
    cdef int terrain = rules.terrain[card]
    cdef int best = max(OFFSET - <int> least_sum(rules.stray[card], ground.lack[terrain], cells), <int> NOWHERE)
    return best + rules.starry[card] * ground.markers[terrain] + ground.first[terrain]


cdef inline float card_worth(const Ruleset *rules, const Territory *s, int player, int card,
                             const Ground *ground) noexcept nogil:
    cdef uint32_t cells = room(rules, s.cell[player], card, s.up[player]) & ALL_CELLS & ~s.taken[player]
    return best_place(rules, card, cells, ground) / <float> UNIT


cdef void guess_drafts(const Ruleset *rules, const Territory *s, int player, const uint16_t *moves, int n, Ground *ground,
                       float *out) noexcept nogil:
    """A card of the deck is one of all, and so is what a skill brings."""
    cdef int i, sum = 0
    probe(rules, s, player, ground)
    for i in range(PROBES):
        sum += best_place(rules, rules.probe[i], ground.room[i], ground)
    for i in range(n):
        out[i] = sum / <float> (PROBES * UNIT)
        if moves[i] < MOVE_TAKE_DECK:
            out[i] = card_worth(rules, s, player, moves[i] - MOVE_TAKE, ground)


cdef void guess_places(const Ruleset *rules, const Territory *s, int player, const uint16_t *moves, int n, Ground *ground,
                       float *out) noexcept nogil:
    cdef Land land
    cdef uint8_t cell[16]
    cdef uint16_t spare[PROBES + CARDS]     # where a probe, then where a card of the hand may lie now
    cdef uint8_t number[PROBES + CARDS]     # the animal
    cdef uint64_t hand = s.hand[player]
    cdef uint32_t empty = ALL_CELLS & ~s.taken[player], one, up, kept, goals = goals_of(s, player)
    cdef int i, j, at, others = PROBES, fits, fitting, card = s.played[player], left = s.rounds - s.round
    cdef float place = rules.place[card]
    probe(rules, s, player, ground)
    for i in range(PROBES):
        number[i] = rules.probe[i]
    memcpy(spare, ground.room, sizeof(ground.room))
    while hand:
        number[others] = bit_first(hand)
        spare[others] = room(rules, s.cell[player], number[others], s.up[player]) & empty
        hand &= hand - 1
        others += 1
    memcpy(cell, s.cell[player], sizeof(cell))
    for i in range(n):
        at = moves[i] - (MOVE_PLACE if moves[i] < MOVE_PLACE_DOWN else MOVE_PLACE_DOWN)
        one = (<uint32_t> 1) << at
        up = one if moves[i] < MOVE_PLACE_DOWN else 0
        look(s, player, &land)
        land.cell = cell
        land.taken |= one
        land.up |= up
        land.on[0] |= up & -(<uint32_t> rules.terrain[card] & 1)
        land.on[1] |= up & -(<uint32_t> rules.terrain[card] >> 1)
        cell[at] = card
        fits = fitting = 0
        for j in range(others):         # where the others may lie beside it
            kept = spare[j] & ~one
            if up:
                kept &= ROOM_BELOW[one] if number[j] >= rules.below[card] else ALL_CELLS
                kept &= ROOM_ABOVE[one] if number[j] < rules.upto[card] else ALL_CELLS
            if j < PROBES:
                fits += kept != 0
            else:
                fitting += kept != 0
        out[i] = bosses_worth(rules, &land, s.boss[player], left, left + (up != 0))
        out[i] += goals_worth(rules, s, goals, &land, left) + room_worth(fits, left) + <float> 0.88 * fitting
        if up:
            out[i] -= 22 * away(place, at)
        cell[at] = NONE


cdef void guess_bosses(const Ruleset *rules, const Territory *s, int player, const uint16_t *moves, int n, Ground *ground,
                       float *out) noexcept nogil:
    cdef Land land
    cdef uint8_t boss[2]
    cdef uint32_t goals = goals_of(s, player), asking = 0, cards = goals
    cdef int i, declared, left = s.rounds - s.round
    cdef float same
    look(s, player, &land)
    while cards:                        # goals that ask for bosses
        i = bit_first(cards)
        cards &= cards - 1
        asking |= <uint32_t> rules.side[i][s.sides >> i & 1].bosses << i
    same = goals_worth(rules, s, goals & ~asking, &land, left)
    if left:
        same += room_worth(probes_fitting(rules, s, player, ground), left)
    for i in range(n):
        declared = moves[i] - MOVE_BOSS
        look(s, player, &land)
        memcpy(boss, s.boss[player], sizeof(boss))
        if declared:
            boss[(declared - 1) >> 1] = s.spot[player] | (0 if declared & 1 else STAR)
            land.boss[(declared - 1) >> 1] = boss_cell(boss[(declared - 1) >> 1])
        out[i] = bosses_worth(rules, &land, boss, left, left) + goals_worth(rules, s, asking, &land, left) + same
        if declared:
            out[i] += <float> 0.1


cdef void guess_parts(const Ruleset *rules, const Territory *s, int player, const uint16_t *moves, int n,
                      float *out) noexcept nogil:
    """Cards moved or exchanged."""
    cdef Territory after
    cdef Ground ground
    cdef Land land
    cdef int i, move, left = s.rounds - s.round + 1
    memcpy(&after, s, sizeof(Territory))
    for i in range(n):
        move = moves[i] - (MOVE_MOVE if moves[i] < MOVE_SWAP else MOVE_SWAP)
        exchange(&after, player, move // CELLS, move % CELLS)
        look(&after, player, &land)
        ground.probed = False
        out[i] = bosses_worth(rules, &land, after.boss[player], left, left)
        out[i] += goals_worth(rules, s, goals_of(s, player), &land, left)
        out[i] += room_worth(probes_fitting(rules, &after, player, &ground), left)
        exchange(&after, player, move // CELLS, move % CELLS)


cdef void guess_bonuses(const Ruleset *rules, const Territory *s, int player, const uint16_t *moves, int n,
                        float *out) noexcept nogil:
    cdef Land land
    cdef int i, card, left = s.rounds - s.round
    look(s, player, &land)
    for i in range(n):
        card = moves[i] - MOVE_GOAL
        if moves[i] == MOVE_NO_BONUS:
            out[i] = 0
        elif card >= GOALS:
            out[i] = rules.skill[card - GOALS].points + (<float> 0.3 if left else 0)
        else:
            out[i] = goal_worth(rules, &rules.side[card][s.sides >> card & 1], &land, left)


cdef void weigh(const Ruleset *rules, const Territory *s, int player, const uint16_t *moves, int n, Ground *ground,
                float *out) noexcept nogil:
    """As `prior`."""
    cdef int i
    if s.phase == PLACE:
        guess_places(rules, s, player, moves, n, ground, out)
    elif s.phase == BOSS:
        guess_bosses(rules, s, player, moves, n, ground, out)
    elif s.phase == BONUS:
        guess_bonuses(rules, s, player, moves, n, out)
    elif s.phase == PART:
        guess_parts(rules, s, player, moves, n, out)
    else:
        survey(s, player, ground)
        if s.phase == DRAFT:
            guess_drafts(rules, s, player, moves, n, ground, out)
            return
        for i in range(n):
            if s.phase == PLAY:
                out[i] = card_worth(rules, s, player, moves[i] - MOVE_PLAY, ground)
            elif s.phase == CHOOSE:
                out[i] = card_worth(rules, s, player, moves[i] - MOVE_CHOOSE, ground)
            else:
                out[i] = -card_worth(rules, s, player, moves[i] - MOVE_RETURN, ground)


cdef void prior(const void *ruleset, const void *state, int player, const uint16_t *moves, int n,
                float *out) noexcept nogil:
    """Guessed worth of each move to the player, in points."""
    cdef Ground ground
    ground.probed = ground.surveyed = False
    weigh(<const Ruleset *> ruleset, <const Territory *> state, player, moves, n, &ground, out)


cdef void policy(const void *ruleset, void *state, double temperature, int horizon, Rng *rng) noexcept nogil:
    """To the end by `prior` and about softmax. What one player chooses, no other one's moves or guesses depend on before all
    have chosen."""
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Territory *s = <Territory *> state
    cdef Ground ground[SEATS]
    cdef uint16_t moves[MAX_LEGAL]
    cdef float worth[MAX_LEGAL]
    cdef Rng own = rng[0]
    cdef float fine = FINE / temperature
    cdef int player, n, i
    for player in range(SEATS):
        ground[player].probed = ground[player].surveyed = False
    while True:
        if s.waiting:
            player = bit_first(s.waiting)
            n = legal(rules, s, player, moves)
            i = 0
            if n > 1:
                weigh(rules, s, player, moves, n, &ground[player], worth)
                i = draw_fading(worth, n, fine, &own)
            if s.phase == PLACE or s.phase == PART:     # bosses are laid only after it
                ground[player].probed = ground[player].surveyed = False
            apply(rules, s, player, moves[i])
        elif not roll(rules, s, &own):
            break
    rng[0] = own
