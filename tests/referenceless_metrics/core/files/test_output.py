"""Results as tables, JSON, JSON Lines and CSV, on standard output and in files."""

import csv
import io
import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tabulate import tabulate
from text_strategies import texts
from wcwidth import wcswidth, wcwidth

from referenceless_metrics.core.files.escaping import one_line
from referenceless_metrics.core.files.output import (
    _OF_ONE_COLUMN,
    MOST_NAMES,
    fitted_table,
    render,
    shorten,
    shorten_apart,
    write,
    write_rows,
)

ROWS = [{"text": "plain", "rating": 0.5, "n": 12}, {"text": 'say "hi",\nthen ü\u2028🙂', "rating": math.nan, "n": 0}]
SUMMARY = {"mean": 0.5, "undefined": math.nan, "nested": {"inf": math.inf, "list": [math.nan, 1]}, "none": None}


def test_table():
    lines = render([ROWS[0], {"text": "other", "rating": math.nan, "n": 0}], {}, "table", lines=["", "mean 0.5"])
    assert lines.splitlines() == [
        "text      rating    n",
        "------  --------  ---",
        "plain     0.5000   12",
        "other          –    0",
        "",
        "mean 0.5",
    ]


CELLS = st.text("ab é…數\n ", max_size=6)


HEADERS = st.text("ab 數\n", min_size=1, max_size=6).filter(lambda text: text == text.strip())


@given(st.data(), st.lists(HEADERS, min_size=1, max_size=3, unique=True))
def test_a_table_is_as_tabulate_makes_it(data, headers):
    aligned = [data.draw(st.sampled_from(["left", "right", "center"])) for _ in headers]
    row = st.tuples(*[CELLS] * len(headers)).filter(lambda cells: any(map(str.strip, cells)))
    rows = data.draw(st.lists(row, min_size=1, max_size=4))
    columns = dict(zip(headers, zip(*rows, strict=True), strict=True))
    expected = tabulate(rows, headers, tablefmt="simple", colalign=aligned, disable_numparse=True)
    assert fitted_table(columns, dict(zip(headers, aligned, strict=True)), None) == expected


def test_texts_of_one_column_each():
    characters = list(filter(_OF_ONE_COLUMN.fullmatch, map(chr, range(0x20, 0x3000))))
    assert {wcwidth(character) for character in characters if character != "\x7f"} == {1}


@pytest.mark.parametrize("width", [80, 40])
def test_a_table_fits_the_terminal_and_loses_no_column(monkeypatch, capsys, tmp_path, width):
    monkeypatch.setenv("COLUMNS", str(width))
    row = {"text": "數據 " * 11, "value": 0.5, **{f"the figure number {i}": 1000.25 + i for i in range(9)}}
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    write_rows([row, row], {}, "table", None, lines=["what a reader should know, " * 9])
    shown = capsys.readouterr().out
    assert max(map(wcswidth, shown.splitlines())) <= width
    assert all(f"{1000.25 + i:.4f}" in shown for i in range(9))
    write_rows([row, row], {}, "table", str(tmp_path / "whole.txt"))
    assert len((tmp_path / "whole.txt").read_text(encoding="utf-8").splitlines()) == 4


def test_each_part_of_a_table_repeats_the_columns_that_tell_its_rows(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    figures = {f"figure {i}": 1000.25 + i for i in range(4)}
    rows = [{"criterion": by, "system": name, **figures} for by in ("style", "sense") for name in ("base", "ours")]
    write_rows(rows, {}, "table", None)
    parts = capsys.readouterr().out.strip().split("\n\n")
    assert len(parts) > 1
    assert all(part.splitlines()[2].startswith("style        base") for part in parts)


def test_rows_that_differ_never_look_alike(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "60")
    names = [f"runs.of.the.spring.campaign.model-{each}.en-de.out.txt" for each in ("small", "smart", "large")]
    figures = {f"figure {i}": 1000.25 + i for i in range(6)}
    rows = [{"system": one, "against": other, **figures} for one in names for other in names if one != other]
    write_rows(rows, {}, "table", None)
    for part in capsys.readouterr().out.strip().split("\n\n"):
        told = [tuple(line.split()[:2]) for line in part.splitlines()[2:]]
        assert len(set(told)) == len(rows)
        assert max(map(len, part.splitlines())) <= 60


@given(st.lists(texts, unique_by=one_line, max_size=6), st.integers(1, 30))
@example(["a" * 30 + end + "z" * 30 for end in "bcd"], 8)
def test_texts_that_differ_are_cut_apart(different, width):
    different = [one_line(text) for text in different]
    short = shorten_apart(different, width)
    assert len(set(short)) == len(different)
    assert shorten_apart([*different, *different], width) == [*short, *short]


def test_more_texts_than_systems_have_names_are_cut_to_the_width():
    texts = [f"The Loch Fyne is a quiet pub near the harbour that serves {n}" for n in range(60)]
    assert set(shorten_apart(texts, 20)) == {"The Loch Fyne is a …"}
    assert len(set(shorten_apart(texts[:6], 20))) == 6


def test_json_is_valid_and_holds_null_for_what_is_undefined():
    def refuse(constant):
        raise AssertionError(constant)

    result = json.loads(render(ROWS, SUMMARY, "json"), parse_constant=refuse)
    assert result["mean"] == 0.5
    assert result["undefined"] is None
    assert result["nested"] == {"inf": None, "list": [None, 1]}
    assert result["rows"] == [ROWS[0], {**ROWS[1], "rating": None}]


def test_csv_leaves_what_is_undefined_empty():
    text = render(ROWS, SUMMARY, "csv")
    assert text == 'text,rating,n\nplain,0.5,12\n"say ""hi"",\nthen ü\u2028🙂",,0\n'


def test_csv_for_spreadsheets_holds_no_formula():
    formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r=1", "\n=1", "＝1"]
    rows = [{"=name": text, "n": -1.5} for text in [*formulas, "plain", "a=b"]]
    read = list(csv.reader(io.StringIO(render(rows, {}, "csv-safe"), newline=""), strict=True))
    assert read[0] == ["'=name", "n"]
    assert [record[0] for record in read[1:]] == [*(f"'{text}" for text in formulas), "plain", "a=b"]
    assert {record[1] for record in read[1:]} == {"-1.5"}  # a number stays one


def test_write(tmp_path, capsys):
    for path in (None, "-"):
        write("ü\n", path)
        assert capsys.readouterr().out == "ü\n"
    write("ü\n", str(tmp_path / "a.csv"))
    assert (tmp_path / "a.csv").read_bytes() == "ü\n".encode()


@given(texts, st.integers(2, 40))
@example("00\u0300", 2)
def test_shorten_gives_one_line_of_the_width(text, width):
    short = shorten(text, width)
    assert sum(max(0, wcwidth(character)) for character in short) <= width  # columns, not code points
    assert len(short.splitlines()) <= 1
    assert short == one_line(text) or short.endswith("…")


def test_both_names_of_a_pair_of_systems_stay_whole(monkeypatch, capsys):
    """In however many pairs: a name that is cut tells too little of which two are compared."""
    monkeypatch.setenv("COLUMNS", "60")
    names = [f"{family}-{size}b-chat" for family in ("alpaca", "falcon", "llama-2") for size in (7, 13, 30, 70)]
    pairs = [f"{first} less {second}" for first in names for second in names if first != second]
    assert len(pairs) > MOST_NAMES
    rows = [{"system": name, **{f"figure {i}": 1000.25 + i for i in range(6)}} for name in (*names, *pairs)]
    write_rows(rows, {}, "table", None)
    for part in capsys.readouterr().out.strip().split("\n\n"):
        assert "…" not in part
        assert max(map(len, part.splitlines())) <= 60
        n_columns = next(line for line in part.splitlines() if line.startswith("--")).index(" ")
        told = " ".join(line[:n_columns].strip() for line in part.splitlines())
        assert all(pair in told for pair in pairs)


def test_what_names_have_in_common_is_cut_before_what_tells_them_apart():
    names = ["simple_qa_250_gemini-v1.5-flash_results", "simple_qa_250_gpt-4o_results"]
    assert shorten_apart(names, 20) == ["…gemini-v1.5-flash…", "…gpt-4o…"]
    names = [f"reviews/Qwen2.5-{size}-Instruct/gsm8k" for size in ("0.5B", "1.5B")]
    assert shorten_apart(names, 20) == ["…0.5B…", "…1.5B…"]


def test_names_take_the_room_that_columns_below_each_other_leave():
    figures = {f"figure {i}": ["1000000000.000000", "2.0000"] for i in range(4)}
    columns = {"system": ["a-long-name less another-name", "base"], **figures}
    shown = fitted_table(columns, {"system": "left"} | dict.fromkeys(figures, "right"), 70)
    parts = [part.splitlines() for part in shown.split("\n\n")]
    assert len(parts) == 2
    for part in parts:
        assert sum(line.startswith("a-long-name less another-name ") for line in part) == 1
        assert max(map(len, part)) <= 70
