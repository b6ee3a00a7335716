"""Figures of both models, by the fast way and by the general one; and the rule for unknown text."""

from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from refusals import refused

from slor_metric import SLOR
from slor_metric.language_models.base import read_likelihoods
from slor_metric.language_models.ngram import packaged


class Spelled:
    """A packaged model without its fast way."""

    def __init__(self, name):
        self.flags, self.tokens = packaged(name).flags, packaged(name).tokens
        self.token_logprobs = packaged(name).token_logprobs
        self.signature = "spelled"


@given(st.lists(st.text(alphabet="abqz жç.1 ", max_size=20), max_size=4))
def test_both_ways_agree(texts):
    for name in ("word", "wordpiece"):
        model = packaged(name)
        fast = read_likelihoods(model, model.unigram, texts)
        slow = read_likelihoods(Spelled(name), model.unigram, texts)
        for part in ("model", "unigram", "unknown_surplus", "n_tokens", "unknown_share"):
            assert_allclose(getattr(fast, part), getattr(slow, part), atol=1e-9, err_msg=part)


def test_the_limit():
    text = "The zorbified quangle snorfed quietly."
    assert SLOR(max_unknown=0.6).predict([text]).coverage == 1
    assert SLOR(max_unknown=0.5).predict([text]).reasons == ("too many unknown tokens",)
    with refused("`max_unknown`"):
        SLOR(max_unknown=1.5)
    with refused("`unknown`"):
        SLOR(unknown="drop")
