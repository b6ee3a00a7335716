"""Similarities of two texts: BLEU* (Eq. 2), and other kernels."""
