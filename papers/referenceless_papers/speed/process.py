"""One measured process: a metric scores the lines of standard input, and its cost is printed as JSON.

python -m referenceless_papers.speed.process wpslor 2 3 < lines.txt
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from referenceless_metrics.core.registry import load_metric
from referenceless_metrics.core.results import MetricResult

Score = Callable[[Sequence[str]], MetricResult]

AT_ONCE = 8192
"""Lines per call, as many as `referenceless score` reads at a time."""

WARMED_BY = 200
"""Lines that are scored before time is taken, so that models are loaded and tables built."""

RATED = 2000
"""Lines with made-up ratings that the quality estimator is fitted to."""


def loaded(name: str, n_jobs: int, rated: Sequence[str]) -> Score:
    """Return a metric that needs nothing but its packaged models."""
    return load_metric(name, n_jobs=n_jobs).predict


def rouge_lm(n_jobs: int, rated: Sequence[str]) -> Score:
    """Return ROUGE-LM, for which each text's reference is the next text."""
    metric = load_metric("rouge_lm", n_jobs=n_jobs)

    def score(texts: Sequence[str]) -> MetricResult:
        return metric.predict(texts, references=[[text] for text in [*texts[1:], texts[0]]])

    return score


def bleu_neighbors(n_jobs: int, rated: Sequence[str]) -> Score:
    """Return BLEU Neighbors with the packaged pool of 96 rated texts."""
    from bleu_neighbors_metric import BLEUNeighbors
    from bleu_neighbors_metric.example import example_pool

    pool = example_pool()
    return BLEUNeighbors(n_jobs=n_jobs, progress=False).fit(pool.texts, pool.ratings).predict


def quality_estimator(n_jobs: int, rated: Sequence[str]) -> Score:
    """Return a quality estimator, which has one thread, fitted to lines whose ratings are made up."""
    from quality_estimation_metric import QualityEstimator

    return QualityEstimator().fit(rated, [place % 7 for place in range(len(rated))]).predict


MAKERS: Mapping[str, Callable[[int, Sequence[str]], Score]] = {
    "slor": partial(loaded, "slor"),
    "wpslor": partial(loaded, "wpslor"),
    "rouge_lm": rouge_lm,
    "fluency_ngram": partial(loaded, "fluency_ngram"),
    "fluency": partial(loaded, "fluency"),
    "bleu_neighbors": bleu_neighbors,
    "quality_estimator": quality_estimator,
}
"""Metrics by name: each function takes `n_jobs` and the lines to be rated, and returns the function that scores
texts."""


def main(name: str, n_jobs: int, rounds: int, lines: Sequence[str]) -> None:
    """Print the medians of processor and clock seconds over the rounds, and the peak memory of this process in MB.

    Args:
        name: one of `MAKERS`.
        n_jobs: threads.
        rounds: number of times that all lines are scored.
        lines: texts.
    """
    score = MAKERS[name](n_jobs, lines[:RATED])
    score(lines[:WARMED_BY])
    of_processor, by_clock = [], []
    for _ in range(rounds):
        processor, clock = time.process_time(), time.perf_counter()
        for begin in range(0, len(lines), AT_ONCE):
            score(lines[begin : begin + AT_ONCE])
        of_processor.append(time.process_time() - processor)
        by_clock.append(time.perf_counter() - clock)
    cost = {"processor": median(of_processor), "clock": median(by_clock), "peak": peak_memory()}
    print(json.dumps(cost))


def peak_memory() -> float:
    """Return the peak memory of this process in MB.

    Linux counts it anew when a program starts in `VmHWM`, but not in `ru_maxrss`, which begins with the parent's.
    """
    status = Path("/proc/self/status")
    if status.exists():
        fields = dict(line.split(":", 1) for line in status.read_text(encoding="ascii").splitlines())
        return int(fields["VmHWM"].split()[0]) / 1024
    import resource

    bytes_to_a_unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * bytes_to_a_unit / 1024**2


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.stdin.read().splitlines())
