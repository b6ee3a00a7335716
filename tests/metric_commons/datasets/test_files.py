"""Delimited text, and what says where local files must be."""

from refusals import refused

from metric_commons.datasets.builder import DelimitedText


def test_lines_are_counted_within_quotes_and_a_row_may_be_no_longer_than_the_header():
    table = DelimitedText(b'\xef\xbb\xbfa\tb\n1\t"x\ny\nz"\n\n2\tw\n', "f", delimiter="\t")
    assert [(row.line, row) for row in table.rows] == [(2, {"a": "1", "b": "x\ny\nz"}), (6, {"a": "2", "b": "w"})]
    with refused(r"pool\.csv:3: expected 2 fields \(a, b\), but got 3"):
        DelimitedText(b"a,b\n1,2\n1,2,3\n", "pool.csv")


def test_a_row_may_end_early_but_its_missing_cells_cannot_be_asked_for():
    (row,) = DelimitedText(b"a,b\n1\n", "pool.csv").rows
    assert (row["a"], row.integer("a")) == ("1", 1)
    with refused(r"^pool\.csv:2: expected 2 cells, but the row ends before 'b'$"):
        row.integer("b")


def test_missing_columns_and_numbers_are_named():
    with refused(r":1: no column 'c', 'd', 'e' and 1 more among the 2 columns"):
        DelimitedText(b"a,b\n1.5,x\n", "pool.csv", ["a", "c", "d", "e", "f"])
    (row,) = DelimitedText(b"a,b\n1.5,x\n", "pool.csv", ["b"]).rows
    with refused(r":2: expected a whole number in 'a', but got '1\.5'"):
        row.integer("a")
