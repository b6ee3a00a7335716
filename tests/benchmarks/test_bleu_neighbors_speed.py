"""Speed and memory of BLEU Neighbors beside nltk and sacrebleu, pair for pair, in one run.

    pytest tests/benchmarks/test_bleu_neighbors_speed.py --benchmark-only

Texts are English sentences of about 80 characters (60 to 100), or short ones (20 to 60), from the corpus in
`lm-corpus/` where it is there, and else sentences of the packaged example's words. A pair is one candidate and one
pool text; every figure includes reading the strings, tokenising, extracting n-grams and, for ours, fitting the pool.
"""

import random
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from measuring import IMPORT, english_sentences, in_turn, nltk_bleu, sacrebleu, say, told

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.pool import covering_threshold

N = 20_000


@pytest.fixture(scope="module")
def sentences():
    return english_sentences(2 * N)


@pytest.fixture(scope="module")
def short_sentences():
    return english_sentences(2 * N, 20, 60)


@pytest.fixture(scope="module")
def ratings():
    return np.random.default_rng(0).random(N)


SIMILARITY = {"threshold": "auto", "weights": "similarity"}


@pytest.mark.parametrize(
    "options, peer, bar, given",
    [
        ({}, "nltk", 20_000, "sentences"),
        (SIMILARITY, "nltk", 60_000, "sentences"),
        ({"tokenize": "13a"}, "sacrebleu", 25_000, "sentences"),
        ({"tokenize": "13a"}, "sacrebleu", 40_000, "short_sentences"),
    ],
    ids=["characters", "similarity weights", "words", "words of short sentences"],
)
def test_pairs_a_second(benchmark, capsys, request, ratings, options, peer, bar, given):
    sentences = request.getfixturevalue(given)

    def run(n=N):
        BLEUNeighbors(**options, n_jobs=2, progress=False).fit(sentences[:n], ratings[:n]).predict(sentences[N : N + n])

    run(300)  # compiles
    pairs = sentences[:2000], sentences[2000:4000]
    other = nltk_bleu(*pairs) if peer == "nltk" else sacrebleu(*pairs, options["tokenize"])
    theirs, ours = np.median(in_turn(3, other, run), axis=1) / (2000, N**2)
    benchmark.pedantic(run, rounds=3)
    benchmark.extra_info.update(pairs=N**2, times_peer=float(theirs / ours), bar=bar)
    say(
        capsys,
        f"{options}: {1 / ours / 1e6:,.0f} million pairs/s, {peer} {1 / theirs:,.0f} pairs/s: "
        f"{theirs / ours:,.0f} times (bar: {bar:,})",
    )


@pytest.mark.parametrize("threshold", [0.08, 0.15])
def test_matching_alone(benchmark, capsys, sentences, ratings, threshold):
    """Similarity weights beside uniform ones, in turn: they may take at most about twice the CPU time."""
    kinds = ("uniform", "similarity")
    pools = [BLEUNeighbors(threshold, weights=w, n_jobs=2, progress=False).fit(sentences[:N], ratings) for w in kinds]
    calls = [partial(pool.predict, sentences[N:]) for pool in pools]
    taken = benchmark.pedantic(in_turn, (4, *calls), {"clock": time.process_time}, rounds=1, warmup_rounds=1)
    best = dict(zip(kinds, N**2 / np.min(taken, axis=1) / 1e6, strict=True))
    benchmark.extra_info.update(best, share=best["similarity"] / best["uniform"])
    say(
        capsys,
        f"after fit, threshold {threshold}, million pairs a CPU second: uniform {best['uniform']:,.0f}, "
        f"similarity {best['similarity']:,.0f} (bar: 0.44 of uniform; {best['similarity'] / best['uniform']:.2f})",
    )


def test_finding_the_threshold(benchmark, capsys, sentences, ratings):
    metric = BLEUNeighbors("auto", n_jobs=2, progress=False).fit(sentences[:N], ratings)

    def run():
        return covering_threshold(metric.pool, metric.texts_, metric.min_neighbors, metric.max_fraction, 2)

    found = benchmark.pedantic(run, rounds=5, warmup_rounds=1)
    say(capsys, f"threshold {found} of {N:,} texts found in {benchmark.stats.stats.min:.2f} s (bar: 0.3 s)")


def test_four_hundred_by_four_hundred(benchmark, sentences, ratings):
    pool, candidates = sentences[:400], sentences[400:800]

    def run():
        BLEUNeighbors().fit(pool, ratings[:400]).predict(candidates)

    benchmark.pedantic(run, rounds=20, warmup_rounds=2)


def test_a_later_process_starts_soon(benchmark, capsys):
    """Beyond the import, the first estimate of a process costs little."""
    statement = "from bleu_neighbors_metric import BLEUNeighbors"
    use = f"{statement}; m = BLEUNeighbors(min_neighbors=1, max_fraction=1.0).fit(['a text', 'other'], [0, 1])"
    calls = [partial(told, program) for program in (f"{use}; m.predict(['a text'])", statement)]
    calls[0]()
    whole, start = in_turn(5, *calls)
    benchmark.pedantic(calls[0], rounds=3)
    say(capsys, f"import, fit and predict take {np.median(np.subtract(whole, start)):.2f} s more than the import alone")


MEMORY = """
import numpy as np
from bleu_neighbors_metric import BLEUNeighbors
def kilobytes(name):
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status[name].split()[0])
texts = english_sentences(40000)
pool, candidates = texts[:{n}], texts[20000:] * {times}
metric = BLEUNeighbors(n_jobs=2, progress=False)
metric.fit(pool[:500], np.zeros(500)).predict(candidates[:500])
Path("/proc/self/clear_refs").write_text("5")  # the peak so far is forgotten
before = kilobytes("VmRSS")
metric.fit(pool, np.zeros(len(pool)))
metric.predict(candidates)
print((kilobytes("VmHWM") - before) / 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="reads peak memory as Linux reports it")
def test_added_peak_memory(benchmark, capsys):
    def megabytes(times):
        return float(told(IMPORT + MEMORY.format(n=N, times=times)))

    once = benchmark.pedantic(megabytes, args=(1,), rounds=1)
    tenfold = megabytes(10)
    benchmark.extra_info.update(megabytes=once, megabytes_tenfold=tenfold)
    say(capsys, f"added peak memory: {once:.0f} MB at {N:,} x {N:,}, {tenfold:.0f} MB with ten times the candidates")
    assert once < 500
    # Ten times the candidates add only their results: two numbers each.
    assert tenfold < once + 10 * N * 16 / 2**20 + 20


@pytest.mark.parametrize("length", [1000, 10_000], ids=["essays", "documents"])
def test_long_texts(benchmark, capsys, sentences, length):
    rng = random.Random(1)
    n = 2_000_000 // length
    texts = [" ".join(rng.choices(sentences, k=length // 75))[:length] for _ in range(2 * n)]
    pool, candidates = texts[:n], texts[n:]

    def run():
        BLEUNeighbors(n_jobs=2, progress=False).fit(pool, np.zeros(n)).predict(candidates)

    benchmark.pedantic(run, rounds=3, warmup_rounds=1)
    say(capsys, f"texts of {length:,} characters: {n**2 / benchmark.stats.stats.median / 1e6:.1f} million pairs/s")
