"""Metrics judged by ratings: the figures are those of arrays, joined by item and system, with notes on missing ones."""

import json
from pathlib import Path

import numpy as np
import pytest
from command_lines import typed
from numpy.random import default_rng
from text_files import write_table

from referenceless_metrics import judge_metrics, look
from referenceless_metrics.assessment.system_pairs import (
    metric_difference,
    pairwise_accuracy,
    random_signs,
    soft_pairwise_accuracy,
    tie_calibrated_accuracy,
)
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.scores.meta_evaluation import meta_evaluation
from referenceless_metrics.human_evaluation.scores.meta_output import meta_lines, meta_rows
from referenceless_metrics.human_evaluation.scores.table import read_scores

SYSTEMS = ("a", "b", "c", "d")


@pytest.fixture(autouse=True)
def arrays(folder):
    """Ratings by two raters, and two metrics, of 15 items by four systems; and the same in files, shuffled."""
    generator = default_rng(0)
    ratings = generator.integers(1, 6, (2, 4, 15)).astype(float) + np.arange(4)[:, None] * 0.3
    human = ratings.mean(axis=0)
    good, bad = human + generator.normal(0, 0.5, human.shape), generator.normal(size=human.shape)
    cells = [(item, place) for item in range(15) for place in range(4)]
    scores = [(f"i{i}", SYSTEMS[s], good[s, i], bad[s, i]) for i, s in cells]
    write_table("scores.csv", ("item", "system", "good", "bad"), scores)
    rated = [(f"i{i}", SYSTEMS[s], who, ratings[r, s, i]) for i, s in cells for r, who in enumerate(("ann", "bob"))]
    generator.shuffle(rated)
    write_table("ratings.csv", ("item", "system", "rater", "rating"), rated)
    write_table("two.csv", ("item", "system", "rating"), [(*row[:2], row[3]) for row in rated if row[1] in "ab"])
    write_table("alone.csv", ("item", "system", "rating"), [(*row[:2], row[3]) for row in rated if row[1] == "a"])
    apart = [(i, s, w, r) for i, s, w, r in rated if int(i[1:]) % 4 == SYSTEMS.index(s)]
    write_table("apart.csv", ("item", "system", "rater", "rating"), apart)
    return human, good, bad


def test_scores_are_judged_by_the_ratings_of_the_same_outputs(arrays):
    human, good, bad = arrays
    found = judge_metrics("scores.csv", "ratings.csv", score_columns=["good", "bad"], n_permutations=200)
    assert [each.metric for each in found.metrics] == ["good", "bad"]
    for each, metric in zip(found.metrics, (good, bad), strict=True):
        assert (each.n_systems, each.n_items, each.n_outputs) == (4, 15, 60)
        assert each.accuracy == pairwise_accuracy(metric.mean(axis=1), human.mean(axis=1))
        assert each.soft == soft_pairwise_accuracy(metric, human, random_signs(15, 200))
        assert each.ties.value == pytest.approx(tie_calibrated_accuracy(metric, human).value)
    (pair,) = found.pairs
    assert (pair.metric, pair.other) == ("good", "bad")
    assert pair.ties_adjusted == pair.ties.p_value < 0.05
    row = meta_rows(found, for_readers=True)[0]
    assert (row["pairs of systems"], row["pairwise accuracy"]) == (6, f"{found.metrics[0].accuracy:.2f}")


def test_a_difference_is_of_the_outputs_that_have_both_scores_and_says_so_if_one_has_more(arrays):
    """The two accuracies in the table are of other outputs, so that their difference is another one."""
    _, good, bad = arrays
    rows = [(f"i{i}", s, good[at, i], bad[at, i] if i else None) for i in range(15) for at, s in enumerate(SYSTEMS)]
    write_table("scores.csv", ("item", "system", "good", "bad"), rows)
    found = judge_metrics("scores.csv", "ratings.csv", score_columns=["good", "bad"], n_permutations=50)
    assert [each.n_outputs for each in (*found.metrics, *found.pairs)] == [60, 56, 56]
    (line,) = [line for line in meta_lines(found, 0.95) if line.startswith("good less bad")]
    assert line.startswith("good less bad, on the 56 outputs that have both scores: accuracy with ties +")


@pytest.mark.long
def test_the_command_says_the_same():
    line = "compare --scores scores.csv --score-column good --score-column bad --ratings ratings.csv"
    found = json.loads(typed(f"{line} --format json").out)
    assert [row["score"] for row in found["rows"]] == ["good", "bad"]
    assert found["rows"][0]["shared items"] == 15
    assert "Of 6 pairs of systems one is 0.17 of pairwise accuracy." in found["findings"]
    assert any(line.startswith("good less bad: accuracy with ties +") for line in found["findings"])


def test_scores_that_are_judged_stand_in_one_file_or_in_a_file_each(arrays):
    _, good, bad = arrays
    for name, values in (("good", good), ("bad", bad)):
        cells = [(f"i{i}", SYSTEMS[s], values[s, i]) for i in range(15) for s in range(4)]
        write_table(f"{name}.csv", ("item", "system", name), cells)
    columns = ["good", "bad"]
    found = judge_metrics(["good.csv", "bad.csv"], "ratings.csv", score_columns=columns, n_permutations=20)
    assert found == judge_metrics("scores.csv", "ratings.csv", score_columns=columns, n_permutations=20)
    with pytest.raises(InputError, match=r"no file of good\.csv, bad\.csv has a column 'ugly'"):
        judge_metrics(["good.csv", "bad.csv"], "ratings.csv", score_columns=["good", "ugly", "bad"])
    with pytest.raises(InputError, match="there is no column 'bad'"):  # systems are compared by scores that all have
        read_scores(["good.csv", "bad.csv"], score_columns=columns)


def test_several_scores_may_stand_in_a_file_each_of_each_system(arrays):
    _, good, bad = arrays
    files = []
    for name, values in (("good", good), ("bad", bad)):
        Path(name).mkdir()
        for place, system in enumerate(SYSTEMS):
            files.append(f"{name}/{system}.csv")
            write_table(files[-1], ("item", name), [(f"i{i}", values[place, i]) for i in range(15)])
    given = " ".join(f"--scores {file}" for file in files)
    run = typed(f"compare {given} --ratings ratings.csv -f json")
    assert "good/a.csv of a" in run.err
    together = "compare --scores scores.csv --score-column good --score-column bad --ratings ratings.csv -f json"
    assert json.loads(run.out) == json.loads(typed(together).out)
    Path("bad/a.csv").rename("bad/x.csv")
    assert (
        "no rating is of an output with a score"
        in typed(f"compare {given.replace('bad/a', 'bad/x')} --ratings ratings.csv", 1).err
    )


def test_ratings_may_have_a_column_for_each_rater_and_names_of_their_own(arrays):
    human, good, _ = arrays
    cells = [(item, place) for item in range(15) for place in range(4)]
    rows = [(f"i{i}", SYSTEMS[s], good[s, i], human[s, i] - 1, human[s, i] + 1) for i, s in cells]
    write_table("one.csv", ("seg", "model", "judge", "ann", "bob"), rows)
    names = "--item-column seg --system-column model --rating-column ann --rating-column bob"
    found = json.loads(typed(f"compare --scores one.csv --score-column judge --ratings one.csv {names} -f json").out)
    assert found["rows"][0]["outputs"] == 60
    assert found["rows"][0]["accuracy with ties"] == pytest.approx(tie_calibrated_accuracy(good, human).value)
    write_table("unnamed.csv", ("system", "rating"), [(row[1], row[3]) for row in rows])
    line = "compare --scores scores.csv --score-column good --ratings unnamed.csv"
    assert "the ratings have no column of items by which scores and ratings are joined" in typed(line, 1).err


def test_the_order_of_rows_joins_no_scores_of_one_file_with_ratings_of_another(arrays):
    human, good, _ = arrays
    cells = [(place, item) for place in range(4) for item in range(15)]
    write_table("both.csv", ("system", "score", "rating"), [(SYSTEMS[s], good[s, i], human[s, i]) for s, i in cells])
    write_table("numbered.csv", ("system", "item", "score"), [(SYSTEMS[s], i + 1, good[s, i]) for s, i in cells])
    write_table("rated.csv", ("system", "item", "rating"), [(SYSTEMS[s], i + 1, human[s, i]) for s, i in cells])
    twice = [(SYSTEMS[s], who, human[s, i]) for s, i in cells for who in ("ann", "bob")[: 1 + i % 2]]
    write_table("unnumbered.csv", ("system", "annotator", "rating"), twice)
    for scores, ratings, lacking in (("numbered", "unnumbered", "ratings"), ("both", "rated", "scores")):
        for command in ("compare", "evaluate"):
            told = typed(f"{command} --scores {scores}.csv --ratings {ratings}.csv", 1).err
            assert f"the {lacking} have no column of items by which scores and ratings are joined" in told
        with pytest.raises(InputError, match=f"the {lacking} have no column of items"):
            judge_metrics(f"{scores}.csv", f"{ratings}.csv")
    for place, system in enumerate(SYSTEMS):
        Path(f"{system}.txt").write_text("\n".join(map(str, good[place])), encoding="utf-8")
    lines = " ".join(f"--scores {system}.txt" for system in SYSTEMS)
    for scores, ratings in (("--scores both.csv", "both.csv"), (lines, "rated.csv")):
        found = json.loads(typed(f"compare {scores} --ratings {ratings} -f json").out)
        value = found["rows"][0]["accuracy with ties"]
        assert value == pytest.approx(tie_calibrated_accuracy(good, human).value)


def test_the_column_of_raters_is_that_of_the_ratings_and_need_not_stand_beside_the_scores(arrays):
    human, good, _ = arrays
    of_rater = Path("ratings.csv").read_text(encoding="utf-8")
    Path("whose.csv").write_text(of_rater.replace("rater,", "annotator,", 1), encoding="utf-8")
    line = "compare --scores scores.csv --score-column good --ratings"
    assert "column 'annotator' tells them apart" in typed(f"{line} whose.csv", 1).err
    found = json.loads(typed(f"{line} whose.csv --rater-column annotator -f json").out)
    assert found == json.loads(typed(f"{line} ratings.csv -f json").out)
    judged = judge_metrics("scores.csv", "whose.csv", score_columns=["good"], rater_column="annotator")
    assert judged.n_raters == 2
    for ratings in ("whose.csv", "ratings.csv"):
        told = typed(f"{line} {ratings} --rater-column worker", 1).err
        assert f"{ratings}: there is no column 'worker' (--rater-column)" in told
    judges = [(f"i{i}", SYSTEMS[s], f"judge{d}", good[s, i] + d) for i in range(15) for s in range(4) for d in (1, -1)]
    write_table("judges.csv", ("item", "system", "judge", "score"), judges)
    of_judges = json.loads(typed("compare --scores judges.csv --ratings ratings.csv --rater-column judge -f json").out)
    assert of_judges["rows"][0]["accuracy with ties"] == pytest.approx(tie_calibrated_accuracy(good, human).value)


def test_a_score_of_which_lower_is_better_is_judged_by_its_negative(arrays):
    human, good, _ = arrays
    cells = [(item, place) for item in range(15) for place in range(4)]
    write_table("errors.csv", ("item", "system", "ter"), [(f"i{i}", SYSTEMS[s], -good[s, i]) for i, s in cells])
    found = judge_metrics("errors.csv", "ratings.csv", lower_is_better=["ter"], n_permutations=50).metrics[0]
    assert found.accuracy == pairwise_accuracy(good.mean(axis=1), human.mean(axis=1))


def test_systems_without_a_common_item_have_the_accuracy_of_their_means_alone():
    found = judge_metrics("scores.csv", "apart.csv", score_columns=["good"], n_permutations=50)
    assert found.metrics[0].soft is None
    assert np.isnan(found.metrics[0].ties.value)
    assert "cannot be compared on the same items" in found.notes[0]


@pytest.mark.parametrize(
    "line, status, told",
    [
        ("--ratings alone.csv", 1, "at least 2 systems with scores and ratings, but 'good' has them of a"),
        ("--ratings alone.csv", 1, "evaluate --scores scores.csv --ratings alone.csv --score-column good`"),
        ("--ratings ratings.csv --fail-if-worse", 2, "--fail-if-worse compares systems, and --ratings judges scores"),
    ],
)
def test_what_cannot_be_judged(line, status, told):
    assert told in typed(f"compare --scores scores.csv --score-column good {line}", status).err


def test_ratings_of_other_outputs_are_named():
    write_table("others.csv", ("item", "system", "rating"), [(f"x{i}", s, 3) for i in range(20) for s in SYSTEMS])
    with pytest.raises(InputError, match="items and systems must be called alike"):
        judge_metrics("scores.csv", "others.csv", score_columns=["good"])


def test_two_systems_have_the_accuracy_of_their_outputs_alone(arrays):
    human, good, _ = arrays
    found = judge_metrics("scores.csv", "two.csv", score_columns=["good", "bad"], n_permutations=20)
    each = found.metrics[0]
    assert each.ties.value == pytest.approx(tie_calibrated_accuracy(good[:2], human[:2]).value)
    assert (each.soft, np.isnan(each.accuracy), found.pairs[0].soft) == (None, True, None)
    assert "at least 3 systems" in found.notes[-1]


def test_permutations_keep_documents_together_that_scores_or_ratings_name(arrays):
    human, good, _ = arrays
    clusters = np.arange(15) // 3
    cells = [(item, place) for item in range(15) for place in range(4)]
    for name, doc in (("with.csv", True), ("without.csv", False)):
        of = [(f"i{i}", SYSTEMS[s], good[s, i], human[s, i], *([f"d{i // 3}"] if doc else [])) for i, s in cells]
        write_table(name, ("item", "system", "score", "rating", *(["doc"] if doc else [])), of)
    expected = soft_pairwise_accuracy(good, human, random_signs(15, clusters=clusters)).value
    independent = soft_pairwise_accuracy(good, human, random_signs(15)).value
    assert expected != independent
    for scores, ratings in (("with.csv", "without.csv"), ("without.csv", "with.csv"), ("with.csv", "with.csv")):
        line = f"compare --scores {scores} --score-column score --ratings {ratings} --cluster-column"
        told = json.loads(typed(f"{line} doc -f json").out)
        assert told["rows"][0]["soft"] == pytest.approx(expected)
        assert any("Permutations are of 5 whole clusters" in line for line in told["findings"])
    assert "there is no column 'docc'" in typed(f"{line} docc", 1).err
    for files in ("--scores without.csv --ratings with.csv", "--scores with.csv --ratings without.csv"):
        alone = typed(f"compare {files} --score-column score -f json")
        assert json.loads(alone.out)["rows"][0]["soft"] == pytest.approx(independent)
        assert ("name it (--cluster-column doc)" in alone.err) == ("--ratings with.csv" in files)


def test_clusters_without_shared_items_are_not_counted_among_those_that_permutations_keep_together(arrays):
    """Nine of fifteen items are rated, in three clusters."""
    human, good, bad = arrays
    human = np.where(np.arange(15) < 9, human, np.nan)
    scores = [(f"i{i}", s, good[p, i], bad[p, i], f"d{i // 3}") for i in range(15) for p, s in enumerate(SYSTEMS)]
    write_table("with.csv", ("item", "system", "good", "bad", "doc"), scores)
    write_table("without.csv", ("item", "system", "good", "bad"), [row[:-1] for row in scores])
    rated = [(f"i{i}", s, human[p, i], f"d{i // 3}") for i in range(9) for p, s in enumerate(SYSTEMS)]
    write_table("rated.csv", ("item", "system", "rating", "doc"), rated)
    for name in ("with", "without"):
        line = f"compare --scores {name}.csv --ratings rated.csv --cluster-column doc -f json --score-column good"
        for further in ("", " --score-column bad"):
            told = json.loads(typed(f"{line}{further}").out)
            assert any("Permutations are of 3 whole clusters" in finding for finding in told["findings"])
    human[0, 6:] = np.nan
    found = meta_evaluation(
        read_scores(["with.csv"], score_columns=["good", "bad"]), human, clusters=np.arange(15) // 3
    )
    assert found.n_clusters == (2, 3)  # shared items lie in two, and outputs in three
    assert "Permutations are of 2 to 3 whole clusters" in " ".join(meta_lines(found, 0.95))


def test_a_clusters_outputs_of_a_system_change_sides_together():
    one, two = np.array([[0.0, 0, 3, 3]]), np.array([[3.0, 3, 0, 0]])
    seen = []
    metric_difference(one, two, lambda metric: seen.append(metric) or 0.0, clusters=np.array([0, 0, 1, 1]))
    assert all(each[0, 0] == each[0, 1] and each[0, 2] == each[0, 3] for each in seen)


def test_the_line_for_few_systems_keeps_the_columns_that_were_named_and_runs():
    cells = [(d, n, s, (3 * d + n * n + p) % 7) for d in range(12) for n in range(3) for p, s in enumerate("ab")]
    write_table("metric.csv", ("doc", "seg", "sys", "comet"), [(d, n, s, v + n % 2) for d, n, s, v in cells])
    named = "--item-column seg --system-column sys --cluster-column doc"
    rated = [(d, n, s, "r1", v) for d, n, s, v in cells if s == "a"]
    write_table("a.csv", ("doc", "seg", "sys", "rater", "rating"), rated)
    err = typed(f"compare --scores metric.csv --score-column comet --ratings a.csv {named}", 1).err
    line = err.partition("`referenceless ")[2].partition("`")[0]
    for option in named.split(" --"):
        assert option in line
    assert "comet and people, on 36 of 72 outputs" in typed(line).out
    help = " ".join(typed("compare --help-all").out.split())
    assert "as WMT judges metrics (figures of systems take 3 of them)" in help


def test_a_table_for_a_paper_has_the_finding_its_basis_and_a_sentence_to_quote():
    line = "compare --scores scores.csv --score-column bad --score-column good --ratings ratings.csv"
    told = typed(line).out
    headline = told.splitlines()[0]
    assert headline.startswith("Scores and people, on 60 outputs of 4 systems, by accuracy with ties: good 0.")
    assert " good agrees better with people than bad (" in headline
    assert "For the paper: On 60 outputs of 4 systems rated by 2 raters, bad had pairwise accuracy " in told
    assert "(a system's score is its mean over these outputs; accuracy with ties: tie-calibrated" in told
    assert "a score of a whole corpus, such as BLEU, may order them otherwise" in " ".join(told.split())
    latex = typed(f"{line} -f latex").out
    caption = next(row for row in latex.splitlines() if row.startswith(r"\caption"))
    assert "15 items have scores and ratings of all systems, rated by 2 raters; 1,000 permutations of items." in caption
    assert "good agrees better" in caption
    assert "% For the paper: " in latex
    assert "Computed with referenceless-metrics" in latex
    assert "tie-calibrated" in latex
    alone = typed("compare --scores scores.csv --score-column good --ratings ratings.csv").out.splitlines()[0]
    assert alone.startswith("good and people, on 60 outputs of 4 systems: pairwise accuracy ")


def test_scores_of_systems_with_other_items_each_are_not_compared():
    """No item has outputs of two systems to order: the difference was "nan", and shown."""
    line = "compare --scores scores.csv --ratings apart.csv --score-column good --score-column bad -f json"
    told = json.loads(typed(line).out)
    assert told["pairs"] == []
    assert "no item has outputs of two systems" in told["headline"]
    assert "nan" not in " ".join([told["headline"], *told["findings"]])


def test_look_holds_no_scores_against_ratings_by_systems_with_other_items_each():
    rows = [[n, f"s{n // 20}", n % 5, n % 7, (n + 1) % 5] for n in range(60)]
    write_table("t.csv", ["item", "system", "one_score", "two_score", "rating"], rows)
    lines = look("t.csv").commands
    assert any(line.split()[1] == "evaluate" and "--scores" in line for line in lines)
    assert not any("compare --scores t.csv --ratings" in line for line in lines)
