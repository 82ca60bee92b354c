"""The games as OpenSpiel, PettingZoo and Gymnasium know games: each module registers them when it is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninefold.analysis import OBJECTIVES
from ninefold.errors import choice

if TYPE_CHECKING:
    from ninefold._game import Game
    from ninefold.position import Position

__all__ = ["Rewards", "missing"]


def missing(package: str, extra: str) -> ModuleNotFoundError:
    """What to raise where a package is not there."""
    return ModuleNotFoundError(f"{package} is not installed: pip install 'ninefold[{extra}]'", name=package)


class Rewards:
    """What the end of a game is worth to each player.

    Attributes: `objective`, `low`, `high` (bounds of one reward) and `zero_sum`. "win": everybody stakes one and the
    winners share it all, so the rewards add up to 0 for any number of players; "margin": own points less the best other
    player's; "score": own points. Alone it is always the score.
    """

    def __init__(self, game: Game, objective: str = "") -> None:
        """The objective is "win" if none is given, alone "score". Raises InputError for an unknown one."""
        chosen = choice("objective", objective or "win", OBJECTIVES)
        self.objective = chosen if game.players > 1 else "score"
        self._number = OBJECTIVES.index(self.objective)
        self.zero_sum = self.objective == "win" or (self.objective == "margin" and game.players == 2)
        low, high, *_ = game.module.extent(game.ruleset, game.players)
        self.low, self.high = {
            "win": (-1, game.players - 1), "margin": (low - high, high - low), "score": (low, high),
        }[self.objective]  # fmt: skip

    def of(self, position: Position) -> list[float]:
        """The rewards of all players if the game ended here."""
        worth = position.utilities(self._number)
        return [len(worth) * share - 1 for share in worth] if self.objective == "win" else worth
