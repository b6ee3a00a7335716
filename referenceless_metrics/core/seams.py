"""The three doors from `core` to rooms above it. They are imported by name here and nowhere else.

`pages/` draws results and writes them as HTML; `datasets/` reads rated data by its name (`huse:summarization`);
`human_evaluation/` reads people's ratings from any file. All are optional for a program that only scores texts, so they
are imported when they are first asked for.
"""

from __future__ import annotations

import importlib
from typing import Any

PRESENTATION = "referenceless_metrics.pages.presentation"
NAMED_DATA = "referenceless_metrics.datasets.named_data"
RATED_TEXTS = "referenceless_metrics.human_evaluation.ratings.rated_texts"


def presentation() -> Any:
    """Return the module of `pages/` with `histogram` (of a result) and `page_of_rows` (rows as HTML)."""
    return importlib.import_module(PRESENTATION)


def named_data() -> Any:
    """Return the module of `datasets/` with `is_spec` (of a name) and `load_rated` (the data of that name)."""
    return importlib.import_module(NAMED_DATA)


def rated_texts() -> Any:
    """Return the module of `human_evaluation/` with `rated_texts` (of a file of ratings, as `read_rated` takes it)."""
    return importlib.import_module(RATED_TEXTS)
