"""Lists of candidates: content and refusals."""

import json

import pytest
from refusals import refused

from referenceless_metrics.core.files.tables import read_blocks
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.selection.command import lists_in_cells


def table(path, content):
    path.write_text(content, encoding="utf-8")
    (found,) = read_blocks(str(path))
    return found


def test_lists_in_cells_also_as_json_in_csv(tmp_path):
    cells = table(tmp_path / "candidates.csv", 'n,candidates\n1,"[""a"", ""b""]"\n2,"[""c""]"\n')
    candidates, lists = lists_in_cells(cells, "candidates")
    assert (lists.texts, lists.begins.tolist()) == (["a", "b", "c"], [0, 2, 3])
    assert candidates.rows == [{"n": "1", "text": "a"}, {"n": "1", "text": "b"}, {"n": "2", "text": "c"}]
    assert (candidates.columns, candidates.lines) == (("n", "text"), [2, 2, 3])


@pytest.mark.parametrize(
    "row, told",
    [
        ({"candidates": []}, "one or more candidates in column 'candidates', but got list \\[\\]"),
        ({"candidates": ["a", None]}, "expected a text in column 'candidates', but got None"),
        ({"candidates": ["\ud83d"]}, "a lone surrogate"),
        ({"other": 1}, "there is no column 'candidates'"),
        ({"candidates": ["a"], "text": "b"}, "a column 'text' already"),
    ],
)
def test_what_is_no_list_is_named_with_its_line(tmp_path, row, told):
    path = tmp_path / "candidates.jsonl"
    with refused(told, InputError) as caught:
        lists_in_cells(table(path, json.dumps(row) + "\n"), "candidates")
    assert str(caught.value).startswith(str(path))
