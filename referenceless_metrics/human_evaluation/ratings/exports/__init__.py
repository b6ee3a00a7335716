"""Exports of annotation tools as long tables, one file for each tool; `export_files.py` tells them apart."""
