"""Files of tests, in UTF-8 on every system."""

import csv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def write(path, content):
    """Write a text, or one line each of several texts, and return the path."""
    text = content if isinstance(content, str) else "".join(f"{line}\n" for line in content)
    Path(path).write_text(text, encoding="utf-8")
    return Path(path)


def write_table(path, columns, rows, **options):
    """Write a table as `csv` does."""
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, **options).writerows([columns, *rows])


def read(path):
    return Path(path).read_text(encoding="utf-8")
