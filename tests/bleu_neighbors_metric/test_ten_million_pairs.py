"""Ten million pairs against the twin: every option, every kind of text, similarities and estimates."""

import random

import numpy as np
import pytest
from bleu_neighbors_reference import Options, bleu_star, estimate, similarities, tokens_of
from example_fits import CANDIDATES, POOL
from levels import at_each_level
from numpy.testing import assert_allclose, assert_array_equal
from strange_texts import FRENCH, GERMAN, JAPANESE, keyboard_mash, number_lists, punctuation_rows, unknown_scripts

from bleu_neighbors_metric import BLEUNeighbors

SENTENCES = [*POOL.texts, *CANDIDATES, *GERMAN, *FRENCH, *JAPANESE, *keyboard_mash(20), *number_lists(20),
             *punctuation_rows(20), *unknown_scripts(20)]  # fmt: skip
READING = {
    "tokenize": ("char", "char-nospace", "13a", "intl", "none", "zh"),
    "ngram_orders": ((2, 3, 4), (1,), (1, 2), (2, 4), (3,), (1, 2, 3, 4), (4, 2, 3), (1, 5), (6, 2)),
    "smooth": (("none", None), ("floor", None), ("floor", 0.7), ("add-k", None), ("add-k", 0.25), ("exp", None)),
    "clip": (True, True, False),
}
RULE = {
    "threshold": (0.0, 0.08, 0.2, 0.5, 1.0, None),
    "min_neighbors": (1, 2, 5),
    "max_fraction": (0.1, 0.5, 0.66, 1.0),
    "weights": ("uniform", "similarity"),
}
STRANGE = "a b\u0301\U0001f469\u200d\ue000\u6578\0"


def any_text(source):
    """Return a text of any kind, most often one that resembles others."""
    sentence = source.choice(SENTENCES)
    words, begin = sentence.split(), source.randrange(len(sentence) + 1)
    kinds = [
        *[sentence] * 4,
        *[" ".join(source.sample(words, len(words)))] * 2,
        *[sentence[begin : begin + source.randrange(1, 40)]] * 2,  # often shorter than the orders
        source.choice(words or [""]) * source.randrange(1, 12),
        "".join(source.choices(STRANGE, k=source.randrange(30))),
    ]
    return source.choice(kinds)


def compare(seed, n_candidates, n_pool):
    """Compare one random set-up with the twin, and return the number of pairs."""
    source = random.Random(seed)
    reading, rule = ({name: source.choice(values) for name, values in kind.items()} for kind in (READING, RULE))
    reading["smooth_method"], reading["smooth_value"] = reading.pop("smooth")
    pool = list(dict.fromkeys(any_text(source) for _ in range(n_pool)))
    candidates = [any_text(source) for _ in range(n_candidates)]
    orders, smoothing = tuple(sorted(reading["ngram_orders"])), (reading["smooth_method"], reading["smooth_value"])
    expected = np.array(
        similarities(candidates, pool, Options(reading["tokenize"], orders, *smoothing, reading["clip"]))
    )
    (at_levels,) = at_each_level(lambda: [bleu_star(candidates, pool, **reading)])
    assert_array_equal(at_levels, expected, err_msg=f"seed {seed}")
    if rule["threshold"] is None:  # some pairs lie exactly there, so that "at least" is tried
        rule["threshold"] = min(float(source.choice(np.unique(expected))), 1.0)
    rule["min_neighbors"] = min(rule["min_neighbors"], max(1, int(rule["max_fraction"] * len(pool))))
    ratings = [source.choice((source.random(), source.randrange(1, 7), -source.random() * 1e3)) for _ in pool]
    metric = BLEUNeighbors(**rule, **reading, n_jobs=source.choice((1, 2)), progress=False).fit(pool, ratings)
    result = metric.predict(candidates)
    empty = [not tokens_of(text, reading["tokenize"]) for text in candidates]
    rows = [estimate(row, ratings, empty=none, **rule) for row, none in zip(expected.tolist(), empty, strict=True)]
    values, n_neighbors = zip(*rows, strict=True)
    assert result.n_neighbors.tolist() == [*n_neighbors], f"seed {seed}"
    assert_allclose(result.values, values, 1e-9, 1e-9, err_msg=f"seed {seed}")
    return expected.size


@pytest.mark.parametrize("seed", [*range(40), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(40, 150))])
def test_some_pairs_against_the_twin(seed):
    compare(seed, 20, 40)


@pytest.mark.fuzz
def test_ten_million_pairs_against_the_twin():
    n_pairs = seed = 0
    while n_pairs < 10_000_000:
        n_pairs, seed = n_pairs + compare(seed, 100, 150), seed + 1
