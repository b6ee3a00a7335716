"""The folders that are published: what they hold, what is refused, and that they load back."""

import re

import pytest
from refusals import refused
from small_metrics import SMALL_POOL

from metric_commons.hub.modules import card_path
from metric_commons.hub.publish import assemble


@pytest.mark.parametrize("name, repo", [("bleu_neighbors", "bleu_neighbors"), ("slor", "my-slor")])
def test_a_space_loads_back(name, repo, tmp_path):
    import evaluate

    folder = assemble(name, f"someone/{repo}", tmp_path / repo)
    card = card_path("metrics", name).read_text("utf-8")
    assert (folder / "README.md").read_text("utf-8") == card.replace("](../figures/", "](figures/")
    assert {path.name for path in folder.glob("*.py")} == {f"{repo}.py", "app.py"}
    texts = ["the cat sat on the mat"]
    module = evaluate.load(str(folder), **(SMALL_POOL if name == "bleu_neighbors" else {}))
    result = module.compute(predictions=texts, references=texts, sources=["inform(name=cat)"])
    assert isinstance(result[name], float)
    assert result["coverage"] == 1.0


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
