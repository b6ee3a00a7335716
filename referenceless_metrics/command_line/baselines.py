"""sacrebleu's metrics with references (BLEU, chrF, TER), for tables that show them beside a referenceless metric."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from shlex import quote
from typing import Any

import numpy as np

from referenceless_metrics.core.support.metric_names import TOOLS, names_metric
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


def not_computed(name: str) -> str:
    """Return the end of a message on a usual metric of texts that is not here: how its values come in.

    >>> not_computed("rougeL")[:79], not_computed("flunecy")
    ("; 'rougeL' is not computed here: let its own tool (such as rouge-score) compute", '')
    """
    if not names_metric(name):
        return ""
    tool = next((f" (such as {tool})" for pattern, tool in TOOLS.items() if re.fullmatch(pattern, name.lower())), "")
    return (
        f"; {name!r} is not computed here: let its own tool{tool} compute it, write a column {name!r} with a value for "
        f"each output, and `referenceless compare --scores FILE --score-column {quote(name)}` compares systems by it"
    )


_TOKENISED = 0.5  # least share of final full stops with a blank before them in tokenised texts
_UNTOKENISED = 0.1  # largest share in others
_FEWEST_STOPS = 5


def tokenisation_notes(of: str, texts: Sequence[str], references: Iterable[str]) -> list[str]:
    """Return a note if the references are tokenised and the texts are not, or the other way around; else none.

    Args:
        of: the name of the texts.
        texts: the texts.
        references: references of any of them.

    >>> tokenisation_notes("out.txt", ["It rained."] * 5, ["It rained ."] * 5)[0][:53]
    'references seem to be tokenised, and out.txt not: the'
    """
    of_texts, of_references = _detached_stops(texts), _detached_stops(references)
    if of_references >= _TOKENISED and of_texts <= _UNTOKENISED:
        which = f"references seem to be tokenised, and {of} not"
    elif of_texts >= _TOKENISED and of_references <= _UNTOKENISED:
        which = f"{of} seems to be tokenised, and the references not"
    else:
        return []
    return [f"{which}: the full stop at the end has a blank before it. BLEU, chrF and TER need both in one form"]


def _detached_stops(texts: Iterable[str]) -> float:
    """Return the share of final full stops that have a blank before them; NaN for too few of them."""
    ends = [text.rstrip()[-2:] for text in texts]
    stops = [end for end in ends if end.endswith(".")]
    return sum(end[0].isspace() for end in stops) / len(stops) if len(stops) >= _FEWEST_STOPS else np.nan


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
