"""Zero-sum matrix games: textbook values, a linear-programming solver, and what the definitions imply."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ninefold.core.search.matrix import exploitability, solve, value

Matrix = list[list[float]]

THIRD = 1 / 3
ROCK_PAPER_SCISSORS = [[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]]

TEXTBOOK: list[tuple[Matrix, float, list[float], list[float]]] = [
    ([[7.0]], 7.0, [1.0], [1.0]),
    ([[3.0, -1.0, 2.0]], -1.0, [1.0], [0.0, 1.0, 0.0]),
    ([[3.0], [5.0], [-2.0]], 5.0, [0.0, 1.0, 0.0], [1.0]),
    (ROCK_PAPER_SCISSORS, 0.0, [THIRD] * 3, [THIRD] * 3),
    ([[0.0, -2.0, 1.0], [2.0, 0.0, -4.0], [-1.0, 4.0, 0.0]], 0.0, [4 / 7, 1 / 7, 2 / 7], [4 / 7, 1 / 7, 2 / 7]),
    ([[1.0, -1.0], [-1.0, 1.0]], 0.0, [0.5, 0.5], [0.5, 0.5]),
    ([[3.0, -1.0], [-2.0, 1.0]], 1 / 7, [3 / 7, 4 / 7], [2 / 7, 5 / 7]),
    # a saddle point in the middle, and one that is the first of two
    ([[1.0, 2.0, 9.0], [8.0, 5.0, 6.0], [7.0, 4.0, 0.0]], 5.0, [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]),
    ([[2.0, 2.0], [1.0, 3.0]], 2.0, [1.0, 0.0], [1.0, 0.0]),
    # the upper envelope of three lines, and the lower one
    ([[2.0, 3.0, 11.0], [7.0, 5.0, 2.0]], 49 / 11, [3 / 11, 8 / 11], [0.0, 9 / 11, 2 / 11]),
    ([[-2.0, -7.0], [-3.0, -5.0], [-11.0, -2.0]], -49 / 11, [0.0, 9 / 11, 2 / 11], [3 / 11, 8 / 11]),
    # the last row and column are dominated
    ([[4.0, 1.0, 5.0], [2.0, 3.0, 4.0], [1.0, 0.0, 9.0]], 2.5, [0.25, 0.75, 0.0], [0.5, 0.5, 0.0]),
    # diagonal: the harmonic sum
    ([[2.0, 0.0, 0.0, 0.0], [0.0, 4.0, 0.0, 0.0], [0.0, 0.0, 4.0, 0.0], [0.0, 0.0, 0.0, 1.0]], 0.5,
     [0.25, 0.125, 0.125, 0.5], [0.25, 0.125, 0.125, 0.5]),
]  # fmt: skip

payoffs = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(-9, 9).map(float), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


def check(matrix: NDArray[np.float64], tolerance: float = 1e-9) -> float:
    """Solve; the mixes must be distributions that guarantee the value. Proves the value, up to the tolerance."""
    payoff = matrix.tolist()
    game_value, row_mix, col_mix = solve(payoff)
    scale = float(np.ptp(matrix))
    for mix, size in ((row_mix, matrix.shape[0]), (col_mix, matrix.shape[1])):
        assert len(mix) == size
        assert min(mix) >= 0.0
        assert math.fsum(mix) == pytest.approx(1.0, abs=1e-12)
    base = matrix - matrix[0, 0]  # so that the check itself does not lose digits to an offset
    assert float(np.min(row_mix @ base)) == pytest.approx(game_value - matrix[0, 0], abs=tolerance * scale)
    assert float(np.max(base @ col_mix)) == pytest.approx(game_value - matrix[0, 0], abs=tolerance * scale)
    assert value(payoff) == pytest.approx(game_value, rel=1e-15, abs=tolerance * scale)
    assert 0.0 <= exploitability(payoff, row_mix, col_mix) <= 2 * tolerance * scale
    return game_value


@pytest.mark.parametrize(("payoff", "expected", "row_mix", "col_mix"), TEXTBOOK)
def test_textbook(payoff: Matrix, expected: float, row_mix: list[float], col_mix: list[float]) -> None:
    for result, known in zip(solve(payoff), (expected, row_mix, col_mix), strict=True):
        assert result == pytest.approx(known, abs=1e-14)
    assert value(payoff) == pytest.approx(expected, abs=1e-14)
    assert exploitability(payoff, row_mix, col_mix) == pytest.approx(0.0, abs=1e-14)


def test_exploitability() -> None:
    assert exploitability(ROCK_PAPER_SCISSORS, [1, 0, 0], [1, 0, 0]) == 2.0  # paper against each rock
    assert exploitability(ROCK_PAPER_SCISSORS, [0.5, 0.5, 0], [THIRD] * 3) == pytest.approx(0.5)
    assert exploitability([[1, 5], [0, 9]], [0, 1], [0, 1]) == 9.0  # 9 to 0 for the column player, 9 is best already


@pytest.mark.unsanitized
def test_against_linear_programming() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    generator = np.random.default_rng(1928)
    for _ in range(2000):
        rows, cols = generator.integers(1, 10, size=2)
        matrix = generator.normal(size=(rows, cols))
        program = optimize.linprog(  # maximise v such that every column pays v or more
            np.append(np.zeros(rows), -1.0),
            A_ub=np.column_stack([-matrix.T, np.ones(cols)]),
            b_ub=np.zeros(cols),
            A_eq=[[1.0] * rows + [0.0]],
            b_eq=[1.0],
            bounds=[(0.0, None)] * rows + [(None, None)],
            method="highs",
        )
        assert check(matrix) == pytest.approx(-program.fun, abs=1e-7)


@pytest.mark.parametrize("largest", [1, 2, 9])
def test_degenerate(largest: int) -> None:
    generator = np.random.default_rng(largest)
    for _ in range(1500):
        matrix = generator.integers(-largest, largest + 1, size=generator.integers(1, 10, size=2)).astype(float)
        check(matrix, 1e-12)
        check(matrix * 0.1, 1e-12)


@pytest.mark.parametrize("noise", [1e-3, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15])
def test_nearly_degenerate(noise: float) -> None:
    generator = np.random.default_rng(9)
    for _ in range(300):
        shape = generator.integers(3, 10, size=2)
        check(generator.integers(-1, 2, size=shape) + noise * generator.normal(size=shape), 2e-8)


def test_every_small_game() -> None:
    """All 3 x 3 games of -1, 0, 1: every pattern of ties, through the closed form and the simplex method."""
    for number in range(3**9):
        payoff = [[float(number // 3 ** (3 * i + j) % 3 - 1) for j in range(3)] for i in range(3)]
        game_value, row_mix, col_mix = solve(payoff)
        assert abs(value(payoff) - game_value) < 1e-15
        assert exploitability(payoff, row_mix, col_mix) < 1e-15


def test_nearly_singular_kernel() -> None:
    """3 x 3 games in which all strategies are mixed, but hardly: the closed form must know its limits."""
    generator = np.random.default_rng(1950)
    for exponent in range(-17, 0):
        for _ in range(20):
            row, col = generator.dirichlet(np.ones(3), size=2)
            matrix = np.outer(*generator.normal(size=(2, 3))) + 10.0**exponent * generator.normal(size=(3, 3))
            matrix -= np.outer(np.ones(3), row @ matrix)  # makes the column player indifferent
            matrix -= np.outer(matrix @ col, np.ones(3))  # and the row player, at 0
            assert check(matrix) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    "matrix",
    [
        np.zeros((9, 9)),
        np.full((4, 7), -3.5),
        np.tile([[1.0, -1.0], [-1.0, 1.0]], (20, 20)),
        np.repeat(np.repeat(ROCK_PAPER_SCISSORS, 5, axis=0), 7, axis=1),
        np.eye(256)[:, ::-1],
        np.random.default_rng(0).integers(-1, 2, size=(256, 60)).astype(float),
        np.random.default_rng(1).normal(size=(30, 256)),
    ],
    ids=["zero", "constant", "pennies", "rock-paper-scissors", "diagonal", "integers", "normal"],
)
def test_large_and_duplicate(matrix: NDArray[np.float64]) -> None:
    check(matrix)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e-100, 1e-30, 1e30, 1e100, 1e120, 1e160, 1e299])
def test_extreme_scales(scale: float) -> None:
    generator = np.random.default_rng(7)
    for size in (2, 3, 4):
        for _ in range(50):
            matrix = generator.uniform(-1.0, 1.0, size=(size, size))
            assert check(matrix * scale) / scale == pytest.approx(check(matrix), abs=1e-13)


def test_one_large_loss() -> None:
    assert solve([[0.0, 1.0, -1e12], [1.0, 0.0, 0.0]])[0] == pytest.approx(0.0, abs=1e-3)
    assert check(np.array([[0.0, -1.0, 1e9], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])) == pytest.approx(0.0, abs=0.5)


@settings(max_examples=150, deadline=None)
@given(payoffs, st.integers(-1000, 1000), st.integers(-40, 40))
def test_equivariance(payoff: Matrix, shift: int, exponent: int) -> None:
    """Adding to all payoffs, or scaling them, does the same to the value and, being exact here, keeps the mixes."""
    game_value, row_mix, col_mix = solve(payoff)
    scale = 2.0**exponent
    changed = [[(entry + shift) * scale for entry in row] for row in payoff]
    assert solve(changed)[1:] == (row_mix, col_mix)
    for function in (value, lambda matrix: solve(matrix)[0]):
        assert function(changed) / scale == pytest.approx(function(payoff) + shift, abs=1e-11)
    assert value(payoff) == pytest.approx(game_value, abs=1e-12)


@settings(max_examples=150, deadline=None)
@given(payoffs)
def test_exchange_of_players(payoff: Matrix) -> None:
    mirrored = [[-entry for entry in column] for column in zip(*payoff, strict=True)]
    assert value(mirrored) == pytest.approx(-value(payoff), abs=1e-12)
    game_value, row_mix, col_mix = solve(mirrored)
    assert game_value == pytest.approx(-solve(payoff)[0], abs=1e-12)
    assert exploitability(payoff, col_mix, row_mix) == pytest.approx(0.0, abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(payoffs, st.randoms(use_true_random=False))
def test_order_of_strategies(payoff: Matrix, shuffler: random.Random) -> None:
    shuffled = [list(row) for row in payoff]
    shuffler.shuffle(shuffled)
    assert value(shuffled) == pytest.approx(value(payoff), abs=1e-12)
    assert value([*payoff, payoff[-1]]) == pytest.approx(value(payoff), abs=1e-12)


def test_deterministic() -> None:
    matrix = np.random.default_rng(3).integers(-2, 3, size=(8, 8)).tolist()
    assert all(solve(matrix) == solve(matrix) for _ in range(10))
    assert solve([[1.0, 1.0], [1.0, 1.0]]) == (1.0, [1.0, 0.0], [1.0, 0.0])


@pytest.mark.parametrize("function", [solve, value, lambda payoff: exploitability(payoff, [1.0], [1.0])])
@pytest.mark.parametrize(
    ("payoff", "message"),
    [
        ([], "payoff has no rows"),
        ([[]], "payoff row 0 is empty"),
        ([[1.0], []], "payoff row 1 is empty"),
        ([[1.0, 2.0], [3.0, 4.0], [5.0]], "payoff row 2 has length 1, row 0 has length 2"),
        ([[1.0, 2.0], [3.0, math.nan]], "payoff row 1, column 1 is nan"),
        ([[1.0, -math.inf]], "payoff row 0, column 1 is -inf"),
        ([[1.0], [2e300]], r"payoff row 1, column 0 is 2e\+300, must be finite and at most 1e\+300 in size"),
        ([[1.0]] * 257, "payoff is 257 x 1, the limit is 256 x 256"),
        ([[1.0] * 300], "payoff is 1 x 300, the limit is 256 x 256"),
    ],
)
def test_bad_payoff(function: object, payoff: Matrix, message: str) -> None:
    assert callable(function)
    with pytest.raises(ValueError, match=message):
        function(payoff)


@pytest.mark.parametrize(
    ("row_mix", "col_mix", "message"),
    [
        ([1.0], [0.5, 0.5], "row_mix has length 1, payoff needs 2"),
        ([0.5, 0.5], [1.0, 0.0, 0.0], "col_mix has length 3, payoff needs 2"),
        ([1.5, -0.5], [0.5, 0.5], r"row_mix\[1\] is -0.5, must be a probability"),
        ([0.5, 0.5], [math.nan, 0.5], r"col_mix\[0\] is nan, must be a probability"),
        ([0.5, 0.5], [0.5, 0.25], "col_mix sums to 0.75, must sum to 1"),
    ],
)
def test_bad_mix(row_mix: list[float], col_mix: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        exploitability([[1.0, -1.0], [-1.0, 1.0]], row_mix, col_mix)


def test_not_numbers() -> None:
    with pytest.raises(TypeError):
        solve([["1"]])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        solve([1.0])  # type: ignore[list-item]
