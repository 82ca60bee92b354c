"""What a player has not seen makes no difference: what the tests ask of two positions, and of resampling."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

import ninefold as nf
from ninefold.explain import explain

__all__ = ["assert_drawn_as_likely", "assert_same_answer", "assert_same_view"]

W = TypeVar("W")


def assert_same_view(position: nf.Position, world: nf.Position, viewer: int, seed: int) -> None:
    """Two positions between which the viewer can't tell: all that he may see or do, and the worlds drawn for him."""
    view = position.view(viewer)
    assert world.view(viewer) == view
    assert world.key(viewer) == position.key(viewer)
    assert world.observe(viewer) == position.observe(viewer)
    assert world.legal(viewer) == position.legal(viewer)
    assert world.actors == position.actors
    same_seed = [position.copy(), world.copy(), view.copy()]
    for one in same_seed:
        one.resample(viewer, nf.Generator(seed))
    assert same_seed[0] == same_seed[1] == same_seed[2], "one seed resamples one world"


def assert_same_answer(position: nf.Position, world: nf.Position, viewer: int, visits: int) -> None:
    """A search with the same seed decides the same in both, for the same reasons."""
    answers = [nf.best(one, nf.Limit(visits=visits), player=viewer, seed=3) for one in (position, world)]
    assert answers[0].moves == answers[1].moves
    reasons = [explain(one, answer=answer, samples=30) for one, answer in zip((position, world), answers, strict=True)]
    assert reasons[0] == reasons[1]


def assert_drawn_as_likely(found: Counter[W], weights: Mapping[W, int]) -> None:
    """These worlds were drawn at random, each as often as its weight says."""
    assert found.keys() <= weights.keys()
    share = found.total() / sum(weights.values())
    spread = sum((found[world] - share * weight) ** 2 / (share * weight) for world, weight in weights.items())
    free = len(weights) - 1
    assert abs(spread - free) <= 5 * math.sqrt(2 * free) + 8
    if share * min(weights.values()) > 20:
        assert found.keys() == weights.keys()
