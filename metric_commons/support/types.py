"""Types that many signatures share."""

from __future__ import annotations

import os
from typing import Any, TypeAlias, Union

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
"""An array of float64."""

Integers: TypeAlias = NDArray[np.int64]
"""An array of int64."""

Booleans: TypeAlias = NDArray[np.bool_]
"""An array of truth values."""

Numbers: TypeAlias = NDArray[Any]
"""An array of any type."""

Integers32: TypeAlias = NDArray[np.int32]
Floats32: TypeAlias = NDArray[np.float32]
Unsigned8: TypeAlias = NDArray[np.uint8]
Unsigned32: TypeAlias = NDArray[np.uint32]
Unsigned64: TypeAlias = NDArray[np.uint64]

PathName: TypeAlias = Union[str, "os.PathLike[str]"]
"""A path, in whatever way it is written."""
