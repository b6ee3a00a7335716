"""Quality estimation as a metric of sacrebleu: what the tests of all metrics do not see."""

from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import DEMO_SOURCES, DEMO_TEXTS
from quality_estimation_metric.integrations.sacrebleu import QualityEstimationMetric


def test_a_sentence_goes_with_its_own_source():
    packaged = QualityEstimator.load()
    metric = QualityEstimationMetric(estimator=packaged, sources=DEMO_SOURCES)
    expected = packaged.predict(DEMO_TEXTS[2:3], sources=DEMO_SOURCES[2:3]).values[0]
    assert metric.sentence_score(DEMO_TEXTS[2], source=DEMO_SOURCES[2]).score == expected
    assert "|rng:0|" in str(metric.get_signature())
