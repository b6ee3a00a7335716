"""SWE-bench: the report of a run, JSON with lists of instances by their outcome.

Form: swebench/harness/reporting.py of SWE-bench/SWE-bench. An instance is resolved or not; patches that are empty or
that could not be tried are not resolved, as in the benchmark's own figure.
"""

from __future__ import annotations

from collections.abc import Mapping

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import refuse_where
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_RESOLVED = "resolved_ids"
_NOT_RESOLVED = ("unresolved_ids", "empty_patch_ids", "error_ids")

FORM = Form(
    "SWE-bench report",
    "JSON with `resolved_ids` and `unresolved_ids`",
    "scores",
    "github.com/SWE-bench/SWE-bench, swebench/harness/reporting.py",
    lambda sighting: (
        isinstance(sighting.content, Mapping)
        and all(isinstance(sighting.content.get(name), list) for name in (_RESOLVED, _NOT_RESOLVED[0]))
    ),
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read whether each instance was resolved."""
    refuse_where(sighting, reading, "SWE-bench")
    content = sighting.content
    resolved = dict.fromkeys(map(str, content[_RESOLVED]), True)
    others = {str(instance): False for name in _NOT_RESOLVED for instance in content.get(name) or []}
    rows = [ScoreRow("", instance, {"resolved": of_one}) for instance, of_one in {**others, **resolved}.items()]
    failed = len(content.get("error_ids") or [])
    notes = (f"{failed} instances ended in an error, and count as not resolved.",) if failed else ()
    return Export(FORM.name, rows, notes, names_systems=False)
