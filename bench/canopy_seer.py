"""Canopy: what not seeing costs. A search against the same search that sees every card that lies in a growth pile.

python -m bench.canopy_seer [--games 400] [--visits 400] [--workers 1]

The engine draws a card when somebody first looks at it; here a card that nobody has seen is drawn as soon as it lies in
a pile, put down in a list, shown to the seer alone, and dealt from the list when it is looked at. The order of the deck
is seen by nobody: no player of ours can use it. Each deal is played twice, with seats changed.
"""

from __future__ import annotations

import argparse
import random
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import ninefold as nf
from ninefold._match import interval
from ninefold.core.games import canopy
from ninefold.games.canopy_files import UNKNOWN

DEAL = canopy.OUTCOMES["deal"]
LOOKING = [canopy.PHASES.index(word) for word in ("reveal", "peek")]


class Cards:
    """What lies unseen in each pile."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.piles: list[list[int]] = [[], [], []]

    def draw(self, pool: list[int]) -> int:
        """A card that lies in no pile."""
        left = [n - sum(pile.count(kind) for pile in self.piles) for kind, n in enumerate(pool)]
        return self.chance.choices(range(len(pool)), left)[0]

    def fill(self, state: dict[str, list[list[tuple[int, int]]]], pool: list[int]) -> None:
        """Draw for every card that has come to lie in a pile."""
        for pile, cards in zip(self.piles, state["piles"], strict=True):
            while len(pile) < sum(kind == UNKNOWN for kind, _ in cards):
                pile.append(self.draw(pool))

    def settle(self, position: nf.Position) -> None:
        """What chance brings, by the list where a pile is looked at."""
        state = canopy.dump(position)
        self.fill(state, state["pool"])
        outcomes = [str(outcome) for outcome, _ in position.outcomes()]
        if state["phase"] in LOOKING:
            pile = self.piles[state["at"]]
            self.chance.shuffle(pile)
            position.settle(DEAL + pile.pop())
        elif outcomes[0].startswith("deal"):
            position.settle(DEAL + self.draw(state["pool"]))
        else:
            position.roll(nf.Generator(self.chance.getrandbits(60)))

    def shown(self, position: nf.Position, seat: int) -> nf.Position:
        """The position of a seat that sees all of that."""
        state = canopy.dump(position)
        self.fill(state, state["pool"])
        mask = 1 << seat
        for pile, cards in zip(self.piles, state["piles"], strict=True):
            hidden = iter(pile)
            cards[:] = sorted((next(hidden), mask) if kind == UNKNOWN else (kind, seen | mask) for kind, seen in cards)
            for kind in pile:
                state["pool"][kind] -= 1
        for some in (state["hand"], state["drawn"], state["under"]):
            some[:] = [(kind, seen | mask) for kind, seen in some]
        seen = nf.Position(position.game)
        try:
            canopy.load(seen, state)
        except ValueError:  # he is asked whether to use the toucan, which has nothing left to see
            return position.view(seat)
        return seen


def play(number: int, visits: int) -> float:
    """The seer's share of the win."""
    seer, limit = number % 2, nf.Limit(visits=visits)
    position, cards, dice = nf.game("canopy").start(), Cards(random.Random(number // 2)), random.Random(~number)
    while not position.is_over:
        if not position.actors:
            cards.settle(position)
            continue
        seat = position.actors[0]
        sight = cards.shown(position, seat) if seat == seer else position.view(seat)
        answer = nf.best(sight, limit, player=seat, seed=dice.getrandbits(60), exact=False)
        position.play(seat, answer.draw(dice.random()))
    return position.utilities(0)[seer]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--visits", type=int, default=400)
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    with ProcessPoolExecutor(arguments.workers) as pool:
        shares = list(pool.map(partial(play, visits=arguments.visits), range(arguments.games)))
    deals = [(one + other) / 2 for one, other in zip(shares[::2], shares[1::2], strict=True)]
    mean, half = interval(deals)
    print(f"who sees all wins {100 * mean:.1f} ± {100 * half:.1f} % of {len(shares)} games")


if __name__ == "__main__":
    main()
