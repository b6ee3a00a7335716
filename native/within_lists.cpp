// BLEU* within a list of texts that is too small for blocks and bit rows: each n-gram has a posting list (see kernels/within_lists.py).
#include "bleu_star.h"

// Writes the mean BLEU* of each text with the others of its list to `out`. One text stands for all that are equal to it.
//
// `features` and `begins` are those of the list's texts as candidates, `starts` and `lists` those of the same texts as a pool. `weights`
// has the number of texts that each text stands for, itself included; it is compared with one fewer of these. Their sum is above 1.
// If `effective`, orders in which a text has no n-gram do not count (sacrebleu's effective order).
EXPORT int64_t mean_bleu_star(const int32_t *features, int64_t, const int64_t *begins, int64_t, const int64_t *starts, int64_t,
                              const int32_t *lists, int64_t, const int64_t *lengths, int64_t n_texts, const double *weights, int64_t,
                              double total_weight, const int64_t *orders, int64_t n_orders, int64_t smoothing, double smooth_value,
                              int64_t effective, double *out, int64_t) {
    Room<int64_t> counts(n_texts * n_orders), possible(n_orders);
    if (!counts || !possible)
        return NO_MEMORY;
    for (int64_t text = 0; text < n_texts; text++) {
        memset(counts.at, 0, n_texts * n_orders * sizeof(int64_t));
        for (int64_t which = 0; which < n_orders; which++)
            for (int64_t at = begins[text * n_orders + which]; at < begins[text * n_orders + which + 1]; at++)
                for (int64_t place = starts[features[at]]; place < starts[features[at] + 1]; place++)
                    counts[lists[place] * n_orders + which]++;
        int64_t used = n_orders;
        for (int64_t which = 0; which < n_orders; which++)
            possible[which] = lengths[text] - orders[which] + 1;
        while (effective && used > 0 && possible[used - 1] <= 0)
            used--;
        double total = 0.0;
        for (int64_t other = 0; used > 0 && other < n_texts; other++) {
            double log_precisions = 0.0;
            int64_t n_unmatched = 0;
            for (int64_t which = 0; which < used; which++) {
                int64_t matched = counts[other * n_orders + which];
                n_unmatched += matched == 0;
                log_precisions += log_precision(matched, possible[which], orders[which], n_unmatched, smoothing, smooth_value);
            }
            double log_similarity = log_bleu_star(log_precisions, n_unmatched, used, log_brevity(lengths[text], lengths[other]));
            total += (other == text ? weights[other] - 1.0 : weights[other]) * exp_of(log_similarity);
        }
        out[text] = total / (total_weight - 1.0);
    }
    return DONE;
}
