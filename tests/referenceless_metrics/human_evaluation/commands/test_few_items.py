"""Intervals never reach beyond what ratings can be: they are cut at the scale, or too few items are said to tell."""

import json

import pytest
from command_lines import as_json, typed
from numpy.random import default_rng
from text_files import write, write_table

pytestmark = pytest.mark.filterwarnings("ignore")

SYSTEMS = ("base", "ours", "big")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def mqm(n_documents, n_segments):
    """Annotations of few documents, whose numbers of errors differ much."""
    draw = default_rng(1)
    rows = [["system", "doc", "doc_id", "seg_id", "rater", "category", "severity"]]
    for place, system in enumerate(SYSTEMS):
        for document in range(n_documents):
            for segment in range(n_segments):
                n_errors = int(draw.integers(0, 3)) + 2 * ((document + place) % 2)
                key = [system, f"d{document}", segment, document * n_segments + segment]
                for rater in ("r1", "r2"):
                    marks = [["Style", "Minor"]] * n_errors or [["no-error", "no-error"]]
                    rows += [[*key, rater, *mark] for mark in marks]
    write("mqm.tsv", ["\t".join(map(str, row)) for row in rows])


def appraise(scores):
    """Direct assessments of systems, a document for each five segments."""
    rows = [
        (f"u{n // 5}", system, n, "TGT", "eng", "deu", score, f"d{n // 5}#{system}", "False", 1.5, 2.5)
        for system, of_system in scores.items()
        for n, score in enumerate(of_system)
    ]
    first, *others = rows
    write_table("da.csv", first, others)


def test_a_difference_that_few_documents_cannot_tell_has_no_interval():
    mqm(2, 6)
    found = as_json("human-score --ratings mqm.tsv")
    lead = next(row for row in found["rows"] if row["less"] == "base" and row["system"] == "ours")
    assert (lead["low holm"], lead["high holm"]) == (None, None)
    assert lead["p holm"] == 1
    told = typed("human-score --ratings mqm.tsv").out
    assert "Nothing can be said of ours and big beside base (95%, Holm over 2 comparisons)." in told
    assert "Highest mean rating: big (-1.83; 0 is best)" in told
    assert "Whether these 2 raters rate ours and base differently cannot be told: too few items to tell" in told
    assert "such a study finds no difference that ratings can have" in told
    (paper,) = [line for line in told.splitlines() if line.startswith("For the paper") and "ours was not" in line]
    assert "too few items to tell, p = 1.0000" in paper
    assert "interval [" not in paper


def test_more_documents_tell():
    mqm(16, 3)
    found = as_json("human-score --ratings mqm.tsv")
    assert all(row["low"] is not None for row in found["rows"])
    assert "too few items" not in " ".join(found["findings"])


def test_direct_assessments_are_on_the_scale_of_their_tool():
    draw = default_rng(0)
    high = [int(score) for score in draw.integers(88, 101, 24)]
    high[:3] = [20, 100, 100]
    appraise({"base": [min(100, score + 1) for score in high], "ours": high})
    found = as_json("human-score --ratings da.csv")
    assert found["scale"] == [0, 100]
    assert any("the scale is 0-100, as the tool has it" in note for note in found["notes"])
    means = [row for row in found["rows"] if not row["less"]]
    assert all(row["low"] >= 0 and row["high"] <= 100 for row in means)
    assert as_json("human-score --ratings da.csv --scale 0-200")["scale"] == [0, 200]
    assert as_json("human-score --ratings da.csv --rating-column rating --scale 0-101")["scale"] == [0, 101]


def test_scores_outside_of_the_scale_are_of_another_one():
    appraise({"base": [101, 50] * 6, "ours": [40, 90] * 6})
    assert as_json("human-score --ratings da.csv")["scale"] is None


def test_a_difference_that_nobody_can_tell_has_no_ends_on_a_scale():
    """Each system was rated by two raters of its own: their leniency may be all that differs."""
    rows = [
        (f"{system}{rater}", system, n, 1 + (n * 3 + rater + len(system)) % 5)
        for system in SYSTEMS
        for n in range(12)
        for rater in range(2)
    ]
    write_table("ratings.csv", ["rater", "system", "item", "rating"], rows)
    found = as_json("human-score --ratings ratings.csv --scale 1-5")
    assert {(row["mean"], row["low"], row["high"]) for row in found["rows"] if row["less"]} == {(None, None, None)}


def test_a_log_of_pearmut_is_on_the_scale_of_its_slider():
    rows = [
        {
            "user_id": user,
            "item_i": n,
            "annotation": [{system: {"score": 60 + (n * 7 + place * 5) % 40} for place, system in enumerate(SYSTEMS)}],
            "item": [{"item_id": f"i{n}", "tgt": dict.fromkeys(SYSTEMS, "text")}],
        }
        for user in ("ann", "bob")
        for n in range(12)
    ]
    write("campaign.jsonl", map(json.dumps, rows))
    assert as_json("human-score --ratings campaign.jsonl")["scale"] == [0, 100]


def test_intervals_of_scores_stay_on_the_scale_of_their_tool_too():
    draw = default_rng(0)
    appraise({system: [100] * 29 + [int(draw.integers(0, 60))] for system in SYSTEMS})
    rows = as_json("compare --scores da.csv --score-column score")["rows"]
    assert all(row["high"] == 100 for row in rows)
    others = [row for row in rows if row["difference"] is not None]
    assert all(-100 <= row["from"] <= row["to"] <= 100 for row in others)


def test_an_interval_of_marked_errors_ends_at_0():
    mqm(5, 2)
    rows = as_json("compare --scores mqm.tsv")["rows"]
    assert all(row["high"] <= 0 for row in rows)


def test_a_variance_that_is_borrowed_is_told_where_no_difference_is_shown():
    draw = default_rng(3)
    spread = {"base": 0.3, "ours": 0.3, "big": 2.0}
    rows = [(n, name, 3 + 0.3 * (name == "ours") + draw.normal() * spread[name]) for name in spread for n in range(12)]
    write_table("ratings.csv", ["item", "system", "rating"], rows)
    out = typed("human-score --ratings ratings.csv --all-pairs").out
    assert "The variance of ours less base borrows from the other differences: the own one" in out
    rows = [(item, system, 3 + 2 * (system == "ours") + item % 2) for item, system, _ in rows]
    write_table("ratings.csv", ["item", "system", "rating"], rows)
    assert "The variance of" not in typed("human-score --ratings ratings.csv").out


def test_means_of_few_outputs_by_different_raters_tell_that_leniency_may_be_theirs():
    by = {"base": "ann", "ours": "bob", "big": "bob"}
    rows = [(item, system, by[system], 3 + item % 2) for system in SYSTEMS for item in range(4)]
    write_table("ratings.csv", ["item", "system", "rater", "rating"], rows)
    out = typed("human-score --ratings ratings.csv").out
    assert "In 2 of 3 pairs of systems no rater rated both, as of base and ours: how lenient raters are" in out
    write_table("ratings.csv", ["item", "system", "rater", "rating"], [(*row[:2], "ann", row[3]) for row in rows])
    assert "no rater rated both" not in typed("human-score --ratings ratings.csv").out.lower()
