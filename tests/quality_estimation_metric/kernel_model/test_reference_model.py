import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality_estimation_metric.kernel_model.reference_model import (
    STRENGTH,
    ReferenceModel,
    ReferencePool,
    count_ngrams,
    read_references,
)

TOKENS = st.lists(st.sampled_from("abc"), max_size=5)


def probability(model, context, word):
    """The model's probability, from its definition."""
    if context is None:
        return 1 / model.n_words
    shorter = None if not context else context[1:]
    total = sum(count for ngram, count in model.counts.items() if ngram[:-1] == context)
    count = model.counts.get((*context, word), 0)
    return (count + STRENGTH * probability(model, shorter, word)) / (total + STRENGTH)


@given(st.lists(TOKENS, max_size=4), TOKENS)
def test_probabilities_are_those_of_the_definition(references, tokens):
    model = ReferenceModel(count_ngrams(references))
    padded = ("<s>", "<s>", *tokens, "</s>")
    logs = [math.log(probability(model, padded[end - 2 : end], padded[end])) for end in range(2, len(padded))]
    found = model.features(tokens)
    assert found[0] == pytest.approx(sum(logs) / len(logs))
    assert found[1] == pytest.approx(min(logs))


@given(st.lists(TOKENS, min_size=1, max_size=3, unique_by=tuple), st.lists(TOKENS, max_size=3), TOKENS)
def test_own_references_are_taken_out(own, others, tokens):
    both = ReferenceModel.of_each([count_ngrams(own), count_ngrams(others)])
    without = ReferenceModel(count_ngrams(others))
    without.n_words = both.n_words  # the vocabulary stays that of all
    assert both.matrix([tokens, tokens], training=True)[0] == pytest.approx(without.features(tokens))


def test_likely_texts_are_told_from_others():
    pool = ReferencePool(["Chow serves thai food."] * 3, ["inform(name=chow,food=thai)"] * 3)
    references = read_references(pool, 5, None, "published")
    good, bad = references.matrix(["X-name serves X-food food .".split(), ["food", "food", "X-name"]])
    assert good[0] > bad[0]
    assert good[2] == 0 < bad[2]
