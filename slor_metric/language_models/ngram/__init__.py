"""N-gram language models: modified Kneser–Ney, trained, pruned, stored and scored here."""

from slor_metric.language_models.base import BatchLogprobs
from slor_metric.language_models.ngram.model import PACKAGED, NgramLanguageModel, packaged
from slor_metric.language_models.ngram.training import train_ngram

__all__ = ["PACKAGED", "BatchLogprobs", "NgramLanguageModel", "packaged", "train_ngram"]
