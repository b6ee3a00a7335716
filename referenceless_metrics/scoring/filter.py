"""The command `filter`: of a file of texts those that a metric lets pass, block by block."""

from __future__ import annotations

import operator
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from referenceless_metrics.command_line.base import Output, adding, input_options, progress_option, text_blocks
from referenceless_metrics.command_line.metric_command import ChosenMetrics, MetricCommand, metric_option, values_of
from referenceless_metrics.core.files.atomic import atomic_write, check_destination
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.output import render_rows
from referenceless_metrics.core.files.tables import BlockSize, Table
from referenceless_metrics.core.metric import score_texts
from referenceless_metrics.core.registry import MetricSpec, metric_names, metric_spec
from referenceless_metrics.core.results import MetricResult, as_plain
from referenceless_metrics.core.support.computing import progress_bar
from referenceless_metrics.core.support.validation import Booleans, InputError, Record

_CONDITION = re.compile(r"\s*(\w+)\s*(<=|>=|<|>)\s*(\S+)\s*")
_COMPARED: Mapping[str, Callable[[Any, float], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
FORMATS = ("txt", "csv", "jsonl")
#: Fewest seconds of work left of which the command says how long it will take.
_LONG = 120.0


class Condition(NamedTuple):
    """A condition on texts: a figure of the metric, compared with a number.

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
                f"expected conditions such as 'fluency_ngram > 0', joined by 'and', but got {part.strip()!r}"
            ) from None
    return conditions


class _FilterCommand(MetricCommand):
    def _implied(self, args: Sequence[str]) -> MetricSpec:
        """Return the metric that the conditions name, if --metric names none; else one that is fast enough."""
        named = [word for text in values_of(args, "--keep") for word in re.findall(r"\w+", text)]
        for name in named:
            if name in metric_names():
                return metric_spec(name)
        usual = super()._implied(args)
        return metric_spec(usual.in_bulk) if usual.in_bulk else usual


class _Sink:
    """Rows of one output, written as they come.

    Args:
        write: takes text.
        format: one of `FORMATS`.
    """

    def __init__(self, write: Callable[[str], object], format: str) -> None:
        self._write = write
        self._format = format
        self._is_empty = True

    def add(self, rows: Sequence[Record], texts: Sequence[str]) -> None:
        """Write rows, or in the format `txt` their texts.

        Raises:
            InputError: for a text with a line end, which a .txt file cannot hold.
        """
        if not rows:
            return
        if self._format == "txt":
            self._write("".join(map(_line, texts)))
        else:
            self._write(render_rows(rows, self._format, header=self._is_empty))
        self._is_empty = False


@click.command(
    "filter",
    cls=_FilterCommand,
    epilog="Example: referenceless filter corpus.txt --keep 'fluency_ngram > 0' -o kept.txt",
)
@click.argument("file")
@click.option(
    "--keep", required=True, metavar="CONDITION", help="Such as 'fluency_ngram > 0'; several are joined by 'and'."
)
@adding(
    Output(["-o", "--output"], metavar="FILE", help="Kept texts: .txt, .csv or .jsonl.  [default: stdout]"),
    click.Option(
        ["-f", "--format"],
        type=click.Choice(FORMATS),
        help="Format of the kept texts.  [default: by the suffix of -o, else that of FILE]",
    ),
    Output(["--dropped"], metavar="FILE", help="Dropped texts with the reason: .csv or .jsonl."),
)
@metric_option
@input_options
@progress_option
def filter_command(
    chosen: ChosenMetrics,
    file: str,
    keep: str,
    output: str | None,
    format: str | None,
    dropped: str | None,
    **options: Any,
) -> None:
    """Keep the texts that meet conditions on a metric.

    FILE is read and written block by block, so that its length does not matter. A condition compares the metric's
    value, by its name, or one of its columns with a number. A text without a value is dropped. Rows of tables keep
    their columns and get the value. The metric is the one that the condition names; if it names none, fluency_ngram,
    which is fast enough for a corpus.
    """
    conditions = conditions_of(keep)
    chosen.check(options)
    to_file = output not in (None, "-")
    kept_format = format or _format_of(str(output) if to_file else file, FORMATS, "-o" if to_file else None)
    for path in (output if to_file else None, dropped):
        if path is not None:
            check_destination(path)
    dropped_format = _format_of(dropped, FORMATS[1:], "--dropped") if dropped is not None else ""
    metric = chosen.make(options)[0]
    if metric.needs_references or metric.needs_sources or getattr(metric, "set_dependent", False):
        raise click.UsageError(f"{metric.name} does not score texts alone, so that it filters nothing here")
    n_kept = n_texts = 0
    total = count_lines(file)
    begin = time.monotonic()
    with ExitStack() as files, progress_bar(total, "filtering", options["progress"]) as bar:
        kept_sink = _Sink(files.enter_context(atomic_write(str(output), "w")).write if to_file else _print, kept_format)
        dropped_sink = None
        if dropped is not None:
            dropped_sink = _Sink(files.enter_context(atomic_write(dropped, "w")).write, dropped_format)
        for table, texts in text_blocks(file, options, size=BlockSize()):
            result = score_texts(metric, texts)
            passes, reasons = passing(metric.name, result, conditions)
            rows = rows_with_values(table, metric.name, result)
            kept = np.flatnonzero(passes).tolist()
            kept_sink.add([rows[place] for place in kept], [texts[place] for place in kept])
            if dropped_sink is not None:
                failed = [{**rows[place], "reason": reasons[place]} for place in np.flatnonzero(~passes).tolist()]
                dropped_sink.add(failed, [])
            if not n_texts and total is not None and total > len(texts):
                _say_how_long(chosen.spec, len(texts), total - len(texts), time.monotonic() - begin)
            n_kept += len(kept)
            n_texts += len(texts)
            bar.update(len(texts))
    click.echo(f"kept {n_kept} of {n_texts} texts: {keep}\n{metric.signature}", err=True)


def rows_with_values(table: Table, name: str, result: MetricResult) -> list[Record]:
    """Return a table's rows with the metric's value beside their own columns.

    Raises:
        InputError: for a table that has a column of the metric's name.
    """
    if name in table.columns:
        raise InputError(f"{table.source}: it has a column {name!r} already, as the scores will have; rename it")
    return [{**row, name: value} for row, value in zip(table.rows, as_plain(result.values), strict=True)]


def count_lines(file: str) -> int | None:
    """Return how many texts a file holds at most, by its lines; None for what has no lines or is read but once."""
    path = Path(file)
    if path.suffix.lower() not in (".txt", ".csv", ".tsv", ".jsonl") or not path.is_file():
        return None
    with path.open("rb") as lines:
        return sum(block.count(b"\n") for block in iter(lambda: lines.read(2**20), b""))


def _say_how_long(spec: MetricSpec, n_read: int, n_left: int, seconds: float) -> None:
    """Say what the rest will take, and of a metric that is slow on a corpus which one is fast."""
    left = seconds / n_read * n_left
    if left < _LONG:
        return
    duration = f"{left / 60:.0f} minutes" if left < 5_400 else f"{left / 3_600:.1f} hours"
    told = f"{spec.name}: {n_read / seconds:,.0f} texts a second, about {duration} for the {n_left:,} that are left"
    if spec.in_bulk:
        told += f"; {spec.in_bulk} is far faster, on a scale of its own"
    click.echo(told, err=True)


def _print(text: str) -> None:
    click.echo(text, nl=False)


def _format_of(path: str, formats: Sequence[str], option: str | None) -> str:
    """Return the format that a file's suffix tells; for standard output that of the input, or JSON lines.

    Raises:
        click.UsageError: for another suffix of a file to write.
    """
    suffix = Path(path).suffix[1:].lower()
    if suffix in formats:
        return suffix
    if option is not None:
        raise click.UsageError(f"{option}: expected a file that ends in .{' or .'.join(formats)}, but got {path}")
    return "csv" if suffix == "tsv" else "txt" if path == STDIN else "jsonl"


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
