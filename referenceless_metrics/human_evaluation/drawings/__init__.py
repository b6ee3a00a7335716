"""Drawings of people's ratings."""
