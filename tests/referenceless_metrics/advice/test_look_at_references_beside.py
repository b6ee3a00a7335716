"""References that nothing calls so: told by the files and the columns beside them."""

import json

import pytest
from command_lines import typed
from text_files import write

pytestmark = pytest.mark.filterwarnings("ignore")

ENGLISH = ["The bus was late again this morning.", "A fire broke out in the old town hall.", "They won the last game."]
GERMAN = [
    "Der Bus kam heute wieder zu spät.",
    "Im alten Rathaus ist ein Feuer ausgebrochen.",
    "Sie gewannen das Spiel.",
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def together(*files):
    """Return the lines below those of each file."""
    told = typed(f"look {' '.join(files)}").out
    return [line for line in told.partition("Together:")[2].splitlines() if line.startswith("referenceless ")]


def lines(texts, change=""):
    return "".join(f"{text[:-1]}{change} {n}.\n" for n in range(8) for text in texts)


def test_a_file_that_is_called_as_the_sources_but_for_its_language_holds_references():
    write("test.de", lines(GERMAN))
    write("test.en", lines(ENGLISH))
    write("hyp.extra.en", lines(ENGLISH, " it said"))
    write("hyp.baseline.en", lines(ENGLISH, " they said"))
    found = together("hyp.baseline.en", "hyp.extra.en", "test.de", "test.en")
    assert found[0].startswith("referenceless compare hyp.baseline.en hyp.extra.en --references test.en")
    assert "--sources test.de" in found[0]
    assert not any("hyp.extra.en test.en" in line for line in found)


def test_references_and_sources_are_told_of_outputs_in_another_language_too():
    write("news.en", lines(ENGLISH))
    write("news.de", lines(GERMAN))
    write("one.de", lines(GERMAN, " sagte er"))
    write("two.de", lines(GERMAN, " sagte sie"))
    found = together("news.de", "news.en", "one.de", "two.de")
    by = "--references news.de --metric bleu --metric chrf --sources news.en"
    assert f"referenceless compare one.de two.de {by}" in found
    assert any(line.startswith("referenceless sample one.de two.de --sources news.en") for line in found)


def test_the_baseline_stands_first_whatever_the_alphabet():
    write("adapted.en", lines(ENGLISH, " it said"))
    write("baseline.en", lines(ENGLISH, " they said"))
    assert together("adapted.en", "baseline.en")[0] == "referenceless compare baseline.en adapted.en"


@pytest.mark.parametrize("output", ["prediction", "said"])
def test_a_column_with_the_same_texts_in_the_files_of_two_systems_is_the_reference(output):
    for system, change in (("base", " it said"), ("ours", " they said")):
        rows = [
            {
                "id": f"n{n}",
                "document": f"{text} {text} {n}",
                "summary": f"{text} {n}",
                output: f"{text[:-1]}{change} {n}",
            }
            for n, text in enumerate(ENGLISH * 6)
        ]
        write(f"{system}.jsonl", "\n".join(map(json.dumps, rows)))
    found = together("base.jsonl", "ours.jsonl")
    assert found[0].startswith(f"referenceless compare base.jsonl ours.jsonl --text-column {output}")
    assert "--reference-columns summary" in found[0]
    assert not any("--text-column summary" in line for line in found)


@pytest.mark.parametrize(("source", "same"), [("document", "ending"), ("where", "beginning")])
def test_texts_of_any_name_that_are_the_same_in_two_files_are_no_outputs(source, same):
    for system, change in (("base", " it said"), ("ours", " they said")):
        rows = []
        for n, text in enumerate(ENGLISH * 6):
            beside = f"{text} {n}" if source == "document" else ("north", "south")[n % 2]
            rows.append({"id": f"n{n}", source: beside, same: f"{text} {n}", "gen": f"{text[:-1]}{change} {n}"})
        write(f"{system}.jsonl", "\n".join(map(json.dumps, rows)))
    found = together("base.jsonl", "ours.jsonl")
    assert found[0].startswith("referenceless compare base.jsonl ours.jsonl --text-column gen")
    assert (f"--reference-columns {same}" in found[0]) == (source == "document")
