"""ROUGE-L-mult beside rouge-score, on the same pairs in one run.

Run with `pytest tests/benchmarks/test_rouge_speed.py --benchmark-only -s`, which prints microseconds a pair
(a candidate with one of its references) and the ratio.
"""

import csv
import statistics
import time

import pytest

from slor_metric.rouge.rouge_l import rouge_l_mult

Rated = tuple[list[str], list[list[str]]]


@pytest.fixture(scope="module")
def rated(data_dir):
    with (data_dir("fluency") / "simplicity_da_with_references.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [row["output"] for row in rows], [[row[f"reference_{i}"] for i in range(10)] for row in rows]


@pytest.mark.parametrize("stem", [False, True], ids=["plain", "stemmed"])
@pytest.mark.parametrize("tokenize", ["rouge_score", "unicode"])
def test_rouge_l_mult(benchmark, rated, tokenize, stem):
    from rouge_score import rouge_scorer

    candidates, references = rated
    pairs = sum(map(len, references))
    scorer = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=stem)

    def rouge_score_seconds_per_pair(start):
        began = time.perf_counter()
        for text, texts in zip(candidates[start : start + 40], references[start : start + 40], strict=True):
            scorer.score_multi(texts, text)
        return (time.perf_counter() - began) / sum(map(len, references[start : start + 40]))

    # before and after, so that a machine that is busy for a while slows both sides
    before = [rouge_score_seconds_per_pair(start) for start in (0, 200, 400)]
    benchmark(rouge_l_mult, candidates, references, tokenize=tokenize, stem=stem)
    after = [rouge_score_seconds_per_pair(start) for start in (0, 200, 400)]
    rouge_score_seconds = statistics.median(before + after)
    own_seconds = benchmark.stats.stats.median / pairs
    benchmark.extra_info["rouge_score_us_per_pair"] = rouge_score_seconds * 1e6
    benchmark.extra_info["us_per_pair"] = own_seconds * 1e6
    benchmark.extra_info["times_rouge_score"] = rouge_score_seconds / own_seconds
    print(
        f"\n{tokenize}, stem={stem}: {own_seconds * 1e6:.2f} µs a pair, "
        f"rouge-score {rouge_score_seconds * 1e6:.0f} µs, {rouge_score_seconds / own_seconds:.0f} times"
    )
