"""`compare --scores`: the options and the way of scores that some tool wrote."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from referenceless_metrics.command_line.base import COLUMN, adding, check_named
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.core.files.number_words import parse_values
from referenceless_metrics.core.files.reading import tell
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.commands.gates import FAIL_IF_WORSE, LEVEL, MARGIN, Judged, leave_if_worse
from referenceless_metrics.human_evaluation.exports.spans import parse_mqm_weights

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.scores.differences import Difference
    from referenceless_metrics.human_evaluation.scores.findings import Findings

_COLUMNS = {
    "system": "the system's name",
    "item": "what rows are of one item",
    "cluster": "what items belong together to, such as their document",
    "slice": "the slice that an item is in; each is compared alone, too",
    "run": "repeated runs, which are averaged",
    "rater": "raters or judges, which are averaged",
    "metric": "the name of the metric; each is compared alone",
}


def _parsed(parse: Callable[[str], dict[str, float]]) -> Callable[[str], dict[str, float]]:
    """Return the type of an option with pairs of words and numbers."""

    def convert(value: str) -> dict[str, float]:
        try:
            return parse(value)
        except InputError as error:
            raise click.BadParameter(str(error)) from None

    return convert


VALUES = Rare(
    ["--values", "words"],
    type=_parsed(parse_values),
    metavar="WORD=NUMBER,…",
    help='What words stand for, as "no=0,yes=1"; nothing behind = is missing.',
)

_OPTIONS = (
    click.Option(
        ["--scores", "score_files"],
        multiple=True,
        type=click.Path(exists=True),
        metavar="FILE",
        help="Scores of any tool to compare, in place of SYSTEMS: a table, or a tool's log or folder.",
    ),
    Rare(["--score-column", "score_columns"], multiple=True, type=COLUMN, help="Score to compare; may be repeated."),
    *(Rare([f"--{name}-column"], type=COLUMN, help=f"Column with {told}.") for name, told in _COLUMNS.items()),
    VALUES,
    Rare(
        ["--mqm-weights"],
        type=_parsed(parse_mqm_weights),
        metavar="SEVERITY=WEIGHT,…",
        help='Weights of marked errors beside the usual ones, as "Critical=10,Minor/Style=0.5".',
    ),
    Rare(["--unpaired"], is_flag=True, help="Items were assigned to systems at random: compare means of all."),
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
    from referenceless_metrics.core.files.output import FOR_READERS, write_rows
    from referenceless_metrics.human_evaluation.drawings.scores import score_plots, system_places
    from referenceless_metrics.human_evaluation.scores.output import BESIDE, finding_basis, finding_lines, finding_rows
    from referenceless_metrics.human_evaluation.wording.headline import scores_headline
    from referenceless_metrics.human_evaluation.wording.next_steps import after_scores
    from referenceless_metrics.pages.drawing import drawing

    findings = _findings(options)
    tell(findings.assumed)
    lines = finding_lines(findings)
    summary: Record = {
        "baseline": findings.baseline,
        "level": findings.level,
        "margin": findings.margin,
        "groups": findings.groups,
        "findings": lines,
        "assumed": list(findings.assumed),
    }
    rows = finding_rows(findings)
    plots = score_plots(findings)
    if plot is not None:
        drawing(plots).save(plot)
    if format in FOR_READERS:
        rows = [{name: cell for name, cell in row.items() if name not in BESIDE} for row in rows]
    page = {"plots": plots, "places": system_places(findings), "following": after_scores(findings)}
    write_rows(
        rows,
        summary,
        format,
        output,
        lines=lines,
        headline=scores_headline(findings),
        basis=finding_basis(findings),
        page=page,
        transpose=options["transpose"],
    )
    if options["fail_if_worse"]:
        judged = [_judged(each) for each in findings.differences if not each.slice]
        leave_if_worse(judged, "The mean score", margin=options["margin"], level=options["level"])


def _findings(options: Record) -> Findings:
    from referenceless_metrics.human_evaluation.exports.spans import MQM_WEIGHTS
    from referenceless_metrics.human_evaluation.scores.findings import compare_scores
    from referenceless_metrics.human_evaluation.scores.table import read_scores

    files = options["score_files"]
    scores = read_scores(
        files,
        score_columns=options["score_columns"],
        words=options["words"],
        mqm_weights=options["mqm_weights"] or MQM_WEIGHTS,
        names=check_named(files),
        reading=options["reading"],
        **{f"{name}_column": options[f"{name}_column"] for name in _COLUMNS},
    )
    return compare_scores(
        scores,
        baseline=options["baseline"],
        level=options["level"],
        margin=options["margin"],
        unpaired=options["unpaired"],
    )


def _judged(each: Difference) -> Judged:
    name = f"{each.system} ({each.column})"
    return Judged(
        name,
        each.baseline,
        each.estimate.value,
        each.bounds_at,
        is_equal=each.is_equal,
        n=each.n_clusters,
        needed=each.items_for_bounds,
    )


def is_of_scores(options: Record) -> bool:
    """Whether a command line asks to compare scores; it then names no outputs.

    Raises:
        click.UsageError: where it names both, or neither.
    """
    if bool(options["score_files"]) == bool(options["systems"]):
        expected = "give the outputs of systems, or --scores FILE" + (", and not both" if options["systems"] else "")
        raise click.UsageError(expected)
    return bool(options["score_files"])
