"""The paper's tables and figures (Ethayarajh & Sadigh 2020), published beside measured, part by part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from bleu_neighbors_metric.estimator import BLEUNeighbors
from referenceless_metrics.core.support.validation import InputError
from referenceless_papers.common.report import Report
from referenceless_papers.common.run import Part, measure_parts
from referenceless_papers.ethayarajh.analyses import (
    huse_rows,
    other_kernels,
    parameter_figures,
    size_figure,
    subsampled_pools,
)
from referenceless_papers.ethayarajh.annotators import human_rows, low_hanging_fruit
from referenceless_papers.ethayarajh.beyond import beyond_huse, beyond_nlg
from referenceless_papers.ethayarajh.figure_1 import figure_1
from referenceless_papers.ethayarajh.other_system import other_system
from referenceless_papers.ethayarajh.sources import Sources
from referenceless_papers.ethayarajh.tables import cross_task, essay_rows, model_rows, reference_rows, settings

PARTS = {
    "settings": Part("Settings", settings),
    "figure-1": Part("Figure 1: an example", figure_1),
    "humans": Part("Table 1: human annotators", human_rows),
    "table-1": Part("Table 1: neighbours models", model_rows),
    "table-2": Part("Table 2: across tasks", cross_task),
    "low-hanging-fruit": Part("Section 5.3: low-hanging fruit", low_hanging_fruit),
    "table-3": Part("Table 3: essays, BLEU Neighbors", essay_rows),
    "references": Part("Table 3: essays, against a reference", reference_rows),
    "figures-2-3": Part("Figures 2 and 3: a and b", parameter_figures),
    "figure-4": Part("Figure 4: size of the pool", size_figure),
    "kernels": Part("Section 6: other kernels", other_kernels),
    "subsampling": Part("Section 6: subsampled pools", subsampled_pools),
    "huse": Part("Section 6: HUSE", huse_rows),
    "other-system": Part("Same task, other system", other_system),
    "beyond-huse": Part("Beyond the papers: estimators that do not abstain, on HUSE", beyond_huse),
    "beyond-nlg": Part("Beyond the papers: estimators that do not abstain, on rated NLG outputs", beyond_nlg),
}
"""The parts by name."""


def reproduce(
    sources: Sources, names: Sequence[str] | None = None, *, tell: Callable[[str], None] | None = None
) -> Report:
    """Measure parts of the paper; see `measure_parts`.

    Raises:
        InputError: for a data folder that holds no data set.
    """
    if not any((sources.data_dir / folder).is_dir() for folder in ("huse", "asap-sas", "nlg-ratings")):
        raise InputError(f"{sources.data_dir}: it holds neither huse/, asap-sas/ nor nlg-ratings/")
    asked = "" if sources.encoder is None else f" --encoder {'/'.join(Path(sources.encoder).parts[-2:])}"
    asked += "" if sources.embeddings is None else f" --embeddings {Path(sources.embeddings).name}"
    return Report(
        "BLEU Neighbors, reproduced",
        "Ethayarajh & Sadigh (2020), *BLEU Neighbors: A Reference-less Approach to Automatic Evaluation*, measured "
        "again on the data that can be had. Written by "
        f"`referenceless reproduce ethayarajh --data-dir DIR{asked} -o out/`. Intervals are 95% bootstrap "
        "intervals over texts.",
        BLEUNeighbors.published().signature,
        measure_parts("ethayarajh", PARTS, sources, names, tell=tell),
    )
