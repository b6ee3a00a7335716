"""Taking the constants of `Fluency` from sentences.

The weights are whole, half and fifth parts, chosen on the 2,265 sentences of GUG's training and development splits with
the 600 outputs of Simplicity-DA as a second development set; the means and standard deviations are those of GUG's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from metric_commons.support.validation import check_texts
from slor_metric.fluency.constants import FluencyConstants
from slor_metric.fluency.features import FeatureReader

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
