// Inner products of sparse rows with one another (quality_estimation_metric.kernel_model.model).
#include "../kernels.h"

namespace {

// A column is dense if at least one row in DENSE_SHARE has an entry in it. It is held with its zeros, and its products are added side by
// side: that takes less time than adding an eighth as many at scattered places.
constexpr int64_t DENSE_SHARE = 8;
constexpr int64_t SPARSE = -1;
constexpr int64_t ROWS_AT_ONCE = 8; // rows that are mirrored together: a cache line has eight numbers

void add_multiple(double *__restrict sums, const double *__restrict numbers, double factor, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        sums[i] += factor * numbers[i];
}

// Copies the numbers left of the diagonal to the right of it.
void mirror(double *matrix, int64_t n) {
    for (int64_t first = 0; first < n; first += ROWS_AT_ONCE) {
        const int64_t behind = first + ROWS_AT_ONCE < n ? first + ROWS_AT_ONCE : n;
        for (int64_t column = 0; column < behind; column++)
            for (int64_t row = larger_of(first, column + 1); row < behind; row++)
                matrix[column * n + row] = matrix[row * n + column];
    }
}

} // namespace

// Fills the inner products of n rows, (n, n). Row i has its entries from begins[i] to begins[i + 1], by ascending column. The terms of a
// product are added from the lowest column on, so that it does not depend on the other rows; adding a zero changes no bit.
EXPORT int64_t AT_LEVEL(gram_matrix)(const int32_t *columns, int64_t n_entries, const int64_t *begins, int64_t n_begins,
                                     const double *values, int64_t, int64_t n_columns, double *gram, int64_t) {
    const int64_t n = n_begins - 1;
    Room<int64_t> ends(n_columns + 1, true); // end of each column's entries so far in `rows` and `entries`
    Room<int64_t> dense_rows(n_columns);     // the row of `dense` that holds each column, or SPARSE
    Room<int32_t> rows(n_entries);
    Room<double> entries(n_entries);
    if (!ends || !dense_rows || !rows || !entries)
        return NO_MEMORY;
    for (int64_t i = 0; i < n_entries; i++)
        ends[columns[i] + 1]++;
    int64_t n_dense = 0;
    for (int64_t column = 0; column < n_columns; column++) {
        dense_rows[column] = ends[column + 1] * DENSE_SHARE >= n ? n_dense++ : SPARSE;
        ends[column + 1] += ends[column];
    }
    Room<int64_t> firsts(n_columns);
    Room<double> dense(n_dense * n, true);
    if (!firsts || !dense)
        return NO_MEMORY;
    memcpy(firsts.at, ends.at, n_columns * sizeof(int64_t));
    for (int64_t row = 0; row < n; row++) {
        double *products = gram + row * n;
        memset(products, 0, n * sizeof(double));
        for (int64_t i = begins[row]; i < begins[row + 1]; i++) {
            const int32_t column = columns[i];
            const double value = values[i];
            if (dense_rows[column] != SPARSE) {
                double *own = dense.at + dense_rows[column] * n;
                own[row] = value;
                add_multiple(products, own, value, row + 1);
                continue;
            }
            const int64_t end = ends[column]++;
            rows[end] = int32_t(row);
            entries[end] = value;
            for (int64_t at = firsts[column]; at <= end; at++)
                products[rows[at]] += value * entries[at];
        }
    }
    mirror(gram, n);
    return DONE;
}
