"""Texts whose quality a metric of fluency does not tell: dialogue, and outputs that are fluent already."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from referenceless_metrics.assessment.meta_evaluation import rank_correlation
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError
from slor_metric.estimator import ROUGELM, WPSLOR

FLUENT_SYSTEM = "Dress-Ls"
"""The simplification system of Simplicity-DA whose outputs people find the most fluent."""

_N_REFERENCES = 10


@dataclass(frozen=True)
class Domains:
    """Spearman's ρ of metrics with ratings, in domains with low agreement.

    Attributes:
        wpslor_of_dialogue: WPSLOR with the overall quality of dialogue responses (USR, Topical-Chat).
        rouge_l_of_meaning: ROUGE-L with how well simplifications keep the meaning (Simplicity-DA).
        rouge_lm_of_meaning: ROUGE-LM with the same.
        rouge_l_of_fluent: ROUGE-L with the fluency of the most fluent system's outputs there.
        rouge_lm_of_fluent: ROUGE-LM with the same.
    """

    wpslor_of_dialogue: float
    rouge_l_of_meaning: float
    rouge_lm_of_meaning: float
    rouge_l_of_fluent: float
    rouge_lm_of_fluent: float


def domain_warnings(data_dir: str | os.PathLike[str]) -> Domains:
    """Measure the correlations.

    Args:
        data_dir: the folder that holds `usr/` and `fluency/`.

    Raises:
        InputError: for a missing file.
    """
    folder = Path(data_dir)
    path = folder / "usr" / "topical_chat.json"
    try:
        responses = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    fluency = WPSLOR(unknown="score").predict([response["system_output"] for response in responses]).values
    overall = np.array([response["scores"]["overall"] for response in responses])
    known = ~np.isnan(fluency)
    table = read_table(str(folder / "fluency" / "simplicity_da_with_references.csv"))
    references = [[row[f"reference_{i}"] for i in range(_N_REFERENCES)] for row in table.rows]
    result = ROUGELM(unknown="score").predict([row["output"] for row in table.rows], references=references)
    fluent = np.array([row["system"] == FLUENT_SYSTEM for row in table.rows])
    ratings = {name: table.numbers(name, name) for name in ("meaning", "fluency")}
    columns = {"rouge_l": result.columns["rouge_l"], "rouge_lm": result.values}
    everywhere = np.ones(len(fluent), dtype=np.bool_)
    found = {
        f"{metric}_of_{what}": rank_correlation(values[which], ratings[rating][which])
        for metric, values in columns.items()
        for what, rating, which in (("meaning", "meaning", everywhere), ("fluent", "fluency", fluent))
    }
    return Domains(wpslor_of_dialogue=rank_correlation(fluency[known], overall[known]), **found)
