"""The metrics as torchmetrics runs them: over batches, processes, collections and copies."""

from __future__ import annotations

import json
import math
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torchmetrics_process
from small_metrics import CANDIDATES, PARAMETERS, POOL, RATINGS, LengthModel

torch = pytest.importorskip("torch", reason="the torchmetrics classes need torch")
pytest.importorskip("torchmetrics", reason="the torchmetrics classes need torchmetrics")

from torchmetrics import MetricCollection  # noqa: E402
from torchmetrics.text import BLEUScore, CHRFScore  # noqa: E402

from bleu_neighbors_metric.estimator import BLEUNeighbors  # noqa: E402
from metric_commons.integrations.torchmetrics import TextQualityMetric  # noqa: E402
from metric_commons.support.errors import NotFittedError  # noqa: E402
from slor_metric.estimator import ROUGELM, SLOR  # noqa: E402

FITTED = BLEUNeighbors(**PARAMETERS).fit(POOL, RATINGS)
ESTIMATES = FITTED.predict(CANDIDATES)


def neighbors(**kwargs: Any) -> TextQualityMetric:
    return TextQualityMetric(BLEUNeighbors(**PARAMETERS).fit(POOL, RATINGS), **kwargs)


def plain(result: dict[str, Any]) -> dict[str, float]:
    return {name: value.item() for name, value in result.items()}


def test_batches_give_what_the_estimator_gives_of_all_texts() -> None:
    assert 0 < ESTIMATES.coverage < 1
    metric = neighbors()
    for batch in (CANDIDATES[:1], CANDIDATES[1:3], [], CANDIDATES[3:]):
        metric.update(batch)
    assert plain(metric.compute()) == {
        "bleu_neighbors": pytest.approx(ESTIMATES.mean, rel=1e-14),
        "bleu_neighbors_coverage": ESTIMATES.coverage,
    }


def test_forward_gives_the_batch_and_keeps_the_total() -> None:
    metric = neighbors()
    first = plain(metric(CANDIDATES[:2]))
    assert first == {
        "bleu_neighbors": pytest.approx(ESTIMATES.values[0]),
        "bleu_neighbors_coverage": 0.5,
    }
    metric(CANDIDATES[2:])
    assert metric.compute()["bleu_neighbors"].item() == pytest.approx(ESTIMATES.mean)


def test_reset_forgets_all_texts() -> None:
    metric = neighbors(return_sentence_level_score=True)
    metric.update(CANDIDATES)
    metric.reset()
    assert int(metric.n_texts) == 0
    metric.update([POOL[0]])
    expected = BLEUNeighbors(**PARAMETERS).fit(POOL, RATINGS).predict([POOL[0]])
    result = metric.compute()
    assert result["bleu_neighbors"].item() == pytest.approx(expected.mean)
    assert result["bleu_neighbors_values"].numel() == 1


def test_nothing_covered_is_nan_with_coverage_zero() -> None:
    metric = neighbors()
    metric.update(["", "colourless green ideas"])
    result = plain(metric.compute())
    assert math.isnan(result["bleu_neighbors"])
    assert result["bleu_neighbors_coverage"] == 0.0


def test_sentence_level_scores_are_in_order_and_nan_where_undefined() -> None:
    metric = neighbors(return_sentence_level_score=True)
    metric.update(CANDIDATES[:4])
    metric.update(CANDIDATES[4:])
    np.testing.assert_allclose(metric.compute()["bleu_neighbors_values"].numpy(), ESTIMATES.values)


def test_rouge_lm_without_statistics_says_where_they_come_from() -> None:
    with pytest.raises(ValueError, match=r"statistics.*development set"):
        TextQualityMetric(ROUGELM(LengthModel()))


def test_beside_torchmetrics_own_in_a_collection() -> None:
    fluency = TextQualityMetric(SLOR(LengthModel()))
    collection = MetricCollection({"n": neighbors(), "f": fluency, "BLEUScore": BLEUScore(), "CHRFScore": CHRFScore()})
    collection.update([""], [[""]])  # after this batch our two have equal sums and counts
    collection.update(CANDIDATES, [[text] for text in CANDIDATES])
    result = plain(collection.compute())
    assert result["bleu_neighbors"] == pytest.approx(ESTIMATES.mean)
    assert result["slor"] == pytest.approx(
        float(np.mean([5 - 19 / 6 + 1 / 6, 5 - 20 / 3, 5 - 3, 5 - 3, 5 - 12 / 4])), abs=1
    )
    alone = TextQualityMetric(SLOR(LengthModel()))
    alone.update(CANDIDATES)
    assert result["slor"] == pytest.approx(alone.compute()["slor"].item())
    assert {"bleu_neighbors_coverage", "slor_coverage", "BLEUScore", "CHRFScore"} < set(result)


def test_a_collection_does_not_merge_two_pools() -> None:
    other = TextQualityMetric(BLEUNeighbors(**PARAMETERS).fit(POOL, [1 - rating for rating in RATINGS]))
    collection = MetricCollection({"one": neighbors(), "other": other})
    for batch in ([""], CANDIDATES):
        collection.update(batch)
    assert collection["one"].compute() != collection["other"].compute()
    assert len(collection.compute_groups) == 2


def test_copies_share_the_pool_and_nothing_else() -> None:
    metric = neighbors()
    metric.update(CANDIDATES)
    twin = metric.clone()
    assert twin.metric is metric.metric
    twin.reset()
    assert int(twin.n_texts) == 0
    assert metric.compute()["bleu_neighbors_coverage"].item() == ESTIMATES.coverage


def test_pickling() -> None:
    metric = neighbors()
    metric.update(CANDIDATES[:3])
    twin = pickle.loads(pickle.dumps(metric))
    twin.update(CANDIDATES[3:])
    assert twin.compute()["bleu_neighbors"].item() == pytest.approx(ESTIMATES.mean)


def test_state_dict_round_trip() -> None:
    metric = neighbors()
    metric.persistent(True)
    metric.update(CANDIDATES)
    twin = neighbors()
    twin.persistent(True)
    twin.load_state_dict(metric.state_dict())
    assert twin.n_texts == len(CANDIDATES)
    assert twin.total == metric.total


def test_single_precision_for_devices_without_double() -> None:
    metric = neighbors().set_dtype(torch.float32)
    metric.update(CANDIDATES)
    assert metric.total.dtype == torch.float32
    assert metric.compute()["bleu_neighbors"].item() == pytest.approx(ESTIMATES.mean, rel=1e-6)


@pytest.mark.parametrize("n_values", [None, 1, 3])
def test_plot(n_values: int | None) -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="plot needs matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    metric = neighbors(return_sentence_level_score=True)
    values = [metric(CANDIDATES) for _ in range(n_values or 1)]
    figure, axis = metric.plot({None: None, 1: values[0]}.get(n_values, values))
    assert {"bleu_neighbors", "bleu_neighbors_coverage"} == set(axis.get_legend_handles_labels()[1])
    plt.close(figure)


def test_the_mean_alone_as_a_scalar() -> None:
    metric = neighbors(output="mean")
    first = metric(CANDIDATES[:2])
    assert first.item() == pytest.approx(ESTIMATES.values[0])
    metric.update(CANDIDATES[2:])
    assert metric.compute().item() == pytest.approx(ESTIMATES.mean, rel=1e-14)
    assert metric.coverage.item() == ESTIMATES.coverage


def test_torchmetrics_wrappers_take_the_mean() -> None:
    from torchmetrics.wrappers import MetricTracker, MinMaxMetric

    tracker = MetricTracker(neighbors(output="mean"))
    for texts in (CANDIDATES[:1], [POOL[3]]):
        tracker.increment()
        tracker.update(texts)
    best, step = tracker.best_metric(return_step=True)
    assert (best, step) == (pytest.approx(float(ESTIMATES.values[0])), 0)
    extremes = MinMaxMetric(neighbors(output="mean"))
    extremes.update(CANDIDATES)
    assert extremes.compute()["max"].item() == pytest.approx(ESTIMATES.mean)
    doubled = 2 * neighbors(output="mean")
    doubled.update(CANDIDATES)
    assert doubled.compute().item() == pytest.approx(2 * ESTIMATES.mean)


def test_plot_of_the_mean() -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="plot needs matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    metric = neighbors(output="mean")
    figure, axis = metric.plot([metric(CANDIDATES), metric(CANDIDATES[:1])])
    assert len(axis.lines) == 1
    plt.close(figure)


@pytest.mark.parametrize(
    ("metric", "arguments", "error", "message"),
    [
        (None, {}, TypeError, "`metric` to be a metric.*got None"),
        ("slor", {}, TypeError, "`metric` to be a metric.*'slor'"),
        (SLOR, {}, TypeError, "`metric` to be a metric"),
        (BLEUNeighbors(**PARAMETERS), {}, NotFittedError, "call `fit` first"),
        (FITTED, {"output": "median"}, ValueError, "output"),
        (FITTED, {"output": "mean", "return_sentence_level_score": True}, ValueError, "'all'.*'mean'"),
        (FITTED, {"thresh": 1}, ValueError, "thresh"),
    ],
)
def test_wrong_arguments(metric: Any, arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        TextQualityMetric(metric, **arguments)


@pytest.mark.parametrize("texts", ["a bare string", [None], None, [1]])
def test_wrong_texts_change_nothing(texts: Any) -> None:
    metric = neighbors()
    with pytest.raises(TypeError, match="texts"):
        metric.update(texts)
    assert int(metric.n_texts) == 0


@pytest.mark.skipif(not torch.distributed.is_available(), reason="this torch has no torch.distributed")
def test_two_processes_together_give_what_one_gives(tmp_path: Path) -> None:
    # processes of their own, and not forks: this one may hold threads of numba and torch
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "1"}
    processes = [
        subprocess.Popen(
            [sys.executable, torchmetrics_process.__file__, str(rank), str(tmp_path)],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in (0, 1)
    ]
    errors = [process.communicate(timeout=180)[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], errors
    first, second = (json.loads((tmp_path / f"{rank}.json").read_text()) for rank in (0, 1))
    alone = TextQualityMetric(SLOR(LengthModel()))
    alone.update(CANDIDATES)
    for result in (first, second):
        assert result["bleu_neighbors"] == pytest.approx(ESTIMATES.mean)
        assert result["bleu_neighbors_coverage"] == pytest.approx(ESTIMATES.coverage)
        assert result["slor"] == pytest.approx(alone.compute()["slor"].item())
        np.testing.assert_allclose(result["bleu_neighbors_values"], ESTIMATES.values)
    assert (first["n_texts"], second["n_texts"]) == (5, 3)
