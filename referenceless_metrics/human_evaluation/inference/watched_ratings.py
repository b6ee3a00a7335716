"""Ratings that come in one after another: means and differences that hold however often one looks, for these raters.

An item is complete once all raters who were asked have rated all outputs of it; others do not count yet. A complete
item has one value for each system, the mean of its ratings: items are independent, raters are the same throughout.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from referenceless_metrics.core.support.validation import Floats, InputError, Record
from referenceless_metrics.human_evaluation.inference.any_time import Looks
from referenceless_metrics.human_evaluation.inference.crossed import Crossed
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.inference.every_look import Watched, watched_difference, watched_mean
from referenceless_metrics.human_evaluation.inference.human_score import (
    HumanDifference,
    HumanScore,
    HumanScores,
    Scale,
    adjusted,
    human_scores,
)
from referenceless_metrics.human_evaluation.inference.one_sided import ends_of
from referenceless_metrics.human_evaluation.inference.output_ratings import FEWEST_RATINGS, SystemRatings

if TYPE_CHECKING:
    import pandas as pd


def watched_scores(
    systems: Sequence[SystemRatings],
    looks: Looks,
    *,
    asked_of: Mapping[str, int] | None = None,
    n_unjudged: int = 0,
    level: float,
    scale: Scale | None,
    comparisons: str,
) -> HumanScores:
    """Return the `human_scores` of complete items, with intervals and p that hold at every look.

    Args:
        systems: at least two, the baseline first, with items.
        looks: the plan of looks.
        asked_of: number of raters who were asked to rate each item, by item; without it, as many as rated any.
        n_unjudged: number of items that can never be complete, since a rater could not judge an output of them.
        level: see `human_scores`.
        scale: see there.
        comparisons: see there.

    Raises:
        InputError: like `human_scores`, for systems without common items, for items in clusters, and for systems with
            too few rated outputs before the first look.
    """
    if any(system.clusters is not None for system in systems):
        raise InputError(
            "--every-look takes independent items: leave out --every-look, or --cluster-column; if the file tells "
            "clusters, name the column of items by --cluster-column"
        )
    complete, n_open = complete_items(systems, asked_of)
    if len(complete) < looks.first and min(int(system.rated.sum()) for system in systems) < FEWEST_RATINGS:
        raise InputError(looks.too_early(len(complete)))
    plain = human_scores(systems, level=level, scale=scale, comparisons=comparisons)
    scores = [_score(score, complete[score.system].to_numpy(), looks) for score in plain.scores]
    differences = [
        _difference(each, (complete[each.system] - complete[each.baseline]).to_numpy(), looks)
        for each in plain.differences
    ]
    notes = [*plain.notes, *_notes(len(complete), n_open, n_unjudged, looks), *_notes_on_ends(differences)]
    return HumanScores(tuple(scores), adjusted(differences, level), level, plain.warnings, tuple(notes))


def complete_items(
    systems: Sequence[SystemRatings], asked_of: Mapping[str, int] | None = None
) -> tuple[pd.DataFrame, int]:
    """Return the mean ratings of complete items, a row each with a column per system, and the number of other items.

    Args:
        systems: at least one; with judgements an item is complete once the same raters rated all systems' outputs.
        asked_of: number of raters who were asked to rate each item, by item; without it, the most that any has.
    """
    import pandas as pd

    rows = pd.concat([_ratings_of(system) for system in systems], ignore_index=True)
    by_rater = rows.pivot_table(index=["item", "rater"], columns="system", values="rating", sort=False)
    by_rater = by_rater.reindex(columns=[system.name for system in systems])
    n_items = rows["item"].nunique()
    whole = by_rater.dropna()
    counts = whole.groupby(level="item", sort=False).size()
    most = int(counts.max()) if len(counts) else 1
    means = whole.groupby(level="item", sort=False).mean()
    asked = [(asked_of or {}).get(str(item), most) for item in means.index]
    complete = means[counts.reindex(means.index).to_numpy() >= np.array(asked)]
    return complete, n_items - len(complete)


def _ratings_of(system: SystemRatings) -> pd.DataFrame:
    """Return a system's ratings with items and raters, one row each."""
    import pandas as pd

    items = list(system.items or range(len(system.ratings)))
    if system.judgements is None:
        places = np.flatnonzero(system.rated)
        raters, ratings = [""] * len(places), system.ratings[places]
    else:
        places = system.judgements["output"].to_numpy()
        raters, ratings = system.judgements["rater"].tolist(), system.judgements["rating"].to_numpy()
    of_rows = pd.Series([items[place] for place in places], dtype=object)
    return pd.DataFrame({"item": of_rows, "rater": raters, "system": system.name, "rating": ratings})


def _score(score: HumanScore, values: Floats, looks: Looks) -> HumanScore:
    watched = watched_mean(values, looks, score.scale)
    mean = _of_these(watched, score.raters.n_raters)
    told: Record = {"raters": mean, "ratings_alone": mean.said, "plain": math.nan}
    return replace(score, **told, n_rated=len(values), watched=watched)


def _difference(difference: HumanDifference, values: Floats, looks: Looks) -> HumanDifference:
    ends = ends_of(np.array([]), values, difference.scale)
    watched = watched_difference(values, looks, ends, by_betting=False)
    raters = _of_these(watched, difference.raters.n_raters)
    told: Record = {"raters": raters, "ratings_alone": raters.said, "plain": math.nan}
    # No rating of a complete item lacks a partner, and others have no part in the difference.
    counts: Record = {"n_items": watched.n, "n_rated": (watched.n, watched.n), "n_unpaired": 0}
    return replace(difference, **told, **counts, paired="item", watched=watched)


def _of_these(watched: Watched, n_raters: int) -> Crossed:
    """Return a mean for these raters, whose interval is that of its sequence."""
    if watched.obstacle:
        return Crossed(Inference.unknown(watched.value), None, n_raters)
    return Crossed(Inference(watched.value, watched.standard_error, watched.n - 1.0, 0.0), None, n_raters)


def _notes(n_complete: int, n_open: int, n_unjudged: int, looks: Looks) -> list[str]:
    """Return the properties of ratings that are looked at as they come in, in sentences.

    Args:
        n_complete: number of complete items.
        n_open: number of other items with a rating.
        n_unjudged: number of items with all answers, a *cannot judge* among them; `n_open` has those with a rating.
        looks: the plan of looks.
    """
    are = "items are" if n_complete != 1 else "item is"
    notes = [
        f"Intervals and p hold however often one looks from {looks.first} complete items on, for these raters and for "
        f"independent items that come in random order; at {looks.planned} items they are about 1.5 times as wide as "
        f"those of one look. {n_complete} {are} complete; {looks.plan(n_complete + n_unjudged)}."
    ]
    if n_unjudged:
        items = "1 item has" if n_unjudged == 1 else f"{n_unjudged} items have"
        notes.append(f"{items} a cannot judge, and no value here: raters are not asked again.")
    if n_open > n_unjudged:
        items = "1 item is" if n_open - n_unjudged == 1 else f"{n_open - n_unjudged} items are"
        notes.append(f"{items} not complete, and no value here: not all raters rated all outputs.")
    return notes


def _notes_on_ends(differences: Sequence[HumanDifference]) -> list[str]:
    """Return the basis of differences if nobody named the ends of the scale, in sentences."""
    watched = [each.watched for each in differences if each.watched is not None]
    bounds = [each.bounds for each in watched if each.bounds is not None]
    return list(dict.fromkeys(each.ends.sentence for each in bounds if not each.ends.are_known))
