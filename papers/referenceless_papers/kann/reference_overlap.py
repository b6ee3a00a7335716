"""The other overlaps with references that Kann, Rothe & Filippova (2018) compare: one reference, and n-grams.

With several references the paper takes, for the n-gram metrics of Toutanova et al. (2016), the union of the references'
n-grams.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from referenceless_metrics.core.metric import check_references
from referenceless_metrics.core.support.validation import Floats, check_choice, check_texts, check_whole
from slor_metric.rouge.rouge_lm import References, get_stemmer, get_tokeniser, rouge_l_mult


def rouge_l_single(
    candidates: Sequence[str],
    references: References,
    *,
    reference: int = 0,
    tokenize: str = "unicode",
    stem: bool = False,
) -> Floats:
    """ROUGE-L F of each candidate against one of its references (ROUGE-L-single).

    Args:
        candidates: the texts to score.
        references: for each candidate a list of reference texts, or one reference text.
        reference: index of the reference that counts, from 0; a candidate with fewer is compared with its last.
        tokenize: see `slor_metric.rouge.rouge_lm.get_tokeniser`.
        stem: whether to apply the Porter stemmer, as rouge-score's `use_stemmer` (English; extra `rouge`).

    Returns:
        F in [0, 1], shape (n candidates,).

    Raises:
        TypeError: as in `rouge_l_mult`.
        ValueError: as in `rouge_l_mult`.
    """
    check_whole(reference, "reference", 0)
    texts = check_texts(candidates, "candidates")
    lists = check_references(references, len(texts))
    chosen = [[alternatives[min(reference, len(alternatives) - 1)]] for alternatives in lists]
    return rouge_l_mult(texts, chosen, tokenize=tokenize, stem=stem)


def _ngrams(tokens: list[str], order: int) -> Iterable[tuple[str, ...]]:
    return zip(*(tokens[start:] for start in range(order)), strict=False)


def ngram_overlap_mult(
    candidates: Sequence[str],
    references: References,
    *,
    order: int,
    measure: str = "f",
    tokenize: str = "unicode",
    stem: bool = False,
) -> Floats:
    """Overlap of a candidate's n-grams with the union of its references' n-grams.

    The linear n-gram metrics of Toutanova et al. (2016) as Kann, Rothe & Filippova (2018) use them: with C
    the set of the candidate's n-grams and U the union of the references' sets, precision is |C ∩ U| / |C|,
    recall is |C ∩ U| / |U|, and F their harmonic mean.

    Args:
        candidates: the texts to score.
        references: for each candidate a list of reference texts, or one reference text.
        order: the n-grams' length in tokens (2 for LR2, 3 for LR3).
        measure: `"p"`, `"r"` or `"f"`.
        tokenize: see `slor_metric.rouge.rouge_lm.get_tokeniser`.
        stem: whether to apply the Porter stemmer, as rouge-score's `use_stemmer` (English; extra `rouge`).

    Returns:
        Values in [0, 1], shape (n candidates,); 0 if there is no n-gram of that order.

    Raises:
        TypeError: as in `rouge_l_mult`.
        ValueError: as in `rouge_l_mult`, and for an order below 1 or an unknown measure.
    """
    check_whole(order, "order", 1)
    check_choice(measure, "measure", ("p", "r", "f"))
    texts = check_texts(candidates, "candidates")
    lists = check_references(references, len(texts))
    tokenise, stem_word = get_tokeniser(tokenize), get_stemmer(stem)
    known: dict[str, frozenset[tuple[str, ...]]] = {}

    def ngrams(text: str) -> frozenset[tuple[str, ...]]:
        if text not in known:
            tokens = tokenise(text)
            known[text] = frozenset(_ngrams(list(map(stem_word, tokens)) if stem_word else tokens, order))
        return known[text]

    values = np.zeros(len(texts))
    for position, (text, alternatives) in enumerate(zip(texts, lists, strict=True)):
        own = ngrams(text)
        union = frozenset[tuple[str, ...]]().union(*map(ngrams, alternatives))
        denominator = {"p": len(own), "r": len(union), "f": len(own) + len(union)}[measure]
        if denominator:
            shared = len(own & union)
            values[position] = (2 * shared if measure == "f" else shared) / denominator
    return values
