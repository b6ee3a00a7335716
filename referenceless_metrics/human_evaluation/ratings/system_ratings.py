"""Systems with the ratings of their outputs, from a rating table alone or beside the systems' files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from referenceless_metrics.core.files.names import alike_but_for_ends, alike_told
from referenceless_metrics.core.files.reading import tell
from referenceless_metrics.core.support.validation import (
    InputError,
    describe,
    joined_names,
    shortened,
    told_systems,
)
from referenceless_metrics.human_evaluation.inference.human_score import HumanScores, human_scores, pairs_of
from referenceless_metrics.human_evaluation.inference.output_ratings import (
    FEWEST_RATINGS,
    FROM_OTHERS,
    Outputs,
    SystemRatings,
    aliases,
)
from referenceless_metrics.human_evaluation.inference.unlike_items import over_all_items
from referenceless_metrics.human_evaluation.ratings.keys import shown
from referenceless_metrics.human_evaluation.ratings.rated_places import NOWHERE, rated_places
from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable

if TYPE_CHECKING:
    import pandas as pd


def systems_of_table(table: RatingTable, baseline: str | None = None) -> list[SystemRatings]:
    """Return the systems that a table names, in its order, their outputs being those in the table.

    Args:
        table: ratings, with systems, and with items or texts; a row without a rating is of an unrated output if the
            table has estimates, and else a missing rating.
        baseline: the system to stand first; None leaves the order, of a study that of its design.

    Raises:
        InputError: for a table without systems, or without items and texts, and a baseline that is not in it.
    """
    frame, key, first = table.frame, table.key, baseline or next(iter(table.systems), None)
    if "system" not in frame or key not in frame:
        lacking = "items (--item-column) or outputs" if "system" in frame else "systems (--system-column)"
        raise InputError(f"{table.source}: there is no column of {lacking}; without the systems' files it is needed")
    found = set(frame["system"])
    names = [name for name in table.systems if name in found] or list(frame["system"].unique())
    if first is not None and first not in names:
        raise InputError(f"{table.source}: no rating is of the baseline {first!r}; {told_systems(first, names)}")
    systems = []
    for name in sorted(names, key=lambda name: name != first):
        rows = frame[frame["system"] == name]
        places, outputs = rows[key].factorize()
        items = list(outputs) if key == "item" else [(name, text) for text in outputs]
        n_missing = 0 if "estimates" in rows else int(rows["rating"].isna().sum())
        systems.append(_system(name, items, rows.assign(output=places), n_missing))
    return systems


def scores_of_draw(systems: Sequence[SystemRatings], table: RatingTable, **asked: Any) -> HumanScores:
    """Return the findings of systems' ratings, by the way in which their items were drawn.

    Args:
        systems: the systems in the table that have enough ratings.
        table: the ratings.
        asked: `level` and `comparisons` of `human_scores`.

    Raises:
        InputError: like `human_scores`.
    """
    scores = human_scores(systems, scale=table.scale, along=table.along, **asked)
    if table.are_penalties:  # without errors, a sum of them is 0
        scores = replace(scores, scores=tuple(replace(score, highest=0.0) for score in scores.scores))
    of_study = replace(over_all_items(scores, table.unlike), unfinished=table.unfinished, is_over=table.is_over)
    return of_study.by(table.given_by)


def without_small_systems(systems: Sequence[SystemRatings]) -> tuple[list[SystemRatings], list[str]]:
    """Return systems without those of which too few outputs are rated for an interval, with notes.

    The first system, with which the others are compared, stays, and so do all if no other is left.

    Args:
        systems: the systems, the baseline first.
    """
    small = [system for system in systems[1:] if system.rated.sum() < FEWEST_RATINGS]
    kept = [system for system in systems if system not in small]
    if not small or kept[0].rated.sum() < FEWEST_RATINGS:
        return list(systems), []
    listed = shortened(", ".join(map(_with_mean, small)), 300)
    return kept, [f"left out: systems with fewer than {FEWEST_RATINGS} rated outputs: {listed}"]


def _with_mean(system: SystemRatings) -> str:
    """Return a system's name with the number of its rated outputs and their mean."""
    known = system.ratings[system.rated]
    return f"{system.name} ({len(known)}{f', mean {known.mean():.4g}' if len(known) else ''})"


def check_common_items(systems: Sequence[SystemRatings], source: str, comparisons: str) -> None:
    """Check that compared systems with ratings have rated items in common.

    Args:
        systems: the systems, the baseline first, with items that mean the same in all of them.
        source: the ratings, for messages.
        comparisons: `baseline` or `all`.

    Raises:
        InputError: for two systems without a common item: what differs may be the items.
    """
    rated = {
        system.name: {item for item, is_rated in zip(system.items or (), system.rated, strict=True) if is_rated}
        for system in systems
    }
    for baseline, system in pairs_of(list(rated), comparisons):
        if rated[baseline] and rated[system] and not rated[baseline] & rated[system]:
            examples = ", ".join(f"{name} has {describe(min(map(shown, rated[name])))}" for name in (baseline, system))
            raise InputError(
                f"{source}: {baseline} and {system} have no item in common ({examples}), so that what differs may be "
                "the items: name the column of what both wrote for (--item-column), or say that items were assigned "
                "to systems at random (--unpaired)"
            )


def called_as_outputs(table: RatingTable, outputs: Outputs) -> RatingTable:
    """Return ratings whose systems are called as the outputs, if the names differ only by the ends that all share.

    A note tells which is which.
    """
    if "system" not in table.frame or table.systems:
        return table
    rated = list(map(str, table.frame["system"].unique()))
    names = [name for name, _ in outputs]
    if not {alias for name in names for alias in aliases(name)}.isdisjoint(rated):
        return table
    alike = alike_but_for_ends(names, rated)
    if not alike:
        return table
    tell([alike_told(alike)])
    name_of = {known: name for name, known in alike.items()}
    return replace(table, frame=table.frame.assign(system=table.frame["system"].replace(name_of)))


def on_systems_without_outputs(table: RatingTable, outputs: Outputs) -> list[str]:
    """Say which rated systems have no outputs beside ratings, so that their ratings do not count; nothing of none."""
    if "system" not in table.frame:
        return []
    known = {alias for name, _ in outputs for alias in aliases(name)}
    rated = table.frame.dropna(subset="rating")["system"].astype(str).str.strip()
    others = rated[~rated.isin(known)]
    if others.empty:
        return []
    systems = shortened(", ".join(others.unique()), 300)
    return [f"left out: {len(others)} ratings of systems without outputs here: {systems}; give their outputs, too"]


def systems_of_files(table: RatingTable, outputs: Outputs) -> list[SystemRatings]:
    """Return systems with the outputs of their files, and the ratings that a table has of these.

    Rated outputs are found by their text, or for a study by their place (see `rated_places`). A text that a system gave
    several times is one output for each item; without items, for each time that one rater rated it; and if raters are
    not known either, as many of its outputs have the mean of its ratings as there are ratings, so that a random draw
    stays one.

    Outputs of two systems are paired by their place, or if the items say otherwise, by these.

    Raises:
        InputError: for texts that the system did not give, a table without texts, or without systems if there are
            several, and ratings of none of the systems.
    """
    frame = table.frame
    if "system" not in frame and len(outputs) > 1:
        raise InputError(
            f"{table.source}: there is no column 'system' (--system-column) that tells which system each rated output "
            "is of"
        )
    if "text" not in frame:
        by_item = "; `referenceless report` finds outputs by item and system, too" if "item" in frame else ""
        raise InputError(
            f"{table.source}: there is no column with the outputs by which ratings find those of {outputs[0][0]}; name "
            "it (--ratings-text-column, which is `text` where nothing is given), or leave out the systems' files"
            f"{by_item}"
        )
    known_names = {alias for name, _ in outputs for alias in aliases(name)}
    strange = sorted({*frame.get("system", ())} - known_names)
    if strange and not frame.loc[frame["system"].isin(known_names), "rating"].notna().any():
        raise InputError(
            f"{table.source}: the ratings are of {joined_names(strange)}, and the systems with outputs are "
            f"{joined_names(name for name, _ in outputs)}: no rating names one of these, and ratings of other systems "
            f"say nothing about what people think of these ({FROM_OTHERS}). If one file holds outputs of several "
            "systems, name its column of them, called as in the ratings (--system-column NAME); the system of a file "
            "is named by --name NAME=FILE. What a metric is worth on such ratings: "
            "`referenceless advise FILE -o advice`, and then --advice advice in place of --ratings"
        )
    rated = []
    for name, _ in outputs:
        rows = frame[frame["system"].isin(aliases(name))] if "system" in frame else frame
        rated.append(rows)
    n_missing = [int(rows["rating"].isna().sum()) for rows in rated]
    if "item" not in frame and "rater" not in frame:
        rated = [rows.dropna(subset="rating") for rows in rated]
        rated = [rows.assign(rating=rows.groupby("text")["rating"].transform("mean")) for rows in rated]
    places = rated_places(table, rated, outputs)
    placed, item_of = [], []
    for rows, at in zip(rated, places, strict=True):
        told = rows.assign(output=at)[at != NOWHERE]
        placed.append(told)
        items = told.drop_duplicates("item", keep="last")[["output", "item"]] if "item" in told else None
        item_of.append({} if items is None else dict(items.to_numpy()))
    # Pair outputs by their place, or if the items say otherwise, by these.
    pairs = {pair for of_place in item_of for pair in of_place.items()}
    by_place = len({len(texts) for _, texts in outputs}) == 1 and len(pairs) == len({item for _, item in pairs})
    return [
        _system(name, [at if by_place else of_place.get(at, (name, at)) for at in range(len(texts))], rows, missing)
        for (name, texts), rows, of_place, missing in zip(outputs, placed, item_of, n_missing, strict=True)
    ]


def _system(name: str, items: list[Any], rows: pd.DataFrame, n_missing: int) -> SystemRatings:
    """Return a system with its items, and with the data in rows on its outputs, which `output` numbers."""
    known, places = rows.dropna(subset="rating"), range(len(items))
    firsts = rows.drop_duplicates("output").set_index("output").reindex(places)
    clusters = None
    if "cluster" in rows:
        clusters = [
            cluster if isinstance(cluster, str) else ("", item)
            for cluster, item in zip(firsts["cluster"], items, strict=True)
        ]
    return SystemRatings(
        name,
        known.groupby("output")["rating"].mean().reindex(places).to_numpy(),
        firsts["estimates"].to_numpy() if "estimates" in rows else np.full(len(items), np.nan),
        items,
        known[["output", "rater", "rating"]] if "rater" in known else None,
        clusters,
        n_missing,
    )
