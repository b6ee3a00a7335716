"""A comparison in each format: a name can neither end a line nor begin a command, and estimates are not marked."""

import json
import re
from dataclasses import replace

import pytest
from comparisons import comparison
from text_files import read

from referenceless_metrics.comparison.captions import named_signature
from referenceless_metrics.comparison.output import COMPARISON_FORMATS, render_comparison, render_comparisons
from referenceless_metrics.comparison.plots import plot_comparisons
from referenceless_metrics.comparison.significance import EACH_METRIC, significance_of
from referenceless_metrics.core.files.output import PARQUET, ROWS_ALONE
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference

HOSTILE = "ours\n\\input{/etc/passwd}\n| a | b |\r\n% \u202ex `code` \x1b[31m"
SHOWN = {
    "table": [
        "│            ours │    0.6000 [0.5000, 0.7000]    │",
        "│         (p = 0.0400)*         │",
        "signature: M|pool:`3`|tau:0.1.\n",
    ],
    "markdown": [r"| ours | 0.6000 | \[0.5000, 0.7000\] | 0.0400\* | 0.900 |", r"signature: M\|pool:\`3\`\|tau:0.1."],
    "latex": [
        r"\begin{tabular}{lS[table-format=1.4]lS[table-format=1.4,table-space-text-post={*}]S[table-format=1.3]}",
        r"ours & 0.6000 & [0.5000, 0.7000] & 0.0400{*} & 0.900 \\",
        r"\multicolumn{3}{c}{M on 9 of 10}",
        r"Signature: M\textbar{}\allowbreak{}pool:\texttt{3}",
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
        own = (r"\begin{table}", r"\centering", r"\caption{", r"\end{table}", r"\resizebox", r"\par\smallskip", "}")
        assert all(line.startswith(("%", *own)) for line in (before + after.strip()).splitlines())
    if format == "markdown":
        row = next(line for line in hostile.splitlines() if line.startswith("|") and "passwd" in line)
        head = next(line for line in plain.splitlines() if line.startswith("|"))
        assert row.replace("\\|", "").count("|") == head.count("|")


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


def test_p_of_estimates_is_corrected_as_any_other_and_marks_nothing():
    figures = {"base": (0.5, None), "ours": (0.6, 0.04), "theirs": (0.6, 0.003)}
    shown = render_comparison(comparison(figures, estimates_ratings=True))
    assert "(p = 0.0060)" in shown
    assert "(p = 0.0400)" in shown
    assert "*" not in shown
    assert "p is that after Holm's correction over 2 comparisons" in " ".join(shown.split())
    both = significance_of([comparison(figures, estimates_ratings=True), comparison(figures, metric="N")])
    assert (both.marked, both.n_tests) == (["N"], 4)


def test_what_is_marked_is_adjusted_and_what_figures_rest_on_is_said():
    shown = render_comparison(comparison({"base": (0.5, None), "ours": (0.6, 0.04), "theirs": (0.6, 0.03)}))
    assert ")*" not in shown
    for said in ("9 of 10 segments (those with a value for all systems);",
                 "1,000 shuffles); * marks p < 0.05 of M after Holm's correction over 2 comparisons",
                 "the 9 of 10 segments that it covers for all (base 9, ours 9, theirs 9)"):  # fmt: skip
        assert said in shown


@pytest.mark.parametrize("format", ["table", "markdown", "latex", "json"])
def test_sentences_on_segments_have_the_number_of_those_compared(format):
    partly = comparison({"base": (0.5, None), "ours": (0.6, 0.04)})
    whole = replace(comparison({"base": (0.5, None), "ours": (0.6, 0.04)}, metric="N"), n_common=10)
    clusters = replace(partly, n_clusters=7)

    def quoted(*comparisons):
        told = " ".join(render_comparisons(comparisons, format).replace("%", " ").split())
        return re.search(r"For the paper: (We compared ours with base on .*?) by M", told)[1]

    of_these = "(those with a value for all systems)"
    assert quoted(partly) == f"We compared ours with base on 9 of 10 segments {of_these}"
    assert quoted(clusters) == f"We compared ours with base on 9 of 10 segments in 7 clusters {of_these}"
    fewer = "(M on the 9 with a value for all systems)"
    assert quoted(partly, whole) == f"We compared ours with base on 10 segments {fewer}"
    assert quoted(replace(partly, n_common=10)) == "We compared ours with base on 10 segments"


def test_tests_of_several_metrics_are_one_family_unless_told_otherwise():
    both = [comparison({"base": (0.5, None), "ours": (0.6, 0.04)}, metric=name) for name in "MN"]
    joint, apart = render_comparisons(both), render_comparisons(both, significance=significance_of(both, EACH_METRIC))
    assert ")*" not in joint
    assert "after Holm's correction over 2 comparisons (2 metrics × 1 system)" in joint
    assert joint.startswith("By M, no difference is shown between ours and base. By N, no")
    assert apart.count(")*") == 2
    assert apart.startswith(
        "By M, ours is higher than base. By N, ours is higher than base. (p = 0.0400, one comparison.)"
    )
    rows = json.loads(render_comparisons(both, "json"))
    assert [row["metric"] for row in rows["rows"]] == ["M", "M", "N", "N"]
    assert [each["metric"] for each in rows["metrics"]] == ["M", "N"]


def test_a_turned_table_has_a_column_for_each_system():
    columns = {"base": (-0.5, None), "ours": (0.6, 0.04)}
    markdown = render_comparisons([comparison(columns)], "markdown", transpose=True)
    assert "| system | base (baseline) | ours |" in markdown
    assert r"| M on 9 of 10: score | −0.5000 | 0.6000 |" in markdown
    assert "base (baseline)" in render_comparisons([comparison(columns)], transpose=True).splitlines()[3]


def with_difference(name="base", described="M (after A, 2001; 0 is b)", p_value=0.04):
    """A comparison with a difference of .1 from the baseline, whose standard error is .02."""
    plain = comparison({name: (0.5, None), "ours": (0.6, p_value)}, described=described, scale="0 is b")
    first, second = plain.rows
    return replace(plain, rows=(first, replace(second, differences={"M": Inference(0.1, 0.02, 9.0, 0.0)})))


def test_the_difference_and_its_interval_stand_in_text_and_latex():
    low, high = Inference(0.1, 0.02, 9.0, 0.0).interval()
    interval = f"[{low:.4f}, {high:.4f}]"
    assert f"+0.1000 {interval}" in render_comparison(with_difference())
    latex = render_comparison(with_difference(), "latex")
    assert r"{difference} & its 95\% interval & {p}" in latex
    assert rf"0.1000 & {interval} & 0.0400{{*}}" in latex
    _, row = json.loads(render_comparison(with_difference(), "json"))["rows"]
    assert (row["difference"], row["difference_low"]) == (0.1, pytest.approx(low))


def test_a_difference_that_rounds_to_nothing_is_no_negative_zero():
    first, second = with_difference().rows
    tiny = replace(
        with_difference(), rows=(first, replace(second, differences={"M": Inference(-0.00001, 0.02, 9.0, 0.0)}))
    )
    assert "+0.0000 [" in render_comparison(tiny)
    assert "-0.0000" not in render_comparison(tiny)


def test_a_sentence_for_the_paper_names_test_correction_and_signature():
    lines = render_comparison(with_difference()).splitlines()
    (sentence,) = [line for line in lines if line.startswith("For the paper: ")]
    assert "on 9 of 10 segments (those with a value for all systems) by M (after A, 2001; 0 is b), as" in sentence
    by = "paired approximate randomisation (1,000 shuffles), intervals of differences by the paired t test"
    assert sentence.endswith(f"{by}; signature: M|pool:`3`|tau:0.1.")
    assert "scale of M: 0 is b" in lines


def test_the_least_p_of_shuffles_is_told_as_a_limit():
    told = "1,000 shuffles give no p below 0.001 before correction"
    at_least, above = (comparison({"base": (0.5, None), "ours": (0.6, n / 1001)}) for n in (1, 2))
    table = render_comparison(at_least)
    assert told in table
    assert "(p ≤ 0.0010, one comparison)" in table.splitlines()[0]
    assert "(p ≤ 0.0010)*" in table
    latex = render_comparison(at_least, "latex")
    assert r"{$\leq$ 0.0010*}" in latex
    assert told not in render_comparison(above)
    assert "(p = 0.0020)*" in render_comparison(above)


def test_a_caption_is_short_and_a_baseline_is_not_named_twice():
    caption = re.findall(r"\\caption{(.*)}", render_comparison(with_difference("baseline"), "latex"))[0]
    assert "how probable" not in caption
    assert len(caption) < 340
    assert "Signature" not in caption
    assert "baseline (baseline)" not in render_comparison(with_difference("baseline"))


@pytest.mark.parametrize("signature, named", [("metric:m|a:1", "metric:m|a:1"), ("a:1", "M|a:1")])
def test_a_signature_names_its_metric_once(signature, named):
    assert named_signature("M", signature) == named


def test_the_dashed_line_of_a_drawing_is_explained_in_it(tmp_path):
    plot_comparisons([comparison({"first": (0.5, None), "ours": (0.6, 0.04)})], tmp_path / "p.svg")
    assert "dashed: the mean of first" in read(tmp_path / "p.svg")


def test_a_comparison_without_a_test_claims_none():
    plain = comparison({"base": (0.5, None), "ours": (0.6, None)})
    assert "without a test, for which there are fewer than 10 scored segments" in render_comparison(plain)
    latex = render_comparison(plain, "latex")
    assert "randomisation" not in re.findall(r"\\caption{(.*)}", latex)[0]


@pytest.mark.parametrize("p_value, told", [(0.04, ""), (0.06, "leaves out 0 beside p = 0.0600")])
def test_an_interval_and_a_p_that_say_otherwise_are_named(p_value, told):
    """The interval of the difference leaves out 0; shuffles may say otherwise."""
    found = with_difference(p_value=p_value)
    for format in ("table", "markdown", "latex"):
        shown = " ".join(render_comparison(found, format).split())
        assert ("made in two ways" in shown) == bool(told)
        assert f"that of ours less base by M {told}" in shown or not told
        assert "the findings go by p" in shown or not told
