# --- a plan as moves of the engine ---------------------------------------------------------------------------------------

cdef class Replay:
    """Finds moves that follow a plan turn by turn: the nameless cards and the kinds of open resources get identities."""
    cdef OpenSolver solver
    cdef Open *o
    cdef Node *path
    cdef int turns
    cdef int score
    cdef set failed             # positions between turns from which the rest of the plan cannot be followed
    cdef set met                # positions within the present turn
    cdef list found

    def __cinit__(self, OpenSolver solver, int score):
        self.score = score
        self.solver = solver
        self.o = &solver.o
        self.path = solver.o.path
        self.turns = solver.o.given.left
        self.failed = set()
        self.found = []

    def moves(self):
        cdef State state = self.solver.state.copy()
        if not self.set_up(state) or not self.follow(state, 0):
            if self.o.rules.limited:
                raise ValueError("the solver of open puzzles knows no supply that runs out")
            raise RuntimeError("a plan cannot be played: this is a defect of the solver of open puzzles")
        return list(self.found)

    cdef bint set_up(self, State state) except -1:
        """The discards of the set-up: the last cards that the plan has no use for."""
        cdef const Coney *s = <const Coney *> state.data
        cdef Node *first = self.path
        cdef int i, card
        if not self.o.discards:
            return True
        waste = []
        for card in range(self.o.rules.cards):
            if s.hand[0].word[card >> 6] >> (card & 63) & 1 and card >= self.o.low and not named(first, card):
                waste.append(card)
        for card in waste[len(waste) - self.o.discards:]:
            move = MOVES["discard"] + card
            if move not in state.legal(0):
                return False
            state.apply(0, move)
            self.found.append(move)
        return True

    cdef bint follow(self, State state, int turn) except -1:
        """Moves for the turns from this one on, appended to `found`."""
        cdef int before = len(self.found)
        if turn == self.turns:
            return state.score()[0][0] >= self.score
        key = state.key()
        if key in self.failed:
            return False
        met, self.met = self.met, set()
        done = self.play(state, turn)
        self.met = met
        if not done:
            del self.found[before:]
            self.failed.add(key)
        return done

    cdef bint play(self, State state, int turn) except -1:
        """The same from within a turn."""
        cdef const Coney *s = <const Coney *> state.data
        cdef State after
        cdef uint16_t legal[MAX_LEGAL]
        cdef int i, n
        if (s.phase == ACTION or s.phase == OVER) and (
                s.turn == self.o.rules.turns - self.path[turn + 1].left):
            return self.arrives(s, self.path + turn + 1) and self.follow(state, turn + 1)
        if s.waiting == 0:
            return False                # chance: the order has ended
        key = state.key()
        if key in self.met:
            return False
        self.met.add(key)
        n = self.solver.state.core.table.rules.legal(self.solver.state.core.table.ruleset, state.data, 0, legal)
        for i in range(n):
            if not self.serves(s, legal[i], self.path + turn + 1):
                continue
            after = state.copy()
            after.apply(0, legal[i])
            self.found.append(<int> legal[i])
            if self.play(after, turn):
                return True
            self.found.pop()
        return False

    cdef bint serves(self, const Coney *s, int move, const Node *target) noexcept:
        """Whether a move may lead to the next position of the plan."""
        cdef int card, cell
        if move < MOVE_DONE:
            return move == target.last
        if move < MOVE_KEEP:
            return True
        if move >= MOVE_LAY:
            card = (move - MOVE_LAY) // PLACES
            cell = (move - MOVE_LAY) % PLACES
            cell = 3 * (cell // 5 - 2) + cell % 5 - 2
            return target.farm[cell] == card
        card = (move - MOVE_KEEP) % CARDS
        if move >= MOVE_FEED:
            cell = place_of(target, card)
            return s.tokens[0][cell] < target.tokens[cell]
        if move >= MOVE_SELL:
            return place_of(target, card) < 0 and not named(target, card)
        if move >= MOVE_RESERVE:
            return target.reserve[0] == card or target.reserve[1] == card or (
                not named(target, card) and place_of(target, card) < 0)
        if move >= MOVE_DRAW:
            return True
        return not named(target, card) and place_of(target, card) < 0     # a discard

    cdef bint arrives(self, const Coney *s, const Node *target) noexcept:
        """Whether a position between turns is the plan's."""
        cdef int i, j, total = 0, kept = 0, card
        cdef bint loose = not self.solver.plain and target.next == self.o.ordered
        for i in range(9):
            if s.farm[0][i] != target.farm[i] or s.tokens[0][i] != target.tokens[i]:
                return False
        for i in range(3):
            if lane(s.stock[0], i) < target.stock[i]:
                return False
            total += lane(s.stock[0], i) - target.stock[i]
        if total != target.stock[OPEN_KIND]:
            return False
        for i in range(2):
            if s.reserve[0][i] != NONE:
                kept += 1
        if kept != target.kept + target.parked:
            return False
        for i in range(target.kept):
            if s.reserve[0][0] != target.reserve[i] and s.reserve[0][1] != target.reserve[i]:
                return False
        if target.left == 0:
            return True
        for i in range(target.held):
            card = target.hand[i]
            if not s.hand[0].word[card >> 6] >> (card & 63) & 1:
                return False
        for i in range(self.o.rules.market):
            card = target.market[i]
            if card < TAKEN and s.market[0] != card and s.market[1] != card and s.market[2] != card and (
                    s.market[3] != card):
                return False
        return loose or (s.ordered == self.o.ordered - target.next and (
            bag_count(&s.hand[0]) == target.held + target.junk))


cdef inline bint named(const Node *n, int card) noexcept:
    """Whether the plan still has the card in the hand or in the reserve."""
    cdef int i
    for i in range(8):
        if n.hand[i] == card:
            return True
    return n.reserve[0] == card or n.reserve[1] == card
