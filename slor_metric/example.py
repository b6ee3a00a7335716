"""The packaged example: sentences, some of them broken, with references; written for this project."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ExampleTexts:
    """Texts, and for each the references that ROUGE-LM compares it with."""

    texts: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]


_ROWS = (
    (
        "The mayor opened the new bridge on Sunday.",
        ("On Sunday the mayor opened the bridge.", "The new bridge was opened by the mayor on Sunday."),
    ),
    (
        "The mayor opened new the bridge Sunday on.",
        ("On Sunday the mayor opened the bridge.", "The new bridge was opened by the mayor on Sunday."),
    ),
    ("She has lived in this village all her life.", ("She has always lived in this village.",)),
    ("She have lived in this village all life her.", ("She has always lived in this village.",)),
    ("Heavy rain is expected in the north tonight.", ("The north expects heavy rain tonight.",)),
    ("Rain rain heavy the the north tonight expected.", ("The north expects heavy rain tonight.",)),
    ("The committee will publish its report next month.", ("The report of the committee appears next month.",)),
    ("The committee will publish its next.", ("The report of the committee appears next month.",)),
    ("The zorbified quangle snorfed quietly.", ("The frightened animal slept quietly.",)),
    ("What the children liked best was the old steam train.", ("The children liked the old steam train best.",)),
)


def example_texts() -> ExampleTexts:
    """Return ten sentences, some of them broken, with references."""
    return ExampleTexts(tuple(text for text, _ in _ROWS), tuple(references for _, references in _ROWS))
