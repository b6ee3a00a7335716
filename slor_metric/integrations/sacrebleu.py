"""SLOR, WPSLOR, ROUGE-LM and Fluency as metrics of sacrebleu; the arguments are those of the metrics themselves."""

from __future__ import annotations

from metric_commons.integrations.sacrebleu_adapter import adapter_class
from slor_metric.estimator import ROUGELM, SLOR, WPSLOR
from slor_metric.fluency.metric import Fluency

SLORMetric = adapter_class(SLOR, "SLORMetric", "SLOR", __name__)
WPSLORMetric = adapter_class(WPSLOR, "WPSLORMetric", "WPSLOR", __name__)
FluencyMetric = adapter_class(Fluency, "FluencyMetric", "Fluency", __name__)
ROUGELMMetric = adapter_class(ROUGELM, "ROUGELMMetric", "ROUGE-LM", __name__)
