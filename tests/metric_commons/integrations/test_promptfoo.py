"""The metrics as assertions of promptfoo: the function that it calls, and promptfoo itself where it is installed."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from refusals import refused
from small_metrics import CANDIDATES, ESTIMATES, FITTED
from toy_metrics import Lengths

from metric_commons.integrations.promptfoo import promptfoo_assertion


def test_a_text_passes_by_its_value():
    get_assert = promptfoo_assertion(Lengths(), threshold=3, value_range=(0, 4))
    assert get_assert("abc", {}) == {
        "pass": True,
        "score": 0.75,
        "reason": "lengths 3, at least 3",
        "namedScores": {"lengths": 3.0, "lengths_coverage": 1.0},
    }
    result = get_assert("ab", {"vars": {}})
    assert (result["pass"], result["score"], result["reason"]) == (False, 0.5, "lengths 2, below 3")
    assert get_assert("abcde", {})["score"] == 1.0


def test_a_text_without_a_value_fails_with_its_reason_and_stays_out_of_the_mean():
    assert promptfoo_assertion(Lengths(strict=True), value_range=(0, 1))("", {}) == {
        "pass": False,
        "score": 0.0,
        "reason": "no lengths: empty text",
        "namedScores": {"lengths_coverage": 0.0},
    }


def test_the_range_of_scores_is_stated_or_that_of_the_ratings():
    with refused("Expected `value_range`, the values of lengths that become"):
        promptfoo_assertion(Lengths())
    with refused("Expected `value_range` to rise, but got 1 to 1"):
        promptfoo_assertion(Lengths(), value_range=(1, 1))
    text, low, high = CANDIDATES[0], FITTED.ratings_.min(), FITTED.ratings_.max()
    assert promptfoo_assertion(FITTED)(text, {})["score"] == pytest.approx((ESTIMATES.values[0] - low) / (high - low))


CONFIG = {
    "prompts": ["{{text}}"],
    "providers": ["echo"],
    "defaultTest": {"assert": [{"type": "python", "value": "file://quality.py"}]},
    "tests": [{"vars": {"text": text}} for text in CANDIDATES if text],  # an echo of nothing is an error of its own
}
QUALITY = """
import sys
sys.path[:0] = {path!r}
from small_metrics import FITTED
from metric_commons.integrations.promptfoo import promptfoo_assertion

get_assert = promptfoo_assertion(FITTED, threshold=0.5)
"""


def test_promptfoo_itself(tmp_path):
    command = shutil.which("promptfoo")
    if command is None:
        pytest.skip("needs promptfoo, from npm")
    (tmp_path / "promptfooconfig.json").write_text(json.dumps(CONFIG))
    (tmp_path / "quality.py").write_text(QUALITY.format(path=sys.path))
    environment = {
        **os.environ,
        "PROMPTFOO_PYTHON": sys.executable,
        "PROMPTFOO_CONFIG_DIR": str(tmp_path / "home"),
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    }
    done = subprocess.run(
        [command, "eval", "-c", "promptfooconfig.json", "-o", "out.json", "--no-cache"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (tmp_path / "out.json").is_file(), done.stdout + done.stderr
    results = json.loads((tmp_path / "out.json").read_text())["results"]
    rows = results["results"]
    estimates = {text: value for text, value in zip(CANDIDATES, ESTIMATES.values.tolist(), strict=True) if text}
    assert len(rows) == len(estimates)
    for row in rows:
        value = estimates[row["vars"]["text"]]
        assert row["success"] is (value >= 0.5)
        assert row["namedScores"]["bleu_neighbors_coverage"] == float(value == value)
        assert row["namedScores"].get("bleu_neighbors", float("nan")) == pytest.approx(value, nan_ok=True)
    sums = results["prompts"][0]["metrics"]
    expected = FITTED.predict([text for text in CANDIDATES if text])
    for name, mean in (("bleu_neighbors", expected.mean), ("bleu_neighbors_coverage", expected.coverage)):
        assert sums["namedScores"][name] / sums["namedScoresCount"][name] == pytest.approx(mean)
