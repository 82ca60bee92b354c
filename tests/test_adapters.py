"""What the adapters share: rewards, and what happens without the packages that they adapt to."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ninefold as nf
from ninefold.adapters import Rewards
from ninefold.games import NAMES, module

pytestmark = pytest.mark.unsanitized


@pytest.mark.parametrize(
    ("adapter", "package", "extra"),
    [("openspiel", "pyspiel", "openspiel"), ("pettingzoo", "pettingzoo", "pettingzoo"),
     ("pettingzoo", "gymnasium", "pettingzoo"), ("gymnasium", "gymnasium", "gymnasium")],
)  # fmt: skip
def test_a_missing_package_is_one_line_with_the_extra(adapter: str, package: str, extra: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; import ninefold.adapters.{adapter}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(f"is not installed: pip install 'ninefold[{extra}]'")
    assert done.stderr.count("Error") == 1


def test_ninefold_loads_none_of_them() -> None:
    code = "import sys, ninefold.adapters; print({'numpy', 'pyspiel', 'gymnasium', 'pettingzoo'} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "set()\n"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("objective", ["", "win", "margin", "score"])
def test_rewards(name: str, objective: str) -> None:
    for players in module(name).players:
        game = nf.game(name, players)
        rewards = Rewards(game, objective)
        chosen = rewards.objective
        assert chosen == ("score" if players == 1 else objective or "win")
        assert rewards.zero_sum == (chosen == "win" or (chosen == "margin" and players == 2))
        for seed in range(5):
            position = game.deal(seed)
            position.playout(nf.Generator(seed))
            found, points = rewards.of(position), position.scores()
            assert all(rewards.low <= reward <= rewards.high for reward in found)
            if rewards.zero_sum:
                assert sum(found) == pytest.approx(0)
            for player, reward in enumerate(found):
                others = points[:player] + points[player + 1 :]
                winners = position.winners()
                share = (player in winners) / len(winners)
                expected = {
                    "win": players * share - 1, "margin": points[player] - max(others, default=0),
                    "score": points[player],
                }[chosen]  # fmt: skip
                assert reward == pytest.approx(expected)


def test_an_unknown_objective() -> None:
    with pytest.raises(nf.InputError, match=r"objective: unknown objective 'wins'.*did you mean 'win'"):
        Rewards(nf.game("donuts"), "wins")
