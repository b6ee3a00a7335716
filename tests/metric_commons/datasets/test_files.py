"""Delimited text."""

from refusals import refused

from metric_commons.datasets.builder import delimited_rows


def test_lines_are_counted_within_quotes_and_a_row_may_be_no_longer_than_the_header():
    _, rows = delimited_rows(b'\xef\xbb\xbfa\tb\n1\t"x\ny\nz"\n\n2\tw\n', "f", delimiter="\t")
    assert [(row.where, row) for row in rows] == [("f:2", {"a": "1", "b": "x\ny\nz"}), ("f:6", {"a": "2", "b": "w"})]
    with refused(r"pool\.csv:3: expected 2 fields \(a, b\), but got 3"):
        delimited_rows(b"a,b\n1,2\n1,2,3\n", "pool.csv")


def test_what_a_row_lacks_is_named_with_its_line():
    _, (row, early) = delimited_rows(b"a,b\n1.5,x\n1\n", "pool.csv", ["b"])
    assert (early["a"], early.integer("a")) == ("1", 1)
    for wrong, column, message in (
        (early, "b", ":3: the row ends before 'b'"),
        (row, "a", ":2: .*whole number in 'a'"),
    ):
        with refused(rf"^pool\.csv{message}"):
            wrong.integer(column)
    with refused(r":1: no column 'c', 'd', 'e' and 1 more among the 2 columns"):
        delimited_rows(b"a,b\n1.5,x\n", "pool.csv", ["a", "c", "d", "e", "f"])
