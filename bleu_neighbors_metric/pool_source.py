"""A fitted estimator from whatever holds the rated pool: texts and ratings, or an index file."""

from __future__ import annotations

from typing import Any

from bleu_neighbors_metric.estimator import BLEUNeighbors


def estimator_from(
    *, training_texts: Any = None, training_quality: Any = None, index: Any = None, **parameters: Any
) -> BLEUNeighbors:
    """Return a fitted estimator from a pool or from an index file.

    Raises:
        ValueError: where neither or both are given, or only half a pool.
    """
    if index is not None:
        if training_texts is not None or training_quality is not None:
            raise ValueError("Expected either `index` or `training_texts` with `training_quality`, but got both")
        metric = BLEUNeighbors.load(index)
        return metric.set_params(**parameters) if parameters else metric
    if training_texts is None or training_quality is None:
        missing = [
            n for n, v in (("training_texts", training_texts), ("training_quality", training_quality)) if v is None
        ]
        raise ValueError(
            "BLEU Neighbors needs a pool of rated texts: give `training_texts` and `training_quality`, or `index` "
            f"(with `evaluate`: at load or to compute); missing: {', '.join(f'`{name}`' for name in missing)}"
        )
    return BLEUNeighbors(**parameters).fit(training_texts, training_quality)
