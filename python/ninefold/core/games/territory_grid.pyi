from collections.abc import Iterable, Sequence
from typing import Any

from ninefold.core.rules import Game

def best(
    game: Game, animals: Iterable[int], goals: Sequence[tuple[int, int]] = (), face_down: bool = False
) -> dict[str, Any] | None: ...
def solve_many(game: Game, n: int, seed: int) -> int: ...
