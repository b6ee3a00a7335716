"""Tables for a paper: LaTeX that siunitx sets, Markdown with true minus signs, and nothing that a name can break."""

import shutil
import subprocess

import pytest
from command_lines import typed
from text_files import write, write_table

from referenceless_metrics.core.files.output import render
from referenceless_metrics.core.files.paper_tables import latex_table

ROWS = [
    {"system": "base_1", "mean": -0.5, "p": None, "note": ""},
    {"system": "50% & more", "mean": 12.25, "p": 0.00001, "note": ""},
]


def test_numbers_stand_in_columns_of_siunitx():
    lines = render(ROWS, {}, "latex", headline="A_b.", lines=["n = 2"]).splitlines()
    assert r"\caption{A\_b.}" in lines
    assert r"\begin{tabular}{lS[table-format=-2.4]l}" in lines
    assert r"system & {mean} & p \\" in lines  # no column `note`, which holds nothing
    assert r"base\_1 & -0.5000 &  \\" in lines
    assert r"50\% \& more & 12.2500 & $<$ 0.0001 \\" in lines
    assert lines[-1] == "% n = 2"


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


def test_a_latex_compiles(tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex")
    table = latex_table({"a_b": ["50% & {x}", "α"], "mean": ["-1.5", "–"]}, "ρ ± 2 < 3.", ["a line"])
    document = [
        "\\documentclass{article}",
        "\\usepackage{booktabs, siunitx}",
        "\\begin{document}",
        table,
        "\\end{document}",
    ]
    write(tmp_path / "a.tex", document)
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"], cwd=tmp_path, capture_output=True
    )
    assert done.returncode == 0, done.stdout[-2000:]
