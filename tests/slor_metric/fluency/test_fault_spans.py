"""Spans of likely faults, as rating studies show them."""

import itertools

import pytest

from slor_metric.fluency.fault_spans import FaultSpan, fault_spans
from slor_metric.fluency.metric import Fluency, FluencyNgram

TEXTS = [
    "She have lived in this village.",
    "The cat sat on the mat.",
    "It rained. He go to school yesterday.",
    "",
]


def test_spans_stand_in_the_text_in_order_and_agree_with_the_contributions():
    metric = Fluency()
    found = fault_spans(metric, TEXTS, 0.3)
    for text, spans, contributions in zip(TEXTS, found, metric.contributions(TEXTS), strict=True):
        assert [span.start for span in spans] == sorted(span.start for span in spans)
        likely = {word for word, p in zip(contributions.words, contributions.fault_chances, strict=True) if p >= 0.3}
        marked = {word for span in spans for word in text[span.start : span.end].split()}
        assert marked == likely


def test_neighbours_with_one_kind_of_fault_are_one_span_and_thresholds_nest():
    metric = Fluency()
    text = "We walked along the river bank we walked along the river bank until dark."
    for least in (0.2, 0.5):
        spans = fault_spans(metric, [text], least)[0]
        assert all(before.end < after.start for before, after in itertools.pairwise(spans))
        assert not any(
            before.kind == after.kind and not text[before.end : after.start].strip()
            for before, after in itertools.pairwise(spans)
        )
    few, many = (fault_spans(metric, [text], least)[0] for least in (0.9, 0.1))
    assert sum(span.end - span.start for span in few) <= sum(span.end - span.start for span in many)
    assert all(isinstance(span, FaultSpan) and 0.1 <= span.chance <= 1.0 for span in many)


@pytest.mark.parametrize("least", [-0.1, 1.5])
def test_bad_chances(least):
    with pytest.raises(ValueError, match="least_chance"):
        fault_spans(Fluency(), TEXTS, least)


def test_without_a_detector():
    with pytest.raises(ValueError, match="to have a detector"):
        fault_spans(FluencyNgram(), TEXTS)
