"""Win chances as they come true: a power that keeps order and sum, and the measure of how well they do."""

from __future__ import annotations

import random

import pytest
from bench.calibration import Said, bins, error, floor, sharpness

import ninefold as nf
from ninefold.games import Tuning
from ninefold.search import sharpness as power_after


def test_the_power_lies_between_the_measured_ones() -> None:
    tuning = Tuning(sharpness=((100, 1.0), (10_000, 2.0)))
    assert [power_after(tuning, visits) for visits in (1, 100, 1_000, 10_000, 10**9)] == [1, 1, 1.5, 2, 2]
    assert power_after(Tuning(), 12345) == 1


@pytest.mark.parametrize("players", [2, 4])
def test_chances_add_up_and_keep_their_order(players: int) -> None:
    position = nf.game("donuts", players).deal(3)
    answer = nf.best(position, nf.Limit(visits=2_000))
    for info in answer.moves:
        assert info.win is not None
        assert sum(info.win) == pytest.approx(1, abs=1e-6)
        assert info.value == pytest.approx(info.win[answer.player])
        assert 0 <= info.interval[0] == info.lcb <= info.value <= info.interval[1] <= 1
    assert answer.value == pytest.approx(sum(info.share * info.value for info in answer.moves))


def games(count: int, power: float) -> list[Said]:
    """Games whose outcomes have chances to a power of those that are said."""
    dice = random.Random(5)
    found = []
    for _ in range(count):
        chance = dice.random()
        true = chance**power / (chance**power + (1 - chance) ** power)
        found.append(Said(((chance, float(dice.random() < true)),)))
    return found


def test_the_measure_finds_what_is_wrong_with_chances() -> None:
    good, shy = games(20_000, 1), games(20_000, 2)
    assert error(bins(good)) < 0.015 < 0.05 < error(bins(shy))
    assert sharpness(good) == pytest.approx(1, abs=0.05)
    assert sharpness(shy) == pytest.approx(2, abs=0.1)
    assert floor(good, random.Random(1)) == pytest.approx(error(bins(good)), abs=0.01)
