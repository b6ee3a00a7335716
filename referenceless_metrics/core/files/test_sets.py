"""The rows of a test set of translations in XML, as the conferences on machine translation (WMT) give them since 2021.

Each document holds the segments of its source, of its references, and of the outputs of systems.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referenceless_metrics.core.support.validation import InputError, Record

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

XML = "xml"
_REFERENCE = "reference"


def test_set_rows(text: str, name: str) -> list[Record]:
    """Return a row for each output, or for each source if the file holds no outputs.

    A row has the columns `document`, `domain` if documents tell it, `segment` (its number behind its document's name,
    since numbers begin again in each document), `source`, `reference` (of several, `reference NAME`), and of an output
    `system` and `text`. A segment that a reference or a system lacks is None.

    Args:
        text: the file.
        name: its name in messages.

    Raises:
        InputError: for a file that is no XML, for one that is no such test set, and for declarations of entities.
    """
    from xml.etree.ElementTree import ParseError, fromstring

    if "<!ENTITY" in text:  # a few bytes can stand for gigabytes
        raise InputError(f"{name}: it declares entities of XML; write them out")
    try:
        root = fromstring(text)
    except ParseError as error:
        line, _ = error.position
        raise InputError(f"{name}:{line}: not XML ({error})") from None
    documents = [(str(place), each) for place, each in enumerate(root.iter("doc"), 1)]
    translators = dict.fromkeys(_translator(each) for _, document in documents for each in document.iter("ref"))
    names = {each: f"{_REFERENCE} {each}" if len(translators) > 1 else _REFERENCE for each in translators}
    rows = [row for place, document in documents for row in _rows_of(document, place, names)]
    if not rows:
        raise InputError(
            f"{name}: it is XML, but no test set of the WMT (`doc` with `src`, `ref` and `hyp`), and its marks are no "
            "texts and no rows; write what you need of it as a table with a row for each rating, score or text, .csv, "
            ".tsv or .jsonl (--input-format txt reads the lines as they are)"
        )
    return rows


def _rows_of(document: Element, place: str, names: dict[str, str]) -> Iterator[Record]:
    """Yield the rows of a document.

    Args:
        document: the document.
        place: its number, for one without a name.
        names: the column of each translator's reference.
    """
    label = document.get("id") or place
    sources = {number: text for each in document.iter("src") for number, text in _segments(each).items()}
    of_translator = {_translator(each): _segments(each) for each in document.iter("ref")}
    outputs = [(each.get("system") or "", _segments(each)) for each in document.iter("hyp")]
    numbers = dict.fromkeys(number for found in (sources, *(texts for _, texts in outputs)) for number in found)
    of_document = {"document": label}
    if document.get("domain"):
        of_document["domain"] = str(document.get("domain"))
    for system, texts in outputs or [("", {})]:
        for number in numbers:
            row: Record = {**of_document, "segment": f"{label}#{number}", "source": sources.get(number)}
            for translator, column in names.items():
                row[column] = of_translator.get(translator, {}).get(number)
            if outputs:
                row |= {"system": system, "text": texts.get(number)}
            yield row


def _translator(reference: Element) -> str:
    return reference.get("translator") or ""


def _segments(texts: Element) -> dict[str, str]:
    """Return the segments of a source, reference or output by their numbers."""
    found = enumerate(texts.iter("seg"), 1)
    return {segment.get("id") or str(place): "".join(segment.itertext()).strip() for place, segment in found}
