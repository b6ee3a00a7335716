"""Pieces that the reproductions of the papers share: cells, published figures, how parts are measured and reported."""
