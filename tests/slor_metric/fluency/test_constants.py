"""The constants: their file and their arithmetic."""

import pytest
from numpy.testing import assert_allclose

from slor_metric.fluency.constants import FluencyConstants, packaged_constants
from slor_metric.fluency.features import ALL_FEATURES
from slor_metric.language_models.base import packaged_file


def test_the_packaged_file_holds_what_the_signature_covers():
    assert packaged_constants("ngram").to_json() == packaged_file("fluency.json").read_text(encoding="utf-8")


def test_arithmetic():
    ones = dict.fromkeys(ALL_FEATURES, 1.0)
    constants = FluencyConstants(ones, dict.fromkeys(ALL_FEATURES, -3.0), dict.fromkeys(ALL_FEATURES, 0.5), 4.0)
    assert_allclose(constants.coefficients([*ALL_FEATURES, "other"]), [0.5] * len(ALL_FEATURES) + [0])
    assert constants.base == pytest.approx(0.5 * 3 * len(ALL_FEATURES))
