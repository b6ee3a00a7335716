"""trec_eval with `-q`: a measure of each query, in lines without a header.

Form: the output of usnistgov/trec_eval: measure, query and value, between white space; the run is named in a line
`runid all NAME`, and lines of the query `all` are of the whole run.
"""

from __future__ import annotations

import re
from collections import defaultdict

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, Record, describe, finite_number
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import refuse_where, text_lines
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_MEASURE = re.compile(
    r"runid|num_\w+|(?:gm_)?(?:map|ap)(?:_\w+)?|[PRF](?:_?\d+)?|P_avgjg\w*|prefs_\w+|Rprec[\w.]*|bpref\w*|g_?map\w*|"
    r"recip_rank\w*|recall_\w+|iprec[\w.]+|ndcg\w*|success_\w+|set_[\w.]+|rel(?:string|ative_P)\w*|utility\w*|infAP|"
    r"yaap|binG|G|11pt_avg|unj_\w+|Rndcg|nDCG@\d+|[PR]@\d+|RR(?:@\d+)?",
    re.IGNORECASE,
)
_ALL = "all"
_RUN = "runid"
_COUNTS = ("num_",)  # of documents, and no scores


def _is_output(sighting: Sighting) -> bool:
    rows = [line.split() for line in sighting.lines]
    if not rows or any(len(fields) != 3 for fields in rows):
        return False
    are_measures = all(_MEASURE.fullmatch(fields[0]) for fields in rows)
    return are_measures and all(fields[0] == _RUN or finite_number(fields[2]) is not None for fields in rows)


FORM = Form(
    "trec_eval -q",
    "no header; lines `MEASURE QUERY VALUE` between tabs",
    "scores",
    "github.com/usnistgov/trec_eval",
    lambda sighting: all("\t" in line for line in sighting.lines) and _is_output(sighting),
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read the measures of each query; those of the whole run, and counts of documents, are left out."""
    refuse_where(sighting, reading, "trec_eval")
    system = ""
    scores: dict[str, Record] = defaultdict(dict)
    for where, line in text_lines(sighting.path):
        fields = line.split()
        if len(fields) != 3:
            raise InputError(f"{where}: expected a measure, a query and a value, but got {describe(line)}")
        measure, query, value = fields
        if measure == _RUN:
            system = value
        elif query != _ALL and not measure.startswith(_COUNTS):
            if measure in scores[query]:
                raise InputError(f"{where}: {measure} of query {query!r} stands twice")
            scores[query][measure] = value
    rows = [ScoreRow(system, query, of_query) for query, of_query in scores.items()]
    return Export(FORM.name, rows, names_systems=bool(system))
