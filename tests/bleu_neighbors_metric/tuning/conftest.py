"""An estimator that is fitted to the packaged pool."""

import example_fits
import pytest


@pytest.fixture
def fitted():
    return example_fits.fit(min_neighbors=2)
