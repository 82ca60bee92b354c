from collections.abc import Sequence

from ninefold.core.rules import State

_Sums = tuple[float, float, float, float]

def compare(
    state: State,
    player: int,
    one: int,
    other: int,
    n: int,
    *,
    temperature: float,
    objective: int = 0,
    replies: Sequence[tuple[int, int, float]] = (),
    seed: int = 0,
    first: int = 0,
) -> tuple[int, _Sums, list[_Sums], list[_Sums], list[list[_Sums]], list[_Sums]]: ...
