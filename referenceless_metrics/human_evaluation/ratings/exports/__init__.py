"""Exports of forms, surveys and annotation projects as one row per rating: one file for each tool.

`export_files.py` tells them apart. Files of scores and of marked errors are in `human_evaluation/exports/`.
"""
