"""Fluency by n-grams for `evaluate`: the module itself is in the package."""

from referenceless_metrics.frameworks.evaluate import module_class  # From: referenceless-metrics

Module = module_class("fluency_ngram")
__test__ = {"example": Module.example}  # which evaluate's own tests run
