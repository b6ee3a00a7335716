"""Machine code is kept where it can be, used wherever it lies, and done without where nothing can be kept."""

import os
import shutil
import subprocess
import sys

import pytest
from command_lines import python
from text_files import ROOT

from metric_commons.support import compiled as module

SOURCE = """
from metric_commons.support.compiled import compiled

@compiled()
def twice(x):
    return 2 * x

@compiled()
def thrice(x):
    return twice(x) + x
"""
# Permissions do not hold for root, so that refusals are acted.
PROGRAM = """
import sys, tempfile
refused = sys.argv[1:]
real = tempfile.TemporaryFile
def act(*args, dir=None, **options):
    if any(str(dir).startswith(folder) for folder in refused):
        raise PermissionError(13, "Permission denied", str(dir))
    return real(*args, dir=dir, **options)
tempfile.TemporaryFile = act
import functions
print(functions.thrice(7), functions.thrice(1.5))
stats, cache = functions.thrice.stats, functions.thrice._cache
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()), cache.cache_path)
"""


@pytest.fixture
def place(tmp_path):
    (tmp_path / "package").mkdir()
    (tmp_path / "home").mkdir()
    (tmp_path / "tmp").mkdir()
    (tmp_path / "package" / "functions.py").write_text(SOURCE)
    return tmp_path


def start(place, *refused):
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("NUMBA", "XDG"))},
        "PYTHONPATH": os.pathsep.join((str(place / "package"), str(ROOT))),
        "HOME": str(place / "home"),
        "TMPDIR": str(place / "tmp"),
    }
    command = [sys.executable, "-c", PROGRAM, *map(str, refused)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def run(place, *refused):
    """Return the hits and misses of a process, and where it keeps what it compiles."""
    with start(place, *refused) as process:
        out, _ = process.communicate(timeout=120)
    values, told = out.splitlines()
    assert values == "21 4.5"
    hits, misses, path = told.split(" ", 2)
    return int(hits), int(misses), path


def test_code_in_a_package_that_cannot_be_written_is_read(place):
    package, home, tmp = place / "package", place / "home", place / "tmp"
    assert run(place) == (0, 2, str(package / "__pycache__"))
    hits, misses, path = run(place, package, home)
    assert (hits, misses) == (2, 0)
    assert path.startswith(str(tmp))
    shutil.rmtree(package / "__pycache__")
    assert run(place, package)[:2] == (0, 2)
    assert run(place, package)[2].startswith(str(home))
    source = package / "functions.py"
    source.write_text(source.read_text().replace("twice(x) + x", "x + twice(x)"))
    assert run(place, package, home)[:2] == (0, 2)


def test_a_temporary_folder_that_others_may_write_is_not_used(place):
    folder = place / "tmp" / f"referenceless-metrics-compiled-{os.getuid()}"
    folder.mkdir()
    folder.chmod(0o777)
    with start(place, place / "package", place / "home") as process:
        out, _ = process.communicate(timeout=120)
    assert out.splitlines()[0] == "21 4.5"
    assert not list(folder.iterdir())


def test_two_processes_compile_at_once(place):
    processes = [start(place) for _ in range(2)]
    for process in processes:
        with process:
            out, _ = process.communicate(timeout=120)
        assert out.splitlines()[0] == "21 4.5"
    assert run(place)[:2] == (2, 0)


def test_a_folder_that_cannot_be_written_costs_only_the_cache(monkeypatch):
    def refuse(_):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(module, "CompiledCache", refuse)

    @module.compiled()
    def twice(x):
        return 2 * x

    assert twice(21) == 42
    assert twice.signatures


USE = """
from bleu_neighbors_metric import BLEUNeighbors
from slor_metric import WPSLOR
texts = ["the cat sat on the mat", "the cat sat on a mat", "a dog ran far away", "the dog sat on the mat"]
for smooth_method in ("none", "exp"):
    metric = BLEUNeighbors("auto", 1, 1.0, weights="similarity", smooth_method=smooth_method, progress=False)
    metric.fit(texts, [0.1, 0.2, 0.3, 0.4])
    print(metric.threshold_, metric.predict(["the cat sat on a dog"]).values, metric.kneighbors("the cat", 2))
print(BLEUNeighbors(0.08, 1, 1.0, progress=False).fit(texts, [0.1, 0.2, 0.3, 0.4]).predict(texts).values)
print(WPSLOR().score(["The cat sat on the mat."]).values)
"""


def test_python_runs_what_numba_is_told_not_to_compile():
    said = [python("-W", "error", "-c", USE, environ=more).stdout for more in ({}, {"NUMBA_DISABLE_JIT": "1"})]
    assert said[0] == said[1] != ""
