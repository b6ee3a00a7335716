"""Command lines that follow from others: outputs to rate, and estimates of further texts from rated ones."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.lines.parts import EVERY_PAIR, OTHER, command_line
from referenceless_metrics.command_line.proposing import without_options
from referenceless_metrics.human_evaluation.inference.output_ratings import FEWEST_RATINGS

TO_RATE = "To let people rate some of these outputs:"
"""Words before the line."""

TO_ESTIMATE = "To estimate the ratings of further texts, if advise finds that its estimates are worth it:"
"""Words before the lines."""

_ADVICE = "advice"
"""The folder in which the proposed lines keep the metric."""

_USUAL = 50  # items
_NOT_OF_A_DRAW = ("--cluster-column", "--references", "--reference-columns", "--with", "--metric")
"""Options of comparisons, each with a value, that a draw does not take."""


def line_to_rate(looks: Sequence[Look], commands: Sequence[str]) -> str:
    """Return the line that draws outputs of systems for people to rate; "" if no line compares outputs by a metric.

    Args:
        looks: the files that hold the outputs.
        commands: the command lines that fit them.
    """
    for command in commands:
        words = shlex.split(command)
        if words[1] != "compare" or {"--scores", "--unpaired", OTHER} & set(words):
            continue
        asked = without_options([word for word in words[2:] if word != EVERY_PAIR], _NOT_OF_A_DRAW)
        drawn = [each for each in looks if each.file in asked] or looks  # others hold references
        in_one = "--system-column" in words
        n_items = _n_items(drawn[0]) if in_one else min(len(each.items) or each.n_rows for each in drawn)
        if n_items >= FEWEST_RATINGS:
            sources = source_option(drawn[0].columns, asked)  # of several files a draw takes those of the first
            return command_line("sample", *asked, *sources, "-n", str(min(_USUAL, n_items)), "-o", "study")
    return ""


def lines_to_estimate(commands: Sequence[str]) -> list[str]:
    """Return the lines that fit a metric to rated texts and score further ones; none without a line of `advise`.

    A metric may read sources, and `advise` tells how it is then given them.

    >>> lines_to_estimate(["referenceless advise a.csv --rating-column score"])
    ['referenceless advise a.csv --rating-column score -o advice', 'referenceless score NEW.txt --advice advice']
    """
    advised = next((words for line in commands if (words := shlex.split(line))[1] == "advise"), None)
    if advised is None:
        return []
    fitted = command_line(*advised[1:], "-o", _ADVICE)
    if "--source-column" in advised:
        return [fitted]
    return [fitted, command_line("score", "NEW.txt", "--advice", _ADVICE)]


def _n_items(found: Look) -> int:
    """Return the number of items of a table with a row for each output."""
    systems = next((column.distinct for column in found.columns if column.part == "system"), 1)
    return len(found.items) or found.n_rows // max(systems, 1)


def source_option(columns: Sequence[Column], words: Sequence[str]) -> list[str]:
    """Return the option that names the column of what outputs were made from; none without one, or if it is named.

    Args:
        columns: the columns of the file that holds the outputs.
        words: the words of a command line.
    """
    names = [column.name for column in columns if column.part == "source" and column.kind == "text"]
    if not names or names[0] in words or "--sources" in words:
        return []
    return ["--source-column", names[0]]
