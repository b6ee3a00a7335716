"""Tables in .json, packed files and .csv with semicolons: read as those of .csv, or refused in a line that says why."""

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from refusals import refused

from referenceless_metrics.core.files.archive import is_archive
from referenceless_metrics.core.files.tables import BlockSize, read_blocks
from referenceless_metrics.core.files.text_io import read_rated, read_table, read_texts
from referenceless_metrics.core.support.validation import InputError

ROWS = [{"text": "dré\n", "rating": -2}, {"text": "", "rating": 0}, {"text": "one, two", "rating": 1.5}]


CSV = 'text,rating\n"dré\n",-2\n,0\n"one, two",1.5\n'
WRITERS = {
    "p.json": lambda path: path.write_text(json.dumps(ROWS), encoding="utf-8-sig"),
    "p.csv.gz": lambda path: path.write_bytes(gzip.compress(CSV.encode())),
    "semicolons.csv": lambda path: path.write_text('text;rating\n"dré\n";-2\n;0\none, two;1,5\n', encoding="utf-8"),
    "p.JSONL.GZ": lambda path: path.write_bytes(gzip.compress("\n".join(map(json.dumps, ROWS)).encode())),
    "p.json.gz": lambda path: path.write_bytes(gzip.compress(json.dumps(ROWS).encode())),
    "p.parquet.gz": lambda path: (
        pq.write_table(pa.Table.from_pylist(ROWS), path), path.write_bytes(gzip.compress(path.read_bytes()))
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITERS)
def test_rated_texts_are_those_of_csv(tmp_path, name):
    WRITERS[name](tmp_path / name)
    path = str(tmp_path / name)
    rated = read_rated(path)
    assert (rated.texts, rated.ratings.tolist()) == ([row["text"] for row in ROWS], [-2, 0, 1.5])
    assert read_texts(path) == rated.texts
    assert not is_archive(path)
    blocks = list(read_blocks(path, size=BlockSize(rows=2)))
    assert [(table.first, len(table.rows), table.end.row) for table in blocks] == [(0, 2, 2), (2, 1, 3)]
    (last,) = read_blocks(path, size=BlockSize(rows=2), start=blocks[0].end)
    assert last.rows == blocks[1].rows
    assert last.numbers("rating", "").tolist() == [1.5]


BAD = {
    "nothing": ("p.json", lambda path: path.write_text("[]"), "expected a list of objects"),
    "not packed": ("p.csv.gz", lambda path: path.write_text(CSV), "p.csv.gz: not a .gz file"),
    "cut": ("p.csv.gz", lambda path: path.write_bytes(gzip.compress(CSV.encode())[:-9]), "a damaged one"),
    "cut table": ("p.json.gz", lambda path: path.write_bytes(gzip.compress(b"[]")[:-9]), "a damaged one"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_read_is_refused_in_a_line(tmp_path, case):
    name, write, message = BAD[case]
    write(tmp_path / name)
    with refused(message, InputError) as error:
        read_table(str(tmp_path / name))
    assert "\n" not in str(error.value)
