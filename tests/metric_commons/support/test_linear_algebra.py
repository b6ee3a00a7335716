"""Products of finite matrices: finite, and without a warning."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from metric_commons.support.linear_algebra import matmul


def test_flags_that_blas_leaves_set_are_no_warning():
    """What a library leaves in the processor's flags after a product of finite numbers says nothing of them."""

    class Alarming(np.ndarray):
        def __matmul__(self, other):
            np.divide(np.zeros(1), np.zeros(1))  # sets the flag of an invalid value
            return np.asarray(self) @ np.asarray(other)

    left, right = np.ones((2, 3)).view(Alarming), np.ones((3, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(matmul(left, right), np.full((2, 2), 3.0))
        with pytest.raises(RuntimeWarning, match="invalid value"):
            _ = left @ right


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_of_many_shapes_are_finite_without_a_warning(dtype):
    """Shapes beside the tiles of BLAS kernels, in memory that held infinities and NaN just before."""
    rng = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(300):
            rows, inner, columns = rng.integers(0, 40, size=3)
            soiled = np.full((rows + 1) * (inner + 1) + (inner + 1) * (columns + 1), np.nan, dtype=dtype)
            soiled[::3] = np.inf
            del soiled
            left, right = rng.normal(size=(rows, inner)).astype(dtype), rng.normal(size=(columns, inner)).astype(dtype)
            got = matmul(left, right.T)
            np.testing.assert_allclose(got, np.einsum("ri,ci->rc", left, right), atol=1e-4)
