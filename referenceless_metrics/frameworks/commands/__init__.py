"""Commands of frameworks."""
