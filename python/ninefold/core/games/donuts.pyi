from typing import Any

from ninefold.core.rules import Game, State

POWER_NAMES: tuple[str, ...]
LIMITS: dict[str, int]

def compile(
    players: int,
    kinds: list[dict[str, Any]],
    return_top: bool,
    coffee_final: bool,
    red_velvet_must: bool,
    bear_claw_must: bool,
) -> Game: ...
def dump(state: State) -> dict[str, Any]: ...
def load(state: State, data: dict[str, Any]) -> None: ...
