"""Tuning of the small model: faults, the score as Fluency has it, runs that go on."""

import json
import random
from types import SimpleNamespace

import numpy as np
import pytest
from text_files import read, write

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from referenceless_papers.packaged_models import tuning  # noqa: E402
from referenceless_papers.packaged_models.small import shortfall_scores  # noqa: E402
from referenceless_papers.training.lstm import train_small  # noqa: E402
from slor_metric.language_models.base import TokenLogprobs  # noqa: E402
from slor_metric.language_models.lstm.model import SmallLanguageModel  # noqa: E402

_TINY = {"vocab_size": 90, "hidden": 16, "width": 8, "epochs": 1, "lr": 0.01, "device": "cpu", "progress": False}
_WORDS = ["the", "cats", "cat", "was", "were", "seen", "here", "in", "houses", "house", "by", "walking", "walked", "a"]


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """A folder with a corpus, a small model of it, and texts with scores."""
    folder, draw = tmp_path_factory.mktemp("tuning"), random.Random(0)
    lines = [" ".join([*draw.choices(_WORDS, k=draw.randint(6, 12)), "."]) for _ in range(300)]
    write(folder / "corpus.txt", lines)
    train_small(lines, folder / "model", validation=0.1, **_TINY)
    write(
        folder / "labels.jsonl", [json.dumps({"text": line, "score": -1.0 * line.count("the")}) for line in lines[:120]]
    )
    return folder


def tuned(room, out, steps):
    paths = room / "model", str(room / "corpus.txt"), room / "labels.jsonl", room / out
    return tuning.tune_small(*paths, steps=steps, size=8, lr=0.01, progress=False)


def test_a_run_learns_the_labels_and_goes_on(room):
    before, after = tuned(room, "short", 1), tuned(room, "tuned", 60)
    assert after["r_with_labels"] > max(0.5, before["r_with_labels"] + 0.2)
    labels = [json.loads(line) for line in read(room / "labels.jsonl").splitlines()]
    scores = shortfall_scores(SmallLanguageModel.load(room / "tuned"), [label["text"] for label in labels])
    assert np.corrcoef(scores, [label["score"] for label in labels])[0, 1] > 0.5  # as Fluency reads the network
    assert tuned(room, "tuned", 60) == after  # nothing is left to do
    with pytest.raises(ValueError, match="is of a run with"):
        tuning.tune_small(room / "model", str(room / "corpus.txt"), room / "labels.jsonl", room / "tuned", lr=0.02)


def test_labels_are_scores_of_smollm2_and_are_gone_on_with(room, monkeypatch, tmp_path):
    class Model:
        def token_logprobs(self, texts):
            pieces = [tuple(text.replace(" ", " Ġ").split()) for text in texts]
            return [TokenLogprobs(each, np.arange(len(each)) - 4.0) for each in pieces]

    unigram = SimpleNamespace(logprobs=lambda pieces: np.full(len(pieces), -5.0))
    monkeypatch.setattr(tuning, "load_smollm2", Model)
    monkeypatch.setattr(tuning, "load_unigram_model", lambda *_: unigram)
    out = tmp_path / "labels.jsonl"
    tuning.write_labels(room / "model", str(room / "corpus.txt"), out, 50)
    first = read(out)
    rows = [json.loads(line) for line in first.splitlines()]
    assert len(rows) == 50
    # log-odds 1, 2, 3, ... : the first two words stay under three nats, by two and by one
    assert [row["score"] for row in rows] == pytest.approx([-3 / len(row["text"].split()) ** 0.75 for row in rows])
    tuning.write_labels(room / "model", str(room / "corpus.txt"), out, 90)
    assert read(out).startswith(first)
    assert len(read(out).splitlines()) == 90
