"""The constants of `Fluency`: what each feature weighs, and on which scale.

The means and standard deviations are those of the sentences of GUG's training and development splits.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from slor_metric.fluency.features import FEATURES_OF

_FILES = {"default": "fluency.json", "smollm2": "fluency_smollm2.json"}


@dataclass(frozen=True)
class FluencyConstants:
    """Fluency = Σ w (x − mean) / std over the features x, divided by `scale`.

    So the sentences that means, standard deviations and scale were taken from have mean 0 and standard deviation 1.

    Attributes:
        weights: w by feature.
        means: by feature.
        stds: by feature.
        scale: the standard deviation of the weighted sum.
    """

    weights: Mapping[str, float]
    means: Mapping[str, float]
    stds: Mapping[str, float]
    scale: float

    @property
    def names(self) -> tuple[str, ...]:
        """The features, in one of the orders of `FEATURES_OF`."""
        return next(names for names in FEATURES_OF.values() if set(names) == set(self.weights))

    @property
    def coefficients(self) -> NDArray[np.float64]:
        """What one unit of each feature adds to a score, in the order of `names`, shape (len(names),)."""
        return np.array([self.weights[name] / self.stds[name] / self.scale for name in self.names])

    @property
    def base(self) -> float:
        """The score of a text that no word takes anything from."""
        return -float(self.coefficients @ np.array([self.means[name] for name in self.names]))

    @property
    def signature(self) -> str:
        """A hash of the constants."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:8]

    def to_json(self) -> str:
        """Return the text of a file of constants."""
        return json.dumps(asdict(self), indent=2) + "\n"

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> FluencyConstants:
        """Read a file of constants, as `to_json` gives its text.

        Raises:
            FileNotFoundError: where there is no such file.
            ValueError: for a file that holds something else.
        """
        try:
            parts = json.loads(Path(path).read_text(encoding="utf-8"))
            names = next(names for names in FEATURES_OF.values() if set(names) == set(parts["weights"]))
            read = [{name: float(parts[part][name]) for name in names} for part in ("weights", "means", "stds")]
            found = cls(read[0], read[1], read[2], float(parts["scale"]))
        except (KeyError, StopIteration, TypeError, ValueError) as error:
            raise ValueError(f"Expected {path} to hold the constants of Fluency, but {error!r}") from None
        if not np.isfinite(found.base) or found.scale <= 0 or min(found.stds.values()) <= 0:
            raise ValueError(f"Expected {path} to hold finite constants and positive scales, but got {parts}")
        return found


@cache
def packaged_constants(lm: str = "default") -> FluencyConstants:
    """Load the constants that come with the package for one of the models of `FEATURES_OF`."""
    return FluencyConstants.load(str(files("slor_metric") / "data" / _FILES[lm]))
