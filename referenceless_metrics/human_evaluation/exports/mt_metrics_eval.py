"""mt-metrics-eval: files of scores, `NAME.seg.score` and `NAME.doc.score`; and the table of WMT's metrics tasks.

Forms:

- README.md of google-research/mt-metrics-eval: a line has a system and a score, or `None`, in blocks of systems;
- output of its converter of MQM: system, document, segment, score, and each rater's;
- submissions of the metrics tasks: metric, languages, test set, domain, document, reference, system, segment, score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, describe, finite_number
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import refuse_where, text_lines
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_NONE = "None"
_SUFFIXES = (".seg.score", ".doc.score", ".sys.score", ".domain.score")


def _plain_name(sighting: Sighting) -> str:
    return sighting.path.name.removesuffix(".gz")


def _is_score(field: str) -> bool:
    return field == _NONE or finite_number(field) is not None


def _are_submitted(sighting: Sighting) -> bool:
    rows = [line.split("\t") for line in sighting.lines]
    return bool(rows) and all(
        len(fields) in (9, 10) and "-" in fields[1] and fields[7].isdigit() and _is_score(fields[8]) for fields in rows
    )


def _are_scores(sighting: Sighting) -> bool:
    if not _plain_name(sighting).endswith(_SUFFIXES):
        return False
    rows = [line.split() for line in sighting.lines]
    return bool(rows) and all(len(fields) >= 2 for fields in rows)


FORM = Form(
    "mt-metrics-eval scores",
    "`NAME.seg.score`: lines of a system and a score, or None",
    "scores",
    "github.com/google-research/mt-metrics-eval, README.md",
    _are_scores,
)
SUBMISSION = Form(
    "WMT metrics task scores",
    "no header; nine fields between tabs: metric, languages, test set, domain, document, reference, system, segment, "
    "score",
    "scores",
    "statmt.org/wmt21/metrics-task.html, format of submissions",
    _are_submitted,
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read a file of scores; the order of a system's lines tells the items."""
    refuse_where(sighting, reading, "mt-metrics-eval")
    name = _plain_name(sighting)
    suffix = next(each for each in _SUFFIXES if name.endswith(each))
    if suffix not in (".seg.score", ".doc.score"):
        raise InputError(
            f"{sighting.path}: it holds one score per system; the scores of segments are in .seg.score files"
        )
    column = name.removesuffix(suffix)
    seen: Counter[str] = Counter()
    rows = []
    for where, line in text_lines(sighting.path):
        fields = line.split()
        if len(fields) == 2 and _is_score(fields[1]):
            system, score = fields
            seen[system] += 1
            rows.append(ScoreRow(system, str(seen[system]), {column: _cell(score)}))
        elif len(fields) >= 4 and _is_score(fields[3]) and all("=" in field for field in fields[4:]):
            system, document, segment, score = fields[:4]
            rows.append(ScoreRow(system, f"{document}/{segment}", {column: _cell(score)}, cluster=document))
        else:
            raise InputError(f"{where}: expected a system and a score, but got {describe(line)}")
    lengths = set(seen.values())
    if len(lengths) > 1:
        told = ", ".join(f"{system} has {n}" for system, n in seen.items())
        raise InputError(f"{sighting.path}: the order of lines tells the items, but systems differ in length: {told}")
    notes = ("items are told by the order of a system's lines.",) if seen else ()
    return Export(FORM.name, rows, notes)


def read_submission(sighting: Sighting, reading: Reading) -> Export:
    """Read the table of a metrics task: each metric with each reference is a score."""
    refuse_where(sighting, reading, "the metrics task")
    records = [(where, line.split("\t")) for where, line in text_lines(sighting.path)]
    for where, fields in records:
        if len(fields) not in (9, 10) or not _is_score(fields[8]):
            raise InputError(
                f"{where}: expected nine fields between tabs, the last a score, but got {describe(fields)}"
            )
    several = len({(fields[0], fields[5]) for _, fields in records}) > len({fields[0] for _, fields in records})
    sets = {(fields[1], fields[2]) for _, fields in records}
    rows = [_submitted(fields, several, len(sets) > 1) for _, fields in records]
    return Export(SUBMISSION.name, rows)


def _submitted(fields: Sequence[str], several_references: bool, several_sets: bool) -> ScoreRow:
    metric, languages, test_set, _, document, reference, system, segment, score = fields[:9]
    column = f"{metric}-{reference}" if several_references else metric
    part = f"{test_set} {languages}" if several_sets else ""
    # Segments are numbered through the test set in some years, and anew in each document in others.
    return ScoreRow(system, f"{document}/{segment}", {column: _cell(score)}, cluster=document, slice=part)


def _cell(score: str) -> str | None:
    return None if score == _NONE else score
