import pickle
from pathlib import Path

import pytest
from small_wordnet import write_small_wordnet

from metric_commons.support import wordnet
from metric_commons.support.errors import InputError
from referenceless_papers.baselines.meteor import Meteor

pytest.importorskip("nltk")


def test_values_are_nltks(tmp_path: Path) -> None:
    from nltk.translate.meteor_score import meteor_score

    folder = str(write_small_wordnet(tmp_path / "wordnet"))
    metric = Meteor(wordnet=folder)
    reader = wordnet.load_wordnet(folder)
    texts = ["The cat sat on the rug.", "Nothing."]
    streams = [["A feline sat on a mat.", "a dog"], ["The cats sat.", ""]]
    expected = [
        meteor_score(
            [["a", "feline", "sat", "on", "a", "mat", "."], ["the", "cats", "sat", "."]],
            ["the", "cat", "sat", "on", "the", "rug", "."],
            wordnet=reader,
        ),
        meteor_score([["a", "dog"]], ["nothing", "."], wordnet=reader),
    ]
    assert metric.segment_scores(texts, streams).tolist() == expected
    assert pickle.loads(pickle.dumps(metric)).segment_scores(texts, streams).tolist() == expected


def test_without_wordnet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(wordnet, "_from_nltk_data", lambda: None)
    monkeypatch.setattr(wordnet, "SYSTEM_FOLDER", str(tmp_path))
    with pytest.raises(InputError, match=r"METEOR needs WordNet's files.*Meteor\(wordnet=…\)"):
        Meteor()
