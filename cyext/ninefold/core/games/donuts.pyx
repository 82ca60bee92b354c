"""Go Nuts for Donuts, the rules (docs/games/donuts.md, whose sections the comments name).

2 to 6 players bid at once and in secret for the cards of a row; who is alone on a place takes its card, and a card taken
from the row may have a power. The deck is the only chance: one card is revealed at a time, when somebody first sees it.
"""
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy, memmove, memset

from ninefold.core.observe cimport plane, plane_number, plane_one, plane_seats, seat_of, set_one, set_seats
from ninefold.core.rules cimport (
    HIDDEN, MAX_PLAYERS, MAX_SOURCES, OPEN, PERFECT, WIN, Bag, Game, Hash, Outcome, Reduced, Rng, Rules, State, Urn, bag_block,
    bag_count, bag_flip, bag_select, bit_count, bit_first, bit_select, bytes_set, hash_add, hash_bytes, hash_fold, hash_start,
    rng_below, rng_pair, urn_open, urn_take)

# --- move ids ---------------------------------------------------------------------------------------------------------

cdef enum:
    MOVE_BID = 0                                        # + place
    MOVE_CRULLER = MOVE_BID + MAX_PLAYERS + 1           # + place
    MOVE_STOP = MOVE_CRULLER + MAX_PLAYERS + 1          # + power
    MOVE_KEEP = MOVE_STOP + POWERS                      # + kind
    MOVE_VELVET = MOVE_KEEP + KINDS                     # + kind
    MOVE_DAY_OLD = MOVE_VELVET + KINDS                  # + kind
    MOVE_PASS = MOVE_DAY_OLD + KINDS                    # + item
    MOVE_MILK = MOVE_PASS + ITEMS                       # + item
    MOVE_RASPBERRY = MOVE_MILK + ITEMS                  # + item
    MOVE_GIVE = MOVE_RASPBERRY + ITEMS                  # + player * ITEMS + item
    MOVE_BEAR = MOVE_GIVE + MAX_PLAYERS * ITEMS         # + player * ITEMS + item
    MOVE_STRAWBERRY = MOVE_BEAR + MAX_PLAYERS * ITEMS   # + player * ITEMS + item
    MOVES = MOVE_STRAWBERRY + MAX_PLAYERS * ITEMS

# --- cards ------------------------------------------------------------------------------------------------------------

cdef inline uint32_t kinds_held(const Donuts *s, int player) noexcept nogil:
    """The kinds a player holds, a mask."""
    return bytes_set(s.held[player])


cdef inline int negatives(const Ruleset *rules, const Donuts *s, int player) noexcept nogil:
    cdef uint32_t kinds = kinds_held(s, player) & rules.negatives
    cdef int n = 0
    while kinds:
        n += s.held[player][bit_first(kinds)]
        kinds &= kinds - 1
    return n


cdef inline void freeze(const Ruleset *rules, Donuts *s, int player) noexcept nogil:
    """Details, coffee: its value is fixed when it comes to an owner."""
    s.coffee[player] += (<uint64_t> 1) << 4 * negatives(rules, s, player)


cdef inline void give(const Ruleset *rules, Donuts *s, int player, int kind) noexcept nogil:
    s.held[player][kind] += 1
    s.cards[player] += 1
    if kind == rules.coffee and not rules.coffee_final:
        freeze(rules, s, player)


cdef inline int lose(const Ruleset *rules, Donuts *s, int player, int item) noexcept nogil:
    """Take an item from a player; returns its kind."""
    cdef int kind = item
    if item >= KINDS:
        s.coffee[player] -= (<uint64_t> 1) << 4 * (item - KINDS)
        kind = rules.coffee
    s.held[player][kind] -= 1
    s.cards[player] -= 1
    return kind


cdef inline void throw_away(Donuts *s, int kind) noexcept nogil:
    s.discard[s.discards] = kind
    s.discards += 1
    s.pile[kind] += 1


cdef inline void lay(Donuts *s, int place, int kind) noexcept nogil:
    s.row[place] = kind
    s.empty &= ~(1 << place)


cdef inline void unbag(const Ruleset *rules, Donuts *s, int kind) noexcept nogil:
    """Take a card of a kind out of the bag: always the lowest, so that equal knowledge is equal bytes."""
    bag_flip(&s.bag, rules.first[kind] + bit_first(bag_block(&s.bag, rules.first[kind], rules.copies[kind])))


cdef inline void rebag(const Ruleset *rules, Donuts *s, int kind) noexcept nogil:
    """Put a card of a kind back into the bag, below those that are there."""
    cdef int there = bit_count(bag_block(&s.bag, rules.first[kind], rules.copies[kind]))
    bag_flip(&s.bag, rules.first[kind] + rules.copies[kind] - there - 1)


cdef inline int draw_unseen(const Ruleset *rules, Donuts *s, Rng *rng) noexcept nogil:
    cdef int kind = rules.kind_of[bag_select(&s.bag, rng_below(rng, bag_count(&s.bag)))]
    unbag(rules, s, kind)
    return kind


cdef int next_known(Donuts *s, uint8_t *seen) noexcept nogil:
    """Draw the deck's next card if somebody knows it, else NONE: then chance decides. The deck is not empty.

    Rulings, double_chocolate_return: the last one returned to the top is the uppermost; the bottom in order.
    """
    cdef int kind = NONE
    seen[0] = 0
    if s.tops:
        kind = s.top[s.tops - 1]
        seen[0] = s.top_seen[s.tops - 1]
    elif s.deck == s.bottoms:
        kind = s.bottom[0]
        seen[0] = s.bottom_seen[0]
    if kind == NONE or kind == SECRET:
        return NONE
    leave_deck(s)
    return kind


cdef inline void leave_deck(Donuts *s) noexcept nogil:
    """The deck's next card goes; where it was one put back by Double Chocolate, its entry goes as well."""
    if s.tops:
        s.tops -= 1
        s.top[s.tops] = s.top_seen[s.tops] = 0
    elif s.deck == s.bottoms:
        s.bottoms -= 1
        memmove(s.bottom, s.bottom + 1, s.bottoms)
        memmove(s.bottom_seen, s.bottom_seen + 1, s.bottoms)
        s.bottom[s.bottoms] = s.bottom_seen[s.bottoms] = 0
    s.deck -= 1

# --- start ------------------------------------------------------------------------------------------------------------

cdef void start(const void *ruleset, void *state) noexcept nogil:
    """Play 1: the whole deck unseen, the row still empty."""
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Donuts *s = <Donuts *> state
    memset(s, 0, sizeof(Donuts))
    s.players = rules.players
    s.deck = rules.cards
    s.bag.word[0] = ~(<uint64_t> 0) >> (64 - rules.cards) if rules.cards < 64 else ~(<uint64_t> 0)
    s.bag.word[1] = ~(<uint64_t> 0) >> (128 - rules.cards) if rules.cards > 64 else 0
    memset(s.row, NONE, sizeof(s.row))
    memset(s.bid, NONE, sizeof(s.bid))
    memset(s.taker, NONE, sizeof(s.taker))
    memset(s.passed, NONE, sizeof(s.passed))
    memset(s.drawn, NONE, sizeof(s.drawn))
    s.empty = (2 << s.players) - 1
    s.phase = REFILL

# --- legal ------------------------------------------------------------------------------------------------------------

cdef inline uint32_t actors(const void *state) noexcept nogil:
    return (<const Donuts *> state).waiting


cdef int items(const Ruleset *rules, const Donuts *s, int player, int base, uint16_t *out) noexcept nogil:
    """The different cards a player holds, as move ids from `base`."""
    cdef uint32_t kinds = kinds_held(s, player)
    cdef uint64_t coffees = s.coffee[player]
    cdef int worth, n = 0
    if coffees:
        kinds ^= (<uint32_t> 1) << rules.coffee
    while kinds:
        out[n] = base + bit_first(kinds)
        n += 1
        kinds &= kinds - 1
    while coffees:
        worth = bit_first(coffees) // 4
        out[n] = base + KINDS + worth
        n += 1
        coffees &= ~((<uint64_t> 15) << 4 * worth)
    return n


cdef int others_items(const Ruleset *rules, const Donuts *s, int player, int base, uint16_t *out) noexcept nogil:
    cdef int other, n = 0
    for other in range(s.players):
        if other != player:
            n += items(rules, s, other, base + other * ITEMS, out + n)
    return n


cdef int discarded_kinds(const Donuts *s, int base, uint16_t *out) noexcept nogil:
    cdef uint32_t kinds = bytes_set(s.pile)
    cdef int n = 0
    while kinds:
        out[n] = base + bit_first(kinds)
        n += 1
        kinds &= kinds - 1
    return n


cdef inline uint32_t unbid(const Donuts *s) noexcept nogil:
    """French Cruller: the places, as a mask, with a card on which nobody bid and that have not been offered yet."""
    return ~(<uint32_t> s.empty | s.taken | s.contested) & (((<uint32_t> 2) << s.players) - ((<uint32_t> 1) << s.chosen))


cdef int legal(const void *ruleset, const void *state, int player, uint16_t *out) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Donuts *s = <const Donuts *> state
    cdef uint32_t mask
    cdef int n = 0, other
    if not s.waiting >> player & 1:
        return 0
    if s.phase == BID:
        for n in range(s.players + 1):
            out[n] = MOVE_BID + n
        n = s.players + 1
    elif s.phase == PASS:
        n = items(rules, s, player, MOVE_PASS, out)
    else:
        if s.power == FRENCH_CRULLER:
            mask = unbid(s)
            while mask:
                out[n] = MOVE_CRULLER + bit_first(mask)
                n += 1
                mask &= mask - 1
        if (s.power == FRENCH_CRULLER or s.power == DAY_OLD or (s.power == MILK and s.chosen == 0)
                or (s.power == RED_VELVET and not rules.red_velvet_must)
                or (s.power == BEAR_CLAW and not rules.bear_claw_must)):
            out[n] = MOVE_STOP + s.power
            n += 1
        if s.power == DOUBLE_CHOCOLATE and s.drawn[0] < KINDS and s.drawn[1] < KINDS:
            out[0] = MOVE_KEEP + min(s.drawn[0], s.drawn[1])
            out[1] = MOVE_KEEP + max(s.drawn[0], s.drawn[1])
            n = 1 if s.drawn[0] == s.drawn[1] else 2
        elif s.power == RED_VELVET:
            n += discarded_kinds(s, MOVE_VELVET, out + n)
        elif s.power == DAY_OLD:
            n += discarded_kinds(s, MOVE_DAY_OLD, out + n)
        elif s.power == BEAR_CLAW:
            n += others_items(rules, s, player, MOVE_BEAR, out + n)
        elif s.power == STRAWBERRY_GLAZED:
            n = others_items(rules, s, player, MOVE_STRAWBERRY, out)
        elif s.power == MILK:
            n += own_others(rules, s, player, MOVE_MILK, out + n)
        elif s.power == RASPBERRY_FROSTED:
            n = own_others(rules, s, player, MOVE_RASPBERRY, out)
        elif s.power == SPRINKLED:
            for other in range(s.players):
                if other != player:
                    n += own_others(rules, s, player, MOVE_GIVE + other * ITEMS, out + n)
    return n


cdef int own_others(const Ruleset *rules, const Donuts *s, int player, int base, uint16_t *out) noexcept nogil:
    """Own cards but for the one whose power fires, unless it is the only card held."""
    cdef int n, i, kept = 0
    n = items(rules, s, player, base, out)
    if s.cards[player] == 1:
        return n
    for i in range(n):
        if not (out[i] - base == taken_kind(s) and s.held[player][taken_kind(s)] == 1):
            out[kept] = out[i]
            kept += 1
    return kept


cdef inline int taken_kind(const Donuts *s) noexcept nogil:
    """The kind whose power is being resolved: it is kept where the first drawn card of Double Chocolate would be."""
    return s.drawn[0]

# --- apply ------------------------------------------------------------------------------------------------------------

cdef inline void clear_power(Donuts *s) noexcept nogil:
    s.power = NO_POWER
    s.actor = 0
    s.chosen = 0
    s.drawn[0] = s.drawn[1] = NONE


cdef inline bint fire(const Ruleset *rules, Donuts *s, int player, int kind) noexcept nogil:
    """A card was taken from the row: resolve its power at once (Play 3). True if somebody or chance must decide."""
    cdef int power = rules.power[kind], other, known
    cdef uint8_t seen
    cdef bint waiting = False
    if power == ECLAIR:
        if s.discards:
            s.discards -= 1
            known = s.discard[s.discards]
            s.discard[s.discards] = 0
            s.pile[known] -= 1
            give(rules, s, player, known)
        return False
    s.power = power
    s.actor = player
    if power == CHOCOLATE_FROSTED or power == DOUBLE_CHOCOLATE:
        if power == DOUBLE_CHOCOLATE and s.deck > 1:    # Details: with one card left: take it
            s.phase = DRAW_TWO
            return draw_two(s)
        if s.deck:
            known = next_known(s, &seen)
            if known == NONE:
                s.phase = DRAW
                return True
            give(rules, s, player, known)
    elif power == FRENCH_CRULLER:
        waiting = unbid(s) != 0
    elif power == RED_VELVET or power == DAY_OLD:
        waiting = s.discards > 0
    elif power == BEAR_CLAW or power == STRAWBERRY_GLAZED:
        for other in range(s.players):
            waiting |= other != player and s.cards[other] > 0
    elif power == SPRINKLED:
        waiting = True
    elif power == MILK:
        waiting = s.cards[player] > CHOICES
        if not waiting:
            throw_away(s, lose(rules, s, player, kind))
    elif power == RASPBERRY_FROSTED:
        waiting = s.cards[player] > 1
        if not waiting:
            throw_away(s, lose(rules, s, player, kind))
    elif power == CINNAMON_TWIST:
        for other in range(s.players):
            s.waiting |= (s.cards[other] > 0) << other
        s.power = NO_POWER
        s.actor = 0
        s.phase = PASS
        return True
    if waiting:
        s.phase = CHOOSE
        s.waiting = 1 << player
        s.drawn[0] = kind
    else:
        clear_power(s)
    return waiting


cdef bint draw_two(Donuts *s) noexcept nogil:
    """Double Chocolate: draw what is known of the two cards. True, for chance or the taker has to go on."""
    cdef int i, known
    cdef uint8_t seen
    for i in range(2):
        if s.drawn[i] == NONE:
            known = next_known(s, &seen)
            if known == NONE:
                return True
            s.drawn[i] = known
            s.drawn_seen[i] = seen | (<uint8_t> 1) << s.actor
    s.phase = CHOOSE
    s.waiting = 1 << s.actor
    return True


cdef inline void reveal_bids(Donuts *s) noexcept nogil:
    """Play 2: all are revealed together."""
    cdef uint32_t once = 0, several = 0, bit
    cdef int player, players = s.players
    for player in range(players):
        bit = (<uint32_t> 1) << s.bid[player]
        several |= once & bit
        once |= bit
        s.taker[s.bid[player]] = player
    s.contested = several
    s.taken = once ^ several


cdef void resolve(const Ruleset *rules, Donuts *s) noexcept nogil:
    """Play 3, from place `place` on, until somebody or chance must decide; then Play 4."""
    cdef uint32_t contested = s.contested
    cdef uint32_t left = (s.taken | contested) & ~(((<uint32_t> 1) << s.place) - 1)
    cdef int place, kind, player, clash
    cdef bint few = s.players == 2
    while left:
        place = bit_first(left)
        left &= left - 1
        kind = s.row[place]
        s.row[place] = NONE
        player = s.taker[place]
        clash = contested >> place & 1
        if few:                             # one place is contested or none: a branch the processor predicts
            if clash:
                throw_away(s, kind)
                continue
            give(rules, s, player, kind)
        else:                               # one that it cannot, so sums are faster
            s.discard[s.discards] = kind * clash
            s.discards += clash
            s.pile[kind] += clash
            s.held[player][kind] += 1 - clash
            s.cards[player] += 1 - clash
            if rules.acts[kind] <= clash:
                continue
            if kind == rules.coffee and not rules.coffee_final:
                freeze(rules, s, player)
        if rules.power[kind] != NO_POWER:
            s.place = place + 1
            if fire(rules, s, player, kind):
                return
    refill(rules, s)


cdef void refill(const Ruleset *rules, Donuts *s) noexcept nogil:
    """Play 4: the game is over at once if the deck cannot fill every empty place."""
    memset(s.bid, NONE, sizeof(s.bid))
    memset(s.taker, NONE, sizeof(s.taker))
    s.empty |= s.taken | s.contested
    s.taken = s.contested = 0
    s.place = 0
    if bit_count(s.empty) > s.deck:
        s.phase = OVER
    else:
        s.phase = REFILL
        fill(s)


cdef inline void fill(Donuts *s) noexcept nogil:
    """Fill empty places, ascending, with what is known; everybody bids when the row is full."""
    cdef int known
    cdef uint8_t seen
    while s.place <= s.players:
        if s.empty >> s.place & 1:
            known = next_known(s, &seen)
            if known == NONE:
                return
            lay(s, s.place, known)
        s.place += 1
    everybody_bids(s)


cdef inline void everybody_bids(Donuts *s) noexcept nogil:
    s.place = 0
    s.phase = BID
    s.waiting = (1 << s.players) - 1


cdef void after_power(const Ruleset *rules, Donuts *s) noexcept nogil:
    clear_power(s)
    s.waiting = 0
    resolve(rules, s)


cdef void pass_all(const Ruleset *rules, Donuts *s) noexcept nogil:
    """Cinnamon Twist: all at once to the left; a Coffee counts what its receiver holds after all have moved."""
    cdef int player, receiver
    cdef uint8_t moved[MAX_PLAYERS]
    for player in range(s.players):
        moved[player] = NONE
        if s.passed[player] != NONE:
            moved[player] = lose(rules, s, player, s.passed[player])
    for player in range(s.players):
        if moved[player] != NONE:
            receiver = player + 1 if player + 1 < s.players else 0
            s.held[receiver][moved[player]] += 1
            s.cards[receiver] += 1
    for player in range(s.players):
        if moved[player] == rules.coffee and rules.coffee != NONE and not rules.coffee_final:
            freeze(rules, s, player + 1 if player + 1 < s.players else 0)
    memset(s.passed, NONE, sizeof(s.passed))
    after_power(rules, s)


cdef inline void take_discard(const Ruleset *rules, Donuts *s, int kind) noexcept nogil:
    """Rulings: the topmost copy of the named kind."""
    cdef int i = s.discards - 1
    while s.discard[i] != kind:
        i -= 1
    s.discards -= 1
    memmove(s.discard + i, s.discard + i + 1, s.discards - i)
    s.discard[s.discards] = 0
    s.pile[kind] -= 1
    give(rules, s, s.actor, kind)


cdef void put_back(const Ruleset *rules, Donuts *s, int kept) noexcept nogil:
    """Double Chocolate: keep one card, the other goes to the end of the deck that the option says.

    Who knows it: the taker, and whoever knew that card before and can tell from what was kept that it is the other one.
    """
    cdef int other = 1 if s.drawn[0] == kept else 0
    cdef int kind = s.drawn[other]
    cdef uint8_t seen = s.drawn_seen[other]
    if kind == kept:
        seen = s.drawn_seen[0] & s.drawn_seen[1]
    seen |= (<uint8_t> 1) << s.actor
    if rules.return_top:
        s.top[s.tops] = kind
        s.top_seen[s.tops] = seen
        s.tops += 1
    else:
        s.bottom[s.bottoms] = kind
        s.bottom_seen[s.bottoms] = seen
        s.bottoms += 1
    s.deck += 1
    s.drawn_seen[0] = s.drawn_seen[1] = 0
    give(rules, s, s.actor, kept)


cdef inline void apply(const void *ruleset, void *state, int player, int move) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Donuts *s = <Donuts *> state
    if s.phase == BID:
        s.bid[player] = move
        s.waiting ^= 1 << player
        if s.waiting == 0:
            reveal_bids(s)
            resolve(rules, s)
    elif s.phase == PASS:
        s.passed[player] = move - MOVE_PASS
        s.waiting ^= 1 << player
        if s.waiting == 0:
            pass_all(rules, s)
    elif choose(rules, s, player, s.power, move):
        after_power(rules, s)


cdef inline bint choose(const Ruleset *rules, Donuts *s, int player, int power, int move) noexcept nogil:
    """One choice of the power being resolved (Cards, column power). True when the power is done."""
    cdef int item
    if move == MOVE_STOP + power:
        if power == MILK:
            throw_away(s, lose(rules, s, player, taken_kind(s)))
        return True
    if power == FRENCH_CRULLER:
        item = move - MOVE_CRULLER
        throw_away(s, s.row[item])
        s.row[item] = NONE
        s.empty |= 1 << item
        s.chosen = item + 1
        return unbid(s) == 0
    if power == DOUBLE_CHOCOLATE:
        put_back(rules, s, move - MOVE_KEEP)
    elif power == RED_VELVET:
        take_discard(rules, s, move - MOVE_VELVET)
    elif power == DAY_OLD:
        take_discard(rules, s, move - MOVE_DAY_OLD)
        s.chosen += 1
        return s.chosen == CHOICES or s.discards == 0
    elif power == MILK:
        throw_away(s, lose(rules, s, player, move - MOVE_MILK))
        s.chosen += 1
        return s.chosen == CHOICES
    elif power == RASPBERRY_FROSTED:
        throw_away(s, lose(rules, s, player, move - MOVE_RASPBERRY))
    elif power == SPRINKLED:
        item = move - MOVE_GIVE
        give(rules, s, item // ITEMS, lose(rules, s, player, item % ITEMS))
    elif power == BEAR_CLAW:
        item = move - MOVE_BEAR
        give(rules, s, player, lose(rules, s, item // ITEMS, item % ITEMS))
    elif power == STRAWBERRY_GLAZED:
        item = move - MOVE_STRAWBERRY
        throw_away(s, lose(rules, s, item // ITEMS, item % ITEMS))
    return True

# --- chance -----------------------------------------------------------------------------------------------------------

cdef inline bint is_chance(const Donuts *s) noexcept nogil:
    return s.phase == REFILL or s.phase == DRAW or s.phase == DRAW_TWO


cdef int outcomes(const void *ruleset, const void *state, Outcome *out) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Donuts *s = <const Donuts *> state
    cdef int kind, left, n = 0
    if is_chance(s):
        for kind in range(rules.kinds):
            left = bit_count(bag_block(&s.bag, rules.first[kind], rules.copies[kind]))
            if left:
                out[n].id = kind
                out[n].weight = left
                n += 1
    return n


cdef inline void reveal(const Ruleset *rules, Donuts *s, int kind) noexcept nogil:
    """The deck's next card, out of the bag already, turns out to be of this kind."""
    cdef int place
    leave_deck(s)
    if s.phase == REFILL:
        lay(s, s.place, kind)
        fill(s)
    elif s.phase == DRAW:
        give(rules, s, s.actor, kind)
        after_power(rules, s)
    else:
        place = s.drawn[0] != NONE
        s.drawn[place] = kind
        s.drawn_seen[place] = (<uint8_t> 1) << s.actor
        draw_two(s)


cdef void settle(const void *ruleset, void *state, int outcome) noexcept nogil:
    unbag(<const Ruleset *> ruleset, <Donuts *> state, outcome)
    reveal(<const Ruleset *> ruleset, <Donuts *> state, outcome)


cdef inline bint roll(const void *ruleset, void *state, Rng *rng) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Donuts *s = <Donuts *> state
    if not is_chance(s):
        return False
    reveal(rules, s, draw_unseen(rules, s, rng))
    return True

cdef inline bint roll_urn(const void *ruleset, void *state, Urn *urn, Rng *rng) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Donuts *s = <Donuts *> state
    cdef uint32_t empty
    cdef Rng own = rng[0]
    if not is_chance(s):
        return False
    if s.phase == REFILL and s.tops == 0 and s.deck - s.bottoms > s.players:    # nothing known can come: all at once
        empty = s.empty
        s.empty = 0
        s.deck -= bit_count(empty)
        while empty:
            s.row[bit_first(empty)] = rules.kind_of[urn_take(urn, rng_below(&own, urn.count))]
            empty &= empty - 1
        rng[0] = own
        everybody_bids(s)
    else:
        reveal(rules, s, rules.kind_of[urn_take(urn, rng_below(rng, urn.count))])
    return True


cdef inline const Bag *bag(const void *state) noexcept nogil:
    return &(<const Donuts *> state).bag

# --- knowledge --------------------------------------------------------------------------------------------------------

cdef int secrets(const void *ruleset, const void *state) noexcept nogil:
    """Only cards put back by Double Chocolate, and choices not yet revealed, are ever known to some alone."""
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Donuts *s = <const Donuts *> state
    cdef uint8_t everybody = ((<uint8_t> 1) << s.players) - 1
    cdef int i, kind
    for i in range(s.players):
        if s.bid[i] != NONE and s.phase == BID or s.passed[i] != NONE:
            return HIDDEN
    for i in range(s.tops):
        if s.top_seen[i] != everybody:
            return HIDDEN
    for i in range(s.bottoms):
        if s.bottom_seen[i] != everybody:
            return HIDDEN
    if s.phase == DRAW_TWO or s.power == DOUBLE_CHOCOLATE:
        return HIDDEN
    for kind in range(rules.kinds):
        if rules.power[kind] == DOUBLE_CHOCOLATE and rules.copies[kind]:
            return OPEN
    return PERFECT


cdef void forget(const Ruleset *rules, Donuts *s, uint8_t *kinds, uint8_t *seen, int n, int viewer,
                 uint8_t public) noexcept nogil:
    """Cards the viewer has not seen go back into the bag, and with them who else knows what, but for `public`.

    Whether a third player still knows a card that went back depends on which of the two was kept, which nobody else sees.
    """
    cdef uint8_t everybody = ((<uint8_t> 1) << s.players) - 1
    cdef int i
    for i in range(n):
        if not seen[i] >> viewer & 1 and kinds[i] < KINDS:
            rebag(rules, s, kinds[i])
            kinds[i] = SECRET
        if seen[i] != everybody:
            seen[i] &= public | (<uint8_t> 1) << viewer


cdef inline int known_drawn(const Donuts *s) noexcept nogil:
    """How many cards Double Chocolate has drawn so far."""
    if s.power != DOUBLE_CHOCOLATE:
        return 0
    return (s.drawn[0] != NONE) + (s.drawn[1] != NONE)


cdef void hide(const void *ruleset, void *state, int viewer) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Donuts *s = <Donuts *> state
    cdef int player
    forget(rules, s, s.top, s.top_seen, s.tops, viewer, 0)
    forget(rules, s, s.bottom, s.bottom_seen, s.bottoms, viewer, 0)
    forget(rules, s, s.drawn, s.drawn_seen, known_drawn(s), viewer, (<uint8_t> 1) << s.actor)
    for player in range(s.players):
        if player != viewer:
            if s.phase == BID and s.bid[player] != NONE:
                s.bid[player] = SECRET
            if s.passed[player] != NONE:
                s.passed[player] = SECRET


cdef inline void guess(const Ruleset *rules, Donuts *s, uint8_t *kinds, int n, Rng *rng) noexcept nogil:
    cdef int i
    for i in range(n):
        if kinds[i] == SECRET:
            kinds[i] = draw_unseen(rules, s, rng)


cdef void resample(const void *ruleset, void *state, int viewer, Rng *rng) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Donuts *s = <Donuts *> state
    cdef int player
    hide(ruleset, state, viewer)
    guess(rules, s, s.top, s.tops, rng)
    guess(rules, s, s.bottom, s.bottoms, rng)
    guess(rules, s, s.drawn, known_drawn(s), rng)
    for player in range(s.players):
        if s.bid[player] == SECRET:
            s.bid[player] = NONE
            s.waiting |= 1 << player
        if s.passed[player] == SECRET:
            s.passed[player] = NONE
            s.waiting |= 1 << player


cdef uint64_t key(const void *ruleset, const void *state) noexcept nogil:
    """Of all that is not implied by the rest: the bag and the numbers of cards held are."""
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Donuts *s = <const Donuts *> state
    cdef Hash hash = hash_start(s.phase)
    cdef size_t held = (rules.kinds + 7) & ~7
    cdef int player
    hash_bytes(&hash, s.row, sizeof(s.row))
    for player in range(s.players):
        hash_bytes(&hash, s.held[player], held)
        if rules.coffee != NONE:
            hash_add(&hash, s.coffee[player])
    hash_add(&hash, s.discards | <uint64_t> s.deck << 8 | <uint64_t> s.tops << 16 | <uint64_t> s.bottoms << 24
             | <uint64_t> s.place << 32 | <uint64_t> s.actor << 40 | <uint64_t> s.power << 48 | <uint64_t> s.chosen << 56)
    hash_bytes(&hash, s.discard, s.discards)
    if s.tops or s.bottoms:
        hash_bytes(&hash, s.top, 4 * RETURNED)
    if s.phase != REFILL and s.phase != OVER:
        hash_bytes(&hash, s.bid, sizeof(s.bid))
        hash_bytes(&hash, s.passed, sizeof(s.passed))
        hash_add(&hash, s.drawn[0] | <uint64_t> s.drawn[1] << 8 | <uint64_t> s.drawn_seen[0] << 16
                 | <uint64_t> s.drawn_seen[1] << 24)
    return hash_fold(&hash)


cdef uint64_t view_key(const void *ruleset, const void *state, int viewer) noexcept nogil:
    cdef Donuts seen
    memcpy(&seen, state, sizeof(Donuts))
    hide(ruleset, &seen, viewer)
    return key(ruleset, &seen)

# --- score ------------------------------------------------------------------------------------------------------------

cdef inline bint meets(const Ruleset *rules, const Donuts *s, int player, int kind, int types, int fewest) noexcept nogil:
    """Whether the condition of a kind's points holds for a player."""
    return ((types >= rules.at_least_types[kind])
            & (rules.at_most_types[kind] == 0 or types <= rules.at_most_types[kind])
            & (rules.at_most_cards[kind] == 0 or s.cards[player] <= rules.at_most_cards[kind])
            & (rules.fewest_cards[kind] == 0 or s.cards[player] == fewest))


cdef inline void add_majority(const Ruleset *rules, const Donuts *s, int kind, int32_t *points,
                              int32_t *parts) noexcept nogil:
    """The bonus for holding most cards of a kind, alone or tied."""
    cdef int player, bonus, most = 1, holders = 0
    for player in range(s.players):
        most = max(most, s.held[player][kind])
    for player in range(s.players):
        holders += s.held[player][kind] == most
    for player in range(s.players):
        bonus = (s.held[player][kind] == most) * (rules.most[kind] if holders == 1 else rules.tied[kind])
        points[player] += bonus
        if parts != NULL:
            parts[player * MAX_SOURCES + rules.kinds] += bonus


cdef inline int coffee_worth(const Ruleset *rules, const Donuts *s, int player) noexcept nogil:
    cdef uint64_t coffees = s.coffee[player]
    cdef int n = 0, worth = 0
    if rules.coffee_final:
        n = negatives(rules, s, player) * s.held[player][rules.coffee]
    while coffees:
        n += worth * <int> (coffees & 15)
        worth += 1
        coffees >>= 4
    return n * rules.coffee_points


cdef inline void tally(const Ruleset *rules, const Donuts *s, int32_t *points, int32_t *tiebreak,
                       int32_t *parts) noexcept nogil:
    """Points and tie-breaks, and, unless NULL, where the points come from: by kind, then the bonuses for most of a kind."""
    cdef int player, kind, types, worth, fewest = 255
    cdef uint32_t held, some
    cdef int32_t total
    for player in range(s.players):
        tiebreak[player] = s.cards[player]
        fewest = min(fewest, s.cards[player])
    for player in range(s.players):
        total = 0
        held = some = kinds_held(s, player)
        types = bit_count(held)
        while some:
            kind = bit_first(some)
            some &= some - 1
            worth = rules.points[kind][s.held[player][kind]]
            total += worth
            if parts != NULL:
                parts[player * MAX_SOURCES + kind] += worth
        some = held & rules.conditions
        while some:
            kind = bit_first(some)
            some &= some - 1
            worth = rules.points[kind][s.held[player][kind]] * (not meets(rules, s, player, kind, types, fewest))
            total -= worth
            if parts != NULL:
                parts[player * MAX_SOURCES + kind] -= worth
        if rules.coffee != NONE and s.held[player][rules.coffee]:
            worth = coffee_worth(rules, s, player)
            total += worth
            if parts != NULL:
                parts[player * MAX_SOURCES + rules.coffee] += worth
        points[player] = total
    some = rules.majorities
    while some:
        add_majority(rules, s, bit_first(some), points, parts)
        some &= some - 1


cdef void score(const void *ruleset, const void *state, int32_t *points, int32_t *tiebreak) noexcept nogil:
    """Play 5: most points; tie: most cards held."""
    tally(<const Ruleset *> ruleset, <const Donuts *> state, points, tiebreak, NULL)


cdef int sources(const void *ruleset, const void *state, int32_t *out) noexcept nogil:
    """Each kind of card, and the bonuses for most of a kind."""
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef int32_t points[MAX_PLAYERS]
    cdef int32_t tiebreak[MAX_PLAYERS]
    memset(out, 0, rules.players * MAX_SOURCES * sizeof(int32_t))
    tally(rules, <const Donuts *> state, points, tiebreak, out)
    return rules.kinds + 1

# --- playout ----------------------------------------------------------------------------------------------------------

cdef inline int count_items(const Donuts *s, int player) noexcept nogil:
    cdef uint64_t coffees = s.coffee[player]
    cdef int n = bit_count(kinds_held(s, player)) - (coffees != 0)
    while coffees:
        n += 1
        coffees &= ~((<uint64_t> 15) << (bit_first(coffees) & ~3))
    return n


cdef int random_item(const Ruleset *rules, const Donuts *s, int player, int n) noexcept nogil:
    """The n-th of a player's different cards, as `items` lists them."""
    cdef uint16_t out[ITEMS]
    if s.coffee[player]:
        items(rules, s, player, 0, out)
        return out[n]
    return bit_select(kinds_held(s, player), n)


cdef int random_item_of_others(const Ruleset *rules, const Donuts *s, bint or_none, Rng *rng) noexcept nogil:
    """player * ITEMS + item, uniform over what `others_items` lists for the actor, and -1 for none of them."""
    cdef int counts[MAX_PLAYERS]
    cdef int other, n, total = or_none
    for other in range(s.players):
        counts[other] = 0 if other == s.actor else count_items(s, other)
        total += counts[other]
    n = <int> rng_below(rng, total) - or_none
    if n < 0:
        return -1
    other = 0
    while n >= counts[other]:
        n -= counts[other]
        other += 1
    return other * ITEMS + random_item(rules, s, other, n)


cdef int random_own_other(const Ruleset *rules, const Donuts *s, int player, Rng *rng) noexcept nogil:
    """An item, uniform over what `own_others` lists."""
    cdef uint16_t out[ITEMS]
    cdef uint32_t kinds = kinds_held(s, player)
    cdef int taken = taken_kind(s)
    if s.coffee[player]:
        return out[rng_below(rng, own_others(rules, s, player, 0, out))]
    if s.cards[player] > 1 and s.held[player][taken] == 1:
        kinds &= ~((<uint32_t> 1) << taken)
    return bit_select(kinds, rng_below(rng, bit_count(kinds)))


cdef inline int random_discard(const Donuts *s, bint or_none, Rng *rng) noexcept nogil:
    """A kind of the discard pile, uniform over those there, and -1 for none of them."""
    cdef uint32_t kinds = bytes_set(s.pile)
    cdef int n = <int> rng_below(rng, bit_count(kinds) + or_none) - or_none
    return n if n < 0 else bit_select(kinds, n)


cdef bint choose_random(const Ruleset *rules, Donuts *s, int player, Rng *rng) noexcept nogil:
    """One choice of a power, uniform over the legal moves, without listing them where they are many.

    The power is named where `choose` is called, so that the compiler writes out its code there.
    """
    cdef uint16_t moves[MAX_PLAYERS * ITEMS]
    cdef uint32_t unbids
    cdef int move
    if s.power == BEAR_CLAW:
        move = random_item_of_others(rules, s, not rules.bear_claw_must, rng)
        return choose(rules, s, player, BEAR_CLAW, MOVE_STOP + BEAR_CLAW if move < 0 else MOVE_BEAR + move)
    if s.power == STRAWBERRY_GLAZED:
        return choose(rules, s, player, STRAWBERRY_GLAZED, MOVE_STRAWBERRY + random_item_of_others(rules, s, False, rng))
    if s.power == SPRINKLED:            # whom and what are independent: no need to list all pairs
        move = rng_below(rng, s.players - 1)
        move += move >= player
        move = MOVE_GIVE + move * ITEMS + random_own_other(rules, s, player, rng)
        return choose(rules, s, player, SPRINKLED, move)
    if s.power == FRENCH_CRULLER:
        unbids = unbid(s)
        move = rng_below(rng, bit_count(unbids) + 1)
        move = MOVE_STOP + FRENCH_CRULLER if move == bit_count(unbids) else MOVE_CRULLER + bit_select(unbids, move)
        return choose(rules, s, player, FRENCH_CRULLER, move)
    if s.power == RASPBERRY_FROSTED:
        return choose(rules, s, player, RASPBERRY_FROSTED, MOVE_RASPBERRY + random_own_other(rules, s, player, rng))
    if s.power == DOUBLE_CHOCOLATE and s.drawn[0] != s.drawn[1]:
        return choose(rules, s, player, DOUBLE_CHOCOLATE, MOVE_KEEP + s.drawn[rng_below(rng, 2)])
    if s.power == DAY_OLD:
        move = random_discard(s, True, rng)
        return choose(rules, s, player, DAY_OLD, MOVE_STOP + DAY_OLD if move < 0 else MOVE_DAY_OLD + move)
    if s.power == RED_VELVET:
        move = random_discard(s, not rules.red_velvet_must, rng)
        return choose(rules, s, player, RED_VELVET, MOVE_STOP + RED_VELVET if move < 0 else MOVE_VELVET + move)
    move = moves[rng_below(rng, legal(rules, s, player, moves))]
    return choose(rules, s, player, s.power, move)


cdef inline void play_random(const void *ruleset, void *state, Rng *rng) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Donuts *s = <Donuts *> state
    cdef uint32_t waiting = s.waiting
    cdef int player, players = s.players
    cdef Rng own = rng[0]               # a copy that no store into the state can touch stays in a register
    if s.phase == BID:
        if bit_count(waiting) == players:
            for player in range(0, players, 2):
                rng_pair(&own, players + 1, &s.bid[player], &s.bid[player + 1])
            if players & 1:
                s.bid[players] = NONE
        else:
            while waiting:
                s.bid[bit_first(waiting)] = rng_below(&own, players + 1)
                waiting &= waiting - 1
        rng[0] = own
        s.waiting = 0
        reveal_bids(s)
        resolve(rules, s)
    elif s.phase == CHOOSE:
        player = s.actor
        while not choose_random(rules, s, player, rng):
            pass
        after_power(rules, s)
    else:
        while waiting:
            player = bit_first(waiting)
            waiting &= waiting - 1
            s.passed[player] = random_item(rules, s, player, rng_below(rng, count_items(s, player)))
        s.waiting = 0
        pass_all(rules, s)

include "../playout.pxi"

# --- exact search -----------------------------------------------------------------------------------------------------

# What a solver must know of a position is how both collections can still grow, and by what cards. `reduce` writes that
# down, so that positions share an entry of the solver's table when one can be played like the other, move for move,
# with scores that differ by a constant. Each reduction says why that is so. All are for two players and cards without
# further powers (`reducible`): then cards never leave a player, and deck and bag are the same cards.

cdef extern from "rng.h" nogil:
    uint64_t mix_words(uint64_t a, uint64_t b)

cdef enum Order:                # what of the order of the row can matter
    ANY                         # nothing
    AROUND                      # on which side of one card, the pivot, each other card lies
    AROUND_POWERS               # the same, but only of cards with a power
    ALL                         # everything

cdef enum:
    SETTLED = 32                # the lead in a majority that cannot change hands any more
    # Outlook.lie: eight bits for the cards in the deck, then the row.
    IN_DECK = 1 << 0
    IN_ROW = 1 << 8             # two bits: anywhere, before the pivot, after it
    BEFORE = 1 << 10
    AFTER = 1 << 12
    PIVOT = 1 << 14             # a bit: without a place
    PLACE = 1 << 15             # a bit for each place

ctypedef struct Outlook:        # what can still happen
    uint8_t left[32]            # cards of each kind that can still come to somebody
    uint32_t lie[32]            # and where those in deck and row lie, as far as it matters, if any are left
    uint32_t kinds              # kinds of which any are left, a mask
    uint32_t powers             # kinds whose power can still change anything, a mask
    int rounds                  # bounds on the cards that one player still takes from the row,
    int draws                   # on those he gets by a power,
    int most                    # and on both together
    int reach                   # cards on top of the pile that can come to somebody
    int order                   # a member of Order
    int pivot                   # its place

ctypedef struct Types:          # one player's way to the number of types that a kind wants
    bint counts                 # he has them, and a card of the kind counts
    int needed                  # types he lacks, 0: none or too many
    int waiting                 # cards of the kind he holds, while some are needed
    uint32_t open               # kinds he lacks that can still come, a mask; 0 if none is needed

ctypedef struct Keys:           # of a position, and of the same with the players exchanged
    Hash straight
    Hash crossed


cdef inline int clamp(int value, int limit) noexcept nogil:
    return max(-limit, min(limit, value))

# --- exact search: what can still happen ------------------------------------------------------------------------------

cdef inline uint32_t has(const Donuts *s, int place, uint32_t kinds) noexcept nogil:
    """Whether a card of these kinds lies there. An empty place, 255, asks for kind 31, which is none."""
    return kinds >> (s.row[place] & 31) & 1


cdef inline int place_of(const Donuts *s, uint32_t kinds) noexcept nogil:
    """The only place with a card of these kinds."""
    return has(s, 1, kinds) + 2 * has(s, 2, kinds)


cdef inline void look_at_powers(const Ruleset *rules, const Donuts *s, int deck, uint32_t row, uint32_t pack,
                                Outlook *out) noexcept nogil:
    """What powers can still do, from `deck` cards when the bids are made.

    row, pack: the number of cards with each power in the row and in the deck, eight bits each.
    """
    cdef uint32_t frosted = rules.power_kinds[<int> CHOCOLATE_FROSTED], eclair = rules.power_kinds[<int> ECLAIR]
    cdef uint32_t cruller = rules.power_kinds[<int> FRENCH_CRULLER]
    cdef int frosted_row = row >> 8 * CHOCOLATE_FROSTED & 255, frosted_deck = pack >> 8 * CHOCOLATE_FROSTED & 255
    cdef int eclairs_row = row >> 8 * ECLAIR & 255, eclairs_deck = pack >> 8 * ECLAIR & 255
    cdef int crullers_row = row >> 8 * FRENCH_CRULLER & 255, crullers_deck = pack >> 8 * FRENCH_CRULLER & 255
    out.powers = frosted | eclair | cruller
    if deck == 0:                                       # there will be nothing to draw
        out.powers &= ~frosted
        frosted_row = frosted_deck = 0
    if deck < 2 and eclairs_row + eclairs_deck == 0:    # a Cruller taken ends the game, and nobody minds the pile
        out.powers &= ~cruller
        crullers_row = crullers_deck = 0
    out.draws = min(out.rounds, eclairs_row + eclairs_deck + min(frosted_row + frosted_deck, deck))
    # An Eclair takes one card of the pile. With less than two cards in the deck, only a contested card brings in
    # another card, and it covers the pile.
    out.reach = eclairs_row + (eclairs_deck if deck > 1 else min(eclairs_deck, bit_count(s.empty)))
    out.reach = min(min(out.reach, 2 * out.rounds), s.discards)
    # Only a Cruller minds what comes before it and what after: it discards before an Eclair takes from the pile, or
    # knowing what a Chocolate Frosted has drawn. Other powers commute: equal ones, and the pile's with the deck's.
    out.order = ALL
    if crullers_row + crullers_deck == 0 or frosted_row + frosted_deck + eclairs_row + eclairs_deck == 0:
        out.order = ANY
    elif crullers_deck == 0 and crullers_row == 1:
        out.order = AROUND if frosted_deck + eclairs_deck else AROUND_POWERS
        out.pivot = place_of(s, cruller)
    elif frosted_deck + eclairs_deck == 0 and frosted_row + eclairs_row == 1:
        out.order = AROUND
        out.pivot = place_of(s, out.powers & ~cruller)


cdef inline uint32_t whereabouts(const Donuts *s, const Outlook *outlook, int place) noexcept nogil:
    """Where a card of the row lies, as far as it matters.

    A card still to come lies on a side of the pivot, too: so the pivot's own place matters, unless it has no power.
    """
    if outlook.order == ANY or (outlook.order == AROUND_POWERS and not has(s, place, outlook.powers)):
        return IN_ROW
    if outlook.order == ALL or (outlook.order == AROUND and place == outlook.pivot):
        return PLACE << place
    return BEFORE if place < outlook.pivot else AFTER if place > outlook.pivot else PIVOT


cdef inline void add_card(Outlook *out, int kind, uint32_t where) noexcept nogil:
    out.lie[kind] = (out.lie[kind] if out.left[kind] else 0) + where
    out.left[kind] += 1
    out.kinds |= (<uint32_t> 1) << kind


cdef inline void look_ahead(const Ruleset *rules, const Donuts *s, Outlook *out) noexcept nogil:
    """A round in which somebody takes a card takes both players one, so the deck loses two until the next."""
    cdef int deck = s.deck - bit_count(s.empty), i, kind
    cdef uint32_t row = 0, pack = 0
    cdef uint64_t cards
    out.kinds = 0
    memset(out.left, 0, sizeof(out.left))
    for i in range(2):
        cards = s.bag.word[i]
        while cards:
            kind = rules.kind_of[64 * i + bit_first(cards)]
            cards &= cards - 1
            add_card(out, kind, IN_DECK)
            pack += rules.power_unit[kind]
    for i in range(3):
        row += rules.power_unit[s.row[i] & 31]
    out.rounds = 1 + deck // 2
    out.powers = out.draws = out.reach = out.pivot = 0
    out.order = ANY
    if (row | pack) >> 8:
        look_at_powers(rules, s, deck, row, pack, out)
    out.most = out.rounds + out.draws
    for i in range(3):
        add_card(out, s.row[i] & 31, whereabouts(s, out, i))
    for i in range(out.reach):
        add_card(out, s.discard[s.discards - 1 - i], 0)
    out.kinds &= ((<uint32_t> 1) << KINDS) - 1


cdef inline int still(const Ruleset *rules, const Outlook *outlook, int kind) noexcept nogil:
    """Bound on the cards of a kind that one player still gets.

    A round brings a card of the row, or a card with a power and one that it draws: of a kind without power, one.
    """
    return min(<int> outlook.left[kind], outlook.most if rules.powers >> kind & 1 else outlook.rounds)

# --- exact search: the collections ------------------------------------------------------------------------------------

cdef inline int points_held(const Ruleset *rules, const Donuts *s) noexcept nogil:
    """What each kind by itself is worth in player 0's collection, less player 1's."""
    cdef const uint8_t *ours = s.held[0]
    cdef const uint8_t *theirs = s.held[1]
    cdef uint32_t kinds = rules.curved
    cdef int kind, total = 0
    for kind in range(KINDS):
        total += (ours[kind] - theirs[kind]) * rules.each[kind]
    while kinds:
        kind = bit_first(kinds)
        kinds &= kinds - 1
        total += rules.points[kind][ours[kind]] - rules.points[kind][theirs[kind]]
    return total


cdef inline void look_at_types(const Ruleset *rules, const Donuts *s, const Outlook *outlook, int player,
                               Types *out) noexcept nogil:
    """Types are counted by number, and by name only while a copy can still come and the number is within reach.

    A round brings a new type, or two: a power's that is new itself, and the card's that it draws.
    """
    cdef int kind = rules.conditional, needed
    cdef uint32_t held, missing
    out.counts = False
    out.needed = out.waiting = 0
    out.open = 0
    if kind == NONE:
        return
    held = kinds_held(s, player)
    if not (held | outlook.kinds) >> kind & 1:
        return
    missing = outlook.kinds & ~held
    needed = rules.at_least_types[kind] - bit_count(held)
    out.counts = needed <= 0
    if 0 < needed <= min(bit_count(missing), outlook.rounds + min(outlook.draws, bit_count(missing & outlook.powers))):
        out.needed = needed
        out.waiting = s.held[player][kind]
        out.open = missing


cdef inline int lead_of(const Ruleset *rules, const Donuts *s, const Outlook *outlook, int *fixed) noexcept nogil:
    """Player 0's lead in the majority, or SETTLED if it cannot change hands any more: then its bonus is fixed."""
    cdef int kind = rules.majority, more, lead
    if kind == NONE:
        return SETTLED
    more = still(rules, outlook, kind)
    lead = s.held[0][kind] - s.held[1][kind]
    if more and lead <= more and lead >= -more:
        return lead
    fixed[0] += rules.most[kind] * clamp(lead, 1)
    return SETTLED

# --- exact search: the key --------------------------------------------------------------------------------------------

cdef inline uint64_t spread(uint64_t text) noexcept nogil:
    """A hash of a few bits, good enough to be multiplied with another one."""
    text = mix_words(text ^ <uint64_t> 0x2d358dccaa6c78a5, <uint64_t> 0x9e3779b97f4a7c15)
    return text ^ text >> 29


cdef inline void add_pair(Keys *keys, uint64_t ours, uint64_t theirs, uint64_t times) noexcept nogil:
    """Add what something is to player 0 and to player 1, both hashed, so many times.

    The hash of a multiset: the sum of its members' hashes, each times how often, or where, it is there.
    """
    cdef uint64_t first = 0xe7037ed1a0b428db        # tells the two apart
    keys.straight.low += times * ((ours ^ first) * theirs)
    keys.straight.high += times * mix_words(ours ^ first, theirs)
    keys.crossed.low += times * ((theirs ^ first) * ours)
    keys.crossed.high += times * mix_words(theirs ^ first, ours)


cdef inline uint64_t towards_types(const Ruleset *rules, const Types *types, uint64_t growth) noexcept nogil:
    """How a collection of the kind that wants a number of types grows: as such, with their number, or never."""
    if types.needed:
        return spread((1 << 23) + types.waiting)
    return growth if types.counts else rules.worthless


cdef void mark(const Ruleset *rules, const Donuts *s, const Types *types, int lead, int kind, uint64_t *ours,
               uint64_t *theirs) noexcept nogil:
    """Where more than points matters of a card, so does its kind, and what it is to each player."""
    cdef uint64_t own = kind << 8, other = own
    if kind == rules.conditional:
        ours[0] = towards_types(rules, &types[0], ours[0])
        theirs[0] = towards_types(rules, &types[1], theirs[0])
    own |= (types[0].open >> kind & 1) << 7
    other |= (types[1].open >> kind & 1) << 7
    if kind == rules.majority and lead != SETTLED:
        own |= SETTLED + lead
        other |= SETTLED - lead
    if (own | other) & 255:
        ours[0] += spread(own + (1 << 20))
        theirs[0] += spread(other + (1 << 20))


cdef inline void add_kind(const Ruleset *rules, const Donuts *s, const Outlook *outlook, const Types *types, int lead,
                          int kind, uint64_t power, uint64_t times, Keys *keys) noexcept nogil:
    """Add cards of a kind, by what they do to each collection.

    Collections that gain the same points from the cards that can still come are the same collection.
    """
    cdef const uint64_t *growth = rules.growth[kind][still(rules, outlook, kind)]
    cdef uint64_t ours = growth[s.held[0][kind]], theirs = growth[s.held[1][kind]]
    if (rules.special | types[0].open | types[1].open) >> kind & 1:
        mark(rules, s, types, lead, kind, &ours, &theirs)
    add_pair(keys, ours + power, theirs + power, times)


cdef inline void add_kinds(const Ruleset *rules, const Donuts *s, const Outlook *outlook, const Types *types, int lead,
                           Keys *keys) noexcept nogil:
    cdef uint32_t kinds = outlook.kinds
    cdef int kind, i
    while kinds:
        kind = bit_first(kinds)
        kinds &= kinds - 1
        add_kind(rules, s, outlook, types, lead, kind, rules.power_hash[kind] if outlook.powers >> kind & 1 else 0,
                 outlook.lie[kind], keys)
    for i in range(outlook.reach):      # a card of the pile has no power any more
        add_kind(rules, s, outlook, types, lead, s.discard[s.discards - 1 - i], 0, (<uint64_t> 1) << (32 + i), keys)
    if types[0].needed or types[1].needed:
        add_pair(keys, spread(types[0].needed | types[0].waiting << 8 | 1 << 21),
                 spread(types[1].needed | types[1].waiting << 8 | 1 << 21), 1)


cdef inline int choose_key(const Keys *keys, Hash *key) noexcept nogil:
    """The players' names do not matter: 1 to keep them, -1 to exchange them, 0 if nothing tells them apart."""
    cdef const Hash *chosen = &keys.straight
    cdef int sign = 1
    if keys.straight.high == keys.crossed.high and keys.straight.low == keys.crossed.low:
        return 0
    if keys.straight.high > keys.crossed.high:
        chosen = &keys.crossed
        sign = -1
    key.high = mix_words(chosen.high ^ <uint64_t> 0x2d358dccaa6c78a5, <uint64_t> 0x8bb84b93962eacc9)
    key.low = mix_words(chosen.low ^ <uint64_t> 0xa0761d6478bd642f, <uint64_t> 0xbf58476d1ce4e5b9)
    return sign

# --- exact search: who wins -------------------------------------------------------------------------------------------

cdef inline void bound(const Ruleset *rules, const Donuts *s, const Outlook *outlook, const Types *types, int player,
                       int *gain, int *loss) noexcept nogil:
    """What the cards that can still come add to a player's points at most and at least."""
    cdef uint32_t kinds = outlook.kinds
    cdef int kind, more, n
    gain[0] = loss[0] = 0
    while kinds:
        kind = bit_first(kinds)
        kinds &= kinds - 1
        n = s.held[player][kind]
        more = still(rules, outlook, kind)
        if kind != rules.conditional or types.counts:
            gain[0] += rules.gain[kind][more][n]
            loss[0] += rules.loss[kind][more][n]
    if types.needed:
        kind = rules.conditional
        gain[0] += rules.points[kind][s.held[player][kind] + still(rules, outlook, kind)]


cdef bint decide(const Ruleset *rules, const Donuts *s, const Outlook *outlook, const Types *types, int lead, int fixed,
                 int cards, double *value) noexcept nogil:
    """Whether it is certain who wins. `cards`: the lead in cards held, which draws alone can change; it breaks ties."""
    cdef int gain[2]
    cdef int loss[2]
    cdef int low, high, more
    bound(rules, s, outlook, &types[0], 0, &gain[0], &loss[0])
    bound(rules, s, outlook, &types[1], 1, &gain[1], &loss[1])
    low = fixed + loss[0] - gain[1]
    high = fixed + gain[0] - loss[1]
    if lead != SETTLED:
        more = still(rules, outlook, rules.majority)
        low += rules.most[rules.majority] * clamp(lead - more, 1)
        high += rules.most[rules.majority] * clamp(lead + more, 1)
    value[0] = low > 0 or (low == 0 and cards > outlook.draws)
    return value[0] > 0 or high < 0 or (high == 0 and cards < -outlook.draws)


cdef bint reduce(const void *ruleset, const void *state, int objective, Reduced *out) noexcept nogil:
    """The state as a table stores it for the objective; False where it is not worth storing.

    A margin is the one of the points held, which count the same whatever comes, and of what comes. Who wins depends on
    both together, so there the points held are part of the key.
    """
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Donuts *s = <const Donuts *> state
    cdef Outlook outlook
    cdef Types types[2]
    cdef Keys keys
    cdef int fixed, lead, cards, player
    if s.phase != BID and s.phase != REFILL:
        return False
    out.offset = 0
    out.sign = 1
    if not rules.reducible or s.tops or s.bottoms:
        out.key = hash_start(objective)
        hash_bytes(&out.key, s, sizeof(Donuts))
        return True
    look_ahead(rules, s, &outlook)
    fixed = points_held(rules, s)
    lead = lead_of(rules, s, &outlook, &fixed)
    for player in range(2):
        look_at_types(rules, s, &outlook, player, &types[player])
        if rules.conditional != NONE and not types[player].counts:
            fixed -= (1 - 2 * player) * rules.points[rules.conditional][s.held[player][rules.conditional]]
    memset(&keys, 0, sizeof(Keys))
    if objective == WIN:
        cards = clamp(s.cards[0] - s.cards[1], outlook.draws + 1)
        out.sign = 0
        if decide(rules, s, &outlook, types, lead, fixed, cards, &out.offset):
            return True
        add_pair(&keys, spread(<uint64_t> (512 + cards) << 32 | (fixed + (1 << 30))),
                 spread(<uint64_t> (512 - cards) << 32 | ((1 << 30) - fixed)), 1)
    add_kinds(rules, s, &outlook, types, lead, &keys)
    out.sign = choose_key(&keys, &out.key)
    if objective == WIN:
        out.offset = 0.5 * (1 - out.sign)
    else:
        out.offset = fixed
    return True


cdef int rest(const void *state) noexcept nogil:
    return (<const Donuts *> state).deck

# --- prior ------------------------------------------------------------------------------------------------------------

cdef enum:
    AHEAD = 5       # how many further copies of a kind the guess looks at

# What a power brings by itself, in points: measured as the mean gain of a bid over a Glazed in random games (see
# docs/strength.md), rounded. An Eclair is worth the card that lies on the pile; Day-Old, this for each card it can take.
cdef float *POWER_WORTH = [0.0, 2.3, 0.0, 0.1, -1.8, 2.3, 2.3, 2.5, 2.4, -0.8, -4.0, 2.2, 0.3]


cdef float power_worth(const Ruleset *rules, const Donuts *s, int player, int power) noexcept nogil:
    if power == ECLAIR:
        return worth(rules, s, player, s.discard[s.discards - 1], 1) if s.discards else 0
    if power == DAY_OLD:
        return POWER_WORTH[power] * min(<int> s.discards, CHOICES)
    if power == RED_VELVET and s.discards == 0:
        return 0
    return POWER_WORTH[power]


cdef float worth(const Ruleset *rules, const Donuts *s, int player, int kind, int more) noexcept nogil:
    """Guess what a card of a kind brings a player who would then hold `more` (0 or 1) more of it than now.

    The mean gain a card over the next few copies, whichever is best, the later ones at a discount that grows with the
    number of rivals: so a pair begun is worth something.
    """
    cdef int n = s.held[player][kind] + more - 1, i, limit = rules.copies[kind] - n, types, other
    cdef float best = -100, gain, discount = 1
    if kind == rules.coffee:
        return rules.coffee_points * (negatives(rules, s, player) + 0.4)
    for i in range(1, min(AHEAD, limit) + 1):
        gain = (rules.points[kind][n + i] - rules.points[kind][n]) / <float> i
        best = max(best, gain * discount)
        discount *= <float> (1 - 0.04 * s.players)
    if limit <= 0:
        best = 0
    if rules.at_least_types[kind] or rules.at_most_types[kind]:
        types = bit_count(kinds_held(s, player)) + (n == 0)
        if rules.at_least_types[kind]:
            best *= max(<float> 0.5, 1 - <float> 0.15 * max(0, rules.at_least_types[kind] - types))
        if rules.at_most_types[kind] and types >= rules.at_most_types[kind]:
            best *= <float> 0.7 if types == rules.at_most_types[kind] else 0
    if rules.at_most_cards[kind]:
        best *= <float> 0.45 if s.cards[player] < rules.at_most_cards[kind] else 0
    if rules.fewest_cards[kind]:
        best *= <float> 0.3
    if rules.most[kind]:
        for other in range(s.players):
            if other != player and s.held[other][kind] > n + 1:
                return best
        best += <float> 0.3 * rules.most[kind]
    return best


cdef float item_worth(const Ruleset *rules, const Donuts *s, int player, int item, int more) noexcept nogil:
    if item >= KINDS:       # a frozen Coffee is counted anew when it comes to somebody else
        return rules.coffee_points * (item - KINDS if more == 0 else negatives(rules, s, player))
    return worth(rules, s, player, item, more)


cdef void prior(const void *ruleset, const void *state, int player, const uint16_t *moves, int n,
                float *out) noexcept nogil:
    """Guessed worth of each move to the player, in points: what it brings him and a share of what it costs others."""
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Donuts *s = <const Donuts *> state
    cdef int i, move, other, item
    cdef float share = <float> 1.0 / (s.players - 1)
    for i in range(n):
        move = moves[i]
        out[i] = 0
        if move < MOVE_CRULLER:
            item = s.row[move - MOVE_BID]
            out[i] = worth(rules, s, player, item, 1) + power_worth(rules, s, player, rules.power[item])
        elif move < MOVE_STOP:
            item = s.row[move - MOVE_CRULLER]
            for other in range(s.players):
                out[i] += (1 if other != player else -1) * share * <float> 0.3 * worth(rules, s, other, item, 1)
        elif move == MOVE_STOP + MILK:
            out[i] = -worth(rules, s, player, taken_kind(s), 0)
        elif move < MOVE_KEEP:
            out[i] = 0
        elif move < MOVE_PASS:
            out[i] = worth(rules, s, player, (move - MOVE_KEEP) % KINDS, 1)
        elif move < MOVE_MILK:
            other = player + 1 if player + 1 < s.players else 0
            item = move - MOVE_PASS
            out[i] = -item_worth(rules, s, player, item, 0) - share * item_worth(rules, s, other, item, 1)
        elif move < MOVE_GIVE:
            out[i] = -item_worth(rules, s, player, (move - MOVE_MILK) % ITEMS, 0)
        elif move < MOVE_BEAR:
            other = (move - MOVE_GIVE) // ITEMS
            item = (move - MOVE_GIVE) % ITEMS
            out[i] = -item_worth(rules, s, player, item, 0) - share * item_worth(rules, s, other, item, 1)
        elif move < MOVE_STRAWBERRY:
            other = (move - MOVE_BEAR) // ITEMS
            item = (move - MOVE_BEAR) % ITEMS
            out[i] = item_worth(rules, s, player, item, 1) + share * item_worth(rules, s, other, item, 0)
        else:
            out[i] = share * item_worth(rules, s, (move - MOVE_STRAWBERRY) // ITEMS, (move - MOVE_STRAWBERRY) % ITEMS, 0)

include "donuts_observe.pxi"

# --- table ------------------------------------------------------------------------------------------------------------

cdef Rules RULES = Rules(
    name=b"donuts", version=1, state_size=sizeof(Donuts), num_moves=MOVES, num_outcomes=KINDS,
    start=start, actors=actors, legal=legal, apply=apply, outcomes=outcomes, roll=roll, settle=settle, secrets=secrets,
    hide=hide, resample=resample, key=key, view_key=view_key, score=score, sources=sources, observe=observe,
    playout=playout, prior=prior, reduce=reduce, policy=NULL, evaluate=NULL, bound=NULL, rest=rest)

POWER_NAMES = ("", "chocolate_frosted", "eclair", "french_cruller", "sprinkled", "double_chocolate", "red_velvet",
               "bear_claw", "day_old", "cinnamon_twist", "milk", "strawberry_glazed", "raspberry_frosted")
LIMITS = {"kinds": KINDS, "copies": COPIES - 1, "cards": CARDS, "worths": WORTHS - 1, "returned": RETURNED,
          "players": MAX_PLAYERS, "points": 1000}


def compile(int players, list kinds, bint return_top, bint coffee_final, bint red_velvet_must, bint bear_claw_must):
    """The core game of a checked ruleset.

    kinds: one dict a kind in the order of ids, with copies, points (worth of 0, 1, 2, … cards; the last value goes on),
    power (a name of POWER_NAMES), negative, at_least_types, at_most_types, at_most_cards, fewest_cards, most, tied, and
    coffee (points per negative card, or None). LIMITS bounds the numbers; the face checks them.
    """
    cdef Game game = Game.wrap(&RULES, sizeof(Ruleset), players)
    cdef Ruleset *rules = <Ruleset *> game.ruleset
    cdef int kind, n, i
    rules.players = players
    rules.kinds = len(kinds)
    rules.return_top = return_top
    rules.coffee_final = coffee_final
    rules.red_velvet_must = red_velvet_must
    rules.bear_claw_must = bear_claw_must
    rules.coffee = rules.conditional = rules.majority = NONE
    rules.reducible = players == 2
    for kind, data in enumerate(kinds):
        rules.first[kind] = rules.cards
        rules.copies[kind] = data["copies"]
        for i in range(rules.copies[kind]):
            rules.kind_of[rules.cards + i] = kind
        rules.cards += rules.copies[kind]
        for n in range(COPIES):
            rules.points[kind][n] = data["points"][min(n, <int> len(data["points"]) - 1)]
        rules.power[kind] = POWER_NAMES.index(data["power"])
        rules.returns += rules.copies[kind] if rules.power[kind] == DOUBLE_CHOCOLATE else 0
        rules.negatives |= (<uint32_t> data["negative"]) << kind
        rules.at_least_types[kind] = data["at_least_types"]
        rules.at_most_types[kind] = data["at_most_types"]
        rules.at_most_cards[kind] = data["at_most_cards"]
        rules.fewest_cards[kind] = data["fewest_cards"]
        rules.most[kind] = data["most"]
        rules.tied[kind] = data["tied"]
        if data["coffee"] is not None:
            rules.coffee = kind
            rules.coffee_points = data["coffee"]
        prepare_reduction(rules, kind)
    return game


cdef int gain_of(const Ruleset *rules, int kind, int n, int more) noexcept:
    return rules.points[kind][min(n + more, COPIES - 1)] - rules.points[kind][n]


cdef bint gains_agree(const Ruleset *rules, int kind, int left, int n, int other) noexcept:
    """Whether n and other cards of a kind gain the same points from each number of further cards up to left."""
    cdef int more
    for more in range(1, left + 1):
        if gain_of(rules, kind, n, more) != gain_of(rules, kind, other, more):
            return False
    return True


cdef uint64_t growth_of(const Ruleset *rules, int kind, int left, int n) noexcept:
    """How n cards grow by up to left more: by the same points each, or else like the smallest number that does."""
    cdef int more, other = 0, points = gain_of(rules, kind, n, 1) if left else 0
    cdef bint linear = True
    for more in range(2, left + 1):
        linear = linear and gain_of(rules, kind, n, more) == more * points
    if linear:
        return spread((1 << 24) + points)
    while not gains_agree(rules, kind, left, n, other):
        other += 1
    return spread((1 << 26) + COPIES * kind + other)


cdef void prepare_reduction(Ruleset *rules, int kind):
    """Fill the tables by which `reduce` compares collections, and see whether it understands this kind."""
    cdef int left, n, i
    cdef bint linear = True
    for n in range(COPIES):
        linear = linear and rules.points[kind][n] == n * rules.points[kind][1]
        for left in range(COPIES - n):
            rules.growth[kind][left][n] = growth_of(rules, kind, left, n)
            for i in range(1, left + 1):
                rules.gain[kind][left][n] = max(rules.gain[kind][left][n],
                                                rules.points[kind][min(n + i, COPIES - 1)] - rules.points[kind][n])
                rules.loss[kind][left][n] = min(rules.loss[kind][left][n],
                                                rules.points[kind][min(n + i, COPIES - 1)] - rules.points[kind][n])
    if rules.at_most_types[kind] or rules.at_most_cards[kind] or rules.fewest_cards[kind] or rules.at_least_types[kind]:
        rules.conditions |= (<uint32_t> 1) << kind
    if rules.most[kind] or rules.tied[kind]:
        rules.majorities |= (<uint32_t> 1) << kind
        rules.majority = kind
    if linear:
        rules.each[kind] = rules.points[kind][1]
    else:
        rules.curved |= (<uint32_t> 1) << kind
    rules.powers |= <uint32_t> (rules.power[kind] != NO_POWER) << kind
    rules.acts[kind] = rules.power[kind] != NO_POWER or kind == rules.coffee
    rules.special |= <uint32_t> (kind == rules.majority or rules.at_least_types[kind] > 0) << kind
    rules.power_hash[kind] = spread((1 << 22) + rules.power[kind]) if rules.power[kind] else 0
    rules.worthless = spread(1 << 24)
    if rules.power[kind] <= FRENCH_CRULLER:
        rules.power_kinds[rules.power[kind]] |= (<uint32_t> 1) << kind
        rules.power_unit[kind] = (<uint32_t> 1) << 8 * rules.power[kind]
    if rules.at_least_types[kind]:
        if rules.conditional != NONE or rules.majority == kind:
            rules.reducible = False
        rules.conditional = kind
    if (rules.power[kind] > FRENCH_CRULLER or kind == rules.coffee or rules.at_most_types[kind] or rules.at_most_cards[kind]
            or rules.fewest_cards[kind] or bit_count(rules.majorities) > 1
            or ((rules.at_least_types[kind] or rules.most[kind] or rules.tied[kind]) and not linear)
            or (rules.points[kind][1] < 0 and rules.at_least_types[kind]) or rules.most[kind] < 0):
        rules.reducible = False

# --- files ------------------------------------------------------------------------------------------------------------


def dump(State state not None):
    """What a position says and its other fields do not imply, as plain numbers; `load` reads it back."""
    cdef const Ruleset *rules = <const Ruleset *> state.core.ruleset
    cdef const Donuts *s = <const Donuts *> state.data
    cdef int i, n = s.players, drawn = known_drawn(s)
    return {
        "phase": s.phase, "power": s.power, "actor": s.actor, "place": s.place, "chosen": s.chosen, "deck": s.deck,
        "taken_kind": s.drawn[0] if s.phase == CHOOSE and not drawn else NONE,
        "row": [s.row[i] for i in range(n + 1)],
        "bid": [s.bid[i] for i in range(n)],
        "passed": [s.passed[i] for i in range(n)],
        "held": [[s.held[player][i] for i in range(rules.kinds)] for player in range(n)],
        "coffee": [[s.coffee[player] >> 4 * i & 15 for i in range(WORTHS)] for player in range(n)],
        "top": [(s.top[i], s.top_seen[i]) for i in range(s.tops)],
        "bottom": [(s.bottom[i], s.bottom_seen[i]) for i in range(s.bottoms)],
        "drawn": [(s.drawn[i], s.drawn_seen[i]) for i in range(drawn)],
        "discard": [s.discard[i] for i in range(s.discards)],
        "bag": [bit_count(bag_block(&s.bag, rules.first[i], rules.copies[i])) for i in range(rules.kinds)],
    }


cdef int see(const Ruleset *rules, Donuts *s, int kind) except -1:
    """Take a card out of the bag that lies somewhere to be seen."""
    if kind < rules.kinds:
        if bag_block(&s.bag, rules.first[kind], rules.copies[kind]) == 0:
            raise ValueError(f"too many cards of kind {kind}")
        unbag(rules, s, kind)
    return kind


def load(State state not None, dict data):
    """Overwrite a position with the numbers of `dump`, which the face has checked. Raises ValueError for too many cards."""
    cdef const Ruleset *rules = <const Ruleset *> state.core.ruleset
    cdef Donuts *s = <Donuts *> state.data
    cdef int player, i, n
    start(rules, s)
    s.phase, s.power, s.actor, s.place = data["phase"], data["power"], data["actor"], data["place"]
    s.chosen, s.deck = data["chosen"], data["deck"]
    for i, kind in enumerate(data["row"]):
        if kind != NONE:
            lay(s, i, see(rules, s, kind))
    for player in range(s.players):
        s.bid[player] = data["bid"][player]
        s.passed[player] = data["passed"][player]
        for kind, n in enumerate(data["held"][player]):
            s.held[player][kind] = n
            s.cards[player] += n
            for _ in range(n):
                see(rules, s, kind)
        for i, n in enumerate(data["coffee"][player]):
            s.coffee[player] |= (<uint64_t> n) << 4 * i
    for kind, seen in data["top"]:
        s.top[s.tops], s.top_seen[s.tops] = see(rules, s, kind), seen
        s.tops += 1
    for kind, seen in data["bottom"]:
        s.bottom[s.bottoms], s.bottom_seen[s.bottoms] = see(rules, s, kind), seen
        s.bottoms += 1
    for i, (kind, seen) in enumerate(data["drawn"]):
        s.drawn[i], s.drawn_seen[i] = see(rules, s, kind), seen
    for kind in data["discard"]:
        throw_away(s, see(rules, s, kind))
    if s.phase == BID or s.phase == PASS:
        for player in range(s.players):
            if s.phase == BID and s.bid[player] == NONE or s.phase == PASS and s.cards[player] and s.passed[player] == NONE:
                s.waiting |= 1 << player
    elif s.phase == CHOOSE:
        s.waiting = 1 << s.actor
        if data["taken_kind"] != NONE:
            s.drawn[0] = data["taken_kind"]
    if s.phase not in (REFILL, BID, OVER):
        reveal_bids(s)
        s.empty &= ~(s.taken | s.contested)
