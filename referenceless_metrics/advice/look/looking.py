"""A look at a file: its content, doubts about a plain reading, and the command lines that fit."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from referenceless_metrics.advice.look.columns.ratings import RATINGS
from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.forms.exports import look_at_export
from referenceless_metrics.advice.look.forms.rating_exports import look_at_rating_export
from referenceless_metrics.advice.look.forms.shapes import A_MEAN_PER_TASK, A_TEXT_PER_LINE, TRANSLATIONS
from referenceless_metrics.advice.look.forms.tables import look_at_table
from referenceless_metrics.advice.look.lines.edited_lines import alone
from referenceless_metrics.advice.look.lines.layout import FORM as LAYOUT
from referenceless_metrics.advice.look.lines.layout import PairFiles, is_layout, pairs_in
from referenceless_metrics.advice.look.lines.parts import OTHER, command_line
from referenceless_metrics.advice.look.together.joint import LONGEST_LINE, joined_lines, unpaired
from referenceless_metrics.advice.look.together.raters import by_raters
from referenceless_metrics.advice.look.together.shared_ids import by_shared_ids
from referenceless_metrics.advice.look.together.texts import A_TEXT_PER_FILE
from referenceless_metrics.core.files.documents import are_documents
from referenceless_metrics.core.files.json_rows import TEXT
from referenceless_metrics.core.files.lines import WINDOWS, are_windows_quotes
from referenceless_metrics.core.files.reading import BY_SUFFIX, Reading
from referenceless_metrics.core.files.text_io import read_texts
from referenceless_metrics.core.support.validation import InputError, PathName, shortened

_A_STUDY = "a study that `sample` wrote"


def look(path: PathName, reading: Reading = BY_SUFFIX, rated: Collection[str] = ()) -> Look:
    r"""Describe a file, with the command lines that fit it. Nothing else is computed.

    Args:
        path: a file of any form that the commands read, or a folder that a tool or `sample` wrote.
        reading: the way to read it.
        rated: the systems that ratings in another file name; see `look_together`.

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
        return _looked_at(file, reading, rated)
    except InputError:
        if reading.encoding is not None or not Path(file).is_file() or not are_windows_quotes(file):
            raise
    found = _looked_at(file, replace(reading, encoding=WINDOWS), rated)
    note = f"read as {WINDOWS}: its signs beyond ASCII are quotes, dashes and dots of Western Windows (--encoding)"
    return replace(found, notes=(note, *found.notes))


def look_together(looks: Sequence[Look], reading: Reading = BY_SUFFIX) -> list[Look]:
    """Return looks at several files, of which columns of texts that are called as rated systems hold their outputs.

    A name such as `knowledge` may be that of a source or of a system; ratings in another file tell which.
    """
    told = []
    for each in looks:
        rated = {name for other in looks if other is not each and _has_ratings(other) for name in other.systems}
        sources = {column.name for column in each.columns if column.part == "source"}
        told.append(look(each.file, reading, rated) if sources & rated else each)
    return told


def _has_ratings(found: Look) -> bool:
    return any(column.part in RATINGS for column in found.columns)


def _looked_at(file: str, reading: Reading, rated: Collection[str]) -> Look:
    """Return the description of a file by the first way that fits it."""
    for way in (_data_set, _study, _layout, _documents, _task_means, look_at_export, look_at_rating_export):
        found = way(file, reading)
        if found is not None:
            return found
    if Path(file).is_dir():
        raise InputError(f"{file}: a folder without a study and of no tool that is known; name its files")
    return look_at_table(file, reading, rated)


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
                table = look_at_table(file, reading)
                return replace(
                    table,
                    form=f"a file of the data set {spec.title}",
                    shape=f"a data set that commands read by its name, such as {source}",
                    commands=(*lines, *table.commands),
                )
    return None


def _study(file: str, _: Reading) -> Look | None:
    from referenceless_metrics.human_evaluation.ratings.study_ratings import is_study
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
    found = look_at_table(file, reading)
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
        lines += joined_lines(files, [[alone(line) for line in of_file] for of_file in each])
        told = [found for found in looks if found is not None]
        if len(told) == len(files):
            lines = [by_shared_ids(unpaired(line, told), told) for line in (*by_raters(told), *lines)]
    for of_file in each:
        lines += of_file if len(files) == 1 else [line for line in of_file if OTHER not in line.split()]
    return [line for line in dict.fromkeys(lines) if len(line) <= LONGEST_LINE]


def _without_worst(lines: Sequence[str]) -> list[str]:
    """Return lines without those that show the worst scores, which no command asks for that could not use a file."""
    return [line for line in lines if "--worst" not in line.split()]


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
