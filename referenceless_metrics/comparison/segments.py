"""The table of segments: outputs of systems side by side, the segments whose values differ most, and explanations.

The page shows it by Tabulator 6 (MIT licence, in the folder `tabulator`), without script or in print as a plain table.
"""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.results import MetricResult, as_plain
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Floats, Integers, Record
from referenceless_metrics.human_evaluation.inference.output_ratings import Systems
from referenceless_metrics.pages.app.explainer import Scored, explainer, unreported
from referenceless_metrics.pages.rendering import copying, script_hash, shown

if TYPE_CHECKING:
    from referenceless_metrics.comparison.comparison import Comparison

MOST_EXPLAINED = 300
"""Most segments that the page explains, those with the largest differences."""

MOST_PLAIN = 50
"""Rows of the plain table."""

_LARGEST = 1_000_000  # most characters of the packed explanations
_OF_AN_APP = re.compile(r'<h3>\w+ \d+</h3>| id="explained-score"| aria-live="polite"')
"""Parts of an explanation that only the app needs."""


@dataclass(frozen=True)
class Measure:
    """Values of systems' texts on a page: a metric's, or people's ratings.

    Attributes:
        title: its name on the page.
        results: results for each system's texts.
        metric: the metric that gave them; None for ratings.
        comparison: the comparison of the systems by it; None if nothing is compared.
        beside: references and sources, one per segment, for a metric that reads them.
        explained: whether the metric's own explanations hold for these values.
        are_ratings: whether people gave the values.
        criterion: the criterion of ratings; "" for one without a name.
        marked: for each system, the errors that raters marked in its texts, as HTML by the index of the segment; None
            for nothing.
    """

    title: str
    results: Sequence[MetricResult]
    metric: Metric | None = None
    comparison: Comparison | None = None
    beside: Record | None = None
    explained: bool = True
    are_ratings: bool = False
    criterion: str = ""
    marked: Sequence[Mapping[int, str]] | None = None

    @cached_property
    def values(self) -> Floats:
        """The values of s systems' texts, shape (s, n), NaN if there is none."""
        values = np.array([result.values for result in self.results], dtype=float)
        return np.where(np.isfinite(values), values, np.nan)

    @property
    def n_covered(self) -> int:
        """Number of texts with a value."""
        return int(np.isfinite(self.values).sum())

    @cached_property
    def unit(self) -> str:
        """The unit of a value, in words; "" for none."""
        return "" if self.metric is None else explainer(self.metric).unit

    @cached_property
    def digits(self) -> int:
        """Number of decimals of a value."""
        if self.metric is None or (self.comparison is not None and self.comparison.is_of_corpus):
            return 2
        return explainer(self.metric).digits(Scored({"texts": []}, self.metric, None, self.results[0]))

    def explanations(self, systems: Systems, places: Integers) -> list[list[str]]:
        """Return explanations of the values of some segments, a list of HTML for each system."""
        if self.marked is not None:
            return [[of_system.get(int(place), "") for place in places] for of_system in self.marked]
        if self.metric is None or not self.explained:
            return [[""] * len(places) for _ in systems]
        part = explainer(self.metric)
        beside = {name: [each[i] for i in places] for name, each in (self.beside or {}).items() if each is not None}
        choices = [choice.options["value"] for choice in part.choices]
        explanations = []
        for (_, texts), result in zip(systems, self.results, strict=True):
            given: Record = {"texts": [texts[i] for i in places], **beside}
            extra = None if part.takes_pool else part.prepare(given, {}, unreported)[1]
            scored = Scored(given, self.metric, extra, replace(result.take(places), details=result.details))
            explained = part.explanations_html(scored, *choices)
            explanations.append([_OF_AN_APP.sub("", html) for html in explained])
        return explanations


class Segments(NamedTuple):
    """Content of the table of n segments.

    Attributes:
        data: JSON that may stand in a script: no text can end it.
        explanations: explanations of some segments, as JSON, packed (gzip, Base64).
        n_explained: number of these segments.
        n_copies: number of texts that are rated texts of a metric's own.
        plain: the segments of the plain table, counted from 0, the largest differences first.
        differences: difference of each segment, shape (n,); NaN if fewer than two values are known.
    """

    data: str
    explanations: str
    n_explained: int
    n_copies: int
    plain: list[int]
    differences: Floats


def segments(
    systems: Systems,
    measures: Sequence[Measure],
    groups: Sequence[str] | None = None,
    inputs: Record | None = None,
) -> Segments:
    """Put the segments of systems side by side.

    The difference is the greatest less the least value by the first measure, or of one system between the first and
    the last measure.

    Args:
        systems: s names with n texts each.
        measures: their values, the first of which leads.
        groups: the groups of the segments.
        inputs: the segments' `sources`, one text each, and `references`, one list each; None for none.
    """
    differences = _differences(measures)
    order = np.argsort(-differences, kind="stable")  # NaN comes last
    packed, n_explained = _packed_explanations(systems, measures, order[:MOST_EXPLAINED])
    rated = _rated_texts(measures)
    copies = [[place for place, text in enumerate(texts) if text in rated] for _, texts in systems]
    given = inputs or {}
    sources, references = given.get("sources"), given.get("references")
    content = {
        "systems": [shown(name) for name, _ in systems],
        "measures": [
            {"title": measure.title, "digits": measure.digits, "marked": measure.marked is not None}
            for measure in measures
        ],
        "differences": differences,
        "groups": groups,
        "sources": [shown(str(source)) for source in sources] if sources else None,
        "references": [list(map(shown, of)) for of in references] if references else None,
        "texts": [[shown(text) for text in texts] for _, texts in systems],
        "copies": copies,
        "lengths": [[len(text) for text in texts] for _, texts in systems],
        "values": [list(measure.values) for measure in measures],
        "reasons": [[result.reasons for result in measure.results] for measure in measures],
    }
    return Segments(
        data=as_script(content),
        explanations=packed,
        n_explained=n_explained,
        n_copies=sum(map(len, copies)),
        plain=order[:MOST_PLAIN].tolist(),
        differences=differences,
    )


def _differences(measures: Sequence[Measure]) -> Floats:
    """Return the greatest less the least value of each segment, shape (n,); NaN if fewer than two are known."""
    values = measures[0].values
    if len(values) == 1:  # one system: between the first and the last measure
        values = np.concatenate([values, measures[-1].values])
    spread = np.fmax.reduce(values) - np.fmin.reduce(values)
    n_known = np.isfinite(values).sum(axis=0)
    return np.where(n_known > 1, spread, np.nan)


def _packed_explanations(systems: Systems, measures: Sequence[Measure], explained: Integers) -> tuple[str, int]:
    """Return explanations of as many segments as fit the page, packed (gzip, Base64), and their number.

    Args:
        systems: the systems.
        measures: their values.
        explained: the segments, the most important first.
    """
    by_measure = [measure.explanations(systems, explained) for measure in measures]
    n = len(explained)
    while n:
        of_each = {}
        for i, place in enumerate(explained[:n]):
            of_each[str(place)] = [[each[i] for each in part] for part in by_measure]
        packed = b64encode(gzip.compress(json.dumps(of_each).encode(), mtime=0))
        if len(packed) <= _LARGEST:
            return packed.decode(), n
        n = n * _LARGEST * 9 // len(packed) // 10  # a tenth fewer than in proportion
    return "", 0


def _rated_texts(measures: Sequence[Measure]) -> set[str]:
    """Return the rated texts of metrics that some of the shown texts are."""
    rated: set[str] = set()
    for measure in measures:
        if any(result.n_rated_texts for result in measure.results):
            rated.update(getattr(measure.metric, "texts_", ()))
    return rated


def as_script(content: Record) -> str:
    """Return content as JSON that may stand in a script."""
    return json.dumps(as_plain(content), ensure_ascii=False, allow_nan=False).replace("<", r"\u003c")


@cache
def assets() -> dict[str, str]:
    """Return the script that shows the table, its hash as a policy names it, and its style."""
    here = files(__package__)
    library = (here / "tabulator/tabulator.min.js").read_text("utf-8").partition("//# sourceMappingURL")[0]
    own = (here / "templates/segments.js").read_text("utf-8")
    script = f"{library}\n{own}\n{copying()['script']}"
    return {
        "script": script,
        "script_hash": script_hash(script),
        "table_style": (here / "tabulator/tabulator_simple.min.css").read_text("utf-8"),
    }
