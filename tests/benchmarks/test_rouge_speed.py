"""ROUGE-L-mult beside rouge-score, on the same pairs in one run.

Run with `pytest tests/benchmarks/test_rouge_speed.py --benchmark-only -s`, which prints microseconds a pair
(a candidate with one of its references) and the ratio.
"""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from measuring import in_turn, rouge_l, say

from slor_metric.rouge.rouge_lm import rouge_l_mult


@pytest.fixture(scope="module")
def rated(data_dir):
    table = pd.read_csv(data_dir("fluency") / "simplicity_da_with_references.csv", keep_default_na=False)
    return table["output"].tolist(), table[[f"reference_{i}" for i in range(10)]].to_numpy().tolist()


@pytest.mark.parametrize("stem", [False, True], ids=["plain", "stemmed"])
@pytest.mark.parametrize("tokenize", ["rouge_score", "unicode"])
def test_rouge_l_mult(benchmark, capsys, rated, tokenize, stem):
    own = partial(rouge_l_mult, *rated, tokenize=tokenize, stem=stem)
    own()  # compiles
    some = [side[::12] for side in rated]
    pairs = [10 * len(some[0]), 10 * len(rated[0])]
    theirs, ours = np.median(in_turn(5, rouge_l(*some, use_stemmer=stem), own), axis=1) / pairs * 1e6
    benchmark(own)
    benchmark.extra_info.update(rouge_score_us_per_pair=theirs, us_per_pair=ours, times_rouge_score=theirs / ours)
    line = f"{ours:.2f} µs a pair, rouge-score {theirs:.0f} µs, {theirs / ours:.0f} times"
    say(capsys, f"{tokenize}, stem={stem}: {line}")
