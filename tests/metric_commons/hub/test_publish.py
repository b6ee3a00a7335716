"""Uploading to a local stand-in for the Hub: success, passing and lasting trouble, tokens, and interruptions."""

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from command_lines import python
from hub_stand_in import HubStandIn, Repo, Trouble
from refusals import refused
from text_files import read, write

from metric_commons.hub.publish import assemble, publish, upload
from metric_commons.registry import metric_names

SPACE = "space someone/slor"


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


def uploaded(folder):
    return upload(folder, "someone/data", "dataset", token="hf_good")


@pytest.fixture
def waits(monkeypatch):
    """Return the waits between attempts, which do not take their time."""
    seconds = []
    monkeypatch.setattr("time.sleep", seconds.append)
    return seconds


@pytest.fixture
def dataset(tmp_path):
    """Write the folder of a data set with two Parquet files, as `assemble` does."""
    import datasets

    folder = tmp_path / "data"
    names = ("a", "b")
    for name in names:
        (folder / name).mkdir(parents=True)
        datasets.Dataset.from_dict({"text": [name * 100]}).to_parquet(str(folder / name / "train-00000.parquet"))
    configs = "".join(f"- config_name: {name}\n  data_files: {name}/*.parquet\n" for name in names)
    write(folder / "README.md", f"---\nlicense: mit\nconfigs:\n{configs}---\n# Data\n")
    return folder


@pytest.fixture
def without_xet(monkeypatch):
    """Send large files by Git LFS, which the stand-in understands, and not through the Xet storage."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)


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
    assert hub.count("POST /api/validate-yaml") >= 1  # huggingface_hub has the Hub check the card before it sends it


@pytest.mark.usefixtures("without_xet")
def test_a_dataset(hub, dataset):
    assert uploaded(dataset) == f"{hub.url}/datasets/someone/data"
    repo = hub.repos["dataset someone/data"]
    assert repo.files == contents(dataset)
    assert repo.lfs_files == {"a/train-00000.parquet", "b/train-00000.parquet"}


def test_a_repository_that_exists(hub):
    repo = hub.repos[SPACE] = Repo(private=False, sdk="gradio", files={"notes.md": b"mine", "app.py": b"old"})
    published(private=True)
    assert (repo.private, repo.files["notes.md"]) == (False, b"mine")  # as they were
    assert repo.files["app.py"] != b"old"


@pytest.mark.parametrize("status", [500, 503, 429, None])
@pytest.mark.parametrize("path", ["validate-yaml", "repos/create", "preupload", "commit"])
def test_trouble_that_passes(hub, waits, path, status):
    hub.troubles.append(Trouble(path, status, times=2))
    published()
    assert len(hub.repos[SPACE].commits) == 1
    assert hub.count(path) >= 3
    assert waits[:2] == [1.0, 2.0]


def test_trouble_that_lasts(hub, waits):
    hub.troubles.append(Trouble("repos/create", 503, times=99))
    message = r"answers 503 after 4 attempts, for space someone/slor: .*again$"
    with refused(message, ConnectionError) as info:
        published()
    assert "\n" not in str(info.value)
    assert (waits, hub.repos) == ([1.0, 2.0, 4.0], {})


@pytest.mark.parametrize(
    "token, message",
    [
        ("hf_expired", r"^The Hub refuses the token \(401\) for space someone/slor: "),
        ("hf_reader", r"may not write to space someone/slor \(403\)"),
        (None, "^There is no token for the Hub: .*HF_TOKEN"),
    ],
)
def test_a_token_that_is_refused(hub, waits, token, message):
    with refused(message, PermissionError) as info:
        published(token=token)
    assert "\n" not in str(info.value)
    assert str(token) not in str(info.value)
    assert (waits, hub.repos) == ([], {})
    assert bool(hub.requests) == bool(token)


def test_a_card_that_the_hub_refuses(hub, tmp_path):
    folder = assemble("slor", "someone/slor", tmp_path / "slor")
    card = read(folder / "README.md")
    write(folder / "README.md", card.replace("colorTo: blue", "colorTo: mauve"))
    with refused('"colorTo" must be one of'):
        upload(folder, "someone/slor", "space", token="hf_good")
    assert hub.repos[SPACE].files == {}


@pytest.mark.parametrize("name", metric_names())
def test_cards_pass_the_validation_of_huggingface_hub(hub, tmp_path, name):
    from huggingface_hub import SpaceCard, __version__

    if int(__version__.split(".")[0]) < 2:
        pytest.skip(f"huggingface_hub {__version__} validates cards on huggingface.co alone, whatever HF_ENDPOINT says")
    folder = assemble(name, f"someone/{name}", tmp_path / name)
    SpaceCard.load(folder / "README.md", ignore_metadata_errors=False).validate()
    assert hub.requests == ["POST /api/validate-yaml"]


@pytest.mark.usefixtures("without_xet")
def test_an_upload_that_breaks_between_two_files(hub, waits, dataset):
    second = sorted(path for path in contents(dataset) if path.endswith(".parquet"))[1]
    digest = hashlib.sha256((dataset / second).read_bytes()).hexdigest()
    hub.troubles.append(Trouble(f"PUT /lfs/{digest}", None, times=99))
    with refused("safe to run the same command again", ConnectionError):
        uploaded(dataset)
    assert hub.repos["dataset someone/data"].files == {}  # nothing half-done is to be seen
    assert len(hub.objects) == 1
    hub.troubles.clear()
    hub.requests.clear()
    uploaded(dataset)
    assert hub.repos["dataset someone/data"].files == contents(dataset)
    assert hub.count("PUT /lfs/") == 1  # what had arrived is not sent again


def test_an_upload_that_is_interrupted_by_hand(hub):
    reached, go_on = threading.Event(), threading.Event()

    def hold():
        reached.set()
        go_on.wait(120)
        raise BrokenPipeError  # the client is gone: nothing is committed

    hub.before_commit = hold
    program = "from referenceless_metrics.__main__ import main; main()"
    words = ["hub", "publish", "slor", "--to", "someone/slor"]
    environment, pipe = {**os.environ, "HF_ENDPOINT": hub.url, "HF_TOKEN": "hf_good"}, subprocess.PIPE
    command = [sys.executable, "-c", program, *words]
    with subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert reached.wait(120), process.communicate(timeout=1) if process.poll() is not None else hub.requests
            process.send_signal(signal.SIGINT)
            time.sleep(0.2)
            go_on.set()
            _, errors = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "interrupted"
    assert hub.repos[SPACE].files == {}
    hub.before_commit = lambda: None
    assert python(program, *words, environ=environment).stdout == f"published: {hub.url}/spaces/someone/slor\n"
    assert "README.md" in hub.repos[SPACE].files
