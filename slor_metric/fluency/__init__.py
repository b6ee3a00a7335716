"""A fluency score of its own: three n-gram models, the worst words, misspellings and repetitions."""

from slor_metric.fluency.contributions import FluencyContributions
from slor_metric.fluency.metric import Fluency, FluencyNgram

__all__ = ["Fluency", "FluencyContributions", "FluencyNgram"]
