"""Speed of the quality estimator's estimates, without sources and with them.

`texts_per_cpu_second` is what one busy core reads, the least of several rounds: of words that were met before, in one
call for all texts or in calls for 100 each.
"""

import time
from functools import partial

import pytest
from measuring import in_turn

from quality_estimation_metric.estimator import QualityEstimator
from tests.support import rated_sentences


def without_sources(data_dir):
    texts, ratings = rated_sentences.gug(data_dir, "train")
    return QualityEstimator().fit(texts[:500], ratings[:500]), {"texts": texts}


def with_sources(data_dir):
    rows = rated_sentences.read(data_dir("nlg-ratings") / "emnlp_data_medians.csv")
    return QualityEstimator.load(), {"texts": rows["sys_ref"].tolist(), "sources": rows["mr"].tolist()}


@pytest.mark.benchmark(group="quality estimation")
@pytest.mark.parametrize("read", [without_sources, with_sources])
def test_estimates(benchmark, data_dir, read):
    estimator, items = read(data_dir)
    n = len(items["texts"])

    def by(size):
        for begin in range(0, n, size):
            estimator.predict(**{name: values[begin : begin + size] for name, values in items.items()})

    by(n)  # compiles
    calls = partial(by, n), partial(by, 100)
    busy = benchmark.pedantic(in_turn, (3, *calls), {"clock": time.process_time}, rounds=1)
    whole, small = (round(n / min(seconds)) for seconds in busy)
    benchmark.extra_info.update(texts_per_cpu_second=whole, texts_per_cpu_second_by_100=small)
    print(f"\n{read.__name__}: {whole} texts a CPU second, {small} in calls for 100 each")
