"""The metrics as torchmetrics runs them: over batches, processes, collections and copies."""

import json
import math
import os
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import torchmetrics_process
from command_lines import python
from lazily import lazily
from small_metrics import CANDIDATES, ESTIMATES, FITTED, FLUENCY, POOL, RATINGS

from bleu_neighbors_metric.estimator import BLEUNeighbors

torch = lazily("torch")
torchmetrics = lazily("torchmetrics")
ours = lazily("referenceless_metrics.frameworks.torchmetrics")


@pytest.fixture
def metric():
    return ours.TextQualityMetric(FITTED)


def mean_alone():
    return ours.TextQualityMetric(FITTED, output="mean")


def figures(result):
    return result["bleu_neighbors"].item(), result["bleu_neighbors_coverage"].item()


def test_reset_forgets_all_texts_and_nothing_covered_is_nan_with_coverage_zero(metric):
    metric.update(CANDIDATES)
    metric.reset()
    assert int(metric.n_texts) == 0
    metric.update(["", "colourless green ideas"])
    assert figures(metric.compute()) == (pytest.approx(math.nan, nan_ok=True), 0.0)


def test_a_collection_beside_torchmetrics_own_does_not_merge_two_of_ours():
    other = BLEUNeighbors(min_neighbors=1, max_fraction=1.0).fit(POOL, [1 - rating for rating in RATINGS])
    metrics = {"n": FITTED, "other": other, "f": FLUENCY}
    collection = torchmetrics.MetricCollection(
        {
            **{name: ours.TextQualityMetric(one) for name, one in metrics.items()},
            "b": torchmetrics.text.BLEUScore(),
            "c": torchmetrics.text.CHRFScore(),
        }
    )
    collection.update([""], [[""]])  # after this batch ours have equal sums and counts
    collection.update(CANDIDATES, [[text] for text in CANDIDATES])
    for name, one in metrics.items():
        assert collection[name].compute()[one.name].item() == pytest.approx(one.predict(CANDIDATES).mean)
    assert {"f_slor", "f_slor_coverage", "b", "c"} < set(collection.compute())


def loaded(metric):
    twin = ours.TextQualityMetric(FITTED)
    for one in (metric, twin):
        one.persistent(True)
    twin.load_state_dict(metric.state_dict())
    return twin


@pytest.mark.parametrize("copied", [lambda one: one.clone(), lambda one: pickle.loads(pickle.dumps(one)), loaded])
def test_copies_go_on_by_themselves(copied):
    metric = ours.TextQualityMetric(FITTED)
    metric.update(CANDIDATES[:3])
    twin = copied(metric)
    twin.update(CANDIDATES[3:])
    assert twin.compute()["bleu_neighbors"].item() == pytest.approx(ESTIMATES.mean)
    assert (int(metric.n_texts), int(twin.n_texts)) == (3, len(CANDIDATES))
    assert metric.clone().metric is metric.metric  # copies share the pool


def test_single_precision_for_devices_without_double(metric):
    metric.set_dtype(torch.float32).update(CANDIDATES)
    assert metric.total.dtype == torch.float32
    assert figures(metric.compute())[0] == pytest.approx(ESTIMATES.mean, rel=1e-6)


def test_the_mean_alone_as_a_scalar_and_in_torchmetrics_wrappers():
    metric, extremes, doubled = mean_alone(), torchmetrics.wrappers.MinMaxMetric(mean_alone()), 2 * mean_alone()
    for one in (metric, extremes, doubled):
        one.update(CANDIDATES)
    assert metric.compute().item() == pytest.approx(ESTIMATES.mean, rel=1e-14)
    assert metric.coverage.item() == ESTIMATES.coverage
    assert extremes.compute()["max"].item() == pytest.approx(ESTIMATES.mean)
    assert doubled.compute().item() == pytest.approx(2 * ESTIMATES.mean)
    tracker = torchmetrics.wrappers.MetricTracker(mean_alone())
    for texts in (CANDIDATES[:1], [POOL[3]]):
        tracker.increment()
        tracker.update(texts)
    assert tracker.best_metric(return_step=True) == (pytest.approx(float(ESTIMATES.values[0])), 0)


@pytest.mark.long
def test_two_processes_together_give_what_one_gives(tmp_path):
    if not torch.distributed.is_available():
        pytest.skip("this torch has no torch.distributed")
    # processes of their own, and not forks: this one may hold threads of torch
    environ = {"PYTHONPATH": os.pathsep.join(sys.path)}
    with ThreadPoolExecutor() as both:
        [*both.map(lambda rank: python(torchmetrics_process.__file__, rank, tmp_path, environ=environ), (0, 1))]
    first, second = (json.loads((tmp_path / f"{rank}.json").read_text()) for rank in (0, 1))
    for result in (first, second):
        assert result["bleu_neighbors"] == pytest.approx(ESTIMATES.mean)
        assert result["bleu_neighbors_coverage"] == pytest.approx(ESTIMATES.coverage)
        assert result["slor"] == pytest.approx(FLUENCY.predict(CANDIDATES).mean)
    assert (first["n_texts"], second["n_texts"]) == (5, 3)
