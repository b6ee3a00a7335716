"""The words of texts, for the kernels that compare words."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_neighbors_metric.tokenizers import known_tokenizers, tokenize_all
from referenceless_metrics.core.support.validation import check_choice
from referenceless_metrics.core.support.words import rouge_words

ROUGE_SCORE = "rouge_score"
"""The tokeniser of the rouge-score package: lower-cased runs of ASCII letters and digits."""


def word_tokenizer(name: object) -> str:
    """Check the name of a tokeniser of words and return it: `rouge_score`, or one of `known_tokenizers`.

    Raises:
        ValueError: for an unknown name; the message lists the known ones.
    """
    check_choice(name, "tokenize", (ROUGE_SCORE, *known_tokenizers()))
    return str(name)


def words_of(texts: Sequence[str], tokenizer: str) -> list[list[str]]:
    """Return the words of each text by a tokeniser whose name `word_tokenizer` has checked."""
    return list(map(rouge_words, texts)) if tokenizer == ROUGE_SCORE else tokenize_all(texts, tokenizer)
