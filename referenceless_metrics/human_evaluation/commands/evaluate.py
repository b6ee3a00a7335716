"""The command `evaluate`: a judge's or a metric's scores beside people's ratings, or cross-validation of a metric."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
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
from referenceless_metrics.command_line.output_options import output_options
from referenceless_metrics.command_line.per_metric_commands import PerMetricCommand
from referenceless_metrics.command_line.reading_options import READING
from referenceless_metrics.command_line.text_options import COLUMN, options_of_columns
from referenceless_metrics.core.files.output import write_rows
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.registry import implementation, metric_specs
from referenceless_metrics.core.support.statistics import p_text
from referenceless_metrics.core.support.validation import Options, Record
from referenceless_metrics.human_evaluation.commands.gates import LEVEL
from referenceless_metrics.human_evaluation.commands.rating_options import BAD, RATING_COLUMNS, VALUES
from referenceless_metrics.human_evaluation.wording.headline import listed
from referenceless_metrics.human_evaluation.wording.holm_level import percent
from referenceless_metrics.human_evaluation.wording.human_score_output import on_lopsided_intervals
from referenceless_metrics.pages.findings import FOR_THE_PAPER

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.commands.judged_files import JudgeFiles
    from referenceless_metrics.human_evaluation.judges.compared_agreement import AgreementDifference
    from referenceless_metrics.human_evaluation.judges.judged_outputs import JudgedOutputs
    from referenceless_metrics.human_evaluation.judges.limits import Bad, Limits
    from referenceless_metrics.human_evaluation.judges.report_card import Figure, ReportCard

_IN_BOTH = {
    "item": "what an output was made for",
    "system": "the system",
    "rater": "who rated",
    "cluster": "what items lie together in, such as a document: its outputs count as dependent",
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
        help="Column of scores; several are compared  [default: score, or a metric's name]",
    ),
    RATING_COLUMNS,
    *options_of_columns(_IN_BOTH | _OF_SCORES),
    VALUES,
    BAD,
    LEVEL,
    *READING,
)
@output_options
def judge_card(
    scores: tuple[str, ...],
    ratings: tuple[str, ...],
    earlier: str | None,
    score_columns: tuple[str, ...],
    level: float,
    output: str | None,
    format: str,
    **options: Any,
) -> None:
    """Compare scores of a judge or a metric with people's ratings of the same outputs: agreement and errors.

    Two scores or more, in a file each (--scores a.csv --scores b.csv) or in columns of one (--score-column A
    --score-column B), are compared: which agrees better with people?

    Outputs are joined by item and system, or by their texts; columns that are named count in each file that has them.
    Scores and ratings may be columns of one file. Verdicts of 0 and 1 get sensitivity, specificity and Cohen's κ, other
    scores r and ρ, over all systems and within them, with intervals over items; of several raters also the ceiling
    that their noise sets. Errors are set against length, position and format; with --earlier it says whether the judge
    drifts. Ratings of a random part of the outputs correct each system's rate (PPI++). --bad tells where a limit
    may be put.
    """
    from referenceless_metrics.human_evaluation.commands.judged_files import read_judged

    columns = list(dict.fromkeys(score_columns))
    judged = read_judged(list(dict.fromkeys(scores)), ratings, earlier, columns, _judge_files(options))
    _write_cards(judged, level, options["bad"], format, output)


@click.command(
    "evaluate",
    cls=MetricCommand,
    epilog="Example: referenceless evaluate --metric fluency ratings.csv --text-column output --rating-column fluency",
)
@click.argument("ratings", type=click.Path(exists=True), nargs=-1, required=True)
@metric_option
@adding(
    RATING_COLUMNS,
    click.Option(["--text-column"], type=COLUMN, help="Column that holds the texts  [default: text]"),
    *options_of_columns(_IN_BOTH),
    VALUES,
    BAD,
    LEVEL,
    *READING,
)
@output_options
def metric_card(
    chosen: ChosenMetrics,
    ratings: tuple[str, ...],
    level: float,
    output: str | None,
    format: str,
    **options: Any,
) -> None:
    """Score texts that people rated by a metric, and say how its scores agree with the ratings.

    RATINGS are tables with a text and a rating per row, exports of annotation tools, or a study. Shown are r and ρ of
    scores and ratings over all systems and within them, with intervals over items, and the ceiling that the noise of
    several raters sets: the report card of `evaluate --scores`.
    """
    from referenceless_metrics.human_evaluation.commands.judged_files import judged_by_metric

    chosen.check(options)
    spec = chosen.spec
    elsewhere = f"score the texts first (`referenceless score FILE --metric {spec.name} … -o scores.csv`), then give "
    elsewhere += "`evaluate --scores scores.csv --ratings FILE`"
    if spec.needs_references:
        raise click.UsageError(f"{spec.name} reads references: {elsewhere}")
    metric = chosen.make(options)[0]
    if metric.needs_sources:
        raise click.UsageError(f"this {spec.name} reads sources: {elsewhere}")
    judged = judged_by_metric(metric, ratings, _judge_files(options))
    _write_cards(judged, level, options["bad"], format, output)


def _judge_files(options: Options) -> JudgeFiles:
    """Return how a command line says that files are read."""
    from referenceless_metrics.human_evaluation.commands.judged_files import JudgeFiles

    named = {name: options.get(f"{name}_column") for name in (*_IN_BOTH, *_OF_SCORES)}
    reading: Reading = options["reading"]
    return JudgeFiles(named, options["rating_columns"], options["values"], reading)


def _write_cards(
    judged: Sequence[JudgedOutputs], level: float, bad: Bad | None, format: str, output: str | None
) -> None:
    """Write the report card of scores; of several scores or criteria a row for each, and how scores compare."""
    from referenceless_metrics.core.files.output import FOR_READERS
    from referenceless_metrics.human_evaluation.judges.compared_agreement import agreement_differences
    from referenceless_metrics.human_evaluation.judges.report_card import report_card

    cards = [report_card(each, level) for each in judged]
    if len(cards) == 1:
        (card,) = cards
        rows = _for_format([figure.row for figure in card.figures], format)
        limits = _limits(judged[0], bad, level)
        lines = [*(limits.lines() if limits is not None else []), *_lines(card), _for_paper(card, judged[0])]
        summary: Record = {**_summary(card), "findings": lines}
        if limits is not None:
            summary["limits"] = limits.record()
        headline = _headline(card, judged[0].name)
        write_rows(rows, summary, format, output, lines=["", *lines], headline=headline)
        return
    criteria = list(dict.fromkeys(each.criterion for each in judged))
    places_of = {name: [place for place, each in enumerate(judged) if each.criterion == name] for name in criteria}
    differences = {name: agreement_differences([judged[at] for at in of], level) for name, of in places_of.items()}
    if format in FOR_READERS:
        rows = _rows_for_readers(cards, judged)
    else:
        rows = []
        for name, of in places_of.items():
            found = [
                *_difference_rows(differences[name]),
                *_rows_of_scores([cards[at] for at in of], [judged[at] for at in of]),
            ]
            rows += [{**({"criterion": name} if len(criteria) > 1 else {}), **row} for row in found]
    limits_of_each = [_limits(each, bad, level) for each in judged]
    lines = _lines_of_several(cards, judged, differences)
    for each, limits in zip(judged, limits_of_each, strict=True):
        lines += limits.lines(f"{_called(each, judged)}: ") if limits is not None else []
    by_score: dict[str, Record] = {}
    for card, each, limits in zip(cards, judged, limits_of_each, strict=True):
        of_score = by_score.setdefault(each.name, {})
        told = _summary(card) | ({} if limits is None else {"limits": limits.record()})
        if each.criterion:
            of_score[each.criterion] = told
        else:
            of_score.update(told)
    summary = {
        "level": level,
        "scores": by_score,
        "differences": [
            {**({"criterion": name} if len(criteria) > 1 else {}), **asdict(each)}
            for name, of in differences.items()
            for each in of
        ],
    }
    headline = " ".join(
        _headline_of_several([cards[at] for at in of], [judged[at] for at in of], differences[name], level)
        for name, of in places_of.items()
    )
    write_rows(rows, summary, format, output, lines=["", *lines], headline=headline)


def _limits(judged: JudgedOutputs, bad: Bad | None, level: float) -> Limits | None:
    """Return the limits of scores on the rated outputs; None if nobody says which ratings are bad."""
    from referenceless_metrics.human_evaluation.judges.judged_outputs import clusters_of
    from referenceless_metrics.human_evaluation.judges.limits import limits_of

    if bad is None:
        return None
    rated = judged.rated
    judge, human = (rated[name].to_numpy(dtype=float) for name in ("judge", "human"))
    return limits_of(judge, human, clusters_of(rated), bad, level)


_MOST_NAMED = 6
"""Most scores that a headline of several names."""


def _headline_of_several(
    cards: Sequence[ReportCard],
    judged: Sequence[JudgedOutputs],
    differences: Sequence[AgreementDifference],
    level: float,
) -> str:
    """Return the main figure of each score in a sentence, the best first, and how the best two differ."""
    order = _best_first(cards)
    first = judged[order[0]]
    by = f"{first.criterion}: " if first.criterion else ""
    if len(cards) == 1:
        return by + _headline(cards[0], first.name)
    mains = [_main(card) for card in cards]
    told = [f"{judged[at].name} {_interval(mains[at])}" for at in order[:_MOST_NAMED]]
    if len(order) > _MOST_NAMED:
        told.append(f"{len(order) - _MOST_NAMED} others")
    counts = {(card.n_rated, card.n_outputs) for card in cards}
    on = ", on {} of {} outputs".format(*counts.pop()) if len(counts) == 1 else ""
    sentence = f"{by}Scores and people{on}, by {mains[0].what}: {listed(told)}."
    pair = {judged[at].name for at in order[:2]}
    of_best = [each for each in differences if {each.first, each.second} == pair and each.what == mains[0].what]
    return " ".join([sentence, *(_difference_line(each, level) for each in of_best)])


def _main(card: ReportCard) -> Figure:
    """Return the main figure of a card."""
    from referenceless_metrics.human_evaluation.judges.report_card import KAPPA, PEARSON

    return card.of_all[KAPPA if card.are_verdicts else PEARSON]


def _best_first(cards: Sequence[ReportCard]) -> list[int]:
    """Return the places of cards, that with the highest main figure first."""
    values = [_main(card).value for card in cards]
    return sorted(range(len(cards)), key=lambda at: -math.inf if math.isnan(values[at]) else values[at], reverse=True)


def _rows_for_readers(cards: Sequence[ReportCard], judged: Sequence[JudgedOutputs]) -> list[Record]:
    """Return a row for each score with its agreement with people, by each criterion the best first."""
    criteria = list(dict.fromkeys(each.criterion for each in judged))
    has_scores = len({each.name for each in judged}) > 1
    rows = []
    for name in criteria:
        of = [at for at, each in enumerate(judged) if each.criterion == name]
        for place in _best_first([cards[at] for at in of]):
            card, each = cards[of[place]], judged[of[place]]
            row: Record = {"criterion": name} if len(criteria) > 1 else {}
            row |= {"score": each.name} if has_scores or not row else {}
            row["n"] = card.n_rated
            rows.append({**row, **{what: _interval(card.of_all[what], reason=False) for what in _told_of_all(card)}})
    return rows


def _told_of_all(card: ReportCard) -> list[str]:
    """Return the names of the figures that say how a score agrees with people over all outputs."""
    from referenceless_metrics.human_evaluation.judges.report_card import KAPPA, PEARSON, SPEARMAN, WITHIN_SYSTEMS

    told = ["sensitivity", "specificity", KAPPA]
    if not card.are_verdicts:
        told = [PEARSON, f"{PEARSON} {WITHIN_SYSTEMS}", SPEARMAN]
    return [what for what in told if what in card.of_all]


def _lines_of_several(
    cards: Sequence[ReportCard],
    judged: Sequence[JudgedOutputs],
    differences: Mapping[str, Sequence[AgreementDifference]],
) -> list[str]:
    """Return the differences of scores, the meaning of the figures and the notes, in sentences."""
    lines = []
    level = cards[0].level
    n_pairs = max(len(of) for of in differences.values())
    n_pairs //= len({each.what for of in differences.values() for each in of}) or 1
    for name, of in differences.items():
        main = of[0].what if n_pairs > _MOST_PAIRS else None
        lines += [
            f"{name + ': ' if name else ''}{_difference_line(each, level)}" for each in of if main in (None, each.what)
        ]
    if n_pairs > 1:
        lines.append(f"p of differences is corrected for {n_pairs} pairs of scores (Holm), and so are their intervals.")
    lines.append(
        "Further figures of each score, such as its means, its ceiling and how errors go with length: -f csv, or one "
        "score at a time."
    )
    lines_of = [_lines(card, of_agreement=True) for card in cards]
    shared = [line for line in lines_of[0] if all(line in others for others in lines_of)]
    lines += shared
    for of_card, own in zip(judged, lines_of, strict=True):
        lines += [f"{_called(of_card, judged)}: {line}" for line in own if line not in shared]
    return [*lines, *(_for_paper(card, each) for card, each in zip(cards, judged, strict=True))]


_MOST_PAIRS = 3
"""Most pairs of scores of which the differences by each figure are told; of more those by the main figure alone."""


def _called(one: JudgedOutputs, judged: Sequence[JudgedOutputs]) -> str:
    """Return what tells judged outputs from others: the score, the criterion or both."""
    has_scores = len({each.name for each in judged}) > 1
    return ", ".join(filter(None, [one.name if has_scores else "", one.criterion]))


def _difference_rows(differences: Sequence[AgreementDifference]) -> Iterator[Record]:
    """Yield a row for each difference of two scores."""
    for each in differences:
        less = f"{each.first} less {each.second}"
        row: Record = {"score": less, "what": each.what, "of": "all", "n": each.n, "value": each.value}
        yield {**row, "low": each.low, "high": each.high, "p holm": each.p_adjusted, "unit": ""}


def _rows_of_scores(cards: Sequence[ReportCard], judged: Sequence[JudgedOutputs]) -> Iterator[Record]:
    """Yield the rows of each score; those of ratings alone, if all scores have the same, stand once behind them."""
    from referenceless_metrics.human_evaluation.judges.report_card import CEILING, MEAN_RATING

    rows_of = [[{"p holm": math.nan, **figure.row} for figure in card.figures] for card in cards]
    of_people = [row for row in rows_of[0] if row["what"].startswith(CEILING) or row["what"] == MEAN_RATING]
    # As text, in which two values that are not known are alike.
    told = [set(map(str, rows)) for rows in rows_of]
    shared = [row for row in of_people if all(str(row) in rows for rows in told)]
    once = set(map(str, shared))
    for each, rows in zip(judged, rows_of, strict=True):
        for row in rows:
            if str(row) not in once:
                yield {"score": each.name, **row}
    for row in shared:
        yield {"score": "people", **row}


def _for_format(rows: Sequence[Record], format: str) -> list[Record]:
    """Return rows without units, which a line below the table tells, in formats that people read."""
    from referenceless_metrics.core.files.output import FOR_READERS

    return [{name: cell for name, cell in row.items() if name != "unit" or format not in FOR_READERS} for row in rows]


def _summary(card: ReportCard) -> Record:
    """Return the facts that hold for all figures of a card."""
    return {
        "outputs": card.n_outputs,
        "rated": card.n_rated,
        "level": card.level,
        "verdicts": card.are_verdicts,
        "notes": list(card.notes),
    }


def _difference_line(each: AgreementDifference, level: float) -> str:
    """Say which of two scores agrees better with people by a figure."""
    pair = f"{each.first} and {each.second}"
    value = f"difference {each.value:+.2f}"
    if each.missing:
        return f"{each.what}: nothing can be said of {pair} ({value}; no interval: {each.missing})."
    figures = f"{value} [{each.low:.2f}, {each.high:.2f}], {p_text(each.p_adjusted)}"
    if each.p_adjusted > 1 - level:
        return f"{each.what}: {pair} are not shown to differ in how they agree with people ({figures})."
    better, worse = (each.first, each.second) if each.value > 0 else (each.second, each.first)
    return f"{each.what}: {better} agrees better with people than {worse} ({figures})."


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
            if names[0] not in _learning() or "--model-file" in words:
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
        epilog="Example: referenceless evaluate --metric fluency ratings.csv\n\nOptions of a metric, also of quality "
        "estimation: referenceless evaluate --metric NAME --help",
    )


evaluate = EvaluateCommand(
    "evaluate",
    lambda spec: spec.evaluate,
    help="Say how well a metric or a judge estimates ratings.",
)


def _headline(card: ReportCard, name: str) -> str:
    """Return the main figure in a sentence."""
    from referenceless_metrics.human_evaluation.judges.report_card import WITHIN_SYSTEMS

    main = _main(card)
    sentence = f"{name} and people, on {card.n_rated} of {card.n_outputs} outputs: {main.what} "
    sentence += _interval(main)
    within = card.of_all.get(f"{main.what} {WITHIN_SYSTEMS}")
    return f"{sentence}{'' if within is None else f'; {WITHIN_SYSTEMS} {_interval(within)}'}."


def _lines(card: ReportCard, *, of_agreement: bool = False) -> list[str]:
    """Return the meaning of the figures, in sentences.

    Args:
        card: the card.
        of_agreement: whether only figures of agreement with people are shown.
    """
    from referenceless_metrics.human_evaluation.judges.report_card import (
        CORRECTED_MEAN,
        RATING,
        SPEARMAN,
        WITHIN_SYSTEMS,
    )

    whats = set() if of_agreement else {each.what for each in card.figures}
    lines = [
        "sensitivity: of outputs to which people say 1, the share to which the judge does; specificity: the same of 0."
    ]
    if not card.are_verdicts:
        lines = []
        if {"mean error", "r of length and error"} & whats:
            lines = ["Errors are scores less ratings, both brought to variance 1: above 0 the scores are above people."]
        if f"{SPEARMAN} {WITHIN_SYSTEMS}" in card.of_all:
            lines.append(
                "Over all systems r and ρ also count how the systems' means differ; within systems they are of "
                "differences from each system's mean, and say what a score tells of single outputs."
            )
        if card.ceiling is not None:
            ceiling = card.ceiling
            lines.append(f"{ceiling}." if of_agreement else ceiling.summary(card.of_all[SPEARMAN].value))
        if not of_agreement and any(each.unit == RATING for each in card.figures):
            means = f"{CORRECTED_MEAN}s" if CORRECTED_MEAN in whats else "mean ratings"
            lines.append(f"Mean scores are in the unit of the scores, {means} in that of the ratings.")
            ends = [(each.value, each.low, each.high) for each in card.figures if each.unit == RATING]
            lines += on_lopsided_intervals(ends, has_scale=False)
    kind = "cluster" if card.in_clusters else "item"
    return [
        *lines,
        f"Intervals ({percent(card.level)}) take {kind}s as independent, and outputs of one {kind} as dependent"
        f"{'' if card.ceiling is None else '; that of the ceiling takes outputs as independent'}.",
        *(["Corrected means hold if the rated outputs are a random part."] if CORRECTED_MEAN in whats else []),
        *card.notes,
    ]


def _for_paper(card: ReportCard, judged: JudgedOutputs) -> str:
    """Return the agreement of scores with people in a sentence to quote."""
    from referenceless_metrics.human_evaluation.judges.judged_outputs import clusters_of
    from referenceless_metrics.human_evaluation.judges.report_card import KAPPA, PEARSON, SPEARMAN, WITHIN_SYSTEMS

    n_parts = len(set(clusters_of(judged.rated).tolist()))
    kind = "cluster" if card.in_clusters else "item"
    parts = "" if n_parts == card.n_rated else f" of {n_parts} {kind}{'s' if n_parts > 1 else ''}"
    by = f" of {judged.criterion!r}" if judged.criterion else ""
    on = f"On {card.n_rated} outputs{parts} with {len(judged.ratings)} ratings{by} by people"
    scores = judged.described or judged.name

    def told(names: Sequence[str], suffix: str = "") -> str:
        return listed([f"{name} {_interval(card.of_all[name + suffix])}" for name in names])

    if card.are_verdicts:
        found = f"verdicts of {scores} had {told(['sensitivity', 'specificity', KAPPA])}"
    else:
        found = f"scores of {scores} had {told([PEARSON, SPEARMAN])} with mean ratings"
        if f"{PEARSON} {WITHIN_SYSTEMS}" in card.of_all:
            within = told([PEARSON, SPEARMAN], f" {WITHIN_SYSTEMS}")
            found += f"; {WITHIN_SYSTEMS}, as differences from each system's mean, {within}"
    intervals = f"{percent(card.level)} intervals take {kind}s as independent, outputs of one {kind} as dependent"
    signature = f"; signature: {judged.signature}" if judged.signature else ""
    return f"{FOR_THE_PAPER}{on}, {found} ({intervals}; computed with {implementation()}{signature})."


def _interval(figure: Figure, *, reason: bool = True) -> str:
    if math.isnan(figure.value):
        return "not defined"
    if math.isnan(figure.low):
        return f"{figure.value:.2f}" + (
            f" (no interval{f': {figure.missing}' if figure.missing else ''})" if reason else ""
        )
    return f"{figure.value:.2f} [{figure.low:.2f}, {figure.high:.2f}]"
