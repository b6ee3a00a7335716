"""How long the packages take to import, beside Python's own start and numpy: `pytest --benchmark-only` runs it."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["sys", "numpy", "bleu_neighbors_metric", "slor_metric", "metric_commons.datasets"])
def test_import(benchmark, module):
    benchmark.group = "import, in a new process"
    command = [sys.executable, "-c", f"import {module}"]
    benchmark.pedantic(subprocess.run, args=(command,), kwargs={"check": True}, rounds=7, warmup_rounds=1)
