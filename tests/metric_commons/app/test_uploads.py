"""What a page says of uploaded files: how much they hold, and why one cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("gradio", reason="needs gradio 6")

from metric_commons.app.inputs import MOST_COLUMNS
from metric_commons.app.uploads import describe_upload, nothing_uploaded, upload_status

WIDE = ",".join(f"c{i}" for i in range(5000))
STRANGE = {
    "picture.csv": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 40, "not UTF-8"),
    "zip.csv": (b"PK\x03\x04" + b"\x14\x00\xf1\xff" * 100, "not UTF-8"),
    "utf16.csv": ("text,quality\nfine,1\n".encode("utf-16"), "not UTF-8"),
    "utf16.tsv": ("text\tquality\nfine\t1\n".encode("utf-16-le"), "utf16.tsv"),
    "latin.csv": ("text,quality\ncafé,1\n".encode("latin-1"), "latin.csv:2: not UTF-8"),
    "cyrillic.txt": ("текст\n".encode("cp1251"), "cyrillic.txt:1: not UTF-8"),
    "wide.csv": (f"{WIDE}\n{WIDE}\n".encode(), f"at most {MOST_COLUMNS} columns, but there are 5,000"),
    "wide.jsonl": (json.dumps({f"c{i}": i for i in range(5000)}).encode(), "but there are 5,000"),
    "no table.jsonl": (b'["a", "list"]\n', "no table.jsonl:1"),
    "no rows.csv": (b"text\n", "it holds no texts"),
    "empty.csv": (b"", "empty.csv"),
    "numbers.csv": (b"a,b\n1,2\n", "none of its columns holds texts: a, b"),
    "long.csv": (b"text\n" + b'"' + b"x" * 400_000 + b'"\n', "at most 20,000 characters"),
    "broken.parquet": (b"PAR1" + b"\x00" * 100 + b"PAR1", "broken.parquet"),
    "pages.docx": (b"PK\x03\x04", "this page reads .txt, .csv, .tsv, .jsonl, .parquet, but not .docx"),
    "nothing": (b"text\n", "a file without a suffix"),
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_file_that_is_no_table_gives_a_message(name: str, tmp_path: Path) -> None:
    content, expected = STRANGE[name]
    (tmp_path / name).write_bytes(content)
    row, column, note, error = describe_upload(str(tmp_path / name), "texts")
    assert expected in error
    assert str(tmp_path) not in error
    assert (row["visible"], column["choices"], note) == (False, [], "")


def test_a_table_offers_its_columns(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("\ufeffid,output,mr\n1,one,x\n2,two,y\n", encoding="utf-8")
    row, column, note, error = describe_upload(str(tmp_path / "a.csv"), "texts")
    assert (row["visible"], column["choices"], column["value"], error) == (True, ["id", "output", "mr"], "output", "")
    assert "<strong>2 texts</strong>" in note
    assert describe_upload(str(tmp_path / "a.csv"), "sources", ("mr",))[1]["value"] == "mr"


def test_lines_need_no_choice(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\nthree\n")
    row, column, note, _ = describe_upload(str(tmp_path / "a.txt"), "texts")
    assert (row["visible"], column["choices"]) == (False, [])
    assert "3 texts" in note


def test_a_file_that_was_taken_away() -> None:
    assert describe_upload(None, "texts")[-2:] == ["", ""]
    assert len(nothing_uploaded(2)) == 5


def test_ratings_have_a_range() -> None:
    assert "rated 1 to 6" in upload_status(3, "rated texts", low=1.0, high=6.0)
