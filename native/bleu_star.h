// BLEU* from n-gram counts (Ethayarajh & Sadigh 2020, Eq. 2), with sacrebleu's smoothing of precisions.
#pragma once
#include "kernels.h"
#include "numbers.h"

namespace {

enum { NONE, FLOOR, ADD_K, EXP }; // as SMOOTHING in kernels/kernel.py

// ln beta = min(0, 1 - |s| / |x|) (Eq. 2).
[[maybe_unused]] inline double log_brevity(int64_t candidate_length, int64_t pool_length) {
    if (candidate_length == 0)
        return 0.0;
    double penalty = 1.0 - double(pool_length) / double(candidate_length);
    return penalty < 0.0 ? penalty : 0.0;
}

// ln BLEU* from the matched and possible n-grams of each order, the matched ones `step` places apart; -inf where it is 0.
//
// As in sacrebleu, smoothing makes nothing of texts that share no n-gram of any order.
template <class Count>
double log_bleu_star(const Count *matched, int64_t step, const int64_t *possible, const int64_t *orders, int64_t n_orders,
                     int64_t smoothing, double smooth_value, double brevity) {
    double total = 0.0, halved = 1.0;
    bool any_match = false;
    for (int64_t which = 0; which < n_orders; which++) {
        double hits = double(matched[which * step]), out_of = double(possible[which]);
        if (out_of <= 0.0)
            return -INFINITY;
        any_match |= hits > 0.0;
        if (smoothing == ADD_K && orders[which] > 1) {
            hits += smooth_value;
            out_of += smooth_value;
        } else if (hits == 0.0) {
            if (smoothing == FLOOR)
                hits = smooth_value;
            else if (smoothing == EXP)
                hits = halved *= 0.5;
        }
        if (hits <= 0.0)
            return -INFINITY;
        total += log_of(hits / out_of);
    }
    return any_match ? brevity + total / double(n_orders) : -INFINITY;
}

} // namespace
