"""PCIbex Farm: the results of an experiment, delimited text whose columns comments name.

The form: https://doc.pcibex.net/how-to-guides/data-transformation/
A row is an event of one element of a trial: its type, its name, a parameter and its value. The choices on scales and
in lists are answers; columns that the experiment adds, as the item and the condition, stand behind them.
"""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.exports.answers import NO_ITEMS, Answers, Export

TOOL = "PCIbex Farm"

_TYPE, _NAME, _PARAMETER, _VALUE = "PennElementType", "PennElementName", "Parameter", "Value"
_RECEIVED, _ORDER = "Results reception time", "Order number of item"
_PARTICIPANT = "MD5 hash of participant's IP address"
_ANSWERS = {("Scale", "Choice"), ("DropDown", "Selected"), ("Selector", "Selection")}
"""Types of elements whose values are answers, each with the parameter of these."""

_OF_EVENTS = (
    *(_TYPE, _NAME, _PARAMETER, _VALUE, _RECEIVED, _ORDER, _PARTICIPANT, "EventTime", "Controller name"),
    *("Inner element number", "Latin Square Group", "Comments"),
)
"""The columns that are about an event, and no property of the trial."""


def recognises(export: Export) -> bool:
    """Say whether this is a file of results of PCIbex Farm."""
    return {_TYPE, _PARAMETER, _VALUE} <= set(export.columns)


def convert(export: Export) -> Answers:
    """Return a row for each participant and trial with answers; of several choices on a scale the last counts."""
    answers = Answers()
    trials: dict[tuple[object, ...], tuple[Record, Record]] = {}
    for row in export.rows:
        if (row.get(_TYPE), row.get(_PARAMETER)) in _ANSWERS:
            key = (row.get(_PARTICIPANT), row.get(_RECEIVED), row.get(_ORDER))
            _, given = trials.setdefault(key, (row, {}))
            given[str(row.get(_NAME))] = row.get(_VALUE)
    item = next((name for name in export.columns if name.lower() == "item"), None)
    further = [name for name in export.columns if name not in (*_OF_EVENTS, item) and not name.startswith("column ")]
    several = _several_times([(key[0], key[1]) for key in trials])
    for number, ((participant, received, _), (row, given)) in enumerate(trials.items(), 1):
        rater = f"{participant}/{received}" if participant in several else participant
        told = row.get(item) if item is not None else number
        answers.add({name: row.get(name) for name in further}, told, rater, given)
    if item is None:
        answers.notes.append(NO_ITEMS)
    if several:
        answers.notes.append(f"{len(several)} addresses sent results several times: each time is a rater of its own")
    return answers


def _several_times(sent: Sequence[tuple[object, object]]) -> set[object]:
    """Return the participants' addresses from which results came at several times."""
    times: dict[object, set[object]] = {}
    for participant, received in sent:
        times.setdefault(participant, set()).add(received)
    return {participant for participant, of_one in times.items() if len(of_one) > 1}
