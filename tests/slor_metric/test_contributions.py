"""The contribution of each token to SLOR, against the metric itself and a unigram model of another kind."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from slor_metric import SLOR, WPSLOR
from slor_metric.contributions import token_contributions
from slor_metric.example import example_texts
from slor_metric.language_models.base import TokenLogprobs
from tests.support.small_metrics import LengthModel


@pytest.fixture(scope="module")
def metrics():
    return [SLOR(), WPSLOR()]


@settings(max_examples=8)
@given(st.lists(st.text(max_size=30), max_size=4))
def test_their_mean_is_the_score(metrics, texts):
    texts = [*texts, *example_texts().texts]
    for metric in metrics:
        scores = metric.predict(texts)
        found = token_contributions(metric, texts)
        told = np.array([text.score for text in found])
        assert_allclose(told[scores.covered], scores.values[scores.covered], atol=1e-9)
        assert [len(text) for text in found] == scores.n_tokens.tolist()
        assert all(len(text.surfaces) == len(text.pieces) for text in found)


class Unknown(LengthModel):
    """A language model without a tokeniser to ask, that knows no word."""

    def token_logprobs(self, texts):
        return [TokenLogprobs(("<unk>",) * len(text.split()), np.full(len(text.split()), -1.0)) for text in texts]


def test_any_model_will_do():
    found = token_contributions(SLOR(Unknown()), ["a b", ""])
    assert found[0].surfaces == ("<unk>", "<unk>")
    assert found[0].contributions.tolist() == [4.0, 0.0]  # an unknown token earns nothing by following another
    assert token_contributions(SLOR(Unknown(), unknown="score"), ["a b"])[0].score == 4.0
    assert np.isnan(found[1].score)
    assert SLOR(Unknown()).predict(["a b"]).reasons == ("no known token",)
