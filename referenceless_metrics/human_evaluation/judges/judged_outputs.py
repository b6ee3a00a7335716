"""A judge's scores and people's ratings of the same outputs, joined by item and system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from referenceless_metrics.core.support.validation import ContentsError, Floats, Integers
from referenceless_metrics.human_evaluation.ratings.model_raters import JUDGES, MODELS, PEOPLE
from referenceless_metrics.human_evaluation.scores.mean_intervals import is_binary
from referenceless_metrics.human_evaluation.wording.phrases import givers_told

if TYPE_CHECKING:
    import pandas as pd

KEYS = ["system", "item"]

FEWEST_OUTPUTS = 10
"""Fewest outputs with a score and a rating from which agreement is told, and items for its interval."""

FEWEST_CLUSTERS_OF_R = 6
"""Fewest clusters for an interval of a correlation with people, or of a difference of two.

Of 2,000 draws each with 6 to 9 clusters, equal and unequal, 95 % intervals held in 94 to 98 % for ρ and for differences
of r, and for r in 93 to 96 %; of ratings that crowd at the top of their scale in 90 to 93 %, as with 10 clusters.
"""

SURE_CLUSTERS = 10
"""Number of clusters below which a note says how often such intervals hold."""


@dataclass(frozen=True, eq=False)
class JudgedOutputs:
    """n outputs with a judge's scores, some of them rated by people.

    Attributes:
        frame: a row each with `system`, `item`, `judge`, `human` (the mean rating, NaN without one) and, as far as they
            are known, `text`, `cluster`, `slice`, `position`, `format` and `earlier` (the judge's score before).
        ratings: the single ratings of outputs with a score: `system`, `item`, `rating` and, if known, `rater`.
        are_verdicts: whether judge and people say 0 or 1; people's mean rating is then the answer of most of them, and
            NaN if as many say the one as the other.
        notes: outputs that were left out, in sentences.
        name: name of the scores.
        described: the scores as a sentence of a paper names them; "" for the name alone.
        signature: of the metric that gave the scores; "" if it is not known.
        criterion: the criterion by which people rated; "" if there is one only.
        asked: that of all ratings, as their column is called; "" if its name says none.
        unscored: the mean ratings of outputs without a score.
        clusters_are_items: whether the clusters are what outputs were made for, since texts join scores and ratings.
        given_by: who gave the ratings; see `ratings.model_raters`.
        files: the files of the scores, whose names may tell that lower is better; none if they are not known.
    """

    frame: pd.DataFrame
    ratings: pd.DataFrame
    are_verdicts: bool
    notes: tuple[str, ...]
    name: str = "score"
    described: str = ""
    signature: str = ""
    criterion: str = ""
    unscored: tuple[float, ...] = ()
    clusters_are_items: bool = False
    given_by: str = PEOPLE
    files: tuple[str, ...] = ()
    asked: str = ""

    @property
    def are_of_judges(self) -> bool:
        """Whether names tell that judges gave the ratings."""
        return self.given_by in (MODELS, JUDGES)

    @property
    def givers(self) -> str:
        """The givers of the ratings, in words, or the ratings if nobody knows who gave them."""
        return givers_told(self.given_by)

    @property
    def rated(self) -> pd.DataFrame:
        """The rows that people rated."""
        return self.frame[self.frame["human"].notna()]


def clusters_of(rows: pd.DataFrame) -> Integers:
    """Return the number of each row's cluster or item: outputs of one are not independent, shape (n,)."""
    names = rows["item"].astype(str)
    if "cluster" in rows:
        names = rows["cluster"].map("in:{}".format).where(rows["cluster"].notna(), "alone:" + names)
    codes: Integers = np.unique(names, return_inverse=True)[1]
    return codes


def fewest_parts(rows: pd.DataFrame) -> int:
    """Return the fewest items, or clusters if they are known, for an interval of a correlation."""
    return FEWEST_CLUSTERS_OF_R if "cluster" in rows else FEWEST_OUTPUTS


def judged_outputs(scores: pd.DataFrame, ratings: pd.DataFrame, earlier: pd.DataFrame | None = None) -> JudgedOutputs:
    """Join a judge's scores with people's ratings, and with the judge's earlier scores.

    Args:
        scores: rows with `item`, `judge` and, as far as they are known, `system`, `text`, `cluster`, `slice`,
            `position` and `format`; an output once.
        ratings: rows with `item`, `rating` and `system` if `scores` have it; several of an output are averaged. The
            `cluster` of an output and the `rater` of a rating may stand here, too.
        earlier: rows with `item`, `judge` and `system`, of the same outputs; None without.

    Raises:
        ContentsError: for outputs that stand twice, and fewer than `FEWEST_OUTPUTS` that have a score and a rating.
    """
    joined = _keyed(scores, "the scores")
    twice = joined[joined.duplicated(KEYS)]
    if len(twice):
        system, item = twice.iloc[0][KEYS]
        raise ContentsError(
            f"the scores hold item {item!r} of system {system!r} twice, with different "
            "scores: name the column that tells them apart (--item-column)"
        )
    with_blanks = _keyed(ratings, "the ratings")
    rated = with_blanks.dropna(subset="rating")
    are_verdicts = is_binary(joined["judge"].to_numpy(dtype=float), rated["rating"].to_numpy(dtype=float))
    human = rated.groupby(KEYS, sort=False)["rating"].mean().rename("human")
    if are_verdicts:
        human = human.where(human != 0.5).round()
    notes = []
    n_tied = int(human.isna().sum())
    if n_tied:
        notes.append(f"{n_tied} outputs are left out, since as many raters say yes as no.")
    joined = joined.merge(human.reset_index(), how="left", on=KEYS)
    if "cluster" in rated and "cluster" not in joined:
        joined = joined.merge(rated.groupby(KEYS, sort=False)["cluster"].first().reset_index(), how="left", on=KEYS)
    n_rated = int(joined["human"].notna().sum())
    n_strange = len(human) - n_tied - n_rated
    if n_strange:
        notes.append(f"{n_strange} rated outputs have no score, and do not count.")
    if n_rated < FEWEST_OUTPUTS:
        raise ContentsError(
            f"{n_rated} outputs have a score and a rating, and at least {FEWEST_OUTPUTS} are needed: "
            f"{_on_few(joined, rated, with_blanks)}"
        )
    if earlier is not None:
        before = _keyed(earlier, "the earlier scores").drop_duplicates(KEYS)[[*KEYS, "judge"]]
        joined = joined.merge(before.rename(columns={"judge": "earlier"}), how="left", on=KEYS)
    singles = rated[[*KEYS, "rating", *(["rater"] if "rater" in rated else [])]].merge(joined[KEYS], on=KEYS)
    is_unscored = ~human.index.isin(joined.set_index(KEYS).index)
    unscored = human[is_unscored].dropna().tolist()
    return JudgedOutputs(joined, singles, are_verdicts, tuple(notes), unscored=tuple(unscored))


def without_documents(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows whose items are told without the cluster that their names begin with, as tools name documents.

    The rows stay as they are if no item is named so, or if one name would then be of items in two clusters.
    """
    if not {"item", "cluster"} <= set(rows):
        return rows
    names = [str(item[-1] if isinstance(item, tuple) else item) for item in rows["item"]]
    bare = [name.removeprefix(f"{cluster}/") for name, cluster in zip(names, rows["cluster"], strict=True)]
    if len(set(bare)) < rows["item"].nunique():
        return rows
    return rows.assign(item=bare)


def errors(rows: pd.DataFrame, *, are_verdicts: bool) -> Floats:
    """Return the distance of a judge above people on each output, shape (n,).

    Of verdicts that is −1, 0 or 1. Other scores may have a unit of their own: both are brought to variance 1 first, and
    errors to mean 0.
    """
    judge, human = (rows[name].to_numpy(dtype=float) for name in ("judge", "human"))
    if not are_verdicts:
        judge, human = _standardised(judge), _standardised(human)
    above: Floats = judge - human
    return above


def _standardised(values: Floats) -> Floats:
    spread = float(values.std())
    standardised: Floats = (values - values.mean()) / (spread if spread > 0 else 1.0)
    return standardised


def _keyed(rows: pd.DataFrame, what: str) -> pd.DataFrame:
    """Return rows whose items and systems are names; without systems all are of one.

    Raises:
        ContentsError: for rows without items.
    """
    if "item" not in rows:
        raise ContentsError(f"{what} have no column of items, by which they are joined (--item-column)")
    systems = rows["system"].astype(str).str.strip() if "system" in rows else ""
    return rows.assign(item=rows["item"].astype(str).str.strip(), system=systems)


def _on_few(joined: pd.DataFrame, rated: pd.DataFrame, with_blanks: pd.DataFrame) -> str:
    """Return why few outputs have a score and a rating: names that the other side lacks, or few outputs on one side.

    Args:
        joined: the outputs with a score.
        rated: the ratings.
        with_blanks: the rows of ratings, also those without one.
    """
    unrated = joined[joined["human"].isna()]
    keys, of_rated, of_rows = (each.set_index(KEYS).index for each in (unrated, rated, with_blanks))
    n_blank = int((keys.isin(of_rows) & ~keys.isin(of_rated)).sum())
    if n_blank:
        return f"{len(joined)} have a score, of which {n_blank} stand without a rating in the file of ratings"
    unscored = rated[~rated.set_index(KEYS).index.isin(joined.set_index(KEYS).index)]
    if len(unrated) and len(unscored):
        examples = f"(scores: {_example(unrated)}; ratings: {_example(unscored)})"
        return f"items and systems must be called alike in both {examples}"
    return f"{len(joined)} have a score, and {len(rated.drop_duplicates(KEYS))} a rating"


def _example(rows: pd.DataFrame) -> str:
    return ", ".join(f"{name} {rows.iloc[0][name]!r}" for name in KEYS) if len(rows) else "none"
