"""Descriptions of files, by their form."""
