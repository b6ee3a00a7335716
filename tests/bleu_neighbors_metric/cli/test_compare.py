"""`referenceless compare --metric bleu_neighbors`, and what the compare commands share."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest

import bleu_neighbors_metric
from bleu_neighbors_metric.example import example_candidates, example_pool
from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric
from metric_commons.support.errors import InputError
from metric_commons.systems.comparison import compare_systems
from metric_commons.systems.comparison_output import COMPARISON_FORMATS
from referenceless_metrics.__main__ import main
from referenceless_metrics.cli import cli

POOL = str(Path(bleu_neighbors_metric.__file__).parent / "data" / "example_pool.csv")


@pytest.fixture
def systems(tmp_path: Path) -> dict[str, list[str]]:
    """Three systems and a reference, written to files: a baseline, a worse one, and the baseline but for one line."""
    texts = example_candidates() * 3
    rng = np.random.default_rng(0)
    almost = list(texts)
    almost[3] = "zzzz"
    outputs = {
        "a.txt": texts,
        "b.txt": [" ".join(rng.permutation(text.split())) for text in texts],
        "c.txt": almost,
        "r.txt": [f"{text} Indeed." for text in texts],
    }
    for name, lines in outputs.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return outputs


def run(folder: Path, *arguments: str) -> Result:
    files = [str(folder / item) if (folder / item).exists() else item for item in arguments]
    return CliRunner().invoke(cli, ["compare", "--metric", "bleu_neighbors", "--pool", POOL, *files])


def as_json(folder: Path, *arguments: str) -> dict[str, Any]:
    result = run(folder, *arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    content: dict[str, Any] = json.loads(result.stdout)
    return content


@pytest.mark.parametrize("test", ["ar", "bs"])
def test_figures_beside_are_those_of_sacrebleus_paired_test(
    tmp_path: Path, systems: dict[str, list[str]], test: str
) -> None:
    arguments = ("--with", "bleu,chrf", "--references", "r.txt", f"--paired-{test}", "--n-samples", "500")
    content = as_json(tmp_path, "a.txt", "b.txt", *arguments)
    metrics = {"BLEU": BLEU(), "chrF": CHRF()}
    named = [(name, systems[name]) for name in ("a.txt", "b.txt")]
    _, scores = PairedTest(named, metrics, [systems["r.txt"]], test, 500, n_ar_confidence=0 if test == "ar" else -1)()
    assert content["test"] == test
    assert content["n_samples"] == content["n_resamples"] == 500
    for name in ("BLEU", "chrF2"):
        for row, result in zip(content["systems"], scores[name], strict=True):
            assert row[name] == pytest.approx(vars(result)), name
    assert [row["system"] for row in content["systems"]] == ["a.txt", "b.txt"]
    pool = example_pool()
    estimates = BLEUNeighborsMetric(pool.texts, pool.quality).metric.predict(systems["a.txt"])
    row = content["systems"][0]
    assert row["BLEUNeighbors"]["score"] == pytest.approx(estimates.mean)
    assert row["BLEUNeighbors"]["mean"] == pytest.approx(estimates.mean, abs=0.05)
    assert row["coverage"] == estimates.coverage
    assert row["n_covered"] == estimates.covered.sum()
    assert content["signatures"]["BLEU"].startswith("nrefs:1|")


@pytest.mark.parametrize("format", COMPARISON_FORMATS)
def test_no_format_marks_a_difference_of_estimates(tmp_path: Path, systems: dict[str, list[str]], format: str) -> None:
    (tmp_path / "bad.txt").write_text("snow snow the the road snow\n" * 36, encoding="utf-8")
    result = run(tmp_path, "a.txt", "bad.txt", "--threshold", "0", "--max-fraction", "1", "--weights", "similarity",
                 "--format", format)  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "*" not in result.stdout
    assert "metric" in result.stdout
    if format == "json":
        content = json.loads(result.stdout)
        assert "human-score" in content["note"]
        assert content["p_concerns"] == "metric"
        assert content["pool_resampled"] is True
    elif format != "csv":
        assert "not people" in result.stdout.replace("\\", "")


def test_common_segments(tmp_path: Path, systems: dict[str, list[str]]) -> None:
    content = as_json(tmp_path, "a.txt", "b.txt", "c.txt")
    pool = example_pool()
    metric = BLEUNeighborsMetric(pool.texts, pool.quality)
    scores = np.array([metric.segment_scores(systems[name]) for name in ("a.txt", "b.txt", "c.txt")])
    common = ~np.isnan(scores).any(axis=0)
    assert content["same_coverage"] is False
    assert 0 < content["n_common"] == common.sum() < len(common)
    for row, values in zip(content["systems"], scores, strict=True):
        assert row["common"]["score"] == pytest.approx(values[common].mean())
    assert content["systems"][2]["common"]["p_value"] == 1.0  # where both are covered, they are the same
    assert [row["BLEUNeighbors"]["p_value"] for row in content["systems"]] == [None] * 3  # of different inputs
    table = run(tmp_path, "a.txt", "b.txt", "c.txt").stdout
    heading = table.splitlines()[1]
    assert heading.index("common segments") < heading.index("coverage") < heading.index("own segments")
    assert f"BLEUNeighbors on {common.sum()} common segments" in table
    assert "BLEUNeighbors covers different segments (a.txt " in table


def test_same_coverage_shows_no_common_scores(tmp_path: Path, systems: dict[str, list[str]]) -> None:
    content = as_json(tmp_path, "a.txt", "a.txt")
    assert content["same_coverage"] is True
    assert [row["common"] for row in content["systems"]] == [None, None]
    assert content["systems"][1]["BLEUNeighbors"]["p_value"] == 1.0
    assert "common" not in run(tmp_path, "a.txt", "a.txt").stdout


def test_nothing_in_common(tmp_path: Path, systems: dict[str, list[str]]) -> None:
    first, second = example_pool().texts[0], "zzzz"
    (tmp_path / "d.txt").write_text(f"{first}\n{second}\n", encoding="utf-8")
    (tmp_path / "e.txt").write_text(f"{second}\n{first}\n", encoding="utf-8")
    content = as_json(tmp_path, "d.txt", "e.txt")
    assert content["n_common"] == 0
    assert content["systems"][1]["common"] is None
    assert "no segment is covered for all systems" in run(tmp_path, "d.txt", "e.txt").stdout


def test_table(tmp_path: Path, systems: dict[str, list[str]]) -> None:
    result = run(tmp_path, "a.txt", "b.txt", "--with", "bleu", "--references", "r.txt", "--width", "3")
    assert result.exit_code == 0
    assert "│ Baseline: a.txt │" in result.stdout
    assert re.search(r"b.txt │ +0\.\d{3} \(0\.\d{3} ± 0\.\d{3}\)", result.stdout)
    assert re.search(r"│ +│ +\(p = [01]\.\d{4}\)\*? +│", result.stdout)
    assert "36 segments" in result.stdout
    assert "\nBLEU|nrefs:1|bs:1000|ar:10000|seed:12345|case:mixed|" in result.stdout


def test_markdown(tmp_path: Path, systems: dict[str, list[str]]) -> None:
    (tmp_path / "x_1|2.txt").write_text((tmp_path / "b.txt").read_text(encoding="utf-8"), encoding="utf-8")
    result = run(tmp_path, "a.txt", "x_1|2.txt", "--format", "markdown", "--paired-bs")
    lines = result.stdout.splitlines()
    cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines[:4]]
    assert {len(row) for row in cells} in ({3}, {4})
    assert cells[3][0].strip() == r"x\_1\|2.txt"
    assert re.match(r"^ *0\.\d{4} \(0\.\d{4} ± 0\.\d{4}\) \(p = 0\.\d{4}\)(\\\*)? *$", cells[3][1])
    assert any(line.startswith("- `BLEUNeighbors|nrefs:0|bs:1000|seed:12345|kernel:") for line in lines)


def test_latex(tmp_path: Path, systems: dict[str, list[str]]) -> None:
    (tmp_path / "x_1.txt").write_text((tmp_path / "b.txt").read_text(encoding="utf-8"), encoding="utf-8")
    text = run(tmp_path, "a.txt", "x_1.txt", "--format", "latex").stdout
    body = text[: text.index(r"\end{tabular}")]
    assert text.startswith("\\begin{tabular}{rccc}\n\\toprule")
    assert r"x\_1.txt &" in body
    assert r"$\pm$" in body
    assert r"95\% CI" in body
    assert body.isascii()
    assert all(line.startswith("%") for line in text[text.index(r"\end{tabular}") :].splitlines()[1:])


def test_output_file(tmp_path: Path, systems: dict[str, list[str]]) -> None:
    result = run(tmp_path, "a.txt", "b.txt", "-f", "json", "-o", str(tmp_path / "out.json"))
    assert result.exit_code == 0
    assert result.stdout == ""
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["baseline"] == "a.txt"


def test_systems_of_one_name_are_told_apart_by_their_paths(tmp_path: Path, systems: dict[str, list[str]]) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.txt").write_text((tmp_path / "b.txt").read_text(encoding="utf-8"), encoding="utf-8")
    names = [row["system"] for row in as_json(tmp_path, "a.txt", "other/a.txt", "c.txt")["systems"]]
    assert names == [str(tmp_path / "a.txt"), str(tmp_path / "other" / "a.txt"), "c.txt"]


def test_index_and_parameters(tmp_path: Path, systems: dict[str, list[str]]) -> None:
    assert CliRunner().invoke(cli, ["fit", POOL, "-o", str(tmp_path / "pool.index")]).exit_code == 0
    files = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    result = CliRunner().invoke(
        cli, ["compare", "--metric", "bleu_neighbors", "--pool", str(tmp_path / "pool.index"), *files, "-f", "json"]
    )
    content = json.loads(result.stdout)
    assert "calibration: useful" in content.pop("verdict")  # the index was calibrated
    assert content == {k: v for k, v in as_json(tmp_path, "a.txt", "b.txt").items() if k != "verdict"}
    stricter = as_json(tmp_path, "a.txt", "b.txt", "--min-neighbors", "1", "--max-fraction", "1")
    assert "|a:1|b:1|" in stricter["signatures"]["BLEUNeighbors"]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["a.txt"], 2, "at least two systems.*only .*a.txt"),
        ([], 2, "Missing argument"),
        (["a.txt", "b.txt", "--with", "bleu"], 2, "bleu needs references: give --references"),
        (["a.txt", "b.txt", "--with", "bleu,bleurt"], 2, "bleu, chrf, chrf.., ter.*'bleurt'"),
        (["a.txt", "short.txt"], 1, "short.txt has 35 texts, but .*a.txt .the baseline. has 36"),
        (["a.txt", "short.txt", "one.txt"], 1, "short.txt has 35, .*one.txt has 1 texts, but .*a.txt"),
        (["a.txt", "b.txt", "--references", "short.txt"], 1, "short.txt has 35 references, but .*a.txt .* has 36"),
        (["a.txt", "empty.txt"], 1, "empty.txt: it holds no texts"),
        (["a.txt", "b.txt", "--references", "empty.txt"], 1, "empty.txt: it holds no texts"),
        (["a.txt", "none.txt"], 1, "none.txt: there is no such file"),
        (["a.txt", "strange.txt"], 1, "strange.txt: BLEUNeighbors covers none of its 36 texts"),
        (["a.txt", "b.txt", "--n-samples", "0"], 2, "--n-samples"),
    ],
)
def test_bad_input(
    tmp_path: Path,
    systems: dict[str, list[str]],
    arguments: list[str],
    status: int,
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "short.txt").write_text("".join(f"{t}\n" for t in systems["a.txt"][1:]), encoding="utf-8")
    (tmp_path / "one.txt").write_text("one\n", encoding="utf-8")
    (tmp_path / "strange.txt").write_text("zzz\n" * 36, encoding="utf-8")
    (tmp_path / "empty.txt").write_text("", encoding="utf-8")
    files = [str(tmp_path / item) if (tmp_path / item).exists() else item for item in arguments]
    with pytest.raises(SystemExit) as leave:
        main(["compare", "--metric", "bleu_neighbors", "--pool", POOL, *files])
    error = " ".join(capsys.readouterr().err.split())
    assert leave.value.code == status
    assert re.search(message, error), error


def test_the_function_checks_for_itself() -> None:
    pool = example_pool()
    metric, texts = BLEUNeighborsMetric(pool.texts, pool.quality), pool.texts[:4]
    with pytest.raises(InputError, match=r"at least two systems.*only a"):
        compare_systems([("a", texts)], metric)
    with pytest.raises(InputError, match=r"b: it holds 3 texts, but a .the baseline. holds 4"):
        compare_systems([("a", texts), ("b", texts[1:])], metric)
    with pytest.raises(InputError, match="BLEU needs references"):
        compare_systems([("a", texts), ("b", texts)], metric, others=[BLEU()])
    with pytest.raises(ValueError, match="`test`"):
        compare_systems([("a", texts), ("b", texts)], metric, test="t-test")
