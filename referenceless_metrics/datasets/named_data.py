"""Rated data by name, such as `huse:summarization`: `core/seams.py` imports this module by name."""

from referenceless_metrics.datasets.catalogue import is_spec
from referenceless_metrics.datasets.loading import load_rated

__all__ = ["is_spec", "load_rated"]
