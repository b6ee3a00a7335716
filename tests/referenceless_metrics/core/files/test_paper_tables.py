"""Tables for a paper: LaTeX that siunitx sets, Markdown with true minus signs, and nothing that a name can break."""

import re
import shutil
import subprocess

import pytest
from command_lines import typed
from text_files import write, write_table

from referenceless_metrics.core.files.output import render
from referenceless_metrics.core.files.paper_tables import Column, latex_table, markdown_table, paper_columns, transposed

ROWS = [
    {"system": "base_1", "mean": -0.5, "p": None, "note": ""},
    {"system": "50% & more", "mean": 12.25, "p": 0.00001, "note": ""},
]


def test_numbers_stand_in_columns_of_siunitx():
    lines = render(ROWS, {}, "latex", headline="A_b.").splitlines()
    assert r"\caption{A\_b.}" in lines
    assert r"\begin{tabular}{lS[table-format=-2.4]l}" in lines
    assert r"system & {mean} & p \\" in lines  # no column `note`, which holds nothing
    assert r"base\_1 & -0.5000 &  \\" in lines
    assert r"50\% \& more & 12.2500 & $<$ 0.0001 \\" in lines
    assert lines[-1] == r"\end{table}"


def test_a_table_of_a_command_has_a_label_by_which_a_paper_refers_to_it(folder):
    rows = [(item, system, item % 5 + (system == "ours")) for item in range(20) for system in ("base", "ours")]
    write_table("rated.csv", ["item", "system", "rating"], rows)
    _, label, *_ = typed("human-score --ratings rated.csv -f latex").out.partition(r"\caption")[2].splitlines()
    assert label == r"\label{tab:human-score}"
    assert r"\label" not in latex_table([Column("system", ["ours"])], "Nothing is shown.", [])


def test_latex_has_as_comments_what_is_quoted_or_may_mislead_if_a_caption_tells_the_rest_and_markdown_all_lines():
    kept = ["Gate: worse.", "style: Caution: few.", "For the paper, if no more answers come: a.", "For the paper: b."]
    kept += ["Limits: 6 of 40 are bad.", "comet: score ≤ -3.93 flags 10%.", "No limits are told: 1 of 40 is bad."]
    lines = ["mean: of what.", *kept, "a less b: such a study finds 2."]
    for basis, told in (([], lines), (["Means."], kept)):
        shown = render(ROWS, {}, "latex", lines=lines, basis=basis)
        assert shown.partition("\\end{table}\n")[2] == "".join(f"% {line}\n" for line in told)
    listed = [line for line in render(ROWS, {}, "markdown", lines=lines).splitlines() if line.startswith("- ")]
    assert len(listed) == len(lines)


def test_markdown_says_nothing_below_a_table_that_stands_above_it():
    shown = markdown_table(
        [Column("mean", ["0.5"])], "A is higher.", ["Of 3 items.", "B.", "A is higher."], basis=["Of 3 items."]
    )
    assert [line for line in shown.splitlines() if line.startswith("- ")] == ["- B."]


def test_many_groups_are_tables_below_one_another_in_markdown():
    groups = [Column(str(n), ["0.1"], f"metric {group}") for group in range(4) for n in range(5)]
    columns = [Column("system", ["ours"]), *groups, Column("coverage", ["1.0"])]
    shown = markdown_table(columns, "A.", ["Last."])
    heads = [line for line in shown.splitlines() if line.startswith("| system")]
    assert [head.count("|") - 1 for head in heads] == [11, 12]
    assert shown.count("| ours |") == 2
    assert "metric 1" in heads[0]
    assert "metric 2" in heads[1]
    assert (shown.startswith("A.\n"), shown.endswith("- Last.\n")) == (True, True)
    assert markdown_table(columns[:14], "A.", []).count("| ours |") == 1


def test_markdown_has_true_minus_signs():
    shown = render(ROWS, {}, "markdown", headline="A *b*.", lines=["n = 2"])
    assert shown.splitlines()[0] == r"A \*b\*."
    assert "| base\\_1 | −0.5000 |  |" in shown
    assert shown.endswith("\n- n = 2\n")


def test_every_command_on_people_and_scores_writes_both(folder):
    rated = [
        (item, system, rater, item % 3 + (system == "b")) for item in range(12) for system in "ab" for rater in "xyz"
    ]
    write_table("ratings.csv", ("item", "system", "rater", "rating"), rated)
    write_table("scores.csv", ("item", "system", "score"), [row[:2] + row[3:] for row in rated if row[2] == "x"])
    for line in ("human-score --ratings ratings.csv", "agreement ratings.csv", "compare --scores scores.csv"):
        assert r"\toprule" in typed(f"{line} -f latex").out
        assert "| :--- |" in typed(f"{line} -f markdown").out
    latex = typed("agreement ratings.csv -f latex").out
    caption = next(row for row in latex.splitlines() if row.startswith(r"\caption"))
    assert "3 raters gave 72 ratings, and 24 outputs of 12 items were rated by two raters or more" in caption
    assert "No two answers about an output differ" in caption
    assert "Cohen's $\\kappa$" in latex
    assert "Computed with referenceless-metrics" in latex


def test_ends_of_an_interval_stand_in_one_column_and_a_wide_table_is_scaled_to_the_text():
    columns = paper_columns(
        {"system": ["a"], "low": ["-0.5"], "high": ["1.0"], "low holm": ["–"], "high holm": ["–"]}, 0.9
    )
    assert columns == [Column("system", ["a"]), Column("90% interval", ["[-0.5, 1.0]"])]
    narrow, wide = latex_table(columns, "", []), latex_table([Column("a" * 80, ["1"])], "", [])
    assert "[$-$0.5, 1.0]" in narrow
    assert ("resizebox" in narrow, "resizebox" in wide) == (False, True)
    assert r"\textwidth" not in wide  # in two columns, the line is a column


def test_long_texts_are_set_on_several_lines():
    shown = latex_table([Column("text", ["a word " * 12]), Column("mean", ["1"])], "", [])
    assert r"\begin{tabular}{p{0.5\linewidth}S[table-format=1]}" in shown


def test_a_turned_table_tells_equal_names_apart_by_the_second_column():
    columns = [Column("slice", ["", "x"]), Column("system", ["a", "a"]), Column("mean", ["1", "2"])]
    assert [column.name for column in transposed(columns)] == ["slice", "", "x"]
    columns[0] = Column("slice", ["x", "x"])
    columns[1] = Column("system", ["a", "b"])
    assert [column.name for column in transposed(columns)] == ["slice", "x, a", "x, b"]


@pytest.mark.long
def test_latex_of_every_command_compiles_within_the_text(folder):
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex")
    rated = [
        (item, system, rater, (item * 7 + len(rater + system)) % 3 + 2 * (system == "b") + (rater == "y"))
        for item in range(24)
        for system in ("a_1", "b", "c")
        for rater in "xyz"
    ]
    write_table("ratings.csv", ("item", "system", "rater", "rating"), rated)
    write_table("scores.csv", ("item", "system", "score"), [row[:2] + row[3:] for row in rated if row[2] == "x"])
    for name, words in (
        ("base_1", "the cat sat on the mat"),
        ("ours", "a dog ran in the park"),
    ):
        write(f"{name}.txt", [f"{words} {number} times ." for number in range(12)])
    write("long.txt", ["the dog ran in the park beside the river until the evening came and they went home"] * 3)
    lines = (
        "human-score --ratings ratings.csv --all-pairs",
        "human-score --ratings ratings.csv --transpose",
        "agreement ratings.csv",
        "compare --scores scores.csv",
        "compare base_1.txt ours.txt --metric slor --metric wpslor --with bleu,chrf --references ours.txt",
        "compare base_1.txt ours.txt --metric slor --transpose",
        "score long.txt --worst 3 --metric slor",
    )
    tables = [typed(f"{line} -f latex").out for line in lines]
    check_compiled(tables, folder)


def test_a_latex_compiles(tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex")
    columns = [
        Column("a_b", ["50% & {x}", "α"]),
        Column("mean", ["-1.5", "–"], "M × 2"),
        Column("p", ["0.0100*", "< 0.0001*"], "M × 2"),
    ]
    said = {"basis": ["50% intervals."], "note": ["Signature: a|b_c."]}
    check_compiled([latex_table(columns, "ρ ± 2 < 3 | x.", ["a line"], **said)], tmp_path)


def check_compiled(tables, folder):
    """Check that LaTeX sets tables, none of them wider than the column of a paper in two columns."""
    packages = r"\usepackage{booktabs, graphicx, siunitx}"
    document = [r"\documentclass[twocolumn]{article}", packages, r"\begin{document}", *tables, r"\end{document}"]
    write(folder / "a.tex", document)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    too_wide = re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", done.stdout)
    assert [float(points) for points in too_wide if float(points) > 1] == []
