"""How long the packages take to import, beside Python's own start and numpy: `pytest --benchmark-only` runs it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest


@pytest.mark.parametrize("module", ["sys", "numpy", "bleu_neighbors_metric", "slor_metric", "metric_commons.datasets"])
def test_import(benchmark: Any, module: str) -> None:
    benchmark.group = "import, in a new process"
    command = [sys.executable, "-c", f"import {module}"]
    benchmark.pedantic(subprocess.run, args=(command,), kwargs={"check": True}, rounds=7, warmup_rounds=1)
