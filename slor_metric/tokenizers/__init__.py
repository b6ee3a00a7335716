"""How text becomes the tokens of a language model."""
