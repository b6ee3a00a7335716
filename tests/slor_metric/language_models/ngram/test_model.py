"""Scoring, rules for unknown words, independence of the batch, and agreement with kenlm."""

from __future__ import annotations

import importlib
import math
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slor_metric.language_models.base import LanguageModel, UnigramModel
from slor_metric.language_models.ngram import NgramLanguageModel, train_ngram

LINES = [
    "The cat sat on the mat.",
    "The dog sat on the cat, and the dog barked!",
    "A cat and a dog ran; the cat didn't sit.",
    "She said: \"the cat's mat isn't the dog's mat.\"",
    "On the mat sat a dog.",
    "The cat ran.",
] * 3 + ["The dog ran on the mat.", "A cat sat."]


@pytest.fixture(scope="module", params=["words", "wordpiece", "whitespace"])
def model(request: pytest.FixtureRequest) -> NgramLanguageModel:
    return train_ngram(LINES, order=4, tokenizer=request.param, vocab_size=60, progress=False)


def twin(model: NgramLanguageModel, ids: list[int]) -> list[float]:
    """Katz's back-off, straight from its definition, over a dictionary of all n-grams; the last value is ``</s>``."""
    trie = model.trie
    grams: dict[tuple[int, ...], tuple[float, float]] = {}
    names: list[tuple[int, ...]] = [()]
    for k in range(1, trie.order + 1):
        level = trie.level(k)
        heads = trie.parents(k) - trie.level(k - 1).start if k > 1 else np.zeros(level.stop, dtype=int)
        names = [(*names[h], int(w)) for h, w in zip(heads, trie.words[level], strict=True)]
        for node, name in zip(range(level.start, level.stop), names, strict=True):
            backoff = float(trie.backoffs[node]) if k < trie.order else 0.0
            grams[name] = (float(trie.logprobs[node]), backoff)

    def logprob(context: tuple[int, ...], word: int) -> float:
        if (*context, word) in grams:
            return grams[(*context, word)][0]
        return grams.get(context, (0.0, 0.0))[1] + logprob(context[1:], word)

    history: tuple[int, ...] = (1,)
    found = []
    for word in [*ids, 2]:
        if word < 0:
            found.append(0.0)
            history = ()
            continue
        found.append(logprob(history[-(trie.order - 1) :] if trie.order > 1 else (), word))
        history = (*history, word)
    return found


WORDS = ["the", "cat", "dog", "mat", "on", "sat", "ran", "zebra", "The", "a", ".", "didn't", "cat's", "\u3042"]


@settings(max_examples=100, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), max_size=12), oov=st.sampled_from(["unk", "skip"]), pruned=st.booleans())
def test_equals_the_twin(words: list[str], oov: str, pruned: bool) -> None:
    model = train_ngram(LINES, order=4, max_ngrams=40 if pruned else None, vocab_size=20)
    model = NgramLanguageModel(model.trie, model.tokens, tokenizer="words", oov=oov, unigram=model.unigram)
    text = " ".join(words)
    unknown = 0 if oov == "unk" else -1
    split = [token for chunk in text.split() for token in model.tokenizer.split_chunk(chunk)]
    lookup = {token: i for i, token in enumerate(model.tokens)}
    ids = [lookup.get(token, unknown) for token in split]
    expected = twin(model, ids)
    (found,) = model.token_logprobs([text])
    kept = [value for value, i in zip(expected, ids, strict=False) if i >= 0]
    np.testing.assert_allclose(found.logprobs, kept, atol=1e-6)
    assert found.pieces == tuple(model.tokens[i] for i in ids if i >= 0)
    assert found.end_logprob == pytest.approx(expected[-1], abs=1e-6)


def test_keeps_the_contract(model: NgramLanguageModel) -> None:
    assert isinstance(model, LanguageModel)
    assert isinstance(model.unigram, UnigramModel)
    empty, text = model.token_logprobs(["", "the cat sat"])
    assert len(empty) == 0
    assert empty.logprobs.shape == (0,)
    assert len(text.pieces) == len(text.logprobs)
    assert (text.logprobs < 0).all()
    assert model.token_logprobs([]) == []


def test_a_score_depends_on_no_other_text(model: NgramLanguageModel) -> None:
    texts = [*LINES, "", "zebra", "   ", "the the the"]
    together = model.token_logprobs(texts)
    for text, scored in zip(texts, together, strict=True):
        (alone,) = model.token_logprobs([text])
        assert alone.pieces == scored.pieces
        assert alone.end_logprob == scored.end_logprob
        np.testing.assert_array_equal(alone.logprobs, scored.logprobs)


def test_flat_arrays_hold_the_same_numbers(model: NgramLanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("slor_metric.language_models.ngram.model._BLOCK", 7)
    texts = [*LINES, "", "zebra cat"]
    batch = model.batch_logprobs(texts)
    assert model.unigram is not None
    assert batch.unigram_logprobs is not None
    for i, scored in enumerate(model.token_logprobs(texts)):
        span = slice(batch.offsets[i], batch.offsets[i + 1])
        np.testing.assert_array_equal(batch.logprobs[span], scored.logprobs)
        np.testing.assert_array_equal(batch.unigram_logprobs[span], model.unigram.logprobs(scored.pieces))
        assert batch.end_logprobs[i] == scored.end_logprob
    nothing = model.batch_logprobs([])
    assert nothing.offsets.tolist() == [0]
    assert len(nothing.logprobs) == 0


def test_a_text_of_100_000_tokens_loses_none(model: NgramLanguageModel) -> None:
    words = " ".join(LINES).split()
    text = " ".join(words[i % len(words)] for i in range(100_000))
    (whole,) = model.token_logprobs([text])
    assert len(whole) >= 100_000
    (head,) = model.token_logprobs([" ".join(text.split()[:500])])
    np.testing.assert_array_equal(whole.logprobs[: len(head)], head.logprobs)


def test_unknown_words_are_a_token_or_left_out() -> None:
    model = train_ngram(LINES, order=3, tokenizer="words", vocab_size=10)
    skipping = NgramLanguageModel(model.trie, model.tokens, tokenizer="words", unigram=model.unigram, oov="skip")
    assert model.token_logprobs(["the zebra sat"])[0].pieces == ("the", "<unk>", "sat")
    assert skipping.token_logprobs(["the zebra sat"])[0].pieces == ("the", "sat")
    after = skipping.token_logprobs(["the zebra sat"])[0].logprobs[1]
    lookup = {token: i for i, token in enumerate(model.tokens)}
    assert after == pytest.approx(float(model.trie.logprobs[lookup["sat"]]))  # no context
    assert len(skipping.token_logprobs(["zebra"])[0]) == 0
    assert model.signature != skipping.signature
    batch = skipping.batch_logprobs(["zebra", "the zebra", "the cat"])
    assert np.diff(batch.offsets).tolist() == [0, 1, 2]


def test_markers_in_a_text_are_words_like_any_other() -> None:
    model = train_ngram(["a <s> b", "a b </s> a", "<unk> a"], order=2, tokenizer="whitespace")
    assert model.tokens[:3] == ["<unk>", "<s>", "</s>"]
    assert sorted(model.tokens[3:]) == ["a", "b"]
    assert model.token_logprobs(["<s> a </s>"])[0].pieces == ("<unk>", "a", "<unk>")


def test_unigram_model_is_the_corpus_own() -> None:
    model = train_ngram(["a a b", "a c"], order=2, tokenizer="whitespace", vocab_size=2)
    assert model.unigram is not None
    counts = dict(zip(model.unigram.tokens, model.unigram.counts.tolist(), strict=True))
    assert counts == {"<unk>": 1, "a": 3, "b": 1}


@pytest.mark.parametrize("bad", ["a text", b"bytes", ["a", None], [1], None])
def test_refuses_what_is_no_list_of_texts(model: NgramLanguageModel, bad: object) -> None:
    for method in (model.token_logprobs, model.batch_logprobs):
        with pytest.raises(TypeError, match="texts"):
            method(bad)  # type: ignore[arg-type]


def test_refuses_an_unknown_rule(model: NgramLanguageModel) -> None:
    with pytest.raises(ValueError, match="oov"):
        NgramLanguageModel(model.trie, model.tokens, tokenizer="words", oov="guess")
    with pytest.raises(ValueError, match="tokens"):
        NgramLanguageModel(model.trie, model.tokens[:-1], tokenizer="words")


def test_perplexity_counts_sentence_ends(model: NgramLanguageModel) -> None:
    scored = model.token_logprobs(LINES)
    total = sum(s.logprobs.sum() + (s.end_logprob or 0) for s in scored)
    tokens = sum(len(s) + 1 for s in scored)
    assert model.perplexity(LINES) == pytest.approx(math.exp(-total / tokens))
    assert math.isnan(model.perplexity([]))


def test_scoring_works_where_no_compiled_code_can_be_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    import numba

    compile_ = numba.njit

    def no_cache(**options: bool) -> Callable[..., object]:
        if options.pop("cache", False):
            raise RuntimeError("cannot cache function: no locator available")
        return compile_(**options)

    from slor_metric.language_models.ngram import scoring

    model = train_ngram(LINES, order=3, tokenizer="words")
    expected = model.batch_logprobs(LINES).logprobs
    with monkeypatch.context() as patch:
        patch.setattr(numba, "njit", no_cache)
        importlib.reload(scoring)
        np.testing.assert_array_equal(model.batch_logprobs(LINES).logprobs, expected)
    importlib.reload(scoring)


def test_importing_and_loading_is_light() -> None:
    program = (
        "import sys\nfrom slor_metric.language_models.ngram import packaged\npackaged('word')\n"
        "heavy = {'numba', 'tokenizers', 'torch', 'transformers', 'scipy', 'evaluate', 'datasets', 'tqdm'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout
    assert output == "[]\n"


@pytest.mark.parametrize("max_ngrams", [None, 60])
def test_kenlm_reads_our_arpa_and_gives_our_scores(tmp_path: Path, max_ngrams: int | None) -> None:
    kenlm = pytest.importorskip("kenlm", reason="needs the extra `kenlm`")
    model = train_ngram(LINES, order=4, tokenizer="words", max_ngrams=max_ngrams, vocab_size=25)
    path = tmp_path / "model.arpa"
    model.to_arpa(path)
    theirs = kenlm.Model(str(path))
    assert theirs.order == model.order
    for scored, line in zip(model.token_logprobs([*LINES, "A zebra ate."]), [*LINES, "A zebra ate."], strict=True):
        split = " ".join(t for chunk in line.split() for t in model.tokenizer.split_chunk(chunk))
        expected = [logprob * math.log(10) for logprob, _, _ in theirs.full_scores(split)]
        np.testing.assert_allclose([*scored.logprobs, scored.end_logprob], expected, atol=2e-6)


def test_kenlm_agrees_on_real_text(data_dir: Callable[[str], Path], tmp_path: Path) -> None:
    kenlm = pytest.importorskip("kenlm", reason="needs the extra `kenlm`")
    import lzma

    with lzma.open(data_dir("lm-corpus") / "english.txt.xz", "rt", encoding="utf-8") as file:
        lines = [next(file).rstrip("\n") for _ in range(4000)]
    model = train_ngram(lines[:3000], order=4, tokenizer="whitespace", max_ngrams=20_000)
    path = tmp_path / "model.arpa"
    model.to_arpa(path)
    theirs = kenlm.Model(str(path))
    mine = [s.logprobs.sum() + s.end_logprob for s in model.token_logprobs(lines)]
    np.testing.assert_allclose(mine, [theirs.score(line) * math.log(10) for line in lines], atol=2e-4)


def test_a_pickled_model_is_the_same(model: NgramLanguageModel) -> None:
    model.token_logprobs(LINES)
    again = pickle.loads(pickle.dumps(model))
    assert again.signature == model.signature
    for mine, theirs in zip(model.token_logprobs(LINES), again.token_logprobs(LINES), strict=True):
        assert mine.pieces == theirs.pieces
        np.testing.assert_array_equal(mine.logprobs, theirs.logprobs)
