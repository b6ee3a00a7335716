"""One shared index for all workers of a machine: the first one builds it from the compact file, the others wait."""

from __future__ import annotations

import hashlib
from pathlib import Path

from filelock import FileLock

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.pool_files.folder import FILE, is_mapped
from metric_commons.files.text_io import is_archive
from metric_commons.support.installation import project_version
from metric_commons.support.validation import PathName


def load_shared(index: PathName, folder: PathName, *, allow_models: bool = False) -> BLEUNeighbors:
    """Return the estimator in an index file, from a shared copy that is built where there is none yet.

    Any number of processes may ask at once: one builds, behind a lock, and all map the same pages. Each index file and
    each version of this package has a copy of its own, named after both; one that is damaged is built anew.

    Args:
        index: the compact file that `BLEUNeighbors.save` wrote.
        folder: where copies lie, on a local disk that all workers see; it is made where it is missing.
        allow_models: as in `BLEUNeighbors.load`.

    Raises:
        FileNotFoundError: where there is no such file.
        OSError: where the folder cannot be written.
        ValueError: as `BLEUNeighbors.load` does, and for an index of another kernel than BLEU*.
    """
    if not is_archive(index):
        return BLEUNeighbors.load(index, allow_models=allow_models)  # a folder, or the error
    base = Path(folder)
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    with Path(index).open("rb") as file:
        name = f"{hashlib.file_digest(file, 'sha256').hexdigest()[:32]}-{project_version()}"
    with FileLock(base / f"{name}.lock"):
        if is_mapped(base / name):
            try:
                return BLEUNeighbors.load(base / name, allow_models=allow_models)
            except ValueError:  # damaged, or not to be loaded, which the file itself will say
                (base / name / FILE).unlink()
        metric = BLEUNeighbors.load(index, allow_models=allow_models)
        metric.save_shared(base / name)
    return BLEUNeighbors.load(base / name, allow_models=allow_models)
