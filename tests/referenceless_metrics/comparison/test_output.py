"""A comparison in each format: a name can neither end a line nor begin a command, and estimates are not marked."""

import json
import re

import pytest
from comparisons import comparison

from referenceless_metrics.comparison.output import COMPARISON_FORMATS, render_comparison
from referenceless_metrics.core.files.output import PARQUET, ROWS_ALONE

HOSTILE = "ours\n\\input{/etc/passwd}\n| a | b |\r\n% \u202ex `code` \x1b[31m"
SHOWN = {
    "table": [
        "│           ours │    0.6000 [0.5000, 0.7000]    │",
        "│         (p = 0.0400)*         │",
        "\nM|pool:`3`|tau:0.1",
    ],
    "markdown": [r"|           ours | 0.6000 \[0.5000, 0.7000\] (p = 0.0400)\* |", "\n- `M|pool:'3'|tau:0.1`"],
    "latex": [
        r"\begin{tabular}{rcc}",
        r" & 0.6000 [0.5000, 0.7000] (p = 0.0400)* & ",
        r"M on 9 of 10 [95\% interval]",
        "\n% M|pool",
    ],
    "html": ['<tr><th scope="row">score</th><td>0.5000</td><td>0.6000</td></tr>'],
}


def of_two(name, format, **options):
    return render_comparison(comparison({"base": (0.5, None), name: (0.6, 0.04)}, **options), format)


@pytest.mark.parametrize("format", SHOWN)
def test_a_name_stays_on_its_line(format):
    plain, hostile = of_two("ours", format), of_two(HOSTILE, format)
    for shown in SHOWN[format]:
        assert shown in plain
    assert hostile.count("\n") == plain.count("\n")
    for character in "\r\x1b\u202e":
        assert character not in hostile
    assert "[U+202E]x" in hostile.replace("\\[", "[").replace("\\]", "]")
    if format == "latex":
        before, table, after = re.split(r"\\begin{tabular}|\\end{tabular}", hostile)
        assert r"\input" not in table
        assert all(line.startswith("%") for line in (before + after.strip()).splitlines())
    if format == "markdown":
        row = next(line for line in hostile.splitlines() if line.startswith("|") and "passwd" in line)
        assert row.replace("\\|", "").count("|") == plain.splitlines()[2].count("|")


@pytest.mark.parametrize("format", [name for name in COMPARISON_FORMATS if name != PARQUET])
def test_no_format_marks_a_difference_of_estimates(format):
    out = of_two("ours", format, estimates_ratings=True)
    assert "*" not in re.sub(r"<(style|script)\b.*?</\1>", "", out, flags=re.DOTALL)
    assert "metric" in out
    if format == "json":
        content = json.loads(out)
        assert any("human-score" in note for note in content["notes"])
        assert content["p_concerns"] == "metric"
    elif format not in ROWS_ALONE:
        assert "says nothing about people" in out


def test_what_is_marked_is_adjusted_and_what_figures_rest_on_is_said():
    shown = render_comparison(comparison({"base": (0.5, None), "ours": (0.6, 0.04), "theirs": (0.6, 0.03)}))
    assert ")*" not in shown
    for said in ("10 segments;", "1,000 shuffles); * marks p < 0.05 of M after Holm's correction over 2 comparisons",
                 "the 9 of 10 segments that it covers for all (base 9, ours 9, theirs 9)"):  # fmt: skip
        assert said in shown
