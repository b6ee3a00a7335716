"""The packaged example: sentences, some of them broken, with references; written for this project."""

from __future__ import annotations

import json
from dataclasses import dataclass

from slor_metric.language_models.base import packaged_file


@dataclass(frozen=True)
class ExampleTexts:
    """Texts, and for each the references that ROUGE-LM compares it with."""

    texts: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]


def example_texts() -> ExampleTexts:
    """Return ten sentences, some of them broken, with references."""
    rows = json.loads(packaged_file("example.json").read_text(encoding="utf-8"))
    return ExampleTexts(tuple(row["text"] for row in rows), tuple(tuple(row["references"]) for row in rows))
