"""COMET: the JSON that `comet-score --to_json` writes, and the command's printed output.

Form: comet/cli/score.py of Unbabel/COMET. COMET counts segments from 0; items are numbered from 1 here, as the lines of
the translations are, and as other tools and tables number them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, describe, shortened
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import refuse_where, text_lines
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_COMET = "COMET"
_LINE = re.compile(r"(?P<file>.+)\tSegment (?P<segment>\d{1,9})\tscore: (?P<score>\S+)(\tvariance: \S+)?")
_SYSTEM_LINE = re.compile(r".+\tscore: \S+")
_PART_OF_LINE = re.compile(r"\t(?:Segment \d|score:)")


def _is_json(sighting: Sighting) -> bool:
    content = sighting.content
    if not isinstance(content, Mapping) or not content:
        return False
    lists = all(isinstance(rows, list) and rows for rows in content.values())
    return lists and any(isinstance(row, Mapping) and "mt" in row for rows in content.values() for row in rows)


def _is_printed(sighting: Sighting) -> bool:
    return any(_LINE.fullmatch(_shown(line)) for line in sighting.opening)


def _shown(line: str) -> str:
    """Return what a terminal shows of a line: a progress bar is overwritten by what follows its carriage return."""
    return line.rpartition("\r")[2]


JSON = Form(
    "comet-score JSON",
    "JSON with a list of segments for each file of translations, each with `mt` and `COMET`",
    "scores",
    "github.com/Unbabel/COMET, comet/cli/score.py",
    _is_json,
)
PRINTED = Form(
    "comet-score output",
    "lines `FILE Segment N score: X`, among those of a log",
    "scores",
    JSON.source,
    _is_printed,
)


def read_json(sighting: Sighting, reading: Reading) -> Export:
    """Read the JSON of several files of translations, each of one system."""
    refuse_where(sighting, reading, "COMET")
    names = _system_names(sighting.content)
    rows = []
    for file, segments in sighting.content.items():
        for number, segment in enumerate(segments, 1):
            if not isinstance(segment, Mapping) or _COMET not in segment:
                raise InputError(
                    f"{sighting.path}: expected an object with COMET's score for each segment, but got "
                    f"{describe(segment)}"
                )
            text = segment.get("mt")
            scores = {_COMET: segment[_COMET]}
            rows.append(ScoreRow(names[file], str(number), scores, text=text if isinstance(text, str) else None))
    return Export(JSON.name, rows, _on_spans(sighting.content, names), are_lines=True)


def _on_spans(content: Mapping[str, Sequence[Mapping[str, Any]]], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return a sentence on the error spans that xCOMET found in each system's outputs; none without."""
    counted = []
    for file, segments in content.items():
        lists = [segment.get("errors") for segment in segments]
        spans = [span for of_segment in lists if isinstance(of_segment, list) for span in of_segment]
        severities = Counter(str(span.get("severity")) for span in spans if isinstance(span, Mapping))
        told = ", ".join(f"{n} {severity}" for severity, n in severities.most_common())
        counted.append((names[file], len(spans), f" ({told})" if told else ""))
    if not any(n for _, n, _ in counted):
        return ()
    of_systems = shortened(", ".join(f"{name} {n}{told}" for name, n, told in counted), 240)
    return (f"the column 'errors' holds error spans, which are no scores, and do not count: {of_systems}.",)


def read_printed(sighting: Sighting, reading: Reading) -> Export:
    """Read the lines that the command prints; those of whole systems are left out, as are those of other programs.

    Raises:
        InputError: for a line that is a part of one with a score.
    """
    refuse_where(sighting, reading, "COMET")
    found = []
    others = []
    for where, line in text_lines(sighting.path):
        shown = _shown(line)
        match = _LINE.fullmatch(shown)
        if match is not None:
            found.append(match)
        elif _SYSTEM_LINE.fullmatch(shown) is not None:
            continue
        elif _PART_OF_LINE.search(shown):
            raise InputError(
                f"{where}: expected a line FILE, Segment N, score: X of comet-score, but got {describe(line)}"
            )
        else:
            others.append(line)
    notes = (f"{len(others)} lines hold no scores, and are left out, such as {others[0]!r}",) if others else ()
    names = _system_names(match["file"] for match in found)
    rows = [ScoreRow(names[match["file"]], str(int(match["segment"]) + 1), {_COMET: match["score"]}) for match in found]
    return Export(PRINTED.name, rows, notes, are_lines=True)


def _system_names(files: Iterable[str]) -> dict[str, str]:
    """Return the names of systems: their file's name without the suffix, or its path if that tells them apart."""
    distinct = list(dict.fromkeys(files))
    stems = [PurePath(file).stem for file in distinct]
    return dict(zip(distinct, stems if len(set(stems)) == len(stems) else distinct, strict=True))
