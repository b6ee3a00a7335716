"""ROUGE-LM as a metric of sacrebleu, with a language model made here."""

import warnings

import pytest
from refusals import refused
from small_metrics import CANDIDATES, LengthModel

from slor_metric.estimator import ROUGELM
from slor_metric.integrations.sacrebleu import ROUGELMMetric

REFERENCES = ["the cat sat on a mat", "green ideas", "x", "mat", "the cat sat", "the cat on a mat"]
OTHER = ["the mat", "ideas sleep", "furiously", "mat mat mat", "", "on cat the"]


def test_rouge_lm_keeps_the_scale_of_the_first_corpus():
    lists = [[reference] for reference in REFERENCES]
    first = ROUGELM(LengthModel()).predict(CANDIDATES, references=lists)
    second = ROUGELM(LengthModel(), statistics=first.statistics).predict(OTHER, references=lists)
    metric = ROUGELMMetric(LengthModel())
    with refused(r"`statistics` of ROUGE-LM"):
        metric.sentence_score(CANDIDATES[0], REFERENCES[:1])
    with pytest.warns(UserWarning, match=r"the mean of the first set is 0, whatever .* ROUGELM\(\)\.predict\("):
        assert metric.corpus_score(CANDIDATES, [REFERENCES]).score == pytest.approx(0, abs=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert metric.corpus_score(OTHER, [REFERENCES]).score == pytest.approx(second.mean)
    assert metric.sentence_score(OTHER[0], REFERENCES[:1]).score == pytest.approx(second.values[0])
    given = ROUGELMMetric(LengthModel(), statistics=first.statistics.as_dict())
    assert given.corpus_score(OTHER, [REFERENCES]).score == pytest.approx(second.mean)
