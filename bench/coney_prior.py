"""Tune the guesses of moves in Coney: random search for weights with which a solo player who follows them scores most.

python -m bench.coney_prior --minutes 20 --ruleset deck.toml [--tries 4000] [--workers 2] [--on dask]

Prints the weights, to be put into `GUESSES` of cyext/ninefold/core/games/coney_prior.pxi. The player draws his moves
by softmax of the guesses at `--temperature` points; the shipped deck counts as much as each one of `--ruleset`. Weights
are changed a few at a time, and kept if they are better in a first and then in a longer match over the same deals; some
changes are tried at once, and the first good one is kept. With --tries the result is the same for any number of workers
(docs/scale.md), which are threads unless --on says where they are: the games need no lock of Python's.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor

import ninefold as nf
from ninefold.core.games import coney as core
from ninefold.core.rules import State
from ninefold.core.search.mcts import policy_playouts
from ninefold.games.coney import MODULE
from ninefold.work import executor_for, in_order, spread

Weights = dict[str, "float | list[float]"]
FIRST, SECOND = 4_000, 30_000  # games of the two matches
TOGETHER = 8  # changes that are tried at once
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


Try = tuple[Sequence[nf.Game], Weights, Weights, float, int]  # decks, old and new, temperature, number


def better(task: Try) -> tuple[float, float] | None:
    """Points with the old weights and with the new ones, if these are better in both matches."""
    games, old, new, temperature, number = task
    for count, margin, seed in ((FIRST, 0.03, 2 * number), (SECOND, 0.01, 2 * number + 1)):
        before, after = (points(games, some, temperature, count, seed) for some in (old, new))
        if after < before + margin:
            return None
    return before, after


def tuned(
    games: Sequence[nf.Game],
    temperature: float,
    seed: int,
    ends: Callable[[int], bool],
    executor: Executor,
    workers: int,
) -> tuple[Weights, int]:
    """The best weights found, and after how many tries; ends: whether these are enough."""
    rng = random.Random(seed)
    weights: Weights = dict(core.GUESSES)
    tries = 0
    while not ends(tries):
        tasks = [(games, weights, changed(weights, rng), temperature, tries + number) for number in range(TOGETHER)]
        for task, found in zip(tasks, in_order(spread(better, tasks, executor=executor, workers=workers)), strict=True):
            if found:
                weights = task[2]
                print(f"try {task[4]}: {found[0]:.3f} -> {found[1]:.3f}", flush=True)
                break
        tries += TOGETHER
    return weights, tries


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--tries", type=int, default=1 << 62)
    parser.add_argument("--temperature", type=float, default=0.3)
    parser.add_argument("--ruleset", action="append", default=[], help="another deck to tune on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--on")
    arguments = parser.parse_args()
    games = [nf.game("coney", 1), *(nf.game("coney", 1, ruleset=path) for path in arguments.ruleset)]
    until = time.monotonic() + 60 * arguments.minutes

    def ends(tries: int) -> bool:
        return bool(tries >= arguments.tries or time.monotonic() >= until)

    with executor_for(arguments.on, arguments.workers) as (cluster, workers), ThreadPoolExecutor(workers) as threads:
        weights, tries = tuned(
            games, arguments.temperature, arguments.seed, ends, cluster or threads, workers,
        )  # fmt: skip
    print(f"{tries} tries:", *(f"{points([game], weights, arguments.temperature, 100_000, 0):.2f}" for game in games))
    for name, value in weights.items():
        print(f'    "{name}": {value},')


if __name__ == "__main__":
    main()
