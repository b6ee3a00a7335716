"""The demonstration: prose above salad, an abstention, a refusal, and files that the commands take."""

from pathlib import Path

import pytest
from command_lines import done, invoke
from text_files import ROOT, read

from referenceless_metrics.demo import NEXT, sections

PAIRS = (
    ("The mayor opened the new bridge on Sunday.", "The mayor opened new the bridge Sunday on."),
    ("Heavy rain is expected in the north tonight.", "Rain rain heavy the the north tonight expected."),
)


@pytest.fixture(scope="module")
def shown():
    return {section.title: section for section in sections(every=True)}


@pytest.mark.parametrize("title", ["WPSLOR", "SLOR", "Fluency", "ROUGE-LM"])
def test_prose_stands_above_its_salad(shown, title):
    for prose, salad in PAIRS:
        assert shown[title].body.index(prose) < shown[title].body.index(salad)


def test_the_readme_shows_what_the_demonstration_prints(shown):
    readme = read(ROOT / "README.md")
    printed = {line.rstrip() for line in shown["Fluency"].body.splitlines()}
    rows = readme.partition("```text\n")[2].partition("```")[0].splitlines()
    assert len(rows) == 5
    assert {row for row in rows if row not in printed} == set()


def test_an_abstention_and_a_refusal_say_why(shown):
    assert "mostly numbers and signs" in shown["Fluency"].body
    refusal = shown["A claim that is refused"].body
    assert refusal.startswith("Refused: ")
    assert "none of its 12 outputs is rated" in refusal.replace("\n", " ")


def test_the_command_ends_with_commands_that_run(folder, own_modules_cache):
    result = done("demo")
    assert result.stdout.rstrip().endswith(NEXT.rstrip())
    assert "Refused: ours" in result.stdout
    assert done("demo --files .").stdout.startswith("Example files: ")
    assert Path("ratings.csv").exists()
    commands = [line.strip().split("  ")[0].removeprefix("referenceless ") for line in NEXT.strip().split("\n")[1:]]
    assert len(commands) == 4
    for command in commands:
        done(command)


def test_example_files_replace_no_file_of_ones_own(folder):
    Path("ratings.csv").write_text("text,rating\nmine,1\n")
    result = invoke("demo --files .")
    assert isinstance(result.exception, FileExistsError)
    assert "ratings.csv; nothing was written: name another folder" in str(result.exception)
    assert result.stdout == ""
    assert [path.name for path in folder.iterdir()] == ["ratings.csv"]
    assert read("ratings.csv") == "text,rating\nmine,1\n"
