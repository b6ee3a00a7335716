"""What is read from both models, by the fast way and by the general one; and the rule for unknown text."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from refusals import refused

from slor_metric import SLOR, WPSLOR
from slor_metric.fluency.metric import Fluency
from slor_metric.language_models.base import read_likelihoods
from slor_metric.language_models.ngram import packaged
from slor_metric.language_models.prose import ForeignTextWarning
from tests.support import rated_sentences as rated
from tests.support import strange_texts as strange

PROSE = "The mayor opened the new bridge on Sunday."
UNKNOWN = ["Ж " * 20, "qqqqqq zzzz", "👍👍"]


class Spelled:
    """A packaged model without its fast way."""

    def __init__(self, name):
        self.known = packaged(name).known
        self.token_logprobs = packaged(name).token_logprobs
        self.signature = "spelled"


@settings(max_examples=30)
@given(st.lists(st.text(alphabet="abqz жç.1 ", max_size=20), max_size=4))
def test_both_ways_agree(texts):
    for name in ("word", "wordpiece"):
        model = packaged(name)
        fast = read_likelihoods(model, model.unigram, texts)
        slow = read_likelihoods(Spelled(name), model.unigram, texts)
        for part in ("model", "unigram", "unknown_surplus", "n_tokens", "unknown_share"):
            assert_allclose(getattr(fast, part), getattr(slow, part), atol=1e-9, err_msg=part)


def test_skipped_tokens_are_unknown_too():
    model = packaged("word", oov="skip")
    found = read_likelihoods(model, model.unigram, ["the zorbified cat", "zorbified", "the cat ."])
    assert found.n_tokens.tolist() == [2, 0, 3]
    assert_allclose(found.unknown_share, [1 / 3, 1, 0])


def test_without_a_unigram_model():
    found = read_likelihoods(packaged("word"), None, [PROSE])
    assert found.unigram.tolist() == [0]
    assert found.model[0] < 0


@pytest.mark.filterwarnings("ignore::slor_metric.language_models.prose.ForeignTextWarning")
@pytest.mark.parametrize("make", [SLOR, WPSLOR])
def test_unknown_text_does_not_beat_prose(make):
    result = make().score([*UNKNOWN, PROSE, ""])
    assert result.reasons[4] == "empty text"
    assert result.covered.tolist() == [False, False, False, True, False]
    assert result.unknown_share[[0, 1, 3]].tolist() == [1, 1, 0]
    as_published = make(unknown="score").score([*UNKNOWN, PROSE])
    assert as_published.coverage == 1
    assert as_published.values[0] > as_published.values[3]  # the definition, on text it was not made for
    assert as_published.values[3] == result.values[3]


def test_the_limit():
    text = "The zorbified quangle snorfed quietly."
    assert SLOR(max_unknown=0.6).score([text]).coverage == 1
    assert SLOR(max_unknown=0.5).score([text]).reasons == ("too many unknown tokens",)
    with refused("`max_unknown`"):
        SLOR(max_unknown=1.5)
    with refused("`unknown`"):
        SLOR(unknown="drop")


def test_random_scripts_are_never_good(data_dir):
    texts, ratings = rated.gug(data_dir, "train", "dev")
    best = [text for text, rating in zip(texts, ratings, strict=True) if rating == 4]
    random = strange.unknown_scripts(10_000)
    for metric in (SLOR(), WPSLOR()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ForeignTextWarning)
            assert not (metric.score(random).values > np.nanmedian(metric.score(best).values)).any()


@pytest.mark.parametrize("make", [SLOR, WPSLOR, Fluency])
def test_other_languages_are_flagged(make):
    metric = make()
    for texts in (strange.GERMAN, strange.FRENCH, strange.JAPANESE):
        with pytest.warns(ForeignTextWarning, match=f"language that {make.__name__} knows"):
            assert metric.score(texts).looks_english.mean() < 0.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert metric.score([PROSE] * 5).looks_english.all()


@pytest.mark.parametrize("make", [SLOR, WPSLOR])
def test_rated_texts_keep_their_scores(make, data_dir):
    metric, as_published = make(), make(unknown="score")
    sets = {
        "GUG": rated.gug(data_dir, "train", "dev", "test")[0],
        "Simplicity-DA": rated.simplicity_da(data_dir)[0],
        "nlg-ratings": rated.nlg_naturalness(data_dir)[0],
        "WebNLG 2020": rated.webnlg_fluency(data_dir)[0],
        "USR": rated.usr_naturalness(data_dir)[0],
        "HUSE": rated.huse_headlines(data_dir),
    }
    for name, texts in sets.items():
        with warnings.catch_warnings():
            warnings.simplefilter("error", ForeignTextWarning)
            result = metric.score(texts)
        assert result.coverage >= 0.99, name
        found = read_likelihoods(metric.language_model, metric.unigram_model, texts)
        known = result.covered & (found.unknown_surplus == 0)
        assert known.mean() > (0.9 if name in ("GUG", "Simplicity-DA", "HUSE") else 0.7)  # of made-up names
        assert_array_equal(result.values[known], as_published.score(texts).values[known])
