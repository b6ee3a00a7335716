"""The constants: their file and their arithmetic."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from slor_metric.fluency.constants import FluencyConstants, packaged_constants
from slor_metric.fluency.features import ALL_FEATURES


def test_files(tmp_path: Path) -> None:
    constants = packaged_constants()
    (tmp_path / "constants.json").write_text(constants.to_json())
    assert FluencyConstants.load(tmp_path / "constants.json") == constants
    for text in ("[]", "{}", "not json", (tmp_path / "constants.json").read_text().replace("1.0", "NaN")):
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(ValueError, match=r"Expected .*bad.json to hold"):
            FluencyConstants.load(tmp_path / "bad.json")


def test_arithmetic() -> None:
    ones = dict.fromkeys(ALL_FEATURES, 1.0)
    constants = FluencyConstants(ones, dict.fromkeys(ALL_FEATURES, -3.0), dict.fromkeys(ALL_FEATURES, 0.5), 4.0)
    np.testing.assert_allclose(constants.coefficients, 0.5)
    assert constants.base == pytest.approx(0.5 * 3 * len(ALL_FEATURES))
