"""Ratings and preferences as one long table, a row for each rating."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referenceless_metrics.human_evaluation.inference.along_metric import AlongMetric
from referenceless_metrics.human_evaluation.ratings.model_raters import PEOPLE
from referenceless_metrics.human_evaluation.studies.criteria import PREFERENCE

if TYPE_CHECKING:
    import pandas as pd

    from referenceless_metrics.human_evaluation.inference.unlike_items import UnlikeItems
    from referenceless_metrics.human_evaluation.studies.reading import MarkedOutput


@dataclass(frozen=True, eq=False)
class RatingTable:
    """Ratings and preferences as people gave them.

    Attributes:
        source: its name in a message, such as the file's name.
        frame: one row per rating with the columns `rating` (NaN if an output is unrated or a rating is missing) and, as
            far as they are known, `system`, `item` (equal items pair outputs of two systems), `rater`, `criterion`,
            `text` (the output), `cluster` (of the item), `slice` (of the item), `place` (of a rating in a cell that
            holds those of several raters), `estimates` (of the output) and `spans` (errors that the rater marked). Or
            one row per preference, as in `preferences`; NaN if it is missing.
        scale: the ends of the ratings' scale; None if they are not known.
        scales: the same of criteria that have a scale of their own, by name.
        marked: the outputs with their marked errors, of a study in which raters marked errors.
        are_penalties: whether all ratings are negative sums of the weights of errors, which have no lowest end.
        mqm_weights: the weights of errors, in words, if all ratings are the scores of MQM; "" for others.
        overall: whether a study's design names the mean of the criteria for the analysis.
        systems: the systems of a study, the baseline first; its outputs are drawn at random, and its items are places
            in the systems' files, counted from 0. Else none.
        metric: the metric that a study's design names for the analysis; "" for none.
        estimates_column: the column of estimates that it names in place of a metric; "" for none.
        unlike: numbers of items with differing outputs, and of all items, if a study draws from the former alone;
            None otherwise.
        along: the draw along a metric's difference, if a study's items were drawn so; None otherwise.
        planned: number of a study's items; None for other ratings.
        asked_of: number of raters who were asked to rate each item of a single study, by item, without those who are
            left out; empty for other ratings.
        unfinished: the progress of a study that lacks answers, in a sentence; "" otherwise.
        is_over: whether all raters of a study have come to the end, so that what it lacks are blanks.
        n_complete: number of complete items of a study that lacks answers; None otherwise.
        unjudged: number of items of a study that have all answers, but a *cannot judge* among them, by each criterion,
            by its name.
        n_all: number of items from which those of a study were drawn; None for other ratings.
        left_out: the raters of a study who are left out.
        partly_left_out: of several studies, the raters who are left out of some and count in another.
        n_unshown_ties: number of ties by each criterion between equal outputs, which nobody was shown, in a study of
            preferences: one by each rater of the item.
        places: of a study of preferences, by criterion, the numbers of answers for the output that stood first, for the
            second, and for neither; without repeats.
        given_by: who gave the ratings: people, or a judge; see `model_raters`.
        beside: the line that leads to the worth of scores beside the ratings; "" without any.
        assumed: the assumption on which a comparison of several files or sheets rests, as a condition; "" if systems
            are named.
        asked: the criterion of all ratings, as their column is called, for sentences; "" if its name says none.
        further_criteria: columns that are called as criteria and that nobody named, beside the ratings.
        n_studies: number of studies that the ratings are of; 1 for other ratings, too.
        together: what holds of several studies that are analysed together, in a sentence; "" for one.
        notes: assumptions made and ratings left out as they were read, in sentences without an end.
    """

    source: str
    frame: pd.DataFrame
    scale: tuple[float, float] | None = None
    systems: tuple[str, ...] = ()
    metric: str = ""
    notes: tuple[str, ...] = ()
    scales: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    are_penalties: bool = False
    mqm_weights: str = ""
    overall: bool = False
    planned: int | None = None
    asked_of: Mapping[str, int] = field(default_factory=dict)
    marked: Sequence[MarkedOutput] = ()
    unlike: UnlikeItems | None = None
    along: AlongMetric | None = None
    unfinished: str = ""
    is_over: bool = False
    n_complete: int | None = None
    unjudged: Mapping[str, int] = field(default_factory=dict)
    n_all: int | None = None
    left_out: tuple[str, ...] = ()
    partly_left_out: tuple[str, ...] = ()
    n_unshown_ties: int = 0
    places: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    given_by: str = PEOPLE
    beside: str = ""
    assumed: str = ""
    estimates_column: str = ""
    asked: str = ""
    further_criteria: tuple[str, ...] = ()
    n_studies: int = 1
    together: str = ""

    @property
    def takes_estimates(self) -> bool:
        """Whether the rated outputs are a random part of all: then estimates of the others may join the analysis."""
        return self.unlike is None and self.along is None

    @property
    def are_preferences(self) -> bool:
        """Whether these are preferences, and not ratings."""
        return PREFERENCE in self.frame

    @property
    def key(self) -> str:
        """The column that tells outputs of one system apart."""
        return "item" if "item" in self.frame else "text"
