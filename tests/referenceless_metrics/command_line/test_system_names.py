"""Systems are called by their files' names, or as --name says, in every command that reads several."""

import pytest
from command_lines import as_json, done, typed
from text_files import read, write, write_table

NAMED = "--name ours=out/v2.txt --name base=a.txt"


@pytest.fixture(autouse=True)
def files(folder):
    (folder / "out").mkdir()
    for file in ("a.txt", "out/v2.txt"):
        write(file, [f"the cat {n} sat on the mat" for n in range(12)])
    ratings = [(system, f"the cat {n} sat on the mat", n % 3) for system in ("base", "ours") for n in range(12)]
    write_table("ratings.csv", ("system", "text", "rating"), ratings)


def test_names_stand_in_results_and_pages():
    line = f"compare a.txt out/v2.txt --metric slor --n-samples 20 {NAMED}"
    assert [row["system"] for row in as_json(line)["rows"]] == ["base", "ours"]
    done(f"report a.txt out/v2.txt --metric slor --n-samples 20 {NAMED} -o page.html")
    assert "ours has the same outputs as base" in read("page.html")
    found = as_json(f"human-score a.txt out/v2.txt --ratings ratings.csv {NAMED}")
    assert {row["system"] for row in found["rows"]} == {"base", "ours"}


def test_files_that_are_named_need_not_stand_twice():
    names = "--name base=a.txt --name ours=out/v2.txt"
    found = as_json(f"compare {names} --metric slor --n-samples 20")
    assert [row["system"] for row in found["rows"]] == ["base", "ours"]
    typed(f"sample {names} -n 10 -o study")
    assert {row["system"] for row in as_json(f"human-score {names} --ratings ratings.csv")["rows"]} == {"base", "ours"}


@pytest.mark.parametrize(
    "given, told",
    [
        ("--name ours", "expected NAME=FILE"),
        ("--name ours=none.txt", "no system is read from none.txt"),
        ("--name v2=a.txt", "two systems have one name"),
        ("--name x=a.txt --name x=out/v2.txt", "a name of its own for each file"),
    ],
)
def test_names_that_cannot_be(given, told):
    assert told in " ".join(typed(f"compare a.txt out/v2.txt --metric slor {given}", 2).err.split())
