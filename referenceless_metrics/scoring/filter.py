"""The command `filter`: keeps the texts of a file that meet conditions on a metric, block by block."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.metric_command import (
    ADVICE,
    ChosenMetrics,
    MetricCommand,
    metric_option,
    values_of,
)
from referenceless_metrics.command_line.output_options import Output, progress_option
from referenceless_metrics.command_line.references_and_sources import SOURCE_COLUMN
from referenceless_metrics.command_line.text_options import INPUT, input_options, text_blocks
from referenceless_metrics.core.files.atomic import atomic_write, check_destination
from referenceless_metrics.core.files.formats_of_files import file_format
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.output import render_rows, rows_of_columns
from referenceless_metrics.core.files.reading import Reading, tell
from referenceless_metrics.core.files.tables import BlockSize, Table
from referenceless_metrics.core.metric import Metric, score_texts, worth_of
from referenceless_metrics.core.registry import MetricSpec, metric_names, metric_spec
from referenceless_metrics.core.results import LEARNED_FROM, MetricResult, as_plain
from referenceless_metrics.core.support.computing import moving, progress_bar
from referenceless_metrics.core.support.validation import InputError, Record, shortened
from referenceless_metrics.scoring.conditions import Condition, conditions_of, failures, passing
from referenceless_metrics.scoring.scored_columns import SIGNATURE, result_of_columns
from referenceless_metrics.scoring.summary import scale_lines

FORMATS = ("txt", "csv", "tsv", "jsonl")
_LONG = 120.0
"""Fewest seconds of remaining work that the command tells."""


class _FilterCommand(MetricCommand):
    def _implied(self, args: Sequence[str]) -> MetricSpec:
        """Return the metric that the conditions name, else one that is fast enough for a corpus."""
        named = [word for text in values_of(args, "--keep") for word in re.findall(r"\w+", text)]
        for name in named:
            if name in metric_names():
                return metric_spec(name)
        usual = super()._implied(args)
        return metric_spec(usual.in_bulk) if usual.in_bulk else usual


class _Sink:
    """An output to which rows are written, one block after the other.

    Args:
        write: a function that writes text.
        format: a format that holds rows.
        header: whether a table begins with the names of its columns.
    """

    def __init__(self, write: Callable[[str], object], format: str, *, header: bool) -> None:
        self._write = write
        self._format = format
        self._is_next_header = header

    def add(self, rows: Sequence[Record]) -> None:
        """Write rows."""
        if rows:
            self._write(render_rows(rows, self._format, header=self._is_next_header))
            self._is_next_header = False


class _ScoredBlock:
    """Texts of a file that were read together, with figures and whether each meets the conditions.

    Args:
        name: the name of the values.
        result: the result of a metric, or of the table's own columns.
        conditions: conditions on the values and columns of the result.
        table: the rows of the texts.
        texts: one text per row.
        has_values: whether rows hold the values already.
    """

    def __init__(
        self,
        name: str,
        result: MetricResult,
        conditions: Sequence[Condition],
        table: Table,
        texts: Sequence[str],
        *,
        has_values: bool,
    ) -> None:
        passes = passing(name, result, conditions)
        self._name, self._table, self._texts, self._result = name, table, texts, result
        self._kept = np.flatnonzero(passes).tolist()
        self._dropped = np.flatnonzero(~passes).tolist()
        self._conditions = conditions
        self._has_values = has_values

    @classmethod
    def by_metric(
        cls,
        metric: Metric,
        conditions: Sequence[Condition],
        source_column: str | None,
        table: Table,
        texts: Sequence[str],
    ) -> _ScoredBlock:
        """Return the block with the values of a metric that needs texts, and their sources at most.

        Raises:
            click.UsageError: for a table that has a column of the metric's name, or of its own.
            InputError: for a column of sources that the table does not have.
        """
        _check_has_no(table, metric.name)
        sources = None if source_column is None else table.column(source_column, "--source-column")
        result = score_texts(metric, texts, None, sources)
        if LEARNED_FROM in result.columns:
            _check_has_no(table, LEARNED_FROM)
        return cls(metric.name, result, conditions, table, texts, has_values=False)

    @classmethod
    def by_columns(cls, conditions: Sequence[Condition], table: Table, texts: Sequence[str]) -> _ScoredBlock:
        """Return the block with the numbers of the columns that the conditions name.

        Raises:
            InputError: for a column that the table does not have, and for a cell that is no number.
        """
        names = [condition.figure for condition in conditions]
        return cls(names[0], result_of_columns(table, names), conditions, table, texts, has_values=True)

    def __len__(self) -> int:
        return len(self._texts)

    @property
    def n_kept(self) -> int:
        """Number of texts that meet the conditions."""
        return len(self._kept)

    @property
    def n_unscored(self) -> int:
        """Number of texts without a value, which are dropped whatever the limit."""
        return len(self._result) - self._result.n_covered

    def kept_lines(self) -> str:
        """Return the texts that meet the conditions, one per line."""
        return "".join([_line(self._texts[place]) for place in self._kept])

    def kept_rows(self) -> list[Record]:
        """Return the rows of the texts that meet the conditions, with their values."""
        return self._rows(self._kept)

    def dropped_rows(self) -> list[Record]:
        """Return the other rows, with their values and why each was dropped."""
        reasons = failures(self._name, self._result, self._conditions)
        rows = self._rows(self._dropped)
        return [{**row, "reason": reasons[place]} for row, place in zip(rows, self._dropped, strict=True)]

    def _rows(self, places: Sequence[int]) -> list[Record]:
        if self._has_values:
            return [self._table.rows[place] for place in places]
        cells = {self._name: as_plain(self._result.values[places])}
        if LEARNED_FROM in self._result.columns:  # scores held against these texts' ratings would flatter the metric
            cells[LEARNED_FROM] = as_plain(self._result.columns[LEARNED_FROM][places])
        rows = [self._table.rows[place] for place in places]
        return [{**row, **of_text} for row, of_text in zip(rows, rows_of_columns(cells), strict=True)]


@click.command(
    "filter",
    cls=_FilterCommand,
    epilog="Example: referenceless filter corpus.txt --keep 'fluency_ngram > -2' -o kept.txt; pairs without a header: "
    "FILE.tsv --columns de,en --text-column en -o kept.tsv",
)
@click.argument("file", type=INPUT)
@click.option(
    "--keep",
    required=True,
    multiple=True,
    metavar="CONDITION",
    callback=lambda _context, _option, conditions: " and ".join(conditions),
    help="Such as 'fluency_ngram > -2'; repeated, or joined by 'and', all must hold.",
)
@adding(
    click.Option(["--scored"], is_flag=True, help="Compare columns of FILE, as `score` writes them."),
    Output(
        ["-o", "--output"],
        metavar="FILE",
        help="Kept texts: .txt (the texts alone), .csv, .tsv or .jsonl.  [default: stdout]",
    ),
    click.Option(
        ["-f", "--format"],
        type=click.Choice(FORMATS),
        metavar="FORMAT",
        help="Of the kept texts  [default: by the suffix of -o, else that of FILE]",
    ),
    Output(["--dropped"], metavar="FILE", help="Dropped texts with the reason; no .txt."),
    ADVICE,
    SOURCE_COLUMN,
)
@metric_option
@input_options
@progress_option
def filter_command(
    chosen: ChosenMetrics,
    file: str,
    keep: str,
    scored: bool,
    output: str | None,
    format: str | None,
    dropped: str | None,
    source_column: str | None,
    **options: Any,
) -> None:
    """Keep the texts that meet conditions on a metric.

    FILE holds texts, a line each, or is a table; - is standard input, whose format its content tells. It is read
    and written block by block, so that its length does not matter. A condition compares the metric's value, by its
    name, or one of its columns with a number; several are joined by `and`. A text without a value is dropped. Rows
    of tables keep their columns and get the value (and `learned_from` of a metric that learned from ratings), and a
    header if they came with one. Without a metric in the
    condition it is fluency_ngram, fast enough for a corpus.
    """
    conditions = conditions_of(keep)
    if scored and chosen.is_named:
        raise click.UsageError("--scored compares columns of FILE, and --metric scores its texts: leave one out")
    if scored and source_column is not None:
        raise click.UsageError("--scored compares columns of FILE, and reads no sources: leave out --source-column")
    chosen.check(options)
    to_file = None if output in (None, "-") else output
    kept_format = format or _format_of_kept(to_file, file, options["reading"])
    dropped_format = "" if dropped is None else _format_of_file(dropped, FORMATS[1:], "--dropped")
    for path in (to_file, dropped):
        if path is not None:
            check_destination(path)
    if scored:
        block_of = partial(_ScoredBlock.by_columns, conditions)
        basis = [SIGNATURE]
    else:
        metric = chosen.make(options)[0]
        _check_scores_each_text(metric, source_column)
        block_of = partial(_ScoredBlock.by_metric, metric, conditions, source_column)
        worth = worth_of(metric)
        basis = [*scale_lines(metric), *([] if worth is None else [worth]), metric.signature]
    n_kept = n_unscored = n_texts = 0
    n_lines = count_lines(file)
    begin = time.monotonic()
    with ExitStack() as files, progress_bar(n_lines, "filtering", options["progress"]) as bar:
        write_kept = _writing(files, to_file)
        header = not options["reading"].columns
        kept_sink = _Sink(write_kept, kept_format, header=header)
        dropped_sink = None if dropped is None else _Sink(_writing(files, dropped), dropped_format, header=header)
        for table, texts in text_blocks(file, options, size=BlockSize()):
            with moving(bar, len(texts)):
                block = block_of(table, texts)
            if kept_format == "txt":
                write_kept(block.kept_lines())
            else:
                kept_sink.add(block.kept_rows())
            if dropped_sink is not None:
                dropped_sink.add(block.dropped_rows())
            if n_texts == 0 and kept_format == "txt":
                tell(_notes_on_columns(table, options["text_column"]))
            if n_texts == 0 and n_lines is not None and n_lines > len(block):
                _say_how_long(chosen.spec, len(block), n_lines - len(block), time.monotonic() - begin)
            n_kept += block.n_kept
            n_unscored += block.n_unscored
            n_texts += len(block)
    n_dropped = n_texts - n_kept
    why = f" ({n_dropped - n_unscored} by the limit, {n_unscored} without a score)" if n_unscored else ""
    counts = f"kept {n_kept} of {n_texts} texts, dropped {n_dropped}{why}: {keep}"
    click.echo("\n".join([counts, *basis]), err=True)


def _check_scores_each_text(metric: Metric, source_column: str | None) -> None:
    """Check that the metric's value of a text depends on this text, and its source, alone.

    Raises:
        click.UsageError: for a metric that reads references or ranks the texts of a file, and for sources that are
            missing or not read.
    """
    name = metric.name
    if metric.needs_references or getattr(metric, "set_dependent", False):
        raise click.UsageError(
            f"{name} does not score texts alone; score them first, `referenceless score FILE --metric {name} … -o "
            "scored.jsonl`, then `referenceless filter scored.jsonl --scored --keep …`"
        )
    if metric.needs_sources and source_column is None:
        raise click.UsageError(f"{name} reads sources here: give the column of FILE that holds them, --source-column")
    if source_column is not None and not metric.needs_sources:
        raise click.UsageError(f"this {name} reads no sources: leave out --source-column")


def _writing(files: ExitStack, path: str | None) -> Callable[[str], object]:
    """Return a function that writes text to a file, which `files` closes, or to standard output."""
    if path is None:
        return _print
    return files.enter_context(atomic_write(path, "w")).write


def _notes_on_columns(table: Table, text_column: str) -> list[str]:
    """Return a note on columns that a .txt file does not hold; none without any."""
    others = [str(name) for name in table.columns if name != text_column]
    if not others:
        return []
    named = shortened(", ".join(map(repr, others)), 60)
    return [f"a .txt file holds the texts alone, without {named}: -o FILE.tsv, .csv or .jsonl keeps all columns"]


def _check_has_no(table: Table, name: str) -> None:
    """Check that a table has no column of the metric's name.

    Nobody knows whether such a column holds this metric's values or people's ratings, so that the user must say.

    Raises:
        click.UsageError: for a table that has one.
    """
    if name in table.columns:
        raise click.UsageError(
            f"{table.source} has a column {name!r} already: add --scored to filter by its numbers as they are, or "
            "rename it to score the texts anew"
        )


def count_lines(file: str) -> int | None:
    """Return the number of lines of a file, at least that of its texts; None for other formats, and for streams."""
    path = Path(file)
    if path.suffix.lower() not in (".txt", ".csv", ".tsv", ".jsonl") or not path.is_file():
        return None
    with path.open("rb") as lines:
        return sum(block.count(b"\n") for block in iter(lambda: lines.read(2**20), b""))


def _say_how_long(spec: MetricSpec, n_read: int, n_left: int, seconds: float) -> None:
    """Print the time that the rest will take, and the name of a faster metric if there is one."""
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


def _format_of_kept(to_file: str | None, file: str, reading: Reading) -> str:
    """Return the format of the kept texts: by the suffix of -o, or for standard output by that of the texts' file."""
    if to_file is not None:
        return _format_of_file(to_file, FORMATS, "-o")
    is_named = file == STDIN or reading.format is not None
    format = file_format(file, reading, "txt") if is_named else _suffix(file)
    return format if format in FORMATS else "jsonl"


def _format_of_file(path: str, formats: Sequence[str], option: str) -> str:
    """Return the format that the suffix of a file to write tells.

    Raises:
        click.UsageError: for another suffix.
    """
    suffix = _suffix(path)
    if suffix not in formats:
        raise click.UsageError(f"{option}: expected a file that ends in .{' or .'.join(formats)}, but got {path}")
    return suffix


def _suffix(path: str) -> str:
    return Path(path).suffix[1:].lower()


def _line(text: str) -> str:
    """Return a text as a line.

    Raises:
        InputError: for a text with a line end, which a .txt file cannot hold.
    """
    if "\n" in text or "\r" in text:
        raise InputError(f"a text holds a line end, which a .txt file cannot: write .jsonl ({text[:40]!r})")
    return f"{text}\n"
