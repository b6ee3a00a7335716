"""The paper's tables and figures (Ethayarajh & Sadigh 2020), published beside measured, part by part.

Each part reads its own data. One whose data are missing, or in which something fails, is listed with what would fill
it; the others are still measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from metric_commons.support.errors import InputError
from metric_commons.support.validation import check_choice
from referenceless_papers.ethayarajh.analyses import (
    huse_rows,
    other_kernels,
    parameter_figures,
    size_figure,
    subsampled_pools,
)
from referenceless_papers.ethayarajh.annotators import human_rows, low_hanging_fruit
from referenceless_papers.ethayarajh.beyond import beyond_huse, beyond_nlg
from referenceless_papers.ethayarajh.cells import Cell, Missing, PartResult, Sources
from referenceless_papers.ethayarajh.published import with_published
from referenceless_papers.ethayarajh.settings import settings
from referenceless_papers.ethayarajh.tables import (
    TABLE_3_TEST_TOPIC,
    cross_task,
    essay_rows,
    mean_difference,
    model_rows,
    reference_rows,
    table_1_summarization,
    table_3,
)

__all__ = [
    "PARTS",
    "TABLE_3_TEST_TOPIC",
    "Cell",
    "Missing",
    "PartResult",
    "Sources",
    "mean_difference",
    "reproduce",
    "reproduce_parts",
    "table_1_summarization",
    "table_3",
]

_FOLDERS = ("huse", "asap-sas", "nlg-ratings")
_FAILURES = (ValueError, TypeError, OSError, RuntimeError, ImportError, LookupError)


@dataclass(frozen=True)
class Part:
    """One part of the reproduction."""

    title: str
    measure: Callable[[Sources], PartResult]


PARTS: dict[str, Part] = {
    "settings": Part("Settings", settings),
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
    "beyond-huse": Part("Beyond the papers: estimators that do not abstain, on HUSE", beyond_huse),
    "beyond-nlg": Part("Beyond the papers: estimators that do not abstain, on rated NLG outputs", beyond_nlg),
}
"""The parts by name."""


def reproduce_parts(
    sources: Sources, names: Sequence[str] | None = None, *, tell: Callable[[str], None] | None = None
) -> dict[str, PartResult]:
    """Measure parts of the paper.

    Args:
        sources: where to read.
        names: which parts, by the names of `PARTS`; None for all.
        tell: takes a line on each part as it is done.

    Returns:
        Results by the parts' titles. A part that fails holds nothing but what is missing.

    Raises:
        InputError: for a data folder that holds no data set, or where no part could be measured.
        ValueError: for an unknown part; the message lists the known ones.
    """
    _check_folder(sources.data_dir, _FOLDERS)
    chosen = list(PARTS) if names is None else list(dict.fromkeys(names))
    for name in chosen:
        check_choice(name, "parts", tuple(PARTS))
    results = {}
    for number, name in enumerate(chosen, start=1):
        part = PARTS[name]
        begin = time.perf_counter()
        try:
            result = part.measure(sources)
        except _FAILURES as error:
            result = PartResult(missing=[Missing(part.title, " ".join(str(error).split()))])
        result.cells = with_published(result.cells, name, result.missing)
        results[part.title] = result
        if tell is not None:
            tell(_line(number, len(chosen), part.title, result, time.perf_counter() - begin))
    return results


def reproduce(data_dir: str) -> tuple[list[Cell], list[str]]:
    """Return the BLEU Neighbors rows of Tables 1 and 3, and a line on each part whose data are missing.

    Args:
        data_dir: a folder with `huse/` and `asap-sas/`, or either.

    Raises:
        InputError: where it holds neither.
    """
    _check_folder(Path(data_dir), _FOLDERS[:2])
    cells: list[Cell] = []
    missing: list[str] = []
    for folder, part in (("huse", table_1_summarization), ("asap-sas", table_3)):
        path = Path(data_dir) / folder
        if path.is_dir():
            cells += part(str(path))
        else:
            missing.append(f"left out, for want of {path}: {part.__name__.replace('_', ' ').capitalize()}")
    return cells, missing


def _check_folder(data_dir: Path, folders: Sequence[str]) -> None:
    if not any((data_dir / folder).is_dir() for folder in folders):
        *others, last = (f"{folder}/" for folder in folders)
        raise InputError(f"{data_dir}: it holds neither {' nor '.join([', '.join(others), last])}")


def _line(number: int, total: int, title: str, result: PartResult, seconds: float) -> str:
    parts = [
        f"{count} {name}{'' if count == 1 else 's'}"
        for count, name in (
            (len(result.cells), "cell"),
            (sum(len(table.rows) for table in result.tables), "row"),
            (len(result.figures), "figure"),
        )
        if count
    ]
    if result.missing:
        parts.append(f"{len(result.missing)} missing")
    return f"[{number}/{total}] {title}: {', '.join(parts) or 'nothing'} ({seconds:.1f} s)"
