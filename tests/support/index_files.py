"""Index files made by hand: any header and any arrays, with a checksum that is right."""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any

import numpy as np

PARAMETERS = {
    "threshold": 0.1,
    "min_neighbors": 1,
    "max_fraction": 1.0,
    "tokenize": "char",
    "ngram_orders": [2, 3, 4],
    "smooth_method": "none",
    "smooth_value": None,
    "clip": True,
    "kernel": "bleu_star",
    "weights": "uniform",
}
TEXTS = ("the cat sat on the mat", "the cat sat on a mat", "a dog ate the mat", "näive ✓ cat 🙂")
QUALITY = (0.9, 0.8, 0.3, 0.1)


def arrays_of(texts: Any = TEXTS, quality: Any = QUALITY, counts: Any = None, lengths: Any = None) -> dict[str, bytes]:
    """Return the four arrays' bytes, in the order of the file."""
    encoded = [text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass") for text in texts]
    own_lengths = [len(text) for text in encoded] if lengths is None else lengths
    own_counts = [1] * len(encoded) if counts is None else counts
    return {
        "texts": b"".join(encoded),
        "lengths": np.array(own_lengths, dtype="<i8").tobytes(),
        "counts": np.array(own_counts, dtype="<i8").tobytes(),
        "quality": np.array(quality, dtype="<f8").tobytes(),
    }


def index_bytes(
    *,
    parameters: Any = PARAMETERS,
    arrays: dict[str, bytes] | None = None,
    sizes: Any = None,
    header: Any = None,
    compressed: bytes | None = None,
    after: bytes = b"",
    version: bytes = b"1",
) -> bytes:
    """Return a file whose checksum is right, whatever it holds.

    Args:
        parameters: the header's.
        arrays: see `arrays_of`.
        sizes: the header's `bytes`; None for the arrays' own.
        header: the whole header in place of these, an object or the bytes of the line.
        compressed: what stands after the header; None for the arrays, compressed.
        after: bytes at the end.
        version: of the format.
    """
    arrays = arrays_of() if arrays is None else arrays
    if header is None:
        own = {name: len(content) for name, content in arrays.items()}
        header = {"parameters": parameters, "bytes": own if sizes is None else sizes}
    line = header if isinstance(header, bytes) else json.dumps(header).encode()
    packed = zlib.compress(b"".join(arrays.values()), 1) if compressed is None else compressed
    body = line + b"\n" + packed + after
    return b"bleu-neighbors-index %s\n%s\n" % (version, hashlib.sha256(body).hexdigest().encode()) + body
