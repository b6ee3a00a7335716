"""Files of scores and of marked errors that evaluation tools write, told by their form: one file for each tool.

Forms, surveys and annotation projects, which hold ratings of texts, are in `ratings/exports/`.
"""
