"""Speed of the n-gram models: scoring, loading, training, and kenlm on the same n-grams.

Sentences have 20 words. Every scoring figure includes tokenisation from plain strings; `batch_logprobs` gives flat
arrays with the unigram model's log-probabilities, `token_logprobs` an object with the pieces a text, kenlm's `score`
one number a text that is tokenised already.
"""

import lzma
import statistics
import time
from itertools import islice

import pytest

from slor_metric import SLOR, WPSLOR
from slor_metric.language_models.base import packaged_file
from slor_metric.language_models.ngram import PACKAGED, NgramLanguageModel, packaged, train_ngram

N_SENTENCES = 20_000


@pytest.fixture(scope="module")
def sentences(data_dir):
    with lzma.open(data_dir("lm-corpus") / "english.txt.xz", "rt", encoding="utf-8") as file:
        words = (line.split() for line in islice(file, 100_000))
        return [" ".join(line[:20]) for line in islice((w for w in words if len(w) >= 20), N_SENTENCES)]


@pytest.mark.benchmark(group="n-gram scoring")
@pytest.mark.parametrize("name", PACKAGED)
@pytest.mark.parametrize("method", ["batch_logprobs", "token_logprobs"])
def test_scoring(benchmark, sentences, name, method):
    score = getattr(packaged(name), method)
    score(sentences[:1])  # compiles
    benchmark.extra_info["sentences"] = len(sentences)
    benchmark.pedantic(score, (sentences,), rounds=5, warmup_rounds=1)
    if benchmark.stats is not None:
        benchmark.extra_info["sentences_per_second"] = round(len(sentences) / benchmark.stats.stats.min)


@pytest.mark.benchmark(group="n-gram scoring")
def test_kenlm_scoring(benchmark, sentences, tmp_path):
    kenlm = pytest.importorskip("kenlm", reason="needs the extra `kenlm`")
    path = tmp_path / "word.arpa"
    packaged("word").to_arpa(path)
    model = kenlm.Model(str(path))

    def score():
        return [model.score(sentence) for sentence in sentences]

    benchmark.pedantic(score, rounds=5, warmup_rounds=1)
    if benchmark.stats is not None:
        benchmark.extra_info["sentences_per_second"] = round(len(sentences) / benchmark.stats.stats.min)


@pytest.mark.benchmark(group="metrics beside kenlm")
@pytest.mark.parametrize("name, make", [("word", SLOR), ("wordpiece", WPSLOR)])
def test_metrics_beside_kenlm(benchmark, sentences, name, make, tmp_path):
    """Strings in, scores out, against kenlm's `score` on the same sentences already tokenised, in turn."""
    kenlm = pytest.importorskip("kenlm", reason="needs the extra `kenlm`")
    path = tmp_path / "model.arpa"
    packaged(name).to_arpa(path)
    model, metric = kenlm.Model(str(path)), make()
    tokenised = [" ".join(text.pieces) for text in packaged(name).token_logprobs(sentences)]
    metric.score(sentences[:1])  # compiles
    wall, cpu = [], []
    for _ in range(7):
        start = time.perf_counter(), time.process_time()
        for sentence in tokenised:
            model.score(sentence)
        middle = time.perf_counter(), time.process_time()
        metric.score(sentences)
        end = time.perf_counter(), time.process_time()
        wall.append((middle[0] - start[0]) / (end[0] - middle[0]))
        cpu.append((middle[1] - start[1]) / (end[1] - middle[1]))
    benchmark.extra_info.update(times_kenlm=statistics.median(wall), per_cpu_second=statistics.median(cpu))
    benchmark.pedantic(metric.score, (sentences,), rounds=3)


@pytest.mark.benchmark(group="n-gram loading")
@pytest.mark.parametrize("name", PACKAGED)
def test_loading(benchmark, name):
    benchmark.pedantic(NgramLanguageModel.load, (packaged_file(f"{name}.npz"),), rounds=5, warmup_rounds=1)


@pytest.mark.benchmark(group="n-gram training")
@pytest.mark.parametrize("tokenizer", ["words", "wordpiece"])
def test_training(benchmark, sentences, tokenizer):
    options = {"order": 4, "tokenizer": tokenizer, "prune": (0, 0, 1), "max_ngrams": 100_000, "progress": False}
    benchmark.extra_info["words"] = 20 * len(sentences)
    benchmark.pedantic(train_ngram, (sentences,), options, rounds=2)
