"""The page of quality estimation: what its handlers work out and show."""

from __future__ import annotations

import pytest

from metric_commons.support.errors import InputError
from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.app import page, results
from quality_estimation_metric.example import DEMO_SOURCES, DEMO_TEXTS, RATINGS, TEXTS

NASTY = "<img src=x onerror=1> ${window} {{this}} </q></td><script>alert(1)</script>"


@pytest.fixture(scope="module")
def packaged() -> QualityEstimator:
    return QualityEstimator.load()


@pytest.fixture(scope="module")
def scored(packaged: QualityEstimator) -> results.Scored:
    return results.score(packaged, [*DEMO_TEXTS, "", NASTY], "\n".join([*DEMO_SOURCES, *DEMO_SOURCES[:2]]))


def test_one_source_for_all_or_a_line_for_each() -> None:
    assert results.pasted_sources(" a\n", 2) == ["a", "a"]
    assert results.pasted_sources('{"food":\n"thai"}', 2) == ['{"food":\n"thai"}'] * 2
    assert results.pasted_sources("a\nb", 2) == ["a", "b"]
    with pytest.raises(InputError, match="a line for each of the 3, but got 2 lines"):
        results.pasted_sources("a\nb", 3)
    with pytest.raises(InputError, match="no meaning representation yet"):
        results.pasted_sources(" \n", 3)


def test_the_table(scored: results.Scored) -> None:
    html = results.table_html(scored)
    assert "missing: area=soma" in html
    assert "all said once" in html
    assert "<em>an empty text</em>" in html
    assert "<script>" not in html
    assert "${" not in html
    assert 'download="quality_estimation.csv"' in html


def test_the_explanation(scored: results.Scored) -> None:
    html = results.explanation_html(scored, 1)
    assert "<dt>missing</dt><dd><code>area=soma</code></dd>" in html
    assert "<dt>found</dt><dd><code>name=loch fyne</code>" in html
    assert "holds no rated texts" in html
    assert "What moved it most" in html
    assert "nothing to explain" in results.explanation_html(scored, 7)
    assert "<script>" not in results.explanation_html(scored, 8)


def test_words_add_up_to_the_characters(packaged: QualityEstimator) -> None:
    found = packaged.explain(DEMO_TEXTS[0], DEMO_SOURCES[0])
    spaces = sum(value for value, letter in zip(found.characters, found.text, strict=True) if letter == " ")
    assert sum(word.contribution for word in results.words(found)) + spaces == pytest.approx(sum(found.characters))
    assert all(0 <= word.bin <= 6 for word in results.words(found))


def test_a_model_that_keeps_its_texts_and_reads_no_sources() -> None:
    estimator = QualityEstimator().fit(TEXTS, RATINGS)
    scored = results.score(estimator, [TEXTS[0]], "")
    assert "Slots" not in results.table_html(scored)
    assert "Rated texts that resemble it" in results.explanation_html(scored, 0)


def test_the_page_and_its_handlers(packaged: QualityEstimator) -> None:
    pytest.importorskip("gradio", reason="needs gradio (app)")
    assert page.build_app() is not None
    source, texts, _ = page._example()
    notice, _, scored, summary, *_ = page._score(packaged, texts, source)
    assert notice == ""
    assert "Mean estimate" in summary
    assert page._explain(scored, 0).startswith("<section")
    assert page._explain(None, 0) == ""
    assert "That did not work" in page._score(packaged, texts, "inform(food='thai")[0]
    assert "no texts yet" in page._score(packaged, " ", source)[0]
