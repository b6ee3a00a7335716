"""The command `evaluate`: a judge's or a metric's scores beside people's ratings, or cross-validation of a metric."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import Rare, ShortHelp
from referenceless_metrics.command_line.metric_command import (
    ChosenMetrics,
    MetricCommand,
    metric_option,
    values_of,
)
from referenceless_metrics.command_line.output_options import Writer, output_options, plot_option
from referenceless_metrics.command_line.per_metric_commands import PerMetricCommand
from referenceless_metrics.command_line.reading_options import READING
from referenceless_metrics.command_line.text_options import COLUMN, options_of_columns
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.registry import metric_specs
from referenceless_metrics.core.support.validation import Options
from referenceless_metrics.human_evaluation.commands.gates import LEVEL
from referenceless_metrics.human_evaluation.commands.rating_options import (
    BAD,
    COLUMNS,
    ERROR_WEIGHTS,
    RATING_COLUMNS,
    VALUES,
)

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.commands.judged_files import JudgeFiles

_IN_BOTH = {
    "item": "what an output was made for",
    "system": "the system",
    "rater": "who rated",
    "cluster": "what items lie together in, such as a document: its outputs count as dependent; or a file with a line "
    "for each item of the scores",
}
_OF_SCORES = {
    "text": "the judged text, whose length is set against errors",
    "slice": "the slice that an output is in; each has its own figures",
    "position": "the place in which the judge saw the output",
    "format": "the form of the output, such as markdown",
}


@click.command(
    "evaluate",
    cls=ShortHelp,
    epilog="Example: referenceless evaluate --scores judge.csv --ratings ratings.csv -o card.html",
)
@click.option(
    "--scores",
    type=click.Path(exists=True),
    multiple=True,
    required=True,
    help="Table with a judge's score per output; or a number per line. Several files are compared.",
)
@click.option(
    "--ratings",
    type=click.Path(exists=True),
    multiple=True,
    required=True,
    help="People's ratings of some of these outputs: a table, an export of an annotation tool, or a study; or the file "
    "of the scores itself.",
)
@click.option("--earlier", type=click.Path(exists=True), help="The judge's scores of the same outputs from before.")
@adding(
    click.Option(
        ["--score-column", "score_columns"],
        type=COLUMN,
        multiple=True,
        help="Column of scores, or several to compare  [default: score, or a metric's name]",
    ),
    RATING_COLUMNS,
    *options_of_columns(_IN_BOTH | _OF_SCORES),
    COLUMNS,
    VALUES,
    ERROR_WEIGHTS,
    BAD,
    LEVEL,
    *READING,
)
@output_options
@plot_option("ratings over scores")
def judge_card(
    scores: tuple[str, ...],
    ratings: tuple[str, ...],
    earlier: str | None,
    score_columns: tuple[str, ...],
    level: float,
    plot: str | None,
    **options: Any,
) -> Writer:
    """Compare scores of a judge or a metric with people's ratings of the same outputs: agreement and errors.

    Two scores or more, in a file each (--scores a.csv --scores b.csv) or in columns of one (--score-column A
    --score-column B), are compared: which agrees better with people? If lower is better by a name, of a
    score or of its files (TER, WER, perplexity), the correlation counts with the other sign there.

    Outputs are joined by item and system, or by their texts; columns that are named count in each file that has them.
    Scores and ratings may be columns of one file. Verdicts of 0 and 1 get sensitivity, specificity and Cohen's κ, other
    scores r and ρ, over all systems and within them, with intervals over items; of several raters also the ceiling
    that their noise sets. Errors are set against length, position and format; with --earlier it says whether the judge
    drifts. Ratings of a random part of the outputs correct each system's rate (PPI++). --bad tells where a limit
    may be put.
    """
    from referenceless_metrics.human_evaluation.commands.judged_files import read_judged
    from referenceless_metrics.human_evaluation.wording.report_cards import cards_writer

    columns = list(dict.fromkeys(score_columns))
    judged = read_judged(list(dict.fromkeys(scores)), ratings, earlier, columns, judge_files(options))
    return cards_writer(judged, level, options["bad"], plot)


class _OneMetric(MetricCommand):
    def instead_of_several(self, names: Sequence[str]) -> str:
        """Return how scores of several metrics are held against the ratings together."""
        columns = [f"{name}_score" for name in names]  # ratings may have a column that is called as a metric
        scored = [
            f"`referenceless score RATINGS --metric {name} --score-name {column} -o {name}.csv`"
            for name, column in zip(names, columns, strict=True)
        ]
        files = " ".join(f"--scores {name}.csv" for name in names)
        files += "".join(f" --score-column {column}" for column in columns)
        return f"score the texts by each, {', '.join(scored)}, then `referenceless evaluate {files} --ratings RATINGS`"


@click.command(
    "evaluate",
    cls=_OneMetric,
    epilog="Example: referenceless evaluate --metric fluency ratings.csv --text-column output --rating-column fluency",
)
@click.argument("ratings", type=click.Path(exists=True), nargs=-1, required=True)
@metric_option
@adding(
    RATING_COLUMNS,
    click.Option(["--text-column"], type=COLUMN, help="Column that holds the texts  [default: text]"),
    *options_of_columns(_IN_BOTH),
    COLUMNS,
    VALUES,
    ERROR_WEIGHTS,
    BAD,
    LEVEL,
    *READING,
)
@output_options
@plot_option("ratings over scores")
def metric_card(
    chosen: ChosenMetrics,
    ratings: tuple[str, ...],
    level: float,
    plot: str | None,
    **options: Any,
) -> Writer:
    """Score texts that people rated by a metric, and say how its scores agree with the ratings.

    RATINGS are tables with a text and a rating per row, exports of annotation tools, or a study. Shown are r and ρ of
    scores and ratings over all systems and within them, with intervals over items, and the ceiling that the noise of
    several raters sets: the report card of `evaluate --scores`. A text that the metric learned from gets no score;
    `advise` and `calibrate` estimate each rated text from the others.
    """
    from referenceless_metrics.human_evaluation.commands.judged_files import judged_by_metric
    from referenceless_metrics.human_evaluation.wording.report_cards import cards_writer

    spec = chosen.spec
    if spec.fit is None:
        chosen.check(options)
    else:
        _check_learned_elsewhere(chosen, options, ratings)
    elsewhere = f"score the texts first (`referenceless score FILE --metric {spec.name} … -o scores.csv`), then give "
    elsewhere += f"`referenceless evaluate --scores scores.csv --ratings {shlex.quote(ratings[0])}`"
    if spec.needs_references:
        raise click.UsageError(f"{spec.name} reads references: {elsewhere}")
    metric = chosen.make(options)[0]
    if metric.needs_sources:
        raise click.UsageError(f"this {spec.name} reads sources: {elsewhere}")
    judged = judged_by_metric(metric, ratings, judge_files(options), _left_out_line(options, ratings), elsewhere)
    return cards_writer(judged, level, options["bad"], plot)


def _check_learned_elsewhere(chosen: ChosenMetrics, options: Options, ratings: Sequence[str]) -> None:
    """Check the options of a metric that learns: it has to learn from other ratings than it is held against.

    Raises:
        click.UsageError: as `ChosenMetrics.check`, and for a pool that is one of the files of ratings.
    """
    from referenceless_metrics.core.files.names import are_one_file

    spec = chosen.spec
    on_these = f"on these ratings themselves: {_left_out_line(options, ratings)} estimates each text from the others"
    try:
        chosen.check(options)
    except click.UsageError as error:
        raise click.UsageError(f"{error.message}; {on_these}") from None
    pools = [options.get(option.removeprefix("--").replace("-", "_")) for option in spec.implied_by]
    for pool in filter(None, pools):
        if any(are_one_file(pool, file) for file in ratings):
            raise click.UsageError(
                f"{pool} is both the pool and the ratings, and a value that rests on its own rating says nothing of "
                f"{spec.title}. {on_these[0].upper()}{on_these[1:]}"
            )


def _left_out_line(options: Options, ratings: Sequence[str]) -> str:
    """Return the command that estimates each rated text from the others, quoted."""
    words = ["referenceless", "advise", ratings[0]]
    words += ["--text-column", str(options["text_column"])] if options["text_column"] else []
    words += [word for column in options["rating_columns"] for word in ("--rating-column", str(column))]
    return f"`{shlex.join(words)}`"


def judge_files(options: Options) -> JudgeFiles:
    """Return how a command line says that files are read."""
    from referenceless_metrics.human_evaluation.commands.judged_files import JudgeFiles

    named = {name: options.get(f"{name}_column") for name in (*_IN_BOTH, *_OF_SCORES)}
    reading: Reading = options["reading"]
    return JudgeFiles(named, options["rating_columns"], options["values"], reading, options["columns_are"])


_USES = (
    "Scores of any tool: evaluate --scores FILE --ratings FILE",
    "A metric: evaluate --metric NAME RATINGS",
    "Quality estimation, which learns from ratings: evaluate RATINGS",
)
"""Headings of the help that names all uses."""


_OFTEN = {"--rating-column", "--text-column", "--system-column"}
"""Options that are listed for each use."""


class _AllUses(ShortHelp):
    """The command before its use is known: its help names all uses.

    Args:
        uses: the parameters of each use, by its heading.
        settings: settings of a command.
    """

    def __init__(self, uses: dict[str, list[click.Parameter]], **settings: Any) -> None:
        super().__init__(**settings)
        self._uses = uses

    def sections(self, ctx: click.Context) -> dict[str, list[click.Parameter]]:
        """Return the parameters of each use; most that stand under an earlier heading are not told again."""
        told: set[str] = set()
        sections: dict[str, list[click.Parameter]] = {}
        for heading, parameters in self._uses.items():
            options = [each for each in parameters if each.opts[0] not in told or _is_told_again(each)]
            told.update(each.opts[0] for each in options)
            sections[heading] = options
        sections["Help"] = self.get_params(ctx)
        return sections


def _is_told_again(option: click.Parameter) -> bool:
    return option.opts[0] in _OFTEN and not isinstance(option, Rare)


class EvaluateCommand(PerMetricCommand):
    """The command of a metric that learns, a report card of another metric, or with --scores one of any scores."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context of the command that the arguments ask for."""
        words = [word.split("=")[0] for word in args]
        make: Callable[..., click.Context] = super().make_context
        if "--scores" in words:
            make = judge_card.make_context
        elif names := values_of(args, "--metric"):
            if len(set(names)) > 1 or names[0] not in _learning() or "--model-file" in words:
                make = metric_card.make_context
        elif not {"--help", "--help-all", "-h"}.isdisjoint(words):
            make = _all_uses(self).make_context
        return make(info_name, args, parent, **extra)


def _learning() -> list[str]:
    """Return the metrics that bring a command of their own, which cross-validates them."""
    return [spec.name for spec in metric_specs() if spec.evaluate is not None]


def _all_uses(command: click.Command) -> _AllUses:
    """Return the command whose help names all uses."""
    learning = next(spec.evaluate() for spec in metric_specs() if spec.evaluate is not None)
    cross_validated = [each for each in learning.params if each.opts[0] in ("--folds", *_OFTEN)]
    parameters = (judge_card.params, metric_card.params, cross_validated)
    return _AllUses(
        dict(zip(_USES, parameters, strict=True)),
        name=command.name,
        options_metavar="[OPTIONS] [RATINGS]",
        help="Say how well a metric or a judge estimates people's ratings.\n\n"
        "With --scores it holds scores of any tool against ratings, with --metric NAME it scores the rated texts "
        "first. Without either it cross-validates quality estimation: each part of the texts is estimated from the "
        "others.",
        epilog="Example: referenceless evaluate --metric fluency ratings.csv\n\nOptions of a metric: referenceless "
        "evaluate --metric NAME --help",
    )


evaluate = EvaluateCommand(
    "evaluate",
    lambda spec: spec.evaluate,
    help="Say how well a metric or a judge estimates ratings.",
)
