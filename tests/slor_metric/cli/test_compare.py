"""`slor compare`, with an n-gram model trained here; what all compare commands share is tested elsewhere."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner
from sacrebleu.metrics import TER

from referenceless_metrics.__main__ import main
from referenceless_metrics.cli import cli
from slor_metric.estimator import ROUGELM, WPSLOR
from slor_metric.language_models.ngram import train_ngram

TEXTS = [
    "the cat sat on the mat",
    "a dog ran in the park",
    "the dog sat",
    "a cat ran on a mat",
    "the park is green",
] * 4
ALMOST = ["", *TEXTS[1:]]
SHUFFLED = [" ".join(text.split()[::-1]) for text in TEXTS]
REFERENCES = ["the cat sat", *TEXTS[1:]]


@pytest.fixture
def folder(tmp_path):
    train_ngram(TEXTS, tmp_path / "lm.npz", order=3)
    for name, lines in {"a": TEXTS, "b": SHUFFLED, "c": ALMOST, "r": REFERENCES}.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def arguments(folder, *given):
    files = [str(folder / item) if (folder / item).exists() else item for item in given]
    metric = () if "--metric" in given else ("--metric", "wpslor")
    return ["compare", *files, *metric, "--lm", str(folder / "lm.npz")]


def as_json(folder, *given):
    result = CliRunner().invoke(cli, [*arguments(folder, *given), "--format", "json", "--n-samples", "300"])
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    return content


def test_scores_are_those_of_the_estimator(folder):
    content = as_json(folder, "a.txt", "b.txt", "c.txt")
    estimator = WPSLOR(str(folder / "lm.npz"))
    for row, texts in zip(content["systems"], (TEXTS, SHUFFLED, ALMOST), strict=True):
        expected = estimator.score(texts)
        assert row["WPSLOR"]["score"] == pytest.approx(expected.mean)
        assert row["coverage"] == expected.coverage
    assert content["systems"][1]["WPSLOR"]["p_value"] < 0.05
    # one empty line
    assert content["systems"][2]["WPSLOR"]["p_value"] == 1.0
    assert (content["n_common"], content["n_segments"]) == (19, 20)
    assert content["systems"][2]["common"]["p_value"] == 1.0
    assert as_json(folder, "a.txt", "b.txt", "--metric", "slor")["metric"] == "SLOR"


def test_rouge_lm_is_on_one_scale_for_all_systems(folder):
    content = as_json(folder, "a.txt", "b.txt", "--metric", "rouge_lm", "--references", "r.txt", "--with", "ter")
    together = ROUGELM(str(folder / "lm.npz")).score(TEXTS + SHUFFLED, REFERENCES * 2)
    first, second = content["systems"]
    assert first["ROUGE-LM"]["score"] == pytest.approx(np.mean(together.values[:20]))
    assert second["ROUGE-LM"]["score"] == pytest.approx(np.mean(together.values[20:]))
    assert first["TER"]["score"] == pytest.approx(TER().corpus_score(TEXTS, [REFERENCES]).score)
    assert "z:first" not in content["signatures"]["ROUGE-LM"]


def test_table_with_negative_means(folder):
    result = CliRunner().invoke(cli, [*arguments(folder, "b.txt", "a.txt"), "--paired-bs", "--width", "2"])
    assert result.exit_code == 0, result.output
    assert re.search(r"Baseline: b.txt │ +-\d\.\d\d \(-\d\.\d\d ± \d\.\d\d\)", result.stdout)
    assert "by paired bootstrap (1,000 resamples)" in result.stdout
    assert "p is below 0.05 about twice as often as 1 time in 20" in result.stdout


@pytest.mark.parametrize(
    ("given", "status", "message"),
    [
        (["a.txt", "b.txt", "--metric", "rouge_lm", "--with", "bleu"], 2, "rouge_lm, bleu needs references"),
        (["a.txt", "blank.txt"], 1, "blank.txt: WPSLOR covers none of its 20 texts"),
        (
            ["a.txt", "b.txt", "--metric", "rouge_lm", "--references", "blank.txt"],
            1,
            "blank.txt: no reference for text 1",
        ),
    ],
)
def test_bad_input(folder, given, status, message, capsys):
    (folder / "blank.txt").write_text("\n" * 20, encoding="utf-8")
    with pytest.raises(SystemExit) as leave:
        main(arguments(folder, *given))
    error = " ".join(capsys.readouterr().err.split())
    assert leave.value.code == status
    assert re.search(message, error), error
