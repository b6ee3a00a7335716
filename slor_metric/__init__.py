"""Referenceless fluency: SLOR, WPSLOR and ROUGE-LM (Kann, Rothe & Filippova 2018), and Fluency, a score of its own."""

from slor_metric.estimator import ROUGELM, SLOR, WPSLOR
from slor_metric.fluency.metric import Fluency
from slor_metric.language_models import load_language_model

__all__ = ["ROUGELM", "SLOR", "WPSLOR", "Fluency", "load_language_model"]
