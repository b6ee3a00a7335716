"""Contributions of tokens to a text's SLOR: ln p_M(token | the tokens before it) − ln p_u(token).

Their mean is SLOR (Kann, Rothe & Filippova 2018, Eq. 1–2), so they tell which tokens make a text fluent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from referenceless_metrics.core.support.validation import Booleans, Floats, check_texts
from slor_metric.estimator import SLOR
from slor_metric.language_models.base import TokenLogprobs
from slor_metric.language_models.known import cap_unknown_log_odds, flags_of_pieces, unknown_tokens
from slor_metric.tokenizers.words import UNKNOWN


@dataclass(frozen=True)
class TokenContributions:
    """The tokens of one text under a metric's two models.

    Attributes:
        pieces: the language model's own tokens, n of them.
        surfaces: the same tokens as written in the text, if the tokeniser tells; they show unknown tokens in letters.
        logprobs: ln p_M of each token given those before it, shape (n,), in nats.
        unigram_logprobs: ln p_u of each token, shape (n,), in nats.
        unknown: True for tokens that the model does not know, shape (n,).
        unknown_surplus: log-odds that unknown tokens would earn by following one another and that are taken off, shape
            (n,), in nats; 0 under the metric's rule `unknown="score"`.
    """

    pieces: tuple[str, ...]
    surfaces: tuple[str, ...]
    logprobs: Floats
    unigram_logprobs: Floats
    unknown: Booleans
    unknown_surplus: Floats

    def __len__(self) -> int:
        return len(self.pieces)

    @property
    def contributions(self) -> Floats:
        """Contributions of tokens, ln p_M − ln p_u less `unknown_surplus`, shape (n,), in nats; their mean is SLOR."""
        return self.logprobs - self.unigram_logprobs - self.unknown_surplus

    @property
    def score(self) -> float:
        """The text's SLOR, if the metric does not abstain; NaN for a text without tokens."""
        return float(self.contributions.mean()) if len(self) else np.nan


def token_contributions(metric: SLOR, texts: Iterable[str]) -> list[TokenContributions]:
    """Return the contribution of each token of each text to the text's score.

    Args:
        metric: `SLOR` or `WPSLOR`.
        texts: n texts, not a bare string.

    Raises:
        TypeError: for a bare string or an item that is no string.
        ValueError: for a metric without a unigram model.

    >>> from slor_metric import WPSLOR
    >>> metric = WPSLOR()
    >>> found = token_contributions(metric, ["the cat sat on the mat ."])[0]
    >>> found.pieces[:2], round(abs(float(found.score - metric.predict(["the cat sat on the mat ."]).values[0])), 9)
    (('the', 'cat'), 0.0)
    """
    checked = check_texts(texts, "texts", missing=True)
    if metric.unigram_model is None:
        raise ValueError(f"Expected a metric with a unigram model, but measure={metric.measure!r} was made without one")
    scored = metric.language_model.token_logprobs(checked)
    return [_of_text(metric, text, each) for text, each in zip(checked, scored, strict=True)]


def _of_text(metric: SLOR, text: str, scored: TokenLogprobs) -> TokenContributions:
    """Return the contribution of each token of one text; the metric has a unigram model."""
    assert metric.unigram_model is not None
    unigram = np.asarray(metric.unigram_model.logprobs(scored.pieces), dtype=float)
    unknown = unknown_tokens(flags_of_pieces(metric.language_model, scored.pieces))
    odds = scored.logprobs - unigram
    unknown_surplus = np.zeros(len(odds))
    if metric.abstains_:
        unknown_surplus = odds - cap_unknown_log_odds(odds, unknown, np.array([0, len(odds)]))
    return TokenContributions(
        pieces=scored.pieces,
        surfaces=_surfaces(metric, text, scored.pieces),
        logprobs=scored.logprobs,
        unigram_logprobs=unigram,
        unknown=unknown,
        unknown_surplus=unknown_surplus,
    )


def _surfaces(metric: SLOR, text: str, pieces: Sequence[str]) -> tuple[str, ...]:
    """Return how each token stands in the text; unknown ones as their tokeniser cut them, if that is known."""
    if UNKNOWN not in pieces:
        return tuple(pieces)
    split = getattr(getattr(metric.language_model, "tokenizer", None), "split_chunk", None)
    if split is None:
        return tuple(pieces)
    surfaces: list[str] = []
    for chunk in text.split():
        cut = split(chunk)
        surfaces += [chunk] if cut == [UNKNOWN] else cut  # a chunk of one unknown token is that token
    return tuple(surfaces) if len(surfaces) == len(pieces) else tuple(pieces)
