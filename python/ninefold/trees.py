"""Trees searched side by side for one question, and what their merged statistics say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import msgspec

from ninefold.analysis import OBJECTIVES
from ninefold.core.search.mcts import Search
from ninefold.move import Move

if TYPE_CHECKING:
    from ninefold.position import Position
    from ninefold.search import Question

__all__ = ["Gathered", "Grown", "Kept", "Merged", "Trees", "divided", "half_width", "largest", "moments", "weighted"]

T = TypeVar("T")
Cell = tuple[float, float, float, list[float], list[float], list[float]]  # as `Search.cells` gives them

CONFIDENCE = 1.959964  # standard deviations of a 95 % interval
LINE_ROUNDS = 3  # decisions of a principal variation
LINE_VISITS = 8  # fewest visits of a node that a principal variation still trusts


class Grown(msgspec.Struct, frozen=True, kw_only=True):
    """What a tree says of its root, to be merged where the tree is not.

    Visits, nodes, bytes, full, rival, cells and payoff as of `Search`. chosen: visits and strategy by player. lines: of
    the root's moves. stopped: why it is no larger.
    """

    visits: int
    nodes: int
    bytes: int
    full: bool
    rival: int | None
    statistics: list[Cell]
    matrix: list[list[float]]
    chosen: dict[int, tuple[int, list[float]]]
    lines: list[list[str]]
    stopped: str

    def cells(self) -> list[Cell]:
        """As of `Search`."""
        return self.statistics

    def payoff(self) -> list[list[float]]:
        """As of `Search`."""
        return self.matrix

    def strategy(self, state: Position, player: int) -> list[float]:
        """As of `Search`, for the root."""
        return self.chosen[player][1]

    def node_visits(self, state: Position, player: int) -> int:
        """As of `Search`, for the root."""
        return self.chosen[player][0]


class Merged:
    """What independent trees of one question say together."""

    def __init__(self, asked: Question, trees: Sequence[Search] | Sequence[Grown]) -> None:
        """trees: one at least, in the order of their streams."""
        self.asked, self.trees = asked, trees
        self.halving = asked.halving
        self.before = [(0, 0)] * len(trees)  # visits and nodes of earlier questions
        self.rival = trees[0].rival
        self.width = len(asked.world.legal(self.rival)) if self.rival is not None else 1

    @property
    def visits(self) -> int:
        """Visits of all trees for this question."""
        return sum(tree.visits for tree in self.trees) - sum(visits for visits, _ in self.before)

    @property
    def nodes(self) -> int:
        """Nodes that this question added to all trees."""
        return sum(tree.nodes for tree in self.trees) - sum(nodes for _, nodes in self.before)

    @property
    def bytes(self) -> int:
        """Bytes that all trees take."""
        return sum(tree.bytes for tree in self.trees)

    def merge(self) -> None:
        """Add up the trees' root statistics: `self.cells`, in the order of `Search.cells`."""
        merged = self.trees[0].cells()
        for tree in self.trees[1:]:
            merged = [_add(one, other) for one, other in zip(merged, tree.cells(), strict=True)]
        self.cells = merged

    def means(self) -> list[list[float]]:
        """Mean worth of each joint root move to the searcher, as good as the trees know it."""
        matrices = [(tree.visits, matrix) for tree in self.trees if (matrix := tree.payoff())]
        if matrices:
            total = sum(visits for visits, _ in matrices)
            return [
                [sum(visits * matrix[i][j] for visits, matrix in matrices) / total for j in range(self.width)]
                for i in range(len(self.asked.moves))
            ]
        rows = []
        everywhere = _mean(self.cells, 0.0)  # of what was not tried nothing else is known
        for i in range(len(self.asked.moves)):
            row = self.cells[i * self.width : (i + 1) * self.width]
            rows.append([_mean([cell], _mean(row, everywhere)) for cell in row])
        return rows

    def variance(self) -> float:
        """Of what all visits were worth to the searcher."""
        visits, squares = sum(cell[0] for cell in self.cells), sum(cell[2] for cell in self.cells)
        return max(squares / visits - _mean(self.cells, 0.0) ** 2, 0.0) if visits else 0.0

    def likeliest(self) -> int:
        """The root move of the searcher that seems best, if nobody else chooses: by its mean and the game's guess.

        The guess counts as `guesses` visits, as in the tree: few visits must not outweigh many. After sequential
        halving it is one of those that were not struck off: they were tried most. Trees that went on know more than
        they counted since: there it is the move that was tried most, before and since.
        """
        if any(visits for visits, _ in self.before) and (shares := self.shares()):
            return max(range(len(shares)), key=shares.__getitem__)
        tried = [cell[0] for cell in self.cells]
        least = max(tried) - 1 if self.halving else 0  # of moves that have not been struck off
        guesses, guess = self.asked.guesses, [0.0] * len(self.cells)
        if guesses:
            prior, mean = self.asked.world.prior(self.asked.player), _mean(self.cells, 0.0)
            top = max(prior)
            guess = [mean + self.asked.point * (one - top) for one in prior]

        def seems(i: int) -> float:
            here, total = self.cells[i][:2]
            known = here + guesses and here >= least
            return (total + guesses * guess[i]) / (here + guesses) if known else -math.inf

        return max(range(len(self.cells)), key=seems)

    def shares(self, state: Position | None = None, player: int | None = None) -> list[float]:
        """Strategy of a player in a node, averaged over the trees that have it by their visits."""
        total: list[float] = []
        for tree in self.trees:
            weight = tree.node_visits(state or self.asked.world, self.asked.player if player is None else player)
            found = tree.strategy(state or self.asked.world, self.asked.player if player is None else player)
            if found and weight:
                total = _sum(total or [0.0] * len(found), [share * weight for share in found])
        whole = sum(total)
        return [share / whole for share in total]

    def points(self, own: int, reply: list[float]) -> tuple[list[float] | None, list[float] | None]:
        """Mean and standard deviation of everybody's points after the searcher's move `own`, against a mixed reply."""
        self.merge()
        return moments(self.cells[own * self.width : (own + 1) * self.width], reply)

    def line(self, move: Move, replies: dict[int, Move]) -> list[str]:
        """A principal variation from a root move: everybody's likeliest choice, and chance's likeliest outcome."""
        asked, text = self.asked, []
        state = asked.world.copy()
        chosen = {asked.player: move, **replies}
        for _ in range(LINE_ROUNDS):
            for actor in state.actors:
                if actor not in chosen:
                    options = state.legal(actor)
                    shares = self.shares(state, actor) or state.prior(actor)
                    chosen[actor] = largest(options, shares)
            text.append(", ".join(f"{actor}: {chosen[actor]}" for actor in sorted(chosen)))
            for actor in sorted(chosen):
                state.apply(actor, chosen[actor])
            while outcomes := state.outcomes():
                outcome = max(outcomes, key=lambda pair: pair[1])[0]
                text.append(str(outcome))
                state.settle(outcome)
            trusted = [actor for actor in state.actors if self._trusts(state, actor)]
            if not trusted:
                break
            chosen = {}
        return text

    def _trusts(self, state: Position, actor: int) -> bool:
        return sum(tree.node_visits(state, actor) for tree in self.trees) >= LINE_VISITS


class Trees(Merged):
    """Trees that are searched here, one a thread."""

    trees: list[Search]

    def __init__(self, asked: Question, streams: Sequence[int] | None = None, each: int | None = None) -> None:
        """Make the trees; nothing is searched yet. streams: their numbers, if not all. each: bytes of one."""
        streams = range(asked.threads) if streams is None else streams
        halving = asked.halving if each is None else 0  # who has a part of the memory is asked about all moves
        searches = [
            Search(
                asked.position, asked.player, objective=OBJECTIVES.index(asked.objective), algorithm=asked.algorithm,
                exploration=asked.exploration, rollout=asked.rollout, guesses=asked.guesses,
                point=asked.point, learning=asked.learning, halving=halving, horizon=asked.horizon, leaves=asked.leaves,
                observer=asked.observer, model=list(asked.opponent.parts), memory=each or asked.memory // asked.threads,
                seed=asked.seed, closely=asked.closely, stream=stream,
            )
            for stream in streams
        ]  # fmt: skip
        super().__init__(asked, searches)
        self.halving = halving
        self._open()

    def _open(self) -> None:
        self.pool = ThreadPoolExecutor(len(self.trees)) if len(self.trees) > 1 else None

    def go_on(self, asked: Question) -> None:
        """Take up a later question of the same player in the same game: what the trees know stays."""
        before = [(tree.visits, tree.nodes) for tree in self.trees]
        for tree in self.trees:
            tree.advance(asked.position)
        super().__init__(asked, self.trees)
        self.before = before
        self._open()

    def run(self, visits: int) -> None:
        """Make so many visits in all, spread over the threads."""
        # Each tree's part depends on the total alone, not on how the work was cut: answers can be repeated.
        shares = [
            share - (tree.visits - before)
            for share, tree, (before, _) in zip(
                divided(self.visits + visits, len(self.trees)), self.trees, self.before, strict=True
            )
        ]
        if self.pool is None:
            self.trees[0].run(visits)
            return
        jobs: list[Future[None]] = [self.pool.submit(tree.run, n) for tree, n in zip(self.trees, shares, strict=True)]
        for job in jobs:
            job.result()

    def close(self) -> None:
        """Let the threads go."""
        if self.pool is not None:
            self.pool.shutdown()

    def grown(self, lines: list[list[str]], stopped: str) -> Grown:
        """What the first one says."""
        tree, asked = self.trees[0], self.asked
        return Grown(
            visits=tree.visits, nodes=tree.nodes, bytes=tree.bytes, full=tree.full, rival=tree.rival,
            statistics=tree.cells(), matrix=tree.payoff(), lines=lines, stopped=stopped,
            chosen={
                actor: (tree.node_visits(asked.world, actor), tree.strategy(asked.world, actor))
                for actor in asked.actors
            },
        )  # fmt: skip


class Gathered(Merged):
    """Trees that were searched elsewhere."""

    trees: list[Grown]

    def line(self, move: Move, replies: dict[int, Move]) -> list[str]:
        """That of the first tree."""
        return self.trees[0].lines[self.asked.moves.index(move)]


def divided(whole: int, parts: int) -> list[int]:
    """Parts as equal as can be, the larger ones first."""
    return [whole // parts + (i < whole % parts) for i in range(parts)]


class Kept:
    """The trees of somebody who plays one game: his next question goes on from them, and its visits come on top."""

    def __init__(self) -> None:
        """None yet."""
        self._trees: Trees | None = None

    def go_on(self, asked: Question) -> Trees:
        """Trees for this question: new ones in another game or seat, and where half of the memory is taken.

        The same questions in the same order get the same answers, if their limits do not look at the clock.
        """
        trees = self._trees
        if (
            trees is None
            or trees.asked.position.core is not asked.position.core
            or trees.asked.player != asked.player
            or 2 * trees.bytes > sum(tree.memory for tree in trees.trees)
        ):
            self._trees = trees = Trees(asked)
        else:
            trees.go_on(asked)
        return trees


def _mean(cells: list[Cell], otherwise: float) -> float:
    """Of all visits of some cells."""
    visits = sum(cell[0] for cell in cells)
    return sum(cell[1] for cell in cells) / visits if visits else otherwise


def _add(a: Cell, b: Cell) -> Cell:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], _sum(a[3], b[3]), _sum(a[4], b[4]), _sum(a[5], b[5])


def half_width(row: list[Cell], reply: list[float], other: float = 1.0) -> float:
    """Half the width of the 95 % interval of a row's mean worth against a mixed reply.

    other: the squared distance from the mean of a visit that went the other way: 1 for wins.
    """
    variance = weight = 0.0
    for share, (visits, worth, squares, *_) in zip(reply, row, strict=True):
        if share and visits:
            mean = worth / visits
            weight += share
            # As if one more visit had gone the other way: the interval of two equal visits is not nil.
            variance += share * share * (max(squares / visits - mean * mean, 0.0) + other / (visits + 1)) / visits
    return CONFIDENCE * math.sqrt(variance) / weight if weight else math.inf


def weighted(row: list[Cell], reply: list[float], what: int) -> list[float] | None:
    """Means of a players' list of the cells (3: wins, 4: points, 5: squared points) against a mixed reply."""
    total: list[float] = []
    weight = 0.0
    for share, cell in zip(reply, row, strict=True):
        if share and cell[0]:
            sums: list[float] = (cell[3], cell[4], cell[5])[what - 3]
            total = _sum(total or [0.0] * len(sums), [share * x / cell[0] for x in sums])
            weight += share
    return [x / weight for x in total] if weight else None


def moments(row: list[Cell], reply: list[float]) -> tuple[list[float] | None, list[float] | None]:
    """Mean and standard deviation of everybody's points in a row of cells against a mixed reply."""
    mean, squares = weighted(row, reply, 4), weighted(row, reply, 5)
    if mean is None or squares is None:
        return None, None
    return mean, [math.sqrt(max(s - m * m, 0.0)) for m, s in zip(mean, squares, strict=True)]


def largest(items: list[T], weights: list[float]) -> T:
    """The item of the largest weight, the first of several."""
    return items[max(range(len(items)), key=weights.__getitem__)]


def _sum(a: list[float], b: list[float]) -> list[float]:
    return [x + y for x, y in zip(a, b, strict=True)]
