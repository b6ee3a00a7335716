"""Speed of Fluency by n-grams on sentences with words that it meets for the first time: at most 300 µs each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from slor_metric.fluency.metric import Fluency
from tests.support import rated_sentences as rated


@pytest.mark.benchmark(group="fluency")
def test_first_seen_sentences(benchmark: BenchmarkFixture, data_dir: Callable[[str], Path]) -> None:
    texts, _ = rated.gug(data_dir, "test")
    Fluency("ngram").score(texts[:1])  # compiles

    def fresh() -> tuple[tuple[Fluency, list[str]], dict[str, object]]:
        metric = Fluency("ngram")
        metric.score(["It rained."])
        return (metric, texts), {}

    benchmark.pedantic(Fluency.score, setup=fresh, rounds=5)
    if benchmark.stats is not None:
        benchmark.extra_info["microseconds_a_sentence"] = round(1e6 * benchmark.stats.stats.min / len(texts))
