"""The data that a page holds for the next command."""

from __future__ import annotations

import json
import re
from pathlib import Path

from referenceless_metrics.core.support.validation import InputError, Record

_DATA = re.compile(r'<script type="application/json" id="page-data">(.*?)</script>', re.DOTALL)


def read_page(place: str) -> Record:
    """Return the data of a page that `advise` or `report` wrote, or of the folder of the former.

    Raises:
        InputError: for a file that holds none, or is not there.
        OSError: if it cannot be read.
    """
    path = Path(place)
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder; `referenceless advise FILE -o FOLDER` writes one")
    path = path / "advice.html" if path.is_dir() else path
    embedded = _DATA.search(path.read_text("utf-8", errors="replace")) if path.is_file() else None
    if embedded is None:
        raise InputError(f"{path}: there is no page that `referenceless advise` or `report` wrote")
    return {"place": str(path), **json.loads(embedded[1])}
