"""Outputs with a judge's scores, from the logs of Inspect and of lm-evaluation-harness, as a table for `human-score`.

    python -m metric_commons.integrations.judge_logs logs/baseline.eval baseline.csv

writes the columns `item`, `text` and one for each score, which `--estimates-column` names.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence

from metric_commons.files.output import render_rows, write
from metric_commons.files.text_io import read_table
from metric_commons.support.installation import import_extra
from metric_commons.support.validation import InputError, Record, finite_number


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
    rows = list(_harness(log) if log.endswith(".jsonl") else _inspect(log))
    names = [name for name in dict.fromkeys(name for row in rows for name in row) if name not in ("item", "text")]
    if not rows or not names:
        raise InputError(f"{log}: there are no {'scores' if rows else 'outputs'} in it")
    rows.sort(key=lambda row: [(len(part), part) if part.isdecimal() else (0, part) for part in row["item"].split("/")])
    return [
        {"item": row["item"], "text": row["text"]} | {name: row.get(name, math.nan) for name in names} for row in rows
    ]


def _inspect(path: str) -> Iterator[Record]:
    reading = import_extra("inspect_ai.log", "inspect", "reading Inspect's logs")
    to_float = import_extra("inspect_ai.scorer", "inspect", "reading Inspect's logs").value_to_float()
    try:
        samples = reading.read_eval_log(path).samples or []
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: Inspect cannot read it as a log ({error})") from None
    several = len({sample.epoch for sample in samples}) > 1
    for sample in samples:
        row = {"item": f"{sample.id}/{sample.epoch}" if several else str(sample.id), "text": sample.output.completion}
        for name, score in (sample.scores or {}).items():
            values = score.value if isinstance(score.value, Mapping) else {"": score.value}
            row |= {f"{name}_{key}" if key and key != name else name: float(to_float(of)) for key, of in values.items()}
        yield row


def _harness(path: str) -> Iterator[Record]:
    table = read_table(path)
    table.column("filtered_resps", "of lm-evaluation-harness's samples")
    several = len({row.get("filter") for row in table.rows}) > 1
    for place, row in enumerate(table.rows):
        text = row["filtered_resps"]
        while isinstance(text, Sequence) and not isinstance(text, str) and text:
            text = text[0]
        if not isinstance(text, str):
            raise InputError(f"{table.where(place)}: the response is no text; only generated texts can be rated")
        values = {name: finite_number(row[name]) for name in row.get("metrics", ()) if name in row}
        item = f"{row['doc_id']}/{row['filter']}" if several else str(row["doc_id"])
        yield {"item": item, "text": text} | {name: value for name, value in values.items() if value is not None}


if __name__ == "__main__":
    write(render_rows(read_judged(sys.argv[1]), "csv"), sys.argv[2])
