"""The page of quality estimation: what its handlers work out and show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page_standards import check_standards
from web_pages import Page, open_browser, serve

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
    return results.score(packaged, [*DEMO_TEXTS, "", NASTY], [*DEMO_SOURCES, *DEMO_SOURCES[:2]])


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
    scored = results.score(estimator, [TEXTS[0]], [])
    assert "Slots" not in results.table_html(scored)
    assert "Rated texts that resemble it" in results.explanation_html(scored, 0)


def test_the_page_and_its_handlers(packaged: QualityEstimator) -> None:
    pytest.importorskip("gradio", reason="needs gradio (app)")
    assert page.build_app() is not None
    source, _, texts, _ = page._example()
    notice, _, scored, summary, *_ = page._score(packaged, texts, None, None, source, None, None)
    assert notice == ""
    assert "Mean estimate" in summary
    assert page._explain(scored, 0).startswith("<section")
    assert page._explain(None, 0) == ""
    assert "That did not work" in page._score(packaged, texts, None, None, "inform(food='thai", None, None)[0]
    assert "no texts yet" in page._score(packaged, " ", None, None, source, None, None)[0]


def test_a_table_of_sources_and_texts(packaged: QualityEstimator, tmp_path: Path) -> None:
    (tmp_path / "outputs.csv").write_text("mr,ref\ninform(food=thai),thai food .\ninform(area=soma),in soma .\n")
    path = str(tmp_path / "outputs.csv")
    given = ("", path, "ref", "", path, None)
    assert page.read_inputs(*given, needs_sources=True) == (
        ["thai food .", "in soma ."],
        ["inform(food=thai)", "inform(area=soma)"],
    )
    assert page.read_inputs(*given, needs_sources=False)[1] == []
    assert (
        "There are 2 texts, but 3 meaning representations"
        in page._score(packaged, "a\nb", None, None, "", _written(tmp_path / "three.txt", "a\nb\nc\n"), None)[0]
    )


def _written(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def test_more_texts_than_one_part(packaged: QualityEstimator) -> None:
    texts = [f"{DEMO_TEXTS[0]} {i}" for i in range(600)]
    scored = results.score(packaged, texts, [DEMO_SOURCES[0]])
    whole = packaged.predict(texts, sources=[DEMO_SOURCES[0]] * 600)
    assert scored.result.values.tolist() == pytest.approx(whole.values.tolist(), abs=1e-9)
    assert "The first 200 of 600 texts" in results.table_html(scored)
    assert "180 more texts" in results.table_html(scored)
    assert len(results.choices(scored)) == 200


# --- the page in a browser --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with open_browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="module")
def shown(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with serve("quality_estimation", tmp_path_factory.mktemp("served")) as served:
        yield Page(browser, served.address)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light")])
def test_the_answer_stands_on_the_first_screen(shown: Page, width: int, scheme: str) -> None:
    shown.open(width, scheme)
    shown.click("#example")
    shown.until(lambda: shown.all("#explanation ol.tokens li"))
    check_standards(shown, width, "#results h2", "#mean-score")
    assert shown.foreign_addresses() == []


def test_a_broken_upload_gives_a_message(shown: Page, tmp_path: Path) -> None:
    shown.open()
    (tmp_path / "texts.csv").write_bytes("text\ncafé\n".encode("latin-1"))
    shown.upload("#texts-file", tmp_path / "texts.csv")
    shown.until(lambda: "texts.csv:2: not UTF-8" in shown.text("#notice"))
    shown.until(lambda: shown.in_view("#notice .message"))
