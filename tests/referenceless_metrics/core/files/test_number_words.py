"""Columns of numbers as people fill them."""

import contextlib
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from referenceless_metrics.core.files.number_words import NotNumbersError, column_numbers, parse_values


@pytest.mark.parametrize(
    "cells, values, note",
    [
        (["1", 2, "3.5"], [1, 2, 3.5], ""),
        ([1, None, math.nan, "n/a", "", "-", "inf"], [1, *[math.nan] * 6], ""),
        (["4 : rather good", "1 - bad", "4: rather  good", "5"], [4, 1, 4, 5], "'4 : rather good' is read as 4"),
        (
            ["Well said.\nRating: [[7]]", "[[4.5]] it is"],
            [7, 4.5],
            "the number that an answer marks is read, as 7 of 'said. Rating: [[7]]'",
        ),
        (
            [*["so [RESULT] 3"] * 4, "no result"],
            [*[3] * 4, math.nan],
            "the number that an answer marks is read, as 3 of 'so [RESULT] 3'; 1 of 5 answers mark no number, or "
            "several, and are missing",
        ),
        (["1 = worst", "2", "3 (best)"], [1, 2, 3], "'1 = worst' is read as 1"),
        (["2,5 points", "3 stars"], [2.5, 3], "'2,5 points' is read as 2.5"),
        (["Agree (4)", "disagree [2]", "agree (4)", ""], [4, 2, 4, math.nan], "'Agree (4)' is read as 4"),
        (["★★★★☆", "★☆☆☆☆", "⭐⭐"], [4, 1, 2], "stars are counted: ★★★★☆ is 4"),
        (
            ["thumbs up", "Thumbs Down"],
            [1, 0],
            "words are read as numbers: thumbs down is 0, thumbs up is 1 (--values)",
        ),
        (["Oui", "non"], [1, 0], "words are read as numbers: non is 0, oui is 1 (--values)"),
        (["نعم", "لا"], [1, 0], "words are read as numbers: لا is 0, نعم is 1 (--values)"),
        (
            ["Stimme eher zu", "Weder noch", "Stimme überhaupt nicht zu", "Stimme voll und ganz zu", "N/A"],
            [4, 3, 1, 5, math.nan],
            "words are read as numbers: stimme überhaupt nicht zu is 1, stimme eher nicht zu is 2, weder noch is 3, "
            "stimme eher zu is 4, stimme voll und ganz zu is 5 (--values)",
        ),
        (["7/10", "8 / 10"], [7, 8], "7/10 is read as 7"),
        (["95%", "", "82,5 %"], [95, math.nan, 82.5], "95% is read as 95, in per cent"),
        (["0,5", "1", "1,234"], [0.5, 1, 1.234], "commas are decimal marks: 0,5 is 0.5"),
        ([True, "False", 0.5], [1, 0, 0.5], "true is read as 1, false as 0"),
    ],
)
def test_a_column_is_read_by_the_form_that_all_of_it_has(cells, values, note):
    read = column_numbers(cells)
    np.testing.assert_array_equal(read.values, values)
    assert read.note == note


def test_a_file_with_decimal_commas_needs_no_note():
    assert column_numbers(["1,234", "0,5"], decimal_comma=True).values.tolist() == [1.234, 0.5]


@pytest.mark.parametrize(
    "cells, row, message",
    [
        (["1", "2024-01-01"], 1, "expected a number, but got str '2024-01-01'"),
        (["12:30", "1"], 0, "12:30"),
        (["5-6", "1"], 0, "5-6"),
        (["3rd", "1"], 0, "3rd"),
        (["1", "error"], 1, '--values "error=…"'),
        (["major", "minor"], 0, '--values "major=…,minor=…"'),
        ([[0.6], 0.5], 0, r"list \[0.6\]"),
        (["4: good", "4: bad"], 0, "4: good"),
        (["good (4)", "bad (4)"], 0, "good"),
        (["3.4 ± 0.8", "3.1 ± 0.7"], 0, "a mean with its spread stands for several ratings or scores"),
        (["7/10", "3/5"], 0, "7/10"),
        (["95%", "0.9"], 0, "95%"),
        (["1,234", "5"], 0, "a comma may be a decimal mark or stand between thousands"),
        (["1_000"], 0, "1_000"),
    ],
)
def test_what_is_no_number_is_refused_with_its_row(cells, row, message):
    with pytest.raises(NotNumbersError, match=message) as error:
        column_numbers(cells)
    assert error.value.row == row


def test_words_stand_for_the_numbers_that_the_user_gives():
    words = parse_values("no, never=0,Yes=1,don't know=")
    read = column_numbers(["yes", "No,  never", "don't know", "2", ""], words=words)
    np.testing.assert_array_equal(read.values, [1, 0, math.nan, 2, math.nan])
    assert read.note == "--values: 'No, never' is 0, 'yes' is 1, \"don't know\" is missing"
    with refused("--values says nothing of str 'perhaps'; it knows no, never, yes"):
        column_numbers(["perhaps"], words=words)


def test_a_blank_cell_stands_for_the_number_that_the_user_gives():
    cells = ["x", None, "X", " ", math.nan, []]
    read = column_numbers(cells, words=parse_values("X=1,x=1,=0"))
    assert (read.values.tolist(), read.note) == ([1, 0, 1, 0, 0, 0], "--values: 'x' is 1, blank is 0")
    for words in (None, parse_values("x=1"), parse_values("x=1,y=1")):
        with pytest.raises(NotNumbersError, match=r'each cell holds .x. or nothing.*--values "x=1,=0"') as error:
            column_numbers(cells, words=words)
        assert error.value.row == 0
    assert column_numbers(["x", ""], words=parse_values("x=1,o=0")).values.tolist()[:1] == [1]


@pytest.mark.parametrize("text", ["", "no", "no=x", "no=0,no=1", "no=0;yes=1", "no=0,,yes=1,"])
def test_pairs_of_another_form_are_refused(text):
    with refused("expected words and their numbers|the word 'no' stands twice"):
        parse_values(text)


@given(st.lists(st.one_of(st.none(), st.floats(), st.integers(), st.booleans(), st.text(max_size=8)), max_size=6))
def test_every_column_is_read_or_refused(cells):
    with contextlib.suppress(NotNumbersError):
        assert len(column_numbers(cells).values) == len(cells)


def test_a_list_of_labels_stands_for_the_number_of_all_of_them():
    words = parse_values("none=0,entity=1,relation=1,mild=0.5")
    read = column_numbers([["none"], ["entity", "relation"], "none", ["mild"]], words=words)
    assert read.values.tolist() == [0, 1, 0, 0.5]
    with pytest.raises(NotNumbersError, match="--values says nothing of list"):
        column_numbers([["none", "entity"]], words=words)


def test_a_list_of_one_is_read_as_what_it_holds():
    read = column_numbers([[True], [False], None, [True]])
    np.testing.assert_array_equal(read.values, [1, 0, math.nan, 1])
    assert read.note == "a list of one is read as what it holds; true is read as 1, false as 0"
    assert column_numbers([[4], (5,)]).values.tolist() == [4, 5]
    with refused("expected a number, but got list"):
        column_numbers([[True], [True, False]])


@pytest.mark.parametrize("cells", [[["Fair"], ["Vile"]], [[["Fair"]], [["Vile"]]]])
def test_the_words_that_a_message_proposes_can_be_given(cells):
    with pytest.raises(NotNumbersError) as error:
        column_numbers(cells)
    proposed = re.search('--values "(.*)"', str(error.value))[1]
    first, second = proposed.split(",")
    words = parse_values(first.replace("…", "1") + "," + second.replace("…", "0"))
    assert column_numbers(cells, words=words).values.tolist() == [1, 0]


def test_a_number_may_stand_for_another_one_however_it_is_written():
    ranks = parse_values("1=3,1.5=2.5,2=2,3=1")
    assert column_numbers([1.0, "1.50", "2", "3.0"], words=ranks).values.tolist() == [3, 2.5, 2, 1]
    with refused("--values says nothing of float 2.5; it knows 1, 1.5, 2, 3"):
        column_numbers([1.0, 2.5], words=ranks)  # which would be the highest of all
    missing = column_numbers([-1.0, 4, "2"], words=parse_values("-1="))
    assert missing.values.tolist()[1:] == [4, 2]
    assert math.isnan(missing.values[0])
