"""The command `agreement`: agreement of raters with one another and with themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import ShortHelp
from referenceless_metrics.command_line.metric_command import values_of
from referenceless_metrics.command_line.output_options import output_options
from referenceless_metrics.command_line.rated_text_options import SCALE
from referenceless_metrics.command_line.reading_options import QUESTIONS, READING
from referenceless_metrics.core.files.output import FOR_PAPERS, FOR_READERS, write_rows
from referenceless_metrics.core.files.reading import Reading, tell
from referenceless_metrics.core.registry import implementation
from referenceless_metrics.core.support.validation import InputError, Options, Record
from referenceless_metrics.human_evaluation.commands.rating_options import (
    COLUMNS,
    CRITERION_SCALES,
    ERROR_WEIGHTS,
    FIXED_SIDES,
    PREFERENCES_NAMED,
    RATING_COLUMNS,
    VALUES,
    column_option,
    rating_columns,
)
from referenceless_metrics.pages.findings import FOR_THE_PAPER

if TYPE_CHECKING:
    import pandas as pd

    from referenceless_metrics.core.files.tables import Table
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
    from referenceless_metrics.human_evaluation.studies.raters import Answer
    from referenceless_metrics.pages.drawing import Plot

_ON_PLACES = (
    "the n-th rating in a cell is taken for that of rater n: Cohen's κ, the rows of raters and their number rest on "
    "it, and α does not"
)

_COLUMN_OPTIONS = ("item", "system", "rater", "criterion", "cluster", "preference", "system-a", "system-b")


@click.command(cls=ShortHelp, epilog="Example: referenceless agreement study")
@click.argument("ratings", type=click.Path(), nargs=-1, required=True)
@adding(
    *map(column_option, _COLUMN_OPTIONS),
    RATING_COLUMNS,
    COLUMNS,
    VALUES,
    SCALE,
    CRITERION_SCALES,
    QUESTIONS,
    ERROR_WEIGHTS,
    FIXED_SIDES,
    *READING,
)
@output_options
def agreement(ratings: tuple[str, ...], output: str | None, format: str, **options: Any) -> None:
    """Measure how far raters agree with one another and with themselves.

    RATINGS is a study's folder, or several of the same criteria, or exports of annotation tools and tables with one row
    per rating or one column per rater. Shown are Krippendorff's α, Fleiss' κ and Cohen's κ, and for each rater mean and
    spread, the correlation with the other raters, and the agreement with their own earlier ratings of the same. Raters
    who give one answer nearly always, or agree with none of the others, are flagged; nobody is left out. Each criterion
    has its part. Labels that are no numbers are alike or not.
    """
    from referenceless_metrics.human_evaluation.commands.agreement_of_studies import (
        agreement_of_studies,
        on_leaving_out,
    )
    from referenceless_metrics.human_evaluation.commands.analysis import named_lines, with_name
    from referenceless_metrics.human_evaluation.ratings.rating_folders import files_in_folders
    from referenceless_metrics.human_evaluation.wording.agreement_output import (
        FURTHER_COEFFICIENTS,
        on_columns,
        rows_for_readers,
    )
    from referenceless_metrics.human_evaluation.wording.next_steps import after_agreement

    remarks: list[str] = []
    flags: dict[str, dict[str, str]] = {}
    categories: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    of_spans: tuple[list[str], Record] = ([], {})
    ratings = tuple(files_in_folders(ratings))
    are_studies = any(Path(file).is_dir() for file in ratings)
    if are_studies:
        answers, systems, flags, remarks, of_spans = agreement_of_studies(ratings, options["values"])
        for name, given in answers.items() if not systems else ():
            _check_on_scale(ratings[0], given, options["scales"].get(name, options["scale"]))
    else:
        answers, categories, systems, beside = answers_of_table(ratings, options)
        remarks = [beside] if beside else []
    rows: list[Record] = []
    told: list[tuple[str, Sequence[str]]] = []
    headlines: list[str] = []
    bases: list[tuple[str, Sequence[str]]] = []
    plots: list[Plot] = []
    summaries: Record = {}
    for criterion, given in answers.items():
        part_rows, part_lines, summary, part_plots, part_basis = _agreement_by(
            criterion, given, categories, flags.get(criterion), systems
        )
        rows += part_rows
        bases.append((criterion, part_basis))
        if part_rows:
            headlines.append(with_name(criterion, part_lines[0]))
            part_lines = part_lines[1:]
        told.append((criterion, part_lines))
        plots += part_plots
        summaries[criterion] = summary
    if are_studies and any(row["flags"] for row in rows):
        remarks.append(on_leaving_out(ratings))
    on_rows = [on_columns(rows, systems, spaced=format in FOR_PAPERS)] if rows else []
    lines = [*on_rows, *named_lines(told), *of_spans[0], *remarks]
    lines.sort(key=lambda line: line.startswith(FOR_THE_PAPER))  # those to quote stand together, last
    if not headlines:
        headlines.append(lines.pop(0))
    coefficients = summaries.get("", {"criteria": summaries})
    page = {"plots": plots, "following": after_agreement(ratings, _typed_for_scores())}
    summary = {**coefficients, **of_spans[1], "findings": [*headlines, *lines]}
    shown = rows_for_readers(rows, are_told=format == "table") if format in FOR_READERS else rows
    note = [*on_rows, *(line for line in lines if FURTHER_COEFFICIENTS in line)]
    paper: Record = {"basis": named_lines(bases), "note": [*note, f"Computed with {implementation()}."]}
    write_rows(shown, summary, format, output, lines=["", *lines], headline=" ".join(headlines), page=page, **paper)


def _typed_for_scores() -> list[str]:
    """Return the typed options for reading ratings that `human-score` has, too."""
    from referenceless_metrics.human_evaluation.commands.human_score import human_score

    typed = list(click.get_current_context().find_root().obj or ())
    further = {name for param in human_score.params for name in param.opts} - {"-o", "-f", "--output", "--format"}
    words: list[str] = []
    for param in click.get_current_context().command.params:
        for name in (each for each in param.opts if each in further and each.startswith("-")):
            is_flag = isinstance(param, click.Option) and param.is_flag
            values = values_of(typed, name)
            words += [name] * (name in typed) if is_flag else [word for value in values for word in (name, value)]
    return words


def _agreement_by(
    criterion: str,
    answers: Sequence[Answer],
    categories: Sequence[str],
    flags: Mapping[str, str] | None,
    systems: Sequence[str],
) -> tuple[list[Record], list[str], Record, list[Plot], list[str]]:
    """Return rows, sentences, a summary, charts and the basis of raters' agreement by one criterion.

    Args:
        criterion: the criterion; "" for one without a name.
        answers: the answers.
        categories: the labels that the values of answers stand for; none of ratings.
        flags: flags of raters for other reasons than their answers, by name.
        systems: the systems in their order if answers are preferences between them; none of ratings.

    Raises:
        InputError: for no answers, of one criterion without a name; of others, a sentence says so.
    """
    from referenceless_metrics.human_evaluation.commands.analysis import of_criterion
    from referenceless_metrics.human_evaluation.drawings.agreement import agreement_plots
    from referenceless_metrics.human_evaluation.studies.labels import label_agreement
    from referenceless_metrics.human_evaluation.studies.raters import rater_agreement
    from referenceless_metrics.human_evaluation.wording.agreement_output import (
        agreement_basis,
        agreement_lines,
        agreement_rows,
        label_lines,
    )

    if criterion and not answers:
        return [], ["left out, since it has no ratings."], {}, [], []
    of_labels = label_agreement(answers, categories) if categories else None
    if of_labels is None:
        agreed = rater_agreement(answers, flags=flags, are_preferences=bool(systems))
    else:
        agreed = of_labels.agreed
    rows = of_criterion(criterion, agreement_rows(agreed))
    lines = agreement_lines(agreed, answers, systems) if of_labels is None else label_lines(of_labels)
    coefficients = {name: each._asdict() for name, each in agreed.coefficients.items()}
    summary: Record = {"coefficients": coefficients, "outputs": agreed.n_units, "shared": agreed.n_shared}
    if of_labels is not None:
        summary["labels"] = {
            label: {"share": share, "alpha": of_labels.alphas[label]._asdict() if label in of_labels.alphas else None}
            for label, share in of_labels.shares.items()
        }
    basis = agreement_basis(agreed, systems, are_labels=of_labels is not None)
    return rows, lines, summary, agreement_plots(agreed, criterion), basis


def answers_of_table(
    ratings: Sequence[str], options: Options
) -> tuple[dict[str, list[Answer]], tuple[str, ...], tuple[str, ...], str]:
    """Return the answers in a table by each criterion.

    With them come the categories that they number if they are labels, the systems if they are preferences, and the line
    on scores that stand beside them.

    Raises:
        InputError: for a table without raters, or without items and texts.
    """
    from referenceless_metrics.human_evaluation.ratings.categories import note_on_categories, with_categories
    from referenceless_metrics.human_evaluation.ratings.copies import without_copies
    from referenceless_metrics.human_evaluation.ratings.criteria import by_criterion
    from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows
    from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table
    from referenceless_metrics.human_evaluation.ratings.study_ratings import is_study
    from referenceless_metrics.human_evaluation.ratings.wide import NoRatingsError

    reading: Reading = options["reading"]
    columns = rating_columns(options)
    sources: list[str | Table] = list(ratings)
    categories: tuple[str, ...] = ()
    if not any(map(is_study, ratings)):
        read = [without_copies(read_rating_rows(file, reading, columns.named)) for file in ratings]
        tell(note for _, notes in read for note in notes)
        tables = [table for table, _ in read]
        coded, categories = with_categories(tables, columns)
        if categories and (options["scale"] or options["scales"]):
            raise click.UsageError("--scale is of ratings, and these are labels: leave it out")
        if categories:
            tell(_on_majority(tables, columns.ratings))
        sources = list(coded)
    scales: Options = {name: options[name] for name in ("scale", "scales")}
    try:
        table = read_rating_table(sources, columns, alone=False, repeats=True, reading=reading, **scales)
    except NoRatingsError as error:
        raise InputError(f"{error}; {PREFERENCES_NAMED}") from None
    parts, notes = by_criterion(table)
    if not {"rater", "place"} & set(table.frame):
        notes.append(
            "no column names the raters: the n-th rating of an output is taken for that of rater n, on which Cohen's κ "
            "and the rows of raters rest, and α does not (--rater-column)"
        )
    if categories:
        notes.append(note_on_categories(categories))
    tell(notes)
    systems = _preferred_systems(table) if table.are_preferences else ()
    return {name: _answers(part, systems) for name, part in parts.items()}, categories, systems, table.beside


def _on_majority(tables: Sequence[Table], names: Sequence[str]) -> list[str]:
    """Return a note on a column of labels that is the majority of the others, in a list; none without one."""
    from referenceless_metrics.human_evaluation.ratings.majorities import majority_of

    if len(tables) != 1 or not all(map(tables[0].has, names)):
        return []
    name = majority_of({str(name): list(map(str, tables[0].column(name))) for name in names})
    told = f"column {name!r} holds the majority of the others in each row: it is no rater, and raises agreement"
    return [f"{told} (leave out --rating-column {quote(name)})"] if name else []


def _preferred_systems(table: RatingTable) -> tuple[str, ...]:
    """Return the systems of preferences in the order of `human-score`, in which the first is the baseline."""
    return table.systems or tuple(dict.fromkeys((*table.frame["system_a"], *table.frame["system_b"])))


def _answers(table: RatingTable, systems: Sequence[str]) -> list[Answer]:
    """Return the answers in a table; blank ratings are left out, with a note on their number.

    Args:
        table: the table.
        systems: the systems in their order, of preferences.

    Raises:
        InputError: for a table without raters, or without items and texts.
    """
    from referenceless_metrics.human_evaluation.studies.raters import Answer

    frame = table.frame
    who = next((column for column in ("rater", "place") if column in frame), None)
    if who == "place":
        tell([_ON_PLACES])
    if who is None:
        who, frame = "place", _with_places(table)
    value = "rating"
    if table.are_preferences:
        value = "preference"
        frame = _turned(frame, systems)
    unit = _unit(table)
    known = frame.dropna(subset=value)
    if len(known) < len(frame):
        n_missing = len(frame) - len(known)
        are = "1 rating is" if n_missing == 1 else f"{n_missing} ratings are"
        tell([f"{are} missing, and left out"])
    units = zip(*(known[name] for name in unit), strict=True)
    raters = known[who].tolist()
    values = known[value].tolist()
    clusters = known["cluster"].tolist() if "cluster" in known else [None] * len(known)
    answers = list(map(Answer, raters, units, values, values, clusters))
    if not table.are_preferences:
        _check_on_scale(table.source, answers, table.scale)
    return answers


def _with_places(table: RatingTable) -> pd.DataFrame:
    """Return ratings of raters who are not named with the place of each among those of its output.

    Raises:
        InputError: if no output has several ratings.
    """
    frame = table.frame
    unit = _unit(table)
    places = frame.groupby(unit, sort=False).cumcount().add(1)
    if table.are_preferences or places.max() < 2:
        raise InputError(
            f"{table.source}: there is no column of raters: name it (--rater-column NAME), or the column of each rater "
            "(--rating-column r1 --rating-column r2). Agreement needs texts that several raters rated: if that was not "
            "kept, let two people or more rate (`sample`, then `rate`)"
        )
    return frame.assign(place=places.astype(str))


def _unit(table: RatingTable) -> list[str]:
    """Return the columns that tell what was rated.

    Raises:
        InputError: for a table without items and texts.
    """
    frame = table.frame
    unit = [name for name in ("item", "system", "system_a", "system_b") if name in frame]
    if "item" in unit:
        return unit
    if "text" not in frame:
        raise InputError(
            f"{table.source}: there is no column `item` or `text` that tells what was rated: name one "
            "(--item-column NAME)"
        )
    return [name for name in ("text", "system") if name in frame]


def _check_on_scale(source: str, answers: Sequence[Answer], scale: tuple[float, float] | None) -> None:
    """Check that ratings lie on their scale, as `human-score` does.

    Raises:
        InputError: for a rating outside it.
    """
    low, high = scale or (-math.inf, math.inf)
    outside = next((each for each in answers if not low <= each.value <= high), None)
    if outside is not None:
        rated = f"a rating of {outside.value:g} by {outside.rater}"
        raise InputError(f"{source}: {rated} lies outside the scale from {low:g} to {high:g}")


def _turned(preferences: pd.DataFrame, systems: Sequence[str]) -> pd.DataFrame:
    """Return preferences for the later of two systems, whichever stood first; they are the share of its wins."""
    first, second = preferences["system_a"], preferences["system_b"]
    places = {system: place for place, system in enumerate(systems)}
    swapped = first.map(places) < second.map(places)
    return preferences.assign(
        system_a=np.where(swapped, second, first),
        system_b=np.where(swapped, first, second),
        preference=preferences["preference"].where(~swapped, 1 - preferences["preference"]),
    )
