"""A report on systems as one page."""
