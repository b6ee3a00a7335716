"""N-gram language models: modified Kneser–Ney, trained, pruned, stored and scored here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referenceless_metrics.core.support.installation import lazy_names

if TYPE_CHECKING:
    from slor_metric.language_models.base import BatchLogprobs
    from slor_metric.language_models.ngram.model import PACKAGED, NgramLanguageModel, packaged
    from slor_metric.language_models.ngram.training import train_ngram

__all__ = ["PACKAGED", "BatchLogprobs", "NgramLanguageModel", "packaged", "train_ngram"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "BatchLogprobs": "slor_metric.language_models.base:BatchLogprobs",
        "NgramLanguageModel": "slor_metric.language_models.ngram.model:NgramLanguageModel",
        "PACKAGED": "slor_metric.language_models.ngram.model:PACKAGED",
        "packaged": "slor_metric.language_models.ngram.model:packaged",
        "train_ngram": "slor_metric.language_models.ngram.training:train_ngram",
    },
)
