"""Tune the guesses of moves in Coney: random search for weights with which a solo player who follows them scores most.

python -m bench.coney_prior --minutes 20 --ruleset deck.toml

Prints the weights, to be put into `GUESSES` of cyext/ninefold/core/games/coney_prior.pxi. The player draws his moves
by softmax of the guesses at `--temperature` points; the shipped deck counts as much as each one of `--ruleset`. Weights
are changed a few at a time, and kept if they are better in a first and then in a longer match over the same deals.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence

import ninefold as nf
from ninefold.core.games import coney as core
from ninefold.core.rules import State
from ninefold.core.search.mcts import policy_playouts
from ninefold.games.coney import MODULE

Weights = dict[str, "float | list[float]"]
FIRST, SECOND = 4_000, 30_000  # games of the two matches
AT_ONCE = 4  # weights changed at once, at most
STEP, LEAST = 0.3, 0.2  # standard deviation of a change: a part of the weight, but not less than that


def points(games: Sequence[nf.Game], weights: Weights, temperature: float, count: int, seed: int) -> float:
    """Mean points over the decks."""
    total = 0
    for game in games:
        made = core.compile(MODULE.plain(game.ruleset), 1, game.options, weights)  # type: ignore[arg-type]
        total += policy_playouts(State(made), count, temperature, seed)[0]
    return total / count / len(games)


def changed(weights: Weights, rng: random.Random) -> Weights:
    """The same with a few weights moved at random."""
    places = [(name, i) for name, value in weights.items() for i in range(len(value) if isinstance(value, list) else 1)]
    new: Weights = {name: list(value) if isinstance(value, list) else value for name, value in weights.items()}
    for name, i in rng.sample(places, rng.randint(1, AT_ONCE)):
        value = new[name]
        old = value[i] if isinstance(value, list) else value
        moved = round(old + rng.gauss(0, max(LEAST, abs(old) * STEP)), 2)
        if isinstance(value, list):
            value[i] = moved
        else:
            new[name] = moved
    return new


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--temperature", type=float, default=0.3)
    parser.add_argument("--ruleset", action="append", default=[], help="another deck to tune on")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    games = [nf.game("coney", 1), *(nf.game("coney", 1, ruleset=path) for path in arguments.ruleset)]
    rng = random.Random(arguments.seed)
    weights: Weights = dict(core.GUESSES)
    until, tries = time.monotonic() + 60 * arguments.minutes, 0
    while time.monotonic() < until:
        tries += 1
        new = changed(weights, rng)
        for count, margin in ((FIRST, 0.03), (SECOND, 0.01)):
            before, after = (
                points(games, some, arguments.temperature, count, 2 * tries + (count == SECOND))
                for some in (weights, new)
            )  # fmt: skip
            if after < before + margin:
                break
        else:
            weights = new
            print(f"try {tries}: {before:.3f} -> {after:.3f}", flush=True)
    print(f"{tries} tries:", *(f"{points([game], weights, arguments.temperature, 100_000, 0):.2f}" for game in games))
    for name, value in weights.items():
        print(f'    "{name}": {value},')


if __name__ == "__main__":
    main()
