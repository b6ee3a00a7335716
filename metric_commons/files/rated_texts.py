"""A pool of rated texts: the unit that fitting, calibration and dataset specs exchange."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class RatedTexts:
    """Texts and their ratings, in the order in which they were read.

    Attributes:
        texts: n texts.
        quality: one finite rating a text, shape (n,), float64, in whatever unit the source uses.
        groups: the group of each text, such as the system that wrote it, its topic or its source; None where not known.
    """

    texts: list[str]
    quality: NDArray[np.float64]
    groups: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return len(self.texts)
