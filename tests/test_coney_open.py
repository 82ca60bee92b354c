"""The solver of coney's open puzzle: against trying everything, and against itself without its shortcuts."""

from __future__ import annotations

import random
import tomllib
from importlib.resources import files
from typing import Any

import pytest

import ninefold as nf
from ninefold.core.games import coney as core
from ninefold.core.games.coney import MOVES
from ninefold.core.games.coney_open import OpenSolver
from ninefold.core.rules import State
from tests.test_fuzz_coney import SMALL, some_card

SALES = range(MOVES["sell"], MOVES["feed"])


def dealt(game: nf.Game, order: list[int]) -> State:
    """A solo game whose deck lies in this order, at the discards of its set-up."""
    state = State(game.core)
    data = core.dump(state)
    data["order"] = order
    core.load(state, data)
    return state


def reached(seed: int, turns: int, hand: int, market: int, reserve: int) -> State | None:
    """A position with so many turns left, by random play with a deck of any cards; None if it does not come to that."""
    rng = random.Random(seed)
    n = rng.randint(24, 50)
    ruleset: dict[str, Any] = SMALL | {
        "cards": {f"rabbit_{i}": some_card(rng, 1) for i in range(n)},
        "hand": hand,
        "market": market,
        "reserve": reserve,
        "turns": 9,
        "supply": "unlimited",
        "logo_points": [0, 0, 1, rng.randint(1, 3), rng.randint(3, 6)],
        "resources_per_point": rng.randint(2, 4),
        "reserved_penalty": rng.randint(0, 3),
    }
    options = {
        "wild_scores": rng.choice(["one", "none"]),
        "adjacency": rng.choice(["self", "self", "mutual"]),
        "touch": rng.choice(["off", "off", "on"]),
        "second_draw": rng.choice(["must", "must", "may"]),
    }
    try:
        game = nf.game("coney", 1, ruleset=ruleset, options=options)
    except nf.InputError:  # draws that bring too many cards into one hand
        return None
    state = dealt(game, rng.sample(range(n), n))
    while state.actors:
        data = core.dump(state)
        if core.PHASES[data["phase"]] == "action" and data["turn"] == 9 - turns:
            return state
        moves = state.legal(0)
        placements = [move for move in moves if move >= MOVES["lay"]]
        state.apply(0, rng.choice(placements if placements and rng.random() < 0.7 else moves))
    return None


class TooMuch(Exception):
    """There is more to try than a test has time for, or the order of the deck ends."""


def best_score(state: State, *, sales: bool, most: int) -> int:
    """By trying everything."""
    seen: dict[bytes, int] = {}
    tried = 0

    def value(state: State) -> int:
        nonlocal tried
        tried += 1
        if tried > most:
            raise TooMuch
        if not state.actors:
            if not state.is_over:
                raise TooMuch
            return state.score()[0][0]
        key = state.to_bytes()
        if key not in seen:
            best = -1000
            for move in state.legal(0):
                if sales or move not in SALES:
                    after = state.copy()
                    after.apply(0, move)
                    best = max(best, value(after))
            seen[key] = best
        return seen[key]

    return value(state)


def solved(state: State, memory: int = 1 << 27, **options: Any) -> OpenSolver:
    solver = OpenSolver(state, memory=memory, **options)
    while not solver.advance(100_000):
        pass
    return solver


def played(state: State, line: list[int]) -> int:
    """The score of a line, by the engine."""
    state = state.copy()
    for move in line:
        assert move in state.legal(0)
        state.apply(0, move)
    assert state.is_over
    return state.score()[0][0]


def compare(seed: int, turns: int, hand: int, market: int, reserve: int, most: int) -> int:
    """How many of the questions of one random position could be answered by trying everything."""
    state = reached(seed, turns, hand, market, reserve)
    if state is None:
        return 0
    answered = 0
    for sales in (True, False):
        try:
            value = best_score(state, sales=sales, most=most)
        except TooMuch:
            continue
        try:
            solver = solved(state, sales=sales)
        except ValueError as error:  # the order might end; whether it does is another question
            if "too short" not in str(error):
                raise
            continue
        assert solver.lower == solver.upper == value
        assert played(state, solver.line()) == value
        assert sales or not set(solver.line()) & set(SALES)
        assert solved(state, sales=sales, plain=True).lower == value
        answered += 1
    return answered


@pytest.mark.parametrize(
    ("turns", "hand", "market", "reserve", "seeds"), [(1, 4, 3, 2, 12), (2, 2, 2, 1, 12), (3, 2, 1, 1, 6)]
)
def test_the_score_is_that_of_trying_everything(turns: int, hand: int, market: int, reserve: int, seeds: int) -> None:
    assert sum(compare(seed, turns, hand, market, reserve, 20_000) for seed in range(seeds)) > 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("turns", "hand", "market", "reserve"), [(1, 4, 3, 2), (2, 2, 2, 1), (2, 2, 2, 2), (2, 3, 2, 2), (3, 2, 1, 1)]
)
def test_the_score_is_that_of_trying_everything_at_length(turns: int, hand: int, market: int, reserve: int) -> None:
    assert sum(compare(seed, turns, hand, market, reserve, 40_000) for seed in range(1000, 1080)) > 5


STANDARD: dict[str, Any] = tomllib.loads((files("ninefold.games") / "coney.toml").read_text())


def puzzle(seed: int, turns: int, **options: str) -> State:
    """A deal of the shipped deck for a short game."""
    game = nf.game("coney", 1, ruleset=STANDARD | {"turns": turns}, options=options)
    return dealt(game, random.Random(seed).sample(range(72), 72))


@pytest.mark.parametrize(("turns", "sales"), [(1, True), (1, False), (2, False), (3, False)])
def test_final_farms_give_what_a_search_turn_by_turn_gives(turns: int, sales: bool) -> None:
    for seed in range(2 if turns == 3 else 6):
        state = puzzle(seed, turns)
        assert solved(state, sales=sales).lower == solved(state, sales=sales, plain=True).lower


def test_a_line_goes_from_the_first_discard_to_the_end() -> None:
    for seed in range(6):
        state = puzzle(seed, 4)
        solver = solved(state)
        assert played(state, solver.line()) == solver.lower == solver.upper


def test_a_checkpoint_goes_on_to_the_same_answer() -> None:
    state = puzzle(2, 4)
    first = OpenSolver(state, memory=1 << 22)
    first.advance(20_000)
    assert not first.done
    second = OpenSolver(state, memory=1 << 22)
    second.load(first.save())
    assert (second.lower, second.upper, second.nodes) == (first.lower, first.upper, first.nodes)
    while not second.advance(100_000):
        pass
    assert second.lower == second.upper == solved(state).lower
    again = OpenSolver(state, memory=1 << 22)
    again.load(second.save())
    assert again.done
    assert again.line() == second.line()


def test_a_checkpoint_of_another_puzzle_or_none_is_refused() -> None:
    solver = OpenSolver(puzzle(1, 3))
    for other in (OpenSolver(puzzle(2, 3)), OpenSolver(puzzle(1, 3), sales=False)):
        with pytest.raises(ValueError, match="another puzzle"):
            solver.load(other.save())
    for data in (b"", b"nothing", solver.save()[:-1], b"(1, 2)\n" + solver.save()):
        with pytest.raises(ValueError, match="no checkpoint"):
            solver.load(data)


def test_the_same_work_gives_the_same_results() -> None:
    one, other = (OpenSolver(puzzle(4, 6), memory=1 << 22) for _ in range(2))
    for _ in range(5):
        one.advance(30_000)
    for _ in range(5):
        other.advance(30_000)
    assert (one.lower, one.upper, one.nodes, one.farms) == (other.lower, other.upper, other.nodes, other.farms)


def test_a_first_move_is_optimal_if_the_rest_still_reaches_the_score() -> None:
    for seed, turns in [(1, 2), (2, 2)]:
        state = puzzle(seed, turns)
        solver = solved(state)
        for move, question in solver.first_moves():
            while not question.advance(100_000):
                pass
            after = state.copy()
            after.apply(0, move)
            assert solver.lower is not None
            assert question.lower is None or question.lower <= solver.lower
            assert (question.lower == solver.lower) == (solved(after).lower == solver.lower)
        while state.copy().actors and core.PHASES[core.dump(state)["phase"]] != "action":
            state.apply(0, solver.line()[0])
            solver = solved(state)
        values = {}
        for move, question in solver.first_moves():
            while not question.advance(100_000):
                pass
            values[move] = question.lower == solver.lower
        assert values[solver.line()[0]]


def test_a_goal_is_reached_or_refuted() -> None:
    state = puzzle(5, 4)
    best = solved(state).lower
    assert best is not None
    reached_best = solved(state, goal=best).lower
    assert reached_best is not None
    assert reached_best >= best
    beyond = solved(state, goal=best + 1)
    assert beyond.lower is None
    assert beyond.upper == best
    assert beyond.line() == []


def test_what_the_solver_does_not_know_is_refused() -> None:
    for options, word in [({"frame": "sliding"}, "sliding"), ({"place_nothing": "off"}, "place_nothing")]:
        with pytest.raises(ValueError, match=word):
            OpenSolver(puzzle(1, 3, **options))
    with pytest.raises(ValueError, match="solo"):
        OpenSolver(State(nf.game("coney", 2).core))
    with pytest.raises(ValueError, match="beginning of a turn"):
        OpenSolver(State(nf.game("coney", 1).core))
    state = puzzle(1, 3)
    with pytest.raises(ValueError, match="no turn can begin"):
        OpenSolver(state, action=0)
    game = nf.game("coney", 1, ruleset=STANDARD | {"turns": 3})
    with pytest.raises(ValueError, match="too short"):
        solved(dealt(game, list(range(10))))


def test_a_finished_game_has_its_score() -> None:
    state = puzzle(1, 1)
    for move in solved(state).line():
        state.apply(0, move)
    solver = OpenSolver(state)
    assert solver.done
    assert solver.lower == solver.upper == state.score()[0][0]
    assert solver.line() == []


def test_memory_is_as_bounded() -> None:
    solver = OpenSolver(puzzle(2, 9), memory=1 << 26)
    solver.run(300)
    assert 1 << 24 <= solver.memory <= 1 << 26


def test_little_memory_gives_the_same_answer() -> None:
    state = puzzle(3, 5)
    assert solved(state, 1 << 21).lower == solved(state).lower


def test_a_search_that_needs_more_memory_says_so() -> None:
    solver = OpenSolver(puzzle(1, 3), sales=False, plain=True, memory=1 << 21)
    with pytest.raises(ValueError, match="more memory"):
        solver.advance(1 << 40)
    assert solver.upper >= solved(puzzle(1, 3), sales=False).upper


@pytest.mark.parametrize("sales", [True, False])
def test_a_good_line_is_there_at_once(sales: bool) -> None:
    state = puzzle(2, 9)
    solver = OpenSolver(state, sales=sales)
    solver.advance(100_000)
    assert not solver.done
    assert solver.lower is not None
    assert solver.lower >= 18
    assert played(state, solver.line()) == solver.lower
    assert sales or not set(solver.line()) & set(SALES)


@pytest.mark.unsanitized
def test_a_line_begins_with_the_action_asked_for() -> None:
    state = puzzle(2, 5)
    for move in solved(puzzle(2, 5)).line()[:2]:  # the discards of the set-up
        state.apply(0, move)
    for action in range(3):
        solver = OpenSolver(state, action=action)
        solver.advance(50_000)
        assert solver.line()[0] == action
        assert played(state, solver.line()) == solver.lower
