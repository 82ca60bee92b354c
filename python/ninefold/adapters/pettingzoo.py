"""All games for PettingZoo: `donuts_v0.parallel_env()`, or `pettingzoo.make("parallel", "ninefold/donuts_v0")`.

>>> from ninefold.adapters.pettingzoo import donuts_v0
>>> env = donuts_v0.parallel_env(players=3)
>>> observations, infos = env.reset(seed=1)
>>> sorted(observations)
['player_0', 'player_1', 'player_2']

docs/adapters.md says what agents see, what their actions do, and what they get.
"""

from __future__ import annotations

from typing import Any

from ninefold._game import game as make_game
from ninefold.adapters import missing

try:
    import pettingzoo  # type: ignore[import-untyped,unused-ignore]
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # type: ignore[import-untyped,unused-ignore]

    from ninefold.adapters._spaces import Sight, Table
except ModuleNotFoundError:
    raise missing("pettingzoo", "pettingzoo") from None

__all__ = ["AECTable", "Games", "ParallelTable", "canopy_v0", "coney_v0", "donuts_v0", "territory_v0"]


class _Agents:
    """What both kinds of environments share: a table, and names for its seats."""

    def __init__(
        self, name: str, players: int | None = None, *, objective: str = "", illegal_reward: float = -1.0,
        render_mode: str | None = None, **rules: Any,
    ) -> None:  # fmt: skip
        """players, preset, options, ruleset as `ninefold.game` takes them. objective: "win", "margin" or "score"."""
        self.table = Table(make_game(name, players, **rules), objective, illegal_reward)
        self.render_mode = render_mode
        self.metadata = {"name": f"{name}_v0", "render_modes": ["ansi"], "is_parallelizable": True}
        self.possible_agents = [f"player_{seat}" for seat in range(self.table.game.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._spaces = {agent: self.table.spaces() for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """A dict: the tensor that docs/games describes, and the mask of legal moves."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> Any:
        """All moves of the game, by id."""
        return self._spaces[agent][1]

    def render(self) -> str | None:
        """The table in plain text, with `render_mode="ansi"`."""
        return str(self.table.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


class ParallelTable(_Agents, pettingzoo.ParallelEnv):  # type: ignore[misc,unused-ignore]
    """All agents step at once. Only the actions of those who must choose now count; the mask of the others is 0."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Sight], dict[str, dict[str, Any]]]:
        """A new game."""
        self.table.deal(seed)
        self.agents = self.possible_agents[:]
        return self._seen()

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        """Observations, rewards, terminations, truncations and infos."""
        table, agents = self.table, self.agents
        wrong = table.play({player: int(actions[agents[player]]) for player in table.position.actors})
        over = bool(wrong) or table.position.is_over
        rewards = table.worth(wrong) if over else [0.0] * len(agents)
        observations, infos = self._seen()
        for player in wrong:
            infos[agents[player]]["illegal"] = True
        if over:
            self.agents = []
        return (
            observations, dict(zip(agents, rewards, strict=True)), dict.fromkeys(agents, over),
            dict.fromkeys(agents, False), infos,
        )  # fmt: skip

    def _seen(self) -> tuple[dict[str, Sight], dict[str, dict[str, Any]]]:
        observations, infos = {}, {}
        for seat, agent in enumerate(self.agents):
            mask = self.table.mask(seat)
            observations[agent] = self.table.sight(seat, mask)
            infos[agent] = {"action_mask": mask}
        return observations, infos


class AECTable(_Agents, pettingzoo.AECEnv):  # type: ignore[misc,unused-ignore]
    """Who must choose steps, the lowest seat first; what is chosen at once stays hidden until the last one has."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game."""
        self.table.deal(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._turn()

    def step(self, action: int | None) -> None:
        """The selected agent moves; an agent whose game is over leaves it, with the action None."""
        agent, table = self.agent_selection, self.table
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        wrong = table.play({self._seats[agent]: int(action)})
        if wrong or table.position.is_over:
            self.rewards = dict(zip(self.agents, table.worth(wrong), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._turn()
        if wrong:
            self.infos[agent]["illegal"] = True
        self._accumulate_rewards()

    def observe(self, agent: str) -> Sight:
        """What an agent sees; only the selected one has moves."""
        mask = self._mask if agent == self.agent_selection else self.table.nothing
        return self.table.sight(self._seats[agent], mask)

    def _turn(self) -> None:
        """Select who moves next."""
        seat = 0 if self.terminations[self.agents[0]] else self.table.position.actors[0]
        self.agent_selection = self.agents[seat]
        self._mask = self.table.nothing if self.terminations[self.agents[0]] else self.table.mask(seat)
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self.table.nothing} for agent in self.agents}
        self.infos[self.agent_selection]["action_mask"] = self._mask


class Games:
    """One game as environments, in the older style of PettingZoo's modules."""

    def __init__(self, name: str) -> None:
        """name: of the game. The environments take the arguments of `ParallelTable`."""
        self.name = name

    def parallel_env(self, players: int | None = None, **options: Any) -> ParallelTable:
        """All agents step at once."""
        return ParallelTable(self.name, players, **options)

    def raw_env(self, players: int | None = None, **options: Any) -> AECTable:
        """One agent steps after the other."""
        return AECTable(self.name, players, **options)

    def env(self, players: int | None = None, **options: Any) -> Any:
        """One agent steps after the other, and steps out of order are errors."""
        return OrderEnforcingWrapper(self.raw_env(players, **options))


donuts_v0, coney_v0, territory_v0, canopy_v0 = map(Games, ("donuts", "coney", "territory", "canopy"))

if hasattr(pettingzoo, "register"):  # from 1.27 on
    for _games in (donuts_v0, coney_v0, territory_v0, canopy_v0):
        pettingzoo.register("aec", f"ninefold/{_games.name}_v0", _games.env)
        pettingzoo.register("parallel", f"ninefold/{_games.name}_v0", _games.parallel_env)
