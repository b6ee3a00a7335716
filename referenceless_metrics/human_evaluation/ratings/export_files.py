"""Rows of ratings from any file: tables, a number per line, and exports of annotation tools, told by their form."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from referenceless_metrics.core.files.tables import Table, suffix_of
from referenceless_metrics.core.files.text_io import read_table, read_texts
from referenceless_metrics.core.support.validation import InputError, Record, parse_json, shortened
from referenceless_metrics.human_evaluation.ratings.exports import (
    argilla,
    arena,
    google_forms,
    label_studio,
    mturk,
    prodigy,
    qualtrics,
)
from referenceless_metrics.human_evaluation.ratings.exports.answers import RATING, Answers, Export

_A_SAMPLE = 20


class Tool(NamedTuple):
    """A tool whose exports are read.

    Attributes:
        name: its name in messages.
        recognises: whether a file is an export of it, from its columns and first rows.
        convert: a long table from all rows.
    """

    name: str
    recognises: Callable[[Export], bool]
    convert: Callable[[Export], Answers]


TOOLS = tuple(
    Tool(module.TOOL, module.recognises, module.convert)
    for module in (label_studio, argilla, prodigy, mturk, qualtrics, google_forms, arena)
)


def read_rating_rows(source: str) -> Table:
    """Return the rows of a file of ratings; an export of an annotation tool as a long table.

    Raises:
        InputError: for a file that cannot be read.
    """
    if suffix_of(source) == "txt":
        return _number_per_line(source)
    objects = _json_objects(source) if suffix_of(source) in ("json", "jsonl") else None
    if objects is not None and tool_of(_export(source, objects[:_A_SAMPLE])) is None:
        objects = None  # the reader of tables knows more shapes, and says what is wrong
    if objects is None:
        table = read_table(source)
        export = Export(source, table.columns, table.rows)
    else:
        export = _export(source, objects)
    tool = tool_of(export)
    if tool is None:
        return table
    return long_table(tool, export)
