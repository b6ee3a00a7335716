"""Files that Spark brings to its workers."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_folders: list[str] = []


def outgoing(name: str) -> Path:
    """Return where a file of this name goes that is to be sent; what lies there already has the same content."""
    if not _folders:  # as long-lived as this process: Spark's driver serves files from where they lie
        _folders.append(tempfile.mkdtemp(prefix="referenceless-metrics-"))
        atexit.register(shutil.rmtree, _folders[0], ignore_errors=True)
    return Path(_folders[0]) / name


def send(spark: SparkSession, file: Path) -> None:
    """Send a file to all workers, which find it with `received` by its name."""
    try:
        context: Any = spark.sparkContext
    except Exception:  # Spark Connect has none, and says so with errors of several types
        context = None
    if context is not None:
        context.addFile(str(file))
    else:
        spark.addArtifact(str(file), file=True)


def received(name: str) -> str:
    """Return where a file that was sent lies on this worker."""
    from pyspark import SparkFiles

    return str(SparkFiles.get(name))
