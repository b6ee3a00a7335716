"""Scoring, rules for unknown words, independence of the batch, and agreement with kenlm."""

import math
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from slor_metric.language_models.ngram import train_ngram
from slor_metric.language_models.unigram import read_lines
from slor_metric.tokenizers.words import tokenise
from tests.support.language_model_checks import check_language_model, ngrams_of

LINES = [
    "The cat sat on the mat.",
    "The dog sat on the cat, and the dog barked!",
    "A cat and a dog ran; the cat didn't sit.",
    "She said: \"the cat's mat isn't the dog's mat.\"",
    "On the mat sat a dog.",
    "The cat ran.",
] * 3 + ["The dog ran on the mat.", "A cat sat."]


@pytest.fixture(scope="module", params=["words", "wordpiece", "whitespace"])
def model(request):
    return train_ngram(LINES, order=4, tokenizer=request.param, vocab_size=60, progress=False)


def twin(model, ids):
    """Katz's back-off, straight from its definition, over a dictionary of all n-grams; the last value is ``</s>``."""
    trie = model.trie
    grams = {
        name: (
            float(trie.logprobs_of(len(name), node)),
            float(trie.backoffs_of(len(name), node)) if len(name) < trie.order else 0.0,
        )
        for name, node in ngrams_of(trie).items()
    }

    def logprob(context, word):
        if (*context, word) in grams:
            return grams[(*context, word)][0]
        return grams.get(context, (0.0, 0.0))[1] + logprob(context[1:], word)

    history = (1, *ids, 2)
    return [logprob(history[max(0, i - trie.order + 1) : i], history[i]) for i in range(1, len(history))]


WORDS = "the cat dog mat on sat ran zebra The a . didn't cat's あ".split()


@given(words=st.lists(st.sampled_from(WORDS), max_size=12), pruned=st.booleans())
def test_equals_the_twin(words, pruned):
    model = train_ngram(LINES, order=4, max_ngrams=40 if pruned else None, vocab_size=20)
    text = " ".join(words)
    lookup = {token: i for i, token in enumerate(model.tokens)}
    ids = [lookup.get(token, 0) for token in tokenise(model.tokenizer, text)]
    (scored,) = model.token_logprobs([text])
    assert_allclose([*scored.logprobs, scored.end_logprob], twin(model, ids), atol=1e-6)
    assert scored.pieces == tuple(model.tokens[i] for i in ids)


def test_keeps_the_contract(model):
    check_language_model(model)


def test_markers_in_a_text_are_words_like_any_other():
    model = train_ngram(["a <s> b", "a b </s> a", "<unk> a"], order=2, tokenizer="whitespace")
    assert model.tokens[:3] == ["<unk>", "<s>", "</s>"]
    assert sorted(model.tokens[3:]) == ["a", "b"]
    assert model.token_logprobs(["<s> a </s>"])[0].pieces == ("<unk>", "a", "<unk>")
    assert model.ids_of(["b", "<s>", "<unk>", "c"]).tolist() == [model.tokens.index("b"), 0, 0, 0]


def test_perplexity_counts_sentence_ends(model):
    scored = model.token_logprobs(LINES)
    total = sum(s.logprobs.sum() + (s.end_logprob or 0) for s in scored)
    tokens = sum(len(s) + 1 for s in scored)
    assert model.perplexity(LINES) == pytest.approx(math.exp(-total / tokens))
    assert math.isnan(model.perplexity([]))


@pytest.mark.parametrize("max_ngrams, real", [(None, False), (60, False), (20_000, True)])
def test_kenlm_reads_our_arpa_and_gives_our_scores(tmp_path, data_dir, max_ngrams, real):
    kenlm = pytest.importorskip("kenlm", reason="needs kenlm")
    lines, vocab_size = LINES, 25
    if real:
        lines, vocab_size = list(islice(read_lines(data_dir("lm-corpus") / "english.txt.xz"), 3000)), 10_000
    model = train_ngram(lines, order=4, tokenizer="words", max_ngrams=max_ngrams, vocab_size=vocab_size)
    path = tmp_path / "model.arpa"
    model.to_arpa(path)
    theirs = kenlm.Model(str(path))
    assert theirs.order == model.order
    texts = [*lines, "A zebra ate."]
    for scored, line in zip(model.token_logprobs(texts), texts, strict=True):
        tokens = " ".join(tokenise(model.tokenizer, line))
        expected = [logprob * math.log(10) for logprob, _, _ in theirs.full_scores(tokens)]
        assert_allclose([*scored.logprobs, scored.end_logprob], expected, atol=1e-5 if real else 2e-6)
