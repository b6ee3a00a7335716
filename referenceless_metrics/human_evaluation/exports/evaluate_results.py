"""Results of `evaluate` and other scorers in Python, saved as JSON: a list of numbers for each score, in order.

Form: the result of `compute` of metrics such as bertscore, bleurt and perplexity (github.com/huggingface/evaluate):
lists of one length by their names, beside single values such as a mean or a hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import refuse_where
from referenceless_metrics.human_evaluation.forms import Form, Sighting


def _lists(content: Any) -> Mapping[str, list[Any]]:
    """Return the lists of numbers in an object; none if it holds anything but them and single values."""
    if not isinstance(content, Mapping):
        return {}
    lists = {name: value for name, value in content.items() if isinstance(value, list)}
    others = [value for value in content.values() if not isinstance(value, list)]
    are_numbers = all(_is_number(cell) for cells in lists.values() for cell in cells)
    are_single = all(value is None or isinstance(value, (str, int, float)) for value in others)
    lengths = {len(cells) for cells in lists.values()}
    return lists if are_numbers and are_single and len(lengths) == 1 and 0 not in lengths else {}


def _is_number(cell: Any) -> bool:
    return cell is None or isinstance(cell, (int, float))


FORM = Form(
    "lists of scores",
    "JSON with lists of numbers of one length, by their names",
    "scores",
    "github.com/huggingface/evaluate, metrics/bertscore, bleurt and perplexity",
    lambda sighting: bool(_lists(sighting.content)),
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read the lists as scores of one system, in the order of the items."""
    refuse_where(sighting, reading, "a scorer")
    lists = _lists(sighting.content)
    length = len(next(iter(lists.values())))
    rows = [
        ScoreRow("", str(place + 1), {name: cells[place] for name, cells in lists.items()}) for place in range(length)
    ]
    notes = ("items are told by the order in the lists.",)
    return Export(FORM.name, rows, notes, names_systems=False, may_be_systems=True)
