"""The metrics that Kann, Rothe & Filippova (2018) compare, as columns over one set of texts.

All columns are oriented alike, higher for better: perplexities enter with a minus sign.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referenceless_metrics.core.metric import check_references
from referenceless_metrics.core.support.validation import check_ratings, check_texts, check_whole
from referenceless_papers.kann.reference_overlap import ngram_overlap_mult, rouge_l_single
from slor_metric.estimator import SLOR
from slor_metric.rouge.rouge_lm import References, rouge_l_mult, rouge_lm

Column = NDArray[np.float64]

#: Columns by language model and by references, in the order of the paper's Table 3; then those that combine both.
LANGUAGE_MODEL_COLUMNS = ("WordSLOR", "WPSLOR", "WordNCE", "WPNCE", "WordPPL", "WPPPL")
REFERENCE_COLUMNS = ("ROUGE-L-mult", "LR3-F-mult", "LR2-F-mult", "LR3-R-mult", "ROUGE-L-single")
COMBINED_COLUMNS = ("SVR(ROUGE-L-mult, WPSLOR)", "ROUGE-LM")


def language_model_columns(texts: Sequence[str], metric: SLOR, prefix: str) -> dict[str, Column]:
    """SLOR, NCE and −PPL of each text from one pass of a language model.

    Args:
        texts: n texts.
        metric: `SLOR` or `WPSLOR`, with its models.
        prefix: beginning of the columns' names: `"Word"` or `"WP"`.

    Returns:
        Three columns of shape (n,); NaN for a text without tokens.
    """
    result = metric.predict(texts)
    return {
        f"{prefix}SLOR": result.values,
        f"{prefix}NCE": result.nce,
        f"{prefix}PPL": -result.perplexity,
    }


def reference_columns(
    texts: Sequence[str],
    references: References,
    *,
    tokenize: str = "unicode",
    stem: bool = False,
) -> dict[str, Column]:
    """ROUGE-L and n-gram overlap of each text with its references; see `slor_metric.rouge.rouge_lm`.

    Returns:
        Columns of shape (n,), named as in `REFERENCE_COLUMNS`.
    """
    lists = check_references(references, len(texts))
    functions: tuple[Callable[..., Column], ...] = (
        rouge_l_mult,
        partial(ngram_overlap_mult, order=3, measure="f"),
        partial(ngram_overlap_mult, order=2, measure="f"),
        partial(ngram_overlap_mult, order=3, measure="r"),
        rouge_l_single,
    )
    return {
        name: function(texts, lists, tokenize=tokenize, stem=stem)
        for name, function in zip(REFERENCE_COLUMNS, functions, strict=True)
    }


def svr_column(
    features: ArrayLike, ratings: ArrayLike, *, groups: Sequence[Hashable] | None = None, folds: int = 10
) -> Column:
    """Out-of-fold predictions of a support vector regression with scikit-learn's default parameters.

    Unlike the other columns this one learns from ratings, so each text is rated by a model that has not seen it,
    nor any text of its group. Features and ratings are standardised on the training folds, so that the result does
    not depend on their units.

    Args:
        features: shape (n, k); rows that are not finite are left undefined.
        ratings: the human ratings, shape (n,).
        groups: the source sentence of each text, n values; None for texts that are independent.
        folds: the number of folds.

    Returns:
        One prediction per text, shape (n,), in units of the ratings; NaN if a feature is undefined.

    Raises:
        ValueError: for fewer texts or groups than folds.
    """
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.model_selection import GroupKFold, KFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVR

    check_whole(folds, "folds", 2)
    table = np.asarray(features, dtype=np.float64)
    target = check_ratings(ratings, "ratings", length=len(table))
    defined = np.isfinite(table).all(axis=1)
    labels = None if groups is None else np.unique([str(group) for group in groups], return_inverse=True)[1][defined]
    n_units = int(defined.sum()) if labels is None else len(np.unique(labels))
    if n_units < folds:
        what = "texts" if groups is None else "groups"
        raise ValueError(f"Expected at least as many {what} as the {folds} folds, but got {n_units}")
    model = TransformedTargetRegressor(make_pipeline(StandardScaler(), SVR()), transformer=StandardScaler())
    splitter = KFold(folds, shuffle=True, random_state=0) if labels is None else GroupKFold(folds)
    predictions = np.full(len(table), np.nan)
    predictions[defined] = cross_val_predict(model, table[defined], target[defined], groups=labels, cv=splitter)
    return predictions


def baseline_columns(
    texts: Sequence[str],
    references: References | None = None,
    *,
    word: SLOR | None = None,
    wordpiece: SLOR | None = None,
    ratings: ArrayLike | None = None,
    groups: Sequence[Hashable] | None = None,
    tokenize: str = "unicode",
    stem: bool = False,
) -> dict[str, Column]:
    """Every metric of the paper that the given inputs allow, over one set of texts.

    Args:
        texts: n texts.
        references: for each text a list of reference texts; None leaves out the columns that need them.
        word: SLOR over words; None leaves out the Word columns.
        wordpiece: SLOR over WordPieces; None leaves out the WP columns and those that combine with WPSLOR.
        ratings: human ratings, shape (n,), for the regression only; None leaves it out.
        groups: the source of each text, for the regression's folds; see `svr_column`.
        tokenize: the tokeniser of the overlap metrics.
        stem: whether they stem tokens.

    Returns:
        Columns of shape (n,) by name, in the order of the paper's Table 3, the combined ones last; higher is better in
        all of them; NaN if undefined.

    Raises:
        TypeError: for texts or references that are none.
        ValueError: for no texts, or references of another number.
    """
    checked = check_texts(texts, "texts", allow_empty=False)
    found: dict[str, Column] = {}
    if word is not None:
        found |= language_model_columns(checked, word, "Word")
    if wordpiece is not None:
        found |= language_model_columns(checked, wordpiece, "WP")
    if references is not None:
        found |= reference_columns(checked, references, tokenize=tokenize, stem=stem)
        if wordpiece is not None:
            parts = found["ROUGE-L-mult"], found["WPSLOR"]
            if ratings is not None:
                found[COMBINED_COLUMNS[0]] = svr_column(np.column_stack(parts), ratings, groups=groups)
            found[COMBINED_COLUMNS[1]] = rouge_lm(*parts)
    order = (*LANGUAGE_MODEL_COLUMNS, *REFERENCE_COLUMNS, *COMBINED_COLUMNS)
    return {name: found[name] for name in order if name in found}
