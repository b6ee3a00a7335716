"""Tables of any content in any dialect: a table is read as it was written, or a note or an error says otherwise."""

import csv
import gzip
import io
import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.tables import read_blocks
from referenceless_metrics.core.files.text_io import read_table

pytestmark = [
    pytest.mark.fuzz,
    pytest.mark.filterwarnings("ignore::referenceless_metrics.core.files.reading.InputNote"),
]

cells = st.text(st.sampled_from("ab é\"'ы,;|\t\n\r\u2028\u00a0<&0.5-"), max_size=8)
tables = st.lists(st.tuples(cells, cells, st.integers(-5, 5).map(str)), min_size=1, max_size=8)
COLUMNS = ("text", "source", "rating")


def written(rows, delimiter, end):
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter, lineterminator=end)
    writer.writerow(COLUMNS)
    writer.writerows(rows)
    return stream.getvalue()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@example([("0", "0", "0")] * 3 + [("", "", "0")], ",", "\n", "utf-8", False, False)
@given(
    rows=tables,
    delimiter=st.sampled_from(",;\t|"),
    end=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1251"]),
    named=st.booleans(),
    packed=st.booleans(),
)
def test_delimited_text(tmp_path, rows, delimiter, end, encoding, named, packed):
    rows = [[cell.replace("é", "e") if encoding == "cp1251" else cell for cell in row] for row in rows]
    text = written(rows, delimiter, end)
    if encoding == "cp1251":
        text = text.replace("\u2028", "").replace("\u00a0", "")
        rows = [[cell.replace("\u2028", "").replace("\u00a0", "") for cell in row] for row in rows]
    content = text.encode(encoding)
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(content) if packed else content)
    of_encoding = None if encoding in ("utf-8", "utf-8-sig", "utf-16") else encoding
    table = read_table(str(path), Reading(encoding=of_encoding, delimiter=delimiter if named else None))
    got = [[*row.values()] for row in table.rows]
    zeros = rows[len(got) :]  # at the end, as formulas that were copied too far leave them
    if zeros and all(not text.strip() and not source.strip() and rating == "0" for text, source, rating in zeros):
        assert "zeros and nothing else" in " ".join(table.notes)
        rows = rows[: len(got)]
    else:
        zeros = []
    if delimiter == "\t" and got != rows:  # letters, not quoting, if every line then has the header's fields
        assert all(len(line.split("\t")) == 3 for line in text.split(end)[:-1] if line)
        return
    assert got == rows
    n_lines = text.count("\n")
    if n_lines > len(rows) + len(zeros) + 1:
        assert "line breaks" in " ".join(table.notes)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=tables, shape=st.sampled_from(["lines", "list", "columns", "values", "pandas", "split"]))
def test_shapes_of_json(tmp_path, rows, shape):
    records = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
    content = {
        "list": records,
        "columns": {name: [row[name] for row in records] for name in COLUMNS},
        "values": {"values": records},
        "pandas": {name: {str(n): row[name] for n, row in enumerate(records)} for name in COLUMNS},
        "split": {"columns": COLUMNS, "index": [], "data": rows},
    }
    path = tmp_path / "t.json"
    text = "\n".join(map(json.dumps, records)) if shape == "lines" else json.dumps(content[shape])
    path.write_text(text, encoding="utf-8")
    if shape == "lines" and len(records) == 1:
        return  # one object
    assert read_table(str(path)).rows == records


def test_objects_of_zeros_are_rows(tmp_path):
    """Zeros at the end of a sheet are formulas that were copied too far; nobody copies objects so."""
    records = [{"text": "0", "source": "0", "rating": "0"}] * 3 + [{"text": "", "source": "", "rating": "0"}]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    assert read_table(str(tmp_path / "t.jsonl")).rows == records


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(cells.map(lambda cell: cell.replace("\n", " ")), min_size=2), end=st.sampled_from(["\n", "\r\n"]))
def test_lines(tmp_path, texts, end):
    texts = [text.rstrip("\r") for text in texts]
    path = tmp_path / "t.txt"
    path.write_bytes("".join(text + end for text in texts).encode())
    assert [row["text"] for table in read_blocks(str(path), default="txt") for row in table.rows] == texts
