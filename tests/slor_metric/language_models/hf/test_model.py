"""Hugging Face models against a twin that scores one token at a time, against minicons, and on real weights."""

import copy
import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lazily import lazily
from numpy.testing import assert_allclose, assert_array_equal
from refusals import refused

from slor_metric.language_models.hf.model import HuggingFaceLanguageModel
from tests.support.language_model_checks import check_language_model
from tests.support.tiny_causal_models import CORPUS, MODELS, TOLERANCE, make_tokenizer

torch = lazily("torch")
transformers = lazily("transformers")


def assert_as_one_by_one(lm, texts):
    for text, result in zip(texts, lm.token_logprobs(texts), strict=True):
        assert_allclose(result.logprobs, one_by_one(lm, text), atol=TOLERANCE, rtol=0)
        assert result.pieces == tuple(lm.tokenizer.tokenize(text))
        assert result.end_logprob is None


def one_by_one(lm, text):
    """The twin: for every token one run of the whole model on exactly its context, without batch or padding."""
    ids = lm.tokenizer(text, add_special_tokens=False)["input_ids"]
    reach = lm.max_length
    found = []
    for position in range(len(ids)):
        # The first window that reaches this token.
        start = 0 if position < reach else -(-(position - reach + 1) // lm.stride) * lm.stride
        inputs = torch.tensor([[lm.bos_id, *ids[start:position]]])
        with torch.no_grad():
            logits = lm.model(inputs).logits[0, -1].double()
        found.append(float(logits.log_softmax(0)[ids[position]]))
    return found


TEXTS = st.lists(
    st.text(alphabet="ab theTHE.,!?éß東😀 \n\t'<>|", max_size=30)
    | st.sampled_from([*CORPUS, "", " ", "a", "<|endoftext|>"]),
    max_size=6,
)


# --- agreement with the twin


#: Learned places, rotary ones, and a model without attention; the others run in the long run.
_THREE_KINDS = {"gpt2", "llama", "mamba"}


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[] if kind in _THREE_KINDS else [pytest.mark.long]) for kind in MODELS]
)
def test_equals_twin(models, kind):
    assert_as_one_by_one(models(kind), [*CORPUS, "", "a", CORPUS[0] + " " + CORPUS[2]])


@pytest.mark.parametrize("kind", ["gpt2", pytest.param("llama", marks=pytest.mark.long)])
@settings(max_examples=10)
@given(texts=TEXTS, batch_size=st.integers(1, 7), seed=st.integers(0, 99))
def test_scores_depend_on_nothing_but_the_text(models, kind, texts, batch_size, seed):
    lm = copy.copy(models(kind))
    alone = [one_by_one(lm, text) for text in texts]
    lm.batch_size = batch_size
    order = list(range(len(texts)))
    random.Random(seed).shuffle(order)
    neighbours = [CORPUS[seed % len(CORPUS)] * 3]
    results = lm.token_logprobs([texts[i] for i in order] + neighbours)
    assert len(results) == len(texts) + 1
    for i, result in zip(order, results, strict=False):
        assert_allclose(result.logprobs, alone[i], atol=TOLERANCE, rtol=0)


@pytest.mark.parametrize("kind", ["llama", "mamba", pytest.param("gpt2", marks=pytest.mark.long)])
def test_texts_that_begin_alike_are_read_once_and_scored_as_by_themselves(models, kind, monkeypatch):
    lm = models(kind)
    begun = [CORPUS[0][:end] for end in (50, 60, 70)] + [f"{CORPUS[0][:40]}{ending}" for ending in CORPUS[:4]]
    read = []
    monkeypatch.setattr(lm, "_head", Counting(lm._head, read))
    assert_as_one_by_one(lm, [*begun, CORPUS[1], CORPUS[0][:50]])
    whole = sum(len(lm.tokenizer(text)["input_ids"]) for text in [*begun, CORPUS[1]])
    assert (sum(read) < 0.7 * whole) == (kind != "mamba")  # which keeps no texts of a row apart


class Counting:
    """An output head that notes the number of tokens that it reads."""

    def __init__(self, head, read):
        self.head, self.read, self.shares_rows = head, read, head.shares_rows

    def logprobs(self, inputs, *others):
        self.read.append(inputs.numel())
        return self.head.logprobs(inputs, *others)


# --- long texts


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
@pytest.mark.parametrize("max_length", [64, 16, 9, 2, 1])
def test_long_texts(models, tokenizer, kind, max_length):
    long = " ".join(CORPUS[:2])
    lm = HuggingFaceLanguageModel(models(kind).model, tokenizer, max_length=max_length, batch_size=3)
    assert_as_one_by_one(lm, [long, "a", long[:30], long + " ?"])


# --- the first token


def test_the_first_token_is_bos_or_eos_or_as_named(models, tokenizer):
    lm = models("gpt2")
    assert lm.bos_id == tokenizer.bos_token_id == 0
    assert ",bos=0," in lm.signature
    assert HuggingFaceLanguageModel(lm.model, make_tokenizer(bos=None)).bos_id == 0  # as Qwen's
    by_name = HuggingFaceLanguageModel(lm.model, tokenizer, bos="A")
    assert by_name.signature != lm.signature
    assert_as_one_by_one(by_name, CORPUS[:1])
    with refused("argument `bos` to name a token"):
        HuggingFaceLanguageModel(lm.model, make_tokenizer(bos=None, eos=None))
    with refused(r"argument `bos` .*'nowhere'"):
        HuggingFaceLanguageModel(lm.model, tokenizer, bos="nowhere")


# --- inputs


def test_contract(models):
    check_language_model(models("gpt2"))
    text, again = models("gpt2").token_logprobs(["a b", "a b"])
    assert again is text


def test_a_lone_surrogate_counts_as_the_replacement_character(models):
    lm = models("gpt2")
    broken, replaced = lm.token_logprobs(["a " + chr(0xD83D), "a \N{REPLACEMENT CHARACTER}"])
    assert broken.pieces == replaced.pieces
    assert broken.logprobs == pytest.approx(replaced.logprobs, abs=1e-6)


# --- an oracle, and real weights


def test_equals_minicons(models):
    """log p(text) and log p(output | source).

    minicons counts the separator between the two among the output's tokens, and we do not.
    """
    scorer = pytest.importorskip("minicons.scorer")
    lm, texts, sources, outputs = models("gpt2"), CORPUS[:3], CORPUS[:2], CORPUS[1:3]
    oracle = scorer.IncrementalLMScorer(lm.model, "cpu", tokenizer=copy.deepcopy(lm.tokenizer))
    for result, expected in zip(lm.token_logprobs(texts), oracle.token_score(texts, bos_token=True), strict=True):
        pieces, scores = zip(*expected[1:], strict=True)
        assert result.pieces == pieces
        assert_allclose(result.logprobs, scores, atol=TOLERANCE, rtol=0)
    for separator, read_only in (("\n", 1), (" ", 0)):  # a space belongs to the output's first word
        ours = HuggingFaceLanguageModel(lm.model, lm.tokenizer, source_end=separator, progress=False)
        theirs = oracle.conditional_score(sources, outputs, separator=separator, bos_token=True, reduction=lambda x: x)
        for result, expected in zip(ours.token_logprobs(outputs, sources), theirs, strict=True):
            assert_allclose(result.logprobs, expected[read_only:].numpy(), atol=TOLERANCE, rtol=0)


def test_a_pickled_model_scores_alike(models):
    copied = pickle.loads(pickle.dumps(models("llama"))).token_logprobs(CORPUS[:1])
    assert_array_equal(copied[0].logprobs, models("llama").token_logprobs(CORPUS[:1])[0].logprobs)
