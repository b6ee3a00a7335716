import pytest

from metric_commons.comparison.baselines.rouge import Rouge

scorer = pytest.importorskip("rouge_score.rouge_scorer")


@pytest.mark.parametrize("kind", ["rouge1", "rouge2", "rougeL"])
@pytest.mark.parametrize("measure", ["fmeasure", "recall", "precision"])
def test_values_are_rouge_scores(kind: str, measure: str) -> None:
    texts, references = ["The cat sat on mats.", ""], ["A cat was sitting on the mat.", "Something."]
    metric = Rouge(kind, measure=measure, stem=True)
    own = scorer.RougeScorer([kind], use_stemmer=True)
    expected = [getattr(own.score(r, t)[kind], measure) for t, r in zip(texts, references, strict=True)]
    assert metric.segment_scores(texts, [references]).tolist() == expected
    assert metric.name in metric.corpus_score(texts, [references]).format()
    assert f"m:{measure}" in metric.get_signature().format(short=True)


def test_the_best_reference_counts() -> None:
    metric = Rouge("rouge1")
    score = metric.sentence_score("a b", ["c", "a b", "a"])
    assert score.score == 1.0


def test_bad_options() -> None:
    with pytest.raises(ValueError, match="`kind`"):
        Rouge("rouge3")
    with pytest.raises(ValueError, match="`measure`"):
        Rouge(measure="f")
