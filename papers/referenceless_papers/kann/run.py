"""The paper's evaluation on rated outputs: every metric's agreement with human ratings, whole and in parts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.assessment.meta_evaluation import fisher_interval, pearson
from referenceless_metrics.core.support.validation import Floats, check_ratings
from referenceless_papers.kann.columns import COMBINED_COLUMNS, LANGUAGE_MODEL_COLUMNS, baseline_columns
from referenceless_papers.kann.rated_outputs import RatedOutputs
from referenceless_papers.statistics import fisher_z_test, linear_map_mse
from slor_metric.estimator import SLOR, WPSLOR

#: The fewest texts for which a correlation is reported: Fisher's z needs four.
MIN_TEXTS = 4


@dataclass(frozen=True)
class Agreement:
    """Agreement of one metric with human ratings over one set of texts.

    Attributes:
        metric: the metric's name.
        pearson: Pearson's r.
        interval: its 95% confidence interval (Fisher's z).
        mse: mean squared error after the best linear map (Eq. 6), in squared units of the ratings.
        p_below_best: one-tailed p (Fisher's z) that the best metric of the set is no better; NaN for the best.
    """

    metric: str
    pearson: float
    interval: tuple[float, float]
    mse: float
    p_below_best: float


@dataclass(frozen=True)
class Section:
    """All metrics over one set of texts.

    Attributes:
        name: the set's name: `"all"`, or a system's or a domain's name.
        n: the number of texts that count: those on which every metric is defined.
        n_undefined: the number of texts left out because some metric is undefined.
        mean_rating: the mean human rating of the texts that count.
        rating_variance: its variance, which is the MSE of always predicting the mean.
        rows: one agreement per metric, in the order of the columns; empty for fewer than `MIN_TEXTS` texts.
    """

    name: str
    n: int
    n_undefined: int
    mean_rating: float
    rating_variance: float
    rows: tuple[Agreement, ...]

    @property
    def best(self) -> Agreement | None:
        """The metric with the highest correlation; None if none is defined."""
        defined = [row for row in self.rows if not math.isnan(row.pearson)]
        return max(defined, key=lambda row: row.pearson) if defined else None


@dataclass(frozen=True)
class Reproduction:
    """The paper's tables over one set of rated outputs.

    Attributes:
        source: the outputs' file.
        overall: all texts (as Table 3, and as Table 7 for combined metrics).
        by_system: the texts of each system (as Table 4); empty if systems are not told.
        by_domain: the texts of each domain (as Table 5); empty if domains are not told.
        left_out: metrics that could not be computed, each with the reason.
        notes: notes that a reader of the figures must know.
        models: the signature of each language model's metric.
        columns: every metric's scores, shape (n,) each, NaN if undefined.
        of_the_paper: whether these are the data on which the paper measured.
    """

    source: str
    overall: Section
    by_system: tuple[Section, ...]
    by_domain: tuple[Section, ...]
    left_out: Mapping[str, str]
    notes: tuple[str, ...]
    models: Mapping[str, str]
    columns: Mapping[str, Floats]
    of_the_paper: bool = False


def evaluate_columns(columns: Mapping[str, ArrayLike], ratings: ArrayLike, name: str = "all") -> Section:
    """Compare metrics with human ratings over the texts on which all of them are defined.

    Args:
        columns: each metric's scores, shape (n,), higher for better; NaN if undefined.
        ratings: the human ratings, shape (n,).
        name: name of the set of texts.

    Raises:
        ValueError: for columns of another length.
    """
    target = check_ratings(ratings, "ratings")
    values = {metric: np.asarray(column, dtype=np.float64) for metric, column in columns.items()}
    for metric, column in values.items():
        if column.shape != target.shape:
            raise ValueError(f"Expected column {metric!r} to have shape {target.shape}, but got {column.shape}")
    defined = np.logical_and.reduce([np.isfinite(column) for column in values.values()] or [np.isfinite(target)])
    target = target[defined]
    n = len(target)
    correlations = {metric: pearson(column[defined], target) for metric, column in values.items()} if n > 1 else {}
    best = max((r for r in correlations.values() if not math.isnan(r)), default=math.nan)
    rows = tuple(
        Agreement(
            metric=metric,
            pearson=r,
            interval=fisher_interval(r, n),
            mse=linear_map_mse(values[metric][defined], target),
            p_below_best=math.nan if r == best else fisher_z_test(best, r, n, n),
        )
        for metric, r in (correlations.items() if n >= MIN_TEXTS else ())
    )
    return Section(
        name=name,
        n=n,
        n_undefined=int((~defined).sum()),
        mean_rating=float(target.mean()) if n else math.nan,
        rating_variance=float(target.var()) if n else math.nan,
        rows=rows,
    )


def _by_label(columns: Mapping[str, Floats], ratings: Floats, labels: Sequence[str] | None) -> tuple[Section, ...]:
    if labels is None:
        return ()
    names = np.asarray(labels)
    return tuple(
        evaluate_columns({key: column[names == name] for key, column in columns.items()}, ratings[names == name], name)
        for name in sorted(set(labels))
    )


def reproduce(
    rated: RatedOutputs,
    *,
    word: SLOR | None = None,
    wordpiece: SLOR | None = None,
    stem: bool = False,
    svr: bool | None = None,
) -> Reproduction:
    """Evaluate every metric of the paper on rated outputs.

    Args:
        rated: the outputs, with references, systems and domains if there are any.
        word: SLOR over words; None for the packaged model, with `unknown="score"`, as in the paper.
        wordpiece: SLOR over WordPieces; None for the packaged model.
        stem: whether the overlap metrics stem tokens.
        svr: whether to fit the regression on ROUGE-L-mult and WPSLOR; None: if there are texts enough.

    Raises:
        ValueError: for no rated texts, or `svr=True` with fewer texts or groups than its ten folds.
    """
    word = SLOR(unknown="score") if word is None else word
    wordpiece = WPSLOR(unknown="score") if wordpiece is None else wordpiece
    ratings = np.asarray(rated.ratings, dtype=np.float64)
    left_out: dict[str, str] = {}
    if rated.references is None:
        left_out["the reference-based metrics"] = "the data has no references"
    elif svr is None:
        reason = _why_no_svr(rated)
        svr = reason is None
        if reason is not None:
            left_out[COMBINED_COLUMNS[0]] = reason
    columns = baseline_columns(
        rated.texts,
        rated.references,
        word=word,
        wordpiece=wordpiece,
        ratings=ratings if svr else None,
        groups=rated.groups,
        stem=stem,
    )
    return Reproduction(
        source=rated.source,
        overall=evaluate_columns(columns, ratings),
        by_system=_by_label(columns, ratings, rated.systems),
        by_domain=_by_label(columns, ratings, rated.domains),
        left_out=left_out,
        notes=_notes(columns, rated),
        models={word.name: word.signature, wordpiece.name: wordpiece.signature},
        columns=columns,
        of_the_paper=rated.is_compression_test_set,
    )


def _why_no_svr(rated: RatedOutputs) -> str | None:
    units = len(rated) if rated.groups is None else len(set(rated.groups))
    return None if units >= 10 else f"ten folds need ten {'texts' if rated.groups is None else 'groups'}"


def _notes(columns: Mapping[str, ArrayLike], rated: RatedOutputs) -> tuple[str, ...]:
    notes = [
        "Higher is better in every column; perplexities enter with a minus sign.",
        "MSE is that after the best linear map from scores to ratings (Eq. 6), in squared units of the ratings.",
        "p is one-tailed, by Fisher's z: how likely so large a lead of the best metric is if it were no better. It "
        "takes the correlations as independent.",
    ]
    if any(name in columns for name in LANGUAGE_MODEL_COLUMNS[:2]):
        notes.append("Language models were trained on other text and have seen no rating.")
    if COMBINED_COLUMNS[0] in columns:
        apart = "sources" if rated.groups is not None else "texts"
        notes.append(f"The regression is fitted to ratings: ten-fold cross-validation, {apart} of a fold unseen.")
    if COMBINED_COLUMNS[1] in columns:
        notes.append("ROUGE-LM takes z over all texts of the data, in the parts too.")
    return tuple(notes)
