import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from referenceless_papers.baselines.cider import Cider
from referenceless_papers.baselines.rating_levels import RatingLevels, rating_levels
from referenceless_papers.baselines.rouge_s import RougeS


def test_levels() -> None:
    assert rating_levels([0.0, 0.099, 0.1, 0.55, 1.0]).tolist() == [1, 1, 1.5, 3.5, 6]


def test_a_baseline_as_ratings() -> None:
    metric = RatingLevels(RougeS())
    texts, references = ["police kill the gunman", "x y"], [["police killed the gunman", "a b"]]
    assert metric.segment_scores(texts, references).tolist() == [3.5, 1]
    assert metric.corpus_score(texts, references).score == pytest.approx(2.25)
    assert "lv:0-1" in metric.get_signature().format(short=True)


def test_a_metric_of_sacrebleu_as_ratings() -> None:
    metric = RatingLevels(BLEU(effective_order=True))
    assert metric.segment_scores(["the cat sat on it", "no"], [["the cat sat on it", "yes"]]).tolist() == [6, 1]


def test_bounds() -> None:
    texts, references = ["a b c", "d e f"], [["a b c", "g h i"]]
    values = Cider().segment_scores(texts, references)
    assert np.ptp(values) > 0
    metric = RatingLevels(Cider(), (float(values.min()), float(values.max())))
    assert metric.segment_scores(texts, references).tolist() == [6, 1]
    assert RatingLevels(Cider(), (1.0, 1.0)).segment_scores(texts, references).tolist() == [1, 1]
