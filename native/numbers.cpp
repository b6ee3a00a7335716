// Elementary functions of arrays, with the same bits on all platforms.
#include "kernels.h"
#include "numbers.h"

namespace {

template <class F> int64_t map(const double *x, int64_t n, double *y, int64_t n_y, F function) {
    if (n_y != n)
        return wrong_argument(1);
    for (int64_t i = 0; i < n; i++)
        y[i] = function(x[i]);
    return DONE;
}

} // namespace

EXPORT int64_t exponentials(const double *x, int64_t n, double *y, int64_t n_y) { return map(x, n, y, n_y, exp_of); }
EXPORT int64_t logarithms(const double *x, int64_t n, double *y, int64_t n_y) { return map(x, n, y, n_y, log_of); }
EXPORT int64_t roots(const double *x, int64_t n, double *y, int64_t n_y, int64_t degree) {
    return map(x, n, y, n_y, [=](double each) { return root_of(each, degree); });
}
