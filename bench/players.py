"""Players that only the measurements need, as `plugin:bench.players:NAME`: see `ninefold.players`."""

from __future__ import annotations

import random

import ninefold as nf
from ninefold.core.search.mcts import draw_move


def bidder(position: nf.Position, seat: int, seed: int) -> int:
    """Donuts: the bid that adds most to the own points at once if nobody else bids there; one of several."""
    moves = position.legal(seat)
    if not str(moves[0]).startswith("bid"):
        return draw_move(position, seat, 0, seed)
    gains = []
    for move in moves:
        after = position.copy()
        elsewhere = moves[(moves.index(move) + 1) % len(moves)]
        after.play_all({player: move if player == seat else elsewhere for player in position.actors})
        gains.append(after.scores()[seat] - position.scores()[seat])
    best = [move for move, gain in zip(moves, gains, strict=True) if gain == max(gains)]
    return random.Random(seed).choice(best)


def _counted(position: nf.Position) -> float:
    """Coney: points now, every resource in the stock a third of one."""
    resources: int = sum(position.to_dict()["player"][0].get("stock", {}).values())
    return position.scores()[0] - resources // 3 + resources / 3


def _most_at_once(position: nf.Position, chance: random.Random) -> int:
    """The move after which most is counted; one of them if there are several."""
    moves, gains = position.legal(0), []
    for move in moves:
        after = position.copy()
        after.apply(0, move)
        gains.append(_counted(after))
    return chance.choice([move for move, gain in zip(moves, gains, strict=True) if gain > max(gains) - 1e-9])


def step(position: nf.Position, seat: int, seed: int) -> int:
    """Coney: the action whose turn, every move the one that adds most at once, leaves most; in the turn such moves."""
    chance = random.Random(seed)
    moves = position.legal(seat)
    if not {str(move) for move in moves} <= {"place", "breed", "refill"}:
        return _most_at_once(position, chance)
    best = []
    for move in moves:
        after, generator = position.copy(), nf.Generator(seed, 6)
        after.apply(seat, move)
        while not after.is_over and after.rest == position.rest:
            if after.actors:
                after.apply(seat, _most_at_once(after, chance))
            after.roll_all(generator)
        best.append((_counted(after), chance.random(), move))
    return max(best)[2]
