"""The games as PettingZoo's environments: its own tests, and ours of what they do not ask."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

import ninefold as nf
from ninefold.games import NAMES, module

pettingzoo = pytest.importorskip("pettingzoo")
api_tests = pytest.importorskip("pettingzoo.test")
adapter = pytest.importorskip("ninefold.adapters.pettingzoo")

# Of these its tests warn, and every game of cards with masks does them.
pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{message}")
    for message in (
        "Observation is not a NumPy array", "Observation space for each agent probably should be",
        "Action mask numpy array is all zeros", "Observation numpy array is all zeros",
    )
]  # fmt: skip

COUNTS = [(name, players) for name in NAMES for players in module(name).players]
every_game = pytest.mark.parametrize(("name", "players"), COUNTS)


def games(name: str) -> Any:
    return getattr(adapter, f"{name}_v0")


@every_game
def test_parallel_api(name: str, players: int) -> None:
    api_tests.parallel_api_test(games(name).parallel_env(players=players), num_cycles=2000)


@every_game
def test_aec_api(name: str, players: int) -> None:
    api_tests.api_test(games(name).env(players=players), num_cycles=100)


@every_game
def test_seeds(name: str, players: int) -> None:
    api_tests.seed_test(partial(games(name).env, players=players), num_cycles=100)
    api_tests.parallel_seed_test(partial(games(name).parallel_env, players=players), num_cycles=100)


def choose(env: Any, agent: str, sight: dict[str, Any]) -> int:
    return int(env.action_space(agent).sample(sight["action_mask"]))


@every_game
def test_both_kinds_and_the_position_agree(name: str, players: int) -> None:
    parallel, turns = games(name).parallel_env(players=players), games(name).env(players=players, objective="score")
    sights, infos = parallel.reset(seed=5)
    turns.reset(seed=5)
    position, chance = nf.game(name, players).start(), nf.Generator(5)
    position.roll_all(chance)
    for agent in parallel.agents:
        parallel.action_space(agent).seed(1)
    rewards: dict[str, float] = {}
    while parallel.agents:
        waiting = [f"player_{player}" for player in position.actors]
        actions = {agent: choose(parallel, agent, sights[agent]) for agent in parallel.agents}
        for player, agent in enumerate(parallel.agents):
            assert infos[agent]["action_mask"] is sights[agent]["action_mask"]
            assert list(sights[agent]["action_mask"].nonzero()[0]) == position.legal(player)
            assert (sights[agent]["observation"] == position.observe(player)).all()
        for agent in waiting:
            assert turns.agent_selection == agent
            sight, reward, over, _, info = turns.last()
            assert not over
            assert reward == 0
            assert (sight["action_mask"] == info["action_mask"]).all()
            assert (sight["action_mask"] == sights[agent]["action_mask"]).all()
            turns.step(actions[agent])
            position.play(int(agent[-1]), actions[agent])
        position.roll_all(chance)
        sights, rewards, terminated, truncated, infos = parallel.step(actions)
        assert set(terminated.values()) == {position.is_over}
        assert not any(truncated.values())
    assert position.is_over
    shares = position.utilities(0) if players > 1 else position.scores()
    assert list(rewards.values()) == [players * share - 1 if players > 1 else share for share in shares]
    assert list(turns.rewards.values()) == position.scores()


def test_choices_made_at_once_stay_hidden() -> None:
    sights = []
    for place in (0, 1):
        env = adapter.donuts_v0.raw_env(players=3)
        env.reset(seed=1)
        env.step(place)
        assert env.agent_selection == "player_1"
        sights += [env.observe("player_1"), env.observe("player_2")]
    for one, other in zip(sights[:2], sights[2:], strict=True):
        assert (one["observation"] == other["observation"]).all()


def test_an_illegal_move_ends_the_game() -> None:
    env = adapter.canopy_v0.parallel_env(illegal_reward=-3)
    sights, _ = env.reset(seed=1)
    wrong = int(sights["player_0"]["action_mask"].argmin())
    _, rewards, terminated, _, infos = env.step({"player_0": wrong, "player_1": 0})
    assert rewards == {"player_0": -3, "player_1": 0}
    assert all(terminated.values())
    assert infos["player_0"]["illegal"]
    assert not env.agents
    turns = adapter.canopy_v0.raw_env()
    turns.reset(seed=1)
    turns.step(wrong)
    assert turns.infos["player_0"]["illegal"]
    assert turns.last()[1:3] == (-1, True)


def test_registry() -> None:
    env = pettingzoo.make("parallel", "ninefold/donuts_v0", players=4, preset="bga", coffee="final")
    assert env.table.game is nf.game("donuts", 4, preset="bga", coffee="final")
    assert env.num_agents == 0
    env.reset()
    assert env.num_agents == 4
    assert pettingzoo.make("aec", "ninefold/territory-v0").unwrapped.possible_agents == ["player_0"]


def test_render() -> None:
    env = adapter.coney_v0.parallel_env(render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.table.position)
    assert adapter.coney_v0.raw_env().render() is None
