"""`referenceless human-score`: scores of systems from ratings and estimates, and what it refuses."""

import csv
import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

from referenceless_metrics.cli import cli

N = 120


def write(path, columns, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *rows])


@pytest.fixture
def folder(tmp_path):
    """Two systems whose second is rated a point lower, with estimates that follow the ratings."""
    rng = np.random.default_rng(0)
    rated = []
    for name, shift in (("base", 0.0), ("ours", -1.0)):
        truth = np.clip(rng.normal(4 + shift, 0.7, N), 1, 6)
        texts = [f"{name} says that number {i} is fine" for i in range(N)]
        write(tmp_path / f"{name}.csv", ["text", "guess"], zip(texts, truth + rng.normal(0, 0.4, N), strict=True))
        rated += [(texts[i], truth[i], name) for i in range(40)]
    write(tmp_path / "rated.csv", ["text", "rating", "system"], rated)
    return tmp_path


def run(folder, *arguments):
    files = [str(folder / item) if (folder / item).exists() else item for item in arguments]
    return CliRunner().invoke(cli, ["human-score", *files])


GIVEN = ("base.csv", "ours.csv", "--ratings", "rated.csv", "--estimates-column", "guess")


def test_scores_and_difference(folder):
    result = run(folder, *GIVEN, "--format", "json")
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    base, ours, difference = content["rows"]
    assert base["system"] == "base.csv"
    assert base["rated"] == ours["rated"] == 40
    assert base["low"] < 4 < base["high"]
    assert difference["less"] == "base.csv"
    assert difference["high"] < -0.5
    assert difference["p"] < 0.001
    assert 0.1 < base["narrower"] < 0.5  # r is about .87
    assert any("People rate ours.csv lower than base.csv" in line for line in content["findings"])
    assert any("needs about" in line for line in content["findings"])


def test_any_metric_and_rescaling(folder):
    arguments = ("base.csv", "ours.csv", "--ratings", "rated.csv", "--rescale", "1:6")
    pool = ("--metric", "bleu_neighbors", "--pool", "rated.csv", "--rating-column", "rating", "--threshold", "auto")
    result = run(folder, *arguments, "--metric", "wpslor", "--format", "csv")
    assert result.exit_code == 0, result.output
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert 0 < float(rows[0]["mean"]) < 1
    refused = run(folder, *arguments, *pool)  # the pool is from 1 to 6, the ratings now are not
    assert refused.exit_code == 1
    assert "different scales" in str(refused.exception)
    crossed = run(folder, *GIVEN[:4], *pool)
    assert crossed.exit_code == 0, crossed.output
    assert "cross-fitted in folds, since 80 of its texts are rated outputs" in crossed.stdout


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (
            lambda rated: "".join(line for line in rated.splitlines(True) if ",base" not in line),
            "base.csv: none of its 120",
        ),
        (
            lambda rated: "".join(rated.splitlines(True)[:41] + rated.splitlines(True)[-3:]),
            "ours.csv: 3 of its 120 outputs are rated, too",
        ),
        (lambda rated: rated.replace(",base", ",x").replace(",ours", ",y"), "ratings of other systems say nothing"),
        (lambda rated: rated.replace("base says", "nobody says"), "rated texts are among the outputs of the system"),
        (lambda rated: re.sub(r",[\d.]+(\d),ours", r",8\1,ours", rated), "different scales"),
    ],
)
def test_refusals(folder, spoil, message):
    rated = (folder / "rated.csv").read_text(encoding="utf-8")
    (folder / "rated.csv").write_text(spoil(rated), encoding="utf-8")
    result = run(folder, *GIVEN)
    assert result.exit_code == 1
    assert message in str(result.exception)


def test_usage(folder):
    assert "LOW:HIGH" in run(folder, *GIVEN, "--rescale", "5").output
    assert "--rescale is given 2 times" in run(folder, *GIVEN, "--rescale", "1:6", "--rescale", "1:7").output
    assert "needs references" in run(folder, *GIVEN[:4], "--metric", "rouge_lm").output


RATERS = [f"rater {number}" for number in range(9)]


@pytest.fixture
def long_table(tmp_path):
    """Ratings of two systems on 15 items by two of nine raters each, 1 to 5; ours is a point better."""
    generator = np.random.default_rng(4)
    rows = []
    for item in range(15):
        of_item = generator.normal()
        for rater in generator.choice(RATERS, 2, replace=False):
            for system, mean in (("base", 2.6), ("ours", 3.8)):
                rating = int(np.clip(round(mean + of_item + generator.normal(0, 0.6)), 1, 5))
                rows.append((f"item {item}", system, rater, rating, float(rating + generator.normal())))
    generator.shuffle(rows)
    write(tmp_path / "long.csv", ["doc", "model", "who", "rating", "judge"], rows)
    return tmp_path


LONG = ("--ratings", "long.csv", "--item-column", "doc", "--system-column", "model", "--rater-column", "who")


def test_a_long_table_alone_is_paired_by_item_and_rater(long_table):
    arguments = ("--baseline", "base", "--scale", "1:5", "--estimates-column", "judge", "--format", "json")
    result = run(long_table, *LONG, *arguments)
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    difference = content["rows"][-1]
    assert (content["level"], content["correction"], content["scale"]) == (0.95, "holm", [1.0, 5.0])
    assert (difference["system"], difference["less"]) == ("ours", "base")
    assert difference["made"].startswith("paired by item and rater")
    assert difference["low these raters"] <= difference["mean"] <= difference["high others"]
    said = next(line for line in content["findings"] if line.startswith("People rate ours higher than base"))
    assert "95% interval" in said
    assert any(line.startswith("For the paper: ") for line in content["findings"])
    assert run(long_table, *LONG, "--center", "raters").exit_code == 0
    clustered = run(long_table, *LONG, "--cluster-column", "doc")
    assert clustered.exit_code == 0, clustered.output


def test_few_raters_are_spoken_of_as_themselves(long_table):
    rows = (long_table / "long.csv").read_text(encoding="utf-8").splitlines()
    one = [re.sub(r"rater \d", "ann", row) for row in rows]
    (long_table / "long.csv").write_text("\n".join(one) + "\n", encoding="utf-8")
    stdout = run(long_table, *LONG, "--baseline", "base").stdout
    assert "This rater rates ours higher than base" in stdout
    assert "One rater says nothing of how others would rate." in stdout


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: text.replace(",4,", ",four,", 1), "expected a finite number, or nothing, in column 'rating'"),
        (lambda text: text.replace(",4,", ",9,", 1), "lies outside the scale from 1 to 5"),
        (lambda text: text.replace("item 3,", ",", 1), "there is nothing in column 'doc' (--item-column)"),
    ],
)
def test_cells_that_are_no_ratings_are_named(long_table, spoil, message):
    file = long_table / "long.csv"
    file.write_text(spoil(file.read_text(encoding="utf-8")), encoding="utf-8")
    result = run(long_table, *LONG, "--scale", "1:5")
    assert message in str(result.exception)


@pytest.fixture
def study(tmp_path):
    """A study of two systems, drawn, with all its ratings: ours is rated higher."""
    from metric_commons.systems.studies.drawing import draw_study

    outputs = [(name, [f"{name} writes {item}" for item in range(60)]) for name in ("base.txt", "ours.txt")]
    for name, texts in outputs:
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    generator = np.random.default_rng(0)
    for folder, scale in (("study", "1-5"), ("preferences", "preference")):
        design = draw_study(outputs, 20, ["ann", "bob", "cem"], scale=scale)
        (tmp_path / folder / "ratings").mkdir(parents=True)
        design.write(tmp_path / folder)
        for rater, screens in design.raters.items():
            rows = []
            for number, screen in enumerate(screens, 1):
                better = generator.random() < 0.9
                for output in design.answers_on(screen):
                    ours = screen.outputs["AB".index(output[0])] == (1,)
                    answer = (
                        ("A" if ours == better else "B")
                        if len(output) > 1
                        else int(3 + ours + generator.integers(0, 2))
                    )
                    rows.append((design.study, rater, number, output, answer))
            write(
                tmp_path / folder / "ratings" / f"{rater}.csv", ["study", "rater", "screen", "output", "rating"], rows
            )
    return tmp_path


@pytest.mark.parametrize("files", [(), ("base.txt", "ours.txt")])
def test_a_study_is_read_with_its_design(study, files):
    result = run(study, *files, "study", "--format", "json")
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    assert content["scale"] == [1.0, 5.0]
    assert "the study drew the outputs at random" in content["findings"][0]
    assert content["rows"][-1]["made"].startswith("paired by item and rater")
    assert any(line.startswith("These 3 raters rate ours.txt higher") for line in content["findings"])
    assert content["rows"][0]["outputs"] == (60 if files else 20)


def test_preferences_have_win_rates(study):
    result = run(study, "base.txt", "ours.txt", "preferences", "--format", "json")
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    (row,) = content["rows"]
    assert (row["system"], row["against"], row["items"]) == ("ours.txt", "base.txt", 20)
    assert 0.5 < row["low"] < row["win rate"] < row["high"] <= 1
    assert row["p sign test"] < 0.001
    assert any("raters prefer ours.txt to base.txt" in line for line in content["findings"])
