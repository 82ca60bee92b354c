"""Territory, the rules (docs/games/territory.md, whose paragraphs the comments name).

1 to 4 players play a card each at once and in secret, draft in the order of its numbers, and lay it on their own nine cells,
in ascending order; two of the animals become bosses. The sides of the goals and the deck are the only chance: a card is
revealed when somebody first sees it.
"""
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy, memset

from ninefold.core.observe cimport plane, plane_bits, plane_number, plane_one, plane_seats, seat_of, set_bits, set_one
from ninefold.core.rules cimport (
    HIDDEN, MAX_LEGAL, MAX_SOURCES, OPEN, PERFECT, Bag, Game, Hash, Outcome, Rng, Rules, State, Urn, approx_exp,
    bit_count, bit_first, bit_last, bit_select, bytes_below, hash_bytes, hash_fold, hash_start, least_sum, rng_below,
    rng_next, rng_seed, rng_unit, urn_open, urn_take)

include "territory_land.pxi"
include "territory_room.pxi"

# --- cards ------------------------------------------------------------------------------------------------------------

cdef inline uint64_t bit(int card) noexcept nogil:
    return (<uint64_t> 1) << card


cdef inline void lay(const Ruleset *rules, Territory *s, int player, int card, int spot) noexcept nogil:
    cdef uint32_t one = (<uint32_t> 1) << (spot & ~DOWN), up = 0 if spot & DOWN else one
    s.cell[player][spot & ~DOWN] = card
    s.taken[player] |= one
    s.up[player] |= up
    s.land[player] |= up & -(<uint32_t> rules.terrain[card] & 1)
    s.water[player] |= up & -(<uint32_t> rules.terrain[card] >> 1)


cdef inline uint32_t boss_cell(int boss) noexcept nogil:
    """The cell of a marker as a mask, 0 where it is not laid."""
    return 0 if boss == NONE else (<uint32_t> 1) << (boss & ~STAR)


cdef inline uint32_t bonus_left(const Ruleset *rules, const Territory *s) noexcept nogil:
    """Goals and skills that nobody has taken."""
    cdef uint32_t cards = ((<uint32_t> 1) << rules.goals) - 1 | (((<uint32_t> 1) << rules.skills) - 1) << GOALS
    return cards & ~(s.bonus[0] | s.bonus[1] | s.bonus[2] | s.bonus[3])


cdef inline void see(Territory *s, int player, int card) noexcept nogil:
    """A player sees a card: if he gave it back, he knows where it is now. What followed from the last one, he can forget."""
    s.returned[player] &= ~bit(card)
    if s.returned[player] == 0:
        memset(s.met[player], 0, sizeof(s.met[player]))


cdef inline void show(Territory *s, int card) noexcept nogil:
    """All see a card."""
    cdef int player
    for player in range(s.players):
        see(s, player, card)


cdef inline void play_from_hand(Territory *s, int player, int card) noexcept nogil:
    """8: a card played is shown. Of a hidden one it stays open whether it had been kept or drawn: see `kept_left`."""
    cdef int viewer
    s.hand[player] &= ~bit(card)
    if s.origin[card] == 1:
        s.events[player] |= (<uint32_t> 1) << 3 * (s.round - 1)
        for viewer in range(s.players):
            s.met[viewer][player] |= (s.returned[viewer] >> card & 1) << (s.round - 1)
    s.origin[card] = 0
    if s.players > 1:
        show(s, card)


cdef inline bint any_left(const Territory *s) noexcept nogil:
    """12: whether the deck has a card, or will have one when it is needed."""
    return s.left or s.discard


cdef void reshuffle(Territory *s) noexcept nogil:
    """12: the discard pile becomes the deck. Cards drawn from the old one that are still hidden keep its number.

    Numbers are as low as they can be, as nothing else about earlier decks matters: 1 for the first, and then one for each
    that has left a hidden card.
    """
    cdef uint64_t used = 0
    cdef int card, i, player
    if s.players > 1:
        for card in range(CARDS):
            if s.deck >> card & 1:      # a view: somebody holds it
                s.origin[card] = s.pool
            used |= bit(s.origin[card])
        used &= ~<uint64_t> 3
        for card in range(CARDS):
            if s.origin[card] > 1:
                s.origin[card] = 2 + bit_count(used & (bit(s.origin[card]) - 1))
        for i in range(SLOTS):
            if s.slots[i] & 63 > 1:
                s.slots[i] = s.slots[i] & 192 | 2 + bit_count(used & (bit(s.slots[i] & 63) - 1))
        for player in range(s.players):
            for i in range(2):
                if s.drafted[player][i] != NONE and s.drafted[player][i] > UNKNOWN + 1:
                    s.drafted[player][i] = UNKNOWN + 2 + bit_count(used & (bit(s.drafted[player][i] - UNKNOWN) - 1))
        s.pool = 2 + bit_count(used)
    s.deck = s.discard
    s.discard = 0
    s.left = bit_count(s.deck)


cdef inline int next_known(Territory *s) noexcept nogil:
    """The deck's next card if it is known, else NONE: then chance decides. The deck is not empty."""
    cdef int card
    if s.ordered == 0:
        return NONE
    s.ordered -= 1
    s.left -= 1
    card = s.order[s.ordered]
    s.order[s.ordered] = NONE
    return card

# --- start ------------------------------------------------------------------------------------------------------------

cdef void start(const void *ruleset, void *state) noexcept nogil:
    """5, 6: nothing lies anywhere, the sides of the goals are not decided."""
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Territory *s = <Territory *> state
    memset(s, 0, sizeof(Territory))
    s.players = rules.players
    s.deck = rules.all
    s.left = bit_count(s.deck)
    s.pool = rules.players > 1
    s.rounds = rules.rounds
    memset(s.cell, NONE, sizeof(s.cell))
    memset(s.boss, NONE, sizeof(s.boss))
    memset(s.played, NONE, sizeof(s.played))
    memset(s.drafted, NONE, sizeof(s.drafted))
    memset(s.chosen, NONE, sizeof(s.chosen))
    memset(s.spot, NONE, sizeof(s.spot))
    memset(s.declared, NONE, sizeof(s.declared))
    memset(s.order, NONE, sizeof(s.order))
    s.part = NONE
    s.phase = SIDES if rules.goals else DEAL

# --- legal ------------------------------------------------------------------------------------------------------------

cdef inline uint32_t actors(const void *state) noexcept nogil:
    return (<const Territory *> state).waiting


cdef inline int list_cards(uint64_t cards, int base, uint16_t *out) noexcept nogil:
    cdef int n = 0
    while cards:
        out[n] = base + bit_first(cards)
        cards &= cards - 1
        n += 1
    return n


cdef inline uint64_t returnable(const Ruleset *rules, const Territory *s, int player) noexcept nogil:
    """30: cards above those given back, with as many above them as must still be given after.

    None where a view knows too few cards of the hand.
    """
    cdef uint64_t above = s.hand[player]
    cdef int more = rules.hand - rules.keep - s.given - 1, known
    if s.returned[player]:
        above &= ~<uint64_t> 1 << bit_last(s.returned[player])
    if more == 0:
        return above
    known = bit_count(above)
    return above & (bit(bit_select(above, known - more)) - 1) if known > more else 0


cdef inline void places(const Ruleset *rules, const Territory *s, int player, uint32_t *up, uint32_t *down) noexcept nogil:
    """13, 28: the cells where the played card may lie face up, and face down."""
    cdef uint32_t empty = ALL_CELLS & ~s.taken[player]
    up[0] = room(rules, s.cell[player], s.played[player], s.up[player]) & empty
    down[0] = empty if up[0] == 0 or rules.face_down_free else 0


cdef inline uint32_t markers(const Ruleset *rules, const Territory *s, int player) noexcept nogil:
    """16: the declarations open to a player, a mask; 0 where no marker can be laid."""
    cdef uint32_t terrain
    if s.spot[player] >= DOWN:          # face down, or nothing placed
        return 0
    terrain = rules.terrain[s.cell[player][s.spot[player]]]
    return ((0b00111 if terrain & LAND and s.boss[player][0] == NONE else 0)
            | (0b11001 if terrain & WATER and s.boss[player][1] == NONE else 0))


cdef int moves_of_cards(const Ruleset *rules, const Territory *s, int player, uint16_t *out) noexcept nogil:
    """10: the ways to move a card to an empty cell so that all lie in order."""
    cdef uint32_t empty = ALL_CELLS & ~s.taken[player], cards = s.taken[player], cells, up
    cdef int cell, n = 0
    while cards:
        cell = bit_first(cards)
        cards &= cards - 1
        cells = empty
        if s.up[player] >> cell & 1:
            up = s.up[player] & ~((<uint32_t> 1) << cell)
            cells &= room(rules, s.cell[player], s.cell[player][cell], up)
        n += list_cards(cells, MOVE_MOVE + CELLS * cell, out + n)
    return n


cdef int swaps_of_cards(const Ruleset *rules, const Territory *s, int player, uint16_t *out) noexcept nogil:
    """10: the ways to exchange two cards, not both face down, so that all lie in order.

    A cell's own card has no say about what may lie there, so it is enough to take away one card of the two at a time.
    """
    cdef const uint8_t *cell = s.cell[player]
    cdef uint32_t up = s.up[player], cards = s.taken[player], others
    cdef uint32_t cells[CELLS]
    cdef int one, other, n = 0
    while cards:
        one = bit_first(cards)
        cards &= cards - 1
        cells[one] = room(rules, cell, cell[one], up & ~((<uint32_t> 1) << one)) if up >> one & 1 else ALL_CELLS
    cards = s.taken[player]
    while cards:
        one = bit_first(cards)
        cards &= cards - 1
        others = cells[one] & cards & (ALL_CELLS if up >> one & 1 else up)
        while others:
            other = bit_first(others)
            others &= others - 1
            if not cells[other] >> one & 1:
                continue
            if up >> one & up >> other & BEHIND[one] >> other & 1 and cell[other] >= rules.below[cell[one]]:
                continue
            out[n] = MOVE_SWAP + CELLS * one + other
            n += 1
    return n


cdef bint usable(const Ruleset *rules, const Territory *s, int player, int skill, int in_row, int in_all) noexcept nogil:
    """10: whether a skill that a player has may be used now, and could do anything.

    in_row, in_all: the cards of the row, and all that could come from it, the deck and the discard pile.
    """
    cdef uint16_t moves[CELLS * CELLS]
    cdef int effect = rules.skill[skill].effect
    if s.used >> skill & 1 or (rules.skill[skill].uses and s.spent[skill] >= rules.skill[skill].uses):
        return False
    if effect == MOVE_CARD:
        return moves_of_cards(rules, s, player, moves) > 0
    if effect == SWAP_CARDS:
        return swaps_of_cards(rules, s, player, moves) > 0
    if effect == DRAFT_TWICE:
        return s.takes == 1 and in_all > 1
    if effect == REDRAW_ROW:
        return in_row > 0
    return s.players > 1 and s.round < rules.rounds and not s.first >> player & 1


cdef int list_turn(const Ruleset *rules, const Territory *s, int player, uint16_t *out) noexcept nogil:
    """9, 10: what may be done in a turn of the draft."""
    cdef uint32_t skills = s.bonus[player] >> GOALS
    cdef int n = list_cards(s.row, MOVE_TAKE, out), in_row = n
    if any_left(s):
        out[n] = MOVE_TAKE_DECK
        n += 1
    while skills:
        if usable(rules, s, player, bit_first(skills), in_row, in_row + s.left + bit_count(s.discard)):
            out[n] = MOVE_USE + bit_first(skills)
            n += 1
        skills &= skills - 1
    return n


cdef int legal(const void *ruleset, const void *state, int player, uint16_t *out) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Territory *s = <const Territory *> state
    cdef uint32_t up, down
    cdef uint64_t cards
    cdef int n, i
    if not s.waiting >> player & 1:
        return 0
    if s.phase == RETURN:
        return list_cards(returnable(rules, s, player), MOVE_RETURN, out)
    if s.phase == PLAY:
        return list_cards(s.hand[player], MOVE_PLAY, out)
    if s.phase == DRAFT:
        return list_turn(rules, s, player, out)
    if s.phase == PART:
        if rules.skill[s.part].effect == MOVE_CARD:
            return moves_of_cards(rules, s, player, out)
        return swaps_of_cards(rules, s, player, out)
    if s.phase == CHOOSE:
        cards = bit(s.played[player])
        for i in range(2):
            if s.drafted[player][i] < CARDS:
                cards |= bit(s.drafted[player][i])
        return list_cards(cards, MOVE_CHOOSE, out)
    if s.phase == PLACE:
        places(rules, s, player, &up, &down)
        n = list_cards(up, MOVE_PLACE, out)
        return n + list_cards(down, MOVE_PLACE_DOWN, out + n)
    if s.phase == BOSS:
        return list_cards(markers(rules, s, player), MOVE_BOSS, out)
    n = list_cards(bonus_left(rules, s), MOVE_GOAL, out)        # goals, then skills
    if rules.bonus_may:
        out[n] = MOVE_NO_BONUS
        n += 1
    return n

# --- apply ------------------------------------------------------------------------------------------------------------

cdef inline void queue_up(const Ruleset *rules, Territory *s, uint32_t players, uint32_t first) noexcept nogil:
    """9, 17: players in ascending order of their numbers, the lower seat first where equal; those of `first` before all."""
    cdef uint32_t before[SEATS]
    cdef int player, other, rank
    if players == 3 and first == 0:     # the usual case
        s.queue = 1 if rules.number[s.played[1]] < rules.number[s.played[0]] else 1 << 2
        s.queued = 2
        return
    s.queue = s.queued = 0
    for player in range(s.players):
        if players >> player & 1:
            before[player] = rules.number[s.played[player]] + 256 * (not first >> player & 1)
    for player in range(s.players):
        if players >> player & 1:
            rank = 0
            for other in range(s.players):
                if players >> other & 1:
                    rank += before[other] < before[player] or (before[other] == before[player] and other < player)
            s.queue |= player << 2 * rank
            s.queued += 1


cdef inline int turn_of(const Territory *s) noexcept nogil:
    return s.queue & 3


cdef void begin_round(const Ruleset *rules, Territory *s) noexcept nogil:
    """8: everybody who has a card plays one."""
    cdef int player
    if s.round < rules.rounds:
        for player in range(s.players):
            s.waiting |= (s.hand[player] != 0) << player
    if s.waiting:
        s.round += 1
        s.phase = PLAY
    else:
        s.phase = OVER


cdef void begin_draft(const Ruleset *rules, Territory *s) noexcept nogil:
    cdef uint32_t players = 0, first = s.first
    cdef int player
    for player in range(s.players):
        if s.played[player] != NONE:
            players |= (<uint32_t> 1) << player
            play_from_hand(s, player, s.played[player])
    s.first = 0
    queue_up(rules, s, players, first)
    begin_turn(rules, s)


cdef void begin_turn(const Ruleset *rules, Territory *s) noexcept nogil:
    """9: the next turn of the draft; 12: it lapses where there is nothing to take."""
    s.used = 0
    if s.queued and (s.row or any_left(s)):
        s.phase = DRAFT
        s.takes = 1
        s.waiting = 1 << turn_of(s)
    else:
        end_draft(rules, s)


cdef void end_draft(const Ruleset *rules, Territory *s) noexcept nogil:
    """11: what is left is discarded, and the row filled anew."""
    s.takes = s.queue = s.queued = 0
    s.discard |= s.row
    s.row = 0
    s.phase = FILL
    s.fill = rules.width if s.round < rules.rounds else 0
    fill_row(rules, s)


cdef void fill_row(const Ruleset *rules, Territory *s) noexcept nogil:
    """7, 10, 11: turn up what is known; chance decides the rest."""
    while s.fill and any_left(s):
        if s.left == 0:
            reshuffle(s)
        if s.ordered == 0:
            return
        s.row |= bit(next_known(s))
        s.fill -= 1
    s.fill = 0
    if s.phase == REDRAW:
        s.phase = DRAFT
        s.waiting = 1 << turn_of(s)
    elif s.round == 0:
        begin_round(rules, s)
    else:
        begin_placing(rules, s)


cdef void take(const Ruleset *rules, Territory *s, int card, bint hidden) noexcept nogil:
    """9: the card comes into the hand."""
    cdef int player = turn_of(s)
    s.hand[player] |= bit(card)
    if s.round == rules.rounds:
        s.drafted[player][s.drafted[player][0] != NONE] = card
    elif hidden and s.pool == 1:
        s.events[player] += (<uint32_t> 2) << 3 * (s.round - 1)
    if hidden:
        s.origin[card] = s.pool
        see(s, player, card)
    s.used = 255
    s.takes -= 1
    if s.takes and (s.row or any_left(s)):
        s.phase = DRAFT
        s.waiting = 1 << player
    else:
        s.queue >>= 2
        s.queued -= 1
        begin_turn(rules, s)


cdef void exchange(Territory *s, int player, int one, int other) noexcept nogil:
    """10: exchange what lies on two cells, markers and all; one may be empty."""
    cdef int card = s.cell[player][one], i
    s.cell[player][one] = s.cell[player][other]
    s.cell[player][other] = card
    s.taken[player] = exchanged(s.taken[player], one, other)
    s.up[player] = exchanged(s.up[player], one, other)
    s.land[player] = exchanged(s.land[player], one, other)
    s.water[player] = exchanged(s.water[player], one, other)
    for i in range(2):
        if s.boss[player][i] != NONE:
            if s.boss[player][i] & ~STAR == one:
                s.boss[player][i] = s.boss[player][i] & STAR | other
            elif s.boss[player][i] & ~STAR == other:
                s.boss[player][i] = s.boss[player][i] & STAR | one


cdef inline uint32_t exchanged(uint32_t mask, int one, int other) noexcept nogil:
    cdef uint32_t differ = (mask >> one ^ mask >> other) & 1
    return mask ^ (differ << one | differ << other)


cdef inline int spend(const Ruleset *rules, Territory *s, int player, int skill) noexcept nogil:
    """10: a skill is used, and its effect is what it does to the turns; returns the effect."""
    cdef int effect = rules.skill[skill].effect
    s.used |= 1 << skill
    s.spent[skill] += rules.skill[skill].uses > 0
    if effect == DRAFT_TWICE:
        s.takes = 2
    elif effect == DRAFT_FIRST:
        s.first |= 1 << player
    return effect


cdef void use(const Ruleset *rules, Territory *s, int player, int skill) noexcept nogil:
    """10: a skill on one's own turn in the draft."""
    cdef int effect = spend(rules, s, player, skill)
    if effect == REDRAW_ROW:
        s.phase = REDRAW
        s.waiting = 0
        s.fill = bit_count(s.row)
        s.discard |= s.row
        s.row = 0
        fill_row(rules, s)
    elif effect == MOVE_CARD or effect == SWAP_CARDS:
        s.phase = PART
        s.part = skill


cdef void begin_placing(const Ruleset *rules, Territory *s) noexcept nogil:
    """15: in the last round, who has drafted says first what he will place."""
    cdef int player
    if s.round == rules.rounds:
        for player in range(s.players):
            s.waiting |= (s.drafted[player][0] != NONE) << player
    if s.waiting:
        s.phase = CHOOSE
    else:
        ask_places(s)


cdef inline void ask_places(Territory *s) noexcept nogil:
    cdef int player
    s.phase = PLACE
    for player in range(s.players):
        s.waiting |= (s.played[player] != NONE) << player


cdef void choose_all(Territory *s) noexcept nogil:
    """15: shown together; the card not chosen stays in the hand."""
    cdef int player, i
    for player in range(s.players):
        if s.chosen[player] != NONE and s.chosen[player] != s.played[player]:
            s.hand[player] ^= bit(s.chosen[player]) | bit(s.played[player])
            s.played[player] = s.chosen[player]
            s.origin[s.chosen[player]] = 0
            for i in range(2):
                if s.drafted[player][i] == s.chosen[player]:
                    s.drafted[player][i] = NONE
            show(s, s.chosen[player])
    memset(s.chosen, NONE, sizeof(s.chosen))
    ask_places(s)


cdef inline void place_all(const Ruleset *rules, Territory *s) noexcept nogil:
    """13, 16: all lie; then all declare who could make a boss."""
    cdef int player
    for player in range(s.players):
        if s.spot[player] != NONE:
            lay(rules, s, player, s.played[player], s.spot[player])
    for player in range(s.players):
        s.waiting |= (markers(rules, s, player) != 0) << player
    s.phase = BOSS
    if s.waiting == 0:
        end_round(rules, s)


cdef inline void declare_all(const Ruleset *rules, Territory *s) noexcept nogil:
    """16, 17: markers are laid, and who laid one takes a bonus card."""
    cdef int player, declared
    cdef uint32_t players = 0
    for player in range(s.players):
        declared = s.declared[player]
        if declared != NONE and declared:
            s.boss[player][(declared - 1) >> 1] = s.spot[player] | (0 if declared & 1 else STAR)
            players |= (<uint32_t> 1) << player
    memset(s.declared, NONE, sizeof(s.declared))
    queue_up(rules, s, players, 0)
    ask_bonus(rules, s)


cdef inline void ask_bonus(const Ruleset *rules, Territory *s) noexcept nogil:
    if s.queued and bonus_left(rules, s):
        s.phase = BONUS
        s.waiting = 1 << turn_of(s)
    else:
        end_round(rules, s)


cdef inline void end_round(const Ruleset *rules, Territory *s) noexcept nogil:
    s.waiting = s.queue = s.queued = 0
    memset(s.played, NONE, sizeof(s.played))
    memset(s.spot, NONE, sizeof(s.spot))
    begin_round(rules, s)


cdef void return_all(const Ruleset *rules, Territory *s) noexcept nogil:
    """6: when all have given back what is too much, the deck is shuffled; then the row is filled."""
    cdef int player
    s.given += 1
    if s.given < rules.hand - rules.keep:
        s.waiting = (1 << s.players) - 1
        return
    for player in range(s.players):
        s.left += s.given
        s.deck |= s.returned[player]
        if s.players == 1:
            s.returned[player] = 0
    for player in range(CARDS):
        if s.deck >> player & 1:
            s.origin[player] = 0
    s.given = 0
    fill_first(rules, s)


cdef void fill_first(const Ruleset *rules, Territory *s) noexcept nogil:
    s.phase = FILL
    s.fill = rules.width
    fill_row(rules, s)


cdef void deal(const Ruleset *rules, Territory *s, int player, int card) noexcept nogil:
    """6: a card of the first hands."""
    s.hand[player] |= bit(card)
    s.origin[card] = s.pool
    if bit_count(rules.all) - s.left == s.players * rules.hand:
        if rules.hand > rules.keep:
            s.phase = RETURN
            s.waiting = (1 << s.players) - 1
        else:
            fill_first(rules, s)


cdef inline void apply(const void *ruleset, void *state, int player, int move) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Territory *s = <Territory *> state
    cdef int known
    s.waiting ^= 1 << player
    if s.phase == PLAY:
        s.played[player] = move - MOVE_PLAY
        if s.waiting == 0:
            begin_draft(rules, s)
    elif s.phase == DRAFT:
        if move < MOVE_TAKE_DECK:
            s.row &= ~bit(move - MOVE_TAKE)
            take(rules, s, move - MOVE_TAKE, False)
        elif move == MOVE_TAKE_DECK:
            if s.left == 0:
                reshuffle(s)
            known = next_known(s)
            if known == NONE:
                s.phase = DRAW
            else:
                take(rules, s, known, True)
        else:
            s.waiting = 1 << player
            use(rules, s, player, move - MOVE_USE)
    elif s.phase == PLACE:
        s.spot[player] = move - MOVE_PLACE if move < MOVE_PLACE_DOWN else move - MOVE_PLACE_DOWN + DOWN
        if s.waiting == 0:
            place_all(rules, s)
    elif s.phase == BOSS:
        s.declared[player] = move - MOVE_BOSS
        if s.waiting == 0:
            declare_all(rules, s)
    elif s.phase == BONUS:
        if move != MOVE_NO_BONUS:
            s.bonus[player] |= (<uint32_t> 1) << (move - MOVE_GOAL)
        s.queue >>= 2
        s.queued -= 1
        ask_bonus(rules, s)
    elif s.phase == CHOOSE:
        s.chosen[player] = move - MOVE_CHOOSE
        if s.waiting == 0:
            choose_all(s)
    elif s.phase == RETURN:
        s.hand[player] &= ~bit(move - MOVE_RETURN)
        s.returned[player] |= bit(move - MOVE_RETURN)
        if s.waiting == 0:
            return_all(rules, s)
    else:
        known = move - MOVE_MOVE if move < MOVE_SWAP else move - MOVE_SWAP
        exchange(s, player, known // CELLS, known % CELLS)
        s.part = NONE
        s.phase = DRAFT
        s.waiting = 1 << player

# --- chance -----------------------------------------------------------------------------------------------------------

cdef inline bint is_chance(const Territory *s) noexcept nogil:
    return s.waiting == 0 and s.phase != OVER


cdef int outcomes(const void *ruleset, const void *state, Outcome *out) noexcept nogil:
    cdef const Territory *s = <const Territory *> state
    cdef uint64_t cards = s.deck
    cdef int n = 0
    if not is_chance(s):
        return 0
    if s.phase == SIDES:
        for n in range(2):
            out[n].id = OUTCOME_OF_SIDE + 2 * s.decided + n
            out[n].weight = 1
        return 2
    while cards:
        out[n].id = bit_first(cards)
        out[n].weight = 1
        cards &= cards - 1
        n += 1
    return n


cdef inline void settle(const void *ruleset, void *state, int outcome) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Territory *s = <Territory *> state
    cdef int player
    if s.phase == SIDES:
        s.sides |= (outcome & 1) << s.decided
        s.decided += 1
        if s.decided == rules.goals:
            s.phase = DEAL
        return
    s.deck &= ~bit(outcome)
    if s.phase == DEAL:
        player = (bit_count(rules.all) - s.left) // rules.hand
        s.left -= 1
        deal(rules, s, player, outcome)
        return
    s.left -= 1
    if s.phase == DRAW:
        take(rules, s, outcome, True)
    else:
        s.row |= bit(outcome)
        s.fill -= 1
        show(s, outcome)
        fill_row(rules, s)


cdef inline bint roll(const void *ruleset, void *state, Rng *rng) noexcept nogil:
    cdef Territory *s = <Territory *> state
    if not is_chance(s):
        return False
    if s.phase == SIDES:
        settle(ruleset, state, OUTCOME_OF_SIDE + 2 * s.decided + <int> rng_below(rng, 2))
    else:
        settle(ruleset, state, bit_select(s.deck, rng_below(rng, bit_count(s.deck))))
    return True

# --- knowledge --------------------------------------------------------------------------------------------------------

# What a player cannot know (25, 26): choices of others that are not shown yet, what they gave back, and which cards they hold,
# but for those taken from the row. Such a card came from a deck: the first, number 1, or one after a reshuffle, and the
# cards that came from one deck, or lie in it still, are alike to him, with one exception. The cards he gave back himself came
# into the first deck after all had kept theirs, so they are not among the kept ones. Whether a card that somebody played
# had been kept or drawn, nobody else can tell, so what is kept still is not known but has chances: `kept_left`.

cdef int secrets(const void *ruleset, const void *state) noexcept nogil:
    cdef const Territory *s = <const Territory *> state
    cdef int player
    if s.players == 1:
        return PERFECT
    for player in range(s.players):
        if (s.returned[player] or (s.phase == PLAY and s.played[player] != NONE)
                or (s.phase == PLACE and s.spot[player] != NONE) or s.declared[player] != NONE or s.chosen[player] != NONE):
            return HIDDEN
    for player in range(CARDS):
        if s.origin[player]:
            return HIDDEN
    return HIDDEN if s.slots[0] else OPEN


cdef inline void mask_choice(uint8_t *choice) noexcept nogil:
    if choice[0] != NONE:
        choice[0] = SECRET


cdef void hide(const void *ruleset, void *state, int viewer) noexcept nogil:
    cdef Territory *s = <Territory *> state
    cdef uint64_t cards
    cdef int player, card, slots = 0, i
    if s.players == 1:
        return
    while s.slots[slots]:
        slots += 1
    for player in range(s.players):
        if player == viewer:
            continue
        cards = s.hand[player]
        if s.phase == RETURN:
            cards |= s.returned[player]
        while cards:
            card = bit_first(cards)
            cards &= cards - 1
            if s.origin[card] == 0:
                continue
            s.hand[player] &= ~bit(card)
            if s.drafted[player][0] == card:
                s.drafted[player][0] = UNKNOWN + s.origin[card]
            elif s.drafted[player][1] == card:
                s.drafted[player][1] = UNKNOWN + s.origin[card]
            else:       # slots stand in ascending order
                i = slots
                while i and s.slots[i - 1] > (player << 6 | s.origin[card]):
                    s.slots[i] = s.slots[i - 1]
                    i -= 1
                s.slots[i] = player << 6 | s.origin[card]
                slots += 1
            if s.origin[card] == s.pool:
                s.deck |= bit(card)
                s.origin[card] = 0
        s.returned[player] = 0
        memset(s.met[player], 0, sizeof(s.met[player]))
        if s.phase == PLAY:
            mask_choice(&s.played[player])
        elif s.phase == PLACE:
            mask_choice(&s.spot[player])
        mask_choice(&s.chosen[player])
        mask_choice(&s.declared[player])


cdef void take_back(const Ruleset *rules, Territory *s, int viewer) noexcept nogil:
    """Others have to choose again where the viewer does not know what they chose."""
    cdef int player
    for player in range(s.players):
        if player != viewer and not s.waiting >> player & 1:
            if s.phase == RETURN or s.declared[player] == SECRET or s.chosen[player] == SECRET or s.spot[player] == SECRET \
                    or s.played[player] == SECRET:
                s.waiting |= 1 << player
            if s.phase == PLAY:
                s.played[player] = NONE
            elif s.phase == PLACE:
                s.spot[player] = NONE
            s.declared[player] = s.chosen[player] = NONE


cdef int draw_from(uint64_t *cards, Rng *rng) noexcept nogil:
    cdef int card = bit_select(cards[0], rng_below(rng, bit_count(cards[0])))
    cards[0] &= ~bit(card)
    return card


cdef void kept_ways(const Ruleset *rules, const Territory *s, int viewer, int player, int hidden, double *ways) noexcept nogil:
    """For each number of kept cards that a player may still hold, in how many ways his hidden cards can have been played.

    Every hidden card played was one of those kept, or one of those drawn before; one that the viewer had given back was
    drawn. hidden: how many he holds now. A position typed by hand may not say what was played: then all are drawn.
    """
    cdef int held = rules.keep, i, n
    cdef uint32_t events = s.events[player]
    memset(ways, 0, (HANDS + 1) * sizeof(double))
    ways[held] = 1
    for i in range(s.round):
        if events & 1:
            for n in range(rules.keep + 1):
                ways[n] *= held - n
                if n < rules.keep and not s.met[viewer][player] >> i & 1:
                    ways[n] += ways[n + 1] * (n + 1)
            held -= 1
        held += events >> 1 & 3
        events >>= 3
    if held != hidden:
        memset(ways, 0, (HANDS + 1) * sizeof(double))
        ways[0] = 1


cdef int draw_weighted(const double *weight, int n, Rng *rng) noexcept nogil:
    """A number below n, as likely as its weight."""
    cdef double total = 0, x
    cdef int i
    for i in range(n):
        total += weight[i]
    x = rng_unit(rng) * total
    for i in range(n - 1):
        if weight[i] > 0:
            x -= weight[i]
            if x < 0:
                return i
    i = n - 1
    while i and weight[i] == 0:
        i -= 1
    return i


cdef void kept_left(const Ruleset *rules, const Territory *s, int viewer, uint64_t cards, Rng *rng, int *kept) noexcept nogil:
    """How many kept cards each of the others still holds, drawn as likely as it is.

    cards: all that may be where a hidden card of the first deck is. A world is a card for each place; the places of kept
    cards take no card that the viewer gave back, all other places any. So with n kept ones, of all worlds the share
    u/c * (u-1)/(c-1) * … (n factors; c cards, u not given back) is possible.
    """
    cdef double ways[SEATS][HANDS + 1]
    cdef double sums[SEATS + 1][SEATS * HANDS + 1]     # of the first players, by kept cards together
    cdef double choice[SEATS * HANDS + 1]
    cdef double share = 1
    cdef int hidden[SEATS]
    cdef int player, i, n, total, all_cards = bit_count(cards), others = bit_count(cards & ~s.returned[viewer])
    memset(hidden, 0, sizeof(hidden))
    memset(sums, 0, sizeof(sums))
    for i in range(SLOTS):
        if s.slots[i] & 63 == 1:
            hidden[s.slots[i] >> 6] += 1
    sums[0][0] = 1
    for player in range(s.players):
        if player == viewer:
            memset(ways[player], 0, sizeof(ways[player]))
            ways[player][0] = 1
        else:
            kept_ways(rules, s, viewer, player, hidden[player], ways[player])
        for total in range(SEATS * HANDS + 1):
            for n in range(min(total, HANDS) + 1):
                sums[player + 1][total] += ways[player][n] * sums[player][total - n]
    for total in range(SEATS * HANDS + 1):
        choice[total] = sums[<int> s.players][total] * share
        share = share * (others - total) / (all_cards - total) if total < others else 0
    total = draw_weighted(choice, SEATS * HANDS + 1, rng)
    player = s.players
    while player:
        player -= 1
        memset(choice, 0, sizeof(choice))
        for n in range(min(total, HANDS) + 1):
            choice[n] = ways[player][n] * sums[player][total - n]
        kept[player] = draw_weighted(choice, HANDS + 1, rng)
        total -= kept[player]


cdef void guess(const Ruleset *rules, Territory *s, int viewer, int pool, Rng *rng) noexcept nogil:
    """Fill the places of hidden cards that came from one deck."""
    cdef uint64_t cards = 0, kept_cards
    cdef int kept[SEATS]
    cdef int card, i, player
    memset(kept, 0, sizeof(kept))
    if pool == s.pool:
        cards = s.deck
    else:
        for card in range(CARDS):
            cards |= (<uint64_t> (s.origin[card] == pool)) << card
        for player in range(s.players):
            cards &= ~s.hand[player]
    if pool == 1 and s.returned[viewer] & cards and s.phase != RETURN:
        kept_left(rules, s, viewer, cards, rng, kept)
    for i in range(SLOTS):              # kept cards first: they are never any that the viewer gave back
        player = s.slots[i] >> 6
        if s.slots[i] & 63 == pool and kept[player]:
            kept[player] -= 1
            kept_cards = cards & ~s.returned[viewer]
            card = draw_from(&kept_cards, rng)
            cards &= ~bit(card)
            s.hand[player] |= bit(card)
            s.origin[card] = pool
            s.slots[i] = 0
    for i in range(SLOTS):
        if s.slots[i] & 63 == pool:
            card = draw_from(&cards, rng)
            s.hand[s.slots[i] >> 6] |= bit(card)
            s.origin[card] = pool
            s.slots[i] = 0
    for player in range(s.players):
        for i in range(2):
            if s.drafted[player][i] == UNKNOWN + pool:
                card = draw_from(&cards, rng)
                s.hand[player] |= bit(card)
                s.origin[card] = pool
                s.drafted[player][i] = card
    if pool == s.pool:
        s.deck = cards


cdef void resample(const void *ruleset, void *state, int viewer, Rng *rng) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Territory *s = <Territory *> state
    cdef uint64_t pools = 0, low
    cdef int i, player
    if s.players == 1:
        return
    hide(ruleset, state, viewer)
    take_back(rules, s, viewer)
    for i in range(SLOTS):
        pools |= bit(s.slots[i] & 63)
    for player in range(s.players):
        for i in range(2):
            if s.drafted[player][i] >= UNKNOWN and s.drafted[player][i] != NONE:
                pools |= bit(s.drafted[player][i] - UNKNOWN)
    pools &= ~<uint64_t> 1
    while pools:
        guess(rules, s, viewer, bit_first(pools), rng)
        pools &= pools - 1
    if s.phase == RETURN and s.given:   # any of the lowest cards, with as many left above as must still be given
        for player in range(s.players):
            if player != viewer:
                low = s.hand[player] & (bit(bit_select(s.hand[player], rules.keep + s.given)) - 1)
                for _ in range(s.given):
                    s.returned[player] |= bit(draw_from(&low, rng))
                s.hand[player] &= ~s.returned[player]


cdef uint64_t key(const void *ruleset, const void *state) noexcept nogil:
    """Of all that is not implied by the rest."""
    cdef const Territory *s = <const Territory *> state
    cdef Hash hash = hash_start(s.phase)
    cdef int player
    hash_bytes(&hash, &s.deck, 3 * sizeof(uint64_t))
    hash_bytes(&hash, s.hand, s.players * sizeof(uint64_t))
    for player in range(s.players):
        hash_bytes(&hash, s.cell[player], sizeof(s.cell[player]))
    hash_bytes(&hash, s.up, sizeof(s.up))
    hash_bytes(&hash, s.bonus, sizeof(s.bonus))
    hash_bytes(&hash, s.boss, sizeof(s.boss) + 24)      # and what is chosen this round
    hash_bytes(&hash, s.spent, sizeof(s.spent) + 24)    # and where the game stands
    if s.ordered:
        hash_bytes(&hash, s.order, s.ordered + 7 & ~7)
    if s.players > 1 or s.phase == RETURN:
        hash_bytes(&hash, s.returned, s.players * sizeof(uint64_t))
    if s.players > 1:
        hash_bytes(&hash, s.origin, sizeof(s.origin))
        hash_bytes(&hash, s.events, sizeof(s.events))
        hash_bytes(&hash, s.met, s.players * sizeof(s.met[0]))
        if s.slots[0]:
            hash_bytes(&hash, s.slots, sizeof(s.slots))
    return hash_fold(&hash)


cdef uint64_t view_key(const void *ruleset, const void *state, int viewer) noexcept nogil:
    cdef Territory seen
    memcpy(&seen, state, sizeof(Territory))
    hide(ruleset, &seen, viewer)
    return key(ruleset, &seen)

# --- score ------------------------------------------------------------------------------------------------------------

cdef enum Source:           # of points
    FROM_BOSS               # + boss: the stars that a met one scores
    FROM_TERRITORY = FROM_BOSS + 2      # + boss: territory_points
    FROM_LARGEST = FROM_TERRITORY + 2   # the award for the largest territory
    FROM_BONUS              # + goal; then the skills


cdef inline uint32_t territory(const Land *land, int boss) noexcept nogil:
    """18: the cells joined to a boss; the other boss's cell never belongs to it."""
    if land.boss[boss] == 0:
        return 0
    return JOINED[land.on[boss] & ~land.boss[1 - boss]][bit_first(land.boss[boss])]


cdef uint32_t cells_with(const Land *land, uint64_t animals) noexcept nogil:
    cdef uint32_t cells = land.up, found = 0
    while cells:
        found |= <uint32_t> (animals >> land.cell[bit_first(cells)] & 1) << bit_first(cells)
        cells &= cells - 1
    return found


cdef inline uint32_t cells_of_set(const Ruleset *rules, const Land *land, int which) noexcept nogil:
    if which == rules.terrain_set[1]:
        return land.on[0]
    if which == rules.terrain_set[2]:
        return land.on[1]
    if which == rules.terrain_set[3]:
        return land.on[0] & land.on[1]
    return cells_with(land, rules.set[which])


cdef int total_of(const uint8_t *worth, const Land *land, uint32_t cells) noexcept nogil:
    cdef int total = 0
    cells &= land.up
    while cells:
        total += worth[land.cell[bit_first(cells)]]
        cells &= cells - 1
    return total


cdef int run_on(const Ruleset *rules, const Land *land, uint32_t cells) noexcept nogil:
    cdef uint64_t[2] numbers = [0, 0]
    cells &= land.up
    while cells:
        mark(numbers, rules.number[land.cell[bit_first(cells)]])
        cells &= cells - 1
    return longest_run(numbers)


cdef int count_lines(uint32_t cells) noexcept nogil:
    cdef uint32_t rows = cells & cells >> 1 & cells >> 2 & 0b001001001
    return bit_count(rows) + bit_count(cells & cells >> 3 & cells >> 6 & 0b111)


cdef bint holds(const Ruleset *rules, const Side *side, const Land *land) noexcept nogil:
    """20: whether what a goal needs is true of a land. The stub says what each operation does."""
    cdef int32_t stack[STACK]
    cdef int top = -1, i, operation
    cdef int argument
    for i in range(side.length):
        operation = side.program[i].operation
        argument = side.program[i].argument
        if operation <= PUSH_TERRITORY:
            top += 1
            if operation == PUSH_CELLS:
                stack[top] = argument
            elif operation == PUSH_CARDS:
                stack[top] = cells_of_set(rules, land, argument)
            elif operation == PUSH_UP:
                stack[top] = land.up
            elif operation == PUSH_DOWN:
                stack[top] = land.taken & ~land.up
            elif operation == PUSH_EMPTY:
                stack[top] = ALL_CELLS & ~land.taken
            elif operation == PUSH_BOSS:
                stack[top] = land.boss[argument]
            else:
                stack[top] = territory(land, argument)
        elif operation == BOTH_OF:
            top -= 1
            stack[top] &= stack[top + 1]
        elif operation == EITHER_OF:
            top -= 1
            stack[top] |= stack[top + 1]
        elif operation == NOT_OF:
            stack[top] ^= ALL_CELLS
        elif operation == BESIDE:
            stack[top] = beside(stack[top])
        elif operation == COUNT:
            stack[top] = bit_count(stack[top])
        elif operation == LINES:
            stack[top] = count_lines(stack[top])
        elif operation == DIAGONALS:
            stack[top] = (stack[top] & 0b100010001 == 0b100010001) + (stack[top] & 0b001010100 == 0b001010100)
        elif operation == GROUP:
            stack[top] = LARGEST[stack[top]]
        elif operation == RUN:
            stack[top] = run_on(rules, land, stack[top])
        elif operation == SUM:
            stack[top] = total_of(rules.number, land, stack[top])
        elif operation == STARS:
            stack[top] = total_of(rules.stars, land, stack[top])
        elif operation == AT_LEAST:
            stack[top] = stack[top] >= argument
        elif operation == AT_MOST:
            stack[top] = stack[top] <= argument
        else:
            stack[top] = stack[top] == argument
    return stack[0] != 0


cdef inline void look(const Territory *s, int player, Land *land) noexcept nogil:
    land.cell = s.cell[player]
    land.up = s.up[player]
    land.taken = s.taken[player]
    land.on[0] = s.land[player]
    land.on[1] = s.water[player]
    land.boss[0] = boss_cell(s.boss[player][0])
    land.boss[1] = boss_cell(s.boss[player][1])


cdef inline int bonus_points(const Ruleset *rules, const Territory *s, int player, const Land *land,
                             int32_t *parts) noexcept nogil:
    """20: goals taken that hold, skills taken. `parts`: of each goal and each skill, to be added to, or NULL."""
    cdef uint32_t cards = s.bonus[player]
    cdef const Side *side
    cdef int card, worth, points = 0
    while cards:
        card = bit_first(cards)
        cards &= cards - 1
        worth = 0
        if card >= GOALS:
            worth = rules.skill[card - GOALS].points
            card += rules.goals - GOALS
        else:
            side = &rules.side[card][s.sides >> card & 1]
            if holds(rules, side, land):
                worth = side.points
        points += worth
        if parts != NULL:
            parts[card] += worth
    return points


cdef inline void tally(const Ruleset *rules, const Territory *s, int32_t *points, int32_t *tiebreak,
                       int32_t *parts) noexcept nogil:
    """Points and tie-breaks, and, unless NULL, where the points come from, to be added to: see `Source`."""
    cdef Land land
    cdef int largest[SEATS]
    cdef int player, boss, card, size, demand, most = 1, sharers = 0
    cdef int32_t *own = NULL
    for player in range(s.players):
        look(s, player, &land)
        if parts != NULL:
            own = parts + player * MAX_SOURCES
        points[player] = bonus_points(rules, s, player, &land, own + <int> FROM_BONUS if parts != NULL else NULL)
        tiebreak[player] = 0 if s.boss[player][0] == NONE or s.boss[player][1] == NONE else 255
        largest[player] = 0
        for boss in range(2):
            if s.boss[player][boss] == NONE:
                continue
            card = s.cell[player][s.boss[player][boss] & ~STAR]
            tiebreak[player] = min(tiebreak[player], <int32_t> rules.number[card])
            size = bit_count(territory(&land, boss))
            largest[player] = max(largest[player], size)
            demand = rules.stars[card] + (s.boss[player][boss] >= STAR)
            if size >= demand:
                points[player] += demand + (size if rules.territory_points else 0)
                if parts != NULL:
                    own[FROM_BOSS + boss] += demand
                    own[FROM_TERRITORY + boss] += size if rules.territory_points else 0
        most = max(most, largest[player])
    if s.players == 1:
        return
    for player in range(s.players):
        sharers += largest[player] == most
    for player in range(s.players):
        if largest[player] == most:
            points[player] += rules.largest[sharers - 1]
            if parts != NULL:
                parts[player * MAX_SOURCES + <int> FROM_LARGEST] += rules.largest[sharers - 1]


cdef void score(const void *ruleset, const void *state, int32_t *points, int32_t *tiebreak) noexcept nogil:
    """18 to 23: bosses, goals, skills and the largest territory; tie: the larger smaller boss number."""
    tally(<const Ruleset *> ruleset, <const Territory *> state, points, tiebreak, NULL)


cdef int sources(const void *ruleset, const void *state, int32_t *out) noexcept nogil:
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef const Territory *s = <const Territory *> state
    cdef int32_t points[SEATS]
    cdef int32_t tiebreak[SEATS]
    memset(out, 0, s.players * MAX_SOURCES * sizeof(int32_t))
    tally(rules, s, points, tiebreak, out)
    return FROM_BONUS + rules.goals + rules.skills

# --- playout ----------------------------------------------------------------------------------------------------------

cdef enum:
    HELD = 32               # cards of a hand

ctypedef struct Table:      # the cards of a random game, as lists from which any is taken in no time
    Urn deck
    uint8_t pile[CARDS + ROW]
    uint8_t row[ROW]
    uint8_t hand[SEATS][HELD]
    uint8_t held[SEATS]
    uint8_t in_pile
    uint8_t in_row


cdef inline int list_of(uint64_t cards, uint8_t *out) noexcept nogil:
    cdef int n = 0
    while cards:
        out[n] = bit_first(cards)
        cards &= cards - 1
        n += 1
    return n


cdef inline int draw(Territory *s, Table *table, Rng *rng) noexcept nogil:
    """The next card of the deck, which with the pile is not empty."""
    if s.ordered:
        s.ordered -= 1
        return s.order[s.ordered]
    if table.deck.count == 0:
        memcpy(table.deck.card, table.pile, table.in_pile)
        table.deck.count = table.in_pile
        table.in_pile = 0
    return urn_take(&table.deck, rng_below(rng, table.deck.count))


cdef inline int in_stock(const Territory *s, const Table *table) noexcept nogil:
    """Cards in deck and pile."""
    return s.ordered + table.deck.count + table.in_pile


cdef inline void discard_row(Table *table) noexcept nogil:
    memcpy(table.pile + table.in_pile, table.row, ROW)
    table.in_pile += table.in_row
    table.in_row = 0


cdef void turn_up(Territory *s, Table *table, int n, Rng *rng) noexcept nogil:
    while n and in_stock(s, table):
        table.row[table.in_row] = draw(s, table, rng)
        table.in_row += 1
        n -= 1


cdef void use_randomly(const Ruleset *rules, Territory *s, Table *table, int player, int skill, Rng *rng) noexcept nogil:
    cdef uint16_t moves[CELLS * CELLS]
    cdef int effect = spend(rules, s, player, skill), move, n
    if effect == REDRAW_ROW:
        n = table.in_row
        discard_row(table)
        turn_up(s, table, n, rng)
    elif effect == MOVE_CARD or effect == SWAP_CARDS:
        n = moves_of_cards(rules, s, player, moves) if effect == MOVE_CARD else swaps_of_cards(rules, s, player, moves)
        move = moves[rng_below(rng, n)] - (MOVE_MOVE if effect == MOVE_CARD else MOVE_SWAP)
        exchange(s, player, move // CELLS, move % CELLS)


cdef inline void draft_randomly(const Ruleset *rules, Territory *s, Table *table, int player, Rng *rng) noexcept nogil:
    """9, 10: one turn."""
    cdef uint32_t skills
    cdef int n, choice, card, all_cards
    cdef int skill[SKILLS]
    s.used = 0
    s.takes = 1
    while s.takes:
        all_cards = table.in_row + in_stock(s, table)
        if all_cards == 0:
            return
        n = table.in_row + (all_cards > table.in_row)
        choice = n
        skills = s.bonus[player] >> GOALS
        if s.used != 255:
            while skills:
                if usable(rules, s, player, bit_first(skills), table.in_row, all_cards):
                    skill[n - choice] = bit_first(skills)
                    n += 1
                skills &= skills - 1
        n = rng_below(rng, n) - choice
        if n >= 0:
            use_randomly(rules, s, table, player, skill[n], rng)
            continue
        n += choice
        if n < table.in_row:
            card = table.row[n]
            table.in_row -= 1
            table.row[n] = table.row[table.in_row]
        else:
            card = draw(s, table, rng)
        if s.round == rules.rounds:
            s.drafted[player][s.drafted[player][0] != NONE] = card
        else:
            table.hand[player][table.held[player]] = card
            table.held[player] += 1
        s.takes -= 1
        s.used = 255


cdef inline void place_randomly(const Ruleset *rules, Territory *s, int player, Rng *rng) noexcept nogil:
    """13, 28, without a branch on whether the card fits, which nobody can predict."""
    cdef uint32_t empty = ALL_CELLS & ~s.taken[player]
    cdef uint32_t up = room(rules, s.cell[player], s.played[player], s.up[player]) & empty
    cdef uint32_t down = 0 if up else empty
    cdef int n
    if rules.face_down_free:
        n = rng_below(rng, bit_count(up) + bit_count(empty))
        down = 0 if n < bit_count(up) else empty
        s.spot[player] = nth_cell(empty, n - bit_count(up)) + DOWN if down else nth_cell(up, n)
    else:
        s.spot[player] = nth_cell(up | down, rng_below(rng, bit_count(up | down))) + (DOWN if down else 0)
    lay(rules, s, player, s.played[player], s.spot[player])


cdef inline void round_randomly(const Ruleset *rules, Territory *s, Table *table, uint32_t players, Rng *rng) noexcept nogil:
    """8 to 17: everything but the playing of cards, which `s.played` says already."""
    cdef uint32_t left = players, declarations
    cdef int player, declared
    queue_up(rules, s, players, s.first)
    s.first = 0
    while s.queued:
        draft_randomly(rules, s, table, s.queue & 3, rng)
        s.queue >>= 2
        s.queued -= 1
    discard_row(table)
    if s.round < rules.rounds:
        turn_up(s, table, rules.width, rng)
    players = 0
    while left:
        player = bit_first(left)
        left &= left - 1
        if s.drafted[player][0] != NONE:        # 15
            declared = rng_below(rng, 2 + (s.drafted[player][1] != NONE))
            if declared:
                s.played[player] = s.drafted[player][declared - 1]
        place_randomly(rules, s, player, rng)
        declarations = markers(rules, s, player)
        if declarations:
            declared = nth_cell(declarations, rng_below(rng, bit_count(declarations)))
            if declared:
                s.boss[player][(declared - 1) >> 1] = s.spot[player] | (0 if declared & 1 else STAR)
                players |= (<uint32_t> 1) << player
    if players:
        queue_up(rules, s, players, 0)
        while s.queued:
            left = bonus_left(rules, s)
            declared = bit_count(left)
            if declared:
                declared = rng_below(rng, declared + rules.bonus_may)
                if declared < bit_count(left):
                    s.bonus[s.queue & 3] |= (<uint32_t> 1) << bit_select(left, declared)
            s.queue >>= 2
            s.queued -= 1


cdef void deal_randomly(const Ruleset *rules, Territory *s, Table *table, Rng *rng) noexcept nogil:
    """6, 7, 30: deal, give back in ascending order as one card after the other may be, and turn up the row."""
    cdef uint64_t hand
    cdef uint8_t card[HANDS]
    cdef uint8_t back[SEATS * HANDS]
    cdef int player, i, next_back, backs = 0, more
    for player in range(s.players):
        hand = 0
        for _ in range(rules.hand):
            hand |= bit(draw(s, table, rng))
        list_of(hand, card)
        more = rules.hand - rules.keep      # still to be given back; `next_back` is the place of the next one
        next_back = rng_below(rng, rules.keep + 1) if more else HANDS
        for i in range(rules.hand):
            if i == next_back:
                back[backs] = card[i]
                backs += 1
                more -= 1
                next_back = i + 1 + rng_below(rng, rules.hand - more - i) if more else HANDS
            else:
                table.hand[player][table.held[player]] = card[i]
                table.held[player] += 1
    memcpy(table.deck.card + table.deck.count, back, backs)
    table.deck.count += backs
    turn_up(s, table, rules.width, rng)
    s.round = 1


cdef void playout(const void *ruleset, void *state, Rng *rng) noexcept nogil:
    """Uniformly random moves to the end: step by step to the beginning of a round, then with the cards in lists.

    Of the position that is left only what scores is right.
    """
    cdef const Ruleset *rules = <const Ruleset *> ruleset
    cdef Territory *s = <Territory *> state
    cdef uint16_t moves[MAX_LEGAL]
    cdef Table table
    cdef Bag bag
    cdef Rng own
    cdef uint32_t players
    cdef int player, n
    cdef bint fresh
    if s.phase == SIDES:
        s.sides |= (rng_next(rng) & (bit(rules.goals - s.decided) - 1)) << s.decided
        s.phase = DEAL
    fresh = s.phase == DEAL and s.ordered == 0 and s.left == bit_count(rules.all)
    while not fresh and (s.phase != PLAY or s.played[0] & s.played[1] & s.played[2] & s.played[3] != NONE):
        if s.waiting:
            player = bit_first(s.waiting)
            n = legal(rules, s, player, moves)
            apply(rules, s, player, moves[rng_below(rng, n)])
        elif not roll(rules, s, rng):
            return
    own = rng[0]                        # a copy that no store into the state can touch stays in a register
    bag.word[0] = s.deck
    bag.word[1] = 0
    urn_open(&table.deck, &bag)
    table.in_pile = list_of(s.discard, table.pile)
    table.in_row = list_of(s.row, table.row)
    for player in range(s.players):
        table.held[player] = list_of(s.hand[player], table.hand[player])
    if fresh:
        deal_randomly(rules, s, &table, &own)
    while True:
        players = 0
        for player in range(s.players):
            if table.held[player]:
                players |= (<uint32_t> 1) << player
                n = rng_below(&own, table.held[player])
                s.played[player] = table.hand[player][n]
                table.held[player] -= 1
                table.hand[player][n] = table.hand[player][table.held[player]]
            else:
                s.played[player] = NONE
        round_randomly(rules, s, &table, players, &own)
        if s.round == rules.rounds:
            break
        s.round += 1
    s.phase = OVER
    s.waiting = 0
    rng[0] = own


def placements(Game game not None, long n, uint64_t seed):
    """Lay nine random cards on each of two lands, by turns, n times, to time it. Returns how many of them lie face up.

    Each card lies on a random one of the cells where it can lie. Runs without the GIL and does not look up in between.
    """
    cdef const Ruleset *rules
    cdef Territory s
    cdef Urn deck, urn
    cdef Bag bag
    cdef Rng rng
    cdef long total = 0
    cdef int player
    if game.table.rules != &RULES:
        raise ValueError(f"{game.name} has no placements")
    rules = <const Ruleset *> game.ruleset
    rng_seed(&rng, seed, 0)
    bag.word[0] = rules.all
    bag.word[1] = 0
    urn_open(&deck, &bag)
    with nogil:
        start(rules, &s)
        for _ in range(n):
            urn = deck
            for player in range(2):
                s.up[player] = s.taken[player] = s.land[player] = s.water[player] = 0
            for _ in range(CELLS):
                for player in range(2):
                    s.played[player] = urn_take(&urn, rng_below(&rng, urn.count))
                    place_randomly(rules, &s, player, &rng)
            total += bit_count(s.up[0]) + bit_count(s.up[1])
    return total


cdef int rest(const void *state) noexcept nogil:
    """Questions to come of the course of a round, at most four of each: play, draft, place, declare."""
    cdef const Territory *s = <const Territory *> state
    if s.phase == OVER:
        return 0
    return 4 * (s.rounds - s.round) + (4 if s.phase <= PLAY else 3 if s.phase <= PART else 2 if s.phase <= PLACE else 1)

include "../fading.pxi"
include "territory_prior.pxi"

include "territory_observe.pxi"

# --- table ------------------------------------------------------------------------------------------------------------

cdef Rules RULES = Rules(
    name=b"territory", version=1, state_size=sizeof(Territory), num_moves=MOVES_IN_ALL, num_outcomes=OUTCOMES,
    start=start, actors=actors, legal=legal, apply=apply, outcomes=outcomes, roll=roll, settle=settle, secrets=secrets,
    hide=hide, resample=resample, key=key, view_key=view_key, score=score, sources=sources, observe=observe,
    playout=playout, prior=prior, reduce=NULL, policy=policy, evaluate=NULL, bound=NULL, rest=rest)

MOVES = {
    "return": MOVE_RETURN, "play": MOVE_PLAY, "take": MOVE_TAKE, "take deck": MOVE_TAKE_DECK, "use": MOVE_USE,
    "move": MOVE_MOVE, "swap": MOVE_SWAP, "choose": MOVE_CHOOSE, "place": MOVE_PLACE, "place down": MOVE_PLACE_DOWN,
    "boss": MOVE_BOSS, "bonus goal": MOVE_GOAL, "bonus skill": MOVE_SKILL, "no bonus": MOVE_NO_BONUS}
OUTCOME_SIDE = OUTCOME_OF_SIDE
EFFECTS = ("move", "swap", "draft twice", "redraw row", "draft first")
OPERATIONS = ("cells", "cards", "up", "down", "empty", "boss", "territory", "and", "or", "not", "beside", "count", "lines",
              "diagonals", "group", "run", "sum", "stars", "at least", "at most", "exactly")
PHASES = ("sides", "deal", "return", "fill", "play", "draft", "redraw", "draw", "part", "choose", "place", "boss", "bonus",
          "over")
LIMITS = {"players": SEATS, "rounds": CELLS, "hand": HANDS, "row": ROW, "animals": CARDS, "goals": GOALS, "skills": SKILLS,
          "number": 99, "stars": 9, "uses": 9, "points": 99, "operations": LENGTH, "stack": STACK}


def compile(int players, int rounds, int hand, int keep, int row, list largest, list animals, list goals, list skills,
            bint territory_points, bint face_down_free, bint bonus_may):
    """The core game of a checked ruleset; the stub says what each argument holds, LIMITS what bounds it.

    Raises ValueError for animals that do not ascend, and for a condition that cannot be evaluated.
    """
    cdef Game game = Game.wrap(&RULES, sizeof(Ruleset), players)
    cdef Ruleset *rules = <Ruleset *> game.ruleset
    cdef int i, card
    sets = {}
    numbers = [animal["number"] for animal in animals]
    if numbers != sorted(numbers) or not players * hand <= len(numbers) <= CARDS:
        raise ValueError("the animals' numbers must ascend, and be enough for all hands")
    rules.players, rules.rounds, rules.hand, rules.keep, rules.width = players, rounds, hand, keep, row
    rules.goals, rules.skills = len(goals), len(skills)
    rules.territory_points, rules.face_down_free, rules.bonus_may = territory_points, face_down_free, bonus_may
    for i in range(SEATS):
        rules.largest[i] = largest[i]
    for card, animal in enumerate(animals):
        rules.all |= bit(card)
        rules.number[card] = animal["number"]
        rules.terrain[card] = 1 + ("land", "water", "both").index(animal["terrain"])
        rules.stars[card] = animal["stars"]
        rules.below[card] = numbers.index(animal["number"])
        rules.upto[card] = rules.below[card] + numbers.count(animal["number"])
    prepare_guesses(rules, len(animals))
    for i, sides in enumerate(goals):
        for card, side in enumerate(sides):
            compile_side(rules, &rules.side[i][card], side["points"], side["program"], sets)
    for i, skill in enumerate(skills):
        rules.skill[i].effect = EFFECTS.index(skill["effect"])
        rules.skill[i].points = skill["points"]
        rules.skill[i].uses = skill["uses"]
    for i in range(1, 4):
        rules.terrain_set[i] = sets.get(sum(1 << n for n in range(len(animals)) if rules.terrain[<int> n] & i == i), -1)
    return game


cdef int compile_side(Ruleset *rules, Side *side, int points, list program, dict sets) except -1:
    """One side of a goal; `sets` numbers the sets of animals that were named so far."""
    cdef int i, operation, depth = 0
    if not 1 <= len(program) <= LENGTH:
        raise ValueError(f"a condition has 1 to {LENGTH} operations, not {len(program)}")
    side.points = points
    side.length = len(program)
    for i, (name, argument) in enumerate(program):
        operation = OPERATIONS.index(name)
        depth += 1 if operation <= PUSH_TERRITORY else -1 if operation <= EITHER_OF else 0
        if not 1 <= depth <= STACK:
            raise ValueError(f"operation {i}, {name!r}, leaves {depth} values, not 1 to {STACK}")
        if operation == PUSH_CARDS:
            if argument not in sets:
                if len(sets) == SETS:
                    raise ValueError(f"more than {SETS} sets of animals")
                rules.set[len(sets)] = argument
                sets[argument] = len(sets)
            argument = sets[argument]
        side.bosses |= operation == PUSH_BOSS or operation == PUSH_TERRITORY
        side.program[i].operation = operation
        side.program[i].argument = argument
    if depth != 1:
        raise ValueError(f"the condition leaves {depth} values, not 1")
    return 0

# --- files ------------------------------------------------------------------------------------------------------------


cdef list cards_of(uint64_t cards):
    return [card for card in range(CARDS) if cards >> card & 1]


def dump(State state not None):
    """What a position says and its other fields do not imply, as plain numbers; `load` reads it back."""
    cdef const Ruleset *rules = <const Ruleset *> state.core.ruleset
    cdef const Territory *s = <const Territory *> state.data
    cdef int i, n = s.players
    cdef uint64_t hands = s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3] | s.returned[0] * (s.phase == RETURN)
    hands |= (s.returned[1] | s.returned[2] | s.returned[3]) * (s.phase == RETURN)
    return {
        "phase": s.phase, "round": s.round, "decided": s.decided, "sides": s.sides, "given": s.given, "fill": s.fill,
        "left": s.left, "deck": cards_of(s.deck), "order": [s.order[s.ordered - 1 - i] for i in range(s.ordered)],
        "discard": cards_of(s.discard), "row": cards_of(s.row), "waiting": s.waiting,
        "queue": [s.queue >> 2 * i & 3 for i in range(s.queued)], "takes": s.takes, "used": s.used, "part": s.part,
        "first": s.first, "spent": [s.spent[i] for i in range(rules.skills)], "pool": s.pool,
        "older": [(card, s.origin[card]) for card in range(CARDS) if s.origin[card] and not hands >> card & 1],
        "player": [{
            "hand": [(card, s.origin[card]) for card in cards_of(s.hand[player])],
            "hidden": [s.slots[i] & 63 for i in range(SLOTS) if s.slots[i] and s.slots[i] >> 6 == player],
            "returned": cards_of(s.returned[player]),
            "played": s.played[player], "drafted": [s.drafted[player][0], s.drafted[player][1]],
            "chosen": s.chosen[player], "spot": s.spot[player], "declared": s.declared[player],
            "cells": [s.cell[player][i] for i in range(CELLS)], "up": s.up[player],
            "boss": [s.boss[player][0], s.boss[player][1]],
            "goals": s.bonus[player] & (1 << GOALS) - 1, "skills": s.bonus[player] >> GOALS,
            "events": [(s.events[player] >> 3 * i & 1, s.events[player] >> 3 * i + 1 & 3) for i in range(s.round)],
            "met": [s.met[player][i] for i in range(n)],
        } for player in range(n)],
    }


cdef uint64_t gather(cards, uint64_t *all_cards) except? 0:
    """A set of animals, none of which was anywhere else so far."""
    cdef uint64_t found = 0
    for card in cards:
        if not 0 <= card < CARDS or all_cards[0] >> card & 1:
            raise ValueError(f"animal {card} is at two places, or there is no such animal")
        found |= bit(card)
        all_cards[0] |= bit(card)
    return found


def load(State state not None, dict data):
    """Overwrite a position with the numbers of `dump`, which the face has checked.

    Raises ValueError for an animal that is at two places, and for more hidden cards than there are animals for them.
    """
    cdef const Ruleset *rules = <const Ruleset *> state.core.ruleset
    cdef Territory *s = <Territory *> state.data
    cdef uint64_t found = 0
    cdef int i, player, slots = 0
    start(rules, s)
    s.phase, s.round, s.decided, s.sides, s.given = data["phase"], data["round"], data["decided"], data["sides"], data["given"]
    s.fill, s.left, s.waiting, s.takes, s.used = data["fill"], data["left"], data["waiting"], data["takes"], data["used"]
    s.part, s.first, s.pool, s.queued = data["part"], data["first"], data["pool"], len(data["queue"])
    s.deck, s.discard = gather(data["deck"], &found), gather(data["discard"], &found)
    s.row = gather(data["row"], &found)
    gather(data["order"], &found)
    for card in reversed(data["order"]):
        s.order[s.ordered] = card
        s.ordered += 1
    for i, player in enumerate(data["queue"]):
        s.queue |= player << 2 * i
    for i, n in enumerate(data["spent"]):
        s.spent[i] = n
    gather([card for card, _ in data["older"]], &found)
    for card, pool in data["older"]:
        s.origin[card] = pool
    for player, one in enumerate(data["player"]):
        s.hand[player] = gather([card for card, _ in one["hand"]], &found)
        for card, pool in one["hand"]:
            s.origin[card] = pool
        for pool in sorted(one["hidden"]):
            if slots == SLOTS:
                raise ValueError(f"more than {SLOTS} hidden cards")
            s.slots[slots] = player << 6 | <int> pool
            slots += 1
        for card in one["returned"]:
            s.returned[player] |= bit(card)
        if s.phase == RETURN:
            gather(one["returned"], &found)
            for card in one["returned"]:
                s.origin[card] = s.pool
        s.played[player], s.chosen[player], s.spot[player] = one["played"], one["chosen"], one["spot"]
        s.declared[player] = one["declared"]
        for i in range(2):
            s.drafted[player][i] = one["drafted"][i]
            s.boss[player][i] = one["boss"][i]
        if s.played[player] != NONE and s.phase != PLAY and s.phase < BOSS:
            gather([s.played[player]], &found)
        gather([card for card in one["cells"] if card != NONE], &found)
        for i, card in enumerate(one["cells"]):
            if card != NONE:
                lay(rules, s, player, card, i if one["up"] >> i & 1 else i + DOWN)
        s.bonus[player] = one["goals"] | one["skills"] << GOALS
        for i, (played, drawn) in enumerate(one["events"]):
            s.events[player] |= <uint32_t> (played | drawn << 1) << 3 * i
        for i, rounds in enumerate(one["met"]):
            s.met[player][i] = rounds
    if found & ~rules.all:
        raise ValueError("there is an animal that is not in the ruleset")
    check_hidden(s)


cdef int check_hidden(const Territory *s) except -1:
    """There must be an animal for each hidden card of each deck."""
    cdef int pool, n, i, player
    cdef uint64_t hands = s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3]
    for pool in range(1, 64):
        n = 0
        for i in range(SLOTS):
            n += s.slots[i] & 63 == pool
        for player in range(SEATS):
            for i in range(2):
                n += s.drafted[player][i] == UNKNOWN + pool
        if pool == s.pool:
            n -= bit_count(s.deck)
        else:
            for i in range(CARDS):
                n -= s.origin[i] == pool and not hands >> i & 1
        if n > 0:
            raise ValueError(f"{n} more hidden cards than animals that could be there")
    return 0
