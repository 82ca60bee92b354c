"""A ruleset and a player for ninefold."""

from __future__ import annotations

from importlib.resources import files

import ninefold as nf
from ninefold.players import Player

__all__ = ["BAKERY", "nth"]

BAKERY = files(__name__) / "bakery.toml"


def nth(said: str) -> Player:
    """Plays the move that is N-th best by the game's quick guess: nth:2 the second best, nth:1 as greedy does."""
    rank = int(said)
    if rank < 1:
        raise ValueError("N counts from 1")

    def choose(position: nf.Position, seat: int, seed: int) -> nf.Move:
        worth, moves = position.prior(seat), position.legal(seat)
        order = sorted(range(len(moves)), key=worth.__getitem__, reverse=True)
        return moves[order[min(rank, len(order)) - 1]]

    return choose
