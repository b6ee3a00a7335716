"""Tables as people have them: delimiters, quotation marks, headers, encodings, workbooks, shapes of JSON."""

import gzip
import json
import time

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from text_files import write

from referenceless_metrics import look
from referenceless_metrics.core.files import formats, opening, workbooks
from referenceless_metrics.core.files.number_words import column_numbers
from referenceless_metrics.core.files.reading import InputNote, Reading
from referenceless_metrics.core.files.text_io import read_rated, read_table, read_texts
from referenceless_metrics.core.support.validation import InputError

ROWS = [{"item": "1", "system": "a", "rating": "4"}, {"item": "2", "system": "b", "rating": "5"}]


def read(path, content, **reading):
    """Write a file, read it, and return its rows and the notes on assumptions."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    table = read_table(str(path), Reading(**reading))
    return table.rows, " ".join(table.notes)


def refused(path, content, **reading):
    with pytest.raises(InputError) as caught:
        read(path, content, **reading)
    return str(caught.value)


pytestmark = pytest.mark.filterwarnings("ignore::referenceless_metrics.core.files.reading.InputNote")


@pytest.mark.parametrize(
    "name, content, note",
    [
        ("t.csv", "item\tsystem\trating\n1\ta\t4\n2\tb\t5\n", "separated by tabs, not commas (--delimiter)"),
        ("t.csv", "item;system;rating\n1;a;4\n2;b;5\n", "separated by semicolons, not commas"),
        ("t.csv", "item|system|rating\n1|a|4\n2|b|5\n", "separated by vertical bars"),
        ("t.csv", "item   system rating\n1  a 4\n2 b\t5\n", "separated by white space"),
        ("t.tsv", "item,system,rating\n1,a,4\n2,b,5\n", "separated by commas, not tabs"),
        ("t.txt", "item\tsystem\trating\n1\ta\t4\n2\tb\t5\n", ""),
        ("t.dat", "item\tsystem\trating\n1\ta\t4\n2\tb\t5\n", "the suffix '.dat' is not known; read as csv"),
        ("t.csv", " item ,system,rating \n1,a,4\n2,b,5\n", ""),
        ("t.csv", "item,system,rating,,\n1,a,4,,\n2,b,5,,\n", None),
        ("t.csv", "item,system,rating\n1,a,4,\n2,b,5,\n", ""),
        ("t.csv", "\ufeffitem,system,rating\r\n1,a,4\r\n2,b,5\r\n", ""),
        ("t.csv", "item,system,rating\n1,a,4\n\n2,b,5\n", "1 blank line is no row"),
        ("t.csv", "item,system,rating\n1,a,4\n2,b,5\n".encode("utf-16"), "read as utf-16-le, which its mark says"),
        ("t.tsv", "item\tsystem\trating\n1\ta\t4\n2\tb\t5\n".encode("utf-16"), "read as utf-16-le"),
        ("t.csv.gz", gzip.compress(b"item,system,rating\n1,a,4\n2,b,5\n", mtime=0), ""),
        ("t.jsonl", json.dumps(ROWS), "the suffix '.jsonl' does not fit its content; read as json"),
        ("t.json", "\n".join(map(json.dumps, ROWS)), "read as JSON lines"),
        ("t.json", json.dumps({"item": ["1", "2"], "system": ["a", "b"], "rating": ["4", "5"]}), ""),
        ("t.json", json.dumps({"values": ROWS}), ""),
        ("t.json", json.dumps({"version": 2, "rows": ROWS}), "the rows are the list 'rows'"),
        ("t.json", json.dumps({name: {"0": ROWS[0][name], "1": ROWS[1][name]} for name in ROWS[0]}), ""),
        ("t.json", json.dumps({"columns": list(ROWS[0]), "index": [0, 1], "data": [[*r.values()] for r in ROWS]}), ""),
    ],
)
def test_shapes_of_one_table(tmp_path, name, content, note):
    rows, notes = read(tmp_path / name, content)
    assert [{key: row[key] for key in ROWS[0]} for row in rows] == ROWS
    if note is not None:
        assert (note in notes) if note else notes == ""


def test_names_beside_a_list_of_rows_are_columns(tmp_path):
    """A participant's answers stand in a list beside the participant; means and counts are of the whole list."""
    trials = [{"item": "1", "rating": 4}, {"item": "2", "rating": 5}]
    beside = {"prolific_pid": "p7", "worker_id": 12, "age": 30, "mean": 4.5, "settings": {"a": 1}}
    rows, notes = read(tmp_path / "p7.json", json.dumps({**beside, "trials": trials}))
    assert rows == [{"prolific_pid": "p7", "worker_id": 12, **trial} for trial in trials]
    told = "the rows are the list 'trials', each with 'prolific_pid', 'worker_id' beside it; what else stands beside it"
    assert told in notes
    rows, _ = read(tmp_path / "p7.json", json.dumps({**beside, "trials": trials}), rows_in="trials")
    assert [(row["prolific_pid"], row["age"], row["rating"]) for row in rows] == [("p7", 30, 4), ("p7", 30, 5)]


def test_columns_of_a_file_without_header(tmp_path):
    rows, _ = read(tmp_path / "t.csv", "1,a,4\n2,b,5\n", columns=("item", "system", "rating"))
    assert rows == ROWS
    path = tmp_path / "t.tsv"
    path.write_text("1\ta\t4\n2\tb\t5\n")
    with pytest.raises(InputError, match="if the first line holds data, name the columns: --columns item,system,rater"):
        read_rated(str(path))


def test_last_columns_that_lack_in_every_row_are_blank(tmp_path):
    rows, notes = read(tmp_path / "batch.csv", 'HITId,rating,Approve,Reject\n"h1","4"\n"h2","5"\n"h3","2","x"\n')
    assert [row["rating"] for row in rows] == ["4", "5", "2"]
    assert [row["Approve"] for row in rows] == ["", "", "x"]
    assert "3 rows end before 'Approve', 'Reject', blank in them" in notes
    assert "t.csv:3: expected 2 fields" in refused(tmp_path / "t.csv", "text,rating\na,1\nb\n")


def test_names_that_stand_twice_get_a_number(tmp_path):
    rows, notes = read(tmp_path / "form.csv", "Timestamp,Fluent?,Fluent?\nx,4,5\n")
    assert rows == [{"Timestamp": "x", "Fluent?": "4", "Fluent? (2)": "5"}]
    assert "the further columns are called 'Fluent? (2)'" in notes
    rows, notes = read(tmp_path / "two.csv", "no,base,Fluent?,ours,Style,Fluent?\n1,x,4,y,2,5\n")
    assert list(rows[0]) == ["no", "base", "Fluent?", "ours", "Style", "Fluent? (2)"]


def test_names_that_stand_behind_each_of_several_others_are_joined_with_these(tmp_path):
    header = "no,base,Fluent?,Style,ours,Fluent?,Style,note\n"
    rows, notes = read(tmp_path / "form.csv", f"{header}1,a cat,4,5,the cat,3,2,good\n")
    joined = ["base_Fluent?", "base_Style", "ours_Fluent?", "ours_Style"]
    assert list(rows[0]) == ["no", "base", *joined[:2], "ours", *joined[2:], "note"]
    assert "the same names stand behind several others, and columns are called by both" in notes


QUOTED = 'text\trating\n"two\nlines"\t1\nlast\t2\n'


def test_quotation_marks_between_tabs(tmp_path):
    # Every line has two fields, and quoting would swallow three texts: the marks are letters.
    letters = 'text\trating\nfirst\t1\n"Yes he said\t2\nthird\t3\nfourth\t4\n no more"\t5\nlast\t3\n'
    rows, notes = read(tmp_path / "t.tsv", letters)
    assert [row["text"] for row in rows] == ["first", '"Yes he said', "third", "fourth", ' no more"', "last"]
    # Quoting gives as many rows: the marks quote.
    rows, _ = read(tmp_path / "t.tsv", 'text\tsource\trating\n\t"\n"\t0\n')  # one row, or two that lack a field each
    assert rows == [{"text": "", "source": "\n", "rating": "0"}]
    rows, _ = read(tmp_path / "t.tsv", 'text\trating\n"a ""b"""\t1\n"c"\t2\n')
    assert [row["text"] for row in rows] == ['a "b"', "c"]
    # Only quoting fits the header: outputs with line breaks, which a note counts.
    rows, notes = read(tmp_path / "t.tsv", QUOTED)
    assert [row["text"] for row in rows] == ["two\nlines", "last"]
    assert "2 rows stand on 3 lines: quoted cells hold line breaks" in notes
    # Neither fits.
    assert "t.tsv:2: expected 2 fields between tabs, but got 1" in refused(tmp_path / "t.tsv", QUOTED + "x\ty\tz\n")


@pytest.mark.long
def test_a_look_ahead_leaves_a_long_file_where_it_was(tmp_path):
    rows, notes = read(tmp_path / "t.tsv", 'text\trating\n"a ""b"""\t1\n' + f"{'word ' * 50}\t2\n" * 20_000)
    assert (len(rows), rows[0]["text"], notes) == (20_001, 'a "b"', "")
    many = tmp_path / "m.tsv"
    assert len(read(many, 'text\trating\n"one\t1\n' + f"{'word ' * 50}\t2\n" * 20_000)[0]) == 20_001


def test_a_lone_carriage_return_is_no_line_end_beside_line_feeds(tmp_path):
    (tmp_path / "t.txt").write_bytes(b"one\rstill one\ntwo\n")
    assert read_texts(str(tmp_path / "t.txt")) == ["one\rstill one", "two"]
    rows, _ = read(tmp_path / "t.csv", "text,rating\none\rstill one,1\r\ntwo,2\r\n")
    assert [row["text"] for row in rows] == ["one\rstill one", "two"]


@pytest.mark.parametrize(
    "encoding, text, shown",
    [("cp1252", "naïve café", "naïve café"), ("cp1251", "слово", "cp1251 reads"), ("utf-16-le", "word", "utf-16-le")],
)
def test_another_encoding_is_tried_and_named(tmp_path, encoding, text, shown):
    content = f"text,rating\n{text} and more words,1\n".encode(encoding)
    path = tmp_path / "t.csv"
    assert shown in refused(path, content)
    assert read(path, content, encoding=encoding)[0][0]["text"] == f"{text} and more words"


@pytest.mark.parametrize("line, end", [(3, "\n"), (3, "\r\n"), (3, "\r"), (20_001, "\n")])
@pytest.mark.parametrize(
    "encoding, strange", [("utf-16-le", b"\0\xdc"), ("utf-16-be", b"\xdc\0"), ("shift_jis", b"\xff")]
)
def test_a_text_that_is_not_in_its_encoding_is_told_with_its_line(tmp_path, encoding, strange, line, end):
    before = end.join(["text,rating", *[f"a longer text of some words,{n}" for n in range(line - 2)], ""])
    begun = (before + "half a wo").encode(encoding)
    after = f"rd,1{end}more,2{end}".encode(encoding)
    cut_off = begun + b"\x81"  # the first byte of two
    for content in (cut_off, begun + strange + after):
        assert f"t.csv:{line}: not {encoding}" in refused(tmp_path / "t.csv", content, encoding=encoding)


def test_numbers_one_a_line(tmp_path):
    path = tmp_path / "seg.txt"
    path.write_text("0.5\n-1\n2e-1\n")
    table = read_table(str(path))
    assert table.numbers("score", "--score-column").tolist() == [0.5, -1, 0.2]
    path.write_text("0.5\nno number\n")
    with pytest.raises(InputError, match=r"a .txt file holds no ratings and no other columns"):
        read_table(str(path))


def test_nested_values_are_dotted_columns(tmp_path):
    rows = [{"text": "a", "scores": {"fluency": 4, "of": {"me": "x"}}}, {"text": "b", "scores": {"fluency": 5}}]
    path = tmp_path / "t.json"
    path.write_text(json.dumps(rows))
    table = read_table(str(path))
    assert table.names() == ("text", "scores.fluency", "scores.of.me")
    assert table.numbers("scores.fluency", "").tolist() == [4, 5]
    with pytest.raises(InputError, match=r"no column 'scores.fluent'.*did you mean 'scores.fluency'\?"):
        table.column("scores.fluent")


def test_a_key_that_stands_twice_is_an_error_with_its_line(tmp_path):
    assert "t.jsonl:2: the key 'a' stands twice" in refused(
        tmp_path / "t.jsonl", '{"a": 1}\n{"a": 1, "b": 2, "a": 3}\n'
    )
    content = '[\n{"b": {"a": 1}, "a": "x\\"a\\": "},\n{"a": 1,\n "b": {"a": 2},\n "a": 3}]'
    assert "t.json:5: the key 'a' stands twice" in refused(tmp_path / "t.json", content)


def workbook(path, *sheets, merged=None):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
        if merged:
            sheet.merge_cells(merged)
    book.save(path)
    return str(path)


def test_workbooks(tmp_path):
    import datetime

    rows = [["item", "rating", "when"], [1, 4.5, datetime.date(2024, 5, 1)], [None, None, None], [2, 5, None]]
    path = workbook(tmp_path / "t.xlsx", ("ratings", rows), ("more", [["a"], ["b"]]))
    table = read_table(path)
    assert table.rows[0] == {"item": 1, "rating": 4.5, "when": "2024-05-01"}
    assert table.numbers("rating", "").tolist() == [4.5, 5]
    assert table.where(1) == f"{path}, row 4"
    assert "read is the sheet 'ratings'; the others are 'more' (--sheet NAME, or * for all)" in " ".join(table.notes)
    assert read_table(path, Reading(sheet="more")).rows == [{"a": "b"}] == read_table(path, Reading(sheet="2")).rows
    with pytest.raises(InputError, match=r"there is no sheet 'x' \(--sheet\); the sheets are 'ratings', 'more'"):
        read_table(path, Reading(sheet="x"))
    for cells in ("A1:B1", "A2:B2", "B2:B4"):  # of which column's, or of which rows' together, is the value?
        merged = workbook(tmp_path / "m.xlsx", ("s", rows), merged=cells)
        with pytest.raises(InputError, match=f"the cells {cells} of sheet 's' are merged"):
            read_table(merged)
    (tmp_path / "bad.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    with pytest.raises(InputError, match="no workbook, or a damaged one"):
        read_table(str(tmp_path / "bad.xlsx"))


def test_a_header_below_titles_may_hold_a_name_several_times(tmp_path):
    rows = [["Round 2"], ["Scale: 1 to 5"], [], ["no", "base", "rating", "ours", "rating"]]
    rows += [[n, f"a cat {n}", 1 + n % 5, f"a dog {n}", 5 - n % 5] for n in range(8)]
    table = read_table(workbook(tmp_path / "t.xlsx", ("s", rows)))
    assert table.columns == ("no", "base", "base_rating", "ours", "ours_rating")
    assert len(table.rows) == 8
    assert "2 lines above the header are a title, 'Round 2', and left out" in " ".join(table.notes)
    assert "columns are called by both: 'base_rating', 'ours_rating'" in " ".join(table.notes)


@pytest.mark.parametrize("most", [workbooks._MOST_KEPT, 0])
def test_a_sheet_is_parsed_once_for_all_readings_if_it_is_small(most, tmp_path, monkeypatch):
    """Changes that the first reading makes, such as to merged cells, are no part of the second."""
    monkeypatch.setattr(workbooks, "_MOST_KEPT", most)
    workbooks._parsed.cache_clear()
    rows = [["item", "system", "rating"], [1, "a", 4], [None, "b", 5], [2, "a", 3], [None, "b", 2]]
    path = workbook(tmp_path / "t.xlsx", ("s", rows), merged="A2:A3")
    tables = [read_table(path) for _ in range(3)]
    assert [table.rows for table in tables] == [tables[0].rows] * 3
    assert [table.notes for table in tables] == [tables[0].notes] * 3
    assert workbooks._parsed.cache_info().misses == (most > 0)


def test_sheets_with_other_columns_are_left_out_if_several_have_the_same(tmp_path):
    sheets = (
        ("Ann", [["item", "rating"], [1, 4]]),
        ("How to", [["Please rate"]]),
        ("Bob", [["item", "rating"], [1, 5]]),
    )
    path = workbook(tmp_path / "t.xlsx", *sheets)
    read = read_table(path, Reading(sheet="*"))
    assert [list(row.values()) for row in read.rows] == [["Ann", 1, 4], ["Bob", 1, 5]]
    assert "left out: sheets with other columns, 'How to'" in " ".join(read.notes)


def test_merged_cells_of_titles_headers_and_keys(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (
        ["Round 2"],
        ["rater", "Ann"],
        [],
        ["item", "base", None, "ours"],
        [None, "fluency", "style", "fluency", "style"],
    ):
        sheet.append(row)
    for n in range(4):
        sheet.append([n // 2 if n % 2 == 0 else None, n, 4, n + 1, 5])
    for cells in ("A1:E1", "B4:C4", "D4:E4", "A4:A5", "A6:A7", "A8:A9"):
        sheet.merge_cells(cells)
    sheet["G7"] = "beside"
    book.save(tmp_path / "t.xlsx")
    read = read_table(str(tmp_path / "t.xlsx"))
    names = ("item", "base_fluency", "base_style", "ours_fluency", "ours_style", "column 6", "column 7")
    assert read.columns == names
    assert [list(row.values()) for row in read.rows] == [
        [0, 0, 4, 1, 5, "", ""],
        [0, 1, 4, 2, 5, "", "beside"],
        [1, 2, 4, 3, 5, "", ""],
        [1, 3, 4, 4, 5, "", ""],
    ]
    assert "2 lines above the header are a title, 'Round 2'" in read.notes[0]
    assert "the value of merged cells, such as A8:A9, is that of each of their rows" in " ".join(read.notes)
    assert "columns are called by both, such as 'base_fluency'" in " ".join(read.notes)


def test_a_row_of_means_below_the_table_is_left_out_and_other_rows_are_kept(tmp_path):
    rows = [["item", "system", "rating"], *[[n, "base", n % 5] for n in range(4)]]
    path = workbook(tmp_path / "t.xlsx", ("s", [*rows, [None], ["Mean", None, 1.5]]), merged="A7:B7")
    read = read_table(str(path))
    assert len(read.rows) == 4
    assert "left out: row 7, 'Mean', below the table and an empty row" in " ".join(read.notes)
    for below in ([["Mean", None, 2.5]], [[None], [9, "ours", 3]]):  # no mean of the rows, and none at all
        path = workbook(tmp_path / "k.xlsx", ("s", [*rows, *below]))
        assert len(read_table(str(path)).rows) == 5


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx"])
def test_rows_made_of_the_rows_above_are_left_out(tmp_path, name):
    rows = [["item", "base", "ours"], ["1", 4, 5], ["2", 2, 4], ["3", 3, 4]]

    def n_rows(*below):
        if name.endswith("csv"):
            (tmp_path / name).write_text("\n".join(",".join(map(str, row)) for row in [*rows, *below]))
            return read_table(str(tmp_path / name))
        return read_table(workbook(tmp_path / name, ("s", [*rows, *below])))

    read = n_rows(["Mittelwert", 3, 4.33], ["Summe", 9, 13])
    assert len(read.rows) == 3
    assert "made of the rows above" in " ".join(read.notes)
    for below in (["Mean", 3, 4], ["Mean", 3.2, 4.33], ["mean text", 3, 4.33]):  # of which 4 is not the mean
        assert len(n_rows(below).rows) == (3 if below == ["Mean", 3, 4] else 4)


def test_dates_outside_of_pythons_range(tmp_path):
    path = tmp_path / "t.parquet"
    days = pa.array([-1_000_000, 0], pa.int32()).cast(pa.date32())
    pq.write_table(pa.table({"text": ["a", "b"], "day": days}), path)
    assert [row["text"] for row in read_table(str(path)).rows] == ["a", "b"]
    assert read_table(str(path)).rows[1]["day"] == "1970-01-01"


def test_bounds_name_their_options(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    assert "t.csv:2: the line is longer than 100 bytes" in refused(path, "text\n" + "a" * 101, longest_line=100)
    assert "--longest-line" in refused(path, "text\n" + "a" * 2_000_000, longest_line=100)
    assert "--most-rows" in refused(path, "text\na\nb\nc\n", most_rows=2)
    monkeypatch.setattr(opening, "MOST_AT_ONCE", 2**20)
    path = tmp_path / "t.txt.gz"
    path.write_bytes(gzip.compress((b"a" * 99_999 + b"\n") * 40))
    with pytest.raises(InputError, match="it unpacks to more than 200 times its size"):
        read_texts(str(path))


def test_marks_of_html_are_named(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("one<br>two\nAT&amp;T\nplain, a < b & c\n")
    with pytest.warns(InputNote, match="2 of 3 texts hold marks of HTML, such as '<br>'"):
        read_texts(str(path))
    path.write_text("one<br>two\n" * 9000)
    with pytest.warns(InputNote, match="8192 of the first 8192 texts hold marks of HTML"):
        read_texts(str(path))


def test_workbooks_and_parquet_files_that_unpack_to_far_more_than_they_hold_are_refused(tmp_path, monkeypatch):
    book = openpyxl.Workbook()
    for row in [["text"], *[["the same text in every row"]] * 2000]:
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    table = pa.table({"text": ["the same text in every row"] * 2000})
    pq.write_table(table, tmp_path / "t.parquet", use_dictionary=False, compression="zstd")
    for name in ("t.xlsx", "t.parquet"):
        assert len(read_table(str(tmp_path / name)).rows) == 2000
    for module in (workbooks, formats):
        monkeypatch.setattr(module, "MOST_AT_ONCE", 2**12)
        monkeypatch.setattr(module, "MOST_RATIO", 2)
    for name in ("t.xlsx", "t.parquet"):
        with pytest.raises(InputError, match="unpacks to more than 2 times its size"):
            read_table(str(tmp_path / name))


def test_json_below_comments_and_of_lists_of_cells(tmp_path):
    path = tmp_path / "t.json"
    path.write_text('#####\n# a licence\n\n// more\n[["inform(x)", "a text", 3],\n ["inform(y)", "b text", 4]]\n')
    table = read_table(str(path))
    assert table.rows[1] == {"column1": "inform(y)", "column2": "b text", "column3": 4}
    assert "4 lines of comments" in table.notes[0]
    assert "(--columns)" in table.notes[1]
    named = read_table(str(path), Reading(columns=("mr", "text", "rating")))
    assert named.rows[0] == {"mr": "inform(x)", "text": "a text", "rating": 3}
    path.write_text("# one\n[1, }\n")
    with pytest.raises(InputError, match=r"t\.json:2: not JSON"):
        read_table(str(path))


def test_a_table_of_texts_without_a_header(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Good morning to you.\nThe cat sat on it.\n")
    with pytest.raises(InputError, match="if the first line is a text, name the column: --columns text"):
        read_table(str(path)).column("text")
    found = look(str(path))
    assert (found.n_rows, found.commands[0]) == (2, f"referenceless score {path} --columns text")
    assert "the first line seems to be a text" in found.notes[0]


@pytest.mark.parametrize("header", [",".join(f"c{place}" for place in range(30_000)), ",".join(["text"] * 30_000)])
def test_names_of_many_columns_take_time_in_proportion(tmp_path, header):
    begin = time.process_time()
    (row,), _ = read(tmp_path / "wide.csv", f"{header}\n{header}\n")
    assert len(row) == 30_000
    assert time.process_time() - begin < 4  # far longer while each name was sought among all before it


def test_comments_above_the_header_are_left_out(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("# Round 2, pilot\n# 1 = bad\nid\trating\n1\t4\n")
    assert read_table(str(path)).rows == [{"id": "1", "rating": "4"}]
    path.write_text("#id\trating\n1\t4\n")
    assert read_table(str(path)).rows == [{"#id": "1", "rating": "4"}]


def test_rows_beside_other_lists_are_told_by_their_key(tmp_path):
    path = tmp_path / "t.json"
    path.write_text('{"features": [{"name": "a"}], "rows": [{"row": {"a": 1}}], "total": 1}')
    assert read_table(str(path)).rows == [{"row": {"a": 1}}]


def test_a_submission_of_several_tasks_has_a_row_for_each_output(tmp_path):
    path = tmp_path / "t.json"
    tasks = {
        "web": {"values": ["a", "b"], "keys": ["w1", "w2"]},
        "sum": {"values": [{"generated": "c", "gem_id": "x"}]},
    }
    path.write_text(json.dumps({"submission_name": "ours", "param_count": 3, "tasks": tasks}))
    assert read_table(str(path)).rows == [
        {"system": "ours", "task": "web", "item": "w1", "text": "a"},
        {"system": "ours", "task": "web", "item": "w2", "text": "b"},
        {"system": "ours", "task": "sum", "item": 1, "text": "c", "gem_id": "x"},
    ]
    path.write_text(json.dumps({"tasks": {"web": {"values": [1, 2]}}}))  # no outputs
    assert "system" not in read_table(str(path)).columns


def test_blank_lines_and_a_title_about_the_header_are_left_out(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(",,\nRound 2,,\n\nitem,system,rating\n,,\n1,a,4\n,,\n2,a,5\n")
    table = read_table(str(path))
    assert [list(row.values()) for row in table.rows] == [["1", "a", "4"], ["", "", ""], ["2", "a", "5"]]
    assert "3 lines above the header are blank, or a title" in " ".join(table.notes)


def test_a_comma_in_the_only_text_is_part_of_it(tmp_path):
    content = "item,system,rating,note\n1,a,4,\n2,a,5,It is late, and dark\n3,a,4,fine\n"
    rows, notes = read(tmp_path / "t.csv", content)
    assert rows[1] == {"item": "2", "system": "a", "rating": "5", "note": "It is late, and dark"}
    assert "1 rows hold commas in a text without quotation marks" in notes
    for row in ("2,a,4,5", "2, a,b, c,5"):  # a decimal comma, and two places
        with pytest.raises(InputError, match="expected 3 fields"):
            read(tmp_path / "t.csv", f"item,system,rating\n1,a,4\n{row}\n")


@pytest.mark.parametrize("legend", [",,1 = bad; 5 = good", "Scale,,0-5", ",,(0–4)"])
def test_a_row_that_tells_the_scale_below_the_header_is_no_data(legend, tmp_path):
    below = "".join(f"{n},a b,{n % 5}\n" for n in range(9))
    rows, notes = read(tmp_path / "t.csv", f"id,text,rating\n{legend}\n{below}")
    assert [row["id"] for row in rows] == list("012345678")
    assert "left out: the row below the header, which tells the scale" in notes
    for first in ("1,a,0-4", ",,3-4"):
        rows, notes = read(tmp_path / "u.csv", f"id,text,rating\n{first}\n{below}")
        assert len(rows) == 10


def test_a_row_below_the_header_that_tells_in_words_what_columns_hold_is_no_data(tmp_path):
    below = "".join(f"{n},web,{n % 5},{n % 4}\n" for n in range(9))
    rows, notes = read(tmp_path / "t.csv", f"CASE,MODE,V1,V2\nInterview,How it was answered,Clear,Helpful\n{below}")
    assert [row["CASE"] for row in rows] == list("012345678")
    assert "left out: the row below the header, which tells in words what columns hold: 'Interview'" in notes
    for first in ("9,web,good,well", "x,web,failed,failed", "x,web,skipped,n/a", "a,web,b,c"):  # a row of data
        rows, notes = read(tmp_path / "u.csv", f"CASE,MODE,V1,V2\n{first}\n{below}")
        assert len(rows) == 10, first


def test_a_cell_that_tells_several_points_of_a_scale_is_none_of_them():
    with pytest.raises(InputError):
        column_numbers(["1 = bad, 5 = good", "2", "4"])
    assert column_numbers(["1 = bad", "2", "4"]).values.tolist() == [1, 2, 4]


@pytest.mark.parametrize(
    "lines",
    [
        ["text,1,2,3", *(f"a reply number {n},{1 + n % 5},{1 + n % 3},{5 - n % 4}" for n in range(12))],
        [
            "text,1001,1002",
            *(f"a reply number {n},{'yes' if n % 3 else 'no'},{'yes' if n % 4 else 'no'}" for n in range(12)),
        ],
    ],
)
def test_a_first_line_of_numbers_names_columns_if_the_rows_below_show_it(lines, tmp_path):
    found = look(write(tmp_path / "t.csv", lines))
    assert found.n_rows == 12
    assert [column.name for column in found.columns] == lines[0].split(",")
    assert ("agreement" in {line.split()[1] for line in found.commands}) == ("1001" in lines[0])


@pytest.mark.parametrize("between", ["\n", ",,\n"])
def test_a_row_of_means_behind_an_empty_line_is_no_row_whatever_its_numbers(between, tmp_path):
    table = "id,text,rating\n" + "".join(f"{n},a b,{n % 5}\n" for n in range(9))
    rows, notes = read(tmp_path / "t.csv", f"{table}{between}Average,,2.7\n")
    assert len(rows) == 9
    assert "left out: the row called 'Average', below the table and an empty line" in notes
    assert len(read(tmp_path / "u.csv", f"{table}Average,,2.7\n")[0]) == 10


def test_rows_of_each_system_are_read_and_not_their_means_beside_them(tmp_path):
    of_each = {name: [{"item": n, "empathy": 1 + n % 5} for n in range(4)] for name in ("base", "dpo")}
    means = {name: {"empathy": 2.5} for name in of_each}
    file = tmp_path / "judged.json"
    file.write_text(json.dumps({"judge_model": "gpt-4o", "summary": means, "detailed_scores": of_each}))
    table = read_table(str(file))
    assert [(row["system"], row["item"]) for row in table.rows] == [(name, n) for name in of_each for n in range(4)]
    assert {row["judge_model"] for row in table.rows} == {"gpt-4o"}
    assert "in it each key is taken for a system" in table.notes[0]
