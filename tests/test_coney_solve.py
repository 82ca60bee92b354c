"""Exact answers of Coney: the last turns by backward induction, and what makes that short."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.coney_puzzles import in_order

import ninefold as nf
from ninefold.core.search.expectimax import Solver
from tests.positions import all_options
from tests.replay import twin_points

SMALL = Path(__file__).parent / "data" / "coney-small.toml"
OPTIONS = all_options("coney")


def late(game: nf.Game, seed: int, left: int, *, known: bool) -> nf.Position:
    """The beginning of a turn, so many before the end of a random game; the deck's order known, or not."""
    rng = nf.Generator(seed)
    position = game.deal(seed)
    while position.rest is None or position.rest > left or position.is_chance or "pending" in position.to_dict():
        if position.actors:
            position.play(0, rng.choice(position.legal()))
        else:
            position.chance(rng=rng)
    return in_order(position, seed) if known else position


@pytest.mark.parametrize("seed", range(30))
def test_what_the_solver_leaves_out_of_the_last_turn_does_not_matter(seed: int) -> None:
    game = nf.game("coney", 1, ruleset=str(SMALL), options=OPTIONS[seed * 7 % len(OPTIONS)])
    position = late(game, seed, 1, known=seed % 2 == 0)
    short, long = Solver(position, 2), Solver(position, 2, reduced=False)
    while not long.advance(20_000):
        if long.nodes > 500_000:
            pytest.skip("too long without")
    while not short.advance(20_000):
        pass
    assert short.value == pytest.approx(long.value, abs=1e-6)
    assert short.payoff() == [pytest.approx(row, abs=1e-6) for row in long.payoff()]
    assert short.nodes <= long.nodes


@pytest.mark.parametrize("seed", range(4))
def test_the_last_turn_is_solved_whatever_is_known(seed: int) -> None:
    for known in (False, True):
        found = nf.solve(late(nf.game("coney", 1), seed, 1, known=known), nf.Limit(nodes=3_000_000))
        assert found.proven
        assert (found.question, found.objective) == ("maximum", "score")
        if known:
            assert found.value == int(found.value or 0)


@pytest.mark.parametrize("seed", range(20))
def test_the_twin_plays_the_line_of_the_last_turn(seed: int) -> None:
    game = nf.game("coney", 1, ruleset=str(SMALL), options=OPTIONS[seed * 11 % len(OPTIONS)])
    position = late(game, seed, 1, known=True)
    if len(position.to_dict()["order"]) < 8:
        pytest.skip("the deck may run out: then chance would play a part")
    found = nf.solve(position)
    assert twin_points(nf.Puzzle(game, "maximum", position), found.line) == found.value
