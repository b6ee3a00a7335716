"""Part of a web page that a metric brings, and that of any metric that brings none.

A metric's `MetricSpec.explainer` returns a subclass of `Explainer`, which defines its part of the page.
"""

from __future__ import annotations

import inspect
import warnings
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from referenceless_metrics.core.files.output import render, rows_of_columns, shorten
from referenceless_metrics.core.metric import Metric, check_metric, score_texts
from referenceless_metrics.core.registry import MetricSpec, metric_names, metric_spec
from referenceless_metrics.core.results import MetricResult, warnings_of
from referenceless_metrics.core.support.validation import InputError, Options
from referenceless_metrics.pages.app.inputs import Input, pool_input, references_input, sources_input, texts_input
from referenceless_metrics.pages.app.layout import Control, fragment
from referenceless_metrics.pages.app.limits import check_count
from referenceless_metrics.pages.rendering import number

MOST_TEXTS = 20_000
MOST_RATED = 50_000
ROWS = 50
"""Most rows of the table that show at once; the file that the page offers holds all."""

ORDERS = ("as given", "highest first", "lowest first", "without a value first")

Report = Callable[[float, str], None]
"""Callback that takes the share of the work that is done, in [0, 1], and the name of the step."""


def unreported(share: float, doing: str) -> None:
    """Report to no one."""


class Token(NamedTuple):
    """A piece of a text on a colour: its contribution, the index of the colour, from 0, and the names of its marks."""

    text: str
    contribution: float
    bin: int
    marks: tuple[str, ...] = ()


class Column(NamedTuple):
    """A column of the table beside the values: one entry per text, a number with so many decimals, or lines."""

    label: str
    entries: Any
    digits: int | None = None


@dataclass(frozen=True)
class Scored:
    """Texts with their values, and further results.

    Attributes:
        given: the visitor's inputs by name: the texts, and their references or sources.
        metric: the metric, with its models or its pool.
        extra: further results that the metric's explainer computes once.
        result: the values of the n texts.
        notes: warnings from making the metric and from scoring.
    """

    given: Options
    metric: Any
    extra: Any
    result: MetricResult
    notes: tuple[str, ...] = ()

    @property
    def texts(self) -> list[str]:
        """The n texts."""
        texts: list[str] = self.given["texts"]
        return texts

    @property
    def shown_notes(self) -> list[str]:
        """The warnings to show: the notes, and doubts about the mean."""
        return [*self.notes, *warnings_of(self.result).values()]


class Explainer:
    """A metric's part of its page.

    Args:
        spec: the metric's entry.
        metric: the metric; None if the visitor brings its pool.

    Attributes:
        text: the word for a text on the page.
        value: the word for a value; "" for the metric's title.
        unit: unit of a value, in words; "" if there is none to name.
        takes_pool: whether the visitor brings rated texts, with which `prepare` makes the metric.
        sources: the word for sources.
        source_formats: the forms in which a source is written.
        settings: the metric's settings.
        heading: heading of the explanation of one text; "" if there is none.
        choices: choices of the explanation's content.
        credit: the end of the page, in Markdown.
        templates: the package whose templates come before those of any page.
    """

    text = "text"
    value = ""
    unit = ""
    takes_pool = False
    sources = "sources"
    source_formats = ""
    settings: ClassVar[tuple[Control, ...]] = ()
    heading = ""
    choices: ClassVar[tuple[Control, ...]] = ()
    credit = ""
    templates = __package__

    def __init__(self, spec: MetricSpec, metric: Metric | None) -> None:
        self.spec = spec
        self.metric = metric

    def introduction(self) -> str:
        """Return the beginning of the page, in Markdown."""
        assert self.metric is not None  # who takes a pool says more
        description = (inspect.getdoc(type(self.metric)) or "").split("\n\n")[0]
        return f"# {self.spec.title}\n\n{description}\n\nThe metric is `{self.metric.signature}`."

    def inputs(self) -> list[Input]:
        """Return the visitor's inputs, in the order of the page."""
        inputs = [texts_input(f"{self.text}s")]
        if self.takes_pool:
            return [*inputs, pool_input()]
        assert self.metric is not None
        if self.metric.needs_sources:
            inputs.insert(0, sources_input(self.sources, self.source_formats))
        return [*inputs, references_input()] if self.metric.needs_references else inputs

    def example(self) -> Mapping[str, Iterable[str]]:
        """Return lines for the inputs' boxes, by the inputs' names; nothing if there is no example."""
        return {}

    def prepare(self, given: Options, settings: Options, report: Report) -> tuple[Any, Any]:
        """Return the metric, and results that are computed before texts are scored (see `Scored.extra`)."""
        return self.metric, None

    def score(
        self,
        given: Options,
        settings: Options,
        report: Report = unreported,
    ) -> Scored:
        """Score texts.

        Args:
            given: the visitor's inputs, by name.
            settings: the metric's settings, by name.
            report: function that is told the progress of the work.

        Raises:
            InputError: for more texts than a page takes, or references or sources that do not belong to them.
            TypeError: for a setting of the wrong type.
            ValueError: for a setting outside its range, or inputs that the metric does not take.
        """
        command = f"`referenceless score --metric {self.spec.name}`"
        pool = given.get("pool")
        check_count(len(given["texts"]), MOST_TEXTS, f"{self.text}s", command)
        check_count(0 if pool is None else len(pool), MOST_RATED, "rated texts", command)
        sources = given.get("sources")
        if sources is not None and len(sources) == 1:  # one for all
            sources = sources * len(given["texts"])
        for what, lines in (("references", given.get("references")), (self.sources, sources)):
            if lines is not None and len(lines) != len(given["texts"]):
                raise InputError(f"There are {len(given['texts']):,} texts, but {len(lines):,} lines of {what}")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            metric, extra = self.prepare(given, settings, report)
            report(0.0 if pool is None else 0.4, f"scoring {len(given['texts']):,} texts")
            result = score_texts(metric, given["texts"], given.get("references"), sources)
        report(0.9, "drawing")
        notes = [str(warning.message) for warning in caught if issubclass(warning.category, UserWarning)]
        return Scored(given, metric, extra, result, tuple(dict.fromkeys(notes)))

    def digits(self, scored: Scored) -> int:
        """Return the number of decimals for a value."""
        return 3

    def scale(self, scored: Scored) -> tuple[float, float] | None:
        """Return the ends of the scale of ratings, on which intervals are drawn."""
        return None

    def columns(self, scored: Scored) -> list[Column]:
        """Return the columns of the table beside values and their intervals."""
        return [
            Column(name.replace("_", " "), column, 3 if column.dtype.kind == "f" else 0)
            for name, column in scored.result.columns.items()
            if name not in ("lower", "upper") and column.dtype.kind in "iuf"
        ]

    def summary_html(self, scored: Scored) -> str:
        """Return the figures about all texts."""
        return self.fragment("summary.html.j2", scored)

    def charts_html(self, scored: Scored) -> str:
        """Return charts of all texts."""
        return ""

    def explanation_html(self, scored: Scored, place: int, *choices: Any) -> str:
        """Return why one text has its value.

        Args:
            scored: all texts.
            place: the text, counted from 0.
            choices: the values of `choices`.
        """
        return ""

    def explanations_html(self, scored: Scored, *choices: Any) -> list[str]:
        """Return the same of every text, in order; an override may explain them at once."""
        return [self.explanation_html(scored, place, *choices) for place in range(len(scored.texts))]

    def table_html(self, scored: Scored, order: str, page: int = 0) -> str:
        """Return one page (from 0) of the table of texts in one of `ORDERS`."""
        result = scored.result
        return self.fragment(
            "table.html.j2", scored, places=places(result, order, page), first=page * ROWS, page=page, order=order,
            last_page=max(0, len(result) - 1) // ROWS, orders=ORDERS, columns=self.columns(scored),
            scale=self.scale(scored),
        )  # fmt: skip

    def file_html(self, scored: Scored) -> str:
        """Return a link that saves all texts with their values: made once, however often the table is turned."""
        result = scored.result
        columns: dict[str, Sequence[Any]] = {
            "text": scored.texts,
            self.spec.name: result.values.tolist(),
            **{name: column.tolist() for name, column in result.columns.items()},
            **{
                column.label.lower(): ["; ".join(one) for one in column.entries]
                for column in self.columns(scored)
                if column.digits is None
            },
            "reason": result.reasons,
        }
        encoded = b64encode(render(rows_of_columns(columns), {}, "csv-safe").encode("utf-8", "replace")).decode("ascii")
        return self.fragment("file.html.j2", scored, file=encoded)

    def texts_to_choose(self, scored: Scored, shown: Iterable[int]) -> list[tuple[str, int]]:
        """Return the label and the number of each of these texts, to choose one."""
        digits = self.digits(scored)
        return [
            (f"{place + 1} · {number(scored.result.values[place], digits)} · {shorten(scored.texts[place], 60)}", place)
            for place in shown
        ]

    def fragment(self, template: str, scored: Scored, **values: Any) -> str:
        """Return a template of the metric's package, or of any page, filled with the scored texts."""
        digits = self.digits(scored)
        return fragment(
            template, self.templates, part=self, scored=scored, result=scored.result, digits=digits, **values
        )


def explainer(metric: str | Metric, **options: Any) -> Explainer:
    """Return a metric's part of its page.

    Args:
        metric: a metric that is installed, by name, or an object of the protocol.
        options: further arguments of a metric given by name, such as `lm` for another language model.

    Raises:
        TypeError: for an unknown option, or options of a metric that is made already.
        ValueError: for an unknown metric, and as the metric itself raises.
    """
    if isinstance(metric, str):
        spec = metric_spec(metric)
    else:
        name = check_metric(metric).name
        spec = metric_spec(name) if name in metric_names() else MetricSpec(name, name, lambda: type(metric))
    part: type[Explainer] = Explainer if spec.explainer is None else spec.explainer()
    if options and not isinstance(metric, str):
        raise TypeError(f"Expected no options beside a metric that is made already, but got {', '.join(options)}")
    if part.takes_pool and not options:
        return part(spec, None)
    part = Explainer if part.takes_pool else part  # a visitor brings no pool if one is bound
    if not isinstance(metric, str):
        return part(spec, metric)
    make = spec.maker()
    return part(spec, make(**options))


def places(result: MetricResult, order: str, page: int = 0) -> list[int]:
    """Return the texts that a page of the table shows, in one of `ORDERS`; texts and pages are counted from 0."""
    keys = dict(zip(ORDERS, (np.arange(len(result)), -result.values, result.values, result.covered), strict=True))
    found: list[int] = np.argsort(keys[order], kind="stable").tolist()  # NaN comes last
    return found[page * ROWS : (page + 1) * ROWS]
