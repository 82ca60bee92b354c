"""Matches: 10,000 visits a move against random, greedy and 1,000 visits, and tables of softmax-greedy players.

python -m bench.strength --games 300
python -m bench.strength --only "mcts:visits=3000 greedy" --games 400
python -m bench.strength --game coney --only "mcts:visits=300 careful" --games 100
"""

from __future__ import annotations

import argparse
import time

from bench.players import match, report

MATCHES = [
    (["mcts:visits=10000", "random"], 2),
    (["mcts:visits=10000", "greedy"], 2),
    (["mcts:visits=10000", "mcts:visits=1000"], 2),
    # 300 visits a bid among players who like what looks good
    (["mcts:visits=1500,opponent=softmax:1"] + 3 * ["softmax:1"], 4),
    (["mcts:visits=2100,opponent=softmax:1"] + 5 * ["softmax:1"], 6),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--game", default="donuts")
    parser.add_argument("--only", help="one match: the names of its players, space between")
    arguments = parser.parse_args()
    matches = [(names, len(names)) for names in [arguments.only.split()]] if arguments.only else MATCHES
    for names, players in matches:
        started = time.perf_counter()
        results = match(names, players, arguments.games, arguments.workers, game=arguments.game)
        against = f"{players - 1} x {names[1]}" if players > 2 else names[1]
        report(f": {names[0]} against {against}", players, results, time.perf_counter() - started)


if __name__ == "__main__":
    main()
