"""Sources that texts were generated from: meaning representations, triples and records.

>>> from quality_estimation_metric.sources import parse_mr
>>> for triple in parse_mr("inform(name='red door cafe';kids_allowed=no)&request(near)"):
...     print(tuple(triple))
('inform', 'name', 'red door cafe')
('inform', 'kids_allowed', 'no')
('request', 'near', None)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from quality_estimation_metric.sources.base import MALFORMED, PLAIN_TEXT, Source, Triple, Triples, is_plain_text
from quality_estimation_metric.sources.dialogue_acts import looks_like_acts, looks_like_slots, parse_acts, parse_slots
from quality_estimation_metric.sources.records import (
    looks_like_json,
    looks_like_triples,
    parse_json,
    parse_record,
    parse_triples,
)
from referenceless_metrics.core.support.validation import describe

__all__ = ["MALFORMED", "PLAIN_TEXT", "Source", "Triple", "Triples", "is_plain_text", "parse_mr"]

_READERS: tuple[tuple[Callable[[str], object], Callable[[str], Triples]], ...] = (
    (looks_like_acts, parse_acts),  # also ViGGO, whose values stand in brackets
    (looks_like_slots, parse_slots),
    (looks_like_json, parse_json),
    (looks_like_triples, parse_triples),
)


def parse_mr(source: Source) -> Triples:
    """Read a source as triples: (act, slot, value), or (subject, predicate, object).

    Args:
        source: a mapping of slots or a list of triples; or text in one of the formats, which are told apart by their
            beginning: dialogue acts (`inform(name='x';area=y)`, `?request(near)`, `a()&b()`, ViGGO's
            `inform(name[x])`), E2E (`name[x], food[y]`), triples (WebNLG and DART: `s | p | o` on each line, or `<H> s
            <R> p <T> o`) and JSON. Any other text is plain text: one triple of the act `"text"`. An empty source has no
            triple.

    Raises:
        TypeError: for an object that is no source.
        InputError: for a source that begins in a format and does not follow it; the message names the place.

    >>> [tuple(triple) for triple in parse_mr("name[The Eagle], food[French]")]
    [('inform', 'name', 'The Eagle'), ('inform', 'food', 'French')]
    >>> parse_mr("Alan_Bean | occupation | Test_pilot")
    (Triple(act='Alan Bean', slot='occupation', value='Test pilot'),)
    >>> parse_mr("name[The")
    Traceback (most recent call last):
    ...
    referenceless_metrics.core.support.validation.InputError: malformed meaning representation: `[` is never closed at \
character 4, after 'name' and before '[The'
    """
    if isinstance(source, (list, tuple)) and all(isinstance(item, Triple) for item in source):
        return tuple(source)
    if isinstance(source, str):
        if not source.strip():
            return ()
        for recognised, read in _READERS:
            if recognised(source):
                return read(source)
        return (Triple(PLAIN_TEXT, None, source),)
    if isinstance(source, bytes) or not isinstance(source, (Mapping, Sequence)):
        raise TypeError(
            f"Expected argument `source` to be text, a mapping or a list of triples, but got {describe(source)}"
        )
    return parse_record(source)
