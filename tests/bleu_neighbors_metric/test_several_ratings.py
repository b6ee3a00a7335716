"""Several ratings of each text at once, from Python, through `evaluate` and on the command line."""

import numpy as np
import pytest
from command_lines import as_json, typed
from example_fits import CANDIDATES, POOL
from numpy.testing import assert_array_equal
from refusals import refusals
from text_files import write, write_table

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric
from bleu_neighbors_metric.pool_source import several_ratings
from metric_commons.hub import modules
from metric_commons.metric import check_metric

TEXTS = [*POOL.texts, POOL.texts[0]]
RATINGS = {
    "fluency": np.array([*POOL.ratings, 0.0]),
    "length": np.array([float(len(text)) for text in TEXTS]),
    "how true": np.linspace(-1, 1, len(TEXTS)),
}


@pytest.fixture(autouse=True)
def files(folder):
    write_table("ratings.csv", ["text", *RATINGS], zip(TEXTS, *RATINGS.values(), strict=True))
    write("outputs.txt", CANDIDATES)


def fit_to(ratings, **parameters):
    return BLEUNeighbors(**parameters).fit(TEXTS, ratings)


@pytest.mark.parametrize("parameters", [{}, {"weights": "similarity"}, {"threshold": "auto"}])
def test_each_rating_is_estimated_as_if_it_were_the_only_one(parameters):
    metric = check_metric(several_ratings(TEXTS, RATINGS, **parameters))
    result = metric.predict(CANDIDATES)
    for name, ratings in RATINGS.items():
        alone = fit_to(ratings, **parameters)
        expected = alone.predict(CANDIDATES)
        assert_array_equal(result.columns[name], expected.values)
        assert result.parts[name] == expected.mean
        assert alone.signature.partition("|pool:")[2].partition("|")[0] in metric.signature
    assert_array_equal(result.values, result.fluency)
    assert "|names:fluency,length,how true" in metric.signature


test_bad_ratings_are_refused = refusals(
    lambda ratings: several_ratings(["one", "two"], ratings, min_neighbors=1),
    [
        ([1.0, 2.0], "map names to ratings, but got list", TypeError),
        ({1: [1.0, 2.0]}, "map names to ratings", TypeError),
        ({}, "at least one kind of rating"),
        ({"a": [1.0, 2.0], "value": [1.0, 2.0]}, "a column 'value' already"),
        ({"a": [1.0, 2.0], "b": [1.0]}, r"ratings\['b'\]` to have one value for each of the 2 texts"),
        ({"a": [1.0, 2.0], "b": [1.0, np.nan]}, r"ratings\['b'\]` to hold finite numbers"),
    ],
)


def test_through_evaluate_and_sacrebleu():
    pytest.importorskip("evaluate")
    named = {name: ratings.tolist() for name, ratings in RATINGS.items()}
    found = modules.load("bleu_neighbors", rated_texts=TEXTS, ratings=named).compute(predictions=CANDIDATES)
    assert found["parts_how true"] == pytest.approx(float(np.nanmean(np.array(found["how true"], float))))
    score = BLEUNeighborsMetric(TEXTS, named).corpus_score(CANDIDATES)
    assert score.score == pytest.approx(found["bleu_neighbors"]) == pytest.approx(found["parts_fluency"])


def test_commands_write_a_column_for_each():
    command = "score outputs.txt --metric bleu_neighbors --pool ratings.csv"
    command += " --pool-rating-column length --pool-rating-column fluency"
    rows = as_json(command)["rows"]
    expected = several_ratings(TEXTS, {name: RATINGS[name] for name in ("length", "fluency")}).predict(CANDIDATES)
    for name in ("length", "fluency"):
        assert [row[name] for row in rows] == [None if v != v else v for v in expected.columns[name].tolist()]
    told = f"means of the parts: length {expected.parts['length']:.4f}, fluency {expected.parts['fluency']:.4f}"
    assert told in typed(command).out
    columns = "--rating-column fluency --rating-column 'how true'"
    alone = [typed(f"calibrate ratings.csv --rating-column '{name}'").out for name in ("fluency", "how true")]
    assert typed(f"calibrate ratings.csv {columns}").out == f"fluency:\n{alone[0]}\nhow true:\n{alone[1]}"
    told = as_json(f"calibrate ratings.csv {columns}")
    assert [row["rating_column"] for row in told["rows"]] == [*told["calibrations"]] == ["fluency", "how true"]
    assert "p.how_true.index: 96 distinct rated texts" in typed(f"fit ratings.csv {columns} -o p.index").err
    assert BLEUNeighbors.load("p.fluency.index").signature == fit_to(RATINGS["fluency"]).signature
    assert BLEUNeighbors.load("p.how_true.index").ratings_.min() < 0


POOL_OF_TWO = "--pool ratings.csv --pool-rating-column fluency --pool-rating-column length"


@pytest.mark.parametrize(
    "line, status, message",
    [
        (
            f"compare outputs.txt outputs.txt --metric bleu_neighbors {POOL_OF_TWO}",
            2,
            "`compare` takes one --pool-rating-column at a time",
        ),
        (
            "calibrate ratings.csv --rating-column fluency --rating-column length --plot a.svg",
            2,
            "--plot draws one column",
        ),
        ("fit ratings.csv --rating-column 'a b' --rating-column a_b -o p.index", 1, "files of one name"),
    ],
    ids=["compare", "calibrate --plot", "fit"],
)
def test_what_takes_one_column_says_so(line, status, message):
    assert message in typed(line, status).err


def test_a_fitted_file_holds_one_rating_a_text():
    typed("fit ratings.csv --rating-column fluency -o p.index")
    columns = POOL_OF_TWO.replace("ratings.csv", "p.index")
    assert "holds one rating a text" in typed(f"score outputs.txt --metric bleu_neighbors {columns}", 1).err
