"""Tuning of the small model: faults, the score as Fluency has it, runs that go on."""

import json
import random
from types import SimpleNamespace

import numpy as np
import pytest
from lazily import lazily
from text_files import read, write

from referenceless_papers.training.lstm import train_small
from slor_metric.language_models.base import TokenLogprobs
from slor_metric.language_models.hf import smollm2
from slor_metric.language_models.lstm.model import SmallLanguageModel
from slor_metric.tokenizers.words import BOS, EOS

torch = lazily("torch")
lazily("safetensors")
labels = lazily("referenceless_papers.packaged_models.labels")
tuning = lazily("referenceless_papers.packaged_models.tuning")
small = lazily("referenceless_papers.packaged_models.small")

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
    paths = room / "model", [str(room / "corpus.txt")], room / "labels.jsonl", room / out
    return tuning.tune_small(*paths, steps=steps, size=8, lr=0.01, progress=False)


@pytest.mark.long
def test_a_run_learns_the_labels_and_goes_on(room):
    before, after = tuned(room, "short", 1), tuned(room, "tuned", 60)
    assert after["r_with_labels"] > max(0.5, before["r_with_labels"] + 0.2)
    known = [json.loads(line) for line in read(room / "labels.jsonl").splitlines()]
    scores = small.shortfall_scores(SmallLanguageModel.load(room / "tuned"), [row["text"] for row in known])
    assert np.corrcoef(scores, [row["score"] for row in known])[0, 1] > 0.5  # as Fluency reads the network
    assert tuned(room, "tuned", 60) == after  # nothing is left to do
    with pytest.raises(ValueError, match="is of a run with"):
        tuning.tune_small(room / "model", [str(room / "corpus.txt")], room / "labels.jsonl", room / "tuned", lr=0.02)


def test_labels_are_scores_of_smollm2_and_are_gone_on_with(room, monkeypatch, tmp_path):
    class Model:
        unigram = SimpleNamespace(logprobs=lambda pieces: np.full(len(pieces), -5.0))

        def __init__(self, dtype):
            assert dtype in ("float32", "bfloat16")

        def token_logprobs(self, texts):
            pieces = [tuple(text.replace(" ", " Ġ").split()) for text in texts]
            return [TokenLogprobs(each, np.arange(len(each)) - 4.0) for each in pieces]

    monkeypatch.setattr(smollm2, "load_smollm2", Model)
    out = tmp_path / "labels.jsonl"
    labels.write_labels(room / "model", [str(room / "corpus.txt")], out, 50)
    first = read(out)
    rows = [json.loads(line) for line in first.splitlines()]
    assert len(rows) == 50
    # log-odds 1, 2, 3, ... : the first two words stay under three nats, by two and by one
    assert [row["score"] for row in rows] == pytest.approx([-3 / len(row["text"].split()) ** 0.75 for row in rows])
    labels.write_labels(room / "model", [str(room / "corpus.txt")], out, 90)
    assert read(out).startswith(first)
    assert len(read(out).splitlines()) == 90


@pytest.mark.long
def test_a_network_goes_on_with_sentences_by_chance(room):
    draw = labels._Texts(room / "model", [str(room / "corpus.txt")])
    rows = draw._twins.rows(["the cats were seen in the houses .", "a cat was here ."])
    network = draw.network
    network.embedding.weight.data *= 20  # states that differ
    states = network(torch.from_numpy(rows[0][None, :-1]).long())[0]
    targets = torch.from_numpy(rows[0][1:]).long()
    shares = labels._probabilities(network, network.lstm(network.embedding(torch.from_numpy(rows[0][None, :-1])))[0][0])
    assert shares.sum(1).tolist() == pytest.approx([1] * len(targets), abs=1e-5)
    assert shares.log()[range(len(targets)), targets].tolist() == pytest.approx(
        network.logprobs(states, targets).tolist(), abs=1e-4
    )
    found = [labels.continued(network, rows, [4, 3], seed) for seed in range(20)]
    assert all(new[:4].tolist() == rows[0][:4].tolist() and new[-1] == EOS for new, _ in found)
    assert all((new[1:-1] > EOS).all() for new, _ in found)
    assert len({tuple(new.tolist()) for new, _ in found}) > 10
    long = np.array([BOS, *[5] * 45, EOS], dtype=np.int32)  # beyond the longest continuation: as it is
    assert labels.continued(network, [long], [43], 0)[0] is long
    again = labels.continued(network, rows, [4, 3], 0)
    assert [row.tolist() for row in again] == [row.tolist() for row in found[0]]


def test_each_corpus_has_its_own_held_out_sentences_and_a_text_comes_of_each_sentence(room, tmp_path):
    write(tmp_path / "other.txt", ["The cats sat here ."] * 20)
    paths = [str(room / "corpus.txt"), str(tmp_path / "other.txt")]
    kept, held_out = labels.read_corpora(paths, {"settings": {"validation": 0.1, "seed": 0}})
    assert (len(kept), len(held_out)) == (288, 32)
    assert kept[-18:] + held_out[-2:] == ["The cats sat here ."] * 20
    draw = labels._Texts(room / "model", paths)
    for size in (1, 2, 5):
        lines = ["the cats were seen in the houses .", "a cat was here .", "the \u2660 cat was in the house ."][:size]
        texts = draw.texts(lines, 0)
        assert len(texts) == len(lines)
        assert not any("<unk>" in text for text in texts)


def test_texts_are_written_with_the_capitals_of_their_corpora(room, tmp_path):
    lines = ["The Spanish cats were seen in May by the Spanish here.", "the cats of may were seen here ."]
    write(tmp_path / "cased.txt", [*lines, *["A cat may walk by houses in Leeds and may walk here."] * 20])
    draw = labels._Texts(room / "model", [str(tmp_path / "cased.txt")])
    assert draw._written("the spanish cat in may .".split(), lines[0]) == "The Spanish cat in May."
    assert draw._written("the spanish may in leeds ?".split(), lines[1]) == "The Spanish may in Leeds?"
