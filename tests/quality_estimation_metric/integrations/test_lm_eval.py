"""Quality estimation in lm-evaluation-harness: the target of a document is what the text is to be made from."""

from __future__ import annotations

import pytest

pytest.importorskip("lm_eval", reason="needs lm-evaluation-harness (lm-eval)")

from lm_eval.api.registry import get_metric

from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import DEMO_SOURCES, DEMO_TEXTS
from quality_estimation_metric.integrations.lm_eval import quality_estimation


def test_the_target_is_the_source() -> None:
    assert get_metric("quality_estimation") is quality_estimation
    expected = QualityEstimator.load().predict(DEMO_TEXTS, sources=DEMO_SOURCES).values
    for text, source, value in zip(DEMO_TEXTS, DEMO_SOURCES, expected, strict=True):
        found = quality_estimation(references=[source], predictions=[text], model_file="default")
        assert found == {"quality_estimation": value, "quality_estimation_coverage": 1.0}
    empty = quality_estimation(references=[DEMO_SOURCES[0]], predictions=[""])
    assert empty["quality_estimation"] != empty["quality_estimation"]
    assert empty["quality_estimation_coverage"] == 0.0
