import math
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from quality_estimation_metric.kernel_model.features import (
    SEPARATOR,
    TermCounts,
    Vectoriser,
    character_terms,
    source_terms,
    word_terms,
)
from quality_estimation_metric.sources import parse_mr
from quality_estimation_metric.sources.slot_errors import read

ROWS = st.lists(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 4)), min_size=1, max_size=8)


@given(ROWS, st.integers(1, 2))
def test_vectors_are_those_of_the_formula(rows, least):
    vectoriser = Vectoriser.fit(TermCounts.of(rows), least)
    found = vectoriser.transform(TermCounts.of(rows)).toarray()
    for row, vector in zip(rows, found, strict=True):
        raw = {}
        for term, count in row.items():
            frequency = sum(term in other for other in rows)
            if frequency >= least:
                raw[term] = (1 + math.log(count)) * (math.log((1 + len(rows)) / (1 + frequency)) + 1)
        norm = math.sqrt(sum(value**2 for value in raw.values())) or 1
        expected = [raw.get(term, 0) / norm for term in vectoriser.terms]
        assert_allclose(vector, expected)


def test_terms_of_a_text_and_its_source():
    reading = read("Chow serves x", parse_mr("inform(name=chow,kids_allowed=yes)&bye()"))
    assert character_terms(read("ab")) == Counter([" a", "ab", "b ", " ab", "ab ", " ab "])
    words = word_terms(reading)
    assert words[SEPARATOR.join(("<s>", "X-name", "serves"))] == 1
    assert max(term.count(SEPARATOR) for term in words) == 3
    terms = source_terms(reading)
    assert terms["inform"] == 2
    assert {"name", "inform.name", "name=X-name", "kids_allowed=yes", "bye"} <= set(terms)
    assert source_terms(read("x", parse_mr("Is it so?"), "none")) == Counter(["is", "it", "so", "?"])


def test_unknown_terms_count_for_nothing():
    vectoriser = Vectoriser.fit(TermCounts.of([{"a": 1}]))
    assert vectoriser.transform(TermCounts.of([{"z": 3}, {}])).nnz == 0
    assert Vectoriser.fit(TermCounts.of([])).transform(TermCounts.of([{"z": 3}])).shape == (1, 0)


@given(ROWS, st.data())
def test_parts_of_counts_have_the_same_vectors(rows, data):
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=8))
    part = TermCounts.of(rows).subset(np.array(chosen, dtype=np.int64))
    again = TermCounts.of([rows[row] for row in chosen])
    assert len(part) == len(chosen)
    one, other = (Vectoriser.fit(counts) for counts in (part, again))
    assert one.terms == other.terms
    assert_array_equal(one.transform(part).toarray(), other.transform(again).toarray())
