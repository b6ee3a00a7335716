"""The published figures of Ethayarajh & Sadigh (2020): Tables 1 to 3, and those in the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from referenceless_papers.ethayarajh.cells import HUSE_TASKS, Cell, Missing

SPEARMAN, SIGNIFICANT = "Spearman", "Spearman, p < 0.01"
LEVEL = 0.01

_TASKS = ("dialogue", "language_model", "summarization")

#: Table 1: mean squared error, Spearman's ρ and coverage, for each of `_TASKS` in turn.
HUMANS = {
    "best": ((0.0208, 0.878, 1.0), (0.0177, 0.861, 1.0), (0.0200, 0.921, 1.0)),
    "average": ((0.0807, 0.456, 1.0), (0.0719, 0.472, 1.0), (0.0802, 0.405, 1.0)),
}
#: Table 1: the same by model, and whether ρ is marked as significant.
MODELS = {
    "BLEU Neighbors": ((0.0164, 0.470, 0.76, True), (0.0204, 0.575, 0.41, True), (0.0213, 0.325, 0.99, True)),
    "ROUGE Neighbors": ((0.0197, 0.342, 0.86, True), (0.0174, 0.077, 0.47, False), (0.0226, 0.245, 0.97, True)),
    "METEOR Neighbors": ((0.0165, 0.382, 0.47, True), (0.0209, 0.395, 0.22, False), (0.0180, 0.240, 0.12, False)),
    "BERTScore Neighbors": ((0.0229, 0.150, 0.89, True), (0.0192, 0.566, 0.32, True), (0.0223, 0.225, 0.53, False)),
}
#: Table 2: ρ by the task whose ratings are the pool, for each of `_TASKS` as the one that is estimated.
ACROSS = {
    "dialogue": (0.470, 0.206, 0.032),
    "language_model": (0.310, 0.575, -0.070),
    "summarization": (0.276, 0.095, 0.325),
}
#: Table 3: ρ on topic 3 by the training topic, and whether it is marked as significant. Coverage is 1 throughout.
ESSAYS = {
    "1": (0.301, False),
    "2": (0.392, False),
    "4": (-0.128, False),
    "5": (0.466, True),
    "6": (0.383, False),
    "7": (0.305, False),
    "8": (0.500, True),
    "9": (0.375, False),
    "10": (0.437, True),
    "all but 3": (0.465, True),
}
#: Table 3: ρ of metrics that compare with a reference essay. Coverage is 1 throughout.
REFERENCES = {
    "ROUGE-L": 0.441,
    "WMS (GloVe)": 0.429,
    "WMS (ELMo)": 0.443,
    "SMS (GloVe)": 0.457,
    "SMS (ELMo)": 0.451,
    "S+WMS (GloVe)": 0.488,
    "S+WMS (ELMo)": 0.490,
}
#: Figures in the text, by part, row and figure.
TEXT = {
    ("settings", "HUSE", "τ"): 0.08,
    ("settings", "HUSE", "a"): 5.0,
    ("settings", "HUSE", "b"): 0.66,
    ("settings", "ASAP-SAS", "τ"): 0.08,
    ("settings", "ASAP-SAS", "a"): 5.0,
    ("settings", "ASAP-SAS", "b"): 1.0,
    ("settings", "ASAP-SAS", "b, where it is unbounded"): float("inf"),
    ("settings", "ROUGE Neighbors", "τ"): 0.06,
    ("settings", "METEOR Neighbors", "τ"): 0.18,
    ("settings", "BERTScore Neighbors", "τ"): 0.1,
    ("settings", "Section 4, HUSE", "judgements a text"): 20.0,
    ("settings", "Section 4, HUSE", "highest rating"): 5.0,
    ("figures-2-3", "Section 5.2, where ρ is highest", "a, from"): 30.0,
    ("figures-2-3", "Section 5.2, where ρ is highest", "a, to"): 35.0,
    ("figures-2-3", "Section 5.2, open-ended generation, where ρ drops", "b, first"): 0.2,
    ("figures-2-3", "Section 5.2, open-ended generation, where ρ drops", "b, second"): 0.7,
    ("low-hanging-fruit", "Section 5.3, chit-chat dialogue", "annotators' MSE, covered against all, relative"): -0.156,
    ("low-hanging-fruit", "Section 5.3, chit-chat dialogue", "annotators' MSE, ROUGE's covered minus BLEU's"): 0.0002,
    ("figure-4", "Section 5.5, dialogue and generation", "rated texts for ρ > 0.30"): 75.0,
    ("figure-4", "Section 5.5, dialogue and generation", "coverage at 75 rated texts, at least"): 0.6,
    ("figure-4", "Section 5.5", "draws at each size"): 20.0,
}
#: Why a figure cannot be measured here, whatever data a user has.
_NEVER = {
    "b, where it is unbounded": "the same as b = 1: no text has more neighbours than the pool has texts",
    "b, first": "read off a curve by eye; the table of Figure 3 gives ρ by b for headlines",
    "b, second": "read off a curve by eye; the table of Figure 3 gives ρ by b for headlines",
}


@dataclass(frozen=True)
class Published:
    """One published figure.

    Attributes:
        part: the part of the reproduction that it belongs to.
        row: where it stands in the paper, in the words of the reproduction.
        figure: which figure.
        value: its value; for a mark of significance 1 or 0.
    """

    part: str
    row: str
    figure: str
    value: float


@cache
def published_figures() -> dict[tuple[str, str], Published]:
    """Return every published figure, by row and figure."""
    return {(each.row, each.figure): each for each in _all()}


def published(row: str, figure: str) -> float | None:
    """Return a published value; None where the paper gives none."""
    found = published_figures().get((row, figure))
    return None if found is None else found.value


def with_published(cells: Sequence[Cell], part: str, missing: Sequence[Missing]) -> list[Cell]:
    """Return a part's cells, and one for each published figure that was not measured, with the reason.

    Args:
        cells: the measured cells.
        part: the part's name.
        missing: what it could not measure; the reason of a row is that of the entry that it begins with, else the
            first.
    """
    measured = {(cell.table, cell.figure) for cell in cells}
    result = [replace(cell, why="nothing is covered") if _is_bare(cell) else cell for cell in cells]
    for each in published_figures().values():
        if each.part == part and (each.row, each.figure) not in measured:
            why = _NEVER.get(each.figure) or _reason(each.row, missing)
            result.append(Cell(each.row, each.figure, each.value, float("nan"), why=why))
    return result


def _is_bare(cell: Cell) -> bool:
    return cell.measured != cell.measured and not cell.why


def _reason(row: str, missing: Sequence[Missing]) -> str:
    fitting = [each.why for each in missing if row.startswith(each.what) or each.what.startswith(row)]
    return next(iter([*fitting, *(each.why for each in missing)]), "its data are not there")


def _all() -> Iterator[Published]:
    for place, task in enumerate(_TASKS):
        row = f"Table 1, {HUSE_TASKS[task]}, human annotators"
        for who, human in HUMANS.items():
            for figure, value in zip(("MSE", SPEARMAN, "coverage"), human[place], strict=True):
                yield Published("humans", row, f"{who} {figure}", value)
        for model, figures in MODELS.items():
            row = f"Table 1, {HUSE_TASKS[task]}, {model}"
            for figure, value in zip(("MSE", SPEARMAN, "coverage", SIGNIFICANT), figures[place], strict=True):
                yield Published("table-1", row, figure, float(value))
    for source, values in ACROSS.items():
        for target, value in zip(_TASKS, values, strict=True):
            row = f"Table 2, trained on {HUSE_TASKS[source]}, tested on {HUSE_TASKS[target]}"
            yield Published("table-2", row, SPEARMAN, value)
    for topic, (value, significant) in ESSAYS.items():
        row = essay_row(topic)
        yield Published("table-3", row, SPEARMAN, value)
        yield Published("table-3", row, SIGNIFICANT, float(significant))
        yield Published("table-3", row, "coverage", 1.0)
    for metric, value in REFERENCES.items():
        row = f"Table 3, {metric} against a reference essay"
        yield Published("references", row, "Spearman, mean over references", value)
        yield Published("references", row, "coverage", 1.0)
    for (part, row, figure), value in TEXT.items():
        yield Published(part, row, figure, value)


def essay_row(topic: str) -> str:
    """Return the row of Table 3 for a training topic."""
    return f"Table 3, trained on {'all but topic 3' if topic == 'all but 3' else f'topic {topic}'}"
