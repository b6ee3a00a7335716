"""Results in sentences and rows of tables."""
