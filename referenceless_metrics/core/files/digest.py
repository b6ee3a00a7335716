"""The digest of a file's content."""

from __future__ import annotations

import hashlib
from pathlib import Path

from referenceless_metrics.core.support.validation import PathName


def file_digest(path: PathName) -> str:
    """Return the SHA-256 of a file's content, as 64 hexadecimal digits.

    Raises:
        OSError: for a file that cannot be read.
    """
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
