"""The two doors from `core` to rooms above it. They are imported by name here and nowhere else.

`pages/` draws results and writes them as HTML; `datasets/` reads rated data by its name (`huse:summarization`).
Both are optional for a program that only scores texts, so they are imported when they are first asked for.
"""

from __future__ import annotations

import importlib
from typing import Any

PRESENTATION = "referenceless_metrics.pages.presentation"
NAMED_DATA = "referenceless_metrics.datasets.named_data"


def presentation() -> Any:
    """Return the module of `pages/` with `histogram` (of a result) and `page_of_rows` (rows as HTML)."""
    return importlib.import_module(PRESENTATION)


def named_data() -> Any:
    """Return the module of `datasets/` with `is_spec` (of a name) and `load_rated` (the data of that name)."""
    return importlib.import_module(NAMED_DATA)
