"""A comparison in each format: a system's name can neither end a line nor begin a command."""

import pytest
from sacrebleu.significance import Result

from metric_commons.files.output import PARQUET, ROWS_ALONE
from metric_commons.systems.comparison import Comparison, SystemRow
from metric_commons.systems.comparison_output import COMPARISON_FORMATS, render_comparison

HOSTILE = "ours\n\\input{/etc/passwd}\n| a | b |\r\n% \u202ex `code` \x1b[31m"


def comparison(*names):
    rows = [
        SystemRow(name, {"metric": Result(0.5, None if not i else 0.04, 0.5, 0.1)}, 9 - i, 0.9)
        for i, name in enumerate(names)
    ]
    return Comparison("metric", tuple(rows), 10, 10, 1000, {"metric": "pool:`3`|tau:0.1"})


@pytest.mark.parametrize("format", [name for name in COMPARISON_FORMATS if name not in ("json", PARQUET, *ROWS_ALONE)])
def test_a_name_stays_on_its_line(format):
    plain = render_comparison(comparison("base", "ours"), format)
    hostile = render_comparison(comparison("base", HOSTILE), format)
    assert hostile.count("\n") == plain.count("\n")
    for character in "\r\x1b\u202e":
        assert character not in hostile
    assert "[U+202E]x" in hostile.replace("\\[", "[").replace("\\]", "]")
    if format == "latex":
        table, comments = hostile.split(r"\end{tabular}")
        assert r"\input" not in table
        assert all(line.startswith("%") for line in comments.strip().splitlines())
    if format == "markdown":
        row = next(line for line in hostile.splitlines() if "passwd" in line)
        assert row.replace("\\|", "").count("|") == plain.splitlines()[2].count("|")
