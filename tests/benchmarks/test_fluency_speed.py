"""Speed of Fluency by n-grams on sentences with words that it meets for the first time: at most 300 µs each."""

import pytest

from slor_metric.fluency.metric import Fluency
from tests.support import rated_sentences as rated


@pytest.mark.benchmark(group="fluency")
def test_first_seen_sentences(benchmark, data_dir):
    texts, _ = rated.gug(data_dir, "test")
    Fluency("ngram").score(texts[:1])  # compiles

    def fresh():
        metric = Fluency("ngram")
        metric.score(["It rained."])
        return (metric, texts), {}

    benchmark.pedantic(Fluency.score, setup=fresh, rounds=5)
    if benchmark.stats is not None:
        benchmark.extra_info["microseconds_a_sentence"] = round(1e6 * benchmark.stats.stats.min / len(texts))
