# Games to the end, by random moves or by guesses, in whole turns where no animal interferes. Cards of the main deck come
# from an urn. By random moves a pile's cards are drawn when somebody keeps it, as until then nobody needs to know them: they
# stay unknown, also those that both have seen. Of the position that is left only what scores is right.

cdef inline void open_urn(const Canopy *s, Urn *urn) noexcept nogil:
    cdef int kind, i
    urn.count = 0
    for kind in range(KINDS):
        for i in range(s.pool[kind]):
            urn.card[urn.count + i] = kind
        urn.count += s.pool[kind]


cdef inline int from_urn(Urn *urn, Rng *rng) noexcept nogil:
    return urn_take(urn, rng_below(rng, urn.count))


cdef inline bint roll_urn(const Ruleset *rules, Canopy *s, Urn *urn, Rng *rng) noexcept nogil:
    """As `roll`, drawing cards of the main deck from an urn."""
    if not is_chance(s):
        return False
    if s.phase == SEED_DRAW or s.phase == SHIFT:
        return roll(rules, s, rng)
    settle(rules, s, from_urn(urn, rng))
    return True


cdef inline int nth_set(uint32_t mask, int n) noexcept nogil:
    """The n-th set bit of a mask that has few, from 0."""
    for _ in range(n):
        mask &= mask - 1
    return bit_first(mask)


cdef inline void mark_seen(Canopy *s) noexcept nogil:
    """The player has seen all cards of the pile."""
    cdef uint64_t word, bits = (<uint64_t> 0x0101010101010101) << s.turn
    cdef int i = 0, n = s.size[s.at]
    while i < n:
        memcpy(&word, s.pile[s.at] + i, 8)
        word |= bits if n - i >= 8 else bits & (((<uint64_t> 1) << 8 * (n - i)) - 1)
        memcpy(s.pile[s.at] + i, &word, 8)
        i += 8


cdef inline void feed_quickly(Canopy *s) noexcept nogil:
    """As `feed`: the order of unknown cards is none here."""
    if s.deck:
        s.deck -= 1
        s.pile[s.at][s.size[s.at]] = UNSEEN
        s.size[s.at] += 1


cdef inline void feed_empty(Canopy *s) noexcept nogil:
    """The same where no card lies: stored in one piece, as the next player reads eight at once."""
    cdef uint64_t word = UNSEEN
    if s.deck:
        s.deck -= 1
        s.size[s.at] = 1
        memcpy(s.pile[s.at], &word, 8)


cdef inline void next_turn_quickly(const Ruleset *rules, Canopy *s) noexcept nogil:
    """As `end_turn`, but what the next player sees is left for later."""
    s.turn ^= 1
    s.at = next_pile(s, 0)
    if s.at == PILES or has(s, s.turn, POISON_FROG - EMERALD_BOA) or has(s, s.turn, TOUCAN - EMERALD_BOA):
        begin_turn(rules, s)
    else:
        s.task = NO_TASK
        wait(s, REVEAL)


cdef inline void stop_quickly(const Ruleset *rules, Canopy *s) noexcept nogil:
    """As `ask_end`."""
    if ant_works(s):
        ask_end(rules, s)
    else:
        next_turn_quickly(rules, s)


cdef inline int choose_tree(const Prospect *to, Canopy *s, int kind, float fine, Rng *rng) noexcept nogil:
    """The slot for a trunk or a canopy: one of the different open trees, or, of a new one, the number of open trees.

    fine: steps a point of the guesses, as in `draw_fading`; 0 for random moves.
    """
    cdef float guess[TREES + 1]
    cdef uint8_t slots[TREES + 1]
    cdef int n = 0, slot, trees = s.open[s.turn]
    if fine == 0:
        while True:
            slot = rng_below(rng, trees + (kind < TREETOP))
            if slot == 0 or slot == trees or s.tree[s.turn][slot] != s.tree[s.turn][slot - 1]:
                return slot
    for slot in range(trees + (kind < TREETOP)):
        if slot == 0 or slot == trees or s.tree[s.turn][slot] != s.tree[s.turn][slot - 1]:
            slots[n] = slot
            guess[n] = growing(to, kind, MOVE_NEW_TREE if slot == trees else MOVE_TREE + slot)
            n += 1
    return slots[draw_fading(guess, n, fine, rng)] if n > 1 else slots[0]


cdef inline void build(const Prospect *to, Canopy *s, int kind, float fine, Rng *rng) noexcept nogil:
    """A trunk or a canopy enters."""
    cdef int slot
    if s.open[s.turn] == 0:
        if kind < TREETOP:
            plant(s, s.turn, kind - TRUNK)
        return
    slot = choose_tree(to, s, kind, fine, rng)
    if kind >= TREETOP:
        complete(s, s.turn, slot, kind - TREETOP)
    elif slot == s.open[s.turn]:
        plant(s, s.turn, kind - TRUNK)
    else:
        grow(s, s.turn, slot, kind - TRUNK)


cdef void suffer_drought(const Ruleset *rules, const Prospect *to, Canopy *s, float fine, Rng *rng) noexcept nogil:
    cdef uint16_t things[2 * THINGS]
    cdef float guess[2 * THINGS]
    cdef int n, i
    cdef uint8_t left = s.forest[s.turn][DROUGHT]
    s.forest[s.turn][DROUGHT] = 0       # others are still to come, and not to be discarded
    n = list_things(rules, s, 0, things)
    for i in range(n):
        guess[i] = -thing_worth(to, things[i])
    if n:
        discard(s, things[draw_fading(guess, n, fine, rng)])
    s.forest[s.turn][DROUGHT] = left


cdef inline void arrange(const Ruleset *rules, const Prospect *to, Canopy *s, uint32_t kinds, float fine,
                         Rng *rng) noexcept nogil:
    """Trunks, canopies and droughts that came among the player's other cards, of such kinds, go where they belong.

    By random moves in any order, droughts apart; by guesses trunks first, then the highest canopy, droughts last.
    """
    cdef uint8_t parts[PHILODENDRON]
    cdef uint8_t *forest = s.forest[s.turn]
    cdef int card
    kinds &= PARTS
    if kinds:
        memcpy(parts, forest, sizeof(parts))
        memset(forest, 0, sizeof(parts))
        while kinds:
            if fine == 0:
                card = nth_set(kinds, rng_below(rng, bit_count(kinds)))
            else:
                card = bit_last(kinds & 7 if kinds & 7 else kinds)
            build(to, s, card, fine, rng)
            parts[card] -= 1
            if parts[card] == 0:
                kinds ^= (<uint32_t> 1) << card
    while forest[DROUGHT]:
        forest[DROUGHT] -= 1
        suffer_drought(rules, to, s, fine, rng)


cdef inline void take_away(Canopy *s) noexcept nogil:
    """No card lies where the pile was."""
    memset(s.pile[s.at], 0, PILE)
    s.size[s.at] = 0


cdef inline void keep_randomly(const Ruleset *rules, Canopy *s, Urn *urn, Rng *rng) noexcept nogil:
    """Keep the pile. Without a drought only the order of trunks and canopies matters: other cards just come in."""
    cdef uint8_t kind[PILE]
    cdef uint8_t *forest = s.forest[s.turn]
    cdef int i, n = s.size[s.at], card
    cdef uint32_t kinds = 0
    for i in range(n):
        card = s.pile[s.at][i] >> 2
        if card == UNKNOWN:
            card = from_urn(urn, rng)
        kind[i] = card
        kinds |= (<uint32_t> 1) << card
        forest[card] += 1               # trunks and canopies, which do not lie there, are taken out again
    take_away(s)
    if kinds & (1 << DROUGHT | 1 << LEAFCUTTER_ANT):
        for i in range(n):
            forest[kind[i]] -= 1
            insert(s.hand, i, 4 * kind[i])
        s.held = n
        s.task = KEPT
        enter_all(rules, s)
        return
    arrange(rules, NULL, s, kinds, 0, rng)
    feed_empty(s)
    stop_quickly(rules, s)


cdef bint take_some(const Ruleset *rules, const Prospect *to, Canopy *s, float fine, Urn *urn, Rng *rng) noexcept nogil:
    """Whether the boa takes a card of the pile that is passed: then it enters, and the pile is passed."""
    cdef uint16_t moves[PILE + 1]
    cdef float guess[PILE + 1]
    cdef uint8_t *cards = s.pile[s.at]
    cdef int n, i
    for i in range(s.size[s.at]):       # in order, from here on
        if cards[i] >= UNSEEN:
            cards[i] = 4 * from_urn(urn, rng) + (cards[i] & 3)
        insert(cards, i, cards[i])
    n = list_kinds(cards, s.size[s.at], MOVE_BOA, moves)
    if fine == 0:
        i = rng_below(rng, n + 1)
    else:
        for i in range(n):
            guess[i] = taking(to, moves[i] - MOVE_BOA)
        guess[n] = 0
        i = draw_fading(guess, n + 1, fine, rng)
    if i < n:
        take_with_boa(rules, s, moves[i] - MOVE_BOA)
    return i < n


cdef inline void turn_randomly(const Ruleset *rules, Canopy *s, Urn *urn, Rng *rng) noexcept nogil:
    """A turn without ant, from the looking at pile `at` on: keep or pass until one is kept or all are passed."""
    cdef uint64_t coins = rng_next(rng)
    cdef int pile
    while can_pass(s) and coins & 1:
        coins >>= 1
        mark_seen(s)
        if has(s, s.turn, 0) and take_some(rules, NULL, s, 0, urn, rng):
            return
        feed_quickly(s)
        pile = next_pile(s, s.at + 1)
        if pile == PILES:
            draw(s, PASSED)
            return
        s.at = pile
    keep_randomly(rules, s, urn, rng)


cdef void playout(const void *ruleset, void *state, Rng *rng) noexcept nogil:
    """Uniformly random moves to the end."""
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Canopy *s = <Canopy *> state
    cdef uint16_t moves[MAX_LEGAL]
    cdef Urn urn
    cdef int n
    cdef Rng own = rng[0]               # a copy that no store into the state can touch stays in a register
    open_urn(s, &urn)
    while True:
        if (s.phase == REVEAL or s.phase == CHOOSE) and not ant_works(s):
            turn_randomly(rules, s, &urn, &own)
        elif s.waiting:
            n = legal(rules, s, s.turn, moves)
            if n == 0:                  # a view, whose owner does not know the cards on hand
                break
            apply(rules, s, s.turn, moves[rng_below(&own, n)])
        elif not roll_urn(rules, s, &urn, &own):
            break
    rng[0] = own


# By guesses, what a turn needs again and again is kept at hand: what one card more of each kind is worth to a player, from the
# turn before, and what he thinks of each pile, from when he last saw it.

cdef enum:
    ANY_KIND = (1 << KINDS) - 1

ctypedef struct Table:
    Urn urn
    Prospect of[SEATS]
    float worth[SEATS][8 * WORDS]       # by kind
    uint32_t came[SEATS]                # kinds that came into a forest since then, or left it
    float pile[SEATS][PILES]
    int season                          # of these piles
    uint64_t count[WORDS]               # of the pile that was seen last, its cards by kind, a byte each,
    uint32_t kinds                      # and its kinds


cdef inline void weigh_trees(const Prospect *to, float *worth) noexcept nogil:
    cdef Prospect own = to[0]           # a copy that no store into `worth` can touch stays in registers
    cdef const uint16_t *tree = own.state.tree[own.player]
    cdef int trees = own.state.open[own.player], value, i
    cdef float[3] best = [0, 0, 0]
    cdef float least
    for i in range(trees):
        least = canopy_worth(&own, height(tree[i]), values_of(tree[i]), 0)
        for value in range(3):
            best[value] = max(best[value], least + value * height(tree[i]))
    for value in range(3):
        worth[TRUNK + value] = max(trunk_worth(&own, value, True), trunk_worth(&own, value, trees == 0))
        worth[TREETOP + value] = best[value]


cdef inline uint32_t partners(uint32_t animals) noexcept nogil:
    """Of these kinds, a mask."""
    return (animals << ANIMALS | animals >> ANIMALS) & WILDLIFE


cdef inline void weigh_animals(const Prospect *to, uint32_t kinds, float *worth) noexcept nogil:
    """As `animal_worth`, by who has the partner: nobody, the other player, he or both."""
    cdef float[4] more = [0, to.alone, to.paired, to.paired]
    cdef uint32_t own = partners(to.own), rival = partners(to.rival)
    cdef float[2] alone = [to.active, to.mating]
    cdef int kind
    while kinds:
        kind = bit_first(kinds)
        kinds &= kinds - 1
        worth[kind] = alone[kind >= MATING] + more[2 * (own >> kind & 1) + (rival >> kind & 1)]


cdef inline uint32_t animals_now(const Canopy *s, int player, const Table *table) noexcept nogil:
    """As `animals_in`, by what was found before if that still holds."""
    return animals_in(s, player) if table.came[player] & (WILDLIFE | 1 << DROUGHT) else table.of[player].own


cdef inline void weigh(const Ruleset *rules, const Canopy *s, int player, Table *table) noexcept nogil:
    """What one card more of each kind is worth to a player, as `card_worth` says; droughts apart."""
    cdef Prospect *to = &table.of[player]
    cdef float *worth = table.worth[player]
    cdef const uint8_t *forest = s.forest[player]
    cdef uint32_t own = to.own, rival = to.rival, came = table.came[player]
    cdef float completed = to.completed
    cdef int kind
    to.own = animals_now(s, player, table)
    to.rival = animals_now(s, 1 - player, table)
    table.came[player] = 0
    prepare_turn(rules, s, player, to)
    if came & (PARTS | 1 << DROUGHT) or to.completed != completed:
        weigh_trees(to, worth)
    weigh_animals(to, partners(own ^ to.own | rival ^ to.rival), worth)
    for kind in range(PHILODENDRON, RAIN):
        worth[kind] = to.guess.gain[kind - PHILODENDRON][min(<int> forest[kind], GAINS - 1)]
    worth[FIRE] = to.guess.gain[FIRE - PHILODENDRON][min(<int> forest[FIRE], GAINS - 1)]
    worth[RAIN] = to.guess.gain[RAIN - PHILODENDRON][sunny(forest[RAIN], forest[SUN])]
    worth[SUN] = to.guess.gain[SUN - PHILODENDRON][sunny(forest[SUN], forest[RAIN])]
    worth[DISEASE] = disease_worth(to, forest[DISEASE])


cdef void weigh_anew(const Ruleset *rules, const Canopy *s, int player, Table *table) noexcept nogil:
    """The same without what was found before."""
    cdef Prospect *to = &table.of[player]
    cdef float *worth = table.worth[player]
    prepare(rules, s, player, to)
    weigh_animals(to, WILDLIFE, worth)
    worth[DROUGHT] = 0
    table.came[player] = ANY_KIND
    weigh(rules, s, player, table)


cdef inline void add_counts(uint8_t *forest, const uint64_t *count) noexcept nogil:
    """Cards come in, counted by kind."""
    cdef uint64_t word
    cdef int i
    for i in range(WORDS):
        memcpy(&word, forest + 8 * i, 8)
        word += count[i]
        memcpy(forest + 8 * i, &word, 8)


cdef inline float see_pile(const Prospect *to, Canopy *s, Table *table, float *other, Rng *rng) noexcept nogil:
    """The player sees the pile. Returns what it is worth to him; `other`: to the other player, about."""
    cdef uint8_t *cards = s.pile[s.at]
    cdef const float *own = table.worth[s.turn]
    cdef const float *others = table.worth[1 - s.turn]
    cdef int first = 0, n = s.size[s.at], here, kind
    cdef uint32_t kinds = 0, twice = 0, one
    cdef uint64_t *count = table.count
    cdef uint64_t word, unseen, bits = (<uint64_t> 0x0101010101010101) << s.turn
    cdef float value = 0, left = 0
    memset(count, 0, sizeof(table.count))
    while first < n:                    # eight cards at a time, stored in one piece, as they are read again at once
        here = min(n - first, 8)
        memcpy(&word, cards + first, 8)
        unseen = word + <uint64_t> 0x0404040404040404 & <uint64_t> 0x8080808080808080     # cards that were added
        while unseen:
            word ^= <uint64_t> (from_urn(&table.urn, rng) ^ UNKNOWN) << bit_last(unseen) - 5
            unseen ^= (<uint64_t> 1) << bit_last(unseen)
        word |= bits >> 8 * (8 - here)
        memcpy(cards + first, &word, 8)
        for _ in range(here):
            kind = word >> 2 & 31
            word >>= 8
            one = (<uint32_t> 1) << kind
            twice |= kinds & one
            kinds |= one
            count[kind >> 3] += (<uint64_t> 1) << 8 * (kind & 7)
            value += own[kind]
            left += others[kind]
        first += 8
    other[0] = max(left, <float> 0)
    table.kinds = kinds
    if twice | (kinds & (1 << DROUGHT)) | (kinds & kinds >> 1 & (1 << RAIN)) | ((kinds & 7 != 0) & (kinds & 56 != 0)):
        value = pile_worth(to, cards, n, s.turn)
    return value


cdef inline void begin_season_by_guesses(const Ruleset *rules, const Canopy *s, Table *table) noexcept nogil:
    """Weigh anew for a season; nobody knows a pile."""
    cdef bint other_numbers = table.of[0].number != numbers(rules, s)
    cdef int player, pile
    table.season = s.season
    table.came[0] = table.came[1] = ANY_KIND
    for player in range(SEATS):
        if other_numbers:
            weigh_anew(rules, s, player, table)
        for pile in range(PILES):
            table.pile[player][pile] = W[CARD] * s.size[pile]
    weigh(rules, s, s.turn, table)


cdef inline void turn_by_guesses(const Ruleset *rules, Canopy *s, float fine, Table *table, Rng *rng) noexcept nogil:
    """A turn from the looking at pile `at` on; the ant is not asked for before its end."""
    cdef const Prospect *to = &table.of[s.turn]
    cdef float *seen = table.pile[s.turn]
    cdef float *others = table.pile[1 - s.turn]
    cdef float value, other, best, better
    cdef int pile, player = s.turn
    cdef bint passed
    if table.season != s.season:
        begin_season_by_guesses(rules, s, table)
    weigh(rules, s, 1 - player, table)
    while True:
        value = see_pile(to, s, table, &other, rng)
        pile = next_pile(s, s.at + 1)
        if s.deck > 1 or pile < PILES:
            best = W[CARD] if pile == PILES else seen[pile]
            if pile == 1 and s.size[2]:
                best = max(best, seen[2])
            better = value - best + W[DENY] * other
            passed = better < 0
            better = max(better, -better)
            passed ^= rng_below(rng, SURE + faded(better, fine)) >= SURE    # drawn also where it decides nothing: no branch
            if passed:
                seen[s.at] = value + W[CARD]
                others[s.at] += W[CARD]
                if has(s, s.turn, 0) and take_some(rules, to, s, fine, &table.urn, rng):
                    table.came[player] = ANY_KIND
                    return
                feed_quickly(s)
                s.at = pile
                if pile == PILES:
                    draw(s, PASSED)
                    return
                continue
        seen[s.at] = others[s.at] = W[CARD]
        table.came[player] |= table.kinds
        add_counts(s.forest[player], table.count)
        take_away(s)
        arrange(rules, to, s, table.kinds, fine, rng)
        feed_empty(s)
        stop_quickly(rules, s)
        return


cdef inline void end_by_guesses(const Ruleset *rules, Canopy *s, float fine, Rng *rng) noexcept nogil:
    """What the ant may discard at the end of a turn, if there is a threat or a bromelia too much: a threat or a plant."""
    cdef Prospect to
    cdef float guess[KINDS + 1]
    cdef uint8_t kind[KINDS + 1]
    cdef uint32_t kinds = kinds_in(s, s.turn) & (PLANTS | 1 << FIRE | 1 << DISEASE)
    cdef int n = 0
    if kinds < 1 << FIRE and s.forest[s.turn][BROMELIA] < 3:
        next_turn_quickly(rules, s)
        return
    prepare(rules, s, s.turn, &to)
    while kinds:
        kind[n] = bit_first(kinds)
        guess[n] = discarding(&to, kind[n])
        n += guess[n] * fine > -MUCH * FINE
        kinds &= kinds - 1
    guess[n] = 0
    kind[n] = NONE
    if n:
        n = draw_fading(guess, n + 1, fine, rng)
        if kind[n] != NONE:
            use_ant(rules, s, kind[n])
            return
    next_turn_quickly(rules, s)


cdef inline void sow_by_guesses(const Ruleset *rules, Canopy *s, float fine, Rng *rng) noexcept nogil:
    """What is kept of a seed draw, in ascending order as long as one is wanted; it enters at once."""
    cdef Prospect to
    cdef uint8_t[DRAWN] kind, copies
    cdef float guess[DRAWN + 1]
    cdef int n = 0, i
    cdef uint32_t kinds = 0
    prepare(rules, s, s.turn, &to)
    for i in range(s.draws):
        if s.drawn[i] >= UNSEEN:
            break
        if n and kind[n - 1] == s.drawn[i] >> 2:
            copies[n - 1] += 1
        elif s.drawn[i] >> 2 >= s.least:
            kind[n] = s.drawn[i] >> 2
            copies[n] = 1
            guess[n] = entering_alone(&to, kind[n])
            n += 1
    guess[n] = 0
    s.forest[s.turn][SEED] = 0
    i = 0
    while s.more:
        i += draw_fading(guess + i, n + 1 - i, fine, rng)
        if i == n:
            break
        take_out(s.drawn, s.draws, kind[i])
        s.draws -= 1
        s.more -= 1
        s.forest[s.turn][kind[i]] += 1
        kinds |= (<uint32_t> 1) << kind[i]
        copies[i] -= 1
        i += copies[i] == 0
    arrange(rules, &to, s, kinds, fine, rng)
    bury(rules, s)


cdef void policy(const void *ruleset, void *state, double temperature, int turns, Rng *rng) noexcept nogil:
    """By about the guesses of `prior` and softmax; the ant waits for the end of a turn, and cards enter in a fixed order.

    To the end, or, where `evaluate` can tell what comes of it, until so many turns more have begun, if not 0.
    """
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Canopy *s = <Canopy *> state
    cdef uint16_t moves[MAX_LEGAL]
    cdef float guess[MAX_LEGAL]
    cdef Table table
    cdef Rng own = rng[0]
    cdef float fine = FINE / temperature
    cdef int n, player, seat = s.turn, season = s.season, begun = 0
    turns = turns if rules.learnt else 0
    open_urn(s, &table.urn)
    table.season = NONE if s.phase == SHIFT else s.season
    table.came[0] = table.came[1] = ANY_KIND
    for player in range(SEATS):
        weigh_anew(rules, s, player, &table)
        for n in range(PILES):
            table.pile[player][n] = pile_worth(&table.of[player], s.pile[n], s.size[n], player)
    while True:
        if turns and (s.turn != seat or s.season != season) and (s.phase == START or s.phase == REVEAL or s.phase == CHOOSE):
            seat, season = s.turn, s.season
            begun += 1
            if begun >= turns and cards_left(s) >= SOON:
                break
        if s.phase == REVEAL or s.phase == CHOOSE:
            turn_by_guesses(rules, s, fine, &table, &own)
        elif s.phase == END:
            table.came[s.turn] = ANY_KIND
            end_by_guesses(rules, s, fine, &own)
        elif s.phase == SEED_DRAW and s.top:
            s.top -= 1
            s.more -= 1
            s.draws = insert(s.drawn, s.draws, 4 * draw_out(s.seeds, &own) + (1 << s.turn))
            if s.more == 0 or s.top == 0:
                go_on_drawing(rules, s)
        elif s.phase == KEEP:
            sow_by_guesses(rules, s, fine, &own)
        elif s.phase == DRAW:
            s.deck -= 1
            n = from_urn(&table.urn, &own)
            table.came[s.turn] |= (<uint32_t> 1) << n
            s.forest[s.turn][n] += 1
            arrange(rules, &table.of[s.turn], s, (<uint32_t> 1) << n, fine, &own)
            enter_all(rules, s)
        elif s.waiting:
            n = legal(rules, s, s.turn, moves)
            while n and moves[n - 1] >= MOVE_ANT:
                n -= 1
            if n == 0:
                break
            prior(rules, s, s.turn, moves, n, guess)
            table.came[s.turn] = ANY_KIND
            apply(rules, s, s.turn, moves[draw_fading(guess, n, fine, &own)])
        elif not roll_urn(rules, s, &table.urn, &own):
            break
    rng[0] = own
