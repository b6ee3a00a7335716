"""Texts and ratings from files: what is read, and the file and line that each error names."""

import csv
import io
import json
import math
import re
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from text_strategies import texts as awkward_texts

from metric_commons.files.output import render
from metric_commons.files.tables import FORMATS, BlockSize, ColumnName, read_blocks
from metric_commons.files.text_io import is_dataset_spec, read_rated, read_table, read_texts
from metric_commons.support.errors import InputError

SEPARATORS = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg"  # str.splitlines would split at each
many = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in an empty folder, so that messages hold short names."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def file(name, content):
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


def message(call, *args, **options):
    with pytest.raises(InputError) as caught:
        call(*args, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def refusal(call, *args):
    """Return the message of the `InputError`, or an empty one where there is none; other errors are errors."""
    try:
        call(*args)
    except InputError as error:
        return str(error)
    return ""


# --- plain text


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("one\ntwo\n", ["one", "two"]),
        ("one\ntwo", ["one", "two"]),
        ("one\r\ntwo\r\n", ["one", "two"]),
        ("\ufeffone\ntwo\n", ["one", "two"]),
        ("one\n\ntwo\n\n", ["one", "", "two", ""]),
        ("\n", [""]),
        ("  spaces stay \t\n", ["  spaces stay \t"]),
        (f"{SEPARATORS}\nnext", [SEPARATORS, "next"]),
        ("one\rtwo\r", ["one", "two"]),
        ('"quoted", and a comma\n', ['"quoted", and a comma']),
    ],
)
def test_a_line_a_text(folder, content, expected):
    assert message(read_texts, file("a.txt", "\ufeff")) == "a.txt: it holds no texts"
    assert read_texts(file("a.txt", content)) == expected
    with pytest.warns(UserWarning, match=r"each line is a text; --text-column output is for files with columns"):
        assert read_texts("a.txt", text_column=ColumnName("output", "--text-column")) == expected


@pytest.mark.parametrize(
    ("content", "line", "byte"),
    [
        (b"fine\nalso fine\ncaf\xe9 au lait\n", 3, "e9"),  # Latin-1
        (b"\xef\xbb\xbffine\nalso fine\ncaf\xe9", 3, "e9"),  # the mark at the beginning shifts nothing
        (b"\xff\xfea\x00", 1, "ff"),  # UTF-16
        (b"fine\r\n\xe2\x82", 2, "e2"),  # cut within a character
        (b"\xed\xa0\xbd", 1, "ed"),  # a lone surrogate
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.tsv", "a.jsonl"])
def test_bytes_that_are_not_utf8(folder, name, content, line, byte):
    if name == "a.jsonl":
        content = content.replace(b"also fine", b"{}").replace(b"fine", b"{}")
    expected = f"{name}:{line}: not UTF-8 (byte 0x{byte}); convert the file to UTF-8"
    assert message(read_texts, file(name, content)) == expected


# --- csv and tsv


def test_csv_with_semicolons(folder):
    """As spreadsheets write it where the comma is the decimal mark."""
    rows = ["text;rating;n", "One, two;0,5;3", '"a; ""b""";-1,25;4', ";2;5"]
    name = file("p.csv", "\r\n".join(["\ufeff", *rows, ""]))
    rated = read_rated(name)
    assert rated.texts == ["One, two", 'a; "b"', ""]
    assert rated.ratings.tolist() == [0.5, -1.25, 2.0]
    assert read_table(name).lines == [3, 4, 5]
    assert read_table(name).column("n", "") == ["3", "4", "5"]


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        ("text\na;b\n", ("text",)),
        ("a;b,c\n1,2\n", ("a;b", "c")),
        ('"a;b"\none\n', ("a;b",)),
        ('"a,b";c\none;2\n', ("a,b", "c")),
        ('"a;\nb",c\none,2\n', ("a;\nb", "c")),
        ("a\tb\n1\t2\n", ("a\tb",)),
    ],
)
def test_what_separates_is_told_by_the_first_line(folder, content, columns):
    assert read_table(file("p.csv", content)).columns == columns


def test_a_decimal_comma_is_a_number_beside_semicolons_alone(folder):
    expected = "p.csv:2: expected a finite number in column 'rating' (rating_column), but got str "
    assert message(read_rated, file("p.csv", 'text,rating\none,"0,5"\n')) == f"{expected}'0,5'"
    assert message(read_rated, file("p.csv", "text;rating\none;1.000,5\n")) == f"{expected}'1.000,5'"
    assert message(read_rated, file("p.csv", "text;rating\none;1,000,5\n")) == f"{expected}'1,000,5'"


def test_blocks_of_a_file_with_semicolons_go_on_where_one_ended(folder):
    name = file("p.csv", "text;rating\n" + "".join(f"text {i};{i},5\n" for i in range(10)))
    first = next(read_blocks(name, size=BlockSize(rows=4)))
    rest = list(read_blocks(name, size=BlockSize(rows=4), start=first.end))
    numbers = [block.numbers("rating", "").tolist() for block in (first, *rest)]
    assert numbers == [[0.5, 1.5, 2.5, 3.5], [4.5, 5.5, 6.5, 7.5], [8.5, 9.5]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_csv_line_ends_and_byte_order_mark(folder, end, mark):
    name = file("p.csv", mark + end.join(["text,rating", f"{SEPARATORS},0.5", '"",1']) + end)
    rated = read_rated(name)
    assert rated.texts == [SEPARATORS, ""]
    assert rated.ratings.tolist() == [0.5, 1.0]
    assert read_table(name).lines == [2, 3]


def test_tsv(folder):
    name = file("p.tsv", 'id\ttext\trating\n1\ta, "b"\t0.5\n2\t"tab\there"\t1e-1\n')
    rated = read_rated(name)
    assert rated.texts == ['a, "b"', "tab\there"]
    assert rated.ratings.tolist() == [0.5, 0.1]
    assert len(rated) == 2


BAD_CSV = [
    (
        'text,rating\n"one\ntwo\nthree",1\n"four\nfive",bad\n',
        "p.csv:5: expected a finite number in column 'rating' (rating_column), but got str 'bad'",
    ),
    ("text,rating\na,1\nb\n", "p.csv:3: expected 2 fields (text, rating), but got 1"),
    ("text,rating\na,1\n\nb,2,3\n", "p.csv:4: expected 2 fields (text, rating), but got 3"),
    ('text,rating\na,1\n"never closed,2\nc,3\n', "p.csv:3: malformed row (unexpected end of data)"),
    ('text,rating\n"a" b,1\n', "p.csv:2: malformed row (',' expected after '\"')"),
    ("text,text\na,b\n", "p.csv:1: a column name stands twice in the header"),
    ("", "p.csv: it is empty"),
    ("\n\n", "p.csv: it is empty"),
    ("text,rating\n", "p.csv: it holds no rated texts"),
    ("sentence,rating\na,1\n", "p.csv: there is no column 'text' (text_column); the columns are 'sentence', 'rating'"),
    (
        "text,score\na,1\n",
        "p.csv: there is no column 'rating' (rating_column); the columns of numbers are 'score' (1 to 1)",
    ),
    ("text|rating\na|1\n", "p.csv: there is no column 'text' (text_column); the columns are 'text|rating'"),
]


def test_columns_by_other_names(folder):
    name = file("p.csv", "source,out,score\ns,a,0.25\n")
    assert read_texts(name, text_column="out") == ["a"]
    rated = read_rated(name, text_column="out", rating_column="score")
    assert (rated.texts, rated.ratings.tolist(), rated.ratings.dtype) == (["a"], [0.25], np.float64)


def test_very_long_fields_and_the_limit_of_the_csv_module(folder):
    long = "x" * 300_000
    before = csv.field_size_limit()
    assert read_texts(file("p.csv", f"text\n{long}\n")) == [long]
    message(read_texts, file("bad.csv", 'text\n"open'))
    assert csv.field_size_limit() == before


# --- JSON Lines


def test_jsonl(folder):
    content = f'\ufeff{{"text": "{SEPARATORS[:3]}", "rating": 1}}\r\n\n'
    content += '{"rating": 0.5, "text": "\\ud83d\\ude42", "id": 7}\n'
    rated = read_rated(file("p.jsonl", content))
    assert rated.texts == [SEPARATORS[:3], "🙂"]
    assert rated.ratings.tolist() == [1.0, 0.5]
    assert read_table("p.jsonl").lines == [1, 3]


NO_NUMBER = "expected a finite number in column 'rating' (rating_column), but got"
ROW = '{"text": "a", "rating": 1}\n'
BAD_JSONL = [
    (ROW + "{'text': 'b'}\n", "p.jsonl:2: not JSON (Expecting property name enclosed in double quotes, column 2)"),
    (ROW + '\n{"text": "b"\n', "p.jsonl:3: not JSON (Expecting ',' delimiter, column 13)"),
    (ROW + '["b", 1]\n', "p.jsonl:2: expected a JSON object, but got list ['b', 1]"),
    (ROW + "null\n", "p.jsonl:2: expected a JSON object, but got None"),
    (ROW + '{"text": "b"}\n', "p.jsonl:2: this row has no 'rating' (rating_column)"),
    (ROW + '{"text": null, "rating": 1}\n', "p.jsonl:2: expected a text in column 'text', but got None"),
    (ROW + '{"text": 5, "rating": 1}\n', "p.jsonl:2: expected a text in column 'text', but got int 5"),
    ('{"text": "b", "rating": null}', f"p.jsonl:1: {NO_NUMBER} None"),
    ('{"text": "b", "rating": NaN}', f"p.jsonl:1: {NO_NUMBER} float nan"),
    ('{"text": "b", "rating": true}', f"p.jsonl:1: {NO_NUMBER} bool True"),
    ('{"text": "b", "rating": [1]}', f"p.jsonl:1: {NO_NUMBER} list [1]"),
    ('{"sentence": "b"}', "p.jsonl: there is no column 'text' (text_column); the columns are 'sentence'"),
    ("", "p.jsonl: it is empty"),
    (" \n\n", "p.jsonl: it is empty"),
]


@pytest.mark.parametrize(("content", "expected"), [*BAD_CSV, *BAD_JSONL])
def test_malformed_rows(folder, content, expected):
    name = expected.partition(":")[0]
    assert message(read_rated, file(name, content)) == expected


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("[" * 200_000, "p.jsonl:2: JSON beyond what can be read"),
        ('{"text": "a", "rating": ' + "1" * 5000 + "}", "p.jsonl:2: JSON beyond what can be read"),
        ('{"text": "a", "rating": ' + "1" * 400 + "}", "p.jsonl:2: expected a finite number in column 'rating'"),
        ('{"text": "\\ud83d!", "rating": 1}', "p.jsonl:2: expected valid Unicode in column 'text', but got a lone"),
    ],
)
def test_extreme_json(folder, row, expected):
    assert message(read_rated, file("p.jsonl", ROW + row + "\n")).startswith(expected)


# --- Parquet


def parquet(name, **columns):
    pq.write_table(pa.table(columns), name)
    return name


def test_parquet(folder):
    texts = ["a", "b\nc", "ü"]
    rated = read_rated(parquet("p.parquet", text=texts, rating=[0, 1, 2], id=[7, 8, 9]))
    assert (rated.texts, rated.ratings.tolist()) == (texts, [0.0, 1.0, 2.0])
    encoded = pa.array(texts).dictionary_encode()
    ratings = pa.array([0.5, 0.25, 1], type=pa.float32())
    rated = read_rated(parquet("p.parquet", text=encoded, rating=ratings))
    assert (rated.texts, rated.ratings.tolist()) == (texts, [0.5, 0.25, 1.0])


def test_parquet_rows_that_cannot_be_used(folder):
    name = parquet("p.parquet", text=["a", None], rating=[1.0, math.nan])
    assert message(read_texts, name) == "p.parquet, row 2: expected a text in column 'text', but got None"
    name = parquet("q.parquet", text=["a", "b"], rating=[1.0, math.nan])
    expected = "q.parquet, row 2: expected a finite number in column 'rating' (rating_column), but got float nan"
    assert message(read_rated, name) == expected
    expected = "q.parquet: there is no column 'out' (text_column); the columns are 'text', 'rating'"
    assert message(read_texts, name, text_column="out") == expected
    assert message(read_texts, parquet("e.parquet", text=pa.array([], pa.string()))) == "e.parquet: it holds no texts"
    twice = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    pq.write_table(twice, "t.parquet")
    assert message(read_texts, "t.parquet") == "t.parquet: two columns have the same name"


@pytest.mark.parametrize("content", [b"", b"text,rating\na,1\n", b"PAR1", b"PAR1" + b"\0" * 100 + b"PAR1"])
def test_files_that_are_no_parquet(folder, content):
    start = "p.parquet: not a Parquet file, or a damaged one ("
    assert message(read_texts, file("p.parquet", content)).startswith(start)


def test_damaged_parquet_is_never_another_error(folder):
    content = Path(parquet("p.parquet", text=["aé", "b", "c"] * 20, rating=[0.5, 1.0, 2.0] * 20)).read_bytes()
    refused = 0
    for position in range(len(content)):
        if position % 7 == 0:
            assert message(read_texts, file("d.parquet", content[:position])).startswith(
                "d.parquet: not a Parquet file"
            )
        damaged = bytearray(content)
        damaged[position] ^= 0x80
        refused += refusal(read_table, file("d.parquet", bytes(damaged))).startswith("d.parquet: ")
    assert refused > len(content) / 3


# --- formats, paths, standard input


def test_format_by_name_over_suffix(folder):
    name = file("ratings.data", "text\trating\na\t1\n")
    expected = (
        "ratings.data: the suffix '.data' tells no format; name it with --input-format (txt, csv, tsv, jsonl, json, "
        "parquet, xlsx)"
    )
    assert message(read_rated, name) == expected
    assert read_rated(name, format="tsv").texts == ["a"]
    assert read_texts(file("A.CSV", "text\na\n")) == ["a"]
    assert read_texts("A.CSV", format="txt") == ["text", "a"]
    message_start = "nosuffix: there is no suffix to tell the format; name it with --input-format"
    assert message(read_texts, file("nosuffix", "a")).startswith(message_start)
    expected = "unknown input format 'ods'; the known ones are txt, csv, tsv, jsonl, json, parquet, xlsx"
    assert message(read_texts, name, format="ods") == expected


def test_text_files_hold_no_ratings(folder):
    name = file("a.txt", "one\n")
    assert message(read_rated, name).startswith("a.txt: a .txt file holds no ratings and no other columns; give .csv")
    assert message(read_table, name).startswith("a.txt: a .txt file holds no ratings")


@pytest.mark.parametrize("name", ["missing.csv", "missing", "no/such/folder.csv"])
@pytest.mark.parametrize("call", [read_texts, read_rated])
def test_missing_file(folder, call, name):
    assert message(call, name) == f"{name}: there is no such file"


@pytest.mark.parametrize("name", ["inputs", "inputs.csv", "inputs.txt", "inputs.parquet"])
def test_folder_in_place_of_a_file(folder, name):
    Path(name).mkdir()
    assert message(read_texts, name) == f"{name}: it is a folder, not a file"


def test_file_that_may_not_be_read(folder, monkeypatch):
    def refuse(path, mode):
        raise PermissionError(13, "Permission denied", str(path))  # permissions do not hold for every user who tests

    name = file("a.txt", "a")
    monkeypatch.setattr(Path, "open", refuse)
    assert message(read_texts, name) == "a.txt: cannot be read (Permission denied)"


def standard_input(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="ascii"))


def test_standard_input(monkeypatch):
    standard_input(monkeypatch, "ü\n🙂\n".encode())
    assert read_texts("-") == ["ü", "🙂"]
    standard_input(monkeypatch, b"text,rating\na,1\n")
    assert read_rated("-").texts == ["a"]
    standard_input(monkeypatch, ROW.encode())
    assert read_rated("-", format="jsonl").ratings.tolist() == [1.0]


def test_errors_in_standard_input(monkeypatch):
    standard_input(monkeypatch, b"")
    assert message(read_texts, "-") == "standard input: it holds no texts"
    standard_input(monkeypatch, b"text,rating\na,b,c\n")
    assert message(read_rated, "-") == "standard input:2: expected 2 fields (text, rating), but got 3"
    standard_input(monkeypatch, b"ok\n\xff")
    assert message(read_texts, "-").startswith("standard input:2: not UTF-8 (byte 0xff)")
    monkeypatch.setattr(sys, "stdin", None)
    assert message(read_texts, "-") == "standard input: it is closed"


# --- data sets by name


def test_what_is_a_dataset_spec(folder):
    for spec in ("huse:summarization", "asap_sas:set_8:test", "huse", "huse:a:b:c", "unknown:thing"):
        assert is_dataset_spec(spec), spec
    for path in ("pool.csv", "folder/huse", "C:\\pool.csv", "-", "a b:c"):
        assert not is_dataset_spec(path), path
    Path("huse").mkdir()
    file("huse:summarization", "")
    assert not is_dataset_spec("huse")
    assert not is_dataset_spec("huse:summarization")


def test_errors_in_dataset_specs(folder):
    assert message(read_texts, "nope:x") == "Unknown data set 'nope' in 'nope:x'; known: huse, asap_sas, nlg_ratings"
    assert message(read_rated, "huse:x").startswith("Unknown configuration 'x' in 'huse:x'; known: summarization")
    assert message(read_rated, "asap_sas:set_1:dev") == (
        "Unknown split 'dev' in 'asap_sas:set_1:dev'; known: train, test"
    )
    with pytest.raises(FileNotFoundError, match=re.escape("train_rel_2.tsv")):
        read_rated("asap_sas:set_1", data_dir=str(folder))


def test_dataset_spec(folder, monkeypatch):
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(folder / "cache"))
    file("train_rel_2.tsv", 'Id\tEssaySet\tScore1\tScore2\tEssayText\r\n1\t3\t2\t2\t"an ""answer"""\r\n')
    file("public_leaderboard_rel_2.tsv", "Id\tEssaySet\tEssayText\r\n10\t3\tone\r\n")
    file("public_leaderboard_solution.csv", "id,essay_set,essay_weight,essay_score,Usage\n10,3,1,1,PublicTest\n")
    rated = read_rated("asap_sas:set_3", data_dir=str(folder))
    assert (rated.texts, rated.ratings.tolist()) == (['an "answer"'], [1.0])
    assert read_texts("asap_sas:set_3:test", data_dir=str(folder)) == ["one"]


# --- what is written can be read again

rows = st.lists(st.tuples(awkward_texts, st.floats(allow_nan=False, allow_infinity=False)), min_size=1, max_size=6)


@many
@given(rows=rows)
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_round_trip_through_our_own_output(kind, rows, tmp_path):
    written = render([{"text": text, "rating": rating} for text, rating in rows], {}, kind)
    path = tmp_path / f"pool.{kind}"
    path.write_bytes(written.encode())
    rated = read_rated(str(path))
    assert rated.texts == [text for text, _ in rows]
    assert rated.ratings.tolist() == [rating for _, rating in rows]


@many
@given(rows=rows)
def test_line_numbers_agree_with_a_count_of_line_ends(rows, tmp_path):
    path = tmp_path / "pool.csv"
    path.write_bytes(render([{"text": text, "rating": rating} for text, rating in rows], {}, "csv").encode())
    expected, line = [], 2
    for text, _ in rows:
        expected.append(line)
        line += 1 + len(re.findall(r"\r\n|\r|\n", text))
    assert read_table(str(path)).lines == expected


@many
@given(content=st.binary(max_size=60))
@pytest.mark.parametrize("kind", FORMATS)
def test_any_bytes_are_read_or_refused(kind, content, tmp_path):
    path = tmp_path / f"any.{kind}"
    path.write_bytes(content)
    if refused := refusal(read_texts, str(path)):
        assert refused.startswith(str(path))
    else:
        texts = read_texts(str(path))
        assert texts
        assert all(isinstance(text, str) for text in texts)


@many
@given(row=st.dictionaries(st.sampled_from(["text", "rating"]), st.none() | st.booleans() | st.floats() | st.text()))
def test_any_json_row_is_read_or_refused(row, tmp_path):
    path = tmp_path / "any.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    if refused := refusal(read_rated, str(path)):
        assert refused.startswith(str(path))
    else:
        rated = read_rated(str(path))
        assert rated.texts == [row["text"]]
        assert np.isfinite(rated.ratings).all()
