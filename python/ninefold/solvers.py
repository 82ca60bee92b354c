"""What `ninefold.solve` drives: an exact search of one question, which can be looked at while it works."""

from __future__ import annotations

import time as clock
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from ninefold.core.search import matrix
from ninefold.core.search.expectimax import Solver
from ninefold.errors import InputError
from ninefold.position import Position

__all__ = ["Compiled", "Induction", "OpenOrder", "Pace", "Resumable", "Solving"]

_CLOSE = 1e-9  # values that differ by less are equal
_SLICE = 25  # milliseconds between two looks at the clock


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


class Pace:
    """How many nodes take how long: turns milliseconds into the numbers that the core counts in."""

    def __init__(self, nodes: int = 1000) -> None:
        """nodes: of the first slice."""
        self.nodes = nodes

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
            self.nodes = max(1, min(2 * self.nodes, int(rate * min(milliseconds / 1000, 0.05))))


class Compiled(Solving):
    """A search of the core, `solver`, that knows its bounds and its work itself."""

    solver: Any

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
        try:
            return bool(self.solver.run(milliseconds))
        except ValueError as error:
            self.obstacle = str(error)
            return False

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
        self.position, self.pace = position, Pace()
        self.wins = objective == 0

    def run(self, milliseconds: int) -> bool:
        """See the class above."""
        return self.pace.run(self.solver.advance, milliseconds)

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
        seat = self.position.actors[0]
        payoff = self.solver.payoff()
        values = [row[0] for row in payoff] if seat == 0 else payoff[0]
        best = max(values) if seat == 0 else min(values)
        return [
            str(move)
            for move, value in zip(self.position.legal(seat), values, strict=True)
            if abs(value - best) < _CLOSE
        ]

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
