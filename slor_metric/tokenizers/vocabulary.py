"""What stands in a vocabulary beside the tokens of texts, and what becomes of tokens that it lacks."""

from __future__ import annotations

UNKNOWN = "<unk>"
"""Stands for every token outside a vocabulary."""

SPECIALS = (UNKNOWN, "<s>", "</s>")
"""With what the vocabularies of this package's language models begin; the last two mark a sentence's ends."""

UNK, BOS, EOS = range(3)
"""Where they stand there."""

OOV_RULES = ("unk", "skip")
"""What a language model does with a token outside its vocabulary: count it as `<unk>`, or leave it out of the text."""
