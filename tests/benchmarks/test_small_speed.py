"""Speed of the small model: a network of the packaged size with random weights reads sentences of 20 words.

`sentences_per_cpu_second` is what one busy core reads; numpy's matrix products take all cores that are free.
"""

import time
from functools import partial

import pytest
from measuring import in_turn, sentences_of_20_words

from slor_metric.language_models.lstm.model import SmallLanguageModel
from slor_metric.language_models.lstm.storage import NetworkShape
from slor_metric.language_models.ngram.model import packaged
from tests.support.tiny_small_model import save_random_model

N_SENTENCES = 1024


@pytest.mark.benchmark(group="small model")
@pytest.mark.parametrize("hidden", [512, 768])
def test_reading(benchmark, data_dir, tmp_path, hidden):
    sentences = sentences_of_20_words(data_dir, N_SENTENCES)
    ngram = packaged("wordpiece")
    shape = NetworkShape(len(ngram.tokens), 1, hidden, 256, 0.0, 256, (2000, 6000))
    counts = ngram.unigram.counts_of(ngram.tokens)
    save_random_model(tmp_path / "small.safetensors", shape, ngram.tokens, counts, scale=0.05)
    model = SmallLanguageModel.load(tmp_path / "small.safetensors")
    model.batch_logprobs(sentences[:1])  # compiles
    read = partial(model.batch_logprobs, sentences)
    (busy,) = benchmark.pedantic(in_turn, (3, read), {"clock": time.process_time}, rounds=1)
    benchmark.extra_info["sentences_per_cpu_second"] = round(len(sentences) / min(busy))
    print(f"\n{hidden} units: {len(sentences) / min(busy):.0f} sentences a CPU second")
