"""Judges, such as language models that rate outputs, beside people's ratings of the same outputs."""
