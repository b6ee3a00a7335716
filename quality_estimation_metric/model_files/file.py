"""The file that holds a fitted estimator: a npz archive, without pickles, version 1.

`meta` is UTF-8 JSON as bytes: the format, its version, the parameters, what describes the arrays, and, under
`calibration`, what leaving rated texts out showed of the estimates (it may lack). The others are
numbers, and texts as UTF-8 bytes with a line end after each. An archive is read array by array after its sizes were
bounded, and every value is checked before a model is made of it.
"""

from __future__ import annotations

import io
import json
import math
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.assessment.agreement import read_verdict
from metric_commons.files.atomic import atomic_write
from metric_commons.support.errors import InputError
from quality_estimation_metric.model_files.arrays import (
    kernel_arrays,
    kernel_model,
    pack_texts,
    recurrent_arrays,
    recurrent_model,
    unpack_texts,
)
from quality_estimation_metric.rated_inputs import check_parameters
from quality_estimation_metric.sources.reading import SCOPES

if TYPE_CHECKING:
    from quality_estimation_metric.estimator import QualityEstimator

FORMAT = "quality-estimator"
VERSION = 1
MAX_BYTES = 1 << 30
"""What a file may unpack to, in bytes; more is refused before memory is taken."""

_DATE = (1980, 1, 1, 0, 0, 0)  # of every member, so that equal models are equal files
_EXPECTED = "write one with `QualityEstimator.save` or `referenceless fit --metric quality_estimation`"


def packaged_path() -> Path:
    """Return the path of the packaged model."""
    return Path(__file__).resolve().parent.parent / "data" / "default.npz"


def save(estimator: QualityEstimator, path: str | os.PathLike[str], *, texts: bool) -> None:
    """Write a fitted estimator; equal estimators give equal bytes.

    Raises:
        OSError: where the file cannot be written.
    """
    kind = estimator.model
    details, arrays = (kernel_arrays if kind == "kernel" else recurrent_arrays)(estimator.model_)
    if texts and estimator.texts_ is not None and estimator.ratings_ is not None:
        arrays["texts"] = pack_texts([" ".join(text.split()) for text in estimator.texts_])
        arrays["ratings"] = estimator.ratings_
        if estimator._triples is not None:
            arrays["sources"] = pack_texts([json.dumps(item) for item in estimator._triples])
    meta = {
        "format": FORMAT,
        "version": VERSION,
        "parameters": estimator.get_params(),
        "scope": estimator.scope_,
        "has_sources": estimator.needs_sources,
        "slots": sorted(estimator.slots_),
        "n_texts": estimator.n_texts_,
        "hash": estimator._hash,
        "model": details,
    }
    if estimator._verdict is not None:
        meta["calibration"] = {name: _rounded(value) for name, value in estimator._verdict.header().items()}
    arrays = {"meta": np.frombuffer(json.dumps(meta, sort_keys=True).encode(), dtype=np.uint8), **arrays}
    with atomic_write(path) as file, zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
            info = zipfile.ZipInfo(f"{name}.npy", _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, member.getvalue(), compresslevel=9)


def load(kind: type[QualityEstimator], path: str | os.PathLike[str]) -> QualityEstimator:
    """Read a fitted estimator; `"default"` is the packaged one.

    Raises:
        FileNotFoundError: where there is no such file.
        ValueError: for a file that is no estimator, is damaged, or was written by a later version.
    """
    place = packaged_path() if isinstance(path, str) and path == "default" else Path(path)
    if place.is_dir():
        raise IsADirectoryError(f"{place}: it is a folder, not a quality estimator")
    if not place.exists():
        raise FileNotFoundError(f"{place}: there is no such quality estimator")
    try:
        return _estimator(kind, read_arrays(place))
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{place}: it is damaged ({type(error).__name__}: {error}); {_EXPECTED}") from None


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Read the arrays of an archive, after bounding what they unpack to.

    Raises:
        InputError: for a file that is no archive of arrays, is truncated, or unpacks to more than 1 GiB.
    """
    arrays: dict[str, NDArray[Any]] = {}
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            total = sum(member.file_size for member in members)
            if total > MAX_BYTES:
                raise InputError(f"it unpacks to {total:,} bytes, and at most {MAX_BYTES:,} are read")
            for member in members:
                with archive.open(member) as file:  # no more than it declares
                    content = file.read(member.file_size + 1)
                arrays[member.filename.removesuffix(".npy")] = _array(content)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, NotImplementedError, RuntimeError):
        raise InputError(f"it is not a quality estimator, or truncated; {_EXPECTED}") from None
    except Exception as error:  # zlib raises its own kind
        if isinstance(error, (InputError, OSError)):
            raise
        raise InputError(f"it is not a quality estimator, or damaged ({error}); {_EXPECTED}") from None
    return arrays


def _array(content: bytes) -> NDArray[Any]:
    """Read one array from its bytes; the size that its head declares must be the size that is there."""
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    if version != (1, 0):
        raise InputError(f"an array has format version {version}")
    shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    if dtype.hasobject or dtype.kind not in "fiu" or len(shape) > 8:
        raise InputError(f"an array holds {dtype}, and only numbers are read")
    if math.prod(shape) * dtype.itemsize != len(content) - stream.tell():
        raise InputError("an array is not as large as it says")
    stream.seek(0)
    return np.asarray(np.lib.format.read_array(stream, allow_pickle=False))


def _estimator(kind: type[QualityEstimator], arrays: Mapping[str, NDArray[Any]]) -> QualityEstimator:
    if "meta" not in arrays or arrays["meta"].dtype != np.uint8 or arrays["meta"].ndim != 1:
        raise InputError(f"it is not a quality estimator; {_EXPECTED}")
    meta = json.loads(arrays["meta"].tobytes())
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise InputError(f"it is not a quality estimator; {_EXPECTED}")
    if meta.get("version") != VERSION:
        raise InputError(
            f"the estimator has format version {meta.get('version')!r}, and this installation reads version {VERSION}; "
            "upgrade the package, or fit the estimator again"
        )
    estimator = kind(**meta["parameters"])
    check_parameters(estimator.get_params())
    if meta["scope"] not in SCOPES or type(meta["has_sources"]) is not bool or type(meta["n_texts"]) is not int:
        raise InputError("what it says of its texts is not known here")
    read = kernel_model if estimator.model == "kernel" else recurrent_model
    slots = [str(slot) for slot in meta["slots"]]
    estimator._restore(
        read(meta["model"], arrays), meta["scope"], meta["has_sources"], slots, meta["n_texts"], str(meta["hash"])[:64]
    )
    if "calibration" in meta:
        estimator.attach_verdict(read_verdict(meta["calibration"]))
    if "texts" in arrays:
        texts = unpack_texts(arrays["texts"])
        ratings = np.asarray(arrays["ratings"], dtype=np.float64)
        if ratings.shape != (len(texts),) or len(texts) != meta["n_texts"] or not np.isfinite(ratings).all():
            raise InputError("its ratings do not fit its texts")
        if meta["has_sources"]:
            rows = [json.loads(line) for line in unpack_texts(arrays["sources"])]
            estimator._triples = [_triples(row) for row in rows]
            if len(rows) != len(texts):
                raise InputError("its sources do not fit its texts")
        estimator.texts_, estimator.ratings_ = texts, ratings
        estimator._groups = np.arange(len(texts))
    return estimator


def _rounded(value: Any) -> Any:
    """Round a figure, so that another machine's last bits make no other file."""
    return round(value, 4) if isinstance(value, float) else value


def _triples(row: Any) -> Any:
    from quality_estimation_metric.sources import Triple

    triples = tuple(Triple(*item) for item in row)
    for triple in triples:
        if not isinstance(triple.act, str) or not all(part is None or isinstance(part, str) for part in triple[1:]):
            raise InputError("a source holds what is no text")
    return triples
