"""Figures that documents name: each has one home, which measures or explains it, and the others agree with it."""

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
FLUENCY, NEIGHBORS, GLOSSARY, QUESTIONS, INSTALLING = (
    "hub_cards/metrics/fluency.md",
    "hub_cards/metrics/bleu_neighbors.md",
    "docs/glossary.md",
    "docs/questions.md",
    "docs/guides/installing.md",
)


def _rated_low(place: int) -> str:
    """Return the pattern of the ratings in 100 that are low, in Fluency's card: near 1, 0, −1, −2, −3, −3.5."""
    return r"ratings of GUG that are low" + r" \| [\d.]+" * place + r" \| 0\.0?(\d+) \|"


def _default(place: int) -> str:
    """Return the pattern of the default's MSE, ρ or coverage on HUSE, in BLEU Neighbors' card."""
    return r"\| the default: characters, .* weights" + r" \| [\d.]+" * place + r" \| 0(\.\d+) \|"


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
    "ratings that are low near 0": Named(
        FLUENCY,
        _rated_low(1),
        ((GLOSSARY, r", (\d+) near 0,"), (QUESTIONS, r"(\d+) in 100 are low \(1 or 2 of 4\) near 0")),
    ),
    "ratings that are low near −2": Named(
        FLUENCY, _rated_low(3), ((GLOSSARY, r", (\d+) near −2,"), (QUESTIONS, r", (\d+) near −2 and"))
    ),
    "ratings that are low at −3.5 or less": Named(
        FLUENCY, _rated_low(5), ((GLOSSARY, r"and (\d+) at −3\.5 or"), (QUESTIONS, r"and\s+(\d+) at −3\.5 or"))
    ),
    "MSE of BLEU Neighbors by default, HUSE": Named(
        NEIGHBORS,
        _default(0),
        (
            (CHOOSE, r"it has MSE 0(\.\d+),"),
            (README, r"`BLEUNeighbors\(\)`, the default: .* \| 0(\.\d+) \| 0\.\d+ \| 0\."),
        ),
    ),
    "ρ of BLEU Neighbors by default, HUSE": Named(
        NEIGHBORS,
        _default(1),
        (
            (CHOOSE, r"it has MSE [\d.]+, ρ 0(\.\d+) and"),
            (CHOOSE, r"HUSE headlines, typicality \| (\.\d+) \|"),
            (README, r"`BLEUNeighbors\(\)`, the default: .* \| 0(\.\d+) \| 0\.\d+ \|\n"),
        ),
    ),
    "coverage of BLEU Neighbors by default, HUSE": Named(
        NEIGHBORS,
        _default(2),
        (
            (CHOOSE, r"it has MSE [\d.]+, ρ [\d.]+ and coverage 0(\.\d+)\."),
            (CHOOSE, r"HUSE headlines, typicality \| \.\d+ \| (\.\d+) \|"),
            (README, r"`BLEUNeighbors\(\)`, the default: .* \| 0(\.\d+) \|\n"),
        ),
    ),
    "draws in which BLEU Neighbors ranked WEN higher": Named(
        README,
        r"the metric ranked WEN higher in (\d+ of \d+) draws",
        (
            (CHOOSE, r"ranked WEN higher in (\d+ of \d+) draws"),
            (NEIGHBORS, r"ranked another higher in (\d+ of \d+) draws"),
        ),
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


def test_sizes_of_an_installation_add_up_and_stand_in_the_guide_alone():
    if not (ROOT / INSTALLING).is_file():
        pytest.skip("needs the project's documentation")
    sizes = re.search(
        r"(\d+) MB, beside (\d+) MB of our own, of which (\d+) are .*?: (\d+) MB on", read(ROOT / INSTALLING)
    )
    others, own, models, whole = map(int, sizes.groups())
    assert others + own == whole
    packaged = sum(path.stat().st_size for path in ROOT.glob("*_metric*/data/*.safetensors")) / 2**20
    assert models == pytest.approx(packaged, abs=1)
    elsewhere = [path for folder in ("docs", "hub_cards") for path in (ROOT / folder).rglob("*.md")]
    told = [path.name for path in [*elsewhere, ROOT / README] if re.search(r"\b6\d\d MB\b", read(path))]
    assert told == ["installing.md"]


def test_the_readme_rounds_the_default_rho_of_bleu_neighbors():
    rho = float(found(NEIGHBORS, _default(1)))
    assert found(README, r"198 headlines ρ is (\.\d\d) \(") == f"{rho:.2f}".removeprefix("0")


@pytest.mark.parametrize(
    "place, section", [(5, "USR (Topical-Chat), naturalness"), (6, "HUSE headlines")], ids=["USR", "HUSE"]
)
def test_fluency_s_r_is_that_of_the_public_table_in_two_digits(place, section):
    if not (ROOT / PUBLIC).is_file():
        pytest.skip("needs the evidence")
    r = found(FLUENCY, r"\| \*\*Fluency\*\* \(GUG's .*?\)" + r" \| [−\d.]+" * place + r" \| (−?[\d.]+)").replace(
        "−", "-"
    )
    _, _, rest = read(ROOT / PUBLIC).partition(f"## {section}")
    (in_table,) = re.findall(r"\| Fluency +\| [\d.]+ +\| (−?[\d.]+) \[", rest.partition("\n## ")[0])
    assert float(in_table.replace("−", "-")) == pytest.approx(float(r), abs=0.0051)


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
