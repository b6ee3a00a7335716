"""Matrix products without false alarms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def matmul(left: NDArray[Any], right: NDArray[Any]) -> NDArray[Any]:
    """Return `left @ right` of finite numbers.

    BLAS libraries compute lanes beyond a matrix's edge with whatever lies there, and leave the processor's flags of
    that arithmetic set; numpy then warns of an invalid value, an overflow or a division that no number of the product
    has met. The flags say nothing, so they are not read; callers see to it that the factors are finite and their
    products in range.
    """
    with np.errstate(invalid="ignore", over="ignore", divide="ignore", under="ignore"):
        product: NDArray[Any] = left @ right
    return product
