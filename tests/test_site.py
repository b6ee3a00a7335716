"""The site: built without a network and without a warning or a dead link, with a page for every public name."""

import importlib
import re
import time
import zlib
from urllib.parse import unquote

import pytest
from command_lines import python
from page_standards import all_findings, widest
from text_files import ROOT, read
from web_pages import open_browser, show

PACKAGES = ("referenceless_metrics", "bleu_neighbors_metric", "slor_metric", "quality_estimation_metric")

#: Searches of people, each with pages that answer it.
SEARCHES = {
    "determinism": ("questions.html#are-scores-deterministic",),
    "a million lines": ("questions.html#how-do-i-score-a-million-lines",),
    "what is coverage": ("questions.html#what-is-coverage",),
    "two checkpoints": ("questions.html#which-of-two-checkpoints-is-better",),
    "the star": ("questions.html#what-do-the-star",),
    "does my text leave my machine": ("questions.html#does-my-text-leave-my-machine",),
    "paragraphs": ("questions.html#how-does-it-score-paragraphs",),
    "LaTeX": ("questions.html#how-do-i-get-a-table-in-latex",),
    "resume": ("questions.html#how-do-i-score-a-million-lines",),
    "which α is good": ("questions.html#which-is-good-how-far",),
    "p value": ("questions.html#what-do-the-star",),
    "methods section": ("questions.html#what-do-i-write-in-the-methods-section",),
    "inter-annotator agreement": ("questions.html#which-is-good-how-far", "guides/studies.html#do-the-raters-agree"),
    "NaN": ("questions.html#why-has-a-text-no-score",),
    "hallucination": ("questions.html#what-can-it-not-do",),
    "how many raters": ("questions.html#how-many-ratings-do-i-need",),
    "json file": ("guides/from_your_file.html",),
    "my metric in Trainer": ("guides/frameworks.html#trainer",),
    "does it work on Windows": ("questions.html#does-it-run-on-windows",),
    "German": ("questions.html#does-it-work-for-german",),
}
#: Most entries of the bar at the side, and of the contents of a page.
MOST_ENTRIES = 25
_FIRST_FOUND = """
const items = [...document.querySelectorAll(".md-search-result__item")].slice(0, 3);
return items.map(item => [...item.querySelectorAll("a")].slice(0, 3).map(link => link.href));
"""

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    for module in ("material", "mkdocstrings", "nbconvert", "latex2mathml"):
        pytest.importorskip(module)
    folder = tmp_path_factory.mktemp("site")
    nowhere = "http://127.0.0.1:9"
    environ = {"NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT), "http_proxy": nowhere, "https_proxy": nowhere}
    done = python("-m", "mkdocs", "build", "--strict", "-d", folder, cwd=ROOT, environ=environ)
    assert "WARNING" not in done.stderr
    return folder


def objects(site):
    """Return every name that the reference describes, from its inventory."""
    content = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    return {line.split(" ")[0] for line in zlib.decompress(content).decode("utf-8").splitlines() if line}


def test_every_public_name_has_a_page_of_its_own(site):
    modules = (
        *PACKAGES,
        "referenceless_metrics.core.metric",
        "referenceless_metrics.core.results",
        "referenceless_metrics.core.registry",
    )
    protocol = {
        "referenceless_metrics.core.metric.Metric",
        "referenceless_metrics.core.results.MetricResult",
        "referenceless_metrics.core.registry.MetricSpec",
    }
    for place in {
        f"{package}.{name}" for package in PACKAGES for name in importlib.import_module(package).__all__
    } | protocol:
        module, _, name = place.rpartition(".")
        if callable(getattr(importlib.import_module(module), name)):
            text = read(site / "reference" / f"{name}.html")
            assert any(f'id="{each}.{name}"' in text for each in modules), place


def test_no_link_between_pages_is_dead(site):
    pages = {page: read(page) for page in site.rglob("*.html") if page.name != "404.html"}
    anchors = {page: set(re.findall(r'\bid="([^"]+)"', text)) for page, text in pages.items()}
    dead = set()
    for page, text in pages.items():
        for link in set(re.findall(r'\b(?:href|src)="(?!\w+:)([^"]+)"', text)):
            path, _, anchor = unquote(link).partition("#")
            target = (page.parent / path.partition("?")[0]).resolve() if path else page
            target = target / "index.html" if target.is_dir() else target
            if not target.exists() or (anchor and target in pages and anchor not in anchors[target]):
                dead.add(f"{page.name}: {link}")
    assert dead == set()


def test_every_adapter_of_a_framework_is_in_the_reference(site):
    described = objects(site)
    for package in ("referenceless_metrics.core", "bleu_neighbors_metric", "slor_metric"):
        for path in (ROOT / package / "integrations").glob("[a-z]*.py"):
            assert f"{package}.integrations.{path.stem}" in described


def test_pages_load_nothing_from_elsewhere_and_search_from_disk(site):
    for page in site.rglob("*.html"):
        text = read(page)
        assert 'src="http' not in text
        assert 'rel="stylesheet" href="http' not in text
    assert 'src="vendor/iframe-worker.js"' in read(site / "index.html")
    assert (site / "search" / "search_index.js").is_file()


def test_a_notebook_is_a_page_of_the_site(site):
    text = read(site / "tutorials" / "ratings.html")
    assert "<h1" in text
    assert "!referenceless" not in text  # commands stand as on the other pages, to be copied
    assert 'href="files/ratings.ipynb"' in text
    assert 'src="data:image/svg+xml;base64,' in text  # Markdown would break a drawing that stands in the page itself
    assert (site / "tutorials" / "files" / "ratings.ipynb").is_file()
    assert 'href="tutorials/ratings.html"' in read(site / "index.html")


def test_no_page_shows_more_entries_at_its_sides_than_one_can_overlook(site):
    shown = {}
    for page in site.rglob("*.html"):
        text = read(page)
        bar, _, rest = text.partition("md-sidebar--primary")[2].partition("md-sidebar--secondary")
        contents, _, _ = rest.partition('class="md-content"')
        pages = re.findall(r'<a href="(?!#)[^"]*" class="md-nav__link', bar)  # on a telephone it has the contents, too
        parts = re.findall(r'<a href="#[^"]*" class="md-nav__link', contents)
        shown[page.relative_to(site).as_posix()] = max(len(pages), len(parts))
    assert shown["guides/choose.html"] > MOST_ENTRIES // 2  # entries are found at all
    assert {page: number for page, number in shown.items() if number > MOST_ENTRIES} == {}


@pytest.mark.browser
def test_pages_are_accessible_in_light_and_dark_on_a_desk_and_on_a_telephone(site, tmp_path):
    with open_browser(tmp_path) as browser:
        for width in (1280, 390):
            for scheme in ("default", "slate"):
                for page in ("index", "questions", "guides/choose", "reference/Fluency"):
                    address = (site / f"{page}.html").as_uri()
                    show(browser, address, width, {"default": "light", "slate": "dark"}[scheme])
                    browser.execute_script("localStorage.clear()")  # which keeps the scheme of the first visit
                    browser.get(address)
                    assert browser.execute_script("return document.body.dataset.mdColorScheme") == scheme
                    assert all_findings(browser) == []
                    assert widest(browser) <= width


@pytest.mark.browser
def test_the_search_answers_what_people_ask(site, tmp_path):
    dead_ends = {}
    with open_browser(tmp_path) as browser:
        browser.get((site / "index.html").as_uri())
        browser.execute_script("document.querySelector('#__search').click()")
        box = browser.find_element("css selector", ".md-search__input")
        for question, pages in SEARCHES.items():
            found = searched(browser, box, question)
            if not any(page in link for page in pages for links in found for link in links):
                dead_ends[question] = found
    assert dead_ends == {}


def searched(browser, box, question):
    """Type a question into the site's search; return the first links of the first three pages that it finds."""
    browser.execute_script("arguments[0].value = ''; arguments[0].dispatchEvent(new Event('keyup'))", box)
    box.send_keys(question)
    before: list[list[str]] = []
    for _ in range(40):
        time.sleep(0.25)
        found = browser.execute_script(_FIRST_FOUND)
        if found and found == before:
            break
        before = found
    return before
