"""The metrics with the packaged models, as users meet them: no model argument, and real rated text."""

import pytest
from numpy.testing import assert_allclose

from slor_metric import ROUGELM, SLOR, WPSLOR

FRANCE, TUVALU = "He is a citizen of France.", "He is a citizen of Tuvalu."
SCRAMBLED = "of citizen France a is He ."


@pytest.fixture(scope="module")
def word():
    return SLOR()


@pytest.fixture(scope="module")
def wordpiece():
    return WPSLOR()


def test_a_rare_name_costs_less_than_a_scrambled_order(word):
    # the paper's example: unlike NCE, SLOR hardly punishes a fluent sentence for a rare word
    result = word.score([FRANCE, TUVALU, SCRAMBLED])
    france, tuvalu, scrambled = result.values
    assert abs(result.nce[0] - result.nce[1]) > 3 * abs(france - tuvalu)
    assert min(france, tuvalu) > scrambled + 1.0


@pytest.mark.parametrize("metric", [SLOR, WPSLOR])
def test_scores_do_not_depend_on_the_batch(metric):
    texts = [FRANCE, "", TUVALU, SCRAMBLED * 40, "x", "東京 😀 \u200d", " ".join(["the"] * 500)]
    scorer = metric()
    together = scorer.score(texts).values
    alone = [scorer.score([text]).values[0] for text in texts]
    assert_allclose(together, alone, atol=1e-12)
    assert_allclose(scorer.score(texts[::-1]).values[::-1], together, atol=1e-12)


def test_the_fast_way_and_the_pieces_agree(wordpiece):
    class Pieces:
        """The packaged model without its way of scoring both models at once."""

        signature = "pieces"
        token_logprobs = wordpiece.language_model.token_logprobs
        unigram = wordpiece.unigram_model

    texts = [FRANCE, TUVALU, SCRAMBLED, "", "zzxqy 東京"]
    slow, fast = SLOR(Pieces(), unknown="score").score(texts), WPSLOR(unknown="score").score(texts)
    assert_allclose(slow.values, fast.values, atol=1e-9)


def test_signatures_name_models_and_rules(word, wordpiece):
    assert word.signature != wordpiece.signature
    for signature in (word.signature, wordpiece.signature, ROUGELM().signature):
        assert "|lm:" in signature
        assert "-unk-" in signature
        assert "|unigram:" in signature
