"""The exact search of Territory alone, as `ninefold.solve` drives it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any

from ninefold.core.games.territory_open import OpenSolver
from ninefold.errors import InputError
from ninefold.solvers import Induction, Solving

if TYPE_CHECKING:
    from ninefold.position import Position
    from ninefold.puzzle import Puzzle

__all__ = ["OpenSearch", "search_of"]

_SLICE = 25  # milliseconds between two looks at the clock


class OpenSearch(Solving):
    """The most points that can be had alone, the order of the deck known."""

    name = "territory open 1"

    def __init__(self, position: Position) -> None:
        """Raises ValueError for what this search does not know."""
        self.position = position
        self.solver = OpenSolver(position)

    def run(self, milliseconds: int) -> bool:
        """See the class above."""
        try:
            return self.solver.run(milliseconds)
        except ValueError as error:
            self.obstacle = str(error)
            return False

    @property
    def lower(self) -> float | None:
        """The points of the best line so far."""
        return self.solver.lower

    @property
    def upper(self) -> float | None:
        """The highest score that is not refuted."""
        return self.solver.upper

    @property
    def nodes(self) -> int:
        """Drafts looked at."""
        return self.solver.nodes

    @property
    def memory(self) -> int:
        """Bytes in use."""
        return self.solver.memory

    def steps(self) -> list[str]:
        """The best line so far."""
        moves = self.position.game.moves
        return [f"0: {moves[move]}" for move in self.solver.line()]

    def optimal(self, workers: int, look_up: Callable[[], bool]) -> list[str] | None:
        """Ask of each first move whether a line that begins with it comes to the value."""
        stop = False

        def keeps(search: OpenSolver) -> bool:
            while not stop and not search.run(_SLICE):
                pass
            return search.lower is not None

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

    def save(self) -> bytes:
        """See the class above."""
        return self.solver.save()

    def load(self, data: bytes) -> None:
        """See the class above."""
        self.solver.load(data)


def search_of(puzzle: Puzzle, objective: int, memory: int, **options: Any) -> Solving:
    """The search for a puzzle: of a known order, or of all that may come."""
    for name, value in options.items():
        raise InputError("territory has no such option", path=name, value=value)
    position = puzzle.position
    if position is None:
        raise InputError("territory has no such question", path="question", value=puzzle.question)
    data = position.to_dict()
    known = "order" in data or not data.get("deck", 0)  # of an order that is too short the search itself says so
    if position.players == 1 and not position.is_chance and known:
        try:
            return OpenSearch(position)
        except ValueError as error:
            raise InputError(str(error)) from None
    return Induction(position, objective, memory)
