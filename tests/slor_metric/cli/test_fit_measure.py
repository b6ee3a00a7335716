"""The command `fit-measure`, and scoring with what it writes."""

import csv
import json

import pytest
from command_lines import status

WORDS = ["the", "old", "cat", "saw", "a", "small", "dog", "in", "our", "garden", "yesterday"]


@pytest.fixture
def ratings(tmp_path):
    path = tmp_path / "ratings.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "rating"])
        for i in range(40):
            words = WORDS[: 4 + i % 7]
            writer.writerow([" ".join(words[::-1] if i % 2 else words) + ".", i % 2])
    return str(path)


@pytest.mark.parametrize("metric", ["slor", "wpslor", "fluency"])
def test_fit_and_score(metric, ratings, tmp_path, capsys):
    measure = str(tmp_path / "measure.npz")
    assert status("train", "measure", ratings, "--metric", metric, "-o", measure) == 0
    assert "of which length alone gives" in capsys.readouterr().err
    texts = tmp_path / "texts.txt"
    texts.write_text("The cat saw a dog.\nDog a cat the saw.\n", encoding="utf-8")
    assert status("score", str(texts), "--metric", metric, "--measure", measure, "--format", "json") == 0
    result = json.loads(capsys.readouterr().out)
    assert "|measure:fitted-" in result["signature"]


def test_bad_input(ratings, tmp_path, capsys):
    out = str(tmp_path / "measure.npz")
    assert status("train", "measure", ratings, "--metric", "fluency", "--lm", "word", "-o", out) == 2
    assert status("train", "measure", ratings, "--rating-column", "none", "-o", out) == 1
    assert "none" in capsys.readouterr().err
    assert status("train", "measure", ratings, "-o", str(tmp_path / "no" / "measure.npz")) == 1
    assert status("score", ratings, "--metric", "wpslor", "--measure", "probit") == 1
    assert "option --measure" in capsys.readouterr().err
