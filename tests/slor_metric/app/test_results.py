"""What the page of Fluency shows: words, what they take, and their marks."""

from __future__ import annotations

import re

import numpy as np

from slor_metric.app import results
from slor_metric.fluency.metric import Fluency

TEXTS = ["She recieved a letter letter.", "", "1, 2, 3", "The cat sat on the mat. " * 100]


def test_words_and_marks() -> None:
    scored = results.score(Fluency(), TEXTS, [])
    html = results.explanation_html(scored, 0)
    assert "looks misspelt" in html
    assert "said again" in html
    told = float(re.findall(r'id="explained-score">([^<]+)<', html)[0].replace("\u2212", "-"))
    assert told == np.round(scored.result.values[0], 3)
    assert "no word" in results.explanation_html(scored, 1)
    assert "but it has no score: mostly numbers and signs" in results.explanation_html(scored, 2)
    assert "The first 400 of 700" in results.explanation_html(scored, 3)


def test_the_table() -> None:
    scored = results.score(Fluency(), TEXTS, [])
    html = results.table_html(scored, results.ORDERS[0])
    assert "Fluency" in html
    assert "WPSLOR" in html
    assert "Perplexity" not in html
    assert "Mean Fluency" in results.summary_html(scored)
