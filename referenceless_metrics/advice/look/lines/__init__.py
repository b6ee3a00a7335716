"""Command lines that fit a table, by the parts of its columns."""
