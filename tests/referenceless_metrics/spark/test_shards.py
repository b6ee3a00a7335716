"""Pools tallied shard by shard in Spark: the bits of one machine."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.shards.tally import ShardedPool

pytestmark = pytest.mark.spark
WORDS = ["the", "a", "tree", "river", "bird", "house", "sings", "flows", "stands", "old", "green", "and", "by"]
PARAMETERS = {"threshold": 0.2, "min_neighbors": 1, "max_fraction": 1.0, "progress": False}


def rated(n: int) -> tuple[list[str], list[float]]:
    source = random.Random(4)
    texts = [" ".join(source.choices(WORDS, k=source.randint(3, 9))) for _ in range(n)]
    return [*texts, texts[0], "", "b\udc80d"], [0.0001, *(source.random() for _ in range(n + 2))]


@pytest.mark.parametrize("shards", [1, 2, 7])
def test_the_bits_of_one_machine(spark: Any, shards: int) -> None:
    from referenceless_metrics.spark import tally_shards

    texts, ratings = rated(150)
    metric = BLEUNeighbors(**PARAMETERS)
    whole = BLEUNeighbors(**PARAMETERS).fit(texts, ratings)
    for candidates, expected in (
        (None, whole.leave_one_out()),
        ([*texts[:20], "", "the bird sings"], whole.predict([*texts[:20], "", "the bird sings"])),
    ):
        found = tally_shards(spark, texts, ratings, shards=shards, metric=metric, candidates=candidates)
        np.testing.assert_array_equal(found.values, expected.values)
        np.testing.assert_array_equal(found.columns["n_neighbors"], expected.columns["n_neighbors"])
        assert found.reasons == expected.reasons


def test_weights_by_similarity_up_to_rounding(spark: Any) -> None:
    from referenceless_metrics.spark import tally_shards

    texts, ratings = rated(60)
    metric = BLEUNeighbors(**PARAMETERS, weights="similarity")
    found = tally_shards(spark, texts, ratings, shards=3, metric=metric)
    expected = BLEUNeighbors(**metric.get_params()).fit(texts, ratings).leave_one_out()
    np.testing.assert_allclose(found.values, expected.values, rtol=1e-12)
    assert found.reasons == expected.reasons


def test_a_killed_worker_is_replaced_and_counts_nothing_twice(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referenceless_metrics.spark import shards, tally_shards

    flag = tmp_path / "died"

    class Dies(shards._TallyShards):
        def __call__(self, batches: Any) -> Any:
            for number, batch in enumerate(super().__call__(batches)):
                yield batch  # some of a shard's rows have gone out when the worker ends
                if not number and not flag.exists():
                    flag.touch()
                    os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(shards, "_TallyShards", Dies)
    texts, ratings = rated(40)
    found = tally_shards(spark, texts, ratings, shards=3, metric=BLEUNeighbors(**PARAMETERS))
    expected = BLEUNeighbors(**PARAMETERS).fit(texts, ratings).leave_one_out()
    np.testing.assert_array_equal(found.values, expected.values)
    assert flag.exists()


def test_what_cannot_be_tallied_is_refused_before_a_job_starts(spark: Any) -> None:
    from referenceless_metrics.spark import tally_shards

    for options, message in (
        ({"shards": 0}, "`shards`"),
        ({"shards": 3}, "at most as many shards as distinct texts"),
        ({"shards": 1, "metric": BLEUNeighbors("auto")}, "'auto' looks at the whole pool"),
    ):
        with pytest.raises(ValueError, match=message):
            tally_shards(spark, ["a", "b"], [1, 2], **options)


def test_workers_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from referenceless_metrics.spark import shards

    pool = ShardedPool.of(BLEUNeighbors(), ["a", "b"], [1, 2])
    other = ShardedPool.of(BLEUNeighbors(), ["a", "c"], [1, 2])
    monkeypatch.setattr(shards, "_read", lambda name: (["a", "c"], np.array([1.0, 2.0])))
    task = shards._TallyShards("rated", None, BLEUNeighbors().get_params(), pool.whole, 1)
    with pytest.raises(ValueError, match="give all workers the same version"):
        task._pool()
    assert shards._TallyShards("rated", None, BLEUNeighbors().get_params(), other.whole, 1)._pool().whole == other.whole
