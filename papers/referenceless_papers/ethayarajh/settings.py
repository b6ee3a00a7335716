"""The settings that the paper states, beside those that the package uses and what the data show."""

from __future__ import annotations

import math

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.registry import KERNELS
from referenceless_papers.ethayarajh.cells import Cell, Missing, PartResult, Sources
from referenceless_papers.ethayarajh.published import published
from referenceless_papers.ethayarajh.tables import ESSAY_MAX_FRACTION, MODELS

_HUSE_POINTS = 5.0


def settings(sources: Sources) -> PartResult:
    """Return the stated thresholds and bounds, and how often and on what scale the headlines were judged."""
    default = BLEUNeighbors()
    rows = {
        ("HUSE", "τ"): default.threshold,
        ("HUSE", "a"): default.min_neighbors,
        ("HUSE", "b"): default.max_fraction,
        ("ASAP-SAS", "τ"): default.threshold,
        ("ASAP-SAS", "a"): default.min_neighbors,
        ("ASAP-SAS", "b"): ESSAY_MAX_FRACTION,
        **{
            (model, "τ"): KERNELS[kernel].threshold or math.nan
            for kernel, model in MODELS.items()
            if kernel != "bleu_star"
        },
    }
    result = PartResult()
    try:
        judgements = sources.judgements("summarization")
        quality = np.asarray(judgements["quality"][:], dtype=np.float64)
        rows["Section 4, HUSE", "judgements a text"] = len(quality) / len(set(judgements["id"][:]))
        # the authors' answers are 0 to 5 in words; qualities here are that over five
        rows["Section 4, HUSE", "highest rating"] = float(quality.max()) * _HUSE_POINTS
    except (OSError, ValueError) as error:
        result.missing.append(Missing("Section 4, HUSE", " ".join(str(error).split())))
    result.cells += [Cell(row, figure, published(row, figure), float(value)) for (row, figure), value in rows.items()]
    result.notes.append("Measured, for a parameter, is the value that the package takes where nothing else is given.")
    return result
