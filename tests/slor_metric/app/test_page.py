"""The web pages of SLOR, WPSLOR and ROUGE-LM: their handlers, and the pages themselves in a real browser."""

from __future__ import annotations

import base64
import csv
import io
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page_standards import check_standards
from web_pages import Page, Served, open_browser, serve

from metric_commons.support.errors import InputError
from slor_metric import ROUGELM, SLOR, WPSLOR
from slor_metric.app import results
from slor_metric.app.page import build_app, read_inputs
from slor_metric.app.results import BIN_LABELS, BINS, ORDERS, Scored, pasted_references, uploaded_references
from slor_metric.example import example_texts

NASTY = '<img src=x onerror="window.hacked=1"> ${window.hacked=2} {{this}} `&amp;` </q></td><script>hacked=3</script>'


class Tags(HTMLParser):
    """Checks that tags are balanced, and lists them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.seen: list[str] = []
        self.feed(html)
        self.close()
        assert self.opened == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.append(tag)
        self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag


@pytest.fixture(scope="module")
def rouge_lm() -> ROUGELM:
    return ROUGELM()


@pytest.fixture(scope="module")
def scored(rouge_lm: ROUGELM) -> Scored:
    example = example_texts()
    return results.score(rouge_lm, example.texts, [list(of_text) for of_text in example.references])


def fragments(scored: Scored) -> list[str]:
    explained = [results.explanation_html(scored, place) for place in range(len(scored.texts))]
    return [results.summary_html(scored), *(results.table_html(scored, order) for order in ORDERS), *explained]


# --- what the handlers give -------------------------------------------------------------------------------------------


def test_the_example_shows_what_the_metrics_tell() -> None:
    example = example_texts()
    assert len(example.texts) == len(example.references) == 10
    for metric in (SLOR(), WPSLOR()):
        whole = metric.score(example.texts).values
        for good, broken in ((0, 1), (2, 3), (4, 5)):
            assert whole[good] > whole[broken]


def test_the_numbers_are_the_metric_s(scored: Scored, rouge_lm: ROUGELM) -> None:
    expected = rouge_lm.score(scored.texts, scored.references)
    table = results.table_html(scored, ORDERS[0])
    for score, rouge, wpslor in zip(expected.values, expected.rouge_l, expected.wpslor, strict=True):
        assert f"<strong>{score:.3f}</strong>".replace("-", "−") in table
        assert f"{rouge:.3f}</td>" in table
        assert f"{wpslor:.3f}</td>".replace("-", "−") in table
    encoded = re.search(r'href="data:text/csv;charset=utf-8;base64,([^"]+)" download="rouge_lm.csv"', table)
    assert encoded is not None
    rows = list(csv.DictReader(io.StringIO(base64.b64decode(encoded[1]).decode())))
    assert [float(row["rouge_lm"]) for row in rows] == expected.values.tolist()
    assert [row["text"] for row in rows] == list(example_texts().texts)


def test_tokens_and_their_colours(scored: Scored) -> None:
    for place in range(len(scored.texts)):
        tokens = results.tokens(scored, place)
        total = sum(token.contribution for token in tokens)
        assert total / len(tokens) == pytest.approx(scored.result.wpslor[place])  # type: ignore[attr-defined]
        for token in tokens:
            assert token.contribution == pytest.approx(token.logprob - token.unigram_logprob)
            assert token.bin == sum(token.contribution >= edge for edge in BINS)
    html = results.explanation_html(scored, 0)
    assert html.count('class="value"') == len(results.tokens(scored, 0))
    assert html.count('class="swatch') == len(BIN_LABELS) == len(BINS) + 1
    assert f'id="explained-score">{scored.result.wpslor[0]:.3f}<' in html  # type: ignore[attr-defined]


def test_what_rouge_lm_adds_up(scored: Scored) -> None:
    for place, score in enumerate(scored.result.values):
        html = results.explanation_html(scored, place)
        found = re.search(r"= ([+−\d.]+) \+ \(([+−\d.]+)\) = <strong>([+−\d.]+)<", html)
        assert found is not None
        first, second, total = (float(part.replace("−", "-")) for part in found.groups())
        assert total == pytest.approx(score, abs=6e-4)
        assert first + second == pytest.approx(score, abs=0.011)
        for reference in scored.references[place]:
            assert reference in html


def test_orders(scored: Scored) -> None:
    highest, lowest = (results.places(scored, order) for order in ORDERS[1:])
    assert scored.result.values[highest].tolist() == sorted(scored.result.values, reverse=True)
    assert scored.result.values[lowest].tolist() == sorted(scored.result.values)
    assert [place for _, place in results.choices(scored, ORDERS[1])] == highest


@pytest.mark.parametrize("metric", [SLOR, WPSLOR, ROUGELM])
def test_every_fragment_is_well_formed_and_escapes_texts(metric: type[SLOR]) -> None:
    texts = [NASTY, "", "  ", "word " * 1000, "the \x00 \x1b[31m cat", "Zwölf 數據 🙂", "plain"]
    scored = results.score(metric(), texts, [[NASTY, "one"]] * len(texts))
    for html in fragments(scored):
        seen = Tags(html).seen
        assert not {"img", "script"} & set(seen)
        assert not set("${}`") & set(html)
    assert "This text has no token" in results.explanation_html(scored, 1)
    assert "The first 400 of 1000" in results.explanation_html(scored, 3)
    assert np.isnan(scored.result.values[1])


def test_one_text_alone_has_average_scores(rouge_lm: ROUGELM) -> None:
    scored = results.score(rouge_lm, ["one text"], [["one reference"]])
    assert "= 0.00 + (0.00) = <strong>0.000<" in results.explanation_html(scored, 0)


def test_unknown_words_are_marked() -> None:
    html = results.explanation_html(results.score(SLOR(), ["the zorbified cat"], []), 0)
    assert '<span class="piece unknown" lang="" dir="auto">zorbified</span>' in html
    assert "unknown to the model" in html


def test_pasted_references() -> None:
    assert pasted_references("a\t b \t\n\nc\n") == [["a", "b"], [], ["c"]]
    with pytest.raises(InputError, match="There are no references yet"):
        pasted_references("\n ")


FILES = [
    ("r.txt", "a\tb\nc\n", [["a", "b"], ["c"]]),
    ("r.csv", "text,reference_1,Reference_2\nx,a,b\ny,c,\n", [["a", "b"], ["c"]]),
    ("r.jsonl", '{"reference": ["a", "b"]}\n{"reference": "c"}\n', [["a", "b"], ["c"]]),
    ("r.csv", "whatever\na\nc\n", [["a"], ["c"]]),
    ("r.csv", "Reference[1],text\na,x\n", [["a"]]),
]


@pytest.mark.parametrize(("name", "content", "expected"), FILES)
def test_uploaded_references(tmp_path: Path, name: str, content: str, expected: list[list[str]]) -> None:
    (tmp_path / name).write_text(content)
    assert uploaded_references(str(tmp_path / name)) == expected


BAD = [
    ("r.csv", "a,b\n1,2\n", "r.csv: expected columns named reference, reference_1 and so on, but the columns are a, b"),
    ("r.csv", "text,reference\nx,\n", "r.csv:2: no reference in columns reference"),
    ("r.pdf", "", "r.pdf: this page reads"),
]


@pytest.mark.parametrize(("name", "content", "expected"), BAD)
def test_bad_references(tmp_path: Path, name: str, content: str, expected: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=f"^{re.escape(expected)}"):
        uploaded_references(str(tmp_path / name))


def test_references_that_do_not_belong(rouge_lm: ROUGELM) -> None:
    with pytest.raises(InputError, match="there are 2 texts, but references for 1"):
        results.score(rouge_lm, ["a", "b"], [["a"]])
    with pytest.raises(InputError, match="there is none for text 2"):
        results.score(rouge_lm, ["a", "b"], [["a"], []])


def test_more_than_a_page_takes(monkeypatch: pytest.MonkeyPatch, rouge_lm: ROUGELM) -> None:
    monkeypatch.setattr(results, "MOST_TEXTS", 2)
    with pytest.raises(InputError, match="at most 2 texts, but there are 3; the command referenceless score"):
        results.score(rouge_lm, ["a"] * 3, [["a"]] * 3)


def test_a_file_comes_before_the_box(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,output\n1,from the file\n")
    (tmp_path / "r.txt").write_text("a\tb\n")
    paths = str(tmp_path / "t.csv"), str(tmp_path / "r.txt")
    assert read_inputs("rouge_lm", "box", paths[0], "output", "box", paths[1]) == (["from the file"], [["a", "b"]])
    assert read_inputs("rouge_lm", "box", None, None, "one\ttwo", None) == (["box"], [["one", "two"]])
    assert read_inputs("slor", "box", None, None, "", None) == (["box"], [])


def test_errors_become_messages(tmp_path: Path, rouge_lm: ROUGELM) -> None:
    pytest.importorskip("gradio", reason="needs gradio 6")
    from slor_metric.app import page as app

    assert "There are no texts yet" in app._score(rouge_lm, "", None, None, "", None, ORDERS[0])[0]
    assert "There are no references yet" in app._score(rouge_lm, "a", None, None, " ", None, ORDERS[0])[0]
    notice, shown, state, *_ = app._score(rouge_lm, "a\nb", None, None, "a", None, ORDERS[0])
    assert "there are 2 texts, but references for 1" in notice
    assert (shown["visible"], state) == (False, None)
    (tmp_path / "a.csv").write_bytes(b"text\n\xff")
    assert "a.csv:2: not UTF-8" in app._describe_texts(str(tmp_path / "a.csv"))[-1]
    assert "a.csv:2: not UTF-8" in app._describe_references(str(tmp_path / "a.csv"))[-1]
    assert app._explain(None, None) == ""
    assert app._reorder(None, ORDERS[1])[0] == ""


def test_an_unknown_metric_and_an_unknown_option() -> None:
    pytest.importorskip("gradio", reason="needs gradio 6")
    with pytest.raises(ValueError, match="Expected argument `metric` to be one of"):
        build_app("bleu")
    with pytest.raises(TypeError, match="model"):
        build_app("slor", model="gpt2")


def test_another_model_is_named(rouge_lm: ROUGELM) -> None:
    pytest.importorskip("gradio", reason="needs gradio 6")

    def intro(page: Any) -> str:
        return next(block.value for block in page.blocks.values() if type(block).__name__ == "Markdown")

    assert "over **WordPieces** of English" in intro(build_app(rouge_lm))
    assert "over **words** of English" in intro(build_app("slor"))
    other = build_app("slor", lm="word", lm_options={"oov": "skip"})
    assert f"The model is `{SLOR('word', lm_options={'oov': 'skip'}).language_model.signature}`." in intro(other)
    with pytest.raises(TypeError, match="Expected no options beside a metric that is made already, but got lm"):
        build_app(rouge_lm, lm="word")


@pytest.mark.parametrize(("arguments", "name"), [([], "WPSLOR"), (["--metric", "rouge_lm"], "ROUGE-LM")])
def test_the_command_serves_the_page(arguments: list[str], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gradio", reason="needs gradio 6")
    from click.testing import CliRunner

    from referenceless_metrics.cli import cli

    served = []
    monkeypatch.setattr("metric_commons.app.page.launch", lambda page, **options: served.append((page, options)))
    result = CliRunner().invoke(cli, ["app", *arguments, "--port", "8123", "--no-open"], catch_exceptions=False)
    assert result.exit_code == 0
    [(page, options)] = served
    assert page.title == name
    assert options == {"server_name": "127.0.0.1", "server_port": 8123, "inbrowser": False}


# --- the pages in a browser -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with open_browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="module", params=["slor", "wpslor", "rouge_lm"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Served]]:
    with serve(request.param, tmp_path_factory.mktemp("served")) as found:
        yield request.param, found


@pytest.fixture(scope="module")
def page(served: tuple[str, Served], browser: Any) -> Iterator[Page]:
    yield Page(browser, served[1].address)
    browser.get("about:blank")  # a page whose server is gone complains
    browser.get_log("browser")


def score_example(page: Page, width: int = 1280, scheme: str = "light") -> None:
    page.open(width, scheme)
    page.click("#example")
    page.until(lambda: page.all("#mean-score"))
    page.until(lambda: page.all("#explanation ol.tokens li"))


def expected_scores(name: str) -> Any:
    example = example_texts()
    if name == "rouge_lm":
        return ROUGELM().score(example.texts, example.references)
    return {"slor": SLOR, "wpslor": WPSLOR}[name]().score(example.texts)


def test_load_the_example_and_score(page: Page, served: tuple[str, Served]) -> None:
    name = served[0]
    score_example(page)
    expected = expected_scores(name)
    assert page.browser.title == {"slor": "SLOR", "wpslor": "WPSLOR", "rouge_lm": "ROUGE-LM"}[name]
    assert page.text("#mean-score") == f"{round(expected.mean, 3) + 0.0:.3f}"
    shown = [cell.get_attribute("innerText") for cell in page.all("#table td strong")]
    assert shown == [f"{score:.3f}".replace("-", "−") for score in expected.values]
    part = expected.wpslor if name == "rouge_lm" else expected.values
    assert page.text("#explained-score") == f"{part[0]:.3f}"
    values = [float(e.get_attribute("innerText").replace("−", "-")) for e in page.all("#explanation .value")]
    assert sum(values) / len(values) == pytest.approx(part[0], abs=0.01)
    assert bool(page.all("#references textarea")) == (name == "rouge_lm")
    assert page.foreign_addresses() == []
    assert page.complaints() == []
    assert served[1].hosts == []


def test_choose_another_text_by_keyboard_alone(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    score_example(page)
    box = page.one("#chosen input")
    page.script("arguments[0].scrollIntoView({block: 'center'}); arguments[0].focus()", box)
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys("zorb", Keys.ENTER)
    page.until(lambda: page.text("#explanation h3") == "Text 9")
    assert page.one("#chosen input").get_attribute("value").startswith("9 · ")


def test_a_broken_upload_gives_a_message_and_the_page_goes_on(page: Page, tmp_path: Path) -> None:
    score_example(page)
    broken = tmp_path / "outputs.csv"
    broken.write_bytes(b"text\nfine\n\xff\xfe\n")
    page.upload("#texts-file", broken)
    page.until(lambda: page.all("#notice .message.error"))
    page.click("#score")
    page.until(lambda: not page.all("#mean-score"))
    assert page.text("#notice").startswith("That did not work. outputs.csv:3: not UTF-8")
    assert page.one("#notice [role=alert]").is_displayed()
    for secret in ("Traceback", str(tmp_path), "/uploads/"):
        assert secret not in page.text("body")
    page.click("#example")  # takes the file away
    page.until(lambda: page.all("#mean-score") and page.one("#mean-score").is_displayed())
    assert not page.all("#notice .message")


def test_no_text_becomes_part_of_the_page(page: Page, served: tuple[str, Served]) -> None:
    page.open()
    page.write("#texts", f"{NASTY}\nthe cat sat on the mat .")
    if served[0] == "rouge_lm":
        page.write("#references", f"{NASTY}\nthe cat sat .")
    page.click("#score")
    page.until(lambda: page.all("#explanation ol.tokens li"))
    assert page.script("return window.hacked") is None
    assert NASTY in page.text("#table")
    assert page.complaints() == []


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_answer_stands_on_the_first_screen(page: Page, width: int, scheme: str) -> None:
    score_example(page, width, scheme)
    check_standards(page, width, "#results h2", "#mean-score")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_screen(page: Page, scheme: str) -> None:
    score_example(page, 320, scheme)
    page.script("document.querySelectorAll('details').forEach(d => d.open = true)")
    for width in (320, 390, 800, 1280):
        page.resize(width)
        page.until(lambda width=width: page.script("return window.innerWidth") == width)  # type: ignore[misc]
        assert page.script("return document.documentElement.scrollWidth") <= width
        clipped = page.script(
            "return [...document.querySelectorAll('.results :is(td, th, q, p, dd, h2, li)')].filter(e => e.offsetParent"
            " && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline' && !e.closest('thead'))"
            ".map(e => e.outerHTML.slice(0, 120))"
        )
        assert clipped == []
