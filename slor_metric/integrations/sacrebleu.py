"""SLOR, WPSLOR, ROUGE-LM and Fluency as metrics of sacrebleu; the arguments are those of the metrics themselves."""

from __future__ import annotations

from referenceless_metrics.frameworks.sacrebleu import SacrebleuAdapter
from slor_metric.estimator import ROUGELM, SLOR, WPSLOR
from slor_metric.fluency.metric import Fluency, FluencyNgram


class SLORMetric(SacrebleuAdapter):
    """SLOR beside BLEU and chrF; for the arguments see `SLOR`."""

    name = "SLOR"
    make = SLOR


class WPSLORMetric(SacrebleuAdapter):
    """WPSLOR beside BLEU and chrF; for the arguments see `WPSLOR`."""

    name = "WPSLOR"
    make = WPSLOR


class FluencyMetric(SacrebleuAdapter):
    """Fluency beside BLEU and chrF; for the arguments see `Fluency`."""

    name = "Fluency"
    make = Fluency


class FluencyNgramMetric(SacrebleuAdapter):
    """Fluency by n-grams alone beside BLEU and chrF; for the arguments see `FluencyNgram`."""

    name = "FluencyNgram"
    make = FluencyNgram


class ROUGELMMetric(SacrebleuAdapter):
    """ROUGE-LM beside BLEU and chrF; for the arguments see `ROUGELM`."""

    name = "ROUGE-LM"
    make = ROUGELM
