"""The constants of Fluency are those of GUG."""

import numpy as np
import pytest

from referenceless_papers.packaged_models.fluency_constants import SMALL_WEIGHTS, SMOLLM2_WEIGHTS, fit_constants
from slor_metric.fluency.constants import packaged_constants
from slor_metric.fluency.features import FeatureReader
from slor_metric.fluency.metric import Fluency
from tests.support import rated_sentences as rated


@pytest.mark.long
def test_the_constants_are_those_of_gug(data_dir):
    texts, _ = rated.gug(data_dir, "train")
    assert fit_constants(texts) == packaged_constants("ngram")
    assert fit_constants(texts, SMALL_WEIGHTS, reader=FeatureReader("small")) == packaged_constants("small")
    assert dict(packaged_constants("smollm2").weights) == SMOLLM2_WEIGHTS[0]
    values = Fluency().score(texts).values
    assert np.nanmean(values) == pytest.approx(0, abs=0.01)
    assert np.nanstd(values) == pytest.approx(1, abs=0.01)
