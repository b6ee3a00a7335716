import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix

from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS
from quality_estimation_metric.kernel_model.features import TextFeatures
from quality_estimation_metric.kernel_model.model import (
    KernelModel,
    gram_matrices,
    kernel_of,
    sample_groups,
)
from quality_estimation_metric.kernel_model.ridge import INTERCEPT
from quality_estimation_metric.rated_inputs import parse_sources
from quality_estimation_metric.sources.slot_errors import read_all
from referenceless_metrics.assessment.folds import number_groups

READINGS = read_all(TEXTS, parse_sources(SOURCES, len(TEXTS)), "published")
VALUES = np.array(RATINGS)


def described(readings):
    return TextFeatures(readings, sources=True, delexicalised=True)


def test_weights_estimate_as_the_kernel_does():
    model = KernelModel.fit(described(READINGS), VALUES, np.arange(len(TEXTS)))
    vectors = {
        kind: vectoriser.transform(described(READINGS).symbols[kind]) for kind, vectoriser in model.vectorisers.items()
    }
    features = model.features(described(READINGS))
    kernel = kernel_of(gram_matrices(vectors), features, model.parts) + INTERCEPT
    residual = VALUES - VALUES.mean()
    dual = kernel @ np.linalg.solve(kernel + model.penalty * np.eye(len(VALUES)), residual) + VALUES.mean()
    assert_allclose(model.predict(described(READINGS)), np.clip(dual, *model.bounds), atol=1e-4)


@given(st.integers(0, 40), st.integers(1, 12), st.sampled_from([0.02, 0.2, 1.0]), st.integers(0, 1000))
def test_inner_products_are_those_of_scipy_to_the_bit(n, n_columns, density, seed):
    """Some columns have an entry in most rows, others in one or none."""
    rng = np.random.default_rng(seed)
    present = rng.random((n, n_columns)) < rng.random(n_columns) ** 2 + density
    rows = csr_matrix(rng.normal(size=(n, n_columns)) * present)
    assert gram_matrices({"words": rows})["words"].tobytes() == (rows @ rows.T).toarray().tobytes()


def test_samples_hold_whole_groups():
    groups = number_groups(np.random.default_rng(0).integers(0, 50, 300).tolist())
    rows = sample_groups(groups, 100, seed=0)
    assert 100 <= len(rows) <= 100 + np.bincount(groups).max()
    assert set(groups[rows]).isdisjoint(set(np.delete(groups, rows)))
    assert sample_groups(groups, 300, seed=0).tolist() == list(range(300))
