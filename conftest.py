"""Fixtures that all tests share."""

from __future__ import annotations

import csv
import gc
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# How long an example takes says how busy the machine is, not whether the code is right. The default run draws the same
# few examples every time; `--hypothesis-profile=search` (`.ci/long`) draws many new ones; what it finds becomes
# an `@example`.
settings.register_profile("project", deadline=None, derandomize=True, max_examples=20)
settings.register_profile("search", deadline=None, max_examples=200)
settings.load_profile("project")

# A shell's background job ignores interrupts, and so would the commands that the tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Before anything imports a Hugging Face library: no test reads or writes the user's caches.
_CACHES = tempfile.TemporaryDirectory(prefix="metrics-tests-")
os.environ["HF_HOME"] = _CACHES.name
for _name in ("HF_MODULES_CACHE", "HF_METRICS_CACHE", "HF_DATASETS_CACHE"):
    os.environ.pop(_name, None)

# Tests run beside one another, a process for each core: more threads in each would wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Thousands of collected tests are walked through again each time that garbage is looked for: a tenth of all time.
gc.set_threshold(100_000, 50, 50)

# Compiling the papers' kernels takes ten seconds on a machine that is new to them: here they run as plain Python.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

ROOT = Path(__file__).resolve().parent

#: Test files that name one of these import torch, Transformers, `evaluate` or gradio, whatever else they import.
_NEEDS_FRAMEWORKS = re.compile(
    r"lazily\(|own_modules_cache|hub\.modules|run_document|import_module\(|import (datasets|evaluate)\b|"
    r"importorskip\(\"(torch|transformers|accelerate|torchmetrics|datasets|evaluate|gradio|gguf|deepeval|inspect_ai|lm_eval|"
    r"mlflow|datatrove|pyspark|bert_score|minicons)\b"
)


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give all files that need frameworks to one process, since their imports take 20 CPU seconds in each."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    @cache  # asked of every test, and twice
    def needs_frameworks(file: str) -> bool:
        return _NEEDS_FRAMEWORKS.search((ROOT / file).read_text(encoding="utf-8")) is not None

    class FrameworksTogether(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return "frameworks" if needs_frameworks(file) else file

    return FrameworksTogether(config, log)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the benchmarks out unless they are asked for: their imports take seconds in each process."""
    asked_for = config.getoption("benchmark_only", False) or any("benchmarks" in argument for argument in config.args)
    return True if collection_path.name == "benchmarks" and not asked_for else None


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return a headless browser with a profile of its own, and close it after the tests of a file."""
    from web_pages import open_browser

    with open_browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


_IN_A_BROWSER = {"browser", "page", "pool_page"}


@pytest.hookimpl(tryfirst=True)  # before marks decide what runs
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests whose fixtures open a real browser."""
    for item in items:
        if _IN_A_BROWSER.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def data_dir() -> Callable[[str], Path]:
    """Return a function from the name of a research data set to its folder; it skips if that is absent."""
    base = Path(os.environ.get("BLEU_NEIGHBORS_DATA", ROOT.parent / "shared" / "data"))

    def folder(name: str) -> Path:
        path = base / name
        if not path.is_dir():
            pytest.skip(f"needs the research data in {name}/: set BLEU_NEIGHBORS_DATA to the folder that holds it")
        return path

    return folder


@pytest.fixture(scope="session")
def huse(data_dir: Callable[[str], Path]) -> Any:
    """Return the rated summaries of HUSE, one row a judgement."""
    from referenceless_metrics.datasets import load_rated

    return load_rated("huse:summarization", data_dir=str(data_dir("huse")))


@pytest.fixture(scope="session")
def published_cells() -> Callable[[str], list[dict[str, str]]]:
    """Return a function from a paper's name to its published cells, read from CSV; it skips if that is absent."""
    base = Path(os.environ.get("BLEU_NEIGHBORS_DATA", ROOT.parent / "shared" / "data")).parent / "published"

    def cells(name: str) -> list[dict[str, str]]:
        path = base / f"{name}.csv"
        if not path.is_file():
            pytest.skip(f"needs the published cells in {path.name}, beside the research data")
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    return cells


@pytest.fixture
def own_modules_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Point `evaluate` to an empty cache of modules, and return its folder.

    The cache is a package that Python imports once: modules of an earlier cache in `sys.modules` would still be used.
    """
    folder = tmp_path / "modules"
    monkeypatch.setattr("evaluate.config.HF_MODULES_CACHE", str(folder))
    monkeypatch.setattr(sys, "path", [path for path in sys.path if not (Path(path) / "evaluate_modules").exists()])
    for name in cached_modules():
        monkeypatch.delitem(sys.modules, name)
    yield folder
    for name in cached_modules():
        del sys.modules[name]


def cached_modules() -> list[str]:
    return [name for name in sys.modules if name.split(".")[0] == "evaluate_modules"]


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Yield one session for all tests: starting one takes some 16 CPU seconds."""
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17")
    sql = pytest.importorskip("pyspark.sql")
    before = dict(os.environ)
    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, (ROOT, ROOT / "tests" / "support")))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        sql.SparkSession.builder.master("local[2,4]")  # 4: a task may fail three times
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.driver.memory", "1g")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
    os.environ.clear()
    os.environ.update(before)
