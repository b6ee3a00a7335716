"""Texts, ratings and results as files."""
