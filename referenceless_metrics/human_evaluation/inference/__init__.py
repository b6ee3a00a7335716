"""Intervals, tests and means of ratings: arithmetic on arrays, without files or words."""
