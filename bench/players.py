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


def threshold(position: nf.Position, seat: int, seed: int) -> nf.Move | int:
    """Canopy: keeps a pile whose cards are worth enough by themselves, as the prototype's greedy player does.

    What the prototype decides by a fixed rule (trees, discards) is the move that the game's quick guess likes best.
    """
    moves = position.legal(seat)
    words = [str(move) for move in moves]
    if "keep" not in words or "pass" not in words:
        worth = position.prior(seat)
        return moves[worth.index(max(worth))]
    data = position.to_dict()
    at = data["pending"]["pile"] if "pending" in data else min(i for i, pile in enumerate(data["piles"], 1) if pile)
    mine = data["player"][seat]
    open_trees = [[int(value) for value in tree.split("+")] for tree in mine.get("trees", []) if " " not in tree]
    tree = max(open_trees, key=len, default=[])
    cards = [word.split()[0] for word in data["piles"][at - 1]]
    enough = {1: 3.4, 2: 3.0, 3: 2.0}[at]
    return moves[
        words.index("keep" if sum(_worth(card, mine.get("forest", {}), tree) for card in cards) >= enough else "pass")
    ]


def _worth(card: str, forest: dict[str, int], tree: list[int]) -> float:
    """The prototype's worth of one more card."""
    kind, _, value = card.rpartition("_")
    if kind == "trunk":
        return (1.2, 2.0, 3.0)[int(value)]
    if kind == "canopy":
        return sum(tree) + int(value) * len(tree) + 2.0 if tree else 0.0
    held = forest.get(card, 0)
    fixed = {
        "philodendron": 5.0 if held % 3 == 2 else 2.2,
        "bromelia": 3.0 if held < 2 else -8.0 if held == 2 else 0.1,
        "fern": 1.4,
        "seed": 1.3,
        "rain": 5.0 if forest.get("sun", 0) > held else 1.8,
        "sun": 5.0 if forest.get("rain", 0) > held else 1.8,
        "fire": -3.0 if held else -0.5,
        "drought": 0.5 if forest.get("disease") else -1.0,
        "disease": (-0.6, -1.5 - 0.5 * sum(n for name, n in forest.items() if _animal(name)), -0.5)[min(held, 2)],
    }
    if card in fixed:
        return fixed[card]
    partner = card.removesuffix("_mating") if card.endswith("_mating") else f"{card}_mating"
    return 4.5 if forest.get(partner) else 1.8


def _animal(name: str) -> bool:
    return name.removesuffix("_mating") in (
        "emerald_boa",
        "kinkajou",
        "leafcutter_ant",
        "poison_frog",
        "sloth",
        "toucan",
    )
