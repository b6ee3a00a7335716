"""Several ratings of each text at once, from Python, through `evaluate` and on the command line."""

import csv
import io
import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric
from bleu_neighbors_metric.pool_source import several_ratings
from metric_commons.hub import modules
from metric_commons.metric import check_metric
from referenceless_metrics.__main__ import main

POOL, CANDIDATES = example_pool(), example_candidates()
TEXTS = [*POOL.texts, POOL.texts[0]]
RATINGS = {
    "fluency": np.array([*POOL.ratings, 0.0]),
    "length": np.array([float(len(text)) for text in TEXTS]),
    "how true": np.linspace(-1, 1, len(TEXTS)),
}


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "ratings.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["text", *RATINGS])
        writer.writerows([text, *row] for text, *row in zip(TEXTS, *RATINGS.values(), strict=True))
    (tmp_path / "outputs.txt").write_text("".join(f"{text}\n" for text in CANDIDATES))
    return path


@pytest.mark.parametrize("parameters", [{}, {"weights": "similarity"}, {"threshold": "auto"}])
def test_each_rating_is_estimated_as_if_it_were_the_only_one(parameters):
    metric = check_metric(several_ratings(TEXTS, RATINGS, **parameters))
    result = metric.predict(CANDIDATES)
    for name, ratings in RATINGS.items():
        alone = BLEUNeighbors(**parameters).fit(TEXTS, ratings)
        assert_array_equal(result.columns[name], alone.predict(CANDIDATES).values)
        assert result.parts[name] == alone.predict(CANDIDATES).mean
        assert alone.signature.partition("|pool:")[2].partition("|")[0] in metric.signature
    assert_array_equal(result.values, result.fluency)
    assert "|names:fluency,length,how true" in metric.signature


@pytest.mark.parametrize(
    ("ratings", "error", "message"),
    [
        ([1.0, 2.0], TypeError, "map names to ratings, but got list"),
        ({1: [1.0, 2.0]}, TypeError, "map names to ratings"),
        ({}, ValueError, "at least one kind of rating"),
        ({"a": [1.0, 2.0], "value": [1.0, 2.0]}, ValueError, "a column 'value' already"),
        ({"a": [1.0, 2.0], "b": [1.0]}, ValueError, r"ratings\['b'\]` to have one value for each of the 2 texts"),
        ({"a": [1.0, 2.0], "b": [1.0, np.nan]}, ValueError, r"ratings\['b'\]` to hold finite numbers"),
    ],
)
def test_bad_ratings_are_refused(ratings, error, message):
    with pytest.raises(error, match=message):
        several_ratings(["one", "two"], ratings, min_neighbors=1)


def test_through_evaluate_and_sacrebleu():
    pytest.importorskip("evaluate")
    named = {name: ratings.tolist() for name, ratings in RATINGS.items()}
    module = modules.load("bleu_neighbors", rated_texts=TEXTS, ratings=named)
    found = module.compute(predictions=CANDIDATES)
    assert found["parts"]["how true"] == pytest.approx(float(np.nanmean(np.array(found["how true"], float))))
    score = BLEUNeighborsMetric(TEXTS, named).corpus_score(CANDIDATES)
    assert score.score == pytest.approx(found["bleu_neighbors"]) == pytest.approx(found["parts"]["fluency"])


def test_score_writes_a_column_for_each(file, capsys):
    columns = ["--pool-rating-column", "length", "--pool-rating-column", "fluency"]
    outputs = file.with_name("outputs.txt")
    command = ["score", outputs, "--metric", "bleu_neighbors", "--pool", file, *columns]
    status, out, _ = run(capsys, *command, "--format", "json")
    assert status == 0
    rows = json.loads(out)["rows"]
    expected = several_ratings(TEXTS, {name: RATINGS[name] for name in ("length", "fluency")}).predict(CANDIDATES)
    for name in ("length", "fluency"):
        assert [row[name] for row in rows] == [None if v != v else v for v in expected.columns[name].tolist()]
    assert [row["value"] for row in rows] == [row["length"] for row in rows]
    _, out, _ = run(capsys, *command)
    assert f"means of the parts: length {expected.parts['length']:.4f}, fluency {expected.parts['fluency']:.4f}" in out
    status, out, _ = run(capsys, *command, "--format", "csv")
    assert {"length", "fluency", "n_neighbors"} <= set(csv.DictReader(io.StringIO(out)).fieldnames or ())


def test_calibrate_and_fit_take_one_after_another(file, capsys):
    columns = ["--rating-column", "fluency", "--rating-column", "how true"]
    status, out, _ = run(capsys, "calibrate", file, *columns)
    assert status == 0
    alone = [run(capsys, "calibrate", file, "--rating-column", name)[1] for name in ("fluency", "how true")]
    assert out == f"fluency:\n{alone[0]}\nhow true:\n{alone[1]}"
    _, out, _ = run(capsys, "calibrate", file, *columns, "--format", "json")
    told = json.loads(out)
    assert [row["rating_column"] for row in told["rows"]] == ["fluency", "how true"]
    assert set(told["calibrations"]) == {"fluency", "how true"}
    status, _, err = run(capsys, "fit", file, *columns, "-o", file.with_name("p.index"))
    assert status == 0
    fluency = BLEUNeighbors.load(file.with_name("p.fluency.index"))
    assert fluency.signature == BLEUNeighbors().fit(TEXTS, RATINGS["fluency"]).signature
    assert BLEUNeighbors.load(file.with_name("p.how_true.index")).ratings_.min() < 0
    assert "p.how_true.index: 96 distinct rated texts" in err


def test_what_takes_one_column_says_so(file, capsys):
    columns = ["--pool-rating-column", "fluency", "--pool-rating-column", "length"]
    outputs = file.with_name("outputs.txt")
    command = ["compare", outputs, outputs, "--metric", "bleu_neighbors", "--pool", file, *columns]
    status, _, err = run(capsys, *command)
    assert (status, "`compare` takes one --pool-rating-column at a time" in err) == (2, True)
    columns = ["--rating-column", "fluency", "--rating-column", "length"]
    status, _, err = run(capsys, "calibrate", file, *columns, "--plot", file.with_name("a.svg"))
    assert (status, "--plot draws one column" in err) == (2, True)
    status, _, err = run(capsys, "fit", file, "--rating-column", "a b", "--rating-column", "a_b", "-o", "p.index")
    assert (status, "files of one name" in err) == (1, True)


def test_a_pool_may_be_an_index_wherever_it_stands(file, capsys):
    index, outputs = file.with_name("p.index"), file.with_name("outputs.txt")
    run(capsys, "fit", file, "--rating-column", "fluency", "-o", index)
    of_index = ["--metric", "bleu_neighbors", "--pool", index]
    status, out, err = run(capsys, "score", outputs, *of_index, "--format", "csv")
    assert (status, len(out.splitlines())) == (0, len(CANDIDATES) + 1), err
    status, _, err = run(capsys, "compare", outputs, outputs, *of_index)
    assert status == 0, err
    columns = ["--pool-rating-column", "fluency", "--pool-rating-column", "length"]
    assert "holds one rating a text" in run(capsys, "score", outputs, *of_index, *columns)[2]
    assert run(capsys, "calibrate", index)[0] == 0
