"""The page on systems: its structure, and how a browser shows it."""

import csv
import gzip
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from base64 import b64decode, b64encode
from hashlib import sha256

import numpy as np
import pytest
from command_lines import typed
from example_fits import CANDIDATES, POOL, fit
from page_standards import Tags, all_findings, contrast, serious_findings
from sacrebleu.metrics import BLEU
from text_files import read, write, write_table
from web_pages import show

from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric
from referenceless_metrics.comparison.comparison import compare_systems
from referenceless_metrics.comparison.page import rating_measure, systems_page
from referenceless_metrics.comparison.segments import Measure
from referenceless_metrics.human_evaluation.inference.human_score import human_scores
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_metrics.pages.rendering import write_page

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
SOURCE = "name[<b>café</b>]"
SECTIONS = ("comparison", "findings", "plots", "pool", "neighbors", "coverage", "segments", "next")


@pytest.fixture(scope="module")
def estimator():
    return fit(min_neighbors=2)


def compared(systems, estimator, **asked):
    adapter = BLEUNeighborsMetric(estimator=estimator)
    return adapter, compare_systems(systems, adapter, **asked)


@pytest.fixture(scope="module")
def found(estimator):
    references = [[text.replace("\ud800", "") or "x" for text in A]]
    return compared(SYSTEMS, estimator, n_samples=200, references=references, others=[BLEU()])


def page_of(systems, adapter, comparison, **beside):
    measures = [Measure("BLEU Neighbors", adapter.results, adapter.metric, comparison)]
    return systems_page(systems, [*measures, *beside.pop("further", ())], **beside)


@pytest.fixture(scope="module")
def html(found):
    rng = np.random.default_rng(0)
    ratings = [np.where(rng.random(len(A)) < 0.7, rng.random(len(A)), np.nan) for _ in SYSTEMS]
    rated = [SystemRatings(name, own, np.full(len(A), np.nan)) for (name, _), own in zip(SYSTEMS, ratings, strict=True)]
    beside = {"people": human_scores(rated), "findings": ["For the paper: <b>x</b>", "`a <b>`"]}
    groups = [f"<b>{place % 3}" for place in range(len(A))]
    further = [rating_measure(ratings)]
    return page_of(
        SYSTEMS,
        *found,
        title="A <b>title</b>",
        further=further,
        groups=groups,
        inputs={"sources": [SOURCE] * len(A)},
        **beside,
    )


def test_a_metric_is_told_from_a_criterion_of_its_name(estimator):
    systems = [(name, texts[-20:]) for name, texts in (("a", A), ("b", B))]
    rated = [SystemRatings(name, np.arange(20.0) % 5, np.full(20, np.nan)) for name, _ in systems]
    people = human_scores(rated, scale=(0.0, 4.0))

    def page(criterion):
        further = [rating_measure([system.ratings for system in rated], criterion)]
        found = compared(systems, estimator, n_samples=20)
        return page_of(systems, *found, further=further, people=people, criteria={criterion: people})

    alike, other = page("neighbors"), page("fluency")
    assert "<h1>Human ratings and metric BLEU Neighbors: 2 systems" in alike
    assert "By the estimates of the metric BLEU Neighbors" in alike
    assert 'data-label="metric BLEU Neighbors"' in alike
    assert "<h1>Human ratings and BLEU Neighbors: 2 systems" in other
    assert 'data-label="BLEU Neighbors"' in other


@pytest.fixture(scope="module")
def tags(html):
    return Tags(html)


def test_it_is_whole_loads_nothing_and_runs_its_own_script_alone(tags, html):
    assert tags.open == []
    assert html.startswith("<!DOCTYPE html>")
    ids = [attributes["id"] for _, attributes in tags.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert set(SECTIONS) <= set(ids)
    assert not {tag for tag, _ in tags.elements} & {"link", "img", "iframe", "object", "embed", "base", "form", "video"}
    for _, attributes in tags.elements:
        assert set((attributes.get("aria-labelledby") or "").split()) <= set(ids)
        assert not any(name.startswith("on") for name in attributes)
        assert not {"src", "srcset", "action", "data"} & set(attributes)
        assert (attributes.get("href") or "#").startswith("#")
    style = html.partition("<style>")[2].partition("</style>")[0]
    assert not re.search(r"url\(|@import|@font-face|expression", style)
    told, data, packed, script = re.findall(r"<script.*?>(.*?)</script>", html, re.DOTALL)
    assert html.count("</script") == 4
    allowed = b64encode(sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'\"" in html
    assert len(html) - len(data) < 2_000_000
    segments = json.loads(data)
    assert segments["systems"] == json.loads(told)["systems"] == [name for name, _ in SYSTEMS]
    explained = json.loads(gzip.decompress(b64decode(packed)))
    assert set(explained) == {str(place) for place in range(len(A))}
    assert [len(part) for part in explained["0"]] == [len(SYSTEMS)] * 2


def test_texts_are_shown_as_they_are(tags, html):
    assert HOSTILE[0] in tags.text
    assert HOSTILE[1] in tags.text
    assert "A <b>title</b>" in tags.text
    assert "b<b>.txt" in tags.text
    markup = re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
    assert "<b>" not in markup
    html.encode("utf-8")
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", html)
    assert "w" * 1200 not in markup


@pytest.mark.parametrize("scheme", ["light", "dark", "paper"])
def test_contrast(html, scheme):
    """WCAG 2.2, 1.4.3 and 1.4.11: 4.5:1 for text, 3:1 for drawings."""
    rules = re.findall(r":root \{(.*?)\}", html, re.DOTALL)
    assert len(rules) == 3
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]+)", rules[["light", "dark", "paper"].index(scheme)]))
    assert {f"s{i}" for i in range(8)} < set(colours)
    for name, least in [("fg", 4.5), ("soft", 4.5), ("link", 4.5), *((f"s{i}", 3.0) for i in range(8))]:
        for ground in ("bg", "card"):
            assert contrast(colours[name], colours[ground]) >= least, (name, ground)


# --- the page in a browser
# ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def address(html, tmp_path_factory):
    return write_page(html, tmp_path_factory.mktemp("report")).as_uri()


@pytest.mark.parametrize("width", [320, 390, 800, 1280, 1920])
def test_nothing_is_wider_than_the_screen(browser, address, width):
    show(browser, address, width)
    browser.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    clipped = browser.execute_script(
        "return [...document.querySelectorAll('td, th, q, h3, summary, figcaption, p')]"
        ".filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline'"
        " && !e.closest('thead')).map(e => e.outerHTML.slice(0, 120))"
    )
    assert clipped == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_serious_finding_of_axe(browser, address, width, scheme):
    show(browser, address, width, scheme)
    assert serious_findings(browser) == []


def test_a_grid_without_rows_has_the_children_that_it_needs(browser, address):
    show(browser, address, 1280)
    browser.execute_script(
        "const box = document.getElementById('find'); box.value = 'no segment holds this';"
        "box.dispatchEvent(new Event('input'))"
    )
    waiting = pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait
    nothing = "return document.getElementById('shown').textContent.startsWith('0 of')"
    waiting(browser, 60).until(lambda _: browser.execute_script(nothing))
    assert "aria-required-children" not in {name for _, name, _ in all_findings(browser)}


def test_printed_it_is_light_and_whole(browser, address):
    show(browser, address, 1280, "dark", media="print")
    assert browser.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not browser.find_element("css selector", "nav").is_displayed()
    shown = "return ['plain', 'grid'].map(id => document.getElementById(id).checkVisibility())"
    assert browser.execute_script(shown) == [True, False]


def test_segments_are_searched_sorted_and_opened(browser, address):
    waiting = pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait
    show(browser, address, 1280)
    run = browser.execute_script

    def until(condition):
        waiting(browser, 60).until(lambda _: run(f"return {condition}"))

    def put(box, value):
        run(
            "const [box, value] = arguments, e = document.getElementById(box); e.value = value;"
            "e.dispatchEvent(new Event(e.tagName === 'SELECT' ? 'change' : 'input'))",
            box,
            value,
        )

    def body(selector):
        return run(f"return [...document.querySelectorAll('#segment-body {selector}')].map(e => e.textContent).join()")

    n_alike = sum(a == c for a, c in zip(A, C, strict=True))
    n_empty = sum("" in {texts[place].strip() for _, texts in SYSTEMS} for place in range(len(A)))
    for box, value, shown in (
        ("find", "TAKEN over", 2),
        ("find", "", len(A)),
        ("group", "<b>1", len(A) // 3),
        ("group", "", len(A)),
        ("shortest", "2900", 2),  # the second system's long text stands one segment later
        ("system", "0", 1),
        ("shortest", "", len(A)),
        ("other", "2", len(A)),
        ("reason", "alike", n_alike),
        ("reason", "", len(A)),
        ("other", "", len(A)),
        ("system", "", len(A)),
        ("reason", "=empty text", n_empty),
        ("reason", "", len(A)),
    ):
        put(box, value)
        until(f"document.getElementById('shown').textContent.startsWith('{shown} of')")
    put("system", "0")
    put("other", "2")
    run("document.querySelector('.tabulator-row button').click()")
    until("document.getElementById('segment').open")
    assert body(".own mark")
    assert body(".own > p mark")
    assert SOURCE in run("return document.getElementById('segment-body').textContent")
    assert serious_findings(browser) == []
    assert run("return document.querySelectorAll('img, h1').length") == 1
    assert browser.title == "A <b>title</b>"
    title = run("return document.getElementById('segment-title').textContent")
    browser.refresh()  # the address holds the view and the segment
    until("document.getElementById('segment').open")
    assert run("return document.getElementById('segment-title').textContent") == title
    assert run("return ['system', 'other'].map(id => document.getElementById(id).value)") == ["0", "2"]


def saved_files(browser):
    """Return the files that the page's buttons save, by name."""
    return browser.execute_async_script(
        "const done = arguments[0], found = {}; let blob;"
        "URL.createObjectURL = given => { blob = given; return ''; };"
        "HTMLAnchorElement.prototype.click = function () { const name = this.download; found[name] = blob.text(); };"
        "for (const id of ['save-json', 'save-systems', 'save-csv']) document.getElementById(id).click();"
        "for (const button of document.querySelectorAll('.saves button')) button.click();"
        "setTimeout(async () => { for (const name in found) found[name] = await found[name]; done(found); }, 500)"
    )


def test_all_that_is_shown_is_saved(browser, address):
    show(browser, address, 1280)
    saved = saved_files(browser)
    told = json.loads(saved["report.json"])
    assert len(told["segments"]) == len(A)
    assert len(told["segments"][0]["systems"][0]["values"]) == 2  # the metric's, and the rating
    assert {row["system"] for row in told["rows"]} == {name for name, _ in SYSTEMS}
    assert saved["systems.csv"].count("\n") == 1 + len(told["rows"]) + len(told["people"])
    assert ElementTree.fromstring(saved["chart1.svg"]).tag.endswith("svg")
    assert saved["chart1.csv"].splitlines()[0] == "name,across,value,low,high"
    assert {line.split(",")[0] for line in saved["chart1.csv"].splitlines()[1:]} == {name for name, _ in SYSTEMS}
    assert saved["segments.csv"].splitlines()[0].count("a.txt: ") == 5  # two values, two reasons, and the text


def test_no_cell_of_what_is_saved_is_a_formula(browser, estimator, tmp_path):
    formulas = [first + CANDIDATES[0] for first in ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")]
    systems = [("=1+1.txt", formulas), ("@SUM(A1)", formulas[::-1])]
    beside = {"groups": formulas, "inputs": {"sources": formulas}}
    html = page_of(systems, *compared(systems, estimator, n_samples=20), **beside)
    show(browser, write_page(html, tmp_path).as_uri(), 1280)
    saved = saved_files(browser)
    for name in ("segments.csv", "systems.csv", "chart1.csv"):
        rows = csv.reader(io.StringIO(saved[name].removeprefix("\ufeff"), newline=""), strict=True)
        cells = [cell for row in rows for cell in row]
        assert {f"'{formula}" for formula in formulas} <= set(cells) or name != "segments.csv"
        for cell in cells:
            assert re.fullmatch(r"[^=+\-@\t\r\n＝＋－＠].*|-?[\d.]+(e-\d+)?|", cell, re.DOTALL), (name, cell)


# --- the command ------------------------------------------------------------------------------------------------------


def test_several_metrics_stand_side_by_side(folder):
    for name, texts in (("a.txt", A), ("b.txt", B)):
        write(name, [re.sub(r"[\x00-\x1f\ud800]", "", text) for text in texts])
    write("groups.txt", "one\ntwo\n")
    fit(min_neighbors=2).save("pool.index")
    line = "report a.txt b.txt --metric bleu_neighbors --metric slor --pool pool.index --n-samples 50 -o both.html"
    typed(line)
    told, _, packed, _ = re.findall(r"<script.*?>(.*?)</script>", read("both.html"), re.DOTALL)
    assert all(html for part in json.loads(gzip.decompress(b64decode(packed)))["0"] for html in part)
    assert [each["metric"] for each in json.loads(told)["metrics"]] == ["bleu_neighbors", "slor"]
    first, last = json.loads(told)["headlines"]  # what is found stands before what it does not say
    assert "people" not in first
    assert last.endswith("This says nothing about people.")
    assert "has 2 groups" in typed(f"{line} --groups groups.txt", 1).err


def shown_of_people(page):
    """The cells of people's ratings."""
    return re.findall(r'data-label="Human rating">(.*?)</td>', page, re.DOTALL)


def test_systems_stand_by_their_mean_in_all_tables_of_the_page_which_says_so(folder):
    outputs = {name: [f"{name} says that {at} is fine" for at in range(12)] for name in ("mid", "best", "worst")}
    for name, texts in outputs.items():
        write(f"{name}.txt", "\n".join(texts) + "\n")
    means = {"mid": 3, "best": 4, "worst": 1}
    columns = ["system", "text", "criterion", "rating"]
    for criteria in (["fluency"], ["fluency", "style"]):
        rows = [
            (name, text, criterion, means[name] + at % 2)
            for name, texts in outputs.items()
            for at, text in enumerate(texts)
            for criterion in criteria
        ]
        write_table("rated.csv", columns, rows)
        typed("report mid.txt best.txt worst.txt --metric wpslor --ratings rated.csv -o page.html")
        shown = re.findall(r'scope="row">.*?(mid|best|worst)<', read("page.html"))
        assert shown[: 3 * len(criteria)] == ["best", "mid", "worst"] * len(criteria)
        of_one = "Systems stand by their mean rating, the highest first." in read("page.html")
        assert of_one == (len(criteria) == 1)
        assert ("the order of the systems and the brackets go by the first criterion" in read("page.html")) != of_one


def test_systems_without_ratings_stand_beside_those_that_people_rated(folder):
    """Each score stands in its own system's row, and people's findings are of the rated systems alone."""
    names = ["plain", "good", "bad"]
    for name in names:
        write(f"{name}.txt", [f"the {name} text number {n} is here" for n in range(20)])
    rows = [
        (n, name, f"the {name} text number {n} is here", base + n % 2, base + (n + len(name)) % 3)
        for name, base in (("good", 4), ("bad", 1))
        for n in range(20)
    ]
    write_table("w.csv", ["item", "system", "output", "ann", "bob"], rows)
    raters = "--rating-column ann --rating-column bob --ratings-text-column output"
    files = "plain.txt good.txt bad.txt"
    told = typed(f"report {files} --metric fluency_ngram --ratings w.csv {raters} -o r.html", 0)
    assert "plain: none of the outputs is rated; by ratings, systems are compared with good" in told.err
    page = read("r.html")
    cells = re.findall(r'<th[^>]*scope="row"[^>]*>(.*?)</th>.*?data-label="Human rating">(.*?)</td>', page, re.DOTALL)
    shown = {
        re.sub(r"<[^>]+>|\(baseline\)", "", name).strip(): re.search(r"\d\.\d\d|–", cell)[0] for name, cell in cells
    }
    means = {of: np.mean([(ann + bob) / 2 for _, name, _, ann, bob in rows if name == of]) for of in names[1:]}
    assert shown.pop("plain") == "–"
    assert {name: float(mean) for name, mean in shown.items()} == pytest.approx(means, abs=0.0051)
    assert "rate bad lower than good" in page
    assert "All pairs" not in page
    assert "<p>plain has no ratings, or too few: no finding about people is about them." in page
    assert "Every difference between rated systems is shown" in page
    assert "<p>plain: none of the outputs is rated; by ratings, systems are compared with good.</p>" in page
    own = raters.partition(" --ratings")[0]
    found = typed(f"report {files} --metric fluency_ngram --ratings w.csv {own} -o f.html", 0)
    assert "column 'output' of the ratings holds the outputs (--ratings-text-column output)" in found.err
    assert shown_of_people(read("f.html")) == shown_of_people(page)
    told = typed(f"human-score good.txt plain.txt bad.txt --ratings w.csv {raters}", 0)
    assert "left out: systems with fewer than 10 rated outputs: plain (0)" in told.err
    refusal = typed(f"human-score {files} --ratings w.csv {raters}", 1).err
    assert "plain: none of its 20 outputs is rated" in refusal
    err = typed(f"report {files} --values a=1 -o x.html", 2).err
    assert "--rating-column, --rater-column and --values are of --ratings FILE" in err


def test_the_column_of_raters_is_named_as_the_message_asks(folder):
    for name in ("base", "ours"):
        write(f"{name}.txt", [f"the {name} text number {n} is here" for n in range(20)])
    rows = [
        (f"the {name} text number {n} is here", name, who, n, 1 + (n + place) % 3 + lead)
        for name, lead in (("base", 0), ("ours", 2))
        for n in range(20)
        for place, who in enumerate(("ann", "bob", "cy", "dee", "eve"))
    ]
    write_table("r.csv", ["text", "system", "annotator", "item", "rating"], rows)
    line = "report base.txt ours.txt --metric fluency_ngram --ratings r.csv --scale 1-5 -o r.html"
    assert "--rater-column annotator" in typed(line, 1).err
    typed(f"{line} --rater-column annotator")
    assert "by 5 raters" in read("r.html")


def test_conditions_are_on_the_ratings_if_the_outputs_are_lines_of_text(folder):
    rows = []
    for name, lead in (("base", 0), ("ours", 2)):
        write(f"{name}.txt", [f"the {name} text number {n} is here" for n in range(12)])
        for n in range(12):
            text = f"the {name} text number {n} is here"
            rows += [(name, text, by, 1 + n % 3 + lead * (by == "style")) for by in ("style", "sense")]
    write_table("r.csv", ["system", "text", "criterion", "rating"], rows)
    typed(
        "report base.txt ours.txt --metric fluency_ngram --ratings r.csv --scale 1-5 --where criterion=style -o r.html"
    )
    page = read("r.html")
    assert "ours is higher than base" in page
    assert "sense" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
