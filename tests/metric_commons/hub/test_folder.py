"""The folders that are published: what they hold, what is refused, and that they load back."""

import re

import pytest
from command_lines import done
from refusals import refused
from small_metrics import SMALL_POOL
from text_files import write

from metric_commons.hub.modules import card_path
from metric_commons.hub.publish import assemble
from metric_commons.registry import metric_names


@pytest.fixture
def huse(tmp_path):
    """Write a small file in the format of HUSE's raw outputs, and return its folder."""
    folder = tmp_path / "huse-source"
    folder.mkdir()
    rows = [
        "HITId,AssignmentId,WorkerId,Input.IDX0,Input.CTX0,Input.TYPE0,Input.OUT0,Input.LOGP0,Answer.0",
        "HIT1,a1,w1,0,context,SUM,a headline,-3.5,Typical",
        "HIT1,a2,w2,0,context,SUM,a headline,-3.5,Rare",
        "HIT2,a3,w1,0,context,HUMAN_SUM,another,-inf,Very Typical",
    ]
    write(folder / "summarization_raw_outputs.csv", rows)
    return folder


@pytest.mark.parametrize(
    "name, repo", [*((name, name) for name in metric_names()), ("slor", "my-slor")], ids=lambda word: word
)
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


def test_the_dataset_of_the_authors_loads_back(data_dir, tmp_path):
    import datasets

    with pytest.warns(UserWarning, match="states no licence"):
        folder = assemble("huse", "someone/huse", tmp_path / "huse", data_dir=data_dir("huse"), progress=False)
    loaded = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    assert loaded["train"].num_rows == 200


@pytest.mark.parametrize(
    "name, repo_id, options, message",
    [
        ("asap_sas", "a/b", {}, "asap_sas cannot be published: the rules of its Kaggle competition"),
        ("slor", "slor", {}, "Expected a repository as OWNER/REPO, but got 'slor'"),
        ("slor", "a/b/c", {}, "Expected a repository as OWNER/REPO"),
        ("slor", "a/-b", {}, "Expected a repository as OWNER/REPO"),
        ("slor", "a/slor.v2", {}, "named without a full stop, but got 'slor.v2'"),
        ("slor", "a/slor", {"data_dir": "x"}, "slor is a metric: `data_dir` and `configs` are for data sets"),
        ("bleu", "a/b", {}, "Expected argument `name` to be one of"),
    ],
)
def test_what_is_refused(name, repo_id, options, message, tmp_path):
    with refused(re.escape(message)):
        assemble(name, repo_id, tmp_path / "out", **options)
    assert list(tmp_path.iterdir()) == []


def test_dry_run_of_a_dataset(huse, tmp_path):
    import datasets

    line = f"hub publish huse --to someone/huse --dry-run {tmp_path}/out --data-dir {huse} --config summarization"
    with pytest.warns(UserWarning, match="states no licence"):
        path = re.search(r'load_dataset\("(.*)"\)', done(line).stdout)
    assert datasets.load_dataset(path[1], split="train", cache_dir=str(tmp_path / "cache")).num_rows == 2
