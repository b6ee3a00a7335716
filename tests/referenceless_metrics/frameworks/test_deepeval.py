"""The metrics in DeepEval's evaluation and in its assertions, without an account."""

import os

import pytest
from refusals import refused
from small_metrics import CANDIDATES, FITTED, FLUENCY, REFERENCES, ROUGE_LM
from toy_metrics import Lengths

os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "1"  # read at its import
pytest.importorskip("deepeval")

from deepeval import assert_test, evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.test_case import LLMTestCase

from referenceless_metrics.core.metric import score_texts
from referenceless_metrics.frameworks.deepeval import DeepEvalMetric

METRICS = [FITTED, FLUENCY, ROUGE_LM]


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the folder of its last run's record


@pytest.mark.parametrize("concurrent", [False, True])
def test_evaluate(concurrent):
    cases = [
        LLMTestCase(name=str(i), input="?", actual_output=text, expected_output=reference)
        for i, (text, reference) in enumerate(zip(CANDIDATES, REFERENCES, strict=True))
    ]
    result = evaluate(
        test_cases=cases,
        metrics=[DeepEvalMetric(metric, threshold=0.5) for metric in METRICS],
        async_config=AsyncConfig(run_async=concurrent),
        cache_config=CacheConfig(write_cache=False),
        display_config=DisplayConfig(print_results=False, show_indicator=False),
    )
    assert len(result.test_results) == len(CANDIDATES)
    for test in result.test_results:
        place = int(test.name)
        assert [data.name for data in test.metrics_data] == [metric.name for metric in METRICS]
        for metric, data in zip(METRICS, test.metrics_data, strict=True):
            expected = score_texts(metric, CANDIDATES, [[text] for text in REFERENCES])
            value = expected.values[place]
            assert data.score == (pytest.approx(value) if value == value else None)
            assert data.reason == expected.reasons[place]
            assert data.success is bool(value >= 0.5)
            assert data.error is None


def test_assertions():
    metric = DeepEvalMetric(Lengths(strict=True), threshold=3)
    assert_test(LLMTestCase(input="?", actual_output="abc"), [metric], run_async=False)
    with refused(r"lengths \(score: 2\.0, threshold: 3", AssertionError):
        assert_test(LLMTestCase(input="?", actual_output="ab"), [metric], run_async=False)
    with refused("reason: empty text", AssertionError):
        assert_test(LLMTestCase(input="?", actual_output=""), [metric], run_async=False)
