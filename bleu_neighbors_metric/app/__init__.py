"""BLEU Neighbors as a web page."""
