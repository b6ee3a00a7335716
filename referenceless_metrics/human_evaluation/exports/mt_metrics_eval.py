"""mt-metrics-eval: files of scores, `NAME.seg.score` and `NAME.doc.score`; and the table of WMT's metrics tasks.

Forms:

- README.md of google-research/mt-metrics-eval: a line has a system and a score, or `None`, in blocks of systems; those
  that people gave stand in the folder `human-scores`, as `SOURCE-TARGET.METHOD.seg.score`;
- campaigns of wmt-conference/ErrorSpanAnnotation: the same, where a line that was not annotated may lack its system;
- system, segment and score;
- output of its converter of MQM: system, document, segment, score, and each rater's;
- submissions of the metrics tasks: metric, languages, test set, domain, document, reference, system, segment, score; in
  2020 without domain and document, and before without references.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, describe, finite_number
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import meeting, text_lines
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_NONE = "None"
_HUMAN_SCORES = "human-scores"
_LANGUAGE = "[a-z]{2,3}(?:_[a-z]+)?"
_OF_PEOPLE = re.compile(
    rf"{_LANGUAGE}-{_LANGUAGE}[.](?:mqm|wmt|da|esa|sqm|psqm|csqm|human|appraise)[.-]", re.IGNORECASE
)
"""Names of files of the scores that people gave, outside of their folder."""

_FIELDS = {2: ("system",), 3: ("system", "segment"), 4: ("system", "document", "segment")}
"""Names of the fields before a score, by the number of fields with it."""

_FIELDS_OF_TASK = ("metric", "languages", "test_set", "domain", "document", "reference", "system", "segment", "score")
"""Names of the fields of a submission."""

_FIELDS_OF_TASKS = (
    _FIELDS_OF_TASK,
    ("metric", "languages", "test_set", "reference", "system", "segment", "score"),
    ("metric", "languages", "test_set", "system", "segment", "score"),
)
"""The same of each form of submissions; up to two further fields tell of the metric."""

_FURTHER = 2
_PAIR = re.compile(rf"{_LANGUAGE}-{_LANGUAGE}", re.IGNORECASE)

SEGMENTS = ".seg.score"
"""The end of the names of files with scores of segments."""

_OF_ITEMS = (SEGMENTS, ".doc.score")
_SUFFIXES = (*_OF_ITEMS, ".sys.score", ".domain.score")


def are_human_scores(path: Path) -> bool:
    """Say whether a file of scores holds those that people gave, by its folder or its name.

    >>> are_human_scores(Path("en-de.mqm.seg.score")), are_human_scores(Path("COMET-refA.seg.score"))
    (True, False)
    """
    return path.absolute().parent.name == _HUMAN_SCORES or _OF_PEOPLE.match(path.name) is not None


def _plain_name(sighting: Sighting) -> str:
    return sighting.path.name.removesuffix(".gz")


def _is_score(field: str) -> bool:
    return field == _NONE or finite_number(field) is not None


def _fields_of(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the names of the fields that lines of a submission have; none for other lines."""
    for names in _FIELDS_OF_TASKS:
        n = len(names)
        if rows and all(
            n <= len(fields) <= n + _FURTHER
            and _PAIR.fullmatch(fields[1])
            and fields[n - 2].isdigit()
            and _is_score(fields[n - 1])
            for fields in rows
        ):
            return names
    return ()


def _are_submitted(sighting: Sighting) -> bool:
    return bool(_fields_of([line.split("\t") for line in sighting.lines]))


def _are_scores(sighting: Sighting) -> bool:
    if not _plain_name(sighting).endswith(_SUFFIXES):
        return False
    rows = [_split(line) for line in sighting.lines]
    return bool(rows) and all(len(fields) >= 2 for fields in rows)


def _split(line: str) -> list[str]:
    """Return the fields of a line, between tabs if it has any: a field may then be blank, or hold spaces."""
    return [field.strip() for field in line.split("\t")] if "\t" in line else line.split()


FORM = Form(
    "mt-metrics-eval scores",
    "`NAME.seg.score`: lines of a system and a score, or None",
    "scores",
    "github.com/google-research/mt-metrics-eval, README.md",
    _are_scores,
)
SUBMISSION = Form(
    "WMT metrics task scores",
    "no header; fields between tabs: metric, languages, test set, perhaps domain, document and reference, then system, "
    "segment, score",
    "scores",
    "statmt.org/wmt21/metrics-task.html, format of submissions",
    _are_submitted,
)


def files_of_segments(path: str) -> list[str]:
    """Return the files of metrics' scores of segments in a folder of them; the path itself if it is none."""
    place = Path(path)
    held = sorted(place.iterdir()) if place.is_dir() else []
    found = [str(each) for each in held if each.name.endswith(SEGMENTS) and not are_human_scores(each)]
    return found or [path]


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read a file of scores; the order of a system's lines tells the items."""
    name = _plain_name(sighting)
    suffix = next(each for each in _SUFFIXES if name.endswith(each))
    if suffix not in _OF_ITEMS:
        raise InputError(
            f"{sighting.path}: it holds one score per system; the scores of segments are in .seg.score files"
        )
    column = name.removesuffix(suffix)
    seen: Counter[str] = Counter()
    rows = []
    lines = _with_systems([(where, _split(line)) for where, line in text_lines(sighting.path)], sighting.path)
    names = _FIELDS[min(4, max((len(fields) for _, fields in lines), default=2))]
    for where, fields in meeting(sighting, reading, names, lines):
        if len(fields) == 2 and _is_score(fields[1]):
            system, score = fields
            seen[system] += 1
            rows.append(ScoreRow(system, str(seen[system]), {column: _cell(score)}))
        elif len(fields) == 3 and _is_score(fields[2]):
            system, segment, score = fields
            rows.append(ScoreRow(system, segment, {column: _cell(score)}))
        elif len(fields) >= 4 and _is_score(fields[3]) and all("=" in field for field in fields[4:]):
            system, document, segment, score = fields[:4]
            rows.append(ScoreRow(system, f"{document}/{segment}", {column: _cell(score)}, cluster=document))
        else:
            told = " ".join(fields)
            raise InputError(f"{where}: expected a system and a score, but got {describe(told)}")
    lengths = set(seen.values())
    if len(lengths) > 1:
        lengths_told = ", ".join(f"{system} has {n}" for system, n in seen.items())
        raise InputError(
            f"{sighting.path}: the order of lines tells the items, but systems differ in length: {lengths_told}"
        )
    notes = ["items are told by the order of a system's lines."] if seen else []
    n_unnamed = sum(not _split(line)[0] for _, line in text_lines(sighting.path))
    if n_unnamed:
        notes.append(f"{n_unnamed} lines without a system are of that of their block: systems have equal blocks.")
    unscored = _without_scores(rows, column)
    if unscored:
        rows = [row for row in rows if row.system not in unscored]
        notes.append(f"systems without any score are left out: {', '.join(unscored)}.")
    by_raters = any(len(fields) > 4 for _, fields in lines)
    are_of_people = by_raters or are_human_scores(sighting.path)
    are_penalties = _are_penalties(name, rows, column)
    export = Export(FORM.name, rows, tuple(notes), columns=names, are_of_people=are_of_people)
    return replace(export, are_penalties=are_penalties)


def _with_systems(lines: Sequence[tuple[str, list[str]]], path: Path) -> list[tuple[str, list[str]]]:
    """Return lines of a system and a score of which each names its system: blocks of one length tell those that lack.

    Raises:
        InputError: if lines lack their system, and equal blocks of lines do not name one system each.
    """
    named = [fields[0] for _, fields in lines]
    if all(named) or any(len(fields) != 2 for _, fields in lines):
        return list(lines)
    systems = [name for name in dict.fromkeys(named) if name]
    size = len(lines) // max(1, len(systems))
    blocks = [{*named[start : start + size]} - {""} for start in range(0, size * len(systems), max(1, size))]
    if not systems or size * len(systems) != len(lines) or blocks != [{name} for name in systems]:
        first = lines[named.index("")][0]
        raise InputError(
            f"{first}: this line names no system, and {len(lines)} lines are no blocks of one length for each of "
            f"{len(systems)} systems: write the system into each line"
        )
    return [(where, [systems[place // size], fields[1]]) for place, (where, fields) in enumerate(lines)]


def _are_penalties(name: str, rows: Sequence[ScoreRow], column: str) -> bool:
    """Say whether scores are of MQM, by their file's name, and none is above 0, the score of no errors."""
    numbers = [finite_number(row.scores[column]) for row in rows]
    return "mqm" in re.split("[.-]", name.lower()) and all(number <= 0 for number in numbers if number is not None)


def _without_scores(rows: Sequence[ScoreRow], column: str) -> list[str]:
    """Return the systems that have no score, such as references that nobody rated; none if all lack them."""
    scored = {row.system for row in rows if row.scores[column] is not None}
    return [name for name in dict.fromkeys(row.system for row in rows) if scored and name not in scored]


def read_submission(sighting: Sighting, reading: Reading) -> Export:
    """Read the table of a metrics task: each metric with each reference is a score."""
    lines = [(where, line.split("\t")) for where, line in text_lines(sighting.path)]
    names = _fields_of([fields for _, fields in lines[:1]])
    records = meeting(sighting, reading, names, lines)
    for where, fields in records:
        if _fields_of([fields]) != names:
            told = ", ".join(names)
            raise InputError(f"{where}: expected the fields {told} between tabs, but got {describe(fields)}")
    rows = [dict(zip(names, fields, strict=False)) for _, fields in records]
    several = len({(row["metric"], row.get("reference")) for row in rows}) > len({row["metric"] for row in rows})
    sets = {(row["languages"], row["test_set"]) for row in rows}
    languages = {"languages": [row["languages"] for row in rows]}
    scored = [_submitted(row, several, len(sets) > 1) for row in rows]
    return Export(SUBMISSION.name, scored, further=languages, columns=names)


def _submitted(row: Mapping[str, str], several_references: bool, several_sets: bool) -> ScoreRow:
    metric, document = row["metric"], row.get("document", "")
    column = f"{metric}-{row['reference']}" if several_references else metric
    part = f"{row['test_set']} {row['languages']}" if several_sets else ""
    # Segments are numbered through the test set in some years, and anew in each document in others.
    item = f"{document}/{row['segment']}" if document else row["segment"]
    return ScoreRow(row["system"], item, {column: _cell(row["score"])}, cluster=document, slice=part)


def _cell(score: str) -> str | None:
    return None if score == _NONE else score
