"""The packaged estimator: its report, the content of its file, and that the command makes it anew."""

import pytest

from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import DEMO_SOURCES, DEMO_TEXTS
from quality_estimation_metric.model_files.file import SCHEMA, packaged_path
from referenceless_metrics.core.files.archive import read_archive, unpack_strings
from referenceless_papers.packaged_models.quality import DOMAINS, read_rated


@pytest.fixture(scope="module")
def packaged():
    return QualityEstimator.load("default")


def test_it_tells_good_outputs_from_bad_ones(packaged):
    result = packaged.predict(DEMO_TEXTS, sources=DEMO_SOURCES)
    assert result.coverage == 1
    assert result.values[0] > result.values[1] > result.values[2]
    assert result.values[3] > result.values[4] + 1
    assert result.values[5] > result.values[6] + 1
    assert packaged.model_.bounds == (1.0, 6.0)


def test_the_file_is_small_and_holds_no_text(packaged):
    assert packaged_path().stat().st_size < 3_000_000
    _, arrays = read_archive(packaged_path(), SCHEMA)
    assert packaged.texts_ is None
    assert not {"texts", "ratings", "sources"} & set(arrays)
    assert max(len(term) for term in unpack_strings(arrays["characters.terms"])) == 5
    assert packaged.explain(DEMO_TEXTS[0], DEMO_SOURCES[0]).neighbors == ()


def test_only_ratings_whose_licence_allows_it(data_dir):
    rated = read_rated(data_dir("nlg-ratings") / "emnlp_data_medians.csv")
    assert len(rated.texts) == len(rated.sources) == len(rated.ratings) == 2056
    assert set(rated.domains) == set(DOMAINS.values())
