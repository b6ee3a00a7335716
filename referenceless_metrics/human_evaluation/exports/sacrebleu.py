"""sacrebleu with `-sl`: a line for each sentence, as text.

Form: the output of mjpost/sacrebleu: `NAME|signature = SCORE …`, or `NAME = SCORE …` if the signature is left out.
"""

from __future__ import annotations

import re
from collections import Counter

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, describe
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import refuse_where, text_lines
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_LINE = re.compile(r"(?P<name>BLEU|chrF2?\+*|TER)(\|\S+)? = (?P<score>[\d.]+)(\s.*)?")

FORM = Form(
    "sacrebleu -sl",
    "lines `BLEU|signature = SCORE …`",
    "scores",
    "github.com/mjpost/sacrebleu",
    lambda sighting: bool(sighting.lines) and all(_LINE.fullmatch(line) for line in sighting.lines if line.strip()),
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read the scores of sentences; their order tells the items."""
    refuse_where(sighting, reading, "sacrebleu")
    places: Counter[str] = Counter()
    rows = []
    for where, line in text_lines(sighting.path):
        match = _LINE.fullmatch(line)
        if match is None:
            raise InputError(
                f"{where}: expected a line `BLEU|signature = SCORE` of sacrebleu, but got {describe(line)}"
            )
        places[match["name"]] += 1
        rows.append(ScoreRow("", str(places[match["name"]]), {match["name"]: match["score"]}))
    return Export(FORM.name, rows, ("items are told by the order of lines.",), names_systems=False)
