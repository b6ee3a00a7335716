"""Speed and memory of BLEU Neighbors beside nltk and sacrebleu, pair for pair, in one run.

    pytest tests/benchmarks/test_bleu_neighbors_speed.py --benchmark-only

Texts are English sentences of about 80 characters (60 to 100), or short ones (20 to 60), from the corpus in
`lm-corpus/` where it is there, and else sentences of the packaged example's words. A pair is one candidate and one
pool text; every figure includes reading the strings, tokenising, extracting n-grams and, for ours, fitting the pool.
"""

import lzma
import os
import random
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_pool
from bleu_neighbors_metric.pool.rated import covering_threshold

N = 20_000
ROOT = Path(__file__).resolve().parents[2]


def english_sentences(n, least=60, most=100):
    base = Path(os.environ.get("BLEU_NEIGHBORS_DATA", ROOT.parent / "shared" / "data"))
    path = base / "lm-corpus" / "english.txt.xz"
    sentences = {}
    if path.is_file():
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                if least <= len(line.strip()) <= most:
                    sentences[line.strip()] = None
                if len(sentences) == n:
                    return list(sentences)
    rng = random.Random(0)
    words = " ".join(example_pool().texts).split()
    while len(sentences) < n:
        sentences[" ".join(rng.choices(words, k=most // 7))] = None
    return list(sentences)


@pytest.fixture(scope="module")
def sentences():
    return english_sentences(2 * N)


@pytest.fixture(scope="module")
def short_sentences():
    return english_sentences(2 * N, 20, 60)


@pytest.fixture(scope="module")
def ratings():
    return np.random.default_rng(0).random(N)


def nltk_seconds_a_pair(texts, pairs):
    import warnings

    from nltk.translate.bleu_score import sentence_bleu

    candidates, pool = [list(t) for t in texts[:pairs]], [list(t) for t in texts[pairs : 2 * pairs]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begin = time.perf_counter()
        for candidate, text in zip(candidates, pool, strict=True):
            sentence_bleu([text], candidate, weights=(0, 1 / 3, 1 / 3, 1 / 3))
        return (time.perf_counter() - begin) / pairs


def sacrebleu_seconds_a_pair(texts, pairs, tokenize):
    from sacrebleu.metrics import BLEU

    bleu = BLEU(tokenize=tokenize, effective_order=True)
    begin = time.perf_counter()
    for candidate, text in zip(texts[:pairs], texts[pairs : 2 * pairs], strict=True):
        bleu.sentence_score(candidate, [text])
    return (time.perf_counter() - begin) / pairs


def say(capsys, line):
    with capsys.disabled():
        print(f"\n    {line}")


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
    pool, candidates = sentences[:N], sentences[N:]
    BLEUNeighbors(**options, n_jobs=2).fit(pool[:300], ratings[:300]).predict(candidates[:300])  # compile

    def run():
        BLEUNeighbors(**options, n_jobs=2, progress=False).fit(pool, ratings).predict(candidates)

    others = []
    ours = []
    for _ in range(3):  # in turn, so that a machine whose speed drifts treats both alike
        if peer == "nltk":
            others.append(nltk_seconds_a_pair(sentences, 2000))
        else:
            others.append(sacrebleu_seconds_a_pair(sentences, 2000, options["tokenize"]))
        begin = time.perf_counter()
        run()
        ours.append((time.perf_counter() - begin) / N**2)
    ratio = float(np.median(others) / np.median(ours))
    benchmark.pedantic(run, rounds=3)
    benchmark.extra_info.update(pairs=N**2, times_peer=ratio, bar=bar)
    say(
        capsys,
        f"{options}: {1 / np.median(ours) / 1e6:,.0f} million pairs/s, {peer} {1 / np.median(others):,.0f} pairs/s: "
        f"{ratio:,.0f} times (bar: {bar:,})",
    )


@pytest.mark.parametrize("threshold", [0.08, 0.15])
def test_matching_alone(benchmark, capsys, sentences, ratings, threshold):
    """Similarity weights beside uniform ones, in turn: they may take at most about twice the CPU time."""
    kinds = {
        weights: BLEUNeighbors(threshold, weights=weights, n_jobs=2, progress=False).fit(sentences[:N], ratings)
        for weights in ("uniform", "similarity")
    }
    seconds = {weights: [] for weights in kinds}

    def run():
        for weights, metric in kinds.items():
            begin = time.process_time()
            metric.predict(sentences[N:])
            seconds[weights].append(time.process_time() - begin)

    benchmark.pedantic(run, rounds=4, warmup_rounds=1)
    best = {weights: N**2 / min(found) / 1e6 for weights, found in seconds.items()}
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
    """The first use in a fresh install compiles; later processes only read what was compiled."""
    use = "m = BLEUNeighbors(min_neighbors=1, max_fraction=1.0).fit(['a text', 'other'], [0, 1]); m.predict(['a text'])"
    statement = "from bleu_neighbors_metric import BLEUNeighbors"

    def seconds(code):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - begin

    seconds(f"{statement}; {use}")
    more = float(np.median([seconds(f"{statement}; {use}") - seconds(statement) for _ in range(5)]))
    benchmark.pedantic(seconds, args=(f"{statement}; {use}",), rounds=3)
    say(capsys, f"import, fit and predict take {more:.2f} s more than the import alone")


MEMORY = """
import sys
from pathlib import Path
sys.path.insert(0, {folder!r})
from test_bleu_neighbors_speed import english_sentences
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
        code = textwrap.dedent(MEMORY).format(folder=str(Path(__file__).parent), n=N, times=times)
        return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)

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
