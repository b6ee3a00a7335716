"""The demo covers its fluent sentences, and tells them from word salad, with what it derives from its pool."""

from __future__ import annotations

from click.testing import CliRunner

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from bleu_neighbors_metric.tuning.calibration import AUTOMATIC
from referenceless_metrics.cli import bleu_neighbors_cli as cli

FLUENT = (0, 3, 5, 7, 9)
SALAD = (2, 4, 8)


def test_neighbours_by_similarity_tell_salad_from_prose() -> None:
    pool, candidates = example_pool(), example_candidates()
    values = BLEUNeighbors(**AUTOMATIC).fit(pool.texts, pool.quality).predict(candidates).values
    assert min(values[i] for i in FLUENT) > max(values[i] for i in SALAD)


def test_demo() -> None:
    result = CliRunner().invoke(cli, ["demo"])
    assert result.exit_code == 0, result.output
    assert "Use quality estimator" in result.stdout
    tables = result.stdout.split("similarity weights:\n")
    rows = [line for line in tables[0].split("quality estimator:\n")[1].splitlines() if line.strip()]
    values = [float(row[62:].split()[0]) for row in rows[2 : 2 + len(example_candidates())]]
    assert min(values[i] for i in FLUENT) > 0.8
    assert max(values[i] for i in SALAD) < 0.3
    assert "the pool's calibration:" in tables[1]
