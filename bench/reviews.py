"""How often a review blames good moves: games of a strong player, reviewed with fewer visits than he had.

    python -m bench.reviews --game territory --players 2 --by 4000 --visits 1000

Told are the choices called mistakes, and those whose regret lies outside of its 95 % interval, which more would be.
"""

from __future__ import annotations

import argparse

import ninefold as nf
from ninefold._match import known_to


def record(of: nf.Game, visits: int, seed: int, choices: int) -> nf.Record:
    """The first so many choices of a game, each the best move of a search with so many visits."""
    position, chance, steps = of.start(), nf.Generator(seed), list[str]()
    while choices > 0 and not position.is_over:
        if position.is_chance:
            steps.append(str(position.chance(rng=chance)))
            continue
        chosen = {
            seat: nf.best(known_to(position, seat), nf.Limit(visits=visits), player=seat, seed=seed + 77).best
            for seat in position.actors
        }
        position.play_all(chosen)
        steps += [f"{seat}: {move}" for seat, move in sorted(chosen.items())]
        choices -= len(chosen)
    return nf.Record(of, tuple(steps))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=nf.game_names(), default="donuts")
    parser.add_argument("--players", type=int)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--choices", type=int, default=60, help="of each game, from its start")
    parser.add_argument("--by", type=int, default=4000, help="visits of the player")
    parser.add_argument("--visits", type=int, default=1000, help="and of the review")
    arguments = parser.parse_args()
    of = nf.game(arguments.game, arguments.players)
    found = [
        one
        for seed in range(arguments.games)
        for one in nf.review(
            record(of, arguments.by, seed, arguments.choices), nf.Limit(visits=arguments.visits), seed=1
        ).choices
    ]
    mistakes, outside = sum(one.lost > 0 for one in found), sum(one.interval[0] > 0 for one in found)
    print(f"{len(found)} choices, {mistakes} called mistakes, {outside} outside of the 95 % interval")


if __name__ == "__main__":
    main()
