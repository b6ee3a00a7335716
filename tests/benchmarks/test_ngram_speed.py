"""Speed of the n-gram models: scoring, loading, training, and kenlm on the same n-grams.

Sentences have 20 words. Every scoring figure includes tokenisation from plain strings; `batch_logprobs` gives flat
arrays with the unigram model's log-probabilities, `token_logprobs` an object with the pieces a text, kenlm's `score`
one number a text that is tokenised already.
"""

import time
from functools import partial

import numpy as np
import pytest
from measuring import in_turn, sentences_of_20_words

from slor_metric import SLOR, WPSLOR
from slor_metric.language_models.base import packaged_file
from slor_metric.language_models.ngram import PACKAGED, NgramLanguageModel, packaged, train_ngram

N_SENTENCES = 20_000


@pytest.fixture(scope="module")
def sentences(data_dir):
    return sentences_of_20_words(data_dir, N_SENTENCES)


@pytest.fixture
def kenlm(tmp_path):
    """Return a function from the name of a packaged model to kenlm's of the same n-grams."""
    library = pytest.importorskip("kenlm", reason="needs the extra `kenlm`")

    def model(name):
        packaged(name).to_arpa(tmp_path / "model.arpa")
        return library.Model(str(tmp_path / "model.arpa"))

    return model


def timed(benchmark, score, sentences):
    benchmark.pedantic(score, rounds=5, warmup_rounds=1)
    if benchmark.stats is not None:
        benchmark.extra_info["sentences_per_second"] = round(len(sentences) / benchmark.stats.stats.min)


@pytest.mark.benchmark(group="n-gram scoring")
@pytest.mark.parametrize("name", PACKAGED)
@pytest.mark.parametrize("method", ["batch_logprobs", "token_logprobs"])
def test_scoring(benchmark, sentences, name, method):
    timed(benchmark, partial(getattr(packaged(name), method), sentences), sentences)


@pytest.mark.benchmark(group="n-gram scoring")
def test_kenlm_scoring(benchmark, sentences, kenlm):
    model = kenlm("word")
    timed(benchmark, lambda: [model.score(sentence) for sentence in sentences], sentences)


@pytest.mark.benchmark(group="metrics beside kenlm")
@pytest.mark.parametrize("name, make", [("word", SLOR), ("wordpiece", WPSLOR)])
def test_metrics_beside_kenlm(benchmark, sentences, name, make, kenlm):
    """Strings in, scores out, against kenlm's `score` on the same sentences already tokenised, in turn."""
    model, metric = kenlm(name), make()
    tokenised = [" ".join(text.pieces) for text in packaged(name).token_logprobs(sentences)]
    metric.score(sentences[:1])  # compiles

    def theirs():
        for sentence in tokenised:
            model.score(sentence)

    def ours():
        metric.score(sentences)

    for name, clock in (("times_kenlm", time.perf_counter), ("per_cpu_second", time.process_time)):
        other, own = np.array(in_turn(7, theirs, ours, clock=clock))
        benchmark.extra_info[name] = float(np.median(other / own))
    benchmark.pedantic(ours, rounds=3)


@pytest.mark.benchmark(group="n-gram loading")
@pytest.mark.parametrize("name", PACKAGED)
def test_loading(benchmark, name):
    benchmark.pedantic(NgramLanguageModel.load, (packaged_file(f"{name}.safetensors"),), rounds=5, warmup_rounds=1)


@pytest.mark.benchmark(group="n-gram training")
@pytest.mark.parametrize("tokenizer", ["words", "wordpiece"])
def test_training(benchmark, sentences, tokenizer):
    options = {"order": 4, "tokenizer": tokenizer, "prune": (0, 0, 1), "max_ngrams": 100_000, "progress": False}
    benchmark.extra_info["words"] = 20 * len(sentences)
    benchmark.pedantic(train_ngram, (sentences,), options, rounds=2)
