"""The command `filter`: of a file of texts those that a metric lets pass, block by block."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from referenceless_metrics.command_line.base import Output, adding, input_options, progress_option, text_blocks
from referenceless_metrics.command_line.metric_options import (
    MetricCommand,
    check_options,
    metric_option,
    metrics_from,
    values_of,
)
from referenceless_metrics.core.files.atomic import atomic_write, check_destination
from referenceless_metrics.core.files.output import render_rows
from referenceless_metrics.core.files.tables import BlockSize
from referenceless_metrics.core.metric import score_texts
from referenceless_metrics.core.registry import MetricSpec, metric_names, metric_spec
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.computing import progress_bar
from referenceless_metrics.core.support.validation import Booleans, InputError

_CONDITION = re.compile(r"\s*(\w+)\s*(<=|>=|<|>)\s*(\S+)\s*")
_COMPARED: Mapping[str, Callable[[Any, float], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_FORMATS = ("txt", "csv", "jsonl")


class Condition(NamedTuple):
    """What a text must meet: a figure of the metric, compared with a number.

    Attributes:
        figure: the metric's name, which means its value, or the name of one of its columns.
        sign: one of `<`, `<=`, `>` and `>=`.
        bound: the number.
    """

    figure: str
    sign: str
    bound: float


def conditions_of(text: str) -> list[Condition]:
    """Read conditions that are joined by `and`.

    >>> conditions_of("fluency > 0 and n_tokens>=5")[1]
    Condition(figure='n_tokens', sign='>=', bound=5.0)

    Raises:
        click.BadParameter: for anything else.
    """
    conditions = []
    for part in re.split(r"\band\b", text):
        match = _CONDITION.fullmatch(part)
        try:
            conditions.append(Condition(match[1], match[2], float(match[3])))  # type: ignore[index]
        except (TypeError, ValueError):
            raise click.BadParameter(
                f"expected conditions such as 'fluency > 0', joined by 'and', but got {part.strip()!r}"
            ) from None
    return conditions


class _FilterCommand(MetricCommand):
    def _implied(self, args: Sequence[str]) -> MetricSpec:
        """Return the metric that the conditions name, where --metric names none."""
        named = [word for text in values_of(args, "--keep") for word in re.findall(r"\w+", text)]
        return next((metric_spec(name) for name in named if name in metric_names()), super()._implied(args))


@click.command(
    "filter", cls=_FilterCommand, epilog="Example: referenceless filter corpus.txt --keep 'fluency > 0' -o kept.txt"
)
@click.argument("file")
@click.option("--keep", required=True, metavar="CONDITION", help="Such as 'fluency > 0'; several are joined by 'and'.")
@adding(
    Output(["-o", "--output"], required=True, metavar="FILE", help="What is kept: .txt, .csv or .jsonl."),
    Output(["--dropped"], metavar="FILE", help="What is dropped, with the reason: .csv or .jsonl."),
)
@metric_option
@input_options
@progress_option
def filter_command(spec: MetricSpec, file: str, keep: str, output: str, dropped: str | None, **options: Any) -> None:
    """Keep the texts that meet conditions on a metric.

    FILE is read and written block by block, so that its length does not matter. A condition compares the metric's
    value, by its name, or one of its columns with a number. A text without a value is dropped. Settings that make a
    metric fast enough for a corpus are taken unless others are given.
    """
    conditions = conditions_of(keep)
    check_options(options)
    for path, formats in ((output, _FORMATS), (dropped, _FORMATS[1:])):
        if path is not None:
            if _format_of(path) not in formats:
                raise click.UsageError(f"expected a file that ends in .{' or .'.join(formats)}, but got {path}")
            check_destination(path)
    in_bulk = {name: value for name, value in spec.in_bulk.items() if options.get(name) is None}
    if in_bulk:
        settings = " ".join(f"--{name.replace('_', '-')} {value}" for name, value in in_bulk.items())
        click.echo(f"{spec.name} as for a corpus: {settings}", err=True)
    metric = metrics_from({**options, **in_bulk})[0]
    if metric.needs_references or metric.needs_sources or getattr(metric, "set_dependent", False):
        raise click.UsageError(f"{spec.name} does not score texts alone, so that it filters nothing here")
    n_kept = n_texts = 0
    with ExitStack() as files, progress_bar(None, "filtering", options["progress"]) as bar:
        kept_file = files.enter_context(atomic_write(output, "w"))
        dropped_file = files.enter_context(atomic_write(dropped, "w")) if dropped else None
        for table, texts in text_blocks(file, options, size=BlockSize()):
            passes, reasons = passing(metric.name, score_texts(metric, texts), conditions)
            rows = list(zip(table.rows, texts, passes, reasons, strict=True))
            if _format_of(output) == "txt":
                kept_file.write("".join([_line(text) for _, text, passed, _ in rows if passed]))
            else:
                kept = [row for row, _, passed, _ in rows if passed]
                kept_file.write(render_rows(kept, _format_of(output), header=not n_kept))
            if dropped_file is not None:
                failed = [{**row, "reason": reason} for row, _, passed, reason in rows if not passed]
                dropped_file.write(render_rows(failed, _format_of(str(dropped)), header=n_kept == n_texts))
            n_kept, n_texts = n_kept + int(passes.sum()), n_texts + len(texts)
            bar.update(len(texts))
    click.echo(f"kept {n_kept} of {n_texts} texts: {keep}\n{metric.signature}", err=True)


def _format_of(path: str) -> str:
    return Path(path).suffix[1:].lower()


def _line(text: str) -> str:
    if "\n" in text or "\r" in text:
        raise InputError(f"a text holds a line end, which a .txt file cannot: write .jsonl ({text[:40]!r})")
    return f"{text}\n"


def passing(name: str, result: MetricResult, conditions: Sequence[Condition]) -> tuple[Booleans, list[str]]:
    """Return which texts meet all conditions, and why each of the others does not.

    Args:
        name: the metric's.
        result: of n texts.
        conditions: the conditions.

    Returns:
        Whether each text passes, shape (n,); and n reasons: the first condition that a text fails, or why it has no
        value, "" for those that pass.

    Raises:
        InputError: for a figure that the metric does not have.
    """
    passes: Booleans = result.covered.copy()
    reasons = [reason or "" for reason in result.reasons]
    columns = {**result.columns, name: result.values}
    for figure, sign, bound in conditions:
        if figure not in columns:
            raise InputError(f"--keep: the metric has no {figure!r}, but {', '.join(columns)}")
        meets = _COMPARED[sign](columns[figure], bound)
        for place in np.flatnonzero(passes & ~meets):
            reasons[place] = f"{figure} {columns[figure][place]:.4g}, not {sign} {bound:g}"
        passes &= meets
    return passes, reasons
