"""Figures that documents name: each has one home, where it is measured or explained, and the others agree with it."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from documents import ROOT
from text_files import read


class Named(NamedTuple):
    """A figure with its home, the pattern that finds it there, and the patterns that find it elsewhere."""

    home: str
    pattern: str
    elsewhere: tuple[tuple[str, str], ...] = ()


CHOOSE, WPSLOR, PUBLIC, README = (
    "docs/guides/choose.md",
    "hub_cards/metrics/wpslor.md",
    "papers/docs/public_table.md",
    "README.md",
)
FIGURES = {
    "megabytes of a bare installation": Named("docs/guides/installing.md", r"memory: (\d+) MB on"),
    "r of WPSLOR as published, Simplicity-DA": Named(
        WPSLOR,
        r"\| WPSLOR \| 0\.437 \| [\d.]+ \| ([\d.]+) \|",
        ((CHOOSE, r"Simplicity-DA fluency \(600 outputs, 10 references\) \| ([\d.]+) \|"),),
    ),
    "r of WPSLOR as published, GUG": Named(
        WPSLOR,
        r"\| WPSLOR \| 0\.437 \| ([\d.]+) \|",
        ((CHOOSE, r"GUG, test split \(754 learner sentences\) \| ([\d.]+) \|"),),
    ),
    "r of WPSLOR by default, Simplicity-DA": Named(
        WPSLOR, r"WPSLOR has 0\.433 and\s+([\d.]+):", ((CHOOSE, r"it has ([\d.]+) on Simplicity-DA"),)
    ),
    "published ρ of BLEU Neighbors": Named(
        README, r"published, Table 1 \| [\d.]+ \| 0([\d.]+) \|", ((README, r"\(published: ([\d.]+)\)"),)
    ),
}


def found(file: str, pattern: str) -> str:
    matches = re.findall(pattern, read(ROOT / file))
    assert len(matches) == 1, f"{file}: {pattern} stands there {len(matches)} times"
    return str(matches[0])


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_the_same_wherever_it_stands(name):
    figure = FIGURES[name]
    if not (ROOT / figure.home).is_file():
        pytest.skip("needs the project's documentation")
    value = found(figure.home, figure.pattern)
    for file, pattern in figure.elsewhere:
        assert found(file, pattern) == value, f"{name}: {file} disagrees with {figure.home}"


def test_the_default_r_of_wpslor_is_that_of_the_public_table_in_two_digits():
    if not (ROOT / PUBLIC).is_file():
        pytest.skip("needs the evidence")
    _, _, section = read(ROOT / PUBLIC).partition("## Simplicity-DA, fluency")
    (in_table,) = re.findall(r"\| WPSLOR +\| 1\.00 +\| ([\d.]+) \[", section.partition("\n## ")[0])
    assert found(*FIGURES["r of WPSLOR by default, Simplicity-DA"][:2])[:4] == "0.34"
    assert in_table == "0.35"  # 596 distinct texts there, 600 outputs here


def test_speeds_of_packaged_models_stand_in_the_guide_on_speed_alone():
    speed = re.compile(r"[\d,]+ (?:[a-z]+ )*sentences (?:of \d+ words )?(?:a|per) (?:CPU )?second")
    of_a_large_model = "48 sentences a CPU second"  # SmolLM2, in the guide on language models
    documents = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "hub_cards").rglob("*.md"), ROOT / "README.md"]
    told = [
        (path.name, speech)
        for path in documents
        if path.is_file() and path.name != "speed.md"
        for speech in speed.findall(read(path))
        if speech != of_a_large_model
    ]
    assert told == []


def test_the_readme_has_ten_links_at_most_beside_its_pictures():
    text = re.sub(r"!\[.*?\]\(.*?\)", "", read(ROOT / "README.md"), flags=re.DOTALL)
    links = re.findall(r"\]\((.+?)\)", text)
    assert len(links) <= 10, links
    assert all(link.startswith("http") or Path(ROOT / link).exists() for link in links)
