"""The protocol: objects that are no metric, `predict`'s arguments, missing values; each metric: `test_contract`."""

import warnings

import pytest
from example_fits import RATED_POOL
from refusals import refused
from small_metrics import LengthModel
from toy_metrics import Lengths, Matches

from bleu_neighbors_metric import BLEUNeighbors
from referenceless_metrics.core.metric import check_scorer, score_row, score_texts
from referenceless_metrics.core.results import warnings_of
from slor_metric.estimator import ROUGELM, SLOR


def test_a_row_has_what_the_metric_reads():
    both = Matches(references=True, sources=True)
    assert score_row(both, "a", ("target", ["b", "a"]), ("input", "a")).values.tolist() == [1.0]
    assert score_row(Lengths(), "ab", ("target", None), ("input", None)).values.tolist() == [2.0]
    with refused("Expected `target`, without which there is no matches"):
        score_row(both, "a", ("target", None), ("input", "a"))
    missing, empty = (score_row(Lengths(), text, ("target", None), ("input", None)) for text in (None, ""))
    assert (missing.values.tolist(), missing.reasons) == (empty.values.tolist(), empty.reasons)
    with refused("`texts`", TypeError):
        score_row(Lengths(), 5, ("target", None), ("input", None))


def test_the_reason_for_an_abstention():
    assert SLOR(LengthModel()).predict(["", " \n"]).reasons == ("empty text", "empty text")

    class Deaf(LengthModel):
        """A model that has no tokens for "…"."""

        def token_logprobs(self, texts):
            return super().token_logprobs([text.replace("…", "") for text in texts])

    assert SLOR(Deaf()).predict(["…", "a"]).reasons == ("no tokens", None)
    assert ROUGELM(Deaf()).predict(["…", "a", "bb"], references=["a"] * 3).reasons == ("no tokens", None, None)


def test_a_framework_is_told_what_estimates_are_worth():
    pool = BLEUNeighbors().fit(*RATED_POOL)
    with pytest.warns(UserWarning, match="bleu_neighbors: Cannot tell yet: "):
        assert check_scorer(pool) is pool
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_scorer(Lengths())  # which estimates no ratings


def test_a_mean_of_few_texts_names_what_gives_more_a_value():
    result = BLEUNeighbors(0.9, 1).fit(*RATED_POOL).predict(["ξένος", "one more", RATED_POOL[0][0]])
    (told,) = (warning for warning in warnings_of(result).values() if "little of the others" in warning)
    assert "What helps with too few neighbours (2): a lower threshold (`threshold=`, --threshold)" in told


@pytest.mark.parametrize("missing", ["references", "sources"])
def test_missing_inputs_are_named(missing):
    metric = Matches(references=missing == "references", sources=missing == "sources")
    with refused(f"`{missing}`, without which there is no matches, but got None"):
        score_texts(metric, ["a"])
    assert score_texts(metric, ["a", "b"], ["a", "x"], ["a", "x"]).values.tolist() == [1.0, 0.0]
