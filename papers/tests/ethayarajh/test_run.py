"""Published figures beside measured ones, on the authors' data; and the outcome if data are missing or odd."""

import json
import random

import numpy as np
import pytest
from command_lines import typed
from text_files import read, write_table

from referenceless_papers.ethayarajh.run import PARTS

ANSWERS = ("Invalid", "Rare", "Specific", "Average", "Typical", "Very Typical")


@pytest.fixture
def small_data(tmp_path):
    """Two tasks of HUSE in the format of Mechanical Turk, with texts of our own."""
    n_texts, folder = 20, tmp_path / "data"
    rng = random.Random(0)
    words = "the red blue cat dog sat ran on under mat hat quickly slowly"
    (folder / "huse").mkdir(parents=True)
    for task in ("summarization", "dialogue"):
        rows = []
        for hit, kind in (("H1", "LM"), ("H2", "HUMAN_LM")):
            row = {"HITId": hit}
            for i in range(n_texts):
                row[f"Input.OUT{i}"] = " ".join(rng.choices(words.split(), k=6))
                row |= {f"Input.CTX{i}": "", f"Input.TYPE{i}": kind, f"Input.LOGP{i}": str(-rng.random() * 30)}
            for worker in ("w1", "w2", "w3"):
                answered = {f"Answer.{i}": rng.choice(ANSWERS) for i in range(n_texts)}
                rows.append(row | answered | {"WorkerId": worker})
        write_table(folder / "huse" / f"{task}_raw_outputs.csv", rows[0], map(dict.values, rows))
    return folder


@pytest.mark.long
def test_the_command_writes_everything_that_can_be_had(small_data, tmp_path):
    out = tmp_path / "out"
    err = typed(f"reproduce ethayarajh --data-dir {small_data} -o {out}").err
    assert all(f"[{number}/{len(PARTS)}]" in err for number in range(1, len(PARTS) + 1))
    for name in ("figure_2", "figure_3", "figure_4"):
        assert (out / "figures" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    markdown = read(out / "reproduction.md")
    told = json.loads(read(out / "reproduction.json"))
    assert all(f"## {part.title}" in markdown for part in PARTS.values())
    assert [part["title"] for part in told["parts"]] == [part.title for part in PARTS.values()]
    assert "needs the folder asap-sas/" in markdown
    assert "](figures/figure_4.png)" in markdown
    humans = told["parts"][list(PARTS).index("humans")]["cells"][0]
    assert humans["difference"] == pytest.approx(humans["measured"] - humans["published"])


@pytest.mark.filterwarnings("ignore:.*have only one label in common")  # a label in common is the case to try
def test_quadratic_kappa_of_whole_scores():
    from referenceless_papers.ethayarajh.tables import quadratic_kappas

    ratings = np.repeat([0.0, 0.5, 1.0], 5)
    exact = quadratic_kappas(ratings, ratings, ratings)
    assert exact == {"κ, rounded": 1.0, "κ, by share": 1.0}
    near_the_mean = quadratic_kappas(0.5 + ratings / 10, ratings, ratings)  # in order, and all rounded to one score
    assert near_the_mean == {"κ, rounded": 0.0, "κ, by share": 1.0}
    assert quadratic_kappas(-ratings, ratings, ratings)["κ, by share"] == -1.0
