"""The command line, as a user types it: exit status, output formats, errors in one line."""

import io
import json
from pathlib import Path

import pytest
from command_lines import status

CORPUS = """the cat sat on the mat .
the dog sat on the rug .
a cat and a dog sat on the mat .
the cat saw the dog .
the dog saw a cat on the rug .
"""
TEXTS = ["the cat sat on the rug .", "rug the on sat cat the .", ""]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    (folder / "corpus.txt").write_text(CORPUS * 3, encoding="utf-8")
    path = str(folder / "lm.npz")
    assert status("train", "ngram", str(folder / "corpus.txt"), "-o", path, "--order", "3", "--no-progress") == 0
    return path


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("".join(f"{text}\n" for text in TEXTS), encoding="utf-8")
    return str(path)


def test_score_as_a_table(model, texts, capsys):
    assert status("score", texts, "--metric", "wpslor", "--lm", model) == 0
    out = capsys.readouterr().out
    assert out.split()[:2] == ["text", "value"]
    assert "over 2 of 3 texts (coverage 0.667)" in out
    assert "without a value: 1 empty text" in out
    assert "metric:wpslor|lm:3gram-words" in out


def test_score_as_json(model, texts, capsys):
    assert status("score", texts, "--lm", model, "--metric", "slor", "--format", "json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["metric"] == "slor"
    assert result["coverage"] == pytest.approx(2 / 3)
    fluent, scrambled, empty = (row["value"] for row in result["rows"])
    assert fluent > scrambled
    assert empty is None
    assert result["mean"] == pytest.approx((fluent + scrambled) / 2)
    assert [row["n_tokens"] for row in result["rows"]] == [7, 7, 0]
    assert result["rows"][2]["reason"] == "empty text"


def test_rouge_lm_with_reference_files(model, texts, tmp_path, capsys):
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text("the cat sat on the rug .\n\nx\n", encoding="utf-8")
    second.write_text("a dog\nthe cat sat .\n\n", encoding="utf-8")
    options = ["--references", str(first), "--references", str(second), "--format", "json"]
    assert status("score", texts, "--lm", model, *options) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["metric"] == "rouge_lm"
    assert [row["rouge_l"] for row in result["rows"]] == pytest.approx([1.0, 2 * 2 / (6 + 3), 0.0])
    assert result["rows"][0]["value"] > result["rows"][1]["value"]
    assert set(result["statistics"]) == {"rouge_l_mean", "rouge_l_std", "wpslor_mean", "wpslor_std"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "x.txt", "--metric", "rouge_lm"],
        ["score", "x.txt", "--metric", "slor", "--references", "y.txt"],
        ["score", "x.txt", "--references", "y.txt", "--reference-columns", "z"],
        ["score", "-", "--reference-columns", "z"],
        ["score", "x.txt", "--lm-option", "device"],
        ["score", "x.txt", "--metric", "bleu"],
        ["train", "ngram", "-", "x.txt", "-o", "y"],
        ["train", "ngram", "x.txt", "-o", "y", "--prune", "a"],
    ],
)
def test_wrong_usage_leaves_with_2(arguments, capsys):
    assert status(*arguments) == 2
    assert "Error: " in capsys.readouterr().err


def error_of(capsys):
    captured = capsys.readouterr()
    lines = captured.err.strip().split("\n")
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    assert captured.out == ""
    return lines[0]


def test_bad_input_leaves_with_1_and_one_line(model, texts, tmp_path, capsys):
    foreign = tmp_path / "foreign.npz"
    foreign.write_bytes(b"PK nothing")
    short = tmp_path / "short.txt"
    short.write_text("one\n", encoding="utf-8")
    empty = tmp_path / "empty.txt"
    empty.write_text("", encoding="utf-8")
    slor = ["--metric", "slor"]
    for arguments, words in (
        (["score", texts, *slor, "--lm", str(foreign)], "foreign.npz"),
        (["score", texts, *slor, "--lm", model, "--lm-option", "device=cpu"], "no option 'device'"),
        (["score", texts, *slor, "--lm", model, "--lm-option", "oov=maybe"], "`oov`"),
        (["score", texts, *slor, "--lm", model, "--unigram", str(foreign)], "foreign.npz"),
        (["score", texts, "--lm", model, "--references", str(short)], "short.txt has 1 references, but"),
        (["score", texts, "--lm", model, "--references", texts], "no reference for text 3"),
        (["train", "ngram", str(empty), "-o", str(tmp_path / "lm.npz"), "--no-progress"], "corpus"),
        (["train", "unigram", str(empty), "--tokenizer", "words", "-o", str(tmp_path / "u.npz")], "token"),
    ):
        assert status(*arguments) == 1, arguments
        assert words in error_of(capsys), arguments


def test_an_arpa_file_needs_counts(model, texts, tmp_path, capsys):
    corpus, arpa, counts = str(Path(model).parent / "corpus.txt"), str(tmp_path / "lm.arpa"), str(tmp_path / "u.npz")
    options = ["-o", str(tmp_path / "lm.npz"), "--tokenizer", "whitespace", "--arpa", arpa, "--no-progress"]
    assert status("train", "ngram", corpus, "--order", "2", *options) == 0
    capsys.readouterr()
    assert status("score", texts, "--metric", "slor", "--lm", arpa) == 1
    assert "`unigram`" in error_of(capsys)
    assert status("score", texts, "--metric", "slor", "--lm", arpa, "--unigram-corpus", corpus) == 2
    assert "`referenceless train unigram`" in " ".join(capsys.readouterr().err.split())
    assert status("train", "unigram", corpus, "--tokenizer", "whitespace", "-o", counts, "--no-progress") == 0
    found = []
    for lm, extra in ((arpa, ["--unigram", counts]), (str(tmp_path / "lm.npz"), [])):
        capsys.readouterr()
        assert status("score", texts, "--metric", "slor", "--lm", lm, *extra, "--format", "json") == 0
        found.append([row["nce"] for row in json.loads(capsys.readouterr().out)["rows"][:2]])
    assert found[0] == pytest.approx(found[1], abs=1e-4)


def test_an_output_that_cannot_be_written_is_refused_before_training(tmp_path, capsys):
    # the corpus does not exist either: that the folder is named shows what was looked at first
    for arguments in (
        ["train", "ngram", "none.txt", "-o", str(tmp_path / "none" / "lm.npz")],
        ["train", "ngram", "none.txt", "-o", str(tmp_path / "lm.npz"), "--arpa", str(tmp_path / "none" / "lm.arpa")],
        ["train", "ngram", "none.txt", "-o", str(tmp_path)],
        ["train", "unigram", "none.txt", "--tokenizer", "words", "-o", str(tmp_path / "none" / "u.npz")],
    ):
        assert status(*arguments) == 1
        assert "Cannot write" in error_of(capsys)


def test_a_mean_of_nothing_has_no_sign(model, tmp_path, capsys):
    texts, references = tmp_path / "texts.txt", tmp_path / "references.txt"
    texts.write_text("He is a citizen of France.\ncitizen a of is France He.\nHe is from Tuvalu.\n", encoding="utf-8")
    references.write_text("He is from France.\nHe is a citizen of France.\nHe is from Tuvalu.\n", encoding="utf-8")
    assert status("score", str(texts), "--references", str(references)) == 0
    out = capsys.readouterr().out
    assert "means of the parts: rouge_l " in out
    assert "over 3 of 3 texts" in out
    assert "-0.0000" not in out.replace("−", "-").split("means")[1]


@pytest.mark.parametrize("tokenizer", ["words", "wordpiece"])
def test_training_from_standard_input(tokenizer, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((CORPUS * 50).encode())))
    options = ["--order", "2", "--tokenizer", tokenizer, "--no-progress"]
    assert status("train", "ngram", "-", "-o", str(tmp_path / "lm.npz"), *options) == 0
    assert (tmp_path / "lm.npz").is_file()


def test_training_a_small_model_and_scoring_with_it(tmp_path, capsys):
    pytest.importorskip("torch")
    pytest.importorskip("safetensors")
    (tmp_path / "corpus.txt").write_text(CORPUS * 10, encoding="utf-8")
    folder = str(tmp_path / "small")
    options = ["--vocab-size", "90", "--hidden", "8", "--width", "8", "--device", "cpu", "--float32", "--no-progress"]
    assert status("train", "small", str(tmp_path / "corpus.txt"), "-o", folder, *options) == 0
    assert "SmallLanguageModel" in capsys.readouterr().err
    (tmp_path / "texts.txt").write_text("the cat sat on the mat .\n", encoding="utf-8")
    for metric in ("slor", "wpslor"):
        args = ["--metric", metric, "--lm", folder, "--format", "json"]
        assert status("score", str(tmp_path / "texts.txt"), *args) == 0
        assert "small8-wordpiece" in json.loads(capsys.readouterr().out)["signature"]


def test_training_an_lstm_and_scoring_with_it(tmp_path, capsys):
    pytest.importorskip("torch")
    pytest.importorskip("safetensors")
    (tmp_path / "corpus.txt").write_text(CORPUS * 10, encoding="utf-8")
    folder = str(tmp_path / "lstm")
    options = ["--layers", "1", "--hidden", "16", "--embedding", "16", "--epochs", "1", "--batch-size", "8"]
    options += ["--device", "cpu", "--no-progress", "--validation", "0.1"]
    assert status("train", "lstm", str(tmp_path / "corpus.txt"), "-o", folder, *options) == 0
    assert "LSTMLanguageModel" in capsys.readouterr().err
    assert status("train", "lstm", str(tmp_path / "corpus.txt"), "-o", folder, *options) == 0  # goes on, and is done
    capsys.readouterr()
    (tmp_path / "texts.txt").write_text("the cat sat on the mat .\n", encoding="utf-8")
    assert status("score", str(tmp_path / "texts.txt"), "--metric", "slor", "--lm", folder, "--format", "json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["rows"][0]["n_tokens"] == 7
    assert "lstm1x16" in result["signature"]
    settings = ["--hidden", "8", *options[4:]]
    assert status("train", "lstm", str(tmp_path / "corpus.txt"), "-o", folder, *settings) == 1
    assert "checkpoint" in error_of(capsys)
