"""Root regret: what the returned mix gives away against exact values, by number of visits, on solved endgames.

    python -m bench.regret --positions 100 --left 8

The regret of a mix is the exact value of the position less what the mix guarantees against every reply, in points, with
exact play afterwards; so 0 is perfect, and "uniform" is bidding at random.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import ninefold as nf
from ninefold.core.search.expectimax import Solver

MARGIN = 1


def endgames(left: int, count: int, seed: int = 1) -> Iterator[nf.Position]:
    """Two-player positions with so many cards left in the deck, everybody about to bid, from uniformly random play."""
    start = nf.game("donuts", 2).start()
    generator = nf.Generator(seed, left)
    while count:
        position = start.copy()
        position.roll_all(generator)
        while not position.is_over and (position.rest or 0) > left:
            for player in position.actors:
                position.apply(player, generator.choice(position.legal(player)))
            position.roll_all(generator)
        if position.rest == left and len(position.actors) == 2:
            count -= 1
            yield position


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--left", type=int, default=8, help="cards left in the deck")
    parser.add_argument("--visits", type=int, nargs="+", default=[100, 1_000, 10_000, 100_000])
    parser.add_argument("--algorithms", nargs="+", default=["duct", "rm"])
    parser.add_argument("--exploration", type=float)
    parser.add_argument("--rollout", type=float)
    arguments = parser.parse_args()
    solved = []
    started = time.perf_counter()
    for position in endgames(arguments.left, arguments.positions):
        solver = Solver(position, MARGIN, memory=1 << 30)
        while not solver.advance(50_000):
            pass
        solved.append((position, solver.value, solver.payoff()))
    print(f"{len(solved)} positions, {arguments.left} cards left, solved in {time.perf_counter() - started:.1f} s")
    uniform = sum(value - guaranteed([1 / 3] * 3, payoff) for _, value, payoff in solved) / len(solved)
    print(f"uniform {uniform:.3f} points")
    print("algorithm " + "".join(f"{visits:>12,}" for visits in arguments.visits) + "   visits")
    for algorithm in arguments.algorithms:
        row = [
            sum(
                value - guaranteed(mix(position, visits, algorithm, arguments), payoff)
                for position, value, payoff in solved
            ) / len(solved)
            for visits in arguments.visits
        ]  # fmt: skip
        print(f"{algorithm:10}" + "".join(f"{regret:12.4f}" for regret in row), flush=True)


def mix(position: nf.Position, visits: int, algorithm: str, arguments: argparse.Namespace) -> list[float]:
    answer = nf.best(
        position, nf.Limit(visits=visits), player=0, objective="margin", exact=False, algorithm=algorithm,
        exploration=arguments.exploration, rollout=arguments.rollout, seed=1,
    )  # fmt: skip
    shares = {info.move: info.share for info in answer.moves}
    return [shares[move] for move in position.legal(0)]


def guaranteed(mix: list[float], payoff: list[list[float]]) -> float:
    return min(sum(share * row[j] for share, row in zip(mix, payoff, strict=True)) for j in range(len(payoff[0])))


if __name__ == "__main__":
    main()
