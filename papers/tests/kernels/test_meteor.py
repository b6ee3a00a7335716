"""The METEOR kernel against nltk, with a small WordNet that any machine has and with the real one where it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.meteor_score import single_meteor_score
from small_wordnet import write_small_wordnet

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.tokenizers import tokenize_all
from metric_commons.support.validation import InputError
from referenceless_papers.kernels import wordnet
from referenceless_papers.kernels.meteor import MeteorPool
from referenceless_papers.kernels.wordnet import load_wordnet, synonyms_in


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> str:
    return str(write_small_wordnet(tmp_path_factory.mktemp("wordnet")))


@pytest.fixture(scope="module")
def real():
    """The real WordNet: nltk's data or the system's."""
    try:
        return load_wordnet()
    except InputError as error:
        pytest.skip(str(error))


def nltk_matrix(candidates, pool, reader, tokenizer="none", **parameters):
    xs, ss = tokenize_all(candidates, tokenizer), tokenize_all(pool, tokenizer)
    return [[single_meteor_score(s, x, wordnet=reader, **parameters) for s in ss] for x in xs]


WORDS = """the The cat cats feline dog hound dogs car auto automobiles mat mats rug couch sofa guy kat mice run running
ran ."""
words = st.sampled_from(WORDS.split())
texts = st.lists(words, max_size=12).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(st.lists(texts, min_size=1, max_size=4), st.lists(texts, min_size=1, max_size=4))
def test_scores_are_those_of_nltk(small, candidates, pool):
    expected = nltk_matrix(candidates, pool, load_wordnet(small))
    np.testing.assert_allclose(MeteorPool(pool, wordnet=small).similarities(candidates), expected, atol=1e-12)


def test_synonyms_are_words_of_the_same_synsets(small):
    synonyms = synonyms_in(small)
    assert synonyms("car") == {"car", "auto", "automobile"}
    assert synonyms("cat") == {"cat", "feline", "guy", "Kat"}
    assert synonyms("zebra") == frozenset()


def test_scores_are_those_of_nltk_with_the_real_wordnet(real, huse):
    for tokenizer in ("none", "13a"):
        expected = nltk_matrix(huse.texts[:15], huse.texts[:60], real, tokenizer)
        got = MeteorPool(huse.texts[:60], tokenizer=tokenizer).similarities(huse.texts[:15])
        np.testing.assert_allclose(got, expected, atol=1e-12)


def test_huse_summarization_leave_one_out(real, huse):
    metric = BLEUNeighbors(0.18, kernel="meteor").fit(huse.texts, huse.ratings)
    assert metric.leave_one_out().coverage == pytest.approx(0.10, abs=0.02)


def test_without_wordnet_the_error_says_where_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setattr(wordnet, "_from_nltk_data", lambda: None)
    monkeypatch.setattr(wordnet, "SYSTEM_FOLDER", str(tmp_path))
    synonyms_in.cache_clear()
    with pytest.raises(InputError, match=r"nltk\.downloader wordnet.*wordnet-base.*kernel_options={'wordnet'"):
        BLEUNeighbors(kernel="meteor", min_neighbors=1).fit(["a b", "c d"], [0.0, 1.0])
    with pytest.raises(InputError, match=r"it is no folder of WordNet's files, for it lacks data\.noun"):
        load_wordnet(str(tmp_path))


def test_a_folder_and_options_are_saved_with_the_index(small, tmp_path):
    metric = BLEUNeighbors(0.1, 1, 1.0, kernel="meteor", kernel_options={"wordnet": Path(small), "tokenize": "13a"})
    metric.fit(["the cat sat", "a hound ran"], [1.0, 0.0]).save(tmp_path / "index")
    loaded = BLEUNeighbors.load(tmp_path / "index", allow_models=True)
    assert loaded.kernel_options == {"wordnet": small, "tokenize": "13a"}
    assert loaded.predict(["a feline", "dogs"]).values.tolist() == metric.predict(["a feline", "dogs"]).values.tolist()
    assert loaded.signature == metric.signature
