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


def error_of(line):
    """The one line that a command writes which leaves with 1."""
    out, err = typed(line, 1)
    assert (out, err.count("\n"), err[:7]) == ("", 1, "error: ")
    return err


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


def test_score_as_a_table(model, texts):
    out = typed(f"score {texts} --metric wpslor --lm {model}").out
    assert out.split()[:2] == ["text", "value"]
    assert "over 2 of 3 texts (coverage 0.667)" in out
    assert "without a value: 1 empty text" in out
    assert "metric:wpslor|lm:3gram-words" in out


def test_score_as_json(model, texts):
    result = as_json(f"score {texts} --lm {model} --metric slor")
    assert result["metric"] == "slor"
    assert result["coverage"] == pytest.approx(2 / 3)
    fluent, scrambled, empty = (row["value"] for row in result["rows"])
    assert fluent > scrambled
    assert empty is None
    assert result["mean"] == pytest.approx((fluent + scrambled) / 2)
    assert [row["n_tokens"] for row in result["rows"]] == [7, 7, 0]
    assert result["rows"][2]["reason"] == "empty text"


def test_rouge_lm_with_reference_files(model, texts, tmp_path):
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    write(first, "the cat sat on the rug .\n\nx\n")
    write(second, "a dog\nthe cat sat .\n\n")
    result = as_json(f"score {texts} --lm {model} --references {first} --references {second}")
    assert result["metric"] == "rouge_lm"
    assert [row["rouge_l"] for row in result["rows"]] == pytest.approx([1.0, 2 * 2 / (6 + 3), 0.0])
    assert result["rows"][0]["value"] > result["rows"][1]["value"]
    assert set(result["statistics"]) == {"rouge_l_mean", "rouge_l_std", "wpslor_mean", "wpslor_std"}


WRONG_USAGE = """
score x.txt --metric rouge_lm
score x.txt --metric slor --references y.txt
score x.txt --references y.txt --reference-columns z
score - --reference-columns z
score x.txt --lm-option device
score x.txt --metric bleu
train ngram - x.txt -o y
train ngram x.txt -o y --prune a
"""


@pytest.mark.parametrize("line", WRONG_USAGE.strip().splitlines())
def test_wrong_usage_leaves_with_2(line):
    assert "Error: " in typed(line, 2).err


@pytest.mark.parametrize(
    "line, words",
    [
        ("score texts.txt --metric slor --lm foreign.npz", "foreign.npz"),
        ("score texts.txt --metric slor --lm {model} --lm-option device=cpu", "no option 'device'"),
        ("score texts.txt --metric slor --lm {model} --lm-option oov=maybe", "`oov`"),
        ("score texts.txt --metric slor --lm {model} --unigram foreign.npz", "foreign.npz"),
        ("score texts.txt --lm {model} --references short.txt", "short.txt has 1 references, but"),
        ("score texts.txt --lm {model} --references texts.txt", "no reference for text 3"),
        ("train ngram empty.txt -o lm.npz --no-progress", "corpus"),
        ("train unigram empty.txt --tokenizer words -o u.npz", "token"),
        # none.txt does not exist either: that the output is named shows what was looked at first
        ("train ngram none.txt -o none/lm.npz", "Cannot write"),
        ("train ngram none.txt -o lm.npz --arpa none/lm.arpa", "Cannot write"),
        ("train ngram none.txt -o .", "Cannot write"),
        ("train unigram none.txt --tokenizer words -o none/u.npz", "Cannot write"),
    ],
)
def test_bad_input_leaves_with_1_and_one_line(model, texts, line, words, monkeypatch):
    monkeypatch.chdir(texts.parent)
    for name, content in {"foreign.npz": "PK nothing", "short.txt": "one\n", "empty.txt": ""}.items():
        write(name, content)
    assert words in error_of(line.format(model=model))


def test_an_arpa_file_needs_counts(model, texts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    training = f"{model.parent / 'corpus.txt'} --tokenizer whitespace --no-progress"
    typed(f"train ngram {training} --order 2 -o lm.npz --arpa lm.arpa")
    assert "`unigram`" in error_of("score texts.txt --metric slor --lm lm.arpa")
    told = typed("score texts.txt --metric slor --lm lm.arpa --unigram-corpus corpus.txt", 2)
    assert "`referenceless train unigram`" in " ".join(told.err.split())
    typed(f"train unigram {training} -o u.npz")
    found = [
        [row["nce"] for row in as_json(f"score texts.txt --metric slor --lm {lm}")["rows"][:2]]
        for lm in ("lm.arpa --unigram u.npz", "lm.npz")
    ]
    assert found[0] == pytest.approx(found[1], abs=1e-4)


def test_a_mean_of_nothing_has_no_sign(tmp_path):
    texts, references = tmp_path / "texts.txt", tmp_path / "references.txt"
    write(texts, "He is a citizen of France.\ncitizen a of is France He.\nHe is from Tuvalu.\n")
    write(references, "He is from France.\nHe is a citizen of France.\nHe is from Tuvalu.\n")
    out = typed(f"score {texts} --references {references}").out
    assert "means of the parts: rouge_l " in out
    assert "over 3 of 3 texts" in out
    assert "-0.0000" not in out.replace("−", "-").split("means")[1]


@pytest.mark.parametrize("tokenizer", ["words", "wordpiece"])
def test_training_from_standard_input(tokenizer, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((CORPUS * 50).encode())))
    typed(f"train ngram - -o {tmp_path / 'lm.npz'} --order 2 --tokenizer {tokenizer} --no-progress")
    assert (tmp_path / "lm.npz").is_file()
