"""What `ninefold.solve` drives: an exact search of one question, which can be looked at while it works."""

from __future__ import annotations

import time as clock
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from operator import mul
from typing import Any, NamedTuple

from ninefold.core.search import matrix
from ninefold.core.search.expectimax import Solver
from ninefold.errors import InputError
from ninefold.position import Position

__all__ = ["Choice", "Compiled", "Induction", "OpenOrder", "Pace", "Resumable", "Solving", "finish"]

_CLOSE = 1e-9  # values that differ by less are equal
_MOST = 256  # threads of a search, and orders
_SAME = 1e-6  # and where they come from matrix games
_SLICE = 25  # milliseconds between two looks at the clock
_TOGETHER = 250  # and of several threads, which wait for each other then
_CLOSELY = 0.005  # seconds after which each of them looks whether another one is done
_PORTION = 5_000  # work between two looks at what was found, where only the work counts


class Choice(NamedTuple):
    """How a solved question must be begun.

    best: the first moves that keep the value, some of them if they are many; of cards the one set of them that was
    found. gap: what anything else loses at least, in the objective; 0 where more than one keeps the value, or where
    that is not known. options: first moves, or cards.
    """

    best: list[str]
    gap: float
    options: int


class Solving(ABC):
    """An exact search. Its bounds hold at any time and close as it goes on; where they meet it is done.

    name: what it is and which version: checkpoints of another name are refused.
    """

    name: str
    slice = 50  # milliseconds of a step between two looks at clock and keyboard
    obstacle = ""  # in words, why the search cannot go on though it is not done

    @abstractmethod
    def run(self, milliseconds: int) -> bool:
        """Search on for about so long. Returns whether all is done."""

    def divide(self, workers: int) -> None:  # noqa: B027 (most can do nothing with them)
        """Use up to so many processors from now on, if it can: called before anything else is."""

    def lead(self, parts: int) -> None:
        """Be the one to which the findings of so many tasks come, by `merge`. Called before anything else is.

        Raises InputError where a question is not divided so.
        """
        raise InputError("this question is not divided into tasks: workers, or none, solve it here", path="executor")

    def part(self, number: int, parts: int) -> None:  # noqa: B027 (most are not divided)
        """Be one of several searches of this question, each in a task of its own: go another way than the others.

        Called before anything else is.
        """

    def merge(self, found: bytes, number: int) -> None:
        """Add the `save` of the task of this number, which began with that of this search.

        Facts, all of it: what is lost or comes twice changes nothing.
        """
        self.load(found)

    @abstractmethod
    def advance(self, work: int) -> bool:
        """Search on for so much work, in the search's own unit. Returns whether all is done.

        The same calls come to the same results on every machine, where the memory suffices.
        """

    @property
    @abstractmethod
    def lower(self) -> float | None:
        """At least so much can be had: proven. None while nothing is."""

    @property
    @abstractmethod
    def upper(self) -> float | None:
        """No more than this can be had: proven. None while nothing is."""

    @property
    @abstractmethod
    def nodes(self) -> int:
        """Work done, in the search's own unit."""

    @property
    def memory(self) -> int:
        """Bytes in use."""
        return 0

    @abstractmethod
    def steps(self) -> list[str]:
        """What leads to `lower`, or is likeliest where chance plays a part, as the steps of a record."""

    def optimal(self, workers: int, look_up: Callable[[], bool]) -> list[str] | None:
        """All first moves that keep the value, when it is done; None if `look_up` said to stop before they were found.

        Raises InputError where there is no such thing.
        """
        raise InputError("first moves cannot be counted for this question", path="count")

    def choice(self, work: int) -> Choice | None:
        """How it must be begun, when it is done; None if that takes more work than so much for each first move."""
        return None

    def drawn(self, sets: int) -> float:
        """Of a question about cards: the points of the best of so many sets of them drawn at random, each laid best.

        The draws are always the same ones, and more begin with the fewer.
        """
        raise InputError("this question is not about cards", path="question")

    def details(self) -> dict[str, Any]:
        """What else the solution says: its fields `mixes`, `farm` and `points`."""
        return {}

    def remarks(self) -> list[str]:
        """What else the solution should say of the search, such as that a table was full."""
        return []

    def save(self) -> bytes:
        """All that has been found so far; `load` goes on from there. Raises InputError where that is not possible."""
        raise InputError("this question cannot be saved and resumed", path="checkpoint")

    def load(self, data: bytes) -> None:
        """Go on where this was saved. Raises InputError or ValueError."""
        raise InputError("this question cannot be saved and resumed", path="checkpoint")


def finish(search: Any, work: int) -> bool:
    """Advance a search, one of these or one of the core's, until it is done or so much work is. Returns whether it is.

    search: with `advance`.
    """
    done = False
    while not done and work > 0:
        done = bool(search.advance(min(work, _PORTION)))
        work -= _PORTION
        if getattr(search, "obstacle", ""):
            break
    return done


class Pace:
    """How many nodes take how long: turns milliseconds into the numbers that the core counts in."""

    def __init__(self, nodes: int = 1000, longest: float = 0.05) -> None:
        """nodes: of the first slice. longest: seconds of a slice."""
        self.nodes, self.longest = nodes, longest

    def run(self, advance: Callable[[int], bool], milliseconds: int) -> bool:
        """Advance for about so long, in slices that grow no faster than they prove quick."""
        end = clock.perf_counter() + milliseconds / 1000
        now = clock.perf_counter()
        while True:
            done, then = advance(self.nodes), now
            now = clock.perf_counter()
            if done or now >= end:
                return done
            rate = self.nodes / max(now - then, 1e-6)
            self.nodes = max(1, min(2 * self.nodes, int(rate * min(milliseconds / 1000, self.longest))))


class Compiled(Solving):
    """A search of the core, `solver`, that knows its bounds and its work itself."""

    solver: Any

    def advance(self, work: int) -> bool:
        """See the class above."""
        return bool(self.solver.advance(work))

    @property
    def lower(self) -> float | None:
        """See the class above."""
        bound: float | None = self.solver.lower
        return bound

    @property
    def upper(self) -> float | None:
        """See the class above."""
        bound: float | None = self.solver.upper
        return bound

    @property
    def nodes(self) -> int:
        """See the class above."""
        return int(self.solver.nodes)

    @property
    def memory(self) -> int:
        """See the class above."""
        return int(self.solver.memory)


class Resumable(Compiled):
    """One whose solver knows `save` and `load`, too."""

    def save(self) -> bytes:
        """See the class above."""
        return bytes(self.solver.save())

    def load(self, data: bytes) -> None:
        """See the class above."""
        self.solver.load(data)


class OpenOrder(Resumable):
    """The most points that one player can have, the order of the deck known."""

    def __init__(self, position: Position, solver: Any) -> None:
        """solver: of the core, with `run`, `line`, `first_moves`, `save` and `load` beside the bounds."""
        self.position, self.solver = position, solver

    def run(self, milliseconds: int) -> bool:
        """See the class above."""
        return self._search(self.solver.run, milliseconds)

    def advance(self, work: int) -> bool:
        """See the class above."""
        return self._search(self.solver.advance, work)

    def _search(self, on: Callable[[int], bool], amount: int) -> bool:
        try:
            return bool(on(amount))
        except ValueError as error:
            self.obstacle = str(error)
            return False

    def choice(self, work: int) -> Choice | None:
        """Points are whole numbers: what does not keep the value loses one at least."""
        value, first = self.solver.lower, self.solver.line()[0]
        best = [str(self.position.game.moves[first])]
        try:
            asked = self.solver.first_moves()
            for move, search in asked:
                if move == first:
                    continue
                if not finish(search, work):
                    return None
                if search.lower is not None and search.lower >= value:
                    best.append(str(self.position.game.moves[move]))
                    break  # two are as good as many
        except ValueError:  # it cannot be told
            return None
        return Choice(best, float(len(best) == 1 < len(asked)), len(asked))

    def steps(self) -> list[str]:
        """The best line so far."""
        if self.solver.lower is None:
            return []
        moves = self.position.game.moves
        return [f"0: {moves[move]}" for move in self.solver.line()]

    def optimal(self, workers: int, look_up: Callable[[], bool]) -> list[str] | None:
        """Ask of each first move whether a line that begins with it comes to the value."""
        value = self.solver.lower
        stop = False

        def keeps(search: Any) -> bool:
            while not stop and not search.run(_SLICE):
                pass
            return search.lower is not None and value is not None and bool(search.lower >= value)

        moves = self.position.game.moves
        with ThreadPoolExecutor(workers) as pool:
            asked = [(moves[move], pool.submit(keeps, search)) for move, search in self.solver.first_moves()]
            try:
                while not all(answer.done() for _, answer in asked):
                    wait([answer for _, answer in asked], timeout=_SLICE / 1000)
                    if look_up():
                        return None
            finally:
                stop = True
        try:
            return [str(move) for move, answer in asked if answer.result()]
        except ValueError as error:
            raise InputError(str(error), path="count") from None


class Induction(Resumable):
    """Values of one or two players by backward induction, chance exact: the whole rest of the game, or nothing."""

    name = "backward induction 1"

    def __init__(self, position: Position, objective: int, memory: int) -> None:
        """objective: as the core numbers it. Raises InputError for a position that cannot be solved so."""
        try:
            self.solver = Solver(position, objective, memory=memory)
        except ValueError as error:
            raise InputError(str(error)) from None
        self.position, self.objective, self.room, self.pace = position, objective, memory, Pace()
        self.wins = objective == 0
        self.others: list[tuple[Solver, Pace]] = []
        self.over = False  # whether one of the threads is done, or all shall end

    def divide(self, workers: int) -> None:
        """Threads with one table, each with an order of its own: what one of them values none of the others has to."""
        if workers < 2 or self.solver.done:
            return
        self.solver = None  # its memory is that of the next
        self.solver = Solver(self.position, self.objective, memory=self.room, shared=True)
        self.pace = Pace(longest=_CLOSELY)
        self.others = [(self.solver.partner(), Pace(longest=_CLOSELY)) for _ in range(min(workers, _MOST) - 1)]
        self.pool = ThreadPoolExecutor(len(self.others))
        self.slice = _TOGETHER

    def lead(self, parts: int) -> None:
        """Values are facts, whoever finds them: there is nothing to prepare."""

    def part(self, number: int, parts: int) -> None:
        """Each has an order of its own."""
        self.solver.order(number % _MOST)

    def run(self, milliseconds: int) -> bool:
        """See the class above."""
        if not self.others:
            return self.pace.run(self.solver.advance, milliseconds)
        self.over = False
        jobs = [self.pool.submit(self._run_one, *other, milliseconds) for other in self.others]
        try:
            self._run_one(self.solver, self.pace, milliseconds)
        finally:
            wait(jobs)
            self.solver.gather()
        for job in jobs:
            job.result()
        return bool(self.solver.done)

    def _run_one(self, solver: Solver, pace: Pace, milliseconds: int) -> None:
        """One of the threads, until the time is up or another one is done."""
        try:
            pace.run(lambda nodes: solver.advance(nodes) or self.over, milliseconds)
        except BaseException:
            self.over = True
            raise
        self.over = self.over or solver.done

    @property
    def lower(self) -> float | None:
        """Before it is done no more is known than that somebody wins."""
        return self._value if self.solver.done else 0.0 if self.wins else None

    @property
    def upper(self) -> float | None:
        """As `lower`."""
        return self._value if self.solver.done else 1.0 if self.wins else None

    @property
    def _value(self) -> float:
        return float(self.solver.value)

    def steps(self) -> list[str]:
        """The likeliest course, of equals the first."""
        if not self.solver.done:
            return []
        return [f"{step}" if player is None else f"{player}: {step}" for player, step in self.solver.line()]

    def optimal(self, workers: int, look_up: Callable[[], bool]) -> list[str]:
        """Of the one player who must choose."""
        if len(self.position.actors) != 1:
            raise InputError("nobody chooses alone here: there are no best first moves to count", path="count")
        losses = self.losses()
        return [str(move) for move, loss in zip(self.position.legal(), losses, strict=True) if loss < _CLOSE]

    def losses(self) -> list[float]:
        """What each of the first moves loses against the value, to the first of those who must choose.

        Of a choice by two at once: if the other one answers as well as he can.
        """
        payoff = self.solver.payoff()
        if len(self.position.actors) == 2:
            return [self._value - min(row) for row in payoff]
        values = [-value for value in payoff[0]] if self.position.actors[0] == 1 else [row[0] for row in payoff]
        return [max(values) - value for value in values]

    def given_away(self, mix: Sequence[float]) -> float:
        """What a mix of first moves loses, to the one whom `losses` is about, at most."""
        if len(self.position.actors) == 1:
            return sum(share * loss for share, loss in zip(mix, self.losses(), strict=True))
        columns = zip(*self.solver.payoff(), strict=True)
        worst: float = min(sum(map(mul, mix, column)) for column in columns)
        return self._value - worst

    def choice(self, work: int) -> Choice:
        """Of two who choose at once: how player 0 must."""
        losses = self.losses()
        moves = [str(move) for move in self.position.legal(self.position.actors[0])]
        if len(self.position.actors) == 1:
            best = [move for move, loss in zip(moves, losses, strict=True) if loss < _CLOSE]
            others = [loss for loss in losses if loss >= _CLOSE]
            return Choice(best, min(others) if len(best) == 1 and others else 0.0, len(moves))
        payoff = self.solver.payoff()
        _, mix, _ = matrix.solve(payoff)
        pure = [i for i, loss in enumerate(losses) if loss < _SAME]
        if len(pure) != 1:
            return Choice([move for move, share in zip(moves, mix, strict=True) if share > _CLOSE], 0.0, len(moves))
        return Choice([moves[pure[0]]], self._value - self._without(payoff, pure[0]), len(moves))

    def _without(self, payoff: Sequence[Sequence[float]], pure: int) -> float:
        """What player 0 can have at most, by any mix, without his best move, against replies that are best to it.

        If that is less than the value, no mix in which others take part keeps it either.
        """
        columns = [j for j, cell in enumerate(payoff[pure]) if cell < self._value + _SAME]
        rows = [[row[j] for j in columns] for i, row in enumerate(payoff) if i != pure]
        return float(matrix.value(rows))

    def remarks(self) -> list[str]:
        """Whether memory was short."""
        return ["memory is full: values displaced others, which had to be found again"] if self.solver.full else []

    def details(self) -> dict[str, Any]:
        """An equilibrium, where two choose at once."""
        if len(self.position.actors) != 2 or not self.solver.done:
            return {}
        _, *mixes = matrix.solve(self.solver.payoff())
        return {
            "mixes": [
                {str(move): share for move, share in zip(self.position.legal(seat), mix, strict=True) if share > _CLOSE}
                for seat, mix in enumerate(mixes)
            ]
        }
