"""One text with its source, read once: words, placeholders, triples and slot errors, for every feature of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quality_estimation_metric.sources import Triples, is_plain_text
from quality_estimation_metric.sources.delexicalise import (
    PUBLISHED_SLOTS,
    delexicalise,
    delexicalise_mr,
    is_delexicalised,
)
from quality_estimation_metric.sources.slot_errors import SlotErrors, slot_errors

SCOPES = {"published": PUBLISHED_SLOTS, "all": None, "none": frozenset[str]()}
"""What may be delexicalised: the values of which slots, None for all."""


@dataclass(frozen=True)
class Reading:
    """What is known of one text before any model sees it.

    Attributes:
        text: the text, with white space as single spaces.
        tokens: its words, with placeholders where values of the source stood.
        triples: those of its source; none without a source.
        source: the same, delexicalised.
        errors: its slot errors.
        n_values: how many values of the source are placeholders in the text.
        n_unmatched: how many were not found.
    """

    text: str
    tokens: tuple[str, ...]
    triples: Triples
    source: Triples
    errors: SlotErrors
    n_values: int
    n_unmatched: int

    @property
    def delexicalised(self) -> str:
        """The tokens, joined by spaces."""
        return " ".join(self.tokens)

    @property
    def spelled(self) -> str:
        """The text with the name of its slot where a value stood, for a language model that knows no placeholder."""
        return " ".join(token[2:].replace("_", " ") if token.startswith("X-") else token for token in self.tokens)


def read(text: str, triples: Triples = (), scope: str = "published") -> Reading:
    """Read one text with the triples of its source.

    Args:
        text: the text.
        triples: its source, parsed; none without a source.
        scope: which values are delexicalised: those of the `published` slots, `all`, or `none`.
    """
    plain = " ".join(text.split())
    slots = SCOPES[scope]
    found = delexicalise(plain, triples, slots)
    errors = slot_errors(triples, plain) if triples else SlotErrors((), (), ())  # what is said, nobody asked for
    return Reading(
        plain, found.tokens, triples, delexicalise_mr(triples, slots), errors, len(found.replaced), len(found.unmatched)
    )


def read_all(texts: Sequence[str], triples: Sequence[Triples] | None, scope: str) -> list[Reading]:
    """Read texts; equal pairs are read once."""
    known: dict[tuple[str, Triples], Reading] = {}
    readings = []
    for number, text in enumerate(texts):
        key = (text, () if triples is None else triples[number])
        if key not in known:
            known[key] = read(*key, scope)
        readings.append(known[key])
    return readings


def choose_scope(triples: Sequence[Triples] | None) -> str:
    """Choose what to delexicalise: nothing without structured sources, else the published slots where they are most.

    >>> from quality_estimation_metric.sources import parse_mr
    >>> choose_scope([parse_mr("inform(name=a,food=b)")]), choose_scope([parse_mr("A | born in | B")])
    ('published', 'all')
    >>> choose_scope(None), choose_scope([parse_mr("How are you?")])
    ('none', 'none')
    """
    if triples is None or 2 * sum(map(is_plain_text, triples)) >= len(triples):
        return "none"
    slots = [triple.slot for item in triples for triple in item if is_delexicalised(triple.slot, triple.value, None)]
    known = sum((slot or "").lower() in PUBLISHED_SLOTS for slot in slots)
    return "published" if 2 * known >= len(slots) else "all"
