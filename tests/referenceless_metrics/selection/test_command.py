"""The command `rerank`: layouts, formats, n-best lists, and what it refuses."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from referenceless_metrics import MBR, Fluency, rerank
from referenceless_metrics.cli import cli

LISTS = [
    ["mayor The on bridge the new Sunday opened.", "The mayor opened the new bridge on Sunday."],
    ["", "She reads a book.", "She book a reads.", "She reads a book."],
    ["It rained all day."],
]


def run(*arguments, **more):
    return CliRunner().invoke(cli, ["rerank", *arguments], **more)


@pytest.fixture
def lists(tmp_path):
    path = tmp_path / "candidates.jsonl"
    rows = [{"id": f"q{i}", "candidates": own, "more": {"a": i}} for i, own in enumerate(LISTS)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "candidates.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["query", "text", "model"])
        writer.writerows([f"q{i}", text, f"m{j}"] for i, own in enumerate(LISTS) for j, text in enumerate(own))
    return str(path)


def test_the_best_of_each_list(lists):
    done = run(lists)
    assert done.exit_code == 0, done.output
    found = [json.loads(line) for line in done.stdout.splitlines()]
    expected = rerank(LISTS, Fluency())
    assert [row["text"] for row in found] == expected.texts
    assert [row["value"] for row in found] == pytest.approx(expected.chosen.values.tolist())
    assert [row["index"] for row in found] == [1, 1, 0]
    assert [row["n_candidates"] for row in found] == [2, 4, 1]
    assert [row["more"] for row in found] == [{"a": 0}, {"a": 1}, {"a": 2}]
    assert "candidates" not in found[0]
    assert "rank" not in found[0]
    assert "over 3 of 3 texts (coverage 1.000)" in done.stderr
    assert "the mean of what was chosen by these values" in done.stderr


def test_rows_a_candidate_give_the_same(lists, rows, tmp_path):
    of_lists = [json.loads(line) for line in run(lists, "--n-best", "2").stdout.splitlines()]
    output = tmp_path / "best.csv"
    done = run(rows, "--input-column", "query", "--n-best", "2", "--format", "csv", "-o", str(output))
    assert done.exit_code == 0, done.output
    found = list(csv.DictReader(output.open(encoding="utf-8", newline="")))
    assert list(found[0])[:6] == ["query", "text", "model", "value", "rank", "index"]
    for row, other in zip(found, of_lists, strict=True):
        assert row["query"] == other["id"]
        assert row["model"] == f"m{other['index']}"
        assert (row["text"], int(row["rank"])) == (other["text"], other["rank"])
        assert float(row["value"]) == other["value"]
    assert [row["rank"] for row in found] == ["1", "2", "1", "2", "1"]
    assert list(tmp_path.glob("*.journal")) + list(tmp_path.glob(".best*")) == []


def test_minimum_bayes_risk(lists):
    done = run(lists, "--mbr", "bleu", "--id-column", "id", "--format", "csv")
    assert done.exit_code == 0, done.output
    found = list(csv.DictReader(io.StringIO(done.stdout)))
    expected = rerank(LISTS, MBR())
    assert [row["id"] for row in found] == ["q0", "q1", "q2"]
    assert [int(row["index"]) for row in found] == expected.indices.tolist() == [0, 1, 0]
    assert found[2]["reason"] == "no other candidate"
    assert "utility:bleu" in done.stderr


def test_from_standard_input_and_to_parquet(lists, tmp_path):
    import pyarrow.parquet as pq

    content = Path(lists).read_text(encoding="utf-8")
    assert run("-", input=content).stdout == run(lists).stdout
    output = tmp_path / "best.parquet"
    done = run(lists, "--format", "parquet", "-o", str(output))
    assert done.exit_code == 0, done.output
    assert pq.read_table(output).column("text").to_pylist() == rerank(LISTS, Fluency()).texts


def test_blocks_give_what_one_would(tmp_path, monkeypatch, lists, rows):
    from metric_commons.files.tables import BlockSize

    ngram = ("--lm", "ngram")  # to the bit, whatever is read together
    whole, by_row = run(lists, *ngram).stdout, run(rows, *ngram, "--input-column", "query").stdout
    monkeypatch.setattr("referenceless_metrics.selection.command.BlockSize", lambda: BlockSize(rows=1))
    assert run(lists, *ngram).stdout == whole
    assert run(rows, *ngram, "--input-column", "query").stdout == by_row


def test_a_run_that_was_cut_off_goes_on(lists, tmp_path, monkeypatch):
    from metric_commons.files import incremental_writer
    from metric_commons.files.tables import BlockSize
    from referenceless_metrics.selection import command

    monkeypatch.setattr(command, "BlockSize", lambda: BlockSize(rows=1))
    monkeypatch.setattr(incremental_writer, "_SECONDS", 0)
    output = tmp_path / "best.jsonl"
    real, calls = command.rerank, []

    def failing(*arguments, **more):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(*arguments, **more)

    monkeypatch.setattr(command, "rerank", failing)
    assert run(lists, "-o", str(output)).exit_code != 0
    assert not output.exists()
    done = run(lists, "-o", str(output), "--resume")
    assert done.exit_code == 0, done.output
    assert len(calls) == 4  # the third block alone
    assert output.read_text(encoding="utf-8") == run(lists).stdout


def test_references_and_sources_are_columns(tmp_path):
    path = tmp_path / "with_references.jsonl"
    path.write_text(json.dumps({"candidates": LISTS[0], "reference": LISTS[0][1]}) + "\n", encoding="utf-8")
    done = run(str(path), "--metric", "rouge_lm")
    assert (done.exit_code, "rouge_lm needs references: give --reference-columns" in done.output) == (2, True)
    done = run(str(path), "--metric", "rouge_lm", "--reference-columns", "reference")
    assert done.exit_code == 1
    assert "give `statistics`" in str(done.exception)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--mbr", "bleu", "--metric", "slor"], "--mbr takes the place of a metric"),
        (["--mbr", "chrf"], "'chrf' is not one of 'bleu'"),
        (["--input-column", "id", "--candidates-column", "candidates"], "not both"),
        (["--input-column", "id", "--resume", "-o", "out.jsonl"], "--resume needs a FILE with lists"),
        (["--format", "parquet"], "parquet needs a file to write"),
        (["--source-column", "id"], "fluency reads no sources"),
        (["--reference-columns", "id"], "fluency reads no references"),
        (["--n-best", "0"], "0 is not in the range"),
        (["--metric", "bleu_neighbors"], "give --pool FILE"),
    ],
)
def test_usage_errors(lists, arguments, told):
    done = run(lists, *arguments)
    assert done.exit_code == 2
    assert told in done.output


def test_files_without_candidates(tmp_path, lists):
    path = tmp_path / "empty.csv"
    path.write_text("query,text\n", encoding="utf-8")
    done = run(str(path), "--input-column", "query")
    assert "it holds no candidates" in str(done.exception)
    assert "there is no column 'texts'" in str(run(lists, "--candidates-column", "texts").exception)
