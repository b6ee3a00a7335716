"""Options that commands share, with their checks: where texts, references and sources come from, where results go."""

from __future__ import annotations

import contextlib
import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.reading_options import READING
from referenceless_metrics.command_line.streams import check_standard_output
from referenceless_metrics.core.files.atomic import check_destination
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.output import OPEN, OUTPUT_FORMATS, PARQUET
from referenceless_metrics.core.files.reading import BY_SUFFIX
from referenceless_metrics.core.files.tables import FORMATS, ColumnName, Table, file_format
from referenceless_metrics.core.files.text_io import read_table, read_text_blocks, read_texts, references_of
from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.registry import MetricSpec
from referenceless_metrics.core.support.validation import InputError, Options

Command = TypeVar("Command", bound=Callable[..., Any])


def adding(*options: click.Parameter) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a command, shown in this order."""

    def add(command: Command) -> Command:
        vars(command)["__click_params__"] = [*getattr(command, "__click_params__", []), *reversed(options)]
        return command

    return add


_OF_SUFFIX = {
    ".txt": ("table", "markdown"),
    ".csv": ("csv", "csv-safe"),
    ".jsonl": ("jsonl",),
    ".json": ("json",),
    ".parquet": (PARQUET,),
    ".html": ("html",),
    ".md": ("markdown",),
    ".tex": ("latex",),
}


class _Column(click.types.StringParamType):
    """The type of an option that names a column: errors about the column then name the option that mends them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> ColumnName:
        """Return the name, with the option."""
        return ColumnName(super().convert(value, param, ctx), param.opts[0] if param is not None else "")


COLUMN = _Column()


_NO_FILES = ("column", "columns", "format", "language", "where")
"""Endings of the names of options that name no files."""


class Output(click.Option):
    """An option that names what is written: nothing else on the command line may name it, so no input is overwritten.

    Args:
        names: the option's names.
        writes: the names of the files that are written where the option names a folder.
        settings: those of `click.Option`.
    """

    def __init__(self, names: Sequence[str], *, writes: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(names, **{"type": click.Path(), **settings})
        self._writes = writes

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        """Return the value, after a look at all that was given: nothing is read before.

        Raises:
            click.BadParameter: for a file that is given twice.
        """
        value, source = super().consume_value(ctx, opts)
        if isinstance(value, str) and value != "-":
            unfinished = [Path(f"{value}.{end}") for end in ("partial", "journal")]
            written = [Path(value), *unfinished, *(Path(value) / name for name in self._writes)]
            for name, values in opts.items():
                if name == self.name or name.endswith(_NO_FILES):
                    continue
                for read in values if isinstance(values, (list, tuple)) else [values]:
                    if isinstance(read, str) and any(_is_same(read, file) for file in written):
                        option = next((param.opts[0] for param in ctx.command.params if param.name == name), name)
                        problem = f"it would overwrite {read}, which is given as {option}: name another"
                        raise click.BadParameter(problem, ctx, self)
        return value, source


def _is_same(read: str, written: Path) -> bool:
    """Say whether two names are one file, by a link too, or standard input comes from it."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # no such file, or no standard input
        if read == "-":
            return written.is_file() and os.path.samestat(os.fstat(sys.stdin.fileno()), written.stat())
        return Path(read).resolve() == written.resolve() or (written.is_file() and written.samefile(read))
    return False


class _Format(click.Option):
    """`--format`, which the suffix of `-o` says where it is not given."""

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        """Return the format that is named, or that of the suffix.

        Raises:
            click.BadParameter: if the two contradict one another, or the suffix means none of this command's.
        """
        value, source = super().consume_value(ctx, opts)
        known, output = list(self.type.choices), opts.get("output")  # type: ignore[attr-defined]
        file = None if output in (None, "-") else Path(output)
        suffix = "" if file is None else file.suffix.lower()
        means = _OF_SUFFIX.get(suffix, ())
        if "format" in opts:
            if means and suffix != ".txt" and value in known and value not in means:
                raise click.BadParameter(f"{value} contradicts -o {output}, whose suffix means {means[0]}", ctx, self)
        elif suffix:
            value = next((format for format in means if format in known), None)
            if value is None:
                ends = ", ".join(end for end, formats in _OF_SUFFIX.items() if formats[0] in known)
                problem = f"expected -o FILE to end in {ends}, or --format to say the format, but got {output}"
                raise click.BadParameter(problem, ctx, self, "'-o' / '--output'")
        if value == PARQUET and not is_file_to_write(output):
            raise click.BadParameter("parquet needs a file to write: give it with -o", ctx, self)
        return value, source


def is_file_to_write(output: str | None) -> bool:
    """Say whether results go to a file, and neither to standard output nor to a device."""
    return output not in (None, "-") and (Path(str(output)).is_file() or not Path(str(output)).exists())


def _check_output(_: click.Context, __: click.Parameter, path: str | None) -> str | None:
    """Check that results can be written, before the work for them."""
    if path in (None, "-"):
        check_standard_output()
    else:
        check_destination(str(path))
    return path


def _keep_open(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    """Keep whether the page that is written is to be shown."""
    ctx.meta[OPEN] = asked


#: Whether a page that a command writes is shown in the browser.
OPEN_PAGE = Rare(
    ["--open"],
    is_flag=True,
    expose_value=False,
    callback=_keep_open,
    help="Show the page that is written (-o x.html) in the browser.",
)


def output_options_of(formats: Sequence[str]) -> Callable[[Command], Command]:
    """Return a decorator that adds the options that say in which of these formats and where results are written."""
    return adding(
        Output(
            ["-o", "--output"],
            metavar="FILE",
            callback=_check_output,
            help="File to write, by its suffix  [default: stdout]",
        ),
        _Format(
            ["--format", "-f"],
            type=click.Choice(formats),
            default=formats[0],
            show_default=False,
            metavar="FORMAT",
            help=f"{', '.join(formats[:-1])} or {formats[-1]}  [default: by -o, else {formats[0]}]",
        ),
        OPEN_PAGE,
    )


#: Where and how a table is written.
output_options = output_options_of(OUTPUT_FORMATS)


#: Whether a table has a column for each row.
TRANSPOSE = Rare(
    ["--transpose"], is_flag=True, help="Turn a table for readers: what would be its rows are its columns."
)


def _one_column(ctx: click.Context, param: click.Parameter, columns: tuple[ColumnName, ...]) -> ColumnName:
    """Return the column that is named; of an option that is given twice, click itself takes the last one.

    Raises:
        click.UsageError: for a second column.
    """
    if len(columns) > 1:
        listed = " and ".join(repr(str(column)) for column in columns)
        raise click.UsageError(f"{param.opts[0]} names one column here, but got {listed}", ctx)
    return columns[0]


TEXT_COLUMN = click.Option(
    ["--text-column"],
    type=COLUMN,
    multiple=True,
    default=("text",),
    callback=_one_column,
    help="Column that holds the texts.",
)
RATING_COLUMN = click.Option(["--rating-column"], type=COLUMN, default="rating", help="Column that holds the ratings.")


def scale_ends(value: str) -> tuple[float, float]:
    """Return the ends of a scale of ratings, from `LOW-HIGH`, or `LOW:HIGH`."""
    try:
        low, high = map(float, re.split("(?<=[^eE])[-:]", value, maxsplit=1))
    except ValueError:
        raise click.BadParameter(f"expected the ends of a scale as LOW-HIGH, but got {value!r}") from None
    if not -math.inf < low < high < math.inf:
        raise click.BadParameter(f"expected two finite ends of a scale, the lower first, but got {value!r}")
    return low, high


SCALE = click.Option(
    ["--scale"], type=scale_ends, metavar="LOW-HIGH", help="Ends of the ratings' scale: intervals stay on it."
)
#: How an input file is to be read, and its column of texts.
input_options = adding(TEXT_COLUMN, *READING)
#: How files of systems' outputs are to be read, and their column of texts, or a column for each system of one table.
system_input_options = adding(
    click.Option(
        ["--text-column", "text_columns"],
        type=COLUMN,
        multiple=True,
        default=("text",),
        help="Column that holds the texts; repeated, a column per system of one table, the baseline first.",
    ),
    *READING,
)


def text_blocks(file: str, options: Options, **part: Any) -> Iterator[tuple[Table, list[str]]]:
    """Yield a file of texts block by block, as the `input_options` say; `part` is as in `read_text_blocks`."""
    return read_text_blocks(file, text_column=options["text_column"], reading=options["reading"], **part)


def _picture(value: str) -> str:
    from referenceless_metrics.pages.drawing import check_picture

    try:
        check_picture(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return value


def plot_option(shows: str) -> Callable[[Command], Command]:
    """Return a decorator that adds `--plot FILE`; `shows` says what is drawn."""
    return adding(Output(["--plot"], type=_picture, metavar="FILE", help=f"SVG, PNG or PDF to write: {shows}."))


#: `--progress` or `--no-progress`; without either, a bar shows on a terminal.
progress_option = adding(
    Rare(["--progress/--no-progress"], default=None, help="Progress bar on stderr  [default: on a terminal]")
)


REFERENCES = Rare(
    ["--references"],
    multiple=True,
    type=click.Path(),
    help="File with a reference for each text, in the same order; may be repeated. A blank line is none.",
)
REFERENCE_COLUMNS = Rare(
    ["--reference-columns"],
    type=COLUMN,
    multiple=True,
    metavar="NAME",
    help="Column with references, by name or pattern ('reference_*'); may be repeated.",
)
SOURCES = Rare(
    ["--sources"],
    type=click.Path(),
    help="File with the source of each text, in the same order: a line each, or a column named source.",
)
SOURCE_COLUMN = Rare(
    ["--source-column"],
    type=COLUMN,
    metavar="NAME",
    help="Column that holds what each text was made from, such as an MR.",
)

SYSTEM_COLUMN = click.Option(
    ["--system-column"],
    type=COLUMN,
    help="Column of the systems that wrote the texts: each is then also estimated from the others alone.",
)
GROUP_COLUMN = Rare(
    ["--group-column"], type=COLUMN, metavar="NAME", help="Column of what is left out together, such as a topic."
)
#: What rated texts are left out with.
GROUPINGS = (SYSTEM_COLUMN, GROUP_COLUMN)

WORSE_COLUMN = Rare(
    ["--worse-column"],
    type=COLUMN,
    metavar="NAME",
    help="Instead of ratings: column with texts that people like less than those of --text-column.",
)


def _baselines(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Return the names that `--with` gives, as their module has them, each once."""
    if value is None:
        return ()
    from referenceless_metrics.command_line.baselines import NAMES

    names = tuple(dict.fromkeys(name.strip().lower() for name in value.split(",") if name.strip()))
    if unknown := [name for name in names if name not in NAMES]:
        raise click.BadParameter(f"expected some of {', '.join(NAMES)}, but got {unknown[0]!r}")
    return names


WITH = click.Option(
    ["--with", "others"],
    callback=_baselines,
    metavar="NAME,…",
    help="Metrics with references to put beside: bleu, chrf, chrf++, ter. They need --references.",
)


def reference_streams(files: Sequence[str], n_texts: int, of: str, *, every_text: bool = False) -> list[list[str]]:
    """Read files of references, one stream per file; a blank line is no reference.

    Args:
        files: the files.
        n_texts: how many texts there are.
        of: the file of the texts, for messages.
        every_text: whether each text must have a reference.

    Raises:
        InputError: for a file of another length, or a text without a reference.
    """
    streams = [_as_many(read_texts(file, text_column="reference"), "references", file, n_texts, of) for file in files]
    if streams and every_text:
        for place, texts in enumerate(zip(*streams, strict=True)):
            if not any(text.strip() for text in texts):
                raise InputError(f"{', '.join(files)}: no reference for text {place + 1}")
    return streams


def check_beside(spec: MetricSpec, file: str | None, options: Options, others: Sequence[str] = ()) -> None:
    """Check that references and sources are named in one way, and for what reads them, before any is read.

    Args:
        spec: the metric's entry.
        file: the file of the texts; None if there are several.
        options: `references` or `sources`, and the columns of them, where a command takes any.
        others: the metrics of `--with`.

    Raises:
        click.UsageError: for both ways, none where references are needed, a column of standard input, or a metric that
            reads none.
    """
    reading = [*([spec.name] if spec.needs_references else ()), *others]
    for kind, column, read in (
        ("references", "reference_columns", bool(reading)),
        ("sources", "source_column", spec.needs_sources),
    ):
        ways = {f"--{way.replace('_', '-')}": options[way] for way in (kind, column) if way in options}
        named = [way for way, values in ways.items() if values]
        if len(named) > 1:
            raise click.UsageError(f"give {' or '.join(named)}, not both")
        if named and not read:
            raise click.UsageError(f"{spec.name} reads no {kind}; leave them out")
        if options.get(column) and file == STDIN:
            raise click.UsageError(f"{named[0]} needs a file, not standard input")
        if reading and kind == "references" and not named:
            raise click.UsageError(f"{', '.join(reading)} needs references: give {' or '.join(ways)}")


def read_sources(file: str, n_texts: int, sources: str | None) -> list[Any] | None:
    """Return the source of each text from a file, or None if none is named.

    Raises:
        InputError: for a file that cannot be read or has another length.
    """
    if not sources:
        return None
    if file_format(sources, BY_SUFFIX, "txt") == "txt":
        values: list[Any] = list(read_texts(sources))
    else:
        values = read_table(sources).column("source", "--sources")
    return _as_many(values, "sources", sources, n_texts, file)


def _as_many(values: list[Any], what: str, source: str, n_texts: int, file: str) -> list[Any]:
    """Return what a file holds for each text of another, which must be as many."""
    if len(values) != n_texts:
        raise InputError(f"{source} has {len(values)} {what}, but {file} has {n_texts} texts")
    return values


def inputs_of(table: Table, file: str, options: Options) -> tuple[list[list[str]] | None, list[Any] | None]:
    """Return the references and the sources of a block of texts; None for what is not named.

    Args:
        table: the texts' rows.
        file: their file, for messages.
        options: as in `check_beside`.

    Raises:
        InputError: for columns that are not there, and as `reference_streams` and `read_sources`.
    """
    references = None
    if options.get("reference_columns"):
        references = references_of(table, options["reference_columns"])
    elif options.get("references"):
        streams = reference_streams(options["references"], len(table.rows), file, every_text=True)
        references = [[text for text in texts if text.strip()] for texts in zip(*streams, strict=True)]
    if options.get("source_column"):
        return references, table.column(options["source_column"], "--source-column")
    return references, read_sources(file, len(table.rows), options.get("sources"))


def check_sources_given(metric: Metric, sources: object) -> None:
    """Check that there are sources for a metric that was made to read them, and none for another.

    Raises:
        click.UsageError: naming the options.
    """
    if metric.needs_sources and sources is None:
        raise click.UsageError(f"{metric.name} needs sources here: give --source-column or --sources")
    if sources is not None and not metric.needs_sources:
        raise click.UsageError(f"this {metric.name} was fitted without sources; leave them out")


def read_outputs(files: Sequence[str], options: Options) -> list[tuple[str, list[str]]]:
    """Return the name of each system and its outputs, from a file each, as the `input_options` say."""
    return [
        (name, read_texts(file, text_column=options["text_column"], reading=options["reading"]))
        for name, file in zip(system_names(files), files, strict=True)
    ]


_NAMES = f"{__name__}.names"


def _keep_names(ctx: click.Context, _: click.Parameter, pairs: Sequence[str]) -> None:
    """Keep the names that --name gives to files, for `system_names`."""
    names: dict[str, str] = {}
    for pair in pairs:
        name, equals, file = pair.partition("=")
        if not (name and equals and file):
            raise click.BadParameter(f"expected NAME=FILE, such as ours=outputs/ours.txt, but got {pair!r}")
        names[file] = name
    if len(set(names.values())) < len(pairs):
        raise click.BadParameter("expected a name of its own for each file")
    ctx.meta[_NAMES] = names


#: What a system is called in place of its file's name.
SYSTEM_NAMES = Rare(
    ["--name", "named_systems"],
    multiple=True,
    metavar="NAME=FILE",
    callback=_keep_names,
    expose_value=False,
    help="What a system is called  [default: its file's name without the suffix]; may be repeated.",
)


class SystemFiles(click.Argument):
    """The files of systems; those that --name names, in their order, if none stands alone.

    Args:
        names: the argument's name.
        unless: an option that stands in place of files: with it --name names no files.
        settings: those of `click.Argument`.
    """

    def __init__(self, names: Sequence[str], *, unless: str = "", **settings: Any) -> None:
        super().__init__(names, nargs=-1, **settings)
        self._unless = unless

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        """Return the files and where they are from; click reads all options before this argument."""
        value, source = super().consume_value(ctx, opts)
        named = () if ctx.params.get(self._unless) else tuple(ctx.meta.get(_NAMES, ()))
        is_given = isinstance(value, tuple) and len(value) > 0
        if named and not is_given:
            return named, ParameterSource.COMMANDLINE
        return value, source


def given_names() -> dict[str, str]:
    """Return the names that --name gives, by file."""
    context = click.get_current_context(silent=True)
    return {} if context is None else dict(context.meta.get(_NAMES, {}))


def check_named(files: Sequence[str]) -> dict[str, str]:
    """Return the names that --name gives, by file, after checking that each of the files is read.

    Raises:
        click.UsageError: for a name of a file that is none of these.
    """
    names = given_names()
    for file, name in names.items():
        if file not in files:
            raise click.UsageError(f"--name {name}={file}: no system is read from {file}")
    return names


def file_names(files: Sequence[str]) -> list[str]:
    """Return the files' own names: without the suffix; with it where this tells files apart, else the path.

    >>> file_names(["a/ours.txt", "b/base.txt"]), file_names(["a/ours.txt", "b/ours.txt"])
    (['ours', 'base'], ['a/ours.txt', 'b/ours.txt'])
    """
    ways = [[suffixless(file) for file in files], [Path(file).name for file in files], list(files)]
    return next((way for way in ways if len(set(way)) == len(way)), ways[-1])


def system_names(files: Sequence[str]) -> list[str]:
    """Return the names that --name gives, and the files' own for others (see `file_names`).

    Raises:
        click.UsageError: for a name of a file that is none of these, or one that another system has.
    """
    names = check_named(files)
    called = [names.get(file, name) for file, name in zip(files, file_names(files), strict=True)]
    if names and len(set(called)) < len(called):
        raise click.UsageError(f"two systems have one name: {', '.join(called)}")
    return called


def suffixless(file: str) -> str:
    """Return a file's name without what tells its format.

    >>> suffixless("outputs/bt5-v1.1.jsonl.gz"), suffixless("GPT-3.5")
    ('bt5-v1.1', 'GPT-3.5')
    """
    name = Path(file).name
    plain = name.removesuffix(".gz")
    stem, dot, suffix = plain.rpartition(".")
    return stem if dot and stem and suffix.lower() in FORMATS else name
