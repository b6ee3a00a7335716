"""Each command line that `look` proposes runs, and says what the file holds."""

import json

import pytest
from command_lines import done, invoke
from proposed_lines import check_lines
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.core.files.reading import InputNote

pytestmark = pytest.mark.filterwarnings("ignore")

SYSTEMS = ("base", "ours")
N = 12


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def parts_of(found):
    return {column.name: column.part for column in found.columns}


def stars(*seed):
    return 1 + sum(seed) % 5


def outputs(row):
    return [row(n, at, s) for n in range(N) for at, s in enumerate(SYSTEMS)]


def lines_of(file, word):
    return [line for line in look(file).commands if line.split()[1] == word]


def test_ratings_of_several_raters_by_several_criteria():
    names = [f"{criterion}_r{rater}" for criterion in ("fluency", "coherence") for rater in (1, 2)]
    rows = outputs(
        lambda n, at, s: [n, s, f"The train {n} of {s} came late.", *(stars(n * k, at, k) for k in range(4))]
    )
    write_table("t.csv", ["item", "system", "output", *names], rows)
    found = look("t.csv")
    told = check_lines(found.commands, "t.csv")
    assert set(told) == {"human-score", "agreement"}
    assert "fluency" in told["human-score"]
    assert "coherence" in told["human-score"]
    assert told["agreement"].count("r1") == 2  # a row by each criterion
    assert not any("--scores" in line for line in found.commands)  # people rated
    (evaluated,) = lines_of("t.csv", "evaluate")
    assert evaluated.endswith("--text-column output --rating-column fluency_r1 --rating-column fluency_r2")


def test_what_people_rated_several_times_is_no_tools_score():
    rows = [
        [n, s, stars(n, at, rater), stars(n, rater)]
        for n in range(4)
        for at, s in enumerate(SYSTEMS)
        for rater in range(3)
    ]
    write_table("t.csv", ["ArticleID", "System", "CoherenceRating", "FluencyRating"], rows)
    found = look("t.csv")
    told = check_lines(found.commands, "t.csv")
    assert set(told) == {"human-score"}


def test_answers_about_texts_by_raters_who_are_not_named():
    asked = [f"Answer.{name}.1" for name in ("a-guidelines", "a-syntax", "a-superfluous", "a-wrong")]
    rows = [
        [n // 2, f"The story number {n} is weak here.", (n + r) % 2, r // 2, n % 2, 0]
        for n in range(N + 2)
        for r in range(3)
    ]
    write_table("t.csv", ["Input.story_id", "Input.explanation", *asked], rows)
    found = look("t.csv")
    assert [parts_of(found)[name] for name in asked] == ["rating"] * 4
    assert parts_of(found)["Input.story_id"] == "cluster"  # holds several texts, which were rated
    told = check_lines(found.commands, "t.csv")
    assert set(told) == {"human-score", "agreement"}
    assert "0.5000" in told["human-score"]


def test_agreement_of_unnamed_raters_is_that_of_named_ones():
    rows = [[f"The story number {n} is weak here.", stars(n, r * n), r] for n in range(N) for r in range(3)]
    write_table("t.csv", ["text", "rating", "rater"], rows)
    named = done("agreement t.csv").stdout
    write_table("u.csv", ["text", "rating"], [row[:2] for row in rows])
    with pytest.warns(InputNote, match="no column names the raters"):
        told = done("agreement u.csv").stdout
    assert told.splitlines()[0] == named.splitlines()[0]
    write_table("v.csv", ["text", "rating"], [row[:2] for row in rows[::3]])
    assert "there is no column of raters" in str(invoke("agreement v.csv").exception)


def test_two_rated_outputs_in_a_row_whose_systems_are_named():
    models = ("small", "large", "other")
    rows = [
        {
            "id": str(3 * n),
            "meta": {"model_a": models[n % 3], "model_b": models[(n + 1) % 3], "batch": "x"},
            "label_annotations": {
                "email": f"mail-{n}",
                "instance_id": "0",
                **{
                    f"{asked}_{side}": str(stars(n, at))
                    for asked in ("complexity", "assertive")
                    for at, side in enumerate("ab")
                },
            },
        }
        for n in range(N)
    ]
    write("t.jsonl", map(json.dumps, rows))
    found = look("t.jsonl")
    of = parts_of(found)
    assert (of["label_annotations.email"], of["meta.model"]) == ("rater", "system")
    assert of["label_annotations.assertive"] == "rating"
    told = check_lines(found.commands, "t.jsonl")
    assert set(told) == {"human-score"}
    means = {name: [] for name in models}
    for row in rows:
        for side in "ab":
            means[row["meta"][f"model_{side}"]].append(int(row["label_annotations"][f"complexity_{side}"]))
    for of_model in means.values():
        assert f"{sum(of_model) / len(of_model):.4f}" in told["human-score"]


def test_ways_to_generate_are_systems_and_names_of_files_items():
    rows = [
        [f"{37 * n}.jpg", f"a dog runs {n % 5}", stars(n), ("Beam", "Greedy")[n % 3 > 1], f"a dog {n % 4}"]
        for n in range(36)
    ]
    write_table("t.csv", ["Image Filename", "Caption", "Overall (1-5)", "Generation Method", "Ground Truth"], rows)
    found = look("t.csv")
    assert parts_of(found)["Generation Method"] == "system"
    assert "Greedy" in check_lines(found.commands, "t.csv")["human-score"]
    plain = "human-score --ratings t.csv --rating-column 'Overall (1-5)' --system-column 'Generation Method'"
    assert "12" in done(f"{plain} --item-column 'Image Filename' --unpaired").stdout


def test_a_metric_of_this_package_is_no_rating_of_people():
    rows = outputs(
        lambda n, at, s: [n, s, n / 13 + at / 9, (n * 7 % 11) * 9.1, (n * 5 % 11) / 2 - 3 - at / 7, n / 5 - 2]
    )
    write_table("t.csv", ["seg_id", "system", "comet", "chrf", "fluency", "rouge_lm"], rows)
    found = look("t.csv")
    assert "fluency" not in " ".join(found.notes)
    assert set(check_lines(found.commands, "t.csv")) == {"compare"}


def test_ratings_are_told_from_means_and_bins_beside_them():
    bins = ("bad", "good")
    rows = outputs(lambda n, at, s: [s, n, n / 13, 30.5 + n * 3.7, 2 + (n + at) % 5, bins[(n + at) % 5 > 2]])
    write_table("t.csv", ["system", "item", "TER", "parser.sc.mean", "informativeness", "inf_bin"], rows)
    found = look("t.csv")
    assert (parts_of(found)["parser.sc.mean"], parts_of(found)["inf_bin"]) == ("", "")
    evaluated = lines_of("t.csv", "evaluate")
    assert [line.partition("--rating-column ")[2].split()[0] for line in evaluated] == ["informativeness"]
    check_lines(found.commands, "t.csv")


def test_figures_of_captions_are_compared_together():
    rows = [{"B2": 20 + n * 1.3, "CIDER": 50 + n * 2.1, "B4": n * 1.7, "image_id": 70 + n} for n in range(N)]
    write("t.json", json.dumps(rows))
    (line,) = look("t.json").commands
    assert line.count("--score-column") == 3


def test_agreement_takes_the_slice_in_which_items_begin_again_as_a_cluster():
    rows = [
        [d, n, s, r, stars(n, r, at)] for d in "xy" for n in range(N) for at, s in enumerate(SYSTEMS) for r in range(2)
    ]
    write_table("t.csv", ["dataset", "item", "system", "rater", "rating"], rows)
    found = look("t.csv")
    assert "--slice-column dataset" in lines_of("t.csv", "human-score")[0]
    assert set(check_lines(found.commands, "t.csv")) >= {"human-score", "agreement"}
