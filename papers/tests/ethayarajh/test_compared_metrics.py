"""Metrics of different coverage, compared on their common texts."""

import math

import numpy as np
import pytest

from referenceless_papers.ethayarajh.compared_metrics import paired_error_p_value

NAN = math.nan


def test_paired_error_p_value_is_exact_for_few_texts():
    first, second, ratings = np.array([0.1, 0.5, 0.2, 0.9]), np.array([0.4, 0.6, 0.9, 0.8]), np.zeros(4)
    difference = first**2 - second**2
    signs = np.array(np.meshgrid(*[[-1, 1]] * 4)).reshape(4, -1)
    sums = signs.T @ difference
    above, below = np.mean(sums >= difference.sum() - 1e-12), np.mean(sums <= difference.sum() + 1e-12)
    assert paired_error_p_value(first, second, ratings) == pytest.approx(min(1, 2 * min(above, below)))
    assert math.isnan(paired_error_p_value([NAN], [1.0], [1.0]))
