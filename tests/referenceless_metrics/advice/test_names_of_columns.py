"""Names of columns that commands know are known to `look`, too, and tell it the same part."""

import pytest

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import part_by_name
from referenceless_metrics.human_evaluation.scores.columns import KEYS, SYSTEM_NAMES, is_computed

COMPUTED = ("chrF", "bleu", "comet_22", "cider", "metricx", "ter", "f1", "f_measure", "f0_5", "acc_norm", "exact_match")


@pytest.mark.parametrize("name", COMPUTED)
def test_metrics_and_shares_of_right_answers_are_scores(name):
    assert part_by_name(Column(name, "numbers", "0.1–0.9", 0.0, 40)) == "score"
    assert is_computed(name)


@pytest.mark.parametrize(
    "name, part",
    [("faithfulness", "score"), ("relevancy", "score"), ("relevance", "rating"), ("groundedness", "rating")],
)
def test_criteria_of_judges_are_ratings_if_people_have_them_too(name, part):
    assert part_by_name(Column(name, "whole numbers", "1–5", 0.0, 5)) == part
    assert not is_computed(name)


@pytest.mark.parametrize("name", ["orig_sent", "source_text", "src", "original", "Original Sentence"])
def test_originals_are_sources(name):
    assert part_by_name(Column(name, "text", "The door is red.", 0.0, 40)) == "source"


@pytest.mark.parametrize("name", [*KEYS, *SYSTEM_NAMES])
def test_columns_that_tell_rows_of_scores_apart_are_known(name):
    told = part_by_name(Column(name, "labels", "a, b", 0.0, 2))
    assert told == ("system" if name in SYSTEM_NAMES else name)
