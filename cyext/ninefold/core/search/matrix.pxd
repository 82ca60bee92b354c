cdef enum:
    MATRIX_MAX = 256  # rows, and columns, of the largest game

# Payoffs are row-major, finite and at most 1e300 in magnitude; `work` holds matrix_work(rows, cols) doubles.
cdef size_t matrix_work(int rows, int cols) noexcept nogil
cdef double matrix_value(const double *payoff, int rows, int cols, double *work) noexcept nogil
cdef double solve_matrix(const double *payoff, int rows, int cols, double *row_mix, double *col_mix,
                         double *work) noexcept nogil
