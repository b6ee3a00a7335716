"""The command line, as a user types it: exit status, output formats, errors in one line."""

import io

import pytest
from command_lines import as_json, typed
from text_files import write

CORPUS = """the cat sat on the mat .
the dog sat on the rug .
a cat and a dog sat on the mat .
the cat saw the dog .
the dog saw a cat on the rug .
"""
TEXTS = "the cat sat on the rug .\nrug the on sat cat the .\n\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    write(folder / "corpus.txt", CORPUS * 3)
    typed(f"train ngram {folder / 'corpus.txt'} -o {folder / 'lm.npz'} --order 3 --no-progress")
    return folder / "lm.npz"


@pytest.fixture
def texts(tmp_path):
    write(tmp_path / "texts.txt", TEXTS)
    return tmp_path / "texts.txt"


def test_rouge_lm_with_reference_files(model, texts, tmp_path):
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    write(first, "the cat sat on the rug .\n\nx\n")
    write(second, "a dog\nthe cat sat .\n\n")
    result = as_json(f"score {texts} --lm {model} --references {first} --references {second}")
    assert result["metric"] == "rouge_lm"
    assert [row["rouge_l"] for row in result["rows"]] == pytest.approx([1.0, 2 * 2 / (6 + 3), 0.0])
    assert set(result["statistics"]) == {"rouge_l_mean", "rouge_l_std", "wpslor_mean", "wpslor_std"}


def test_an_arpa_file_is_better_with_counts(model, texts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    training = f"{model.parent / 'corpus.txt'} --tokenizer whitespace --no-progress"
    typed(f"train ngram {training} --order 2 -o lm.npz --arpa lm.arpa")
    assert "--unigram FILE" in typed("score texts.txt --metric slor --lm lm.arpa").err
    typed(f"train unigram {training} -o u.npz")
    found = [
        [row["nce"] for row in as_json(f"score texts.txt --metric slor --lm {lm}")["rows"][:2]]
        for lm in ("lm.arpa --unigram u.npz", "lm.npz")
    ]
    assert found[0] == pytest.approx(found[1], abs=1e-4)


@pytest.mark.parametrize("tokenizer", ["words", "wordpiece"])
def test_training_from_standard_input(tokenizer, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((CORPUS * 50).encode())))
    typed(f"train ngram - -o {tmp_path / 'lm.npz'} --order 2 --tokenizer {tokenizer} --no-progress")
    assert (tmp_path / "lm.npz").is_file()
