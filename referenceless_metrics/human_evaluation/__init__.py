"""Claims about systems: comparisons by metrics, and mean human ratings from ratings and estimates together."""
