"""The estimates that `human-score` puts beside ratings: of a column, of one metric or of several as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from referenceless_metrics.command_line.references_and_sources import reference_streams
from referenceless_metrics.core.files.formats_of_files import file_format
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.metric import score_texts
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Floats, InputError, Record
from referenceless_metrics.human_evaluation.inference.rated_means import (
    why_difference_without_estimates,
    why_without_estimates,
)
from referenceless_metrics.human_evaluation.ratings.scores_beside import replacing_in_files
from referenceless_metrics.human_evaluation.scores.learned import check_not_learned
from referenceless_metrics.human_evaluation.studies.design import named_estimates
from referenceless_metrics.human_evaluation.system_table import tables_of_systems
from referenceless_metrics.human_evaluation.wording.drawn import NO_ESTIMATES, Estimated
from referenceless_metrics.human_evaluation.wording.phrases import listed

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.inference.human_score import HumanScores
    from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs, SystemRatings
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable


class Estimates(NamedTuple):
    """Estimates of each system's outputs.

    Attributes:
        made: how they were made, in words; "" if nobody asked for any.
        values: the estimates, a vector for each system; none if the ratings hold them.
        named: the estimates that the study names for its analysis, in words; none if it names none.
        are_named: whether these estimates are theirs.
        beside: the line that leads to the worth of scores that stand beside the ratings; "" without any.
        name: their name, for a sentence in a paper.
        call: the options that take the estimates which the study names.
    """

    made: str
    values: Sequence[Floats] = ()
    named: Sequence[str] = ()
    are_named: bool = False
    beside: str = ""
    name: str = ""
    call: str = ""

    def taking_part(self, scores: HumanScores) -> Estimated:
        """Return the estimates as the sentences to quote name them, if they take part in some finding."""
        if any(each.shrinkage > 0 for each in (*scores.scores, *scores.differences)):
            return Estimated(self.name, self.made, self.are_named)
        return NO_ESTIMATES

    def basis(self, rated: Sequence[SystemRatings], scores: HumanScores) -> str:
        """Return how the findings rest on the estimates, in a sentence.

        Args:
            rated: the systems with their ratings and estimates.
            scores: the findings.
        """
        if not self.made:
            return self._without()
        if self.taking_part(scores).name:
            plain = _differences_without(rated, scores)
            if self.are_named:
                return f"The study names this analysis: {self.made}{plain}"
            return (
                "Exploratory: this analysis was not named before the ratings, and the best of several finds "
                "differences where there are none; the columns `ratings alone`, `low alone` and `high alone` hold that "
                f"without estimates. {self.made}{plain}"
            )
        reasons: dict[str, list[str]] = {}
        for system in rated:
            reasons.setdefault(why_without_estimates(system), []).append(system.name)
        why = "; ".join(reasons)
        if len(reasons) > 1:
            why = "; ".join(f"{listed(systems)}: {reason}" for reason, systems in reasons.items())
        naming = ""
        if self.named:
            naming = "The study names this analysis. " if self.are_named else self._named_otherwise()
        return f"{naming}Estimates took no part: {why}. These are the ratings alone ({self.made})."

    def _without(self) -> str:
        """Return the sentence on ratings without estimates."""
        if not self.named:
            return " ".join(filter(None, ["Ratings alone: no metric was asked for.", self.beside]))
        return f"{self._named_otherwise()[:-2]}; give the systems' files and {self.call}. These are the ratings alone."

    def _named_otherwise(self) -> str:
        """Say that the study names another analysis."""
        return f"Exploratory: the study names {' and '.join(self.named)} for its analysis. "


def _differences_without(rated: Sequence[SystemRatings], scores: HumanScores) -> str:
    """Say why estimates take no part in differences of which they move a mean; "" where there are none."""
    systems = {each.name: each for each in rated}
    moved = {each.system for each in scores.scores if each.shrinkage > 0}
    reasons: dict[str, list[str]] = {}
    for each in scores.differences:
        if each.shrinkage > 0 or moved.isdisjoint((each.system, each.baseline)):
            continue
        system, baseline = systems[each.system], systems[each.baseline]
        why = why_difference_without_estimates(system, baseline, each.paired, each.n_items)
        reasons.setdefault(why, []).append(f"{each.system} less {each.baseline}")
    told = [f" Estimates take no part in {listed(pairs)}: {why}." for why, pairs in reasons.items()]
    return "".join([".", *told]) if told else ""


@dataclass(frozen=True, eq=False)
class EstimateSource:
    """Source of a command's estimates; texts are scored once, by however many criteria they are rated.

    Attributes:
        outputs: the systems' outputs, none if there are no files of them.
        files: the systems' files.
        options: the command's.
    """

    outputs: Outputs
    files: Sequence[str]
    options: Record

    def estimates(self, table: RatingTable, rated: Sequence[SystemRatings]) -> Estimates:
        """Return the estimates that stand beside ratings by one criterion.

        Args:
            table: the ratings.
            rated: the systems with these ratings.

        Raises:
            InputError: for a column that is not there, and a metric that learned from the rated outputs.
        """
        named, call = named_estimates(table.metric, table.estimates_column)
        if self.outputs and self.options["estimates_column"] is not None:
            values = self._of_column(self.options["estimates_column"], rated)
            column = f"column {self.options['estimates_column']}"
            of_what = "of each system's file" if len(self.files) == len(self.outputs) else "of the systems' table"
            is_named = [column] == named
            return Estimates(f"estimates: {column} {of_what}", values, named, is_named, name=column)
        if self.outputs and self.options["chosen"].is_asked_for:
            return self._of_metrics(named, rated)
        if "estimates" in table.frame:
            return Estimates("estimates: a column of the ratings", named=named, name="a column beside the ratings")
        return Estimates("", named=named, call=call, beside=table.beside or self._beside(table))

    def _beside(self, table: RatingTable) -> str:
        """Return the line that leads to the worth of scores in the systems' files; "" without any."""
        are_tables = not any(file_format(file, self.options["reading"], "txt") == "txt" for file in self.files)
        if not table.takes_estimates or len(self.files) != len(self.outputs) or not are_tables:
            return ""
        return replacing_in_files([read_table(file, self.options["reading"]) for file in self.files], table.source)

    @cached_property
    def _tables(self) -> list[Table]:
        """The rows of each system."""
        if len(self.files) < len(self.outputs):  # one table, whose rows name their system
            of_systems = tables_of_systems(self.files[0], self.options["system_column"], self.options["reading"])
            return [of_systems[name] for name, _ in self.outputs]
        return [read_table(file, self.options["reading"]) for file in self.files]

    def _of_column(self, column: str, rated: Sequence[SystemRatings]) -> list[Floats]:
        """Return the systems' estimates in a column of their files."""
        for table, system in zip(self._tables, rated, strict=True):
            check_not_learned(table, column, np.flatnonzero(system.rated).tolist())
        return [table.numbers(column, "--estimates-column") for table in self._tables]

    @cached_property
    def _metrics(self) -> list[Any]:
        """The metrics that the command line names."""
        return list(self.options["chosen"].make(self.options))

    @cached_property
    def _by_metric(self) -> list[list[Floats]]:
        """By metric, the estimates of each system's outputs."""
        return [_of_metric(metric, self.outputs, self.options["references"]) for metric in self._metrics]

    def _of_metrics(self, named: Sequence[str], rated: Sequence[SystemRatings]) -> Estimates:
        """Return the estimates of the metrics that the command line names.

        Args:
            named: the metrics that the study names for its analysis.
            rated: the systems with their ratings.
        """
        names = [spec.name for spec in self.options["chosen"].specs]
        for metric in self._metrics:
            _check_not_learned(metric, self.outputs, rated)
        combined = ""
        values: Sequence[Floats] = self._by_metric[0]
        if len(self._metrics) > 1:
            values, combined = _combined(names, self._by_metric, rated)
        made = f"{combined}{'; '.join(metric.signature for metric in self._metrics)}"
        return Estimates(made, values, named, sorted(names) == sorted(named), name=listed(names))


def _combined(
    names: Sequence[str], by_metric: Sequence[Sequence[Floats]], rated: Sequence[SystemRatings]
) -> tuple[list[Floats], str]:
    """Return estimates of several metrics as one, and how they are (see `combined_estimates`)."""
    from referenceless_metrics.human_evaluation.inference.combined_estimates import combined_estimates

    items = [system.items or range(len(system.ratings)) for system in rated]
    values, weights = combined_estimates(by_metric, [system.ratings for system in rated], items)
    listed = ", ".join(f"{name} {weight:+.2g}" for name, weight in zip(names, weights, strict=True))
    return values, f"{len(names)} metrics as one, by ridge regression, cross-fitted by item (weights: {listed}): "


def _check_not_learned(metric: Any, outputs: Outputs, rated: Sequence[SystemRatings]) -> None:
    """Check that a metric did not learn from outputs whose ratings stand beside its estimates.

    Raises:
        InputError: for a metric that learned from the rated outputs, and would give them back their own ratings.
    """
    systems = zip(outputs, rated, strict=True)
    rated_texts = {texts[place] for (_, texts), system in systems for place in np.flatnonzero(system.rated)}
    shared = rated_texts.intersection(getattr(metric, "texts_", None) or ())
    if shared:
        raise InputError(
            f"{metric.name} learned from {len(shared)} of the rated outputs, so that its estimates hold their ratings: "
            "take these out of its rated texts, or leave the metric out"
        )


def _of_metric(metric: Any, outputs: Outputs, references: Sequence[str]) -> list[Floats]:
    """Return a metric's estimates of each system's outputs."""
    estimates = []
    for name, texts in outputs:
        files = references if metric.needs_references else ()
        streams = reference_streams(files, len(texts), name, every_text=True)
        lists = list(map(list, zip(*streams, strict=True))) or None
        values = score_texts(metric, texts, lists).values
        estimates.append(np.where(np.isfinite(values), values, np.nan))
    return estimates
