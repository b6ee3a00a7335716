"""Conditions of `--where` on outputs, scores and ratings together: each counts in the files that have its column."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from referenceless_metrics.core.files.formats_of_files import file_format
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.reading import BY_SUFFIX, Condition, Reading, tell
from referenceless_metrics.core.files.text_io import is_dataset_spec, read_table
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.exports.reading import SYSTEM, read_export
from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows


def readings_of(groups: Sequence[Sequence[str]], reading: Reading) -> list[Reading]:
    """Return the reading of each group of files, with the conditions on columns that all of its files have.

    A condition on a column of no group stays in all readings: those who read the files refuse it.

    Args:
        groups: files of scores, and files of ratings.
        reading: the way to read them, with all conditions.
    """
    if not reading.where:
        return [reading] * len(groups)
    held = [[each for each in reading.where if all_have(files, each, reading)] for files in groups]
    if any(all(each not in of_group for of_group in held) for each in reading.where):
        return [reading] * len(groups)
    for files, own in zip(groups, held, strict=True):
        lacking = [each.column for each in reading.where if each not in own]
        if lacking:
            named = ", ".join(map(repr, dict.fromkeys(lacking)))
            tell([f"{' and '.join(files)}: there is no column {named} (--where), and all rows count"])
    return [replace(reading, where=tuple(own)) for own in held]


def conditions_on_outputs(files: Sequence[str], where: Sequence[Condition]) -> tuple[Condition, ...]:
    """Return the conditions on columns that all files of outputs have; none for standard input and lines of text.

    Raises:
        InputError: for a file that cannot be read.
    """
    if not where or any(
        file == STDIN or is_dataset_spec(file) or file_format(file, BY_SUFFIX, "txt") == "txt" for file in files
    ):
        return ()
    with warnings.catch_warnings():  # the files are read again, and notes are told then
        warnings.simplefilter("ignore")
        tables = [read_table(file) for file in files]
    return tuple(each for each in where if all(table.has_own(each.column) for table in tables))


def all_have(files: Sequence[str], condition: Condition, reading: Reading) -> bool:
    """Say whether all files have the column of a condition; False for files that cannot be read."""
    return all(_has(file, condition, reading) for file in files)


def _has(file: str, condition: Condition, reading: Reading) -> bool:
    plain = replace(reading, where=())
    if Path(file).is_dir():
        return False
    with warnings.catch_warnings():  # the files are read again, and notes are told then
        warnings.simplefilter("ignore")
        try:
            export = read_export(file, plain)
            if export is not None:
                systems = [SYSTEM] if export.names_systems else []
                return condition.column in (*export.columns, *export.own_names, *export.further, *systems)
            return read_rating_rows(file, plain).has_own(condition.column)
        except (InputError, ImportError):
            return True
