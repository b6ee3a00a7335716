"""A look at a file: its content, doubts about a plain reading, and the command lines that fit."""

from __future__ import annotations

import os
import re
import shlex
import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from referenceless_metrics.advice.look.all_criteria import criteria_of, with_criteria
from referenceless_metrics.advice.look.checking import are_doubtful, refusal_of, without_refused
from referenceless_metrics.advice.look.choosing import is_function, with_parts
from referenceless_metrics.advice.look.columns import (
    LABELS,
    LISTS_OF_TEXTS,
    MEANS,
    Column,
    are_answers,
    are_called_as_raters,
    is_of_own_metric,
    is_survey,
    is_unnamed,
    part_by_name,
    scale_in_name,
)
from referenceless_metrics.advice.look.compared_pairs import remarks_on_votes
from referenceless_metrics.advice.look.designs import (
    patterns_of_criteria,
    remarks_on_design,
    remarks_on_means,
    remarks_on_words,
)
from referenceless_metrics.advice.look.evidence import are_side_by_side, columns_of, is_criterion, where_filled
from referenceless_metrics.advice.look.inner_rows import (
    best_rows,
    columns_of_systems,
    lists_of_systems,
    outer_names,
    rated_turns,
    texts_in_lists,
    without_outer,
)
from referenceless_metrics.advice.look.kinds import kinds_of_rows, told_kinds
from referenceless_metrics.advice.look.layout import FORM as LAYOUT
from referenceless_metrics.advice.look.layout import PairFiles, is_layout, pairs_in
from referenceless_metrics.advice.look.marks import remarks_on_marks
from referenceless_metrics.advice.look.messages import answers_in, dialogues_in
from referenceless_metrics.advice.look.missing import UNKNOWN, missing_parts
from referenceless_metrics.advice.look.numbered_questions import asks_of_outputs, patterns_of
from referenceless_metrics.advice.look.properties import remarks_on_verdicts
from referenceless_metrics.advice.look.proposals import (
    ALONE,
    BY_ANSWERS,
    BY_CHARACTERS,
    EVERY_PAIR,
    FEWEST_OUTPUTS,
    FEWEST_TEXTS,
    MOST_RATINGS,
    MOST_WORST,
    OF_ANY_LANGUAGE,
    OTHER,
    REFERENCES,
    TO_FILL_IN,
    WITH_REFERENCES,
    Parts,
    command_line,
    command_lines,
    criteria_beside_metrics,
    every_pair,
    numbers_of_words,
    shape_of,
    without_references,
    without_second_tests,
    words_of,
)
from referenceless_metrics.advice.look.ranked import columns_of_ranks, ranks_in, remarks_on_ranks, ties_in
from referenceless_metrics.advice.look.roles import remarks_on_raters, remarks_on_sides
from referenceless_metrics.advice.look.scores_by_system import scores_by_system
from referenceless_metrics.advice.look.tool_counts import export_counts, systems_told
from referenceless_metrics.advice.look.winners import deciders_in, n_named, remarks_on_winners, winners_in
from referenceless_metrics.command_line.metric_command import values_of
from referenceless_metrics.command_line.proposing import without_options
from referenceless_metrics.core.files.delimited import (
    HeaderError,
    are_texts,
    holds_data,
    looks_like_text,
    texts_of,
)
from referenceless_metrics.core.files.documents import are_documents
from referenceless_metrics.core.files.joined_ids import joined_ids
from referenceless_metrics.core.files.joined_names import with_single_names
from referenceless_metrics.core.files.json_rows import NUMBER, TEXT
from referenceless_metrics.core.files.lines import WINDOWS, are_windows_quotes
from referenceless_metrics.core.files.n_best import N_BEST, RANK
from referenceless_metrics.core.files.names import file_names, metric_of_file, without_metric
from referenceless_metrics.core.files.number_words import READ_AS
from referenceless_metrics.core.files.reading import (
    ALL_SHEETS,
    BY_SUFFIX,
    MISSING,
    Condition,
    InputNote,
    Reading,
    cell_of,
    cell_text,
    condition,
    names_in,
)
from referenceless_metrics.core.files.tables import BlockSize, Table, file_format, is_blank, names_lines, read_blocks
from referenceless_metrics.core.files.text_io import check_is_no_log, read_table, read_texts, remarks_on
from referenceless_metrics.core.files.training_logs import STEPS_ALONE, is_training_log
from referenceless_metrics.core.files.workbooks import SHEET
from referenceless_metrics.core.support.metric_names import names_metric
from referenceless_metrics.core.support.validation import InputError, PathName, Record, finite_number, shortened
from referenceless_metrics.human_evaluation.commands.judged_joins import system_called
from referenceless_metrics.human_evaluation.exports.rows import DOCUMENT, ScoreRow
from referenceless_metrics.human_evaluation.exports.rows import Export as ScoreExport
from referenceless_metrics.human_evaluation.files_in_order import FEWEST_VALUES, names_ids
from referenceless_metrics.human_evaluation.inference.unnamed_clusters import cluster_in_key, note_on_told
from referenceless_metrics.human_evaluation.inputs_beside import INPUTS, folder_of_ratings, on_other_inputs
from referenceless_metrics.human_evaluation.language_pairs import LanguagePairs, cells_of_languages, language_pairs
from referenceless_metrics.human_evaluation.ratings.asked_rows import note_on_asked_rows
from referenceless_metrics.human_evaluation.ratings.controls import controls_in
from referenceless_metrics.human_evaluation.ratings.exports.answers import BOTH_TEXTS, RATING
from referenceless_metrics.human_evaluation.ratings.exports.best_worst import TOOL as BEST_WORST
from referenceless_metrics.human_evaluation.ratings.exports.best_worst import choices_of
from referenceless_metrics.human_evaluation.ratings.exports.questions import ARE_ITEMS, NEED_NUMBERS, NOT_BY_NUMBERS
from referenceless_metrics.human_evaluation.ratings.model_raters import are_models, names_people
from referenceless_metrics.human_evaluation.ratings.named_pairs import one_name_in
from referenceless_metrics.human_evaluation.ratings.question_key import fields_of_name
from referenceless_metrics.human_evaluation.ratings.several_scales import Scales, scales_of
from referenceless_metrics.human_evaluation.ratings.stray_points import codes_below
from referenceless_metrics.human_evaluation.scores.columns import cells_of, is_computed
from referenceless_metrics.human_evaluation.scores.items import MEANS_ALONE
from referenceless_metrics.human_evaluation.source_columns import n_unlike, names_source
from referenceless_metrics.human_evaluation.wording.human_score_output import FEW_ITEMS

MOST_ROWS = 20_000
"""Most rows that are looked at; the number of the others is estimated."""

A_TEXT_PER_LINE = "a text per line"
"""The shape of a file of plain texts."""

A_TEXT_PER_FILE = "a text per file"
"""The shape of a folder of texts."""

OF_OTHER_LANGUAGE = (
    "most of these texts do not look English, the language of Fluency, SLOR and WPSLOR: they take a model of theirs, "
    "which `train ngram` makes of other texts, and metrics with references alone take any language"
)
"""Remark on texts that the packaged models do not know."""

_MOST_READ = 200
"""Most texts of a file of which the language is told."""

A_CLUSTER_PER_LINE = "the document of a segment per line"
"""The shape of a file that tells which segments are of one document."""

A_NUMBER_PER_LINE = "a number per line: scores of one system; give the file of another beside it"
"""The shape of a file of numbers."""

A_SURVEY = "a survey: a column per question, which the rows of a key join with systems and items"
"""The shape of a survey."""

BEST_WORST_OF_TEXTS = "best-worst scaling of texts that are of no systems; the notes tell their scores"
"""The shape of best and worst ones among texts that are of no systems."""

A_MEAN_PER_SYSTEM = "means of systems, and no scores or ratings of items"
"""The shape of a table of results."""

TRANSLATIONS = "translations of a test set, and their scores"
"""The shape of a folder with the outputs of several systems, references and scores."""

NO_ITEM_SHARED = (
    "no two systems share an item: they cannot be compared in pairs; --unpaired says that items were assigned to "
    "systems at random"
)
"""A remark on systems whose items differ."""

OF_SCORES = "scores"
"""The shape of a log of scores."""

OF_PEOPLE = "ratings"
"""The shape of an export of people's ratings."""

A_TRAINING_LOG = "a log of one training: a row for each step or evaluation"
"""The shape of a training log."""

A_MEAN_PER_TASK = "a mean for each task, with its standard error"
"""The shape of results of a harness."""

_A_STUDY = "a study that `sample` wrote"
_WITHOUT_NAMES = "a table whose columns have no names"

_KEY = (
    "KEY.csv, which you write, has a row for each question of an output, with the columns question, system, item, and "
    "criterion if several are asked: without it, answers by several criteria count as answers by one"
)
_READING_RATINGS = ("human-score", "agreement", "advise")  # commands that read exports of annotation tools
_LARGEST = 2**25  # bytes of an export with marked errors that is read whole
_LONGEST = 400  # characters of a command line that is proposed
_PART = BlockSize(MOST_ROWS, 2**25)
_WORDS = 2.5  # words between two commas of a sentence, in the mean
_FIRST_LINES = BlockSize(50)
_OUTER = BlockSize(20)  # outer rows that tell the columns beside inner ones
_MANY = 0.5  # share of all ratings that makes a rater's worth a remark
_FEWEST_COUNTED = 5  # groups of rows that numbers which grow count: a scale may be sorted, too
_FEWEST_IDS = 50  # rows: that many ratings do not all differ
_SUMMARY = re.compile(r"(?:average|mean|total|sum|avg|overall|std|sd|median)(?:\W.*)?", re.IGNORECASE)
_MOST_POINTS = 12  # of a scale
_MOST_PARTS = 8  # on scales of their own that are looked at
_FEWEST_COMPARED = 5  # items, or fewer rows may be systems
_FEWEST_RATINGS = 12  # with which the shares of raters are told
_LOW = 0.1  # share of the lowest values that a limit leaves out


@dataclass(frozen=True)
class Look:
    """Description of a file.

    Attributes:
        file: its name.
        form: its form in words: its format, or the tool that wrote it.
        n_rows: number of its rows; of a file that was read in part, of the rows that were read.
        is_part: whether only a part was read.
        columns: its columns.
        shape: the meaning of rows and columns.
        notes: assumptions, and doubts about a plain reading.
        commands: complete command lines that fit, the one that says most first.
        items: the items of its rows, or the ids of these; none if no column tells them.
        ids: the ids of each column that is called so and has another one in each row.
        repeated_ids: the ids of each column that is called so and has some of them in several rows.
        orders: the hash of the cells of each column with several values but the texts, in the order of the rows.
        systems: the systems that it names, of ratings.
    """

    file: str
    form: str
    n_rows: int = 0
    is_part: bool = False
    columns: tuple[Column, ...] = ()
    shape: str = ""
    notes: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    items: frozenset[str] = field(default=frozenset(), repr=False)
    ids: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    repeated_ids: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    orders: Mapping[str, int] = field(default_factory=dict, repr=False)
    systems: tuple[str, ...] = field(default=(), repr=False)

    def as_dict(self) -> Record:
        """Return it as JSON can hold it."""
        found = {name: getattr(self, name) for name in ("file", "form", "n_rows", "is_part", "shape")}
        columns = [dict(vars(column)) for column in self.columns]
        return {**found, "columns": columns, "notes": list(self.notes), "commands": list(self.commands)}


def look(path: PathName, reading: Reading = BY_SUFFIX) -> Look:
    r"""Describe a file, with the command lines that fit it. Nothing else is computed.

    Args:
        path: a file of any form that the commands read, or a folder that a tool or `sample` wrote.
        reading: the way to read it.

    Raises:
        InputError: for a file that cannot be read; the message says what would help.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "ratings.csv"
    >>> _ = file.write_text("item,system,rater,rating\n1,a,ann,4\n1,b,ann,5\n")
    >>> look(file).shape
    'one row per rating'
    """
    file = os.fspath(path)
    try:
        return _looked_at(file, reading)
    except InputError:
        if reading.encoding is not None or not Path(file).is_file() or not are_windows_quotes(file):
            raise
    found = _looked_at(file, replace(reading, encoding=WINDOWS))
    note = f"read as {WINDOWS}: its signs beyond ASCII are quotes, dashes and dots of Western Windows (--encoding)"
    return replace(found, notes=(note, *found.notes))


def _looked_at(file: str, reading: Reading) -> Look:
    """Return the description of a file by the first way that fits it."""
    for way in (_data_set, _study, _layout, _documents, _task_means, _export, _rating_export):
        found = way(file, reading)
        if found is not None:
            return found
    if Path(file).is_dir():
        raise InputError(f"{file}: a folder without a study and of no tool that is known; name its files")
    return _table(file, reading)


def _data_set(file: str, reading: Reading) -> Look | None:
    """Recognise a file of a data set that has a builder, by its name."""
    from referenceless_metrics.datasets.catalogue import SPECS

    name, folder = Path(file).name, str(Path(file).parent)
    for spec in SPECS.values():
        tasks = [config for config in spec.configs if not config.endswith("_judgements")]
        for task in tasks:
            if name in [each.format(task=task) for each in spec.files] and Path(file).is_file():
                source = f"{spec.name}:{task}"
                lines = [command_line("advise", source, "--data-dir", folder)]
                lines.append(command_line("calibrate", source, "--data-dir", folder))
                table = _table(file, reading)
                return replace(
                    table,
                    form=f"a file of the data set {spec.title}",
                    shape=f"a data set that commands read by its name, such as {source}",
                    commands=(*lines, *table.commands),
                )
    return None


def _study(file: str, _: Reading) -> Look | None:
    from referenceless_metrics.human_evaluation.ratings.rating_files import is_study
    from referenceless_metrics.human_evaluation.studies.reading import rating_files

    if not is_study(file):
        return None
    if not rating_files(file):
        notes = ("there are no ratings yet",)
        gathering = (command_line("rate", file),)
        return Look(file, _A_STUDY, shape="a rating study", notes=notes, commands=gathering)
    lines = (command_line("human-score", file), command_line("agreement", file))
    learning = _learning_from_study(file)
    return Look(file, _A_STUDY, shape="a rating study", commands=(*lines, *learning))


def _learning_from_study(folder: str) -> list[str]:
    """Return the lines that say which metric a study's ratings allow; nothing for preferences.

    The first is about further outputs of its systems, the second about those of a further system.
    """
    from referenceless_metrics.human_evaluation.studies.design import Design

    design = Design.read(folder)
    if design.are_preferences:
        return []
    first = design.criteria[0].name
    are_several = len(design.systems) > 1
    groups = ["--group-column", "item"] if are_several else []
    by = ["--where", f"criterion={first}"] if len(design.asked) > 1 else []
    sources = ["--source-column", "source"] if all(item.source for item in design.items) else []
    options = [*groups, *by, *sources]
    of_systems = [command_line("advise", folder, "--system-column", "system", *options)] if are_several else []
    return [command_line("advise", folder, *options), *of_systems]


def _layout(file: str, _: Reading) -> Look | None:
    """Recognise a folder of translations and their scores, by the names of its folders."""
    if not is_layout(Path(file)):
        return None
    first, *others = pairs_in(Path(file))
    further = [f"further pairs of languages, in place of {first.languages}: {_named(others)}"] if others else []
    return Look(file, LAYOUT, shape=TRANSLATIONS, notes=(*first.notes, *further), commands=tuple(first.lines()))


def _named(pairs: Sequence[PairFiles]) -> str:
    return shortened(", ".join(each.languages for each in pairs), 120)


def _documents(file: str, reading: Reading) -> Look | None:
    """Recognise a folder with a text in each file."""
    if not are_documents(file):
        return None
    found = _table(file, reading)
    orders = {**found.orders, TEXT: hash(tuple(read_texts(file, reading=reading)))}
    return replace(found, form="a folder of texts", shape=A_TEXT_PER_FILE, orders=orders)


def _task_means(file: str, _: Reading) -> Look | None:
    """Recognise the results of an evaluation harness."""
    from referenceless_metrics.human_evaluation.scores.task_means import INDEPENDENT, holds_task_means, run_names

    if not holds_task_means(file):
        return None
    line = command_line("compare", "--scores", file, "--scores", OTHER)
    form = "results of an evaluation harness"
    systems = tuple(run_names([file]))
    return Look(file, form, shape=A_MEAN_PER_TASK, notes=(INDEPENDENT,), commands=(line,), systems=systems)


def _export(file: str, reading: Reading) -> Look | None:
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
    is_long = not Path(file).is_file() or Path(file).stat().st_size > _LARGEST
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
        of_one = _export(file, _in_pair(reading, pairs))
        return None if of_one is None else _of_one_pair(of_one, pairs)
    rows = () if export is None else export.rows
    notes = () if export is None else (*_on_columns(export), *export.notes)
    unshared = (NO_ITEM_SHARED,) if _are_unpaired(_items_by_system(rows)) else ()
    weights = [_WEIGHTS, ",".join(f"{severity}=WEIGHT" for severity in unweighted)] if unweighted else []
    of_people = _of_people(file, rows, _options(reading), weights)
    lines = [line for line in of_people if raters != [] or line.split()[1] != "agreement"]
    apart = _on_raters_apart(rows)
    systems = tuple(dict.fromkeys(row.system for row in rows))
    told = (*export_counts(rows), *notes, *unshared, *apart, *unweighted.values())
    return replace(found, notes=told, commands=tuple(lines), systems=systems)


_WEIGHTS = "--mqm-weights"


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
    unpaired = [*weighed, *(["--unpaired"] if _are_unpaired(by_system) else [])]
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
        return _of_one_pair(_counted(found, _in_pair(reading, pairs)), pairs)
    notes = (*export_counts(export.rows), *_on_columns(export), *export.notes)
    options = _options(reading)
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


def _of_one_pair(found: Look, pairs: LanguagePairs) -> Look:
    """Return the look at one of several pairs of languages, with a remark on the others."""
    return replace(found, notes=(pairs.told(), f"what follows is of {pairs.where} alone", *found.notes))


def _on_columns(export: ScoreExport) -> list[str]:
    """Return the remarks on the columns that a condition may name; none of an export without columns."""
    told = [f"columns, for --where: {shortened(', '.join(export.columns), 160)}"] if export.columns else []
    systems = [row.system for row in export.rows] if "system" in export.columns else []
    return [*told, *_on_references(systems, "system")]


def _on_references(systems: Iterable[str], column: str) -> list[str]:
    """Return a remark on each of several systems that is called as a reference."""
    names = list(dict.fromkeys(systems))
    called = [name for name in names if _REFERENCES.fullmatch(name)]
    if len(called) > len(names) - 2:
        return []
    told = "is no system but a reference, by the name"
    return [f"{name!r} {told}: {shlex.join(['--where', f'{column}!={name}'])} leaves it out" for name in called]


def _with_pairs(found: Look, reading: Reading) -> Look:
    """Return the look at a tool's file of preferences with its columns and systems; of several, all are compared."""
    try:
        table = _part_of(found.file, reading)
    except InputError:  # the command says why
        return found
    columns = [
        replace(column, part="") if column.part in _NO_PREFERENCE or _names_all(column) else column
        for column in columns_of(table)
    ]
    named = [column.name for column in columns if column.part in ("system_a", "system_b")]
    systems = [str(cell) for name in named for cell in _cells(table, name)]
    notes = (systems_told(systems),) if systems else ()
    every = f" {EVERY_PAIR}" if len(set(systems)) > 2 else ""
    lines = tuple(f"{line}{every}" for line in found.commands)
    return replace(found, n_rows=len(table.rows), columns=tuple(columns), notes=notes, commands=lines)


_NO_PREFERENCE = ("rating", "score")
"""Parts that no column of a tool's file of preferences plays: numbers tell who won."""


def _names_all(column: Column) -> bool:
    """Say whether a column would name all rows one item."""
    return column.part == "item" and column.distinct < 2


def _rating_export(file: str, reading: Reading) -> Look | None:
    """Recognise an export of an annotation tool, and look at the long table that it becomes."""
    from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows, tool_of
    from referenceless_metrics.human_evaluation.ratings.exports.answers import Export
    from referenceless_metrics.human_evaluation.ratings.exports.pairs import are_by_criteria

    if reading.rows_in is not None or not Path(file).is_file() or _format_of(file, reading) == "txt":
        return None
    try:
        part = _part_of(file, reading)
    except HeaderError:
        return None
    export = Export(part.source, part.columns, part.rows[:50])
    tool = tool_of(export, is_plain=reading.says_plain_table)
    if tool is None:
        return _keyed_sides(file, reading, part)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)
        table = read_rating_rows(file, reading)
    columns, twice = _without_twice(table, columns_of(table))
    columns = _with_usual_keys(_with_answers(table, columns, tool.convert(export).questions))
    columns = with_parts(columns, {TEXT: ""} if tool.is_survey else {})  # a question
    found = _described(file, f"an export of {tool.name}", table, reading, columns, is_part=False)
    if twice:
        found = replace(found, notes=(*found.notes, twice))
    lines = [line for line in found.commands if line.split()[1] in _READING_RATINGS]
    if tool.is_survey:
        return _of_survey(file, reading, found, part, [str(cell) for cell in dict.fromkeys(_cells(table, "item"))])
    if tool.name == BEST_WORST and not any(column.part == "system" for column in columns):
        are_rated_again = len(set(_cells(table, "item"))) < len(table.rows)
        agreed = [command_line("agreement", file, *_options(reading))] if are_rated_again else []
        told = tuple(note for note in found.notes if not note.endswith(_REPEATED_TEXTS))
        return replace(found, shape=BEST_WORST_OF_TEXTS, commands=tuple(lines or agreed), notes=told)
    option_lists = _of_pairs_inside(table) if tool.option_lists is None else tool.option_lists(export)
    if option_lists:
        compared = {str(cell) for name in ("system_a", "system_b") for cell in _cells(table, name)}
        pairs = ["--all-pairs"] if len(compared - {str(MISSING)}) > 2 else []
        of_people = [command_line("human-score", "--ratings", file, *options, *pairs) for options in option_lists]
        lines = [*of_people, *(line for line in lines if line.split()[1] != "human-score")]
        lines += _of_deciding(file, [] if are_by_criteria(export) else option_lists)
        lines += _of_ratings_beside(file, reading) if option_lists == [[]] else []
    return replace(found, commands=tuple(lines))


def _keyed_sides(file: str, reading: Reading, part: Table) -> Look | None:
    """Recognise a workbook with choices between two sides, and with their systems in another sheet."""
    from referenceless_metrics.human_evaluation.ratings.key_of_sides import FORM, with_key_of_sides

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)
        table = with_key_of_sides(file, reading, part)
    if table is None:
        return None
    columns = _with_usual_keys(columns_of(table))
    found = _described(file, FORM, table, reading, columns, is_part=False)
    lines = [line for line in found.commands if line.split()[1] in ("human-score", "agreement")]
    return replace(found, commands=tuple(lines))


def _of_ratings_beside(file: str, reading: Reading) -> list[str]:
    """Return the lines on ratings of both outputs, which may stand beside the names of the better and the worse one."""
    beside = [line for line in _table(file, reading).commands if "--rows-in" in shlex.split(line)]
    return [line for line in beside if line.split()[1] == "human-score"]


def _without_twice(table: Table, columns: Sequence[Column]) -> tuple[list[Column], str]:
    """Return the columns of an export without its own ones that stand in it under the usual names, too, and a note."""
    usual = {column.part: column.name for column in columns if column.name == column.part in _USUAL}
    twice = {
        column.name: part
        for part in usual
        for column in columns
        if column.name != part and column.part in ("", part) and _cells(table, column.name) == _cells(table, part)
    }
    by_part: dict[str, list[str]] = {}
    for name, part in twice.items():
        by_part.setdefault(part, []).append(repr(name))
    told = ", ".join(f"{part} is {' and '.join(names)}" for part, names in by_part.items())
    return [column for column in columns if column.name not in twice], told


def _with_usual_keys(columns: Sequence[Column]) -> list[Column]:
    """Return the columns of an export, of which one that the reader called after a key alone plays its part.

    Beside the systems of both sides, a column of one side's system names none of the row.
    """
    usual = {column.name for column in columns if column.name == column.part in _KEYS_OF_PAIRS}
    taken = usual | ({"system"} if "system_a" in usual else set())
    return with_parts(columns, {column.name: "" for column in columns if column.part in taken - {column.name}})


_KEYS_OF_PAIRS = ("item", "system_a", "system_b")
"""Keys that a reader of exports makes of several columns."""


def _with_answers(table: Table, columns: Sequence[Column], asked: Collection[str]) -> list[Column]:
    """Return the columns of an export, of which its questions that are answered by one of a few words are ratings."""
    if not any(column.part == "rater" for column in columns):
        return list(columns)
    may_be = [each for each in columns if each.name in asked and not each.part and each.kind == "labels"]
    words = {each.name: [cell for cell in _cells(table, each.name) if not is_blank(cell)] for each in may_be}
    answered = {name for name, cells in words.items() if len(set(cells)) <= _MOST_POINTS and are_answers(cells)}
    return [replace(column, part="rating") if column.name in answered else column for column in columns]


_USUAL = ("item", "rater", "text")
"""Columns that a reader of exports adds under these names."""


def _of_pairs_inside(table: Table) -> list[list[str]]:
    """Return the options that read comparisons on a scale which a tool for answers of other kinds exported."""
    from referenceless_metrics.human_evaluation.ratings.exports import answers, pairs

    made = {"system_a", "system_b", answers.RATING}
    if not made <= set(table.columns) or answers.PREFERENCE in table.columns:
        return []
    rows = [{name: cell for name, cell in row.items() if name not in made} for row in table.rows]
    inside = answers.Export(table.source, tuple(name for name in table.columns if name not in made), rows)
    return pairs.option_lists(inside) if pairs.recognises(inside) else []


def _of_deciding(file: str, option_lists: Sequence[Sequence[str]]) -> list[str]:
    """Return the command lines that say how far the first of several columns agrees with each other: a judge's, say.

    Two runs of one judge are not two judges: each is held against the first column alone.
    """
    columns = [options[1] for options in option_lists if len(options) == 2 and options[0] == "--preference-column"]
    return [
        command_line("agreement", file, "--rating-column", columns[0], "--rating-column", other)
        for other in columns[1 : 1 + MOST_RATINGS]
    ]


def _of_survey(file: str, reading: Reading, found: Look, part: Table, answered: Sequence[str]) -> Look:
    """Return the look at a survey, whose questions have a key, or names of one pattern.

    Args:
        file: the file.
        reading: the way to read it.
        found: the look at the answers by numbers.
        part: the first rows of the file, one for each respondent.
        answered: the questions that are answered by numbers.
    """
    patterns, notes = patterns_of(answered), list(found.notes)
    words: list[str] = []
    if not patterns and (patterns := patterns_of(part.columns)):
        named = [name for name in part.columns if fields_of_name(patterns[0], name) is not None]
        if not set(named) & set(answered):  # those that are answered by numbers are of the respondents
            notes = [note for note in notes if not note.startswith(_ON_ANSWERS)]
            words = numbers_of_words([_words_of_answers(part, named)])
        notes.append(f"{len(named)} of {len(part.columns)} columns are called by the pattern {patterns[0]!r}")
    lines = _with_key(file, reading, [*patterns, _KEY_FILE], words)
    return replace(found, shape=A_SURVEY, commands=tuple(lines), notes=(*notes, _KEY))


_KEY_FILE = "KEY.csv"
"""The file in a proposed line that the reader writes."""


def _words_of_answers(part: Table, questions: Sequence[str]) -> list[str]:
    """Return the words by which questions are answered: those that stand twice in a column, as no question does."""
    cells = [[str(cell).strip() for cell in _cells(part, name) if _is_filled(cell)] for name in questions]
    counts = map(Counter, cells)
    return sorted({word for of_question in counts for word, count in of_question.items() if count > 1})


_ON_ANSWERS = (ARE_ITEMS, NOT_BY_NUMBERS, NEED_NUMBERS, READ_AS)
"""Beginnings of notes on the questions that are answered by numbers, and on others."""


def _with_key(file: str, reading: Reading, keys: Sequence[str], words: Sequence[str] = ()) -> list[str]:
    """Return the command lines that read a survey with a key to its questions, or a pattern of their names.

    There is none without a key: questions by several criteria would be read as items of one.
    """
    found = []
    for key in keys:
        with_key = ["--questions", key, *words, *_options(reading)]
        found += [
            command_line("human-score", "--ratings", file, *with_key),
            command_line("agreement", file, *with_key),
        ]
    return found


def _part_of(file: str, reading: Reading) -> Table:
    return next(read_blocks(file, reading=reading, size=_PART))


def _format_of(file: str, reading: Reading) -> str:
    """Return the format of a file; of one whose suffix is not known, and that is no table of columns, `txt`.

    Commands that take texts read such a file as a text per line, such as a side of a parallel corpus (`news.en`).
    """
    kind = file_format(file, reading, "csv")
    if kind != "csv" or file_format(file, reading, "txt") != "txt":
        return kind
    if _holds_sentences(file, reading):
        return "txt"
    try:
        n_columns = len(_part_of(file, reading).columns)
    except HeaderError:
        return kind
    except InputError:  # lines with other numbers of commas
        n_columns = 1
    return "txt" if n_columns == 1 else kind


def _holds_sentences(file: str, reading: Reading) -> bool:
    """Say whether the commas in the first lines of a file are those of sentences.

    Each has a blank behind it, and between them stand words, in the first line, too, and no numbers alone.
    """
    table = next(read_blocks(file, reading=replace(reading, format="txt"), size=_FIRST_LINES))
    lines = [str(row[TEXT]) for row in table.rows]
    parts = [[part for part in line.split(",") if part.strip()] for line in lines]
    inside = [part for of_line in parts for part in of_line]
    are_words = all(finite_number(part) is None for part in inside)
    are_long = all(len(" ".join(each).split()) >= _WORDS * len(each) > 0 for each in (*parts[:1], inside))
    text = "".join(f"{line} " for line in lines)
    return text.count(",") == text.count(", ") > 0 and are_words and are_long


def _table(file: str, reading: Reading) -> Look:
    kind = _format_of(file, reading)
    if kind == "txt":
        return _lines(file, reading)
    if kind == "xlsx" and reading.sheet is None:
        reading = _of_all_sheets(file, reading)
    blocks = read_blocks(file, reading=reading, size=_PART)
    try:
        table = next(blocks)
    except HeaderError as error:  # data on the first line, some of it twice
        return _headless(file, reading, error.n_fields, str(error))
    is_part = len(table.rows) >= MOST_ROWS and next(blocks, None) is not None
    return _of_rows(file, kind, reading, table, is_part=is_part)


def _of_condition(file: str, kind: str, reading: Reading, table: Table, condition: Condition, *, is_part: bool) -> Look:
    """Look at the rows of a table that meet a condition; of a file that was read in part, these are read anew."""
    named = replace(reading, where=(*reading.where, condition))
    if is_part:
        return _table(file, named)
    kept = [place for place, row in enumerate(table.rows) if condition.holds(row)]
    lines = [table.lines[place] for place in kept] if table.lines else []
    taken = replace(table, rows=[table.rows[place] for place in kept], lines=lines)
    return _of_rows(file, kind, named, taken, is_part=False)


def _of_rows(file: str, kind: str, reading: Reading, table: Table, *, is_part: bool) -> Look:
    """Look at the rows of a table as they are, or at rows inside them.

    Args:
        file: the file.
        kind: its format.
        reading: the way in which it was read.
        table: its rows, or the first ones.
        is_part: whether there are others.
    """
    columns = columns_of(table)
    if not reading.rows_in and is_training_log(table):
        plain = with_parts(columns, dict.fromkeys(table.columns, ""))
        of_steps = (*table.notes, STEPS_ALONE)
        return Look(file, f".{kind}", len(table.rows), is_part, tuple(plain), A_TRAINING_LOG, of_steps)
    if reading.rows_in:
        outer = next(read_blocks(file, reading=replace(reading, rows_in=None, where=()), size=_OUTER))
        columns = without_outer(columns, outer_names(outer.rows, reading.rows_in))
    kinds = None if reading.where or reading.rows_in else kinds_of_rows(table, columns)
    if kinds is not None:
        first, other = (_of_condition(file, kind, reading, table, each, is_part=is_part) for each in kinds)
        told = (told_kinds(table, columns, kinds), *first.notes)
        further = [line for line in other.commands if line.split()[1] in ("human-score", "agreement", "compare")]
        commands = (*first.commands, *further)
        return replace(first, n_rows=len(table.rows), columns=tuple(columns), notes=told, commands=commands)
    inside = None if reading.rows_in else answers_in(table, columns) or best_rows(table, columns)
    turns = None if reading.rows_in or inside is not None else rated_turns(table)
    if turns is not None:
        return _table(file, replace(reading, rows_in=turns.path, where=(*reading.where, turns.condition)))
    if inside is None and not reading.rows_in:
        inside = texts_in_lists(table, columns)
    if inside is not None:
        found = _table(file, replace(reading, rows_in=inside))
        found = replace(found, commands=tuple(dict.fromkeys(_of_outer_rows(line, table) for line in found.commands)))
        if not winners_in(table, columns):
            return found
        compared = _described(file, f".{kind}", table, reading, columns, is_part=is_part)
        lines = [line for line in compared.commands if line.split()[1] in ("human-score", "agreement")]
        return replace(found, commands=(*found.commands, *lines))
    pairs = language_pairs([cells_of_languages(table)])
    if pairs is not None:
        of_one = _of_one_pair(_of_condition(file, kind, reading, table, pairs.first, is_part=is_part), pairs)
        return replace(of_one, n_rows=len(table.rows), columns=tuple(columns))
    condition = None if reading.where else where_filled(table, columns)
    if condition is not None:
        found = _of_condition(file, kind, reading, table, condition, is_part=is_part)
        n_others = sum(not condition.holds(row) for row in table.rows)
        note = f"{n_others} of {len(table.rows)} rows have no ratings: the lines leave them out (--where {condition})"
        rated = [column.name for column in found.columns if column.part in ("rating", "rating of a rater")]
        asked = [told for name in rated for told in note_on_asked_rows(table, name)]
        return replace(found, notes=(note, *asked, *found.notes))
    scales = None if reading.where else _scales(table, columns)
    if scales is not None:
        conditions = [Condition(scales[0].column, name) for name in islice(scales[0].ends, _MOST_PARTS)]
        of_parts = _of_parts(
            conditions, [_of_condition(file, kind, reading, table, each, is_part=is_part) for each in conditions]
        )
        told = (scales[0].told(f"column {scales[1]!r}"), _on_parts(scales[0]))
        return replace(of_parts, n_rows=len(table.rows), columns=tuple(columns), notes=(*told, *of_parts.notes))
    are_asked = asks_of_outputs(columns)
    if are_asked:
        told = ("text", "item", "system")
        about = [column.name for column in columns if column.kind == "labels" and column.part in told]
        columns = with_parts(columns, dict.fromkeys(about, ""))
    if are_asked or is_survey(table, columns):
        columns = _with_respondents(columns, len(table.rows))
        found = _described(file, f".{kind}", table, reading, columns, is_part=is_part)
        lines = _with_key(file, reading, [*patterns_of([column.name for column in columns]), _KEY_FILE])
        notes = [note for note in found.notes if not note.startswith(UNKNOWN)]  # the key names systems
        return replace(found, shape=A_SURVEY, commands=tuple(lines), notes=(*notes, _KEY))
    if RANK in table.columns and set(table.columns) <= {RANK, *N_BEST} and not reading.columns:
        return _candidates(file, table, reading, is_part=is_part)
    if table.has_lines and looks_like_text(table.columns) and not reading.columns:
        named = replace(reading, columns=("text",))
        texts = _part_of(file, named)
        found = _described(file, "texts without a header", texts, named, columns_of(texts), is_part=is_part)
        note = "the first line seems to be a text, and not the name of a column (--columns)"
        return replace(found, notes=(note, *found.notes))
    has_data = holds_data(table.columns, table.rows) or are_texts(table.columns) or _begins_with_labels(file, table)
    if table.has_lines and has_data and not reading.columns:
        return _headless(file, reading, len(table.columns))
    return _described(file, f".{kind}", table, reading, columns, is_part=is_part)


def _of_outer_rows(line: str, table: Table) -> str:
    """Return a command line on rows inside a table, and one that compares outputs beside them on the table's own rows.

    The rows inside, such as those of each system's ratings, repeat these outputs.
    """
    words = shlex.split(line)
    options = list(pairwise(words))
    texts = [after for before, after in options if before == "--text-column"]
    if words[1] != "compare" or len(texts) < 2 or not all(name in table.columns for name in texts):
        return line
    inside = [before for before, after in options if before.endswith("-column") and not table.has(after)]
    return command_line(*without_options(words[1:], ("--rows-in", *inside)))


def _with_respondents(columns: Sequence[Column], n_rows: int) -> list[Column]:
    """Return a survey's columns, in which a row is a respondent: one value for all rows is no rater, and an id is."""
    alike = [column.name for column in columns if column.part == "rater" and column.distinct == 1]
    columns = with_parts(columns, dict.fromkeys(alike, ""))
    if any(column.part == "rater" for column in columns):
        return columns
    ids = [column.name for column in columns if column.part == "item" and column.distinct == n_rows]
    return with_parts(columns, dict.fromkeys(ids[:1], "rater"))


def _begins_with_labels(file: str, table: Table) -> bool:
    """Return whether the first line of a file of lines holds cells that stand below again, as no names do."""
    return names_lines(file) and any(name in map(str, _cells(table, name)) for name in table.columns)


def _candidates(file: str, table: Table, reading: Reading, *, is_part: bool) -> Look:
    """Look at a list of the best candidates of each input."""
    columns = [replace(column, part="") if column.part == "score" else column for column in columns_of(table)]
    lines = (
        command_line("score", file, "--where", f"{RANK}=1", *_options(reading)),
        command_line("rerank", file, *_options(reading), "--format", "jsonl"),
    )
    n_inputs = len(set(_cells(table, "item")))
    notes = (*table.notes, f"{len(table.rows)} candidates of {n_inputs} inputs; the model's score is no quality")
    return Look(file, "an n-best list", len(table.rows), is_part, tuple(columns), "candidates of inputs", notes, lines)


def _scales(table: Table, columns: Sequence[Column]) -> tuple[Scales, str] | None:
    """Return the parts of a table whose ratings are on other scales, and the column of ratings; None for one scale."""
    told = ("criterion", "metric", "rater", "system", "item")
    besides = {column.name for column in columns if column.part in told or (column.is_numeric and column.part)}
    besides -= {column.name for column in columns if column.part in ("cluster", "slice")}
    rated = [column for column in columns if column.part in ("rating", "score", "rating of a rater")]
    for column in rated:
        if column.kind != "whole numbers" or any(each.part in ("criterion", "metric") for each in columns):
            continue
        found = scales_of(table, table.as_numbers(cells_of(table, column.name)), besides)
        if found is not None:
            return found, column.name
    return None


def _of_parts(conditions: Sequence[Condition], looks: Sequence[Look]) -> Look:
    """Return the look at the largest part of a table; lines that fit another part alone, by other columns, follow."""
    first, *others = zip(conditions, looks, strict=True)
    lines = list(first[1].commands)
    usual = {_of_part(line, first[0]) for line in lines}
    for taken, found in others:
        further = [line for line in found.commands if line.split()[1] in ("human-score", "agreement")]
        lines += [line for line in further if _of_part(line, taken) not in usual]
        usual.update(_of_part(line, taken) for line in found.commands)
    return replace(first[1], commands=tuple(lines))


def _of_part(line: str, condition: Condition) -> str:
    """Return a command line without the condition that leaves a part of a table."""
    return line.replace(command_line("--where", str(condition)).partition(" ")[2], "")


def _on_parts(scales: Scales) -> str:
    """Say which part lines are of, and how those of another one are called."""
    first, *others = (f"{scales.column}={name}" for name in scales.ends)
    return (
        f"columns are shown over all rows; lines take one part each: for another than {first} put "
        f"{shortened(', '.join(others), 80)} in its place"
    )


def _of_all_sheets(file: str, reading: Reading) -> Reading:
    """Return how to read all sheets of a workbook if there are several and they have the same columns."""
    every = replace(reading, sheet=ALL_SHEETS)
    try:
        rows = _part_of(file, every).rows
    except InputError:
        return reading
    return every if len({row[SHEET] for row in rows}) > 1 else reading


def _headless(file: str, reading: Reading, n_columns: int, note: str = "") -> Look:
    """Look at a table without a header; its columns get names by their content.

    If there are several columns of numbers or of texts, it is not to be guessed which are the ratings and outputs: then
    there is no command line. With several texts and one rating there is one for each, the last text first.
    """
    places = tuple(f"column{place}" for place in range(1, n_columns + 1))
    plain = _part_of(file, replace(reading, columns=places))
    usual = _names_by_content(plain)
    are_parallel = len(usual) == n_columns == sum(column.kind == "text" for column in columns_of(plain)) == 2
    example = texts_of(n_columns) if are_parallel else ",".join(usual)
    note = note or (
        "the first line seems to hold data, and not names: name the columns by what they hold, such as --columns "
        f"{example}"
    )
    reading = replace(reading, columns=usual)
    table = _part_of(file, reading)
    columns = columns_of(table)
    if _are_clusters(file, columns):
        return _of_clusters(file, len(table.rows), columns)
    items = [column.name for column in columns if _counts(table, column)]
    texts = [column.name for column in columns if column.kind == "text"]
    numeric = [column for column in columns if column.is_numeric and column.name not in items]
    are_alike = all(column.kind == "whole numbers" and column.distinct <= _MOST_POINTS for column in numeric)
    if len(numeric) > 1 and (len(texts) > 1 or are_alike):
        if len(texts) < 2:
            names = [f"r{number}" for number in range(1, len(numeric) + 1)]
            note += f"; numbers of one scale may be of several raters, as {', '.join(names)}, or of several criteria"
        found = _described(file, "a table without a header", table, reading, columns, is_part=False)
        return replace(found, columns=tuple(columns), notes=(note,), shape=_WITHOUT_NAMES, commands=())
    are_candidates = [column.name for column in columns[:1]] == items and columns[0].distinct < len(table.rows)
    number = "score" if are_candidates and numeric and numeric[0].kind == "numbers" else "rating"
    looks = []
    for text in reversed(texts) if len(texts) > 1 else texts[:1] or [""]:
        parts = {text: "text", **dict.fromkeys(items[:1], "item")}
        if numeric:
            parts[numeric[0].name] = number
        others = ["source" if are_parallel else f"column{place}" for place in range(1, n_columns + 1)]
        names = [parts.get(column.name, other) for column, other in zip(columns, others, strict=True)]
        named = replace(reading, columns=tuple(names))
        again = _part_of(file, named)
        looks.append(_described(file, "a table without a header", again, named, columns_of(again), is_part=False))
    found = looks[0]
    lines = list(dict.fromkeys(line for each in looks for line in each.commands))
    notes = [note, *found.notes]
    if len(texts) > 1:
        notes.insert(1, f"nothing tells which of {len(texts)} columns of texts holds the outputs: choose by --columns")
        lines.sort(key=lambda line: line.split()[1] == "score" or _is_of_other_language(line))
    if are_candidates and number == "score":
        lines = [line for line in lines if line.split()[1] == "score"]
        notes.append("the first column counts inputs, each with several candidates and what a model gives them")
    return replace(found, notes=tuple(notes), commands=tuple(lines))


def _names_by_content(table: Table) -> tuple[str, ...]:
    """Return names for the columns of a table without a header, an example of what they may hold.

    A column of one value has no part. Of the others, ids and numbers of rows may be items, texts the outputs, the first
    labels systems and the next ones raters, and numbers ratings.
    """
    names = []
    for column in columns_of(table):
        may_be = ["text"] if column.kind == "text" else ["rating"] if column.is_numeric else ["system", "rater", "item"]
        if column.kind == "ids" or _counts(table, column):
            may_be = ["item"]
        elif column.distinct < 2:
            may_be = []
        names.append(next((name for name in may_be if name not in names), column.name))
    return tuple(names)


def _counts(table: Table, column: Column) -> bool:
    """Say whether a column numbers rows or groups of rows: whole numbers from 0 or 1, each as the last or one more.

    The first column does so, too, if it has another whole number in each of many rows.
    """
    if column.kind != "whole numbers" or column.distinct <= _FEWEST_COUNTED:
        return False
    if column.name == table.columns[0] and column.distinct == len(table.rows) >= _FEWEST_IDS:
        return True
    numbers = table.as_numbers(_cells(table, column.name)).tolist()
    steps = {after - before for before, after in pairwise(numbers)}
    return numbers[0] in (0, 1) and steps <= {0, 1}


def _options(reading: Reading) -> list[str]:
    """Return the options that a reading stands for."""
    names = {"format": "--input-format", "encoding": "--encoding", "delimiter": "--delimiter", "sheet": "--sheet"}
    names["rows_in"] = "--rows-in"
    options = [
        word for field, option in names.items() if (value := getattr(reading, field)) for word in (option, value)
    ]
    if reading.columns:
        options += ["--columns", ",".join(reading.columns)]
    for each in reading.where:
        options += ["--where", str(each)]
    return options


def _of_one_criterion(table: Table, parts: Parts) -> list[str]:
    """Return the condition that leaves the rows of one criterion; none without a column of criteria or metrics."""
    name = parts.first("criterion") or parts.first("metric")
    return [] if name is None else ["--where", f"{name}={cell_text(cell_of(table.rows[0], name))}"]


def _described(
    file: str, form: str, table: Table, reading: Reading, columns: Sequence[Column], *, is_part: bool
) -> Look:
    conditioned = {condition.column for condition in reading.where}  # one cluster or slice is no part of anything
    columns = [
        replace(column, part="") if column.part in ("cluster", "slice") and column.name in conditioned else column
        for column in columns
    ]
    plain = Parts(columns, _options(reading))
    parts = plain
    named = plain.first("system") if table.rows else None
    single, joined = (table, []) if named is None else with_single_names(table, named)
    if table.rows:
        begin_again = _begin_again(table, plain)
        by_system = _items_of_systems(single, plain, begin_again)
        parts = replace(
            plain,
            one_criterion=_of_one_criterion(table, plain),
            are_unpaired=_are_unpaired(by_system) or _have_no_order(single, plain),
            share_few_items=_share_few_items(by_system),
            have_other_items=len(set(map(frozenset, by_system.values()))) > 1 or _have_other_inputs(single, plain),
            apart=_apart(by_system),
            are_joined=bool(joined),
            begin_again=begin_again,
            listed=lists_of_systems(table, plain),
            of_systems=columns_of_ranks(table, plain) or columns_of_systems(table, plain),
            n_outputs=_n_outputs(single, plain, begin_again),
            n_ratings_each=_n_ratings_each(single, plain),
            have_unnamed_raters=_have_unnamed_raters(table, plain),
            criteria={} if reading.rows_in else patterns_of_criteria(table, columns),
            of_controls=_of_controls(table, columns),
            dialogues=[] if reading.rows_in else dialogues_in(table),
            limits=_limits(table, columns),
            rows_are_items=_rows_are_items(table, plain),
            texts_are_no_items=plain.first("rater") is not None and _repeats_texts(table, plain),
            words=_words_by_criterion(table, plain),
            of_outputs=_scores_of_outputs(table, plain),
            are_foreign=_are_foreign(table, plain),
        )
        ranks = ranks_in(table, parts)
        parts = replace(parts, ranks=ranks, ties=ties_in(table, ranks), n_compared=_n_compared(table, plain))
        winners = winners_in(table, columns)
        if winners:
            n_compared = n_named(table, winners[0])
            deciders = deciders_in(table, columns, winners)
            parts = replace(parts, winners=winners, n_compared=n_compared, deciders=deciders)
    notes = [*table.notes, *joined, *_on_documents(table, parts), *_against(table, parts)]
    notes += [OF_OTHER_LANGUAGE] if parts.are_foreign else []
    notes += [] if named is None else _on_references(map(str, _cells(single, named)), named)
    if _are_means(table, parts):
        told = (*table.notes, f"each system has one row: {MEANS_ALONE}")
        return Look(file, form, len(table.rows), is_part, tuple(columns), A_MEAN_PER_SYSTEM, told)
    parts = replace(parts, repeated=_repeated_ratings(table, parts))
    lines = [line for line in command_lines(file, parts) if not _names_absent(line, table)]
    again = {("--rating-column", name) for name in parts.repeated}
    lines = [line for line in lines if again.isdisjoint(pairwise(shlex.split(line)))]
    if not is_part and _have_one_rater_each(table, parts):
        lines = [line for line in lines if line.split()[1] != "agreement"]
        notes.append(_no_two_raters(table, parts))
    lines = [line for line in lines if not _keys_repeat(line, table) and not _have_several_texts(line, table)]
    may_be_refused = are_doubtful(table, parts) or any("--rows-in" in shlex.split(line) for line in lines)
    if not is_part and may_be_refused and Path(file).is_file():
        lines, refused = without_refused(lines)
        notes += refused
    lines = without_second_tests(file, parts, lines)
    if any("--scored" in line.split() for line in lines):
        notes.append("the limit of `filter` leaves out about the lowest tenth of these values, however good they are")
    notes += _further_ratings(parts, lines) if lines else missing_parts(file, parts)
    found = Look(file, form, len(table.rows), is_part, tuple(columns), shape_of(parts), tuple(notes), tuple(lines))
    systems = tuple(dict.fromkeys(map(str, _cells(single, named)))) if named is not None else ()
    known: Record = {"items": _items(table, parts), "orders": _orders(table, parts)}
    ids = _ids(table, parts)
    known["ids"] = {name: of for name, of in ids.items() if len(of) == len(table.rows) > 1}
    known["repeated_ids"] = {name: of for name, of in ids.items() if len(of) < len(table.rows)}
    return replace(found, systems=systems, **known)


def _are_foreign(table: Table, parts: Parts) -> bool:
    """Say whether most outputs in the columns of texts do not look English."""
    names = [parts.text] if parts.text is not None else parts.unnamed_texts
    prose = [column.name for column in parts.columns if column.name in names and column.kind == "text"]
    n_each = _MOST_READ // max(len(prose), 1)
    texts = [str(cell) for name in prose for cell in _cells(table, name)[:n_each] if _is_filled(cell)]
    return bool(texts) and _are_of_other_language(texts)


def _on_documents(table: Table, parts: Parts) -> list[str]:
    """Return a note on clusters that a tool's file tells, of which commands on ratings speak; none without them."""
    own = next((own for own, name in table.own_names.items() if name == DOCUMENT), None)
    item = parts.first("item")
    if own is None or item is None or not table.has(DOCUMENT):
        return []
    n_items, n_clusters = (len(set(map(str, _cells(table, name)))) for name in (item, DOCUMENT))
    return [note_on_told(own, n_items, n_clusters)]


def _words_by_criterion(table: Table, parts: Parts) -> dict[str, dict[str, list[str]]]:
    """Return the different cells of each column of labels that are ratings, by criterion; none without criteria."""
    criterion = parts.first("criterion")
    if criterion is None:
        return {}
    names = [cell_text(cell) for cell in _cells(table, criterion)]
    found: dict[str, dict[str, list[str]]] = {}
    for column in parts.all("rating"):
        if column.kind == "labels":
            texts = ["" if cell is MISSING else cell_text(cell) for cell in _cells(table, column.name)]
            cells = sorted(set(zip(names, texts, strict=True)))
            of_criteria = found.setdefault(column.name, {name: [] for name in dict.fromkeys(names)})
            for name, cell in cells:
                if cell.strip():
                    of_criteria[name].append(cell.strip())
    return found


def _limits(table: Table, columns: Sequence[Column]) -> dict[str, float]:
    """Return a limit for each column of a metric of this package: the end of the lowest tenth of its values.

    There is none if so many values are equal that it leaves out far more.
    """
    found = {}
    for column in columns:
        if is_of_own_metric(column.name, column.kind, column.shown) and column.is_numeric:
            values = table.as_numbers(_cells(table, column.name))
            limit = float(f"{np.nanquantile(values, _LOW):.3g}")
            if np.nanmean(values <= limit) < 2 * _LOW:
                found[column.name] = limit
    return found


def _further_ratings(parts: Parts, lines: Sequence[str]) -> Iterator[str]:
    """Yield a remark on columns of ratings beyond those that get command lines of their own, if no line has them."""
    further = parts.ratings if len(parts.all("rating of a rater")) > 1 else parts.ratings[MOST_RATINGS:]
    named = {word for line in lines for word in shlex.split(line)}
    further = [name for name in further if name not in named]
    if further:
        listed = shortened(", ".join(further), 120)
        told = f"; in a line with {parts.ratings[0]} put one in its place" if further != parts.ratings else ""
        yield f"further columns of ratings, for --rating-column: {listed}{told}"


def _repeated_ratings(table: Table, parts: Parts) -> list[str]:
    """Return the columns of ratings whose cells are those of the column called `rating`, as an export has them."""
    names = parts.ratings
    if RATING not in names:
        return []
    cells = _cells(table, RATING)
    return [name for name in names if name != RATING and _cells(table, name) == cells]


def _no_two_raters(table: Table, parts: Parts) -> str:
    """Return the remark that no output was rated by two raters."""
    raters = set(map(str, _cells(table, str(parts.first("rater")))))
    if len(raters) == 1:
        return f"all ratings are of one rater, {min(raters)!r}, so that nothing is said of how far raters agree"
    told_by = parts.first("item") or parts.text
    return (
        f"no output was rated by two raters, by column {told_by!r}, so that nothing is said of how far they agree "
        "(--item-column, if another column tells what was rated)"
    )


def _items(table: Table, parts: Parts) -> frozenset[str]:
    """Return the items of the rows, or ids if the file tells no items, or else sources; none without any."""
    n_rows = len(table.rows)
    told = [column.name for column in parts.all("item")]
    told += [column.name for column in parts.columns if column.distinct == n_rows and names_ids(column.name)]
    if table.counted:
        told += [column.name for column in parts.all("source") if column.kind == "text"]
    item = next((name for name in told if name not in table.counted), None)
    return frozenset(map(str, _cells(table, item))) if item is not None and n_rows else frozenset()


def _ids(table: Table, parts: Parts) -> dict[str, frozenset[str]]:
    """Return the ids in each column of the file that is called so."""
    plain = [each.name for each in parts.columns if names_ids(each.name) and each.name not in table.counted]
    return {name: frozenset(map(str, _cells(table, name))) for name in plain}


def _orders(table: Table, parts: Parts) -> dict[str, int]:
    """Return the hash of the cells of each column of the file with several values but the texts."""
    names = [each.name for each in parts.columns if each.name != parts.text and each.name not in table.counted]
    cells = {name: tuple(map(str, _cells(table, name))) for name in names}
    return {name: hash(of_column) for name, of_column in cells.items() if len(set(of_column)) >= FEWEST_VALUES}


def _n_ratings_each(table: Table, parts: Parts) -> int:
    """Return the number of rows of each output of a system, if all have two or more; see `Parts`."""
    item, system = parts.first("item"), parts.first("system")
    known = ("rater", "rating of a rater", "preference", "run", "score")
    if item is None or system is None or not parts.ratings or any(parts.first(part) for part in known):
        return 0
    others = ("criterion", "metric", "cluster", "slice")
    keys = [item, system, *(name for part in others if (name := parts.first(part)) is not None)]
    outputs = list(zip(*(map(str, _cells(table, name)) for name in keys), strict=True))
    if parts.text is not None and not is_function(outputs, list(map(str, _cells(table, parts.text)))):
        return 0
    numbers = set(Counter(outputs).values())
    if len(numbers) > 1 or 1 in numbers:
        return 0
    plain = [column for column in parts.columns if not column.part and column.distinct <= len(outputs) / 2]
    rows = (set(zip(outputs, map(str, _cells(table, column.name)), strict=True)) for column in plain)
    return 0 if any(len(of_column) == len(outputs) for of_column in rows) else numbers.pop()


def _have_unnamed_raters(table: Table, parts: Parts) -> bool:
    """Say whether each text has several rows with ratings, and no column tells a system, an item or a rater."""
    known = ("system", "item", "rater", "rating of a rater", "criterion", "metric", "preference", "run", "score")
    numeric = any(column.is_numeric for column in parts.all("rating"))
    if parts.text is None or not numeric or any(parts.first(part) for part in known):
        return False
    return min(Counter(map(str, _cells(table, parts.text))).values()) > 1


def _rows_are_items(table: Table, parts: Parts) -> bool:
    """Say whether each row holds all ratings of an output, in a list or in columns, and nothing tells outputs apart.

    Texts do not if a wording stands in several rows of a system.
    """
    if parts.first("item") or parts.first("rater") or parts.first("criterion"):
        return False
    listed = any(column.kind in ("lists of numbers", LABELS) for column in parts.all("rating"))
    if not listed and len(parts.all("rating of a rater")) < 2:
        return False
    return parts.text is None or _repeats_texts(table, parts)


def _repeats_texts(table: Table, parts: Parts) -> bool:
    """Say whether several rows of a system, and of a rater if these are named, have the same text, without items."""
    if parts.text is None or parts.first("item"):
        return False
    kinds = ("system", "rater", "criterion", "metric", "run", "cluster", "slice")
    names = [parts.text, *(name for kind in kinds if (name := parts.first(kind)) is not None)]
    rows = list(zip(*(map(str, _cells(table, name)) for name in names), strict=True))
    return len(set(rows)) < len(rows)


def _have_one_rater_each(table: Table, parts: Parts) -> bool:
    """Say whether raters are named, and each output was rated by one of them."""
    rater, item = parts.first("rater"), parts.first("item") or parts.text
    if rater is None or item is None or not table.rows:
        return False
    keys = [name for name in (item, parts.begin_again, parts.first("system")) if name]
    outputs = list(zip(*(map(str, _cells(table, name)) for name in keys), strict=True))
    if all(BOTH_TEXTS in row for row in table.rows):  # agreement tells such pairs by their texts
        outputs = [row[BOTH_TEXTS].unordered for row in table.rows]
    pairs = set(zip(outputs, map(str, _cells(table, rater)), strict=True))
    return len(pairs) == len(set(outputs))


def _names_absent(line: str, table: Table) -> bool:
    """Say whether a command line takes texts from a column that some rows do not have: it would be refused.

    A null is no text for commands that score texts, and is refused as a rated one.
    """
    words = shlex.split(line)
    texts = [after for before, after in pairwise(words) if before in ("--text-column", "--ratings-text-column")]
    usual = ["text"] if not texts and words[1] in ("score", "advise", "evaluate") else []
    cells = [cell_of(row, name) for name in (*texts, *usual) if table.has(name) for row in table.rows]
    are_scored = words[1] in _SCORING
    return any(cell is MISSING or (cell is None and not are_scored) for cell in cells)


_SCORING = ("score", "filter", "compare")
"""Commands for which a null is an empty text."""


_KEYS = ("item", "system", "rater", "run", "metric", "cluster", "slice")
"""Columns that tell scores, or outputs, of one table apart: `compare` refuses two with the same."""


def _keys_repeat(line: str, table: Table) -> bool:
    """Say whether a command line compares outputs, or scores, of which a system has several of an item."""
    words = shlex.split(line)
    named = [(before.removeprefix("--"), after) for before, after in pairwise(words) if before.startswith("--")]
    options = dict(named)
    if words[1] != "compare" or not {"scores", "system-column"} & options.keys():
        return False
    names = [options.get(f"{kind}-column", kind) for kind in _KEYS]
    if not table.has(names[0]):  # the order of rows tells items
        return False
    names = [name for name in names if table.has(name)]
    conditions = [condition(after) for before, after in named if before == "where"]
    scores = [after for before, after in named if before == "score-column"]
    keys = [
        tuple(str(cell_of(row, name)) for name in names)
        for row in table.rows
        if all(each.holds(row) for each in conditions)
        and (not scores or any(_is_filled(cell_of(row, name)) for name in scores))
    ]
    return len(set(keys)) < len(keys)


def _have_several_texts(line: str, table: Table) -> bool:
    """Say whether a command line holds a metric against ratings of outputs whose keys stand for several texts each."""
    words = shlex.split(line)
    options = dict(pairwise(words))
    keys = [options.get(f"--{kind}-column", kind) for kind in ("item", "system", "cluster", "slice")]
    text = options.get("--text-column", "text")
    if words[1] != "evaluate" or "--metric" not in options or not table.has(keys[0]):
        return False
    outputs = list(zip(*(_cells(table, name) for name in keys if table.has(name)), strict=True))
    return not is_function(outputs, list(map(str, _cells(table, text))))


def _is_filled(cell: object) -> bool:
    return cell is not MISSING and not is_blank(cell)


def _n_compared(table: Table, parts: Parts) -> int:
    """Return the number of systems that two columns name; 0 without these."""
    named = [name for part in ("system_a", "system_b") if (name := parts.first(part)) is not None]
    cells = {one_name_in(cell) for name in named for cell in _cells(table, name) if cell is not MISSING}
    return len(cells - {""}) if len(named) > 1 else 0


def _n_outputs(table: Table, parts: Parts, begin_again: str) -> int:
    """Return the number of outputs of the first system, with which the others are compared; 0 without systems.

    Args:
        table: a table with single names of systems.
        parts: its columns.
        begin_again: the column in each value of which the numbers of items begin again; "" for none.
    """
    system = parts.first("system")
    if system is None or not table.rows:
        return 0
    told = parts.first("item") or (None if _rows_are_items(table, parts) else parts.text)
    keys = [name for name in (told, begin_again, parts.first("run")) if name]
    columns = [_cells(table, name) for name in keys] or [list(range(len(table.rows)))]
    systems = [str(name) for name in _cells(table, system)]
    outputs = zip(systems, zip(*columns, strict=True), strict=True)
    return len({str(output) for name, output in outputs if name == systems[0]})


def _is_unnamed(column: Column) -> bool:
    """Say whether a column of labels has no name of its own, as the first of a table of results."""
    return column.kind == "labels" and (is_unnamed(column.name) or column.name.lower() == "index")


def _are_means(table: Table, parts: Parts) -> bool:
    """Say whether a table has one row per system, with single numbers."""
    systems = parts.all("system") or [column for column in parts.all("item") if column.kind in ("labels", "ids")]
    systems = systems or [column for column in parts.columns if _is_unnamed(column)]
    if not systems or len(table.rows) < 2 or parts.first("preference") or parts.first("rater"):
        return False
    names = set(_cells(table, systems[0].name))
    has_items = parts.first("item") not in (None, systems[0].name)
    if len(names) < len(table.rows) or has_items or any(column.kind == "text" for column in parts.columns):
        return False
    if joined_ids(sorted(map(str, names))) is not None:
        return False
    numeric = [column for column in parts.columns if column.is_numeric or column.kind == MEANS]
    in_lists = any(column.kind.startswith("lists") for column in parts.columns)
    are_named = systems[0].part == "system" or len(names) < _FEWEST_COMPARED
    return bool(numeric) and not in_lists and are_named


def _lines(file: str, reading: Reading) -> Look:
    """Look at a file of lines: texts, numbers, or a table with another suffix."""
    blocks = read_blocks(file, reading=reading, default="txt", size=_PART)
    table = next(blocks)
    texts = [row[TEXT] for row in table.rows]
    is_part = len(texts) >= MOST_ROWS and next(blocks, None) is not None
    try:
        check_is_no_log(file, texts)
    except InputError as error:
        return Look(file, ".txt", len(texts), is_part, shape="lines that are no texts alone", notes=(str(error),))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)
        try:
            as_table = table if is_part or _holds_sentences(file, reading) else read_table(file, reading)
        except HeaderError as error:
            return _headless(file, replace(reading, format="tsv"), error.n_fields, str(error))
        except InputError:
            as_table = table
    if as_table.columns == (NUMBER,):
        lines = tuple(command_line("compare", "--scores", file, *others) for others in ([], ["--scores", OTHER]))
        columns = tuple(columns_of(as_table))
        return Look(file, ".txt", len(texts), is_part, columns, A_NUMBER_PER_LINE, as_table.notes, lines)
    if len(as_table.columns) > 1:
        # in a .txt file, tsv stands for fields between any delimiter: it is looked for as in other tables
        named = replace(reading, format="tsv")
        has_data = holds_data(as_table.columns, as_table.rows) or _begins_with_labels(file, as_table)
        if not reading.columns and has_data:
            return _headless(file, named, len(as_table.columns))
        return _described(file, ".txt that holds a table", as_table, named, columns_of(as_table), is_part=is_part)
    notes = (*table.notes, *remarks_on(file, texts, is_plain=True))
    plain = columns_of(table)
    if _are_clusters(file, plain):
        return _of_clusters(file, len(texts), plain)
    column = replace(plain[0], part=TEXT)
    commands = [command_line("score", file, *_options(reading))]
    if column.kind == "text" and _are_of_other_language(texts):
        notes = (*notes, OF_OTHER_LANGUAGE)
        commands = [command_line("compare", file, OTHER, *OF_ANY_LANGUAGE, *_options(reading))]
    if is_part:
        commands.append(command_line("train", "ngram", file, "-o", "model.safetensors"))
    orders = {TEXT: hash(tuple(texts))}
    return Look(file, ".txt", len(texts), is_part, (column,), A_TEXT_PER_LINE, notes, tuple(commands), orders=orders)


def _are_of_other_language(texts: Sequence[str]) -> bool:
    """Say whether most of the first texts do not look English, as Fluency sees them; a few short ones tell nothing."""
    from slor_metric.language_models.prose import packaged_prose

    return packaged_prose().read(texts[:_MOST_READ]).are_foreign


def _against(table: Table, parts: Parts) -> Iterator[str]:
    """Yield doubts about a plain reading of a table."""
    yield from _on_blanks(table, parts)
    keyed = table.keyed_by_ids()
    if keyed:
        yield (
            f"the keys of the objects in {', '.join(map(repr, keyed))} are other ones in each row, as ids are: they "
            "make no columns"
        )
    yield from remarks_on_marks(parts.columns)
    yield from _on_labels(parts)
    yield from _on_codes(table, parts)
    if 0 < parts.n_outputs < FEWEST_OUTPUTS and (parts.ratings or parts.all("rating of a rater")):
        yield (
            f"the first system has {parts.n_outputs} outputs: `human-score` gives no interval for fewer than "
            f"{FEWEST_OUTPUTS}, but tells the means"
        )
    scores = [column.name for column in parts.all("score") if column.name not in parts.ranks]
    lower = parts.lower_of(scores, table.source)
    if lower:
        listed = shortened(", ".join(map(repr, lower)), 80)
        yield f"lower values of {listed} count as better, by the name; `compare` is told so by --lower-is-better"
    criteria = criteria_beside_metrics(parts)
    if criteria:
        yield f"{', '.join(map(repr, criteria))} may be of people: `evaluate` holds the others against them"
    named = parts.first("rating") or parts.first("system_a")
    if not named and (chosen := choices_of(column.name for column in parts.columns)):
        best, worst = next(iter(chosen.values()))
        yield (
            f"{best!r} and {worst!r} name what was best and worst, and no columns name all that was compared: add one "
            "for each of these, as system_1, system_2, system_3"
        )
    if parts.of_systems:
        named = shortened(", ".join(parts.of_systems), 80)
        if not parts.ranks:  # raters do not rank one another
            yield f"columns {named} are taken for one system each; if they are raters, only `agreement` fits"
    item = parts.first("item")
    last = cell_of(table.rows[-1], item) if item is not None and table.rows else ""
    if _SUMMARY.fullmatch(str(last).strip()):
        yield f"the last row is called {last!r}, and counts as an item: if it sums up the others, take it out"
    if parts.listed:
        yield (
            f"the lists in {shortened(', '.join(parts.listed), 80)} may hold the ratings of several outputs, as "
            "`human-score` below takes them, or of several raters"
        )
    if are_side_by_side(parts.columns):
        yield (
            "columns of one number are taken to be of one system, called by the number (--system-column key): if "
            "outputs were put in a new order for each item, numbers name no systems"
        )
    if parts.rows_are_items:
        yield "nothing names items: each row, which holds all ratings of an output, is one of its own (--item-column)"
    if parts.texts_are_no_items:
        yield (
            f"raters rated wordings of column {parts.text!r} several times, and nothing names items: `agreement` needs "
            "a column that tells outputs apart (--item-column)"
        )
    if parts.of_controls:
        yield f"column {parts.of_controls!r} calls some rows controls: as a slice they are told apart (--slice-column)"
    answers = [column.name for column in parts.all("reference") if column.kind == LISTS_OF_TEXTS]
    if answers and parts.text is not None:
        yield (
            f"column {answers[0]!r} may hold several right answers in each row: --reference-columns takes them, for "
            f"the metrics {BY_ANSWERS}; of exact match or F1 write a column of numbers into each file, which "
            "`compare --scores FILE --scores OTHER --score-column exact_match` compares"
        )
    yield from remarks_on_design(table, parts.columns)
    yield from remarks_on_means(parts.columns)
    yield from remarks_on_words(parts.columns)
    yield from remarks_on_raters(table, parts.columns)
    yield from remarks_on_sides(table, parts.columns)
    yield from remarks_on_votes(table, parts.columns)
    yield from remarks_on_verdicts(table, parts.columns)
    yield from remarks_on_ranks(parts)
    yield from remarks_on_winners(table, parts.winners)
    yield from _keys(table, parts)
    yield from _raters(table, parts)
    yield from _scale(parts)
    text = parts.text
    if text is not None and parts.first("reference") and not parts.first("source") and _is_unnamed_text(parts):
        yield f"column {text!r} is taken for outputs; if it holds what these are made from, the file has no outputs"
    if text is not None:
        texts = [cell for row in islice(table.rows, MOST_ROWS) if isinstance(cell := cell_of(row, text), str)]
        yield from remarks_on(table.source, texts, is_plain=False)
        filled = [each for each in texts if each.strip()]
        n_again = len(filled) - len(set(filled))
        if n_again and not parts.first("rater"):
            yield f"{n_again} of {len(filled)} {_REPEATED_TEXTS}"
        if parts.first("rating") and len(set(texts)) < FEWEST_TEXTS:
            yield f"only {len(set(texts))} different texts: too few to learn from"


def _is_unnamed_text(parts: Parts) -> bool:
    """Say whether no name tells that the column of texts holds outputs."""
    return any(column.name == parts.text and not column.part for column in parts.columns)


def _on_labels(parts: Parts) -> Iterator[str]:
    """Yield remarks on columns of labels that are ratings: one for all whose labels stand for numbers in one way."""
    told: dict[str, list[str]] = {}
    for column in parts.columns:
        words = words_of(parts, column.name) if column.part == "rating" and column.kind == "labels" else []
        if words and not parts.winners and not column.mark:
            says = "--values WORD=NUMBER,… says for what numbers, if any"
            known = f"{shlex.join(words)} says for what numbers; nothing behind = is a missing rating"
            told.setdefault(says if TO_FILL_IN.search(words[1]) else known, []).append(repr(column.name))
    for says, names in told.items():
        hold = f"column {names[0]} holds" if len(names) == 1 else f"columns {shortened(', '.join(names), 120)} hold"
        yield f"{hold} labels: {says}"


def _on_codes(table: Table, parts: Parts) -> Iterator[str]:
    """Yield a remark on ratings with negative numbers below their scale, which may mark missing answers."""
    rated = [*parts.all("rating"), *parts.all("rating of a rater")]
    of_columns = {
        column.name: codes_below(table.as_numbers(_cells(table, column.name)))
        for column in rated
        if column.kind == "whole numbers"
    }
    names = [repr(name) for name, codes in of_columns.items() if codes]
    codes = sorted(set(chain.from_iterable(of_columns.values())))
    if not codes:
        return
    numbers = " and ".join(f"{code:g}" for code in codes)
    columns = "column" if len(names) == 1 else f"{len(names)} columns"
    left_out = ",".join(f"{code:g}=" for code in codes)
    yield (
        f"below the scale of {columns} {shortened(', '.join(names), 80)} stands {numbers}, which counts as a rating: "
        f'if it marks missing answers, --values "{left_out}" leaves these out'
    )


_REPEATED_TEXTS = "texts repeat an earlier one"

_PARTS_OF_ROWS = ("rating", "score", "item", "system", "rater", "text")
"""Parts of columns of which a blank cell is a doubt."""

_MOST_BLANK = 4
"""Most notes on columns with as many blank cells each; more are one note."""


def _on_blanks(table: Table, parts: Parts) -> Iterator[str]:
    """Yield remarks on columns with blank cells: one for each, or one for all if there are many."""
    blank = [each for each in parts.columns if each.part in _PARTS_OF_ROWS and 0 < each.blank < 1 and not each.mark]
    keys = [each.name for each in parts.columns if each.part in _KEYS]
    asked = {each.name: note_on_asked_rows(table, each.name, keys) for each in blank if each.part == "rating"}
    yield from chain.from_iterable(asked.values())
    blank = [each for each in blank if not asked.get(each.name)]
    n_rows = len(table.rows)
    counts = {column.name: round(column.blank * n_rows) for column in blank}
    if len(blank) <= _MOST_BLANK:
        for name, n_blank in counts.items():
            yield f"column {name!r} is blank in {n_blank} of {n_rows} rows"
        return
    fewest, most = min(counts.values()), max(counts.values())
    between = f"{most}" if fewest == most else f"{fewest} to {most}"
    listed = shortened(", ".join(map(repr, counts)), 120)
    yield f"{len(blank)} columns are blank in {between} of {n_rows} rows each: {listed}"


def _cells(table: Table, name: str) -> list[Any]:
    """Return the cells of a column; lists and objects as texts, so that they can be counted."""
    cells = (cell_of(row, name) for row in table.rows)
    return [str(cell) if isinstance(cell, (list, dict)) else cell for cell in cells]


def _keys(table: Table, parts: Parts) -> Iterator[str]:
    """Yield remarks on repeated keys, item numbers that begin again, and systems without common items."""
    item, system = parts.first("item"), parts.first("system")
    if item is None or system is None:
        return
    parts_of_key = names_in(item)
    on_key = cluster_in_key({name: _cells(table, name) for name in parts_of_key})[1] if len(parts_of_key) > 1 else ""
    if on_key:
        yield on_key
    items, systems = _cells(table, item), _cells(table, system)
    names = ("rater", "run", "criterion", "metric", "cluster", "slice")
    others = [column for name in names if (column := parts.first(name)) is not None]
    keys = Counter(zip(items, systems, *(_cells(table, name) for name in others), strict=True))
    n_repeated = sum(count - 1 for count in keys.values())
    if parts.n_ratings_each:
        yield (
            f"each output of a system stands in {parts.n_ratings_each} rows, of a rater each, maybe, whom no column "
            "tells (--rater-column NAME, if one does)"
        )
    elif n_repeated:
        told = ", ".join(map(repr, [item, system, *others]))
        yield f"{n_repeated} rows repeat the values of {told}"
    if parts.begin_again:
        called = "numbers" if parts.all("item")[0].kind == "whole numbers" else "values"
        yield f"{called} of column {item!r} begin again in each {parts.begin_again!r}"
    if parts.are_unpaired:
        yield NO_ITEM_SHARED
    elif parts.have_other_items and not (parts.ratings or parts.first("score") or parts.apart or parts.are_joined):
        by_system = _items_of_systems(table, parts, parts.begin_again).values()
        n_shared, n_items = len(set.intersection(*by_system)), len(set.union(*by_system))
        shared = f"{n_shared} of {n_items} items have outputs of all systems: only these could be compared in pairs"
        if not n_shared:
            shared = f"none of the {n_items} items has outputs of all systems"
        if n_shared == n_items:
            shared = f"column {item!r} numbers the rows of each system, which are of other inputs"
        yield f"{shared}; --unpaired takes the outputs of each system as a sample of its own"
    elif parts.share_few_items and parts.first("score") and not parts.ratings:
        of_first, *of_others = _items_of_systems(table, parts, parts.begin_again).values()
        least, *_, most = sorted(len(of_first & each) for each in of_others * 2)
        shared = str(least) if least == most else f"{least} to {most}"
        yield (
            f"the first system shares {shared} items with each other one, of {len(of_first)}: --unpaired takes the "
            "scores of each system as a sample of its own; without it a difference is over the items that both have"
        )
    elif parts.apart:
        first, other = parts.apart
        yield (
            f"{first!r} and {other!r} share no item, as other systems do: these two cannot be compared in pairs; "
            "--unpaired compares them if items were assigned to systems at random, and --where takes a part of the rows"
        )


def _scores_of_outputs(table: Table, parts: Parts) -> tuple[str, ...]:
    """Return the columns of numbers that are the same in all rows of an output; none without raters and items."""
    item = parts.first("item") or parts.text
    if item is None or parts.first("rater") is None:
        return ()
    keys = [item, *(name for part in ("system", "cluster", "slice") if (name := parts.first(part)) is not None)]
    outputs = list(zip(*(map(str, _cells(table, name)) for name in keys), strict=True))
    scores = [column.name for column in parts.columns if column.part in ("score", "") and column.is_numeric]
    return tuple(name for name in scores if is_function(outputs, list(map(str, _cells(table, name)))))


def _begin_again(table: Table, parts: Parts) -> str:
    """Return the column in each value of which the numbers of items begin again; "" for none."""
    item, cluster = parts.first("item"), parts.first("cluster") or parts.first("slice")
    if item is None or cluster is None:
        return ""
    items = _cells(table, item)
    sources = [_cells(table, column.name) for column in parts.all("source") if column.distinct > 1]
    if any(len(set(zip(items, cells, strict=True))) == len(set(items)) for cells in sources):
        return ""  # an item has one source: each number is of one
    pairs = set(zip(map(str, items), map(str, _cells(table, cluster)), strict=True))
    return cluster if len(pairs) > len(set(map(str, items))) else ""


def _items_of_systems(table: Table, parts: Parts, begin_again: str) -> dict[str, set[tuple[str, ...]]]:
    """Return the items of each system, with the value in which their numbers begin again, if they do.

    There are none without items or systems.
    """
    item, system = parts.first("item"), parts.first("system")
    found: dict[str, set[tuple[str, ...]]] = {}
    if item is None or system is None:
        return found
    columns = [_cells(table, name) for name in (item, begin_again) if name]
    for of, *key in zip(_cells(table, system), *columns, strict=True):
        if of is MISSING or is_blank(of):  # a row of another kind
            continue
        found.setdefault(str(of), set()).add(tuple(map(str, key)))
    return found


def _apart(by_system: Mapping[str, set[tuple[str, ...]]]) -> tuple[str, ...]:
    """Return the first system and one that shares no item with it; none if all do."""
    first = next(iter(by_system), "")
    return next(((first, other) for other in by_system if not by_system[first] & by_system[other]), ())


def _are_unpaired(by_system: Mapping[str, set[tuple[str, ...]]]) -> bool:
    """Say whether no two systems share an item."""
    return len(by_system) > 1 and len(set.union(*by_system.values())) == sum(map(len, by_system.values()))


def _share_few_items(by_system: Mapping[str, set[tuple[str, ...]]]) -> bool:
    """Say whether most systems share few items with the first: fewer than half of those that the smaller one has."""
    first, *others = by_system.values() or [set()]
    few = [2 * len(first & other) < min(len(first), len(other)) for other in others]
    return 2 * sum(few) > len(few)


def _of_controls(table: Table, columns: Sequence[Column]) -> str:
    """Return the column of labels that calls a few rows controls; "" for none."""
    labels = [column.name for column in columns if column.kind == "labels" and column.part in ("", "slice", "text")]
    return next((name for name, _, _ in controls_in(table, labels)), "")


def _have_no_order(table: Table, parts: Parts) -> bool:
    """Say whether no column tells items, and the order of each system's rows tells none.

    It tells none if systems differ in the number of rows, or rows of one place in their sources.
    """
    system = parts.first("system")
    if system is None or parts.first("item") is not None or parts.first("rater") is not None:
        return False
    systems = list(map(str, _cells(table, system)))
    if len(set(Counter(systems).values())) > 1:
        return True
    named = [column.name for column in (*parts.all("source"), *parts.all("reference"))]
    sources = [[str(cell) if _is_filled(cell) else "" for cell in _cells(table, name)] for name in named]
    return any(n_unlike(_by_system(systems, cells)) for cells in sources)


def _have_other_inputs(table: Table, parts: Parts) -> bool:
    """Say whether rows of one number are of other inputs for most numbers: each system counts its own rows.

    What is the same for all rows of a system is no input. Within documents or the like numbers may begin again.
    """
    item, system = next(iter(parts.all("item")), None), parts.first("system")
    if item is None or item.kind != "whole numbers" or system is None or parts.first("cluster") or parts.first("slice"):
        return False
    items, systems = ([str(cell) for cell in _cells(table, name)] for name in (item.name, system))
    for column in parts.all("source"):
        cells = [str(cell) if _is_filled(cell) else "" for cell in _cells(table, column.name)]
        inputs: dict[str, set[str]] = {}
        for number, cell in zip(items, cells, strict=True):
            inputs.setdefault(number, set()).update({cell} - {""})
        if 2 * sum(len(of) > 1 for of in inputs.values()) > len(inputs) and not is_function(systems, cells):
            return True
    return False


def _by_system(systems: Sequence[str], cells: Sequence[str]) -> list[list[str]]:
    """Return the cells of each system, in the order of its rows."""
    found: dict[str, list[str]] = {}
    for name, cell in zip(systems, cells, strict=True):
        found.setdefault(name, []).append(cell)
    return list(found.values())


def _raters(table: Table, parts: Parts) -> Iterator[str]:
    rater = parts.first("rater")
    if rater is None or len(table.rows) < _FEWEST_RATINGS:
        return
    counts = Counter(_cells(table, rater))
    few = max(1, len(counts) // 10)
    share = sum(count for _, count in counts.most_common(few)) / len(table.rows)
    if len(counts) > 2 and share > _MANY:
        whose = "one rater" if few == 1 else f"{few} raters"
        yield f"{whose} of {len(counts)} gave {share:.0%} of the ratings"


def proposals(files: Sequence[str], reading: Reading = BY_SUFFIX) -> list[str]:
    """Return command lines that fit files which a command could not use; none for files that cannot be read at all.

    Args:
        files: the files; those of a text per line fit as they are, and get none.
        reading: the way in which the command read them. If nothing fits a file that is read so, it is read as usual.
    """
    looks = [_looked_for_commands(file, reading) for file in files]
    each = [[] if found is None else _without_worst(found.commands) for found in looks]
    lines: list[str] = []
    if len(files) > 1:
        lines += _joint(files, [[_alone(line) for line in of_file] for of_file in each])
        told = [found for found in looks if found is not None]
        if len(told) == len(files):
            lines = [_by_shared_ids(_unpaired(line, told), told) for line in (*_by_raters(told), *lines)]
    for of_file in each:
        lines += of_file if len(files) == 1 else [line for line in of_file if OTHER not in line.split()]
    return [line for line in dict.fromkeys(lines) if len(line) <= _LONGEST]


def _without_worst(lines: Sequence[str]) -> list[str]:
    """Return lines without those that show the worst scores, which no command asks for that could not use a file."""
    return [line for line in lines if "--worst" not in line.split()]


def _alone(line: str) -> str:
    """Return a line without the word for a further file of scores, or of another judge."""
    alone = line.replace(f" --scores {OTHER}", "")
    return alone.replace(f" {OTHER}", "") if line.split()[1] == "agreement" else alone


_USUAL_ENDS = (2, 3, 4, 5, 6, 7, 9, 10, 100)


def _such_as(column: Column) -> str:
    """Return an example of the ends of a scale: those of a column's numbers if they are usual, and else none."""
    low, high = map(int, column.ends)
    return f", such as --scale {low}-{high}" if low in (0, 1) and high in _USUAL_ENDS else ""


def _scale(parts: Parts) -> Iterator[str]:
    """Yield a remark on ratings whose scale `human-score` asks for: those of few outputs of two systems."""
    rated = [each for each in parts.columns if each.part in ("rating", "rating of a rater")]
    untold = [each for each in rated if not each.mark and scale_in_name(each, parts.columns) is None]
    plain = [each for each in untold if each.kind == "whole numbers"]
    if plain and parts.n_systems == 2 and parts.n_outputs < FEW_ITEMS:
        yield (
            f"ratings do not tell the ends of their scale ({plain[0].name!r} has {plain[0].shown}); of two systems "
            f"with fewer than {FEW_ITEMS} items `human-score` asks for them: add --scale LOW-HIGH{_such_as(plain[0])}"
        )


def joint_lines(looks: Sequence[Look]) -> list[str]:
    """Return the command lines that read several files together: all of one form, or the texts among them.

    Files of plain texts with equally many lines are outputs that may be compared. Behind a line that compares outputs
    with references stands one by metrics that read any language.
    """
    lines = _joint_lines(looks)
    with_references = [line for line in lines if line.split()[1] == "compare" and _AMONG_OTHERS in line]
    return [*lines, *(line.replace(_AMONG_OTHERS, shlex.join(ALONE)) for line in with_references)]


_AMONG_OTHERS = shlex.join(WITH_REFERENCES)


def _joint_lines(looks: Sequence[Look]) -> list[str]:
    """Return the command lines that read several files together, without those by metrics with references alone."""
    if of_systems := scores_by_system(looks):
        return of_systems
    of_references = _of_answers(looks) or _of_several_references(looks)
    of_lines = [*_of_texts(looks), *_of_numbers_beside(looks)]
    of_ratings = [*_of_scores_and_ratings(looks), *_of_outputs_and_ratings(looks), *_of_lines_and_ratings(looks)]
    compared = [*of_lines, *of_ratings, *of_references]
    if compared:
        return compared
    if len(looks) < 2 or len({each.form for each in looks}) > 1:
        return []
    lines = [
        [
            _alone(line)
            for line in _without_means_alone(each)
            if line.split()[1] != "compare"
            or f"--scores {OTHER}" in line
            or _is_of_other_language(line)
            or each.shape == OF_SCORES
        ]
        for each in looks
    ]
    if len({each.n_rows for each in looks}) > 1 and not _are_apart(looks, 0.5):  # outputs are compared in pairs
        lines = [[line for line in of_file if line.split()[1] != "score"] for of_file in lines]
    lines = _with_common_criteria(_with_weights(lines))
    of_raters = _by_raters(looks) or _by_raters_of_scores(looks)
    joint = _joint([each.file for each in looks], _with_lines_of_most(lines, looks))
    joint = [*joint, *_of_one_rater_each(looks)]
    if of_raters:  # files of the same outputs: there is nothing to compare
        joint = [*of_raters, *(line for line in joint if line.split()[1] != "compare")]
    joint = [_by_shared_ids(_unpaired(line, looks), looks) for line in joint]
    joint = [_with_references(line, looks) for line in joint]
    if _name_no_systems(looks) and are_called_as_raters([each.file for each in looks]):
        joint = [line for line in joint if line.split()[1] != "human-score"]
    joint = [_with_every_pair(line, looks) for line in joint]
    are_compared = any(line.split()[1] == "human-score" or "--scores" in line.split() for line in joint)
    if not (of_raters or are_compared or are_called_as_raters([each.file for each in looks])):
        joint = [*_of_scores_by_ids(looks), *joint]
    shorter = [_with_fewer_scores(line) for line in dict.fromkeys(joint)]
    shorter = [line if len(line) <= _LONGEST else _by_folder(line, looks) for line in shorter]
    return [line for line in shorter if len(line) <= _LONGEST]


def _with_fewer_scores(line: str) -> str:
    """Return a line that is too long without the last ones of its columns of scores; two stay at least."""
    words = shlex.split(line)
    scores = [after for before, after in pairwise(words) if before == "--score-column"]
    while len(line) > _LONGEST and len(scores) > _FEWEST_SCORES:
        left_out = scores.pop()
        places = [place for place, word in enumerate(words) if word == left_out and words[place - 1] in _OF_A_SCORE]
        words = [word for place, word in enumerate(words) if not {place, place + 1} & set(places)]
        line = command_line(*words[1:])
    return line


_OF_A_SCORE = ("--score-column", "--lower-is-better")
"""Options that name a column of scores."""

_FEWEST_SCORES = 2


def _without_means_alone(found: Look) -> list[str]:
    """Return a file's lines without that on the mean rating of its texts, which stands beside one on the worst."""
    has_worst = any("--worst" in line.split() for line in found.commands)
    return [line for line in found.commands if not (has_worst and line.split()[1] == "human-score")]


def _by_folder(line: str, looks: Sequence[Look]) -> str:
    """Return a line on ratings in many files with their folder in place of them, if it holds no others."""
    from referenceless_metrics.human_evaluation.ratings.rating_files import tables_in

    words = shlex.split(line)
    folder = Path(looks[0].file).parent
    files = [each.file for each in looks]
    if words[1] not in ("human-score", "agreement") or sorted(files) != tables_in(folder):
        return line
    option = [] if words[1] == "agreement" else ["--ratings"]
    further = [word for file in files[1:] for word in (*option, file)]
    at = words.index(files[0])
    if words[at + 1 : at + 1 + len(further)] != further:
        return line
    return command_line(*words[1:at], str(folder), *words[at + 1 + len(further) :])


_REFERENCES = re.compile(r"(?:.*[^a-z])?(?:refs?|ref[a-d]|references?|gold)(?:[^a-z].*)?", re.IGNORECASE)
_POST_EDITS = "pe"
"""The suffix of outputs that people mended, which are references, in data sets of quality estimation."""


def _may_be_sources(name: str) -> bool:
    """Say whether a file is called as one of sources, or as a column of them is.

    >>> _may_be_sources("test.src"), _may_be_sources("triples"), _may_be_sources("ours")
    (True, True, False)
    """
    return INPUTS.fullmatch(name) is not None or names_source(name)


def _of_texts(looks: Sequence[Look]) -> list[str]:
    """Return the line that compares files of a text per line, the n-th of each for one input: those of as many lines.

    Files that are called as those of sources or references are no systems, and neither are labels, such as documents.
    A single system is scored. Translations into several languages have a line for each.
    """
    texts = _plain_texts(looks)
    names = {each.file: _names_of_part(each.file, texts) for each in texts}
    references = [
        file
        for file, of_file in names.items()
        if any(map(_REFERENCES.fullmatch, of_file)) or Path(file).suffix == f".{_POST_EDITS}"
    ]
    sources = [file for file, of_file in names.items() if any(map(_may_be_sources, of_file))]
    sources = [file for file in sources if file not in references]
    references += [file for file in _numbered_beside(sources, names) if file not in references]
    outputs = [each for each in texts if each.file not in (*references, *sources)]
    labels = [each.file for each in outputs if each.columns[0].kind == "labels"]
    systems = [each.file for each in outputs if each.file not in labels or len(labels) == len(outputs)]
    translated = _in_one_language(systems, texts)
    sources = sources or [file for file in systems if file not in translated and translated]
    systems = translated
    is_other = any(OF_OTHER_LANGUAGE in each.notes for each in texts if each.file in systems)
    if on_other_inputs(systems):
        return [] if is_other else _of_other_inputs(systems, references)
    if len({each.n_rows for each in texts}) != 1 or not systems:
        return []
    sources, references = (_without_copies(files, texts) for files in (sources, references))
    by_references = [word for file in references for word in ("--references", file)]
    if not references:
        references, by_references = _references_in_table(looks, texts)
    if is_other and len(systems) == 1:
        return []
    if len(systems) == 1:
        return [command_line("score", *systems, *by_references, *WITH_REFERENCES)] if references else []
    of_clusters = [each.file for each in looks if each.file not in systems and _may_be_of_clusters(each, texts)]
    clusters = ["--cluster-column", of_clusters[0]] if len(of_clusters) == 1 else []
    metrics = [*(WITH_REFERENCES if references else []), *(["--sources", sources[0]] if len(sources) == 1 else [])]
    if is_other:
        by_references, metrics = by_references or ["--references", REFERENCES], list(ALONE)
    if by_language := _by_language(systems, references):
        pairs = [(of_one, reference) for reference, of_one in by_language.items() if len(of_one) > 1]
        return [
            command_line("compare", *each, "--references", of, *metrics, *clusters, *_every_pair(each))
            for each, of in pairs
        ]
    return [command_line("compare", *systems, *by_references, *metrics, *clusters, *_every_pair(systems))]


def _every_pair(systems: Sequence[str]) -> list[str]:
    """Return the option that compares all pairs of three systems or more."""
    return [EVERY_PAIR] if len(systems) > 2 else []


def _of_other_inputs(systems: Sequence[str], references: Sequence[str]) -> list[str]:
    """Return the lines on outputs for other inputs, in a folder of each system: compared apart, and each scored.

    The references in the folder of a system are of its outputs alone.
    """
    lines = [command_line("compare", *systems, "--unpaired")]
    for system in systems:
        beside = [file for file in references if Path(file).parent == Path(system).parent]
        by_references = [word for file in beside for word in ("--references", file)]
        lines += [command_line("score", system, *by_references, *WITH_REFERENCES)] if beside else []
    return lines


def _of_numbers_beside(looks: Sequence[Look]) -> list[str]:
    """Return the line on files of a number per line beside outputs, one of the same name in the folder of each system.

    They are called as people's ratings, or are scores.
    """
    texts = [each for each in looks if each.shape == A_TEXT_PER_LINE]
    numbers = [each for each in looks if each.shape == A_NUMBER_PER_LINE]
    files = [each.file for each in numbers]
    lines_of = {(Path(each.file).parent, each.n_rows) for each in texts}
    are_beside = lines_of == {(Path(each.file).parent, each.n_rows) for each in numbers}
    if (
        len(lines_of) < 2
        or len(numbers) != len(lines_of)
        or not are_beside
        or len({Path(file).name for file in files}) > 1
    ):
        return []
    apart = ["--unpaired"] if on_other_inputs(files) else []
    stems = [Path(file).stem for file in files]
    are_rated = all(map(folder_of_ratings, files)) and all(names_people(name) or _RATED.search(name) for name in stems)
    command, option = ("human-score", "--ratings") if are_rated else ("compare", "--scores")
    pairs = every_pair(len(files)) if are_rated else []
    return [command_line(command, *(word for file in files for word in (option, file)), *apart, *pairs)]


_RATED = re.compile(r"(?<![a-z])(?:ratings?|judge?ments?)(?![a-z])", re.IGNORECASE)
"""A word for ratings in the name of a file."""


def _without_copies(files: Sequence[str], texts: Sequence[Look]) -> list[str]:
    """Return files of lines without those of an earlier one's name and lines, as in a folder of each system."""
    orders = {each.file: each.orders.get(TEXT) for each in texts}
    keys = {file: (Path(file).name, orders[file]) for file in files}
    first = {keys[file]: file for file in reversed(files)}
    return [file for file in files if first[keys[file]] == file]


def _plain_texts(looks: Sequence[Look]) -> list[Look]:
    """Return the files of a text per line, or else the folders of a text per file, if all are of the same items."""
    of_lines = [each for each in looks if each.shape == A_TEXT_PER_LINE and not each.is_part]
    of_files = [each for each in looks if each.shape == A_TEXT_PER_FILE]
    return of_lines or (of_files if len({each.items for each in of_files}) == 1 else [])


def _by_language(systems: Sequence[str], references: Sequence[str]) -> dict[str, list[str]]:
    """Return the outputs of each of several references, told by a part of the name that no other reference has.

    Such a part is the language, as in `ours.eng-deu.txt` beside `ref.deu` and `ref.spa`. There are none if outputs are
    of no reference, or of several.
    """
    parts = {file: set(re.split(r"[._-]+", Path(file).name.lower())) for file in (*systems, *references)}
    found = {}
    for reference in references:
        others = [parts[other] for other in references if other != reference]
        own = parts[reference].difference(*others)
        found[reference] = [system for system in systems if own & parts[system]]
    are_told = sorted(chain.from_iterable(found.values())) == sorted(systems)
    return found if len(references) > 1 and are_told and all(found.values()) else {}


def _in_one_language(systems: Sequence[str], texts: Sequence[Look]) -> list[str]:
    """Return the files of outputs: without the one in another language, by its suffix too, which holds the sources.

    Of two such files nothing tells which holds translations, and none is returned.
    """
    foreign = [each.file for each in texts if each.file in systems and OF_OTHER_LANGUAGE in each.notes]
    fewer, more = sorted((foreign, [file for file in systems if file not in foreign]), key=len)
    suffixes = {Path(file).suffix for file in more}
    if len(fewer) != 1 or len(suffixes) > 1 or Path(fewer[0]).suffix in suffixes:
        return list(systems)
    return more if len(more) > 1 else []


def _numbered_beside(sources: Sequence[str], files: Collection[str]) -> list[str]:
    """Return the files that are called as one of sources, with numbers: `test.simp.0` to `test.simp.3` by `test.orig`.

    Those of systems are called as these.
    """
    found = []
    for source in sources:
        start = f"{source.removesuffix(Path(source).suffix)}."
        numbered = [file for file in files if file.startswith(start) and Path(file).suffix[1:].isdecimal()]
        found += numbered if len({Path(file).stem for file in numbered}) == 1 and len(numbered) > 1 else []
    return found


def _of_answers(looks: Sequence[Look]) -> list[str]:
    """Return the line that compares outputs in some files with the references in another, by the ids that all share."""
    held = {each.file: _column_of_references(each) for each in looks}
    beside = [each for each in looks if held[each.file] and not _names_text(each)]
    outputs = [each for each in looks if _names_text(each) and not held[each.file]]
    if not beside:
        held = {each.file: _column_of_right_texts(each) for each in looks}
        beside = [each for each in looks if held[each.file]]
        outputs = [each for each in outputs if each not in beside and _holds_one_text(each)]
    if len(beside) != 1 or not outputs or len(outputs) + 1 < len(looks):
        return []
    files = [*outputs, beside[0]]
    texts = {_text_of(each) for each in outputs}
    name = _shared_ids(files)
    known = {each.file: each.ids[name] if name else each.items for each in files}
    name = name or _shared_item(files)
    asked = {known[each.file] for each in outputs}
    if not name or len(texts) != 1 or len(asked) != 1 or not asked.pop() <= known[beside[0].file]:
        return []
    text = texts.pop()
    options = [*(["--text-column", text] if text != TEXT else []), "--item-column", name]
    options += ["--references", beside[0].file, "--reference-columns", held[beside[0].file], *BY_CHARACTERS]
    return [command_line("compare", *(each.file for each in outputs), *options)] if len(outputs) > 1 else []


def _of_several_references(looks: Sequence[Look]) -> list[str]:
    """Return the line that compares outputs, one of each id, with the texts in one file that has several of each id.

    So people's captions of images stand beside those of systems, in a column of the same name.
    """
    for beside in looks:
        outputs = [each for each in looks if each is not beside]
        text = _text_of(beside)
        if len(outputs) < 2 or not text or any(_text_of(each) != text or not _names_text(each) for each in outputs):
            continue
        for name, ids in beside.repeated_ids.items():
            asked = {each.ids.get(name, frozenset()) for each in outputs}
            if len(asked) == 1 and (shared := asked.pop()) and shared <= ids:
                options = [*(["--text-column", text] if text != TEXT else []), "--item-column", name]
                options += ["--references", beside.file, "--reference-columns", text, *BY_CHARACTERS]
                return [command_line("compare", *(each.file for each in outputs), *options)]
    return []


def _column_of_references(found: Look) -> str:
    return next((column.name for column in found.columns if column.part == "reference"), "")


_RIGHT = re.compile(
    r"(?:.*[^a-z])?(?:summar(?:y|ies)|highlights?|abstract|headline|translation|simplification|paraphrase|caption|target|"
    r"answer|response|completion)",
    re.IGNORECASE,
)
"""Names of columns that hold references beside what outputs were made from, in a file without outputs."""


def _column_of_right_texts(found: Look) -> str:
    """Return the only column of texts that is called as outputs are, beside texts that are not: "" for none."""
    texts = [column.name for column in found.columns if column.kind == "text" and not column.blank]
    named = [name for name in texts if _RIGHT.fullmatch(name)]
    return named[0] if len(named) == 1 and len(texts) > 1 and all(_may_be_read(each) for each in found.columns) else ""


def _may_be_read(column: Column) -> bool:
    """Say whether a column may stand in a file of inputs and references, without outputs and their values."""
    return column.part not in (*_OF_NO_SYSTEM, "rating", "score", "prediction")


def _holds_one_text(found: Look) -> bool:
    return sum(column.holds_texts for column in found.columns) == 1


def _text_of(found: Look) -> str:
    return next((column.name for column in found.columns if column.part == "text"), "")


def _names_text(found: Look) -> bool:
    return _text_of(found) != "" and all(column.part not in _OF_NO_SYSTEM for column in found.columns)


def _references_in_table(looks: Sequence[Look], texts: Sequence[Look]) -> tuple[list[str], list[str]]:
    """Return the table of references, and none of outputs, for the lines of files of texts, and its options; or none.

    Args:
        looks: all files.
        texts: the files of a text per line.
    """
    found = []
    for each in looks:
        named = [column.name for column in each.columns if (column.part, column.kind) == ("reference", "text")]
        is_of_lines = each not in texts and not each.is_part and each.n_rows == texts[0].n_rows
        if named and is_of_lines and not each.commands:
            found.append([each.file, named[0]])
    if len(found) != 1:
        return [], []
    file, name = found[0]
    return [file], ["--references", file, "--reference-columns", name]


def _names_of_part(file: str, others: Sequence[Look]) -> list[str]:
    """Return names that may tell the part of a file: its own, its suffix, and its folder if others lie elsewhere."""
    folders = {Path(each.file).parent for each in others}
    suffix = Path(file).suffix.lstrip(".")
    return [Path(file).stem, suffix, *([Path(file).parent.name] if len(folders) > 1 else [])]


def _may_be_of_clusters(found: Look, texts: Sequence[Look]) -> bool:
    """Return whether a file has the document of each text, by its name or folder: a line for each, of a few labels."""
    return found.n_rows == texts[0].n_rows and _are_clusters(
        found.file, found.columns, _names_of_part(found.file, texts)
    )


def _are_clusters(file: str, columns: Sequence[Column], names: Sequence[str] = ()) -> bool:
    """Return whether a file of lines of a few labels is called as documents are, by one of these names or its own."""
    own = [Path(file).stem, Path(file).suffix.lstrip(".")]
    are_labels = all(column.kind == "labels" for column in columns)
    return names_lines(file) and are_labels and any(map(_is_of_clusters, (*own, *names)))


def _of_clusters(file: str, n_rows: int, columns: Sequence[Column]) -> Look:
    """Return the look at a file with the document of each segment."""
    note = f"beside outputs or scores of these segments it is --cluster-column {shlex.quote(file)}"
    alone = len(columns) == 1  # of several fields the whole line names the document
    parts = [replace(column, part="cluster" if alone else "") for column in columns]
    return Look(file, "lines", n_rows, False, tuple(parts), A_CLUSTER_PER_LINE, (note,))


def _is_of_clusters(name: str) -> bool:
    """Return whether a file is called as columns of documents are, in the singular or plural."""
    of_name = Column(name.removesuffix("s"), "labels", "", 0.0, 0)
    return part_by_name(of_name) == "cluster"


def _of_scores_and_ratings(looks: Sequence[Look]) -> list[str]:
    """Return the lines that hold scores against ratings: logs of scores, or a number per line of each rated system."""
    files = [each for each in looks if each.shape != TRANSLATIONS]
    ratings = [(each, line) for each in files if (line := _line_of_ratings(each)) is not None]
    if len(ratings) != 1:
        return []
    rated, options = ratings[0]
    known = [each for each in looks if each is not rated and each.commands]  # exports that cannot be read have none
    scores = [each for each in known if each.shape in (OF_SCORES, A_NUMBER_PER_LINE)]
    numbers = [each for each in scores if each.shape == A_NUMBER_PER_LINE]
    called = [without_metric(Path(each.file).name, metric_of_file(each.file)) for each in numbers]
    are_of_systems = all(system_called(name, rated.systems) for name in called)
    others = [each for each in scores if each not in numbers]
    if not scores:
        ways = (_of_tables_of_scores, _of_layout, _of_tables_of_systems)
        return next((lines for way in ways if (lines := way(looks, rated, options))), [])
    are_plain = all(command_line("compare", "--scores", each.file) in each.commands for each in others)
    if not are_plain or not are_of_systems or len(numbers) not in (0, len(scores)):
        return []
    named = [word for each in scores for word in ("--scores", each.file)]
    commands = ["compare", "evaluate"] if len(rated.systems) > 1 else ["evaluate"]
    return [command_line(command, *named, "--ratings", rated.file, *options) for command in commands]


def _of_outputs_and_ratings(looks: Sequence[Look]) -> list[str]:
    """Return the line that reports on outputs beside ratings of their items and systems in another file; none else."""
    ratings = [(each, options) for each in looks if (options := _line_of_ratings(each)) is not None]
    if len(ratings) != 1 or _text_of(ratings[0][0]):  # texts tell their outputs, and whether they are the same
        return []
    rated, options = ratings[0]
    named = dict(zip(options[::2], options[1::2], strict=True))
    outputs = [each for each in looks if each is not rated]
    words = _words_of_outputs(outputs, rated.systems)
    items = {next((column.name for column in each.columns if column.part == "item"), "") for each in outputs}
    are_shared = all(rated.items and 2 * len(rated.items & each.items) >= len(rated.items) for each in outputs)
    if not words or not are_shared or items != {named.get("--item-column", "item")} or "--system-column" in named:
        return []
    if "--item-column" in named and "--item-column" not in words:
        words += ["--item-column", named["--item-column"]]
    return [_report(words, rated, named)]


def _of_lines_and_ratings(looks: Sequence[Look]) -> list[str]:
    """Return the line that reports on files of a text per line beside ratings whose items may number the lines.

    Files that are not called as rated systems stay beside them if they are called as sources or references.
    """
    ratings = [(each, options) for each in looks if (options := _line_of_ratings(each)) is not None]
    texts = [each for each in looks if each.shape == A_TEXT_PER_LINE and not each.is_part]
    if len(ratings) != 1 or len({each.n_rows for each in texts}) != 1 or _text_of(ratings[0][0]):
        return []
    rated, options = ratings[0]
    systems = {each.file for each in texts if Path(each.file).stem in rated.systems}
    are_numbers = all(item.isascii() and item.isdecimal() and 0 < int(item) <= texts[0].n_rows for item in rated.items)
    if len(systems) < 2 or not rated.items or not are_numbers:
        return []
    compared = next((shlex.split(line) for line in _of_texts(looks) if line.split()[1] == "compare"), [])
    others = {each.file for each in texts} - systems
    words = [word for before, word in pairwise(compared[1:]) if word not in others or before.startswith("--")]
    named = dict(zip(options[::2], options[1::2], strict=True))
    if not systems <= set(words) or "--system-column" in named:
        return []
    return [_report([*words, "--item-column", named.get("--item-column", "item")], rated, named)]


def _report(words: Sequence[str], rated: Look, named: Mapping[str, str]) -> str:
    """Return the line that reports on outputs beside ratings by all criteria.

    Args:
        words: the words by which a command reads the outputs.
        rated: the file of ratings.
        named: the options with which it is read, with their values.
    """
    criteria = list(dict.fromkeys(chain.from_iterable(_criteria_in(line) for line in rated.commands)))
    rating = [word for name in criteria for word in ("--rating-column", name)]
    rating += ["--columns-are", "criteria"] if len(criteria) > 1 else []
    rating += [word for name in ("--rater-column", "--values") if name in named for word in (name, named[name])]
    return command_line("report", *words, "--ratings", rated.file, *rating, "-o", _REPORT)


_REPORT = "report.html"
"""The page that a proposed line writes."""


def _criteria_in(line: str) -> list[str]:
    """Return the columns of ratings that a line of `human-score` names."""
    words = shlex.split(line)
    return [name for option, name in pairwise(words) if words[1] == "human-score" and option == "--rating-column"]


def _words_of_outputs(outputs: Sequence[Look], systems: Sequence[str]) -> list[str]:
    """Return the words by which a command reads the outputs of rated systems; none if they are of other systems.

    Args:
        outputs: one table of all systems, or a file for each, called as it.
        systems: the rated systems.
    """
    if len(outputs) == 1:
        lines = [shlex.split(line) for line in outputs[0].commands]
        words = next((words[2:] for words in lines if words[1:3] == ["compare", outputs[0].file]), [])
        columns = [name for option, name in pairwise(words) if option == "--text-column"]
        named = outputs[0].systems if "--system-column" in words else columns
        return words if len(set(named) & set(systems)) > 1 and not set(words) & {"--unpaired", OTHER} else []
    texts = {_text_of(each) for each in outputs}
    if {Path(each.file).stem for each in outputs} - set(systems) or len(texts) != 1 or not all(texts):
        return []
    name = texts.pop()
    return [*(each.file for each in outputs), *(["--text-column", name] if name != TEXT else [])]


def _of_tables_of_scores(looks: Sequence[Look], rated: Look, options: Sequence[str]) -> list[str]:
    """Return the lines that hold scores against ratings, if the files are read together.

    Args:
        looks: the ratings, and a table of scores, or one for each rated system, which is called as it.
        rated: the one with the ratings.
        options: the options with which these are read.
    """
    beside = [each for each in looks if each is not rated]
    if len(beside) > 1:
        beside = [replace(each, commands=tuple(map(_alone, each.commands))) for each in beside]
    tables = [(each, words) for each in beside if (words := _options_of_scores(each)) is not None]
    n_others = sum(each.shape in (A_TEXT_PER_LINE, A_CLUSTER_PER_LINE) for each in looks)
    if not tables or len(looks) - n_others != len((rated, *tables)):
        return []
    called = {system_called(Path(each.file).stem, rated.systems) for each, _ in tables}
    named = tables[0][1]
    are_of_systems = len(called - {None}) == len(tables) and all(words == named for _, words in tables)
    if len(tables) > 1 and not are_of_systems:
        return []
    given = [word for pair in pairwise([*options, ""]) if pair[0] in _OF_BOTH and pair[0] not in named for word in pair]
    files = [word for each, _ in tables for word in ("--scores", each.file)]
    read = [*files, "--ratings", rated.file, *named, *given]
    lines = [command_line(command, *read) for command in ("compare", "evaluate")]
    return [] if refusal_of(lines[1]) else lines


def _of_tables_of_systems(looks: Sequence[Look], rated: Look, options: Sequence[str]) -> list[str]:
    """Return the line that holds the scores in tables of one system each against ratings, if it reads them.

    Args:
        looks: the files.
        rated: the one with the ratings.
        options: the options with which these are read.
    """
    start = command_line("compare", "--scores")
    lines = {
        each.file: [line for line in each.commands if line.startswith(f"{start} ") and f" --scores {OTHER} " in line]
        for each in looks
        if each is not rated
    }
    words = [shlex.split(of_file[0]) for of_file in lines.values() if of_file]
    named = {tuple(pairwise(of_file[6:])) for of_file in words}
    if len(words) < 2 or len(words) < len(lines) or len(named) > 1:
        return []
    scored = [word for pair in named.pop() if pair[0] in (*_OF_BOTH, "--score-column") for word in pair]
    files = [word for file in lines for word in ("--scores", file)]
    given = [
        word for pair in pairwise([*options, ""]) if pair[0] in _OF_BOTH and pair[0] not in scored for word in pair
    ]
    line = command_line("evaluate", *files, "--ratings", rated.file, *scored, *given)
    return [] if refusal_of(line) else [line]


def _of_layout(looks: Sequence[Look], rated: Look, options: Sequence[str]) -> list[str]:
    """Return the lines that hold the metrics' scores in a folder of translations against ratings that stand beside it.

    Args:
        looks: the folder, and files in it.
        rated: the file with the ratings.
        options: the options with which these are read.
    """
    folders = [each for each in looks if each.shape == TRANSLATIONS]
    start = command_line("compare", "--scores")
    scored = [shlex.split(line)[2:] for each in folders for line in each.commands if line.startswith(f"{start} ")]
    if len(scored) != 1:
        return []
    lines = [
        command_line(command, *scored[0], "--ratings", rated.file, *options) for command in ("compare", "evaluate")
    ]
    return [] if refusal_of(lines[1]) else lines


def _options_of_scores(found: Look) -> list[str] | None:
    """Return the options with which a table of scores is held against ratings; None for another file."""
    start = command_line("compare", "--scores", found.file)
    words = next((shlex.split(line)[4:] for line in found.commands if line.startswith(f"{start} ")), None)
    are_of_one = any(OTHER in line.split() for line in found.commands)
    if words is None or are_of_one or any(word in _NOT_OF_BOTH for word in words):
        return None
    pairs = list(pairwise([*words, ""]))
    return [word for option, value in pairs if option in (*_OF_BOTH, "--score-column") for word in (option, value)]


def _line_of_ratings(found: Look) -> list[str] | None:
    """Return the options with which `evaluate` reads a file of ratings; None for another file."""
    line = next((line for line in found.commands if line.startswith(command_line("human-score", "--ratings"))), None)
    words = [] if line is None else shlex.split(with_criteria(line, criteria_of(shlex.split(line))[:1]))[4:]
    pairs = list(pairwise([*words, ""]))
    if line is None or any(word in _NOT_OF_BOTH for word in words):
        return None
    return [word for option, value in pairs if option in _OF_BOTH for word in (option, value)]


_OF_BOTH = (*(f"--{kind}-column" for kind in ("item", "system", "rater", "cluster", "rating")), "--values")
"""Options of ratings that count beside scores."""

_NOT_OF_BOTH = ("--criterion-column", "--preference-column", "--columns-are", "--questions", "--where", "--rows-in")
"""Options of ratings that scores beside them would not take."""


def _with_common_criteria(each: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the lines of each file on ratings by the criteria that all files have; as they are without any such."""
    words = [[shlex.split(line) for line in lines] for lines in each]
    named = [{name for line in lines for name in values_of(line, "--rating-column")} for lines in words]
    common = set.intersection(*named)
    return [[with_criteria(line, common) for line in lines] for lines in each]


def _with_weights(each: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the lines of each file with the weights of errors that those of any file ask for."""
    words = chain.from_iterable(pairwise(shlex.split(line)) for lines in each for line in lines)
    named = [value for option, value in words if option == _WEIGHTS]
    asked = dict.fromkeys(weight for value in named for weight in value.split(","))
    option = f" {_WEIGHTS} {','.join(asked)}"
    plain = [[re.sub(rf" {_WEIGHTS} \S+", "", line) for line in lines] for lines in each]
    if not asked:
        return plain
    return [[line if "--errors" in line.split() else f"{line}{option}" for line in lines] for lines in plain]


def _without_every_pair(line: str) -> str:
    return line.replace(f" {EVERY_PAIR}", "")


def _with_every_pair(line: str, looks: Sequence[Look]) -> str:
    """Return a line on ratings with the option for all pairs, if nothing but the files tells the systems apart."""
    words = line.split()
    n_systems = len(looks) + _prefer_systems(looks)  # one more, if each is compared with the same one
    may_rank = _name_no_systems(looks) or _name_one_each(looks) or n_systems > len(looks)
    if words[1] != "human-score" or EVERY_PAIR in words or "--errors" in words or not may_rank:
        return line
    return " ".join([line, *every_pair(n_systems)])


def _prefer_systems(looks: Sequence[Look]) -> bool:
    """Say whether files hold preferences: the first system of one need not be compared with those of others."""
    return all({"preference", "system_a"} <= {column.part for column in each.columns} for each in looks)


def _name_one_each(looks: Sequence[Look]) -> bool:
    """Say whether each file names one system, and no two the same."""
    return all(len(each.systems) == 1 for each in looks) and len({each.systems for each in looks}) == len(looks)


def _name_no_systems(looks: Sequence[Look]) -> bool:
    """Say whether files hold ratings, and no columns that name systems: the files may be of these."""
    parts = [{column.part for column in each.columns} for each in looks]
    return all("rating" in of_file and not {"system", "preference"} & of_file for of_file in parts)


def _with_references(line: str, looks: Sequence[Look]) -> str:
    """Return a line that compares outputs in pairs, with a column of references that is the same in all their files."""
    words = shlex.split(line)
    are_told = {"--unpaired", "--scores", "--system-column", "--metric", *WITH_REFERENCES} & set(words)
    if words[1] != "compare" or are_told:
        return line
    for kind, by in (("text", WITH_REFERENCES), (LISTS_OF_TEXTS, BY_CHARACTERS)):
        named = [[each.name for each in of.columns if (each.part, each.kind) == ("reference", kind)] for of in looks]
        if named[0] and all(names == named[0] for names in named):
            return command_line(*words[1:], "--reference-columns", named[0][0], *by)
    return line


def _shared_ids(looks: Sequence[Look]) -> str:
    """Return the first column of ids most of which are the same in all files; "" for none."""
    first, *others = looks
    for name, ids in first.ids.items():
        held = [each.ids.get(name, frozenset()) for each in others]
        if all(2 * len(ids & other) > min(len(ids), len(other)) for other in held):
            return name
    return ""


def _shared_item(looks: Sequence[Look]) -> str:
    """Return the column of items, each in one row, that all files have; "" for none."""
    names = {next((column.name for column in each.columns if column.part == "item"), "") for each in looks}
    are_once = all(each.items and len(each.items) == each.n_rows for each in looks)
    return names.pop() if len(names) == 1 and are_once else ""


def _by_shared_ids(line: str, looks: Sequence[Look]) -> str:
    """Return a line that compares files by the ids that they share: in place of others, and of rows in another order.

    Outputs are paired by ids only if all files have the same.
    """
    words = shlex.split(line)
    name = _shared_ids(looks)
    if words[1] != "compare" or not name or {"--unpaired", "--system-column"} & set(words):
        return line
    named = dict(pairwise(words)).get("--item-column")
    if named is not None:
        are_others = named in looks[0].ids and not set.intersection(*(set(each.ids.get(named, ())) for each in looks))
        return command_line(*(name if word == named else word for word in words[1:])) if are_others else line
    are_moved = len({each.orders.get(name) for each in looks}) > 1 and len({each.ids[name] for each in looks}) == 1
    return f"{line} {shlex.join(['--item-column', name])}" if are_moved and "--scores" not in words else line


def _of_scores_by_ids(looks: Sequence[Look]) -> list[str]:
    """Return the line that compares the scores in files of one system each, which share ids; none of other files."""
    name = _shared_ids(looks)
    numeric = [{column.name for column in each.columns if column.is_numeric or _are_listed(column)} for each in looks]
    common = set.intersection(*numeric)
    scores = [each.name for each in looks[0].columns if each.part in ("rating", "score") and each.name in common]
    if not name or not scores or any(column.part in _OF_NO_SYSTEM for each in looks for column in each.columns):
        return []
    files = [word for each in looks for word in ("--scores", each.file)]
    columns = [word for score in scores[:_MOST_SCORES] for word in ("--score-column", score)]
    told = {column.name for each in looks for column in each.columns if column.is_lower_better(looks[0].file)}
    turned = [word for score in scores[:_MOST_SCORES] if score in told for word in ("--lower-is-better", score)]
    return [command_line("compare", *files, *columns, "--item-column", name, *turned)]


def _are_listed(column: Column) -> bool:
    """Say whether the cells of a column are lists of scores, each of which counts by its mean."""
    return column.part == "score" and column.kind == "lists of numbers"


_OF_NO_SYSTEM = ("system", "rater", "rating of a rater", "preference", "system_a", "criterion", "metric")
"""Parts of columns beside which a file's numbers are not the scores of one system."""

_MOST_SCORES = 8
"""Most scores that a line for several files names."""


def _are_apart(looks: Sequence[Look], share: float) -> bool:
    """Say whether no other file has more than a share of the first one's items; False if items are not known.

    Ids that the files share tell items, whatever other ids say, such as those of a run.
    """
    first, *others = (each.items for each in looks)
    if not all((first, *others)) or any(each.is_part for each in looks) or _shared_ids(looks):
        return False
    return all(len(first & items) <= share * min(len(first), len(items)) for items in others)


def _unpaired(line: str, looks: Sequence[Look]) -> str:
    """Return a line that compares files together with the option for systems of other items, if theirs are others.

    Scores of a few common items can be compared in pairs, and outputs only if nearly all are of the same items. Outputs
    whose files have another column in common, such as the prompts in the same order, are of the same items; those of
    one number, or of one place, with other prompts are not.
    """
    words = shlex.split(line)
    if words[1] != "compare" or "--unpaired" in words:
        return line
    if "--scores" in words:
        are_apart = _are_apart(looks, 0) or on_other_inputs([each.file for each in looks]) != ""
    else:
        common = {name for name, _ in set.intersection(*(set(each.orders.items()) for each in looks))}
        numbers = {column.name for column in looks[0].columns if column.kind == "whole numbers"}
        shared = _shared_ids(looks)
        are_told = bool(shared) and shared not in numbers  # numbers count the rows of each file
        have_others = _have_other_sources(looks) and common <= numbers and not are_told
        may_be_moved = not common and all(each.items for each in looks)
        are_apart = (not common and _are_apart(looks, 0.5)) or (have_others and not may_be_moved)
    # References are of texts for the same inputs.
    return command_line(*without_references(words[1:]), "--unpaired") if are_apart else line


def _have_other_sources(looks: Sequence[Look]) -> bool:
    """Say whether the files have columns of sources in common, and other cells in each of them."""
    named = [{column.name for column in each.columns if column.part == "source"} & each.orders.keys() for each in looks]
    common = set.intersection(*named)
    return bool(common) and all(len({each.orders[name] for each in looks}) > 1 for name in common)


def _by_raters(looks: Sequence[Look]) -> list[str]:
    """Return the lines of agreement of files that hold ratings of the same texts: each of one rater.

    Files with outputs of several systems each have to name the same ones, of the same items, row by row.
    """
    first, *others = looks
    valued = [column.name for column in first.columns if column.part in ("rating", "score") and column.is_numeric]
    ratings = [name for name in valued if not is_computed(name)]  # which no rater gives
    parts = {column.part: column for column in reversed(first.columns)}
    texts = {column.name: (column.shown, column.distinct) for column in first.columns if column.holds_texts}
    if not ratings or not texts or {"rater", "rating of a rater"} & parts.keys() or "rating" not in parts:
        return []
    if _have_other_outputs(looks):
        return []
    for each in others:
        found = {column.name: (column.shown, column.distinct) for column in each.columns if column.holds_texts}
        names = {column.name for column in each.columns if column.is_numeric}
        if found != texts or not set(ratings) <= names or each.n_rows != first.n_rows:
            return []
    files = [each.file for each in looks]
    if all(map(is_criterion, _own_words(file_names(files)))):  # of a criterion each
        return []
    keys: list[str] = []
    if "system" in parts:
        system, item = parts["system"], parts.get("item")
        orders = {None if item is None else each.orders.get(item.name) for each in looks}
        if item is None or len(orders) > 1 or None in orders:
            return []
        if not all(_names_alike(each, first, system) for each in others):
            return []
        keys = ["--item-column", item.name, "--system-column", system.name]
    return [command_line("agreement", *files, "--rating-column", name, *keys) for name in ratings]


def _of_one_rater_each(looks: Sequence[Look]) -> list[str]:
    """Return the line of agreement of files with the choices of one named rater each; none of other files.

    The choices are of sides, whose systems nothing names. Each file alone says nothing of agreement.
    """
    named = []
    for each in looks:
        parts = {column.part: column for column in reversed(each.columns)}
        if not {"rater", "preference", "item"} <= parts.keys() or {"system_a", "system_b"} & parts.keys():
            return []
        named.append([parts[part] for part in ("preference", "item", "rater")])
    names = {tuple(column.name for column in of_file) for of_file in named}
    raters = {of_file[2].shown for of_file in named if of_file[2].distinct == 1}
    if len(looks) < 2 or len(names) > 1 or len(raters) < len(looks):
        return []
    options = [f"--{part}-column" for part in ("rating", "item", "rater")]
    by = [word for option, name in zip(options, names.pop(), strict=True) for word in (option, name)]
    return [command_line("agreement", *(each.file for each in looks), *by)]


def _own_words(names: Sequence[str]) -> list[str]:
    """Return of each name the words that not all have, joined: the whole of one without any.

    >>> _own_words(["ratings_ann", "ratings_bob"]), _own_words(["fluency", "style"])
    (['ann', 'bob'], ['fluency', 'style'])
    """
    words = [re.findall(r"[^\W_]+", name) for name in names]
    common = set.intersection(*map(set, words))
    own = ["_".join(word for word in of if word not in common) for of in words]
    return [own_words or name for own_words, name in zip(own, names, strict=True)]


def _have_other_outputs(looks: Sequence[Look]) -> bool:
    """Say whether files have other texts in a common column of outputs, so that they are of a system each."""
    columns = {column.name for column in looks[0].columns if column.part in ("candidates", "prediction")}
    return any(len({each.orders.get(name) for each in looks}) > 1 for name in columns)


def _by_raters_of_scores(looks: Sequence[Look]) -> list[str]:
    """Return the lines on files of one column of scores of the same outputs, in the same order: each of one rater.

    Whole numbers on a scale are taken for people's if no metric is called so, and files are called as raters.
    """
    first = looks[0]
    scores = [column for column in first.columns if column.part in ("score", "rating") and column.is_numeric]
    parts = {column.part: column for column in reversed(first.columns)}
    if len(scores) != 1 or "system" not in parts or {"rater", "rating of a rater", "metric"} & parts.keys():
        return []
    score, system = scores[0], parts["system"]
    may_be_ratings = score.kind == "whole numbers" and 2 < score.distinct <= _MOST_POINTS
    if not may_be_ratings or names_metric(score.name) or not are_called_as_raters([each.file for each in looks]):
        return []
    common = set.intersection(*(set(each.orders.items()) for each in looks))
    same = {name for name, _ in common}
    of_outputs = {column.name for column in first.columns if column.part in ("item", "cluster")} & first.orders.keys()
    are_same = {system.name, *of_outputs} < same and len({each.n_rows for each in looks}) == 1
    if not are_same:
        return []
    line = next((line for line in first.commands if line.startswith(command_line("compare", "--scores"))), "")
    options = [word for pair in pairwise(shlex.split(line)) if pair[0] in _OF_OUTPUTS for word in pair]
    rated = ["--rating-column", score.name, *options]
    files = [each.file for each in looks]
    of_each = [word for file in files for word in ("--ratings", file)]
    scored = command_line("human-score", *of_each, *rated, *every_pair(system.distinct))
    return [scored, command_line("agreement", *files, *rated)]


_OF_OUTPUTS = ("--item-column", "--system-column", "--rows-in", "--where")
"""Options of a line on scores that say what outputs are."""


def _names_alike(found: Look, other: Look, column: Column) -> bool:
    """Say whether two files have a column with the same few names."""
    both = [[(each.shown, each.distinct) for each in of.columns if each.name == column.name] for of in (found, other)]
    return both[0] == both[1]


_JOINED = {"human-score": "--ratings", "agreement": "", "compare": "--scores"}
"""Commands that take several files of one form, each with the option of files."""


def _with_lines_of_most(each: Sequence[Sequence[str]], looks: Sequence[Look]) -> list[list[str]]:
    """Return the lines of each file, with those on ratings that most files have, if this one has their columns, too.

    The answers of one participant alone may not tell that their column is one of ratings.
    """
    files = [found.file for found in looks]
    plain = [[_on(line, file, files[0]) for line in of_file] for file, of_file in zip(files, each, strict=True)]
    counts = Counter(line for of_file in plain for line in dict.fromkeys(of_file) if _is_on_ratings(line))
    of_most = [line for line, n in counts.items() if len(files) < 2 * n < 2 * len(files)]
    all_lines = []
    for file, of_file, own, found in zip(files, each, plain, looks, strict=True):
        names = {column.name for column in found.columns}
        further = [line for line in of_most if line not in own and names.issuperset(_columns_in(line))]
        all_lines.append([*of_file, *(_on(line, files[0], file) for line in further)])
    return all_lines


def _is_on_ratings(line: str) -> bool:
    return line.split()[1] in ("human-score", "agreement")


def _on(line: str, file: str, other: str) -> str:
    """Return a line on a file as one on another file."""
    return command_line(*(other if word == file else word for word in shlex.split(line)[1:]))


def _columns_in(line: str) -> list[str]:
    """Return the columns that a line names."""
    return [name for option, name in pairwise(shlex.split(line)) if option.endswith("-column")]


def _joint(files: Sequence[str], each: Sequence[Sequence[str]]) -> list[str]:
    """Return the command lines that read several files of one form together."""
    asked = {_without_every_pair(line) for of_file in each for line in of_file if EVERY_PAIR in line.split()}
    first, *others = ([shlex.split(_without_every_pair(line)) for line in of_file] for of_file in each)
    joint = []
    for words in first:
        option = _JOINED.get(words[1])
        if option is None or files[0] not in words:
            continue
        if option and words[words.index(files[0]) - 1] != option:  # outputs, and no scores or ratings
            continue
        alike = [[files[place] if word == files[0] else word for word in words] for place in range(1, len(files))]
        if all(like in other for like, other in zip(alike, others, strict=True)):
            at = words.index(files[0])
            more = [word for file in files[1:] for word in ([option, file] if option else [file])]
            pairs = [EVERY_PAIR] if command_line(*words[1:]) in asked else []
            joint.append(command_line(*words[1 : at + 1], *more, *words[at + 1 :], *pairs))
    return joint or _of_outputs(files, first, others)


def _of_outputs(
    files: Sequence[str], first: Sequence[Sequence[str]], others: Sequence[Sequence[Sequence[str]]]
) -> list[str]:
    """Return the command line that compares the outputs in files, of a system each; none if they are read otherwise."""
    for words in first:
        if words[1] != "score" and not _is_of_other_language(shlex.join(words)):
            continue
        alike = [[files[place] if word == files[0] else word for word in words] for place in range(1, len(files))]
        if all(like in other for like, other in zip(alike, others, strict=True)):
            return [command_line("compare", *files, *(word for word in words[2:] if word not in (files[0], OTHER)))]
    return []


def _is_of_other_language(line: str) -> bool:
    """Say whether a line compares the outputs in a file with those in another by metrics that read any language."""
    words = line.split()
    return words[1] == "compare" and OTHER in words and "--metric" in words


def _looked_for_commands(file: str, reading: Reading) -> Look | None:
    """Return the description of a file, read as usual if nothing fits it in this way.

    None for a file that cannot be read, and for one that fits as it is, of a text per line.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for way in (reading, BY_SUFFIX):
            try:
                found = look(file, way)
            except (InputError, OSError, ValueError, ImportError):
                continue
            if found.commands and found.shape != A_TEXT_PER_LINE:
                return found
    return None
