"""Exports of evaluation and annotation tools, told by their form: one file for each tool."""
