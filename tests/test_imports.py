"""Importing the packages is quick and quiet: heavy libraries load on use."""

import json

import pytest
from command_lines import python
from text_files import write

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
    "gradio",
    "jinja2",
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
        "referenceless_metrics.datasets as d; d.names(), d.configs('huse'), d.parse_spec('huse'), d.is_spec('huse:x')",
        "referenceless_metrics",
        "referenceless_metrics.pages.app.page, bleu_neighbors_metric.explain, "
        "slor_metric.explain, quality_estimation_metric.explain",
    ],
)
def test_an_import_loads_nothing_heavy_prints_nothing_and_changes_nothing(module):
    program = PROGRAM.format(module=module, heavy=HEAVY)
    done = python(program)
    assert done.stderr == ""
    unchanged, loaded = json.loads(done.stdout)
    assert loaded == []
    assert unchanged


SCORE = """
import sys
from referenceless_metrics.cli import cli
words = "score in.txt --metric bleu_neighbors --pool pool.csv -o out.csv --format csv"
cli.main(words.split(), standalone_mode=False)
packages = ("referenceless_metrics.core", "bleu_neighbors_metric", "slor_metric", "quality_estimation_metric")
print(len([name for name in sys.modules if name.split(".")[0] in packages]))
"""
MOST_MODULES = 48  # today's number; it may only get less


def test_scoring_imports_few_modules(tmp_path):
    rows = "".join(f"the cat sat on the mat {i},{i % 3}\n" for i in range(20))
    write(tmp_path / "pool.csv", f"text,rating\n{rows}")
    write(tmp_path / "in.txt", "the cat sat on the mat\na dog\n")
    assert int(python(SCORE, cwd=tmp_path).stdout) <= MOST_MODULES


SMALL_SCORE = """
import gc, sys
from referenceless_metrics.__main__ import main
try:
    main(["score", "in.txt", "--no-progress"])
finally:
    is_seldom, is_left = gc.get_threshold()[0] > 100_000, gc.get_freeze_count() > 10_000
    print([name for name in {heavy!r} if name in sys.modules], is_seldom, is_left)
"""
SLOW = (
    *("tabulate", "wcwidth", "numpy.ma", "numpy.random", "importlib.metadata", "importlib.resources", "email"),
    "slor_metric.language_models.ngram.training",
)


def test_a_score_of_few_texts_loads_nothing_that_takes_as_long(tmp_path):
    write(tmp_path / "in.txt", "The cat sat on the mat.\nIt’s a dog – or is it?\n")
    printed = python(SMALL_SCORE.format(heavy=SLOW), cwd=tmp_path).stdout
    assert printed.splitlines()[-1] == "[] True True"
