"""The solo games as Gymnasium's environments."""

from __future__ import annotations

import pytest

import ninefold as nf

pytestmark = pytest.mark.unsanitized

gymnasium = pytest.importorskip("gymnasium")
checker = pytest.importorskip("gymnasium.utils.env_checker")
adapter = pytest.importorskip("ninefold.adapters.gymnasium")

IDS = ["ninefold/Coney-v0", "ninefold/Territory-v0"]
every_game = pytest.mark.parametrize("name", IDS)


@every_game
@pytest.mark.filterwarnings("ignore:.*(Box observation space m|not within the observation space)")
def test_its_own_check(name: str) -> None:
    checker.check_env(gymnasium.make(name, render_mode="ansi").unwrapped, skip_render_check=False)


@every_game
def test_a_game(name: str) -> None:
    env = gymnasium.make(name)
    for seed in range(3):
        sight, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        over, reward = False, 0.0
        assert env.unwrapped.table.position == nf.game(name[9:-3].lower(), 1).deal(seed)
        while not over:
            assert reward == 0
            position = env.unwrapped.table.position
            assert (sight["observation"] == position.observe(0)).all()
            assert list(info["action_mask"].nonzero()[0]) == position.legal(0)
            assert (sight["action_mask"] == info["action_mask"]).all()
            sight, reward, over, cut, info = env.step(env.action_space.sample(info["action_mask"]))
            assert not cut
        assert env.unwrapped.table.position.is_over
        assert reward == env.unwrapped.table.position.scores()[0]


def test_an_illegal_move_ends_the_game() -> None:
    env = gymnasium.make(IDS[0], illegal_reward=-5)
    sight, info = env.reset(seed=1)
    after, reward, over, _, told = env.step(int(info["action_mask"].argmin()))
    assert (reward, over, told["illegal"]) == (-5, True, True)
    assert (after["observation"] == sight["observation"]).all()


@every_game
@pytest.mark.filterwarnings("ignore:.*multi-threaded")  # what forks says so, from Python 3.12 on
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vectors(name: str, mode: str) -> None:
    envs = gymnasium.make_vec(name, num_envs=3, vectorization_mode=mode)
    try:
        sights, infos = envs.reset(seed=1)
        for _ in range(150):
            assert infos["action_mask"].shape == sights["action_mask"].shape
            moves = [gymnasium.spaces.Discrete(len(mask)).sample(mask) for mask in sights["action_mask"].astype("i1")]
            sights, _, _, _, infos = envs.step(moves)
            assert "illegal" not in infos
    finally:
        envs.close()


def test_options() -> None:
    env = gymnasium.make("ninefold.adapters.gymnasium:ninefold/Coney-v0", preset="mutual", touch="on")
    assert env.unwrapped.table.game is nf.game("coney", 1, preset="mutual", touch="on")
