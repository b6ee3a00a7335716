import copy
import math
from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from quality_estimation_metric.kernel_model.features import TextFeatures
from quality_estimation_metric.kernel_model.vectors import SEPARATOR, TERMS, Vectoriser, source_terms
from quality_estimation_metric.sources import parse_mr
from quality_estimation_metric.sources.slot_errors import read
from referenceless_metrics.core.support import native

SYMBOLS = st.sampled_from(["a", "b", "é", "\0", "🙂", "\ud83d"])
TEXTS = st.lists(st.lists(SYMBOLS, max_size=9), max_size=8)


def counted(kind, symbols):
    """Count terms one by one."""
    _, orders, between = TERMS[kind]
    starts = [(order, start) for order in orders for start in range(len(symbols) - order + 1)]
    return Counter(between.join(symbols[start : start + order]) for order, start in starts)


@given(st.sampled_from(sorted(TERMS)), TEXTS, TEXTS, st.integers(1, 2))
def test_vectors_are_those_of_the_formula(kind, texts, others, least):
    texts, others = ([["".join, list][kind != "characters"](text) for text in each] for each in (texts, others))
    rows = [counted(kind, text) for text in texts]
    frequencies = Counter(term for row in rows for term in row)
    terms = sorted(term for term, frequency in frequencies.items() if frequency >= least)
    vectoriser = Vectoriser.fit(kind, texts, least)
    assert vectoriser.terms == tuple(terms)
    found, unknown = vectoriser.transform(others).toarray(), vectoriser.unknown_share(others)
    for text, vector, share in zip(others, found, unknown, strict=True):
        row = counted(kind, text)
        idf = [1 + math.log((1 + len(rows)) / (1 + frequencies[term])) for term in terms]
        raw = [(1 + math.log(row[term])) * of if row[term] else 0 for term, of in zip(terms, idf, strict=True)]
        norm = math.sqrt(sum(value**2 for value in raw)) or 1
        assert_allclose(vector, [value / norm for value in raw])
        assert share == 1 - sum(row[term] for term in terms) / max(row.total(), 1)
    again = copy.copy(vectoriser)  # finds terms by a trie of its own, built from their strings
    assert_array_equal(again.transform(others).toarray(), found)
    assert_array_equal(again.unknown_share(others), unknown)


def weighed(nodes, terms, idf):
    """Weigh the terms of one text by Python's own numbers, one after the other."""
    counts = Counter(terms[node] for node in nodes if terms[node] >= 0)
    weights = [(1 + math.log(counts[term])) * idf[term] for term in sorted(counts)]
    squares = 0.0
    for weight in weights:
        squares += weight * weight
    return [(term, weight / math.sqrt(squares)) for term, weight in zip(sorted(counts), weights, strict=True)]


@given(st.lists(st.lists(st.integers(0, 69_999), max_size=30), max_size=5), st.integers(1, 3))
def test_terms_are_weighed_in_order(texts, times):
    terms = np.arange(70_000, dtype=np.int32) * 7 % 70_001 - 1  # one node has none
    idf = 1 + np.random.default_rng(0).random(70_000)
    nodes = np.array([node for text in texts for node in text * times], dtype=np.int32)
    begins = np.cumsum([0, *(times * len(text) for text in texts)])
    logs = np.array([0.0, *map(math.log, range(1, 200))])
    columns, values, starts = np.empty(len(nodes), np.int32), np.empty(len(nodes)), np.empty_like(begins)
    n = native.call("weigh_terms", nodes, begins, terms, idf, logs, columns, values, starts)
    found = [list(zip(columns[a:b].tolist(), values[a:b].tolist(), strict=True)) for a, b in pairwise(starts.tolist())]
    assert found == [weighed(text * times, terms.tolist(), idf.tolist()) for text in texts]
    assert n == starts[-1]


def test_terms_of_a_text_and_its_source():
    reading = read("Chow serves x", parse_mr("inform(name=chow,kids_allowed=yes)&bye()"))
    symbols = TextFeatures([read("ab"), reading], sources=True, delexicalised=True).symbols
    found = {kind: Vectoriser.fit(kind, texts) for kind, texts in symbols.items()}
    assert {" a", "ab", "b ", " ab", "ab ", " ab "} <= set(found["characters"].terms)
    assert SEPARATOR.join(("<s>", "X-name", "serves")) in found["words"].terms
    assert max(term.count(SEPARATOR) for term in found["words"].terms) == 3
    terms = source_terms(reading)
    assert terms.count("inform") == 2
    assert {"name", "inform.name", "name=X-name", "kids_allowed=yes", "bye"} <= set(terms)
    assert source_terms(read("x", parse_mr("Is it so?"), "none")) == ["is", "it", "so", "?"]
