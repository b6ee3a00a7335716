"""From texts and their sources to what the network reads: tokens, and items of act, slot and value, delexicalised."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from quality_estimation_metric.gru_model.inputs import Item
from quality_estimation_metric.sources import Source, is_plain_text, parse_mr
from quality_estimation_metric.sources.base import split_words
from quality_estimation_metric.sources.delexicalise import delexicalise, delexicalise_mr

NOTHING = "<NONE>"


class Prepared(NamedTuple):
    """A text and its source as the network reads them.

    Attributes:
        tokens: of the text, lower-cased, values of the source replaced by their slots.
        items: of the source; none for a text without one.
    """

    tokens: tuple[str, ...]
    items: tuple[Item, ...]


def prepare(texts: Sequence[str], sources: Sequence[Source] | None, *, delexicalised: bool = True) -> list[Prepared]:
    """Return texts and sources as the network reads them.

    Args:
        texts: texts.
        sources: one a text, as `parse_mr` takes them; None for none. A source of plain text is an item a word.
        delexicalised: whether values of the source become their slots' names in both.

    Raises:
        TypeError: for a source of a type that is not known.
        ValueError: for a source that does not parse.
    """
    if sources is None:
        return [Prepared(tuple(split_words(text)), ()) for text in texts]
    return [_prepare(text, source, delexicalised) for text, source in zip(texts, sources, strict=True)]


def _prepare(text: str, source: Source, delexicalised: bool) -> Prepared:
    triples = parse_mr(source)
    if is_plain_text(triples):
        words = [word for triple in triples for word in split_words(triple.value or "")]
        return Prepared(tuple(split_words(text)), tuple((NOTHING, NOTHING, word) for word in words))
    tokens = delexicalise(text, triples).tokens if delexicalised else tuple(split_words(text))
    items = delexicalise_mr(triples) if delexicalised else triples
    return Prepared(
        tuple(tokens),
        tuple(
            (item.act or NOTHING, item.slot or NOTHING, NOTHING if item.value is None else item.value) for item in items
        ),
    )
