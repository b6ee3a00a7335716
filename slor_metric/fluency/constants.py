"""The constants of `Fluency`: what each feature weighs, and on which scale.

The means and standard deviations are those of the sentences of GUG's training and development splits.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from slor_metric.fluency.features import FEATURES_OF
from slor_metric.language_models.base import packaged_file

_FILES = {"ngram": "fluency.json", "small": "fluency_small.json", "smollm2": "fluency_smollm2.json"}


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


@cache
def packaged_constants(lm: str = "ngram") -> FluencyConstants:
    """Load the constants that come with the package for one of the models of `FEATURES_OF`."""
    content = json.loads(packaged_file(_FILES[lm]).read_text(encoding="utf-8"))
    weights, means, stds = (
        {name: content[part][name] for name in FEATURES_OF[lm]} for part in ("weights", "means", "stds")
    )
    return FluencyConstants(weights, means, stds, content["scale"])
