"""Pairs of a text in plain form and in another: the form of a sentence changes its score little."""

import numpy as np
import pytest

from referenceless_papers.packaged_models.plain_pairs import SAME, plain_pairs, shifts
from slor_metric.fluency.metric import FluencyNgram

#: Forms that are read over, so that the score is the same.
_READ_OVER = (
    "list, dash",
    "list, number",
    "table, cell",
    "dialogue, bold name",
    "quotation",
    "emphasis",
    "quoted mail",
)


def test_the_shift_of_each_kind_is_told():
    rows = [text for pair in plain_pairs() for text in pair[1:]]
    known = dict.fromkeys(rows, 0.0)
    first, *_ = plain_pairs()
    report = shifts(lambda texts: np.array([np.nan if text == first[2] else known[text] for text in texts]))
    kind = report.pop(first[0])
    assert (kind["n"], kind["largest"], kind["above"]) == (10, np.inf, 1)
    assert all((each["mean"], each["above"]) == (0.0, 0) for each in report.values())
    assert sum(each["n"] for each in report.values()) == 190


def test_what_is_read_over_changes_no_score():
    report = shifts(lambda texts: FluencyNgram().predict(texts).values)
    assert all(abs(report[form]["largest"]) < 1e-9 for form in _READ_OVER)
    assert report["spelling"]["largest"] == pytest.approx(0, abs=SAME)
