"""Conditions on rows: the rows that `--where` keeps, in every format, and the message if none is kept."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from referenceless_metrics.core.files.formats import START
from referenceless_metrics.core.files.reading import Reading, condition
from referenceless_metrics.core.files.tables import BlockSize, read_blocks
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError

ROWS = [{"language": ("de", "en")[n % 2], "n": n, "kept": n % 3 == 0} for n in range(12)]


@pytest.fixture(params=["csv", "jsonl", "json", "parquet"])
def table(request, tmp_path):
    path = tmp_path / f"rows.{request.param}"
    if request.param == "csv":
        path.write_text("language,n,kept\n" + "".join(f"{r['language']},{r['n']},{r['kept']}\n".lower() for r in ROWS))
    elif request.param == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    elif request.param == "json":
        path.write_text(json.dumps(ROWS))
    else:
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    return str(path)


def where(*conditions):
    return Reading(where=tuple(map(condition, conditions)))


def test_rows_meet_all_conditions(table):
    kept = read_table(table, where("language=de", "kept=true"))
    assert [int(row["n"]) for row in kept.rows] == [0, 6]
    assert read_table(table, where("language == de", "kept = true")).rows == kept.rows
    # a message names the row of the file, not of the rows kept
    lines = {"csv": "rows.csv:8", "jsonl": "rows.jsonl:7", "json": "rows.json, row 7", "parquet": "rows.parquet, row 7"}
    assert kept.where(1).endswith(lines[table.rpartition(".")[2]])


def test_blocks_go_on_behind_what_was_left_out(table):
    reading = where("language=en")
    blocks = list(read_blocks(table, reading=reading, size=BlockSize(2, 10**6)))
    assert [[int(row["n"]) for row in block.rows] for block in blocks] == [[1, 3], [5, 7], [9, 11]]
    again = list(read_blocks(table, reading=reading, size=BlockSize(2, 10**6), start=blocks[0].end))
    assert [[int(row["n"]) for row in block.rows] for block in again] == [[5, 7], [9, 11]]
    assert blocks[0].end != START


def test_no_row_left_is_an_error_that_says_why(table):
    with pytest.raises(
        InputError, match="no row meets --where language=fr; in the first other rows 'language' is 'de', 'en'"
    ):
        read_table(table, where("language=fr"))
    with pytest.raises(
        InputError, match="there is no column 'lang' \\(--where\\); the columns are 'language', 'n', 'kept'"
    ):
        read_table(table, where("lang=de"))
