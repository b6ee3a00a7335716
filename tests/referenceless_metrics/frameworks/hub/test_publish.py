"""Uploading to a local stand-in for the Hub: success, trouble, tokens; and a metric of one's own."""

import hashlib
import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from command_lines import done, invoke, python
from example_fits import POOL, fit
from hub_stand_in import HubStandIn, Repo, Trouble
from lazily import lazily
from refusals import refused
from text_files import read, write

from bleu_neighbors_metric import BLEUNeighbors
from referenceless_metrics.assessment.agreement import UNPROVEN, VERDICTS
from referenceless_metrics.core.support.installation import project_version
from referenceless_metrics.frameworks.hub import publish as publish_module
from referenceless_metrics.frameworks.hub.publish import assemble, publish, upload
from referenceless_metrics.pages.app.explainer import explainer

modules = lazily("referenceless_metrics.frameworks.evaluate")


SPACE = "someone/slor"


@pytest.fixture
def hub(monkeypatch):
    """Run the stand-in, and point huggingface_hub to it, without a saved token."""
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with HubStandIn() as server:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", server.url)
        yield server


def published(name="slor", **options):
    return publish(name, f"someone/{name}", **{"token": "hf_good", **options})


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    """Fit a pool, and return its file."""
    path = tmp_path_factory.mktemp("pool") / "ours.fitted"
    fit().save(path)
    return path


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_space(hub, tmp_path):
    url = published(private=True)
    assert url == f"{hub.url}/spaces/someone/slor"
    repo = hub.repos[SPACE]
    assert (repo.private, repo.sdk, len(repo.commits)) == (True, "gradio", 1)
    assert repo.files == contents(assemble("slor", "someone/slor", tmp_path / "slor"))
    published(private=True)
    assert len(repo.commits) == 1  # the same again is no second commit
    assert "POST /api/validate-yaml" in hub.requests  # huggingface_hub has the Hub check the card before it sends it


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("https://example.org/us", "[SLOR, reproduced](https://example.org/us/blob/v9/papers/"),
        ("", "SLOR, reproduced;"),
    ],
)
def test_links_of_a_card_are_full_addresses_or_plain_text(address, said, tmp_path, monkeypatch):
    monkeypatch.setattr(publish_module, "project_address", lambda: address)
    monkeypatch.setattr(publish_module, "project_version", lambda: "9")
    card = read(assemble("slor", "someone/slor", tmp_path / "slor") / "README.md")
    assert said in card
    assert "](../" not in card


LOAD = """
import json, sys
sys.modules["transformers"] = None  # evaluate imports it and torch if they are installed, which takes a while
import evaluate
del sys.modules["transformers"]
metric = evaluate.load("someone/bleu_neighbors")
result = metric.compute(predictions=json.loads(sys.argv[1]))
print(json.dumps([result["values"], result["signature"]]))
"""


def test_a_published_module_reads_its_own_file_and_no_other(pool, monkeypatch):
    monkeypatch.setattr("huggingface_hub.hf_hub_download", lambda *_, **__: str(pool))
    texts = ["the cat sat on the mat", "", "we met in the old town"]
    digest = hashlib.sha256(Path(pool).read_bytes()).hexdigest()
    module = modules.published_module("bleu_neighbors", "someone/ours", "ours.fitted", digest)()
    assert module.compute(predictions=texts)["values"] == fit().predict(texts).as_plain()["values"]
    with refused("ours.fitted is another file than the one that was published"):
        modules.published_module("bleu_neighbors", "someone/ours", "ours.fitted", "0" * 64)()


@pytest.mark.long
def test_a_metric_of_ones_own_loads_by_its_name(hub, pool, tmp_path):
    line = f"hub publish bleu_neighbors --to someone/bleu_neighbors --pool {pool} --license cc-by-4.0 --token hf_good"
    assert done(line).stdout == f"published: {hub.url}/spaces/someone/bleu_neighbors\n"
    texts = ["the cat sat on the mat", "", "we met in the old town"]
    environ = {"HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path), "NO_PROXY": "127.0.0.1"}
    for offline in ("HF_EVALUATE_OFFLINE", "HF_HUB_OFFLINE"):
        environ[offline] = "0"
    values, signature = json.loads(python(LOAD, json.dumps(texts), environ={**os.environ, **environ}).stdout)
    expected = fit().predict(texts)
    assert values == expected.as_plain()["values"]
    assert signature == expected.signature
    hub.repos["someone/bleu_neighbors"].files["ours.fitted"] += b"x"
    environ["HF_HOME"] = str(tmp_path / "again")
    failed = python(LOAD, json.dumps(texts), environ={**os.environ, **environ}, status=1)
    assert "ours.fitted is another file than the one that was published" in failed.stderr


def test_a_dry_run_loads_offline_with_the_file_beside_its_script(hub, pool, tmp_path, monkeypatch):
    import evaluate
    from huggingface_hub.errors import OfflineModeIsEnabled

    folder = assemble("bleu_neighbors", "me/near_by", tmp_path / "space", pool=pool, license="mit")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.chdir(tmp_path)
    texts = ["the cat sat on the mat", "we met in the old town"]
    expected = fit().predict(texts).as_plain()["values"]
    assert evaluate.load("./space/near_by.py").compute(predictions=texts)["values"] == expected
    (folder / "ours.fitted").write_bytes(b"another")

    def refuses(*_, **__):
        raise OfflineModeIsEnabled("offline")

    monkeypatch.setattr("huggingface_hub.hf_hub_download", refuses)
    with refused("ours.fitted of the Space me/near_by is not beside the module, and the Hub", ConnectionError):
        evaluate.load("./space/near_by.py")


def test_a_metric_of_ones_own_has_a_summary_in_its_card_and_its_file_of_any_name_in_its_programs(hub, pool, tmp_path):
    named = shutil.copy(pool, tmp_path / 'the "good" one.fitted')
    line = f"hub publish bleu_neighbors --to me/ours --dry-run {tmp_path}/out --no-build --pool"
    assert "whose are they, and under which licence" in invoke(line, named).stderr
    printed = done(line, named, "--license", "cc-by-4.0").stdout
    assert f"pip finds referenceless-metrics[app]=={project_version()} on an index" in printed
    _, head, body = read(tmp_path / "out" / "README.md").split("---\n", 2)
    assert "title: ours\n" in head
    assert "license: cc-by-4.0\n" in head
    summary = body.strip().splitlines()[:14]
    for words in (
        f"Learned from**: {fit().learned_from_}.",
        "What the estimates are worth",
        'evaluate.load("me/ours")',
        "cc-by-4.0",
    ):
        assert any(words in each for each in summary)
    assert f'build_app("bleu_neighbors", pool={named.name!r})' in read(tmp_path / "out" / "app.py")
    assert f'published_module("bleu_neighbors", "me/ours", {named.name!r}, ' in read(tmp_path / "out" / "ours.py")
    page = explainer("bleu_neighbors", pool=str(pool))
    texts = ["the cat sat on the mat"]
    assert page.score({"texts": texts}, {}).result.as_plain()["values"] == fit().predict(texts).as_plain()["values"]


def claims_of(metric, tmp_path):
    """Return what the card of a fitted BLEU Neighbors says on claims."""
    metric.save(tmp_path / "ours.fitted")
    folder = assemble("bleu_neighbors", "me/ours", tmp_path / "space", pool=tmp_path / "ours.fitted", license="mit")
    return read(folder / "README.md").split("- **Claims**: ")[1].split("\n- **")[0]


def test_the_claims_of_a_card_follow_the_verdict(tmp_path):
    ratings = np.random.default_rng(1).permutation(POOL.ratings)
    noise = BLEUNeighbors().fit(POOL.texts, ratings)
    assert noise.verdict_.verdict in UNPROVEN
    said = claims_of(noise, tmp_path)
    assert said.startswith("none")
    assert "estimates rank" not in said
    assert "only ratings of a system's own outputs support a claim about it" in said
    assert set(publish_module._CLAIMS) == {None, *VERDICTS}


def test_a_repository_that_exists(hub):
    repo = hub.repos[SPACE] = Repo(private=False, sdk="gradio", files={"notes.md": b"mine", "app.py": b"old"})
    published(private=True)
    assert (repo.private, repo.files["notes.md"]) == (False, b"mine")  # as they were
    assert repo.files["app.py"] != b"old"


@pytest.mark.parametrize("path, status", [("repos/create", 503), ("preupload", 500), ("commit", None)])
def test_trouble(hub, path, status, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)  # huggingface_hub's own waits
    hub.troubles.append(Trouble(path, status))
    with refused(r"for space someone/slor: .*safe to run the same command again$", ConnectionError) as info:
        published()
    assert "\n" not in str(info.value)
    assert not hub.repos.get(SPACE, Repo(None, None)).files  # nothing half-done is to be seen


@pytest.mark.parametrize(
    "token, message",
    [
        ("hf_expired", r"^The Hub refuses the token \(401\) for space someone/slor: "),
        ("hf_reader", r"^The Hub refuses the token \(403\) for space someone/slor: .*may not write there"),
        (None, "^There is no token for the Hub: .*HF_TOKEN"),
    ],
)
def test_a_token_that_is_refused(hub, token, message):
    with refused(message, PermissionError) as info:
        published(token=token)
    assert "\n" not in str(info.value)
    assert str(token) not in str(info.value)
    assert hub.repos == {}
    assert bool(hub.requests) == bool(token)


def test_a_card_that_the_hub_refuses(hub, tmp_path):
    folder = assemble("slor", "someone/slor", tmp_path / "slor")
    card = read(folder / "README.md")
    write(folder / "README.md", card.replace("colorTo: blue", "colorTo: mauve"))
    with refused('"colorTo" must be one of'):
        upload(folder, "someone/slor", token="hf_good")
    assert hub.repos[SPACE].files == {}
