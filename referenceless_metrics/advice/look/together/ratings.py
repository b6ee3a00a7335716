"""Command lines that join scores or outputs with ratings in another file."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path

from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.forms.shapes import (
    A_CLUSTER_PER_LINE,
    A_NUMBER_PER_LINE,
    A_TEXT_PER_LINE,
    OF_SCORES,
    TRANSLATIONS,
)
from referenceless_metrics.advice.look.lines.all_criteria import criteria_of, with_criteria
from referenceless_metrics.advice.look.lines.checking import refusal_of
from referenceless_metrics.advice.look.lines.edited_lines import alone, criteria_in
from referenceless_metrics.advice.look.lines.parts import OTHER, command_line
from referenceless_metrics.advice.look.rating import source_option
from referenceless_metrics.advice.look.together.texts import of_texts, text_in
from referenceless_metrics.command_line.metric_command import values_of
from referenceless_metrics.command_line.proposing import without_options
from referenceless_metrics.core.files.json_rows import TEXT
from referenceless_metrics.core.files.names import metric_of_file, without_metric
from referenceless_metrics.human_evaluation.commands.judged_joins import system_called


def of_scores_and_ratings(looks: Sequence[Look]) -> list[str]:
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
    lines = [command_line(command, *named, "--ratings", rated.file, *options) for command in commands]
    return [_by_all_criteria(line, rated) for line in lines]


def of_outputs_and_ratings(looks: Sequence[Look]) -> list[str]:
    """Return the line that reports on outputs beside ratings of their items and systems in another file; none else."""
    ratings = [(each, options) for each in looks if (options := _line_of_ratings(each)) is not None]
    if len(ratings) != 1 or text_in(ratings[0][0]):  # texts tell their outputs, and whether they are the same
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
    return [_report([*words, *source_option(outputs[0].columns, words)], rated, named)]


def of_lines_and_ratings(looks: Sequence[Look]) -> list[str]:
    """Return the line that reports on files of a text per line beside ratings whose items may number the lines.

    Files that are not called as rated systems stay beside them if they are called as sources or references.
    """
    ratings = [(each, options) for each in looks if (options := _line_of_ratings(each)) is not None]
    texts = [each for each in looks if each.shape == A_TEXT_PER_LINE and not each.is_part]
    if len(ratings) != 1 or len({each.n_rows for each in texts}) != 1 or text_in(ratings[0][0]):
        return []
    rated, options = ratings[0]
    systems = {each.file for each in texts if Path(each.file).stem in rated.systems}
    are_numbers = all(item.isascii() and item.isdecimal() and 0 < int(item) <= texts[0].n_rows for item in rated.items)
    if len(systems) < 2 or not rated.items or not are_numbers:
        return []
    compared = next((shlex.split(line) for line in of_texts(looks) if line.split()[1] == "compare"), [])
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
    rating = _criteria_of(rated)
    rating += [word for name in ("--rater-column", "--values") if name in named for word in (name, named[name])]
    return command_line("report", *words, "--ratings", rated.file, *rating, "-o", _REPORT)


def _criteria_of(rated: Look) -> list[str]:
    """Return the options that name the columns of all criteria in a file of ratings."""
    criteria = list(dict.fromkeys(chain.from_iterable(criteria_in(line) for line in rated.commands)))
    named = [word for name in criteria for word in ("--rating-column", name)]
    return [*named, "--columns-are", "criteria"] if len(criteria) > 1 else named


def _by_all_criteria(line: str, rated: Look) -> str:
    """Return a line of `evaluate` as one by all criteria, if it can be read so; `compare` takes one criterion."""
    words, criteria = shlex.split(line), _criteria_of(rated)
    if words[1] != "evaluate" or "--columns-are" not in criteria:
        return line
    several = command_line(*without_options(words[1:], ["--rating-column"]), *criteria)
    return line if refusal_of(several) else several


_REPORT = "report.html"
"""The page that a proposed line writes."""


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
    texts = {text_in(each) for each in outputs}
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
        beside = [replace(each, commands=tuple(map(alone, each.commands))) for each in beside]
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
    return [] if refusal_of(lines[1]) else [_by_all_criteria(line, rated) for line in lines]


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


def with_common_criteria(each: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the lines of each file on ratings by the criteria that all files have; as they are without any such."""
    words = [[shlex.split(line) for line in lines] for lines in each]
    named = [{name for line in lines for name in values_of(line, "--rating-column")} for lines in words]
    common = set.intersection(*named)
    return [[with_criteria(line, common) for line in lines] for lines in each]
