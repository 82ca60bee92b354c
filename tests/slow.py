"""What a position is worth to player 0, by trying everything."""

from __future__ import annotations

import itertools

from ninefold.core import rules
from ninefold.core.search import matrix

__all__ = ["slow"]


def slow(state: rules.State, objective: int, known: dict[bytes, float]) -> float:
    """The definition of the value; positions count as met before only if they are the same to the byte."""
    name = state.to_bytes()
    if name not in known:
        known[name] = _search(state, objective, known)
    return known[name]


def _search(state: rules.State, objective: int, known: dict[bytes, float]) -> float:
    if state.is_over:
        return state.utilities(objective)[0]
    if state.is_chance:
        total = 0.0
        for outcome, probability in state.outcomes():
            child = state.copy()
            child.settle(outcome)
            total += probability * slow(child, objective, known)
        return total
    values = []
    for moves in itertools.product(*[state.legal(player) for player in state.actors]):
        child = state.copy()
        for player, move in zip(state.actors, moves, strict=True):
            child.apply(player, move)
        values.append(slow(child, objective, known))
    if len(state.actors) == 1:
        return max(values) if state.actors == (0,) else min(values)
    columns = len(state.legal(1))
    return matrix.value([values[i : i + columns] for i in range(0, len(values), columns)])
