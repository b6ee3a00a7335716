"""The content of a file, and the commands that fit it."""
