"""CPU seconds and memory of whole processes: the constants of papers/docs/scoring_1e8_texts.md, and a filtered corpus.

Figures are CPU seconds (user and system, all threads), which other work on the machine disturbs less than the clock.
The texts are random words of a Zipfian vocabulary, about 80 characters each; those of the filter are English.
"""

import filecmp
import json
import random
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from measuring import english_sentences, used_by
from text_files import write


def texts(n, seed):
    source = random.Random(1)
    words = np.array(["".join(source.choices("etaoinshrdlu", k=source.randint(2, 9))) for _ in range(30_000)], object)
    shares = 1 / np.arange(1, len(words) + 1)
    drawing, drawn = np.random.default_rng(seed), []
    for begin in range(0, n, 100_000):
        size = (min(100_000, n - begin), 12)
        drawn += map(" ".join, words[drawing.choice(len(words), size, p=shares / shares.sum())].tolist())
    return drawn


AT_ONCE = """
import sys
from pathlib import Path
from referenceless_metrics.scoring.rows import at_once, scored_rows
from referenceless_metrics.core.files.output import render
from referenceless_metrics.core.files.text_io import read_text_blocks
from referenceless_metrics import load
source, target, metric = sys.argv[1:4]
table, texts = at_once(read_text_blocks(source))
result = load(metric, **({"pool": sys.argv[4]} if sys.argv[4:] else {})).predict(texts)
Path(target).write_text(render(scored_rows(table, metric, result), {}, "csv"), encoding="utf-8", newline="")
"""


@pytest.mark.benchmark(group="scale: score")
@pytest.mark.parametrize("metric", ["wpslor", "bleu_neighbors"])
def test_memory_does_not_grow_with_the_file(benchmark, tmp_path, metric):
    from bleu_neighbors_metric import BLEUNeighbors

    index = str(tmp_path / "pool.index")
    BLEUNeighbors(progress=False).fit(texts(2_000, 1), np.linspace(0, 1, 2_000)).save(index)
    of_pool = ["--pool", index] if metric == "bleu_neighbors" else []
    source, target, found = str(tmp_path / "in.txt"), str(tmp_path / "out.csv"), {}
    for n in (100_000, 1_000_000):
        write(source, texts(n, 2))
        command = ("-m", "referenceless_metrics", "score", source, "--metric", metric, *of_pool)
        options = ("--format", "csv", "-o", target, "--no-progress")
        run = partial(used_by, *command, *options)
        found[n] = benchmark.pedantic(run, rounds=1) if n == 1_000_000 else run()
        benchmark.extra_info[f"{n} lines"] = f"{found[n][0]:.1f} CPU s, peak {found[n][1]:.0f} MB"
    (few_cpu, few), (many_cpu, many) = found.values()
    benchmark.extra_info["texts per CPU second"] = round(900_000 / (many_cpu - few_cpu))
    assert many <= few + 20
    whole = str(tmp_path / "whole.csv")
    cpu, peak = used_by("-c", AT_ONCE, source, whole, metric, *of_pool[1:])
    benchmark.extra_info["the same at once"] = f"{cpu:.1f} CPU s, peak {peak:.0f} MB"
    assert filecmp.cmp(target, whole, shallow=False)


@pytest.mark.benchmark(group="scale: filter")
def test_a_line_of_a_corpus_that_is_filtered(benchmark, tmp_path):
    """CPU seconds of a line of 60 to 140 characters by the n-grams of Fluency, and memory that stays."""
    source, found = str(tmp_path / "in.txt"), {}
    lines = english_sentences(400_000, 60, 140)
    options = "--keep", "fluency_ngram > -2", "-o", str(tmp_path / "kept.txt"), "--no-progress"
    for n in (40_000, 400_000):
        write(source, lines[:n])
        run = partial(used_by, "-m", "referenceless_metrics", "filter", source, *options)
        found[n] = benchmark.pedantic(run, rounds=1) if n == 400_000 else run()
        benchmark.extra_info[f"{n} lines"] = f"{found[n][0]:.1f} CPU s, peak {found[n][1]:.0f} MB"
    (few_cpu, few), (many_cpu, many) = found.values()
    benchmark.extra_info["µs a line"] = round((many_cpu - few_cpu) / 360_000 * 1e6, 1)
    assert many <= few + 20


WORKER = """
import json, sys
from referenceless_metrics import BatchScorer
scorer = BatchScorer(**json.loads(sys.argv[1]))
scorer({"text": ["the mayor opened the bridge ."]})
"""


@pytest.mark.benchmark(group="scale: a worker")
@pytest.mark.parametrize("metric", ["bleu_neighbors, 2000", "bleu_neighbors, 20000", "wpslor"])
def test_the_start_of_a_worker(benchmark, tmp_path, metric):
    """From the process's begin to its first value."""
    given, size = {"metric": metric}, 0
    if metric != "wpslor":
        from bleu_neighbors_metric import BLEUNeighbors

        size = int(metric.split()[1])
        given = {"pool": str(tmp_path / "pool.index")}
        BLEUNeighbors(progress=False).fit(texts(size, 1), np.linspace(0, 1, size)).save(given["pool"])
        benchmark.extra_info["index, kB"] = round(Path(given["pool"]).stat().st_size / 1000)
    run = partial(used_by, "-c", WORKER, json.dumps(given))
    run()
    seconds, peak = benchmark.pedantic(run, rounds=3)
    benchmark.extra_info |= {"CPU s": round(seconds, 2), "peak MB": round(peak)}
