"""Scores of more segments than people rated: documents of all of them, or no interval of means over them."""

import pytest
from command_lines import as_json, typed
from numpy.random import default_rng
from text_files import write, write_table

pytestmark = pytest.mark.filterwarnings("ignore")

N_DOCUMENTS, LENGTH, N_RATED = 16, 4, 10
SYSTEMS = ("nllb", "tower")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Scores of 64 segments, a file for each system; ratings, and a line for the document of each segment."""
    monkeypatch.chdir(tmp_path)
    draw = default_rng(0)
    documents = [f"news\td{number // LENGTH}" for number in range(N_DOCUMENTS * LENGTH)]
    of_document = draw.normal(size=N_DOCUMENTS)
    rows = []
    table = []
    for place, system in enumerate(SYSTEMS):
        good = [of_document[number // LENGTH] + place + draw.normal() / 4 for number in range(len(documents))]
        write(f"{system}.comet", [f"{value:.4f}" for value in good])
        table += [(system, number, f"{value:.4f}") for number, value in enumerate(good, 1)]
        rated = enumerate(good[: N_RATED * LENGTH], 1)
        rows += [(system, n, f"d{(n - 1) // LENGTH}", "r1", round(-abs(value), 1)) for n, value in rated]
    write_table("ratings.csv", ["system", "item", "doc", "rater", "rating"], rows)
    write_table("scores.csv", ["system", "item", "score"], table)
    write("newstest.docs", documents)
    mqm = ["system doc doc_id seg_id rater category severity".split()]
    mqm += [(each[0], each[2], each[1], each[1], "r1", "Style", "Minor") for each in rows if each[4] < -0.5]
    mqm += [(each[0], each[2], each[1], each[1], "r1", "no-error", "no-error") for each in rows if each[4] >= -0.5]
    write("mqm.tsv", ["\t".join(map(str, each)) for each in mqm])


def means(line):
    """The interval of each system's mean score."""
    rows = as_json(f"evaluate {line}")["rows"]
    return {row["of"]: (row["low"], row["high"]) for row in rows if row["what"] == "mean score"}


def test_means_over_unrated_segments_have_no_interval_without_their_documents():
    line = "--scores scores.csv --ratings mqm.tsv"
    assert set(means(line).values()) == {(None, None)}
    told = typed(f"evaluate {line}").out
    assert "clusters are told of rated items alone (--cluster-column FILE" in " ".join(told.split())


def test_a_file_of_documents_gives_the_interval_that_compare_gives():
    found = means("--scores scores.csv --ratings mqm.tsv --cluster-column newstest.docs")
    rows = as_json("compare --scores scores.csv --cluster-column newstest.docs")["rows"]
    compared = {row["system"]: (row["low"], row["high"]) for row in rows}
    for system in SYSTEMS:
        assert found[system] == pytest.approx(compared[system])
    narrow = as_json("compare --scores scores.csv")["rows"][0]
    assert found["nllb"][1] - found["nllb"][0] > 1.5 * (narrow["high"] - narrow["low"])


def test_files_of_a_number_for_each_segment_are_of_the_systems_that_they_are_called_as():
    files = " ".join(f"--scores {system}.comet" for system in SYSTEMS)
    rows = [as_json(f"evaluate {scores} --ratings mqm.tsv")["rows"] for scores in (files, "--scores scores.csv")]
    first, other = ([(row["what"], row["of"], row["n"], row["value"]) for row in each] for each in rows)
    assert first == other


@pytest.mark.parametrize("command", ["human-score", "evaluate --metric fluency_ngram"])
def test_ratings_alone_take_a_file_of_documents_too(command):
    texts = [f"The cat number {n} sat on the mat." for n in range(30)]
    rows = [(system, n, text, (n * 7 + place) % 5) for place, system in enumerate("ab") for n, text in enumerate(texts)]
    write_table("rated.csv", ["system", "item", "text", "rating"], rows)
    write("rated.docs", [f"d{n // 3}" for n in range(30)])
    option = "--ratings " if command == "human-score" else ""
    plain = as_json(f"{command} {option}rated.csv")["rows"]
    clustered = as_json(f"{command} {option}rated.csv --cluster-column rated.docs")["rows"]
    assert plain != clustered


def test_the_line_for_ratings_beside_scores_names_what_joins_them():
    rows = [(system, n, "ann", 50 + (n * 7) % 40) for system in SYSTEMS for n in range(1, 41)]
    write_table("esa.csv", ["system", "segment", "annotator", "esa_score"], rows)
    told = typed("evaluate --scores scores.csv --ratings esa.csv", status=1).err
    (line,) = (each.strip() for each in told.splitlines() if each.startswith("  referenceless evaluate"))
    assert "--rating-column esa_score --item-column segment" in line
    typed(line.removeprefix("referenceless "))


def test_files_of_scores_are_of_the_rated_systems_in_compare_too():
    draw = default_rng(3)
    systems = ("nllb", "online-B", "tower")
    rows = []
    for place, system in enumerate(systems):
        good = [place + draw.normal() for _ in range(20)]
        write(f"{system}.chrf.txt", [f"{value:.4f}" for value in good])
        rows += [(system, n, round(value + draw.normal() / 4, 2)) for n, value in enumerate(good, 1)]
    write_table("rated.csv", ["system", "item", "rating"], rows)
    files = " ".join(f"--scores {system}.chrf.txt" for system in systems)
    (pair,) = as_json(f"compare {files} --ratings rated.csv")["rows"][:1]
    assert pair["pairwise accuracy"] == 1
