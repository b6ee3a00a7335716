"""The protocol: what is a metric, what each of ours says of itself, and what reaches `predict`."""

import math

import numpy as np
import pytest
from small_metrics import CANDIDATES, PARAMETERS, POOL, RATINGS, LengthModel
from toy_metrics import Lengths, Matches

from bleu_neighbors_metric.estimator import BLEUNeighbors
from metric_commons.metric import Metric, check_metric, coverage_name, score_row, score_texts
from metric_commons.results import MetricResult
from metric_commons.support.errors import NotFittedError
from slor_metric.estimator import ROUGELM, SLOR, WPSLOR

FITTED = BLEUNeighbors(**PARAMETERS).fit(POOL, RATINGS)
REFERENCES = [text[::-1] or "nothing" for text in CANDIDATES]
#: Each metric with its name, and whether it reads references.
METRICS = [
    (FITTED, "bleu_neighbors", False),
    (SLOR(LengthModel()), "slor", False),
    (WPSLOR(LengthModel()), "wpslor", False),
    (ROUGELM(LengthModel()), "rouge_lm", True),
    (Lengths(), "lengths", False),
]


@pytest.mark.parametrize(("metric", "name", "needs_references"), METRICS, ids=[name for _, name, _ in METRICS])
def test_what_a_metric_says_of_itself_and_of_texts(metric, name, needs_references):
    assert isinstance(metric, Metric)
    assert check_metric(metric) is metric
    assert (metric.name, metric.needs_references, metric.needs_sources) == (name, needs_references, False)
    assert ":" in metric.signature
    assert coverage_name(metric) == f"{name}_coverage"
    result = score_texts(metric, CANDIDATES, REFERENCES, CANDIDATES)
    assert isinstance(result, MetricResult)
    assert (result.values.shape, result.values.dtype) == ((len(CANDIDATES),), np.float64)
    assert [reason is None for reason in result.reasons] == result.covered.tolist()
    assert result.signature == metric.signature
    own = metric.predict(CANDIDATES, references=REFERENCES, sources=CANDIDATES)  # what is not read may be given
    np.testing.assert_array_equal(own.values, result.values)
    for empty in (score_texts(metric, [], [] if needs_references else None), metric.predict([], references=[])):
        assert (len(empty), empty.reasons) == (0, ())
        assert empty.columns.keys() == result.columns.keys()
        assert math.isnan(empty.mean)
        assert math.isnan(empty.coverage)


@pytest.mark.parametrize("texts", ["a bare string", [None], None, [1]])
def test_bad_texts(texts):
    for metric, _, _ in METRICS:
        with pytest.raises(TypeError, match="`texts`"):
            score_texts(metric, texts, ["a reference"])


@pytest.mark.parametrize("metric", [SLOR(LengthModel()), WPSLOR(LengthModel())])
def test_predict_is_score(metric):
    np.testing.assert_array_equal(metric.predict(CANDIDATES).values, metric.score(CANDIDATES).values)


def test_a_row_has_what_the_metric_reads():
    both = Matches(references=True, sources=True)
    assert score_row(both, "a", ("target", ["b", "a"]), ("input", "a")).values.tolist() == [1.0]
    assert score_row(Lengths(), "ab", ("target", None), ("input", None)).values.tolist() == [2.0]
    with pytest.raises(ValueError, match="Expected `target`, without which there is no matches"):
        score_row(both, "a", ("target", None), ("input", "a"))
    with pytest.raises(TypeError, match="`texts`"):
        score_row(Lengths(), None, ("target", None), ("input", None))


def test_the_reason_for_an_abstention():
    assert FITTED.predict(["", "colourless green ideas"]).reasons == ("empty text", "too few neighbours")
    crowded = BLEUNeighbors(0.0, min_neighbors=1, max_fraction=0.5).fit(POOL, RATINGS)
    assert crowded.predict(["the cat"]).reasons == ("too many neighbours",)
    assert SLOR(LengthModel()).score(["", " \n"]).reasons == ("empty text", "empty text")

    class Deaf(LengthModel):
        """A model that has no tokens for "…"."""

        def token_logprobs(self, texts):
            return super().token_logprobs([text.replace("…", "") for text in texts])

    assert SLOR(Deaf()).score(["…", "a"]).reasons == ("no tokens", None)
    assert ROUGELM(Deaf()).score(["…", "a", "bb"], ["a"] * 3).reasons == ("no tokens", None, None)


@pytest.mark.parametrize("other", [None, "slor", SLOR, BLEUNeighbors, object(), len])
def test_what_is_no_metric(other):
    with pytest.raises(TypeError, match="Expected argument `metric` to be a metric with `name`, `signature` and"):
        check_metric(other)


def test_an_estimator_without_a_pool():
    with pytest.raises(NotFittedError, match=r"Expected argument `metric` to be fitted.*call `fit` first"):
        check_metric(BLEUNeighbors())


def test_a_metric_of_sets_is_refused_for_batches():
    scale = {"rouge_l_mean": 0.5, "rouge_l_std": 0.2, "wpslor_mean": 1.0, "wpslor_std": 2.0}
    on_set, on_scale = ROUGELM(LengthModel()), ROUGELM(LengthModel(), statistics=scale)
    assert (on_set.set_dependent, on_scale.set_dependent) == (True, False)
    assert check_metric(on_set) is on_set
    assert check_metric(on_scale, batches=True) is on_scale
    assert check_metric(FITTED, batches=True) is FITTED
    with pytest.raises(ValueError, match=r"rouge_lm without fixed `statistics`.*development set"):
        check_metric(on_set, batches=True)


def test_the_scale_of_a_result_can_be_kept():
    metric = ROUGELM(LengthModel())
    first = metric.score(CANDIDATES, REFERENCES)
    kept = metric.fixed(first)
    assert not kept.set_dependent
    assert metric.set_dependent
    assert kept.language_model is metric.language_model
    np.testing.assert_allclose(kept.score(CANDIDATES[:1], REFERENCES[:1]).values, first.values[:1])


def test_references_and_sources_reach_those_that_read_them_and_no_other():
    given = {}

    class Spy(Lengths):
        """Notes what it was given."""

        def predict(self, texts, **inputs):
            given.clear()
            given.update(inputs)
            return super().predict(texts)

    score_texts(Spy(), ["a"], ["r"], ["s"])
    assert given == {}
    reads = Spy()
    reads.needs_references = True
    score_texts(reads, ["a"], ["r"], ["s"])
    assert given == {"references": ["r"]}
    reads.needs_sources = True
    score_texts(reads, ["a"], ["r"], ["s"])
    assert given == {"references": ["r"], "sources": ["s"]}


@pytest.mark.parametrize(("references", "sources"), [(True, False), (False, True)])
def test_missing_inputs_are_named(references, sources):
    missing = "references" if references else "sources"
    with pytest.raises(ValueError, match=f"`{missing}`, without which there is no matches, but got None"):
        score_texts(Matches(references=references, sources=sources), ["a"])
    result = score_texts(Matches(references=references, sources=sources), ["a", "b"], ["a", "x"], ["a", "x"])
    assert result.values.tolist() == [1.0, 0.0]
