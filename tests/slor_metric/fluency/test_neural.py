"""Costs of words under a neural model: sums, places, and `Fluency` with a stand-in and with real weights."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from refusals import refused

from slor_metric.fluency.metric import Fluency, FluencyNgram
from slor_metric.fluency.neural import NEURAL_CAP, SMALL_CAP, share_among_words
from slor_metric.language_models.base import TokenLogprobs
from slor_metric.language_models.hf import smollm2
from slor_metric.language_models.known import CONTINUES
from slor_metric.language_models.lstm.model import SmallLanguageModel
from slor_metric.tokenizers.words import WordTokeniser, tokenise
from tests.support import rated_sentences as rated
from tests.support.tiny_small_model import save_small_model

TEXTS = ["The mayor opened the new bridge on Sunday.", "Don't the new bridges opens in «Ünterwegs», mayor?", "x  ½", ""]


class Bytes:
    """A stand-in for SmolLM2: pieces of three bytes."""

    signature = "bytes"

    @property
    def unigram(self):
        return self

    def logprobs(self, pieces):
        return np.full(len(pieces), -4.0)

    def token_logprobs(self, texts):
        found = []
        for text in texts:
            data = text.encode("utf-8", "replace").decode("latin-1")
            pieces = tuple(data[i : i + 3] for i in range(0, len(data), 3))
            found.append(TokenLogprobs(pieces, -1.0 - np.arange(len(pieces)) % 5))  # log-odds from 3 to -1
        return found


def test_pieces_count_for_the_words_that_they_end_in():
    split = WordTokeniser().split_chunk
    pieces = tuple("The Ġfirst , Ġwell - known Ġdog 's ĊĊ tail .".split())
    costs = -(2.0 ** np.arange(len(pieces)))
    found = share_among_words("The first, well-known dog's\n\ntail.", split, pieces, costs)
    assert found.tolist() == [-1, -2, -4, -8 - 16 - 32, -64, -128, -256 - 512, -1024]
    assert share_among_words(" \n", split, ("ĠĊ",), np.array([-1.0])).tolist() == []


@given(st.text(max_size=60), st.integers(1, 5))
def test_sums_are_kept(text, width):
    data = text.encode("utf-8", "replace").decode("latin-1")
    pieces = [data[i : i + width] for i in range(0, len(data), width)]
    costs = -np.arange(1.0, len(pieces) + 1)
    found = share_among_words(text, WordTokeniser().split_chunk, pieces, costs)
    assert len(found) == len(tokenise(WordTokeniser(), text))
    if len(found):
        assert found.sum() == pytest.approx(costs.sum())


def test_the_model_counts_and_contributions_add_up(monkeypatch):
    monkeypatch.setattr(smollm2, "load_smollm2", lambda batch_size: Bytes())
    metric, plain = Fluency("smollm2", lm_options={"batch_size": 4}), Fluency()
    result = metric.predict(TEXTS)
    assert "+bytes+detector64-" in metric.signature
    assert metric.signature != plain.signature
    assert result.reasons == plain.predict(TEXTS).reasons
    for each, value in zip(metric.contributions(TEXTS[:2]), result.values, strict=False):
        assert each.score == pytest.approx(value)
    n = len(Bytes().token_logprobs(TEXTS[:1])[0])
    shortfalls = [min(3 - i % 5 - NEURAL_CAP, 0) for i in range(n)]
    features = metric._reader.read(TEXTS[:1])
    names = metric._reader.names
    assert features.values[0, names.index("smollm2")] == pytest.approx(sum(shortfalls) / n**0.75)
    assert_array_equal(np.delete(features.values, names.index("smollm2"), axis=1), plain._reader.read(TEXTS[:1]).values)
    again = pickle.loads(pickle.dumps(metric))
    assert_array_equal(again.predict(TEXTS).values, result.values)


def test_a_cased_model_reads_sentences_as_they_are_written(monkeypatch):
    read = []

    class Recording(Bytes):
        def token_logprobs(self, texts):
            read.extend(texts)
            return super().token_logprobs(texts)

    monkeypatch.setattr(smollm2, "load_smollm2", Recording)
    Fluency("smollm2").predict([f"{TEXTS[0]} It rained."])
    assert read == [TEXTS[0], "It rained."]


def shortfall_of(small, text):
    """The obvious way: words as lists of the log-odds of their pieces."""
    batch = small.batch_logprobs([text])
    words = []
    for piece, odds in zip(batch.ids, batch.log_odds, strict=True):
        if not words or not small.flags[piece] & CONTINUES:
            words.append([])
        words[-1].append(float(odds))
    return sum(min(sum(word) / len(word) - SMALL_CAP, 0.0) for word in words) / max(len(words), 1) ** 0.75


def test_the_small_model_counts_word_by_word(tmp_path):
    save_small_model(tmp_path / "small.safetensors")
    small = SmallLanguageModel.load(tmp_path)
    metric = Fluency("small", lm_options={"path": tmp_path})
    texts = [*TEXTS, "The cats, the cats.", "Über naïve ŋ words"]
    features, plain = (of_metric._reader.read(texts, by_word=True) for of_metric in (metric, FluencyNgram()))
    at = metric._reader.names.index("small")
    expected = [shortfall_of(small, text) for text in texts]
    assert_allclose(features.values[:, at], expected, atol=1e-9)
    assert_array_equal(np.delete(features.values, at, axis=1), plain.values)
    costs = features.by_word.costs
    assert len(costs) == len(plain.by_word.costs)
    the_same = costs[features.offsets[texts.index("The cats, the cats.")] :, at][:2]
    alone = metric._reader.read(["The cats"], by_word=True).by_word.costs[
        :, at
    ]  # a cost is its own word's: only n differs
    assert_allclose(the_same / the_same.sum(), alone / alone.sum())
    assert small.signature in metric.signature


def test_bad_arguments():
    with refused("device", TypeError):
        Fluency("small", lm_options={"device": "cpu"})
    with refused("a small language model", FileNotFoundError):
        Fluency("small", lm_options={"path": "nowhere"})
    with refused(r"`lm` to be one of .*'smollm2'"):
        Fluency("gpt2")
    with refused("FluencyNgram"):
        Fluency("ngram")


def test_the_default_reads_the_small_model_and_no_text_depends_on_others():
    metric = Fluency()
    assert "+small768" in metric.signature
    texts = [*TEXTS, "If the museum for consideration.", "They waited for a train.", "word " * 600]
    alone = [metric.predict([text]).values[0] for text in texts]
    assert_allclose(metric.predict(texts).values, alone, atol=1e-5)
    fragment, whole = metric.predict(texts[-3:-1]).values
    assert whole - fragment > 0.8


@pytest.mark.long
def test_the_default_agrees_with_people(data_dir):
    metric = Fluency()
    for load, split, least in ((rated.gug, ("test",), 0.57), (rated.simplicity_da, (), 0.56)):
        outputs, ratings = load(data_dir, *split)
        assert rated.correlation(metric.predict(outputs).values, ratings) >= least


@pytest.mark.long
def test_agreement_with_people(data_dir):
    try:
        metric = Fluency("smollm2")
    except ImportError as error:
        pytest.skip(str(error))
    texts, ratings = rated.gug(data_dir, "test")
    assert rated.correlation(metric.predict(texts).values, ratings) >= 0.64
