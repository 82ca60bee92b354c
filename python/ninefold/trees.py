"""Trees searched side by side for one question, and what their merged statistics say."""

from __future__ import annotations

import math
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from ninefold.analysis import OBJECTIVES
from ninefold.core.search.mcts import Search
from ninefold.move import Move

if TYPE_CHECKING:
    from ninefold.position import Position
    from ninefold.search import Question

__all__ = ["Trees", "half_width", "largest", "moments", "weighted"]

T = TypeVar("T")
Cell = tuple[float, float, float, list[float], list[float], list[float]]  # as `Search.cells` gives them

CONFIDENCE = 1.959964  # standard deviations of a 95 % interval
LINE_ROUNDS = 3  # decisions of a principal variation
LINE_VISITS = 8  # fewest visits of a node that a principal variation still trusts


class Trees:
    """Independent trees of one question, one a thread, and their merged statistics."""

    def __init__(self, asked: Question, threads: int | None = None, memory: int | None = None) -> None:
        """Make the trees, as many and as large as the question says if not told otherwise; nothing is searched yet."""
        threads, memory = threads or asked.threads, memory or asked.memory
        self.asked = asked
        self.trees = [
            Search(
                asked.position, asked.player, objective=OBJECTIVES.index(asked.objective), algorithm=asked.algorithm,
                exploration=asked.exploration, rollout=asked.rollout, guesses=asked.guesses,
                point=asked.point, horizon=asked.horizon, leaves=asked.leaves, observer=asked.observer,
                model=list(asked.opponent.parts), memory=memory // threads, seed=asked.seed,
                closely=asked.closely, stream=stream,
            )
            for stream in range(threads)
        ]  # fmt: skip
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.rival = self.trees[0].rival
        self.width = len(asked.world.legal(self.rival)) if self.rival is not None else 1

    def run(self, visits: int) -> None:
        """Make so many visits in all, spread over the threads."""
        count, total = len(self.trees), self.visits + visits
        # Each tree's part depends on the total alone, not on how the work was cut: answers can be repeated.
        shares = [total // count + (i < total % count) - tree.visits for i, tree in enumerate(self.trees)]
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

    @property
    def visits(self) -> int:
        """Visits of all trees."""
        return sum(tree.visits for tree in self.trees)

    def merge(self) -> None:
        """Add up the trees' root statistics: `self.cells`, in the order of `Search.cells`."""
        merged = self.trees[0].cells()
        for tree in self.trees[1:]:
            merged = [_add(one, other) for one, other in zip(merged, tree.cells(), strict=True)]
        self.cells = merged

    def means(self) -> list[list[float]]:
        """Mean worth of each joint root move to the searcher, as good as the trees know it."""
        matrices = [(tree.visits, tree.payoff()) for tree in self.trees]
        if matrices[0][1]:
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

    def likeliest(self) -> int:
        """The root move of the searcher that seems best, if nobody else chooses: by its mean and the game's guess.

        The guess counts as `guesses` visits, as in the tree: few visits must not outweigh many.
        """
        guesses, guess = self.asked.guesses, [0.0] * len(self.cells)
        if guesses:
            prior, mean = self.asked.world.prior(self.asked.player), _mean(self.cells, 0.0)
            top = max(prior)
            guess = [mean + self.asked.point * (one - top) for one in prior]

        def seems(i: int) -> float:
            here, total = self.cells[i][:2]
            return (total + guesses * guess[i]) / (here + guesses) if here + guesses else -math.inf

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


def _mean(cells: list[Cell], otherwise: float) -> float:
    """Of all visits of some cells."""
    visits = sum(cell[0] for cell in cells)
    return sum(cell[1] for cell in cells) / visits if visits else otherwise


def _add(a: Cell, b: Cell) -> Cell:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], _sum(a[3], b[3]), _sum(a[4], b[4]), _sum(a[5], b[5])


def half_width(row: list[Cell], reply: list[float]) -> float:
    """Half the width of the 95 % interval of a row's mean worth against a mixed reply."""
    variance = weight = 0.0
    for share, (visits, worth, squares, *_) in zip(reply, row, strict=True):
        if share and visits:
            mean = worth / visits
            weight += share
            # As if one more visit had gone the other way: the interval of two equal visits is not nil.
            variance += share * share * (max(squares / visits - mean * mean, 0.0) + 1 / (visits + 1)) / visits
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
