"""How far bfloat16 moves SmolLM2's log-probabilities: the figures of the guide to language models.

    pytest tests/benchmarks/test_bfloat16_error.py -m long -s

takes a minute or two on a CPU without instructions for bfloat16, whose results are those of one with them but for the
order of sums.
"""

import numpy as np
import pytest

from slor_metric.language_models.hf.smollm2 import load_smollm2
from tests.support import rated_sentences as rated

N_SENTENCES = 40


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::slor_metric.language_models.hf.torch_support.SlowPrecisionWarning")
def test_error_of_bfloat16(data_dir):
    try:
        exact, short = (load_smollm2(dtype=dtype, device="cpu") for dtype in ("float32", "bfloat16"))
    except ImportError as error:
        pytest.skip(str(error))
    texts = rated.gug(data_dir, "test")[0][:N_SENTENCES]
    assert exact.model.dtype != short.model.dtype
    expected, found = exact.token_logprobs(texts), short.token_logprobs(texts)
    differences = [one.logprobs - other.logprobs for one, other in zip(found, expected, strict=True)]
    first = np.abs([each[0] for each in differences])
    later = np.abs(np.concatenate([each[1:] for each in differences]))
    means = np.array([[each.logprobs.mean() for each in side] for side in (found, expected)])
    of_slor = np.abs(means[0] - means[1])  # p_u is the same on both sides
    for name, errors in (("first tokens", first), ("later tokens", later), ("SLOR", of_slor)):
        print(f"\n{name}: {len(errors)}, mean |error| {errors.mean():.4f} nat, 99 % within", end=" ")
        print(f"{np.quantile(errors, 0.99):.4f}, largest {errors.max():.4f}")
    print(f"means of ln p: r {np.corrcoef(means)[0, 1]:.5f}")
    assert np.concatenate((first, later)).mean() < 0.15
    assert of_slor.mean() < 0.1
