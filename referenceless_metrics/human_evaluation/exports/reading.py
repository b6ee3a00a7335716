"""Exports of tools, read by the first form that fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import compress
from shlex import quote

from referenceless_metrics.core.files.names import suffixless
from referenceless_metrics.core.files.reading import BY_SUFFIX, Reading, tell
from referenceless_metrics.core.support.validation import InputError, joined_names
from referenceless_metrics.human_evaluation.exports import (
    appraise,
    azure_evaluation,
    code_tests,
    comet,
    deepeval,
    error_lists,
    error_tables,
    evaluate_results,
    every_eval_ever,
    harness,
    helm,
    inspect_logs,
    judges,
    mlflow,
    mqm,
    mt_metrics_eval,
    openai_evals,
    opencompass,
    pearmut,
    promptfoo,
    rouge,
    sacrebleu,
    swe_bench,
    trec_eval,
    trec_qrels,
    wmt_estimation,
)
from referenceless_metrics.human_evaluation.exports.preferences import PREFERENCE_FORMS, reading_command
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import sight
from referenceless_metrics.human_evaluation.exports.spans import ANY, MQM_WEIGHTS, check_named_weights
from referenceless_metrics.human_evaluation.forms import Form, Sighting, form_of

SYSTEM = "system"
"""The name in conditions of the systems that an export tells."""

_Reader = Callable[[Sighting, Reading], Export]

_READERS: Mapping[Form, _Reader] = {
    harness.FILE: harness.read_file,
    harness.FOLDER: harness.read_folder,
    inspect_logs.FORM: inspect_logs.read,
    promptfoo.FORM: promptfoo.read,
    promptfoo.TABLE: promptfoo.read_csv,
    deepeval.FORM: deepeval.read,
    every_eval_ever.FORM: every_eval_ever.read,
    helm.FORM: helm.read,
    openai_evals.FORM: openai_evals.read,
    judges.FORM: judges.read,
    mlflow.FORM: mlflow.read,
    azure_evaluation.FORM: azure_evaluation.read,
    code_tests.HUMAN_EVAL: code_tests.read_human_eval,
    code_tests.EVALPLUS: code_tests.read_evalplus,
    comet.JSON: comet.read_json,
    comet.PRINTED: comet.read_printed,
    mt_metrics_eval.SUBMISSION: mt_metrics_eval.read_submission,
    mt_metrics_eval.FORM: mt_metrics_eval.read,
    trec_eval.FORM: trec_eval.read,
    wmt_estimation.FORM: wmt_estimation.read,
    sacrebleu.FORM: sacrebleu.read,
    sacrebleu.OF_CORPUS: sacrebleu.refuse_corpus,
    rouge.FORM: rouge.read,
    opencompass.FORM: opencompass.read,
    swe_bench.FORM: swe_bench.read,
    evaluate_results.FORM: evaluate_results.read,
}

_SPAN_READERS: Mapping[Form, Callable[[Sighting, Reading, Mapping[str, float]], Export]] = {
    pearmut.FORM: pearmut.read,
    appraise.CSV: appraise.read_csv,
    appraise.JSONL: appraise.read_jsonl,
    mqm.FORM: mqm.read,
    error_lists.FORM: error_lists.read,
    error_tables.FORM: error_tables.read,
    trec_qrels.FORM: lambda sighting, reading, _: trec_qrels.read(sighting, reading),
}

RATING_FORMS: tuple[Form, ...] = tuple(_SPAN_READERS)
"""The forms of exports with people's ratings and marked errors."""

SCORE_FORMS: tuple[Form, ...] = (*_READERS, *_SPAN_READERS)
"""The forms of exports with scores, in the order in which they are tried."""


def read_export(path: str, reading: Reading = BY_SUFFIX, weights: Mapping[str, float] | None = None) -> Export | None:
    """Return the scores in an export of a tool, or None for a file that is none.

    Args:
        path: the file, or a folder that a tool wrote.
        reading: the way to read exports that are tables.
        weights: weights of marked errors, as `parse_mqm_weights` returns them; None for those of `reading`.

    Raises:
        ImportError: for a log that needs the tool itself to be read; the message names the extra.
        InputError: for an export of an unknown version or a damaged one, for preferences, and for a folder that no
            tool wrote.
    """
    sighting = sight(path)
    if reading.says_table and not sighting.path.is_dir():
        return None  # the user says that it is a table
    preferences = form_of(sighting, PREFERENCE_FORMS)
    if preferences is not None:
        raise InputError(
            f"{path}: it holds preferences ({preferences.name}), and no scores: "
            f"{reading_command(path, preferences, sighting)}"
        )
    promptfoo.refuse_table(sighting)
    form = form_of(sighting, SCORE_FORMS)
    if form is None:
        if sighting.path.is_dir():
            folders = ", ".join(each.name for each in (harness.FOLDER, helm.FORM))
            raise InputError(
                f"{path}: a folder of another form than those that can be read: {folders}; of other folders give the "
                f"files, one by one (`referenceless look {quote(path)}` says how)"
            )
        return None
    if form in _SPAN_READERS:
        return _of_systems(sighting, reading, lambda how: _with_spans(form, sighting, how, weights))
    return _of_systems(sighting, reading, lambda how: _READERS[form](sighting, how))


def read_rating_export(path: str, reading: Reading = BY_SUFFIX) -> Export | None:
    """Return people's ratings in an export of a tool for ratings and marked errors, or None for another file.

    Raises:
        InputError: for a damaged export.
    """
    sighting = sight(path)
    form = form_of(sighting, RATING_FORMS) if not reading.says_table else None
    return None if form is None else _of_systems(sighting, reading, lambda how: _with_spans(form, sighting, how))


def read_score_export(path: str, reading: Reading = BY_SUFFIX) -> Export | None:
    """Return the scores in an export of a tool that is not one of ratings and marked errors, or None for another file.

    Raises:
        ImportError: like `read_export`.
        InputError: for a damaged export.
    """
    sighting = sight(path)
    form = form_of(sighting, tuple(_READERS)) if not reading.says_table else None
    return None if form is None else _of_systems(sighting, reading, lambda how: _READERS[form](sighting, how))


def _of_systems(sighting: Sighting, reading: Reading, read: Callable[[Reading], Export]) -> Export:
    """Return an export with the rows that meet conditions on `system`, if it tells systems otherwise than in a column.

    Raises:
        InputError: if no row meets them.
    """
    on_systems = tuple(each for each in reading.where if each.column == SYSTEM)
    if not on_systems or SYSTEM in sighting.columns:
        return read(reading)
    export = read(replace(reading, where=tuple(each for each in reading.where if each not in on_systems)))
    if not export.names_systems or SYSTEM in export.columns:  # the form's own reader knows what a row is
        return read(reading)
    meets = [all(condition.holds({SYSTEM: row.system}) for condition in on_systems) for row in export.rows]
    if not any(meets):
        asked = " ".join(f"--where {condition}" for condition in on_systems)
        told = joined_names(dict.fromkeys(row.system for row in export.rows))
        raise InputError(f"{sighting.path}: no row meets {asked}; the systems are {told}")
    further = {name: list(compress(cells, meets)) for name, cells in export.further.items()}
    return replace(export, rows=list(compress(export.rows, meets)), further=further)


def _with_spans(form: Form, sighting: Sighting, reading: Reading, weights: Mapping[str, float] | None = None) -> Export:
    """Return an export with marked errors, with a note on weights that fit none of them.

    Raises:
        InputError: for a damaged export, and a weight without a severity.
    """
    weights = weights or reading.error_weights or MQM_WEIGHTS
    if reading.counts_errors:
        weights = {ANY: 0.0, **weights}  # what is only counted needs no weight
    export = _SPAN_READERS[form](sighting, reading, weights)
    unfitting = check_named_weights((span for row in export.rows for span in row.spans or ()), weights)
    return replace(export, notes=(*export.notes, *unfitting))


def log_rows(path: str) -> list[ScoreRow] | None:
    """Return the scores in an export of a tool, one row per system, item, run and rater; None for a file that is none.

    An export of one system is called after the model that it names, or else after its file.

    Raises:
        ImportError: like `read_export`.
        InputError: like `read_export`.
    """
    export = read_export(path)
    if export is None:
        return None
    tell(export.notes)
    if export.names_systems:
        return export.rows
    system = suffixless(path)
    return [row._replace(system=system) for row in export.rows]
