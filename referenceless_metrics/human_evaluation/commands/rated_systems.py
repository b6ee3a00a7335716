"""`human-score` of ratings: mean ratings of systems and their differences, over all items and in each slice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from referenceless_metrics.assessment.near_copies import near_copy_notes
from referenceless_metrics.core.support.validation import InputError, Options, Record
from referenceless_metrics.human_evaluation.commands.analysis import (
    Analysis,
    Findings,
    in_order,
    joined,
    of_slice,
    on_studies,
)
from referenceless_metrics.human_evaluation.commands.estimates import EstimateSource
from referenceless_metrics.human_evaluation.commands.look_options import looks_of_study
from referenceless_metrics.human_evaluation.inference.any_time import PLANNED

MEAN_OF_OUTPUTS = "mean: of the rated outputs, each being the mean of its ratings; without an interval."
"""Basis of means that have no interval."""

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.inference.any_time import Looks
    from referenceless_metrics.human_evaluation.inference.human_score import HumanScores
    from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs, SystemRatings
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
    from referenceless_metrics.human_evaluation.wording.drawn import Estimated


@dataclass(frozen=True)
class _Rated:
    """Systems as they are rated by one criterion.

    Attributes:
        criterion: its name; "" for one without a name.
        table: the ratings by it.
        systems: the systems that have enough ratings, the baseline first.
        scores: the findings of the ratings.
        basis: the basis of the estimates, in a sentence.
        estimated: the estimates that take part.
        notes: ratings that were left out, in sentences.
        has_files: whether the systems' files name the baseline, which stands first.
    """

    criterion: str
    table: RatingTable
    systems: Sequence[SystemRatings]
    scores: HumanScores
    basis: str
    estimated: Estimated
    notes: Sequence[str]
    has_files: bool


def findings_of_ratings(table: RatingTable, outputs: Outputs, files: Sequence[str], options: Record) -> Findings:
    """Return the findings of ratings on systems by each criterion, adjusted for criteria times comparisons.

    Args:
        table: the ratings.
        outputs: the systems' outputs, none if there are no files of them.
        files: the systems' files.
        options: the command's.

    Raises:
        InputError: for ratings of which nothing can be said, and slices beside the systems' files.
    """
    from referenceless_metrics.human_evaluation.inference.human_score import scores_by_criterion
    from referenceless_metrics.human_evaluation.ratings.criteria import each_criterion, with_overall
    from referenceless_metrics.human_evaluation.ratings.system_ratings import (
        called_as_outputs,
        on_systems_without_outputs,
    )

    if outputs and "slice" in table.frame:
        raise InputError("--slice-column is for a table of ratings alone: leave out the systems' files")
    table = called_as_outputs(table, outputs)
    tables, notes = with_overall(table, asked=options["overall"])
    if outputs:
        notes = [*on_systems_without_outputs(table, outputs), *notes]

    source = EstimateSource(outputs, files, options)

    def rated_by(criterion: str, of_criterion: RatingTable) -> _Rated | Analysis:
        return _rated(criterion, of_criterion, source, options)

    found, left_out = each_criterion(tables, rated_by)
    rated = [each for each in found.values() if isinstance(each, _Rated)]
    together = scores_by_criterion([each.scores for each in rated]) if rated else ()
    of_rated = [_analysis(replace(each, scores=scores), options) for each, scores in zip(rated, together, strict=True)]
    analyses = in_order(found.values(), of_rated)
    unfinished = "" if options["every_look"] else table.unfinished
    findings = joined(
        analyses, [*notes, *left_out, *near_copy_notes(_texts(table, outputs))], unfinished, table.together
    )
    condition = f"If {table.assumed}: " if table.assumed else ""
    headline, caption = condition + findings.headline, condition + findings.caption
    is_unfinished = bool(table.unfinished) and not table.is_over
    basis = () if options["every_look"] else on_studies(table, "all rated outputs count")
    return replace(findings, headline=headline, caption=caption, is_unfinished=is_unfinished, basis=basis)


def _rated(criterion: str, table: RatingTable, source: EstimateSource, options: Record) -> _Rated | Analysis:
    """Return systems as they are rated by one criterion, or their means alone if no system has enough ratings.

    Raises:
        InputError: for ratings of which nothing can be said.
    """
    from referenceless_metrics.human_evaluation.inference.output_ratings import check_same_scale
    from referenceless_metrics.human_evaluation.ratings.system_ratings import (
        check_common_items,
        systems_of_files,
        systems_of_table,
        without_small_systems,
    )

    _check_estimates(table, options)
    outputs = source.outputs
    rated = systems_of_files(table, outputs) if outputs else systems_of_table(table, options["baseline"])
    estimates = source.estimates(table, rated)
    if estimates.values:
        rated = [replace(system, estimates=values) for system, values in zip(rated, estimates.values, strict=True)]
    rated, notes = without_small_systems(rated)
    if "item" in table.frame and not options["unpaired"]:
        check_common_items(rated, table.source, options["comparisons"])
    if not estimates.values and _are_few(rated, table, options):
        if table.scale is None:
            check_same_scale({system.name: system.ratings for system in rated})
        counts = [_n_ratings(system, table) for system in rated]
        return _means_alone(criterion, rated, counts, _too_early(rated, table, options), _on_raters_apart(table))
    scores = _scores(rated, table, options, criterion)
    basis, estimated = estimates.basis(rated, scores), estimates.taking_part(scores)
    return _Rated(criterion, table, rated, scores, basis, estimated, notes, bool(outputs))


def _are_few(systems: Sequence[SystemRatings], table: RatingTable, options: Record) -> bool:
    """Say whether each system has rated outputs, and none enough for an interval."""
    from referenceless_metrics.human_evaluation.inference.output_ratings import FEWEST_RATINGS

    counts = [int(system.rated.sum()) for system in systems]
    low, high = table.scale or (-math.inf, math.inf)
    is_on_scale = bool(table.frame["rating"].dropna().between(low, high).all())
    is_refused = options["every_look"] and "cluster" in table.frame
    is_plain = is_on_scale and not is_refused and "estimates" not in table.frame
    return is_plain and min(counts, default=0) > 0 and max(counts) < FEWEST_RATINGS


def _looks(table: RatingTable, options: Options) -> Looks | None:
    """Return the plan of looks; None for one look."""
    return looks_of_study(options, table.planned or PLANNED)


def _too_early(systems: Sequence[SystemRatings], table: RatingTable, options: Options) -> str:
    """Return that fewer items are complete than at the first look, as a sentence; "" of one look, and of none early."""
    from referenceless_metrics.human_evaluation.inference.watched_ratings import complete_items

    looks = _looks(table, options)
    if looks is None:
        return ""
    n_complete = len(complete_items(systems, table.asked_of)[0])
    return f"{looks.too_early(n_complete)}." if n_complete < looks.first else ""


def _on_raters_apart(table: RatingTable) -> list[str]:
    """Say how many pairs of systems have no rater in common; nothing if all pairs have one, or raters are not known."""
    if not {"system", "rater"} <= set(table.frame):
        return []
    rated = table.frame[table.frame["rating"].notna()]
    raters_of = rated.groupby("system", sort=False)["rater"].agg(set)
    pairs = list(combinations(raters_of.index, 2))
    apart = [(one, other) for one, other in pairs if raters_of[one].isdisjoint(raters_of[other])]
    if not apart:
        return []
    first, second = apart[0]
    told = f"No rater rated both {first} and {second}"
    if len(apart) > 1:
        told = f"In {len(apart)} of {len(pairs)} pairs of systems no rater rated both, as of {first} and {second}"
    return [f"{told}: how lenient raters are cannot be told there from how good the systems are."]


def _means_alone(
    criterion: str,
    systems: Sequence[SystemRatings],
    n_ratings: Sequence[int],
    too_early: str,
    on_raters: Sequence[str],
) -> Analysis:
    """Return the means of systems with too few rated outputs for an interval, without a verdict.

    Args:
        criterion: the name of the criterion.
        systems: the systems.
        n_ratings: the number of single ratings of each.
        too_early: the first sentence for a look before the first planned one; "" otherwise.
        on_raters: sentences on systems that no rater rated both.
    """
    from referenceless_metrics.human_evaluation.inference.output_ratings import FEWEST_RATINGS
    from referenceless_metrics.human_evaluation.wording.phrases import listed

    rows: list[Record] = []
    for system, n_of_system in zip(systems, n_ratings, strict=True):
        counts: Record = {"outputs": len(system.ratings), "rated": int(system.rated.sum())}
        mean = float(system.ratings[system.rated].mean())
        rows.append({"system": system.name, **counts, "ratings": n_of_system, "mean": mean})
    most = max(row["rated"] for row in rows)
    outputs = "output" if most == 1 else "outputs"
    headline = f"Nothing is shown: no system has more than {most} rated {outputs}, and intervals need {FEWEST_RATINGS}."
    if too_early:
        headline = f"{too_early} {headline}"
    if len(rows) > 1:
        highest = max(row["mean"] for row in rows)
        best = listed([row["system"] for row in rows if row["mean"] == highest])
        headline += f" Differences between these means may be chance; the highest is that of {best} ({highest:.3g})."
    return Analysis(headline, rows, [MEAN_OF_OUTPUTS, *on_raters], systems[0].name, (), criterion=criterion)


def _n_ratings(system: SystemRatings, table: RatingTable) -> int:
    """Return the number of single ratings of a system, of raters who are known or not."""
    frame = table.frame
    if system.judgements is not None or "system" not in frame:
        return len(system.single_ratings)
    of_system = int(frame.loc[frame["system"] == system.name, "rating"].notna().sum())
    return of_system or len(system.single_ratings)  # a file of outputs may have another name than the ratings have


def _analysis(rated: _Rated, options: Record) -> Analysis:
    """Return the findings of ratings on systems by one criterion, in rows and in words."""
    from referenceless_metrics.human_evaluation.wording.answers_output import answer_lines
    from referenceless_metrics.human_evaluation.wording.drawn import Drawn
    from referenceless_metrics.human_evaluation.wording.headline import on_highest, people_headline
    from referenceless_metrics.human_evaluation.wording.human_score_output import score_lines
    from referenceless_metrics.human_evaluation.wording.human_score_rows import score_rows
    from referenceless_metrics.human_evaluation.wording.on_means import below_table

    table, scores = rated.table, rated.scores
    baseline = rated.systems[0].name
    how: Record = {"can_name_scale": not table.are_penalties, "mqm_weights": table.mqm_weights}
    how["find"] = options["find"].get(rated.criterion, options["find"].get(""))
    lines = score_lines(scores, Drawn.of(table), rated.criterion or table.asked, **how, estimated=rated.estimated)
    names_best = not (options["baseline"] or rated.has_files or table.systems)
    if names_best:
        lines = [on_highest(scores), *lines]
    lines += answer_lines(table.frame)
    rows = score_rows(scores, by_mean=names_best)
    if "slice" in table.frame:
        rows = of_slice("", rows)
        for part in sorted(set(table.frame["slice"])):
            part_rows, told = _of_slice(table, part, baseline, options, by_mean=names_best)
            rows += part_rows
            lines += told
    return Analysis(
        people_headline(scores, names_best=names_best),
        rows,
        [*lines, rated.basis],
        baseline,
        scores.differences,
        scores,
        rated.notes,
        rated.criterion,
        below_table(scores),
        table.mqm_weights,
        rated.estimated,
        people_headline(scores),
    )


def _texts(table: RatingTable, outputs: Outputs) -> list[tuple[str, list[str]]]:
    """Return each system's outputs as far as they are known, each output of an item once."""
    if outputs:
        return list(outputs)
    if not {"text", "system"} <= set(table.frame):
        return []
    keys = [name for name in ("system", "item", "text") if name in table.frame]
    distinct = table.frame.drop_duplicates(keys)
    return [(str(name), rows["text"].tolist()) for name, rows in distinct.groupby("system", sort=False)]


def _check_estimates(table: RatingTable, options: Record) -> None:
    """Check that no metric is asked for if the rated outputs are no random part of all, before it scores any.

    Raises:
        InputError: if one is.
    """
    if table.takes_estimates or not (options["chosen"].is_asked_for or options["estimates_column"]):
        return
    if table.unlike is not None:
        raise InputError(
            f"{table.source}: items were drawn from those of which outputs differ, so that the rated outputs are no "
            "random part of all: leave out the metric"
        )
    assert table.along is not None
    raise InputError(
        f"{table.source}: items were drawn along {table.along.metric}'s difference, which uses what a metric tells: "
        "leave out the metric"
    )


def _scores(rated: Sequence[SystemRatings], table: RatingTable, options: Options, criterion: str = "") -> HumanScores:
    from referenceless_metrics.human_evaluation.inference.watched_ratings import watched_scores
    from referenceless_metrics.human_evaluation.ratings.system_ratings import scores_of_draw

    looks = _looks(table, options)
    if looks is not None:
        asked: Record = {name: options[name] for name in ("level", "comparisons")}
        asked["n_unjudged"] = table.unjudged.get(criterion, 0)
        watched = watched_scores(rated, looks, asked_of=table.asked_of, scale=table.scale, **asked)
        notes = list(watched.notes)
        if table.unlike is not None:
            notes.append("Sequences are of the items of which outputs differ.")
        if table.along is not None:
            notes.append("Sequences take items as drawn simply, and not along a metric: they are wider than need be.")
        return replace(watched, notes=tuple(notes)).by(table.given_by)
    return scores_of_draw(rated, table, level=options["level"], comparisons=options["comparisons"])


def _of_slice(
    table: RatingTable, part: str, baseline: str, options: Options, *, by_mean: bool
) -> tuple[list[dict[str, object]], list[str]]:
    """Return rows and sentences on one slice, which is a family of comparisons of its own.

    A slice without a figure for the baseline is left out with a sentence.
    """
    from referenceless_metrics.human_evaluation.ratings.system_ratings import systems_of_table, without_small_systems
    from referenceless_metrics.human_evaluation.wording.headline import people_headline
    from referenceless_metrics.human_evaluation.wording.human_score_rows import score_rows
    from referenceless_metrics.human_evaluation.wording.on_means import below_table

    frame = table.frame[table.frame["slice"] == part]
    try:
        rated, notes = without_small_systems(systems_of_table(replace(table, frame=frame), baseline))
        scores = _scores(rated, table, options)
    except InputError as error:
        return [], [f"{part}: left out, since {error}"]
    told = [people_headline(scores), *below_table(scores)]
    return of_slice(part, score_rows(scores, by_mean=by_mean)), [*(f"{part}: {line}" for line in told), *notes]
