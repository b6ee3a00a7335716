"""Simulated draws of rated systems."""
