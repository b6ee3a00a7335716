"""Outputs with a judge's scores, from the logs of Inspect and of lm-evaluation-harness, as a table for `human-score`.

    python -m metric_commons.integrations.judge_logs logs/baseline.eval baseline.csv

writes the columns `item`, `text` and one for each score, which `--estimates-column` names.
"""

from __future__ import annotations

import math
import sys

from metric_commons.files.output import render_rows, write
from metric_commons.support.validation import InputError, Record, finite_number
from metric_commons.systems.scores.logs import log_rows


def read_judged(log: str) -> list[Record]:
    """Return the outputs in a log, ordered by their item so that logs of one task are in one order.

    Args:
        log: Inspect's (`.eval`, or `.json`; it takes the extra `inspect`), or lm-evaluation-harness's file of samples
            (`samples_….jsonl`, of `--log_samples`).

    Returns:
        A row an output with `item` (the sample's or document's id, with the epoch or the filter where there are
        several), `text`, and each score that is a number; an Inspect grade counts as its `value_to_float` does (C 1, P
        .5, I 0).

    Raises:
        ImportError: without Inspect, for its logs; the message names the extra.
        InputError: for a log without outputs or without scores.
    """
    rows = log_rows(log) or []
    if silent := [row.item for row in rows if row.text is None]:
        raise InputError(f"{log}, item {silent[0]}: the response is no text; only generated texts can be rated")
    scores = [{name: finite_number(score) for name, score in row.scores.items()} for row in rows]
    names = dict.fromkeys(name for of_row in scores for name, score in of_row.items() if score is not None)
    if not names:
        raise InputError(f"{log}: there are no {'scores' if rows else 'outputs'} in it")
    several = len({row.run for row in rows}) > 1
    judged: list[Record] = [
        {"item": f"{row.item}/{row.run}" if several else row.item, "text": row.text}
        | {name: math.nan if of_row.get(name) is None else of_row[name] for name in names}
        for row, of_row in zip(rows, scores, strict=True)
    ]
    return sorted(
        judged,
        key=lambda row: [(len(part), part) if part.isdecimal() else (0, part) for part in row["item"].split("/")],
    )


if __name__ == "__main__":
    write(render_rows(read_judged(sys.argv[1]), "csv"), sys.argv[2])
