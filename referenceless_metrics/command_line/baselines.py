"""sacrebleu's metrics with references (BLEU, chrF, TER), for tables that show them beside a referenceless metric."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from referenceless_metrics.core.support.validation import Floats, check_choice

#: Names, in the order in which help lists them.
NAMES = ("bleu", "chrf", "chrf++", "ter")

#: sacrebleu's names of those of which lower is better.
LOWER_IS_BETTER = frozenset(("TER",))


def baseline(name: str) -> Any:
    """Return one of sacrebleu's metrics by its name, one of `NAMES`.

    Raises:
        ValueError: for an unknown name; the message lists the known ones.
    """
    from sacrebleu.metrics import BLEU, CHRF, TER

    check_choice(name, "name", NAMES)
    return {"bleu": BLEU, "chrf": CHRF, "chrf++": partial(CHRF, word_order=2), "ter": TER}[name]()


def segment_scores(name: str, texts: Sequence[str], references: Sequence[Sequence[str]]) -> Floats:
    """Return a metric's score of each text, shape (n,); NaN for a text without a reference.

    BLEU takes the orders of n-grams that a text is long enough for (sacrebleu's `effective_order`), as for sentences.

    Args:
        name: one of `NAMES`.
        texts: n texts.
        references: the references of each.

    >>> segment_scores("bleu", ["the cat sat here", "a dog"], [["the cat sat here"], []])
    array([100.,  nan])
    """
    from sacrebleu.metrics import BLEU

    metric = BLEU(effective_order=True) if name == "bleu" else baseline(name)
    scores = [
        metric.sentence_score(text, list(of_text)).score if of_text else np.nan
        for text, of_text in zip(texts, references, strict=True)
    ]
    return np.round(np.array(scores, dtype=float), 10)
