"""Random games step by step from Python: a position, the adapters, and OpenSpiel's own compiled games, in one run.

python -m bench.adapters            needs `pip install 'ninefold[openspiel,pettingzoo,gymnasium]'`
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import pyspiel  # type: ignore[import-not-found,unused-ignore]

import ninefold as nf
import ninefold.adapters.gymnasium
import ninefold.adapters.openspiel
from ninefold.adapters import pettingzoo as zoo


def position_loop(name: str, players: int, rng: random.Random) -> int:
    position, chance = nf.game(name, players).start(), nf.Generator(rng.getrandbits(60))
    decisions = 0
    position.roll_all(chance)
    while actors := position.actors:
        for player in actors:
            legal = position.legal(player)
            position.play(player, legal[rng.randrange(len(legal))])
        decisions += len(actors)
        position.roll_all(chance)
    return decisions


def parallel_loop(env: Any, rng: random.Random) -> int:
    sights, _ = env.reset(seed=rng.getrandbits(60))
    decisions = 0
    while env.agents:
        actions = {}
        for agent in env.agents:
            legal = sights[agent]["action_mask"].nonzero()[0]
            actions[agent] = int(legal[rng.randrange(len(legal))]) if len(legal) else 0
            decisions += len(legal) > 0
        sights, *_ = env.step(actions)
    return decisions


def turns_loop(env: Any, rng: random.Random) -> int:
    env.reset(seed=rng.getrandbits(60))
    decisions = 0
    for _ in env.agent_iter():
        sight, _, over, _, _ = env.last()
        if over:
            env.step(None)
            continue
        legal = sight["action_mask"].nonzero()[0]
        env.step(int(legal[rng.randrange(len(legal))]))
        decisions += 1
    return decisions


def solo_loop(env: Any, rng: random.Random) -> int:
    sight, _ = env.reset(seed=rng.getrandbits(60))
    over, decisions = False, 0
    while not over:
        legal = sight["action_mask"].nonzero()[0]
        sight, _, over, _, _ = env.step(int(legal[rng.randrange(len(legal))]))
        decisions += 1
    return decisions


def spiel_loop(game: Any, rng: random.Random) -> int:
    state = game.new_initial_state()
    players, decisions = range(game.num_players()), 0
    while not state.is_terminal():
        if state.is_simultaneous_node():
            choices = [state.legal_actions(player) for player in players]
            state.apply_actions([legal[rng.randrange(len(legal))] if legal else 0 for legal in choices])
            decisions += sum(map(bool, choices))
            continue
        legal = state.legal_actions()
        decisions += not state.is_chance_node()
        state.apply_action(legal[rng.randrange(len(legal))])
    return decisions


def rate(play: Callable[[random.Random], int], seconds: float, repeats: int = 5) -> float:
    """Decisions a second of processor time, the best of a few repeats."""
    best = 0.0
    for repeat in range(repeats):
        rng = random.Random(repeat)
        decisions, began = 0, time.process_time()
        while (used := time.process_time() - began) < seconds / repeats:
            decisions += play(rng)
        best = max(best, decisions / used)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="of processor time for each line")
    arguments = parser.parse_args()
    parallel, turns = zoo.donuts_v0.parallel_env(players=2), zoo.donuts_v0.raw_env(players=2)
    solo = gymnasium.make("ninefold/Coney-v0", disable_env_checker=True)
    loops: dict[str, Callable[[random.Random], int]] = {
        "donuts, 2 players: Position.legal and play": lambda rng: position_loop("donuts", 2, rng),
        "donuts, 2 players: PettingZoo, parallel": lambda rng: parallel_loop(parallel, rng),
        "donuts, 2 players: PettingZoo, AEC": lambda rng: turns_loop(turns, rng),
        "coney, solo: Position.legal and play": lambda rng: position_loop("coney", 1, rng),
        "coney, solo: Gymnasium": lambda rng: solo_loop(solo, rng),
    }
    for name in (
        "ninefold_donuts", "goofspiel(players=2,num_cards=9)", "leduc_poker", "tic_tac_toe", "hanabi",
        "python_iterated_prisoners_dilemma",
    ):  # fmt: skip
        game = pyspiel.load_game(name)
        kind = "our adapter" if name.startswith("ninefold") else "its Python game" if "python" in name else "its own"
        loops[f"OpenSpiel, {kind}: {name}"] = lambda rng, game=game: spiel_loop(game, rng)  # type: ignore[misc]
    print("decisions a second of processor time, choice by Python's random included")
    for what, play in loops.items():
        print(f"  {what:60} {rate(play, arguments.seconds):12,.0f}", flush=True)


if __name__ == "__main__":
    main()
