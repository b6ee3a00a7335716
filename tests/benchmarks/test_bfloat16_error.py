"""How far bfloat16 moves SmolLM2's log-probabilities: the figures of the guide to language models.

    pytest tests/benchmarks/test_bfloat16_error.py -m long -s

takes a minute or two on a CPU without instructions for bfloat16, whose results are those of one with them but for the
order of sums.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from slor_metric import SLOR
from slor_metric.language_models.hf.smollm2 import load_smollm2
from tests.support import rated_sentences as rated

N_SENTENCES = 40


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::slor_metric.language_models.hf.torch_support.SlowPrecisionWarning")
def test_error_of_bfloat16(data_dir: Callable[[str], Path]) -> None:
    try:
        exact, short = (load_smollm2(dtype=dtype, device="cpu") for dtype in ("float32", "bfloat16"))
    except ImportError as error:
        pytest.skip(str(error))
    texts = rated.gug(data_dir, "test")[0][:N_SENTENCES]
    expected, found = exact.token_logprobs(texts), short.token_logprobs(texts)
    differences = [one.logprobs - other.logprobs for one, other in zip(found, expected, strict=True)]
    errors, means = np.abs(np.concatenate(differences)), np.abs([each.mean() for each in differences])
    print(
        f"\n{len(errors)} tokens: mean |error| {errors.mean():.4f} nat, bias {np.concatenate(differences).mean():+.4f}"
    )
    print(f"99th percentile {np.quantile(errors, 0.99):.4f}, largest {errors.max():.4f}")
    print(f"means of {len(texts)} sentences: mean |error| {means.mean():.4f}, largest {means.max():.4f}")
    for link in ("slor", "penlp"):
        one, other = (SLOR(model, link=link).score(texts).values for model in (short, exact))
        print(f"{link}: largest |error| {np.abs(one - other).max():.4f}, r {np.corrcoef(one, other)[0, 1]:.6f}")
    assert errors.mean() < 0.05
    assert np.quantile(errors, 0.99) < 0.3
    assert means.max() < 0.1
