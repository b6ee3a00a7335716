"""Where ratings come from: the draw of outputs, and estimates of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from referenceless_metrics.human_evaluation.inference.human_score import HumanDifference

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable


class Drawn(NamedTuple):
    """The draw of rated outputs, as far as it is known.

    Attributes:
        n_items: number of items of a study; 0 for ratings of unknown origin.
        n_all: number of items from which they were drawn; None if it is not known.
        n_complete: number of complete items of a study that lacks answers; None otherwise.
        n_left_out: number of raters of a study who are left out.
        is_over: whether all raters of a study have come to the end, so that what it lacks are blanks.
        n_studies: number of studies that are analysed together.
        n_partly_left_out: number of raters who are left out of some of these and count in another.
    """

    n_items: int = 0
    n_all: int | None = None
    n_complete: int | None = None
    n_left_out: int = 0
    is_over: bool = False
    n_studies: int = 1
    n_partly_left_out: int = 0

    @classmethod
    def of(cls, table: RatingTable) -> Drawn:
        """Return the draw of a study's ratings, or that of others, which is not known."""
        left_out, partly = len(table.left_out), len(table.partly_left_out)
        return cls(table.planned or 0, table.n_all, table.n_complete, left_out, table.is_over, table.n_studies, partly)

    @property
    def is_known(self) -> bool:
        """Whether outputs are known to be drawn at random, from a study's design."""
        return self.n_items > 0


class Estimated(NamedTuple):
    """The estimates that take part in findings from ratings, as the sentences to quote name them.

    Attributes:
        name: their name, in words; "" if none take part.
        made: how they were made, in words.
        is_named: whether a study named them before the ratings.
    """

    name: str = ""
    made: str = ""
    is_named: bool = False

    @property
    def standing(self) -> str:
        """That the analysis is exploratory, to follow other words; "" for one that was named before the ratings."""
        return "" if self.is_named else "; exploratory: this analysis was not named before the ratings"

    def of_further(self, difference: HumanDifference) -> str:
        """Return the further outputs whose estimates take part in a difference, in words; "" if none do."""
        if not self.name or not difference.n_estimated:
            return ""
        return f", with estimates of {difference.n_estimated} further outputs ({self.name}{self.standing})"


NO_ESTIMATES = Estimated()
"""Findings from ratings alone, and preferences."""
