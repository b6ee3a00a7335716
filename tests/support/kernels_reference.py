"""The twins of the kernels: each similarity as anyone would type it, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """The longest common subsequence by the textbook's table."""
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


def rouge_l(x: Sequence[str], s: Sequence[str]) -> float:
    common = lcs_length(x, s)
    if common == 0:
        return 0.0
    precision, recall = common / len(x), common / len(s)
    return 2 * precision * recall / (precision + recall)


def precision_and_recall(
    x: np.ndarray, s: np.ndarray, x_weights: Sequence[float], s_weights: Sequence[float]
) -> tuple[float, float]:
    """Greedy matching of two texts' tokens, from their vectors and weights; 0 and 0 where nothing weighs."""
    if not sum(x_weights) or not sum(s_weights):
        return 0.0, 0.0
    unit = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (x, s)]
    cosine = unit[0] @ unit[1].T
    precision = sum(w * max(row) for w, row in zip(x_weights, cosine, strict=True)) / sum(x_weights)
    recall = sum(w * max(row) for w, row in zip(s_weights, cosine.T, strict=True)) / sum(s_weights)
    return precision, recall


def bertscore(precision: float, recall: float) -> float:
    """F1, at least -1; 0 where the sum of the two is not above 0."""
    return max(-1.0, 2 * precision * recall / (precision + recall)) if precision + recall > 0 else 0.0
