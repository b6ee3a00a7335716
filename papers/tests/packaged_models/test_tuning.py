"""Tuning of the small model: faults, the score as Fluency has it, runs that go on."""

import json
import random

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from referenceless_papers.packaged_models import tuning  # noqa: E402
from referenceless_papers.packaged_models.small import shortfall_scores  # noqa: E402
from referenceless_papers.training.lstm import train_small  # noqa: E402
from slor_metric.language_models.lstm.model import SmallLanguageModel  # noqa: E402

_TINY = {"vocab_size": 90, "hidden": 16, "width": 8, "epochs": 1, "lr": 0.01, "device": "cpu", "progress": False}
_WORDS = ["the", "cats", "cat", "was", "were", "seen", "here", "in", "houses", "house", "by", "walking", "walked", "a"]


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """A folder with a corpus, a small model of it, and texts with scores."""
    folder, draw = tmp_path_factory.mktemp("tuning"), random.Random(0)
    lines = [" ".join([*draw.choices(_WORDS, k=draw.randint(6, 12)), "."]) for _ in range(300)]
    (folder / "corpus.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    train_small(lines, folder / "model", validation=0.1, **_TINY)
    rows = [{"text": line, "score": -float(line.count("the"))} for line in lines[:120]]
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def tuned(room, out, steps):
    paths = room / "model", str(room / "corpus.txt"), room / "labels.jsonl", room / out
    return tuning.tune_small(*paths, steps=steps, size=8, lr=0.01, progress=False)


def test_a_run_learns_the_labels_and_goes_on(room):
    before, after = tuned(room, "short", 1), tuned(room, "tuned", 60)
    assert after["r_with_labels"] > max(0.5, before["r_with_labels"] + 0.2)
    model, texts = SmallLanguageModel.load(room / "tuned"), ["the cats were seen .", "by by by the ."]
    assert np.isfinite(shortfall_scores(model, texts)).all()
    assert tuned(room, "tuned", 60) == after  # nothing is left to do
    with pytest.raises(ValueError, match="is of a run with"):
        tuning.tune_small(room / "model", str(room / "corpus.txt"), room / "labels.jsonl", room / "tuned", lr=0.02)


def test_the_score_is_the_small_models_part_of_fluency(room):
    texts = ["The cats were seen here.", "walkingg in a the house", "."]
    paths = room / "model" / "small.safetensors", str(room / "corpus.txt"), room / "labels.jsonl", room / "other"
    run = tuning._Tuning(*paths, 1, 8, 0.01, False)
    with torch.inference_mode():
        scores, _ = run._read(run.twins.rows(texts))
    expected = shortfall_scores(SmallLanguageModel.load(room / "model"), texts)
    np.testing.assert_allclose(scores, expected, rtol=1e-4)


def test_labels_are_scores_of_smollm2_and_are_gone_on_with(room, monkeypatch, tmp_path):
    class Model:
        def token_logprobs(self, texts):
            return [Scored(text) for text in texts]

    class Scored:
        def __init__(self, text):
            self.pieces = tuple(word if i == 0 else "Ġ" + word for i, word in enumerate(text.split()))
            self.logprobs = np.arange(len(self.pieces)) - 4.0

        def __len__(self):
            return len(self.pieces)

    class Unigram:
        def logprobs(self, pieces):
            return np.full(len(pieces), -5.0)

    monkeypatch.setattr(tuning, "load_smollm2", Model)
    monkeypatch.setattr(tuning, "load_unigram_model", lambda *_: Unigram())
    out = tmp_path / "labels.jsonl"
    tuning.write_labels(room / "model", str(room / "corpus.txt"), out, 50)
    first = out.read_text(encoding="utf-8")
    rows = [json.loads(line) for line in first.splitlines()]
    assert len(rows) == 50
    # log-odds 1, 2, 3, ... : the first two words stay under three nats, by two and by one
    assert [row["score"] for row in rows] == pytest.approx([-3 / len(row["text"].split()) ** 0.75 for row in rows])
    tuning.write_labels(room / "model", str(room / "corpus.txt"), out, 90)
    assert out.read_text(encoding="utf-8").startswith(first)
    assert len(out.read_text(encoding="utf-8").splitlines()) == 90
