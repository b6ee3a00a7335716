from numpy.testing import assert_array_equal
from refusals import refused

from metric_commons.metric import Metric, SeveralRatings, score_texts
from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS


def test_several_ratings_at_once():
    with_sources = QualityEstimator().fit(TEXTS, RATINGS, sources=SOURCES)
    without = QualityEstimator().fit(TEXTS, [7 - rating for rating in RATINGS])
    both = SeveralRatings({"ease": without, "quality": with_sources})
    assert isinstance(both, Metric)
    assert both.needs_sources
    result = score_texts(both, [*TEXTS[:2], ""], None, SOURCES[:3])
    assert_array_equal(result.values[:2], without.predict(TEXTS[:2]).values)
    expected = with_sources.predict([*TEXTS[:2], ""], sources=SOURCES[:3])
    assert_array_equal(result.columns["quality"], expected.values)
    assert_array_equal(result.columns["quality_upper"], expected.upper)
    assert result.details["parts"] == {"ease": result.mean, "quality": expected.mean}
    assert both.signature.startswith(
        "metric:quality_estimation|model:kernel|level:0.9|sources:no,yes|delex:none,published|"
    )
    assert both.signature.endswith("|names:ease,quality")
    with refused("list of strings", TypeError):
        both.predict("a text", sources=SOURCES)
    with refused("at least one kind of rating"):
        SeveralRatings({})
