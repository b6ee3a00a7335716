"""The command `train measure`, and scoring with its file."""

import pytest
from command_lines import as_json, typed
from text_files import write

WORDS = "the old cat saw a small dog in our garden yesterday"


@pytest.fixture(autouse=True)
def files(folder):
    rows = ["text,rating"]
    for i in range(40):
        words = WORDS.split()[: 4 + i % 7]
        rows.append(f"{' '.join(words[::-1] if i % 2 else words)}.,{i % 2}")
    write("ratings.csv", rows)
    write("texts.txt", "The cat saw a dog.\nDog a cat the saw.\n")


@pytest.mark.parametrize("metric", ["slor", "wpslor", "fluency"])
def test_fit_and_score(metric):
    told = typed(f"train measure ratings.csv --metric {metric} -o measure.npz")
    assert "of which length alone gives" in told.err
    result = as_json(f"score texts.txt --metric {metric} --measure measure.npz")
    assert "|measure:fitted-" in result["signature"]


@pytest.mark.parametrize(
    "line, status, message",
    [
        ("train measure ratings.csv --metric fluency --lm word -o measure.npz", 2, ""),
        ("train measure ratings.csv --rating-column none -o measure.npz", 1, "none"),
        ("train measure ratings.csv -o no/measure.npz", 1, ""),
        ("score ratings.csv --metric wpslor --measure probit", 1, "option --measure"),
    ],
)
def test_bad_input(line, status, message):
    assert message in typed(line, status).err
