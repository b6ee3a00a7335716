"""The README and the pages of docs/: every code block runs, every link leads somewhere, every extra is described."""

import re
import tomllib

import pytest
from documents import ROOT, blocks, run_document
from text_files import read

from referenceless_metrics.demo import write_example_files

PAGES = sorted((ROOT / "docs").rglob("*.md"))
NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))  # they are run by tests/docs/test_tutorials.py
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES, *NOTEBOOKS]
_LINK = re.compile(r"\]\((?!https?://|#|mailto:)([^)#\s]+)")


@pytest.fixture
def offline(own_modules_cache, monkeypatch):
    monkeypatch.setattr("evaluate.config.HF_EVALUATE_OFFLINE", True)


def _page(path):
    """A page as a parameter; that of frameworks runs where the extra `long` has them all."""
    name = path.relative_to(ROOT / "docs").as_posix()
    return pytest.param(path, id=name, marks=[pytest.mark.long] if name == "guides/frameworks.md" else [])


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize("path", map(_page, PAGES))
def test_every_block_of_a_page_runs(path, tmp_path):
    if not blocks(path):
        pytest.skip("no code")
    write_example_files(tmp_path)
    run_document(path, tmp_path)


@pytest.mark.usefixtures("offline")
def test_every_block_of_the_readme_runs(tmp_path):
    from bleu_neighbors_metric.example import example_candidates, example_pool

    write_example_files(tmp_path)
    pool = example_pool()
    names = {"outputs": example_candidates(), "rated_texts": pool.texts, "ratings": pool.ratings}
    assert run_document(ROOT / "README.md", tmp_path, **names) >= 5


def test_users_import_one_package():
    others = re.compile(
        r"(from|import) (referenceless_metrics.core|bleu_neighbors_metric|slor_metric|quality_estimation_metric)\b"
    )
    pages = [
        ROOT / "README.md",
        *PAGES,
        *NOTEBOOKS,
        *(ROOT / "hub_cards").rglob("*.md"),
        *(ROOT / "examples").glob("*.py"),
    ]
    assert [page.name for page in pages if others.search(read(page))] == []


def test_the_readme_is_short_and_begins_with_what_and_two_commands():
    lines = read(ROOT / "README.md").splitlines()
    assert len(lines) <= 150
    first = "\n".join(lines[:45])
    test_command = 'pip install ".[test]" ./papers && pytest -n auto --dist loadfile'
    for wanted in ("pip install . && referenceless demo", test_command, "!["):
        assert wanted in first
    if (ROOT / ".ci" / "run").is_file():
        assert test_command in read(ROOT / ".ci" / "run")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_between_files_lead_somewhere(path):
    from_site = {"reproductions/bleu_neighbors.md", "reproductions/slor.md", "reproductions/quality_estimation.md"}
    from_site |= {"reproductions/open_questions.md"}
    from_site |= {f"cards/{card.name}" for card in (ROOT / "hub_cards" / "metrics").glob("*.md")}
    for link in _LINK.findall(read(path)):
        target = (path.parent / link).resolve()
        generated = link.removeprefix("../") in from_site or "reproductions/figures/" in link
        assert generated or target.exists(), f"{path.name}: {link}"


def test_the_architectures_answers_stand_where_it_says():
    """`NAME` in `FILE`; whether names and files are there at all is tested with those of all documents."""
    places = [path for pattern in ("*_*/**/*.py", "papers/*/**/*.py") for path in ROOT.glob(pattern)]
    for name, file in re.findall(r"`(\w+)` in `([\w./]+\.py)`", read(ROOT / "ARCHITECTURE.md")):
        found = [path for path in places if f"/{path.relative_to(ROOT).as_posix()}".endswith(f"/{file}")]
        assert any(re.search(rf"\b{name}\b", read(path)) for path in found), (name, file)


def test_every_extra_is_described():
    extras = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]["optional-dependencies"]
    text = read(ROOT / "docs" / "guides" / "installing.md")
    assert {name for name in extras if f"`{name}`" not in text} == set()
