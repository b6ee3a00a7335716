"""Speed of the small model: a network of the packaged size with random weights reads sentences of 20 words.

`sentences_per_cpu_second` is what one busy core reads; numpy's matrix products take all cores that are free.
"""

from __future__ import annotations

import lzma
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from slor_metric.language_models.ngram.model import packaged
from slor_metric.language_models.small.model import SmallLanguageModel
from slor_metric.language_models.small.storage import write_small

N_SENTENCES = 1024


@pytest.mark.benchmark(group="small model")
@pytest.mark.parametrize("hidden", [512, 768])
def test_reading(benchmark: BenchmarkFixture, data_dir: Callable[[str], Path], tmp_path: Path, hidden: int) -> None:
    with lzma.open(data_dir("lm-corpus") / "english.txt.xz", "rt", encoding="utf-8") as file:
        words = (line.split() for line in islice(file, 20_000))
        sentences = [" ".join(line[:20]) for line in islice((w for w in words if len(w) >= 20), N_SENTENCES)]
    ngram = packaged("wordpiece")
    size, width, cutoffs = len(ngram.tokens), 256, (2000, 6000)
    shapes = {
        "embedding.weight": (size, width),
        "lstm.weight_ih_l0": (4 * hidden, width),
        "lstm.weight_hh_l0": (4 * hidden, hidden),
        "lstm.bias_ih_l0": (4 * hidden,),
        "lstm.bias_hh_l0": (4 * hidden,),
        "projection.weight": (width, hidden),
        "output.head.weight": (2002, width),
        "output.head.bias": (2002,),
        "output.tails.0.0.weight": (128, width),
        "output.tails.0.1.weight": (4000, 128),
        "output.tails.1.0.weight": (64, width),
        "output.tails.1.1.weight": (size - 6000, 64),
    }
    draw = np.random.default_rng(0).standard_normal
    state = {name: 0.05 * draw(shape).astype(np.float32) for name, shape in shapes.items()}
    assert ngram.unigram is not None
    write_small(tmp_path / "small.npz", state, cutoffs, ngram.tokens, ngram.unigram.counts_of(ngram.tokens), {})
    model = SmallLanguageModel.load(tmp_path / "small.npz")
    model.batch_logprobs(sentences[:1])  # compiles
    busy: list[float] = []

    def read() -> None:
        start = time.process_time()
        model.batch_logprobs(sentences)
        busy.append(time.process_time() - start)

    benchmark.pedantic(read, rounds=3)
    benchmark.extra_info["sentences_per_cpu_second"] = round(len(sentences) / min(busy))
    print(f"\n{hidden} units: {len(sentences) / min(busy):.0f} sentences a CPU second")
