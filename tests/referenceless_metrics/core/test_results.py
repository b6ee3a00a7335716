"""Every metric's result for n texts: means over covered texts, reasons for the rest, and the metric's own columns."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusals, refused

from referenceless_metrics.core.results import (
    EMPTY,
    NO_TOKENS,
    RATED_TEXT,
    UNDEFINED,
    MetricResult,
    RunningSummary,
    mark_rated,
    warnings_of,
)


class Scale:
    """A detail that tells itself as a mapping."""

    def as_dict(self):
        return {"mean": 1.0}


@pytest.fixture
def result():
    return MetricResult(
        np.array([0.5, math.nan, 1.0, math.nan]),
        (None, EMPTY, None, NO_TOKENS),
        "metric:toy|version:1",
        {"n_tokens": np.array([3, 0, 2, 0])},
        {"fewest": 5, "scale": Scale()},
    )


@given(st.lists(st.one_of(st.just(math.nan), st.floats(-1e6, 1e6)), max_size=20))
@pytest.mark.filterwarnings("error")
def test_against_the_definitions(values):
    result = MetricResult(np.array(values, dtype=np.float64), (None,) * len(values), "")
    assert type(result.mean) is type(result.coverage) is float
    defined = [value for value in values if value == value]
    assert result.mean == pytest.approx(sum(defined) / len(defined) if defined else math.nan, nan_ok=True, abs=1e-6)
    assert result.coverage == pytest.approx(len(defined) / len(values) if values else math.nan, nan_ok=True)
    assert [reason is None for reason in result.reasons] == [value == value for value in values]


def test_every_abstention_has_a_reason_that_is_counted_and_no_value_has_one(result):
    bare = MetricResult(np.array([math.nan, 1.0]), (None, EMPTY), "")
    assert bare.reasons == (UNDEFINED, None)
    assert bare.abstentions == {UNDEFINED: 1}
    assert bare.abstentions[EMPTY] == 0
    assert result.abstentions == {EMPTY: 1, NO_TOKENS: 1}


def test_columns_and_details_are_attributes_that_cannot_be_changed(result):
    assert result.n_tokens.tolist() == [3, 0, 2, 0]
    assert result.fewest == 5
    assert {"n_tokens", "fewest", "scale", "values", "mean"} <= set(dir(result))
    assert not hasattr(result, "rating")
    with refused("MetricResult has no attribute 'n_neighbors'", AttributeError):
        _ = result.n_neighbors
    with pytest.raises(AttributeError):
        result.values = np.zeros(4)


test_unequal_lengths_are_refused = refusals(
    lambda reasons, columns: MetricResult(np.zeros(2), reasons, "", columns),
    [
        ((None,), {}, "Expected `reasons` to have one entry for each of 2 values"),
        ((None, None), {"n_tokens": np.zeros(3)}, "`n_tokens` to have one"),
    ],
)


def test_as_a_table(result):
    pytest.importorskip("pandas")
    table = result.to_pandas()
    assert list(table.columns) == ["value", "reason", "n_tokens"]
    assert len(table) == 4
    assert table["value"].mean() == result.mean
    assert table["reason"].dropna().tolist() == [EMPTY, NO_TOKENS]
    assert result.to_pandas(["a", "b", "c", "d"])["text"].tolist() == ["a", "b", "c", "d"]


def test_it_shows_itself():
    pytest.importorskip("pandas")
    hostile = MetricResult(np.array([0.5, np.nan]), (None, "<script>"), "m", {"<b>": np.array(["<i>", "x"])})
    page = hostile._repr_html_()
    assert not re.search("<(script|b|i)>", page)
    assert "&lt;script&gt;" in page
    assert "mean=0.5" in page
    assert "mean=0.5" in hostile.plot().svg


def test_as_plain_python(result):
    plain = result.as_plain()
    assert list(plain) == "coverage values reasons n_tokens fewest scale signature".split()
    assert plain["values"] == [0.5, None, 1.0, None]
    assert {type(value) for value in plain["n_tokens"]} == {int}
    assert (plain["fewest"], plain["scale"], plain["reasons"][1]) == (5, {"mean": 1.0}, EMPTY)
    json.dumps(plain, allow_nan=False)


def test_what_is_rated_is_counted_warned_of_and_left_out(result):
    texts, rated = ["a", "b", "c", "d"], {"a", "d", "z"}
    marked = mark_rated(result, texts, rated, False)
    assert (marked.n_rated_texts, marked.values.tolist()[:1], list(warnings_of(marked))) == (
        2,
        [0.5],
        ["n_rated_texts"],
    )
    left = mark_rated(result, texts, rated, True)
    assert (left.n_rated_texts, left.n_covered, left.reasons[::3]) == (2, 1, (RATED_TEXT, RATED_TEXT))
    assert list(warnings_of(left)) == ["coverage"]  # texts without a value flatter no mean
    summary = RunningSummary()
    summary.add(marked)
    summary.add(marked)
    assert (summary.n_rated_texts, warnings_of(summary)["n_rated_texts"][:12]) == (4, "4 of 8 texts")
    many = MetricResult(np.ones(100), (None,) * 100, "s")
    assert [list(warnings_of(replace(many, details={"n_rated_texts": n}))) for n in (4, 5)] == [[], ["n_rated_texts"]]


def test_it_is_an_array_and_a_sequence_of_its_values(result):
    np.testing.assert_array_equal(np.asarray(result), result.values)
    np.testing.assert_array_equal([*result], result.values)
    np.testing.assert_array_equal(result[result.covered], result.values[result.covered])
    assert result[0] == result.values[0]
    assert np.isnan(np.mean(result)) == (result.coverage < 1)
    assert np.nanmean(result) == pytest.approx(result.mean)
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"n": range(len(result))}).assign(value=result)
    np.testing.assert_array_equal(table["value"], result.values)
