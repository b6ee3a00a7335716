"""The page's description of uploaded files."""

import pytest
from lazily import lazily
from text_files import write

from referenceless_metrics.pages.app.inputs import pool_input, references_input, sources_input, texts_input
from referenceless_metrics.pages.app.layout import describe_upload

pytestmark = pytest.mark.long  # gradio takes seconds to import

lazily("gradio")

TEXTS = texts_input()


def test_of_a_file_without_texts_there_is_a_message_and_nothing_to_choose(tmp_path):
    write(tmp_path / "no rows.csv", "text,n\n")
    row, column, note, error = describe_upload(TEXTS, str(tmp_path / "no rows.csv"))
    assert "no rows.csv: it holds no texts" in error
    assert (row["visible"], column["choices"], note) == (False, [], "")


DESCRIBED = [
    (TEXTS, "a.csv", "\ufeffid,output,mr\n1,one,x\n2,two,y\n", ["output"], "<strong>2 texts</strong>"),
    (sources_input(), "a.csv", "id,output,mr\n1,one,x\n", ["mr"], "1 sources"),
    (TEXTS, "a.txt", "one\ntwo\nthree\n", ["text"], "3 texts"),
    (references_input(), "r.csv", "text,reference\nx,a\n", [], "1 references"),
    (
        pool_input(),
        "p.csv",
        "text,rating\n<b>,0\nb,2.5\n",
        ["text", "rating"],
        "2 rated texts</strong>, rated 0 to 2.5",
    ),
]


def test_a_column_that_is_not_known_is_asked_for_and_the_note_follows_the_choice(tmp_path):
    path = tmp_path / "p.csv"
    write(path, "dataset,sys_ref,item,fluency,quality\nsfhot,one,3,1,5\nsfhot,two,1777,6,2\n")
    row, *choices, note, error = describe_upload(pool_input(), str(path))
    assert [choice["value"] for choice in choices] == [None, None]
    assert "Choose the column with the texts and the column with the ratings" in note
    for shown in ("item (3 to 1777)", "fluency (1 to 6)", "<td>two</td>"):
        assert shown in note
    assert (row["visible"], error) == (True, "")
    for column, scale in (("fluency", "1 to 6"), ("quality", "2 to 5")):
        *_, note, error = describe_upload(pool_input(), str(path), "sys_ref", column)
        assert f"2 rated texts</strong>, rated {scale}" in note
        assert "item" not in note
    *_, note, error = describe_upload(pool_input(), str(path), "sys_ref", "dataset")
    assert "expected a finite number in column &#39;dataset&#39;" in error


@pytest.mark.parametrize(("given", "name", "content", "columns", "expected"), DESCRIBED)
def test_what_a_file_holds(tmp_path, given, name, content, columns, expected):
    write(tmp_path / name, content)
    row, *choices, note, error = describe_upload(given, str(tmp_path / name))
    assert [choice["value"] for choice in choices] == columns
    assert row["visible"] == (any(columns) and name.endswith("csv"))
    assert expected in note
    assert error == ""
    assert describe_upload(given, None)[1 + len(columns) :] == ["", ""]  # the file was taken away
