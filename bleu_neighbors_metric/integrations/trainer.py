"""BLEU Neighbors for the `compute_metrics` argument of Transformers' trainers, in one line."""

from __future__ import annotations

from typing import Any

from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric
from metric_commons.integrations.trainer import GenerationMetrics
from metric_commons.integrations.trainer import generation_metrics as with_bleu


def generation_metrics(
    tokenizer: Any,
    *others: Any,
    training_texts: Any = None,
    training_quality: Any = None,
    index: Any = None,
    bleu: bool = True,
    **parameters: Any,
) -> GenerationMetrics:
    """Return what a trainer's `compute_metrics` takes: BLEU Neighbors with its coverage, and BLEU.

    `Seq2SeqTrainer(…, compute_metrics=generation_metrics(tokenizer, index="pool.index"))` reports
    `eval_bleu_neighbors`, `eval_bleu_neighbors_coverage` and `eval_bleu`; see `metric_commons.integrations.trainer`.

    Args:
        tokenizer: the tokenizer that decodes what was generated.
        others: metrics to report beside, such as `SLORMetric()` or sacrebleu's `CHRF()`.
        training_texts: the pool of rated texts, with
        training_quality: one rating for each; or else
        index: a file that `bleu-neighbors fit` or `BLEUNeighbors.save` wrote.
        bleu: whether to report sacrebleu's BLEU against the labels.
        parameters: those of `BLEUNeighbors`.

    Raises:
        TypeError: as in `BLEUNeighborsMetric` and `GenerationMetrics`.
        ValueError: as in `BLEUNeighborsMetric` and `GenerationMetrics`.
    """
    metric = BLEUNeighborsMetric(training_texts, training_quality, index=index, **parameters)
    return with_bleu(tokenizer, metric, *others, bleu=bleu)
