"""The description of a tool's export of scores, spans or preferences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.evidence import columns_of
from referenceless_metrics.advice.look.forms.described import first_rows, options_of
from referenceless_metrics.advice.look.forms.description import Look, of_one_pair
from referenceless_metrics.advice.look.forms.doubts import NO_ITEM_SHARED, on_references
from referenceless_metrics.advice.look.forms.shapes import OF_PEOPLE, OF_SCORES
from referenceless_metrics.advice.look.forms.table_facts import are_unpaired, cells_in
from referenceless_metrics.advice.look.forms.tool_counts import export_counts, systems_told
from referenceless_metrics.advice.look.lines.checking import refusal_of
from referenceless_metrics.advice.look.lines.on_scores import MOST_WORST
from referenceless_metrics.advice.look.lines.parts import EVERY_PAIR, OTHER, command_line, every_pair
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, shortened
from referenceless_metrics.human_evaluation.exports.rows import Export as ScoreExport
from referenceless_metrics.human_evaluation.exports.rows import ScoreRow
from referenceless_metrics.human_evaluation.language_pairs import LanguagePairs, language_pairs
from referenceless_metrics.human_evaluation.ratings.model_raters import are_models

_LARGEST = 2**25  # bytes of an export with marked errors that is read whole


def look_at_export(file: str, reading: Reading) -> Look | None:
    """Recognise an export with scores, spans or preferences."""
    from referenceless_metrics.human_evaluation.exports import error_lists, trec_qrels
    from referenceless_metrics.human_evaluation.exports.preferences import PREFERENCE_FORMS, reading_command
    from referenceless_metrics.human_evaluation.exports.reading import RATING_FORMS, SCORE_FORMS
    from referenceless_metrics.human_evaluation.exports.sighting import sight
    from referenceless_metrics.human_evaluation.forms import form_of

    if reading.says_table:
        return None
    sighting = sight(file)
    preferences = form_of(sighting, PREFERENCE_FORMS)
    if preferences is not None:
        line = reading_command(file, preferences, sighting)
    if preferences is not None and not refusal_of(line):
        found = Look(file, f"{preferences.name} ({preferences.told_by})", shape="preferences", commands=(line,))
        return _with_pairs(found, reading)
    form = form_of(sighting, SCORE_FORMS)
    if form is None:
        return None
    lines = [command_line("compare", "--scores", file)]
    raters = error_lists.raters_of(sighting) if form is error_lists.FORM else None
    found = Look(file, f"{form.name} ({form.told_by})", shape=form.becomes, commands=tuple(lines))
    if are_models(raters or ()):
        return replace(found, shape=OF_SCORES)
    if form is trec_qrels.FORM:  # each file is of a judge, and names no systems
        note = "agreement needs a second judge's file beside this one"
        return replace(found, notes=(note,), commands=(command_line("agreement", file, OTHER),))
    is_long = _n_bytes(Path(file)) > _LARGEST
    if form not in RATING_FORMS:
        return found if is_long else _counted(found, reading)
    if is_long:
        return replace(found, commands=tuple(_of_people(file, ())))
    try:
        export, unweighted = _weighted(file, reading)
    except InputError as error:  # every command would ask for the same
        return replace(found, notes=(str(error),), commands=())
    pairs = None if export is None else language_pairs([export.languages])
    if pairs is not None:
        of_one = look_at_export(file, _in_pair(reading, pairs))
        return None if of_one is None else of_one_pair(of_one, pairs)
    rows = () if export is None else export.rows
    notes = () if export is None else (*_on_columns(export), *export.notes)
    unshared = (NO_ITEM_SHARED,) if are_unpaired(_items_by_system(rows)) else ()
    weights = [WEIGHTS_OPTION, ",".join(f"{severity}=WEIGHT" for severity in unweighted)] if unweighted else []
    of_people = _of_people(file, rows, options_of(reading), weights)
    lines = [line for line in of_people if raters != [] or line.split()[1] != "agreement"]
    apart = _on_raters_apart(rows)
    systems = tuple(dict.fromkeys(row.system for row in rows))
    told = (*export_counts(rows), *notes, *unshared, *apart, *unweighted.values())
    return replace(found, notes=told, commands=tuple(lines), systems=systems)


def _n_bytes(path: Path) -> int:
    """Return the size of a file, or of all files below a folder."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(each.stat().st_size for each in files if each.is_file())


WEIGHTS_OPTION = "--mqm-weights"


def _weighted(file: str, reading: Reading) -> tuple[ScoreExport | None, dict[str, str]]:
    """Return people's ratings in an export, with any weight for severities that have none, and what is said of these.

    Raises:
        InputError: for a damaged export.
    """
    from referenceless_metrics.human_evaluation.exports.reading import read_rating_export
    from referenceless_metrics.human_evaluation.exports.spans import MQM_WEIGHTS, UnweightedError

    told: dict[str, str] = {}
    weights = reading.error_weights
    while True:
        try:
            return read_rating_export(file, replace(reading, error_weights=weights)), told
        except UnweightedError as error:
            if not error.severity or error.severity in told:
                raise
            told[error.severity] = str(error)
            weights = {**(weights or MQM_WEIGHTS), error.severity: 1.0}


def _of_people(
    file: str, rows: Sequence[ScoreRow], options: Sequence[str] = (), weights: Sequence[str] = ()
) -> list[str]:
    """Return the command lines for an export of ratings, by `human-score` and not by the tests of `compare --scores`.

    Args:
        file: the export.
        rows: its rows; none if they are not known.
        options: the options that it is read with.
        weights: the option for weights of errors that have none, which counting them does not need.
    """
    by_system = _items_by_system(rows)
    weighed = [*options, *weights]
    unpaired = [*weighed, *(["--unpaired"] if are_unpaired(by_system) else [])]
    lines = [command_line("human-score", "--ratings", file, *unpaired, *every_pair(len(by_system)))]
    raters = _raters_apart(rows)
    are_unnamed = bool(rows) and not any(row.rater for row in rows)
    if len(raters) < 2 and not are_unnamed:  # a second rater may have a file of their own
        lines.append(command_line("agreement", file, *([OTHER] if raters else []), *weighed))
    if any(row.spans for row in rows):
        lines.append(command_line("human-score", "--ratings", file, *options, "--errors"))
    return lines


def _raters_apart(rows: Sequence[ScoreRow]) -> set[str]:
    """Return the raters if each output was rated by one of them; none if some rated the same, or are not named."""
    raters = {row.rater for row in rows}
    pairs = {(row.system, row.cluster, row.slice, row.item, row.rater) for row in rows}
    outputs = {pair[:-1] for pair in pairs}
    return raters if "" not in raters and len(pairs) == len(outputs) else set()


def _on_raters_apart(rows: Sequence[ScoreRow]) -> list[str]:
    """Return the remark that no output of an export was rated by two raters, in a list; none else."""
    raters = _raters_apart(rows)
    if len(raters) == 1:
        return [f"all ratings are of one rater, {min(raters)!r}: agreement needs another rater's file beside this one"]
    return ["no output was rated by two raters, so that nothing is said of how far they agree"] if raters else []


def _items_by_system(rows: Sequence[ScoreRow]) -> dict[str, set[tuple[str, ...]]]:
    found: dict[str, set[tuple[str, ...]]] = {}
    for row in rows:
        found.setdefault(row.system, set()).add((row.cluster, row.item))
    return found


def _counted(found: Look, reading: Reading) -> Look:
    """Return the look at an export of scores with its systems and items, and the lines that fit, if it is read."""
    from referenceless_metrics.human_evaluation.exports.reading import read_export

    try:
        export = read_export(found.file, reading)
    except ImportError:  # the command says why
        return found
    except InputError as error:
        return replace(found, notes=(str(error),), commands=())
    if export is None:
        return found
    pairs = language_pairs([export.languages])
    if pairs is not None:
        return of_one_pair(_counted(found, _in_pair(reading, pairs)), pairs)
    notes = (*export_counts(export.rows), *_on_columns(export), *export.notes)
    options = options_of(reading)
    if not export.are_of_people and len({name for row in export.rows for name in row.scores}) > 1:
        notes += ("all scores are compared, and p is corrected for all together: --score-column NAME takes one alone",)
    if export.are_of_people:
        lines = _of_people(found.file, export.rows, options)
        systems = tuple(dict.fromkeys(row.system for row in export.rows))
        return replace(found, shape=OF_PEOPLE, notes=notes, commands=tuple(lines), systems=systems)
    lines = [command_line("compare", "--scores", found.file, *options)]
    if len({row.item for row in export.rows}) > MOST_WORST:
        lines.append(command_line("compare", "--scores", found.file, *options, "--worst", str(MOST_WORST)))
    return replace(found, notes=notes, commands=tuple(lines))


def _in_pair(reading: Reading, pairs: LanguagePairs) -> Reading:
    """Return the reading of one of several pairs of languages."""
    return replace(reading, where=(*reading.where, pairs.first))


def _on_columns(export: ScoreExport) -> list[str]:
    """Return the remarks on the columns that a condition may name; none of an export without columns."""
    told = [f"columns, for --where: {shortened(', '.join(export.columns), 160)}"] if export.columns else []
    systems = [row.system for row in export.rows] if "system" in export.columns else []
    return [*told, *on_references(systems, "system")]


def _with_pairs(found: Look, reading: Reading) -> Look:
    """Return the look at a tool's file of preferences with its columns and systems; of several, all are compared."""
    try:
        table = first_rows(found.file, reading)
    except InputError:  # the command says why
        return found
    columns = [
        replace(column, part="") if column.part in _NO_PREFERENCE or _names_all(column) else column
        for column in columns_of(table)
    ]
    named = [column.name for column in columns if column.part in ("system_a", "system_b")]
    systems = [str(cell) for name in named for cell in cells_in(table, name)]
    notes = (systems_told(systems),) if systems else ()
    every = f" {EVERY_PAIR}" if len(set(systems)) > 2 else ""
    lines = tuple(f"{line}{every}" for line in found.commands)
    return replace(found, n_rows=len(table.rows), columns=tuple(columns), notes=notes, commands=lines)


_NO_PREFERENCE = ("rating", "score")
"""Parts that no column of a tool's file of preferences plays: numbers tell who won."""


def _names_all(column: Column) -> bool:
    """Say whether a column would name all rows one item."""
    return column.part == "item" and column.distinct < 2
