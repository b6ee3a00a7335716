"""Ten million pairs against the twin: every option, every kind of text, similarities and estimates."""

import math
import random

import numpy as np
import pytest
from bleu_neighbors_reference import Options, bleu_star, estimate, similarities, tokens_of
from example_fits import CANDIDATES, POOL
from strange_texts import FRENCH, GERMAN, JAPANESE, keyboard_mash, number_lists, punctuation_rows, unknown_scripts

from bleu_neighbors_metric import BLEUNeighbors

TOKENIZERS = ("char", "char-nospace", "13a", "intl", "none", "zh")
ORDERS = ((2, 3, 4), (1,), (1, 2), (2, 4), (3,), (1, 2, 3, 4), (4, 2, 3), (1, 5), (6, 2))
SMOOTHING = (("none", None), ("floor", None), ("floor", 0.7), ("add-k", None), ("add-k", 0.25), ("exp", None))


def any_text(source, sentences):
    """Return a text of any kind, most often one that resembles others."""
    kind = source.random()
    sentence = source.choice(sentences)
    if kind < 0.4:
        return sentence
    words = sentence.split() or [""]
    if kind < 0.6:
        source.shuffle(words)
        return " ".join(words)
    if kind < 0.8:  # a part, where many candidates are shorter than the orders
        begin = source.randrange(len(sentence) + 1)
        return sentence[begin : begin + source.randrange(1, 40)]
    if kind < 0.9:
        return "".join(source.choice("ab ") for _ in range(source.randrange(30)))
    if kind < 0.95:
        return source.choice(words) * source.randrange(1, 12)
    return "".join(chr(source.choice((0x61, 0x20, 0x301, 0x1F469, 0x200D, 0xE000, 0x6578, 0x0))) for _ in range(12))


def differences(seed, n_candidates, n_pool):
    """Compare one random set-up with the twin; return how many pairs there were, and what differs."""
    source = random.Random(seed)
    sentences = [*POOL.texts, *CANDIDATES, *GERMAN, *FRENCH, *JAPANESE]
    sentences += [*keyboard_mash(20), *number_lists(20), *punctuation_rows(20), *unknown_scripts(20)]
    smooth_method, smooth_value = source.choice(SMOOTHING)
    orders = source.choice(ORDERS)
    tokenize, clip = source.choice(TOKENIZERS), source.random() < 0.7
    options = Options(tokenize, tuple(sorted(orders)), smooth_method, smooth_value, clip)
    pool = list(dict.fromkeys(any_text(source, sentences) for _ in range(n_pool)))
    candidates = [any_text(source, sentences) for _ in range(n_candidates)]
    reading = {
        "tokenize": tokenize, "ngram_orders": orders, "smooth_method": smooth_method, "smooth_value": smooth_value,
        "clip": clip,
    }  # fmt: skip
    expected = np.array(similarities(candidates, pool, options))
    found = bleu_star(candidates, pool, **reading)  # of several kinds
    told = [f"seed {seed}: similarity {place}" for place in np.argwhere(~np.isclose(found, expected, 1e-12, 1e-15))]

    ratings = [source.choice((source.random(), source.randrange(1, 7), -source.random() * 1e3)) for _ in pool]
    weights = source.choice(("uniform", "similarity"))
    # Thresholds at which some pairs lie exactly, so that "at least" is tried.
    values = np.unique(expected)
    threshold = float(source.choice((0.0, 0.08, 0.2, 0.5, 1.0, values[source.randrange(len(values))])))
    rule = {
        "threshold": min(threshold, 1.0), "min_neighbors": source.choice((1, 2, 5)),
        "max_fraction": source.choice((0.1, 0.5, 0.66, 1.0)), "weights": weights,
    }  # fmt: skip
    metric = BLEUNeighbors(**rule, **reading, n_jobs=source.choice((1, 2)), progress=False)
    metric.min_neighbors = min(metric.min_neighbors, max(1, int(metric.max_fraction * len(pool))))
    rule["min_neighbors"] = metric.min_neighbors
    result = metric.fit(pool, ratings).predict(candidates)
    nowhere = [not tokens_of(text, tokenize) for text in candidates]
    for place, row in enumerate(expected.tolist()):
        value, n_neighbors = estimate(row, ratings, empty=nowhere[place], **rule)
        same = math.isclose(result.values[place], value, rel_tol=1e-9, abs_tol=1e-9) or (
            math.isnan(value) and math.isnan(result.values[place])
        )
        if not same or result.n_neighbors[place] != n_neighbors:
            own = f"{result.values[place]}, {result.n_neighbors[place]}"
            told.append(f"seed {seed}: estimate {place}: {own} for {value}, {n_neighbors}")
    return expected.size, told


def compare(n_pairs, n_candidates, n_pool):
    done, told, seed = 0, [], 0
    while done < n_pairs:
        size, different = differences(seed, n_candidates, n_pool)
        done, seed = done + size, seed + 1
        told += different
    return done, told


def test_some_pairs_against_the_twin():
    _, told = compare(20_000, 20, 40)
    assert told == []


@pytest.mark.fuzz
def test_ten_million_pairs_against_the_twin():
    done, told = compare(10_000_000, 100, 150)
    print(f"{done:,} pairs, {len(told)} mismatches")
    assert told == []
