"""Findings of ratings or preferences, ready to be written by `human-score`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.wording.drawn import NO_ESTIMATES, Estimated
from referenceless_metrics.human_evaluation.wording.headline import limit_last
from referenceless_metrics.human_evaluation.wording.phrases import listed
from referenceless_metrics.pages.findings import FOR_THE_PAPER, IF_A_RATER_LEFT

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.inference.human_score import Contrast, HumanScores
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable


_TO_QUOTE = (FOR_THE_PAPER, IF_A_RATER_LEFT)
_NAMES = ("less", "made", "letters")
"""Columns of words, which rows without a comparison lack."""


@dataclass(frozen=True)
class Analysis:
    """Findings of ratings or preferences, by one criterion.

    Attributes:
        headline: the findings in a sentence.
        rows: the findings as a table.
        lines: the findings in words.
        baseline: the system with which the gate compares the others.
        contrasts: the differences or win rates on which the gate rests.
        scores: the scores of ratings, for a drawing; None of preferences.
        notes: ratings that were left out, in sentences.
        criterion: the criterion; "" if it has no name.
        below: sentences on figures of the table, which stand right below it.
        mqm_weights: the weights of errors, in words, if the ratings are the scores of MQM; "" for others.
        estimated: the estimates that take part; none of preferences.
        caption: the headline as it stands in a caption, without the system with the highest mean; "" for the headline.
    """

    headline: str
    rows: list[Record]
    lines: list[str]
    baseline: str
    contrasts: Sequence[Contrast]
    scores: HumanScores | None = None
    notes: Sequence[str] = field(default=())
    criterion: str = ""
    below: Sequence[str] = ()
    mqm_weights: str = ""
    estimated: Estimated = NO_ESTIMATES
    caption: str = ""


def of_slice(part: str, rows: Sequence[Record]) -> list[Record]:
    """Return rows with the slice that they are of in front; "" for all items."""
    return [{"slice": part, **row} for row in rows]


@dataclass(frozen=True)
class Findings:
    """Findings by one criterion or several, as they are written.

    Attributes:
        headline: one sentence per criterion.
        rows: the criteria's rows, with the criterion in front if it has a name.
        lines: the criteria's sentences, with the criterion in front if it has a name.
        notes: ratings that were left out, in sentences.
        analyses: one per criterion.
        is_unfinished: whether they are of a study that lacks answers.
        basis: further sentences for the note below a table.
        caption: the headlines as they stand in a caption.
    """

    headline: str
    rows: list[Record]
    lines: list[str]
    notes: list[str]
    analyses: Sequence[Analysis]
    is_unfinished: bool = False
    basis: Sequence[str] = ()
    caption: str = ""


def in_order(found: Iterable[object], analyses: Iterable[Analysis]) -> list[Analysis]:
    """Return the analyses of all criteria in their order.

    Args:
        found: for each criterion its analysis, or the ratings from which one of the others was made.
        analyses: the others, in the same order.
    """
    others = iter(analyses)
    return [each if isinstance(each, Analysis) else next(others) for each in found]


def joined(analyses: Sequence[Analysis], notes: Sequence[str], unfinished: str = "", of_studies: str = "") -> Findings:
    """Return the findings by all criteria.

    Args:
        analyses: one per criterion.
        notes: ratings that were left out of all, in sentences.
        unfinished: the progress of a study that lacks answers, a sentence to open with; "" otherwise.
        of_studies: what holds of several studies that are analysed together, likewise.
    """
    rows: list[Record] = []
    lines = named_lines([(each.criterion, each.lines) for each in analyses])
    told = list(notes)
    headlines = named_lines([(each.criterion, [each.headline]) for each in analyses], names_all=True)
    captions = named_lines([(each.criterion, [each.caption or each.headline]) for each in analyses], names_all=True)
    columns = dict.fromkeys(name for each in analyses for row in each.rows for name in row)
    for each in analyses:
        rows += of_criterion(each.criterion, [_padded(row, columns) for row in each.rows])
        told += [with_name(each.criterion, note) for note in each.notes]
    on_correction = _on_correction(analyses)
    if on_correction:
        lines.insert(0, on_correction)
    lines[:0] = filter(None, (of_studies, unfinished))
    lines[:0] = named_lines([(each.criterion, each.below) for each in analyses])
    lines = quotes_last(lines)
    caption = " ".join(limit_last(captions))
    return Findings(" ".join(limit_last(headlines)), rows, lines, told, analyses, bool(unfinished), caption=caption)


def quotes_last(lines: Iterable[str]) -> list[str]:
    """Return the sentences that are there, those to quote together at the end."""
    return sorted(filter(None, lines), key=lambda line: line.startswith(_TO_QUOTE))


def on_studies(table: RatingTable, what_counts: str) -> tuple[str, ...]:
    """Return the sentences for the note below a table: of several studies, and of one that lacks answers.

    Args:
        table: the ratings, or preferences.
        what_counts: what the figures are of, in words.
    """
    together = (table.together,) if table.together else ()
    if table.n_complete is None or table.planned is None:
        return together
    return (*together, f"Of {table.planned} items {table.n_complete} have all answers; {what_counts}.")


def _padded(row: Record, columns: Iterable[str]) -> Record:
    """Return a row with all columns: a figure that it lacks is NaN, and a name is empty."""
    return {name: row.get(name, "" if name in _NAMES else math.nan) for name in columns}


def of_criterion(name: str, rows: Sequence[Record]) -> list[Record]:
    """Return rows with their criterion in front, if it has a name."""
    return [{"criterion": name, **row} for row in rows] if name else list(rows)


def named_by_pair(row: Record) -> Record:
    """Return a row in which a difference is named by both of its systems, in one cell."""
    if "less" not in row:
        return row
    name = f"{row['system']} less {row['less']}" if row["less"] else row["system"]
    return {key: name if key == "system" else cell for key, cell in row.items() if key != "less"}


def named_lines(parts: Sequence[tuple[str, Sequence[str]]], *, names_all: bool = False) -> list[str]:
    """Return the sentences of all criteria, each once, with the criteria that have it in front.

    A sentence of several stands behind all that stand before it in any of them.

    Args:
        parts: each criterion with its sentences.
        names_all: whether criteria stand in front of a sentence that all of them have, too.

    >>> parts = [("fluency", ["24 items.", "High."]), ("style", ["24 items.", "Low."]), ("form", ["24 items.", "Low."])]
    >>> named_lines(parts)
    ['24 items.', 'fluency: High.', 'style and form: Low.']
    """
    told = []
    for line in _in_order([list(filter(None, dict.fromkeys(lines))) for _, lines in parts]):
        names = [name for name, lines in parts if line in lines]
        is_plain = len(names) == len(parts) > 1 and not names_all
        told.append(line if is_plain else with_name(listed(names), line))
    return told


def _in_order(parts: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of all parts, each once, none before one that is ahead of it in a part.

    Where parts have the same lines in another order, that of the first counts.

    >>> _in_order([["24 items.", "High.", "No metric."], ["24 items.", "Low.", "No metric."]])
    ['24 items.', 'High.', 'Low.', 'No metric.']
    """
    rests = [list(part) for part in parts]
    found: list[str] = []
    while any(rests):
        heads = [rest[0] for rest in rests if rest]
        free = (line for line in heads if all(rest[0] == line for rest in rests if line in rest))
        line = next(free, heads[0])
        found.append(line)
        rests = [[each for each in rest if each != line] for rest in rests]
    return found


def with_name(criterion: str, sentence: str) -> str:
    """Return a sentence with its criterion in front, if it has a name; it stays one to quote.

    A sentence in quotation marks names its criterion itself.
    """
    if not criterion:
        return sentence
    for beginning in _TO_QUOTE:
        if sentence.startswith(f'{beginning}"'):
            return sentence
        if sentence.startswith(beginning):
            return f"{beginning}{criterion}: {sentence.removeprefix(beginning)}"
    return f"{criterion}: {sentence}"


def _on_correction(analyses: Sequence[Analysis]) -> str:
    """Say for how many comparisons p is corrected, with the level of the intervals; "" for a single comparison."""
    from referenceless_metrics.human_evaluation.wording.holm_level import holm_sentence

    contrasts = [contrast for each in analyses for contrast in each.contrasts]
    n = len(contrasts)
    several = ""
    if len(analyses) > 1:
        names = ", ".join(each.criterion for each in analyses)
        if not n and any(len(each.rows) > 1 for each in analyses):
            return ""
        if not n:
            return f"{len(analyses)} criteria ({names}) and no second system: nothing is compared."
        several = (
            f"p of differences is corrected for all {n} comparisons by {len(analyses)} criteria ({names}) together "
            "(Holm). "
        )
    if n < 2 or not any(contrast.mean.is_known for contrast in contrasts):
        return several.strip()
    return several + holm_sentence(contrasts[0].level, n, contrasts[0].EQUAL_TOLD)
