"""A look at a file as lines of text."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from tabulate import tabulate

from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.forms.shapes import A_TRAINING_LOG, BEST_WORST_OF_TEXTS
from referenceless_metrics.advice.look.lines.on_texts import LIMIT, without_references
from referenceless_metrics.advice.look.lines.parts import command_line
from referenceless_metrics.advice.look.rating import TO_ESTIMATE, TO_RATE, line_to_rate, lines_to_estimate
from referenceless_metrics.command_line.reading_options import READING

_METRIC = "fluency"
"""The metric whose limit is proposed for texts without scores, as `score` has it."""

_OF_MANY = "fluency_ngram"
"""The same for files that are read in part: it is faster, on a scale of its own."""

_OF_FILES = {"--text-column", *(option.opts[0] for option in READING)}
"""Options of a line that say how a file is read."""

_ANSWERED = "The scores above are the result: each choice was made once, so that no command tells more."
"""Words in place of command lines for texts that are of no systems."""

_OF_STEPS = "No command reads it: the note tells how checkpoints are compared."
"""Words in place of command lines for a training log."""

_NOT_ENOUGH = "What the file tells is not enough for a command line."

_MOST_COLUMNS = 40


def look_lines(found: Look) -> list[str]:
    """Return the description of a file as lines: form, columns, remarks, command lines."""
    rows = f"{found.n_rows} rows" if not found.is_part else f"the first {found.n_rows:,} rows were read"
    lines = [f"{found.file}: {found.form}" + (f", {rows}" if found.n_rows else "")]
    if found.shape:
        lines.append(f"Shape: {found.shape}.")
    shown = found.columns
    if len(shown) > _MOST_COLUMNS:
        shown = tuple(column for column in shown if column.part)[:_MOST_COLUMNS]
        lines.append(f"{len(found.columns)} columns, of which those with a part follow; --format json has all.")
    if shown:
        table = [
            {
                "column": column.name,
                "kind": column.kind,
                "holds": column.shown,
                "different": column.distinct,
                "blank": f"{column.blank:.0%}" if column.blank else "",
                "may be": column.part,
            }
            for column in shown
        ]
        lines += ["", *str(tabulate(table, headers="keys", disable_numparse=True)).splitlines()]
    if found.notes:
        lines += ["", *(f"- {note}" for note in found.notes)]
    commands = [*found.commands, *_filtering(found.commands, _OF_MANY if found.is_part else _METRIC)]
    without = {BEST_WORST_OF_TEXTS: _ANSWERED, A_TRAINING_LOG: _OF_STEPS}
    lines += ["", *(commands or [without.get(found.shape, _NOT_ENOUGH)])]
    to_estimate = lines_to_estimate(found.commands)
    lines += [TO_ESTIMATE, *to_estimate] if to_estimate else []
    to_rate = line_to_rate([found], found.commands)
    return [*lines, TO_RATE, to_rate] if to_rate else lines


def _filtering(commands: Sequence[str], metric: str) -> list[str]:
    """Return the command line that filters texts by a metric which nothing but `score` fits; none of other files.

    >>> _filtering(["referenceless score a.csv --text-column b"], "fluency")
    ["referenceless filter a.csv --text-column b --keep 'fluency > -2'"]
    """
    words = without_references(shlex.split(commands[0])) if len(commands) == 1 else ["", ""]
    named = {word for word in words if word.startswith("--")}
    if words[1] != "score" or not named <= _OF_FILES:
        return []
    return [command_line("filter", *words[2:], "--keep", f"{metric} > {LIMIT:g}")]
