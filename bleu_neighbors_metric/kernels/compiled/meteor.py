"""The compiled part of the METEOR kernel: the alignment of a candidate with a pool text, and its score."""

from __future__ import annotations

import numpy as np

from metric_commons.support.compiled import compiled

_UNMATCHED = -1


@compiled()
def _link(types, begin, end, taken, last, previous):  # type: ignore[no-untyped-def]
    """Chain the free words of a pool text by type: `last` holds a type's last place, `previous` the one before."""
    for at in range(begin, end):
        if not taken[at - begin]:
            word = types[at]
            previous[at - begin] = last[word]
            last[word] = at - begin


@compiled()
def _unlink(types, begin, end, last):  # type: ignore[no-untyped-def]
    for at in range(begin, end):
        last[types[at]] = _UNMATCHED


@compiled()
def _match_equal(own, text, begin, end, taken, partner, last, previous):  # type: ignore[no-untyped-def]
    """Match each free word of the candidate, from the last, with the last free word of the same type."""
    _link(text, begin, end, taken, last, previous)
    for place in range(len(own) - 1, -1, -1):
        word = own[place]
        if partner[place] == _UNMATCHED and word >= 0 and last[word] != _UNMATCHED:
            other = last[word]
            partner[place] = other
            taken[other] = True
            last[word] = previous[other]
    _unlink(text, begin, end, last)


@compiled()
def _match_synonyms(synonyms, starts, text, begin, end, taken, partner, last, previous):  # type: ignore[no-untyped-def]
    """Match each free word of the candidate, from the last, with the last free word that is a synonym."""
    _link(text, begin, end, taken, last, previous)
    for place in range(len(partner) - 1, -1, -1):
        if partner[place] != _UNMATCHED:
            continue
        best = _UNMATCHED
        for at in range(starts[place], starts[place + 1]):
            best = max(best, last[synonyms[at]])
        if best != _UNMATCHED:
            partner[place] = best
            taken[best] = True
            last[text[begin + best]] = previous[best]
    _unlink(text, begin, end, last)


@compiled()
def meteor(  # type: ignore[no-untyped-def]
    words,
    stems,
    begins,
    synonyms,
    starts,
    pool_words,
    pool_stems,
    pool_begins,
    n_words,
    n_stems,
    alpha,
    beta,
    gamma,
    out,
):
    """Write METEOR of each candidate and each pool text.

    Args:
        words: the candidates' words, flat, as numbers of the pool's vocabulary; -1 for one that it does not hold.
        stems: the stems of the same words, likewise.
        begins: where each candidate begins in them, shape (c + 1,).
        synonyms: for each word of the candidates the stems of the pool that are its synonyms, flat.
        starts: where those of each word begin, shape (len(words) + 1,).
        pool_words: the pool's words, flat.
        pool_stems: their stems.
        pool_begins: where each pool text begins in them, shape (n + 1,).
        n_words: how many types of words the pool holds.
        n_stems: how many types of stems.
        alpha: weight of precision against recall in the mean.
        beta: exponent of the fragmentation.
        gamma: most that fragmentation takes off.
        out: shape (c, n).
    """
    n_pool = len(pool_begins) - 1
    longest = 0
    for text in range(n_pool):
        longest = max(longest, pool_begins[text + 1] - pool_begins[text])
    last_word = np.full(n_words, _UNMATCHED, np.int64)
    last_stem = np.full(n_stems, _UNMATCHED, np.int64)
    previous = np.empty(longest, np.int64)
    taken = np.empty(longest, np.bool_)
    for candidate in range(len(begins) - 1):
        first, stop = begins[candidate], begins[candidate + 1]
        length = stop - first
        partner = np.empty(length, np.int64)
        for text in range(n_pool):
            begin, end = pool_begins[text], pool_begins[text + 1]
            taken[: end - begin] = False
            partner[:] = _UNMATCHED
            _match_equal(words[first:stop], pool_words, begin, end, taken, partner, last_word, previous)
            _match_equal(stems[first:stop], pool_stems, begin, end, taken, partner, last_stem, previous)
            _match_synonyms(
                synonyms, starts[first : stop + 1], pool_stems, begin, end, taken, partner, last_stem, previous
            )
            matches = 0
            chunks = 0
            for place in range(length):
                if partner[place] != _UNMATCHED:
                    matches += 1
                    if place == 0 or partner[place - 1] == _UNMATCHED or partner[place] != partner[place - 1] + 1:
                        chunks += 1
            if matches == 0:
                out[candidate, text] = 0.0
                continue
            precision = matches / length
            recall = matches / (end - begin)
            mean = precision * recall / (alpha * precision + (1.0 - alpha) * recall)
            out[candidate, text] = (1.0 - gamma * (chunks / matches) ** beta) * mean
