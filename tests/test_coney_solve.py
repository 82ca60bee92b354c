"""Exact answers of Coney: the last turns by backward induction, and what makes that short."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bench.coney_puzzles import opened

import ninefold as nf
from ninefold.core.games.coney_open import OpenSolver
from ninefold.core.search.expectimax import Solver
from ninefold.games.coney_puzzles import in_order
from tests.positions import all_options
from tests.replay import twin_points
from tests.shell import ROOT

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


# --- the order of the deck known --------------------------------------------------------------------------------------


def backward(position: nf.Position) -> float:
    """What backward induction over every move says."""
    solver = Solver(position, 2)
    while not solver.advance(20_000):
        pass
    return float(solver.value)


@pytest.mark.parametrize("seed", range(8))
def test_the_open_search_agrees_with_backward_induction(seed: int) -> None:
    game = nf.game("coney", 1, ruleset=str(SMALL))
    position = late(game, seed, 1, known=True)
    found = nf.solve(position, count=True)
    assert found.proven
    assert found.value == backward(position)
    keep = []
    for move in position.legal(0):
        after = position.copy()
        after.play(0, move)
        if (after.scores()[0] if after.is_over else backward(after)) == found.value:
            keep.append(str(move))
    assert found.optimal == keep
    assert twin_points(nf.Puzzle(game, "maximum", position), found.line) == found.value


@pytest.mark.parametrize(
    ("farm", "hand", "reserve", "stock", "value"),
    [
        # a reserved wild with a coupon of its own beside a black rabbit: 1 + 2 + 1
        (["- - -", "- - -", "- - mallow"], [], ["endive"], {"hay": 2}, 4),
        # a coupon that sells a reserved rabbit for three resources: 1 + 1, and no penalty
        (["- - -", "- - -", "- - -"], ["nettle"], ["knapweed"], {}, 2),
    ],
)
def test_short_plans(farm: list[str], hand: list[str], reserve: list[str], stock: dict[str, int], value: int) -> None:
    player = {"farm": farm, "hand": hand, "reserve": reserve, "stock": stock}
    data = {"turn": 9, "last": "refill", "market": ["elder", "heather", "vetch"], "player": [player]}
    position = in_order(nf.game("coney", 1, ruleset=str(SMALL)).position(data), 1)
    assert backward(position) == value
    assert nf.solve(position).value == value
    search = OpenSolver(position, goal=value)
    while not search.run():
        pass
    assert search.lower == value


def test_without_sales_nothing_is_sold() -> None:
    position = opened(4, 7)
    free, bound = nf.solve(position), nf.solve(position, sales=False)
    assert free.proven
    assert bound.proven
    assert (bound.value or 0) <= (free.value or 0)
    assert not any(step.startswith("0: sell") for step in bound.line)


def test_a_search_is_resumed_from_its_checkpoint(tmp_path: Path) -> None:
    position, file = opened(6, 1), tmp_path / "checkpoint"  # more than a slice of work
    whole = nf.solve(position)
    first = nf.solve(position, nf.Limit(nodes=1), checkpoint=file)
    assert not first.proven
    assert first.upper is not None
    second = nf.solve(position, checkpoint=file, workers=2, count=True)
    assert second.proven
    assert second.value == whole.value
    assert second.nodes > first.nodes
    assert second.optimal
    third = nf.solve(position, checkpoint=file)
    assert (third.value, third.line) == (second.value, second.line)
    with pytest.raises(nf.InputError, match="checkpoint: this is a checkpoint of another position"):
        nf.solve(opened(4, 4), checkpoint=file)
    with pytest.raises(nf.InputError, match="checkpoint: this is a checkpoint of another ruleset or question"):
        nf.solve(position, checkpoint=file, sales=False)


@pytest.mark.parametrize(
    ("options", "change", "arguments", "message"),
    [
        ({"frame": "sliding"}, {}, {}, "the solver of open puzzles knows no sliding frame"),
        ({"place_nothing": "off"}, {}, {}, "the solver of open puzzles needs place_nothing = on"),
        ({}, {"order": []}, {"sales": False}, "sales: is for one player who knows the order of the deck"),
        ({}, {}, {"ales": False}, "ales: there is no such option here"),
    ],
)
def test_what_the_open_search_refuses(
    options: dict[str, str], change: dict[str, Any], arguments: dict[str, Any], message: str
) -> None:
    data = in_order(nf.game("coney", 1, options=options).deal(1), 1).to_dict()
    fields = {name: value for name, value in {**data, **change}.items() if name not in ("ninefold", "game", "options")}
    with pytest.raises(nf.InputError) as error:
        nf.solve(nf.game("coney", 1, options=options).position(fields), nf.Limit(time=5), **arguments)
    assert str(error.value).startswith(message)


# --- two processors ---------------------------------------------------------------------------------------------------


def test_two_processors_come_to_the_same_proof(tmp_path: Path) -> None:
    """Also when the work changes between one and two of them on the way."""
    for name in ("open-02", "open-04", "open-05"):
        puzzle = nf.read(ROOT / "examples" / "coney" / f"{name}.toml")
        assert isinstance(puzzle, nf.Puzzle)
        assert puzzle.answer is not None
        found = nf.solve(puzzle, workers=2)
        assert found.proven
        assert found.value == puzzle.answer.value == puzzle.replay(found.line)
        file, nodes, workers = tmp_path / name, 0, 1
        while not (found := nf.solve(puzzle, nf.Limit(nodes=nodes + 1), checkpoint=file, workers=workers)).proven:
            assert found.nodes > nodes
            nodes, workers = found.nodes, 3 - workers
        assert found.value == puzzle.answer.value == puzzle.replay(found.line)
        assert nf.solve(puzzle, checkpoint=file).value == found.value


def test_two_processors_count_first_moves_and_forbid_sales() -> None:
    puzzle = nf.read(ROOT / "examples" / "coney" / "open-02.toml")
    assert isinstance(puzzle, nf.Puzzle)
    one, two = (nf.solve(puzzle, count=True, workers=workers, sales=False) for workers in (1, 2))
    assert (one.value, one.optimal) == (two.value, two.optimal)


def test_a_side_alone_has_a_name() -> None:
    puzzle = nf.read(ROOT / "examples" / "coney" / "open-02.toml")
    assert isinstance(puzzle, nf.Puzzle)
    assert puzzle.position is not None
    with pytest.raises(ValueError, match="side must be 'low' or 'high', not 'left'"):
        OpenSolver(puzzle.position, side="left")
    low, high = OpenSolver(puzzle.position, side="low"), OpenSolver(puzzle.position, side="high")
    while not high.done:
        low.advance(1000)
        high.advance(1000)
        high.hear(low)
        low.hear(high)
        assert (low.lower, low.upper, low.done) == (high.lower, high.upper, high.done)
    assert high.lower == high.upper
