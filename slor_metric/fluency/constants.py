"""The features of `Fluency` and its constants: the weight of each feature, and the scale of the score."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from slor_metric.language_models.base import packaged_file

#: The features that are sums over words. The first six are shortfalls and marks; the others are log-odds without a cap:
#: the mean of the pieces and of the words, the least of each, the mean of the three worst classes.
FEATURES = (
    *("pieces", "words", "classes", "worst", "misspellings", "repetitions"),
    *("piece_odds", "word_odds", "least_piece", "least_word", "lowest_classes"),
)
#: Exponents of each feature: the sum over a text's n words (n pieces for features of pieces) is divided by n to this
#: power.
POWERS = (0.75, 0.75, 0.75, 0.0, 0.5, 0.5, 1.0, 1.0, 0.0, 0.0, 0.0)
#: Files of constants, by the name of the models that read the text beside the packaged n-grams.
CONSTANTS_FILES = {"ngram": "fluency.json", "small": "fluency_small.json", "smollm2": "fluency_smollm2.json"}
#: The models that may read a text; the n-grams alone are `FluencyNgram`, the others are choices of `Fluency`.
LMS = tuple(CONSTANTS_FILES)
NGRAM, *_NEURAL = LMS
NEURAL_LMS = tuple(_NEURAL)


@dataclass(frozen=True)
class FluencyConstants:
    """Fluency = (Σ w x − mean) / std over the features x.

    Attributes:
        weights: w by feature.
        mean: mean of Σ w x over sentences of edited prose, so that their mean score is 0.
        std: standard deviation of Σ w x over the same sentences, so that it is the unit of the score.
    """

    weights: Mapping[str, float]
    mean: float
    std: float

    def coefficients(self, names: Sequence[str]) -> Floats:
        """Return the score of one unit of each feature, shape (len(names),); 0 for those without a weight."""
        return np.array([self.weights.get(name, 0.0) / self.std for name in names])

    @property
    def base(self) -> float:
        """The score of a text all of whose features are 0."""
        return -self.mean / self.std

    @property
    def signature(self) -> str:
        """A hash of the constants."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:8]

    def to_json(self) -> str:
        """Return the text of a file of constants."""
        return json.dumps(asdict(self), indent=2) + "\n"


@cache
def packaged_constants(lm: str = "ngram") -> FluencyConstants:
    """Load the constants that come with the package for one of `LMS`."""
    return FluencyConstants(**json.loads(packaged_file(CONSTANTS_FILES[lm]).read_text(encoding="utf-8")))
