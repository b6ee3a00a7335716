"""ROUGE-1.5.5 with `-d`: the figures of each summary by each measure, as text.

Form: what `ROUGE-1.5.5.pl -d` prints: averages of a system, `1 ROUGE-1 Average_F: 0.29`, then a line for each summary,
`1 ROUGE-1 Eval D1001.1 R:0.35 P:0.40 F:0.38`, in which the system stands first, and again at the end of the summary.
"""

from __future__ import annotations

import re
from collections import defaultdict

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, Record, describe
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import refuse_where, text_lines
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_AVERAGE = re.compile(r"\S+ ROUGE-\S+ Average_[RPF]: .*")
_SUMMARY = re.compile(r"(?P<system>\S+) (?P<measure>ROUGE-\S+) Eval (?P<item>\S+) R:\S+ P:\S+ F:(?P<score>\S+)\s*")
_RULE = re.compile(r"[-.]+\s*")


def _is_output(sighting: Sighting) -> bool:
    told = [line for line in sighting.lines if line.strip() and not _RULE.fullmatch(line)]
    return bool(told) and all(_AVERAGE.fullmatch(line) or _SUMMARY.fullmatch(line) for line in told)


FORM = Form(
    "ROUGE-1.5.5 output",
    "lines `SYSTEM ROUGE-1 Average_F: …` and, with `-d`, `SYSTEM ROUGE-1 Eval ITEM R:… P:… F:…`",
    "scores",
    "the program ROUGE-1.5.5.pl",
    _is_output,
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read F of each summary by each measure.

    Raises:
        InputError: for averages alone, another line, and a summary that stands twice.
    """
    refuse_where(sighting, reading, "ROUGE-1.5.5")
    scores: dict[tuple[str, str], Record] = defaultdict(dict)
    for where, line in text_lines(sighting.path):
        if _RULE.fullmatch(line) or _AVERAGE.fullmatch(line):
            continue
        match = _SUMMARY.fullmatch(line)
        if match is None:
            raise InputError(
                f"{where}: expected a line `SYSTEM ROUGE-1 Eval ITEM R:… P:… F:…`, but got {describe(line)}"
            )
        system, measure = match["system"], match["measure"]
        item = match["item"].removesuffix(f".{system}")
        if measure in scores[system, item]:
            raise InputError(f"{where}: {measure} of system {system!r} and item {item!r} stands twice")
        scores[system, item][measure] = match["score"]
    if not scores:
        raise InputError(f"{sighting.path}: it holds averages alone: run ROUGE-1.5.5.pl with -d for all summaries")
    rows = [ScoreRow(system, item, of_measures) for (system, item), of_measures in scores.items()]
    return Export(FORM.name, rows, ("F is read, and neither R nor P; averages are left out.",))
