"""The costs of words, against a plain reading of the rules."""

from typing import NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from referenceless_metrics.core.support import native
from slor_metric.fluency.constants import FEATURES
from slor_metric.fluency.words import BLANK, KINDS, MISSPELLING, UNKNOWN, WORD

CAP, N_WORST = 1.0, 3
COLUMN = {feature: number for number, feature in enumerate(FEATURES)}
odds = st.integers(-10, 10).map(lambda halves: halves / 2)  # exact, so that ties are ties


class Word(NamedTuple):
    """A word as the compiled kernel reads it: its number and kind, and log-odds of its pieces, itself and its class."""

    number: int
    kind: int
    pieces: list[float]
    odds: float
    class_odds: float


words = st.builds(
    Word,
    st.integers(0, 3),
    st.integers(0, len(KINDS) - 1),
    st.lists(odds, min_size=1, max_size=3),
    odds,
    odds,
)


def plainly(text):
    """Read the rules word by word."""
    costs, idle = np.zeros((len(text), len(FEATURES))), []
    for i, (number, kind, *_) in enumerate(text):
        before = [word for word in text[:i] if word.kind != BLANK]
        triples = [tuple(word.number for word in text[j - 2 : j + 1]) for j in range(2, i + 1)]
        repeats = bool(kind != BLANK and before and before[-1].number == number) or (
            i >= 3 and triples[-1] in triples[:-1]
        )
        blank_run = i >= 2 and all(word.kind == BLANK for word in text[i - 2 : i + 1])
        strange = kind not in (WORD, BLANK)
        unknown_run = bool(strange and before and before[-1].kind != WORD)
        idle.append(blank_run or repeats or unknown_run)
        most = 0.0 if idle[-1] else CAP
        costs[i, COLUMN["pieces"]] = sum(min(value, most) - CAP for value in text[i].pieces)
        costs[i, COLUMN["words"]] = min(text[i].odds, most) - CAP
        costs[i, COLUMN["classes"]] = min(text[i].class_odds, most) - CAP
        costs[i, COLUMN["misspellings"]] = {MISSPELLING: -1.0, UNKNOWN: -0.5}.get(kind, 0.0)
        costs[i, COLUMN["repetitions"]] = -1.0 if repeats else 0.0
    worst = sorted(range(len(text)), key=lambda i: (costs[i, COLUMN["classes"]], i))[:N_WORST]
    for i in worst:
        costs[i, COLUMN["worst"]] = min(costs[i, COLUMN["classes"]], -1e-12) / len(worst)
        costs[i, COLUMN["lowest_classes"]] = (min(text[i].class_odds, 0.0) if idle[i] else text[i].class_odds) / len(
            worst
        )
    for i, (_, _, pieces, odds_of_word, _) in enumerate(text):
        costs[i, COLUMN["piece_odds"]] = sum(min(value, 0.0) if idle[i] else value for value in pieces)
        costs[i, COLUMN["word_odds"]] = min(odds_of_word, 0.0) if idle[i] else odds_of_word
    if text:
        least_piece = min(range(len(text)), key=lambda i: min(text[i].pieces))
        least_word = min(range(len(text)), key=lambda i: text[i].odds)
        costs[least_piece, COLUMN["least_piece"]] = min(text[least_piece].pieces)
        costs[least_word, COLUMN["least_word"]] = text[least_word].odds
    return costs


@given(st.lists(st.lists(words, max_size=9), max_size=4))
def test_the_rules(texts):
    flat = [word for text in texts for word in text]
    offsets = np.concatenate(([0], np.cumsum([len(text) for text in texts]))).astype(np.int64)
    n_pieces = [sum(len(word.pieces) for word in text) for text in texts]
    costs, repeats = np.zeros((len(flat), len(FEATURES))), np.zeros(len(flat), dtype=bool)
    sums, sums_alone = np.zeros((2, len(texts), len(FEATURES)))
    scales = np.arange(1.0, 1 + sums.size).reshape(sums.shape)
    arguments = (
        np.array([word.number for word in flat], dtype=np.int64),
        np.array([word.kind for word in flat], dtype=np.int8),
        offsets,
        np.array([value for word in flat for value in word.pieces], dtype=np.float64),
        np.concatenate(([0], np.cumsum(n_pieces))).astype(np.int64),
        np.array([i == 0 for word in flat for i in range(len(word.pieces))], dtype=np.bool_),
        np.array([word.odds for word in flat], dtype=np.float64),
        np.array([word.class_odds for word in flat], dtype=np.float64),
        scales,
        native.SEED,
    )
    native.call("fluency_costs", *arguments, costs, repeats, sums)
    native.call("fluency_costs", *arguments, None, repeats, sums_alone)
    assert sums.tobytes() == sums_alone.tobytes()
    assert repeats.tolist() == (costs[:, COLUMN["repetitions"]] < 0).tolist()
    for i, text in enumerate(texts):
        expected = plainly(text) / scales[i]
        assert_allclose(costs[offsets[i] : offsets[i + 1]], expected, atol=1e-12)
        assert_allclose(sums[i], expected.sum(axis=0), atol=1e-12)
