"""The registry: what is declared is found, from an installation and from a tree that was never installed."""

import importlib.metadata
import shutil

import pytest
from command_lines import python
from refusals import refused
from text_files import ROOT

from metric_commons.cli.metric_options import options_for
from metric_commons.registry import MetricSpec, load_metric, metric_names, metric_spec, metric_specs
from metric_commons.support.installation import METRICS_GROUP, plugged_in


@pytest.fixture
def fresh():
    plugged_in.cache_clear()
    yield
    plugged_in.cache_clear()


def test_every_metric_has_all_its_parts():
    assert {"bleu_neighbors", "slor", "wpslor", "rouge_lm"} <= set(metric_names())
    for spec in metric_specs():
        assert metric_spec(spec.name) is spec
        assert callable(spec.load("make"))
        assert options_for(spec).parameters()
        assert spec.load("sacrebleu").make


def test_a_metric_by_name():
    metric = load_metric("wpslor", lm_options={"oov": "skip"})
    assert metric.name == "wpslor"
    assert not metric.needs_references
    assert load_metric("rouge_lm").needs_references
    pool = {"rated_texts": ["a b c d", "a b c e"], "ratings": [1.0, 0.0]}
    assert load_metric("bleu_neighbors", min_neighbors=1, **pool).estimates_ratings


def test_unknown_names_and_parts():
    with refused(r"one of {'bleu_neighbors'.*}, but got 'bleu'"):
        load_metric("bleu")
    with refused("Toy has no explain"):
        MetricSpec("toy", "Toy", make="toy:Toy").load("explain")


def test_someone_elses_metric_plugs_in(fresh, monkeypatch):
    theirs = MetricSpec("theirs", "Theirs", make="builtins:dict")

    class Entry:
        name = "theirs"

        @staticmethod
        def load():
            return theirs

    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [Entry] if group == METRICS_GROUP else [])
    assert "theirs" in metric_names()
    assert load_metric("theirs", a=1) == {"a": 1}
    plugged_in.cache_clear()
    monkeypatch.setattr(Entry, "load", staticmethod(lambda: "nonsense"))
    with refused(r"'theirs' of referenceless_metrics\.metrics to be a MetricSpec", TypeError):
        metric_spec("theirs")


def test_a_tree_that_was_never_installed(tmp_path):
    if not (ROOT / "pyproject.toml").is_file():
        pytest.skip("needs the project's source tree")
    for name in ("metric_commons", "slor_metric", "bleu_neighbors_metric"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("data", "__pycache__"))
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    program = """
import importlib.metadata
known_points = importlib.metadata.entry_points
def entry_points(**chosen):
    return [] if chosen.get("group", "").startswith("referenceless") else known_points(**chosen)
importlib.metadata.entry_points = entry_points
known = importlib.metadata.version
def version(name):
    if name == "referenceless-metrics":
        raise importlib.metadata.PackageNotFoundError(name)
    return known(name)
importlib.metadata.version = version
from metric_commons.registry import load_metric, metric_names
metric = load_metric("bleu_neighbors", rated_texts=["a b", "a c"], ratings=[1, 0], min_neighbors=1)
print(",".join(metric_names()), metric.signature.rpartition("|")[2])
"""
    names, version = python(program, cwd=tmp_path, environ={"PYTHONPATH": str(tmp_path)}).stdout.split()
    assert "wpslor" in names
    assert version == "version:unknown"
