"""The command `rerank`: layouts, formats, n-best lists, and refusals."""

import json
from pathlib import Path

import pandas as pd
import pytest
from command_lines import done, invoke, typed
from text_files import read

from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS
from referenceless_metrics import Fluency, rerank
from referenceless_metrics.core.files import incremental_writer
from referenceless_metrics.core.files.tables import BlockSize
from referenceless_metrics.selection import command

LISTS = [
    ["mayor The on bridge the new Sunday opened.", "The mayor opened the new bridge on Sunday."],
    ["", "She reads a book.", "She book a reads.", "She reads a book."],
    ["It rained all day."],
]


def run(line, **more):
    return done(f"rerank {line}", **more)


def objects(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(autouse=True)
def files(folder):
    """Lists of candidates."""
    lists = [{"id": f"q{i}", "candidates": own, "more": {"a": i}} for i, own in enumerate(LISTS)]
    pd.DataFrame(lists).to_json("lists.jsonl", orient="records", lines=True)


def test_the_best_of_each_list():
    result = run("lists.jsonl")
    found, expected = pd.DataFrame(objects(result)), rerank(LISTS, Fluency())
    assert found["text"].tolist() == expected.texts
    assert found["fluency"].tolist() == pytest.approx(expected.chosen.values.tolist())
    assert found["index"].tolist() == [1, 1, 0]
    assert found["n_candidates"].tolist() == [2, 4, 1]
    assert found["more"].tolist() == [{"a": 0}, {"a": 1}, {"a": 2}]
    assert {"candidates", "rank"}.isdisjoint(found.columns)
    assert "over 3 of 3 texts (coverage 1.000)" in result.stderr
    assert "the mean of what was chosen by these values" in result.stderr
    assert result.stderr.count("what they leave out of their source, or add to it, does not count") == 1


def test_a_choice_by_learned_estimates_with_sources_tells_when_omissions_count():
    QualityEstimator().fit(TEXTS, RATINGS, sources=SOURCES).save("rated.safetensors")
    rows = [{"mr": source, "candidates": [text, "A pub."]} for source, text in zip(SOURCES[:2], TEXTS[:2], strict=True)]
    pd.DataFrame(rows).to_json("of_mrs.jsonl", orient="records", lines=True)
    told = run("of_mrs.jsonl --metric quality_estimation --model-file rated.safetensors --source-column mr").stderr
    assert "counts only as far as the ratings that the metric learned from depended on it" in told


@pytest.mark.parametrize("options", ["", "--mbr bleu", "--n-best 2"])
def test_the_chosen_text_stands_beside_the_column_of_ids(options):
    whole = objects(run(f"lists.jsonl {options}"))
    for row in whole:
        del row["more"]
    found = objects(run(f"lists.jsonl {options} --id-column id"))
    assert found == whole
    assert list(found[0])[:2] == ["id", "text"]
    run(f"lists.jsonl {options} --id-column id -o best.csv")
    assert pd.read_csv("best.csv", keep_default_na=False)["text"].tolist() == [row["text"] for row in whole]


def test_from_standard_input_and_to_parquet():
    content = read("lists.jsonl")
    assert run("-", input=content).stdout == run("lists.jsonl").stdout
    run("lists.jsonl --format parquet -o best.parquet")
    assert pd.read_parquet("best.parquet")["text"].tolist() == rerank(LISTS, Fluency()).texts


def test_blocks_of_a_run_that_was_cut_off_give_what_one_would(monkeypatch):
    line, real = "lists.jsonl --metric fluency_ngram", command.rerank  # to the bit, whatever is read together
    whole = run(line).stdout
    monkeypatch.setattr(command, "BlockSize", lambda: BlockSize(rows=1))
    monkeypatch.setattr(incremental_writer, "SECONDS", 0)

    def die_at(text):
        def rerank(lists, *arguments, **more):
            if text in lists.texts:
                raise KeyboardInterrupt
            return real(lists, *arguments, **more)

        monkeypatch.setattr(command, "rerank", rerank)

    die_at("It rained all day.")
    assert invoke(f"rerank {line} -o best.jsonl").exit_code != 0
    assert not Path("best.jsonl").exists()
    die_at("She reads a book.")  # which is not scored again
    run(f"{line} -o best.jsonl --resume")
    assert read("best.jsonl") == whole


@pytest.mark.parametrize(
    "line, told",
    [
        ("lists.jsonl --metric rouge_lm --reference-columns id", "give `statistics`"),
        ("empty.csv", "it holds no candidates"),
        ("lists.jsonl --candidates-column texts", "there is no column 'texts'"),
    ],
)
def test_what_files_and_metrics_lack(line, told):
    Path("empty.csv").write_text("query,candidates\n")
    assert told in typed(f"rerank {line}", 1).err


@pytest.mark.parametrize(
    "arguments, told",
    [
        ("--mbr bleu --metric slor", "--mbr takes the place of a metric"),
        ("--mbr ter", "'ter' is not one of 'bleu'"),
        ("--resume", "--resume needs a FILE"),
        ("--format parquet", "parquet needs a file to write"),
        ("--source-column id", "fluency reads no sources"),
        ("--metric bleu_neighbors", "give --pool FILE"),
        ("--metric rouge_lm", "rouge_lm needs references: give --reference-columns"),
    ],
)
def test_usage_errors(arguments, told):
    assert told in typed(f"rerank lists.jsonl {arguments}", 2).err
