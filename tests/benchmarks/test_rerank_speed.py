"""10,000 inputs with 100 candidates each: best of n, and minimum Bayes risk over 10^8 pairs.

    pytest tests/benchmarks/test_rerank_speed.py --benchmark-only -s

Candidates are sentences of about 80 characters (60 to 100) that vary one sentence an input, three words of it being
exchanged, as samples of a generator vary. Times are of `rerank` from lists of strings on; the bar is 60 s on two cores.
"""

import random

import pytest
from measuring import english_sentences

from referenceless_metrics import MBR, WPSLOR, BLEUNeighbors, Fluency, rerank

N_INPUTS, N_CANDIDATES, N_RATED = 10_000, 100, 1_000
BAR = 60.0


@pytest.fixture(scope="module")
def sentences(data_dir):
    data_dir("lm-corpus")
    return english_sentences(N_INPUTS + N_RATED)


@pytest.fixture(scope="module")
def candidates(sentences):
    rng = random.Random(0)
    vocabulary = [word for sentence in sentences[:2000] for word in sentence.split()]
    lists = []
    for sentence in sentences[:N_INPUTS]:
        words = sentence.split()
        own = []
        for _ in range(N_CANDIDATES):
            varied = list(words)
            for _ in range(3):
                varied[rng.randrange(len(words))] = rng.choice(vocabulary)
            own.append(" ".join(varied))
        lists.append(own)
    return lists


@pytest.mark.parametrize("name", ["wpslor", "fluency", "bleu_neighbors", "mbr_bleu", "mbr_bleu_star", "mbr_rouge_l"])
def test_rerank(benchmark, candidates, sentences, name):
    rated = sentences[-N_RATED:]
    makers = {
        "wpslor": WPSLOR,
        "fluency": Fluency,
        "bleu_neighbors": lambda: BLEUNeighbors(n_jobs=-1, progress=False).fit(rated, [len(t) % 7 for t in rated]),
        "mbr_bleu": lambda: MBR(n_jobs=-1),
        "mbr_bleu_star": lambda: MBR("bleu_star", n_jobs=-1),
        "mbr_rouge_l": lambda: MBR("rouge_l", n_jobs=-1),
    }
    metric = makers[name]()
    rerank(candidates[:3], metric)  # compiles, and loads models
    found = benchmark.pedantic(rerank, args=(candidates, metric), rounds=1)
    seconds = benchmark.stats.stats.median
    characters = sum(map(len, found.texts)) / len(found)
    print(f"\n{name}: {N_INPUTS:,} x {N_CANDIDATES} candidates of {characters:.0f} characters in {seconds:.1f} s")
    assert seconds < BAR
