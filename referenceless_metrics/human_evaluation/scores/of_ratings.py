"""Ratings as scores: an output's score by each criterion is the mean of its ratings."""

from __future__ import annotations

from dataclasses import replace

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.ratings.model_raters import MEANS, PEOPLE
from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
from referenceless_metrics.human_evaluation.scores.table import ScoreTable, table_of_rows


def scores_of_ratings(ratings: RatingTable, *, unpaired: bool = False) -> ScoreTable:
    """Return ratings as scores of systems on items; a criterion without a name is called `rating`.

    Args:
        ratings: the ratings.
        unpaired: whether systems have items of their own, so that outputs may stand for these.

    Raises:
        InputError: for ratings without systems, and without items unless `unpaired`.
    """
    frame = ratings.frame
    if "system" not in frame:
        raise InputError(f"{ratings.source}: there is no column of systems to compare (--system-column)")
    if "item" not in frame and not (unpaired and "text" in frame):
        raise InputError(
            f"{ratings.source}: there is no column that tells which outputs are of one item: name it (--item-column), "
            "or say that each system has items of its own (--unpaired)"
        )
    items = frame["item"].astype(str) if "item" in frame else frame["system"] + " " + frame["text"]
    parts = {kind: frame[kind].fillna("") if kind in frame else "" for kind in ("cluster", "slice")}
    rows = frame.assign(item=items, **parts)
    order = {name: place for place, name in enumerate(ratings.systems)}
    if order:
        rows = rows.sort_values("system", key=lambda names: names.map(order), kind="stable")
    long = rows.assign(score=frame.get("criterion", "rating"), value=frame["rating"])
    table = table_of_rows(rows, long, [], [ratings.unfinished] if ratings.unfinished else [])
    return replace(table, given_by=PEOPLE if ratings.given_by == MEANS else ratings.given_by)
