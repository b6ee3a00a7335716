"""The web page of BLEU Neighbors: its handlers, and the page itself in a real browser."""

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
from page_standards import check_standards, focus_rings, widest
from web_pages import Page, Served, open_browser, serve

from bleu_neighbors_metric.app import results
from bleu_neighbors_metric.app.page import read_inputs
from bleu_neighbors_metric.app.results import MOST_ROWS, ORDERS, Scored
from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from bleu_neighbors_metric.tuning.calibration import AUTOMATIC
from metric_commons.files.tables import RatedTexts
from metric_commons.support.errors import InputError

NASTY = '<img src=x onerror="window.hacked=1"> ${window.hacked=2} {{this}} `&amp;` </q></td><script>hacked=3</script>'
METRICS = Path(__file__).resolve().parents[3] / "metrics"


class Tags(HTMLParser):
    """Checks that tags are balanced, and lists them."""

    VOID = frozenset({"line", "path", "br", "img", "input"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.seen: list[str] = []
        self.feed(html)
        self.close()
        assert self.opened == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.append(tag)
        if tag not in self.VOID:
            self.opened.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag


@pytest.fixture(scope="module")
def scored() -> Scored:
    return results.score(example_candidates(), example_pool(), {})


def fragments(scored: Scored) -> list[str]:
    return [
        results.summary_html(scored),
        results.table_html(scored, ORDERS[0]),
        results.charts_html(scored),
        *(results.neighbours_html(scored, place, 10, 4) for place in range(min(12, len(scored.texts)))),
    ]


# --- what the handlers give -------------------------------------------------------------------------------------------


def test_the_numbers_are_the_estimator_s(scored: Scored) -> None:
    pool = example_pool()
    expected = BLEUNeighbors().fit(pool.texts, pool.quality).predict(example_candidates())
    np.testing.assert_array_equal(scored.estimates.values, expected.values)
    summary = results.summary_html(scored)
    assert f'id="mean-estimate">{expected.mean:.4f}<' in summary
    assert f"{expected.coverage:.1%} <small>{expected.covered.sum()} of 12" in summary
    at = int(np.flatnonzero(scored.thresholds == 0.08)[0])
    assert scored.coverage[at] == expected.coverage
    table = results.table_html(scored, ORDERS[0])
    for quality in expected.values[expected.covered]:
        assert f"<strong>{quality:.3f}</strong>" in table


def test_the_file_to_save_holds_all(scored: Scored) -> None:
    table = results.table_html(scored, ORDERS[2])
    encoded = re.search(r'href="data:text/csv;charset=utf-8;base64,([^"]+)" download="bleu_neighbors.csv"', table)
    assert encoded is not None
    rows = list(csv.DictReader(io.StringIO(base64.b64decode(encoded[1]).decode())))
    assert [row["candidate"] for row in rows] == example_candidates()
    assert [row["n_neighbors"] for row in rows] == [str(n) for n in scored.estimates.n_neighbors]
    given = [float(row["estimate"]) if row["estimate"] else np.nan for row in rows]
    np.testing.assert_array_equal(given, scored.estimates.values)


def test_the_orders_of_the_table(scored: Scored) -> None:
    quality = scored.estimates.values
    covered = int(scored.estimates.covered.sum())
    assert results.places(scored, ORDERS[0]) == list(range(12))
    highest, lowest, without = (results.places(scored, order) for order in ORDERS[1:])
    assert all(sorted(order) == list(range(12)) for order in (highest, lowest, without))
    assert list(quality[highest[:covered]]) == sorted(quality[scored.estimates.covered], reverse=True)
    assert list(quality[lowest[:covered]]) == sorted(quality[scored.estimates.covered])
    assert np.isnan(quality[without[: 12 - covered]]).all()
    assert [place for _, place in results.choices(scored, ORDERS[2])] == lowest


def test_the_neighbours_of_one_candidate(scored: Scored) -> None:
    html = results.neighbours_html(scored, 1, 10, 4)
    nearest = scored.estimator.kneighbors(example_candidates()[1], 10)
    assert html.count("<li>") == 10
    for neighbor in nearest:
        assert f"Similarity <strong>{neighbor.similarity:.3f}</strong>" in html
    assert "The 10 most similar of 39 neighbours." in html
    assert "<mark> is quiet </mark>" in html
    assert results.neighbours_html(scored, 1, 50, 4).count("<li>") == 50
    assert "not a neighbour" in results.neighbours_html(scored, 1, 50, 4)
    uncovered = results.neighbours_html(scored, 11, 10, 4)
    assert "<strong>No estimate</strong>: 0 neighbours, where at least 5 are needed." in uncovered
    assert "so many (more than 63)" in results.neighbours_html(scored, 0, 10, 4)


def test_every_fragment_is_well_formed_and_escapes_texts() -> None:
    pool = example_pool()
    texts = [NASTY, "", "  ", "a" * 5000, "the \x00 \x1b[31m cat", NASTY.upper(), *pool.texts[:5]]
    rated = RatedTexts([*pool.texts, NASTY, NASTY + "!"], np.append(pool.quality, [0.5, 0.6]))
    for tokenizer in ("char", "13a"):
        scored = results.score(texts, rated, {"tokenize": tokenizer, "min_neighbors": 1})
        for html in fragments(scored):
            seen = Tags(html).seen
            assert not {"img", "script"} & set(seen)
            assert not set("${}`") & set(html)
    assert results.neighbours_html(scored, 0, 5, 2).count("<mark>") > 1


def test_only_so_many_rows_are_shown() -> None:
    pool = example_pool()
    scored = results.score([f"text {i}" for i in range(MOST_ROWS + 50)], pool, {})
    assert results.table_html(scored, ORDERS[0]).count("<tr ") == MOST_ROWS + 2  # the heads of both parts
    assert f"The first {MOST_ROWS} of {MOST_ROWS + 50} candidates" in results.table_html(scored, ORDERS[0])
    assert len(results.choices(scored, ORDERS[0])) == MOST_ROWS


def test_a_pool_too_small_to_cover_anything_says_so() -> None:
    scored = results.score(["a text"], RatedTexts(["one", "two"], np.array([1.0, 2.0])), {})
    assert "no text can be covered" in results.summary_html(scored)
    assert "No candidate has an estimate" in results.charts_html(scored)
    assert 'id="mean-estimate">–<' in results.summary_html(scored)


def test_a_pool_of_one_text() -> None:
    scored = results.score(["a text"], RatedTexts(["one"], np.array([1.0])), {"min_neighbors": 1, "max_fraction": 1.0})
    for html in fragments(scored):
        Tags(html)
    assert "nothing can be left out" in results.summary_html(scored)


def test_more_than_a_page_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "MOST_CANDIDATES", 2)
    with pytest.raises(InputError, match="at most 2 candidates, but there are 3"):
        results.score(["a"] * 3, example_pool(), {})
    monkeypatch.setattr(results, "MOST_RATED", 2)
    with pytest.raises(InputError, match="at most 2 rated texts, but there are 96"):
        results.score(["a"], example_pool(), {})


def test_a_large_pool_is_not_calibrated_while_the_visitor_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "_MOST_CALIBRATED", 95)
    assert "referenceless calibrate" in results.summary_html(results.score(["a"], example_pool(), {}))


def test_a_file_comes_before_the_box(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("id,output\n1,from the file\n")
    (tmp_path / "p.csv").write_text("a,b,c\nx,y,1\n")
    texts, pool = read_inputs(
        "from the box", str(tmp_path / "c.csv"), "output", "box,1", str(tmp_path / "p.csv"), "b", "c"
    )
    assert (texts, pool.texts, pool.quality.tolist()) == (["from the file"], ["y"], [1.0])
    texts, pool = read_inputs("from the box", None, None, "box,1", None, None, None)
    assert (texts, pool.texts) == (["from the box"], ["box"])


def test_a_pool_that_stays_is_calibrated_once(scored: Scored) -> None:
    texts, pool = example_candidates()[:3], example_pool()
    again = results.score(texts, pool, {}, earlier=scored)
    assert again.calibration is scored.calibration
    np.testing.assert_array_equal(again.estimates.values, scored.estimates.values[:3])
    assert again.estimates.signature == scored.estimates.signature
    for changed, parameters in (
        (pool, {"threshold": 0.1}),
        (RatedTexts(pool.texts, pool.quality + 1), {}),
        (RatedTexts([*pool.texts[:-1], "another text"], pool.quality), {}),
    ):
        anew = results.score(texts, changed, parameters, earlier=scored)
        assert anew.estimator is not scored.estimator


def test_errors_become_messages(tmp_path: Path) -> None:
    pytest.importorskip("gradio", reason="needs gradio 6")
    from bleu_neighbors_metric.app import page as app

    settings = (False, 0.08, 5, 0.66, "char", "uniform", ORDERS[0], 10, 4)
    sources = ["", None, None, "", None, None, None]
    assert "There are no candidates yet" in app._score(None, *sources, *settings)[0]
    sources[0] = "a text"
    assert "There is no pool yet" in app._score(None, *sources, *settings)[0]
    sources[3] = "a text,1"
    for bad, expected in (
        ((False, None, *settings[2:]), "Expected argument &#96;threshold&#96; to be a number, but got None"),
        ((True, 0.08, 0, *settings[3:]), "&#96;min_neighbors&#96; to be a whole number of at least 1, but got 0"),
    ):
        notice, shown, state, *_ = app._score(None, *sources, *bad)
        assert expected in notice
        assert (shown["visible"], state) == (False, None)
    (tmp_path / "p.txt").write_text("no ratings\n")
    assert "a .txt file holds no ratings" in app._describe_pool(str(tmp_path / "p.txt"))[-1]
    (tmp_path / "p.csv").write_text("text,quality\n<b>,0\nb,2.5\n")
    assert "2 rated texts</strong>, rated 0 to 2.5 in the file" in app._describe_pool(str(tmp_path / "p.csv"))[-2]
    (tmp_path / "c.csv").write_bytes(b"\xff\xfe")
    assert "c.csv:1: not UTF-8" in app._describe_candidates(str(tmp_path / "c.csv"))[-1]
    assert app._explain(None, None, 10, 4) == ""
    assert app._reorder(None, ORDERS[1])[0] == ""


def _sources() -> list[Any]:
    from bleu_neighbors_metric.app.page import _example

    candidates, _, pool, _ = _example()
    return [candidates, None, None, pool, None, None, None]


def test_the_page_starts_with_the_threshold_of_the_pool() -> None:
    pytest.importorskip("gradio", reason="needs gradio 6")
    from bleu_neighbors_metric.app import page as app

    pool = example_pool()
    expected = BLEUNeighbors(**AUTOMATIC).fit(pool.texts, pool.quality)
    starts = [True, 0.3, 5, 0.66, "char", AUTOMATIC["weights"], ORDERS[0], 10, 4]
    *_, scored, threshold, summary, _, _, _, _ = app._score_example(None, *starts)
    assert threshold == expected.threshold_ != 0.3
    assert scored.estimates.signature == expected.signature
    assert "10 of 12" in summary
    *_, given, _, _, _, _, _ = app._score_example(None, False, *starts[1:])
    assert given == 0.3
    automatic, *_, moved, _, _, _, _, _ = app._score_at(0.2, *_sources(), *starts)
    assert (automatic, moved) == (False, 0.2)


def test_the_page_reports_to_no_one_and_needs_no_environment() -> None:
    pytest.importorskip("gradio", reason="needs gradio 6")
    import os

    from bleu_neighbors_metric.app.page import build_app

    before = dict(os.environ)
    page = build_app()
    assert page.analytics_enabled is False
    added = {name for name in os.environ if os.environ[name] != before.get(name)}
    assert added <= {"HF_HUB_DISABLE_TELEMETRY"}  # gradio's own doing: no telemetry of its client either


def test_a_space_s_files() -> None:
    for name in ("bleu_neighbors", "slor", "wpslor", "rouge_lm"):
        assert "build_app(" in (METRICS / name / "app.py").read_text()
        assert (METRICS / name / "requirements.txt").read_text() == "referenceless-metrics[app]\n"


def test_the_command_serves_the_page_and_names_a_port_that_is_taken() -> None:
    pytest.importorskip("gradio", reason="needs gradio 6")
    import socket

    from click.testing import CliRunner

    from referenceless_metrics.cli import cli

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = CliRunner().invoke(cli, ["app", "--metric", "bleu_neighbors", "--port", str(port), "--no-open"])
    assert isinstance(result.exception, InputError)
    assert str(result.exception).startswith(f"cannot serve the page at 127.0.0.1:{port}: ")


# --- the page in a browser --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve("bleu_neighbors", tmp_path_factory.mktemp("served")) as found:
        yield found


@pytest.fixture(scope="module")
def page(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with open_browser(tmp_path_factory.mktemp("profile")) as browser:
        yield Page(browser, served.address)


def score_example(page: Page, width: int = 1280, scheme: str = "light") -> None:
    page.open(width, scheme)
    page.click("#example")
    page.until(lambda: page.all("#mean-estimate"))
    page.until(lambda: page.all("#neighbours ol.neighbours li"))


def test_the_example_is_scored_with_one_click(page: Page) -> None:
    scored = results.score(example_candidates(), example_pool(), dict(AUTOMATIC))
    score_example(page)
    assert page.browser.title == "BLEU Neighbors"
    assert page.text("#mean-estimate") == f"{scored.estimates.mean:.4f}"
    assert page.text("#coverage").split() == ["83.3%", "10", "of", "12"]
    assert len(page.all("#table tbody tr")) == 12
    assert len(page.all("#charts rect.bar")) == results.charts_html(scored).count("<rect")
    assert len(page.all("#charts path")) == 1
    assert page.text("#neighbours h3") == "Candidate 1"  # the first with an estimate
    assert page.all("#neighbours mark")
    assert page.text("#pool-rho").startswith("0.29")
    assert page.text("#verdict").split()[-1] == "weak"
    assert page.text("output[for=tau]").startswith("0.110: 83%")
    assert page.one("#pool textarea").get_attribute("value").count("\n") == 95


def test_choose_another_candidate_by_keyboard_alone(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    score_example(page)
    box = page.one("#chosen input")
    page.script("arguments[0].scrollIntoView({block: 'center'}); arguments[0].focus()", box)
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys("nurses", Keys.ENTER)
    page.until(lambda: page.text("#neighbours h3") == "Candidate 9")
    assert "Similarity" in page.text("#neighbours")


def test_everything_is_reached_with_the_tab_key(page: Page) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    score_example(page)
    page.script("document.activeElement.blur(); window.scrollTo(0, 0)")
    reached = set()
    for _ in range(60):
        ActionChains(page.browser).send_keys(Keys.TAB).perform()
        names = page.script(
            "let e = document.activeElement; const names = [e.innerText || '', e.ariaLabel || ''];"
            "for (; e; e = e.parentElement) names.push(e.id || ''); return names"
        )
        reached.update(name.strip() for name in names)
    assert {"candidates", "pool", "example", "score", "tau", "chosen"} <= reached
    assert {"Paste", "Save all 12 as CSV"} <= reached
    assert any("Settings" in name for name in reached)


def test_score_with_the_keyboard(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    page.open()
    page.write("#candidates", "the cat sat on the mat")
    page.write("#pool", "the cat sat on a mat,0.5\nthe cat sat on the hat,1")
    page.script("arguments[0].focus()", page.one("#score"))
    page.one("#score").send_keys(Keys.ENTER)
    page.until(lambda: page.all("#mean-estimate"))
    assert page.text("#mean-estimate") == "–"
    assert "no text can be covered" in page.text("#results")


def test_a_broken_upload_gives_a_message_and_the_page_goes_on(page: Page, tmp_path: Path) -> None:
    score_example(page)
    broken = tmp_path / "ratings.csv"
    broken.write_text("text,quality\nfine,0.5\nnot fine,very\n")
    expected = "ratings.csv:3: expected a finite number in column 'quality', but got str 'very'"
    page.upload("#pool-file", broken)
    page.until(lambda: page.all("#notice .message.error"))
    assert expected in page.text("#notice")
    page.until(lambda: page.in_view("#notice .message"))
    page.click("#score")
    page.until(lambda: not page.all("#mean-estimate"))
    assert len(page.all(".message.error")) == 1
    assert page.text("#notice").startswith("That did not work. ratings.csv:3: expected a finite number")
    assert page.one("#notice [role=alert]").is_displayed()
    assert not page.all("#mean-estimate") or not page.one("#mean-estimate").is_displayed()
    for secret in ("Traceback", str(tmp_path), "/uploads/"):
        assert secret not in page.text("body")
    page.click("#example")  # takes the file away
    page.until(lambda: page.all("#mean-estimate") and page.one("#mean-estimate").is_displayed())
    assert not page.all("#notice .message")


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("pool.docx", b"PK\x03\x04", "pool.docx: this page reads .txt, .csv, .tsv, .jsonl, .parquet, but not .docx"),
        ("pool.parquet", b"PAR1 cut short", "pool.parquet: not a Parquet file, or a damaged one"),
        ("pool.csv", b"\xff\xfe\x00", "pool.csv:1: not UTF-8"),
        ("wide.csv", ",".join(map(str, range(3000))).encode() + b"\n", "at most 200 columns, but there are 3,000"),
    ],
)
def test_files_of_the_wrong_kind(page: Page, tmp_path: Path, name: str, content: bytes, expected: str) -> None:
    page.open()
    (tmp_path / name).write_bytes(content)
    page.upload("#pool-file", tmp_path / name)
    page.until(lambda: page.all("#notice .message.error"))
    assert expected in page.text("#notice")


def test_upload_tables_with_columns_of_other_names(page: Page, tmp_path: Path) -> None:
    pool = example_pool()
    with (tmp_path / "pool.tsv").open("w", newline="") as file:
        writer = csv.writer(file, delimiter="\t")
        writer.writerow(["id", "sentence", "fluency"])
        writer.writerows(
            [i, text, rating] for i, (text, rating) in enumerate(zip(pool.texts, pool.quality, strict=True))
        )
    (tmp_path / "outputs.txt").write_text("\n".join(example_candidates()) + "\n")
    page.open()
    page.upload("#candidates-file", tmp_path / "outputs.txt")
    page.upload("#pool-file", tmp_path / "pool.tsv")
    page.until(lambda: "12 candidates in the file" in page.text("#candidates-note"))
    page.until(lambda: "96 rated texts, rated 0 to 1 in the file" in page.text("#pool-note"))
    assert page.one("#candidates-note p").is_displayed()
    assert page.one("#pool-note p").is_displayed()
    assert page.one("#pool-column-1 input").get_attribute("value") == "fluency"
    page.choose("#pool-column-1", "sentence")
    page.click("#score")
    page.until(lambda: "expected a finite number in column 'sentence'" in page.text("#notice"))
    page.choose("#pool-column-1", "fluency")
    page.click("#score")
    page.until(lambda: page.all("#mean-estimate"))
    assert page.text("#mean-estimate") == "0.6308"


def test_no_text_becomes_part_of_the_page(page: Page) -> None:
    page.open()
    page.write("#candidates", f"{NASTY}\nthe cat sat on the mat")
    page.write("#pool", "\n".join(f"{NASTY} {i}\t0.{i}" for i in range(1, 9)))
    page.click("#score")
    page.until(lambda: page.all("#mean-estimate"))
    page.until(lambda: page.all("#neighbours li"))
    assert page.script("return window.hacked") is None
    assert NASTY in page.text("#table")
    assert "${window.hacked=2} {{this}} `&amp;`" in page.text("#neighbours")
    assert page.complaints() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_answer_stands_on_the_first_screen(page: Page, width: int, scheme: str) -> None:
    score_example(page, width, scheme)
    one, other = page.script(
        "return ['#distribution', '#curve'].map(id => document.querySelector(id).getBoundingClientRect().top)"
    )
    assert (one == other) == (width == 1280)  # side by side, or one below the other
    check_standards(page, width, "#results h2", "#verdict", "#mean-estimate")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_screen(page: Page, scheme: str) -> None:
    score_example(page, 320, scheme)
    page.script("document.querySelectorAll('details').forEach(d => d.open = true)")
    for width in (320, 390, 800, 1280):
        page.resize(width)
        page.until(lambda width=width: page.script("return window.innerWidth") == width)  # type: ignore[misc]
        assert widest(page.browser) <= width
        clipped = page.script(
            "return [...document.querySelectorAll('.results :is(td, th, q, p, dd, h2)')].filter(e => e.offsetParent"
            " && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline' && !e.closest('thead'))"
            ".map(e => e.outerHTML.slice(0, 120))"
        )
        assert clipped == []


def test_the_keyboard_s_place_is_ringed(page: Page) -> None:
    score_example(page)
    rings = focus_rings(page.browser, 30)
    assert len(rings) > 15
    # the heading is given the focus when the answer comes; no key stops there
    assert {html: width for html, width in rings.items() if width < 3 and 'tabindex="-1"' not in html} == {}


def test_the_slider_on_the_curve_scores_with_another_threshold(page: Page, scored: Scored) -> None:
    from selenium.webdriver.common.keys import Keys

    score_example(page)
    before = page.script("return document.querySelector('#charts .mark[x1]').getAttribute('x1')")
    page.one("#tau").send_keys(Keys.ARROW_RIGHT)
    pool = example_pool()
    metric = BLEUNeighbors(0.115, weights=AUTOMATIC["weights"]).fit(pool.texts, pool.quality)
    expected = metric.predict(example_candidates())
    page.until(lambda: page.text("#mean-estimate") == f"{expected.mean:.4f}")
    assert page.text("#charts output").startswith(f"0.115: {100 * expected.coverage:.0f}%")
    assert page.script("return [...document.querySelectorAll('#charts .mark')].pop().getAttribute('x1')") != before
    page.until(lambda: page.script("return document.activeElement.id") == "tau")  # to move it further


def test_many_texts_are_scored_with_progress(page: Page, tmp_path: Path) -> None:
    pool = example_pool()
    (tmp_path / "outputs.txt").write_text("".join(f"{pool.texts[i % 96]} {i}\n" for i in range(5000)))
    page.open()
    page.write("#pool", "\n".join(f"{text}\t{rating}" for text, rating in zip(pool.texts, pool.quality, strict=True)))
    page.upload("#candidates-file", tmp_path / "outputs.txt")
    page.until(lambda: "5,000 candidates in the file" in page.text("#candidates-note"))
    page.script(
        "window.told = []; new MutationObserver(() => window.told.push(document.querySelector('#notice').innerText))"
        ".observe(document.querySelector('#notice'), {subtree: true, childList: true, characterData: true})"
    )
    page.click("#score")
    page.until(lambda: page.all("#coverage"))
    assert "of 5000" in page.text("#coverage")
    assert any("of 5,000 texts" in told for told in page.script("return window.told"))
    assert page.text("#table").count("\n") > 20
    assert "180 more candidates" in page.text("#table")


def test_a_file_of_200_mb_is_refused_and_the_page_goes_on(page: Page, tmp_path: Path) -> None:
    with (tmp_path / "large.csv").open("wb") as file:
        file.truncate(200 * 2**20)
    page.open()
    page.upload("#pool-file", tmp_path / "large.csv")
    page.until(lambda: "20 MB" in page.text("#notice"))
    page.until(lambda: page.in_view("#notice .message"))
    score_example(page)


def test_page_and_server_ask_no_other_host(page: Page, served: Served) -> None:
    score_example(page)
    assert page.foreign_addresses() == []
    assert page.complaints() == []
    assert served.hosts == []
