from collections.abc import Iterable, Sequence
from typing import Self

from typing_extensions import disjoint_base

from ninefold.core.rules import Game

@disjoint_base
class FarmSolver:
    def __new__(
        cls,
        game: Game,
        cards: Iterable[int],
        *,
        whole: bool = False,
        tokens: Sequence[int] | None = None,
        stock: Sequence[int] | None = None,
    ) -> Self: ...
    @property
    def game(self) -> Game: ...
    @property
    def cards(self) -> tuple[int, ...]: ...
    @property
    def done(self) -> bool: ...
    @property
    def nodes(self) -> int: ...
    @property
    def lower(self) -> int | None: ...
    @property
    def upper(self) -> int | None: ...
    @property
    def farm(self) -> list[int | None] | None: ...
    @property
    def order(self) -> list[int] | None: ...
    def advance(self, nodes: int) -> bool: ...
