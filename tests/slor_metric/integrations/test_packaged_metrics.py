"""The metrics with the packaged models, as users meet them: no model argument, and real rated text."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from slor_metric.reproduction.run import reproduce

from referenceless_papers.kann.run import Reproduction
from slor_metric import ROUGELM, SLOR, WPSLOR
from slor_metric.rated_outputs import read_rated_outputs

FRANCE, TUVALU = "He is a citizen of France.", "He is a citizen of Tuvalu."
SCRAMBLED = "of citizen France a is He ."


@pytest.fixture(scope="module")
def word() -> SLOR:
    return SLOR()


@pytest.fixture(scope="module")
def wordpiece() -> WPSLOR:
    return WPSLOR()


@pytest.fixture(scope="module")
def fluency(data_dir: Callable[[str], Path]) -> Reproduction:
    rated = read_rated_outputs(
        str(data_dir("fluency") / "simplicity_da_with_references.csv"),
        text_column="output",
        quality_column="fluency",
        reference_columns=["reference_*"],
        system_column="system",
        group_column="sent_id",
    )
    return reproduce(rated)


@pytest.fixture(scope="module")
def grammaticality(data_dir: Callable[[str], Path]) -> Reproduction:
    rated = read_rated_outputs(
        str(data_dir("gug") / "gug_annotations.tsv"),
        text_column="Sentence",
        quality_column="Average",
        where=["Dataset=test"],
    )
    return reproduce(rated)


def correlations(result: Reproduction) -> dict[str, float]:
    return {row.metric: row.pearson for row in result.overall.rows}


def test_a_rare_name_costs_less_than_a_scrambled_order(word: SLOR) -> None:
    # the paper's example: unlike NCE, SLOR hardly punishes a fluent sentence for a rare word
    result = word.score([FRANCE, TUVALU, SCRAMBLED])
    france, tuvalu, scrambled = result.values
    assert abs(result.nce[0] - result.nce[1]) > 3 * abs(france - tuvalu)
    assert min(france, tuvalu) > scrambled + 1.0


def test_the_papers_order_on_rated_simplifications(fluency: Reproduction) -> None:
    r = correlations(fluency)
    assert fluency.overall.n == 600
    assert len(fluency.by_system) == 6
    assert r["ROUGE-LM"] >= 0.46
    assert r["ROUGE-LM"] > r["ROUGE-L-mult"] > r["WPSLOR"] > r["WPNCE"] > r["WPPPL"]
    assert r["ROUGE-L-mult"] == pytest.approx(0.43, abs=0.01)
    assert r["WPSLOR"] >= 0.30
    assert fluency.overall.best is not None
    assert fluency.overall.best.metric == "ROUGE-LM"


def test_grammaticality_of_learner_sentences(grammaticality: Reproduction) -> None:
    r = correlations(grammaticality)
    assert grammaticality.overall.n == 754
    assert r["WPSLOR"] >= 0.42
    assert r["WordSLOR"] >= 0.33
    assert r["WPSLOR"] > r["WPNCE"]
    assert r["WordSLOR"] > r["WordNCE"]
    assert "the reference-based metrics" in grammaticality.left_out


@pytest.mark.parametrize("metric", [SLOR, WPSLOR])
def test_scores_do_not_depend_on_the_batch(metric: type[SLOR]) -> None:
    texts = [FRANCE, "", TUVALU, SCRAMBLED * 40, "x", "東京 😀 \u200d", " ".join(["the"] * 500)]
    scorer = metric()
    together = scorer.score(texts).values
    alone = [scorer.score([text]).values[0] for text in texts]
    np.testing.assert_allclose(together, alone, atol=1e-12)
    np.testing.assert_allclose(scorer.score(texts[::-1]).values[::-1], together, atol=1e-12)


def test_the_fast_way_and_the_pieces_agree(wordpiece: WPSLOR) -> None:
    class Pieces:
        """The packaged model without its way of scoring both models at once."""

        signature = "pieces"
        token_logprobs = wordpiece.language_model.token_logprobs
        unigram = wordpiece.unigram_model

    texts = [FRANCE, TUVALU, SCRAMBLED, "", "zzxqy 東京"]
    slow, fast = SLOR(Pieces(), unknown="score").score(texts), WPSLOR(unknown="score").score(texts)
    np.testing.assert_allclose(slow.values, fast.values, atol=1e-9)


def test_signatures_name_models_and_rules(word: SLOR, wordpiece: WPSLOR) -> None:
    assert word.signature != wordpiece.signature
    for signature in (word.signature, wordpiece.signature, ROUGELM().signature):
        assert "|lm:" in signature
        assert "-unk-" in signature
        assert "|unigram:" in signature
