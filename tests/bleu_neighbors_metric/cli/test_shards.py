"""The commands `tally` and `merge`: the estimates of one machine, from shards."""

from __future__ import annotations

import csv
import io

import pytest
from click.testing import CliRunner

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from referenceless_metrics.cli import cli


@pytest.fixture
def files(tmp_path):
    pool = example_pool()
    with (tmp_path / "pool.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["sentence", "score"])
        writer.writerows(zip(pool.texts, pool.quality.tolist(), strict=True))
    (tmp_path / "texts.txt").write_text("\n".join(example_candidates()) + "\n", encoding="utf-8")
    return tmp_path


def tally(files, *arguments):
    pool = ["--pool", str(files / "pool.csv"), "--pool-text-column", "sentence", "--quality-column", "score"]
    return CliRunner().invoke(cli, ["tally", *map(str, arguments), *pool])


@pytest.mark.parametrize("left_out", [False, True])
def test_merged_shards_are_the_estimates_of_one_machine(files, left_out):
    pool = example_pool()
    metric = BLEUNeighbors(0.1, 2).fit(pool.texts, pool.quality)
    expected = metric.leave_one_out() if left_out else metric.predict(example_candidates())
    texts = [] if left_out else [files / "texts.txt"]
    for number in (1, 2, 3):
        done = tally(files, *texts, "--shard", f"{number}/3", "-o", files / f"{number}.tally", "--threshold", ".1",
                     "--min-neighbors", "2")  # fmt: skip
        assert done.exit_code == 0, done.output
        assert f"shard {number}/3, {len(expected)} texts" in done.stderr
    done = CliRunner().invoke(cli, ["merge", *(str(files / f"{n}.tally") for n in (3, 1, 2)), "--format", "csv"])
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [int(row["row"]) for row in rows] == list(range(1, len(expected) + 1))
    assert [int(row["n_neighbors"]) for row in rows] == expected.n_neighbors.tolist()
    assert [row["value"] for row in rows] == [
        "" if value != value else repr(value) for value in expected.values.tolist()
    ]
    assert metric.signature in done.stderr


def test_what_cannot_be_is_told_in_one_line(files):
    for arguments, told in (
        (["--shard", "4/3", "-o", files / "x"], "`number`"),
        (["--shard", "one", "-o", files / "x"], "a shard as i/k"),
        (["--shard", "1/2", "-o", files / "x", "--threshold", "auto"], "looks at the whole pool"),
    ):
        done = tally(files, *arguments)
        assert done.exit_code == 1
        assert told in str(done.exception)
    assert tally(files, "--shard", "1/2", "-o", "-").exit_code == 2
    assert tally(files, "--shard", "1/2", "-o", files / "1").exit_code == 0
    done = CliRunner().invoke(cli, ["merge", str(files / "1")])
    assert "2/2 did not come" in str(done.exception)
    done = CliRunner().invoke(cli, ["merge", str(files / "pool.csv")])
    assert "it is not a tally" in str(done.exception)
