// BLEU* from n-gram counts (Ethayarajh & Sadigh 2020, Eq. 2), with sacrebleu's smoothing of precisions.
#pragma once
#include "kernels.h"
#include "numbers.h"

namespace {

enum { NONE, FLOOR, ADD_K, EXP }; // as SMOOTHING in kernels/kernel.py

// ln beta = min(0, 1 - |s| / |x|) for candidate x and pool text s (Eq. 2); 0 for an empty candidate.
[[maybe_unused]] inline double log_brevity(int64_t candidate_length, int64_t pool_length) {
    if (candidate_length == 0)
        return 0.0;
    double penalty = 1.0 - double(pool_length) / double(candidate_length);
    return penalty < 0.0 ? penalty : 0.0;
}

// ln of one order's smoothed precision; -inf if it is 0. `n_unmatched` is the number of orders up to this one that have no match.
[[maybe_unused]] inline double log_precision(int64_t matched, int64_t possible, int64_t order, int64_t n_unmatched, int64_t smoothing,
                                             double smooth_value) {
    double hits = double(matched), out_of = double(possible);
    if (smoothing == ADD_K && order > 1) {
        hits += smooth_value;
        out_of += smooth_value;
    } else if (matched == 0 && smoothing == FLOOR)
        hits = smooth_value;
    else if (matched == 0 && smoothing == EXP)
        hits = std::ldexp(1.0, -int(n_unmatched));
    return possible > 0 && hits > 0.0 ? log_of(hits / out_of) : -INFINITY;
}

// ln BLEU* from the sum of the logarithms of its precisions. As in sacrebleu, BLEU* is 0 under any smoothing if texts share no n-gram.
[[maybe_unused]] inline double log_bleu_star(double log_precisions, int64_t n_unmatched, int64_t n_orders, double brevity) {
    return n_unmatched < n_orders ? brevity + log_precisions / double(n_orders) : -INFINITY;
}

} // namespace
