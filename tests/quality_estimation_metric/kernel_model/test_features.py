"""Features of texts beside their n-grams, against plain counts."""

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from quality_estimation_metric.kernel_model.features import source_columns, surface_columns
from quality_estimation_metric.sources import parse_mr
from quality_estimation_metric.sources.slot_errors import read


def test_repetition_is_counted():
    columns = surface_columns([read("near the park near the park the the end")])
    assert columns["repeated_words"].tolist() == [5 / 9]
    assert columns["repeated_pairs"].tolist() == [2 / 9]
    assert columns["repeated_triples"].tolist() == [1]
    assert columns["doubled_words"].tolist() == [1]
    assert columns["repeated_content"].tolist() == [2]


@given(st.lists(st.lists(st.sampled_from("a b the near park park.".split()), max_size=9), min_size=1, max_size=5))
def test_texts_are_counted_one_by_one(texts):
    readings = [read(" ".join(words)) for words in texts]
    columns = surface_columns(readings)
    for i, reading in enumerate(readings):
        tokens, n = reading.tokens, max(1, len(reading.tokens))
        triples = list(zip(tokens, tokens[1:], tokens[2:], strict=False))
        content = [token for token in tokens if len(token) >= 4]
        assert columns["repeated_words"][i] == (len(tokens) - len(set(tokens))) / n
        assert columns["repeated_pairs"][i] == (len(list(pairwise(tokens))) - len(set(pairwise(tokens)))) / n
        assert columns["repeated_triples"][i] == len(triples) - len(set(triples))
        assert columns["repeated_content"][i] == len(content) - len(set(content))
        assert columns["doubled_words"][i] == sum(a == b for a, b in pairwise(tokens))
        assert columns["word_length"][i] == sum(map(len, tokens)) / n
        assert columns["log_words"][i] == math.log1p(len(tokens))


def test_the_share_of_words_of_a_plain_source_is_known():
    columns = source_columns([read("the cat ran", parse_mr("A cat sat on the mat"), "none")])
    assert columns["source_overlap"].tolist() == [2 / 3]
