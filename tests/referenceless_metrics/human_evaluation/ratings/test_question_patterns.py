"""Surveys whose questions' names say of what system and by what criterion each asks."""

import pytest
from command_lines import typed
from refusals import refused
from text_files import write, write_table

from referenceless_metrics.advice.look.looking import look
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows

pytestmark = pytest.mark.filterwarnings("ignore::referenceless_metrics.core.files.reading.InputNote")

NAMES = ("id", "user_id", "Fluency_1", "Style_1", "Fluency_2", "Style _2", "Fluency_3", "Style_3")
ROWS = [(n, 100 + n, 1, 2, 3, 4, 5, n) for n in range(1, 5)]


def test_a_pattern_of_names_is_the_key_of_a_survey(folder):
    write_table("survey.csv", NAMES, ROWS)
    lines = look("survey.csv").commands
    assert lines[0] == "referenceless human-score --ratings survey.csv --questions '{criterion}_{system}'"
    table = read_rating_rows("survey.csv", Reading(questions="{criterion}_{system}"))
    of_first = [(row["criterion"], row["system"], row["rating"]) for row in table.rows if str(row["rater"]) == "1"]
    assert of_first == [
        ("Fluency", "1", "1"),
        ("Style", "1", "2"),
        ("Fluency", "2", "3"),
        ("Style", "2", "4"),
        ("Fluency", "3", "5"),
        ("Style", "3", "1"),
    ]


def test_any_text_in_names_of_questions_is_passed_over(folder):
    asked = [(n, bot, by) for n in (1, 2) for bot in "AB" for by in ("true", "clear")]
    names = [f'Talk {n}: "{n * "so "}how?" Bot {bot}: "{n * "very "}well." How {by} is it?' for n, bot, by in asked]
    rows = [["2026/01/02 10:00:00 am GMT", *range(1, 9)], ["2026/01/02 11:00:00 am GMT", *range(8, 0, -1)]]
    write_table("survey.csv", ["Timestamp", *names], rows)
    pattern = 'Talk {item}: "so *how?" Bot {system}: "very *well." How {criterion} is it?'
    assert look("survey.csv").commands[0] == f"referenceless human-score --ratings survey.csv --questions '{pattern}'"
    table = read_rating_rows("survey.csv", Reading(questions=pattern))
    told = [(int(row["item"]), row["system"], row["criterion"]) for row in table.rows]
    assert told == [*asked, *asked]
    assert [int(row["rating"]) for row in table.rows] == [*range(1, 9), *range(8, 0, -1)]


def test_patterns_that_name_nothing_or_fit_nothing_are_refused(folder):
    write_table("survey.csv", NAMES, ROWS)
    for pattern, told in (("{criterion}", "each at most once"), ("Q{system}", "no question fits"), ("{x}_{y}", "each")):
        with refused(told, InputError):
            read_rating_rows("survey.csv", Reading(questions=pattern))


def test_a_respondent_of_limesurvey_is_a_token(folder):
    head = "id,submitdate,lastpage,startlanguage,token,R1Q1,R1Q2,R2Q1,R2Q2"
    rows = ["1,2026-01-01,3,en,ann,4,5,2,1", "2,,3,en,ann,3,5,2,2", "3,2026-01-02,3,en,bob,5,5,1,1"]
    write("lime.csv", [head, *rows])
    found = look("lime.csv")
    assert found.commands[0].endswith("--questions 'R{system}Q{criterion}'")
    notes = " ".join(found.notes)
    assert "some answered several times: ann (2)" in notes
    assert "1 of 3 responses were not submitted" in notes
    table = read_rating_rows("lime.csv", Reading(questions="R{system}Q{criterion}"))
    assert {row["rater"] for row in table.rows} == {"ann", "bob"}
    assert {(row["system"], row["criterion"]) for row in table.rows} == {(s, c) for s in "12" for c in "12"}


@pytest.mark.parametrize("n_raters, who", [(12, "People rate"), (3, "These raters rate")])
def test_a_survey_that_names_no_system_is_of_one_that_is_called_as_the_file(folder, n_raters, who):
    """`all` would be read as a number of systems."""
    names = ["id", *(f"Fluency_{n}" for n in range(1, 13))]
    rows = [[f"p{r}", *(1 + (r * 5 + n * 3 + r * n) % 5 for n in range(12))] for r in range(n_raters)]
    write_table("survey.csv", names, rows)
    told = typed("human-score --ratings survey.csv --questions Fluency_{item} --scale 1-5").out
    assert told.startswith(f"{who} survey ")


DEGREES = ("Not at all", "Not very", "Neutral", "Somewhat", "Very")


def a_form_of_grids(path):
    """Write a form that asks of endings of two stories in grids, and of the respondent by yes and no."""
    stories = [(n, title) for n, title in enumerate(("The old house", "Snow"), 1)]
    asked = [f"Story {n}: {title}. How convincing is it? [Model {bot}]" for n, title in stories for bot in "AB"]
    rows = [
        [f"2026/01/02 10:0{n}:00 am GMT", ("Yes", "No")[n % 2], *(DEGREES[(n + k) % 5] for k in range(4))]
        for n in range(10)
    ]
    write_table(path, ["Timestamp", "Is English your first language?", *asked], rows)


def test_a_grid_with_a_row_for_each_system_has_a_pattern_and_its_own_words(folder):
    a_form_of_grids("form.csv")
    found = look("form.csv")
    pattern = "Story {item}: *. How convincing is it? [{system}]"
    values = "Neutral=3,Not at all=1,Not very=2,Somewhat=4,Very=5"
    line = f"human-score --ratings form.csv --questions '{pattern}' --values '{values}'"
    assert found.commands[0] == f"referenceless {line}"
    assert "4 of 6 columns are called by the pattern" in " ".join(found.notes)
    assert "English" not in " ".join(found.notes)
    assert not [column.name for column in found.columns if column.part == "text"]
    assert "Model A" in typed(line).out
    words = {word.lower(): float(place) for place, word in enumerate(DEGREES, 1)}
    notes = " ".join(read_rating_rows("form.csv", Reading(questions=pattern, words=words)).notes)
    assert notes.count("--values: ") == 1
    assert "no is 0" not in notes


def test_names_that_join_item_system_and_statement_are_a_key_and_statements_name_criteria(folder):
    asked = [(n, bot, by) for n in (1, 2, 3) for bot in ("bart", "gpt4") for by in (1, 2)]
    names = [f"art{n}_{bot}_{by}" for n, bot, by in asked]
    statements = {1: "It is clear", 2: "It is true"}
    first = ["ResponseId", "consent", *names]
    worded = ["Response ID", "I agree.", *(f"How far do you agree? - {statements[by]}" for _, _, by in asked)]
    ids = [f'{{"ImportId":"QID{n}"}}' for n in range(len(first))]
    answers = [[f"R_{n}", 1, *(1 + (n + k) % 5 for k in range(len(names)))] for n in range(6)]
    write_table("survey.csv", first, [worded, ids, *answers])
    pattern = "{item}_{system}_{criterion}"
    assert look("survey.csv").commands[0] == f"referenceless human-score --ratings survey.csv --questions '{pattern}'"
    rows = read_rating_rows("survey.csv", Reading(questions=pattern)).rows
    assert {row["criterion"] for row in rows} == {"It is clear", "It is true"}
    assert {row["system"] for row in rows} == {"bart", "gpt4"}
