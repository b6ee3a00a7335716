"""Delimited text, and what says where local files must be."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_commons.datasets.files import DelimitedText, fingerprint, require_files

cell = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@given(
    rows=st.lists(st.lists(cell, min_size=3, max_size=3), max_size=6),
    delimiter=st.sampled_from([",", "\t"]),
    terminator=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    bom=st.booleans(),
)
def test_reads_back_what_the_csv_module_writes(rows, delimiter, terminator, quoting, bom):
    if quoting == csv.QUOTE_MINIMAL and terminator == "\n":
        # Python's writer leaves a carriage return bare here, which no reader can tell from the end of a line.
        rows = [[value.replace("\r", "") for value in row] for row in rows]
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator=terminator, quoting=quoting)
    writer.writerows([["a", "b", "c"], *rows])
    content = (b"\xef\xbb\xbf" if bom else b"") + file.getvalue().encode()
    table = DelimitedText(content, "f", delimiter=delimiter)
    assert table.header == ["a", "b", "c"]
    assert [[row[name] for name in "abc"] for row in table] == rows


def test_line_numbers_count_the_lines_within_quotes():
    table = DelimitedText(b'a,b\n1,"x\ny\nz"\n\n2,w\n', "f")
    assert [(row.line, row.cells) for row in table] == [(2, {"a": "1", "b": "x\ny\nz"}), (6, {"a": "2", "b": "w"})]


def test_a_row_may_end_early_but_its_missing_cells_cannot_be_asked_for():
    (row,) = DelimitedText(b"a,b\n1\n", "pool.csv")
    assert (row["a"], row.integer("a")) == ("1", 1)
    with pytest.raises(ValueError, match=r"^pool\.csv, line 2: expected 2 cells, but the row ends before 'b'$"):
        row.integer("b")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "pool.csv: expected a header line and rows, but the file is empty"),
        (b"a,b,a\n", "pool.csv, line 1: column 'a' stands in the header twice"),
        (b"a,b\n1,2\n1,2,3\n", "pool.csv, line 3: expected 2 cells, but got 3"),
        (b"a,b\n1,2\n\xe9,2\n", "pool.csv, line 3: expected UTF-8, but byte 1 of the line is 0xe9"),
        (b'a,b\n1,"open\n2,3\n', "pool.csv, line 2: malformed row: unexpected end of data"),
        (b'a,b\n1,"open"x\n', "pool.csv, line 2: malformed row: ',' expected after '\"'"),
    ],
)
def test_malformed_files_are_named_with_the_line(content, message):
    with pytest.raises(ValueError, match="pool") as raised:
        list(DelimitedText(content, "pool.csv"))
    assert str(raised.value) == message


def test_missing_columns_and_numbers_are_named():
    with pytest.raises(ValueError, match=r"line 1: no column 'c', 'd', 'e' and 1 more among the 2 columns"):
        DelimitedText(b"a,b\n1.5,x\n", "pool.csv", ["a", "c", "d", "e", "f"])
    (row,) = DelimitedText(b"a,b\n1.5,x\n", "pool.csv", ["b"])
    with pytest.raises(ValueError, match=r"line 2: expected a whole number in 'a', but got '1\.5'"):
        row.integer("a")


def test_fingerprint_depends_on_names_and_content_alone(tmp_path):
    def write(folder, name, content):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text(content, encoding="utf-8")
        return str(tmp_path / folder / name)

    first = fingerprint([write("x", "a", "1"), write("x", "b", "2")])
    assert fingerprint([write("y", "a", "1"), write("y", "b", "2")]) == first
    assert fingerprint([write("y", "a", "1"), write("y", "b", "3")]) != first
    assert fingerprint([write("z", "a", "12"), write("z", "b", "")]) != first
    assert fingerprint([write("z", "b", "1"), write("z", "a", "2")]) != first


def test_missing_folder_and_files_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"the folder that holds a\.csv, b\.csv for 'x'.*there is no folder"):
        require_files(tmp_path / "absent", ["a.csv", "b.csv"], "x")
    (tmp_path / "a.csv").touch()
    with pytest.raises(FileNotFoundError, match=r"'x' needs a\.csv, b\.csv in .*, but found no b\.csv$"):
        require_files(tmp_path, ["a.csv", "b.csv"], "x")
    (tmp_path / "b.csv").touch()
    assert require_files(str(tmp_path), ["b.csv", "a.csv"], "x") == [
        str(tmp_path / "b.csv"),
        str(tmp_path / "a.csv"),
    ]
