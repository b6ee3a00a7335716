"""The twins of the unpublished kernels: each similarity as anyone would type it, pair by pair."""

import math
from collections import Counter

import numpy as np
from bleu_neighbors_reference import ngrams, tokens_of


def idf_bleu_star(candidate, texts, tokenize="char", orders=(2, 3, 4), clip=True):
    """Eq. 2 with each n-gram counting by its inverse document frequency in the pool."""
    x, pool = tokens_of(candidate, tokenize), [tokens_of(text, tokenize) for text in texts]
    held = {order: [set(ngrams(s, order)) for s in pool] for order in orders}
    values = []
    for s in pool:
        product = 1.0
        for order in orders:
            of_x, of_s = Counter(ngrams(x, order)), Counter(ngrams(s, order))
            weight = {
                gram: 1 + math.log((1 + len(pool)) / (1 + sum(gram in other for other in held[order]))) for gram in of_x
            }
            total = sum(weight[gram] * count for gram, count in of_x.items())
            matched = sum(
                weight[gram] * (min(count, of_s[gram]) if clip else count)
                for gram, count in of_x.items()
                if gram in of_s
            )
            product *= matched / total if total else 0.0
        brevity = min(0.0, 1 - len(s) / len(x)) if x else 0.0
        values.append(math.exp(brevity) * product ** (1 / len(orders)))
    return values


def weighted_precisions(x, s, orders, weights):
    """β Σ w_n P_n, the learned kernel's similarity."""
    if not x:
        return 0.0
    total = 0.0
    for order, weight in zip(orders, weights, strict=True):
        of_x, of_s = Counter(ngrams(x, order)), Counter(ngrams(s, order))
        if of_x:
            total += weight * sum(min(count, of_s[gram]) for gram, count in of_x.items()) / sum(of_x.values())
    return math.exp(min(0.0, 1 - len(s) / len(x))) * total


def precision_and_recall(x, s):
    """Greedy matching of two texts' tokens, from their vectors; 0 and 0 if a text has none."""
    if not len(x) or not len(s):
        return 0.0, 0.0
    unit = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (x, s)]
    cosine = unit[0] @ unit[1].T
    return np.mean([max(row) for row in cosine]), np.mean([max(row) for row in cosine.T])


def bertscore(precision, recall):
    """F1, at least -1; 0 if the sum of the two is not above 0."""
    return max(-1.0, 2 * precision * recall / (precision + recall)) if precision + recall > 0 else 0.0
