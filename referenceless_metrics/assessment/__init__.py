"""Correlation, significance and the worth of a metric beside human ratings."""
