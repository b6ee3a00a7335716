"""The README and the pages of docs/: every code block runs, every link leads somewhere, every extra is described."""

import re
import tomllib

import pytest
from documents import ROOT, blocks, run_document
from text_files import read

from referenceless_metrics.demo import write_example_files

EVIDENCE = ROOT / "papers" / "docs"  # an sdist of the product holds none
PAGES = sorted((ROOT / "docs").rglob("*.md")) + sorted(EVIDENCE.glob("*.md"))
CARDS = sorted((ROOT / "hub_cards").rglob("*.md"))
NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))  # they are run by tests/docs/test_tutorials.py
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES, *NOTEBOOKS, *CARDS]
_LINK = re.compile(r"\]\((?!https?://|#|mailto:)([^)#\s]+)")


@pytest.fixture
def offline(own_modules_cache, monkeypatch):
    monkeypatch.setattr("evaluate.config.HF_EVALUATE_OFFLINE", True)


#: Guides that take seconds, or that need the extra `long`.
_LONG = set("calibrate_your_judge data_frames error_spans frameworks judging_metrics reports scikit_learn".split())


def _page(path):
    """A page as a parameter."""
    marks = [pytest.mark.long] if path.stem in _LONG else []
    return pytest.param(path, id=path.relative_to(ROOT).as_posix(), marks=marks)


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize("path", [_page(path) for path in PAGES])
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
        *CARDS,
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
    for link in _LINK.findall(read(path)):
        target = (path.parent / link).resolve()
        left_out = target.is_relative_to(EVIDENCE) and not EVIDENCE.is_dir()
        assert target.exists() or left_out, f"{path.name}: {link}"


def expanded(requirements, extras, groups):
    """The requirements that a list names, those of extras and groups that it includes among them."""
    found = set()
    for one in requirements:
        own = one if isinstance(one, str) else ""
        if included := re.fullmatch(r"referenceless-metrics\[([\w,-]+)\]", own):
            found |= {each for name in included[1].split(",") for each in expanded(extras[name], extras, groups)}
        elif not own:
            found |= expanded(groups[one["include-group"]], extras, groups)
        else:
            found.add(own)
    return found


def test_dependency_groups_are_the_extras_of_their_names():
    project = tomllib.loads(read(ROOT / "pyproject.toml"))
    extras, groups = project["project"]["optional-dependencies"], project["dependency-groups"]
    assert set(groups) == {"dev", "test", "docs", "long"}
    for name, requirements in groups.items():
        assert expanded(requirements, extras, groups) == expanded(extras[name], extras, groups), name


def test_every_extra_is_described():
    extras = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]["optional-dependencies"]
    text = read(ROOT / "docs" / "guides" / "installing.md")
    assert {name for name in extras if f"`{name}`" not in text} == set()
