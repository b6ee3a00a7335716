"""The commands of rating studies: `sample` draws one, and `rate` shows its pages."""

from __future__ import annotations

import math
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click
import numpy as np

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import Rare, ShortHelp
from referenceless_metrics.command_line.parameter_options import given, options_of
from referenceless_metrics.command_line.references_and_sources import SOURCES, Items, read_sources
from referenceless_metrics.command_line.system_files import SYSTEM_NAMES, SystemFiles, read_outputs
from referenceless_metrics.command_line.text_options import COLUMN, item_option, system_input_options
from referenceless_metrics.core.files.atomic import check_new_folder, new_folder
from referenceless_metrics.core.files.formats import TEXT
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.reading import Reading, tell
from referenceless_metrics.core.files.tables import Table, file_format
from referenceless_metrics.core.files.text_io import is_dataset_spec, read_table, read_texts
from referenceless_metrics.core.metric import Metric, score_texts
from referenceless_metrics.core.registry import load_metric, metric_names
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.commands.rating_options import differences_to_find
from referenceless_metrics.human_evaluation.inference.output_ratings import FEWEST_RATINGS, Outputs
from referenceless_metrics.human_evaluation.scores.columns import SYSTEM_NAMES as COLUMNS_OF_SYSTEMS
from referenceless_metrics.human_evaluation.studies.criteria import Criterion, Scale, read_criteria, with_examples
from referenceless_metrics.human_evaluation.studies.design import RATINGS, Design
from referenceless_metrics.human_evaluation.studies.drawing import draw_study
from referenceless_metrics.human_evaluation.studies.drawn_along import DifferenceByItem
from referenceless_metrics.human_evaluation.studies.prefilled import spans_of_metric, spans_of_table
from referenceless_metrics.human_evaluation.studies.spans import SpanTask, read_categories
from referenceless_metrics.human_evaluation.system_table import (
    Segments,
    names_in_column,
    systems_in_columns,
    systems_of_one_table,
)
from referenceless_metrics.human_evaluation.systems_in_files import systems_in_files

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.studies.planning import Plan, VarianceComponents


def _raters(_: click.Context, __: click.Parameter, value: str) -> list[str]:
    return [f"rater_{number}" for number in range(1, int(value) + 1)] if value.isdigit() else value.split(",")


def _pilot(_: click.Context, __: click.Parameter, pilot: str | None) -> str | None:
    """Check that a pilot is no file, as of ratings that other tools gathered.

    Raises:
        InputError: if it is one.
    """
    if pilot is not None and Path(pilot).is_file():
        raise InputError(
            f"--pilot {pilot}: expected the folder of a study that `referenceless sample` drew, but this is a file; of "
            f"ratings in a file `referenceless human-score --ratings {shlex.quote(pilot)} --find DIFFERENCE` says how "
            "many more items and raters find a difference"
        )
    return pilot


def _known_metrics(context: click.Context, option: click.Parameter, names: tuple[str, ...]) -> str:
    for name in names:
        if name not in metric_names():
            raise click.BadParameter(f"expected one of {', '.join(metric_names())}, but got {name!r}", context, option)
    return "+".join(dict.fromkeys(names))


_MOST_PAIRS = 6
"""Most pairs of a pilot's systems that a plan lists."""

_CORRELATIONS = (0.4, 0.7)
"""Correlations of two raters' ratings of an output for which a plan tells what it finds, beside the assumed one."""

_NOT_OPTIONS = (
    "outputs",
    "items",
    "raters",
    "criteria",
    "spans",
    "instructions",
    "examples",
    "sources",
    "metric",
    "estimates_column",
    "along",
    "earlier",
)
"""Parameters of a draw that `sample` takes from files."""


@click.command(
    cls=ShortHelp,
    epilog="Example: referenceless sample baseline.txt ours.txt -n 50 --raters 3 --sources items.jsonl -o study",
)
@click.argument("systems", cls=SystemFiles, required=True)
@adding(
    click.Option(
        ["-n", "--items"],
        type=click.IntRange(min=FEWEST_RATINGS),
        required=True,
        help="Items to draw: 50 to begin with; the output says which difference between systems so many find, and how "
        "many --find takes.",
    ),
    click.Option(["--raters"], callback=_raters, default="3", help="How many raters, or their names: ann,bob."),
    *options_of(draw_study, without=_NOT_OPTIONS, seldom=("strata", "completion_code", "seed", "source_label")),
    click.Option(
        ["--criterion", "criterion_texts"],
        multiple=True,
        metavar="NAME=SCALE=QUESTION",
        help='What raters judge by, several times for several criteria: "fluency=1-5=How natural is it?"',
    ),
    Rare(
        ["--criteria", "criteria_file"],
        type=click.Path(),
        help="YAML file of criteria, each with name, scale, question, labels and examples.",
    ),
    Rare(["--instructions"], type=click.Path(), help="Text file with what raters are told first."),
    Rare(["--examples"], type=click.Path(), help="Table of texts with your ratings, which anchor the scale."),
    Rare(
        ["--metric"],
        multiple=True,
        metavar="NAME",
        callback=_known_metrics,
        help="Metric whose estimates join the analysis; several are combined.",
    ),
    Rare(
        ["--estimates-column"],
        type=COLUMN,
        help="Column of your own estimates, such as a judge's, that join the analysis; the files may get it later.",
    ),
    Rare(
        ["--along"],
        metavar="METRIC|COLUMN",
        help="Draw every k-th item in the order of the systems' difference by a metric, or by a column of their files.",
    ),
    Rare(["--spans"], is_flag=True, help="Let raters mark errors as minor or major, then score from 0 to 100 (ESA)."),
    Rare(["--span-categories"], type=click.Path(), help="Text file with a category of errors per line, as of MQM."),
    Rare(
        ["--prefill"],
        metavar="FILE|METRIC",
        help="Errors marked beforehand: a table (text, start, end, severity, category), or fluency, which finds them.",
    ),
    Rare(
        ["--without-study"],
        multiple=True,
        type=click.Path(),
        help="Earlier study of the same outputs whose items are not drawn again; may be repeated.",
    ),
    Rare(
        ["--pilot"], type=click.Path(), callback=_pilot, help="Study of the same kind whose ratings the planning takes."
    ),
    Rare(
        ["--find"],
        multiple=True,
        callback=differences_to_find,
        metavar="[CRITERION=]DIFFERENCE",
        help="True difference, or win rate, to find: the output says how many items that takes. Of criteria with "
        "different scales one each: fluency=0.5.",
    ),
    Rare(["--csv", "sheets"], is_flag=True, help="Write plain sheets too, for a tool of your own."),
    click.Option(["-o", "--output"], type=click.Path(), required=True, help="Folder to write."),
    SYSTEM_NAMES,
    click.Option(["--sources"], type=click.Path(), help=SOURCES.help),
    Rare(["--source-column"], type=COLUMN, help="Column with the source, of --sources or of the systems' files."),
    Rare(["--system-column"], type=COLUMN, help="Column with the system, of one table with all systems' outputs."),
    item_option(
        "Column with the item  [default: item in such a table, if there is one; else rows are paired by place]"
    ),
)
@system_input_options
def sample(
    systems: tuple[str, ...],
    names: dict[str, str],
    items: int,
    raters: list[str],
    instructions: str | None,
    examples: str | None,
    criterion_texts: tuple[str, ...],
    criteria_file: str | None,
    along: str | None,
    spans: bool,
    span_categories: str | None,
    prefill: str | None,
    without_study: tuple[str, ...],
    pilot: str | None,
    find: Mapping[str, float],
    sheets: bool,
    output: str,
    sources: str | None,
    source_column: str | None,
    system_column: str | None,
    item_column: str | None,
    text_columns: tuple[str, ...],
    reading: Reading,
    **options: Any,
) -> None:
    """Draw outputs of systems for people to rate, and write the pages.

    SYSTEMS are files of outputs of the same items, the baseline first, or one table (--system-column, or a
    --text-column for each).
    Each rater gets all systems' outputs of an item. Pages name no system.
    """
    from referenceless_metrics.human_evaluation.studies.earlier import items_of_studies
    from referenceless_metrics.human_evaluation.studies.server import rating_page, rating_sheet

    folder = check_new_folder(output, "output")
    columns = {"system_column": system_column, "item_column": item_column}
    columns["source_column"] = source_column if sources is None else None
    segments = _outputs_of(systems, names, reading, text_columns, along, columns)
    outputs, made_from = segments.systems, segments.sources
    if sources is not None:
        of_items = None if segments.items is None else Items(segments.item_column, segments.items)
        made_from = read_sources(systems[0], len(outputs[0][1]), sources, source_column, of_items)
    criteria = [Criterion.parse(text) for text in criterion_texts]
    if criteria_file:
        criteria += read_criteria(criteria_file)
    anchors = [] if examples is None else _examples(examples, of_criteria=bool(criteria))
    if criteria:
        criteria = with_examples(criteria, anchors)
        anchors = []
    task = _span_task(spans, span_categories, prefill)
    readable = None if made_from is None else [_readable(source) for source in made_from]
    design = draw_study(
        outputs,
        items,
        raters,
        sources=readable,
        instructions="\n".join(read_texts(instructions, reading=Reading("txt"))) if instructions else "",
        criteria=criteria,
        spans=task,
        examples=[(text, rating) for text, rating, _ in anchors],
        along=None if along is None else _difference_by_item(along, systems, outputs, reading),
        earlier=items_of_studies(without_study, outputs, readable),
        **given(options),
    )
    if task is not None and prefill is not None:
        design = replace(design, spans=_prefilled(task, design, prefill))
    planned = _planned(design, pilot, find)
    again = "" if pilot is None else _drawn_again(design, pilot, outputs, readable)
    with new_folder(folder) as made:
        (made / RATINGS).mkdir()
        for kind, suffix, render in (("pages", "html", rating_page), ("sheets", "csv", rating_sheet))[: 1 + sheets]:
            (made / kind).mkdir()
            for rater in design.raters:
                (made / kind / f"{rater}.{suffix}").write_text(render(design, rater), encoding="utf-8", newline="")
        design.write(made)
    click.echo((_drawn(design, folder) + again + planned).rstrip())


def _outputs_of(
    files: Sequence[str],
    names: dict[str, str],
    reading: Reading,
    text_columns: Sequence[str],
    along: str | None,
    columns: Mapping[str, str | None],
) -> Segments:
    """Return the systems with their outputs, from a file each or from one table, and the outputs' sources if named.

    Args:
        files: the files, the baseline first.
        names: the names that --name gives, by file.
        reading: the way to read the files.
        text_columns: the column of the outputs, or that of each system in one table.
        along: the metric or column along which items are drawn; None without.
        columns: the columns `system_column`, `item_column` and `source_column`; None without.

    Raises:
        click.UsageError: for options that do not go together.
        InputError: for a file that cannot be read, and one that holds several systems of which no column is named.
    """
    system_column, item_column, source_column = (columns[f"{kind}_column"] for kind in ("system", "item", "source"))
    text_column, *further = text_columns
    if (further or system_column is not None) and along is not None and along not in metric_names():
        raise click.UsageError(f"--along {along}: a column is read from a file of each system: give a file each")
    if further:
        if system_column is not None:
            raise click.UsageError(
                "give either --system-column with one --text-column, or a --text-column for each system"
            )
        if len(files) > 1:
            raise click.UsageError("several --text-column are for one table with a column of outputs for each system")
        if item_column is not None:
            _check_rows_are_items(read_table(files[0], reading), item_column)
        return systems_in_columns(files[0], text_columns=text_columns, source_column=source_column, reading=reading)
    if system_column is not None:
        if len(files) > 1:
            raise click.UsageError("--system-column is for one table with the outputs of all systems")
        return systems_of_one_table(
            files[0],
            text_column=text_column,
            system_column=system_column,
            item_column=item_column,
            clusters_count=False,
            source_column=source_column,
            reading=reading,
        )
    if item_column is not None and len(files) == 1:
        raise click.UsageError("--item-column is for several systems: add --system-column, or a file of each")
    if item_column is not None and along is not None and along not in metric_names():
        raise click.UsageError(f"--along {along}: a column is read in the order of each file: leave --item-column out")
    if len(files) == 1:
        _check_one_system(files[0], reading)
        found = Segments(read_outputs(files, names, text_column=text_column, reading=reading))
        tell([f"there is one system, {found.systems[0][0]}: nothing is compared"])
    else:
        how: Record = {"text_column": text_column, "item_column": item_column, "reading": reading}
        found = systems_in_files(files, names, **how)
    if source_column is not None:
        return found._replace(sources=read_table(files[0], reading).column(source_column, "--source-column"))
    return found


def _check_rows_are_items(table: Table, item_column: str) -> None:
    """Check that each row of a table with a column for each system has an item of its own; say what a study keeps.

    Raises:
        InputError: for an item of several rows, and a blank one.
    """
    rows_of = Counter(names_in_column(table, item_column, "--item-column"))
    item, n_rows = rows_of.most_common(1)[0]
    if n_rows > 1:
        raise InputError(
            f"{table.source}: with a --text-column for each system each row is an item, and {n_rows} rows have the "
            f"item {item!r} (--item-column {item_column}); leave --item-column out to take each row for an item"
        )
    tell([f"each row is an item; the study names it by its place in the file, from 0, and not by {item_column}"])


def _check_one_system(file: str, reading: Reading) -> None:
    """Check that a single file holds the outputs of one system.

    Raises:
        InputError: for a table in which a column names several.
    """
    if is_dataset_spec(file) or file == STDIN or file_format(file, reading, "txt") == "txt":
        return
    table = read_table(file, reading)
    for name in COLUMNS_OF_SYSTEMS:
        n = len({str(row.get(name)) for row in table.rows}) if name in table.columns else 0
        if 1 < n < len(table.rows):
            raise InputError(
                f"{file}: column {name!r} names {n} systems, whose outputs raters would judge as those of one: name it "
                f"(--system-column {name}), or take one system (--where {name}=NAME)"
            )


def _difference_by_item(name: str, files: Sequence[str], outputs: Outputs, reading: Reading) -> DifferenceByItem:
    """Return the difference between the last system's estimates and the first's, by a metric or by a column.

    Args:
        name: name of a metric that needs texts alone, or else of a column of the systems' files.
        files: the systems' files.
        outputs: the systems' outputs.
        reading: the way to read the files.

    Raises:
        InputError: for a metric that needs more than texts, and a column that is not there or holds no numbers.
    """
    if name in metric_names():
        metric = _metric_of_texts(name)
        values = [np.asarray(score_texts(metric, texts).values, dtype=float) for _, texts in outputs]
    elif all(str(file).endswith(".txt") for file in files):
        raise InputError(
            f"--along {name}: expected a metric, such as slor, or a column of the systems' files, but no metric is "
            "called so, and .txt files have no columns"
        )
    else:
        values = [read_table(file, reading).numbers(name, "--along", blank=True) for file in files]
    return DifferenceByItem(name, values[-1] - values[0])


def _metric_of_texts(name: str) -> Metric:
    """Return a metric that needs texts alone.

    Raises:
        InputError: for a metric that needs references, sources or rated texts.
    """
    metric = None
    with suppress(TypeError, ValueError):  # there are no rated texts
        metric = load_metric(name)
    if metric is None or metric.needs_references or metric.needs_sources:
        raise InputError(
            f"--along {name}: this metric needs more than texts; score the outputs first (referenceless score), "
            "and name the column of their files: --along COLUMN"
        )
    return metric


def _span_task(asked: bool, categories_file: str | None, prefill: str | None) -> SpanTask | None:
    """Return the marking of errors that the command line asks for; None for none.

    Raises:
        InputError: for categories or errors marked beforehand without --spans, and a file that cannot be read.
    """
    if not asked:
        for option, value in (("--span-categories", categories_file), ("--prefill", prefill)):
            if value is not None:
                raise InputError(f"{option} is for studies in which raters mark errors: give --spans too")
        return None
    return SpanTask(() if categories_file is None else read_categories(categories_file))


def _prefilled(task: SpanTask, design: Design, origin: str) -> SpanTask:
    """Return the marking of errors with those that a table names, or a metric finds, in the drawn outputs.

    Raises:
        InputError: for a table that cannot be read or has none of the outputs, and a metric that finds no errors.
    """
    texts = list(dict.fromkeys(text for item in design.items for text in item.outputs))
    if origin in metric_names():
        return replace(task, prefilled=spans_of_metric(origin, texts), origin=origin)
    spans, notes = spans_of_table(read_table(origin), texts, task.categories)
    tell(notes)
    return replace(task, prefilled=spans, origin=Path(origin).name)


def _examples(file: str, *, of_criteria: bool) -> list[tuple[str, str, str]]:
    """Return texts with their ratings and the criteria by which they are rated, "" for one without a name.

    Raises:
        InputError: for a file that cannot be read, and one that lacks a column.
    """
    table = read_table(file)
    texts = table.texts(TEXT)
    ratings = [str(rating) for rating in table.column("rating", "of the examples")]
    names = [""] * len(texts)
    if of_criteria:
        names = [str(name).strip() for name in table.column("criterion", "of the examples")]
    return list(zip(texts, ratings, names, strict=True))


def _readable(source: Any) -> str:
    """Return a source as raters read it: a text as it is, a list or an object of JSON as YAML."""
    import yaml  # type: ignore[import-untyped]

    layout = {"allow_unicode": True, "sort_keys": False, "default_flow_style": None, "width": 1000}
    return source if isinstance(source, str) else str(yaml.safe_dump(source, **layout)).strip()


def _drawn_again(
    design: Design, pilot: str, outputs: Sequence[tuple[str, Sequence[str]]], sources: Sequence[str] | None
) -> str:
    """Return a line on the items of a pilot that were drawn again; "" if there are none."""
    from referenceless_metrics.human_evaluation.studies.earlier import items_of_study

    before = items_of_study(Design.read(pilot), outputs, sources) or frozenset()
    n = sum(item.item in before for item in design.items)
    if not n:
        return ""
    are = "1 of these items is" if n == 1 else f"{n} of these items are"
    return f"{are} in {pilot}, too: --without-study {shlex.quote(pilot)} draws others.\n"


def _drawn(design: Design, folder: Path) -> str:
    """Return a description of the draw."""
    screens = [screen for shown in design.raters.values() for screen in shown]
    n = len(design.systems)
    sheets = f" or their sheet from {folder / 'sheets'}," if (folder / "sheets").is_dir() else ""
    systems = "1 system" if n == 1 else f"{n} systems"
    raters = "1 rater" if len(design.raters) == 1 else f"{len(design.raters)} raters"
    criteria = f"{len(design.criteria)} criteria, " if len(design.criteria) > 1 else ""
    earlier = f" (without {design.n_earlier} of earlier studies)" if design.n_earlier else ""
    n_equal = sum(text == other for item in design.items for text, other in combinations(item.outputs, 2))
    ties = ""
    if design.are_preferences and n_equal:
        pairs = f"{n_equal} pairs of outputs are" if n_equal > 1 else "1 pair of outputs is"
        ties = f"{pairs} equal and not shown: each rater of the item counts as saying tie.\n"
    return (
        f"{folder}: {len(design.items)} of {design.n_items} items{earlier}, {systems}, {criteria}{raters}: at "
        f"most {max(map(len, design.raters.values()))} screens each, "
        f"{sum(len(design.asked_on(screen)) for screen in screens)} ratings in all.\n"
        f"{ties}"
        f"Give each rater their page from {folder / 'pages'},{sheets} or run `referenceless rate {folder}`; keep "
        "study.json, which names the systems, to yourself.\n"
        f"Put the files that they send back into {folder / 'ratings'}; `referenceless human-score {folder}` "
        "reads them.\n"
    )


def _planned(design: Design, pilot: str | None, find: Mapping[str, float]) -> str:
    """Describe the plan of a study of several systems, in one line for all criteria of which it finds the same.

    Args:
        design: the study's design.
        pilot: the study whose ratings the plan takes; None for public ones.
        find: the difference, or win rate, to find by each criterion, by its name; that of "" is for all.

    Raises:
        click.UsageError: for a criterion that is none, and one difference for criteria with different scales.
    """
    if len(design.systems) < 2:
        return ""
    _check_find(design, find)
    names: dict[str, list[str]] = {}
    for criterion in design.criteria:
        wanted = find.get(criterion.name, find.get(""))
        names.setdefault(_plan_by(design, criterion, pilot, wanted), []).append(criterion.name)
    return "\n".join(f"Planned{_for(of_plan)}: {plan}" for plan, of_plan in names.items())


def _check_find(design: Design, find: Mapping[str, float]) -> None:
    """Check that each difference to find is of a criterion, or of criteria with one scale.

    Raises:
        click.UsageError: if one is not.
    """
    scales = {criterion.name: str(criterion.scale) for criterion in design.criteria}
    for name, difference in find.items():
        if name not in scales and name:
            raise click.UsageError(f"--find {name}={difference:g}: the criteria are {', '.join(filter(None, scales))}")
    widths = {criterion.scale.high - criterion.scale.low for criterion in design.criteria}
    if "" in find and len(widths) > 1:
        told = ", ".join(f"{name} {scale}" for name, scale in scales.items())
        each = " ".join(f"--find {name}=DIFFERENCE" for name in scales)
        raise click.UsageError(
            f"--find {find['']:g}: the criteria have different scales ({told}): give each one, {each}"
        )


def _for(criteria: Sequence[str]) -> str:
    """Name the criteria that a plan is for; "" for one without a name.

    >>> _for(["fluency"]), _for(["fluency", "adequacy"]), _for([""])
    (', for fluency', ', for each of fluency and adequacy', '')
    """
    from referenceless_metrics.human_evaluation.wording.phrases import listed

    if len(criteria) > 1:
        return f", for each of {listed(criteria)}"
    return f", for {criteria[0]}" if criteria[0] else ""


def _plan_by(design: Design, criterion: Criterion, pilot: str | None, find: float | None) -> str:
    """Say which difference by one criterion the study will find, how wide the interval will be, and what is assumed.

    Each sentence has a line, indented below the first.
    """
    from referenceless_metrics.human_evaluation.inference.crossed import FEWEST_RATERS
    from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL
    from referenceless_metrics.human_evaluation.studies.planning import Plan, study_components

    scale = criterion.scale
    components, basis, by_pair = study_components(criterion, pilot, design.systems)
    n_items, overlap = len(design.items), len(design.items[0].raters)
    n_raters = min(len(design.raters), n_items * overlap)
    width = None if scale.is_preference else float(scale.high - scale.low)
    study = Plan(components, n_items, n_raters, overlap, preferences=scale.is_preference, scale_width=width)
    these, others = (study.inference(all_raters=general).width() / 2 for general in (False, True))
    of_others = f"fewer than {FEWEST_RATERS} raters tell nothing of raters in general"
    if study.about_others:
        of_others = f"±{others:.2g} for raters in general"
    what = "a win rate" if scale.is_preference else "a difference"
    n_all = (design.n_items if design.n_unlike is None else design.n_unlike) - design.n_earlier
    n_comparisons = design.n_comparisons()
    of_comparison = 1 - (1 - LEVEL) / n_comparisons
    lines = [f"{_found(study, n_all, n_comparisons, LEVEL, str(scale))}."]
    if find is not None:
        lines.append(_to_find(study, find, of_comparison, n_all, scale))
    lines += _on_pairs(study, by_pair, find, of_comparison)
    lines += _on_correlation(study, find, of_comparison, pilot)
    if study.about_others:
        alone = _size(study, study.detectable(of_comparison, all_raters=False))
        one_of = f"one of {alone}" if alone else "none"
        lines.append(f"Among these raters alone {n_items} items find {one_of}.")
    n_pairs = design.n_comparisons(all_pairs=True)
    if n_pairs > n_comparisons:
        of_pair = 1 - (1 - LEVEL) / n_pairs
        size = _size(study, study.detectable(of_pair))
        found = f"{n_items} items find {f'one of {size}' if size else 'none'}"
        if find is not None:
            found += f", and one of {find:g} takes {_items_needed(study, find, of_pair)}"
        lines.append(f"Over all pairs (human-score --all-pairs, {n_pairs} comparisons) {found}.")
    lines.append(
        f"The {LEVEL:.0%} interval of {what} (of one comparison, uncorrected) will be about ±{these:.2g} for these "
        f"raters; {of_others}."
    )
    return "\n  ".join([*lines, f"Assumed: {basis}."])


def _on_pairs(
    study: Plan, by_pair: Mapping[tuple[str, str], VarianceComponents], find: float | None, level: float
) -> list[str]:
    """Say what the items find of each pair of a pilot's systems, the hardest first; of many pairs of the two ends.

    Args:
        study: the plan.
        by_pair: components of each pair, which the plan pools; none if it is of one.
        find: the difference, or win rate, to find; None for none.
        level: confidence level of one of the study's comparisons.
    """
    plans = {pair: replace(study, components=components) for pair, components in by_pair.items()}
    hardest_first = sorted(plans, key=lambda pair: -plans[pair].detectable(level))
    if len(hardest_first) > _MOST_PAIRS:
        hardest_first = [hardest_first[0], hardest_first[-1]]
    told = []
    for pair in hardest_first:
        size = _size(plans[pair], plans[pair].detectable(level))
        needed = "" if find is None else f" (one of {find:g} takes {_items_needed(plans[pair], find, level)})"
        told.append(f"{f'one of {size}' if size else 'none'} between {' and '.join(pair)}{needed}")
    if not told:
        return []
    which = "By pair of the pilot's systems" if len(told) == len(plans) else "By the hardest and the easiest pair"
    return [f"{which}, {study.n_items} items find {', '.join(told)}; other figures here are of all pairs together."]


def _on_correlation(study: Plan, find: float | None, level: float, pilot: str | None) -> list[str]:
    """Say what the items find if raters agree more than is assumed; nothing with a pilot, one rater, or preferences.

    The more raters agree on an output, the less do further raters of it add.

    Args:
        study: the plan.
        find: the difference to find; None for none.
        level: confidence level of one of the study's comparisons.
        pilot: the study whose ratings the plan takes; None for public ones.
    """
    if pilot is not None or study.preferences or study.overlap < 2:
        return []
    found = []
    for correlation in _CORRELATIONS:
        other = replace(study, components=study.components.with_correlation(correlation))
        size = _size(other, other.detectable(level))
        told = f"at {correlation:g} the same items find {f'one of {size}' if size else 'none'}"
        if find is not None:
            told += f", and one of {find:g} takes {_items_needed(other, find, level)}"
        found.append(told)
    assumed = f"That is if two raters' ratings of an output correlate at {study.components.correlation:.2g}"
    return [f"{assumed}; {'; '.join(found)}."]


def _items_needed(study: Plan, wanted: float, level: float) -> str:
    """Return the number of items that find a difference, or a win rate, by the planned raters, in words.

    Args:
        study: the plan.
        wanted: the difference, or the win rate.
        level: confidence level of a comparison.
    """
    n_items = study.items_to_detect(wanted - 0.5 if study.preferences else wanted, level)
    return f"{n_items} items" if n_items is not None else "more raters"


def _size(study: Plan, difference: float) -> str:
    """Return a difference that a study finds, as a win rate if it is one of preferences; "" beyond the scale."""
    if study.preferences:
        return f"{0.5 + difference:.2g}" if difference < 0.5 else ""
    return f"{difference:.2g}" if difference < (study.scale_width or math.inf) else ""


def _to_find(study: Plan, wanted: float, level: float, n_all: int, scale: Scale) -> str:
    """Say how many items find a difference, or a win rate, at the level of one of the study's comparisons.

    Args:
        study: the plan.
        wanted: the difference, or the win rate.
        level: confidence level of a comparison.
        n_all: the number of items from which the study is drawn.
        scale: the scale of the ratings.

    Raises:
        click.UsageError: for a win rate of one half or less, or of 1, and a difference as great as the scale is wide.
    """
    if study.preferences and not 0.5 < wanted < 1:
        raise click.UsageError(f"--find {wanted:g}: of preferences, give a win rate above 0.5 and below 1")
    if study.scale_width is not None and wanted >= study.scale_width:
        of_shares = ", which is one of shares: 0.1 for 10 percentage points" if study.scale_width == 1 else ""
        raise click.UsageError(
            f"--find {wanted:g}: on the scale {scale}, give a true difference below {study.scale_width:g}{of_shares}"
        )
    difference = wanted - 0.5 if study.preferences else wanted
    by = f"{study.n_raters} raters" if study.n_raters > 1 else "1 rater"
    n_items = study.items_to_detect(difference, level)
    if n_items is not None:
        return f"To find one of {wanted:g} with {by}, draw {_items_each(study, n_items, n_all)}."
    more = study.raters_to_detect(difference, level)
    if more is None:
        return f"No number of items and raters finds one of {wanted:g}."
    return (
        f"No number of items finds one of {wanted:g} with {by}, since raters differ: take {more.n_raters} raters and "
        f"{_items_each(more, more.n_items, n_all)}."
    )


def _items_each(study: Plan, n_items: int, n_all: int) -> str:
    """Return a number of items, by how many raters each is rated, and that there are fewer items, in words."""
    by = "all of them" if study.overlap == study.n_raters else f"{study.overlap} of them"
    each = f"{n_items} items" if study.n_raters == 1 else f"{n_items} items, each for {by}"
    return f"{each} (there are {n_all}: have the systems write more)" if n_items > n_all else each


def _found(study: Plan, n_all: int, n_comparisons: int, level: float, scale: str) -> str:
    """Say which true differences the planned items find, and twice and four times as many, or all that there are.

    Args:
        study: the plan.
        n_all: the number of items from which the study is drawn.
        n_comparisons: the comparisons for which p is corrected.
        level: confidence level of a single comparison.
        scale: the scale of the ratings.
    """
    from referenceless_metrics.human_evaluation.inference.estimated_means import POWER

    numbers = sorted({min(times * study.n_items, n_all) for times in (1, 2, 4)})
    sizes = []
    for n_items in numbers:
        difference = replace(study, n_items=n_items).detectable(1 - (1 - level) / n_comparisons)
        sizes.append(_size(study, difference))
    n = study.n_items
    of_two = (
        "difference of the shares that are rated 1 of two systems" if scale == "0-1" else "difference of two systems"
    )
    what = "win rate" if study.preferences else of_two
    of_scale = "" if study.preferences else f" (scale {scale})"
    first = f"{n} items find a true {what} of {sizes[0]}{of_scale}" if sizes[0] else f"{n} items find no true {what}"
    further = [
        f"{f'all {n_items}' if n_items == n_all else f'{n_items} items'} {f'one of {size}' if size else 'none'}"
        for n_items, size in zip(numbers[1:], sizes[1:], strict=True)
    ]
    whose = "among raters in general" if study.about_others else "among these raters"
    corrected = f"corrected for {n_comparisons} comparisons" if n_comparisons > 1 else "of one comparison"
    share = f"at least {POWER:.0%}" if study.about_others else f"{POWER:.0%}"
    return f"{', '.join([f'{first} in {share} of studies', *further])} ({corrected}; {whose})"


@click.command(epilog="Example: referenceless rate study --port 8000")
@click.argument("study", type=click.Path(exists=True, file_okay=False))
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="0 for any that is free.")
def rate(study: str, port: int) -> None:
    """Show a study's pages in the browser, and gather the ratings.

    STUDY is a folder that `sample` wrote. Only this machine can open the pages. Each rating is written at once to
    ratings/RATER.csv there, whole or not at all: a page that is reloaded, or a server that is stopped or killed, goes
    on from there.
    """
    from referenceless_metrics.human_evaluation.studies.server import HOST, rating_server

    with rating_server(study, port) as server:
        address = f"http://{HOST}:{server.server_port}/"
        click.echo(f"{address} shows the raters' pages, and how far each is; Ctrl-C stops it.")
        for rater in Design.read(study).raters:
            click.echo(f"{rater}: {address}{quote(rater)}")
        server.serve_forever()
