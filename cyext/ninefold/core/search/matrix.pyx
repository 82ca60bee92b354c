"""Zero-sum matrix games, solved exactly.

Entry (i, j) of a payoff matrix is what the row player wins, and the column player loses, when they choose row i and
column j at the same time; the row player maximises. Each player has a mixed strategy that guarantees the same payoff,
the value of the game (von Neumann 1928, "Zur Theorie der Gesellschaftsspiele").

Games up to 3 x 3 are valued in closed form by a kernel: a square part of the game in which each player makes the other
indifferent, and which has the value of the whole (Shapley & Snow 1950, "Basic solutions of discrete games"). Larger
ones, and all mixed strategies, come from the equivalent linear program by the simplex method (Dantzig 1951, "A proof
of the equivalence of the programming problem and the game problem").

Payoffs are in any unit; values are in the same unit. Errors are relative to the range of the payoffs, largest minus
smallest: below 1e-12 of it, but up to 1e-8 within 1e-6 of a degenerate game. Only comparisons, fabs and the four
operations are used, so IEEE 754 machines agree to the last bit, if compilers may not fuse multiplication and addition.
"""
from collections.abc import Sequence

from libc.math cimport fabs

cdef double LARGEST = 1e300  # magnitude of a payoff, so that sums of four stay finite


# ---- Pure strategies ----

cdef inline int _maximin(const double *payoff, int rows, int cols, double *lower) noexcept nogil:
    """The first row with the largest minimum, and that minimum."""
    cdef int i, j, best = 0
    cdef double least
    for i in range(rows):
        least = payoff[i * cols]
        for j in range(1, cols):
            least = min(least, payoff[i * cols + j])
        if i == 0 or least > lower[0]:
            lower[0] = least
            best = i
    return best


cdef inline int _minimax(const double *payoff, int rows, int cols, double *upper) noexcept nogil:
    """The first column with the smallest maximum, and that maximum."""
    cdef int i, j, best = 0
    cdef double most
    for j in range(cols):
        most = payoff[j]
        for i in range(1, rows):
            most = max(most, payoff[i * cols + j])
        if j == 0 or most < upper[0]:
            upper[0] = most
            best = j
    return best


# ---- Kernels ----

cdef inline double _value_2x2(double a, double b, double c, double d) noexcept nogil:
    """Value of ((a, b), (c, d)).

    The formula for mixed strategies lies between the pure bounds; at a saddle point, where it does not apply, the
    bounds coincide. So clamping is right in both cases, without a branch nobody can predict. At a saddle the formula
    may even be 0 / 0: comparisons with NaN are false, which leaves `lower`.
    """
    cdef double lower = max(min(a, b), min(c, d))
    cdef double upper = min(max(a, c), max(b, d))
    cdef double mixed = c + (d - c) / ((d - c) + (a - b)) * (a - c)
    return min(max(lower, mixed), upper)


cdef double _value_by_pairs(const double *payoff) noexcept nogil:
    """Value of a 3 x 3 game that needs no more than two rows and two columns: the maximum over pairs of rows of the
    minimum over pairs of columns.

    Rows are padded to four, and row 0 repeated, so that the compiler computes pairs (0, 1), (1, 2), (2, 0) as vectors.
    """
    cdef double left[16]
    cdef double right[16]
    cdef double values[12]
    cdef double value = -LARGEST
    cdef int i, j
    for i in range(4):
        for j in range(4):
            left[4 * i + j] = payoff[i % 3 * 3 + j % 3]
            right[4 * i + j] = payoff[i % 3 * 3 + (j + 1) % 3]
    for i in range(12):
        values[i] = _value_2x2(left[i], right[i], left[i + 4], right[i + 4])
    for i in range(3):
        value = max(value, min(min(values[4 * i], values[4 * i + 1]), values[4 * i + 2]))
    return value


cdef inline double _cross(const double *u, const double *w, double *product) noexcept nogil:
    """The cross product of u and w; returns the sum of its entries."""
    product[0] = u[1] * w[2] - u[2] * w[1]
    product[1] = u[2] * w[0] - u[0] * w[2]
    product[2] = u[0] * w[1] - u[1] * w[0]
    return product[0] + product[1] + product[2]


cdef inline double _size(const double *vector) noexcept nogil:
    return fabs(vector[0]) + fabs(vector[1]) + fabs(vector[2])


cdef inline double _value_3x3(const double *payoff, double *work) noexcept nogil:
    """Value of a 3 x 3 game.

    Where both players mix all three strategies, each makes the other indifferent: the weights of one are orthogonal
    to the differences between the strategies of the other, hence are their cross product. Weights of both signs rule
    that out, and pairs suffice; as they do where the weights cancel, since rounding then hides a game like that.
    Between the two, and where products of payoffs would leave the range of a double, the simplex method is safer.
    """
    cdef double cols[2][3]  # columns 0 and 1, less column 2
    cdef double rows[2][3]  # rows 0 and 1, less row 2
    cdef double row_weights[3]
    cdef double col_weights[3]
    cdef double row_total, col_total, scale, lower = 0.0, upper = 0.0
    cdef int i
    _maximin(payoff, 3, 3, &lower)
    _minimax(payoff, 3, 3, &upper)
    if lower == upper:
        return lower
    for i in range(3):
        cols[0][i] = payoff[3 * i] - payoff[3 * i + 2]
        cols[1][i] = payoff[3 * i + 1] - payoff[3 * i + 2]
        rows[0][i] = payoff[i] - payoff[6 + i]
        rows[1][i] = payoff[3 + i] - payoff[6 + i]
    row_total = _cross(cols[0], cols[1], row_weights)
    col_total = _cross(rows[0], rows[1], col_weights)
    # One unpredictable branch, not two. Overflow makes a difference NaN, never positive, and goes on to the last line.
    if max(_size(row_weights) - fabs(row_total), _size(col_weights) - fabs(col_total)) > 1e-200:
        return _value_by_pairs(payoff)
    scale = _size(cols[0]) + _size(cols[1])
    if 1e-90 < scale < 1e90:
        if fabs(row_total) > 1e-5 * scale * scale:
            return payoff[8] + (row_weights[0] * rows[0][2] + row_weights[1] * rows[1][2]) / row_total
        if fabs(row_total) < 1e-15 * scale * scale:
            return _value_by_pairs(payoff)
    return solve_matrix(payoff, 3, 3, work, work + 3, work + 6)


# ---- The simplex method ----

cdef struct Tableau:
    # The linear program of a game with payoffs A, mapped to 1..2: the y >= 0 that maximises sum(y) under A y <= 1, as a
    # mix, is the column player's; the dual solution is the row player's. Variables 0.. are the slacks, one for each
    # row strategy, and variables rows.. the column strategies.
    int rows
    int cols
    double *cells  # rows + 1 by cols + 1: the constraints, with right-hand sides last, and the reduced costs below
    int basic[MATRIX_MAX]  # the variable of each row
    int nonbasic[MATRIX_MAX]  # the variable of each column


cdef void _pivot(Tableau *tableau, int row, int col) noexcept nogil:
    """Exchange the basic variable of `row` with the nonbasic one of `col`."""
    cdef int width = tableau.cols + 1, i, j
    cdef double *source = tableau.cells + row * width
    cdef double *target
    cdef double pivot = source[col], factor
    source[col] = 1.0
    for j in range(width):
        source[j] /= pivot
    for i in range(tableau.rows + 1):
        target = tableau.cells + i * width
        factor = target[col]
        if i != row and factor != 0.0:
            target[col] = 0.0
            for j in range(width):
                target[j] -= factor * source[j]
    tableau.basic[row], tableau.nonbasic[col] = tableau.nonbasic[col], tableau.basic[row]


cdef void _start(Tableau *tableau, const double *payoff, double smallest, double scale, bint warm,
                 double tolerance) noexcept nogil:
    """Fill the tableau; if `warm`, return to its present basis by the largest pivots, which sheds earlier rounding."""
    cdef bint exchanged[2 * MATRIX_MAX]
    cdef int rows = tableau.rows, cols = tableau.cols, width = cols + 1, i, j, row, col
    cdef double best
    for i in range(rows):
        exchanged[i] = False
    for j in range(cols):
        exchanged[rows + j] = False
    if warm:
        for i in range(rows):
            exchanged[tableau.basic[i]] = tableau.basic[i] >= rows
        for j in range(cols):
            exchanged[tableau.nonbasic[j]] = tableau.nonbasic[j] < rows
    for i in range(rows):
        for j in range(cols):
            tableau.cells[i * width + j] = 1.0 + (payoff[i * cols + j] - smallest) / scale
        tableau.cells[i * width + cols] = 1.0
        tableau.basic[i] = i
    for j in range(cols):
        tableau.cells[rows * width + j] = -1.0
        tableau.nonbasic[j] = rows + j
    tableau.cells[rows * width + cols] = 0.0
    while True:
        best = tolerance
        row = col = -1
        for i in range(rows):
            for j in range(cols):
                if (exchanged[i] and exchanged[rows + j] and tableau.basic[i] == i and tableau.nonbasic[j] == rows + j
                        and fabs(tableau.cells[i * width + j]) > best):
                    best = fabs(tableau.cells[i * width + j])
                    row = i
                    col = j
        if row < 0:
            break
        _pivot(tableau, row, col)


cdef void _optimise(Tableau *tableau, double tolerance) noexcept nogil:
    """Pivot until no reduced cost is negative.

    The most negative goes first, which takes about 2 (rows + cols) steps but might cycle. Bland's rule, the lowest
    variable, cannot; the limit is for rounding, which no theorem covers. Of the rows that bind within `tolerance`
    the one with the largest pivot leaves (Harris 1973, "Pivot selection methods of the Devex LP code").
    """
    cdef int rows = tableau.rows, cols = tableau.cols, width = cols + 1, i, j, row, col, step
    cdef double *costs = tableau.cells + rows * width
    cdef double *line
    cdef double bound, best = 0.0
    cdef bint bland
    for step in range(100 * (rows + cols)):
        bland = step >= 10 * (rows + cols)
        col = -1
        for j in range(cols):
            if costs[j] < -1e-13 and (col < 0 or (tableau.nonbasic[j] < tableau.nonbasic[col] if bland else
                                                  costs[j] < costs[col])):
                col = j
        if col < 0:
            break
        bound = LARGEST
        for i in range(rows):
            line = tableau.cells + i * width
            if line[col] > tolerance:
                bound = min(bound, (max(line[cols], 0.0) + 0.01 * tolerance) / line[col])
        row = -1
        for i in range(rows):
            line = tableau.cells + i * width
            if line[col] > tolerance and line[cols] <= bound * line[col] and (
                    row < 0 or (tableau.basic[i] < tableau.basic[row] if bland else line[col] > best)):
                row = i
                best = line[col]
        if row < 0:  # the program is bounded: this cost is rounding
            break
        _pivot(tableau, row, col)


cdef void _normalise(double *mix, int size) noexcept nogil:
    """Clip what rounding left below 0, and make the sum 1."""
    cdef double total = 0.0
    cdef int i
    for i in range(size):
        mix[i] = max(mix[i], 0.0)
        total += mix[i]
    for i in range(size):
        mix[i] /= total


cdef void _read_mixes(const Tableau *tableau, double *row_mix, double *col_mix) noexcept nogil:
    cdef int rows = tableau.rows, cols = tableau.cols, i, j
    for i in range(rows):
        row_mix[i] = 0.0
    for j in range(cols):
        col_mix[j] = 0.0
    for i in range(rows):
        if tableau.basic[i] >= rows:
            col_mix[tableau.basic[i] - rows] = tableau.cells[i * (cols + 1) + cols]
    for j in range(cols):
        if tableau.nonbasic[j] < rows:
            row_mix[tableau.nonbasic[j]] = tableau.cells[rows * (cols + 1) + j]
    _normalise(row_mix, rows)
    _normalise(col_mix, cols)


cdef double _gap(const double *payoff, int rows, int cols, const double *row_mix, const double *col_mix,
                 double *middle) noexcept nogil:
    """How far the payoff that the row mix guarantees is below the one that the column mix concedes at most.

    The value of the game lies between the two; `middle` is halfway.
    """
    cdef double most = -LARGEST, least = LARGEST, response
    cdef int i, j
    for i in range(rows):
        response = 0.0
        for j in range(cols):
            response += col_mix[j] * (payoff[i * cols + j] - payoff[0])
        most = max(most, response)
    for j in range(cols):
        response = 0.0
        for i in range(rows):
            response += row_mix[i] * (payoff[i * cols + j] - payoff[0])
        least = min(least, response)
    middle[0] = payoff[0] + (0.5 * least + 0.5 * most)
    return max(most - least, 0.0)


# ---- For other modules ----

cdef size_t matrix_work(int rows, int cols) noexcept nogil:
    """Doubles of working memory: a tableau, the mixes under trial, and those that matrix_value has no use for."""
    return <size_t>(rows + 1) * (cols + 1) + 2 * (rows + cols)


cdef double solve_matrix(const double *payoff, int rows, int cols, double *row_mix, double *col_mix,
                         double *work) noexcept nogil:
    """Value of the game, with an optimal mixed strategy of each player; a pure one, the first, at a saddle point.

    The first attempt nearly always closes the gap. If not, a matrix within rounding of a degenerate one has led to a
    tiny pivot: further attempts start from the basis found, or take larger numbers for zero. The best counts.
    """
    cdef Tableau tableau
    cdef double *row_trial = work
    cdef double *col_trial = row_trial + rows
    cdef double lower = 0.0, upper = 0.0, smallest = payoff[0], largest = payoff[0]
    cdef double tolerance = 1e-11, least = 0.0, value = 0.0, middle = 0.0, gap
    cdef int i, j, attempt
    cdef int row = _maximin(payoff, rows, cols, &lower)
    cdef int col = _minimax(payoff, rows, cols, &upper)
    if lower == upper:
        for i in range(rows):
            row_mix[i] = i == row
        for j in range(cols):
            col_mix[j] = j == col
        return lower
    for i in range(1, rows * cols):
        smallest = min(smallest, payoff[i])
        largest = max(largest, payoff[i])
    tableau.rows = rows
    tableau.cols = cols
    tableau.cells = col_trial + cols
    for attempt in range(8):
        _start(&tableau, payoff, smallest, largest - smallest, attempt % 2 == 1, tolerance)
        _optimise(&tableau, tolerance)
        _read_mixes(&tableau, row_trial, col_trial)
        gap = _gap(payoff, rows, cols, row_trial, col_trial, &middle)
        if attempt == 0 or gap < least:
            least = gap
            value = middle
            for i in range(rows):
                row_mix[i] = row_trial[i]
            for j in range(cols):
                col_mix[j] = col_trial[j]
        if least <= 1e-12 * (largest - smallest):
            break
        if attempt % 2 == 1:
            tolerance *= 10.0
    return value


cdef double matrix_value(const double *payoff, int rows, int cols, double *work) noexcept nogil:
    """Value of the game."""
    cdef double padded[9]
    cdef int i, j
    if rows == 3 and cols == 3:
        return _value_3x3(payoff, work)
    if rows == 2 and cols == 2:
        return _value_2x2(payoff[0], payoff[1], payoff[2], payoff[3])
    if rows <= 3 and cols <= 3:
        for i in range(3):
            for j in range(3):  # a strategy twice is as good as once
                padded[3 * i + j] = payoff[min(i, rows - 1) * cols + min(j, cols - 1)]
        return _value_by_pairs(padded)
    return solve_matrix(payoff, rows, cols, work, work + rows, work + rows + cols)


# ---- For Python ----

cdef inline double *_doubles(bytearray memory):
    return <double *><char *>memory


cdef bytearray _read_payoff(object payoff, int *rows, int *cols):
    """The payoffs as doubles, row-major."""
    cdef list table = [tuple(line) for line in payoff]
    cdef Py_ssize_t i, j, height = len(table), width
    cdef bytearray cells
    cdef double *cell
    if not table:
        raise ValueError("payoff has no rows")
    width = len(table[0])
    for i, line in enumerate(table):
        if not line:
            raise ValueError(f"payoff row {i} is empty")
        if len(line) != width:
            raise ValueError(f"payoff row {i} has length {len(line)}, row 0 has length {width}")
    if height > MATRIX_MAX or width > MATRIX_MAX:
        raise ValueError(f"payoff is {height} x {width}, the limit is {MATRIX_MAX} x {MATRIX_MAX}")
    rows[0], cols[0] = <int>height, <int>width
    cells = bytearray(height * width * sizeof(double))
    cell = _doubles(cells)
    for i, line in enumerate(table):
        for j, entry in enumerate(line):
            cell[0] = entry
            if not fabs(cell[0]) <= LARGEST:
                raise ValueError(f"payoff row {i}, column {j} is {entry}, must be finite and at most {LARGEST} in size")
            cell += 1
    return cells


cdef bytearray _read_mix(object mix, str name, int size):
    """The probabilities as doubles, normalised."""
    cdef tuple entries = tuple(mix)
    cdef bytearray cells = bytearray(size * sizeof(double))
    cdef double *cell = _doubles(cells)
    cdef double total = 0.0
    cdef int i
    if len(entries) != size:
        raise ValueError(f"{name} has length {len(entries)}, payoff needs {size}")
    for i in range(size):
        cell[i] = entries[i]
        if not cell[i] >= 0.0:
            raise ValueError(f"{name}[{i}] is {entries[i]}, must be a probability")
        total += cell[i]
    if not fabs(total - 1.0) <= 1e-6:
        raise ValueError(f"{name} sums to {total}, must sum to 1")
    _normalise(cell, size)
    return cells


def solve(payoff: Sequence[Sequence[float]]) -> tuple[float, list[float], list[float]]:
    """Solve the zero-sum game in which the row player wins payoff[i][j].

    Returns the value, in the unit of the payoffs, and an optimal mixed strategy of each player: a probability for
    every row, and one for every column. Where several are optimal, the same one is always returned.

    Raises ValueError if the payoffs are not a matrix of 1 x 1 to 256 x 256 finite numbers up to 1e300 in size.

    Source: von Neumann 1928; the linear program of Dantzig 1951.
    """
    cdef int rows = 0, cols = 0, i
    cdef bytearray cells = _read_payoff(payoff, &rows, &cols)
    cdef bytearray memory = bytearray((rows + cols + matrix_work(rows, cols)) * sizeof(double))
    cdef const double *game = _doubles(cells)
    cdef double *row_mix = _doubles(memory)
    cdef double *col_mix = row_mix + rows
    cdef double result
    with nogil:
        result = solve_matrix(game, rows, cols, row_mix, col_mix, col_mix + cols)
    return result, [row_mix[i] for i in range(rows)], [col_mix[i] for i in range(cols)]


def value(payoff: Sequence[Sequence[float]]) -> float:
    """Value of the zero-sum game in which the row player wins payoff[i][j], in the unit of the payoffs.

    Faster than `solve` up to 3 x 3, and equal to its value but for rounding.

    Raises ValueError if the payoffs are not a matrix of 1 x 1 to 256 x 256 finite numbers up to 1e300 in size.

    Source: von Neumann 1928; the kernels of Shapley & Snow 1950; the linear program of Dantzig 1951.
    """
    cdef int rows = 0, cols = 0
    cdef bytearray cells = _read_payoff(payoff, &rows, &cols)
    cdef bytearray memory = bytearray(matrix_work(rows, cols) * sizeof(double))
    cdef const double *game = _doubles(cells)
    cdef double *work = _doubles(memory)
    cdef double result
    with nogil:
        result = matrix_value(game, rows, cols, work)
    return result


def exploitability(
    payoff: Sequence[Sequence[float]], row_mix: Sequence[float], col_mix: Sequence[float]
) -> float:
    """What both players together would gain by best responses to each other's mixed strategy.

    The mixes hold a probability for every row, and one for every column, and sum to 1 within 1e-6. The gain is in the
    unit of the payoffs, never negative, and 0 exactly at an equilibrium, but for rounding.

    Raises ValueError if the payoffs are not a matrix of 1 x 1 to 256 x 256 finite numbers up to 1e300 in size, or if
    a mix is not a probability distribution over its strategies.

    Source: von Neumann 1928, the gap between the minimax and the maximin of the mixes.
    """
    cdef int rows = 0, cols = 0
    cdef bytearray cells = _read_payoff(payoff, &rows, &cols)
    cdef bytearray row_cells = _read_mix(row_mix, "row_mix", rows)
    cdef bytearray col_cells = _read_mix(col_mix, "col_mix", cols)
    cdef const double *game = _doubles(cells)
    cdef const double *x = _doubles(row_cells)
    cdef const double *y = _doubles(col_cells)
    cdef double result, middle = 0.0
    with nogil:
        result = _gap(game, rows, cols, x, y, &middle)
    return result
