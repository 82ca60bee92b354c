"""The solo games for Gymnasium: importing this module registers `ninefold/Coney-v0` and `ninefold/Territory-v0`.

>>> import gymnasium
>>> import ninefold.adapters.gymnasium
>>> env = gymnasium.make("ninefold/Coney-v0")
>>> observation, info = env.reset(seed=1)
>>> int(info["action_mask"].sum())
5

docs/adapters.md says what is seen, what actions do, and what they earn.
"""

from __future__ import annotations

from typing import Any

from ninefold._game import game as make_game
from ninefold.adapters import missing
from ninefold.games import NAMES, module

try:
    import gymnasium

    from ninefold.adapters._spaces import Sight, Table
except ModuleNotFoundError:
    raise missing("gymnasium", "gymnasium") from None

__all__ = ["SoloEnv"]


class SoloEnv(gymnasium.Env[Any, Any]):
    """A game for one player. The reward comes at the end: it is the score."""

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self, name: str, *, illegal_reward: float = -1.0, render_mode: str | None = None, **rules: Any
    ) -> None:
        """preset, options, ruleset as `ninefold.game` takes them. illegal_reward: of a move that ends the game."""
        self.table = Table(make_game(name, 1, **rules), "score", illegal_reward)
        self.render_mode = render_mode
        self.observation_space, self.action_space = self.table.spaces()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Sight, dict[str, Any]]:  # fmt: skip
        """A new game."""
        super().reset(seed=seed)
        self.table.deal(seed)
        return self._seen()

    def step(self, action: Any) -> tuple[Sight, float, bool, bool, dict[str, Any]]:
        """One move, and what chance reveals after it."""
        wrong = self.table.play({0: int(action)})
        over = bool(wrong) or self.table.position.is_over
        observation, info = self._seen()
        if wrong:
            info["illegal"] = True
        return observation, float(self.table.worth(wrong)[0]) if over else 0.0, over, False, info

    def render(self) -> Any:
        """The table in plain text, with `render_mode="ansi"`."""
        return str(self.table.position) if self.render_mode == "ansi" else None

    def _seen(self) -> tuple[Sight, dict[str, Any]]:
        mask = self.table.mask(0)
        return self.table.sight(0, mask), {"action_mask": mask}


for _name in NAMES:
    if 1 in module(_name).players:
        gymnasium.register(f"ninefold/{_name.title()}-v0", f"{__name__}:SoloEnv", kwargs={"name": _name})
