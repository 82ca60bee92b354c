"""Monte Carlo tree search over the Rules table: chance nodes, simultaneous nodes and hidden information, for any game.

A node is what the players who must choose there know; states reached on different ways share it, chance draws anew at
each visit (a closed loop), and nothing is stored for chance. Each actor has his own statistics of his own moves
("decoupled"). Two ways of choosing are built:

- `duct`, decoupled UCT: each actor maximises mean + bonus for himself (Tak, Lanctot, Winands 2014);
- `rm`, regret matching: each actor mixes in proportion to the regret of not having played a move, and the average of the
  mixes is the answer (Lanctot, Lisy, Winands 2014).

Where players know different things each actor has a node of his own, keyed by his view, and every visit plays in a world
drawn anew from what the searcher knows (information-set MCTS with several observers: Cowling, Powley, Whitehouse 2012).
Players other than the searcher may follow a model instead of searching for themselves.
"""
from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from ninefold.core.rules cimport (
    HIDDEN, MARGIN, MAX_LEGAL, MAX_PLAYERS, PERFECT, SCORE, STATE_WORDS, WIN, Hash, Rng, Rules, State, Table, approx_exp,
    approx_log, bit_count, bit_first, draw_policy, draw_softmax, finish, finish_by_policy, hash_bytes, hash_fold,
    hash_start, rng_below, rng_seed, rng_unit, utilities)
from ninefold.core.search.expectimax cimport free_prover, new_prover, prove, prover_bytes
from ninefold.core.search.matrix cimport matrix_value

cdef enum:
    MAX_DEPTH = 400             # decisions of one visit that are remembered; deeper ones are played and forgotten
    MAX_MODELS = 8              # parts of an opponent model
    WORK = 320                  # doubles that the solver of such a node's matrix may use
    ATTENTION = 32              # each move of the root gets this part of its fair share of visits, whatever the guess says
    CLOSELY = 5                 # one in so many visits tries the root move that is to be looked at closely
    RESTS = 16                  # rests of the game that playouts which learn tell apart; longer ones are alike
    LEARNT = 512                # choices of a playout that are learnt from
    DOUBT = 20                  # times that a move is taken to have been chosen before, without any gain
    CANDIDATES = 16             # root moves that sequential halving begins with, at most
    MAX_CELLS = 64              # joint moves that a node of two actors counts one by one
    MATRIX_VISITS = 9          # a node visited more often is worth the value of its matrix of means
    SLICE = 1024                # visits between two looks at the memory
    PATIENCE = 10000            # positions of one exact search: some ms
    PROVER_PART = 8             # of the memory goes to exact values
    TYPICAL = 512               # bytes of a node, for growing in good time
    LARGEST = 1 << 17           # and no node takes more

cdef enum Algorithm:
    DUCT
    RM

cdef float PRIOR_UNIT = 256
cdef double LONGER = 1000        # visits, after each so many of which playouts become a turn longer
cdef double NORMAL = 1.702       # a logistic curve so much steeper is about a normal one
cdef double TRIED = 0.1         # share of visits that try any move where joint moves are counted: all cells get some

ctypedef struct Edge:           # one move of one actor
    double total                # sum of what its visits were worth to the actor
    uint32_t visits
    uint16_t move
    int16_t prior               # the game's guess less its best one here, in units of a PRIOR_UNIT-th of a point

ctypedef struct Cell:           # a joint move of two actors
    double total                # sum of what its visits were worth to player 0, the n-th of them n times
    uint32_t visits
    uint32_t spare

ctypedef struct Mix:            # regret matching: one move of one actor
    float regret
    float average

ctypedef struct Node:           # followed by its edges, actor by actor, its cells and, for `rm`, its mixes
    uint64_t key
    uint32_t visits
    uint16_t edges
    uint16_t cells
    uint8_t actors              # mask
    uint8_t spare[3]
    uint16_t count[MAX_PLAYERS]     # legal moves by player

ctypedef struct Slot:
    uint32_t tag
    uint32_t node               # offset in the arena in units of 8 bytes, 0: empty

ctypedef struct Step:           # one choice of one visit
    uint32_t node
    uint8_t player
    uint8_t other               # the other actor's edge where the node counts cells
    uint16_t edge

ctypedef struct Part:           # one part of an opponent model
    double until                # cumulated weight
    double temperature          # of softmax over the game's prior; 0: uniform; below 0: searches for himself

ctypedef struct Average:        # of the playouts in which a move was chosen
    float gain                  # sum of what they came to beyond the mean of all visits
    float times

ctypedef struct RootCell:       # one root move of the searcher, together with one of the only other actor if there is one
    double visits
    double worth                # sums over visits: what the objective was worth to the searcher, and its square
    double worth_squared
    double win[MAX_PLAYERS]
    double points[MAX_PLAYERS]
    double points_squared[MAX_PLAYERS]

ctypedef struct End:            # what a visit came to
    double worth[MAX_PLAYERS]   # by the objective
    double win[MAX_PLAYERS]
    double points[MAX_PLAYERS]  # expected ones, with their standard deviation as a margin, where the game was not played out
    double deviation

ctypedef struct Tree:
    const Table *game
    const uint64_t *root
    int viewer
    int objective
    int algorithm
    double exploration
    double guesses              # visits that the game's prior counts as
    bint estimated              # a playout has ended in an estimate: wins vary less than by one or nothing
    double point                # what a point of the prior is worth
    double rollout              # temperature of the playouts' softmax, 0: uniform
    double learning             # how much a move's mean gain in playouts counts there beside the guess
    Average *average            # by rest of the game and move; NULL: playouts do not learn
    int horizon                 # turns after which playouts end where the game can tell what comes of it, 0: never
    int parts
    Part part[MAX_MODELS]
    int leaves                  # up to this rest of the game its exact value stands for a playout,
    void *prover                # which this finds; NULL: nothing is proven
    bint matrices               # two players whose values add up to a constant: nodes of both count joint moves
    double constant             # that constant
    bint hidden                 # whether players may ever know different things
    bint resample               # whether the root itself hides something from the searcher
    bint single                 # of others' choices the tree tells apart only what the searcher sees
    uint8_t *arena              # the first 8 bytes are not used: offset 0 means nothing
    size_t used
    size_t capacity
    Slot *table
    uint32_t mask
    uint32_t nodes
    bint full
    uint64_t trace              # of all keys in the order in which their nodes came to be
    double count                # visits so far, and the spread of what they were worth
    double mean
    double spread               # sum of squared differences from the mean
    RootCell *cell
    int own                     # the searcher's root moves
    int others                  # the only other actor's root moves, else 1
    int closely                 # the searcher's root move that gets its visits whatever it seems worth, or -1
    uint64_t halving            # visits in all that the searcher's root moves share by sequential halving, 0: no such share
    int rounds                  # of it still to come, with the one that is on; 0: it has not begun
    int candidates              # root moves that are still in it,
    uint8_t out[MAX_LEGAL]      # and those that are not
    double round_end            # the visits after which this round is over
    uint8_t rival               # that actor, or 255


cdef inline Node *node_at(const Tree *tree, uint32_t offset) noexcept nogil:
    return <Node *> (tree.arena + <size_t> offset * 8)


cdef inline Edge *edges_of(Node *node, int player) noexcept nogil:
    cdef Edge *edge = <Edge *> (node + 1)
    cdef int other
    for other in range(player):
        edge += node.count[other]
    return edge


cdef inline Cell *cells_of(Node *node) noexcept nogil:
    return <Cell *> (<Edge *> (node + 1) + node.edges)


cdef inline Mix *mixes_of(Node *node, int player) noexcept nogil:
    return <Mix *> (cells_of(node) + node.cells) + (edges_of(node, player) - <Edge *> (node + 1))

cdef inline double mean_of(const Cell *cell) noexcept nogil:
    """Of a cell that was visited: later visits know more, and count more."""
    return cell.total / (0.5 * cell.visits * (cell.visits + 1.0))

# --- table ------------------------------------------------------------------------------------------------------------

cdef uint32_t find(const Tree *tree, uint64_t key) noexcept nogil:
    cdef uint32_t at = <uint32_t> key & tree.mask
    while tree.table[at].node:
        if tree.table[at].tag == key >> 32 and node_at(tree, tree.table[at].node).key == key:
            return tree.table[at].node
        at = (at + 1) & tree.mask
    return 0


cdef void insert(Tree *tree, uint64_t key, uint32_t offset) noexcept nogil:
    cdef uint32_t at = <uint32_t> key & tree.mask
    while tree.table[at].node:
        at = (at + 1) & tree.mask
    tree.table[at].tag = key >> 32
    tree.table[at].node = offset


cdef uint32_t add_node(Tree *tree, uint64_t key, const void *state, uint32_t actors) noexcept nogil:
    """A new node for the actors, or 0 where memory is used up: then the tree stays as it is."""
    cdef uint16_t moves[MAX_LEGAL]
    cdef float prior[MAX_LEGAL]
    cdef float top
    cdef const Rules *rules = tree.game.rules
    cdef int player, n, i, total = 0, cells = 0
    cdef uint32_t offset, left = actors
    cdef size_t size
    cdef Node *node = <Node *> (tree.arena + tree.used)
    cdef Edge *edge = <Edge *> (node + 1)
    if tree.used + LARGEST > tree.capacity or 2 * tree.nodes > tree.mask:
        tree.full = True
        return 0
    memset(node, 0, sizeof(Node))
    while left:
        player = bit_first(left)
        left &= left - 1
        n = rules.legal(tree.game.ruleset, state, player, moves)
        node.count[player] = n
        total += n
        top = 0
        if tree.guesses > 0:
            rules.prior(tree.game.ruleset, state, player, moves, n, prior)
            top = prior[0]
            for i in range(1, n):
                top = max(top, prior[i])
        for i in range(n):
            edge.total = 0
            edge.visits = 0
            edge.move = moves[i]
            edge.prior = <int16_t> max(PRIOR_UNIT * (prior[i] - top), <float> -32000) if tree.guesses > 0 else 0
            edge += 1
    if tree.matrices and bit_count(actors) == 2:
        cells = node.count[0] * node.count[1]
        if cells > MAX_CELLS:
            cells = 0
    size = cells * sizeof(Cell) + total * sizeof(Mix) * (tree.algorithm == RM)
    memset(edge, 0, size)
    size += sizeof(Node) + total * sizeof(Edge) + sizeof(double) * (actors == 0)
    node.key = key
    node.actors = actors
    node.edges = total
    node.cells = cells
    offset = <uint32_t> (tree.used // 8)
    tree.used += size
    tree.nodes += 1
    tree.trace = (tree.trace ^ key) * <uint64_t> 0x9e3779b97f4a7c15ULL
    insert(tree, key, offset)
    return offset

# --- choosing ---------------------------------------------------------------------------------------------------------

cdef inline double guessed(const Tree *tree, const Edge *edge, double guesses, double mean) noexcept nogil:
    """What a move is worth with so many visits more, as good as its node's mean and the prior together say."""
    return (edge.total + guesses * (mean + tree.point * edge.prior / PRIOR_UNIT)) / (edge.visits + guesses)


cdef inline int choose_guessing(const Tree *tree, const Edge *edge, int n, double bonus, int at) noexcept nogil:
    """As `choose_duct`, of moves as they are `guessed` to be."""
    cdef double value, visits = 0, mean = 0, top = -INFINITY
    cdef int _, i, best = 0
    for i in range(n):
        mean += edge[i].total
        visits += edge[i].visits
    mean = mean / visits if visits > 0 else tree.mean
    for _ in range(n):
        value = guessed(tree, &edge[at], tree.guesses, mean) + bonus / sqrt(edge[at].visits + tree.guesses)
        if value > top:
            top = value
            best = at
        at += 1
        if at == n:
            at = 0
    return best


cdef inline int neglected(const Node *node, const Edge *edge, int n) noexcept nogil:
    """The move of the root that was tried least, if it was hardly tried at all: its worth is asked for, too. Else -1."""
    cdef int i, least = 0
    for i in range(1, n):
        if edge[i].visits < edge[least].visits:
            least = i
    return least if edge[least].visits < node.visits // (ATTENTION * <uint32_t> n) else -1


cdef void strike_off(Tree *tree, const Edge *edge, int n, int stay) noexcept nogil:
    """Let the best of the root moves stay in sequential halving."""
    cdef double guesses = max(tree.guesses, <double> 1)
    cdef int i, worst
    while tree.candidates > stay:
        worst = -1
        for i in range(n):
            if not tree.out[i] and (worst < 0 or guessed(tree, &edge[i], guesses, tree.mean)
                                    < guessed(tree, &edge[worst], guesses, tree.mean)):
                worst = i
        tree.out[worst] = True
        tree.candidates -= 1


cdef int choose_halving(Tree *tree, Node *node, int player) noexcept nogil:
    """Sequential halving at the root (Karnin, Koren, Somekh 2013): in each round all moves that are still in it get as many
    visits, then the worse half is struck off; all rounds have the same part of the visits."""
    cdef const Edge *edge = edges_of(node, player)
    cdef int n = node.count[player], i, least = -1
    if tree.rounds == 0:
        tree.candidates = n
        strike_off(tree, edge, n, CANDIDATES)
        tree.rounds = 1
        while (1 << tree.rounds) < tree.candidates:
            tree.rounds += 1
        tree.round_end = <double> tree.halving / tree.rounds
    elif tree.count >= tree.round_end and tree.rounds > 1:
        strike_off(tree, edge, n, (tree.candidates + 1) // 2)
        tree.rounds -= 1
        tree.round_end = tree.count + (tree.halving - tree.count) / tree.rounds
    for i in range(n):
        if not tree.out[i] and (least < 0 or edge[i].visits < edge[least].visits):
            least = i
    return least


cdef int choose_duct(const Tree *tree, Node *node, int player, bint root, Rng *rng) noexcept nogil:
    """The move of highest mean + exploration * spread * sqrt(log(visits) / visits of the move); unvisited ones first."""
    cdef Edge *edge = edges_of(node, player)
    cdef int n = node.count[player], _, best = 0
    cdef double spread = (0.5 if tree.objective == WIN and not tree.estimated else
                          sqrt(tree.spread / tree.count) if tree.count > 1 else 1)
    cdef double bonus = tree.exploration * spread * sqrt(approx_log(node.visits + 1.0))
    cdef double value, top = -1e300
    cdef int at = rng_below(rng, n)
    if node.cells and rng_unit(rng) < TRIED:
        return at
    if tree.guesses > 0:
        best = neglected(node, edge, n) if root else -1
        return best if best >= 0 else choose_guessing(tree, edge, n, bonus, at)
    for _ in range(n):
        if edge[at].visits == 0:
            return at
        value = edge[at].total / edge[at].visits + bonus / sqrt(<double> edge[at].visits)
        if value > top:
            top = value
            best = at
        at += 1
        if at == n:
            at = 0
    return best


cdef int choose_rm(const Tree *tree, Node *node, int player, Rng *rng) noexcept nogil:
    """A move drawn in proportion to positive regrets, with a share `exploration` drawn uniformly; counts the mix."""
    cdef Mix *mix = mixes_of(node, player)
    cdef int n = node.count[player], i, chosen = n - 1
    cdef double total = 0, x = rng_unit(rng), share
    for i in range(n):
        total += max(mix[i].regret, <float> 0)
    for i in range(n):
        share = max(mix[i].regret, <float> 0) / total if total > 0 else 1.0 / n
        mix[i].average += <float> share
        x -= share * (1 - tree.exploration) + tree.exploration / n
        if x < 0:
            chosen = i
            x = 2
    return chosen

# --- the last moves ---------------------------------------------------------------------------------------------------

cdef bint solved(Tree *tree, const void *state, double *worth) noexcept nogil:
    """What the rest of the game is worth, if it is short enough."""
    if tree.prover == NULL or tree.game.rules.rest(state) > tree.leaves or not prove(tree.prover, state, PATIENCE, worth):
        return False
    worth[1] = tree.constant - worth[0]
    return True

# --- one visit --------------------------------------------------------------------------------------------------------

cdef inline void remember(Step *steps, int *depth, uint32_t node, int player, int edge, int other) noexcept nogil:
    if depth[0] < MAX_DEPTH:
        steps[depth[0]].node = node
        steps[depth[0]].player = player
        steps[depth[0]].edge = edge
        steps[depth[0]].other = other
        depth[0] += 1


cdef uint64_t seen_key(const Tree *tree, const void *state, int player) noexcept nogil:
    """Of what a player who chooses knows, where players know different things.

    With `single`, what the searcher knows, and beside it which moves the player has: nodes have fixed moves.
    """
    cdef const Rules *rules = tree.game.rules
    cdef uint16_t moves[MAX_LEGAL]
    cdef Hash hash
    if not tree.single or player == tree.viewer:
        return rules.view_key(tree.game.ruleset, state, player)
    hash = hash_start(rules.view_key(tree.game.ruleset, state, tree.viewer))
    hash_bytes(&hash, moves, rules.legal(tree.game.ruleset, state, player, moves) * sizeof(uint16_t))
    return hash_fold(&hash)


cdef bint descend(Tree *tree, void *state, const double *temperature, Step *steps, int *depth, Rng *rng) noexcept nogil:
    """One decision in the tree: everybody who must choose chooses. False when the tree ends here."""
    cdef const Rules *rules = tree.game.rules
    cdef const void *ruleset = tree.game.ruleset
    cdef uint16_t moves[MAX_LEGAL]
    cdef uint16_t chosen[MAX_PLAYERS]
    cdef int edge[MAX_PLAYERS]
    cdef uint32_t actors = rules.actors(state), searching = 0, left = actors, offset = 0, who
    cdef int player, n, first = depth[0]
    cdef uint32_t nodes[MAX_PLAYERS]
    cdef uint64_t key
    cdef bint apart = tree.hidden and rules.secrets(ruleset, state) == HIDDEN, all_new = True
    cdef bint closely = tree.closely >= 0 and first == 0 and <uint64_t> tree.count % CLOSELY == 0
    cdef Node *node
    while left:
        player = bit_first(left)
        left &= left - 1
        if player == tree.viewer or temperature[player] < 0:
            searching |= (<uint32_t> 1) << player
        else:
            n = rules.legal(ruleset, state, player, moves)
            chosen[player] = moves[draw_policy(tree.game, state, player, moves, n, temperature[player], rng)]
    left = searching
    while left:
        player = bit_first(left)
        left &= left - 1
        if apart or offset == 0:        # one node for all, or one each where they know different things
            who = (<uint32_t> 1) << player if apart else searching
            key = (seen_key(tree, state, player) if apart else rules.key(ruleset, state)) ^ who
            offset = find(tree, key)
            if offset:
                all_new = False
            else:
                offset = add_node(tree, key, state, who)
                if offset == 0:
                    return False
        nodes[player] = offset
    if all_new:     # played out at once, by nobody's choice of its moves; who is new beside one who is not moves at random
        return False
    left = searching
    while left:
        player = bit_first(left)
        left &= left - 1
        node = node_at(tree, nodes[player])
        edge[player] = (tree.closely if closely and player == tree.viewer
                        else choose_halving(tree, node, player) if tree.halving and first == 0
                        else choose_duct(tree, node, player, first == 0, rng) if tree.algorithm == DUCT
                        else choose_rm(tree, node, player, rng))
        chosen[player] = edges_of(node, player)[edge[player]].move
        remember(steps, depth, nodes[player], player, edge[player], 255)
    if bit_count(searching) == 2 and not apart and depth[0] == first + 2:
        steps[first].other = edge[steps[first + 1].player]
        steps[first + 1].other = edge[steps[first].player]
    while actors:
        player = bit_first(actors)
        actors &= actors - 1
        rules.apply(ruleset, state, player, chosen[player])
    return True


cdef double instead_of(const Tree *tree, Node *node, const Step *step, int j, double value) noexcept nogil:
    """What move j would have been worth in place of the step's: against the same move of the rival where joint moves are
    counted, else its own mean; `value`, so no regret, if unknown."""
    cdef const Cell *cell
    cdef const Edge *edge
    if node.cells and step.other != 255:
        cell = cells_of(node) + (j * node.count[1] + step.other if step.player == 0 else step.other * node.count[1] + j)
        if cell.visits:
            value = mean_of(cell)
            return value if step.player == 0 else tree.constant - value
    edge = edges_of(node, step.player) + j
    return edge.total / edge.visits if edge.visits else value


cdef void regret(Tree *tree, Node *node, const Step *step, double value) noexcept nogil:
    """Regret matching: what each other move would have brought more."""
    cdef Mix *mix = mixes_of(node, step.player)
    cdef int j
    for j in range(node.count[step.player]):
        if j != step.edge:
            mix[j].regret += <float> (instead_of(tree, node, step, j, value) - value)


cdef void improve(const Tree *tree, Node *node, double *worth) noexcept nogil:
    """Replace what a visit was worth by what its node is worth, where that is known better.

    A mean over all visits counts the moves that were only tried; the value of the matrix of means does not, nor does the
    mean of the move tried most. This is for two players whose values add up to a constant.
    """
    cdef double payoff[MAX_CELLS]
    cdef double work[WORK]
    cdef const Cell *cell = cells_of(node)
    cdef const Edge *edge
    cdef int i, player, best = 0
    if node.visits < MATRIX_VISITS:
        return
    if node.cells:
        for i in range(node.cells):
            if cell[i].visits == 0:
                return
            payoff[i] = mean_of(&cell[i])
        worth[0] = matrix_value(payoff, node.count[0], node.count[1], work)
    elif bit_count(node.actors) == 1:
        player = bit_first(node.actors)
        edge = edges_of(node, player)
        for i in range(node.count[player]):
            if edge[i].visits > edge[best].visits:
                best = i
        worth[0] = edge[best].total / edge[best].visits
        if player == 1:
            worth[0] = tree.constant - worth[0]
    else:
        return
    worth[1] = tree.constant - worth[0]


cdef void learn(Tree *tree, const Step *steps, int depth, double *worth) noexcept nogil:
    """Back up what the visit was worth to each player, from its last decision to the first.

    At the end `worth` is what the root's own statistics are to count.
    """
    cdef Node *node
    cdef Edge *edge
    cdef Cell *cell
    cdef int i, player
    for i in range(depth - 1, -1, -1):
        node = node_at(tree, steps[i].node)
        player = steps[i].player
        if tree.algorithm == RM:
            regret(tree, node, &steps[i], worth[player])
        edge = edges_of(node, player) + steps[i].edge
        edge.total += worth[player]
        edge.visits += 1
        if i and steps[i - 1].node == steps[i].node:
            continue                                    # another actor of the same node is still to learn
        node.visits += 1
        if node.cells and steps[i].other != 255:        # the first actor is player 0
            cell = cells_of(node) + steps[i].edge * node.count[1] + steps[i].other
            cell.visits += 1
            cell.total += cell.visits * worth[0]
        if tree.matrices and i and steps[i].node != steps[0].node:
            improve(tree, node, worth)


cdef void judge(Tree *tree, const void *state, End *end) noexcept nogil:
    """What a playout came to: the points of a game that is over, else those that the game expects."""
    cdef int32_t points[MAX_PLAYERS]
    cdef int32_t tiebreak[MAX_PLAYERS]
    cdef const Rules *rules = tree.game.rules
    cdef int player
    end.deviation = 0
    if tree.horizon and rules.evaluate(tree.game.ruleset, state, end.points, &end.deviation):
        tree.estimated = True
        foresee(tree, end)
        return
    rules.score(tree.game.ruleset, state, points, tiebreak)
    for player in range(tree.game.players):
        end.points[player] = points[player]
    utilities(tree.game, state, WIN, end.win)
    utilities(tree.game, state, tree.objective, end.worth)


cdef void foresee(const Tree *tree, End *end) noexcept nogil:
    """The worth of expected points. A win is as likely as the margin, by its deviation, is to stay above 0."""
    cdef int player, other
    cdef double margin, rival
    for player in range(tree.game.players):
        rival = -INFINITY
        for other in range(tree.game.players):
            if other != player:
                rival = max(rival, end.points[other])
        margin = end.points[player] - rival
        end.win[player] = 1 / (1 + approx_exp(min(-NORMAL * margin / end.deviation, 600)))
        end.worth[player] = (end.win[player] if tree.objective == WIN else margin if tree.objective == MARGIN
                             else end.points[player])


cdef void count_root(Tree *tree, const Step *steps, int depth, const double *worth, End *end) noexcept nogil:
    """Statistics of the searcher's own root move, and of the only rival's with it."""
    cdef int i, player, own = -1, other = 0
    cdef RootCell *cell
    for i in range(min(depth, MAX_PLAYERS)):
        if steps[i].player == tree.viewer and own < 0:
            own = steps[i].edge
        elif steps[i].player == tree.rival and tree.rival != 255 and i < 2:
            other = steps[i].edge
    if own < 0:
        return
    cell = &tree.cell[own * tree.others + other]
    if tree.matrices and tree.objective == WIN:         # what the visit was worth is known better than by its end
        end.win[0] = worth[0]
        end.win[1] = worth[1]
    cell.visits += 1
    cell.worth += worth[tree.viewer]
    cell.worth_squared += worth[tree.viewer] * worth[tree.viewer]
    for player in range(tree.game.players):
        cell.win[player] += end.win[player]
        cell.points[player] += end.points[player]
        cell.points_squared[player] += end.points[player] * end.points[player] + end.deviation * end.deviation / 2


cdef void finish_learning(const Tree *tree, void *state, Average **chosen, int *n, Rng *rng) noexcept nogil:
    """Play on alone to the end, by softmax of the prior and of what moves gained in earlier playouts; lists their averages.

    The move-average sampling technique (Finnsson, Björnsson 2008), by rest of the game.
    """
    cdef uint16_t moves[MAX_LEGAL]
    cdef float guess[MAX_LEGAL]
    cdef const Rules *rules = tree.game.rules
    cdef const void *ruleset = tree.game.ruleset
    cdef Average *average
    cdef int count, i, choice
    while True:
        if rules.actors(state) == 0:
            if not rules.roll(ruleset, state, rng):
                return
            continue
        count = rules.legal(ruleset, state, 0, moves)
        choice = 0
        if count > 1:
            average = tree.average + min(rules.rest(state), RESTS - 1) * rules.num_moves
            rules.prior(ruleset, state, 0, moves, count, guess)
            for i in range(count):
                guess[i] += <float> (tree.learning * average[moves[i]].gain / (average[moves[i]].times + DOUBT))
            choice = draw_softmax(guess, count, tree.rollout, rng)
            if n[0] < LEARNT:
                chosen[n[0]] = average + moves[choice]
                n[0] += 1
        rules.apply(ruleset, state, 0, moves[choice])


cdef void visit(Tree *tree, Rng *rng) noexcept nogil:
    cdef uint64_t state[STATE_WORDS]
    cdef double worth[MAX_PLAYERS]
    cdef double temperature[MAX_PLAYERS]
    cdef End end
    cdef Step steps[MAX_DEPTH]
    cdef const Rules *rules = tree.game.rules
    cdef int depth = 0, player, part
    cdef int horizon = tree.horizon + <int> min(tree.count / LONGER, 1e6) if tree.horizon else 0
    cdef bint known = False
    cdef double x, delta
    cdef Average *chosen[LEARNT]
    cdef int learnt = 0
    memcpy(state, tree.root, rules.state_size)
    if tree.resample:
        rules.resample(tree.game.ruleset, state, tree.viewer, rng)
    for player in range(tree.game.players):
        part = 0
        if tree.parts > 1:
            x = rng_unit(rng) * tree.part[tree.parts - 1].until
            while x >= tree.part[part].until and part < tree.parts - 1:
                part += 1
        temperature[player] = tree.part[part].temperature
    while True:
        if rules.actors(state) == 0:
            if not rules.roll(tree.game.ruleset, state, rng):
                break
        elif depth and solved(tree, state, worth):
            known = True                            # played out only for the statistics of points
            finish(tree.game, state, rng)
            break
        elif not descend(tree, state, temperature, steps, &depth, rng):
            if tree.rollout == 0:
                finish(tree.game, state, rng)
            elif tree.average != NULL:
                finish_learning(tree, state, chosen, &learnt, rng)
            else:
                finish_by_policy(tree.game, state, tree.rollout, horizon, rng)
            break
    judge(tree, state, &end)
    if not known:
        memcpy(worth, end.worth, sizeof(worth))
    tree.count += 1
    delta = worth[tree.viewer] - tree.mean
    if tree.count > 1:                                  # there was a mean before
        for player in range(learnt):
            chosen[player].gain += <float> delta
            chosen[player].times += 1
    tree.mean += delta / tree.count
    tree.spread += delta * (worth[tree.viewer] - tree.mean)
    learn(tree, steps, depth, worth)
    count_root(tree, steps, depth, worth, &end)

# --- Python -----------------------------------------------------------------------------------------------------------

cdef class Search:
    """A tree that grows from one position, as its searcher sees it.

    state: who searches must be one of its actors. searcher: 0 .. players-1. objective: 0 win, 1 margin, 2 score.
    algorithm: "duct" or "rm". exploration: the factor of the bonus (duct), or the share of uniform choice (rm).
    rollout: temperature in points of the playouts' softmax over the game's prior; 0 plays uniformly.
    model: the other players, as [(weight, temperature)]; temperature < 0 searches for himself, 0 is uniform.
    memory: bytes that nodes, table and exact values may take; at the bound the tree stops growing and goes on learning.
    leaves: up to this rest of a game of two players (`State.rest`) its exact value stands for a playout; -1: never. Only where
    both search for themselves, nothing is hidden, and their worths add up to a constant.
    horizon: turns after which a playout ends, one more for each 1,000 visits, where the game can estimate what comes of it;
    0: all are played to the end. Temperature 0 plays to the end as well.
    guesses: as so many visits counts the game's prior of each move (duct), so that not all of them need be tried; a point
    of the prior is taken to be worth `point`. 0: every move is tried once before any twice.
    observer: whose knowledge tells nodes apart where players know different things: "multiple", that of whoever chooses;
    "single", always the searcher's (and what moves there are). Cowling, Powley and Whitehouse 2012: MO- and SO-ISMCTS.
    learning: how much of what a move gained on average in earlier playouts, in points, counts there beside the guess, for
    somebody alone; 0: playouts learn nothing.
    halving: visits in all that the searcher's root moves share by sequential halving: they must be known before; 0: root
    moves are chosen like all others. Only with duct, and where at the root the others do not choose or follow a model.
    closely: the number of a root move of the searcher, in the order of `legal`, that every fifth visit tries, whatever it
    seems worth; -1: none.
    seed, stream: name the random numbers; trees of different streams are independent.
    Raises ValueError for anything out of these ranges.
    """
    cdef readonly State state
    cdef readonly int searcher
    cdef readonly size_t memory
    cdef readonly uint64_t visits
    cdef bint scarce            # the system gave less than the bound: no more is asked for
    cdef Tree tree
    cdef Rng rng

    def __init__(self, State state not None, int searcher, *, int objective=WIN, str algorithm="duct",
                 double exploration=1.0, double rollout=0.0, model=((1.0, -1.0),), size_t memory=1 << 28,
                 int leaves=-1, double guesses=0.0, double point=1.0, int horizon=0, str observer="multiple",
                 double learning=0.0, uint64_t halving=0, int closely=-1, uint64_t seed=0, uint64_t stream=0):
        cdef Tree *tree = &self.tree
        cdef double until = 0
        self.searcher = state.seat(searcher)
        rng_seed(&self.rng, seed, stream)
        if algorithm not in ("duct", "rm"):
            raise ValueError(f"algorithm must be 'duct' or 'rm', not {algorithm!r}")
        if not 0 <= objective <= SCORE:
            raise ValueError(f"objective must be 0, 1 or 2, not {objective}")
        if not 1 <= len(model) <= MAX_MODELS or not all(weight > 0 for weight, _ in model):
            raise ValueError(f"a model has 1 to {MAX_MODELS} parts of positive weight")
        if observer not in ("multiple", "single"):
            raise ValueError(f"observer must be 'multiple' or 'single', not {observer!r}")
        if not guesses >= 0 or not point >= 0 or not learning >= 0 or horizon < 0:
            raise ValueError("guesses, point, learning and horizon must not be below 0")
        if memory < 1 << 20:
            raise ValueError("memory must be at least 1 MiB")
        self.memory = memory
        tree.game = &state.core.table
        tree.viewer = searcher
        tree.objective = objective
        tree.algorithm = RM if algorithm == "rm" else DUCT
        tree.exploration = exploration
        tree.guesses = guesses if tree.game.rules.prior != NULL else 0
        tree.point = point
        tree.horizon = horizon if tree.game.rules.evaluate != NULL else 0
        tree.single = observer == "single"
        tree.rollout = rollout
        tree.matrices = tree.game.players == 2 and objective != SCORE
        tree.constant = 1 if objective == WIN else 0
        tree.leaves = leaves
        tree.parts = len(model)
        for i, (weight, temperature) in enumerate(model):
            until += weight
            tree.part[i].until = until
            tree.part[i].temperature = temperature
        tree.used = 8
        if learning > 0 and tree.game.players == 1 and tree.game.rules.prior != NULL and tree.game.rules.rest != NULL:
            tree.learning = learning
            if self.learnt() > memory // 2:
                raise ValueError("playouts cannot learn in so little memory")
            tree.average = <Average *> calloc(1, self.learnt())
            if tree.average == NULL:
                raise MemoryError
        self.begin(state)
        if not -1 <= closely < tree.own:
            raise ValueError(f"closely must be -1 or below the {tree.own} root moves, not {closely}")
        tree.closely = closely
        if halving and (tree.algorithm == RM or bit_count(tree.game.rules.actors(tree.root)) > 1
                        and not self.follow_model()):
            raise ValueError("sequential halving is for duct and a searcher who chooses alone at the root")
        tree.halving = halving
        self.make_room(0)

    cdef bint follow_model(self) noexcept:
        """Whether the others never search for themselves."""
        cdef int i
        for i in range(self.tree.parts):
            if self.tree.part[i].temperature < 0:
                return False
        return True

    cdef int begin(self, State state) except -1:
        """Make a position the root. What the tree knows stays."""
        cdef Tree *tree = &self.tree
        cdef const Rules *rules = tree.game.rules
        cdef uint16_t moves[MAX_LEGAL]
        cdef uint32_t actors
        cdef State root = state.copy(), view
        cdef int secrets = rules.secrets(root.core.ruleset, root.data), others = 1, rival = 255, own, i
        cdef bint alone = True, proven
        cdef RootCell *cell
        if secrets == HIDDEN:   # hidden choices of others are taken back: they choose again, in every world
            rules.resample(root.core.ruleset, root.data, self.searcher, &self.rng)
        actors = rules.actors(root.data)
        if not actors >> self.searcher & 1:
            raise ValueError(f"player {self.searcher} has nothing to choose here")
        for i in range(tree.parts):
            alone = alone and tree.part[i].temperature < 0
        own = rules.legal(root.core.ruleset, root.data, self.searcher, moves)
        if bit_count(actors) == 2 and alone:
            rival = bit_first(actors & ~((<uint32_t> 1) << self.searcher))
            others = rules.legal(root.core.ruleset, root.data, rival, moves)
            view = root.copy()
            if secrets == HIDDEN:
                rules.hide(root.core.ruleset, view.data, self.searcher)
            if view.legal(rival) != root.legal(rival):      # other worlds, other moves: no column for each
                rival = 255
                others = 1
        cell = <RootCell *> calloc(own * others, sizeof(RootCell))
        if cell == NULL:
            raise MemoryError
        free(tree.cell)
        tree.cell = cell
        tree.own = own
        tree.others = others
        tree.rival = rival
        tree.resample = secrets == HIDDEN
        tree.hidden = secrets != PERFECT
        proven = tree.leaves >= 0 and tree.matrices and alone and rules.rest != NULL and secrets == PERFECT
        if not proven:
            free_prover(tree.prover)
            tree.prover = NULL
        elif tree.prover == NULL:
            tree.prover = new_prover(tree.game, tree.objective, self.memory // PROVER_PART)
            if tree.prover == NULL:
                raise MemoryError
        self.state = root
        tree.root = root.data
        return 0

    def advance(self, State state not None):
        """Go on from another position of the same game, in which the searcher chooses: what the tree knows stays.

        `cells` counts from here on; `strategy` and `payoff` use all visits of the node. `visits` goes on. Raises
        ValueError for a position of another game, or one in which the searcher has nothing to choose.
        """
        if state.core is not self.state.core:
            raise ValueError("a tree goes on in the same game only")
        self.begin(state)
        self.tree.closely = -1
        self.tree.halving = 0
        self.tree.count = self.tree.mean = self.tree.spread = 0     # what visits are worth is another matter here

    def __dealloc__(self):
        free_prover(self.tree.prover)
        free(self.tree.average)
        free(self.tree.cell)
        free(self.tree.arena)
        free(self.tree.table)

    cdef size_t learnt(self) noexcept:
        """Bytes that playouts which learn take."""
        return sizeof(Average) * RESTS * self.tree.game.rules.num_moves if self.tree.learning > 0 else 0

    cdef int make_room(self, long visits) except -1:
        """Grow arena and table so that as many visits can add their nodes, as far as the bound and the system let them.

        Where players know different things a visit adds a node for each of them.
        """
        cdef Tree *tree = &self.tree
        cdef size_t room = self.memory - (self.memory // PROVER_PART if tree.prover != NULL else 0) - self.learnt()
        cdef size_t more = <size_t> visits * (tree.game.players if tree.hidden else 1)
        cdef size_t slots = <size_t> tree.mask + 1 if tree.table != NULL else 0, size, want
        cdef Slot *old = tree.table
        cdef uint8_t *arena
        cdef uint32_t at
        want = slots if slots else 2048
        while want < 2 * (tree.nodes + more):
            want *= 2
        while want * sizeof(Slot) > room // 4 and want > 2048:
            want //= 2
        if want > slots and not self.scarce:
            tree.table = <Slot *> calloc(want, sizeof(Slot))
            if tree.table == NULL:
                tree.table = old
                self.go_without()
            else:
                tree.mask = <uint32_t> (want - 1)
                for at in range(<uint32_t> slots):
                    if old[at].node:
                        insert(tree, node_at(tree, old[at].node).key, old[at].node)
                free(old)
        size = tree.capacity
        while size < tree.used + more * TYPICAL + LARGEST:
            size = size * 2 if size else 1 << 17
        size = min(size, room // 4 * 3)      # the table takes at most the last quarter
        if size > tree.capacity and not self.scarce:
            arena = <uint8_t *> realloc(tree.arena, size)
            if arena == NULL:
                self.go_without()
            else:
                tree.arena = arena
                tree.capacity = size
        tree.full = self.scarce or 2 * <size_t> tree.nodes > <size_t> tree.mask
        return 0

    cdef int go_without(self) except -1:
        """The system has no more: what there is must do, as at the bound; without anything there is no tree."""
        if self.tree.table == NULL or self.tree.arena == NULL:
            raise MemoryError
        self.scarce = True
        return 0

    def run(self, long visits):
        """Make as many visits, without the GIL. Ask for about 50 ms at a time: it does not look up in between."""
        cdef long done = 0, slice, _
        while done < visits:
            slice = min(<long> SLICE, visits - done)
            self.make_room(slice)
            with nogil:
                for _ in range(slice):
                    visit(&self.tree, &self.rng)
            done += slice
        self.visits += visits

    @property
    def nodes(self):
        """Number of nodes."""
        return self.tree.nodes

    @property
    def trace(self):
        """A hash of all nodes in the order in which they came to be: equal for equal searches."""
        return self.tree.trace

    @property
    def bytes(self):
        """Bytes that nodes, table, exact values and playouts which learn take."""
        cdef size_t proven = prover_bytes(self.tree.prover) if self.tree.prover != NULL else 0
        return self.tree.used + (<size_t> self.tree.mask + 1) * sizeof(Slot) + proven + self.learnt()

    @property
    def full(self):
        """Whether the memory bound, or the system's, keeps the tree from growing."""
        return bool(self.tree.full)

    @property
    def rival(self):
        """The only other player who chooses at the root and searches for himself, or None; his moves are known."""
        return None if self.tree.rival == 255 else self.tree.rival

    def cells(self):
        """Root statistics: one tuple a joint move, the searcher's moves in order and for each the rival's in order.

        (visits, sum of worth, sum of its squares, [sum of wins], [sum of points], [sum of squared points]); a win is a
        share, ties split; worth is the objective's for the searcher.
        """
        cdef int i, players = self.tree.game.players
        cdef RootCell *cell
        result = []
        for i in range(self.tree.own * self.tree.others):
            cell = &self.tree.cell[i]
            result.append((cell.visits, cell.worth, cell.worth_squared, [cell.win[p] for p in range(players)],
                           [cell.points[p] for p in range(players)], [cell.points_squared[p] for p in range(players)]))
        return result

    cdef uint32_t node_of(self, State state, int player):
        """The node in which a player chooses in a state, 0 if the tree has none."""
        cdef const Rules *rules = self.tree.game.rules
        cdef uint32_t actors = rules.actors(state.data), who = 0
        cdef uint64_t key
        if self.tree.hidden and rules.secrets(state.core.ruleset, state.data) == HIDDEN:
            who = (<uint32_t> 1) << player
            key = seen_key(&self.tree, state.data, player)
        else:
            who = actors & (<uint32_t> 1) << self.searcher if self.follow_model() else actors
            key = rules.key(state.core.ruleset, state.data)
        if not who >> player & 1:
            return 0
        return find(&self.tree, key ^ who)

    def payoff(self):
        """Mean worth to the searcher of each joint root move against the only rival, later visits counting more.

        Rows are the searcher's moves, columns the rival's; a joint move never made has the mean of all visits. [] where
        the root does not count joint moves: with other than two players, or where a player's worth is his own affair.
        """
        cdef uint32_t offset = self.node_of(self.state, self.searcher)
        cdef Node *node
        cdef int i, j, rows, columns
        if offset == 0 or node_at(&self.tree, offset).cells == 0:
            return []
        node = node_at(&self.tree, offset)
        rows, columns = node.count[self.searcher], node.count[1 - self.searcher]
        return [[self.joint_mean(node, i, j) for j in range(columns)] for i in range(rows)]

    cdef double joint_mean(self, Node *node, int own, int other):
        cdef Cell *cell = cells_of(node) + (own * node.count[1] + other if self.searcher == 0
                                            else other * node.count[1] + own)
        if cell.visits == 0:
            return self.tree.mean
        return mean_of(cell) if self.searcher == 0 else self.tree.constant - mean_of(cell)

    def strategy(self, State state=None, player=None):
        """How often each legal move of a player was chosen in a state (default: the searcher at the root): shares.

        For "rm" the average of the mixes, which is what converges. [] where the tree has no node.
        """
        cdef State at = self.state if state is None else state
        cdef int who = self.searcher if player is None else at.seat(player)
        cdef uint32_t offset = self.node_of(at, who)
        cdef Node *node
        if offset == 0:
            return []
        node = node_at(&self.tree, offset)
        if self.tree.algorithm == RM:
            weights = [mixes_of(node, who)[i].average for i in range(node.count[who])]
        else:
            weights = [<double> edges_of(node, who)[i].visits for i in range(node.count[who])]
        total = sum(weights)
        return [weight / total for weight in weights] if total else [1 / len(weights)] * len(weights)

    def node_visits(self, State state not None, player):
        """Visits of the node in which a player chooses in a state, 0 where the tree has none."""
        cdef uint32_t offset = self.node_of(state, state.seat(player))
        return node_at(&self.tree, offset).visits if offset else 0


def draw_move(State state not None, int player, double temperature, uint64_t seed, uint64_t stream=0):
    """Id of a legal move drawn by softmax of the game's prior over the temperature in points; 0 draws uniformly.

    Raises ValueError if the player has nothing to choose.
    """
    cdef uint16_t moves[MAX_LEGAL]
    cdef Rng rng
    cdef int n = 0
    rng_seed(&rng, seed, stream)
    if state.core.table.rules.actors(state.data) >> state.seat(player) & 1:
        n = state.core.table.rules.legal(state.core.ruleset, state.data, player, moves)
    if n == 0:
        raise ValueError(f"player {player} has nothing to choose here")
    return moves[draw_policy(&state.core.table, state.data, player, moves, n, temperature, &rng)]


def policy_playouts(State state not None, int n, double temperature, uint64_t seed):
    """Sums of each player's points over n games to the end from a state, everybody by softmax of the game's prior.

    The temperature is in points; 0 plays uniformly. As `ninefold.core.rules.playouts` without a prior.
    """
    cdef uint64_t copy[STATE_WORDS]
    cdef int32_t points[MAX_PLAYERS]
    cdef int32_t tiebreak[MAX_PLAYERS]
    cdef int64_t sums[MAX_PLAYERS]
    cdef const Table *game = &state.core.table
    cdef Rng rng
    cdef int _, player
    memset(sums, 0, sizeof(sums))
    rng_seed(&rng, seed, 0)
    with nogil:
        for _ in range(n):
            memcpy(copy, state.data, game.rules.state_size)
            finish_by_policy(game, copy, temperature, 0, &rng)
            game.rules.score(game.ruleset, copy, points, tiebreak)
            for player in range(game.players):
                sums[player] += points[player]
    return [sums[player] for player in range(game.players)]
