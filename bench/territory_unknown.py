"""Territory alone, the deck unknown: what a search scores, beside the proven best of those who know its order.

    python -m bench.territory_unknown --deals 100 --time 1
    python -m bench.territory_unknown --deals 100 --visits 1000 --rollout 0.3

In every deal the search keeps three of its five cards; then the deck is shuffled, and the open puzzle from there on is
solved. `--hours` stops with the deals that were played by then. Intervals are 95 %.
"""

from __future__ import annotations

import argparse
import time
from statistics import mean
from typing import Any

import ninefold as nf
from ninefold._match import interval
from ninefold.games.territory_puzzles import in_order


def choose(position: nf.Position, limit: nf.Limit, seed: int, options: dict[str, Any]) -> nf.Move:
    """The search's move, where there are several."""
    moves = position.legal(0)
    return moves[0] if len(moves) == 1 else nf.best(position, limit, seed=seed, **options).best


def deal(number: int, limit: nf.Limit, options: dict[str, Any]) -> tuple[int, int, int]:
    """The search's points, the proven best, and how many questions the search was asked."""
    position, rng, asked = nf.game("territory", 1).start(), nf.Generator(number), 0
    order: list[str] = []
    best = None
    while not position.is_over:
        if position.actors:
            if best is None and position.to_dict().get("pending", {}).get("phase") != "return":
                known = in_order(position, number)
                order, best = list(known.to_dict()["order"]), nf.solve(known).upper
            asked += len(position.legal(0)) > 1
            position.play(0, choose(position, limit, number, options))
        elif best is not None and order:
            position.chance(f"deal {order.pop(0)}")
        else:
            position.chance(rng=rng)
    assert best is not None
    return position.scores()[0], round(best), asked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--time", type=float, help="seconds a decision")
    parser.add_argument("--visits", type=int, help="visits a decision")
    parser.add_argument("--hours", type=float, default=24)
    for name in ("exploration", "rollout", "guesses"):
        parser.add_argument(f"--{name}", type=float)
    arguments = parser.parse_args()
    if (arguments.time is None) == (arguments.visits is None):
        parser.error("--time or --visits is needed")
    options = {name: getattr(arguments, name) for name in ("exploration", "rollout", "guesses")}
    limit, began = nf.Limit(time=arguments.time, visits=arguments.visits), time.monotonic()
    found = []
    for number in range(arguments.deals):
        found.append(deal(number, limit, options))
        if time.monotonic() - began > 3600 * arguments.hours:
            break
    points, best, asked = ([one[i] for one in found] for i in range(3))
    behind = [other - one for one, other in zip(points, best, strict=True)]
    n = len(found)
    (score, half), (lost, half_lost) = interval(points), interval(behind)
    print(
        f"{n} deals: {score:.2f} ± {half:.2f} points, {min(points)} to {max(points)}; "
        f"in hindsight {mean(best):.2f}, {lost:.2f} ± {half_lost:.2f} more; "
        f"{mean(asked):.0f} questions a deal, {(time.monotonic() - began) / n:.2f} s"
    )


if __name__ == "__main__":
    main()
