"""The places where `evaluate.load` finds the metrics: by path anywhere, and by bare name once registered."""

import os
import re

import pytest
from command_lines import python, typed
from refusals import refused
from small_metrics import SMALL_POOL
from text_files import read

from referenceless_metrics.frameworks.hub import modules as hub


@pytest.fixture
def modules(own_modules_cache):
    """Return the folder of the entries of BLEU Neighbors in an empty cache."""
    return own_modules_cache / "evaluate_modules" / "metrics" / "evaluate-metric--bleu_neighbors"


def test_register_twice_then_unregister(modules):
    folder = hub.register("bleu_neighbors")
    assert folder.parent == modules
    assert hub.register("bleu_neighbors") == folder
    assert [path.name for path in modules.iterdir() if path.is_dir()] == [folder.name]
    assert hub.unregister("bleu_neighbors") == [folder]
    assert not modules.exists()
    assert hub.unregister("bleu_neighbors") == []


def test_the_command_says_each_step(modules):
    told = typed("hub register slor wpslor")
    assert [line.split(",")[0] for line in told.err.splitlines()] == [
        "Importing evaluate",
        "Registering slor (1 of 2).",
        "Registering wpslor (2 of 2).",
    ]
    assert told.out.count("registered: ") == 2
    assert typed("hub unregister slor wpslor").out.count("removed: ") == 2


def test_a_bare_name_loads_offline_from_any_folder_until_it_is_unregistered(modules, monkeypatch, folder):
    import evaluate

    monkeypatch.setattr("evaluate.config.HF_EVALUATE_OFFLINE", True)
    hub.register("bleu_neighbors")
    metric = evaluate.load("bleu_neighbors", **SMALL_POOL)
    assert metric.compute(predictions=["the cat sat on the mat"])["values"] == [0.75]
    hub.unregister("bleu_neighbors")
    with pytest.raises(FileNotFoundError):
        evaluate.load("bleu_neighbors")


def test_entries_from_elsewhere_stay(modules):
    foreign = modules / ("f" * 64) / "bleu_neighbors.py"
    own = hub.register("bleu_neighbors")
    os.utime(own / "bleu_neighbors.py", (1, 1))
    foreign.parent.mkdir()
    foreign.write_text("# from the Hub")
    assert hub.register("bleu_neighbors") == own
    assert (own / "bleu_neighbors.py").stat().st_mtime >= foreign.stat().st_mtime  # evaluate loads the newest
    other = hub.register("slor")
    for gone in ([own], []):
        assert hub.unregister("bleu_neighbors") == gone
        assert read(foreign) == "# from the Hub"
        assert other.is_dir()


def test_a_cache_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr("evaluate.config.HF_MODULES_CACHE", str(tmp_path / "file"))
    with refused(re.escape(str(tmp_path / "file")), OSError):
        hub.register("bleu_neighbors")


CUT_OFF = """
import socket
def refuse(*_, **__):
    raise socket.gaierror(-3, "no network")
socket.getaddrinfo = socket.create_connection = socket.socket.connect = refuse
"""
FROM_ELSEWHERE = """
import sys
sys.modules["transformers"] = None  # evaluate imports it and torch if they are installed, which takes a while
from referenceless_metrics.frameworks.hub import modules as hub
from referenceless_metrics.core.registry import metric_names
hub.register("bleu_neighbors")
import evaluate
del sys.modules["transformers"]
for offline in (True, False):  # without the flag, the failing connection must not hide the entry
    evaluate.config.HF_EVALUATE_OFFLINE = offline
    metric = evaluate.load("bleu_neighbors", **eval(sys.argv[1]))
    print(metric.compute(predictions=["the cat sat on the mat"])["values"])
evaluate.config.HF_EVALUATE_OFFLINE = True
hub.unregister("bleu_neighbors")
try:
    evaluate.load("bleu_neighbors")
except FileNotFoundError:
    print("gone")
"""


@pytest.mark.long
def test_bare_name_from_another_folder_without_a_network(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    environ = {"HF_HOME": str(tmp_path / "home"), "HF_EVALUATE_OFFLINE": "1"}
    environ["HF_MODULES_CACHE"] = str(tmp_path / "modules")
    done = python(CUT_OFF + FROM_ELSEWHERE, repr(SMALL_POOL), cwd=tmp_path / "elsewhere", environ=environ)
    assert done.stdout.splitlines() == ["[0.75]", "[0.75]", "gone"]
