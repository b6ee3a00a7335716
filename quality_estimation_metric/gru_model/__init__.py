"""The recurrent estimator of Dušek, Novikova & Rieser (2017): two GRU encoders, of the text and of its source.

It needs the extra `qe`; importing this package does not.
"""

from quality_estimation_metric.gru_model.model import GRUModel
from quality_estimation_metric.gru_model.settings import GRUSettings

__all__ = ["GRUModel", "GRUSettings"]
