"""OpenSpiel's own search as players of a match, over our adapter, with as much time as ours.

    ninefold match best:time=1 plugin:bench.outside:Mcts --game donuts --games 40
    ninefold match best:time=1 plugin:bench.outside:Ismcts --game canopy --games 10

`Mcts` is OpenSpiel's compiled `MCTSBot` with random rollouts. It knows no hidden information, so it searches one
world that is drawn, and no simultaneous choices: `turn_based_simultaneous_game` makes turns of them, in which who
chooses later sees the earlier choices. Where others choose before it in that order, it takes what itself finds best
for them, for its share of the time. `Ismcts` is OpenSpiel's `ISMCTSBot` in Python, which draws a world for each
simulation; it needs a game of turns (Canopy). `OPENSPIEL_SECONDS` (environment, default 1) is their time for a move;
they have no clock, so the number of simulations follows from the speed of their latest search.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found,unused-ignore]
from open_spiel.python.algorithms import ismcts as openspiel_ismcts  # type: ignore[import-untyped,unused-ignore]
from open_spiel.python.algorithms import mcts as openspiel_mcts

import ninefold as nf
import ninefold.adapters.openspiel  # registers the games
from ninefold.position import Position

SECONDS = float(os.environ.get("OPENSPIEL_SECONDS", "1"))
EXPLORATION = 2.0  # of UCT: OpenSpiel's examples have it
FIRST = 20  # simulations of the first search, which measures the speed
MEMORY = 512  # MiB


class Clock:
    """How many simulations a second a bot makes, from its latest search."""

    def __init__(self) -> None:
        self.speed = FIRST / SECONDS

    def timed(self, seconds: float, search: Any) -> Any:
        count = max(2, round(self.speed * seconds))
        began = time.perf_counter()
        found = search(count)
        self.speed = count / max(time.perf_counter() - began, 1e-6)
        return found


class Searcher:
    """What both bots share: a world for the position, as a state of OpenSpiel's, one file away."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.folder = tempfile.TemporaryDirectory()

    def state(self, position: Position, seat: int, seed: int) -> Any:
        world = Position(position.game)
        world._set_bytes(position.to_bytes())
        world.resample(seat, nf.Generator(seed))
        path = Path(self.folder.name) / "position.json"
        nf.write(world, path)
        game = pyspiel.load_game(f"ninefold_{position.game.name}(position={path})")
        if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
            game = pyspiel.convert_to_turn_based(game)
        return game.new_initial_state()


class Mcts(Searcher):
    """OpenSpiel's compiled MCTS."""

    def __call__(self, position: Position, seat: int, seed: int) -> int:
        if len(position.legal(seat)) == 1:
            return position.legal(seat)[0]
        state = self.state(position, seat, seed)
        earlier = sum(actor <= seat for actor in position.actors)
        while state.current_player() != seat:
            state.apply_action(self.search(state, SECONDS / earlier, seed))
        return self.search(state, SECONDS / earlier, seed)

    def search(self, state: Any, seconds: float, seed: int) -> int:
        if len(state.legal_actions()) == 1:
            found: int = state.legal_actions()[0]
            return found

        def run(count: int) -> int:
            evaluator = pyspiel.RandomRolloutEvaluator(1, seed % 2**31)
            bot = pyspiel.MCTSBot(
                state.get_game(), evaluator, EXPLORATION, count, MEMORY, False, seed % 2**31, False,
                pyspiel.ChildSelectionPolicy.UCT,
            )  # fmt: skip
            best: int = bot.mcts_search(state).best_child().action
            return best

        chosen: int = self.clock.timed(seconds, run)
        return chosen


class Ismcts(Searcher):
    """OpenSpiel's information-set MCTS, in Python."""

    def __call__(self, position: Position, seat: int, seed: int) -> int:
        if len(position.legal(seat)) == 1:
            return position.legal(seat)[0]
        state, dice = self.state(position, seat, seed), np.random.RandomState(seed % 2**31)

        luck = random.Random(seed)

        def resample(of: Any, player: int) -> Any:
            return of.resample_from_infostate(player, luck.random)

        def run(count: int) -> int:
            bot = openspiel_ismcts.ISMCTSBot(
                game=state.get_game(), evaluator=openspiel_mcts.RandomRolloutEvaluator(1, dice),
                uct_c=EXPLORATION, max_simulations=count, random_state=dice,
            )  # fmt: skip
            bot.set_resampler(resample)
            chosen: int = bot.step(state)
            return chosen

        found: int = self.clock.timed(SECONDS, run)
        return found
