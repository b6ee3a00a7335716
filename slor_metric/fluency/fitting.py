"""What `Fluency.fit` learns from: the parts of the score, or the two SLORs with what a link of each may take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from slor_metric.fluency.features import TextFeatures

__all__ = ["LENGTH_PARTS", "PARTS", "part_names", "part_values"]

#: What a link can be fitted on.
PARTS = ("all", "slors")
_BESIDE = (
    "unknown_share",
    "slor",
    "wpslor",
    "unigram",
    "piece_unigram",
    "inverse_length",
    "log_length",
    "length",
)
_SLORS = ("slors", "wpslor", "unigram", "piece_unigram", "inverse_length", "inverse_pieces")
#: Those that tell nothing but the length.
LENGTH_PARTS = frozenset({"inverse_length", "inverse_pieces", "log_length", "length"})


def part_names(parts: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the features that a link is fitted on; the first is what it starts from.

    Args:
        parts: a name of `PARTS`.
        names: the features of the score.
    """
    return ("fluency", *names, *_BESIDE) if parts == "all" else _SLORS


def part_values(
    parts: str, names: tuple[str, ...], features: TextFeatures, scores: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the features that a link is fitted on.

    Args:
        parts: a name of `PARTS`.
        names: the features of the score.
        features: those of n texts.
        scores: what `Fluency` says of them without a link, shape (n,).

    Returns:
        A column for each of `part_names`, shape (n, k); NaN for texts without tokens.
    """
    n_tokens = np.diff(features.offsets).astype(np.float64)
    n_tokens[n_tokens == 0] = np.nan
    n_pieces = np.where(features.n_pieces > 0, features.n_pieces, np.nan)
    columns = dict(zip(names, features.values.T, strict=True)) | {
        "fluency": scores,
        "slors": features.slor + features.wpslor,
        "unknown_share": features.unknown_share,
        "slor": features.slor,
        "wpslor": features.wpslor,
        "unigram": features.unigram,
        "piece_unigram": features.piece_unigram,
        "inverse_length": 1 / n_tokens,
        "inverse_pieces": 1 / n_pieces,
        "log_length": np.log(n_tokens),
        "length": n_tokens,
    }
    return np.stack([columns[name] for name in part_names(parts, names)], axis=1)
