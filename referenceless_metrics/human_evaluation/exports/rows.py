"""The rows that an export of a tool becomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from referenceless_metrics.core.support.validation import InputError, finite_number
from referenceless_metrics.human_evaluation.language_pairs import are_languages

DOCUMENT = "document"
"""The name here of a column of clusters of an export."""

MARKED = "spans"
"""The name here of the marked errors of a row."""


class Span(NamedTuple):
    """An error that a rater marked.

    Attributes:
        start: its first character in the output, counted from 0; None for a part that is missing from the output.
        end: the character behind its last one; None for a part that is missing from the output.
        severity: its severity as the tool writes it, in small letters: "minor", "major".
        category: its category as the tool writes it, its parts joined by "/": "Accuracy/Omission"; "" for none.
    """

    start: int | None
    end: int | None
    severity: str
    category: str = ""


class ScoreRow(NamedTuple):
    """The scores that one system got on one item, in one run, from one rater.

    Attributes:
        system: its name.
        item: the item, as the tool tells it.
        scores: the scores by their names, as they stand in the file; None for a missing score.
        run: the repeated run; "" for none.
        text: the output; None if the export does not hold it.
        rater: the person or the judge; "" for none.
        cluster: a larger part that the item belongs to, such as its document; "" for none.
        slice: the task or test set that the item is of; "" for none.
        spans: the errors that the rater marked; None if no errors were asked for.
    """

    system: str
    item: str
    scores: Mapping[str, Any]
    run: str = ""
    text: str | None = None
    rater: str = ""
    cluster: str = ""
    slice: str = ""
    spans: tuple[Span, ...] | None = None


@dataclass(frozen=True)
class Export:
    """An export as rows.

    Attributes:
        tool: the name of the form.
        rows: one row per system, item, run and rater.
        notes: assumptions made and rows left out, in sentences.
        names_systems: whether the export itself names its systems; if not, its one system is called after the file.
        may_be_systems: whether several scores of the only file are scores of a system each.
        own_names: the file's own names of columns, from each to `item`, `rater`, `text` or `document`.
        further: further columns of the file that may tell items or languages, by their names, an entry for each row.
        columns: the columns of the file that `--where` takes; none of a form without columns.
        are_of_people: whether a form of scores tells that people gave these.
        scale: the ends of the scale of the score `score`, as the tool shows it to raters; None if it is not known.
        are_penalties: whether the only score is a negative sum of marked errors, so that 0 is the best.
        are_lines: whether items are the numbers of the lines that were scored, counted from 1 here.
    """

    tool: str
    rows: list[ScoreRow]
    notes: tuple[str, ...] = ()
    names_systems: bool = True
    may_be_systems: bool = False
    own_names: Mapping[str, str] = field(default_factory=dict)
    further: Mapping[str, Sequence[str]] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    are_of_people: bool = False
    scale: tuple[float, float] | None = None
    are_penalties: bool = False
    are_lines: bool = False

    @property
    def languages(self) -> dict[str, Sequence[str]]:
        """The further columns that tell languages."""
        return {name: cells for name, cells in self.further.items() if are_languages(name, cells)}

    def on_scale(self, scale: tuple[float, float]) -> Export:
        """Return the export with the scale that its tool shows to raters, if no score lies outside."""
        low, high = scale
        scores = [number for row in self.rows if (number := finite_number(row.scores.get("score"))) is not None]
        return replace(self, scale=scale) if all(low <= score <= high for score in scores) else self

    def check_scores(self, file: str) -> None:
        """Check that there are scores.

        Raises:
            InputError: for an export of a file that holds none.
        """
        if not any(row.scores for row in self.rows):
            raise InputError(f"{file}: there are no scores in it ({self.tool})")
