"""Error spans that raters mark: severities and categories, spans as JSON, and spans that are marked beforehand.

Error span annotation (ESA; Kocmi et al. 2024, "Error Span Annotation", WMT) asks a rater to mark the errors in a text
as minor or major, and then for a score from 0 to 100. MQM's annotations also name the category of each error.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from referenceless_metrics.core.files.escaping import ORDERING, visible
from referenceless_metrics.core.support.validation import InputError, Record, describe
from referenceless_metrics.human_evaluation.exports.rows import Span

SPANS = "spans"
"""Name under which tables and files hold the marked errors beside the criteria."""

SCORE = "score"
"""Name of the score that a rater gives after marking errors, if no criteria are named."""

SEVERITIES = ("minor", "major")
"""Severities of errors, the mildest first."""


class MarkedSpan(NamedTuple):
    """An error that a rater marked, or that was marked beforehand.

    Attributes:
        start: its first character in the text, counted from 0.
        end: the character behind its last one.
        severity: one of `SEVERITIES`.
        category: such as `Accuracy/Omission`; "" for none.
        prefilled: the number of the span, marked beforehand, that the rater kept or changed; None for the rater's own.
    """

    start: int
    end: int
    severity: str
    category: str = ""
    prefilled: int | None = None

    @property
    def span(self) -> Span:
        """The span as exports of other tools have it."""
        return Span(self.start, self.end, self.severity, self.category)


@dataclass(frozen=True)
class SpanTask:
    """The marking of errors that a study asks for.

    Attributes:
        categories: categories of errors, one of which each span is given; none for severities alone.
        prefilled: spans that are marked beforehand, by the text that they are in.
        origin: the one who marked them, such as `fluency` or a file's name; "" if none are.
    """

    categories: tuple[str, ...] = ()
    prefilled: Mapping[str, tuple[MarkedSpan, ...]] = field(default_factory=dict)
    origin: str = ""

    @classmethod
    def of_record(cls, record: Record) -> SpanTask:
        """Return a task from the record in a study's file."""
        prefilled = {
            text: read_spans(spans, text, tuple(record["categories"])) for text, spans in record["prefilled"].items()
        }
        return cls(tuple(record["categories"]), prefilled, record["origin"])

    def record(self) -> Record:
        """Return the task as `of_record` reads it."""
        prefilled = {text: [_plain(span) for span in spans] for text, spans in self.prefilled.items()}
        return {"categories": list(self.categories), "prefilled": prefilled, "origin": self.origin}

    def marked_before(self, text: str) -> tuple[MarkedSpan, ...]:
        """Return the spans of a text that are marked beforehand, numbered from 0."""
        spans = self.prefilled.get(text, ())
        return tuple(span._replace(prefilled=number) for number, span in enumerate(spans))

    def plain_before(self, text: str) -> list[Record]:
        """Return the spans of a text that are marked beforehand, as JSON has them."""
        return [_plain(span) for span in self.marked_before(text)]


def _plain(span: MarkedSpan) -> Record:
    """Return a span as JSON has it, without absent fields."""
    plain: Record = {"start": span.start, "end": span.end, "severity": span.severity}
    if span.category:
        plain["category"] = span.category
    if span.prefilled is not None:
        plain["prefilled"] = span.prefilled
    return plain


def written_spans(spans: Sequence[MarkedSpan]) -> str:
    """Return spans as JSON, as they stand in a rater's file.

    >>> written_spans([MarkedSpan(0, 4, "minor")])
    '[{"start": 0, "end": 4, "severity": "minor"}]'
    """
    return json.dumps([_plain(span) for span in spans], ensure_ascii=False)


def spans_of_json(answer: str, text: str, task: SpanTask) -> tuple[MarkedSpan, ...]:
    """Return the spans that a rater marked in a text, from JSON.

    Raises:
        InputError: for anything but a list of spans in the text, with known severities and categories.
    """
    try:
        content = json.loads(answer)
    except ValueError:
        raise InputError(f"expected marked errors as JSON, [] for none, but got {describe(answer)}") from None
    spans = read_spans(content, text, task.categories)
    n_before = len(task.prefilled.get(text, ()))
    for span in spans:
        if span.prefilled is not None and not 0 <= span.prefilled < n_before:
            raise InputError(f"span {span.prefilled} was not marked beforehand: {n_before} were")
    return spans


def read_spans(content: Any, text: str, categories: Sequence[str]) -> tuple[MarkedSpan, ...]:
    """Return spans from a list of records.

    Raises:
        InputError: for anything but spans in the text, with known severities and categories.
    """
    if not isinstance(content, list):
        raise InputError(f"expected a list of marked errors, [] for none, but got {describe(content)}")
    return tuple(_read_span(each, text, categories) for each in content)


def _read_span(record: Any, text: str, categories: Sequence[str]) -> MarkedSpan:
    """Return a span from a record with start, end, severity and, optional, category and prefilled."""
    if not isinstance(record, Mapping):
        raise InputError(f"expected an error with start, end and severity, but got {describe(record)}")
    start = _whole(record, "start")
    end = _whole(record, "end")
    if not 0 <= start < end <= len(text):
        raise InputError(
            f"the error from {start} to {end} is not in the text, which has {len(text)} characters: {describe(text)}"
        )
    severity = str(record.get("severity") or "").strip().lower()
    if severity not in SEVERITIES:
        raise InputError(f"expected {' or '.join(SEVERITIES)} as a severity, but got {describe(severity)}")
    category = str(record.get("category") or "").strip()
    if category and category not in categories:
        known = f"one of {', '.join(categories)}" if categories else "no category"
        raise InputError(f"expected {known} as the category of an error, but got {describe(category)}")
    before = None if record.get("prefilled") is None else _whole(record, "prefilled")
    return MarkedSpan(start, end, severity, category, before)


def _whole(record: Mapping[Any, Any], name: str) -> int:
    """Return a whole number of a record.

    Raises:
        InputError: for anything else.
    """
    value = record.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"expected `{name}` of an error to be a whole number, but got {describe(value)}")
    return value


def read_categories(path: str | Path) -> tuple[str, ...]:
    """Read the categories of errors from a text file, one per line, such as `Accuracy/Omission`.

    Raises:
        InputError: for a file that cannot be read, or without categories.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: expected a text file with a category of errors per line: {error}") from None
    categories = tuple(dict.fromkeys(line.strip() for line in lines if line.strip()))
    if not categories:
        raise InputError(f"{path}: expected a category of errors per line, but it holds none")
    return categories


def markable(text: str) -> str:
    """Return a text as a page shows it for marking: as many characters, with none that reorders text or controls it.

    >>> markable("a" + chr(0x202E) + "b") == "a" + chr(0xFFFD) + "b"
    True
    """
    plain = ORDERING.sub("\ufffd", text).encode("utf-8", "replace").decode("utf-8")
    return visible(plain, keep="\t\n")


def fits(record: Record, text: str, categories: Sequence[str]) -> MarkedSpan | None:
    """Return a span of a tool's, or None if it is not in the text or has an unknown severity or category."""
    try:
        return _read_span(record, text, categories)._replace(prefilled=None)
    except InputError:
        return None
