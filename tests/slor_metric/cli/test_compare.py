"""`slor compare`, with an n-gram model trained here; what all compare commands share is tested elsewhere."""

import json
import re

import numpy as np
import pytest
from command_lines import typed
from sacrebleu.metrics import TER
from text_files import write

from slor_metric.estimator import ROUGELM, WPSLOR
from slor_metric.language_models.ngram import train_ngram

TEXTS = (
    """the cat sat on the mat
a dog ran in the park
the dog sat
a cat ran on a mat
the park is green
""".splitlines()
    * 4
)
ALMOST = ["", *TEXTS[1:]]
SHUFFLED = [" ".join(text.split()[::-1]) for text in TEXTS]
REFERENCES = ["the cat sat", *TEXTS[1:]]


@pytest.fixture(autouse=True)
def files(folder):
    train_ngram(TEXTS, "lm.npz", order=3)
    for name, lines in {"a": TEXTS, "b": SHUFFLED, "c": ALMOST, "r": REFERENCES, "blank": [""] * 20}.items():
        write(f"{name}.txt", lines)


def compare(line, status=0):
    return typed(f"compare {line} --lm lm.npz", status)


def as_json(line):
    return json.loads(compare(f"{line} --format json --n-samples 300").out)


def test_scores_are_those_of_the_estimator():
    content = as_json("a.txt b.txt c.txt --metric wpslor")
    estimator = WPSLOR("lm.npz")
    for row, texts in zip(content["systems"], (TEXTS, SHUFFLED, ALMOST), strict=True):
        expected = estimator.score(texts)
        assert row["WPSLOR"]["score"] == pytest.approx(expected.mean)
        assert row["coverage"] == expected.coverage
    _, shuffled, almost = content["systems"]
    assert shuffled["WPSLOR"]["p_value"] < 0.05
    assert almost["WPSLOR"]["p_value"] == almost["common"]["p_value"] == 1.0  # one empty line
    assert (content["n_common"], content["n_segments"]) == (19, 20)
    assert as_json("a.txt b.txt --metric slor")["metric"] == "SLOR"


def test_rouge_lm_is_on_one_scale_for_all_systems():
    content = as_json("a.txt b.txt --metric rouge_lm --references r.txt --with ter")
    together = ROUGELM("lm.npz").score(TEXTS + SHUFFLED, REFERENCES * 2)
    first, second = content["systems"]
    assert first["ROUGE-LM"]["score"] == pytest.approx(np.mean(together.values[:20]))
    assert second["ROUGE-LM"]["score"] == pytest.approx(np.mean(together.values[20:]))
    assert first["TER"]["score"] == pytest.approx(TER().corpus_score(TEXTS, [REFERENCES]).score)
    assert "z:first" not in content["signatures"]["ROUGE-LM"]


def test_table_with_negative_means():
    table = compare("b.txt a.txt --metric wpslor --paired-bs --width 2").out
    assert re.search(r"Baseline: b.txt │ +-\d\.\d\d \(-\d\.\d\d ± \d\.\d\d\)", table)
    assert "by paired bootstrap (1,000 resamples)" in table
    assert "p is below 0.05 about twice as often as 1 time in 20" in table


@pytest.mark.parametrize(
    "line, status, message",
    [
        ("a.txt b.txt --metric rouge_lm --with bleu", 2, "rouge_lm, bleu needs references"),
        ("a.txt blank.txt --metric wpslor", 1, "blank.txt: WPSLOR covers none of its 20 texts"),
        ("a.txt b.txt --metric rouge_lm --references blank.txt", 1, "blank.txt: no reference for text 1"),
    ],
)
def test_bad_input(line, status, message):
    assert message in " ".join(compare(line, status).err.split())
