"""Names that several options take."""

SMOOTH_METHODS = ("none", "floor", "add-k", "exp")
"""sacrebleu's smoothing methods."""

WEIGHT_METHODS = ("uniform", "similarity")
"""How neighbours count: all alike (Eq. 3), or by their similarity."""
