"""The site: built without a network and without a warning, with every public name in its reference."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("referenceless_metrics", "bleu_neighbors_metric", "slor_metric", "quality_estimation_metric")

pytestmark = pytest.mark.docs


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("material", reason="needs mkdocs-material (docs)")
    pytest.importorskip("mkdocstrings", reason="needs mkdocstrings (docs)")
    pytest.importorskip("nbconvert", reason="needs nbconvert (docs)")
    folder = tmp_path_factory.mktemp("site")
    nowhere = "http://127.0.0.1:9"
    environment = {
        **os.environ,
        "NO_MKDOCS_2_WARNING": "1",
        "PYTHONPATH": str(ROOT),
        "http_proxy": nowhere,
        "https_proxy": nowhere,
    }
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(folder)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert "WARNING" not in done.stderr
    return folder


def objects(site: Path) -> set[str]:
    """Return every name that the reference describes, from its inventory."""
    content = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    return {line.split(" ")[0] for line in zlib.decompress(content).decode("utf-8").splitlines() if line}


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    described = objects(site)
    lacking = set()
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            public = getattr(module, name)
            place = f"{getattr(public, '__module__', '')}.{getattr(public, '__qualname__', name)}"
            if callable(public) and not {place, f"{package}.{name}"} & described:
                lacking.add(place)
    assert lacking == set()
    for name in ("metric_commons.metric.Metric", "metric_commons.results.MetricResult"):
        assert name in described


def test_every_adapter_of_a_framework_is_in_the_reference(site: Path) -> None:
    described = objects(site)
    for package in ("metric_commons", "bleu_neighbors_metric", "slor_metric"):
        for path in (ROOT / package / "integrations").glob("[a-z]*.py"):
            assert f"{package}.integrations.{path.stem}" in described


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    for page in ("index.html", "start.html", "reference/slor_metric.html"):
        text = (site / page).read_text(encoding="utf-8")
        assert 'src="http' not in text
        assert 'rel="stylesheet" href="http' not in text


def test_every_command_is_described(site: Path) -> None:
    text = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    for command in ("referenceless demo", "referenceless score", "referenceless reproduce kann"):
        assert command in text


def test_a_notebook_is_a_page_of_the_site(site: Path) -> None:
    text = (site / "tutorials" / "ratings.html").read_text(encoding="utf-8")
    assert "<h1" in text
    assert "!referenceless" not in text  # commands stand as on the other pages, to be copied
    assert 'href="files/ratings.ipynb"' in text
    assert (site / "tutorials" / "files" / "ratings.ipynb").is_file()
    assert 'href="tutorials/ratings.html"' in (site / "index.html").read_text(encoding="utf-8")
