"""How balanced the cards of Territory are: strong players against themselves.

    python -m bench.territory_balance --players 2 --games 300 --visits 1000 --workers 2
    python -m bench.territory_balance --ruleset cards.toml

Of each side of a goal and each skill: how often it was taken, out of the bonus choices in which it could be. Of each
seat: its mean score and its share of the wins. Intervals are 95 %; those of choices take each choice as independent.
"""

from __future__ import annotations

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from typing import NamedTuple

import ninefold as nf
from ninefold._match import interval

LEAST, MOST = 0.03, 0.40  # of its chances a card should be taken


class Told(NamedTuple):
    """What one game told."""

    chances: Counter[str]
    taken: Counter[str]
    met: Counter[str]  # at the end
    scores: list[int]
    wins: list[float]


def play(number: int, players: int, visits: int, ruleset: str | None) -> Told:
    """One game of the search against itself."""
    position = nf.game("territory", players, ruleset=ruleset).start()
    generator, limit, moves = nf.Generator(number), nf.Limit(visits=visits), 0
    chances: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    by_seat: list[list[str]] = [[] for _ in range(players)]
    sides: dict[str, str] = {}
    while True:
        position.roll_all(generator)
        if position.is_over:
            break
        if not sides:
            names = position.to_dict()["sides"]
            sides = dict(zip(position.game.ruleset.goals, names, strict=True))  # type: ignore[attr-defined]
        chosen = {}
        for seat in position.actors:
            legal = position.legal(seat)
            move, moves = legal[0], moves + 1
            if len(legal) > 1:
                answer = nf.best(position, limit, player=seat, seed=1000 * number + moves)
                move = answer.best
            chosen[seat] = move
            if str(move).startswith("bonus "):
                open_cards = [str(one).removeprefix("bonus ") for one in legal]
                card = str(move).removeprefix("bonus ")
                chances.update(sides.get(one, one) for one in open_cards)
                taken[sides.get(card, card)] += 1
                by_seat[seat].append(sides.get(card, card))
        position.play_all(chosen)
    return Told(chances, taken, met(position, by_seat), position.scores(), position.utilities(0) if players > 1 else [])


def met(position: nf.Position, by_seat: list[list[str]]) -> Counter[str]:
    """The cards taken that score at the end: without one of them there are fewer points."""
    found: Counter[str] = Counter()
    goals = position.game.ruleset.goals  # type: ignore[attr-defined]
    names = {side.name: name for name, goal in goals.items() for side in (goal.front, goal.back)}
    data = position.to_dict()
    for seat, cards in enumerate(by_seat):
        for card in cards:
            player = data["player"][seat]
            without = {**player, "bonus": [name for name in player["bonus"] if name != names.get(card, card)]}
            seats = [*data["player"][:seat], without, *data["player"][seat + 1 :]]
            fields = {name: value for name, value in data.items() if name not in ("ninefold", "game", "ruleset")}
            after = position.game.position({**fields, "player": seats})
            found[card] += after.scores()[seat] < position.scores()[seat]
    return found


def share(taken: int, chances: int) -> str:
    """In per cent, with an interval."""
    p = taken / chances
    return f"{p:5.1%} ± {1.96 * sqrt(p * (1 - p) / chances):.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--visits", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--ruleset", help="other cards than the invented ones")
    arguments = parser.parse_args()
    game = partial(play, players=arguments.players, visits=arguments.visits, ruleset=arguments.ruleset)
    with ProcessPoolExecutor(arguments.workers) as pool:
        told = list(pool.map(game, range(arguments.games)))
    chances, taken, scored = Counter[str](), Counter[str](), Counter[str]()
    for one in told:
        chances.update(one.chances)
        taken.update(one.taken)
        scored.update(one.met)
    for card in sorted(chances, key=lambda card: taken[card] / chances[card]):
        mark = "" if LEAST <= taken[card] / chances[card] <= MOST else "  <- outside"
        often = share(taken[card], chances[card])
        print(f"{card:15} {often} of {chances[card]:5}; scores {scored[card]:4} of {taken[card]}{mark}")
    for seat in range(arguments.players):
        scores = [one.scores[seat] for one in told]
        score, half = interval(scores)
        line = f"seat {seat}: {score:.2f} ± {half:.2f} points"
        line += f", {min(scores)} to {max(scores)}"
        if arguments.players > 1:
            share_won, half = interval([one.wins[seat] for one in told])
            line += f"; wins {share_won:.1%} ± {half:.1%}"
        print(line)


if __name__ == "__main__":
    main()
