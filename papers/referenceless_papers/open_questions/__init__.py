"""Questions that the papers leave open, each measured on public data."""
