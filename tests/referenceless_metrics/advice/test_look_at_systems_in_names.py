"""`look` at tables of two systems' outputs and scores in columns that are called by the systems."""

import pytest
from command_lines import as_json
from text_files import write_table

from referenceless_metrics import look

N = 24
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("folder")]


def rows(names):
    """Return a row for each question, with what `names` call: texts, or scores that are higher for `ft`."""
    found = []
    for n in range(N):
        texts = {name: f"The {name} of question {n} is here." for name in names}
        scores = {name: 0.1 + 0.01 * (n % 7) + 0.3 * name.startswith("ft") for name in names}
        found.append([texts[name] if name.endswith(("pred", "question")) else scores[name] for name in names])
    return found


def test_scores_beside_outputs_of_the_same_names_are_of_these_systems():
    names = ["question", "base_pred", "ft_pred", "base_bleu", "ft_bleu", "base_judge_score", "ft_judge_score"]
    write_table("t.csv", names, rows(names))
    (line,) = [line for line in look("t.csv").commands if " compare --scores " in line]
    assert "--rows-in '*_bleu,*_judge_score' --score-column bleu --score-column judge_score --system-column key" in line
    compared = as_json(line.removeprefix("referenceless "))["rows"]
    means = {(row["system"], row["score"]): row["mean"] for row in compared if row.get("mean") is not None}
    assert means["ft", "bleu"] - means["base", "bleu"] == pytest.approx(0.3)


def test_scores_of_one_system_alone_are_no_systems():
    names = ["question", "base_pred", "ft_pred", "base_bleu", "ft_chrf"]
    write_table("t.csv", names, rows(names))
    assert not any("--rows-in" in line for line in look("t.csv").commands)
