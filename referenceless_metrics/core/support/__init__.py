"""Errors, checks, progress and compilation, on which everything else stands."""
