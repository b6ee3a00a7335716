"""Fixtures that all tests share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def data_dir() -> Callable[[str], Path]:
    """Return a function from the name of a research data set to its folder; it skips where that is absent."""
    base = Path(os.environ.get("BLEU_NEIGHBORS_DATA", ROOT.parent / "shared" / "data"))

    def folder(name: str) -> Path:
        path = base / name
        if not path.is_dir():
            pytest.skip(f"needs the research data in {name}/: set BLEU_NEIGHBORS_DATA to the folder that holds it")
        return path

    return folder
