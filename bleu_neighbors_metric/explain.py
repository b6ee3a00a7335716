"""The web page of BLEU Neighbors: a rated pool with its verdict, and the neighbours of a candidate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from bleu_neighbors_metric.options import AUTOMATIC, WEIGHT_METHODS
from bleu_neighbors_metric.pool import MOST_LEFT_OUT
from bleu_neighbors_metric.tokenizers import tokenize
from bleu_neighbors_metric.tuning.calibration import Calibration, attach_calibration, calibrate
from bleu_neighbors_metric.tuning.coverage import coverage_curves
from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.pages.app.explainer import Column, Explainer, Report, Scored
from referenceless_metrics.pages.app.layout import Control
from referenceless_metrics.pages.charts import LARGE, histograms, lines

TOKENIZERS = ("char", "char-nospace", "13a", "intl", "zh", "none")
"""Tokenisers that need no package or download of their own."""

_LONGEST_COMPARED = 2_000  # most characters in which n-grams are highlighted


class Piece(NamedTuple):
    """A piece of a text, and whether it consists of n-grams that another text has, too."""

    text: str
    shared: bool


class NeighborsExplainer(Explainer):
    """The page of BLEU Neighbors. A pool is calibrated once; a large one is not."""

    text = "candidate"
    value = "estimate"
    unit = "in the unit of the ratings"
    takes_pool = True
    templates = __package__
    settings = (
        Control("threshold", "Number", value=None, label="Threshold τ", info="Empty: the strictest that covers most."),
        Control("min_neighbors", "Number", value=5, precision=0, minimum=1, label="Fewest neighbours"),
        Control(
            "max_fraction",
            "Slider",
            maximum=1,
            value=0.66,
            step=0.01,
            label="Largest share of the pool",
            info="1 for long texts.",
        ),
        Control("tokenize", "Dropdown", choices=TOKENIZERS, value="char", label="Tokens"),
        Control(
            "weights", "Dropdown", choices=WEIGHT_METHODS, value=AUTOMATIC["weights"], label="Weights of neighbours"
        ),
    )
    heading = "Why this estimate?"
    choices = (
        Control("n_neighbors", "Slider", minimum=1, maximum=50, value=10, step=1, label="Rated texts shown", scale=2),
        Control("order", "Radio", choices=[2, 3, 4], value=4, label="Mark shared n-grams of order", scale=2),
    )
    credit = "Ethayarajh and Sadigh (2020), *BLEU Neighbors: A Reference-less Approach to Automatic Evaluation*."

    def introduction(self) -> str:
        """Return the beginning of the page, in Markdown."""
        return """# BLEU Neighbors

How good is a text, when there is no reference to compare it with? BLEU Neighbors looks in a **pool of rated texts**
for those that resemble it and takes the mean of their ratings; where too few or too many do, it says so instead of
guessing. Estimates are in the unit of the ratings and hold for texts like those of the pool.

Give candidates and a pool, or try the example: a dozen sentences and 96 rated ones, written for this page.
"""

    def example(self) -> Mapping[str, Iterable[str]]:
        """Return the packaged candidates and pool."""
        pool = example_pool()
        rated = zip(pool.texts, pool.ratings, strict=True)
        return {"texts": example_candidates(), "pool": [f"{text}\t{rating:.12g}" for text, rating in rated]}

    def prepare(
        self, given: Mapping[str, Any], settings: Mapping[str, Any], report: Report
    ) -> tuple[BLEUNeighbors, Calibration | None]:
        """Return an estimator with the pool, and its calibration if that takes no longer than a visitor waits."""
        pool: RatedTexts = given["pool"]
        report(0.05, f"reading {len(pool):,} rated texts")
        parameters = dict(settings)
        if parameters.get("threshold", 0.0) is None:
            parameters["threshold"] = AUTOMATIC["threshold"]
        estimator = BLEUNeighbors(**parameters, progress=False).fit(pool.texts, pool.ratings)
        if len(estimator.texts_) > MOST_LEFT_OUT:
            return estimator, None
        report(0.1, "testing what the pool is worth")
        calibration = calibrate(estimator)  # as in the command, so that the verdicts agree
        attach_calibration(estimator, calibration)  # so that each estimate has its interval
        return estimator, calibration

    def digits(self, scored: Scored) -> int:
        """Return the number of decimals of a rating."""
        return 3 if float(np.ptp(scored.metric.ratings_)) <= 1 else 2

    def scale(self, scored: Scored) -> tuple[float, float]:
        """Return the least and the greatest rating of the pool."""
        ratings = scored.metric.ratings_
        return float(ratings.min()), float(ratings.max())

    def columns(self, scored: Scored) -> list[Column]:
        """Return the number of neighbours of each candidate."""
        return [Column("Neighbours", scored.result.n_neighbors, 0)]

    def summary_html(self, scored: Scored) -> str:
        """Return the pool's verdict, and the figures about all candidates."""
        return self.fragment("pool_summary.html.j2", scored, calibration=scored.extra, most=MOST_LEFT_OUT)

    def charts_html(self, scored: Scored) -> str:
        """Return the distribution of estimates, and the coverage by threshold."""
        histogram = histograms([scored.result.values], LARGE)[0]
        curve = lines(*coverage_curves(scored.metric, [scored.texts]), scored.metric.threshold_)
        return self.fragment("charts.html.j2", scored, histogram=histogram, lines=curve)

    def explanation_html(self, scored: Scored, place: int, *choices: Any) -> str:
        """Return one candidate with the rated texts most similar to it, shared n-grams marked.

        Args:
            scored: all candidates.
            place: the candidate, counted from 0.
            choices: the number of rated texts to show, and the order of the n-grams to mark.
        """
        n_neighbors, order = map(int, choices)
        text, estimator = scored.texts[place], scored.metric
        tokenizer = estimator.tokenize
        compared = text[:_LONGEST_COMPARED]
        similar = [each for each in estimator.kneighbors(text, n_neighbors) if each.similarity > 0]
        counted = [each.text for each in similar if each.counts]
        return self.fragment(
            "neighbours.html.j2",
            scored,
            place=place,
            pieces=highlight(compared, counted, tokenizer=tokenizer, order=order),
            is_cut=len(text) > len(compared),
            explained=[
                (each, highlight(each.text[:_LONGEST_COMPARED], [text], tokenizer=tokenizer, order=order))
                for each in similar
            ],
            order=order,
            unit="character" if tokenizer.startswith("char") else "token",
        )


def highlight(text: str, others: Iterable[str], *, tokenizer: str, order: int) -> list[Piece]:
    """Cut a text into pieces inside and outside n-grams that other texts have, too.

    Args:
        text: the text to cut. The pieces together are the text, or its tokens with spaces between them if the
            tokeniser rewrites the text.
        others: the texts to compare with.
        tokenizer: a tokeniser's name.
        order: the n-gram order.

    >>> highlight("a cat sat", ["the cat ran"], tokenizer="char", order=4)
    [Piece(text='a', shared=False), Piece(text=' cat ', shared=True), Piece(text='sat', shared=False)]
    """
    known = {ngram for other in others for ngram in ngrams(tokenize(other, tokenizer), order)}
    tokens = tokenize(text, tokenizer)
    gaps, rest = _gaps(text, tokens)
    shared = [[False, False] for _ in tokens]  # whether a shared n-gram covers the gap before, and the token
    for start, ngram in enumerate(ngrams(tokens, order)):
        if ngram in known:
            shared[start][1] = True
            shared[start + 1 : start + order] = [[True, True]] * (order - 1)
    pieces = []
    for gap, token, marks in zip(gaps, tokens, shared, strict=True):
        pieces += [(gap, marks[0]), (token, marks[1])]
    runs = groupby([piece for piece in (*pieces, (rest, False)) if piece[0]], key=itemgetter(1))
    return [Piece("".join(part for part, _ in run), mark) for mark, run in runs]


def ngrams(tokens: Sequence[str], order: int) -> list[tuple[str, ...]]:
    """Return the n-grams of a sequence of tokens, in order."""
    return list(zip(*(tokens[start:] for start in range(order)), strict=False))


def _gaps(text: str, tokens: Sequence[str]) -> tuple[list[str], str]:
    """Return the text between each token and the one before, and the text after the last token."""
    gaps, end = [], 0
    for token in tokens:
        start = text.find(token, end)
        if start < 0 or text[end:start].strip():  # the tokeniser rewrote the text
            return [" " if place else "" for place in range(len(tokens))], ""
        gaps.append(text[end:start])
        end = start + len(token)
    return gaps, text[end:]
