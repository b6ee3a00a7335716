// Inner products of sparse rows with one another (quality_estimation_metric.kernel_model.model).
#include "kernels.h"

// Fills the inner products of n rows, (n, n). Row i has its entries from begins[i] to begins[i + 1], by ascending column. Products are
// added column by column from the lowest, so that a product does not depend on the rows beside it.
EXPORT int64_t gram_matrix(const int32_t *columns, int64_t n_entries, const int64_t *begins, int64_t n_begins, const double *values,
                           int64_t, int64_t n_columns, double *gram, int64_t) {
    const int64_t n = n_begins - 1;
    Room<int64_t> ends(n_columns + 1, true); // of the rows so far that have an entry in each column, in `rows` and `entries`
    Room<int32_t> rows(n_entries);
    Room<double> entries(n_entries);
    if (!ends || !rows || !entries)
        return NO_MEMORY;
    for (int64_t i = 0; i < n_entries; i++)
        ends[columns[i] + 1]++;
    for (int64_t column = 0; column < n_columns; column++)
        ends[column + 1] += ends[column];
    Room<int64_t> firsts(n_columns);
    if (!firsts)
        return NO_MEMORY;
    memcpy(firsts.at, ends.at, n_columns * sizeof(int64_t));
    for (int64_t row = 0; row < n; row++) {
        double *products = gram + row * n;
        memset(products, 0, n * sizeof(double));
        for (int64_t i = begins[row]; i < begins[row + 1]; i++) {
            const int32_t column = columns[i];
            const int64_t end = ends[column]++;
            rows[end] = int32_t(row);
            entries[end] = values[i];
            for (int64_t at = firsts[column]; at <= end; at++)
                products[rows[at]] += values[i] * entries[at];
        }
        for (int64_t other = 0; other < row; other++)
            gram[other * n + row] = products[other];
    }
    return DONE;
}
