"""The exponentials, logarithms and roots that all platforms share: a twin that takes these is equal to the last bit."""

from functools import cache

import numpy as np

from referenceless_metrics.core.support import native


def _of(function, x, *more):
    values = np.array([x], dtype=float)
    native.call(function, values, values, *more)
    return float(values[0])


def exp(x):
    return _of("exponentials", x)


@cache  # a twin takes the logarithms of the same few ratios millions of times
def log(x):
    return _of("logarithms", x)


def root(x, degree):
    return _of("roots", x, degree)
