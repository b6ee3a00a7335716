"""Relevance judgments of TREC: a grade of each query and document."""

import pytest
from text_files import write

from referenceless_metrics.advice.look.looking import look
from referenceless_metrics.advice.look.together.joint import joint_lines
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table

LINES = ["q1 0 p10 3", "q1 0 p2 0", "q2 0 p7 1", "q2 0 p11 2"]


@pytest.mark.filterwarnings("ignore::referenceless_metrics.core.files.reading.InputNote")
def test_judges_are_files_and_items_are_queries_with_documents(tmp_path):
    judge = str(write(tmp_path / "judge.qrel", LINES))
    people = str(write(tmp_path / "people.txt", [line.replace("q2 0 p7 1", "q2 0 p7 2") for line in LINES[::-1]]))
    frame = read_rating_table([judge, people], alone=False, repeats=True, clusters=False).frame
    assert "system" not in frame
    ratings = frame.pivot_table(index="item", columns="rater", values="rating")
    assert ratings.index.tolist() == ["q1/p10", "q1/p2", "q2/p11", "q2/p7"]
    assert ratings["judge.qrel"].tolist() == [3, 0, 2, 1]
    assert ratings["people"].tolist() == [3, 0, 2, 2]
    assert joint_lines([look(judge), look(people)]) == [f"referenceless agreement {judge} {people}"]


def test_a_document_that_stands_twice_with_two_grades_is_refused(tmp_path):
    path = str(write(tmp_path / "t.qrel", [*LINES, "q2 0 p12 0", "q1 0 p10 2"]))
    with pytest.raises(InputError, match="stands twice, with different grades"):
        read_rating_table([path], RatingColumns())


def test_names_of_systems_are_no_documents(tmp_path):
    path = str(write(tmp_path / "t.txt", ["1 0 s1 3", "1 0 s2 2", "2 0 s1 3", "2 0 s2 2"]))
    assert not look(path).form.startswith("TREC")
