"""Products of finite matrices: finite, without a warning, and in one thread."""

import warnings
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pytest
import scipy.linalg  # noqa: F401  # whose BLAS is another
import threadpoolctl

from referenceless_metrics.core.support.computing import matmul, one_blas_thread


def test_flags_that_blas_leaves_set_are_no_warning():
    """The processor's flags after a library's product of finite numbers say nothing of them."""

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


def threads():
    return {pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"}


def test_blas_has_one_thread_within_a_product_and_its_own_number_after():
    class Asking(np.ndarray):
        def __matmul__(self, other):
            seen.extend(threads())
            return np.asarray(self) @ np.asarray(other)

    seen = []
    with threadpoolctl.threadpool_limits(2, user_api="blas"):
        matmul(np.ones((2, 3)).view(Asking), np.ones((3, 2)))
        assert (set(seen), threads()) == ({1}, {2})


def test_threads_that_compute_at_once_leave_blas_its_own_number():
    entered, left, seen = Event(), Event(), []

    def first():
        with one_blas_thread():
            entered.wait(10)

    def second():
        with one_blas_thread():
            entered.set()
            left.wait(10)
            seen.append(threads())

    before = threads()
    with ThreadPoolExecutor(2) as executor:
        of_first, of_second = executor.submit(first), executor.submit(second)
        of_first.result(20)
        left.set()
        of_second.result(20)
    assert (seen, threads()) == ([{1}], before)
