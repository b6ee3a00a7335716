"""The constants of `Fluency`: what each feature weighs, and on which scale.

The weights are whole, half and fifth parts, chosen on the 2,265 sentences of GUG's training and development splits with
the 600 outputs of Simplicity-DA as a second development set; the means and standard deviations are those of GUG's. The
files that hold them are made by `fit_constants`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from metric_commons.files.atomic import atomic_write
from metric_commons.support.validation import check_texts
from slor_metric.fluency.features import FEATURES_OF, FeatureReader

__all__ = ["SMOLLM2_WEIGHTS", "WEIGHTS", "FluencyConstants", "fit_constants", "packaged_constants"]

#: What each feature weighs, in units of its standard deviation.
WEIGHTS = {
    "pieces": 1.0,
    "words": 1.0,
    "classes": 1.0,
    "worst": 0.5,
    "misspellings": 1.0,
    "repetitions": 0.2,
    "end": 0.5,
}
#: The same where SmolLM2 reads the text too.
SMOLLM2_WEIGHTS = {**WEIGHTS, "neural": 5.0}
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
        return hashlib.sha256(self._text().encode()).hexdigest()[:8]

    def _text(self) -> str:
        return json.dumps(asdict(self), indent=2) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the constants as JSON, atomically."""
        with atomic_write(path) as file:
            file.write(self._text().encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> FluencyConstants:
        """Read what `save` wrote.

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


def fit_constants(
    texts: Sequence[str], weights: Mapping[str, float] = WEIGHTS, *, reader: FeatureReader | None = None
) -> FluencyConstants:
    """Take means and standard deviations from sentences, so that their scores have mean 0 and standard deviation 1.

    Args:
        texts: the sentences; one without a word is left out.
        weights: what each feature weighs.
        reader: what reads the features; None for the packaged models alone.

    Raises:
        ValueError: where a feature does not vary among the sentences.
    """
    reader = FeatureReader() if reader is None else reader
    names = reader.names
    features = reader.read(check_texts(texts, "texts", allow_empty=False))
    values = features.values[features.word_share > 0]
    means, stds = values.mean(axis=0), values.std(axis=0)
    for name, std in zip(names, stds.tolist(), strict=True):
        if not std > 0:
            raise ValueError(f"Expected argument `texts` to vary in every feature, but {name!r} is the same in all")
    total = ((values - means) / stds) @ np.array([weights[name] for name in names])
    rounded = [
        {name: float(f"{value:.6g}") for name, value in zip(names, column.tolist(), strict=True)}
        for column in (means, stds)
    ]
    return FluencyConstants(dict(weights), rounded[0], rounded[1], float(f"{total.std():.6g}"))


@cache
def packaged_constants(lm: str = "default") -> FluencyConstants:
    """Load the constants that come with the package for one of the models of `FEATURES_OF`."""
    return FluencyConstants.load(str(files("slor_metric") / "data" / _FILES[lm]))
