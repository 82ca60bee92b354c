"""What PettingZoo and Gymnasium show a player: a tensor and a mask of moves, and the spaces that hold them."""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from ninefold._game import Game
from ninefold.adapters import Rewards
from ninefold.core.rules import Generator
from ninefold.position import Position

__all__ = ["Mask", "Sight", "Table"]

Mask = npt.NDArray[np.int8]
Sight = dict[str, npt.NDArray[Any]]


class Table:
    """A game being played, with the chance that belongs to it: what the environments share."""

    def __init__(self, game: Game, objective: str, illegal_reward: float) -> None:
        """illegal_reward: what an illegal move costs: it ends the game, and the others get nothing."""
        self.game = game
        self.rewards = Rewards(game, objective)
        self.illegal_reward = illegal_reward
        self.nothing: Mask = np.zeros(game.core.num_moves, np.int8)
        self.nothing.flags.writeable = False
        self.position: Position = game.start()
        self._seeds: random.Random | None = None  # of games without a seed of their own
        self._seed = self._steps = 0  # of this game: chance after each step is a stream of the seed

    def spaces(self) -> tuple[gymnasium.spaces.Dict, gymnasium.spaces.Discrete]:
        """The spaces of observations and moves, new ones: each agent's are seeded apart."""
        size, moves = self.game.observation.size, self.game.core.num_moves
        seen = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float32)
        mask = gymnasium.spaces.Box(0, 1, (moves,), np.int8)
        return gymnasium.spaces.Dict(observation=seen, action_mask=mask), gymnasium.spaces.Discrete(moves)

    def deal(self, seed: int | None) -> None:
        """A new game: `game.deal(seed)`. Without a seed it follows from the one before, or is any."""
        if seed is not None or self._seeds is None:
            self._seeds = random.Random(seed)
        self._seed = self._seeds.getrandbits(64) if seed is None else seed
        self._steps = 0
        self.position = self.game.deal(self._seed)

    def play(self, moves: dict[int, int]) -> list[int]:
        """These players move, and chance after them. Who has made an illegal move: then nothing has happened."""
        after, wrong = self.position.copy(), []
        for player, move in moves.items():
            try:
                after.apply(player, move)
            except (ValueError, OverflowError):
                wrong.append(player)
        if not wrong:
            self._steps += 1
            after.roll_all(Generator(self._seed, self._steps))
            self.position = after
        return wrong

    def worth(self, wrong: list[int]) -> list[float]:
        """The rewards of all players now that the game is over, or these have made an illegal move."""
        if not wrong:
            return self.rewards.of(self.position)
        return [self.illegal_reward * (player in wrong) for player in range(self.position.players)]

    def mask(self, player: int) -> Mask:
        """1 for each legal move of a player, 0 for the others."""
        legal = self.position.legal(player)
        if not legal:
            return self.nothing
        mask: Mask = np.zeros(self.game.core.num_moves, np.int8)
        mask[legal] = 1
        return mask

    def sight(self, player: int, mask: Mask) -> Sight:
        """What a player sees."""
        return {"observation": np.frombuffer(self.position.observe(player), np.float32), "action_mask": mask}
