"""SLOR, WPSLOR and ROUGE-LM: referenceless fluency (Kann, Rothe & Filippova 2018)."""

from slor_metric.estimator import ROUGELM, SLOR, WPSLOR
from slor_metric.language_models import load_language_model

__all__ = ["ROUGELM", "SLOR", "WPSLOR", "load_language_model"]
