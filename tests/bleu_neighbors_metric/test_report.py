"""The report: its structure, and what a browser makes of it."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from example_fits import CANDIDATES, POOL, fit
from page_standards import Tags, contrast, serious_findings
from sacrebleu.metrics import BLEU
from web_pages import open_browser

from bleu_neighbors_metric import report as report_module
from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric
from bleu_neighbors_metric.kernels.kernel import Pool
from bleu_neighbors_metric.report import Report, build_report, report_page
from bleu_neighbors_metric.tuning.sweep import sweep
from metric_commons.report.rendering import write_page
from metric_commons.systems.comparison import Comparison, compare_systems

HOSTILE = [
    "<script>document.title = 'taken over'</script> the quiet café near the river",
    '"><img src="https://example.org/x.png" onerror="document.title=1"> the quiet café',
    "</q></summary></details><h1>a heading</h1> & &amp; {{ 7 * 7 }} {% raw %}",
    "bell \x07, escape \x1b[31m, null \x00, a lone surrogate \ud800",
    "هل المقهى قريب من النهر؟",
    "w" * 3000,
]
A = [*HOSTILE, "", *CANDIDATES, *POOL.texts[:20]]
B = [*HOSTILE, "  ", *(" ".join(text.split()[::-1]) for text in CANDIDATES), *POOL.texts[20:40]]
C = ["", *HOSTILE, *CANDIDATES, *POOL.texts[:20]]
SYSTEMS = [("a.txt", A), ("b<b>.txt", B), ("c.txt", C)]
SECTIONS = ("comparison", "pool", "estimates", "segments", "coverage", "candidates")


@pytest.fixture(scope="module")
def estimator() -> BLEUNeighbors:
    return fit(min_neighbors=2)


def compared(systems: Any, estimator: BLEUNeighbors, **asked: Any) -> tuple[BLEUNeighborsMetric, Comparison]:
    adapter = BLEUNeighborsMetric(estimator=estimator)
    return adapter, compare_systems(systems, adapter, **asked)


@pytest.fixture(scope="module")
def many_examples() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report_module, "N_EXAMPLES", 40)
        yield


@pytest.fixture(scope="module")
def found(estimator: BLEUNeighbors) -> tuple[BLEUNeighborsMetric, Comparison]:
    references = [[text.replace("\ud800", "") or "x" for text in A]]
    return compared(SYSTEMS, estimator, n_samples=200, references=references, others=[BLEU()])


@pytest.fixture(scope="module")
def report(found: Any, many_examples: None) -> Report:
    return build_report(SYSTEMS, *found)


@pytest.fixture(scope="module")
def html(found: Any, many_examples: None) -> str:
    return report_page(SYSTEMS, *found, title="A <b>title</b>")


@pytest.fixture(scope="module")
def page(html: str) -> Tags:
    return Tags(html)


def test_figures_are_those_of_the_estimator(report: Report, estimator: BLEUNeighbors) -> None:
    for (name, texts), system, coverage in zip(SYSTEMS, report.systems, report.curves.shares, strict=True):
        estimates = estimator.predict(texts)
        assert system.row.system == name
        assert system.row.results["BLEUNeighbors"].score == pytest.approx(estimates.mean)
        assert system.row.coverage == estimates.coverage
        assert coverage[report.curves.thresholds == estimator.threshold_] == [estimates.coverage]
        defined = np.sort(estimates.values[estimates.covered])
        assert system.highest[0].estimate == defined[-1]
        assert system.lowest[0].estimate == defined[0]
        shown = {item.text for item in (*system.highest, *system.lowest, *system.uncovered)}
        assert shown == set(texts)  # as there are no more than `N_EXAMPLES` of each kind
        for item in (*system.highest, *system.lowest, *system.uncovered):
            assert texts[item.position - 1] == item.text
            assert item.n_times == texts.count(item.text)
            assert all(neighbor.text in estimator.texts_ for neighbor in item.neighbors)
        assert not {item.text for item in system.highest} & {item.text for item in system.lowest}
        assert all(np.isnan(item.estimate) for item in system.uncovered)
        assert all(
            item.reason and item.reason == system.estimates.reasons[item.position - 1] for item in system.uncovered
        )
        assert all(item.reason is None for item in (*system.highest, *system.lowest))


def test_systems_are_ranked_by_their_estimates_less_the_pool_s_mean(report: Report, page: Tags) -> None:
    mean = float(np.mean(POOL.ratings))
    assert report.estimator.mean_rating == pytest.approx(mean)
    for system in report.systems:
        on_common = system.row.common or system.row.results["BLEUNeighbors"]
        assert system.above_pool == pytest.approx(on_common.score - mean)
    ranked = sorted(report.systems, key=lambda system: -system.above_pool)
    assert [system.place for system in report.systems] == [0, 1, 2]
    named = [page.text.index(f"{system.row.system}") for system in ranked]
    assert named == sorted(named)
    assert page.text.count("of the metric’s mean, not of people") == len(SYSTEMS) - 1


def test_the_best_threshold_is_marked(report: Report, estimator: BLEUNeighbors, page: Tags) -> None:
    found = sweep(
        estimator,
        thresholds=report.curves.thresholds.tolist(),
        min_neighbors=[2],
        max_fractions=[0.66],
        n_resamples=1,
    )
    assert report.best == found.best
    assert report.best is not None
    assert f"best τ, {report.best.threshold:.3f}" in page.text
    assert "(★ best)" in page.text
    few = BLEUNeighbors(min_neighbors=2).fit(POOL.texts[:20], POOL.ratings[:20])
    assert "No threshold is marked as the best" in report_page(SYSTEMS[:2], *compared(SYSTEMS[:2], few, n_samples=20))


def test_the_verdict_stands_in_a_badge(page: Tags, report: Report) -> None:
    badges = [attributes for tag, attributes in page.elements if "badge" in (attributes.get("class") or "").split()]
    assert [badge["class"] for badge in badges] == [f"badge {report.calibration.verdict}"] * 2


def test_few_covered_texts_stand_in_one_list_only() -> None:
    metric = fit(min_neighbors=1, max_fraction=1.0)
    systems = [("a", ["", POOL.texts[0], POOL.texts[0]]), ("b", ["", POOL.texts[1], POOL.texts[2]])]
    first, second = build_report(systems, *compared(systems, metric, n_samples=50)).systems
    assert [item.n_times for item in first.highest] == [2]
    assert first.lowest == ()
    assert (len(second.highest), len(second.lowest)) == (1, 1)


def test_texts_are_matched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = fit(min_neighbors=1, max_fraction=1.0)
    matched: list[int] = []
    tally = type(metric.pool).tally

    def counting(pool: Pool, texts: list[str], *args: object, **options: object) -> object:
        matched.append(len(texts))
        return tally(pool, texts, *args, **options)

    monkeypatch.setattr(type(metric.pool), "tally", counting)
    systems = [("a", CANDIDATES[:7]), ("b", CANDIDATES[1:8])]
    report_page(systems, *compared(systems, metric, n_samples=50))
    assert sorted(matched) == [7, 7, len(metric.texts_)]  # the rest is calibration


def test_it_is_whole_and_well_formed(page: Tags, html: str) -> None:
    assert page.open == []
    assert html.startswith("<!DOCTYPE html>")
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert set(SECTIONS) <= set(ids)
    for _, attributes in page.elements:
        for target in (attributes.get("aria-labelledby") or "").split():
            assert target in ids


def test_it_loads_nothing_and_runs_its_own_script_alone(page: Tags, html: str) -> None:
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"link", "img", "iframe", "object", "embed", "base", "form", "video", "audio"}
    for _, attributes in page.elements:
        assert not any(name.startswith("on") for name in attributes)
        assert not {"src", "srcset", "action", "data"} & set(attributes)
        assert (attributes.get("href") or "#").startswith("#")
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
    assert style
    assert not re.search(r"url\(|@import|@font-face|expression", style[1])
    data, script = re.findall(r"<script.*?>(.*?)</script>", html, re.DOTALL)
    assert html.count("</script") == 2
    allowed = b64encode(sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'\"" in html
    assert len(html) - len(data) < 2_000_000
    told = json.loads(data)
    assert told["systems"] == [name for name, _ in SYSTEMS]
    assert told["texts"][0][0] == A[0]
    assert set(told["explained"]) == {str(place) for place in range(len(A))}
    assert len(told["explained"]["0"]) == len(SYSTEMS)


def test_texts_are_shown_as_they_are(page: Tags, html: str) -> None:
    assert HOSTILE[0] in page.text
    assert HOSTILE[1] in page.text
    assert "A <b>title</b>" in page.text
    assert "b<b>.txt" in page.text
    markup = re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
    assert "<b>" not in markup
    html.encode("utf-8")
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", html)
    assert "w" * 1200 not in markup


def test_headings_do_not_skip_a_level(page: Tags) -> None:
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_charts_and_tables_have_names(page: Tags, html: str) -> None:
    charts = [attributes for tag, attributes in page.elements if tag == "svg" and attributes.get("role") == "img"]
    assert len(charts) == len(SYSTEMS) + 1
    assert all(attributes.get("aria-labelledby") for attributes in charts)
    assert all(
        attributes.get("aria-hidden") == "true" or attributes.get("role") == "img"
        for tag, attributes in page.elements
        if tag == "svg"
    )
    assert 'class="span"' in html  # the interval of a text, which stands beside it in words
    assert "of ratings of such texts" in page.text
    headers = [attributes for tag, attributes in page.elements if tag == "th"]
    assert all("scope" in attributes for attributes in headers)
    viewport = [attributes for tag, attributes in page.elements if attributes.get("name") == "viewport"]
    assert viewport
    assert "width=device-width" in str(viewport[0]["content"])
    assert ("html", {"lang": "en"}) in page.elements


@pytest.mark.parametrize("scheme", ["light", "dark", "paper"])
def test_contrast(html: str, scheme: str) -> None:
    """WCAG 2.2, 1.4.3 and 1.4.11: 4.5:1 for text, 3:1 for what a chart draws."""
    rules = re.findall(r":root \{(.*?)\}", html, re.DOTALL)
    assert len(rules) == 3
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]+)", rules[["light", "dark", "paper"].index(scheme)]))
    assert {f"s{i}" for i in range(8)} < set(colours)
    for name, least in [("fg", 4.5), ("soft", 4.5), ("link", 4.5), *((f"s{i}", 3.0) for i in range(8))]:
        for ground in ("bg", "card"):
            assert contrast(colours[name], colours[ground]) >= least, (name, ground)


# --- what a browser makes of it ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with open_browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="module")
def address(html: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_page(html, tmp_path_factory.mktemp("report")).as_uri()


def show(browser: Any, address: str, width: int, scheme: str = "light") -> None:
    metrics = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    browser.get(address)


@pytest.mark.parametrize("width", [320, 390, 800, 1000, 1280, 1920])
def test_nothing_is_wider_than_the_screen(browser: Any, address: str, width: int) -> None:
    show(browser, address, width)
    browser.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    clipped = browser.execute_script(
        "return [...document.querySelectorAll('td, th, q, h3, summary, figcaption, p')]"
        ".filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline'"
        " && !e.closest('thead')).map(e => e.outerHTML.slice(0, 120))"
    )
    assert clipped == []
    cut = browser.execute_script(
        "return [...document.querySelectorAll('svg.chart text')].filter(e => { const svg = e.closest('svg');"
        " const [label, chart] = [e, svg].map(x => x.getBoundingClientRect());"
        " return getComputedStyle(svg).overflow !== 'visible' && (label.right > chart.right || label.left < chart.left)"
        "}).map(e => e.textContent)"
    )
    assert cut == []


def test_the_browser_runs_and_loads_nothing(browser: Any, address: str) -> None:
    show(browser, address, 1280)
    assert browser.title == "A <b>title</b>"
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert [entry for entry in browser.get_log("browser") if "favicon" not in entry["message"]] == []
    assert browser.execute_script("return document.querySelectorAll('h1').length") == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_serious_finding_of_axe(browser: Any, address: str, width: int, scheme: str) -> None:
    show(browser, address, width, scheme)
    assert serious_findings(browser) == []


def test_printed_it_is_light_and_whole(browser: Any, address: str) -> None:
    show(browser, address, 1280, "dark")
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": features})
    try:
        assert browser.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert browser.execute_script("return getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
        assert not browser.find_element("css selector", "nav").is_displayed()
        hidden = browser.execute_script(
            "return [...document.querySelectorAll('details > :not(summary)')].filter(e => !e.checkVisibility())"
            ".map(e => e.outerHTML.slice(0, 100))"
        )
        assert hidden == []
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_small_print_is_legible_on_a_phone(browser: Any, address: str) -> None:
    show(browser, address, 390)
    smallest = browser.execute_script(
        "return Math.min(...[...document.querySelectorAll('svg text')].map(e => {"
        "const svg = e.ownerSVGElement; return parseFloat(getComputedStyle(e).fontSize)"
        " * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width; }))"
    )
    assert smallest >= 9.5
    targets = browser.execute_script(
        "return [...document.querySelectorAll('summary, nav a')].map(e => e.getBoundingClientRect().height)"
    )
    assert min(targets) >= 24  # WCAG 2.2, 2.5.8


def test_every_section_shows_and_neighbours_open_with_a_click(browser: Any, address: str) -> None:
    show(browser, address, 390)
    for section in SECTIONS:
        heading = browser.find_element("id", section)
        assert heading.is_displayed()
    closed = browser.find_elements("css selector", ".examples details:not([open])")[0]
    assert not closed.find_elements("css selector", "table, p")[0].is_displayed()
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", closed)
    closed.find_element("css selector", "summary").click()
    assert closed.find_elements("css selector", "table, p")[0].is_displayed()


def test_segments_are_searched_sorted_and_opened(browser: Any, address: str) -> None:
    waiting = pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait
    show(browser, address, 1280)
    run = browser.execute_script
    assert not run("return document.getElementById('plain').checkVisibility()")
    assert run("return document.getElementById('shown').textContent") == f"{len(A)} of {len(A)} segments"
    run("const b = document.getElementById('find'); b.value = 'TAKEN over'; b.dispatchEvent(new Event('input'))")
    waiting(browser, 60).until(lambda _: run("return document.getElementById('shown').textContent")[:2] == "2 ")
    run("document.querySelector('.tabulator-row button').click()")
    assert run("return document.getElementById('segment').open")
    assert HOSTILE[0] in run("return document.getElementById('segment-body').textContent")
    assert run("return document.querySelectorAll('#segment-body .own mark').length") > 0
    assert serious_findings(browser) == []
    assert run("return document.querySelectorAll('img, h1').length") == 1
    assert browser.title == "A <b>title</b>"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert run("return document.getElementById('plain').checkVisibility()")
        assert not run("return document.getElementById('grid').checkVisibility()")
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_dark_mode(browser: Any, address: str) -> None:
    grounds = []
    for scheme in ("light", "dark"):
        show(browser, address, 390, scheme)
        grounds.append(browser.execute_script("return getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(255, 255, 255)", "rgb(22, 24, 27)"]


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def report_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Any) -> Any:
    """Return what runs `report` in a folder with systems and a fitted pool."""
    monkeypatch.chdir(tmp_path)
    for name, texts in (("a.txt", A), ("b.txt", B), ("alien.txt", ["ξένος"] * len(A))):
        clean = [re.sub(r"[\x00-\x1f\ud800]", "", text) for text in texts]
        Path(name).write_text("".join(f"{text}\n" for text in clean), encoding="utf-8")
    fit(min_neighbors=2).save("pool.index")
    return lambda *arguments: command("report", *arguments, "--pool", "pool.index")


def test_command(report_command: Any) -> None:
    out = Path("new/report")
    arguments = ("a.txt", "b.txt", "-o", str(out), "--n-samples", "100")
    written = []
    for _ in range(2):
        status, told, _ = report_command(*arguments, "--with", "bleu", "--references", "a.txt", "--paired-bs")
        assert (status, told.strip()) == (0, str(out / "index.html"))
        written.append((out / "index.html").read_text(encoding="utf-8"))
    assert written[0] == written[1]
    page = Tags(written[0])
    assert "paired bootstrap (100 resamples)" in page.text
    assert "in the direction of the difference alone" in page.text
    assert "BLEU ± 95% CI" in page.text
    assert ("h1", {}) in page.elements


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["a.txt"], 2, "at least two systems, the baseline first; got only a.txt"),
        (["a.txt", "b.txt", "--with", "bleu"], 2, "bleu needs references"),
        (["a.txt", "alien.txt"], 1, "alien.txt: .* covers none of its 39 texts"),
    ],
)
def test_bad_input_of_the_command(report_command: Any, arguments: list[str], status: int, message: str) -> None:
    found, _, error = report_command(*arguments, "-o", "report")
    assert found == status
    assert re.search(message, error)
    assert not Path("report").exists()


def test_a_file_in_the_place_of_the_folder(report_command: Any) -> None:
    Path("report").write_text("mine")
    assert report_command("a.txt", "b.txt", "-o", "report", "--n-samples", "50")[0] == 1
