"""Exports of annotation tools as long tables, one file for each tool; `exports.py` beside this room tells them apart."""
