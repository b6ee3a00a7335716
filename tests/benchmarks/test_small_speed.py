"""Speed of the small model: a network of the packaged size with random weights reads sentences of 20 words.

`sentences_per_cpu_second` is what one busy core reads; numpy's matrix products take all cores that are free.
"""

import lzma
import time
from itertools import islice

import pytest

from slor_metric.language_models.lstm.model import SmallLanguageModel
from slor_metric.language_models.lstm.storage import NetworkShape
from slor_metric.language_models.ngram.model import packaged
from tests.support.tiny_small_model import save_random_model

N_SENTENCES = 1024


@pytest.mark.benchmark(group="small model")
@pytest.mark.parametrize("hidden", [512, 768])
def test_reading(benchmark, data_dir, tmp_path, hidden):
    with lzma.open(data_dir("lm-corpus") / "english.txt.xz", "rt", encoding="utf-8") as file:
        words = (line.split() for line in islice(file, 20_000))
        sentences = [" ".join(line[:20]) for line in islice((w for w in words if len(w) >= 20), N_SENTENCES)]
    ngram = packaged("wordpiece")
    shape = NetworkShape(len(ngram.tokens), 1, hidden, 256, 0.0, 256, (2000, 6000))
    counts = ngram.unigram.counts_of(ngram.tokens)
    save_random_model(tmp_path / "small.npz", shape, ngram.tokens, counts, scale=0.05)
    model = SmallLanguageModel.load(tmp_path / "small.npz")
    model.batch_logprobs(sentences[:1])  # compiles
    busy = []

    def read():
        start = time.process_time()
        model.batch_logprobs(sentences)
        busy.append(time.process_time() - start)

    benchmark.pedantic(read, rounds=3)
    benchmark.extra_info["sentences_per_cpu_second"] = round(len(sentences) / min(busy))
    print(f"\n{hidden} units: {len(sentences) / min(busy):.0f} sentences a CPU second")
