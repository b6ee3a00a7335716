"""sacrebleu's metrics with references (BLEU, chrF, TER), for tables that show them beside a referenceless metric."""

from __future__ import annotations

from functools import partial
from typing import Any

from referenceless_metrics.core.support.validation import check_choice

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
