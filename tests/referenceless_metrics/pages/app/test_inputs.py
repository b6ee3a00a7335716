"""Texts and ratings as a web page gives them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused
from text_files import write

from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.pages.app.inputs import (
    RATING_COLUMNS,
    TEXT_COLUMNS,
    known_column,
    pool_input,
    references_input,
    sources_input,
    texts_input,
)


def pasted_ratings(pasted):
    found: RatedTexts = pool_input().read(pasted, None)
    return found


LINES = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\n\t"), min_size=1).filter(str.strip)


def test_a_blank_line_between_others_is_an_empty_text():
    assert texts_input().read("\none\r\n\r\ntwo\rthree\n\n", None) == ["one", "", "two", "three"]


@given(st.lists(LINES, min_size=1))
def test_pasted_texts_are_the_lines(lines):
    assert texts_input().read("\n".join(lines), None) == lines


@given(st.lists(st.tuples(LINES, st.floats(-1e6, 1e6)), min_size=1))
def test_a_pool_pasted_from_a_spreadsheet(rows):
    pool = pasted_ratings("\n".join(f"{text}\t{rating!r}" for text, rating in rows))
    assert pool.texts == [text for text, _ in rows]
    assert pool.ratings.tolist() == [rating for _, rating in rows]


PASTED = [
    ('text,rating\n"One, two",0.5\nthree,1\n', ["One, two", "three"], [0.5, 1.0]),
    ("id,sentence,score\na,One,0.5\n", ["One"], [0.5]),
    ("One, two,0.5\n\nthree,  1\n", ["One, two", "three"], [0.5, 1.0]),
    ("5", None, "The rated texts, line 1: expected a text, a comma or tab, and a rating, but got str '5'"),
    ("one,1\ntwo", None, "The rated texts, line 2: expected a text, a comma or tab, and a rating, but got str 'two'"),
    ("text,rating\none,good", None, "pasted rated texts.csv:2: expected a finite number in column 'rating', but got"),
    ("text;rating\nOne, two;0,5\nthree;1\n", ["One, two", "three"], [0.5, 1.0]),
    (
        'One, two;0,5\n"a" is a letter;1\n"quoted; thus";-2,25',
        ["One, two", '"a" is a letter', "quoted; thus"],
        [0.5, 1.0, -2.25],
    ),
    ("one; or two,0.5\nthree,1\n", ["one; or two", "three"], [0.5, 1.0]),
    (" \n\t\n", None, "There are no rated texts yet: paste some"),
]


@pytest.mark.parametrize(("pasted", "texts", "expected"), PASTED)
def test_pasted_pools(pasted, texts, expected):
    if texts is None:
        with refused(f"^{re.escape(str(expected))}", InputError):
            pasted_ratings(pasted)
    else:
        pool = pasted_ratings(pasted)
        assert (pool.texts, pool.ratings.tolist()) == (texts, expected)


EIGHT = "dataset,system,item,output,fluency,judge_id,length,BLEU"
KNOWN = [
    ("id,Rating,Text,quality", "Text", "Rating"),
    (EIGHT, "output", "fluency"),
    (f"{EIGHT},naturalness", "output", None),
    ("sentence,Mean_Grammaticality,n", "sentence", "Mean_Grammaticality"),
    ("dataset,mr,sys_ref,id,score_id", None, None),
    ("output,summary,likert", None, None),
]


@pytest.mark.parametrize(("header", "text", "rating"), KNOWN)
def test_columns_are_known_by_their_names_alone(tmp_path, header, text, rating):
    path = tmp_path / "pool.csv"
    path.write_text(f"{header}\n{','.join(str(place) for place, _ in enumerate(header.split(',')))}\n")
    table = pool_input().table(str(path))
    assert (known_column(table, TEXT_COLUMNS), known_column(table, RATING_COLUMNS)) == (text, rating)


MAY_BE = "the rated texts may be a file of .csv, .tsv, .jsonl, .json, but this is"
BAD = [
    (
        "a",
        b"text",
        f"a: {MAY_BE} a file without a suffix",
    ),
    ("a.csv", b"text,rating\none,1\n\xff,2\n", "a.csv:3: not UTF-8"),
    (
        "a.csv",
        b"a,b\n1,2\n",
        "a.csv: choose the column with the texts, or name it 'text'; the columns are 'a', 'b'",
    ),
    (
        "a.csv",
        b"text,b,fluency,quality\none,3,1,2\n",
        "a.csv: choose the column with the ratings, or name it 'rating'; the columns of numbers are "
        "'b' (3 to 3), 'fluency' (1 to 1), 'quality' (2 to 2)",
    ),
    ("a.csv", b"text,rating\none,1\ntwo,\n", "a.csv:3: expected a finite number in column 'rating', but got str ''"),
    ("a.csv.gz", b"", f"a.csv.gz: {MAY_BE} .gz"),
    ("a.txt", b"one\n", "a.txt: the rated texts may be a file of .csv"),
]


@pytest.mark.parametrize(("name", "content", "message"), BAD)
def test_bad_files_are_named_without_their_folder(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with refused(f"^{re.escape(message)}", InputError) as error:
        pool_input().read(None, str(path))
    assert str(tmp_path) not in str(error.value)
    assert "--" not in str(error.value)


FILES = [
    ("r.txt", "a\tb\nc\n", [["a", "b"], ["c"]]),
    ("r.csv", "text,reference_1,Reference_2\nx,a,b\ny,c,\n", [["a", "b"], ["c"]]),
    ("r.jsonl", '{"reference": ["a", "b"]}\n{"reference": "c"}\n', [["a", "b"], ["c"]]),
    ("r.csv", "whatever\na\nc\n", [["a"], ["c"]]),
    ("r.csv", "Reference[1],text\na,x\n", [["a"]]),
]


@pytest.mark.parametrize(("name", "content", "expected"), FILES)
def test_uploaded_references(tmp_path, name, content, expected):
    write(tmp_path / name, content)
    assert references_input().read(None, str(tmp_path / name)) == expected


BAD_REFERENCES = [
    ("r.csv", "a,b\n1,2\n", "r.csv: expected columns named reference, reference_1 and so on, but the columns are a, b"),
    ("r.csv", "text,reference\nx,\n", "r.csv:2: no reference in column 'reference'"),
]


@pytest.mark.parametrize(("name", "content", "expected"), BAD_REFERENCES)
def test_bad_references(tmp_path, name, content, expected):
    write(tmp_path / name, content)
    with refused(f"^{re.escape(expected)}", InputError):
        references_input().read(None, str(tmp_path / name))


def test_pasted_references_and_sources():
    assert references_input().read("a\t b \t\n\nc\n", None) == [["a", "b"], [], ["c"]]
    assert sources_input().read("a\nb", None) == ["a", "b"]
    assert sources_input().read('{"food":\n"thai"}', None) == ['{"food":\n"thai"}']
    for one in (references_input(), sources_input()):
        with refused(f"There are no {one.what} yet", InputError):
            one.read("\n ", None)


def test_a_file_comes_before_the_box(tmp_path):
    write(tmp_path / "c.csv", "id,output\n1,from the file\n")
    write(tmp_path / "p.TSV", "a\tb\tc\nx\ty\t1\n")
    assert texts_input().read("from the box", str(tmp_path / "c.csv"), "output") == ["from the file"]
    assert texts_input().read("from the box", None, None) == ["from the box"]
    pool = pool_input().read("box,1", str(tmp_path / "p.TSV"), "b", "c")
    assert (pool.texts, pool.ratings.tolist()) == (["y"], [1.0])
    assert pool_input().read("box,1", None, None, None).texts == ["box"]
