"""Delimited text, and what says where local files must be."""

from refusals import refused
from text_files import write

from metric_commons.datasets.builder import DelimitedText, fingerprint, require_files


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


def test_fingerprint_depends_on_names_and_content_alone(tmp_path):
    def of(folder, **contents):
        (tmp_path / folder).mkdir()
        for name, content in contents.items():
            write(tmp_path / folder / name, content)
        return fingerprint([str(tmp_path / folder / name) for name in contents])

    first = of("1", a="1", b="2")
    assert of("2", a="1", b="2") == first
    assert len({first, of("3", a="1", b="3"), of("4", a="12", b=""), of("5", b="1", a="2")}) == 4


def test_missing_folder_and_files_are_named(tmp_path):
    with refused(r"the folder that holds a\.csv, b\.csv for 'x'.*is no such folder", FileNotFoundError):
        require_files(tmp_path / "absent", ["a.csv", "b.csv"], "x")
    (tmp_path / "a.csv").touch()
    with refused(r"for 'x', but there is no b\.csv at ", FileNotFoundError):
        require_files(tmp_path, ["a.csv", "b.csv"], "x")
    (tmp_path / "b.csv").touch()
    assert require_files(str(tmp_path), ["b.csv", "a.csv"], "x") == [str(tmp_path / "b.csv"), str(tmp_path / "a.csv")]
