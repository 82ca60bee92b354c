"""The games as PettingZoo's environments: its own tests, and ours of what they do not ask."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
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
    pytest.mark.unsanitized,
    *(
        pytest.mark.filterwarnings(f"ignore:{message}")
        for message in (
            "Observation is not a NumPy array", "Observation space for each agent probably should be",
            "Action mask numpy array is all zeros", "Observation numpy array is all zeros",
        )
    ),
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
def test_environments_are_what_positions_are(name: str, players: int) -> None:
    env = games(name).parallel_env(players=players)
    position = nf.game(name, players).deal(5)
    sights, infos = env.reset(seed=5)
    for agent in env.agents:
        env.action_space(agent).seed(1)
    rewards: dict[str, float] = {}
    step = 0
    while env.agents:
        step += 1
        actions = {agent: choose(env, agent, sights[agent]) for agent in env.agents}
        for player, agent in enumerate(env.agents):
            assert infos[agent]["action_mask"] is sights[agent]["action_mask"]
            assert list(sights[agent]["action_mask"].nonzero()[0]) == position.legal(player)
            assert (sights[agent]["observation"] == position.observe(player)).all()
        position.play_all({player: actions[f"player_{player}"] for player in position.actors})
        position.roll_all(nf.Generator(5, step))
        sights, rewards, terminated, truncated, infos = env.step(actions)
        assert set(terminated.values()) == {position.is_over}
        assert not any(truncated.values())
    assert position.is_over
    shares = position.utilities(0)
    assert list(rewards.values()) == ([players * share - 1 for share in shares] if players > 1 else position.scores())


@every_game
def test_one_agent_after_the_other(name: str, players: int) -> None:
    env = games(name).env(players=players, objective="score")
    position = nf.game(name, players).deal(5)
    env.reset(seed=5)
    step = 0
    while not position.is_over:
        step += 1
        player, agent = position.actors[0], env.agent_selection
        assert agent == f"player_{player}"
        sight, reward, over, cut, info = env.last()
        assert (reward, over, cut) == (0, False, False)
        assert (sight["action_mask"] == info["action_mask"]).all()
        assert list(sight["action_mask"].nonzero()[0]) == position.legal(player)
        assert (sight["observation"] == position.observe(player)).all()
        assert not any(env.observe(other)["action_mask"].any() for other in env.agents if other != agent)
        move = choose(env, agent, sight)
        env.step(move)
        position.play(player, move)
        position.roll_all(nf.Generator(5, step))
    assert list(env.rewards.values()) == position.scores()


@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
@pytest.mark.parametrize("kind", ["parallel_env", "raw_env"])
def test_copies_go_on_alike(kind: str, way: Callable[[Any], Any]) -> None:
    env = getattr(adapter.donuts_v0, kind)(players=3)
    env.reset(seed=1)
    both = [env, way(env)]
    for number in (0, 1, 0, 0):
        for one in both:
            one.step(dict.fromkeys(one.agents, number) if kind == "parallel_env" else number)
        assert both[0].table.position == both[1].table.position
    for one in both:
        one.reset()
    assert both[0].table.position == both[1].table.position


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


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="the registry came with 1.27")
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
