"""Post-edit effort as the rating (Dušek et al. 2017 name it): edits and TER, on a set made from references."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from referenceless_papers.common.cells import PartResult, Table
from referenceless_papers.public_table.columns import LENGTH, estimator, surface
from referenceless_papers.public_table.rated_sets import RatedSet, rated_sets, sampled
from referenceless_papers.resampled_correlations import correlation

_SETS = ("Simplicity-DA, fluency", "nlg-ratings SFRES, naturalness")


def effort(rated: RatedSet) -> dict[str, Floats]:
    """Return the fewest edits to a reference of each text, and the same a word of the references (TER, Snover 2006)."""
    from sacrebleu.metrics import TER

    metric, references = TER(), rated.references or []
    scores = [
        metric.sentence_score(text.lower(), [one.lower() for one in own])
        for text, own in zip(rated.texts, references, strict=True)
    ]
    return {
        "edits": np.array([float(score.num_edits) for score in scores]),
        "TER": np.array([score.num_edits / max(score.ref_length, 1.0) for score in scores]),
    }


def post_edits(data_dir: Path) -> PartResult:
    """Measure estimators that learn edit effort, by itself and as a stand-in for people's ratings."""
    rows = []
    for whole in rated_sets(data_dir, ("fluency", "nlg-ratings")):
        if whole.name not in _SETS:
            continue
        rated = sampled(whole, 800)
        efforts = effort(rated)
        learned = {name: -np.log1p(values) for name, values in efforts.items()} | {"people's ratings": rated.ratings}
        for name, target in learned.items():
            estimates = estimator(replace(rated, ratings=target), sources=True)
            rows.append(
                {
                    "set": rated.name,
                    "learned from": name,
                    "ρ with what it learned": _rho(estimates, target),
                    f"that of {LENGTH}": _rho(-surface(rated.texts)["words"], target),
                    "ρ with people's ratings": _rho(estimates, rated.ratings),
                    "ρ of the effort itself": _rho(target, rated.ratings) if name in efforts else float("nan"),
                }
            )
    return PartResult(
        tables=[Table("Post-edit effort in place of ratings, five folds of items", tuple(rows))],
        notes=[
            "Nobody edited these outputs: effort is the fewest edits (sacrebleu's TER, shifts included) to a "
            "reference, as a post-editor who knows it would need. It is learned as −ln(1 + effort). At most 800 "
            "texts of a set."
        ],
    )


def _rho(values: Floats, ratings: Floats) -> float:
    return correlation(values, ratings, "spearman", n_resamples=1).value
