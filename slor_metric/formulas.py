"""SLOR and its relatives as functions on arrays (Kann, Rothe & Filippova 2018, Equations 1 to 4).

WPSLOR is SLOR with word pieces as its tokens: the sum of log-probabilities is divided by their number.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.core.support.validation import Floats, Integers


def slor(model_logprob: ArrayLike, unigram_logprob: ArrayLike, length: ArrayLike) -> Floats:
    """Syntactic log-odds ratio: SLOR(S) = (ln p_M(S) − ln p_u(S)) / |S|.

    Source: Kann et al. 2018, Equations 1 and 2; first by Pauls & Klein 2012 and Lau, Clark & Lappin 2017.

    Args:
        model_logprob: ln p_M(S) of each text under the language model, shape (n,), in nats.
        unigram_logprob: ln p_u(S) = Σ ln p(t) over the same tokens, shape (n,), in nats.
        length: |S|, the number of those tokens, shape (n,).

    Returns:
        Nats per token, shape (n,); NaN if a text has no token.

    >>> slor([-9.0], [-15.0], [3])
    array([2.])
    """
    return _per_token(np.asarray(model_logprob, dtype=float) - np.asarray(unigram_logprob, dtype=float), length)


def nce(model_logprob: ArrayLike, length: ArrayLike) -> Floats:
    """Negative cross-entropy: NCE(S) = ln p_M(S) / |S|.

    Source: Kann et al. 2018, Equation 3.

    Args:
        model_logprob: ln p_M(S), shape (n,), in nats.
        length: |S|, shape (n,).

    Returns:
        Nats per token, shape (n,), at most 0; NaN if a text has no token.

    >>> nce([-9.0, 0.0], [3, 0])
    array([-3., nan])
    """
    return _per_token(np.asarray(model_logprob, dtype=float), length)


def perplexity(model_logprob: ArrayLike, length: ArrayLike) -> Floats:
    """Perplexity: PPL(S) = exp(−NCE(S)).

    Source: Kann et al. 2018, Equation 4.

    Args:
        model_logprob: ln p_M(S), shape (n,), in nats.
        length: |S|, shape (n,).

    Returns:
        Shape (n,), at least 1; infinite if a text has a probability of 0, NaN if it has no token.

    >>> perplexity([-3.0], [3]).round(4)
    array([2.7183])
    """
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(-nce(model_logprob, length)))


def penlp(model_logprob: ArrayLike, length: ArrayLike, alpha: float = 0.8) -> Floats:
    """Log-probability with a length penalty: PenLP(S) = ln p_M(S) / ((5 + |S|) / 6)^α.

    Source: Wu et al. 2016, Equation 14; for acceptability Lau et al. 2020 (α = 0.8).

    Args:
        model_logprob: ln p_M(S), shape (n,), in nats.
        length: |S|, shape (n,).
        alpha: the exponent.

    Returns:
        Shape (n,), at most 0; NaN if a text has no token.

    >>> penlp([-9.0, 0.0], [7, 0]).round(3)
    array([-5.169,    nan])
    """
    lengths = np.asarray(length, dtype=float)
    penalty = ((5 + lengths) / 6) ** alpha
    return np.where(lengths > 0, np.asarray(model_logprob, dtype=float) / penalty, np.nan)


def normlp(model_logprob: ArrayLike, unigram_logprob: ArrayLike) -> Floats:
    """Log-probability over that of the unigram model: NormLP(S) = −ln p_M(S) / ln p_u(S) (Lau, Clark & Lappin 2017).

    Returns:
        Shape (n,), at most 0; NaN if the unigram model is certain of a text, as of one without tokens.

    >>> normlp([-9.0, 0.0], [-12.0, 0.0])
    array([-0.75,   nan])
    """
    unigram = np.asarray(unigram_logprob, dtype=float)
    return np.asarray(
        np.divide(-np.asarray(model_logprob), unigram, out=np.full(unigram.shape, np.nan), where=unigram < 0)
    )


def powslor(
    model_logprob: ArrayLike,
    unigram_logprob: ArrayLike,
    length: ArrayLike,
    length_power: float = 1.2,
    unigram_power: float = 1.25,
) -> Floats:
    """SLOR with fitted exponents: PowSLOR(S) = (ln p_M(S) − b ln p_u(S)) / |S|^a, with a = 1.2 and b = 1.25.

    SLOR has a = b = 1. Fitted on eight sets of rated sentences, a is 1.21 to 1.28 and b 1.14 to 1.30 with the packaged
    models over words, over WordPieces and the small one (`referenceless reproduce fluency-choice --exponents`).

    Args:
        model_logprob: ln p_M(S), shape (n,), in nats.
        unigram_logprob: ln p_u(S), shape (n,), in nats.
        length: |S|, shape (n,).
        length_power: a.
        unigram_power: b, the exponent of p_u(S).

    Returns:
        Shape (n,); NaN if a text has no token.

    >>> powslor([-9.0, 0.0], [-15.0, 0.0], [3, 0]).round(3)
    array([2.609,   nan])
    """
    lengths = np.asarray(length, dtype=float)
    surplus = np.asarray(model_logprob, dtype=float) - unigram_power * np.asarray(unigram_logprob, dtype=float)
    return np.asarray(np.divide(surplus, lengths**length_power, out=np.full(lengths.shape, np.nan), where=lengths > 0))


#: From ln p_M, ln p_u and the length of texts to their score: the measures of Lau, Clark & Lappin (2017, 2020) by name,
#: and SLOR with fitted exponents.
MEASURES: dict[str, Callable[[Floats, Floats, Integers], Floats]] = {
    "slor": slor,
    "lp": lambda model, unigram, length: np.where(length > 0, model, np.nan),
    "meanlp": lambda model, unigram, length: nce(model, length),
    "penlp": lambda model, unigram, length: penlp(model, length),
    "normlp": lambda model, unigram, length: normlp(model, unigram),
    "powslor": powslor,
}
#: Those that read no unigram model.
WITHOUT_UNIGRAM = ("lp", "meanlp", "penlp")


def sum_by_text(values: ArrayLike, offsets: ArrayLike) -> Floats:
    """Sum token values over each text of a flat batch.

    Args:
        values: one value per token, all texts after one another, shape (tokens,).
        offsets: text i holds the tokens from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).

    Returns:
        Shape (n,); 0 for a text without tokens. A text's sum does not depend on the other texts.

    >>> sum_by_text([1.0, 2.0, 4.0], [0, 2, 2, 3])
    array([3., 0., 4.])
    """
    bounds = np.asarray(offsets, dtype=np.int64)
    sums = np.zeros(max(len(bounds) - 1, 0))
    filled = np.flatnonzero(bounds[1:] > bounds[:-1])
    if len(filled):
        # Empty texts must be left out: `reduceat` gives them the value at their start.
        sums[filled] = np.add.reduceat(np.asarray(values, dtype=float), bounds[filled])
    return sums


def _per_token(total: Floats, length: ArrayLike) -> Floats:
    lengths = np.asarray(length, dtype=float)
    if total.shape != lengths.shape:
        raise ValueError(
            f"Expected one length for each log-probability, but got shapes {total.shape} and {lengths.shape}"
        )
    return np.asarray(np.divide(total, lengths, out=np.full(total.shape, np.nan), where=lengths > 0))
