"""Files of tests, in UTF-8 on every system."""

from pathlib import Path


def write(path, content):
    """Write a text, or one line each of several texts, and return the path."""
    text = content if isinstance(content, str) else "".join(f"{line}\n" for line in content)
    Path(path).write_text(text, encoding="utf-8")
    return Path(path)


def read(path):
    return Path(path).read_text(encoding="utf-8")
