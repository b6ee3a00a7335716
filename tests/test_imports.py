"""Importing the packages is quick and quiet: heavy libraries load where they are used."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = (
    "torch",
    "transformers",
    "tokenizers",
    "evaluate",
    "datasets",
    "matplotlib",
    "numba",
    "scipy.stats",
    "sklearn",
    "pandas",
    "pyarrow",
    "nltk",
    "sacrebleu",
)
PROGRAM = """
import json, logging, os, sys, warnings
import numpy  # whose own filters of warnings are not ours
environment, cwd, handlers, filters = dict(os.environ), os.getcwd(), list(logging.root.handlers), len(warnings.filters)
import {module}
unchanged = (
    environment == dict(os.environ)
    and cwd == os.getcwd()
    and handlers == logging.root.handlers
    and filters == len(warnings.filters)
)
print(json.dumps([unchanged, sorted(name for name in {heavy!r} if name in sys.modules)]))
"""


@pytest.mark.parametrize(
    "module",
    [
        "bleu_neighbors_metric",
        "slor_metric",
        "quality_estimation_metric",
        "metric_commons.datasets",
        "referenceless_metrics",
    ],
)
def test_an_import_loads_nothing_heavy_prints_nothing_and_changes_nothing(module: str) -> None:
    program = PROGRAM.format(module=module, heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    unchanged, loaded = json.loads(done.stdout)
    assert loaded == []
    assert unchanged
