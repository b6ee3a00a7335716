"""The command `huse` on the published headlines."""

import json

import pytest
from click.testing import CliRunner

from referenceless_papers.ethayarajh.huse_command import huse


def run(*arguments):
    done = CliRunner().invoke(huse, [*arguments, "--format", "json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.long
def test_the_published_headlines(data_dir, tmp_path):
    from metric_commons.datasets import load

    rows = load("huse", "summarization", data_dir=str(data_dir("huse")), split="train").to_pandas()
    rows["logprob"] = rows["log_probability"] / rows["text"].str.split(" ").str.len()
    files = {kind: str(tmp_path / f"{kind}.csv") for kind in ("model", "human")}
    for kind, file in files.items():
        rows[rows["source"] == kind].to_csv(file, index=False)
    score = run(*files.values())
    # What the authors' own classifier gives on this file.
    assert [score[name] for name in ("huse", "huse_q", "huse_d")] == pytest.approx([0.53, 0.60, 0.93])
    assert score["coverage"] == 1.0
    assert score["intervals"]["huse"][0] < 0.53 < score["intervals"]["huse"][1]
    # Half of the ratings stand for people, and a language model for the one that wrote the headlines.
    pools, halves = str(tmp_path / "pool.csv"), {}
    rows.iloc[::2].to_csv(pools, index=False)
    for kind in files:
        halves[kind] = str(tmp_path / f"{kind}.half.csv")
        half = rows.iloc[1::2]
        half[half["source"] == kind].head(40).to_csv(halves[kind], index=False)
    estimated = run(*halves.values(), "--pool", pools, "--lm", "wordpiece")
    assert estimated["coverage"] > 0.9
    assert 0.3 < estimated["huse"] < 1.5
