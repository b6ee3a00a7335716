"""Columns of a table: kinds of cells, and the parts that they play."""
