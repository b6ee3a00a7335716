"""Scores in Spark: the numbers of one process, whatever Spark does with partitions, workers, nulls and streams."""

import sys

import pytest
from example_fits import NULLABLE as TEXTS
from example_fits import fit, values_or_none
from refusals import refused
from spark_metrics import DiesOnce
from toy_metrics import Lengths

from bleu_neighbors_metric import BLEUNeighbors
from referenceless_metrics.frameworks.spark import _travelling, score_column

pytestmark = pytest.mark.spark


@pytest.fixture(scope="session")
def index(tmp_path_factory):
    path = tmp_path_factory.mktemp("index") / "pool.index"
    fit().save(path)
    return str(path)


def frame(spark, partitions=2, copies=1):
    rows = list(enumerate(TEXTS * copies))
    return spark.createDataFrame(rows, "id long, text string").repartition(partitions)


def values(scored, column="bleu_neighbors"):
    return [row[column] for row in sorted(scored.select("id", column).collect(), key=lambda row: row["id"])]


def test_the_values_of_one_process(spark, index):
    scored = score_column(frame(spark, 16, 4), pool=index, columns=["n_neighbors"])
    assert scored.columns == ["id", "text", "bleu_neighbors", "n_neighbors", "reason"]
    assert dict(scored.dtypes)["bleu_neighbors"] == "double"
    assert values(scored) == values_or_none(BLEUNeighbors.load(index), TEXTS * 4)
    assert values(scored, "reason")[len(TEXTS) - 3 : len(TEXTS) - 1] == ["empty text", "no text"]
    assert values(scored, "n_neighbors")[0] is not None


def test_a_killed_worker_is_replaced(spark, tmp_path):
    rows = spark.createDataFrame([(0, "a"), (1, "die"), (2, None), (3, "abc")], "id long, text string").repartition(3)
    scored = score_column(rows, metric=DiesOnce(tmp_path / "died"))
    assert values(scored, "lengths") == [1.0, 3.0, None, 3.0]
    assert (tmp_path / "died").exists()


def test_what_cannot_be_scored_is_refused_before_a_job_starts(spark):
    rows = frame(spark)
    for options, error, message in (
        ({"text_column": "out", "metric": "wpslor"}, ValueError, "one of 'id', 'text', but got 'out'"),
        ({"text_column": "id", "metric": "wpslor"}, TypeError, "column 'id' to hold strings, but it holds bigint"),
        ({"metric": "wpslor", "columns": ["id"]}, ValueError, "no column 'id' yet"),
        ({"metric": Lengths(), "columns": ["other"]}, ValueError, "`columns` to be one of"),  # as `BatchScorer` has it
    ):
        with refused(message, error):
            score_column(rows, **options)


def test_a_worker_without_the_package_says_which_python_it_runs(monkeypatch):
    """The worker unpickles the function; here the driver does, with the package hidden."""
    cloudpickle = pytest.importorskip("pyspark.cloudpickle")
    packed = cloudpickle.dumps(_travelling(Lengths().predict))
    monkeypatch.setitem(sys.modules, "toy_metrics", None)
    with refused(rf"{sys.executable}, which Spark .* 'toy_metrics'.*PYSPARK_PYTHON", ModuleNotFoundError):
        cloudpickle.loads(packed)([])


def test_without_pyspark_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with refused(r"referenceless-metrics\[spark\]", ImportError):
        score_column(None, metric="wpslor")
