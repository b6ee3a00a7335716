"""HUSE: quality and diversity of a system in one figure (Hashimoto, Zhang & Liang 2019).

A text is a point with two coordinates: its mean judgement, and its log-probability per token under the model. HUSE is
twice the error of the best classifier that tells the model's texts from people's, estimated by leave-one-out with k
nearest neighbours: 1 if they cannot be told apart, 0 if they always can. From the judgement alone it is HUSE-Q,
quality. The difference is diversity, HUSE-D = 1 + HUSE - HUSE-Q.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bleu_neighbors_metric.pool_source import bleu_neighbors
from referenceless_metrics.core.support.validation import Booleans, Floats, check_ratings, check_texts
from slor_metric.language_models import load_language_model

_NEIGHBORS = 15  # k


def huse_score(judgements: Floats, logprobs: Floats, is_model: Booleans) -> dict[str, Any]:
    """Return HUSE, HUSE-Q and HUSE-D as `huse`, `huse_q` and `huse_d`; `intervals`: the ends of their 95 % intervals.

    Both coordinates are divided by their standard deviation. As in the authors' code, all points that are no farther
    than the (k + 1)-th nearest other point vote, so that ties in distance need no order, and a tied vote goes to
    people. A figure may exceed 1 by chance. The bootstrap resamples texts with their errors, without searching
    neighbours again, so that intervals are somewhat narrow (of 100 simulated samples of 100 texts of each kind, 90
    contained the mean).

    Args:
        judgements: the mean judgement of each text, shape (n,), in any unit.
        logprobs: the log-probability per token of each text, shape (n,), in any unit.
        is_model: whether the model wrote the text, shape (n,); half of the texts are people's.

    Raises:
        ValueError: for unequal lengths, a side that does not vary, or no more than k + 1 texts.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> human, worse = rng.normal(3, 1, 200), rng.normal(-3, 1, 200)
    >>> score = huse_score(np.r_[human, worse], rng.normal(-2, 1, 400), np.arange(400) >= 200)
    >>> score["huse"] < 0.05, score["huse_q"] < 0.05
    (True, True)
    """
    n = len(is_model)
    if n < _NEIGHBORS + 2:
        raise ValueError(f"HUSE needs at least {_NEIGHBORS + 2} texts with quality and log-probability, but got {n}")
    points = np.column_stack([judgements, logprobs])
    if not np.ptp(points, axis=0).all():
        raise ValueError("Expected judgements and log-probabilities to vary: otherwise nothing can be told apart")
    points /= points.std(axis=0)
    errors = np.stack([leave_one_out_errors(points[:, :used], is_model, _NEIGHBORS) for used in (2, 1)])
    rng = np.random.default_rng(12345)
    draws = [errors[:, rng.integers(0, n, n)].mean(axis=1) for _ in range(1000)]
    both, judged = 2 * np.column_stack([errors.mean(axis=1), *draws])
    figures = {"huse": both, "huse_q": judged, "huse_d": 1 + both - judged}
    intervals = {name: np.quantile(drawn[1:], (0.025, 0.975)).tolist() for name, drawn in figures.items()}
    return {**{name: float(drawn[0]) for name, drawn in figures.items()}, "intervals": intervals}


def leave_one_out_errors(points: Floats, labels: Booleans, n_neighbors: int) -> Booleans:
    """Return whether the majority of a point's neighbours has the other label, each point left out in turn, shape (n,).

    Args:
        points: shape (n, d).
        labels: shape (n,); a tied vote counts as False.
        n_neighbors: k; all points vote that are as near as the (k + 1)-th nearest other point.
    """
    voted = labels.copy()
    for row, point in enumerate(points):
        distance = ((points - point) ** 2).sum(axis=1)
        distance[row] = np.inf
        voted[row] = labels[distance <= np.partition(distance, n_neighbors)[n_neighbors]].mean() > 0.5
    return voted ^ labels


@dataclass(frozen=True)
class HUSE:
    """Twice the error of telling outputs from people's texts, by quality and log-probability.

    HUSE is 1 if they cannot be told apart and 0 if they always can, so that higher is better. HUSE is defined with the
    log-probabilities of the model that wrote the outputs; those of another language model tell less.

    Args:
        quality: two lists of ratings, of the outputs and of people's texts; or a file of rated texts, for estimates by
            BLEU Neighbors, which gives the rated texts themselves none.
        logprobs: a language model, by name or path (see `load_language_model`), for the mean log-probability of a
            text's tokens; or two lists of such values, of the outputs and of people's texts.

    >>> import numpy as np
    >>> quality, logprobs = np.random.default_rng(0).normal(size=(2, 2, 50))
    >>> HUSE(quality, logprobs).compute(["a cat sat"] * 50, [f"cat {n} sat" for n in range(50)])["huse"] > 0.7
    True
    """

    quality: Any
    logprobs: Any

    def compute(self, outputs: Sequence[str], human_texts: Sequence[str]) -> dict[str, Any]:
        """Compare outputs with texts that people wrote.

        Texts without quality or log-probability are left out.

        Returns:
            The result of `huse_score`, and `coverage`: the share of texts that have both values.

        Raises:
            TypeError: for a bare string, an item that is no string, or values that are no numbers.
            ValueError: like `huse_score`, for unequal numbers of outputs and people's texts, or of texts and values.
        """
        kinds = [check_texts(outputs, "outputs"), check_texts(human_texts, "human_texts")]
        n = len(kinds[0])
        if n != len(kinds[1]):
            raise ValueError(f"HUSE needs as many texts of people as outputs, but got {len(kinds[1])} and {n}")
        texts = kinds[0] + kinds[1]
        if isinstance(self.quality, str):
            quality = bleu_neighbors(self.quality, exclude_rated=True).predict(texts).values
        else:
            quality = check_ratings(np.concatenate(self.quality), "quality", length=2 * n)
        if isinstance(self.logprobs, str):
            probabilities = load_language_model(self.logprobs).token_logprobs(texts)
            logprobs = np.array([one.logprobs.mean() if len(one) else np.nan for one in probabilities])
        else:
            logprobs = check_ratings(np.concatenate(self.logprobs), "logprobs", length=2 * n)
        covered = np.isfinite(quality + logprobs)
        scores = huse_score(quality[covered], logprobs[covered], np.arange(2 * n)[covered] < n)
        return {**scores, "coverage": float(covered.mean())}
