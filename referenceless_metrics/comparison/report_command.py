"""The command `report`: one page on the outputs of systems, with people's ratings where these are given."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.cluster_files import is_cluster_file
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.metric_command import ADVICE, ChosenMetrics, any_metric_option
from referenceless_metrics.command_line.output_options import Output, progress_option
from referenceless_metrics.command_line.rated_text_options import SCALE
from referenceless_metrics.command_line.references_and_sources import COLUMNS_BESIDE, SOURCES
from referenceless_metrics.command_line.system_files import SystemFiles
from referenceless_metrics.command_line.text_options import COLUMN, item_option, system_input_options
from referenceless_metrics.comparison.asked import Asked, measures_asked, read_asked, words_of_outputs
from referenceless_metrics.comparison.command import SeveralMetrics, test_options
from referenceless_metrics.core.files.reading import Reading, tell
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import read_texts
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.commands.rating_options import (
    COLUMNS,
    ERROR_WEIGHTS,
    PLAIN_RATINGS_TEXT_COLUMN,
    RATING_COLUMNS,
    VALUES,
    rating_columns,
)
from referenceless_metrics.human_evaluation.wording.phrases import listed

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable


@click.command(
    cls=SeveralMetrics,
    epilog="Example: referenceless report --metric fluency baseline.txt ours.txt -o report/",
)
@click.argument("systems", cls=SystemFiles, required=True)
@click.option(
    "-o",
    "--output",
    cls=Output,
    writes=("index.html",),
    required=True,
    metavar="PLACE",
    help="Page to write, which ends in .html, or a folder for index.html.",
)
@any_metric_option
@adding(
    ADVICE,
    click.Option(
        ["--ratings"],
        type=click.Path(),
        help="Table of people's ratings of outputs, or a study's folder, as for `human-score`; without texts "
        "ratings find their outputs by item and system.",
    ),
    RATING_COLUMNS,
    PLAIN_RATINGS_TEXT_COLUMN,
    Rare(["--rater-column"], type=COLUMN, help="Column of --ratings with who rated."),
    COLUMNS,
    VALUES,
    ERROR_WEIGHTS,
    SCALE,
    Rare(["--groups"], type=click.Path(), help="File with a group, such as a topic, for each segment: a line each."),
    Rare(["--system-column"], type=COLUMN, help="Column with the system, of one table with all systems' outputs."),
    item_option(
        "Column with the item  [default: item in such a table, if there is one; else rows are paired by place]"
    ),
    Rare(
        ["--cluster-column"],
        type=COLUMN,
        help="Column of outputs, or of ratings of .txt files, with what segments lie in, such as a document; or a "
        "file of lines.",
    ),
)
@test_options
@adding(SOURCES, COLUMNS_BESIDE[1])
@system_input_options
@progress_option
def report(
    chosen: ChosenMetrics,
    systems: tuple[str, ...],
    others: tuple[str, ...],
    references: tuple[str, ...],
    sources: str | None,
    n_samples: int,
    output: str,
    ratings: str | None,
    scale: tuple[float, float] | None,
    groups: str | None,
    **options: Any,
) -> None:
    """Write a report on systems as one page of HTML.

    SYSTEMS are files with outputs for the same inputs, in the same order: two or more, the baseline first. Tables in
    another order are paired by --item-column.

    The page compares them by any metrics (--metric may be repeated; the first leads), draws the results, and lists all
    segments side by side, the largest differences first, with explanations. It opens from disk and needs no network.
    With --ratings it also compares people's ratings of the systems, and shows estimates against ratings.
    """
    from referenceless_metrics.comparison.measuring import clusters_of_ratings, with_ratings
    from referenceless_metrics.comparison.page import systems_page
    from referenceless_metrics.human_evaluation.commands.conditions import all_have, conditions_on_outputs
    from referenceless_metrics.pages.rendering import write_page

    reading: Reading = options["reading"]
    of_table = Reading(error_weights=reading.error_weights, words=reading.words)
    in_ratings: str | None = None  # the column of clusters, if the ratings have it
    item_column: str | None = options["item_column"]
    if ratings is not None and all(Path(file).suffix == ".txt" for file in systems):
        # Lines of text have no columns: what is said of columns can only be meant for the ratings.
        of_table = replace(of_table, where=reading.where, rows_in=reading.rows_in, questions=reading.questions)
        options["reading"] = replace(reading, where=(), rows_in=None, questions=None)
        if not is_cluster_file(options["cluster_column"]):
            in_ratings, options["cluster_column"] = options["cluster_column"], None
        options["item_column"] = None
    elif ratings is not None:
        of_table = replace(of_table, where=tuple(each for each in reading.where if all_have([ratings], each, of_table)))
        of_outputs = conditions_on_outputs(systems, reading.where)
        where = tuple(each for each in reading.where if each in of_outputs or each not in of_table.where)
        options["reading"] = replace(reading, where=where)
    asked = read_asked(chosen, systems, others, references, sources, options)
    of_ratings = {name: options[name] for name in ("rating_columns", "rater_column", "values")}
    if ratings is None and any(of_ratings.values()):
        raise click.UsageError("--rating-column, --rater-column and --values are of --ratings FILE: name it")
    of_groups = None if groups is None else read_texts(groups, text_column="group")
    if of_groups is not None and len(of_groups) != asked.n_segments:
        raise InputError(f"{groups} has {len(of_groups)} groups, but {systems[0]} has {asked.n_segments} texts")
    table = None
    if ratings is not None:
        of_ratings["columns_are"] = options["columns_are"]
        columns = rating_columns(of_ratings, text=options["ratings_text_column"], cluster=in_ratings)
        table = _ratings_of_outputs(ratings, columns, asked, item_column, reading=of_table, scale=scale)
        if in_ratings is not None:
            asked = replace(asked, clusters=clusters_of_ratings(table, asked.systems))
    measures = measures_asked(asked, n_samples, all_pairs=options["all_pairs"])
    parts: Record = {"measures": measures}
    if table is not None:
        of_page: Record = {"all_pairs": options["all_pairs"], "clusters": asked.clusters}
        parts |= with_ratings(table, asked.systems, measures, **of_page)
    page = systems_page(
        asked.systems,
        inputs=asked.inputs,
        groups=of_groups,
        files=words_of_outputs(systems, options["reading"]),
        **parts,
    )
    click.echo(write_page(page, output))


def _ratings_of_outputs(
    source: str, columns: RatingColumns, asked: Asked, item_column: str | None, *, reading: Reading, **how: Any
) -> RatingTable:
    """Return people's ratings of the outputs: of equal texts, or without texts of the items that both sides name.

    Args:
        source: the file of ratings, or a study's folder.
        columns: its columns.
        asked: the systems.
        item_column: the column of items, of both if both have it; None for `item`.
        reading: the way to read the ratings.
        how: further arguments of `read_rating_table`.

    Raises:
        InputError: for ratings that cannot be read, and those without texts if items do not tell their outputs.
    """
    from referenceless_metrics.human_evaluation.commands.judged_joins import numbered_outputs, on_numbers, with_outputs
    from referenceless_metrics.human_evaluation.ratings.exports.answers import TEXT
    from referenceless_metrics.human_evaluation.ratings.output_column import with_output_column
    from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table
    from referenceless_metrics.human_evaluation.ratings.system_ratings import called_as_outputs

    tables, columns, notes = with_output_column([source], columns, asked.systems, reading)
    tell(notes)
    read = [each for each in tables if isinstance(each, Table)]
    have_texts = columns.text is not None or len(read) < len(tables) or any(each.has_own(TEXT) for each in read)
    are_lines = asked.rows is None and asked.items is None  # a column of items can only be one of the ratings
    may_be_shared = not have_texts and item_column is not None and all(each.has_own(item_column) for each in read)
    if may_be_shared or (are_lines and item_column is not None):
        columns = replace(columns, item=item_column)  # else their column `item` counts, as in `evaluate`
    how |= {"alone": False, "clusters": asked.clusters is None, "reading": reading}
    table = called_as_outputs(read_rating_table(tables, columns, **how), asked.systems)
    if have_texts or table.are_preferences or "system" not in table.frame:
        return table
    items = asked.items_of(item_column)
    if are_lines:
        items = numbered_outputs(table, asked.n_segments, are_said=item_column is not None)
    if items is None or "item" not in table.frame:
        shared = [] if asked.rows is None else [name for name in asked.rows.columns if read[0].has_own(name)]
        both = f"; both have {listed(list(map(repr, shared)))}" if shared else ""
        of_lines = on_numbers(table, asked.n_segments, columns.item or "item") if are_lines else ""
        raise InputError(
            f"{source}: there is no column with the outputs by which ratings find those of {asked.systems[0][0]} "
            "(--ratings-text-column NAME), and no column of items in both files (--item-column NAME"
            f"{both}){of_lines and '; ' + of_lines}"
        )
    return with_outputs(table, asked.systems, items)
