"""sacrebleu with `-sl`: a line for each sentence, as text; and its JSON, which holds scores of a whole corpus alone.

Form: the output of mjpost/sacrebleu: `NAME|signature = SCORE …`, or `NAME = SCORE …` if the signature is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import NoReturn

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


def _is_of_corpus(sighting: Sighting) -> bool:
    """Say whether JSON holds a score, or one for each metric, with sacrebleu's signature."""
    content = sighting.content
    scores = content if isinstance(content, list) else [content]
    named = [each for each in scores if isinstance(each, Mapping) and {"name", "score", "signature"} <= each.keys()]
    return 0 < len(named) == len(scores) and all("version:" in str(each["signature"]) for each in named)


OF_CORPUS = Form(
    "sacrebleu scores of a corpus",
    "JSON with `name`, `score` and `signature` of each metric",
    "scores",
    FORM.source,
    _is_of_corpus,
)


def refuse_corpus(sighting: Sighting, _: Reading) -> NoReturn:
    """Refuse scores of a whole corpus.

    Raises:
        InputError: naming the ways to scores of sentences, and to a comparison.
    """
    raise InputError(
        f"{sighting.path}: it holds scores of a whole corpus, which do not tell whether a difference is more than "
        "chance: `referenceless compare OUTPUTS OTHER --references REFERENCES --metric bleu --metric chrf` compares "
        "outputs, and `sacrebleu -sl` writes a score of each sentence"
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
