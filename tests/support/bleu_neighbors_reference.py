"""The twin: Eq. 2 and Eq. 3 as anyone would type them, pair by pair."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from sacrebleu.metrics import BLEU

SACREBLEU_SMOOTH_VALUES = {"none": 0.0, "floor": 0.1, "add-k": 1.0, "exp": 0.0}


def tokens_of(text: str, tokenize: str) -> list[str]:
    if tokenize == "char":
        return list(text)
    name = "char" if tokenize == "char-nospace" else tokenize
    return BLEU(tokenize=name).tokenizer(text.rstrip()).split()


def ngrams(tokens: Sequence[str], order: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1)]


def bleu_star(x: Sequence[str], s: Sequence[str], orders=(2, 3, 4), clip=True, smooth_method="none") -> float:
    """Eq. 2, with sacrebleu's smoothing of the precisions."""
    smooth_value = SACREBLEU_SMOOTH_VALUES[smooth_method]
    log_precisions = []
    halvings = 0
    any_match = False
    for order in orders:
        of_x, of_s = Counter(ngrams(x, order)), Counter(ngrams(s, order))
        total = sum(of_x.values())
        if total == 0:
            return 0.0
        if clip:
            correct = float(sum(min(count, of_s[ngram]) for ngram, count in of_x.items()))
        else:
            correct = float(sum(count for ngram, count in of_x.items() if ngram in of_s))
        any_match = any_match or correct > 0
        if smooth_method == "add-k" and order > 1:
            correct, total = correct + smooth_value, total + smooth_value
        elif correct == 0 and smooth_method == "floor":
            correct = smooth_value
        elif correct == 0 and smooth_method == "exp":
            halvings += 1
            correct = 1 / 2**halvings
        if correct == 0:
            return 0.0
        log_precisions.append(math.log(correct / total))
    if not any_match:
        return 0.0
    brevity = min(0.0, 1 - len(s) / len(x))
    return math.exp(brevity + sum(log_precisions) / len(orders))


def estimate(
    similarities: Sequence[float],
    quality: Sequence[float],
    *,
    empty: bool,
    threshold=0.08,
    min_neighbors=5,
    max_fraction=0.66,
    weights="uniform",
) -> tuple[float, int]:
    """Eq. 3: the estimate (NaN where undefined) and the number of neighbours."""
    neighbors = [] if empty else [i for i, value in enumerate(similarities) if value >= threshold * (1 - 1e-9)]
    if not min_neighbors <= len(neighbors) <= max_fraction * len(similarities) + 1e-9:
        return math.nan, len(neighbors)
    weight = [similarities[i] if weights == "similarity" else 1.0 for i in neighbors]
    if sum(weight) == 0:
        return math.nan, len(neighbors)
    return sum(w * quality[i] for w, i in zip(weight, neighbors, strict=True)) / sum(weight), len(neighbors)
