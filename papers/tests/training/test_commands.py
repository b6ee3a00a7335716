"""The commands that train networks, and scores by their files."""

import pytest
from command_lines import as_json, typed
from lazily import lazily
from text_files import write

lazily("torch")
lazily("safetensors")


CORPUS = """the cat sat on the mat .
the dog sat on the rug .
a cat and a dog sat on the mat .
the cat saw the dog .
the dog saw a cat on the rug .
"""
SMALL = "--vocab-size 90 --hidden 8 --width 8 --device cpu --float32 --no-progress"
LSTM = "--layers 1 --embedding 16 --epochs 1 --batch-size 8 --device cpu --no-progress --validation 0.1"


@pytest.mark.parametrize(
    "kind, options, trained, name",
    [
        ("small", SMALL, "SmallLanguageModel", "small8-wordpiece"),
        ("lstm", f"{LSTM} --hidden 16", "LSTMLanguageModel", "lstm1x16"),
    ],
)
def test_training_a_network_and_scoring_with_it(kind, options, trained, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("corpus.txt", CORPUS * 10)
    write("texts.txt", "the cat sat on the mat .\n")
    training = f"train {kind} corpus.txt -o folder"
    assert trained in typed(f"{training} {options}").err
    for metric in ("slor", "wpslor"):
        result = as_json(f"score texts.txt --metric {metric} --lm folder")
        assert name in result["signature"]
        assert result["rows"][0]["n_tokens"] == 7 or kind == "small"
    if kind == "lstm":
        typed(f"{training} {options}")  # goes on, and is done
        assert "checkpoint" in typed(f"{training} {LSTM} --hidden 8", 1).err
