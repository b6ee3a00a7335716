"""Taking the constants of `Fluency` from sentences.

The means and standard deviations are those of the sentences of GUG's training split. The weights are whole, half and
fifth parts; those of the shortfalls were chosen on GUG's training and development splits with the 600 outputs of
Simplicity-DA as a second development set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from metric_commons.support.validation import check_texts
from slor_metric.fluency.constants import FluencyConstants
from slor_metric.fluency.features import FeatureReader
from slor_metric.fluency.sentences import read_sentences

#: What each feature of shortfalls and marks weighs, in units of its standard deviation.
SHORTFALLS = {
    "pieces": 1.0,
    "words": 1.0,
    "classes": 1.0,
    "worst": 0.5,
    "misspellings": 1.0,
    "repetitions": 0.2,
    "end": 0.5,
}
#: The same of log-odds without a cap.
LOG_ODDS = {
    "piece_odds": 1.0,
    "word_odds": 1.0,
    "least_piece": 0.5,
    "least_word": 0.5,
    "lowest_classes": 2.0,
    "misspellings": 1.0,
}
#: Both halves, which weigh the same.
WEIGHTS = (SHORTFALLS, LOG_ODDS)
#: Where the small model reads the text too: its shortfalls weigh as much as both halves together.
SMALL_WEIGHTS = (*WEIGHTS, {"neural": 1.0}, {"neural": 1.0})
#: Where SmolLM2 reads the text too.
SMOLLM2_WEIGHTS = ({**SHORTFALLS, "neural": 5.0},)


def fit_constants(
    texts: Sequence[str],
    weights: Sequence[Mapping[str, float]] = WEIGHTS,
    *,
    reader: FeatureReader | None = None,
) -> FluencyConstants:
    """Take means and standard deviations from sentences, so that their scores have mean 0 and standard deviation 1.

    Args:
        texts: the sentences; one without a word is left out.
        weights: what each feature weighs, in one part or more; each part is divided by its own standard deviation.
        reader: what reads the features; None for the packaged models alone.

    Raises:
        ValueError: where a feature does not vary among the sentences.
    """
    reader = FeatureReader() if reader is None else reader
    features = reader.read(read_sentences(check_texts(texts, "texts", allow_empty=False)).read)
    values = features.values[np.diff(features.offsets) > 0]
    columns = dict(zip(reader.names, values.T, strict=True))
    names = [name for name in reader.names if any(name in part for part in weights)]
    means = {name: columns[name].mean() for name in names}
    stds = {name: columns[name].std() for name in names}
    for name, std in stds.items():
        if not std > 0:
            raise ValueError(f"Expected argument `texts` to vary in every feature, but {name!r} is the same in all")
    z = {name: (columns[name] - means[name]) / stds[name] for name in names}
    scales = [np.std(sum(weight * z[name] for name, weight in part.items())) for part in weights]
    whole = {
        name: sum(part.get(name, 0.0) / scale for part, scale in zip(weights, scales, strict=True)) for name in names
    }
    total = np.asarray(sum(weight * z[name] for name, weight in whole.items()))
    return FluencyConstants(_rounded(whole), _rounded(means), _rounded(stds), float(f"{total.std():.6g}"))


def _rounded(values: Mapping[str, Any]) -> dict[str, float]:
    return {name: float(f"{value:.6g}") for name, value in values.items()}
