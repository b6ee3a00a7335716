"""Advice on the use of ratings of texts: a metric, the agreement to expect of it, and whether to rate more."""
