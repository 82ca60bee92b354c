from collections.abc import Mapping
from typing import Any

from ninefold.core.rules import Game, State

ATTRIBUTES: tuple[str, ...]
RESOURCES: tuple[str, ...]
PHASES: tuple[str, ...]
TASKS: tuple[str, ...]
MODES: tuple[str, ...]
WAYS_TO_TAKE: tuple[tuple[int, int, int], ...]
MOVES: dict[str, int]
ORIGINS: dict[str, int]
LIMITS: dict[str, int]

GUESSES: dict[str, float | list[float]]

def compile(
    data: dict[str, Any], players: int, options: Mapping[str, str], guesses: Mapping[str, float | list[float]] = ...
) -> Game: ...
def dump(state: State) -> dict[str, Any]: ...
def load(state: State, data: dict[str, Any]) -> None: ...
