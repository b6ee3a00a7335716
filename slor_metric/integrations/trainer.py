"""SLOR for the `compute_metrics` argument of Transformers' trainers, in one line."""

from __future__ import annotations

from typing import Any

from metric_commons.integrations.trainer import GenerationMetrics
from metric_commons.integrations.trainer import generation_metrics as with_bleu
from slor_metric.integrations.sacrebleu import SLORMetric


def generation_metrics(tokenizer: Any, *others: Any, bleu: bool = True, **arguments: Any) -> GenerationMetrics:
    """Return what a trainer's `compute_metrics` takes: SLOR with its coverage, and BLEU.

    `Seq2SeqTrainer(…, compute_metrics=generation_metrics(tokenizer))` reports `eval_slor`, `eval_slor_coverage` and
    `eval_bleu`; see `metric_commons.integrations.trainer`.

    Args:
        tokenizer: the tokenizer that decodes what was generated.
        others: metrics to report beside, such as `BLEUNeighborsMetric(index=…)` or sacrebleu's `CHRF()`.
        bleu: whether to report sacrebleu's BLEU against the labels.
        arguments: those of `SLORMetric`.

    Raises:
        TypeError: as in `SLORMetric` and `GenerationMetrics`.
        ValueError: as in `SLORMetric` and `GenerationMetrics`.
    """
    return with_bleu(tokenizer, SLORMetric(**arguments), *others, bleu=bleu)
