"""The folders that are published: their content, refusals, and that they load back."""

import re

import pytest
from refusals import refused

from quality_estimation_metric.model_files.file import packaged_path
from referenceless_metrics.frameworks.hub.publish import assemble


def test_a_space_loads_back(tmp_path):
    import evaluate

    folder = assemble("slor", "someone/my-slor", tmp_path / "my-slor")
    assert {path.name for path in folder.glob("*.py")} == {"my-slor.py", "app.py"}
    assert evaluate.load(str(folder)).compute(predictions=["the cat sat on the mat"])["coverage"] == 1.0


def test_the_card_of_a_model_with_sources_gives_them(tmp_path):
    folder = assemble("quality_estimation", "me/ours", tmp_path / "ours", pool=packaged_path(), license="mit")
    assert '`evaluate.load("me/ours").compute(predictions=texts, sources=sources)`; `sources` holds' in (
        (folder / "README.md").read_text(encoding="utf-8")
    )


@pytest.mark.parametrize(
    "name, repo_id, options, message",
    [
        ("slor", "slor", {}, "Expected a repository as OWNER/REPO, but got 'slor'"),
        ("slor", "a/-b", {}, "Expected a repository as OWNER/REPO"),
        ("slor", "a/slor.v2", {}, "named without a full stop, but got 'slor.v2'"),
        ("slor", "a/slor", {"pool": "x"}, "Expected `license` with `pool`, and only with it"),
        ("slor", "a/slor", {"pool": "x", "license": "mit"}, "x: expected a file that `referenceless fit"),
        ("bleu", "a/b", {}, "Expected argument `name` to be one of"),
    ],
)
def test_what_is_refused(name, repo_id, options, message, tmp_path):
    with refused(re.escape(message)):
        assemble(name, repo_id, tmp_path / "out", **options)
    assert list(tmp_path.iterdir()) == []
