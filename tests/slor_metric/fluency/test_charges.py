"""What the costs of a text's words are divided by."""

from __future__ import annotations

import numpy as np
from slor_metric.fluency.charges import scales

from slor_metric.fluency.features import FEATURES


def test_scales() -> None:
    found = scales(np.array([16, 0]), np.array([81, 0]))
    np.testing.assert_allclose(found, [[27, 8, 8, 1, 4, 4], [1] * len(FEATURES)])
