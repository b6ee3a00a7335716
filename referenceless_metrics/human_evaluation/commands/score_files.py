"""`compare --scores`: the options and the way of scores that some tool wrote."""

from __future__ import annotations

from typing import Any

import click

from referenceless_metrics.command_line.base import COLUMN, adding
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.commands.gates import FAIL_IF_WORSE, LEVEL, MARGIN, Judged, leave_if_worse

_COLUMNS = {
    "system": (None, "the system's name"),
    "item": ("item", "what rows are of one item"),
    "cluster": (None, "what items belong together to, such as their document"),
    "slice": (None, "the slice that an item is in; each is compared alone, too"),
    "run": (None, "repeated runs, which are averaged"),
}

_OPTIONS = (
    click.Option(
        ["--scores", "score_files"],
        multiple=True,
        type=click.Path(exists=True),
        metavar="FILE",
        help="Scores of any tool to compare, in place of SYSTEMS: a table, or a tool's log.",
    ),
    Rare(["--score-column", "score_columns"], multiple=True, type=COLUMN, help="Score to compare; may be repeated."),
    *(
        Rare([f"--{name}-column"], type=COLUMN, default=default, show_default=True, help=f"Column with {told}.")
        for name, (default, told) in _COLUMNS.items()
    ),
    Rare(["--baseline"], metavar="SYSTEM", help="System to compare with  [default: the first]"),
    FAIL_IF_WORSE,
    MARGIN,
    LEVEL,
)

#: What `compare` needs where it reads scores and no outputs.
score_file_options = adding(*_OPTIONS)

SCORE_FILE_OPTIONS = [str(option.name) for option in _OPTIONS]
"""The names of these options' values."""


def compare_score_files(options: Record, format: str, output: str | None, plot: str | None) -> None:
    """Write what the scores in files say, with the options of `score_file_options` and the `reading` of the files.

    Raises:
        InputError: for files that cannot be compared.
    """
    from referenceless_metrics.core.files.output import OUTPUT_FORMATS, write_rows
    from referenceless_metrics.human_evaluation.drawings.scores import score_plots
    from referenceless_metrics.human_evaluation.scores.findings import compare_scores
    from referenceless_metrics.human_evaluation.scores.output import BESIDE, finding_lines, finding_rows
    from referenceless_metrics.human_evaluation.scores.table import read_scores
    from referenceless_metrics.human_evaluation.wording.headline import scores_headline
    from referenceless_metrics.pages.drawing import drawing

    if format not in OUTPUT_FORMATS:
        raise click.UsageError(f"--scores is written as {', '.join(OUTPUT_FORMATS)}, and not as {format}")
    columns = {f"{name}_column": options[f"{name}_column"] for name in _COLUMNS}
    scores = read_scores(
        options["score_files"], score_columns=options["score_columns"], reading=options["reading"], **columns
    )
    asked: dict[str, Any] = {name: options[name] for name in ("baseline", "level", "margin")}
    findings = compare_scores(scores, **asked)
    lines = finding_lines(findings)
    summary: Record = {"baseline": findings.baseline, "level": findings.level, "margin": findings.margin}
    summary |= {"groups": findings.groups, "findings": lines}
    rows = finding_rows(findings)
    plots = score_plots(findings)
    if plot is not None:
        drawing(plots).save(plot)
    if format == "table":
        rows = [{name: cell for name, cell in row.items() if name not in BESIDE} for row in rows]
    drawings = [drawing([each]) for each in plots] if format == "html" else []
    headline = scores_headline(findings)
    write_rows(rows, summary, format, output, lines=lines, headline=headline, drawings=drawings)
    if options["fail_if_worse"]:
        judged = [
            Judged(f"{each.system} ({each.column})", each.baseline, each.estimate.value, each.interval_at)
            for each in findings.differences
            if not each.slice
        ]
        leave_if_worse(judged, "The mean score", margin=options["margin"], level=options["level"])


def is_of_scores(options: Record) -> bool:
    """Whether a command line asks to compare scores; it then names no outputs.

    Raises:
        click.UsageError: where it names both, or neither.
    """
    if bool(options["score_files"]) == bool(options["systems"]):
        expected = "give the outputs of systems, or --scores FILE" + (", and not both" if options["systems"] else "")
        raise click.UsageError(expected)
    return bool(options["score_files"])
