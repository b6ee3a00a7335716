"""The site: built without a network and without a warning or a dead link, with a page for every public name."""

import importlib
import re
import zlib
from urllib.parse import unquote

import pytest
from command_lines import python
from text_files import ROOT, read

PACKAGES = ("referenceless_metrics", "bleu_neighbors_metric", "slor_metric", "quality_estimation_metric")

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
