"""The page of quality estimation: slots, and the contributions of words to an estimate."""

import pytest
from page_standards import NASTY, check_fragment

from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import DEMO_SOURCES, DEMO_TEXTS, RATINGS, TEXTS
from quality_estimation_metric.explain import words
from referenceless_metrics.pages.app.explainer import ORDERS, explainer


@pytest.fixture(scope="module")
def part():
    return explainer("quality_estimation")


def score(part, texts, sources=None):
    return part.score({"texts": list(texts)} | ({} if sources is None else {"sources": list(sources)}), {})


@pytest.fixture(scope="module")
def scored(part):
    return score(part, [*DEMO_TEXTS, "", NASTY], [*DEMO_SOURCES, *DEMO_SOURCES[:2]])


def test_the_table(part, scored):
    html = part.table_html(scored, ORDERS[0])
    check_fragment(html)
    assert "missing: area=soma" in html
    assert "all said once" in html
    assert "<em>an empty text</em>" in html
    assert 'download="quality_estimation.csv"' in part.file_html(scored)
    assert "of 1 to 6" in part.summary_html(scored)


def test_the_explanation(part, scored):
    html = part.explanation_html(scored, 1)
    assert "<dt>missing</dt><dd><code>area=soma</code></dd>" in html
    assert "<dt>found</dt><dd><code>name=loch fyne</code>" in html
    assert "holds no rated texts" in html
    assert "What moved it most" in html
    assert "nothing to explain" in part.explanation_html(scored, 7)
    check_fragment(part.explanation_html(scored, 8))


def test_words_add_up_to_the_characters(part):
    found = part.metric.explain(DEMO_TEXTS[0], DEMO_SOURCES[0])
    spaces = sum(value for value, letter in zip(found.characters, found.text, strict=True) if letter == " ")
    assert sum(word.contribution for word in words(found)) + spaces == pytest.approx(sum(found.characters))
    assert all(0 <= word.bin <= 6 for word in words(found))


def test_a_model_that_keeps_its_texts_and_reads_no_sources(part):
    own = explainer(QualityEstimator().fit(TEXTS, RATINGS))
    assert [given.name for given in own.inputs()] == ["texts"]
    assert "restaurants and hotels" in part.introduction()
    assert "restaurants and hotels" not in own.introduction()
    scored = score(own, [TEXTS[0]])
    assert "Slots" not in own.table_html(scored, ORDERS[0])
    assert "Rated texts that resemble it" in own.explanation_html(scored, 0)
