"""The file that holds a fitted estimator, as plain data: parameters, texts, ratings, counts, calibration.

The kernel's index is not part of it: it is rebuilt when the file is read (`folder` keeps it too).

Texts in two arrays: their bytes, and where each one ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bleu_neighbors_metric.options import OF_DRAW, loaded_parameters
from bleu_neighbors_metric.pool import RatedPool
from bleu_neighbors_metric.tuning.stored_calibration import StoredCalibration, read_calibration
from metric_commons.files.archive import Array, Schema, read_archive, reading
from metric_commons.support.validation import (
    Arrays,
    Integers,
    Options,
    PathName,
    Record,
    Unsigned8,
    check_fields,
    check_ratings,
)

_CHUNK = 4096


class PackedTexts(Sequence[str]):
    """A sequence of texts that are decoded as they are read; it equals a list of the same texts.

    Args:
        content: their UTF-8, one after the other, shape (bytes,), uint8.
        ends: where each ends in it, shape (n,), int64.
    """

    _by_length: tuple[Integers, Integers] | None = None

    def __init__(self, content: Unsigned8, ends: Integers) -> None:
        self._content = content
        self._ends = ends

    @classmethod
    def of(cls, texts: Sequence[str]) -> PackedTexts:
        """Return the same texts, packed."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        ends = np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), dtype=np.int64)
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), ends)

    @property
    def arrays(self) -> Arrays:
        """The arrays that they are packed in, by name."""
        return {"texts": self._content, "ends": self._ends}

    def check(self) -> None:
        """Check texts of unknown origin.

        Raises:
            ValueError: for ends that do not part the bytes, what is no UTF-8, and texts that are equal; the message
                begins with the array's name.
        """
        ends = self._ends
        if not len(ends) or ends[0] < 0 or ends[-1] != len(self._content) or (np.diff(ends) < 0).any():
            raise ValueError("ends: its numbers do not part the texts")
        try:
            distinct = len(set(self))
        except UnicodeDecodeError:
            raise ValueError("texts: not UTF-8") from None
        if distinct < len(ends):
            raise ValueError("texts: a text stands in it twice")

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, which: Any) -> Any:
        place = range(len(self))[which]
        if isinstance(place, range):
            return [self[each] for each in place]
        begin = int(self._ends[place - 1]) if place else 0
        return self._content[begin : int(self._ends[place])].tobytes().decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        begin = 0
        for first in range(0, len(self), _CHUNK):
            ends = self._ends[first : first + _CHUNK].tolist()
            content = self._content[begin : ends[-1]].tobytes()
            at = 0
            for end in ends:
                yield content[at : end - begin].decode("utf-8", "surrogatepass")
                at = end - begin
            begin = ends[-1]

    def __contains__(self, text: object) -> bool:
        """Say whether a text is one of them: of those as long, byte by byte, what differs is left out."""
        if self._by_length is None:
            lengths = np.diff(self._ends, prepend=0)
            order = np.argsort(lengths, kind="stable")
            self._by_length = lengths[order], order
        wanted, (lengths, order) = str(text).encode("utf-8", "surrogatepass"), self._by_length
        first, last = np.searchsorted(lengths, (len(wanted), len(wanted) + 1))
        begins = self._ends[order[first:last]] - len(wanted)
        for place, byte in enumerate(wanted):
            if not len(begins):
                break
            begins = begins[self._content[begins + place] == byte]
        return len(begins) > 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (PackedTexts, list)):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as a list has none

    def __repr__(self) -> str:
        return f"<{len(self)} texts>"


PARAMETERS = (
    *("threshold", "min_neighbors", "max_fraction", "kernel", "weights"),
    *("tokenize", "ngram_orders", "smooth_method", "smooth_value", "clip"),
)
"""The parameters that a saved estimator has; `kernel_options` may lack, and those of a draw."""

ARRAYS = {
    "texts": Array("|u1", (None,)),
    "ends": Array("<i8", ("n",)),
    "ratings": Array("<f8", ("n",)),
    "counts": Array("<i8", ("n",), least=1),
    "estimates": Array("<f8", ("m",), optional=True),
    "residuals": Array("<f8", ("m",), optional=True),
}
"""The arrays of a pool; the last two belong to a calibration."""

SCHEMA = Schema(
    "bleu neighbors pool",
    1,
    "a pool of BLEU Neighbors (write one with `referenceless fit`)",
    arrays=ARRAYS,
    fields={"parameters": dict},
    optional_fields={"calibration": dict, "n_distinct": int},
)
_LARGEST_SUM = 2**53  # up to which float64 counts exactly


@dataclass(frozen=True)
class PoolState:
    """What is saved of a fitted estimator.

    Attributes:
        parameters: of the estimator, by name, as JSON has them.
        rated: the pool.
        calibration: what the estimates are worth, where that was measured.
    """

    parameters: Options
    rated: RatedPool
    calibration: StoredCalibration | None = None

    def stored(self) -> tuple[Record, Arrays]:
        """Return the header and the arrays of an archive."""
        header: Record = {"parameters": dict(self.parameters)}
        texts, ratings, counts, n_distinct = self.rated
        if n_distinct > len(texts):
            header["n_distinct"] = n_distinct
        arrays = {**PackedTexts.of(texts).arrays, "ratings": ratings, "counts": counts}
        if self.calibration is not None:
            header["calibration"] = self.calibration.header()
            intervals = self.calibration.intervals
            arrays |= {"estimates": intervals.estimates, "residuals": intervals.residuals}
        return header, arrays

    @classmethod
    def of_stored(
        cls,
        header: Record,
        arrays: Arrays,
        *,
        allow_models: bool,
        verified: bool = False,
    ) -> PoolState:
        """Return what `stored` gave, checked; with `verified` only what does not take as long as reading all texts.

        Raises:
            TypeError, ValueError: for what no estimator can have written, and a model without `allow_models`.
        """
        check_fields(
            "its parameters",
            header["parameters"],
            dict.fromkeys(PARAMETERS, object),
            dict.fromkeys(("kernel_options", *OF_DRAW), object),
        )
        parameters = loaded_parameters(header["parameters"], allow_models)
        texts = PackedTexts(arrays["texts"], arrays["ends"])
        if not verified:
            texts.check()
            check_ratings(arrays["ratings"], "ratings", finite_sum=True)
            if arrays["counts"].sum(dtype=float) > _LARGEST_SUM:
                raise ValueError("counts: they are more ratings than can be counted")
        n_distinct = header.get("n_distinct", len(texts))
        if not len(texts) <= n_distinct <= _LARGEST_SUM:
            raise ValueError("n_distinct: it is below the number of texts, or beyond what can be counted")
        known = None
        if "calibration" in header:
            known = read_calibration(
                header["calibration"], np.array(arrays["estimates"]), np.array(arrays["residuals"])
            )
        rated = RatedPool(texts, np.array(arrays["ratings"]), np.array(arrays["counts"]), n_distinct)
        return cls(parameters, rated, known)


def read_index(path: PathName, *, allow_models: bool = False) -> PoolState:
    """Read an index file.

    Raises:
        FileNotFoundError: where there is no such file.
        IsADirectoryError: for a folder.
        ValueError: for a file that is not an index, is damaged, was written by another version, or holds what no
            estimator can have written.
    """
    header, arrays = read_archive(path, SCHEMA)
    with reading(path, SCHEMA):
        state = PoolState.of_stored(header, arrays, allow_models=allow_models)
    return replace(state, rated=state.rated._replace(texts=list(state.rated.texts)))
