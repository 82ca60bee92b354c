from typing import Self

from typing_extensions import disjoint_base

from ninefold.core.rules import State

MOVES: dict[str, int]

@disjoint_base
class LineSearch:
    def __new__(cls, state: State, sales: bool, action: int, seed: int) -> Self: ...
