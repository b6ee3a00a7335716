"""Tokenisers: they cut text into the tokens of a language model."""
