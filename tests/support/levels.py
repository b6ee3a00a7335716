"""The same call with the kernels of each level of processor that this machine has."""

import os
from unittest.mock import patch

from referenceless_metrics.core.support import native


def at_each_level(call):
    """Return the result of a call, after checking that all levels give the same bytes."""
    results = []
    for level in native.levels() or [""]:
        with patch.dict(os.environ, {native.LEVEL_VARIABLE: str(level)}):
            results.append(call())
    first, *others = ([array.tobytes() for array in result] for result in results)
    assert all(other == first for other in others)
    return results[0]
