"""Types that many signatures share."""

from __future__ import annotations

import os
from typing import TypeAlias, Union

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
"""An array of float64."""

Integers: TypeAlias = NDArray[np.int64]
"""An array of int64."""

Booleans: TypeAlias = NDArray[np.bool_]
"""An array of truth values."""

PathName: TypeAlias = Union[str, "os.PathLike[str]"]
"""A path, in whatever way it is written."""
