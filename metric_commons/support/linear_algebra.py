"""Matrix products without false alarms."""

from __future__ import annotations

import numpy as np

from metric_commons.support.types import Numbers


def matmul(left: Numbers, right: Numbers) -> Numbers:
    """Return `left @ right` of finite numbers.

    BLAS libraries compute lanes beyond a matrix's edge with whatever lies there, and leave the processor's flags of
    that arithmetic set; numpy then warns of an invalid value, an overflow or a division that no number of the product
    has met. The flags say nothing, so they are not read; callers see to it that the factors are finite and their
    products in range.
    """
    with np.errstate(invalid="ignore", over="ignore", divide="ignore", under="ignore"):
        product: Numbers = left @ right
    return product
