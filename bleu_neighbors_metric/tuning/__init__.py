"""Calibration of a pool of ratings, and the choice of settings."""
