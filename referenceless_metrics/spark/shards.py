"""A huge pool of rated texts in shards, each the work of a Spark task; their sums are Spark's own aggregation.

The ratings being summed in whole numbers (see `bleu_neighbors_metric.kernels.exact_sums`), the estimates are those of
one machine, bit for bit, whatever Spark does with shards, retries and the order of additions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.exact_sums import ExactSums
from bleu_neighbors_metric.kernels.neighbors import NeighborTally
from bleu_neighbors_metric.shards.tally import Shard, ShardedPool, Whole, estimates_of
from metric_commons.files.atomic import atomic_write
from metric_commons.results import MetricResult
from metric_commons.support.installation import import_extra
from metric_commons.support.validation import check_number
from referenceless_metrics.spark.shipping import outgoing, received, send

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

_ROWS = 65_536
"""Candidates to an Arrow batch."""


def tally_shards(
    spark: SparkSession,
    texts: Iterable[str],
    ratings: ArrayLike,
    *,
    shards: int,
    metric: BLEUNeighbors | None = None,
    candidates: Iterable[str] | None = None,
) -> MetricResult:
    """Estimate texts from a pool that is tallied shard by shard, one Spark task a shard.

    Each task indexes its shard alone, matches all candidates against it, and Spark adds up what they found. The pool
    goes to the workers once, by `addFile`; a worker process reads it once, however many shards it tallies.

    Args:
        spark: the session.
        texts: the whole pool, m texts; equal ones are merged, as `fit` does.
        ratings: of each, shape (m,).
        shards: how many; some times the number of cores, so that all are busy to the end, and so many that a worker's
            memory holds the index of one (an index takes about 14 bytes a character).
        metric: the parameters; None for the defaults of `BLEUNeighbors`. It need not be fitted.
        candidates: the texts to estimate; None for the pool's distinct texts, each from all others.

    Returns:
        As `predict`, or as `leave_one_out` in the order of the distinct texts: bit for bit for uniform weights, up to
        rounding for weights by similarity.

    Raises:
        ImportError: without the extra.
        TypeError: as `BLEUNeighbors.fit`.
        ValueError: as `bleu_neighbors_metric.shards.tally.ShardedPool`, and for more shards than distinct texts.
    """
    import_extra("pyspark.sql", "spark", "referenceless_metrics.spark")
    from pyspark.sql.functions import sum as summed

    check_number(shards, "shards", minimum=1, integer=True)
    given = (metric or BLEUNeighbors()).get_params() | {"n_jobs": 1, "progress": False}
    pool = ShardedPool.of(BLEUNeighbors(**given), texts, ratings, candidates)
    pool.check_shards(shards)
    rated = _sent(spark, pool.texts, pool.ratings.values)
    asked = None if pool.whole.left_out else _sent(spark, pool.candidates)
    task = _TallyShards(rated, asked, given, pool.whole, shards)
    uniform = given["weights"] == "uniform"
    kind, names = "long" if uniform else "double", _names(pool)
    schema = ", ".join(["place long", "n_neighbors long", *(f"{name} {kind}" for name in names)])
    found = spark.range(shards, numPartitions=shards).mapInArrow(task, schema)
    table = found.groupBy("place").agg(*(summed(name).alias(name) for name in ("n_neighbors", *names))).toArrow()
    order = np.argsort(table["place"].to_numpy())
    columns = {name: table[name].to_numpy()[order] for name in table.column_names}
    n_neighbors = columns["n_neighbors"]
    if uniform:
        sums = np.stack([columns[name] for name in names])
        tally = NeighborTally.uniform(n_neighbors, ExactSums(sums, pool.ratings.unit))
    else:
        tally = NeighborTally(n_neighbors, columns["weight"], columns["quality"])
    return estimates_of(pool.whole, tally, pool.empty)


@dataclass(frozen=True)
class _TallyShards:
    """What a worker does with the numbers of shards; the class is imported there, not pickled.

    Attributes:
        rated: the name of the pool's file.
        asked: the name of the candidates' file; None where they are the pool's own texts.
        parameters: those of `BLEUNeighbors`.
        whole: what the pool is on the driver.
        of: how many shards there are.
    """

    rated: str
    asked: str | None
    parameters: dict[str, Any]
    whole: Whole
    of: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column("id").to_pylist():
                pool = self._pool()
                yield from _rows(pool, pool.tally(Shard(number + 1, self.of)))

    def _pool(self) -> ShardedPool:
        """Return the pool, read on the first call in this process for it."""
        if self.whole not in _held:
            _held.clear()
            texts, ratings = _read(self.rated)
            asked = None if self.asked is None else _read(self.asked)[0]
            pool = ShardedPool.of(BLEUNeighbors(**self.parameters), texts, ratings, asked)
            if pool.whole != self.whole:
                raise ValueError(
                    f"this worker makes another pool ({pool.whole.signature}) of the one that the work began with "
                    f"({self.whole.signature}); give all workers the same version of this package"
                )
            _held[self.whole] = pool
        return _held[self.whole]


_held: dict[Whole, ShardedPool] = {}


def _rows(pool: ShardedPool, tally: NeighborTally) -> Iterator[pa.RecordBatch]:
    """Yield a tally, a row a candidate."""
    import pyarrow as pa

    sums = tally.quality
    own = sums.words if isinstance(sums, ExactSums) else np.stack([tally.weight, sums])
    names = ["place", "n_neighbors", *_names(pool)]
    for first in range(0, len(pool.candidates), _ROWS):
        which = slice(first, first + _ROWS)
        counts = tally.n_neighbors[which]
        places = np.arange(first, first + len(counts))
        yield pa.RecordBatch.from_arrays([pa.array(column) for column in (places, counts, *own[:, which])], names=names)


def _names(pool: ShardedPool) -> list[str]:
    """Return the names of the columns that hold sums."""
    if pool.metric.weights == "uniform":
        return [f"word_{place}" for place in range(pool.ratings.unit.n_words)]
    return ["weight", "quality"]


def _sent(spark: SparkSession, texts: Sequence[str], ratings: NDArray[np.float64] | None = None) -> str:
    """Send texts to the workers, and return the name of their file, which tells its content."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    digest = hashlib.sha256()
    for content in encoded:
        digest.update(b"%d:" % len(content) + content)
    columns = {"text": pa.array(encoded, pa.large_binary())}
    if ratings is not None:
        digest.update(ratings.tobytes())
        columns["rating"] = pa.array(ratings)
    name = f"{digest.hexdigest()[:32]}.parquet"
    file = outgoing(name)
    if not file.exists():
        with atomic_write(file) as target:
            pq.write_table(pa.table(columns), target)
    send(spark, file)
    return name


def _read(name: str) -> tuple[list[str], Any]:
    import pyarrow.parquet as pq

    table = pq.read_table(received(name))
    texts = [content.decode("utf-8", "surrogatepass") for content in table["text"].to_pylist()]
    return texts, table["rating"].to_numpy() if "rating" in table.column_names else None
