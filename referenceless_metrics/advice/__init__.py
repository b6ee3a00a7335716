"""Advice on what to do with ratings of texts: which metric, what to expect of it, and whether to rate more."""
