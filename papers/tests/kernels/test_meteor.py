"""The METEOR kernel against nltk, with a small WordNet for any machine and with the real one if installed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lazily import lazily
from numpy.testing import assert_allclose
from refusals import refused
from small_wordnet import write_small_wordnet

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.tokenizers import tokenize_all
from referenceless_metrics.core.support.validation import InputError
from referenceless_papers.kernels import wordnet
from referenceless_papers.kernels.meteor import MeteorPool
from referenceless_papers.kernels.wordnet import load_wordnet, synonyms_in

oracle = lazily("nltk.translate.meteor_score")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return str(write_small_wordnet(tmp_path_factory.mktemp("wordnet")))


WORDS = """the The cat cats feline dog hound dogs car auto automobiles mat mats rug couch sofa guy kat mice run running
ran ."""
words = st.sampled_from(WORDS.split())
texts = st.lists(words, max_size=12).map(" ".join)


@given(st.lists(texts, min_size=1, max_size=4), st.lists(texts, min_size=1, max_size=4))
@pytest.mark.long
def test_scores_are_those_of_nltk(small, candidates, pool):
    reader, (xs, ss) = load_wordnet(small), (tokenize_all(side, "none") for side in (candidates, pool))
    expected = [[oracle.single_meteor_score(s, x, wordnet=reader) for s in ss] for x in xs]
    assert_allclose(MeteorPool(pool, wordnet=small).similarities(candidates), expected, atol=1e-12)


def test_without_wordnet_the_error_says_where_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setattr(wordnet, "_from_nltk_data", lambda: None)
    monkeypatch.setattr(wordnet, "SYSTEM_FOLDER", str(tmp_path))
    synonyms_in.cache_clear()
    with refused(r"nltk\.downloader wordnet.*wordnet-base.*kernel_options={'wordnet'", InputError):
        BLEUNeighbors(kernel="meteor", min_neighbors=1).fit(["a b", "c d"], [0.0, 1.0])
    with refused(r"it is no folder of WordNet's files, for it lacks data\.noun", InputError):
        load_wordnet(str(tmp_path))
