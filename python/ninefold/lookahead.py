"""A look so many decisions ahead: expectimax over drawn worlds, the textbook player that a tree search has to beat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninefold.core.rules import Generator
from ninefold.core.search import matrix
from ninefold.core.search.mcts import policy_playouts

if TYPE_CHECKING:
    from ninefold.move import Move
    from ninefold.position import Position

__all__ = ["look_ahead"]

WORLDS = 8  # drawn for what is hidden and for what chance brings
WIDTH = 8  # moves that are looked at below the root, those that the game's quick guess likes best


def look_ahead(position: Position, seat: int, depth: int, seed: int) -> Move:
    """The move that is worth most so many decisions ahead, in the mean of some drawn worlds.

    A decision is a node in which somebody chooses, the first being the root's. Behind the last one the game is played
    to its end by the game's quick guess, and points count: own ones less those of the best other player (alone: own).
    Whoever chooses alone takes what is best for himself among the `WIDTH` moves that the guess likes best; where two
    players choose at once it is the value of their matrix; else the others follow the guess. Chance is drawn. The same
    seed gives the same move.
    """
    moves = position.legal(seat)
    totals = [0.0] * len(moves)
    for number in range(WORLDS):
        luck = Generator(seed, number)
        world = position.copy()
        if world.secrets == "hidden":
            world.resample(seat, luck)
        rows = _rows(world, seat, moves, depth, luck)
        totals = [total + row[seat] for total, row in zip(totals, rows, strict=True)]
    return moves[max(range(len(moves)), key=totals.__getitem__)]


def _rows(world: Position, seat: int, moves: list[Move], depth: int, luck: Generator) -> list[list[float]]:
    """What each move of a seat is worth to everybody, if the others who choose now follow the guess."""
    replies = {other: _likely(world, other, 1)[0] for other in world.actors if other != seat}
    return [_after(world, {**replies, seat: move}, depth, luck) for move in moves]


def _after(world: Position, chosen: dict[int, Move], depth: int, luck: Generator) -> list[float]:
    after = world.copy()
    for player in sorted(chosen):
        after.apply(player, chosen[player])
    after.roll_all(luck)
    return _worth(after, depth - 1, luck)


def _worth(world: Position, depth: int, luck: Generator) -> list[float]:
    if depth <= 0 or world.is_over:
        temperature = world.game.module.tuning.rollout
        points = [float(one) for one in policy_playouts(world, 1, temperature, luck.below(1 << 31))]
        best = [max(points[:seat] + points[seat + 1 :], default=0.0) for seat in range(len(points))]
        return [own - other for own, other in zip(points, best, strict=True)]
    actors = world.actors
    if len(actors) == world.players == 2:
        own, other = (_likely(world, player, WIDTH) for player in actors)
        value = matrix.value([[_after(world, {0: a, 1: b}, depth, luck)[0] for b in other] for a in own])
        return [value, -value]
    rows = _rows(world, actors[0], _likely(world, actors[0], WIDTH), depth, luck)
    return max(rows, key=lambda row: row[actors[0]])


def _likely(world: Position, player: int, count: int) -> list[Move]:
    """So many of a player's moves, those that the guess likes best, in the order of the rules."""
    moves, guess = world.legal(player), world.prior(player)
    best = sorted(range(len(moves)), key=lambda i: -guess[i])[:count]
    return [moves[i] for i in sorted(best)]
