"""Masked language models against a twin that runs one masked text at a time, and against minicons."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from slor_metric.language_models.hf.masked import MASKING, MaskedLanguageModel, masked_rows  # noqa: E402

from slor_metric.language_models import load_language_model  # noqa: E402
from slor_metric.language_models.hf.model import fit_unigram  # noqa: E402

TEXTS = ["the cats sat unhappily", "a cat", "", "cats cats the zebra sat", "cat"]
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "##s", "sat", "un", "##happi", "##ly", "a"]


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return transformers.BertTokenizerFast(vocab=dict(zip(WORDS, range(len(WORDS)), strict=True)))


@pytest.fixture(scope="module")
def bert() -> Any:
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=24,
        initializer_range=0.5,
    )
    return transformers.BertForMaskedLM(config).eval()


def twin(model: Any, tokenizer: Any, text: str, masking: str) -> list[float]:
    found = []
    encoded = tokenizer(text, return_tensors="pt")
    ids, words = encoded["input_ids"][0], encoded.word_ids(0)
    for i, word in enumerate(words):
        if word is None:
            continue
        hidden = ids.clone()
        hidden[i] = tokenizer.mask_token_id
        for j in range(i + 1, len(ids)):
            if masking == "within_word_l2r" and words[j] == word:
                hidden[j] = tokenizer.mask_token_id
        with torch.no_grad():
            logits = model(input_ids=hidden[None]).logits[0, i]
        found.append(float(torch.log_softmax(logits, -1)[ids[i]]))
    return found


@pytest.mark.parametrize("masking", MASKING)
def test_equals_the_twin(bert: Any, tokenizer: Any, masking: str) -> None:
    lm = MaskedLanguageModel(bert, tokenizer, masking=masking, batch_size=3, progress=False)
    for text, scored in zip(TEXTS, lm.token_logprobs(TEXTS), strict=True):
        assert list(scored.pieces) == tokenizer.tokenize(text)
        np.testing.assert_allclose(scored.logprobs, twin(bert, tokenizer, text, masking), atol=1e-4)
    assert masking in lm.signature


def test_the_rest_of_a_word_tells_its_tokens(bert: Any, tokenizer: Any) -> None:
    original, left_to_right = (
        MaskedLanguageModel(bert, tokenizer, masking=masking, progress=False).token_logprobs(["unhappily sat"])[0]
        for masking in ("original", "within_word_l2r")
    )
    assert not np.allclose(original.logprobs[:2], left_to_right.logprobs[:2])
    np.testing.assert_allclose(original.logprobs[2:], left_to_right.logprobs[2:], atol=1e-5)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("masking", MASKING)
def test_equals_minicons(bert: Any, tokenizer: Any, masking: str) -> None:
    scorer = pytest.importorskip("minicons.scorer")
    theirs_tokenizer = copy.deepcopy(tokenizer)
    theirs_tokenizer.batch_encode_plus = theirs_tokenizer.__call__  # gone from transformers 5
    oracle = scorer.MaskedLMScorer(bert, "cpu", tokenizer=theirs_tokenizer)
    texts = [text for text in TEXTS if text]
    theirs = oracle.token_score(texts, PLL_metric=masking)
    lm = MaskedLanguageModel(bert, tokenizer, masking=masking, progress=False)
    for scored, expected in zip(lm.token_logprobs(texts), theirs, strict=True):
        np.testing.assert_allclose(scored.logprobs, [value for _, value in expected], atol=1e-4)


def test_a_long_text_is_read_in_a_window_around_each_token(bert: Any, tokenizer: Any) -> None:
    lm = MaskedLanguageModel(bert, tokenizer, max_length=9, progress=False)
    text = " ".join(["the cat sat unhappily"] * 8)
    (scored,) = lm.token_logprobs([text])
    assert len(scored) == 48
    assert np.isfinite(scored.logprobs).all()
    assert masked_rows(list(range(10)), list(range(10)), 9, 4, -1) == ([6, 7, 8, -1], 3)
    assert masked_rows(list(range(10)), [0] * 10, 5, 4, -1) == ([3, 4, -1, -1], 2)


def test_serves_slor(bert: Any, tokenizer: Any) -> None:
    from slor_metric.estimator import SLOR

    table = fit_unigram(tokenizer, ["the cat sat", "a cat sat unhappily"], cache=False)
    result = SLOR(MaskedLanguageModel(bert, tokenizer, unigram=table, progress=False)).score(["the cat sat"])
    assert np.isfinite(result.values).all()


def test_refuses_what_it_cannot_use(bert: Any, tokenizer: Any) -> None:
    with pytest.raises(ValueError, match="`masking`"):
        MaskedLanguageModel(bert, tokenizer, masking="none")
    with pytest.raises(ValueError, match="at most 24"):
        MaskedLanguageModel(bert, tokenizer, max_length=25)
    with pytest.raises(TypeError, match="`tokenizer`"):
        MaskedLanguageModel(bert)
    without = transformers.ByT5Tokenizer()
    with pytest.raises(ValueError, match="no mask token"):
        MaskedLanguageModel(bert, without)
    with pytest.raises(FileNotFoundError):
        load_language_model("mlm:./nothing")
