"""Quality estimation beside BLEU, with aligned sources."""

import pytest
from sacrebleu.significance import PairedTest

from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import DEMO_SOURCES, DEMO_TEXTS
from quality_estimation_metric.integrations.sacrebleu import QualityEstimationMetric


def test_scores_and_paired_tests():
    packaged = QualityEstimator.load()
    metric = QualityEstimationMetric(estimator=packaged, sources=DEMO_SOURCES)
    result = packaged.predict(DEMO_TEXTS, sources=DEMO_SOURCES)
    assert metric.corpus_score(DEMO_TEXTS).score == pytest.approx(result.mean)
    assert metric.sentence_score(DEMO_TEXTS[2], source=DEMO_SOURCES[2]).score == result.values[2]
    assert "|rng:0|" in str(metric.get_signature())
    worse = [" ".join(reversed(text.split())) for text in DEMO_TEXTS]
    systems = [("as it is", list(DEMO_TEXTS)), ("reversed", worse)]
    _, scores = PairedTest(systems, {metric.name: metric}, references=None, test_type="ar", n_samples=100)()
    first, second = scores["QualityEstimation"]
    assert first.score > second.score
