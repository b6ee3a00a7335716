"""Fitted estimators as files, and the one that comes with the package."""
