"""Win chances as they come true: a power that keeps order and sum, and the measure of how well they do."""

from __future__ import annotations

import random

import pytest
from bench.calibration import Said, bins, error, fit, floor

import ninefold as nf
from ninefold.search import calibration

pytestmark = pytest.mark.unsanitized


def test_slope_and_offset_lie_between_the_measured_ones() -> None:
    measured = ((100, 1.0, 0.0), (10_000, 2.0, -0.5))
    ends = {1: (1, 0), 100: (1, 0), 1_000: (1.5, -0.25), 10_000: (2, -0.5), 10**9: (2, -0.5)}
    assert {visits: calibration(measured, visits) for visits in ends} == ends


@pytest.mark.parametrize(("name", "players"), [("donuts", 2), ("donuts", 4), ("territory", 2)])
def test_chances_add_up(name: str, players: int) -> None:
    position = nf.game(name, players).deal(3)
    answer = nf.best(position, nf.Limit(visits=2_000))
    for info in answer.moves:
        assert info.win is not None
        assert sum(info.win) == pytest.approx(1, abs=1e-6)
        assert info.value == pytest.approx(info.win[answer.player])
        assert 0 <= info.interval[0] == info.lcb <= info.value <= info.interval[1] <= 1
    assert answer.value == pytest.approx(sum(info.share * info.value for info in answer.moves))


@pytest.mark.parametrize(("name", "players"), [("coney", 2), ("territory", 2)])
def test_few_visits_that_are_all_won_or_all_lost_are_no_certainty(name: str, players: int) -> None:
    seen = []
    for number in range(8):
        answer = nf.best(nf.game(name, players).deal(number), nf.Limit(visits=12), seed=number)
        for info in answer.moves:
            if info.win is not None:
                assert sum(info.win) == pytest.approx(1, abs=1e-6)
                assert 0 < info.value < 1
                seen.append(info.value)
    assert min(seen) < 0.3
    assert max(seen) > 0.6


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
    assert fit(good) == pytest.approx((1, 0), abs=0.06)
    assert fit(shy) == pytest.approx((2, 0), abs=0.1)
    assert floor(good, random.Random(1)) == pytest.approx(error(bins(good)), abs=0.01)
