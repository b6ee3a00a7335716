"""Commands that score texts."""
