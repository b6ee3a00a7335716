"""Referenceless fluency: SLOR, WPSLOR and ROUGE-LM (Kann, Rothe & Filippova 2018), and Fluency, a score of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referenceless_metrics.core.support.installation import lazy_names

if TYPE_CHECKING:
    from slor_metric.estimator import ROUGELM, SLOR, WPSLOR
    from slor_metric.fluency.metric import Fluency, FluencyNgram
    from slor_metric.language_models import load_language_model

__all__ = ["ROUGELM", "SLOR", "WPSLOR", "Fluency", "FluencyNgram", "load_language_model"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Fluency": "slor_metric.fluency.metric:Fluency",
        "FluencyNgram": "slor_metric.fluency.metric:FluencyNgram",
        "load_language_model": "slor_metric.language_models:load_language_model",
        "ROUGELM": "slor_metric.estimator:ROUGELM",
        "SLOR": "slor_metric.estimator:SLOR",
        "WPSLOR": "slor_metric.estimator:WPSLOR",
    },
)
