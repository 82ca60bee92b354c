"""What is to be gained on a player of few visits, or another: the ceiling of matches against him, two players.

    python -m bench.ceiling --left 11 --positions 16
    python -m bench.ceiling --reference 300000 --positions 24
    OPENSPIEL_SECONDS=1 python -m bench.ceiling --reference 100000 --against plugin:bench.outside:Mcts

On positions where the worth of each joint bid is known (exactly, with so many cards left; or, in the middle of games,
as a long search sees it) the player's mixes over several seeds are set against those of more visits, against an
equilibrium, and against the best response of somebody who knows how often he bids what. Of a player --against whom
that is asked only single bids are known, one a seed: who knew these would gain more than he can. Shares of a win in per
cent.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator

import ninefold as nf
from bench.regret import endgames
from ninefold import players
from ninefold.core.search import matrix
from ninefold.core.search.expectimax import Solver
from ninefold.core.search.mcts import Search, draw_move
from ninefold.games.donuts import MODULE

WIN = 0
SEEDS = 8  # of the player of few visits
BIDS = 19  # a game

Mixes = tuple[list[float], list[float]]  # player 0's and player 1's


def middles(count: int) -> Iterator[nf.Position]:
    """Positions from all of a game but its end, everybody about to bid, reached by players who like what looks good."""
    generator = nf.Generator(1)
    for number in range(count):
        position = nf.game("donuts", 2).start()
        position.roll_all(generator)
        left = 12 + number * 22 // count
        while (position.rest or 0) > left or len(position.actors) < 2:
            for player in position.actors:
                position.apply(player, draw_move(position, player, 0.5, generator.below(1 << 30)))
            position.roll_all(generator)
        yield position


def exact(position: nf.Position) -> list[list[float]]:
    solver = Solver(position, WIN, memory=1 << 30)
    while not solver.advance(50_000):
        pass
    return solver.payoff()


def searched(position: nf.Position, visits: int) -> list[list[float]]:
    search = Search(position, 0, exploration=MODULE.tuning.duct, rollout=MODULE.tuning.rollout, seed=99)
    search.run(visits)
    return search.payoff()


def mixes(position: nf.Position, visits: int, seeds: range) -> Mixes:
    """What both players do after so many visits, on average."""
    sums: Mixes = ([0.0] * len(position.legal(0)), [0.0] * len(position.legal(1)))
    for seed in seeds:
        answer = nf.best(position, nf.Limit(visits=visits), player=0, exact=False, seed=seed)
        for info in answer.moves:
            sums[0][position.legal(0).index(info.move)] += info.share / len(seeds)
        for reply in answer.replies:
            sums[1][position.legal(1).index(reply.move)] += reply.share / len(seeds)
    return sums


def bids(position: nf.Position, who: players.Player, seeds: range) -> Mixes:
    """How often a player bids what in either seat."""
    sums: Mixes = ([0.0] * len(position.legal(0)), [0.0] * len(position.legal(1)))
    for seat, mix in enumerate(sums):
        for seed in seeds:
            mix[position.legal(seat).index(position.game.move(who(position, seat, seed)))] += 1 / len(seeds)
    return sums


def worth(payoff: list[list[float]], own: list[float], other: list[float]) -> float:
    return sum(p * q * cell for p, row in zip(own, payoff, strict=True) for q, cell in zip(other, row, strict=True))


def gain(payoff: list[list[float]], strong: Mixes, weak: Mixes) -> float:
    """What the strong player wins in either seat, on average, beyond an even game."""
    return (worth(payoff, strong[0], weak[1]) - worth(payoff, weak[0], strong[1])) / 2


def best_response(payoff: list[list[float]], weak: Mixes) -> float:
    rows, columns = range(len(payoff)), range(len(payoff[0]))
    top = max(sum(weak[1][j] * payoff[i][j] for j in columns) for i in rows)
    return (top - min(sum(weak[0][i] * payoff[i][j] for i in rows) for j in columns)) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = parser.add_mutually_exclusive_group(required=True)
    known.add_argument("--left", type=int, help="cards left in the deck of solved endgames")
    known.add_argument("--reference", type=int, help="visits of the search that says what joint bids are worth")
    parser.add_argument("--positions", type=int, default=24)
    parser.add_argument("--weak", type=int, default=1000, help="visits of the player to gain on")
    parser.add_argument("--against", help="another player to gain on, as `ninefold match` names him")
    parser.add_argument("--visits", type=int, nargs="+", default=[10_000])
    arguments = parser.parse_args()
    if arguments.left:
        positions = list(endgames(arguments.left, arguments.positions))
        payoffs = [exact(position) for position in positions]
    else:
        positions = list(middles(arguments.positions))
        payoffs = [searched(position, arguments.reference) for position in positions]
    if arguments.against is None:
        weak = [mixes(position, arguments.weak, range(SEEDS)) for position in positions]
    else:
        other = players.player(arguments.against)
        weak = [bids(position, other, range(SEEDS)) for position in positions]
    rows = {
        f"{visits:,} visits": [
            gain(payoff, mixes(position, visits, range(50, 52)), few)
            for position, payoff, few in zip(positions, payoffs, weak, strict=True)
        ]
        for visits in arguments.visits
    }
    rows["an equilibrium"] = [
        gain(payoff, matrix.solve(payoff)[1:], few) for payoff, few in zip(payoffs, weak, strict=True)
    ]
    rows["a best response"] = [best_response(payoff, few) for payoff, few in zip(payoffs, weak, strict=True)]
    print(f"gained on {arguments.against or f'{arguments.weak:,} visits'}: a bid, and in {BIDS} bids")
    for name, gains in rows.items():
        mean = sum(gains) / len(gains)
        spread = math.sqrt(sum((value - mean) ** 2 for value in gains)) / len(gains)
        print(f"{name:18} {mean:8.2%} ± {1.96 * spread:.2%}   {BIDS * mean:5.1%}", flush=True)


if __name__ == "__main__":
    main()
