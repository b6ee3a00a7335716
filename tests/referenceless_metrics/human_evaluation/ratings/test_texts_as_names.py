"""Texts in place of the names of raters and systems: refused, and proposed nowhere."""

import json

import pytest
from refusals import refused
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table
from referenceless_metrics.human_evaluation.scores.table import read_scores

PLACES = ["Leeds", "York", "Hull", "Bath", "Derby", "Ripon"]


def sentences(place):
    return [f"A fire broke out {when} in {place} on Sunday." for when in ("early", "late", "again")]


def test_references_in_lists_are_no_raters_of_lists_of_ratings(folder):
    rows = [
        {"id": n, "model": f"m{m}", "references": sentences(place), "expert": [1 + (n + m) % 5, 1 + n % 4, 2 + m % 3]}
        for n, place in enumerate(PLACES)
        for m in range(4)
    ]
    write("ratings.json", json.dumps(rows))
    columns = RatingColumns(ratings=["expert"], item="id", system="model", rater="references")
    with refused("'references' .--rater-column. holds texts, .*no names of raters: 18 different ones in 72 ratings"):
        read_rating_table(["ratings.json"], columns)
    assert not any("--rater-column" in line for line in look("ratings.json").commands)


def test_texts_name_neither_raters_nor_systems(folder):
    texts = [text for place in PLACES for text in sentences(place)]
    rows = [(str(n), text, "ours", "ann", 1 + n % 5) for n, text in enumerate(texts)]
    write_table("ratings.csv", ["item", "text", "who", "rater", "rating"], rows)
    with refused("'text' .--rater-column. holds texts"):
        read_rating_table(["ratings.csv"], RatingColumns(rater="text"))
    with refused("'text' .--system-column. holds texts.*give it the column of systems"):
        read_rating_table(["ratings.csv"], RatingColumns(system="text"))
    with refused("'text' .--system-column. holds texts"):
        read_scores(["ratings.csv"], score_columns=["rating"], system_column="text")


@pytest.mark.filterwarnings("ignore")
def test_prompts_may_name_systems_and_lists_of_many_raters_are_no_texts(folder):
    prompts = ["Answer the question in one short sentence.", "Think step by step and then answer the question."]
    rows = [(str(n), prompt, 1 + (n + m) % 5) for n in range(8) for m, prompt in enumerate(prompts)]
    write_table("ratings.csv", ["item", "prompt", "rating"], rows)
    assert read_rating_table(["ratings.csv"], RatingColumns(system="prompt")).frame["system"].nunique() == 2
    many = [
        {"item": n, "who": [f"w{(n + k) % 9}" for k in range(6)], "rating": [1 + (n + k) % 5 for k in range(6)]}
        for n in range(9)
    ]
    write("lists.json", json.dumps(many))
    frame = read_rating_table(["lists.json"], RatingColumns(ratings=["rating"], rater="who"), alone=False).frame
    assert frame["rater"].nunique() == 9
