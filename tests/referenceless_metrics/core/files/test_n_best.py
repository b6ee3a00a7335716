"""Lists of the best candidates of each input."""

import json

import pytest
from command_lines import done
from text_files import write

from referenceless_metrics.core.files.n_best import are_n_best
from referenceless_metrics.core.files.reading import BY_SUFFIX, Condition, Reading
from referenceless_metrics.core.files.tables import BlockSize, read_blocks
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError

LINES = [
    "0 ||| a cat sat . ||| F0= -3.4 F1= 9 ||| -0.3",
    "0 ||| the cat sat . ||| F0= -4 F1= 9 ||| -0.4",
    "1 ||| it rains . ||| F0= -1 F1= 3 ||| -0.2",
]


def test_candidates_have_their_input_and_rank(tmp_path):
    for name in ("t.nbest", "t.txt"):
        rows = read_table(str(write(tmp_path / name, LINES))).rows
        assert [(row["item"], row["rank"], row["text"], row["score"]) for row in rows] == [
            ("0", "1", "a cat sat .", "-0.3"),
            ("0", "2", "the cat sat .", "-0.4"),
            ("1", "1", "it rains .", "-0.2"),
        ]


def test_the_first_of_each_input_are_read_by_a_condition_and_in_blocks(tmp_path):
    path = str(write(tmp_path / "t.nbest", LINES))
    best = read_table(path, Reading(where=(Condition("rank", "1"),)))
    assert [row["text"] for row in best.rows] == ["a cat sat .", "it rains ."]
    first = next(read_blocks(path, size=BlockSize(1)))
    rest = list(read_blocks(path, size=BlockSize(1), start=first.end))
    assert [row["rank"] for table in rest for row in table.rows] == ["2", "1"]


def test_columns_that_are_named_are_read_as_a_table(tmp_path):
    path = str(write(tmp_path / "t.nbest", LINES))
    table = read_table(path, Reading(columns=("n", "text", "parts", "value")))
    assert table.columns == ("n", "text", "parts", "value")


def test_a_line_with_other_fields_is_refused(tmp_path):
    many = [line.replace(line[0], str(n), 1) for n in range(30) for line in LINES[:2]]
    path = str(write(tmp_path / "t.nbest", [*many, "30 ||| no score"]))
    with pytest.raises(InputError, match="expected item \\|\\|\\| text"):
        read_table(path, BY_SUFFIX)


def test_rerank_takes_the_candidates_of_each_input(tmp_path):
    out = tmp_path / "best.jsonl"
    done("rerank --mbr chrf", write(tmp_path / "t.nbest", LINES), "-o", out)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(row["item"], row["n_candidates"]) for row in rows] == [("0", 2), ("1", 1)]


def test_features_are_read_in_proportion_to_their_length():
    """A field of digits that ends as no number does: each way to part it would be tried one after the other."""
    digits = "1" * 100_000
    assert not are_n_best([f"0 ||| a cat ||| {digits}x y", f"0 ||| cats ||| {digits}x y"])
    assert are_n_best([f"0 ||| a cat ||| {'-0.5 ' * 10_000}||| -2", "0 ||| cats ||| LM= -3 Length: 2 ||| -3"])
