"""People's ratings without texts are those of the outputs of the same item and system on a page, as in `evaluate`."""

import json
import re
from html import unescape

import pytest
from command_lines import typed
from numpy.random import default_rng
from text_files import read, write, write_table

N = 15
SYSTEMS = ("base", "ours")
TEXTS = {system: [f"This is output {n // 2} of {system}." for n in range(N)] for system in SYSTEMS}
RATINGS = default_rng(0).integers(1, 6, (len(SYSTEMS), N)).tolist()
OUTPUTS = "--text-column base --text-column ours"


@pytest.fixture(autouse=True)
def files(folder):
    """Outputs side by side, equal ones of two items among them; and ratings of ids, with the texts and without them."""
    write_table("outputs.csv", ["id", *SYSTEMS], [(f"i{n}", *(TEXTS[s][n] for s in SYSTEMS)) for n in range(N)])
    rated = [(n, at) for n in reversed(range(N)) for at in range(len(SYSTEMS))]
    write_table("ratings.csv", ["id", "system", "rating"], [(f"i{n}", SYSTEMS[at], RATINGS[at][n]) for n, at in rated])
    write_table("numbered.csv", ["id", "system", "rating"], [(n, SYSTEMS[at], RATINGS[at][n]) for n, at in rated])
    with_texts = [(n + 1, SYSTEMS[at], TEXTS[SYSTEMS[at]][n], RATINGS[at][n]) for n, at in rated]
    write_table("texts.csv", ["item", "system", "text", "rating"], with_texts)
    for system in SYSTEMS:
        write_table(f"{system}.csv", ["id", "text"], [(f"i{n}", TEXTS[system][n]) for n in range(N)])


def page_of(line):
    """Return what a page holds of people's ratings."""
    told = typed(f"report {line} --metric fluency_ngram -o page.html")
    (data,) = re.findall(r'id="page-data">(.*?)</script>', read("page.html"), re.DOTALL)
    return {name: value for name, value in json.loads(data).items() if name != "made"}, told.err


def test_the_page_is_that_of_ratings_with_the_texts_of_their_outputs():
    by_text, _ = page_of(f"outputs.csv {OUTPUTS} --ratings texts.csv")
    by_item, err = page_of(f"outputs.csv {OUTPUTS} --item-column id --ratings ratings.csv")
    assert by_item == by_text
    assert "do not count" not in err


def test_a_column_of_items_that_the_ratings_lack_is_that_of_the_outputs():
    write_table("own.csv", ["item", "system", "rating"], [(f"i{n}", s, n % 5) for n in range(N) for s in SYSTEMS])
    _, err = page_of(f"outputs.csv {OUTPUTS} --item-column id --ratings own.csv")
    assert "do not count" not in err


def test_files_of_systems_are_joined_by_their_column_of_items():
    files = "base.csv ours.csv --item-column id --text-column text"
    assert page_of(f"{files} --ratings ratings.csv")[0] == page_of(f"{files} --ratings texts.csv")[0]


def test_numbers_of_items_are_lines_of_files_if_they_are_as_many():
    """Exports of annotation tools number the segments, and outputs are lines without ids."""
    for system in SYSTEMS:
        write(f"{system}.txt", TEXTS[system])
    rated = [(n + 1, SYSTEMS[at], RATINGS[at][n]) for n in reversed(range(N)) for at in range(len(SYSTEMS))]
    write_table("lines.csv", ["item", "system", "rating"], rated)
    by_line, err = page_of("base.txt ours.txt --ratings lines.csv")
    assert by_line == page_of("base.txt ours.txt --ratings texts.csv")[0]
    assert f"lines.csv: items are numbers from 1 to {N}, as many as outputs: item n is the n-th output" in err
    for name, rows in (("fewer.csv", rated[2:]), ("from0.csv", [(n - 1, s, rating) for n, s, rating in rated])):
        write_table(name, ["item", "system", "rating"], rows)
        told = typed(f"report base.txt ours.txt --ratings {name} --metric fluency_ngram -o page.html", 1).err
        assert "no column of items in both files" in told
        assert f"and there are {N} outputs: if item {int(name == 'fewer.csv')} is the first of them, " in told


def test_a_named_column_of_numbers_tells_the_lines_of_a_part_of_the_outputs():
    for system in SYSTEMS:
        write(f"{system}.txt", TEXTS[system])
    rated = [(n + 1, SYSTEMS[at], RATINGS[at][n]) for n in range(1, N - 1) for at in range(len(SYSTEMS))]
    write_table("part.csv", ["id", "system", "rating"], rated)
    with_texts = [(n, system, TEXTS[system][n - 1], rating) for n, system, rating in rated]
    write_table("texts.csv", ["item", "system", "text", "rating"], with_texts)
    by_line, err = page_of("base.txt ours.txt --item-column id --ratings part.csv")
    assert by_line == page_of("base.txt ours.txt --ratings texts.csv")[0]
    assert f"items are numbers from 2 to {N - 1}: item n is the n-th of the {N} outputs, the first being item 1" in err
    for line, message in (
        ("--item-column number --ratings part.csv", "there is no column 'number'"),
        ("--item-column id --ratings beyond.csv", "no column of items in both files"),
    ):
        write_table("beyond.csv", ["id", "system", "rating"], [(N + 1, "base", 3), (2, "ours", 4), (2, "base", 4)])
        assert message in typed(f"report base.txt ours.txt {line} --metric fluency_ngram -o page.html", 1).err


def test_the_page_proposes_a_further_study_by_the_same_criteria_with_raters_enough():
    outputs = [(n, at) for n in range(N) for at in range(len(SYSTEMS))]
    rated = [
        (f"i{n}", SYSTEMS[at], f"r{who}", RATINGS[at][n], RATINGS[at][n - 1]) for n, at in outputs for who in range(2)
    ]
    write_table("criteria.csv", ["id", "system", "rater", "fluency", "adequacy"], rated)
    rows = [(f"i{n}", *(f"{s} says {n}" for s in SYSTEMS), f"source {n}") for n in range(N * 8)]
    write_table("more.csv", ["id", *SYSTEMS, "mr"], rows)
    both = "--rating-column fluency --rating-column adequacy --columns-are criteria"
    page_of(f"more.csv {OUTPUTS} --source-column mr --item-column id --ratings criteria.csv {both} --scale 1-5")
    (line,) = re.findall(r"referenceless (sample [^<\n]*)", unescape(read("page.html")))
    assert "--source-column mr -n 60 --raters 5 --criterion fluency=1-5 --criterion adequacy=1-5 -o study" in line
    typed(line)


def test_a_page_takes_a_column_for_each_criterion():
    rated = [(f"i{n}", SYSTEMS[at], f"r{at}", RATINGS[at][n], n % 5) for n in range(N) for at in range(len(SYSTEMS))]
    write_table("criteria.csv", ["id", "system", "rater", "fluency", "adequacy"], rated)
    both = "--rating-column fluency --rating-column adequacy --columns-are criteria"
    page_of(f"outputs.csv {OUTPUTS} --item-column id --ratings criteria.csv {both}")
    assert "All pairs by adequacy" in read("page.html") or "adequacy: " in read("page.html")


def test_ratings_of_items_without_outputs_are_counted_in_a_note():
    write_table("some.csv", ["id", *SYSTEMS], [(f"i{n}", *(TEXTS[s][n] for s in SYSTEMS)) for n in range(12)])
    _, err = page_of(f"some.csv {OUTPUTS} --item-column id --ratings ratings.csv")
    assert "ratings.csv: 6 rated outputs are of items without outputs, and do not count" in err


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("outputs.csv --ratings ratings.csv", "no column of items in both files (--item-column NAME; both have 'id')"),
        (
            "outputs.csv --item-column id --ratings numbered.csv",
            "ratings are of items such as '14', and outputs of items",
        ),
        ("twice.csv --item-column id --ratings ratings.csv", "several outputs of a system are of item 'i1'"),
        (
            "from1.csv --item-column id --ratings numbered.csv",
            "outputs count items from 1 to 15, and the ratings from 0",
        ),
    ],
)
def test_what_items_do_not_tell_is_refused(line, told):
    write_table("twice.csv", ["id", *SYSTEMS], [("i1", *(TEXTS[s][n] for s in SYSTEMS)) for n in range(N)])
    write_table("from1.csv", ["id", *SYSTEMS], [(n + 1, *(TEXTS[s][n] for s in SYSTEMS)) for n in range(N)])
    assert told in typed(f"report {line} {OUTPUTS} --metric fluency_ngram -o page.html", 1).err
