"""Random games step by step from Python: a position, the adapters, and OpenSpiel's own compiled games, in one run.

python -m bench.adapters            needs `pip install 'ninefold[openspiel,pettingzoo,gymnasium]'`
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import pyspiel  # type: ignore[import-not-found,unused-ignore]
from open_spiel.python.games import kuhn_poker  # type: ignore[import-untyped,unused-ignore]  # noqa: F401

import ninefold as nf
import ninefold.adapters.gymnasium
import ninefold.adapters.openspiel
from bench.batch import step
from ninefold.adapters import pettingzoo as zoo
from ninefold.bench import rate
from ninefold.compare import loop, spiel, turns


def parallel(env: Any, decisions: int) -> None:
    rng = random.Random(1)
    while decisions > 0:
        sights, _ = env.reset(seed=decisions)
        while env.agents:
            actions = {}
            for agent in env.agents:
                legal = sights[agent]["action_mask"].nonzero()[0]
                actions[agent] = int(rng.choice(legal)) if len(legal) else 0
                decisions -= len(legal) > 0
            sights, *_ = env.step(actions)


def alone(env: Any, decisions: int) -> None:
    rng = random.Random(1)
    while decisions > 0:
        sight, _ = env.reset(seed=decisions)
        over = False
        while not over:
            sight, _, over, _, _ = env.step(int(rng.choice(sight["action_mask"].nonzero()[0])))
            decisions -= 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=100_000, help="of each of five repeats: the best one counts")
    decisions = parser.parse_args().decisions
    donuts, coney = nf.game("donuts", 2), nf.game("coney", 1)
    loops: dict[str, Callable[[int], object]] = {
        "donuts, 2 players: a batch of 1,000": partial(step, donuts.batch(1000, seed=1, auto_reset=True)),
        "donuts, 2 players: positions": partial(loop, donuts),
        "donuts, 2 players: PettingZoo, parallel": partial(parallel, zoo.donuts_v0.parallel_env(players=2)),
        "donuts, 2 players: PettingZoo, AEC": partial(turns, zoo.donuts_v0.raw_env(players=2)),
        "donuts, 2 players: OpenSpiel": partial(spiel, pyspiel.load_game("ninefold_donuts")),
        "coney, alone: positions": partial(loop, coney),
        "coney, alone: Gymnasium": partial(alone, gymnasium.make("ninefold/Coney-v0", disable_env_checker=True)),
        "coney, alone: OpenSpiel": partial(spiel, pyspiel.load_game("ninefold_coney")),
    }
    for name in ("goofspiel(players=2,num_cards=9)", "leduc_poker", "tic_tac_toe", "hanabi"):
        loops[f"OpenSpiel's own, compiled: {name}"] = partial(spiel, pyspiel.load_game(name))
    loops["OpenSpiel's own, in Python: kuhn_poker"] = partial(spiel, pyspiel.load_game("python_kuhn_poker"))
    print("decisions a second of processor time, each drawn at random")
    for what, play in loops.items():
        print(f"  {what:60} {rate(play, decisions, 5, time.process_time):12,.0f}", flush=True)


if __name__ == "__main__":
    main()
