"""Texts of languages that the packaged models do not know."""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.advice.look.forms.table_facts import cells_in, holds_something
from referenceless_metrics.advice.look.lines.parts import OTHER, Parts
from referenceless_metrics.core.files.tables import Table

OF_OTHER_LANGUAGE = (
    "most of these texts do not look English, the language of Fluency, SLOR and WPSLOR: they take a model of theirs, "
    "which `train ngram` makes of other texts, and metrics with references alone take any language"
)
"""Remark on texts that the packaged models do not know."""

_MOST_READ = 200
"""Most texts of a file of which the language is told."""


def are_foreign(table: Table, parts: Parts) -> bool:
    """Say whether most outputs in the columns of texts do not look English."""
    names = [parts.text] if parts.text is not None else parts.unnamed_texts
    prose = [column.name for column in parts.columns if column.name in names and column.kind == "text"]
    n_each = _MOST_READ // max(len(prose), 1)
    texts = [str(cell) for name in prose for cell in cells_in(table, name)[:n_each] if holds_something(cell)]
    return bool(texts) and are_of_other_language(texts)


def are_of_other_language(texts: Sequence[str]) -> bool:
    """Say whether most of the first texts do not look English, as Fluency sees them; a few short ones tell nothing."""
    from slor_metric.language_models.prose import packaged_prose

    return packaged_prose().read(texts[:_MOST_READ]).are_foreign


def is_of_other_language(line: str) -> bool:
    """Say whether a line compares the outputs in a file with those in another by metrics that read any language."""
    words = line.split()
    return words[1] == "compare" and OTHER in words and "--metric" in words
