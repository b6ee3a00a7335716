"""Published figures beside measured ones, on the authors' data; what happens where data are missing or odd."""

import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
from command_lines import as_json, typed
from numpy.random import default_rng
from numpy.testing import assert_allclose
from text_files import read, write_table

from metric_commons.support.validation import InputError
from referenceless_papers.ethayarajh.annotators import annotator_error, compare_difficulty
from referenceless_papers.ethayarajh.figure_1 import POOL, figure_1
from referenceless_papers.ethayarajh.run import PARTS, reproduce
from referenceless_papers.ethayarajh.sources import Sources


def measured(folder, *names):
    """Return the cells of parts by row and figure, and the parts' results by name."""
    results = dict(zip(names, reproduce(Sources(folder), names).parts.values(), strict=True))
    return {(cell.table, cell.figure): cell for part in results.values() for cell in part.cells}, results


def test_missing_data_are_named(tmp_path):
    with pytest.raises(InputError, match="holds neither huse/, asap-sas/ nor nlg-ratings/"):
        reproduce(Sources(tmp_path))


@pytest.mark.long
def test_table_3_within_003_of_the_published_correlations(data_dir):
    cells, results = measured(data_dir("asap-sas").parent, "table-3")
    assert len(cells) == 30
    differences = [abs(cell.difference) for (_, figure), cell in cells.items() if figure == "Spearman"]
    assert np.mean(differences) <= 0.03
    assert f"differ by {np.mean(differences):.4f} in the mean" in results["table-3"].notes[0]
    assert all(cell.measured == 1.0 for (_, figure), cell in cells.items() if figure == "coverage")


def test_human_rows(data_dir):
    cells, results = measured(data_dir("huse").parent, "humans")
    row = "Table 1, summarisation, human annotators"
    assert cells[row, "best MSE"].measured == pytest.approx(0.0200, abs=0.00005)
    assert cells[row, "average MSE"].measured == pytest.approx(0.0802, abs=0.0001)
    assert cells[row, "average Spearman"].measured == pytest.approx(0.41, abs=0.005)
    lacking = {each.what: each.why for each in results["humans"].missing}
    assert lacking["Table 1, chit-chat dialogue, human annotators"] == "needs huse/dialogue_raw_outputs.csv"


def test_neighbours_models(data_dir):
    cells, results = measured(data_dir("huse").parent, "table-1")
    row = "Table 1, summarisation, BLEU Neighbors"
    assert cells[row, "MSE"].measured == pytest.approx(0.0214, abs=0.0001)
    assert cells[row, "coverage"].measured == pytest.approx(0.995, abs=0.001)
    assert cells["Table 1, characters, unclipped", "Spearman"].measured == pytest.approx(0.325, abs=0.003)
    assert cells["Table 1, characters, unclipped", "Spearman"].published == 0.325
    assert cells["Table 1, words (white space)", "coverage"].measured == 0.0
    assert cells["Table 1, words (13a)", "coverage"].measured < 0.1
    low, high = cells[row, "Spearman"].interval
    assert low < 0.324 < high
    lacking = {each.what: each.why for each in results["table-1"].missing}
    rouge = "Table 1, summarisation, ROUGE Neighbors"
    if rouge not in lacking:
        figures = [cells[rouge, figure].measured for figure in ("MSE", "Spearman", "coverage")]
        assert figures == pytest.approx([0.0227, 0.248, 0.970], abs=0.0005)
    assert "--encoder" in lacking["Table 1, summarisation, BERTScore Neighbors"]


def test_analyses(data_dir):
    parts = ("low-hanging-fruit", "figures-2-3", "figure-4", "subsampling", "huse")
    cells, results = measured(data_dir("huse").parent, *parts)
    paper = "Hashimoto et al. (2019), summarisation"
    found = [cells[paper, figure].measured for figure in ("HUSE", "HUSE-Q", "HUSE-D")]
    assert found == pytest.approx([0.53, 0.6, 0.93])
    fruit = results["low-hanging-fruit"].tables[0].rows
    assert math.isnan(fruit[0]["p (permutation)"])
    assert all(0.4 < row["coverage"] < 0.6 and 0 < row["p (permutation)"] <= 1 for row in fruit[1:])
    by_a, by_b = ([row["coverage"] for row in table.rows] for table in results["figures-2-3"].tables)
    assert by_a == sorted(by_a, reverse=True)
    assert by_b == sorted(by_b)
    curve = results["figure-4"].tables[0].rows
    assert curve[-1]["spearman"] == pytest.approx(0.324, abs=0.003)
    assert {row["n_draws"] for row in curve[:-1]} == {20}
    spread = [row["± over draws"] for row in results["subsampling"].tables[0].rows]
    assert spread == sorted(spread, reverse=True)


def test_difficulty():
    error = annotator_error(["a", "b"], ["b", "a", "b"], np.array([0.0, 0.3, 1.0]))
    assert_allclose(error, [0.0, 0.25])
    rng = default_rng(0)
    apart = compare_difficulty(np.r_[rng.normal(0, 1, 30), rng.normal(3, 1, 30)], np.arange(60) < 30)
    assert apart["p (permutation)"] < 0.001
    assert apart["p (Mann-Whitney)"] < 0.001
    assert math.isnan(compare_difficulty(np.arange(5.0), np.ones(5, dtype=bool))["error, uncovered"])


ANSWERS = ("Invalid", "Rare", "Specific", "Average", "Typical", "Very Typical")


def write_huse(folder, tasks=("summarization", "dialogue"), answers=ANSWERS, n_texts=20):
    """Write tasks of HUSE in the format of Mechanical Turk, with texts of our own."""
    rng = random.Random(0)
    words = "the red blue cat dog sat ran on under mat hat quickly slowly"
    (folder / "huse").mkdir(parents=True)
    for task in tasks:
        rows = []
        for hit, kind in (("H1", "LM"), ("H2", "HUMAN_LM")):
            row = {"HITId": hit}
            for i in range(n_texts):
                row[f"Input.OUT{i}"] = " ".join(rng.choices(words.split(), k=6))
                row |= {f"Input.CTX{i}": "", f"Input.TYPE{i}": kind, f"Input.LOGP{i}": str(-rng.random() * 30)}
            for worker in ("w1", "w2", "w3"):
                answered = {f"Answer.{i}": rng.choice(answers) for i in range(n_texts)}
                rows.append(row | answered | {"WorkerId": worker})
        write_table(folder / "huse" / f"{task}_raw_outputs.csv", rows[0], map(dict.values, rows))
    return folder


@pytest.fixture
def small_data(tmp_path):
    return write_huse(tmp_path / "data")


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


def test_parts_can_be_chosen_and_printed(small_data):
    command = f"reproduce ethayarajh --data-dir {small_data} --part humans"
    (part,) = as_json(f"{command}")["parts"]
    figures = {f"{who} {each}" for who in ("best", "average") for each in ("MSE", "Spearman", "coverage")}
    assert {row["figure"] for row in part["cells"]} == figures
    lacking = "needs huse/language_model_raw_outputs.csv"
    assert {row["why"] for row in part["cells"] if row["measured"] is None} == {lacking}
    assert [each["why"] for each in part["missing"]] == [lacking]
    assert "## Table 1: human annotators" in typed(command).out


def test_quadratic_kappa_of_whole_scores():
    from referenceless_papers.ethayarajh.tables import quadratic_kappas

    ratings = np.repeat([0.0, 0.5, 1.0], 5)
    exact = quadratic_kappas(ratings, ratings, ratings)
    assert exact == {"κ, rounded": 1.0, "κ, by share": 1.0}
    near_the_mean = quadratic_kappas(0.5 + ratings / 10, ratings, ratings)  # in order, and all rounded to one score
    assert near_the_mean == {"κ, rounded": 0.0, "κ, by share": 1.0}
    assert quadratic_kappas(-ratings, ratings, ratings)["κ, by share"] == -1.0


def test_two_of_the_three_texts_of_figure_1_count(tmp_path):
    result = figure_1(Sources(tmp_path))
    rows = {row["rated text"]: row["counts"] for row in result.tables[0].rows}
    assert rows == dict(zip(POOL, ("yes", "yes", "no"), strict=True))
    assert result.tables[0].caption.endswith(f"estimate {np.mean([0.9, 0.7]):.2f}")
    result.figures[0].draw(tmp_path / "figure.svg")
    assert "0.80" in read(tmp_path / "figure.svg")


def test_every_part_stands_in_the_committed_report():
    text = read(Path(__file__).parents[3] / "hub_cards" / "reproduction.md")
    for part in PARTS.values():
        section = text.split(f"\n## {part.title}\n")[1].split("\n## ")[0]
        assert "|" in section, part.title
