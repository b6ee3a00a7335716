"""Ratings and preferences, from files to one long table."""
