"""Scores in Spark, as columns (extra `spark`).

Every Python worker loads a metric once and keeps it; Spark does the rest: partitions, retries, streaming.
"""

from __future__ import annotations

import atexit
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.support.installation import import_extra
from referenceless_metrics.core.support.validation import PathName, describe
from referenceless_metrics.frameworks.batch_scorer import BatchScorer, content_of

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

_NEEDED_BY = "referenceless_metrics.frameworks.spark"

_folders: list[str] = []
"""The folder of the files that this driver sends, once there is one."""


def score_column(
    df: DataFrame,
    text_column: str = "text",
    *,
    metric: str | Metric | None = None,
    pool: PathName | None = None,
    columns: Sequence[str] = (),
    **arguments: Any,
) -> DataFrame:
    """Add the values of a column of texts, and the reasons if there are none, to a data frame.

    The columns are the metric's name, double, those of `columns`, and `reason`, string.

    The values are those of `metric.predict`, bit for bit; those of neural models to 1e-4 nat, since their batches
    differ. A null has neither a value nor a score: its reason is "no text". The data frame may be a stream.

    Args:
        df: any data frame with a column of strings.
        text_column: the name of that column.
        metric: a metric's name, or a fitted metric, which travels whole; None for `fluency_ngram`, with a pool for
            BLEU Neighbors.
        pool: a file of either kind on the driver, which goes to the workers by Spark's `addFile`.
        columns: the metric's own columns to add, such as `n_neighbors`.
        arguments: further arguments of a metric that is given by name.

    Raises:
        ImportError: without the extra.
        TypeError: for a column that holds no strings, or a metric that is none.
        ValueError: for a column that does not exist, or one to add that does; otherwise as `BatchScorer`.
    """
    import_extra("pyspark.sql", "spark", _NEEDED_BY)
    from pyspark.sql.types import StructField, StructType

    _check_text_column(df, text_column)
    if isinstance(columns, str):
        raise TypeError(f"Expected argument `columns` to be a list of names, but got {describe(columns)}")
    scorer = BatchScorer(metric, pool=pool, text_column=text_column, columns=columns, **arguments)
    for name in (scorer.name, "reason", *columns):
        if name in df.columns:
            raise ValueError(f"Expected the data frame to have no column {name!r} yet: rename it")
    added = [StructField(name, kind) for name, kind in _types_of(scorer, text_column, columns).items()]
    sent = None if scorer.pool is None else _send_file(df.sparkSession, scorer)

    def score(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa
        from pyspark import SparkFiles

        _take_gpu()
        if sent is not None:
            scorer.pool = SparkFiles.get(sent)
        for batch in batches:
            scored = scorer({text_column: batch.column(text_column).to_pylist()})
            arrays = [*batch.columns, *map(pa.array, scored.values())]
            yield pa.RecordBatch.from_arrays(arrays, names=[*batch.schema.names, *scored])

    return df.mapInArrow(_travelling(score), StructType([*df.schema.fields, *added]))


def _check_text_column(df: DataFrame, text_column: str) -> None:
    """Check that a data frame has a column of strings.

    Raises:
        TypeError: for a column that holds no strings.
        ValueError: for a column that does not exist.
    """
    from pyspark.sql.types import StringType

    if text_column not in df.columns:
        known = ", ".join(map(repr, df.columns))
        raise ValueError(
            f"Expected argument `text_column` to be a column of the data frame, one of {known}, but got {text_column!r}"
        )
    kind = df.schema[text_column].dataType
    if not isinstance(kind, StringType):
        raise TypeError(f"Expected column {text_column!r} to hold strings, but it holds {kind.simpleString()}")


def _types_of(scorer: BatchScorer, text_column: str, columns: Sequence[str]) -> dict[str, Any]:
    """Return Spark's types of the columns that are added, by their names."""
    import pyarrow as pa
    from pyspark.sql.pandas.types import from_arrow_type
    from pyspark.sql.types import DoubleType, StringType

    if not columns:
        return {scorer.name: DoubleType(), "reason": StringType()}
    scored = scorer({text_column: []})  # no texts have the types of the metric's own columns, too
    return {name: from_arrow_type(pa.array(cells).type) for name, cells in scored.items()}


def _travelling(score: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Pack a function so that a worker whose Python lacks a package names it, and how to set another Python."""
    from pyspark import cloudpickle

    packed = cloudpickle.dumps(score)

    def run(batches: Any) -> Any:
        try:
            unpacked = pickle.loads(packed)
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                f"{sys.executable}, which Spark runs as worker, has no module {error.name!r}: install it there, or set "
                "PYSPARK_PYTHON (spark.pyspark.python) to a Python that has it, before the session starts"
            ) from None
        return unpacked(batches)

    return run


def _send_file(spark: SparkSession, scorer: BatchScorer) -> str:
    """Have Spark bring a file of a pool to the workers, and return its name there."""
    pool = Path(str(scorer.pool))
    if not _folders:  # as long-lived as this process: Spark's driver serves files from their folder
        _folders.append(tempfile.mkdtemp(prefix="referenceless-metrics-"))
        atexit.register(shutil.rmtree, _folders[0], ignore_errors=True)
    file = Path(_folders[0]) / f"{content_of(str(pool))[:16]}-{pool.name}"
    if not file.exists():
        shutil.copyfile(pool, file)
    try:
        context: Any = spark.sparkContext
    except Exception:  # Spark Connect has none, and says so with errors of several types
        spark.addArtifact(str(file), file=True)
    else:
        context.addFile(str(file))
    return file.name


def _take_gpu() -> None:
    """Let a model see the accelerator that Spark gave this task, before anything else looks for one."""
    from pyspark import TaskContext

    context = TaskContext.get()
    gpu = context.resources().get("gpu") if context is not None else None
    if gpu is not None and "CUDA_VISIBLE_DEVICES" not in os.environ:
        os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(gpu.addresses)
