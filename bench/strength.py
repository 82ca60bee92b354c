"""Matches of Donuts: 10,000 visits a move against random play, a greedy bidder and 1,000 visits; tables of many.

python -m bench.strength --games 300
"""

from __future__ import annotations

import argparse

from rich.console import Console

import ninefold as nf
from ninefold.cli.match import picture

BIDDER = "plugin:bench.players:bidder"
MATCHES = [
    (["mcts:visits=10000", "random"], 2),
    (["mcts:visits=10000", BIDDER], 2),
    (["mcts:visits=10000", "mcts:visits=1000"], 2),
    (["mcts:visits=10000", "mcts:visits=1000,rollout=0"], 2),
    # 300 visits a bid among players who like what looks good
    (["mcts:visits=1500,opponent=softmax:1", "softmax:1"], 4),
    (["mcts:visits=2100,opponent=softmax:1", "softmax:1"], 6),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    for names, seats in MATCHES:
        found = nf.match(names, "donuts", arguments.games, seats=seats, workers=arguments.workers)
        Console(width=100).print(picture(found))


if __name__ == "__main__":
    main()
