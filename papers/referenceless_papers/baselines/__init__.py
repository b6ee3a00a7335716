"""Metrics with references that the papers compare with: METEOR, CIDEr-D, ROUGE-W and ROUGE-S."""
