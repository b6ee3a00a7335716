"""Texts and ratings from files: the content that is read, and the file and line that each error names."""

import io
import json
import math
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from text_strategies import texts as awkward_texts

from referenceless_metrics.core.files.formats_of_files import file_format
from referenceless_metrics.core.files.output import render
from referenceless_metrics.core.files.reading import InputNote, Reading
from referenceless_metrics.core.files.tables import BlockSize, ColumnName
from referenceless_metrics.core.files.text_io import (
    is_dataset_spec,
    read_rated,
    read_table,
    read_text_blocks,
    read_texts,
    references_of,
)
from referenceless_metrics.core.support.validation import InputError

SEPARATORS = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg"  # str.splitlines would split at each
many = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


NO_TEXT = "there is no column 'text' (text_column); the columns are"
NO_NUMBER = "column 'rating' (--rating-column): expected a number, but got"


def file(name, content):
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


def rows_of(name, **options):
    rated = read_rated(name, **options)
    assert rated.ratings.dtype == np.float64
    return rated.texts, rated.ratings.tolist()


def message(call, *args, **options):
    with pytest.raises(InputError) as caught:
        call(*args, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- plain text


@pytest.mark.parametrize(
    "content, expected",
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
    "content, line, byte",
    [
        (b"fine\nalso fine\ncaf\xe9 au lait\n", 3, "e9"),
        (b"\xef\xbb\xbffine\nalso fine\ncaf\xe9", 3, "e9"),  # the mark at the beginning shifts nothing
        (b"fine\r\n\xe2\x82", 2, "e2"),  # cut within a character
        (b"\xed\xa0\xbd", 1, "ed"),  # a lone surrogate
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.csv"])
def test_bytes_that_are_not_utf8(folder, name, content, line, byte):
    found = message(read_texts, file(name, content))
    assert found.startswith(f"{name}:{line}: not UTF-8 (byte 0x{byte}); ")
    if byte == "e9":
        assert "--encoding cp1252 reads 'café" in found
    else:
        assert found.endswith("convert the file to UTF-8, or name its encoding with --encoding")


# --- csv and tsv


def test_csv_with_semicolons(folder):
    """Spreadsheets write it so if the comma is the decimal mark."""
    rows = ["text;rating;n", "One, two;0,5;3", '"a; ""b""";-1,25;4', ";2;5"]
    name = file("p.csv", "\r\n".join(["\ufeff", *rows, ""]))
    assert rows_of(name) == (["One, two", 'a; "b"', ""], [0.5, -1.25, 2.0])
    assert read_table(name).lines == [3, 4, 5]
    assert read_table(name).column("n", "") == ["3", "4", "5"]


@pytest.mark.parametrize(
    "content, columns",
    [
        ("a;b,c\n1,2\n", ("a;b", "c")),
        ('"a;b"\none\n', ("a;b",)),
        ('"a;\nb",c\none,2\n', ("a;\nb", "c")),
        ("a\tb\n1\t2\n", ("a", "b")),
    ],
)
def test_what_separates_is_told_by_the_first_line(folder, content, columns):
    assert read_table(file("p.csv", content)).columns == columns


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_csv_line_ends_and_byte_order_mark(folder, end, mark):
    name = file("p.csv", mark + end.join(["text,rating", f"{SEPARATORS},0.5", '"",1']) + end)
    assert rows_of(name) == ([SEPARATORS, ""], [0.5, 1.0])
    assert read_table(name).lines == [2, 3]


BAD_CSV = [
    ('text,rating\n"one\ntwo\nthree",1\n"four\nfive",bad\n', f"p.csv:5: {NO_NUMBER} str 'bad'"),
    ("text;rating\none;1.000,5\n", f"p.csv:2: {NO_NUMBER} str '1.000,5'"),
    ("text,rating\na,1\nb\n", "p.csv:3: expected 2 fields (text, rating) between commas, but got 1"),
    ("text,rating\na,1\n\nb,2,3\n", "p.csv:4: expected 2 fields (text, rating) between commas, but got 3"),
    ('text,rating\na,1\n"never closed,2\nc,3\n', "p.csv:3: malformed row (unexpected end of data)"),
    ('text,rating\n"a" b,1\n', "p.csv:2: malformed row (',' expected after '\"')"),
    ("1,a,1\n2,b,1\n", "p.csv:1: the first line seems to hold data, and not the names of columns: name them, such as "),
    ("", "p.csv: it is empty"),
    ("text,rating\n", "p.csv: it holds no rated texts"),
    ("sentence,rating\na,1\n", f"p.csv: {NO_TEXT} 'sentence', 'rating'"),
    (
        "text,score\na,1\n",
        "p.csv: there is no column 'rating' (--rating-column); the columns of numbers are 'score' (1 to 1)",
    ),
]


# --- JSON Lines


def test_jsonl(folder):
    content = f'\ufeff{{"text": "{SEPARATORS[:3]}", "rating": 1}}\r\n\n'
    content += '{"rating": 0.5, "text": "\\ud83d\\ude42", "id": 7}\n'
    assert rows_of(file("p.jsonl", content)) == ([SEPARATORS[:3], "🙂"], [1.0, 0.5])
    assert read_table("p.jsonl").lines == [1, 3]


def test_a_missing_key_counts_as_null(folder):
    """In a place inside an object, too."""
    content = [{"text": "a", "score": {"x": 1}}, {"text": "b"}, {"score": {}}, {"text": "c", "score": None}]
    table = read_table(file("p.jsonl", "".join(f"{json.dumps(row)}\n" for row in content)))
    assert table.column("text") == ["a", "b", None, "c"]
    assert table.column("score.x") == [1, None, None, None]


ROW = '{"text": "a", "rating": 1}\n'
BAD_JSONL = [
    (ROW + "{'text': 'b'}\n", "p.jsonl:2: not JSON (Expecting property name enclosed in double quotes, column 2)"),
    (ROW + '\n{"text": "b"\n', "p.jsonl:3: not JSON (Expecting ',' delimiter, column 13)"),
    (ROW + '["b", 1]\n', "p.jsonl:2: expected a JSON object, but got list ['b', 1]"),
    (ROW + '{"text": null, "rating": 1}\n', "p.jsonl:2: expected a text in column 'text', but got None"),
    (ROW + '{"text": 5, "rating": 1}\n', "p.jsonl:2: expected a text in column 'text', but got int 5"),
    ('{"text": "b", "rating": {"a": 1}}', f"p.jsonl:1: {NO_NUMBER} dict"),
    *(
        (f'{{"text": "b", "rating": {missing}}}', "p.jsonl: it holds no rated texts")
        for missing in ("null", "NaN", '""')
    ),
    ('{"sentence": "b"}', f"p.jsonl: {NO_TEXT} 'sentence'"),
    ("", "p.jsonl: it is empty"),
    (ROW + "[" * 200_000, "p.jsonl:2: JSON beyond what can be read"),
    (ROW + f'{{"text": "a", "rating": {"1" * 5000}}}', "p.jsonl:2: JSON beyond what can be read"),
    (ROW + f'{{"text": "a", "rating": {"1" * 400}}}', f"p.jsonl:2: {NO_NUMBER} int 1111"),
    (ROW + '{"text": "\\ud83d!", "rating": 1}', "p.jsonl:2: expected valid Unicode in column 'text', but got a lone"),
]


@pytest.mark.parametrize("content, expected", [*BAD_CSV, *BAD_JSONL])
def test_malformed_rows(folder, content, expected):
    assert message(read_rated, file(expected.partition(":")[0], content)).startswith(expected)


# --- Parquet


def test_parquet(folder):
    texts = ["a", "b\nc", "ü"]
    encoded, ratings = pa.array(texts).dictionary_encode(), pa.array([0.5, 0.25, 1], type=pa.float32())
    pq.write_table(pa.table({"text": encoded, "rating": ratings}), "p.parquet")
    assert rows_of("p.parquet") == (texts, [0.5, 0.25, 1.0])


def columns(*names):
    return pa.Table.from_arrays([pa.array(["a"])] * len(names), names=names)


@pytest.mark.parametrize(
    "call, table, expected",
    [
        (
            read_rated,
            pa.table({"text": ["a", None], "rating": [1.0, 2.0]}),
            "p.parquet, row 2: expected a text in column 'text', but got None",
        ),
        (
            read_rated,
            pa.table({"text": ["a", "b"], "rating": [math.nan, math.nan]}),
            "p.parquet: it holds no rated texts",
        ),
        (read_texts, columns("out", "rating"), f"p.parquet: {NO_TEXT} 'out', 'rating'"),
        (read_texts, columns("text").slice(1), "p.parquet: it holds no texts"),
        (read_texts, columns("text", "text"), "p.parquet: two columns have the same name"),
    ],
)
def test_parquet_rows_that_cannot_be_used(folder, call, table, expected):
    pq.write_table(table, "p.parquet")
    assert message(call, "p.parquet") == expected


# --- formats, paths, standard input


def test_format_by_name_over_suffix(folder):
    name = file("ratings.data", "text\trating\na\t1\n")
    with pytest.warns(
        InputNote, match=r"ratings.data: the suffix '.data' is not known; read as csv \(--input-format\)"
    ):
        assert read_rated(name).texts == ["a"]
    assert read_rated(name, reading=Reading(format="tsv")).texts == ["a"]
    assert read_texts(file("A.CSV", "text\na\n")) == ["a"]
    assert read_texts("A.CSV", reading=Reading(format="txt")) == ["text", "a"]
    with pytest.warns(InputNote, match=r"nosuffix: there is no suffix; read as txt"):
        assert read_texts(file("nosuffix", "a")) == ["a"]
    expected = "unknown input format 'rtf'; the known ones are txt, csv, tsv, jsonl, json, parquet, xlsx, xml"
    assert message(read_texts, name, reading=Reading(format="rtf")) == expected


@pytest.mark.parametrize("name", ["inputs", "inputs.csv", "inputs.txt", "inputs.parquet"])
def test_missing_files_and_folders(folder, name):
    assert message(read_texts, name) == f"{name}: there is no such file"
    Path(name).mkdir()
    assert message(read_texts, name) == f"{name}: it is a folder, not a file"
    for call in (read_rated, read_table):
        assert message(call, file("a.txt", "one\n")).startswith("a.txt: a .txt file holds no ratings and no other")


def standard_input(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="ascii"))


def test_standard_input(monkeypatch):
    standard_input(monkeypatch, "ü\n🙂\n".encode())
    assert read_texts("-") == ["ü", "🙂"]
    standard_input(monkeypatch, b"text,rating\na,1\n")
    assert read_rated("-").texts == ["a"]
    standard_input(monkeypatch, ROW.encode())
    assert read_rated("-", reading=Reading(format="jsonl")).ratings.tolist() == [1.0]
    standard_input(monkeypatch, ROW.encode())
    with pytest.warns(InputNote, match=r"standard input: read as jsonl \(--input-format\)"):
        assert read_texts("-") == ["a"]
    assert file_format("-", Reading(), "txt") == "jsonl"  # also after it was read
    standard_input(monkeypatch, json.dumps([{"text": "a"}], indent=1).encode())
    with pytest.warns(InputNote, match="standard input: read as json "):
        assert read_texts("-") == ["a"]
    for line in ("[INST] a text", "{a} text", "[1] a text"):
        standard_input(monkeypatch, line.encode())
        assert read_texts("-") == [line]
    standard_input(monkeypatch, b"ok\n\xff")
    assert message(read_texts, "-") == (
        "standard input:2: not UTF-8 (byte 0xff); --encoding cp1252 reads 'ÿ'; if that is right, give it"
    )
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


def test_dataset_spec(folder, monkeypatch):
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", str(folder / "cache"))
    file("train_rel_2.tsv", 'Id\tEssaySet\tScore1\tScore2\tEssayText\r\n1\t3\t2\t2\t"an ""answer"""\r\n')
    file("public_leaderboard_rel_2.tsv", "Id\tEssaySet\tEssayText\r\n10\t3\tone\r\n")
    file("public_leaderboard_solution.csv", "id,essay_set,essay_weight,essay_score,Usage\n10,3,1,1,PublicTest\n")
    assert rows_of("asap_sas:set_3", reading=Reading(data_dir=str(folder))) == (['an "answer"'], [1.0])
    assert read_texts("asap_sas:set_3:test", reading=Reading(data_dir=str(folder))) == ["one"]


# --- written files can be read again

rows = st.lists(st.tuples(awkward_texts, st.floats(allow_nan=False, allow_infinity=False)), min_size=1, max_size=6)


@many
@given(rows=rows)
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_round_trip_through_our_own_output(kind, rows, tmp_path):
    path, lines = tmp_path / f"pool.{kind}", [2]
    path.write_text(
        render([{"text": text, "rating": rating} for text, rating in rows], {}, kind), encoding="utf-8", newline=""
    )
    rated = read_rated(str(path))
    assert list(zip(rated.texts, rated.ratings.tolist(), strict=True)) == rows
    if kind == "csv":
        for text, _ in rows:
            lines.append(lines[-1] + 1 + (text.count("\n")))
        assert read_table(str(path)).lines == lines[:-1]


@pytest.mark.parametrize("name", ["p.jsonl", "p.parquet"])
def test_a_null_is_an_empty_text(folder, name):
    texts = ["a", None, "", "b"]
    if name == "p.jsonl":
        file(name, "".join(json.dumps({"text": text}) + "\n" for text in texts))
    else:
        pq.write_table(pa.table({"text": texts}), name)
    with pytest.warns(InputNote, match="1 of 4 texts is null, and read as empty"):
        assert read_texts(name) == ["a", "", "", "b"]


def test_a_note_on_nulls_counts_those_after_the_place_to_begin_at(folder):
    rows = file("p.jsonl", "".join(json.dumps({"text": text}) + "\n" for text in ("a", "b", "c", None, "d")))
    first, _ = next(read_text_blocks(rows, size=BlockSize(2)))
    with pytest.warns(InputNote, match="1 of the 3 texts after the first 2 rows is null, and read as empty"):
        assert [texts for _, texts in read_text_blocks(rows, start=first.end)] == [["c", "", "d"]]


def test_rows_without_a_reference_may_be_left_out_in_a_call_of_their_own(tmp_path):
    (tmp_path / "r.csv").write_text("text,ref\nx,y\nz,\n")
    with pytest.raises(InputError, match=r"r.csv:3: no reference in column 'ref'; leave such .* in a call of its own"):
        references_of(read_table(str(tmp_path / "r.csv")), ["ref"])
